/* The tiles that tests play, support/stand_in.h, are those of a CPU: after the same
 * instructions on the same bytes, all bytes that are written are the same. A program of its own:
 * without AMX it says that it has compared nothing. */
#define TEST_TILES_BESIDE
#include "ffn.h"
#include "support/rng.h"
#include "support/stand_in.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

enum { ROWS = 16, BYTES = 64, STRIDE = 80, CASES = 2000 };

typedef struct block {
  uint8_t bytes[ROWS][STRIDE];
} block;

static block drawn(uint64_t stream) {
  block b;
  for (size_t i = 0; i < sizeof b; i++)
    b.bytes[i / STRIDE][i % STRIDE] = (uint8_t)test_random(stream, i);
  return b;
}

/* Rows of the sums, rows of weights, outputs. */
typedef struct shape {
  uint8_t m, k, n;
} shape;

static void configure(uint8_t config[64], shape s) {
  memset(config, 0, 64);
  config[0] = 1;
  config[16] = (uint8_t)(4 * s.n), config[18] = (uint8_t)(4 * s.k), config[20] = (uint8_t)(4 * s.n);
  config[48] = s.m, config[49] = s.m, config[50] = s.k;
}

static void play(const uint8_t config[64], const block *sums, const block *x, const block *w,
                 block *to) {
  test_tiles_load(config);
  test_tile_read(0, sums, STRIDE);
  test_tile_read(1, x, STRIDE);
  test_tile_read(2, w, STRIDE);
  test_tile_multiply(0, 1, 2);
  test_tile_write(0, to, STRIDE);
  test_tile_zero(0);
  test_tile_multiply(0, 1, 2);
  test_tile_write(0, to + 1, STRIDE);
  test_tiles_release();
}

#define WRITTEN(memory) __asm__ volatile("" : : "r"(memory) : "memory")

__attribute__((noinline, target("amx-tile,amx-int8"))) static void
run(const uint8_t config[64], const block *sums, const block *x, const block *w, block *to) {
  WRITTEN(config);
  WRITTEN(sums);
  WRITTEN(x);
  WRITTEN(w);
  WRITTEN(to);
  _tile_loadconfig(config);
  _tile_loadd(0, sums, STRIDE);
  _tile_loadd(1, x, STRIDE);
  _tile_loadd(2, w, STRIDE);
  _tile_dpbsud(0, 1, 2);
  _tile_stored(0, to, STRIDE);
  _tile_zero(0);
  _tile_dpbsud(0, 1, 2);
  _tile_stored(0, to + 1, STRIDE);
  _tile_release();
}

static int compare(void) {
  for (uint64_t i = 0; i < CASES; i++) {
    const shape s = {(uint8_t)(1 + test_below(1, i, ROWS)), (uint8_t)(1 + test_below(2, i, ROWS)),
                     (uint8_t)(1 + test_below(3, i, BYTES / 4))};
    const block sums = drawn(10 + 3 * i), x = drawn(11 + 3 * i), w = drawn(12 + 3 * i);
    block played[2] = {{{{0}}}}, done[2] = {{{{0}}}};
    uint8_t config[64];
    configure(config, s);
    play(config, &sums, &x, &w, played);
    run(config, &sums, &x, &w, done);
    if (memcmp(played, done, sizeof played) != 0) {
      printf("tiles: %d rows x %d outputs, 4 * %d products: other sums than those of the CPU\n",
             s.m, s.n, s.k);
      return 1;
    }
  }
  printf("tiles: %d cases are those of the CPU\n", CASES);
  return 0;
}
#else
static int compare(void) { return 0; }
#endif

int main(void) {
  if (ffn_amx())
    return compare();
  puts("tiles: a CPU without AMX: skipped");
  return 0;
}
