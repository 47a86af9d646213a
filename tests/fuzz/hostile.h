/* What programs of random cases share: numbers by a seed, memory of exactly its size, and values
 * that arithmetic minds. */
#ifndef FUZZ_HOSTILE_H
#define FUZZ_HOSTILE_H

#include "ffn.h"
#include "guard.h"
#include "model.h"

#include <stdint.h>

extern uint64_t fuzz_seed;

/* The next random number below a count. */
size_t fuzz_below(size_t count);

/* Memory of exactly the bytes asked for: between pages that fault, or the allocator's, which a
 * sanitizer watches; floats anywhere that a float may lie. Filled with NaN. */
typedef struct fuzz_area {
  test_guard guard;
  unsigned char *block; /* NULL where the guard has the memory */
  void *memory;
} fuzz_area;

fuzz_area fuzz_area_open(size_t bytes, size_t alignment);
void fuzz_area_read_only(const fuzz_area *area);

/* 0 where something was written beside it. */
int fuzz_area_close(const fuzz_area *area);

/* Fills values with one of many kinds of numbers. Half of all tensors are tame: what overflows has
 * no bound. */
void fuzz_put(float *values, size_t count, float scale, int tame);

/* A model of the kernel's layer with such weights, packed. */
void fuzz_model_open(test_model *model, const ffn_kernel *kernel, int tame);

/* 0, after a line about the kernel. */
int fuzz_fail(const ffn_kernel *kernel, const char *what);

#endif
