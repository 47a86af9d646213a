/* What the rounds of a cell say, and whether they can say it. */
#ifndef BENCH_VERDICT_H
#define BENCH_VERDICT_H

#include "clock.h"

/* One's time over another's in the same round: what slows a machine down for a while slows both.
 * (third quartile - first) / median is its spread. */
bench_quartiles bench_ratios(const double *times, const double *others, size_t rounds);

/* Two standard errors of a median of so many values with that spread. */
double bench_uncertainty(double spread, size_t rounds);

/* Whether the machine moved more within a cell than its result is away from 1, where it would turn
 * into the opposite. moved: the spread of what the machine can do, or the uncertainty of the result
 * where that is more. result: times over others; 0 in a cell without others, where a tenth is too
 * much. */
int bench_is_undecided(double moved, double result);

#endif
