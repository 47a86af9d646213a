/* PyTorch's numbers, tests/data, and the layers that they are of. */
#ifndef TEST_GOLDENS_H
#define TEST_GOLDENS_H

#include "model.h"
#include "safetensors.h"

typedef struct test_golden {
  const char *file, *layer;
} test_golden;

extern const test_golden test_goldens[];
extern const size_t test_golden_count;

/* What follows "w", "b", "d_w" and "d_b" in the names of matrix m: "_gate", or its number. */
void test_golden_name(char name[16], const test_model *model, size_t m);

/* The file's weights, biases and beta into the model; fails the test where they do not fit. */
void test_golden_matrices(test_model *model, const test_tensors *tensors);

#endif
