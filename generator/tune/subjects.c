/* SPDX-License-Identifier: 0BSD OR MIT-0 */
#define _DEFAULT_SOURCE /* clock_gettime, sysconf of caches */
#include "subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double tick_every = 0.25; /* seconds */

double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void tick(void) {
  static double last;
  if (now() - last < tick_every)
    return;
  last = now();
  puts("tick");
}

void *given(void *memory) {
  if (!memory) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

/* In (-scale, scale), the same on every machine. */
static float *numbers(size_t count, float scale) {
  float *values = given(malloc(count * sizeof *values));
  uint32_t state = 1;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = scale * ((float)(state >> 8) * 0x1p-23f - 1.0f);
  }
  return values;
}

static size_t configured(int name, size_t otherwise) {
  const long value = sysconf(name);
  return value > 0 ? (size_t)value : otherwise;
}

size_t cpus_here(void) { return configured(_SC_NPROCESSORS_ONLN, 1); }

/* Bytes of weights that lie two last-level caches apart; never more than a sixteenth of memory. */
static size_t cold_bytes(void) {
  size_t cache = (size_t)32 << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
  cache = configured(_SC_LEVEL3_CACHE_SIZE, cache);
#endif
  const size_t memory = configured(_SC_PHYS_PAGES, 1 << 18) * configured(_SC_PAGESIZE, 4096);
  return 2 * cache < memory / 16 ? 2 * cache : memory / 16;
}

/* One matrix serves every place of a layer: what the values are is no matter of speed. Blocks are
 * bytes that mean ordinary numbers, scales and exponents among them. */
static ffn_linear matrix_of(const ffn_stage *stage, const float *values,
                            const unsigned char *blocks, int bias) {
  const float scale = stage->operand_scale ? 0x1p-6f : 0;
  const ffn_linear floats = {
      .weight = values, .bias = bias ? values : NULL, .operand_scale = scale};
  const ffn_linear own = {
      .weight = blocks, .bias = floats.bias, .source = stage->source, .operand_scale = scale};
  return stage->source_alone ? own : floats;
}

static void pack(const subjects *set, const ffn_kernel *kernel) {
  size_t most = 0, inputs = 1;
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_stage *stage = &kernel->stages[s];
    most = stage->inputs * stage->outputs > most ? stage->inputs * stage->outputs : most;
    inputs = stage->inputs > inputs ? stage->inputs : inputs;
  }
  float scale = 1;
  while (scale * scale * (float)inputs > 1)
    scale /= 2;
  float *values = numbers(most, scale);
  unsigned char *blocks = given(malloc(most * sizeof(float)));
  memset(blocks, 0x2d, most * sizeof(float));
  ffn_linear chain[FFN_MAX_STAGES];
  const ffn_stage *first = &kernel->stages[0], *last = &kernel->stages[kernel->stage_count - 1];
  const ffn_linear up = matrix_of(first, values, blocks, kernel->bias);
  const ffn_linear down = matrix_of(last, values, blocks, kernel->bias);
  for (size_t s = 0; s < kernel->stage_count; ++s)
    chain[s] = matrix_of(&kernel->stages[s], values, blocks, kernel->bias);
  const ffn_weights weights = {up, up, down, chain, {1.0f}};
  kernel->pack(set->packed, &weights);
  free(values), free(blocks);
  for (size_t copy = 1; copy < set->copies; ++copy) {
    memcpy(set->packed + copy * set->stride, set->packed, kernel->packed_bytes);
    tick();
  }
}

void open_subjects(subjects *set, size_t tokens, size_t threads, int cold) {
  const ffn_kernel *first = set->kernels[0];
  for (size_t i = 0; i < set->count; ++i) {
    const size_t bytes = ffn_work_bytes(set->kernels[i], threads, tokens);
    set->work_bytes = bytes > set->work_bytes ? bytes : set->work_bytes;
  }
  set->stride = (first->packed_bytes + FFN_ALIGNMENT - 1) / FFN_ALIGNMENT * FFN_ALIGNMENT;
  set->copies = cold ? cold_bytes() / set->stride + 1 : 1;
  set->packed = given(ffn_alloc(set->copies * set->stride));
  set->work = given(ffn_alloc(set->work_bytes));
  set->x = numbers(tokens * first->inputs, 1);
  set->y = given(malloc(tokens * first->outputs * sizeof(float)));
  set->expected = given(malloc(tokens * first->outputs * sizeof(float)));
  if (threads > 1) {
    set->pool = given(ffn_pool_create(threads));
    set->parallel = ffn_pool_parallel(set->pool);
  }
  pack(set, first);
}

void close_subjects(subjects *set) {
  ffn_free(set->packed), ffn_free(set->work);
  free(set->x), free(set->y), free(set->expected);
  if (set->pool)
    ffn_pool_destroy(set->pool);
}

double time_calls(subjects *set, const ffn_kernel *kernel, const cell *c, size_t calls) {
  ffn_parallel lent = set->parallel; /* a pool for the cell of most threads */
  lent.threads = c->threads;
  const double begin = now();
  for (size_t i = 0; i < calls; ++i) {
    const size_t copy = c->cold ? set->turn++ % set->copies : 0;
    ffn_run(kernel, set->y, kernel->outputs, set->x, kernel->inputs, c->tokens,
            set->packed + copy * set->stride, set->work, set->work_bytes,
            c->threads > 1 ? &lent : NULL);
  }
  const double seconds = (now() - begin) / (double)calls;
  tick();
  return seconds;
}
