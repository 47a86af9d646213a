#include "verdict.h"

#include <math.h>

bench_quartiles bench_ratios(const double *times, const double *others, size_t rounds) {
  double ratios[BENCH_ROUNDS_MOST];
  for (size_t i = 0; i < rounds; ++i)
    ratios[i] = times[i] / others[i];
  return bench_quartiles_of(ratios, rounds);
}

/* Of a normal distribution: its quartiles are 1.35 deviations apart, and the error of a median is
 * 1.25 deviations over sqrt(n). */
double bench_uncertainty(double spread, size_t rounds) {
  return 2 * 1.25 / 1.35 * spread / sqrt((double)rounds);
}

int bench_is_undecided(double moved, double result) {
  if (result <= 0)
    return moved > 0.1;
  return moved > (result > 1 ? result : 1 / result) - 1;
}
