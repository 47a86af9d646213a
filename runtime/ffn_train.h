/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_train.h - the public API of training: forward calls that save what backward needs, gradients.
 */
#ifndef FFN_TRAIN_H
#define FFN_TRAIN_H

#include "ffn.h"

#ifdef __cplusplus
extern "C" {
#endif
/*@ end */

/* Training, for a layer whose spec says `backward = true`:
 *
 *     const ffn_training *t = ffn_training_of(kernel);
 *     t->pack_train(packed, &weights);                           after every change of the weights
 *     ffn_run_train(t, y, outputs, x, inputs, tokens, saved, packed, work, dropout, NULL);
 *     ffn_grad(t, &gradients, dy, outputs, x, inputs, tokens, saved, packed, work, dropout, NULL);
 *
 * The promises of ffn.h hold. Without dropout y has the bits of kernel->run(). Gradients have the
 * same bits for any number of threads, any alignment, compiler and instruction set, and an error
 * within the bound of ffn_reference_grad(). In another than the usual floating-point mode the bits
 * depend on the build and the instruction set, but not on threads and alignment.
 *
 * The order of sums over tokens is fixed. The tokens of a call are cut into blocks of
 * FFN_TOKEN_BLOCK. A block is summed in one chain from +0, in ascending order. The sums of the
 * blocks are added in ascending order: to what is there (accumulate = 1), or to the first of them.
 * A batch that is split at multiples of FFN_TOKEN_BLOCK and accumulated has the bits of one call.
 *
 * Several outputs: y and dy have all outputs side by side, in order. The gradients of each matrix
 * and bias have the bits of a linear layer with its output alone. dx is one sum over all outputs in
 * that order, with the bits of a linear layer whose matrix has all rows.
 *
 * saved: run_train() writes it, grad() reads it. x belongs to the caller, and is given to grad()
 * once more. grad() may be called any number of times, also for some whole blocks of tokens: then
 * the first block begins ffn_saved_bytes(t, tokens in front of the block) bytes behind saved.
 *
 * What is checked by asserts: saved belongs to the layer, the number of tokens and the dropout of
 * the call; pack_train() made packed. What nothing checks: x, packed and masks have the content
 * that they had in run_train(). Otherwise the gradients mean nothing. */

/* So many tokens are a block of the sums over tokens. */
#define FFN_TOKEN_BLOCK 128

/* Each block of tokens in saved begins with a header of so many bytes, which grad() checks. */
#define FFN_SAVED_HEADER 64

/* The gradients of a matrix [out][in] and its bias [out]. */
typedef struct ffn_linear_gradient {
  float *weight, *bias;
} ffn_linear_gradient;

/* Where gradients go. Their memory overlaps neither each other nor anything else that grad() uses.
 * A gradient whose pointer is NULL is not computed. */
typedef struct ffn_gradients {
  float *dx; /* [tokens][inputs], rows at dx_stride, at least inputs */
  size_t dx_stride;
  ffn_linear_gradient gate, up, down; /* of the fields of ffn_weights with these names */
  const ffn_linear_gradient *chain; /* one for each stage */
  float *parameters; /* [kernel->runtime_parameters], of ffn_weights.parameters */
  int accumulate; /* 1: all gradients but dx are added to what is there; 0: they overwrite it */
} ffn_gradients;

/* Which elements a call drops, for layers whose spec says dropout. Give grad() the same record as
 * run_train(), and each step of training another `step`. NULL drops nothing, as kernel->run() does.
 *
 * The number of an element is (first_token + its token in the call) * width + its column, modulo
 * 2^64; a batch may therefore be cut anywhere. Word number % 4 of ffn_philox() decides, with the
 * counter { number / 4 (low and high 32 bits), layer, step } and the key { seed (low and high 32
 * bits) }. An element is kept where the word is below the integer part of (1 - rate) 2^32, and then
 * multiplied by 1 / (1 - rate) in f32; else it is multiplied by 0. Instruction sets and threads
 * drop the same elements. */
typedef struct ffn_dropout {
  uint64_t seed;
  uint64_t first_token; /* the number of the call's first token */
  /* The number of the layer's first place of dropout; the next place has the next number, modulo
   * 2^32. Give each layer of a model its own numbers or seed: with the same they drop alike. */
  uint32_t layer;
  uint32_t step;
  /* NULL; or an array with a pointer for each place of dropout: NULL, or factors to use instead,
   * any floats, [tokens of the call][width]. */
  const float *const *masks;
} ffn_dropout;

/* A place of dropout: the results of a stage are multiplied by factors. */
typedef struct ffn_dropout_place {
  size_t stage;
  float rate;
  uint32_t below; /* a word below this keeps an element */
  float scale; /* the factor of a kept element, 1 / (1 - rate); 0 where none is kept */
} ffn_dropout_place;

/* A call of run_train() or grad(): one record may serve both. Each function reads the record until
 * it returns, and never writes or keeps it. Fields that are left 0 are not used. */
typedef struct ffn_train_call {
  const float *x; /* its rows are as those of an ffn_call */
  size_t x_stride, tokens;
  /* What pack_train() made. What kernel->pack() made has no transposed weights: enough for
   * run_train(), not for grad(). */
  const void *packed;
  void *work; /* ffn_train_work_bytes(t, threads) bytes, FFN_ALIGNMENT-aligned, any content */
  void *saved; /* ffn_saved_bytes(t, tokens) bytes, FFN_ALIGNMENT-aligned */
  const ffn_dropout *dropout;
  const ffn_parallel *parallel; /* NULL: the calling thread alone */
  float *y; /* for run_train(): as in an ffn_call */
  size_t y_stride;
  /* For grad(). Rows of dy may overlap, as those of x: a stride of 0 is one row for all tokens. */
  const ffn_gradients *to;
  const float *dy;
  size_t dy_stride;
} ffn_train_call;

/* Training of one layer on one instruction set. Constant data. */
typedef struct ffn_training {
  const char *name; /* the kernel's name and "_train" */
  const char *layer;
  ffn_isa isa;
  size_t inputs, outputs;
  size_t stage_count;
  const ffn_stage *stages;
  size_t runtime_parameters; /* of the kernel */
  /* [stage_count]: a product is rounded at most so often in the gradient of a stage's input. */
  const size_t *back_lengths;
  size_t dropout_count;
  const ffn_dropout_place *dropouts; /* [dropout_count], from the first stage to the last */
  size_t packed_bytes; /* that pack_train() writes */
  size_t saved_row_bytes; /* for each token; ffn_saved_bytes() adds headers */
  size_t shared_bytes, thread_bytes; /* of work memory: once, and for each thread */

  /* packed[packed_bytes] <- weights, FFN_ALIGNMENT-aligned. packed begins with what kernel->pack()
   * writes: kernel->run() takes packed, too. Call pack_train() after every change of weights. */
  void (*pack_train)(void *packed, const ffn_weights *weights);

  /* Computes y and saved: training->run_train(training, &call). ffn_run_train() is shorter. */
  void (*run_train)(const struct ffn_training *training, const ffn_train_call *call);

  /* Computes the gradients of a loss from dy, the gradient with respect to y. ffn_grad() is
   * shorter. */
  void (*grad)(const struct ffn_training *training, const ffn_train_call *call);
} ffn_training;

/* Computes y and saved: fills an ffn_train_call and runs it. */
static inline void ffn_run_train(const ffn_training *training, float *y, size_t y_stride,
    const float *x, size_t x_stride, size_t tokens, void *saved, const void *packed, void *work,
    const ffn_dropout *dropout, const ffn_parallel *parallel) {
  const ffn_train_call call = {
      x, x_stride, tokens, packed, work, saved, dropout, parallel, y, y_stride, NULL, NULL, 0};
  training->run_train(training, &call);
}

/* Computes gradients: fills an ffn_train_call and runs it. */
static inline void ffn_grad(const ffn_training *training, const ffn_gradients *to, const float *dy,
    size_t dy_stride, const float *x, size_t x_stride, size_t tokens, const void *saved,
    const void *packed, void *work, const ffn_dropout *dropout, const ffn_parallel *parallel) {
  const ffn_train_call call = {x, x_stride, tokens, packed, work, (void *)(uintptr_t)saved, dropout,
      parallel, NULL, 0, to, dy, dy_stride};
  training->grad(training, &call);
}

/* The linked training of a kernel's layer and instruction set. NULL: none is linked, or kernel is
 * NULL. */
const ffn_training *ffn_training_of(const ffn_kernel *kernel);

/* All linked trainings; *count <- how many (count may be NULL). Never NULL. */
const ffn_training *const *ffn_all_trainings(size_t *count);

/*@ reference */
/* The gradients by plain loops in double on the same f32 values; and for each gradient the bound on
 * |that of grad() - exact|, for accumulate = 0. Arrays have the sizes of those in ffn_gradients, dx
 * is dense. Both value and bound are there, or both are NULL. scratch has
 * ffn_reference_grad_bytes(training) bytes, aligned for double. These functions are left out with
 * the self-check, as ffn_reference() is. */
typedef struct ffn_reference_array {
  double *value, *bound;
} ffn_reference_array;

typedef struct ffn_reference_linear {
  ffn_reference_array weight, bias;
} ffn_reference_linear;

typedef struct ffn_reference_gradients {
  ffn_reference_array dx;
  ffn_reference_linear gate, up, down;
  const ffn_reference_linear *chain;
  ffn_reference_array parameters;
} ffn_reference_gradients;

void ffn_reference_grad(const ffn_training *training, const ffn_reference_gradients *to,
    const float *dy, size_t dy_stride, const float *x, size_t x_stride, size_t tokens,
    const ffn_weights *weights, const ffn_dropout *dropout, void *scratch);

/* The same for y of run_train(). y and bound are [tokens][outputs], dense; either may be NULL. */
void ffn_reference_train(const ffn_training *training, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, const ffn_dropout *dropout,
    void *scratch);
size_t ffn_reference_grad_bytes(const ffn_training *training);
/*@ end */

/* The factor of one element at a place of dropout in [0, dropout_count); token is counted in the
 * call; 1 where dropout is NULL. ffn_dropout_mask() writes the factors of so many tokens:
 * mask[tokens][outputs of the stage]. */
float ffn_dropout_factor(const ffn_training *training, size_t place, const ffn_dropout *dropout,
    size_t token, size_t column);
void ffn_dropout_mask(const ffn_training *training, size_t place, const ffn_dropout *dropout,
    float *mask, size_t tokens);

/* Philox4x32-10: four random words of a counter and a key. */
void ffn_philox(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2]);

/* The variable of a derivative: x; up, of a function of both branches; parameter i, which is
 * FFN_BY_PARAMETER + i. */
enum { FFN_BY_X = 0, FFN_BY_UP = 1, FFN_BY_PARAMETER = 2 };

/* The derivative of an activation in double, NaN where there is none; and the bound on the error of
 * a kernel's derivative at an x and up within dx and dup of these. */
double ffn_derivative_value(
    ffn_activation activation, int by, double x, double up, const float *parameters);
double ffn_derivative_bound(ffn_activation activation, int by, double x, double dx, double up,
    double dup, const float *parameters);

/* The bytes of saved for a call; the bytes of work memory. SIZE_MAX where the size overflows, 0
 * where training is NULL. */
size_t ffn_saved_bytes(const ffn_training *training, size_t tokens);
size_t ffn_train_work_bytes(const ffn_training *training, size_t threads);

/*@ layers */
/*@ end */

/*@ foot */
#ifdef __cplusplus
}
#endif
#endif
/*@ end */
