#include "turns.h"

/* The order 0, 1, n - 1, 2, n - 2 ... goes one further each round: steps from place to place are
 * all different there. With an odd number each step comes in one direction only, so the next
 * `count` rounds go backward. */
size_t bench_turn(size_t round, size_t place, size_t count) {
  const size_t p = round / count % 2 ? count - 1 - place : place;
  const size_t zigzag = p % 2 ? (p + 1) / 2 : count - p / 2;
  return (zigzag + round) % count;
}
