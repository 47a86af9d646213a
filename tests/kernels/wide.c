/* Tiles on x86-64 without an FMA instruction, and in WebAssembly, have the bits of the instruction:
 * where sums are halfway between two floats or next to it, subnormal, infinite or NaN. In a build
 * with the instruction, and on other machines, there are none. */
#include "kernel.h"
#include "support/floats.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <math.h>

#if FFN_WIDE
#ifdef __wasm__
#define fmaf ffn_fma /* Emscripten's needs another direction of rounding: there is none */
#endif

enum { WIDE_K = 70, WIDE_ROWS = FFN_WIDE_ROWS, WIDE_STEP = 2 * FFN_PANEL };
enum { WIDE_STEP_BYTES = WIDE_STEP * sizeof(float) };

static float wide_x[WIDE_ROWS * WIDE_K], wide_w[WIDE_K * WIDE_STEP];
static float wide_sum[WIDE_ROWS * FFN_PANEL];

/* Sixteen columns from a float of a k on, the second half of them `second` floats further. */
static ffn_wide_columns wide_columns(size_t first, size_t second) {
  const ffn_wide_columns columns = {(const char *)(wide_w + first), second * sizeof(float)};
  return columns;
}

/* A tile's sums against the same one by one; `second` is where the second half of a panel is. */
static void check_wide(size_t rows, size_t count, size_t second, int adds) {
  float expected[WIDE_ROWS * FFN_PANEL];
  for (size_t row = 0; row < rows; row++)
    for (size_t c = 0; c < FFN_PANEL; c++) {
      const float *w = wide_w + (c < FFN_PANEL / 2 ? c : second + c - FFN_PANEL / 2);
      float sum = 0.0f;
      for (size_t k = 0; k < count; k++)
        sum = fmaf(wide_x[row * WIDE_K + k], w[k * WIDE_STEP], sum);
      expected[row * FFN_PANEL + c] = adds ? wide_sum[row * FFN_PANEL + c] + sum : sum;
    }
  const ffn_wide_columns group = wide_columns(0, second);
  ffn_wide_sums(wide_sum, FFN_PANEL, wide_x, WIDE_K, &group, 1, WIDE_STEP_BYTES, count, rows, adds);
  for (size_t i = 0; i < rows * FFN_PANEL; i++)
    cr_assert(test_same(&wide_sum[i], &expected[i], 1), "row %zu of %zu, column %zu: %a, not %a",
              i / FFN_PANEL, rows, i % FFN_PANEL, wide_sum[i], expected[i]);
}

/* A factor whose fraction has so many bits, times 2^exponent. */
static float wide_factor(uint64_t random, int bits, int exponent) {
  const float magnitude = 1.0f + (float)(random >> 8 & ((1u << bits) - 1)) / (float)(1u << bits);
  return ldexpf(random & 1 ? -magnitude : magnitude, exponent + (int)(random >> 1 & 3));
}

/* Factors of so many bits, times 2^exponent; every seventh is a zero, of either sign. */
static void fill(float *to, size_t count, uint64_t seed, int bits, int exponent) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t random = test_random(seed, i);
    to[i] = wide_factor(random, bits, exponent);
    if (random % 7 == 0)
      to[i] = random & 8 ? -0.0f : 0.0f;
  }
}

static void fill_wide(uint64_t seed, int x_bits, int x_exponent, int w_bits, int w_exponent) {
  fill(wide_x, sizeof wide_x / sizeof *wide_x, seed, x_bits, x_exponent);
  fill(wide_w, sizeof wide_w / sizeof *wide_w, seed + 1, w_bits, w_exponent);
}

/* Every number of rows and k, both places of the second half, and few bits, which make ties. */
Test(wide, tiles) {
  for (size_t count = 0; count <= WIDE_K; count++)
    for (int bits = 2; bits <= 23; bits += 7) {
      fill_wide(count + 100, 23 - bits, -3, bits, -2);
      check_wide(1 + count % WIDE_ROWS, count, count % 2 ? 8 : 16, 0);
      check_wide(WIDE_ROWS, count, 8, 1);
    }
}

/* Groups of columns that share their inputs, some in another range than others, have the sums that
 * each has alone; nothing is written between the rows. */
Test(wide, panels) {
  enum { STEP = FFN_WIDE_PANELS * FFN_PANEL + 3 };
  static float sum[WIDE_ROWS * STEP];
  const ffn_wide_columns all[FFN_WIDE_PANELS] = {wide_columns(0, 16), wide_columns(8, 16),
                                                 wide_columns(0, 8), wide_columns(16, 8)};
  fill_wide(77, 20, -3, 12, -2);
  for (size_t k = 0; k < WIDE_K; k += 9)
    wide_w[k * WIDE_STEP + 12] = 0x1p110f;
  for (size_t panels = 1; panels <= FFN_WIDE_PANELS; panels++)
    for (size_t rows = 1; rows <= WIDE_ROWS; rows += 5) {
      memset(sum, 0, sizeof sum);
      for (int adds = 0; adds < 2; adds++)
        ffn_wide_sums(sum, STEP, wide_x, WIDE_K, all, panels, WIDE_STEP_BYTES, WIDE_K, rows, adds);
      for (size_t g = 0; g < panels; g++) {
        ffn_wide_sums(wide_sum, FFN_PANEL, wide_x, WIDE_K, &all[g], 1, WIDE_STEP_BYTES, WIDE_K,
                      rows, 0);
        ffn_wide_sums(wide_sum, FFN_PANEL, wide_x, WIDE_K, &all[g], 1, WIDE_STEP_BYTES, WIDE_K,
                      rows, 1);
        for (size_t row = 0; row < rows; row++)
          cr_assert(
              test_same(sum + row * STEP + g * FFN_PANEL, wide_sum + row * FFN_PANEL, FFN_PANEL),
              "panel %zu of %zu, row %zu of %zu", g, panels, row, rows);
      }
      for (size_t row = 0; row < rows; row++)
        for (size_t c = panels * FFN_PANEL; c < STEP; c++)
          cr_assert(sum[row * STEP + c] == 0, "column %zu of row %zu", c, row);
    }
}

/* From products that vanish over subnormal sums to sums that overflow; and one factor of another
 * size, in a row or in a column, so that sums of all kinds meet. */
Test(wide, ranges) {
  for (int exponent = -153; exponent <= 128; exponent++)
    for (int bits = 3; bits <= 23; bits += 20) {
      const int half = exponent / 2;
      fill_wide((uint64_t)(exponent + 400), bits, half, 20, exponent - half);
      check_wide(WIDE_ROWS, WIDE_K, 8, 0);
      wide_x[1 * WIDE_K + 40] = 0x1p60f;
      wide_x[2 * WIDE_K + 3] = 0x1p-60f;
      wide_w[35 * WIDE_STEP + 6] = 0x1p-70f;
      wide_w[2 * WIDE_STEP + 9] = -0x1p64f;
      check_wide(WIDE_ROWS, WIDE_K, 16, 1);
    }
}

/* Sixteen k whose products are equal but for their signs, first +, then -: sums that come close to
 * zero, down to subnormals that no float holds, and from beyond the largest float back. */
Test(wide, cancels) {
  for (int exponent = -153; exponent <= 128; exponent++) {
    const int half = exponent / 2;
    fill_wide((uint64_t)(exponent + 400), 22, half, 22, exponent - half);
    for (size_t k = 0; k < WIDE_K; k++) {
      for (size_t row = 0; row < WIDE_ROWS; row++) {
        const float x = wide_x[row * WIDE_K + k / 16 * 16];
        wide_x[row * WIDE_K + k] = k % 16 < 8 ? x : -x;
      }
      for (size_t c = 0; c < WIDE_STEP; c++)
        wide_w[k * WIDE_STEP + c] = wide_w[k / 16 * 16 * WIDE_STEP + c];
    }
    for (size_t count = 3; count <= WIDE_K; count += 13)
      check_wide(WIDE_ROWS, count, 8, 0);
  }
}

/* Next to the middle between two floats, as above: a sum of 2^e, then the product. */
Test(wide, near_the_middle) {
  for (int e = -149; e < -40; e++)
    for (size_t lane = 0; lane < FFN_PANEL; lane += 5) {
      fill_wide((uint64_t)(e + 1000), 23, 0, 23, 0);
      for (size_t row = 0; row < WIDE_ROWS; row++) {
        const size_t k = row * 4;
        for (size_t i = 0; i < k; i++)
          wide_x[row * WIDE_K + i] = 0.0f;
        wide_x[row * WIDE_K + k] = ldexpf(row & 1 ? -1.0f : 1.0f, e / 2);
        wide_w[k * WIDE_STEP + lane] = ldexpf(1.0f, e - e / 2);
        wide_x[row * WIDE_K + k + 1] = wide_w[(k + 1) * WIDE_STEP + lane] = 1.000244140625f;
      }
      for (size_t count = 2; count <= WIDE_K; count += 13)
        check_wide(WIDE_ROWS, count, 8, 0);
    }
}

/* Any bits at all, in one row and one column, and in all. */
Test(wide, any_bits) {
  for (uint64_t i = 0; i < 300; i++) {
    fill_wide(i, 23, 0, 23, 0);
    const uint64_t every = i % 2 ? 1 : 61;
    for (uint64_t at = 0; at < sizeof wide_x / sizeof *wide_x; at += every)
      wide_x[at] = test_float((uint32_t)test_random(i, at));
    for (uint64_t at = 0; at < sizeof wide_w / sizeof *wide_w; at += 3 * every)
      wide_w[at] = test_float((uint32_t)test_random(i + 7, at));
    check_wide(WIDE_ROWS, WIDE_K, 8, 0);
  }
}
#endif
