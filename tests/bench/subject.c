#include "subject.h"
#include "decoding.h"

#include <stdio.h>
#include <stdlib.h>

void bench_kernel_subject(bench_subject *s, const ffn_kernel *kernel, size_t threads, size_t number,
                          size_t set) {
  *s = (bench_subject){.kind = BENCH_KERNEL, .kernel = kernel, .set = set};
  snprintf(s->name, sizeof s->name, number > 1 ? "%s %zu" : "%s", ffn_isa_name(kernel->isa),
           number);
  s->work_bytes = ffn_work_bytes(kernel, threads, SIZE_MAX);
  if (!(s->work = ffn_alloc(s->work_bytes)))
    abort();
}

void bench_peer_subject(bench_subject *s, const bench_peer *library, const bench_data *data,
                        size_t set) {
  const char *why = "it has no self-gated layers";
  *s = (bench_subject){.kind = BENCH_PEER, .peer = library, .set = set, .layer = data->layer};
  snprintf(s->name, sizeof s->name, "%s", library->name);
  s->layer.weights += set * s->layer.copies;
  if (s->layer.kernel->kind != FFN_KIND_SELFGATE)
    s->state = library->open(&s->layer, &why);
  if (!s->state && !bench_subject_failed(s))
    printf("%s does not do %s: %s\n", s->name, s->layer.kernel->layer, why);
}

int bench_subject_failed(bench_subject *s) {
  const char *why = s->kind == BENCH_PEER && s->peer->failed ? s->peer->failed() : NULL;
  if (!why && !s->failed[0])
    return 0;
  if (!s->failed[0])
    snprintf(s->failed, sizeof s->failed, "%s", why);
  s->timed = 0;
  return 1;
}

void bench_peak_subject(bench_subject *s, ffn_isa isa) {
  *s = (bench_subject){.kind = BENCH_PEAK, .isa = isa};
  snprintf(s->name, sizeof s->name, "%s peak", ffn_isa_name(isa));
}

void bench_read_subject(bench_subject *s, size_t set) {
  *s = (bench_subject){.kind = BENCH_READ, .name = "read", .set = set};
}

void bench_subjects_close(bench_subject *subjects, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (subjects[i].state)
      subjects[i].peer->close(subjects[i].state);
    ffn_free(subjects[i].work);
  }
}

static bench_rested *memory_of(bench_data *data, bench_subject *s) {
  if (s->kind != BENCH_PEER)
    return &data->packed_rested[s->set];
  return s->peer->reads_weights ? &data->given_rested[s->set] : &s->own;
}

/* Hot weights are the same for all. */
static void *packed_of(const bench_data *data, const bench_subject *s, const bench_cell *cell,
                       size_t copy) {
  return data->packed[cell->cold ? s->set * data->layer.copies + copy : 0];
}

int bench_subject_shape(bench_data *data, bench_subject *s, const bench_cell *cell) {
  const ffn_kernel *kernel = data->layer.kernel;
  const double flop = (double)kernel->flop_per_token * (double)cell->tokens;
  const bench_shape shape = {cell->tokens, cell->threads, flop, cell->parallel};
  double amount = 0;
  s->scale = 1;
  bench_pool_bind(0); /* shape() may start a library's threads, which inherit what is allowed */
  if (s->kind == BENCH_KERNEL)
    return 1;
  if (s->kind == BENCH_PEER) {
    const int ready = s->state && !bench_subject_failed(s) && s->peer->shape(s->state, &shape);
    return !bench_subject_failed(s) && ready;
  }
  if (s->kind == BENCH_PEAK)
    amount = bench_peak_flop(s->isa, cell->threads);
  else if (cell->way.streams)
    amount =
        (double)bench_read_run(packed_of(data, s, cell, 0), kernel->packed_bytes, cell->way, NULL);
  if (amount > 0 && s->kind == BENCH_PEAK)
    s->scale = flop * bench_limit(kernel, s->isa, cell->tokens) / amount;
  else if (amount > 0)
    s->scale = (double)kernel->packed_bytes / amount;
  return amount > 0;
}

static void let_rest(bench_data *data, bench_subject *s, const bench_cell *cell) {
  bench_buffers *others = cell->others;
  size_t owed = bench_rest_owed(&data->rest, memory_of(data, s));
  owed = (owed + 4095) / 4096 * 4096;
  data->rest.read += owed;
  bench_pool_bind(1);
  while (owed) {
    const size_t left = others->bytes - others->at, now = owed < left ? owed : left;
    bench_read_run(others->large + others->at, now, cell->way, cell->parallel);
    others->at = (others->at + now) % others->bytes;
    owed -= now;
  }
}

void bench_subject_prepare(bench_data *data, bench_subject *s, const bench_cell *cell) {
  if (cell->cold && s->kind != BENCH_PEAK)
    let_rest(data, s, cell);
  bench_pool_bind(0);
  bench_settle();
  if (s->kind != BENCH_PEER) /* threads of libraries go where the system likes */
    bench_pool_bind(1);
}

static void call(bench_data *data, const bench_subject *s, const bench_cell *cell, size_t copy) {
  const ffn_kernel *kernel = data->layer.kernel;
  switch (s->kind) {
  case BENCH_KERNEL:
    ffn_run(s->kernel, data->y, kernel->outputs, data->x, kernel->inputs, cell->tokens,
            packed_of(data, s, cell, copy), s->work, s->work_bytes, cell->parallel);
    break;
  case BENCH_PEER:
    s->peer->run(s->state, copy, data->y, data->x);
    break;
  case BENCH_PEAK:
    bench_peak_run(s->isa, cell->parallel);
    break;
  case BENCH_READ:
    bench_read_run(packed_of(data, s, cell, copy), kernel->packed_bytes, cell->way, cell->parallel);
    break;
  }
}

static void note_use(bench_data *data, bench_subject *s, size_t copies) {
  if (s->kind != BENCH_PEAK)
    bench_rest_used(&data->rest, memory_of(data, s), copies * data->layer.kernel->packed_bytes);
}

double bench_subject_answer(bench_data *data, bench_subject *s, const bench_cell *cell) {
  note_use(data, s, 1);
  const double begin = bench_now();
  call(data, s, cell, 0);
  return bench_now() - begin;
}

double bench_subject_time(bench_data *data, bench_subject *s, const bench_cell *cell, size_t copy,
                          size_t calls) {
  note_use(data, s, cell->cold ? calls : 1);
  if (s->kind == BENCH_PEER && s->peer->seconds)
    return s->peer->seconds(s->state, copy, cell->cold, calls);
  const double begin = bench_now();
  for (size_t i = 0; i < calls; ++i)
    call(data, s, cell, cell->cold ? copy + i : copy);
  return bench_now() - begin;
}

int bench_is_limit(const bench_subject *s) {
  return s->kind == BENCH_PEAK || s->kind == BENCH_READ;
}

const bench_subject *bench_nearest_limit(const bench_subject *subjects, size_t count) {
  const bench_subject *nearest = NULL;
  for (size_t i = 1; i < count; ++i) {
    const bench_subject *s = &subjects[i];
    const int other = s->kind == BENCH_PEAK && s->isa != subjects[0].kernel->isa;
    if (bench_is_limit(s) && s->timed && !other && (!nearest || s->ratio > nearest->ratio))
      nearest = s;
  }
  return nearest;
}

const bench_subject *bench_best_peer(const bench_subject *subjects, size_t count) {
  const bench_subject *best = NULL;
  for (size_t i = 1; i < count; ++i) {
    const bench_subject *s = &subjects[i];
    const int counts = s->kind == BENCH_PEER && s->timed && s->peer->noise <= 0;
    if (counts && (!best || s->ratio < best->ratio))
      best = s;
  }
  return best;
}
