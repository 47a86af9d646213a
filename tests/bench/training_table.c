#include "training_table.h"
#include "clock.h"

#include <math.h>
#include <stdio.h>

void training_table_head(size_t threads, size_t rounds) {
  printf("\n%zu thread%s, medians of %zu rounds. Percents: GFLOP/s of those of run() in the same "
         "round. Over a\nlibrary: its time over ours in the same round; gradients, then forward "
         "and gradients.\n\n",
         threads, threads > 1 ? "s" : "", rounds);
  printf(
      "| layer | tokens | run() | run_train() | grad(): all | dx | dW, db | over OpenBLAS | over "
      "PyTorch | pack_train() |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

/* The median of (a + more_a) / (b + more_b) over rounds; more may be NULL. */
static double ratio(const training_times *times, const double *a, const double *more_a,
                    const double *b, const double *more_b) {
  double ratios[TRAINING_ROUNDS_MOST];
  for (size_t i = 0; i < times->rounds; i++)
    ratios[i] = (a[i] + (more_a ? more_a[i] : 0)) / (b[i] + (more_b ? more_b[i] : 0));
  return bench_quartiles_of(ratios, times->rounds).median;
}

static double median(const training_times *times, training_subject subject) {
  double seconds[TRAINING_ROUNDS_MOST];
  for (size_t i = 0; i < times->rounds; i++)
    seconds[i] = times->seconds[subject][i];
  return bench_quartiles_of(seconds, times->rounds).median;
}

/* work: how many times the flop of run() */
static void print_percent(const training_times *times, training_subject subject, double work) {
  const double *run = times->seconds[TRAINING_RUN];
  printf(" | %.1f %%", 100 * work * ratio(times, run, NULL, times->seconds[subject], NULL));
}

static void print_over(const training_times *times, training_subject peer) {
  const double *forward = times->seconds[peer], *gradients = times->seconds[peer + 1];
  const double *our_forward = times->seconds[TRAINING_FORWARD];
  const double *ours = times->seconds[TRAINING_ALL];
  if (isnan(forward[0]))
    printf(" | -");
  else
    printf(" | %.2f, %.2f", ratio(times, gradients, NULL, ours, NULL),
           ratio(times, gradients, forward, ours, our_forward));
}

void training_table_row(const training_times *times) {
  const training_scene *s = times->scene;
  const double flop = (double)s->kernel->flop_per_token * (double)s->tokens;
  /* The product that makes dh out of dy: gradients of any weights but the last need it, too. */
  const double dh = 2 * (double)s->kernel->hidden * (double)s->kernel->outputs /
                    (double)s->kernel->flop_per_token;
  printf("| %s | %zu | %.0f GFLOP/s", s->kernel->name, s->tokens,
         1e-9 * flop / median(times, TRAINING_RUN));
  print_percent(times, TRAINING_FORWARD, 1);
  print_percent(times, TRAINING_ALL, 2);
  print_percent(times, TRAINING_DX, 1);
  print_percent(times, TRAINING_DW, 1 + dh);
  print_over(times, TRAINING_OPENBLAS);
  print_over(times, TRAINING_PYTORCH);
  printf(" | %.2f ms, %.1f MiB |\n", 1e3 * median(times, TRAINING_PACK),
         (double)s->training->packed_bytes / (1 << 20));
  fflush(stdout);
}
