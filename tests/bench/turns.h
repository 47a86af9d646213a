/* Who comes when: the order of a cell's subjects in each of its rounds. */
#ifndef BENCH_TURNS_H
#define BENCH_TURNS_H

#include <stddef.h>

/* The subject, of `count`, whose turn is at `place` in a round. In `count` rounds each subject has
 * had each place once; in twice as many each has come right after each other one equally often, as
 * what ran before leaves its traces in clocks and caches. */
size_t bench_turn(size_t round, size_t place, size_t count);

#endif
