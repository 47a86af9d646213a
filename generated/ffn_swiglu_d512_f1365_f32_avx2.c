/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_avx2
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for avx2
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu
 * Templates  file, sizes, rows, call, tile, loop, ascend, before_k, step, together, finish,
 *            weights, abreast, abreast_block, chunk, strips, columns, add, tables, api, staged,
 *            descriptor, about
 * Tiles      gate_up: rows x columns 1 x 48, 3 x 16, 2 branches, at most 16 of 16 registers
 * Tiles      down: rows x columns 1 x 64, 3 x 32, 6 x 16, 1 branch, at most 16 of 16 registers
 * CPU        any CPU: what loses least on those that were measured: 4 panels side by side; fetched
 *            ahead: nothing at 1 to 4 rows, 8192 bytes at more
 * CPU        Intel, from Skylake-X to Granite Rapids: 8 panels side by side; fetched ahead: 8192
 *            bytes at 1 to 4 rows, of compressed weights 16384 bytes into L2, too, 8192 bytes at
 *            more
 * CPU        AMD Zen 2 and Zen 3: 4 panels side by side; fetched ahead: nothing at 1 to 4 rows,
 *            8192 bytes at more
 * CPU        AMD Zen 4: 4 panels side by side; fetched ahead: nothing at 1 to 4 rows, 12288 bytes
 *            at more, into L2; lines read twice at 1 row
 * CPU        AMD Zen 5: 4 panels side by side; fetched ahead: nothing at 1 to 2 rows, 8192 bytes at
 *            more
 * Walk       222 rows at a time; activations as [k block][row][k]
 * Abreast    2 to 4 rows that fetch nothing far take 3 panels abreast, 2 at a time (gate_up, down)
 * Cost       4193280 flop per token; 8431680 bytes of packed weights; 2216448 bytes of work memory
 *            per thread, 9984 for one token
 * Sums       gate_up: k ascends in 4 blocks of 128; at most 131 roundings
 * Sums       down: k ascends in 11 blocks of 128; at most 138 roundings
 * Error      gate_up: |sum - exact| <= g/(1-g) (sum |x||w|), g = 131 2^-24; silu at most 2.4 ULP,
 *            and within (3 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w|), g = 138 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 12
#error "made for ABI 12 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif

/* gate_up: 512 -> 1365, gate and up, h = silu(gate) * up */
enum {
  GATE_UP_INPUTS = 512,
  GATE_UP_OUTPUTS = 1365,
  GATE_UP_COLUMNS = 1376, /* outputs and zeros beyond the last, whole panels of sixteen */
  GATE_UP_WIDTH = 16, /* columns of a bundle */
  GATE_UP_STEP = 128, /* bytes of one k of it: [branch][16] */
  GATE_UP_BUNDLE = GATE_UP_INPUTS * GATE_UP_STEP,
  GATE_UP_AT = 64, /* bytes of packed weights in front of these */
  GATE_UP_BLOCK = 128, /* k of one accumulation */
  GATE_UP_BLOCKS = 4,
  GATE_UP_ROUNDINGS = 131, /* at most, of a product in its sum */
  GATE_UP_ROW = 128, /* numbers of a row in a block of the input */
  GATE_UP_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  GATE_UP_CHUNK = 288, /* columns whose sums are kept, where there are more */
  GATE_UP_ABREAST = 2 * 48, /* sums of a row in panels abreast */
};

/* down: 1365 -> 512, down, y = down */
enum {
  DOWN_INPUTS = 1365,
  DOWN_OUTPUTS = 512,
  DOWN_COLUMNS = 512, /* outputs and zeros beyond the last, whole panels of sixteen */
  DOWN_WIDTH = 16, /* columns of a bundle */
  DOWN_STEP = 64, /* bytes of one k of it: [16] */
  DOWN_BUNDLE = DOWN_INPUTS * DOWN_STEP,
  DOWN_AT = 5636160, /* bytes of packed weights in front of these */
  DOWN_BLOCK = 128, /* k of one accumulation */
  DOWN_BLOCKS = 11,
  DOWN_LAST = 85, /* k of the last block */
  DOWN_ROUNDINGS = 138, /* at most, of a product in its sum */
  DOWN_ROW = 128, /* numbers of a row in a block of the input */
  DOWN_STREAM_ROWS = 32, /* up to so many rows take a strip at a time */
  DOWN_CHUNK = 512, /* columns whose sums are kept, where there are more */
  DOWN_ABREAST = 48, /* sums of a row in panels abreast */
};

enum {
  OWN_ROWS = 12, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = 2048, /* bytes of each in work memory: x */
  OPERAND2 = 5632, /* bytes of each in work memory: h */
  SUM = 2304, /* and sums */
  ADD = 512, /* columns of each that are added to y at a time */
  WORK_ROW = 9984, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 8431680 };

/* Adds neighbours to what was kept of their sums. */
FFN_SHARED void ffn_take_4_avx2(
    const float *kept, __m256 *a, __m256 *b, __m256 *c, __m256 *d) {
  *a = _mm256_add_ps(_mm256_load_ps(kept), *a);
  *b = _mm256_add_ps(_mm256_load_ps(kept + 8), *b);
  *c = _mm256_add_ps(_mm256_load_ps(kept + 16), *c);
  *d = _mm256_add_ps(_mm256_load_ps(kept + 24), *d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_avx2(
    float *kept, const __m256 a, const __m256 b, const __m256 c, const __m256 d) {
  _mm256_store_ps(kept, a);
  _mm256_store_ps(kept + 8, b);
  _mm256_store_ps(kept + 16, c);
  _mm256_store_ps(kept + 24, d);
}

/* Adds neighbours to what was kept of their sums. */
FFN_SHARED void ffn_take_2_avx2(
    const float *kept, __m256 *a, __m256 *b) {
  *a = _mm256_add_ps(_mm256_load_ps(kept), *a);
  *b = _mm256_add_ps(_mm256_load_ps(kept + 8), *b);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_2_avx2(
    float *kept, const __m256 a, const __m256 b) {
  _mm256_store_ps(kept, a);
  _mm256_store_ps(kept + 8, b);
}

/* x * sigmoid(x) of two vectors in lockstep; at most 2.4 ULP, and within (3 |y|) 2^-24. Elfwing
 * et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202. In each of 8 lanes. */
FFN_INLINE __m256 act_silu_pair(const __m256 x_a, const __m256 x_b, __m256 *second) {
  const float vanishes = 112.0f; /* the tail is 0 here */
  /* 1.5 * 2^23: sums with it are rounded to integers, in the lowest bits */
  const float magic = 12582912.0f;
  const float per_one = 1.442695f; /* log2(e^k), k = 1 */
  const float high = 0.6931472f; /* the size of its inverse, to 24 bits */
  const float low = -1.9046542e-09f; /* what that misses of it */
  const int32_t magic_bits = 0x4b400028; /* the bits of magic: n is 40 less than the exponent */
  /* e^(k r) = 1 + e1 r + e2 r^2 + ..., k = 1, nearly */
  const float e1 = 1.0f, e2 = 0.49999994f, e3 = 0.16666523f, e4 = 0.041668292f,
      e5 = 0.008368532f, e6 = 0.0013818297f;
  const float down = 9.094947e-13f; /* 2^-40: quotients are so much too large up to the last step */
  const int32_t exponent_of_1 = 127; /* in the bits of 1, above 23 of its mantissa */
  const __m256 size_a = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x_a);
  const __m256 size_b = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x_b);
  const __m256 a_a = _mm256_min_ps(_mm256_set1_ps(vanishes), size_a);
  const __m256 a_b = _mm256_min_ps(_mm256_set1_ps(vanishes), size_b);
  const __m256 shifted_a = _mm256_fmadd_ps(a_a, _mm256_set1_ps(per_one), _mm256_set1_ps(magic));
  const __m256 shifted_b = _mm256_fmadd_ps(a_b, _mm256_set1_ps(per_one), _mm256_set1_ps(magic));
  const __m256 steps_a = _mm256_sub_ps(shifted_a, _mm256_set1_ps(magic));
  const __m256 steps_b = _mm256_sub_ps(shifted_b, _mm256_set1_ps(magic));
  const __m256i bits_a = _mm256_castps_si256(shifted_a);
  const __m256i bits_b = _mm256_castps_si256(shifted_b);
  const __m256i n_a = _mm256_sub_epi32(bits_a, _mm256_set1_epi32(magic_bits));
  const __m256i n_b = _mm256_sub_epi32(bits_b, _mm256_set1_epi32(magic_bits));
  const __m256 nearly_r_a = _mm256_fnmadd_ps(steps_a, _mm256_set1_ps(high), a_a);
  const __m256 nearly_r_b = _mm256_fnmadd_ps(steps_b, _mm256_set1_ps(high), a_b);
  const __m256 r_a = _mm256_fnmadd_ps(steps_a, _mm256_set1_ps(low), nearly_r_a);
  const __m256 r_b = _mm256_fnmadd_ps(steps_b, _mm256_set1_ps(low), nearly_r_b);
  const __m256 poly_a = _mm256_fmadd_ps(_mm256_set1_ps(e6), r_a, _mm256_set1_ps(e5));
  const __m256 poly_b = _mm256_fmadd_ps(_mm256_set1_ps(e6), r_b, _mm256_set1_ps(e5));
  const __m256 poly_2_a = _mm256_fmadd_ps(poly_a, r_a, _mm256_set1_ps(e4));
  const __m256 poly_2_b = _mm256_fmadd_ps(poly_b, r_b, _mm256_set1_ps(e4));
  const __m256 poly_3_a = _mm256_fmadd_ps(poly_2_a, r_a, _mm256_set1_ps(e3));
  const __m256 poly_3_b = _mm256_fmadd_ps(poly_2_b, r_b, _mm256_set1_ps(e3));
  const __m256 poly_4_a = _mm256_fmadd_ps(poly_3_a, r_a, _mm256_set1_ps(e2));
  const __m256 poly_4_b = _mm256_fmadd_ps(poly_3_b, r_b, _mm256_set1_ps(e2));
  const __m256 poly_5_a = _mm256_fmadd_ps(poly_4_a, r_a, _mm256_set1_ps(e1));
  const __m256 poly_5_b = _mm256_fmadd_ps(poly_4_b, r_b, _mm256_set1_ps(e1));
  const __m256 p_a = _mm256_fmadd_ps(poly_5_a, r_a, _mm256_set1_ps(1.0f));
  const __m256 p_b = _mm256_fmadd_ps(poly_5_b, r_b, _mm256_set1_ps(1.0f));
  const __m256i biased_a = _mm256_add_epi32(n_a, _mm256_set1_epi32(exponent_of_1));
  const __m256i biased_b = _mm256_add_epi32(n_b, _mm256_set1_epi32(exponent_of_1));
  const __m256i exponent_a = _mm256_slli_epi32(biased_a, 23);
  const __m256i exponent_b = _mm256_slli_epi32(biased_b, 23);
  const __m256 scale_a = _mm256_castsi256_ps(exponent_a);
  const __m256 scale_b = _mm256_castsi256_ps(exponent_b);
  const __m256 denominator_a = _mm256_fmadd_ps(p_a, scale_a, _mm256_set1_ps(down));
  const __m256 denominator_b = _mm256_fmadd_ps(p_b, scale_b, _mm256_set1_ps(down));
  const __m256 tail_a = _mm256_div_ps(a_a, denominator_a);
  const __m256 tail_b = _mm256_div_ps(a_b, denominator_b);
  const __m256 relu_a = _mm256_max_ps(_mm256_set1_ps(0.0f), x_a);
  const __m256 relu_b = _mm256_max_ps(_mm256_set1_ps(0.0f), x_b);
  *second = _mm256_fnmadd_ps(tail_b, _mm256_set1_ps(down), relu_b);
  return _mm256_fnmadd_ps(tail_a, _mm256_set1_ps(down), relu_a);
}

/* sum[row][branch][48] (+)= a w: one row x 48 columns of each branch, at most 128 k from block *
 * 128 on, in 14 of 16 registers. `sum` begins at a multiple of 32 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void gate_up_sums_tile_48(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero, s0_5 = zero,
      s0_6 = zero, s0_7 = zero, s0_8 = zero, s0_9 = zero, s0_10 = zero, s0_11 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_UNROLL
        for (size_t bundle = 0; bundle < 3; ++bundle) {
          FFN_FETCH(next + bundle * GATE_UP_BUNDLE);
          FFN_FETCH(next + bundle * GATE_UP_BUNDLE + 64);
        }
        next += advance;
      }
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
      const __m256 w2 = _mm256_load_ps((const float *)(w + GATE_UP_BUNDLE));
      const __m256 w3 = _mm256_load_ps((const float *)(w + GATE_UP_BUNDLE + 32));
      const __m256 w4 = _mm256_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE));
      const __m256 w5 = _mm256_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE + 32));
      const __m256 w6 = _mm256_load_ps((const float *)(w + 64));
      const __m256 w7 = _mm256_load_ps((const float *)(w + 96));
      const __m256 w8 = _mm256_load_ps((const float *)(w + GATE_UP_BUNDLE + 64));
      const __m256 w9 = _mm256_load_ps((const float *)(w + GATE_UP_BUNDLE + 96));
      const __m256 w10 = _mm256_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE + 64));
      const __m256 w11 = _mm256_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE + 96));
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
      s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
      s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
      s0_4 = _mm256_fmadd_ps(x0, w4, s0_4);
      s0_5 = _mm256_fmadd_ps(x0, w5, s0_5);
      s0_6 = _mm256_fmadd_ps(x0, w6, s0_6);
      s0_7 = _mm256_fmadd_ps(x0, w7, s0_7);
      s0_8 = _mm256_fmadd_ps(x0, w8, s0_8);
      s0_9 = _mm256_fmadd_ps(x0, w9, s0_9);
      s0_10 = _mm256_fmadd_ps(x0, w10, s0_10);
      s0_11 = _mm256_fmadd_ps(x0, w11, s0_11);
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_avx2(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_avx2(sum + 32, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_avx2(sum + 64, &s0_8, &s0_9, &s0_10, &s0_11);
  }
  ffn_keep_4_avx2(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_avx2(sum + 32, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_avx2(sum + 64, s0_8, s0_9, s0_10, s0_11);
}

/* The 96 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_48(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)rows;
  if (fetches != FFN_FETCHES_NONE)
    gate_up_sums_tile_48(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1);
  else
    gate_up_sums_tile_48(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
}

/* sum[row][branch][16] (+)= a w: at most 3 rows x 16 columns of each branch, at most 128 k from
 * block * 128 on, in 16 of 16 registers. `sum` begins at a multiple of 32 bytes, `w` of 64, `a`
 * of 4. `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void gate_up_sums_tile_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero;
  __m256 s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero;
  __m256 s2_0 = zero, s2_1 = zero, s2_2 = zero, s2_3 = zero;
  /* k at a time, a constant at each call */
  const size_t line = fetches >= FFN_FETCHES_LINES ? 4 : 1;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches == FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k + line <= GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    for (; k + line <= end; k += line, w += line * GATE_UP_STEP) {
      if (fetches >= FFN_FETCHES_LINES) {
        FFN_UNROLL
        for (size_t i = 0; i < line * (size_t)rows; i += 16)
          FFN_FETCH(a + GATE_UP_ROW * (size_t)rows + k * (size_t)rows + i);
        const char *const last = next + line * advance;
        for (; next < last; next += 64) {
          FFN_FETCH(next);
        }
        next = last;
      } else if (fetches) {
        FFN_FETCH(a + GATE_UP_ROW * (size_t)rows + k * (size_t)rows);
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        next += advance;
      }
      FFN_UNROLL
      for (size_t j = 0; j < line; ++j) {
        const __m256 x0 = _mm256_set1_ps(a[k + j]);
        const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + GATE_UP_ROW + j]) : _mm256_setzero_ps();
        const __m256 x2 = rows > 2 ? _mm256_set1_ps(a[k + 2 * GATE_UP_ROW + j])
            : _mm256_setzero_ps();
        const __m256 w0 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP));
        if (rows == 2)
          FFN_SETTLE();
        s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
        if (rows > 1)
          s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
        if (rows > 2)
          s2_0 = _mm256_fmadd_ps(x2, w0, s2_0);
        const __m256 w1 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + 32));
        if (rows == 2)
          FFN_SETTLE();
        s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
        if (rows > 1)
          s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
        if (rows > 2)
          s2_1 = _mm256_fmadd_ps(x2, w1, s2_1);
        const __m256 w2 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + 64));
        if (rows == 2)
          FFN_SETTLE();
        s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
        if (rows > 1)
          s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
        if (rows > 2)
          s2_2 = _mm256_fmadd_ps(x2, w2, s2_2);
        const __m256 w3 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + 96));
        if (rows == 2)
          FFN_SETTLE();
        s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
        if (rows > 1)
          s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
        if (rows > 2)
          s2_3 = _mm256_fmadd_ps(x2, w3, s2_3);
        if (line > 1)
          FFN_SETTLE();
      }
    }
  }
  if (block > 0) {
    ffn_take_4_avx2(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    if (rows > 1)
      ffn_take_4_avx2(sum + 32, &s1_0, &s1_1, &s1_2, &s1_3);
    if (rows > 2)
      ffn_take_4_avx2(sum + 64, &s2_0, &s2_1, &s2_2, &s2_3);
  }
  ffn_keep_4_avx2(sum, s0_0, s0_1, s0_2, s0_3);
  if (rows > 1)
    ffn_keep_4_avx2(sum + 32, s1_0, s1_1, s1_2, s1_3);
  if (rows > 2)
    ffn_keep_4_avx2(sum + 64, s2_0, s2_1, s2_2, s2_3);
}

/* The 32 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches >= FFN_FETCHES_LINES)
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_LINES, 1);
    else if (fetches != FFN_FETCHES_NONE)
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1);
    else
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    if (fetches >= FFN_FETCHES_LINES)
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_LINES, 2);
    else if (fetches != FFN_FETCHES_NONE)
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 2);
    else
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    if (fetches >= FFN_FETCHES_LINES)
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_LINES, 3);
    else if (fetches != FFN_FETCHES_NONE)
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 3);
    else
      gate_up_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* sum[row][branch][48] of half of each of 3 panels = what `from` has, or 0, + a w, added to what
 * sum has where `adds` says so: at most 2 rows x `count` k, in 15 of 16 registers. `sum` begins
 * at a multiple of 32 bytes, `from` of 32, `w` of 64, `a` of 4. `rows` is a constant at each
 * call: what fewer rows do not use compiles away. */
FFN_INLINE void gate_up_abreast_tile_24(
    float *sum, const float *from, const float *a, const char *w, size_t lane, size_t count,
    int adds, const char *next, const int fetches, const int rows) {
  w += lane * 4;
  __m256 s0_0 = from ? _mm256_load_ps(from) : _mm256_setzero_ps();
  __m256 s0_1 = from ? _mm256_load_ps(from + 16) : _mm256_setzero_ps();
  __m256 s0_2 = from ? _mm256_load_ps(from + 32) : _mm256_setzero_ps();
  __m256 s0_3 = from ? _mm256_load_ps(from + 48) : _mm256_setzero_ps();
  __m256 s0_4 = from ? _mm256_load_ps(from + 64) : _mm256_setzero_ps();
  __m256 s0_5 = from ? _mm256_load_ps(from + 80) : _mm256_setzero_ps();
  __m256 s1_0 = from && rows > 1 ? _mm256_load_ps(from + 96) : _mm256_setzero_ps();
  __m256 s1_1 = from && rows > 1 ? _mm256_load_ps(from + 112) : _mm256_setzero_ps();
  __m256 s1_2 = from && rows > 1 ? _mm256_load_ps(from + 128) : _mm256_setzero_ps();
  __m256 s1_3 = from && rows > 1 ? _mm256_load_ps(from + 144) : _mm256_setzero_ps();
  __m256 s1_4 = from && rows > 1 ? _mm256_load_ps(from + 160) : _mm256_setzero_ps();
  __m256 s1_5 = from && rows > 1 ? _mm256_load_ps(from + 176) : _mm256_setzero_ps();
  /* k at a time */
  const size_t line = 2;
  size_t k = 0;
  for (; k + line <= count; k += line, w += line * GATE_UP_STEP) {
    if (fetches) {
      FFN_UNROLL
      for (size_t bundle = 0; bundle < 3; ++bundle)
        FFN_FETCH(next + bundle * GATE_UP_BUNDLE);
      next += 64;
    }
    FFN_UNROLL
    for (size_t j = 0; j < line; ++j) {
      const __m256 x0 = _mm256_set1_ps(a[k + j]);
      const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + GATE_UP_ROW + j]) : _mm256_setzero_ps();
      const __m256 w0 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      if (rows > 1)
        s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
      const __m256 w1 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + GATE_UP_BUNDLE));
      s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
      if (rows > 1)
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      const __m256 w2 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + 2 * GATE_UP_BUNDLE));
      s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
      if (rows > 1)
        s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
      const __m256 w3 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + 64));
      s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
      if (rows > 1)
        s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
      const __m256 w4 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + GATE_UP_BUNDLE + 64));
      s0_4 = _mm256_fmadd_ps(x0, w4, s0_4);
      if (rows > 1)
        s1_4 = _mm256_fmadd_ps(x1, w4, s1_4);
      const __m256 w5 = _mm256_load_ps((const float *)(w + j * GATE_UP_STEP + 2 * GATE_UP_BUNDLE +
          64));
      s0_5 = _mm256_fmadd_ps(x0, w5, s0_5);
      if (rows > 1)
        s1_5 = _mm256_fmadd_ps(x1, w5, s1_5);
    }
  }
  for (; k < count; ++k, w += GATE_UP_STEP) {
    const __m256 x0 = _mm256_set1_ps(a[k]);
    const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + GATE_UP_ROW]) : _mm256_setzero_ps();
    const __m256 w0 = _mm256_load_ps((const float *)(w));
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
    if (rows > 1)
      s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
    const __m256 w1 = _mm256_load_ps((const float *)(w + GATE_UP_BUNDLE));
    s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
    if (rows > 1)
      s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
    const __m256 w2 = _mm256_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE));
    s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
    if (rows > 1)
      s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
    const __m256 w3 = _mm256_load_ps((const float *)(w + 64));
    s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
    if (rows > 1)
      s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
    const __m256 w4 = _mm256_load_ps((const float *)(w + GATE_UP_BUNDLE + 64));
    s0_4 = _mm256_fmadd_ps(x0, w4, s0_4);
    if (rows > 1)
      s1_4 = _mm256_fmadd_ps(x1, w4, s1_4);
    const __m256 w5 = _mm256_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE + 64));
    s0_5 = _mm256_fmadd_ps(x0, w5, s0_5);
    if (rows > 1)
      s1_5 = _mm256_fmadd_ps(x1, w5, s1_5);
  }
  if (adds) {
    s0_0 = _mm256_add_ps(_mm256_load_ps(sum), s0_0);
    s0_1 = _mm256_add_ps(_mm256_load_ps(sum + 16), s0_1);
    s0_2 = _mm256_add_ps(_mm256_load_ps(sum + 32), s0_2);
    s0_3 = _mm256_add_ps(_mm256_load_ps(sum + 48), s0_3);
    s0_4 = _mm256_add_ps(_mm256_load_ps(sum + 64), s0_4);
    s0_5 = _mm256_add_ps(_mm256_load_ps(sum + 80), s0_5);
    if (rows > 1) {
      s1_0 = _mm256_add_ps(_mm256_load_ps(sum + 96), s1_0);
      s1_1 = _mm256_add_ps(_mm256_load_ps(sum + 112), s1_1);
      s1_2 = _mm256_add_ps(_mm256_load_ps(sum + 128), s1_2);
      s1_3 = _mm256_add_ps(_mm256_load_ps(sum + 144), s1_3);
      s1_4 = _mm256_add_ps(_mm256_load_ps(sum + 160), s1_4);
      s1_5 = _mm256_add_ps(_mm256_load_ps(sum + 176), s1_5);
    }
  }
  _mm256_store_ps(sum, s0_0);
  _mm256_store_ps(sum + 16, s0_1);
  _mm256_store_ps(sum + 32, s0_2);
  _mm256_store_ps(sum + 48, s0_3);
  _mm256_store_ps(sum + 64, s0_4);
  _mm256_store_ps(sum + 80, s0_5);
  if (rows > 1) {
    _mm256_store_ps(sum + 96, s1_0);
    _mm256_store_ps(sum + 112, s1_1);
    _mm256_store_ps(sum + 128, s1_2);
    _mm256_store_ps(sum + 144, s1_3);
    _mm256_store_ps(sum + 160, s1_4);
    _mm256_store_ps(sum + 176, s1_5);
  }
}

/* The 48 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_abreast_24(
    float *sum, const float *from, const float *a, const char *w, size_t lane, size_t count,
    int adds, const char *next, const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches != FFN_FETCHES_NONE)
      gate_up_abreast_tile_24(sum, from, a, w, lane, count, adds, next, FFN_FETCHES_NEAR, 1);
    else
      gate_up_abreast_tile_24(sum, from, a, w, lane, count, adds, next, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    if (fetches != FFN_FETCHES_NONE)
      gate_up_abreast_tile_24(sum, from, a, w, lane, count, adds, next, FFN_FETCHES_NEAR, 2);
    else
      gate_up_abreast_tile_24(sum, from, a, w, lane, count, adds, next, FFN_FETCHES_NONE, 2);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* h = silu(gate) * up, of all rows x `cols` columns from `column` on, in 7 of 16 registers;
 * beyond the last output it meets zero weights. `sum` begins at a multiple of 32 bytes, `out` of
 * 32. */
FFN_NOINLINE void gate_up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += 2 * cols) {
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const __m256 gate_a = _mm256_load_ps(sum + c);
      const __m256 up_a = _mm256_load_ps(sum + cols + c);
      const __m256 gate_b = _mm256_load_ps(sum + c + 8);
      const __m256 up_b = _mm256_load_ps(sum + cols + c + 8);
      __m256 act_b;
      const __m256 act_a = act_silu_pair(gate_a, gate_b, &act_b);
      _mm256_store_ps(out, _mm256_mul_ps(act_a, up_a));
      _mm256_store_ps(out + 8, _mm256_mul_ps(act_b, up_b));
    }
  }
}

/* The bundle of the output `column`, from input k on. Sizes, in capitals, are those of the
 * caller, and constants. */
FFN_INLINE const char *weights_at(
    const ffn_task *task, size_t column, size_t k,
    const size_t WIDTH, const size_t BUNDLE, const size_t STEP) {
  const size_t bundle = (column - task->begins) / WIDTH;
  return task->weights + bundle * BUNDLE + k * STEP;
}

/* 2 to 4 rows x the columns of 3 panels from `column` on: all rows visit 16 k of the panels
 * before the next ones. A prefetcher follows several streams faster than one, and each tile of
 * several fetches a part of the next visit. */
FFN_INLINE void gate_up_abreast(const ffn_task *task, size_t column) {
  float *const part = task->sum + task->rows * GATE_UP_ABREAST; /* of a block */
  for (size_t block = 0; block < GATE_UP_BLOCKS; ++block) {
    const size_t count = GATE_UP_BLOCK; /* of k */
    for (size_t k = 0; k < count; k += 16) {
      const char *weights = weights_at(task, column, block * GATE_UP_BLOCK + k, GATE_UP_WIDTH,
          GATE_UP_BUNDLE, GATE_UP_STEP);
      const size_t step = ffn_min(count - k, 16);
      float *const sum = k + step < count ? part : task->sum;
      const int fetches = task->rows > 2;
      const char *then = weights + step * GATE_UP_STEP; /* the next visit */
      if (block * GATE_UP_BLOCK + k + step == GATE_UP_INPUTS)
        then = column + 48 < task->last
            ? weights_at(task, column + 48, 0, GATE_UP_WIDTH, GATE_UP_BUNDLE, GATE_UP_STEP)
            : weights;
      const char *next = then;
      for (size_t c = 0; c < FFN_PANEL; c += 8) {
        for (size_t row = 0; row < task->rows; row += 2) {
          const size_t at = row * GATE_UP_ABREAST + c;
          const float *a = task->in + (block * task->rows + row) * GATE_UP_ROW + k;
          gate_up_abreast_24(sum + at, k > 0 ? part + at : NULL, a, weights, c, step,
              sum == task->sum && block > 0, next, fetches, ffn_min(task->rows - row, 2));
          next += 8 * 64;
        }
      }
    }
  }
  gate_up_finish(task, task->sum, column, 48);
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. Sizes, in capitals, are
 * those of the caller, and constants. */
FFN_INLINE size_t walk_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, const ffn_ahead *, const int,
        size_t),
    const size_t STREAM_ROWS, const size_t CHUNK, const size_t STEP, const size_t WIDTH,
    const size_t BLOCKS, const size_t BLOCK, const size_t BUNDLE, const size_t LAST,
    const size_t BRANCHES, const size_t ROW,
    void (*const finish)(const ffn_task *, const float *, size_t, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= STREAM_ROWS ? strip : ffn_min(left / strip * strip, CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows;
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= task->choices->few_rows ? task->choices->few_ahead
      : task->choices->fetch_ahead;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / WIDTH * STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * BLOCK, WIDTH, BUNDLE, STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * BLOCK, WIDTH, BUNDLE, STEP);
      else if (block + 1 < BLOCKS)
        then = weights_at(task, column, (block + 1) * BLOCK, WIDTH, BUNDLE, STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, WIDTH, BUNDLE, STEP);
      const size_t count = block + 1 < BLOCKS ? BLOCK : LAST; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + BRANCHES * (c * task->rows + row * cols);
          const float *a = task->in + (block * task->rows + row) * ROW;
          const char *w = weights;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), then, mine, count - early, 0};
          ++turn;
          sums(sum, a, w, block, &share, fetches, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    finish(task, task->sum + BRANCHES * c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t gate_up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, const ffn_ahead *, const int,
        size_t)) {
  return walk_chunk(task, column, cols, most, sums, GATE_UP_STREAM_ROWS, GATE_UP_CHUNK,
    GATE_UP_STEP, GATE_UP_WIDTH, GATE_UP_BLOCKS, GATE_UP_BLOCK, GATE_UP_BUNDLE, GATE_UP_BLOCK,
    2, GATE_UP_ROW, gate_up_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void gate_up_columns(const ffn_task *task) {
  size_t column = task->first;
  if (task->rows > 1 && task->rows <= 4 &&
      ffn_reads_abreast(task->choices, task->rows, 3))
    for (; task->last - column >= 48; column += 48)
      gate_up_abreast(task, column);
  while (task->rows <= 1 && task->last - column >= 48)
    column += gate_up_chunk(task, column, 48, 1, gate_up_sums_48);
  while (column < task->last)
    column += gate_up_chunk(task, column, 16, 3, gate_up_sums_16);
}

/* sum[row][branch][64] (+)= a w: one row x 64 columns, at most 128 k from block * 128 on, in 10
 * of 16 registers. `sum` begins at a multiple of 32 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void down_sums_tile_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero, s0_5 = zero,
      s0_6 = zero, s0_7 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : count;
       k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_UNROLL
        for (size_t bundle = 0; bundle < 4; ++bundle)
          FFN_FETCH(next + bundle * DOWN_BUNDLE);
        next += advance;
      }
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
      const __m256 w2 = _mm256_load_ps((const float *)(w + DOWN_BUNDLE));
      const __m256 w3 = _mm256_load_ps((const float *)(w + DOWN_BUNDLE + 32));
      const __m256 w4 = _mm256_load_ps((const float *)(w + 2 * DOWN_BUNDLE));
      const __m256 w5 = _mm256_load_ps((const float *)(w + 2 * DOWN_BUNDLE + 32));
      const __m256 w6 = _mm256_load_ps((const float *)(w + 3 * DOWN_BUNDLE));
      const __m256 w7 = _mm256_load_ps((const float *)(w + 3 * DOWN_BUNDLE + 32));
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
      s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
      s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
      s0_4 = _mm256_fmadd_ps(x0, w4, s0_4);
      s0_5 = _mm256_fmadd_ps(x0, w5, s0_5);
      s0_6 = _mm256_fmadd_ps(x0, w6, s0_6);
      s0_7 = _mm256_fmadd_ps(x0, w7, s0_7);
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_avx2(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_avx2(sum + 32, &s0_4, &s0_5, &s0_6, &s0_7);
  }
  ffn_keep_4_avx2(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_avx2(sum + 32, s0_4, s0_5, s0_6, s0_7);
}

/* The 64 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void down_sums_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)rows;
  if (fetches != FFN_FETCHES_NONE)
    down_sums_tile_64(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1);
  else
    down_sums_tile_64(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
}

/* sum[row][branch][32] (+)= a w: at most 3 rows x 32 columns, at most 128 k from block * 128 on,
 * in 16 of 16 registers. `sum` begins at a multiple of 32 bytes, `w` of 64, `a` of 4. `rows` is
 * a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero;
  __m256 s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero;
  __m256 s2_0 = zero, s2_1 = zero, s2_2 = zero, s2_3 = zero;
  /* k at a time, a constant at each call */
  const size_t line = fetches >= FFN_FETCHES_LINES ? 4 : 1;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches == FFN_FETCHES_NEAR ? ahead->until : count;
       k + line <= count;
       end = count, next = ahead->then) {
    for (; k + line <= end; k += line, w += line * DOWN_STEP) {
      if (fetches >= FFN_FETCHES_LINES) {
        FFN_UNROLL
        for (size_t i = 0; i < line * (size_t)rows; i += 16)
          FFN_FETCH(a + DOWN_ROW * (size_t)rows + k * (size_t)rows + i);
        const char *const last = next + line * advance;
        for (; next < last; next += 64) {
          FFN_FETCH(next);
          FFN_FETCH(next + DOWN_BUNDLE);
        }
        next = last;
      } else if (fetches) {
        FFN_FETCH(a + DOWN_ROW * (size_t)rows + k * (size_t)rows);
        FFN_FETCH(next);
        FFN_FETCH(next + DOWN_BUNDLE);
        next += advance;
      }
      FFN_UNROLL
      for (size_t j = 0; j < line; ++j) {
        const __m256 x0 = _mm256_set1_ps(a[k + j]);
        const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + DOWN_ROW + j]) : _mm256_setzero_ps();
        const __m256 x2 = rows > 2 ? _mm256_set1_ps(a[k + 2 * DOWN_ROW + j]) : _mm256_setzero_ps();
        const __m256 w0 = _mm256_load_ps((const float *)(w + j * DOWN_STEP));
        if (rows == 2)
          FFN_SETTLE();
        s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
        if (rows > 1)
          s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
        if (rows > 2)
          s2_0 = _mm256_fmadd_ps(x2, w0, s2_0);
        const __m256 w1 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + 32));
        if (rows == 2)
          FFN_SETTLE();
        s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
        if (rows > 1)
          s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
        if (rows > 2)
          s2_1 = _mm256_fmadd_ps(x2, w1, s2_1);
        const __m256 w2 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + DOWN_BUNDLE));
        if (rows == 2)
          FFN_SETTLE();
        s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
        if (rows > 1)
          s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
        if (rows > 2)
          s2_2 = _mm256_fmadd_ps(x2, w2, s2_2);
        const __m256 w3 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + DOWN_BUNDLE + 32));
        if (rows == 2)
          FFN_SETTLE();
        s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
        if (rows > 1)
          s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
        if (rows > 2)
          s2_3 = _mm256_fmadd_ps(x2, w3, s2_3);
        if (line > 1)
          FFN_SETTLE();
      }
    }
  }
  for (; k < count; ++k, w += DOWN_STEP) {
    const __m256 x0 = _mm256_set1_ps(a[k]);
    const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + DOWN_ROW]) : _mm256_setzero_ps();
    const __m256 x2 = rows > 2 ? _mm256_set1_ps(a[k + 2 * DOWN_ROW]) : _mm256_setzero_ps();
    const __m256 w0 = _mm256_load_ps((const float *)(w));
    if (rows == 2)
      FFN_SETTLE();
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
    if (rows > 1)
      s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
    if (rows > 2)
      s2_0 = _mm256_fmadd_ps(x2, w0, s2_0);
    const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
    if (rows == 2)
      FFN_SETTLE();
    s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
    if (rows > 1)
      s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
    if (rows > 2)
      s2_1 = _mm256_fmadd_ps(x2, w1, s2_1);
    const __m256 w2 = _mm256_load_ps((const float *)(w + DOWN_BUNDLE));
    if (rows == 2)
      FFN_SETTLE();
    s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
    if (rows > 1)
      s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
    if (rows > 2)
      s2_2 = _mm256_fmadd_ps(x2, w2, s2_2);
    const __m256 w3 = _mm256_load_ps((const float *)(w + DOWN_BUNDLE + 32));
    if (rows == 2)
      FFN_SETTLE();
    s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
    if (rows > 1)
      s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
    if (rows > 2)
      s2_3 = _mm256_fmadd_ps(x2, w3, s2_3);
  }
  if (block > 0) {
    ffn_take_4_avx2(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    if (rows > 1)
      ffn_take_4_avx2(sum + 32, &s1_0, &s1_1, &s1_2, &s1_3);
    if (rows > 2)
      ffn_take_4_avx2(sum + 64, &s2_0, &s2_1, &s2_2, &s2_3);
  }
  ffn_keep_4_avx2(sum, s0_0, s0_1, s0_2, s0_3);
  if (rows > 1)
    ffn_keep_4_avx2(sum + 32, s1_0, s1_1, s1_2, s1_3);
  if (rows > 2)
    ffn_keep_4_avx2(sum + 64, s2_0, s2_1, s2_2, s2_3);
}

/* The 32 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches >= FFN_FETCHES_LINES)
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_LINES, 1);
    else if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1);
    else
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    if (fetches >= FFN_FETCHES_LINES)
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_LINES, 2);
    else if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 2);
    else
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    if (fetches >= FFN_FETCHES_LINES)
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_LINES, 3);
    else if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 3);
    else
      down_sums_tile_32(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* sum[row][branch][16] (+)= a w: at most 6 rows x 16 columns, at most 128 k from block * 128 on,
 * in 15 of 16 registers. `sum` begins at a multiple of 32 bytes, `w` of 64, `a` of 4. `rows` is
 * a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  const __m256 zero = _mm256_setzero_ps();
  __m256 s0_0 = zero, s0_1 = zero;
  __m256 s1_0 = zero, s1_1 = zero;
  __m256 s2_0 = zero, s2_1 = zero;
  __m256 s3_0 = zero, s3_1 = zero;
  __m256 s4_0 = zero, s4_1 = zero;
  __m256 s5_0 = zero, s5_1 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : count;
       k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(a + DOWN_ROW * (size_t)rows + k * (size_t)rows);
        FFN_FETCH(next);
        next += advance;
      }
      const __m256 w0 = _mm256_load_ps((const float *)(w));
      const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
      if (rows == 2)
        FFN_SETTLE();
      const __m256 x0 = _mm256_set1_ps(a[k]);
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
      if (rows > 1) {
        const __m256 x1 = _mm256_set1_ps(a[k + DOWN_ROW]);
        s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      }
      if (rows > 2) {
        const __m256 x2 = _mm256_set1_ps(a[k + 2 * DOWN_ROW]);
        s2_0 = _mm256_fmadd_ps(x2, w0, s2_0);
        s2_1 = _mm256_fmadd_ps(x2, w1, s2_1);
      }
      if (rows > 3) {
        const __m256 x3 = _mm256_set1_ps(a[k + 3 * DOWN_ROW]);
        s3_0 = _mm256_fmadd_ps(x3, w0, s3_0);
        s3_1 = _mm256_fmadd_ps(x3, w1, s3_1);
      }
      if (rows > 4) {
        const __m256 x4 = _mm256_set1_ps(a[k + 4 * DOWN_ROW]);
        s4_0 = _mm256_fmadd_ps(x4, w0, s4_0);
        s4_1 = _mm256_fmadd_ps(x4, w1, s4_1);
      }
      if (rows > 5) {
        const __m256 x5 = _mm256_set1_ps(a[k + 5 * DOWN_ROW]);
        s5_0 = _mm256_fmadd_ps(x5, w0, s5_0);
        s5_1 = _mm256_fmadd_ps(x5, w1, s5_1);
      }
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_2_avx2(sum, &s0_0, &s0_1);
    if (rows > 1)
      ffn_take_2_avx2(sum + 16, &s1_0, &s1_1);
    if (rows > 2)
      ffn_take_2_avx2(sum + 32, &s2_0, &s2_1);
    if (rows > 3)
      ffn_take_2_avx2(sum + 48, &s3_0, &s3_1);
    if (rows > 4)
      ffn_take_2_avx2(sum + 64, &s4_0, &s4_1);
    if (rows > 5)
      ffn_take_2_avx2(sum + 80, &s5_0, &s5_1);
  }
  ffn_keep_2_avx2(sum, s0_0, s0_1);
  if (rows > 1)
    ffn_keep_2_avx2(sum + 16, s1_0, s1_1);
  if (rows > 2)
    ffn_keep_2_avx2(sum + 32, s2_0, s2_1);
  if (rows > 3)
    ffn_keep_2_avx2(sum + 48, s3_0, s3_1);
  if (rows > 4)
    ffn_keep_2_avx2(sum + 64, s4_0, s4_1);
  if (rows > 5)
    ffn_keep_2_avx2(sum + 80, s5_0, s5_1);
}

/* The 16 sums of each of 1 to 6 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1);
    else
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 2);
    else
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 3);
    else
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  case 4:
    if (fetches != FFN_FETCHES_NONE)
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 4);
    else
      down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 4);
    break;
  case 5:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 5);
    break;
  case 6:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 6);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* sum[row][branch][48] of 3 panels = what `from` has, or 0, + a w, added to what sum has where
 * `adds` says so: at most 2 rows x `count` k, in 15 of 16 registers. `sum` begins at a multiple
 * of 32 bytes, `from` of 32, `w` of 64, `a` of 4. `rows` is a constant at each call: what fewer
 * rows do not use compiles away. */
FFN_INLINE void down_abreast_tile_48(
    float *sum, const float *from, const float *a, const char *w, size_t count, int adds,
    const char *next, const int fetches, const int rows) {
  __m256 s0_0 = from ? _mm256_load_ps(from) : _mm256_setzero_ps();
  __m256 s0_1 = from ? _mm256_load_ps(from + 8) : _mm256_setzero_ps();
  __m256 s0_2 = from ? _mm256_load_ps(from + 16) : _mm256_setzero_ps();
  __m256 s0_3 = from ? _mm256_load_ps(from + 24) : _mm256_setzero_ps();
  __m256 s0_4 = from ? _mm256_load_ps(from + 32) : _mm256_setzero_ps();
  __m256 s0_5 = from ? _mm256_load_ps(from + 40) : _mm256_setzero_ps();
  __m256 s1_0 = from && rows > 1 ? _mm256_load_ps(from + 48) : _mm256_setzero_ps();
  __m256 s1_1 = from && rows > 1 ? _mm256_load_ps(from + 56) : _mm256_setzero_ps();
  __m256 s1_2 = from && rows > 1 ? _mm256_load_ps(from + 64) : _mm256_setzero_ps();
  __m256 s1_3 = from && rows > 1 ? _mm256_load_ps(from + 72) : _mm256_setzero_ps();
  __m256 s1_4 = from && rows > 1 ? _mm256_load_ps(from + 80) : _mm256_setzero_ps();
  __m256 s1_5 = from && rows > 1 ? _mm256_load_ps(from + 88) : _mm256_setzero_ps();
  /* k at a time */
  const size_t line = 2;
  size_t k = 0;
  for (; k + line <= count; k += line, w += line * DOWN_STEP) {
    if (fetches) {
      FFN_UNROLL
      for (size_t bundle = 0; bundle < 3; ++bundle)
        FFN_FETCH(next + bundle * DOWN_BUNDLE);
      next += 64;
    }
    FFN_UNROLL
    for (size_t j = 0; j < line; ++j) {
      const __m256 x0 = _mm256_set1_ps(a[k + j]);
      const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + DOWN_ROW + j]) : _mm256_setzero_ps();
      const __m256 w0 = _mm256_load_ps((const float *)(w + j * DOWN_STEP));
      s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
      if (rows > 1)
        s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
      const __m256 w1 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + 32));
      s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
      if (rows > 1)
        s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
      const __m256 w2 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + DOWN_BUNDLE));
      s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
      if (rows > 1)
        s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
      const __m256 w3 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + DOWN_BUNDLE + 32));
      s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
      if (rows > 1)
        s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
      const __m256 w4 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + 2 * DOWN_BUNDLE));
      s0_4 = _mm256_fmadd_ps(x0, w4, s0_4);
      if (rows > 1)
        s1_4 = _mm256_fmadd_ps(x1, w4, s1_4);
      const __m256 w5 = _mm256_load_ps((const float *)(w + j * DOWN_STEP + 2 * DOWN_BUNDLE + 32));
      s0_5 = _mm256_fmadd_ps(x0, w5, s0_5);
      if (rows > 1)
        s1_5 = _mm256_fmadd_ps(x1, w5, s1_5);
    }
  }
  for (; k < count; ++k, w += DOWN_STEP) {
    const __m256 x0 = _mm256_set1_ps(a[k]);
    const __m256 x1 = rows > 1 ? _mm256_set1_ps(a[k + DOWN_ROW]) : _mm256_setzero_ps();
    const __m256 w0 = _mm256_load_ps((const float *)(w));
    s0_0 = _mm256_fmadd_ps(x0, w0, s0_0);
    if (rows > 1)
      s1_0 = _mm256_fmadd_ps(x1, w0, s1_0);
    const __m256 w1 = _mm256_load_ps((const float *)(w + 32));
    s0_1 = _mm256_fmadd_ps(x0, w1, s0_1);
    if (rows > 1)
      s1_1 = _mm256_fmadd_ps(x1, w1, s1_1);
    const __m256 w2 = _mm256_load_ps((const float *)(w + DOWN_BUNDLE));
    s0_2 = _mm256_fmadd_ps(x0, w2, s0_2);
    if (rows > 1)
      s1_2 = _mm256_fmadd_ps(x1, w2, s1_2);
    const __m256 w3 = _mm256_load_ps((const float *)(w + DOWN_BUNDLE + 32));
    s0_3 = _mm256_fmadd_ps(x0, w3, s0_3);
    if (rows > 1)
      s1_3 = _mm256_fmadd_ps(x1, w3, s1_3);
    const __m256 w4 = _mm256_load_ps((const float *)(w + 2 * DOWN_BUNDLE));
    s0_4 = _mm256_fmadd_ps(x0, w4, s0_4);
    if (rows > 1)
      s1_4 = _mm256_fmadd_ps(x1, w4, s1_4);
    const __m256 w5 = _mm256_load_ps((const float *)(w + 2 * DOWN_BUNDLE + 32));
    s0_5 = _mm256_fmadd_ps(x0, w5, s0_5);
    if (rows > 1)
      s1_5 = _mm256_fmadd_ps(x1, w5, s1_5);
  }
  if (adds) {
    ffn_take_4_avx2(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_2_avx2(sum + 32, &s0_4, &s0_5);
    if (rows > 1) {
      ffn_take_4_avx2(sum + 48, &s1_0, &s1_1, &s1_2, &s1_3);
      ffn_take_2_avx2(sum + 80, &s1_4, &s1_5);
    }
  }
  ffn_keep_4_avx2(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_2_avx2(sum + 32, s0_4, s0_5);
  if (rows > 1) {
    ffn_keep_4_avx2(sum + 48, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_2_avx2(sum + 80, s1_4, s1_5);
  }
}

/* The 48 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_abreast_48(
    float *sum, const float *from, const float *a, const char *w, size_t count, int adds,
    const char *next, const int fetches, size_t rows) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches != FFN_FETCHES_NONE)
      down_abreast_tile_48(sum, from, a, w, count, adds, next, FFN_FETCHES_NEAR, 1);
    else
      down_abreast_tile_48(sum, from, a, w, count, adds, next, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    if (fetches != FFN_FETCHES_NONE)
      down_abreast_tile_48(sum, from, a, w, count, adds, next, FFN_FETCHES_NEAR, 2);
    else
      down_abreast_tile_48(sum, from, a, w, count, adds, next, FFN_FETCHES_NONE, 2);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 32
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 8) {
      float *out = task->out + row * task->out_stride + column + c;
      const __m256 down = _mm256_load_ps(sum + c);
      _mm256_storeu_ps(out, down);
    }
  }
}

/* 2 to 4 rows x the columns of 3 panels from `column` on: all rows visit 16 k of the panels
 * before the next ones. A prefetcher follows several streams faster than one, and each tile of
 * several fetches a part of the next visit. */
FFN_INLINE void down_abreast(const ffn_task *task, size_t column) {
  float *const part = task->sum + task->rows * DOWN_ABREAST; /* of a block */
  for (size_t block = 0; block < DOWN_BLOCKS; ++block) {
    const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST; /* of k */
    for (size_t k = 0; k < count; k += 16) {
      const char *weights = weights_at(task, column, block * DOWN_BLOCK + k, DOWN_WIDTH,
          DOWN_BUNDLE, DOWN_STEP);
      const size_t step = ffn_min(count - k, 16);
      float *const sum = k + step < count ? part : task->sum;
      const int fetches = task->rows > 2;
      const char *then = weights + step * DOWN_STEP; /* the next visit */
      if (block * DOWN_BLOCK + k + step == DOWN_INPUTS)
        then = column + 48 < task->last
            ? weights_at(task, column + 48, 0, DOWN_WIDTH, DOWN_BUNDLE, DOWN_STEP)
            : weights;
      const char *next = then;
      for (size_t c = 0; c < FFN_PANEL; c += 16) {
        for (size_t row = 0; row < task->rows; row += 2) {
          const size_t at = row * DOWN_ABREAST + c;
          const float *a = task->in + (block * task->rows + row) * DOWN_ROW + k;
          down_abreast_48(sum + at, k > 0 ? part + at : NULL, a, weights, step,
              sum == task->sum && block > 0, next, fetches, ffn_min(task->rows - row, 2));
          next += 8 * 64;
        }
      }
    }
  }
  down_finish(task, task->sum, column, 48);
}

/* All rows x a chunk of columns from `column` on, all k, in tiles of `cols` columns and at most
 * `most` rows, constants at each call: sums stay in cache while k ascends, and each block of
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, const ffn_ahead *, const int,
        size_t)) {
  return walk_chunk(task, column, cols, most, sums, DOWN_STREAM_ROWS, DOWN_CHUNK, DOWN_STEP,
    DOWN_WIDTH, DOWN_BLOCKS, DOWN_BLOCK, DOWN_BUNDLE, DOWN_LAST, 1, DOWN_ROW, down_finish);
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  if (task->rows > 1 && task->rows <= 4 &&
      ffn_reads_abreast(task->choices, task->rows, 3))
    for (; task->last - column >= 48; column += 48)
      down_abreast(task, column);
  while (task->rows <= 1 && task->last - column >= 64)
    column += down_chunk(task, column, 64, 1, down_sums_64);
  while (task->last - column >= 32)
    column += down_chunk(task, column, 32, 3, down_sums_32);
  while (column < task->last)
    column += down_chunk(task, column, 16, 6, down_sums_16);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const __m256 by = _mm256_set1_ps(scale);
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(y + i, _mm256_fmadd_ps(by, _mm256_loadu_ps(row + i), _mm256_loadu_ps(y + i)));
  if (i < count) {
    float from[8] = {0}, to[8] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    _mm256_storeu_ps(to, _mm256_fmadd_ps(by, _mm256_loadu_ps(from), _mm256_loadu_ps(to)));
    FFN_MEMCPY(y + i, to, (count - i) * sizeof *y);
  }
}
#endif

static const ffn_stage stages[] = {
    {
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        2, /* branches */
        {FFN_MATRIX_GATE, FFN_MATRIX_UP}, /* matrix */
        FFN_ACT_SILU, /* activation */
        FFN_PRODUCT_UP, /* product */
        0, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        GATE_UP_BLOCK, /* k_block */
        1, /* chains */
        GATE_UP_ROUNDINGS, /* sum_length */
        3.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
    {
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_DOWN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        0, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        DOWN_BLOCK, /* k_block */
        1, /* chains */
        DOWN_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
        FFN_FORMAT_F32, FFN_ARITHMETIC_FMA_F32, /* format, arithmetic */
        FFN_SOURCE_F32, 0, 0, /* source, source_alone, operand_scale */
    },
};

static const ffn_stage_walk walks[] = {
    {
        gate_up_columns, /* columns */
        ffn_take_f32, /* take */
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        0, /* in_at */
        GATE_UP_ROW, /* block */
        32, /* column_step */
        GATE_UP_AT, /* weights_at */
        0, /* bias_at */
    },
    {
        down_columns, /* columns */
        NULL, /* take */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        DOWN_ROW, /* block */
        32, /* column_step */
        DOWN_AT, /* weights_at */
        0, /* bias_at */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xaf8e17bce9cd1694), /* packed_hash */
    WEIGHT_BYTES, /* packed_bytes */
    ffn_walk_rows, /* rows */
    ffn_walk_columns, /* columns */
    2, /* stage_count */
    walks, /* stages */
    1, /* row_step */
    OWN_ROWS, /* own_rows */
    ROWS, /* rows_per_walk */
    OPERAND1 + OPERAND2, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    GATE_UP_INPUTS, /* inputs */
    DOWN_OUTPUTS, /* outputs */
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_walk_rows, /* add */
    0, /* add_at */
    ADD, /* add_columns */
    add_row, /* add_row */
#endif
};

#ifndef FFN_NO_PACK
/* Unpacks one weight of one output from lane `lane` of `members` panels side by side. `group`
 * begins at a multiple of 64 bytes, `w` of 4. */
static void unpack_f32(
    const char *group, size_t members, size_t lane, float *w, const char *head) {
  (void)members;
  (void)head;
  w[0] = *((const float *)group + lane);
}
/* Packs one weight of one output into lane `lane` of `members` panels side by side. `group`
 * begins at a multiple of 64 bytes, `w` of 4. */
static void pack_f32(
    char *group, size_t members, size_t lane, const float *w, char *head) {
  (void)members;
  (void)head;
  float weight;
  weight = w[0];
  FFN_MEMCPY(group + lane * sizeof weight, &weight, sizeof weight);
}
static const ffn_packing packing_f32 = {1, 64, 0, NULL, NULL, pack_f32, unpack_f32, NULL, NULL};

/* Packs all matrices and biases of 2 stages into `to`, at a multiple of 64 bytes. */
FFN_COLD void pack(void *to, const ffn_weights *weights) {
  ffn_packed_header *header = (ffn_packed_header *)to;
  float group[1]; /* of an output, as numbers */
  ffn_pack_header(
      header, forward.packed_hash, weights, 0);
  FFN_ASSERT(ffn_pack_apart(to, WEIGHT_BYTES, stages, 2, weights));
  ffn_pack_stage(
      header, &packing_f32, GATE_UP_AT, GATE_UP_WIDTH, 0,
      stages, 0, weights, group);
  ffn_pack_stage(
      header, &packing_f32, DOWN_AT, DOWN_WIDTH, 0,
      stages, 1, weights, group);
}

/* Unpacks all matrices and biases of 2 stages from `from`, at a multiple of 64 bytes. */
FFN_COLD void unpack(ffn_unpacked *to, const void *from) {
  const ffn_packed_header *header = (const ffn_packed_header *)from;
  float group[1];
  FFN_ASSERT(to && from && (uintptr_t)from % FFN_ALIGNMENT == 0);
  FFN_ASSERT(ffn_packed_is(from, forward.packed_hash));
  FFN_MEMCPY(to->parameters, header->parameters, sizeof to->parameters);
  ffn_unpack_stage(
      to, header, &packing_f32, GATE_UP_AT, GATE_UP_WIDTH, 0,
      stages, 0, group);
  ffn_unpack_stage(
      to, header, &packing_f32, DOWN_AT, DOWN_WIDTH, 0,
      stages, 1, group);
}
#endif

static const ffn_stage_layout layouts[] = {
    {FFN_IF_PACK(&packing_f32), GATE_UP_WIDTH, GATE_UP_BUNDLE},
    {FFN_IF_PACK(&packing_f32), DOWN_WIDTH, DOWN_BUNDLE},
};

static const ffn_staged by_stage = {&forward, layouts};

/* All rows of a call through all 2 stages; x and y begin at any float. */
static void run_forward(const ffn_kernel *kernel, const ffn_call *call) {
  ffn_pass_run(&forward, kernel, call);
}

/* What the descriptors of all CPUs are; they differ in what they choose. */
#define DESCRIPTOR(symbol, profile, choices) \
  { \
    symbol, /* name */ \
    "ffn_swiglu_d512_f1365_f32", /* layer */ \
    "ffn_swiglu_d512_f1365_f32", /* packed */ \
    FFN_KIND_FFN, /* kind */ \
    FFN_SWIGLU, /* variant */ \
    FFN_F32, /* dtype */ \
    FFN_ISA_AVX2, /* isa */ \
    profile, /* profile */ \
    0, /* max_tokens */ \
    GATE_UP_INPUTS, /* inputs */ \
    GATE_UP_OUTPUTS, /* hidden */ \
    DOWN_OUTPUTS, /* outputs */ \
    0, /* bias */ \
    0, /* dropout */ \
    0, /* runtime_parameters */ \
    2, /* stage_count */ \
    stages, /* stages */ \
    WEIGHT_BYTES, /* packed_bytes */ \
    ROWS, /* work_rows */ \
    WORK_ROW, /* work_row_bytes */ \
    BESIDE, /* work_beside_bytes */ \
    1, /* in_place */ \
    FFN_ADDS, /* adds */ \
    0, /* stages_share_x */ \
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS + \
            2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */ \
    FFN_IF_PACK(pack), /* pack */ \
    FFN_IF_PACK(unpack), /* unpack */ \
    run_forward, /* run */ \
    choices, /* choices */ \
    FFN_IF_STAGES(&by_stage), /* staged */ \
  }

/* any CPU: what loses least on those that were measured. */
static const ffn_choices suited = {4, 4, 0, 8192, 1, 0, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx2", FFN_PROFILE_ANY, &suited);

/* Intel, from Skylake-X to Granite Rapids. */
static const ffn_choices suited_intel = {8, 4, 8192, 8192, 1, 0, 16384};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_intel;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_intel = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx2_intel", FFN_PROFILE_INTEL, &suited_intel);

/* AMD Zen 2 and Zen 3. */
static const ffn_choices suited_zen2 = {4, 4, 0, 8192, 1, 0, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_zen2;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_zen2 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx2_zen2", FFN_PROFILE_ZEN2, &suited_zen2);

/* AMD Zen 4. */
static const ffn_choices suited_zen4 = {4, 4, 0, 12288, 2, 1, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_zen4;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_zen4 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx2_zen4", FFN_PROFILE_ZEN4, &suited_zen4);

/* AMD Zen 5. */
static const ffn_choices suited_zen5 = {4, 2, 0, 8192, 1, 0, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_zen5;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx2_zen5 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx2_zen5", FFN_PROFILE_ZEN5, &suited_zen5);
#undef DESCRIPTOR
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
FFN_EXACT_END
