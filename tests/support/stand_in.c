#include "stand_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 8, ROWS = 16, BYTES = 64 };

/* Of a thread. */
static _Thread_local int is_configured;
static _Thread_local uint8_t rows[TILES], bytes[TILES];
static _Thread_local uint8_t tiles[TILES][ROWS][BYTES];

/* Threads that have tiles. */
static int holders;

static void expect(int condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "tiles: %s\n", what);
  abort();
}

static void expect_none(void) {
  expect(__atomic_load_n(&holders, __ATOMIC_SEQ_CST) == 0, "some thread has kept them");
}

void test_tiles_load(const void *config) {
  static int is_watched;
  const uint8_t *c = config;
  if (!__atomic_exchange_n(&is_watched, 1, __ATOMIC_SEQ_CST))
    atexit(expect_none);
  expect(c[0] == 1, "the palette is not 1");
  expect(c[1] == 0, "an instruction was not finished");
  for (int i = 2; i < 16; i++)
    expect(c[i] == 0, "a reserved byte is not 0");
  for (int t = 0; t < ROWS; t++) {
    uint16_t columns;
    memcpy(&columns, c + 16 + 2 * t, sizeof columns);
    const uint8_t own = c[48 + t];
    expect(columns <= BYTES && own <= ROWS, "a tile is too large");
    expect((columns == 0) == (own == 0), "a tile has rows without bytes, or bytes without rows");
    expect(t < TILES || columns == 0, "there are eight tiles");
    if (t < TILES)
      rows[t] = own, bytes[t] = (uint8_t)columns;
  }
  memset(tiles, 0, sizeof tiles);
  if (!is_configured)
    __atomic_add_fetch(&holders, 1, __ATOMIC_SEQ_CST);
  is_configured = 1;
}

void test_tiles_release(void) {
  if (is_configured)
    __atomic_sub_fetch(&holders, 1, __ATOMIC_SEQ_CST);
  is_configured = 0;
  memset(rows, 0, sizeof rows);
  memset(bytes, 0, sizeof bytes);
}

static void expect_tile(int tile) {
  expect(is_configured, "a thread uses them without a configuration");
  expect(tile >= 0 && tile < TILES && rows[tile] > 0, "one is used that is not configured");
}

void test_tile_zero(int tile) {
  expect_tile(tile);
  memset(tiles[tile], 0, sizeof tiles[tile]);
}

void test_tile_read(int tile, const void *from, size_t stride) {
  test_tile_zero(tile);
  for (int row = 0; row < rows[tile]; row++)
    memcpy(tiles[tile][row], (const char *)from + (size_t)row * stride, bytes[tile]);
}

void test_tile_write(int tile, void *to, size_t stride) {
  expect_tile(tile);
  for (int row = 0; row < rows[tile]; row++)
    memcpy((char *)to + (size_t)row * stride, tiles[tile][row], bytes[tile]);
}

void test_tile_multiply(int to, int a, int b) {
  expect_tile(to), expect_tile(a), expect_tile(b);
  expect(to != a && to != b && a != b, "an instruction names one twice");
  expect(rows[to] == rows[a] && bytes[to] == bytes[b], "the sums have another shape");
  expect(bytes[a] == 4 * rows[b] && bytes[to] % 4 == 0, "products have another length");
  for (int m = 0; m < rows[to]; m++)
    for (int n = 0; n < bytes[to] / 4; n++) {
      int32_t sum;
      memcpy(&sum, tiles[to][m] + 4 * n, sizeof sum);
      for (int k = 0; k < rows[b]; k++)
        for (int i = 0; i < 4; i++)
          sum += (int8_t)tiles[a][m][4 * k + i] * tiles[b][k][4 * n + i];
      memcpy(tiles[to][m] + 4 * n, &sum, sizeof sum);
    }
}

extern const int test_has_stand_ins;
const int test_has_stand_ins = 1;

/* ---- This CPU, with what has a stand-in --------------------------------------------------------
 */

#if defined(__x86_64__)
#include <cpuid.h>

void test_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]);
uint64_t test_xgetbv(void);
long test_arch_prctl(long code, uintptr_t argument);

void test_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  const uint32_t palettes = 0x1d;
  __cpuid_count(leaf, subleaf, out[0], out[1], out[2], out[3]);
  if (leaf == 0 && out[0] < palettes)
    out[0] = palettes;
  if (leaf == 7 && subleaf == 0)
    out[3] |= 3u << 24;
  if (leaf == palettes && subleaf == 0)
    out[0] = 1;
#ifdef TEST_AVX512
  if (leaf == 7 && subleaf == 0) {
    out[1] |= 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31; /* F, DQ, CD, BW, VL */
    out[2] |= 1u << 11;                                             /* VNNI */
  }
#endif
#if defined(TEST_AVX_VNNI) || defined(TEST_AVX512)
  if (leaf == 7 && subleaf == 0 && out[0] < 1)
    out[0] = 1;
  if (leaf == 7 && subleaf == 1)
    out[0] |= 1u << 4;
#endif
}

uint64_t test_xgetbv(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  const uint64_t of_tiles = (uint64_t)3 << 17;
#ifdef TEST_AVX512
  const uint64_t of_512 = (uint64_t)7 << 5; /* masks, and both parts of the registers */
#else
  const uint64_t of_512 = 0;
#endif
  return (uint64_t)high << 32 | low | of_tiles | of_512;
}

/* Linux, which lets a process use them once it has asked. */
long test_arch_prctl(long code, uintptr_t argument) {
  static uint64_t permissions;
  if (code == 0x1022)
    memcpy((void *)argument, &permissions, sizeof permissions);
  else if (code == 0x1023)
    permissions |= (uint64_t)1 << argument;
  else
    return -22; /* EINVAL */
  return 0;
}
#endif
