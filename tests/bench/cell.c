#include "cell.h"
#include "kernels.h"
#include "turns.h"
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WARM_CALLS: a last-level cache may not keep what was read but once. */
enum { ROUNDS_LEAST = 7, ROUNDS_LONG = 3, WARM_CALLS = 3, WAY_ROUNDS = 3 };
static const double shortest_sample = 200e-6; /* seconds: more calls where one takes less */
static const double long_call = 20e-3;        /* seconds: no need to warm up before one */
static const double too_slow = 20;            /* times the kernel: one sample says enough */

/* The error of an answer, of what is allowed. A kernel of dot_s8 has one answer; the error that is
 * told of that is what bytes cost, as a part of y. */
static double error_of(const bench_data *data, const bench_subject *s, size_t tokens) {
  const double noise = s->kind == BENCH_PEER ? s->peer->noise : 0;
  if (noise > 0)
    return bench_data_noise(data, tokens) / noise;
  if (s->kind == BENCH_PEER || !data->bits)
    return bench_data_error(data, tokens, s->kind == BENCH_PEER);
  return bench_data_has_bits(data, tokens) ? bench_data_noise(data, tokens) : (double)INFINITY;
}

static int is_wrong(bench_data *data, bench_subject *s, const bench_cell *cell, int first) {
  const ffn_kernel *kernel = data->layer.kernel;
  const size_t bytes = cell->tokens * kernel->outputs * sizeof(float);
  double difference = 0;
  test_poison(data->y, bytes);
  bench_subject_prepare(data, s, cell);
  s->once = bench_subject_answer(data, s, cell);
  if (bench_subject_failed(s))
    return 0; /* there is no answer */
  const double error = error_of(data, s, cell->tokens);
  /* With sums of other roundings there is nothing to compare. */
  if (s->kind == BENCH_PEER)
    difference = s->peer->noise > 0 || data->bits ? 0 : bench_data_difference(data, cell->tokens);
  else if (first)
    memcpy(data->ours, data->y, bytes);
  else if (memcmp(data->ours, data->y, bytes) != 0) /* kernels of a layer agree in bits */
    difference = INFINITY;
  s->error = bench_worse(error, difference);
  if (s->error <= 1)
    return 0;
  fprintf(stderr,
          "bench: WRONG ANSWER of %s: %s, %zu tokens, %zu threads: the error is %.3g of what is "
          "allowed, the difference from ffngen %.3g\n",
          s->name, kernel->layer, cell->tokens, cell->threads, error, difference);
  return 1;
}

/* Cold weights: each call of a sample has its own copy, the first copy warms up. A limit's sample
 * is about as long as the kernel's, as clocks fall in a long one. */
static size_t calls_of(const bench_data *data, const bench_subject *s, const bench_cell *cell,
                       double kernel) {
  double sample = shortest_sample;
  if (cell->cold && s->kind != BENCH_PEAK)
    return data->layer.copies - 1;
  if (bench_is_limit(s) && kernel > sample)
    sample = kernel < long_call ? kernel : long_call;
  return s->once < sample ? (size_t)(sample / s->once) + 1 : 1;
}

bench_way bench_cell_way(bench_data *data, bench_subject *subjects, size_t count,
                         const bench_cell *cell) {
  bench_subject *reader = NULL;
  bench_way best = cell->way;
  double least = INFINITY;
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].kind == BENCH_READ)
      reader = &subjects[i];
  if (!reader || best.streams == 0)
    return best;
  /* All in turns, or one would be the fastest for having met a quiet moment. */
  for (int round = 0; round < WAY_ROUNDS; ++round)
    for (size_t i = 0; i < BENCH_WAYS; ++i) {
      bench_cell so = *cell;
      bench_subject_prepare(data, reader, &so);
      so.way = bench_way_at(i);
      size_t calls = 1;
      for (int warm = cell->cold ? 0 : WARM_CALLS; warm > 0; --warm) {
        const double once = bench_subject_time(data, reader, &so, 0, 1);
        calls = once < shortest_sample ? (size_t)(shortest_sample / once) + 1 : 1;
      }
      const double seconds =
          bench_subject_time(data, reader, &so, cell->cold ? 1 : 0, calls) / (double)calls;
      if (seconds < least)
        least = seconds, best = so.way;
    }
  bench_pool_bind(0);
  return best;
}

/* How many calls make a sample, from a second call: the first has to fill caches and pages. */
static void plan(bench_data *data, bench_subject *s, const bench_cell *cell, double kernel) {
  if (bench_is_limit(s) || s->once < 1) {
    bench_subject_prepare(data, s, cell);
    s->once = bench_subject_time(data, s, cell, 0, 1);
  }
  if (bench_subject_failed(s))
    return;
  s->calls = calls_of(data, s, cell, kernel);
  s->slow =
      !bench_is_limit(s) && s->once > too_slow * kernel && s->once * ROUNDS_LEAST > cell->budget;
}

static int check_and_plan(bench_data *data, bench_subject *subjects, size_t count,
                          const bench_cell *cell) {
  int wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    bench_subject *s = &subjects[i];
    s->timed = bench_subject_shape(data, s, cell);
    if (s->timed && !bench_is_limit(s) && is_wrong(data, s, cell, i == 0)) {
      s->timed = 0;
      ++wrong;
    }
    if (s->timed && !bench_subject_failed(s))
      plan(data, s, cell, subjects[0].once);
  }
  return wrong;
}

static void take_sample(bench_data *data, bench_subject *s, const bench_cell *cell) {
  bench_subject_prepare(data, s, cell);
  if (s->once < long_call)
    bench_subject_time(data, s, cell, 0, cell->cold ? 1 : WARM_CALLS);
  const double seconds = bench_subject_time(data, s, cell, cell->cold ? 1 : 0, s->calls);
  if (bench_subject_failed(s))
    return;
  s->samples[s->rounds++] = seconds / (double)s->calls * s->scale;
}

static void conclude(bench_subject *s, const bench_subject *first) {
  double sorted[BENCH_ROUNDS_MOST];
  memcpy(sorted, s->samples, s->rounds * sizeof *sorted);
  const bench_quartiles q = bench_quartiles_of(sorted, s->rounds);
  s->seconds = q.median;
  s->spread = (q.high - q.low) / q.median;
  s->ratio = s->seconds / first->seconds;
  s->unsure = 0;
  if (s->slow)
    return;
  const bench_quartiles r = bench_ratios(s->samples, first->samples, s->rounds);
  s->ratio = r.median;
  s->unsure = bench_uncertainty((r.high - r.low) / r.median, s->rounds);
}

/* Whole cycles of rounds, in which each subject has each place once, where time allows it. */
static int is_over(size_t round, size_t count, double spent, double budget) {
  if (round == BENCH_ROUNDS_MOST)
    return 1;
  if (spent <= budget)
    return 0;
  return (round >= ROUNDS_LEAST && round % count == 0) ||
         (round >= ROUNDS_LONG && spent > 4 * budget);
}

static void take_turns(bench_data *data, bench_subject *subjects, size_t count,
                       const bench_cell *cell) {
  bench_subject *in_turns[BENCH_SUBJECTS_MOST];
  size_t turns = 0;
  for (size_t i = 0; i < count; ++i) {
    bench_subject *s = &subjects[i];
    s->rounds = 0;
    if (s->timed && s->slow)
      s->samples[s->rounds++] = s->once;
    else if (s->timed)
      in_turns[turns++] = s;
  }
  const double start = bench_now();
  for (size_t round = 0; !is_over(round, turns, bench_now() - start, cell->budget); ++round)
    for (size_t place = 0; place < turns; ++place) {
      bench_subject *s = in_turns[bench_turn(round, place, turns)];
      if (s->timed)
        take_sample(data, s, cell);
    }
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].timed)
      conclude(&subjects[i], &subjects[0]);
}

/* Sets out->moved and out->undecided. */
static void judge(const bench_subject *subjects, size_t count, bench_outcome *out) {
  const bench_subject *limit = bench_nearest_limit(subjects, count);
  const bench_subject *best = bench_best_peer(subjects, count);
  out->moved = limit ? limit->spread : 0;
  if (best && best->unsure > out->moved)
    out->moved = best->unsure;
  out->undecided = bench_is_undecided(out->moved, best ? best->ratio : 0);
}

bench_outcome bench_cell_measure(bench_data *data, bench_subject *subjects, size_t count,
                                 const bench_cell *cell) {
  bench_outcome out = {.wrong = check_and_plan(data, subjects, count, cell)};
  if (subjects[0].timed) {
    take_turns(data, subjects, count, cell);
    judge(subjects, count, &out);
    out.repeated = out.undecided;
    if (out.repeated) {
      take_turns(data, subjects, count, cell);
      judge(subjects, count, &out);
    }
  }
  bench_pool_bind(0);
  return out;
}
