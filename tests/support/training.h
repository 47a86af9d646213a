/* The training of a layer: its gradients as a list of arrays, and their reference. */
#ifndef TEST_TRAINING_H
#define TEST_TRAINING_H

#include "ffn_train.h"
#include "model.h"

enum { TEST_MOST_GRADIENTS = 2 + 2 * FFN_MAX_STAGES * FFN_MAX_BRANCHES };

/* One array of gradients. */
typedef struct test_gradient {
  char name[24]; /* "dx 0", "matrix 1", "bias 0", "parameters 0" */
  float **where; /* in test_gradients.to: NULL it for what is not wanted */
  float *values;
  size_t count;
} test_gradient;

typedef struct test_gradients {
  const test_model *model;
  size_t tokens, count;
  ffn_gradients to;
  ffn_linear_gradient chain[FFN_MAX_STAGES];
  test_gradient all[TEST_MOST_GRADIENTS];
} test_gradients;

/* Room for all gradients, poisoned. It must stay where it is: to.chain points into it. */
void test_gradients_open(test_gradients *gradients, const test_model *model, size_t tokens);
void test_gradients_close(test_gradients *gradients);

/* The reference's values and bounds, in the order of test_gradients.all: to be freed, each. */
typedef struct test_references {
  size_t count;
  ffn_reference_array all[TEST_MOST_GRADIENTS];
} test_references;

void test_references_open(test_references *references, const test_gradients *gradients,
                          const ffn_training *training, const float *dy, const float *x,
                          const ffn_dropout *dropout);
void test_references_close(test_references *references);

/* One way through a training: run_train(), then grad(), dense. saved is the caller's, for `tokens`.
 * y may be NULL where saved is there from before. */
void test_train(const ffn_training *training, float *y, const float *x, size_t tokens, void *saved,
                const void *packed, const ffn_dropout *dropout, const ffn_parallel *parallel);
void test_grad(const ffn_training *training, const ffn_gradients *to, const float *dy,
               const float *x, size_t tokens, const void *saved, const void *packed,
               const ffn_dropout *dropout, const ffn_parallel *parallel);

/* What tests drop, where a layer drops anything. */
extern const ffn_dropout test_dropout;

/* dy[tokens][kernel->outputs], reals or small integers: to be freed. */
float *test_loss(const ffn_kernel *kernel, size_t tokens, test_fill fill, uint64_t seed);

/* Packed and saved memory, poisoned: to be given to ffn_free(). */
void *test_pack_train(const ffn_training *training, const test_model *model);
void *test_saved(const ffn_training *training, size_t tokens);

#endif
