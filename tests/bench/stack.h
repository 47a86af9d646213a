/* A model's layers, as a host holds their weights: each in memory of its own, all in an arena, or
 * all in one mapping; in huge pages, and where the system has none. */
#ifndef BENCH_STACK_H
#define BENCH_STACK_H

#include "pool.h"

enum { BENCH_STACK_MOST = 64, BENCH_STACK_KINDS_MOST = 8 };

/* Blocks of a model, each with these layers in this order. */
typedef struct bench_stack_spec {
  const char *name;
  size_t blocks;
  const char *layers[BENCH_STACK_KINDS_MOST]; /* NULL behind the last */
} bench_stack_spec;

typedef enum bench_hold {
  BENCH_HOLD_ARENA, /* ffn_arena_alloc() */
  BENCH_HOLD_EACH,  /* ffn_alloc() */
  BENCH_HOLD_WHOLE, /* one mapping: what the others are compared with */
  BENCH_HOLD_COUNT
} bench_hold;

/* One copy of all packed weights. */
typedef struct bench_holding {
  bench_hold hold;
  int small;         /* 1: as if the system had no huge pages */
  size_t huge_bytes; /* that lie in huge pages */
  void *whole;       /* BENCH_HOLD_EACH: NULL */
  void *packed[BENCH_STACK_MOST];
} bench_holding;

typedef struct bench_stack {
  const bench_stack_spec *spec;
  size_t count, bytes;
  const ffn_kernel *kernels[BENCH_STACK_MOST];
  float *x, *y[BENCH_STACK_MOST]; /* each layer has the same x, and y of its own */
  void *work;
  size_t work_bytes; /* for any layer, on so many threads as it was opened for */
  bench_holding holdings[2][BENCH_HOLD_COUNT]; /* [small][hold] */
} bench_stack;

extern const bench_stack_spec bench_stack_specs[];
extern const size_t bench_stack_count;

const char *bench_holding_name(const bench_holding *holding);

/* 0: a layer has no kernel for these instruction sets. */
int bench_stack_open(bench_stack *stack, const bench_stack_spec *spec, unsigned cpu,
                     size_t threads);
void bench_stack_close(bench_stack *stack);

/* A token through every layer. */
void bench_stack_run(bench_stack *stack, const bench_holding *holding,
                     const ffn_parallel *parallel);

#endif
