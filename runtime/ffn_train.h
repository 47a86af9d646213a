/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_train.h - the public API of training: kernels that keep what backward needs, and gradients.
 */
#ifndef FFN_TRAIN_H
#define FFN_TRAIN_H

#include "ffn.h"

#ifdef __cplusplus
extern "C" {
#endif
/*@ end */

/* Training, in a layer whose spec says `backward = true`:
 *
 *     const ffn_training *t = ffn_training_of(kernel);
 *     t->pack_train(packed, &weights);                           after every change of the weights
 *     ffn_run_train(t, y, outputs, x, inputs, tokens, saved, packed, work, dropout, NULL);
 *     ffn_grad(t, &gradients, dy, outputs, x, inputs, tokens, saved, packed, work, dropout, NULL);
 *
 * The promises of ffn.h hold here, too. Without dropout y has the bits of kernel->run(). Gradients
 * have the same bits for any number of threads, any alignment, compiler and instruction set, and
 * their error is within the bound of ffn_reference_grad(); in another than the usual floating-point
 * mode of the caller's, for any number of threads and any alignment alone.
 *
 * The order of sums over tokens is fixed: tokens in blocks of FFN_TOKEN_BLOCK, counted from the
 * first of the call; in a block one chain from +0 in ascending order; block sums are added in
 * ascending order to what is there (accumulate) or to the first of them. So a batch that is split
 * at multiples of FFN_TOKEN_BLOCK and accumulated has the bits of one call.
 *
 * Of several outputs y and dy have all side by side, in order. The gradients of each matrix and
 * bias have the bits of a linear layer for its output alone; dx is one sum over all outputs in that
 * order, with the bits of a linear layer whose matrix has the rows of all of theirs.
 *
 * x belongs to the caller and is given to grad() again. saved is written by run_train() and read by
 * grad(), which may be called any number of times, also for whole blocks of the call alone, the
 * first of which begins ffn_saved_bytes(t, tokens in front of it) behind saved. What is saved says
 * of which layer, tokens and dropout it is, and packed that pack_train() made it: others are an
 * assert. x, and the content of packed and of masks, must be what run_train() had: where they
 * change in between, gradients are of neither, and nothing can tell. */

/* Tokens of one accumulation in sums over tokens. */
#define FFN_TOKEN_BLOCK 128

/* Bytes in front of each block of tokens in what run_train() saves, by which grad() knows it. */
#define FFN_SAVED_HEADER 64

/* The gradients of a matrix [out][in] and its bias [out]. */
typedef struct ffn_linear_gradient {
  float *weight, *bias;
} ffn_linear_gradient;

/* Where gradients go: apart from each other and from all that grad() is given. What is NULL is not
 * wanted, and costs nothing. */
typedef struct ffn_gradients {
  float *dx; /* [tokens][inputs], rows at dx_stride, at least inputs */
  size_t dx_stride;
  ffn_linear_gradient gate, up, down; /* of the fields of ffn_weights of these names */
  const ffn_linear_gradient *chain; /* one for each stage */
  float *parameters; /* of ffn_weights.parameters: as many as kernel->runtime_parameters */
  int accumulate; /* 1: gradients but dx are added to what is there; dx never */
} ffn_gradients;

/* What decides what a call drops, in layers whose spec says dropout: give grad() what run_train()
 * was given, and each step of training another `step`. NULL drops nothing, as kernel->run() does.
 *
 * An element is numbered (first_token + its token in the call) * width + its column, modulo 2^64;
 * so a batch may be cut anywhere. It is kept, and multiplied with 1 / (1 - rate) in f32, where a
 * word is below the integer part of (1 - rate) 2^32: word number % 4 of ffn_philox() of the counter
 * { number / 4 (low and high 32 bits), layer, step } and the key { seed (low and high 32 bits) }.
 * Others are multiplied with 0. The same on every instruction set, for any threads. */
typedef struct ffn_dropout {
  uint64_t seed;
  uint64_t first_token; /* the number of the call's first token */
  /* The number of its first place of dropout; that of the next is one more, modulo 2^32. Layers of
   * one model take numbers, or seeds, of their own: with the same they drop alike. */
  uint32_t layer;
  uint32_t step;
  /* NULL; or for each of the places of dropout NULL, or what is multiplied with instead of the
   * above: any floats, [tokens of the call][width]. */
  const float *const *masks;
} ffn_dropout;

/* A place of dropout: the results of a stage are multiplied. */
typedef struct ffn_dropout_place {
  size_t stage;
  float rate;
  uint32_t below; /* words that keep an element */
  float scale; /* of what is kept: 1 / (1 - rate); 0 where nothing is */
} ffn_dropout_place;

/* What is asked of run_train(), and of grad() behind it: one record serves both. What is left 0 is
 * not wanted. It is read until either returns, never written or kept. */
typedef struct ffn_train_call {
  const float *x; /* and its rows, as an ffn_call has them */
  size_t x_stride, tokens;
  /* pack_train()'s. What kernel->pack() made lacks the transposed weights, and does for run_train()
   * alone. */
  const void *packed;
  void *work; /* ffn_train_work_bytes(t, threads) bytes, FFN_ALIGNMENT-aligned, any content */
  void *saved; /* FFN_ALIGNMENT-aligned; grad() reads it */
  const ffn_dropout *dropout;
  const ffn_parallel *parallel; /* NULL: the calling thread alone */
  float *y; /* of run_train(), as an ffn_call has it */
  size_t y_stride;
  /* Of grad(). As those of x, rows of dy may lie over each other: a stride of 0 is one row for all
   * tokens. */
  const ffn_gradients *to;
  const float *dy;
  size_t dy_stride;
} ffn_train_call;

/* Training of one layer on one instruction set. Constant data. */
typedef struct ffn_training {
  const char *name; /* of the kernel, and "_train" */
  const char *layer;
  ffn_isa isa;
  size_t inputs, outputs;
  size_t stage_count;
  const ffn_stage *stages;
  size_t runtime_parameters; /* of the kernel */
  /* For each stage: most roundings in the gradient of its input, a sum over transposed weights. */
  const size_t *back_lengths;
  size_t dropout_count;
  const ffn_dropout_place *dropouts; /* from the first stage to the last */
  size_t packed_bytes; /* of pack_train() */
  size_t saved_row_bytes; /* for each token; ffn_saved_bytes() adds headers */
  size_t shared_bytes, thread_bytes; /* of work memory: once, and for each thread */

  /* packed[packed_bytes] <- weights, FFN_ALIGNMENT-aligned. It begins with what kernel->pack()
   * writes, and a header that says how much more there is, so kernel->run() takes it, too. */
  void (*pack_train)(void *packed, const ffn_weights *weights);

  /* y of a call, and saved[ffn_saved_bytes(t, tokens)]: training->run_train(training, &call).
   * ffn_run_train() is shorter. */
  void (*run_train)(const struct ffn_training *training, const ffn_train_call *call);

  /* The gradients of the loss whose gradient with respect to y is dy. ffn_grad() is shorter. */
  void (*grad)(const struct ffn_training *training, const ffn_train_call *call);
} ffn_training;

/* y, and what is saved: a call whose record is made here. */
static inline void ffn_run_train(const ffn_training *training, float *y, size_t y_stride,
    const float *x, size_t x_stride, size_t tokens, void *saved, const void *packed, void *work,
    const ffn_dropout *dropout, const ffn_parallel *parallel) {
  const ffn_train_call call = {
      x, x_stride, tokens, packed, work, saved, dropout, parallel, y, y_stride, NULL, NULL, 0};
  training->run_train(training, &call);
}

/* Gradients, likewise. */
static inline void ffn_grad(const ffn_training *training, const ffn_gradients *to, const float *dy,
    size_t dy_stride, const float *x, size_t x_stride, size_t tokens, const void *saved,
    const void *packed, void *work, const ffn_dropout *dropout, const ffn_parallel *parallel) {
  const ffn_train_call call = {x, x_stride, tokens, packed, work, (void *)(uintptr_t)saved, dropout,
      parallel, NULL, 0, to, dy, dy_stride};
  training->grad(training, &call);
}

/* The linked training of a kernel's layer and instruction set, or NULL. */
const ffn_training *ffn_training_of(const ffn_kernel *kernel);

/* All that are linked: *count of them (count may be NULL). Never NULL. */
const ffn_training *const *ffn_all_trainings(size_t *count);

/*@ reference */
/* The gradients by plain loops in double on the same f32 values, and for each the bound on
 * |grad()'s - exact|, where it overwrites. Each pair of arrays has the sizes of ffn_gradients', dx
 * dense; value and bound are both there or both NULL. scratch holds
 * ffn_reference_grad_bytes(training) bytes, aligned for double. As ffn_reference(), they are left
 * out with the self-check. */
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

/* run_train() likewise; y and bound are [tokens][outputs], dense; either may be NULL. */
void ffn_reference_train(const ffn_training *training, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, const ffn_dropout *dropout,
    void *scratch);
size_t ffn_reference_grad_bytes(const ffn_training *training);
/*@ end */

/* What an element of a place of dropout, in [0, dropout_count), is multiplied with, `token` counted
 * in the call; 1 where dropout is NULL. Then of all elements of so many tokens:
 * mask[tokens][outputs of its stage]. */
float ffn_dropout_factor(const ffn_training *training, size_t place, const ffn_dropout *dropout,
    size_t token, size_t column);
void ffn_dropout_mask(const ffn_training *training, size_t place, const ffn_dropout *dropout,
    float *mask, size_t tokens);

/* Philox4x32-10: four random words of a counter and a key. */
void ffn_philox(uint32_t words[4], const uint32_t counter[4], const uint32_t key[2]);

/* What an activation is differentiated by: x, the other branch of a function of both, or the
 * parameter of an index, which is added. */
enum { FFN_BY_X = 0, FFN_BY_UP = 1, FFN_BY_PARAMETER = 2 };

/* The derivative of an activation in double, NaN where there is none; and what a kernel's may be
 * off by, where its x and up are within dx and dup of these. */
double ffn_derivative_value(
    ffn_activation activation, int by, double x, double up, const float *parameters);
double ffn_derivative_bound(ffn_activation activation, int by, double x, double dx, double up,
    double dup, const float *parameters);

/* Bytes of what run_train() saves; of work memory. SIZE_MAX where the size overflows, 0 where
 * training is NULL. */
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
