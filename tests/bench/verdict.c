#include "verdict.h"
#include "clock.h"

double bench_ratio(const double *times, const double *others, size_t rounds) {
  double ratios[BENCH_ROUNDS_MOST];
  for (size_t i = 0; i < rounds; ++i)
    ratios[i] = times[i] / others[i];
  return bench_quartiles_of(ratios, rounds).median;
}

int bench_is_undecided(double moved, double result) {
  if (result <= 0)
    return moved > 0.1;
  return moved > (result > 1 ? result : 1 / result) - 1;
}
