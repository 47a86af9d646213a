/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * measure.c - times candidates for one kernel. `ffngen tune` links it with them and reads what it
 * prints:
 *
 *     tune cpu                     "isa NAME" for each instruction set that this CPU allows,
 *                                  "profile NAME" where it is known, "threads N"
 *     tune SECONDS MOST ARMS CELLS...  the candidates ARMS (such as 1,4,5) at these cells (such as
 *                                      16:cold:2, for 16 tokens, weights from memory, two threads)
 *
 * The linked kernels are the candidates; number 0 is the one that the others are measured by, and
 * is itself measured once more as a control: the noise of this machine. What it prints:
 *
 *     tick                  now and then, so that who reads knows how time goes
 *     cells N               so many cells, the first ones, fit the time
 *     rounds N              in which all took their turns; 0 where nothing fits
 *     ratios N R...         for each candidate: its time by that of number 0, at each cell; the
 *                           median over rounds
 *     surely N R...         the same less two standard errors of that median
 *     control R...          the ratios of number 0 itself
 *     differs N             candidate N gave other bits than number 0; nothing else follows
 *
 * It ends within SECONDS, or within MOST where a few rounds need more: a round begins where one as
 * long as the longest before would end in time. */
#include "subjects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* WARM_CALLS: a last-level cache may not keep what was read but once. */
enum { CELLS_MOST = 64, ROUNDS_LEAST = 3, ROUNDS_MOST = 101, WARM_CALLS = 3 };
static const double shortest_sample = 200e-6; /* seconds: more calls where one takes less */
static const double long_call = 20e-3;        /* seconds: no need to warm up before one */

/* Whether each candidate gives the first one's bits; each has run once then. */
static int same_bits(subjects *set, const cell *c) {
  const size_t bytes = c->tokens * set->kernels[0]->outputs * sizeof(float);
  for (size_t i = 0; i < set->count; ++i) {
    memset(set->y, 0xff, bytes);
    time_calls(set, set->kernels[i], c, 1);
    if (i == 0)
      memcpy(set->expected, set->y, bytes);
    else if (memcmp(set->expected, set->y, bytes) != 0) {
      printf("differs %zu\n", set->numbers[i]);
      return 0;
    }
  }
  return 1;
}

/* How many of the cells fit the time, or -1 where bits differ. */
static int choose_cells(subjects *set, cell *cells, size_t count, double deadline) {
  double cost = 0; /* seconds of ROUNDS_LEAST rounds of the cells so far */
  for (size_t i = 0; i < count; ++i) {
    cell *c = &cells[i];
    const cell *last = i > 0 ? &cells[i - 1] : NULL;
    const int new_bits = !last || c->tokens != last->tokens || c->threads != last->threads;
    if (last && new_bits) { /* so long as each candidate's first call takes */
      const double call = last->seconds * (double)c->tokens / (double)last->tokens;
      if (now() + cost + call * (double)(set->count + 1) * (ROUNDS_LEAST + 1) > deadline)
        return (int)i;
    }
    if (new_bits && !same_bits(set, c))
      return -1;
    c->seconds = time_calls(set, set->kernels[0], c, 1);
    c->calls = c->seconds < shortest_sample ? (size_t)(shortest_sample / c->seconds) + 1 : 1;
    const size_t warm = c->seconds < long_call ? 1 : 0;
    cost += c->seconds * (double)(c->calls + warm) * (double)(set->count + 1) * ROUNDS_LEAST;
    if (now() + cost > deadline)
      return (int)i;
  }
  return (int)count;
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

static void take_round(subjects *set, record *r, const cell *cells) {
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

static void take_rounds(subjects *set, record *r, const cell *cells, double wanted,
                        double deadline) {
  double longest = 0;
  while (r->rounds < ROUNDS_MOST &&
         now() + longest < (r->rounds < ROUNDS_LEAST ? deadline : wanted)) {
    const double begin = now();
    take_round(set, r, cells);
    ++r->rounds;
    longest = now() - begin > longest ? now() - begin : longest;
  }
}

/* An arm's time by that of number 0 at a cell: the median over rounds, less so many of its standard
 * errors. Those of a normal distribution: its quartiles are 1.35 deviations apart, and the error of
 * a median is 1.25 deviations over sqrt(n). */
static double ratio_of(const record *r, size_t c, size_t arm, double errors) {
  double ratios[ROUNDS_MOST];
  for (size_t round = 0; round < r->rounds; ++round)
    ratios[round] = *sample_of(r, round, c, arm) / *sample_of(r, round, c, 0);
  qsort(ratios, r->rounds, sizeof *ratios, by_value);
  const double spread = ratios[r->rounds * 3 / 4] - ratios[r->rounds / 4];
  return ratios[r->rounds / 2] - errors * 1.25 / 1.35 * spread / sqrt((double)r->rounds);
}

static void print_ratios(const subjects *set, const record *r) {
  printf("cells %zu\nrounds %zu\n", r->cells, r->rounds);
  for (size_t arm = 1; arm < r->arms && r->rounds; ++arm)
    for (int surely = 0; surely <= (arm < set->count); ++surely) {
      if (arm < set->count)
        printf("%s %zu", surely ? "surely" : "ratios", set->numbers[arm]);
      else
        printf("control");
      for (size_t c = 0; c < r->cells; ++c)
        printf(" %.4f", ratio_of(r, c, arm, surely ? 2 : 0));
      puts("");
    }
}

static void measure(subjects *set, cell *cells, size_t count, double wanted, double deadline) {
  size_t tokens = 1, threads = 1;
  int cold = 0;
  for (size_t c = 0; c < count; ++c) {
    tokens = cells[c].tokens > tokens ? cells[c].tokens : tokens;
    threads = cells[c].threads > threads ? cells[c].threads : threads;
    cold = cold || cells[c].cold;
  }
  open_subjects(set, tokens, threads, cold);
  const int held = choose_cells(set, cells, count, deadline);
  if (held >= 0) {
    record r = {NULL, 0, (size_t)held, set->count + 1};
    if (held > 0) {
      r.samples = given(malloc(ROUNDS_MOST * r.cells * r.arms * sizeof *r.samples));
      take_rounds(set, &r, cells, wanted, deadline);
    }
    print_ratios(set, &r);
    free(r.samples);
  }
  close_subjects(set);
}

static int print_cpu(void) {
  const unsigned cpu = ffn_cpu();
  for (int isa = 0; isa < FFN_ISA_COUNT; ++isa)
    if (cpu >> isa & 1)
      printf("isa %s\n", ffn_isa_name((ffn_isa)isa));
  for (int profile = 1; profile < FFN_PROFILE_COUNT; ++profile)
    if (cpu & FFN_CPU_BIT(profile))
      printf("profile %s\n", ffn_profile_name((ffn_profile)profile));
  printf("threads %zu\n", cpus_here());
  return 0;
}

/* The first kernel, and those of a list such as "1,4,5". */
static subjects chosen(const char *list) {
  subjects set = {0};
  size_t count;
  const ffn_kernel *const *all = ffn_all(&count);
  set.kernels[set.count++] = all[0];
  while (*list && set.count < ARMS_MOST) {
    char *end;
    const size_t number = strtoul(list, &end, 10);
    if (end == list || number >= count)
      break;
    set.numbers[set.count] = number;
    set.kernels[set.count++] = all[number];
    list = *end == ',' ? end + 1 : end;
  }
  return set;
}

static cell cell_of(const char *text) {
  cell c = {0};
  char from[8] = "";
  if (sscanf(text, "%zu:%7[a-z]:%zu", &c.tokens, from, &c.threads) != 3) {
    fprintf(stderr, "%s: a cell is TOKENS:cold|hot:THREADS\n", text);
    exit(2);
  }
  c.cold = strcmp(from, "cold") == 0;
  return c;
}

int main(int argc, char **argv) {
  const double begin = now();
  setvbuf(stdout, NULL, _IOLBF, 0);
  (void)ffn_amx(); /* or its kernels may not run */
  if (argc == 2 && strcmp(argv[1], "cpu") == 0)
    return print_cpu();
  if (argc < 5 || argc > 4 + CELLS_MOST) {
    fputs("usage: tune cpu | tune SECONDS MOST ARMS CELLS...\n", stderr);
    return 2;
  }
  subjects set = chosen(argv[3]);
  cell cells[CELLS_MOST];
  for (int i = 4; i < argc; ++i)
    cells[i - 4] = cell_of(argv[i]);
  measure(&set, cells, (size_t)(argc - 4), begin + strtod(argv[1], NULL),
          begin + strtod(argv[2], NULL));
  return 0;
}
