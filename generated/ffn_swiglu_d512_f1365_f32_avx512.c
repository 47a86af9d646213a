/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_avx512
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for avx512
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu
 * Templates  file, sizes, rows, call, tile, loop, ascend, before_k, step, finish, weights, chunk,
 *            strips, columns, add, tables, api, staged, descriptor, about
 * Tiles      gate_up: rows x columns 1 x 128, 2 x 64, 6 x 32, 14 x 16, 2 branches, at most 31 of 32
 *            registers
 * Tiles      down: rows x columns 2 x 128, 6 x 64, 14 x 32, 1 branch, at most 31 of 32 registers
 * CPU        any CPU: what loses least on those that were measured: 4 panels side by side; fetched
 *            ahead: nothing at 1 to 4 rows, 8192 bytes at more
 * CPU        Intel, from Skylake-X to Granite Rapids: 8 panels side by side; fetched ahead: 8192
 *            bytes at 1 to 4 rows, of compressed weights 16384 bytes into L2, too, 8192 bytes at
 *            more
 * CPU        AMD Zen 4: 4 panels side by side; fetched ahead: nothing at 1 to 4 rows, 12288 bytes
 *            at more, into L2; lines read twice at 1 row
 * CPU        AMD Zen 5: 4 panels side by side; fetched ahead: nothing at 1 to 2 rows, 8192 bytes at
 *            more
 * Walk       224 rows at a time; activations as [k block][row][k]
 * Cost       4193280 flop per token; 8431680 bytes of packed weights; 2236416 bytes of work memory
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
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f,fma")
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
};

enum {
  OWN_ROWS = 28, /* threads that would have fewer share all rows */
  ROWS = 224, /* of one walk, at most */
  OPERAND1 = 2048, /* bytes of each in work memory: x */
  OPERAND2 = 5632, /* bytes of each in work memory: h */
  SUM = 2304, /* and sums */
  ADD = 512, /* columns of each that are added to y at a time */
  WORK_ROW = 9984, /* bytes of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

enum { WEIGHT_BYTES = 8431680 };

/* Adds neighbours to what was kept of their sums. */
FFN_SHARED void ffn_take_4_avx512(
    const float *kept, __m512 *a, __m512 *b, __m512 *c, __m512 *d) {
  *a = _mm512_add_ps(_mm512_load_ps(kept), *a);
  *b = _mm512_add_ps(_mm512_load_ps(kept + 16), *b);
  *c = _mm512_add_ps(_mm512_load_ps(kept + 32), *c);
  *d = _mm512_add_ps(_mm512_load_ps(kept + 48), *d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_avx512(
    float *kept, const __m512 a, const __m512 b, const __m512 c, const __m512 d) {
  _mm512_store_ps(kept, a);
  _mm512_store_ps(kept + 16, b);
  _mm512_store_ps(kept + 32, c);
  _mm512_store_ps(kept + 48, d);
}

/* Adds neighbours to what was kept of their sums. */
FFN_SHARED void ffn_take_2_avx512(
    const float *kept, __m512 *a, __m512 *b) {
  *a = _mm512_add_ps(_mm512_load_ps(kept), *a);
  *b = _mm512_add_ps(_mm512_load_ps(kept + 16), *b);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_2_avx512(
    float *kept, const __m512 a, const __m512 b) {
  _mm512_store_ps(kept, a);
  _mm512_store_ps(kept + 16, b);
}

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24. Elfwing et al., arXiv:1702.03118;
 * swiglu: Shazeer, arXiv:2002.05202. In each of 16 lanes. */
FFN_INLINE __m512 act_silu(const __m512 x) {
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
  const __m512 size = _mm512_abs_ps(x);
  const __m512 a = _mm512_min_ps(_mm512_set1_ps(vanishes), size);
  const __m512 shifted = _mm512_fmadd_ps(a, _mm512_set1_ps(per_one), _mm512_set1_ps(magic));
  const __m512 steps = _mm512_sub_ps(shifted, _mm512_set1_ps(magic));
  const __m512i bits = _mm512_castps_si512(shifted);
  const __m512i n = _mm512_sub_epi32(bits, _mm512_set1_epi32(magic_bits));
  const __m512 nearly_r = _mm512_fnmadd_ps(steps, _mm512_set1_ps(high), a);
  const __m512 r = _mm512_fnmadd_ps(steps, _mm512_set1_ps(low), nearly_r);
  const __m512 poly = _mm512_fmadd_ps(_mm512_set1_ps(e6), r, _mm512_set1_ps(e5));
  const __m512 poly_2 = _mm512_fmadd_ps(poly, r, _mm512_set1_ps(e4));
  const __m512 poly_3 = _mm512_fmadd_ps(poly_2, r, _mm512_set1_ps(e3));
  const __m512 poly_4 = _mm512_fmadd_ps(poly_3, r, _mm512_set1_ps(e2));
  const __m512 poly_5 = _mm512_fmadd_ps(poly_4, r, _mm512_set1_ps(e1));
  const __m512 p = _mm512_fmadd_ps(poly_5, r, _mm512_set1_ps(1.0f));
  const __m512i biased = _mm512_add_epi32(n, _mm512_set1_epi32(exponent_of_1));
  const __m512i exponent = _mm512_slli_epi32(biased, 23);
  const __m512 scale = _mm512_castsi512_ps(exponent);
  const __m512 denominator = _mm512_fmadd_ps(p, scale, _mm512_set1_ps(down));
  const __m512 tail = _mm512_div_ps(a, denominator);
  const __m512 relu = _mm512_max_ps(_mm512_set1_ps(0.0f), x);
  return _mm512_fnmadd_ps(tail, _mm512_set1_ps(down), relu);
}

/* sum[row][branch][128] (+)= a w: one row x 128 columns of each branch, at most 128 k from block
 * * 128 on, in 18 of 32 registers. `sum` begins at a multiple of 64 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void gate_up_sums_tile_128(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero, s0_5 = zero,
      s0_6 = zero, s0_7 = zero, s0_8 = zero, s0_9 = zero, s0_10 = zero, s0_11 = zero,
      s0_12 = zero, s0_13 = zero, s0_14 = zero, s0_15 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_UNROLL
        for (size_t bundle = 0; bundle < 8; ++bundle) {
          ffn_fetch_as(fetches, next + bundle * GATE_UP_BUNDLE);
          ffn_fetch_as(fetches, next + bundle * GATE_UP_BUNDLE + 64);
        }
        next += advance;
      } else if (fetches == FFN_FETCHES_TWICE) {
        FFN_TOUCH(w);
        FFN_TOUCH(w + GATE_UP_BUNDLE);
        FFN_TOUCH(w + 2 * GATE_UP_BUNDLE);
        FFN_TOUCH(w + 3 * GATE_UP_BUNDLE);
        FFN_TOUCH(w + 4 * GATE_UP_BUNDLE);
        FFN_TOUCH(w + 5 * GATE_UP_BUNDLE);
        FFN_TOUCH(w + 6 * GATE_UP_BUNDLE);
        FFN_TOUCH(w + 7 * GATE_UP_BUNDLE);
      }
      const __m512 w0 = _mm512_load_ps((const float *)(w));
      const __m512 w1 = _mm512_load_ps((const float *)(w + GATE_UP_BUNDLE));
      const __m512 w2 = _mm512_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE));
      const __m512 w3 = _mm512_load_ps((const float *)(w + 3 * GATE_UP_BUNDLE));
      const __m512 w4 = _mm512_load_ps((const float *)(w + 4 * GATE_UP_BUNDLE));
      const __m512 w5 = _mm512_load_ps((const float *)(w + 5 * GATE_UP_BUNDLE));
      const __m512 w6 = _mm512_load_ps((const float *)(w + 6 * GATE_UP_BUNDLE));
      const __m512 w7 = _mm512_load_ps((const float *)(w + 7 * GATE_UP_BUNDLE));
      const __m512 w8 = _mm512_load_ps((const float *)(w + 64));
      const __m512 w9 = _mm512_load_ps((const float *)(w + GATE_UP_BUNDLE + 64));
      const __m512 w10 = _mm512_load_ps((const float *)(w + 2 * GATE_UP_BUNDLE + 64));
      const __m512 w11 = _mm512_load_ps((const float *)(w + 3 * GATE_UP_BUNDLE + 64));
      const __m512 w12 = _mm512_load_ps((const float *)(w + 4 * GATE_UP_BUNDLE + 64));
      const __m512 w13 = _mm512_load_ps((const float *)(w + 5 * GATE_UP_BUNDLE + 64));
      const __m512 w14 = _mm512_load_ps((const float *)(w + 6 * GATE_UP_BUNDLE + 64));
      const __m512 w15 = _mm512_load_ps((const float *)(w + 7 * GATE_UP_BUNDLE + 64));
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x0, w1, s0_1);
      s0_2 = _mm512_fmadd_ps(x0, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x0, w3, s0_3);
      s0_4 = _mm512_fmadd_ps(x0, w4, s0_4);
      s0_5 = _mm512_fmadd_ps(x0, w5, s0_5);
      s0_6 = _mm512_fmadd_ps(x0, w6, s0_6);
      s0_7 = _mm512_fmadd_ps(x0, w7, s0_7);
      s0_8 = _mm512_fmadd_ps(x0, w8, s0_8);
      s0_9 = _mm512_fmadd_ps(x0, w9, s0_9);
      s0_10 = _mm512_fmadd_ps(x0, w10, s0_10);
      s0_11 = _mm512_fmadd_ps(x0, w11, s0_11);
      s0_12 = _mm512_fmadd_ps(x0, w12, s0_12);
      s0_13 = _mm512_fmadd_ps(x0, w13, s0_13);
      s0_14 = _mm512_fmadd_ps(x0, w14, s0_14);
      s0_15 = _mm512_fmadd_ps(x0, w15, s0_15);
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_avx512(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_avx512(sum + 64, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_avx512(sum + 128, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_avx512(sum + 192, &s0_12, &s0_13, &s0_14, &s0_15);
  }
  ffn_keep_4_avx512(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_avx512(sum + 64, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_avx512(sum + 128, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_avx512(sum + 192, s0_12, s0_13, s0_14, s0_15);
}

/* The 256 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_128(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
  (void)rows;
  if (fetches == FFN_FETCHES_TWICE)
    gate_up_sums_tile_128(sum, a, w, block, ahead, FFN_FETCHES_TWICE, 1);
  else if (fetches != FFN_FETCHES_NONE)
    gate_up_sums_tile_128(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1);
  else
    gate_up_sums_tile_128(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
}

/* sum[row][8][16] (+)= a w: at most 2 rows x 128 sums, the k of a block, in 25 of 32 registers.
 * `sum` begins at a multiple of 64 bytes, `w` of 64, `a` of 4. `rows` is a constant at each
 * call: what fewer rows do not use compiles away. Sizes, in capitals, are those of the caller,
 * and constants. */
FFN_INLINE void sums_tile_2x8(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows,
    const size_t COUNT, const size_t PARTS, const size_t ROW, const size_t BUNDLE,
    const size_t SECOND, const size_t EVERY, const size_t STEP) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero, s0_4 = zero, s0_5 = zero,
      s0_6 = zero, s0_7 = zero;
  __m512 s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero, s1_4 = zero, s1_5 = zero,
      s1_6 = zero, s1_7 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)COUNT;
       k < COUNT;
       end = COUNT, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        if (PARTS)
          FFN_FETCH(a + ROW * (size_t)rows + k * (size_t)rows);
        FFN_UNROLL
        for (size_t bundle = 0; bundle < 4; ++bundle) {
          ffn_fetch_as(fetches, next + bundle * BUNDLE);
          ffn_fetch_as(fetches, next + bundle * BUNDLE + SECOND);
        }
        next += advance;
      } else if (fetches == FFN_FETCHES_TWICE && k % EVERY == 0) {
        FFN_TOUCH(w);
        FFN_TOUCH(w + BUNDLE);
        FFN_TOUCH(w + 2 * BUNDLE);
        FFN_TOUCH(w + 3 * BUNDLE);
        if (EVERY > 1) {
          FFN_TOUCH(w + SECOND);
          FFN_TOUCH(w + BUNDLE + SECOND);
          FFN_TOUCH(w + 2 * BUNDLE + SECOND);
          FFN_TOUCH(w + 3 * BUNDLE + SECOND);
        }
      }
      const __m512 w0 = _mm512_load_ps((const float *)(w));
      const __m512 w1 = _mm512_load_ps((const float *)(w + BUNDLE));
      const __m512 w2 = _mm512_load_ps((const float *)(w + 2 * BUNDLE));
      const __m512 w3 = _mm512_load_ps((const float *)(w + 3 * BUNDLE));
      const __m512 w4 = _mm512_load_ps((const float *)(w + SECOND));
      const __m512 w5 = _mm512_load_ps((const float *)(w + BUNDLE + SECOND));
      const __m512 w6 = _mm512_load_ps((const float *)(w + 2 * BUNDLE + SECOND));
      const __m512 w7 = _mm512_load_ps((const float *)(w + 3 * BUNDLE + SECOND));
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x0, w1, s0_1);
      s0_2 = _mm512_fmadd_ps(x0, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x0, w3, s0_3);
      s0_4 = _mm512_fmadd_ps(x0, w4, s0_4);
      s0_5 = _mm512_fmadd_ps(x0, w5, s0_5);
      s0_6 = _mm512_fmadd_ps(x0, w6, s0_6);
      s0_7 = _mm512_fmadd_ps(x0, w7, s0_7);
      if (rows > 1) {
        const __m512 x1 = _mm512_set1_ps(a[k + ROW]);
        s1_0 = _mm512_fmadd_ps(x1, w0, s1_0);
        s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
        s1_2 = _mm512_fmadd_ps(x1, w2, s1_2);
        s1_3 = _mm512_fmadd_ps(x1, w3, s1_3);
        s1_4 = _mm512_fmadd_ps(x1, w4, s1_4);
        s1_5 = _mm512_fmadd_ps(x1, w5, s1_5);
        s1_6 = _mm512_fmadd_ps(x1, w6, s1_6);
        s1_7 = _mm512_fmadd_ps(x1, w7, s1_7);
      }
      w += STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_avx512(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_avx512(sum + 64, &s0_4, &s0_5, &s0_6, &s0_7);
    if (rows > 1) {
      ffn_take_4_avx512(sum + 128, &s1_0, &s1_1, &s1_2, &s1_3);
      ffn_take_4_avx512(sum + 192, &s1_4, &s1_5, &s1_6, &s1_7);
    }
  }
  ffn_keep_4_avx512(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_avx512(sum + 64, s0_4, s0_5, s0_6, s0_7);
  if (rows > 1) {
    ffn_keep_4_avx512(sum + 128, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_4_avx512(sum + 192, s1_4, s1_5, s1_6, s1_7);
  }
}

/* The 128 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. Sizes, in capitals, are those of the caller, and constants. */
FFN_INLINE void sums_2x8(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows,
    const size_t COUNT, const size_t PARTS, const size_t ROW, const size_t BUNDLE,
    const size_t SECOND, const size_t EVERY, const size_t STEP) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches == FFN_FETCHES_TWICE)
      sums_tile_2x8(sum, a, w, block, ahead, FFN_FETCHES_TWICE, 1, COUNT, PARTS, ROW, BUNDLE,
          SECOND, EVERY, STEP);
    else if (fetches != FFN_FETCHES_NONE)
      sums_tile_2x8(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1, COUNT, PARTS, ROW, BUNDLE, SECOND,
          EVERY, STEP);
    else
      sums_tile_2x8(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1, COUNT, PARTS, ROW, BUNDLE, SECOND,
          EVERY, STEP);
    break;
  case 2:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_2x8(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 2, COUNT, PARTS, ROW, BUNDLE, SECOND,
          EVERY, STEP);
    else
      sums_tile_2x8(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2, COUNT, PARTS, ROW, BUNDLE, SECOND,
          EVERY, STEP);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* The 128 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  sums_2x8(sum, a, w, block, ahead, fetches, rows, GATE_UP_BLOCK, 0, GATE_UP_ROW,
    GATE_UP_BUNDLE, 64, 1, GATE_UP_STEP);
}

/* sum[row][4][16] (+)= a w: at most 6 rows x 64 sums, the k of a block, in 29 of 32 registers.
 * `sum` begins at a multiple of 64 bytes, `w` of 64, `a` of 4. `rows` is a constant at each
 * call: what fewer rows do not use compiles away. Sizes, in capitals, are those of the caller,
 * and constants. */
FFN_INLINE void sums_tile_6x4(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows,
    const size_t COUNT, const size_t PARTS, const size_t ROW, const size_t SECOND,
    const size_t BUNDLE, const size_t EVERY, const size_t STEP) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0 = zero, s0_1 = zero, s0_2 = zero, s0_3 = zero;
  __m512 s1_0 = zero, s1_1 = zero, s1_2 = zero, s1_3 = zero;
  __m512 s2_0 = zero, s2_1 = zero, s2_2 = zero, s2_3 = zero;
  __m512 s3_0 = zero, s3_1 = zero, s3_2 = zero, s3_3 = zero;
  __m512 s4_0 = zero, s4_1 = zero, s4_2 = zero, s4_3 = zero;
  __m512 s5_0 = zero, s5_1 = zero, s5_2 = zero, s5_3 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)COUNT;
       k < COUNT;
       end = COUNT, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        if (PARTS)
          FFN_FETCH(a + ROW * (size_t)rows + k * (size_t)rows);
        ffn_fetch_as(fetches, next);
        ffn_fetch_as(fetches, next + SECOND);
        ffn_fetch_as(fetches, next + BUNDLE);
        ffn_fetch_as(fetches, next + BUNDLE + SECOND);
        next += advance;
      } else if (fetches == FFN_FETCHES_TWICE && k % EVERY == 0) {
        FFN_TOUCH(w);
        FFN_TOUCH(w + BUNDLE);
        if (EVERY > 1) {
          FFN_TOUCH(w + SECOND);
          FFN_TOUCH(w + BUNDLE + SECOND);
        }
      }
      const __m512 w0 = _mm512_load_ps((const float *)(w));
      const __m512 w1 = _mm512_load_ps((const float *)(w + BUNDLE));
      const __m512 w2 = _mm512_load_ps((const float *)(w + SECOND));
      const __m512 w3 = _mm512_load_ps((const float *)(w + BUNDLE + SECOND));
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x0, w1, s0_1);
      s0_2 = _mm512_fmadd_ps(x0, w2, s0_2);
      s0_3 = _mm512_fmadd_ps(x0, w3, s0_3);
      if (rows > 1) {
        const __m512 x1 = _mm512_set1_ps(a[k + ROW]);
        s1_0 = _mm512_fmadd_ps(x1, w0, s1_0);
        s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
        s1_2 = _mm512_fmadd_ps(x1, w2, s1_2);
        s1_3 = _mm512_fmadd_ps(x1, w3, s1_3);
      }
      if (rows > 2) {
        const __m512 x2 = _mm512_set1_ps(a[k + 2 * ROW]);
        s2_0 = _mm512_fmadd_ps(x2, w0, s2_0);
        s2_1 = _mm512_fmadd_ps(x2, w1, s2_1);
        s2_2 = _mm512_fmadd_ps(x2, w2, s2_2);
        s2_3 = _mm512_fmadd_ps(x2, w3, s2_3);
      }
      if (rows > 3) {
        const __m512 x3 = _mm512_set1_ps(a[k + 3 * ROW]);
        s3_0 = _mm512_fmadd_ps(x3, w0, s3_0);
        s3_1 = _mm512_fmadd_ps(x3, w1, s3_1);
        s3_2 = _mm512_fmadd_ps(x3, w2, s3_2);
        s3_3 = _mm512_fmadd_ps(x3, w3, s3_3);
      }
      if (rows > 4) {
        const __m512 x4 = _mm512_set1_ps(a[k + 4 * ROW]);
        s4_0 = _mm512_fmadd_ps(x4, w0, s4_0);
        s4_1 = _mm512_fmadd_ps(x4, w1, s4_1);
        s4_2 = _mm512_fmadd_ps(x4, w2, s4_2);
        s4_3 = _mm512_fmadd_ps(x4, w3, s4_3);
      }
      if (rows > 5) {
        const __m512 x5 = _mm512_set1_ps(a[k + 5 * ROW]);
        s5_0 = _mm512_fmadd_ps(x5, w0, s5_0);
        s5_1 = _mm512_fmadd_ps(x5, w1, s5_1);
        s5_2 = _mm512_fmadd_ps(x5, w2, s5_2);
        s5_3 = _mm512_fmadd_ps(x5, w3, s5_3);
      }
      w += STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_avx512(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    if (rows > 1)
      ffn_take_4_avx512(sum + 64, &s1_0, &s1_1, &s1_2, &s1_3);
    if (rows > 2)
      ffn_take_4_avx512(sum + 128, &s2_0, &s2_1, &s2_2, &s2_3);
    if (rows > 3)
      ffn_take_4_avx512(sum + 192, &s3_0, &s3_1, &s3_2, &s3_3);
    if (rows > 4)
      ffn_take_4_avx512(sum + 256, &s4_0, &s4_1, &s4_2, &s4_3);
    if (rows > 5)
      ffn_take_4_avx512(sum + 320, &s5_0, &s5_1, &s5_2, &s5_3);
  }
  ffn_keep_4_avx512(sum, s0_0, s0_1, s0_2, s0_3);
  if (rows > 1)
    ffn_keep_4_avx512(sum + 64, s1_0, s1_1, s1_2, s1_3);
  if (rows > 2)
    ffn_keep_4_avx512(sum + 128, s2_0, s2_1, s2_2, s2_3);
  if (rows > 3)
    ffn_keep_4_avx512(sum + 192, s3_0, s3_1, s3_2, s3_3);
  if (rows > 4)
    ffn_keep_4_avx512(sum + 256, s4_0, s4_1, s4_2, s4_3);
  if (rows > 5)
    ffn_keep_4_avx512(sum + 320, s5_0, s5_1, s5_2, s5_3);
}

/* The 64 sums of each of 1 to 6 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. Sizes, in capitals, are those of the caller, and constants. */
FFN_INLINE void sums_6x4(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows,
    const size_t COUNT, const size_t PARTS, const size_t ROW, const size_t SECOND,
    const size_t BUNDLE, const size_t EVERY, const size_t STEP) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches == FFN_FETCHES_TWICE)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_TWICE, 1, COUNT, PARTS, ROW, SECOND,
          BUNDLE, EVERY, STEP);
    else if (fetches != FFN_FETCHES_NONE)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    else
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    break;
  case 2:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 2, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    else
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    break;
  case 3:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 3, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    else
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    break;
  case 4:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 4, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    else
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NONE, 4, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    break;
  case 5:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_FAR, 5, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    else
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 5, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    break;
  case 6:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_FAR, 6, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    else
      sums_tile_6x4(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 6, COUNT, PARTS, ROW, SECOND, BUNDLE,
          EVERY, STEP);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* The 64 sums of each of 1 to 6 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  sums_6x4(sum, a, w, block, ahead, fetches, rows, GATE_UP_BLOCK, 0, GATE_UP_ROW, 64,
    GATE_UP_BUNDLE, 1, GATE_UP_STEP);
}

/* sum[row][2][16] (+)= a w: at most 14 rows x 32 sums, the k of a block, in 31 of 32 registers.
 * `sum` begins at a multiple of 64 bytes, `w` of 64, `a` of 4. `rows` is a constant at each
 * call: what fewer rows do not use compiles away. Sizes, in capitals, are those of the caller,
 * and constants. */
FFN_INLINE void sums_tile_14x2(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows,
    const size_t COUNT, const size_t PARTS, const size_t ROW, const size_t SECOND,
    const size_t EVERY, const size_t STEP) {
  const __m512 zero = _mm512_setzero_ps();
  __m512 s0_0 = zero, s0_1 = zero;
  __m512 s1_0 = zero, s1_1 = zero;
  __m512 s2_0 = zero, s2_1 = zero;
  __m512 s3_0 = zero, s3_1 = zero;
  __m512 s4_0 = zero, s4_1 = zero;
  __m512 s5_0 = zero, s5_1 = zero;
  __m512 s6_0 = zero, s6_1 = zero;
  __m512 s7_0 = zero, s7_1 = zero;
  __m512 s8_0 = zero, s8_1 = zero;
  __m512 s9_0 = zero, s9_1 = zero;
  __m512 s10_0 = zero, s10_1 = zero;
  __m512 s11_0 = zero, s11_1 = zero;
  __m512 s12_0 = zero, s12_1 = zero;
  __m512 s13_0 = zero, s13_1 = zero;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)COUNT;
       k < COUNT;
       end = COUNT, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        if (PARTS)
          FFN_FETCH(a + ROW * (size_t)rows + k * (size_t)rows);
        ffn_fetch_as(fetches, next);
        ffn_fetch_as(fetches, next + SECOND);
        next += advance;
      } else if (fetches == FFN_FETCHES_TWICE && k % EVERY == 0) {
        FFN_TOUCH(w);
        if (EVERY > 1)
          FFN_TOUCH(w + SECOND);
      }
      const __m512 w0 = _mm512_load_ps((const float *)(w));
      const __m512 w1 = _mm512_load_ps((const float *)(w + SECOND));
      const __m512 x0 = _mm512_set1_ps(a[k]);
      s0_0 = _mm512_fmadd_ps(x0, w0, s0_0);
      s0_1 = _mm512_fmadd_ps(x0, w1, s0_1);
      if (rows > 1) {
        const __m512 x1 = _mm512_set1_ps(a[k + ROW]);
        s1_0 = _mm512_fmadd_ps(x1, w0, s1_0);
        s1_1 = _mm512_fmadd_ps(x1, w1, s1_1);
      }
      if (rows > 2) {
        const __m512 x2 = _mm512_set1_ps(a[k + 2 * ROW]);
        s2_0 = _mm512_fmadd_ps(x2, w0, s2_0);
        s2_1 = _mm512_fmadd_ps(x2, w1, s2_1);
      }
      if (rows > 3) {
        const __m512 x3 = _mm512_set1_ps(a[k + 3 * ROW]);
        s3_0 = _mm512_fmadd_ps(x3, w0, s3_0);
        s3_1 = _mm512_fmadd_ps(x3, w1, s3_1);
      }
      if (rows > 4) {
        const __m512 x4 = _mm512_set1_ps(a[k + 4 * ROW]);
        s4_0 = _mm512_fmadd_ps(x4, w0, s4_0);
        s4_1 = _mm512_fmadd_ps(x4, w1, s4_1);
      }
      if (rows > 5) {
        const __m512 x5 = _mm512_set1_ps(a[k + 5 * ROW]);
        s5_0 = _mm512_fmadd_ps(x5, w0, s5_0);
        s5_1 = _mm512_fmadd_ps(x5, w1, s5_1);
      }
      if (rows > 6) {
        const __m512 x6 = _mm512_set1_ps(a[k + 6 * ROW]);
        s6_0 = _mm512_fmadd_ps(x6, w0, s6_0);
        s6_1 = _mm512_fmadd_ps(x6, w1, s6_1);
      }
      if (rows > 7) {
        const __m512 x7 = _mm512_set1_ps(a[k + 7 * ROW]);
        s7_0 = _mm512_fmadd_ps(x7, w0, s7_0);
        s7_1 = _mm512_fmadd_ps(x7, w1, s7_1);
      }
      if (rows > 8) {
        const __m512 x8 = _mm512_set1_ps(a[k + 8 * ROW]);
        s8_0 = _mm512_fmadd_ps(x8, w0, s8_0);
        s8_1 = _mm512_fmadd_ps(x8, w1, s8_1);
      }
      if (rows > 9) {
        const __m512 x9 = _mm512_set1_ps(a[k + 9 * ROW]);
        s9_0 = _mm512_fmadd_ps(x9, w0, s9_0);
        s9_1 = _mm512_fmadd_ps(x9, w1, s9_1);
      }
      if (rows > 10) {
        const __m512 x10 = _mm512_set1_ps(a[k + 10 * ROW]);
        s10_0 = _mm512_fmadd_ps(x10, w0, s10_0);
        s10_1 = _mm512_fmadd_ps(x10, w1, s10_1);
      }
      if (rows > 11) {
        const __m512 x11 = _mm512_set1_ps(a[k + 11 * ROW]);
        s11_0 = _mm512_fmadd_ps(x11, w0, s11_0);
        s11_1 = _mm512_fmadd_ps(x11, w1, s11_1);
      }
      if (rows > 12) {
        const __m512 x12 = _mm512_set1_ps(a[k + 12 * ROW]);
        s12_0 = _mm512_fmadd_ps(x12, w0, s12_0);
        s12_1 = _mm512_fmadd_ps(x12, w1, s12_1);
      }
      if (rows > 13) {
        const __m512 x13 = _mm512_set1_ps(a[k + 13 * ROW]);
        s13_0 = _mm512_fmadd_ps(x13, w0, s13_0);
        s13_1 = _mm512_fmadd_ps(x13, w1, s13_1);
      }
      w += STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_2_avx512(sum, &s0_0, &s0_1);
    if (rows > 1)
      ffn_take_2_avx512(sum + 32, &s1_0, &s1_1);
    if (rows > 2)
      ffn_take_2_avx512(sum + 64, &s2_0, &s2_1);
    if (rows > 3)
      ffn_take_2_avx512(sum + 96, &s3_0, &s3_1);
    if (rows > 4)
      ffn_take_2_avx512(sum + 128, &s4_0, &s4_1);
    if (rows > 5)
      ffn_take_2_avx512(sum + 160, &s5_0, &s5_1);
    if (rows > 6)
      ffn_take_2_avx512(sum + 192, &s6_0, &s6_1);
    if (rows > 7)
      ffn_take_2_avx512(sum + 224, &s7_0, &s7_1);
    if (rows > 8)
      ffn_take_2_avx512(sum + 256, &s8_0, &s8_1);
    if (rows > 9)
      ffn_take_2_avx512(sum + 288, &s9_0, &s9_1);
    if (rows > 10)
      ffn_take_2_avx512(sum + 320, &s10_0, &s10_1);
    if (rows > 11)
      ffn_take_2_avx512(sum + 352, &s11_0, &s11_1);
    if (rows > 12)
      ffn_take_2_avx512(sum + 384, &s12_0, &s12_1);
    if (rows > 13)
      ffn_take_2_avx512(sum + 416, &s13_0, &s13_1);
  }
  ffn_keep_2_avx512(sum, s0_0, s0_1);
  if (rows > 1)
    ffn_keep_2_avx512(sum + 32, s1_0, s1_1);
  if (rows > 2)
    ffn_keep_2_avx512(sum + 64, s2_0, s2_1);
  if (rows > 3)
    ffn_keep_2_avx512(sum + 96, s3_0, s3_1);
  if (rows > 4)
    ffn_keep_2_avx512(sum + 128, s4_0, s4_1);
  if (rows > 5)
    ffn_keep_2_avx512(sum + 160, s5_0, s5_1);
  if (rows > 6)
    ffn_keep_2_avx512(sum + 192, s6_0, s6_1);
  if (rows > 7)
    ffn_keep_2_avx512(sum + 224, s7_0, s7_1);
  if (rows > 8)
    ffn_keep_2_avx512(sum + 256, s8_0, s8_1);
  if (rows > 9)
    ffn_keep_2_avx512(sum + 288, s9_0, s9_1);
  if (rows > 10)
    ffn_keep_2_avx512(sum + 320, s10_0, s10_1);
  if (rows > 11)
    ffn_keep_2_avx512(sum + 352, s11_0, s11_1);
  if (rows > 12)
    ffn_keep_2_avx512(sum + 384, s12_0, s12_1);
  if (rows > 13)
    ffn_keep_2_avx512(sum + 416, s13_0, s13_1);
}

/* The 32 sums of each of 1 to 14 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. Sizes, in capitals, are those of the caller, and constants. */
FFN_INLINE void sums_14x2(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows,
    const size_t COUNT, const size_t PARTS, const size_t ROW, const size_t SECOND,
    const size_t EVERY, const size_t STEP) {
  (void)fetches;
  switch (rows) {
  case 1:
    if (fetches == FFN_FETCHES_TWICE)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_TWICE, 1, COUNT, PARTS, ROW, SECOND,
          EVERY, STEP);
    else if (fetches != FFN_FETCHES_NONE)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 1, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 2:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 2, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 3:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 3, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 4:
    if (fetches != FFN_FETCHES_NONE)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 4, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NONE, 4, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 5:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 5, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 5, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 6:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 6, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 6, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 7:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 7, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 7, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 8:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 8, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 8, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 9:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 9, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 9, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    break;
  case 10:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 10, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 10, COUNT, PARTS, ROW, SECOND,
          EVERY, STEP);
    break;
  case 11:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 11, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 11, COUNT, PARTS, ROW, SECOND,
          EVERY, STEP);
    break;
  case 12:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 12, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 12, COUNT, PARTS, ROW, SECOND,
          EVERY, STEP);
    break;
  case 13:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 13, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 13, COUNT, PARTS, ROW, SECOND,
          EVERY, STEP);
    break;
  case 14:
    if (fetches >= FFN_FETCHES_FAR)
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_FAR, 14, COUNT, PARTS, ROW, SECOND, EVERY,
          STEP);
    else
      sums_tile_14x2(sum, a, w, block, ahead, FFN_FETCHES_NEAR, 14, COUNT, PARTS, ROW, SECOND,
          EVERY, STEP);
    break;
  default:
    FFN_ASSERT(0);
  }
}

/* The 32 sums of each of 1 to 14 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  sums_14x2(sum, a, w, block, ahead, fetches, rows, GATE_UP_BLOCK, 1, GATE_UP_ROW, 64, 1,
    GATE_UP_STEP);
}

/* h = silu(gate) * up, of all rows x `cols` columns from `column` on, in 7 of 32 registers;
 * beyond the last output it meets zero weights. `sum` begins at a multiple of 64 bytes, `out` of
 * 64. */
FFN_NOINLINE void gate_up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += 2 * cols) {
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const __m512 gate = _mm512_load_ps(sum + c);
      const __m512 up = _mm512_load_ps(sum + cols + c);
      _mm512_store_ps(out, _mm512_mul_ps(act_silu(gate), up));
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
  const int twice = task->rows == 1 && task->choices->reread;
  const int fetches = ffn_fetches(ahead, shares, task->choices->fetch_level, twice, 0);
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
  while (task->rows <= 1 && task->choices->streams >= 8 && task->last - column >= 128)
    column += gate_up_chunk(task, column, 128, 1, gate_up_sums_128);
  while (task->rows <= 2 && task->last - column >= 64)
    column += gate_up_chunk(task, column, 64, 2, gate_up_sums_64);
  while (task->rows <= 6 && task->last - column >= 32)
    column += gate_up_chunk(task, column, 32, 6, gate_up_sums_32);
  while (column < task->last)
    column += gate_up_chunk(task, column, 16, 14, gate_up_sums_16);
}

/* The 128 sums of each of 1 to 2 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_128(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  sums_2x8(sum, a, w, block, ahead, fetches, rows,
    block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, 0, DOWN_ROW, DOWN_BUNDLE,
    4 * DOWN_BUNDLE, 2, DOWN_STEP);
}

/* The 64 sums of each of 1 to 6 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  sums_6x4(sum, a, w, block, ahead, fetches, rows,
    block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, 0, DOWN_ROW, 2 * DOWN_BUNDLE,
    DOWN_BUNDLE, 2, DOWN_STEP);
}

/* The 32 sums of each of 1 to 14 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_32(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  sums_14x2(sum, a, w, block, ahead, fetches, rows,
    block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, 1, DOWN_ROW, DOWN_BUNDLE, 2, DOWN_STEP);
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 64
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + row * task->out_stride + column + c;
      const __m512 down = _mm512_load_ps(sum + c);
      _mm512_storeu_ps(out, down);
    }
  }
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
  while (task->rows <= 2 && task->choices->streams >= 8 && task->last - column >= 128)
    column += down_chunk(task, column, 128, 2, down_sums_128);
  while (task->rows <= 6 && task->last - column >= 64)
    column += down_chunk(task, column, 64, 6, down_sums_64);
  while (column < task->last)
    column += down_chunk(task, column, 32, 14, down_sums_32);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const __m512 by = _mm512_set1_ps(scale);
  size_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm512_storeu_ps(y + i, _mm512_fmadd_ps(by, _mm512_loadu_ps(row + i), _mm512_loadu_ps(y + i)));
  if (i < count) {
    float from[16] = {0}, to[16] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    _mm512_storeu_ps(to, _mm512_fmadd_ps(by, _mm512_loadu_ps(from), _mm512_loadu_ps(to)));
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
    FFN_ISA_AVX512, /* isa */ \
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
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx512", FFN_PROFILE_ANY, &suited);

/* Intel, from Skylake-X to Granite Rapids. */
static const ffn_choices suited_intel = {8, 4, 8192, 8192, 1, 0, 16384};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512_intel;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512_intel = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx512_intel", FFN_PROFILE_INTEL, &suited_intel);

/* AMD Zen 4. */
static const ffn_choices suited_zen4 = {4, 4, 0, 12288, 2, 1, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512_zen4;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512_zen4 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx512_zen4", FFN_PROFILE_ZEN4, &suited_zen4);

/* AMD Zen 5. */
static const ffn_choices suited_zen5 = {4, 2, 0, 8192, 1, 0, 0};
extern const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512_zen5;
const ffn_kernel ffn_swiglu_d512_f1365_f32_avx512_zen5 = DESCRIPTOR(
    "ffn_swiglu_d512_f1365_f32_avx512_zen5", FFN_PROFILE_ZEN5, &suited_zen5);
#undef DESCRIPTOR
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
FFN_EXACT_END
