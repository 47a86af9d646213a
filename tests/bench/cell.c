#include "cell.h"
#include "clock.h"
#include "kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WARM_CALLS: a last-level cache may not keep what was read but once. */
enum { ROUNDS_LEAST = 7, ROUNDS_LONG = 3, WARM_CALLS = 3 };
static const double shortest_sample = 200e-6; /* seconds: more calls where one takes less */
static const double long_call = 20e-3;        /* seconds: no need to warm up before one */
static const double too_slow = 20;            /* times the kernel: one sample says enough */

bench_subject bench_kernel_subject(const ffn_kernel *kernel, size_t threads) {
  bench_subject s = {.name = ffn_isa_name(kernel->isa), .kernel = kernel};
  if (!(s.work = ffn_alloc(ffn_work_bytes(kernel, threads))))
    abort();
  return s;
}

bench_subject bench_peer_subject(const bench_peer *library, const bench_layer *layer) {
  const char *why = "it has no self-gated layers";
  bench_subject s = {.name = library->name, .peer = library};
  if (layer->kernel->kind != FFN_KIND_SELFGATE)
    s.state = library->open(layer, &why);
  if (!s.state)
    printf("%s does not do %s: %s\n", s.name, layer->kernel->layer, why);
  return s;
}

void bench_subjects_close(bench_subject *subjects, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (subjects[i].state)
      subjects[i].peer->close(subjects[i].state);
    ffn_free(subjects[i].work);
  }
}

static size_t next_copy(bench_data *data, const bench_cell *cell, size_t calls) {
  const size_t copy = cell->cold ? data->turn % data->layer.copies : 0;
  data->turn += cell->cold ? calls : 0;
  return copy;
}

static void call(bench_data *data, const bench_subject *s, const bench_cell *cell) {
  const size_t copy = next_copy(data, cell, 1);
  if (s->peer)
    s->peer->run(s->state, copy, data->y, data->x);
  else
    s->kernel->run(data->y, s->kernel->outputs, data->x, s->kernel->inputs, cell->tokens,
                   data->packed[copy], s->work, cell->parallel);
}

/* Seconds of so many calls. */
static double time_calls(bench_data *data, const bench_subject *s, const bench_cell *cell,
                         size_t calls) {
  if (s->peer && s->peer->seconds) {
    const size_t copy = next_copy(data, cell, calls);
    return s->peer->seconds(s->state, copy, cell->cold, calls);
  }
  const double begin = bench_now();
  for (size_t i = 0; i < calls; ++i)
    call(data, s, cell);
  return bench_now() - begin;
}

/* A pool's threads keep to their cores; those of libraries go where the system likes. */
static void make_room(const bench_subject *s) {
  bench_pool_bind(0);
  bench_settle();
  if (!s->peer)
    bench_pool_bind(1);
}

static int is_wrong(bench_data *data, bench_subject *s, const bench_cell *cell, int first) {
  const ffn_kernel *kernel = data->layer.kernel;
  const size_t bytes = cell->tokens * kernel->outputs * sizeof(float);
  double difference = 0;
  test_poison(data->y, bytes);
  make_room(s);
  const double begin = bench_now();
  call(data, s, cell);
  s->seconds = bench_now() - begin;
  s->error = bench_data_error(data, cell->tokens, s->peer != NULL);
  if (s->peer)
    difference = bench_data_difference(data, cell->tokens);
  else if (first)
    memcpy(data->ours, data->y, bytes);
  else if (memcmp(data->ours, data->y, bytes) != 0) /* kernels of a layer agree in bits */
    difference = INFINITY;
  if (s->error <= 1 && difference <= 1)
    return 0;
  fprintf(stderr,
          "bench: WRONG ANSWER of %s: %s, %zu tokens, %zu threads: the error is %.3g of what is "
          "allowed, the difference from ffngen %.3g\n",
          s->name, kernel->layer, cell->tokens, cell->threads, s->error, difference);
  return 1;
}

/* How many calls make a sample, from a second call: the first has to fill caches and pages. */
static void plan(bench_data *data, bench_subject *s, const bench_cell *cell, double fastest) {
  if (s->seconds < 1)
    s->seconds = time_calls(data, s, cell, 1);
  s->calls = s->seconds < shortest_sample ? (size_t)(shortest_sample / s->seconds) + 1 : 1;
  s->rounds = 0;
  s->slow = s->seconds > too_slow * fastest && s->seconds * ROUNDS_LEAST > cell->budget;
  if (s->slow)
    s->samples[s->rounds++] = s->seconds;
}

static void take_sample(bench_data *data, bench_subject *s, const bench_cell *cell) {
  make_room(s);
  if (s->seconds < long_call)
    time_calls(data, s, cell, cell->cold ? 1 : WARM_CALLS);
  s->samples[s->rounds++] = time_calls(data, s, cell, s->calls) / (double)s->calls;
}

static void conclude(bench_subject *s) {
  const bench_quartiles q = bench_quartiles_of(s->samples, s->rounds);
  s->seconds = q.median;
  s->spread = (q.high - q.low) / q.median;
}

int bench_cell_measure(bench_data *data, bench_subject *subjects, size_t count,
                       const bench_cell *cell) {
  const ffn_kernel *kernel = data->layer.kernel;
  const bench_shape shape = {cell->tokens, cell->threads,
                             (double)kernel->flop_per_token * (double)cell->tokens, cell->parallel};
  int wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    bench_subject *s = &subjects[i];
    bench_pool_bind(0); /* shape() may start a library's threads, which inherit what is allowed */
    s->timed = !s->peer || (s->state && s->peer->shape(s->state, &shape));
    if (s->timed && is_wrong(data, s, cell, i == 0)) {
      s->timed = 0;
      ++wrong;
    }
    if (s->timed)
      plan(data, s, cell, subjects[0].seconds);
  }
  const double start = bench_now();
  for (size_t round = 0; round < BENCH_ROUNDS_MOST; ++round) {
    const double spent = bench_now() - start;
    if (spent > cell->budget &&
        (round >= ROUNDS_LEAST || (round >= ROUNDS_LONG && spent > 4 * cell->budget)))
      break;
    for (size_t i = 0; i < count; ++i)
      if (subjects[i].timed && !subjects[i].slow)
        take_sample(data, &subjects[i], cell);
  }
  for (size_t i = 0; i < count; ++i)
    if (subjects[i].timed)
      conclude(&subjects[i]);
  bench_pool_bind(0);
  return wrong;
}
