#include "stack_turns.h"
#include "clock.h"
#include "turns.h"
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAY_ROUNDS = 3 };

/* So many budgets are the end on a machine that does much else, however few the rounds. */
static const double patience = 8;

/* What all turns share. */
typedef struct scene {
  bench_stack *stack;
  const ffn_parallel *parallel;
  bench_buffers *others;
  bench_way rest, read[2]; /* ways to read: others; weights in large pages and in small ones */
} scene;

static void read_all(const scene *s, const bench_holding *holding, bench_way way) {
  for (size_t i = 0; i < s->stack->count; ++i)
    bench_read_run(holding->packed[i], s->stack->kernels[i]->packed_bytes, way, s->parallel);
}

/* All others are read before each turn, so that no weights are left in a cache. */
static double seconds_of(const scene *s, const bench_stack_time *subject, bench_way way) {
  bench_pool_bind(1);
  bench_read_run(s->others->large, s->others->bytes, s->rest, s->parallel);
  bench_pool_bind(0);
  bench_settle();
  bench_pool_bind(1);
  const double begin = bench_now();
  if (subject->is_read)
    read_all(s, subject->holding, way);
  else
    bench_stack_run(s->stack, subject->holding, s->parallel);
  return bench_now() - begin;
}

static bench_way best_way(const scene *s, const bench_stack_time *reader, double deadline) {
  bench_way best = bench_way_at(0);
  double least = INFINITY;
  for (int round = 0; round == 0 || (round < WAY_ROUNDS && bench_now() < deadline); ++round)
    for (size_t i = 0; i < BENCH_WAYS; ++i) {
      const double seconds = seconds_of(s, reader, bench_way_at(i));
      if (seconds < least)
        least = seconds, best = bench_way_at(i);
    }
  return best;
}

/* Other bits than the first holding's: how many holdings have such. */
static int wrong_answers(const scene *s, const bench_stack_times *times) {
  bench_stack *stack = s->stack;
  float *first[BENCH_STACK_MOST];
  int wrong = 0;
  for (size_t i = 0; i < stack->count; ++i)
    first[i] = NULL;
  for (size_t t = 0; t < BENCH_STACK_SUBJECTS; ++t) {
    int is_wrong = 0;
    if (times->list[t].is_read)
      continue;
    bench_stack_run(stack, times->list[t].holding, s->parallel);
    for (size_t i = 0; i < stack->count; ++i) {
      const size_t bytes = stack->kernels[i]->outputs * sizeof(float);
      if (t > 0)
        is_wrong |= memcmp(first[i], stack->y[i], bytes) != 0;
      else if ((first[i] = malloc(bytes)))
        memcpy(first[i], stack->y[i], bytes);
      else
        exit(1);
    }
    if (is_wrong)
      fprintf(stderr, "bench: WRONG ANSWER of %s by %s\n", stack->spec->name,
              bench_holding_name(times->list[t].holding));
    wrong += is_wrong;
  }
  for (size_t i = 0; i < stack->count; ++i)
    free(first[i]);
  return wrong;
}

/* Each holding, then a read of one mapping; with large pages, then with small ones. */
static void list_subjects(bench_stack_times *times, bench_stack *stack) {
  bench_stack_time *next = times->list;
  for (int small = 0; small < 2; ++small) {
    for (int how = 0; how < BENCH_HOLD_COUNT; ++how)
      *next++ = (bench_stack_time){.holding = &stack->holdings[small][how]};
    *next++ =
        (bench_stack_time){.holding = &stack->holdings[small][BENCH_HOLD_WHOLE], .is_read = 1};
  }
}

static void conclude(bench_stack_times *times, double samples[][BENCH_ROUNDS_MOST]) {
  for (size_t t = 0; t < BENCH_STACK_SUBJECTS; ++t) {
    bench_stack_time *it = &times->list[t];
    const size_t small = it->holding->small ? BENCH_HOLD_COUNT + 1 : 0, n = times->rounds;
    double sorted[BENCH_ROUNDS_MOST];
    memcpy(sorted, samples[t], n * sizeof *sorted);
    const bench_quartiles q = bench_quartiles_of(sorted, n);
    const bench_quartiles r = bench_ratios(samples[t], samples[small + BENCH_HOLD_WHOLE], n);
    const bench_quartiles f = bench_ratios(samples[small + BENCH_HOLD_COUNT], samples[t], n);
    it->seconds = q.median;
    it->spread = (q.high - q.low) / q.median;
    it->ratio = r.median;
    it->unsure = bench_uncertainty((r.high - r.low) / r.median, n);
    it->of_read = f.median;
    it->of_read_unsure = bench_uncertainty((f.high - f.low) / f.median, n);
  }
}

bench_stack_times bench_stack_measure(bench_stack *stack, const ffn_parallel *parallel,
                                      bench_buffers *others, bench_way way, double budget) {
  static double samples[BENCH_STACK_SUBJECTS][BENCH_ROUNDS_MOST];
  bench_stack_times times = {.threads = parallel ? parallel->threads : 1};
  scene s = {.stack = stack, .parallel = parallel, .others = others, .rest = way};
  list_subjects(&times, stack);
  times.wrong = wrong_answers(&s, &times);
  for (size_t small = 0; small < 2; ++small)
    s.read[small] = best_way(&s, &times.list[BENCH_HOLD_COUNT + small * (BENCH_HOLD_COUNT + 1)],
                             bench_now() + patience * budget);
  const double begin = bench_now();
  while (times.rounds < BENCH_ROUNDS_MOST) {
    const double limit = times.rounds < BENCH_STACK_ROUNDS_LEAST ? patience * budget : budget;
    if (times.rounds > 0 && bench_now() - begin >= limit)
      break;
    for (size_t place = 0; place < BENCH_STACK_SUBJECTS; ++place) {
      const size_t t = bench_turn(times.rounds, place, BENCH_STACK_SUBJECTS);
      const bench_stack_time *it = &times.list[t];
      samples[t][times.rounds] = seconds_of(&s, it, s.read[it->holding->small]);
    }
    ++times.rounds;
  }
  bench_pool_bind(0);
  conclude(&times, samples);
  return times;
}
