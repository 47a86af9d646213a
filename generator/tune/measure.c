/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * tune.c - times the candidates for one kernel. `ffngen tune` links it with them and reads what it
 * prints:
 *
 *     tune isas                  a line for each instruction set that this CPU allows
 *     tune SECONDS TOKENS...     the candidates at each number of tokens (ascending), about so long
 *
 * The linked kernels are the candidates; the first is the one that the others are measured by, and
 * is itself measured once more, last, as a control: the noise of this machine. What it prints:
 *
 *     tick                       now and then, so that who reads knows how time goes
 *     cell TOKENS cold           what was measured: weights from memory ("cold") or cache ("hot")
 *     ratios R...                for each candidate, then the control: its time by the first's, at
 *                                each cell; the median over rounds in which all took their turns
 *     differs N                  candidate N gave other bits than the first; nothing else follows
 *
 * Token counts that the time cannot hold are left out, the first excepted. */
#define _DEFAULT_SOURCE /* clock_gettime, sysconf of caches */
#include "ffn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* WARM_CALLS: a last-level cache may not keep what was read but once. */
enum { CELLS_MOST = 32, ROUNDS_LEAST = 5, ROUNDS_MOST = 101, WARM_CALLS = 3 };
static const double shortest_sample = 200e-6; /* seconds: more calls where one takes less */
static const double long_call = 20e-3;        /* seconds: no need to warm up before one */
static const double tick_every = 0.25;        /* seconds */

/* What all candidates run on: their packed weights are the same. */
typedef struct subjects {
  const ffn_kernel *const *kernels;
  size_t count;
  unsigned char *packed; /* `copies` of the weights, `stride` bytes apart */
  size_t stride, copies, turn;
  float *x, *y, *expected;
  void *work;
} subjects;

typedef struct cell {
  size_t tokens;
  int cold;
  size_t calls; /* of a sample */
  double seconds;
} cell;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tick(void) {
  static double last;
  if (now() - last < tick_every)
    return;
  last = now();
  puts("tick");
}

static void *given(void *memory) {
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

/* Bytes of weights that lie two last-level caches apart; never more than a sixteenth of memory. */
static size_t cold_bytes(void) {
  size_t cache = (size_t)32 << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
  cache = configured(_SC_LEVEL3_CACHE_SIZE, cache);
#endif
  const size_t memory = configured(_SC_PHYS_PAGES, 1 << 18) * configured(_SC_PAGESIZE, 4096);
  return 2 * cache < memory / 16 ? 2 * cache : memory / 16;
}

/* One matrix serves every place of a layer: what the values are is no matter of speed. */
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
  const ffn_linear linear = {values, kernel->bias ? values : NULL};
  ffn_linear chain[FFN_MAX_STAGES];
  for (size_t s = 0; s < kernel->stage_count; ++s)
    chain[s] = linear;
  const ffn_weights weights = {linear, linear, linear, chain, {1.0f}};
  kernel->pack(set->packed, &weights);
  free(values);
  for (size_t copy = 1; copy < set->copies; ++copy) {
    memcpy(set->packed + copy * set->stride, set->packed, kernel->packed_bytes);
    tick();
  }
}

static subjects open_subjects(size_t tokens) {
  subjects set = {0};
  set.kernels = ffn_all(&set.count);
  const ffn_kernel *first = set.kernels[0];
  size_t work_bytes = 0;
  for (size_t i = 0; i < set.count; ++i) {
    const size_t bytes = ffn_work_bytes(set.kernels[i], 1);
    work_bytes = bytes > work_bytes ? bytes : work_bytes;
  }
  set.stride = (first->packed_bytes + FFN_ALIGNMENT - 1) / FFN_ALIGNMENT * FFN_ALIGNMENT;
  set.copies = cold_bytes() / set.stride + 1;
  set.packed = given(ffn_alloc(set.copies * set.stride));
  set.work = given(ffn_alloc(work_bytes));
  set.x = numbers(tokens * first->inputs, 1);
  set.y = given(malloc(tokens * first->outputs * sizeof(float)));
  set.expected = given(malloc(tokens * first->outputs * sizeof(float)));
  pack(&set, first);
  return set;
}

static void close_subjects(subjects *set) {
  ffn_free(set->packed), ffn_free(set->work);
  free(set->x), free(set->y), free(set->expected);
}

/* Seconds of one of `calls` calls. */
static double time_calls(subjects *set, const ffn_kernel *kernel, const cell *c, size_t calls) {
  const double begin = now();
  for (size_t i = 0; i < calls; ++i) {
    const size_t copy = c->cold ? set->turn++ % set->copies : 0;
    kernel->run(set->y, kernel->outputs, set->x, kernel->inputs, c->tokens,
                set->packed + copy * set->stride, set->work, NULL);
  }
  const double seconds = (now() - begin) / (double)calls;
  tick();
  return seconds;
}

/* Whether each candidate gives the first one's bits; each has run once then. */
static int same_bits(subjects *set, const cell *c) {
  const size_t bytes = c->tokens * set->kernels[0]->outputs * sizeof(float);
  for (size_t i = 0; i < set->count; ++i) {
    memset(set->y, 0xff, bytes);
    time_calls(set, set->kernels[i], c, 1);
    if (i == 0)
      memcpy(set->expected, set->y, bytes);
    else if (memcmp(set->expected, set->y, bytes) != 0) {
      printf("differs %zu\n", i);
      return 0;
    }
  }
  return 1;
}

/* The cells that fit the time: two for each number of tokens. Their count, or 0 where bits
 * differ. */
static size_t choose_cells(subjects *set, cell *cells, char **tokens, size_t token_counts,
                           double deadline) {
  size_t count = 0;
  double cost = 0; /* seconds of ROUNDS_LEAST rounds of the cells so far */
  for (size_t t = 0; t < token_counts && count + 2 <= CELLS_MOST; ++t) {
    cell c = {strtoul(tokens[t], NULL, 10), 0, 1, 0};
    if (count > 0) {
      const cell *last = &cells[count - 1];
      const double call = last->seconds * (double)c.tokens / (double)last->tokens;
      const double sample = call < shortest_sample ? 2 * shortest_sample : call;
      const double more = sample * (double)(set->count + 1) * (2 * ROUNDS_LEAST + 1);
      if (now() + cost + more > deadline)
        break;
    }
    if (!same_bits(set, &c))
      return 0;
    c.seconds = time_calls(set, set->kernels[0], &c, 1);
    c.calls = c.seconds < shortest_sample ? (size_t)(shortest_sample / c.seconds) + 1 : 1;
    cost += c.seconds * (double)c.calls * (double)(set->count + 1) * 2 * ROUNDS_LEAST;
    for (c.cold = 1; c.cold >= 0; --c.cold)
      cells[count++] = c;
  }
  return count;
}

static double take_sample(subjects *set, const ffn_kernel *kernel, const cell *c) {
  if (c->seconds < long_call)
    time_calls(set, kernel, c, 1);
  return time_calls(set, kernel, c, c->calls);
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Seconds of each sample, [round][cell][arm]: the candidates and, last, the control. */
typedef struct record {
  double *samples;
  size_t rounds, cells, arms;
} record;

static double *sample_of(const record *r, size_t round, size_t c, size_t arm) {
  return &r->samples[(round * r->cells + c) * r->arms + arm];
}

static void take_rounds(subjects *set, record *r, const cell *cells, double deadline) {
  for (; r->rounds < ROUNDS_MOST && (r->rounds < ROUNDS_LEAST || now() < deadline); ++r->rounds)
    for (size_t c = 0; c < r->cells; ++c) {
      if (!cells[c].cold && cells[c].seconds < long_call)
        time_calls(set, set->kernels[0], &cells[c], WARM_CALLS);
      for (size_t turn = 0; turn < r->arms; ++turn) {
        /* Forwards and backwards from everywhere: nobody always follows the same one. */
        const size_t arm = (r->rounds + (r->rounds % 2 ? r->arms - turn : turn)) % r->arms;
        *sample_of(r, r->rounds, c, arm) =
            take_sample(set, set->kernels[arm % set->count], &cells[c]);
      }
    }
}

static void print_ratios(const record *r) {
  double ratios[ROUNDS_MOST];
  for (size_t arm = 0; arm < r->arms; ++arm) {
    printf("ratios");
    for (size_t c = 0; c < r->cells; ++c) {
      for (size_t round = 0; round < r->rounds; ++round)
        ratios[round] = *sample_of(r, round, c, arm) / *sample_of(r, round, c, 0);
      qsort(ratios, r->rounds, sizeof *ratios, by_value);
      printf(" %.4f", ratios[r->rounds / 2]);
    }
    puts("");
  }
}

static void measure(double seconds, char **tokens, size_t token_counts) {
  const double deadline = now() + seconds;
  subjects set = open_subjects(strtoul(tokens[token_counts - 1], NULL, 10));
  cell cells[CELLS_MOST];
  record r = {NULL, 0, choose_cells(&set, cells, tokens, token_counts, deadline), set.count + 1};
  if (r.cells) {
    r.samples = given(malloc(ROUNDS_MOST * r.cells * r.arms * sizeof *r.samples));
    take_rounds(&set, &r, cells, deadline);
    for (size_t c = 0; c < r.cells; ++c)
      printf("cell %zu %s\n", cells[c].tokens, cells[c].cold ? "cold" : "hot");
    print_ratios(&r);
    free(r.samples);
  }
  close_subjects(&set);
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc == 2 && strcmp(argv[1], "isas") == 0) {
    for (int isa = 0; isa < FFN_ISA_COUNT; ++isa)
      if (ffn_cpu() >> isa & 1)
        puts(ffn_isa_name((ffn_isa)isa));
    return 0;
  }
  if (argc < 3) {
    fputs("usage: tune isas | tune SECONDS TOKENS...\n", stderr);
    return 2;
  }
  measure(strtod(argv[1], NULL), argv + 2, (size_t)(argc - 2));
  return 0;
}
