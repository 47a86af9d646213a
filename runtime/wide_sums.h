/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * wide_sums.h - sums in vectors of doubles, where x86-64 has no FMA instruction, and for
 * WebAssembly. A part of kernel.h, which stands in it where kernels are generated. */
#ifndef FFN_KERNEL_WIDE_SUMS_H
#define FFN_KERNEL_WIDE_SUMS_H

#include "kernel.h"
/*@ end */

/* ---- Tiles where there is no FMA instruction: x86-64 without, and WebAssembly --------------- *
 *
 * Compilers leave ffn_fma() scalar. So tiles that sum in one chain do here, in the same order, what
 * it would do, in vectors: sums stay doubles that hold floats. A product is exact, the sum is
 * rounded to double, then as an integer to the bits of a float, halves away from zero. What that
 * rounds wrongly is found for some k together and done again: sums halfway between two floats. And
 * before, by the range of their factors: products so small that a sum might be a subnormal that is
 * no multiple of the smallest, or so large that it might overflow. */
#if !defined(ffn_fma) && defined(__GNUC__) && (defined(__SSE2__) || defined(__wasm_simd128__))
#define FFN_WIDE 1
#define FFN_WIDE_MOST 0x1.fffffep127f /* FLT_MAX, without <float.h> */
/* The rows of a tile: each weight is converted once for all of them. */
#define FFN_TILE_ROWS(most) ((size_t)FFN_WIDE_ROWS)

enum {
  FFN_WIDE_ROWS = 16, /* of a tile, at most */
  FFN_WIDE_PANELS = 4, /* that share their inputs, at most */
  FFN_WIDE_K = 32, /* that are tried together */
  FFN_WIDE_AGAIN = 4, /* where these had to be done again: weights of few bits make ties */
};

typedef double ffn_pair __attribute__((vector_size(16)));
typedef uint64_t ffn_pair_bits __attribute__((vector_size(16)));
typedef float ffn_four __attribute__((vector_size(16)));
typedef int32_t ffn_four_bits __attribute__((vector_size(16)));

/* Sums of a row: FFN_PANEL doubles that hold floats. */
typedef struct ffn_wide_row {
  ffn_pair sum[FFN_PANEL / 2];
} ffn_wide_row;

/* The largest of some magnitudes, and the float below the smallest but for zero. NaN is neither:
 * it stays NaN whatever is done to it. */
typedef struct ffn_wide_range {
  ffn_four most, least;
} ffn_wide_range;

FFN_SHARED ffn_wide_range ffn_wide_range_none(void) {
  const float most = FFN_WIDE_MOST;
  const ffn_wide_range none = {{0.0f, 0.0f, 0.0f, 0.0f}, {most, most, most, most}};
  return none;
}

/* The second operand where the first is NaN, as zero less one is. FFN_WIDE_ORDER keeps the order of
 * what is written, in which all sums stay in registers. */
#ifdef __SSE2__
#define FFN_WIDE_LARGER(a, b) __builtin_ia32_maxps(a, b)
#define FFN_WIDE_SMALLER(a, b) __builtin_ia32_minps(a, b)
#define FFN_WIDE_ORDER(a, b) __asm__("" : "+x"(a), "+x"(b))
#else
#define FFN_WIDE_LARGER(a, b) __builtin_wasm_pmax_f32x4(b, a)
#define FFN_WIDE_SMALLER(a, b) __builtin_wasm_pmin_f32x4(b, a)
#define FFN_WIDE_ORDER(a, b) (void)0
#endif

FFN_SHARED void ffn_wide_range_add(ffn_wide_range *range, ffn_four x) {
  const ffn_four_bits magnitude = (ffn_four_bits)x & 0x7fffffff;
  range->most = FFN_WIDE_LARGER((ffn_four)magnitude, range->most);
  range->least = FFN_WIDE_SMALLER((ffn_four)(magnitude - 1), range->least);
}

/* Whether all products are multiples of 2^-149, and too small to lead a sum to overflow: less than
 * half a unit of the largest floats, whatever the sum was before. */
FFN_SHARED int ffn_wide_range_fits(const ffn_wide_range *x, float most, float least) {
  const ffn_four_bits fits = (x->most * most < 0x1p100f) & (x->least * least >= 0x1p-100f);
  return fits[0] & fits[1] & fits[2] & fits[3];
}

/* Inputs of a row at some k, each in both halves, and their range. */
typedef struct ffn_wide_input {
  ffn_pair x[FFN_WIDE_K];
  ffn_wide_range range;
} ffn_wide_input;

FFN_SHARED void ffn_wide_inputs(ffn_wide_input *to, const float *a, size_t count) {
  ffn_four four;
  size_t k = 0;
  to->range = ffn_wide_range_none();
  for (; k + 4 <= count; k += 4) {
    FFN_MEMCPY(&four, a + k, sizeof four);
    ffn_wide_range_add(&to->range, four);
  }
  for (; k < count; ++k) {
    const ffn_four one = {a[k], 0.0f, 0.0f, 0.0f};
    ffn_wide_range_add(&to->range, one);
  }
  for (k = 0; k < count; ++k) {
    const double one = (double)a[k];
    const ffn_pair x = {one, one};
    to->x[k] = x;
  }
}

/* Weights of some k as doubles, their range to `range`. */
FFN_SHARED void ffn_wide_weights(ffn_wide_row *to, ffn_wide_range *range, const char *w,
    size_t step, size_t second, size_t count) {
  for (size_t k = 0; k < count; ++k, w += step)
    for (size_t c = 0; c < FFN_PANEL; c += 4) {
      const float *half = (const float *)(c < FFN_PANEL / 2 ? w : w + second);
      const float *from = half + c % (FFN_PANEL / 2);
      const ffn_pair low = {(double)from[0], (double)from[1]};
      const ffn_pair high = {(double)from[2], (double)from[3]};
      ffn_four four;
      FFN_MEMCPY(&four, from, sizeof four);
      ffn_wide_range_add(range, four);
      to[k].sum[c / 2] = low;
      to[k].sum[c / 2 + 1] = high;
    }
}

/* A step of a pair of sums. */
#define FFN_WIDE_STEP(s, at) \
  do { \
    const ffn_pair_bits up = (ffn_pair_bits)((s) + x * (at)) + half; \
    (s) = (ffn_pair)(up & kept); \
    unsure |= (ffn_four_bits)up == (ffn_four_bits)(up & kept); \
    FFN_WIDE_ORDER(s, unsure); \
  } while (0)

/* from + x w over some k; whether all of it is right. Where a sum was halfway, adding the half has
 * cleared what is not kept. */
FFN_APART int ffn_wide_try(ffn_wide_row *to, const ffn_wide_row *from, const ffn_pair *in,
    const ffn_wide_row *w, size_t count) {
  const ffn_pair_bits half = {0x10000000, 0x10000000}, kept = ~(2 * half - 1);
  ffn_four_bits unsure = {0, 0, 0, 0};
  ffn_pair s0 = from->sum[0], s1 = from->sum[1], s2 = from->sum[2], s3 = from->sum[3];
  ffn_pair s4 = from->sum[4], s5 = from->sum[5], s6 = from->sum[6], s7 = from->sum[7];
  for (size_t k = 0; k < count; ++k, ++w) {
    const ffn_pair x = in[k];
    FFN_WIDE_STEP(s0, w->sum[0]);
    FFN_WIDE_STEP(s1, w->sum[1]);
    FFN_WIDE_STEP(s2, w->sum[2]);
    FFN_WIDE_STEP(s3, w->sum[3]);
    FFN_WIDE_STEP(s4, w->sum[4]);
    FFN_WIDE_STEP(s5, w->sum[5]);
    FFN_WIDE_STEP(s6, w->sum[6]);
    FFN_WIDE_STEP(s7, w->sum[7]);
  }
  const ffn_wide_row sums = {{s0, s1, s2, s3, s4, s5, s6, s7}};
  *to = sums;
  return !(unsure[0] | unsure[2]);
}

/* The same for factors that fit, halfway or not: the sum is rounded to odd, as ffn_round_once()
 * does it, then to the bits of a float, halves to even. */
FFN_APART void ffn_wide_odd(
    ffn_wide_row *row, const ffn_pair *x, const ffn_wide_row *w, size_t count) {
  const ffn_pair_bits half = {0x10000000, 0x10000000}, kept = ~(2 * half - 1);
  for (size_t k = 0; k < count; ++k, ++w)
    for (size_t c = 0; c < FFN_PANEL / 2; ++c) {
      const ffn_pair product = w->sum[c] * x[k], addend = row->sum[c];
      const ffn_pair sum = product + addend, back = sum - product;
      const ffn_pair error = (product - (sum - back)) + (addend - back);
      const ffn_pair_bits bits = (ffn_pair_bits)sum;
      const ffn_pair_bits inexact = (ffn_pair_bits)(error != 0.0) >> 63;
      const ffn_pair_bits inward = (bits ^ (ffn_pair_bits)error) >> 63 & inexact;
      const ffn_pair_bits odd = (bits - inward) | inexact;
      row->sum[c] = (ffn_pair)((odd + half - 1 + (odd >> 29 & 1)) & kept);
    }
}

/* Some k that were tried in vain, in smaller parts. */
FFN_APART void ffn_wide_again(
    ffn_wide_row *row, const ffn_pair *x, const ffn_wide_row *w, size_t count) {
  for (size_t k = 0; k < count; k += FFN_WIDE_AGAIN) {
    const size_t part = ffn_min(count - k, FFN_WIDE_AGAIN);
    ffn_wide_row tried;
    if (ffn_wide_try(&tried, row, x + k, w + k, part))
      *row = tried;
    else
      ffn_wide_odd(row, x + k, w + k, part);
  }
}

/* The same for all factors. */
FFN_APART void ffn_wide_any(
    ffn_wide_row *row, const ffn_pair *x, const ffn_wide_row *w, size_t count) {
  for (size_t c = 0; c < FFN_PANEL; ++c) {
    float sum = (float)row->sum[c / 2][c % 2];
    for (size_t k = 0; k < count; ++k)
      sum = ffn_fma((float)x[k][0], (float)w[k].sum[c / 2][c % 2], sum);
    row->sum[c / 2][c % 2] = (double)sum;
  }
}

/* Sums of a row over some k more. */
FFN_SHARED void ffn_wide_add(ffn_wide_row *row, const ffn_wide_input *in, const ffn_wide_row *w,
    float most, float least, size_t count) {
  ffn_wide_row tried;
  if (!ffn_wide_range_fits(&in->range, most, least))
    ffn_wide_any(row, in->x, w, count);
  else if (ffn_wide_try(&tried, row, in->x, w, count))
    *row = tried;
  else
    ffn_wide_again(row, in->x, w, count);
}

/* A panel of a tile: its weights, the second half of them `second` bytes behind. */
typedef struct ffn_wide_columns {
  const char *w;
  size_t second;
} ffn_wide_columns;

/* sum[row][panel][16] (+)= a w over `count` k. Rows of the sums and of a are at `sum_step` and
 * `a_step`, weights of the next k at `step` bytes. */
FFN_APART void ffn_wide_sums(float *sum, size_t sum_step, const float *a, size_t a_step,
    const ffn_wide_columns *panel, size_t panels, size_t step, size_t count, size_t rows,
    int adds) {
  static const ffn_wide_row zero = {{{0.0, 0.0}}};
  ffn_wide_row row[FFN_WIDE_PANELS][FFN_WIDE_ROWS], w[FFN_WIDE_K];
  ffn_wide_input in[FFN_WIDE_ROWS];
  for (size_t p = 0; p < panels; ++p)
    for (size_t r = 0; r < rows; ++r)
      row[p][r] = zero;
  for (size_t k = 0; k < count; k += FFN_WIDE_K) {
    const size_t part = ffn_min(count - k, FFN_WIDE_K);
    for (size_t r = 0; r < rows; ++r)
      ffn_wide_inputs(&in[r], a + r * a_step + k, part);
    for (size_t p = 0; p < panels; ++p) {
      ffn_wide_range range = ffn_wide_range_none();
      ffn_wide_weights(w, &range, panel[p].w + k * step, step, panel[p].second, part);
      float most = 0.0f, least = FFN_WIDE_MOST;
      for (size_t i = 0; i < 4; ++i) {
        most = range.most[i] > most ? range.most[i] : most;
        least = range.least[i] < least ? range.least[i] : least;
      }
      for (size_t r = 0; r < rows; ++r)
        ffn_wide_add(&row[p][r], &in[r], w, most, least, part);
    }
  }
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < panels * FFN_PANEL; ++c) {
      float *to = sum + r * sum_step + c;
      const float more = (float)row[c / FFN_PANEL][r].sum[c % FFN_PANEL / 2][c % 2];
      *to = adds ? *to + more : more;
    }
}
#else
#define FFN_WIDE 0
#define FFN_TILE_ROWS(most) (most)
#endif

/*@ foot */
#endif
/*@ end */
