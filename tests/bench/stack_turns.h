/* A model's layers timed in turns, however their weights are held, beside a plain read of them. */
#ifndef BENCH_STACK_TURNS_H
#define BENCH_STACK_TURNS_H

#include "machine.h"
#include "stack.h"

enum {
  BENCH_STACK_SUBJECTS = 2 * (BENCH_HOLD_COUNT + 1),
  BENCH_STACK_ROUNDS_LEAST = 2 * BENCH_STACK_SUBJECTS /* fewer are told: the machine was busy */
};

/* A token through all layers by one holding, or all of its bytes read layer by layer. */
typedef struct bench_stack_time {
  const bench_holding *holding;
  int is_read;
  double seconds, spread; /* median; quartiles' distance over it */
  double ratio, unsure;   /* over one mapping with as large pages; two standard errors of that */
  double of_read, of_read_unsure; /* a plain read of one mapping with as large pages, over it */
} bench_stack_time;

typedef struct bench_stack_times {
  size_t threads, rounds;
  int wrong; /* holdings whose answers have other bits than the first one's */
  bench_stack_time list[BENCH_STACK_SUBJECTS];
} bench_stack_times;

/* parallel is NULL for the calling thread alone; way is how to read others, the buffers that
 * weights rest for. Takes `budget` seconds, or until there are rounds enough, but not much more. */
bench_stack_times bench_stack_measure(bench_stack *stack, const ffn_parallel *parallel,
                                      bench_buffers *others, bench_way way, double budget);

#endif
