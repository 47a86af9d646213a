/* A layer with weights to test it with, and its inputs. */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include "ffn.h"

typedef enum test_fill {
  TEST_REALS, /* uniform, scaled so that values stay near 1 from stage to stage */
  TEST_WIDE,  /* the same times a power of two from 2^-24 to 2^8: a dozen orders of magnitude */
  TEST_TIES,  /* 1 + 2^-12 and 2^-60: a product of two lies between two floats, a sum beside it */
  TEST_INTEGERS, /* -2 to 2; many zeros where a sum is long, so that sums stay small integers */
  TEST_FILL_COUNT
} test_fill;

/* A matrix of the layer: what hangs at *linear, writable. bias is NULL where there is none. */
typedef struct test_matrix {
  ffn_linear *linear;
  float *weight, *bias; /* weight are the values also where *linear has blocks, which are in own */
  unsigned char *own, *scales, *zeros; /* or NULL */
  size_t outputs, inputs, stage;
} test_matrix;

typedef struct test_model {
  const ffn_kernel *kernel;
  ffn_weights weights; /* parameters are 1.25 (beta) and below; change them before packing */
  ffn_linear chain[FFN_MAX_STAGES];
  size_t matrix_count;
  test_matrix matrices[FFN_MAX_STAGES * FFN_MAX_BRANCHES];
  void *packed; /* NULL before test_model_pack() */
} test_model;

/* The matrices of the kernel's layer, hung up in model->weights, with NULL for memory. */
void test_model_shape(test_model *model, const ffn_kernel *kernel);

/* The same with memory and weights. It must stay where it is: weights.chain points into it. */
void test_model_open(test_model *model, const ffn_kernel *kernel, test_fill fill, uint64_t seed);
void test_model_fill(test_model *model, test_fill fill, uint64_t seed);
void test_model_pack(test_model *model);
void test_model_close(test_model *model);

/* Bytes of what hangs at *linear: the weights in dense rows, scales and zeros. */
size_t test_matrix_bytes(const test_matrix *matrix);
size_t test_scales_bytes(const test_matrix *matrix);
size_t test_zeros_bytes(const test_matrix *matrix);

/* kernel->unpack() into the memory that hangs in into->weights, and its parameters. */
void test_unpack(const ffn_kernel *kernel, test_model *into, const void *packed);

/* x[tokens][kernel->inputs], and what lies around one: to be freed. */
float *test_inputs(const ffn_kernel *kernel, size_t tokens, test_fill fill, uint64_t seed);

/* Dense run on this thread with fresh, NaN-poisoned work memory. y may hold anything. */
void test_run(const ffn_kernel *kernel, float *y, const float *x, size_t tokens,
              const void *packed);

/* Dense run into new memory, poisoned with NaN: to be freed. */
float *test_outputs(const ffn_kernel *kernel, const float *x, size_t tokens, const void *packed);

/* The reference of dense rows. The arrays are [tokens][outputs]; either may be NULL. */
void test_reference(const test_model *model, double *y, double *bound, const float *x,
                    size_t tokens);

#endif
