/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_swiglu_d512_f1365_f32_c
 * FFN swiglu, 512 -> 1365 -> 512, no bias, f32, for c
 * SwiGLU 512 -> 1365 -> 512: d_ff is int(8 d / 3), no biases
 *
 *     h = silu(x W_gate^T) * (x W_up^T)
 *     y = h W_down^T
 *
 * Remake     ffngen generate
 * Spec       notebook_swiglu
 * Templates  file, sizes, rows, call, tile, loop, ascend, before_k, step, finish, weights, chunk,
 *            strips, columns, add, tables, api, staged, descriptor, about
 * Tiles      gate_up: rows x columns 1 x 32, 3 x 8, 2 branches, at most 66 scalars
 * Tiles      down: rows x columns 1 x 64, 3 x 16, 1 branch, at most 66 scalars
 * Walk       222 rows at a time; activations as [k block][row][k]
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
  GATE_UP_AHEAD = 8192, /* bytes of a tile's weights that are fetched ahead */
  GATE_UP_FEW_ROWS = 4, /* at most: what they fetch ahead is a choice of its own */
  GATE_UP_FEW_AHEAD = 0,
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
  DOWN_AHEAD = 8192, /* bytes of a tile's weights that are fetched ahead */
  DOWN_FEW_ROWS = 4, /* at most: what they fetch ahead is a choice of its own */
  DOWN_FEW_AHEAD = 0,
};

enum {
  OWN_ROWS = 6, /* threads that would have fewer share all rows */
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
FFN_SHARED void ffn_take_4_c(
    const float *kept, float *a, float *b, float *c, float *d) {
  *a = (*(kept) + *a);
  *b = (*(kept + 1) + *b);
  *c = (*(kept + 2) + *c);
  *d = (*(kept + 3) + *d);
}

/* Keeps sums side by side. */
FFN_SHARED void ffn_keep_4_c(
    float *kept, const float a, const float b, const float c, const float d) {
  *(kept) = a;
  *(kept + 1) = b;
  *(kept + 2) = c;
  *(kept + 3) = d;
}

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24. Elfwing et al., arXiv:1702.03118;
 * swiglu: Shazeer, arXiv:2002.05202. Of one float. */
FFN_INLINE float act_silu(const float x) {
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
  const float size = ffn_abs(x);
  const float a = (size > vanishes ? vanishes : size);
  const float shifted = ffn_fma(a, per_one, magic);
  const float steps = (shifted - magic);
  const int32_t bits = ffn_bits(shifted);
  const int32_t n = (int32_t)((uint32_t)bits - (uint32_t)magic_bits);
  const float nearly_r = ffn_fma(-(steps), high, a);
  const float r = ffn_fma(-(steps), low, nearly_r);
  const float poly = ffn_fma(e6, r, e5);
  const float poly_2 = ffn_fma(poly, r, e4);
  const float poly_3 = ffn_fma(poly_2, r, e3);
  const float poly_4 = ffn_fma(poly_3, r, e2);
  const float poly_5 = ffn_fma(poly_4, r, e1);
  const float p = ffn_fma(poly_5, r, 1.0f);
  const int32_t biased = (n + exponent_of_1);
  const int32_t exponent = (int32_t)((uint32_t)biased << 23);
  const float scale = ffn_from_bits(exponent);
  const float denominator = ffn_fma(p, scale, down);
  const float tail = (a / denominator);
  const float relu = (x < 0.0f ? 0.0f : x);
  return ffn_fma(-(tail), down, relu);
}

#if !FFN_WIDE
/* sum[row][branch][32] (+)= a w: one row x 32 columns of each branch, at most 128 k from block *
 * 128 on, in 66 scalars. `sum` begins at a multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void gate_up_sums_tile_32(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  (void)lane;
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
      s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
      s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f, s0_16 = 0.0f, s0_17 = 0.0f,
      s0_18 = 0.0f, s0_19 = 0.0f, s0_20 = 0.0f, s0_21 = 0.0f, s0_22 = 0.0f, s0_23 = 0.0f,
      s0_24 = 0.0f, s0_25 = 0.0f, s0_26 = 0.0f, s0_27 = 0.0f, s0_28 = 0.0f, s0_29 = 0.0f,
      s0_30 = 0.0f, s0_31 = 0.0f, s0_32 = 0.0f, s0_33 = 0.0f, s0_34 = 0.0f, s0_35 = 0.0f,
      s0_36 = 0.0f, s0_37 = 0.0f, s0_38 = 0.0f, s0_39 = 0.0f, s0_40 = 0.0f, s0_41 = 0.0f,
      s0_42 = 0.0f, s0_43 = 0.0f, s0_44 = 0.0f, s0_45 = 0.0f, s0_46 = 0.0f, s0_47 = 0.0f,
      s0_48 = 0.0f, s0_49 = 0.0f, s0_50 = 0.0f, s0_51 = 0.0f, s0_52 = 0.0f, s0_53 = 0.0f,
      s0_54 = 0.0f, s0_55 = 0.0f, s0_56 = 0.0f, s0_57 = 0.0f, s0_58 = 0.0f, s0_59 = 0.0f,
      s0_60 = 0.0f, s0_61 = 0.0f, s0_62 = 0.0f, s0_63 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        FFN_FETCH(next + GATE_UP_BUNDLE);
        FFN_FETCH(next + GATE_UP_BUNDLE + 64);
        next += advance;
      }
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 32));
      const float w9 = *((const float *)(w + 36));
      const float w10 = *((const float *)(w + 40));
      const float w11 = *((const float *)(w + 44));
      const float w12 = *((const float *)(w + 48));
      const float w13 = *((const float *)(w + 52));
      const float w14 = *((const float *)(w + 56));
      const float w15 = *((const float *)(w + 60));
      const float w16 = *((const float *)(w + GATE_UP_BUNDLE));
      const float w17 = *((const float *)(w + GATE_UP_BUNDLE + 4));
      const float w18 = *((const float *)(w + GATE_UP_BUNDLE + 8));
      const float w19 = *((const float *)(w + GATE_UP_BUNDLE + 12));
      const float w20 = *((const float *)(w + GATE_UP_BUNDLE + 16));
      const float w21 = *((const float *)(w + GATE_UP_BUNDLE + 20));
      const float w22 = *((const float *)(w + GATE_UP_BUNDLE + 24));
      const float w23 = *((const float *)(w + GATE_UP_BUNDLE + 28));
      const float w24 = *((const float *)(w + GATE_UP_BUNDLE + 32));
      const float w25 = *((const float *)(w + GATE_UP_BUNDLE + 36));
      const float w26 = *((const float *)(w + GATE_UP_BUNDLE + 40));
      const float w27 = *((const float *)(w + GATE_UP_BUNDLE + 44));
      const float w28 = *((const float *)(w + GATE_UP_BUNDLE + 48));
      const float w29 = *((const float *)(w + GATE_UP_BUNDLE + 52));
      const float w30 = *((const float *)(w + GATE_UP_BUNDLE + 56));
      const float w31 = *((const float *)(w + GATE_UP_BUNDLE + 60));
      const float w32 = *((const float *)(w + 64));
      const float w33 = *((const float *)(w + 68));
      const float w34 = *((const float *)(w + 72));
      const float w35 = *((const float *)(w + 76));
      const float w36 = *((const float *)(w + 80));
      const float w37 = *((const float *)(w + 84));
      const float w38 = *((const float *)(w + 88));
      const float w39 = *((const float *)(w + 92));
      const float w40 = *((const float *)(w + 96));
      const float w41 = *((const float *)(w + 100));
      const float w42 = *((const float *)(w + 104));
      const float w43 = *((const float *)(w + 108));
      const float w44 = *((const float *)(w + 112));
      const float w45 = *((const float *)(w + 116));
      const float w46 = *((const float *)(w + 120));
      const float w47 = *((const float *)(w + 124));
      const float w48 = *((const float *)(w + GATE_UP_BUNDLE + 64));
      const float w49 = *((const float *)(w + GATE_UP_BUNDLE + 68));
      const float w50 = *((const float *)(w + GATE_UP_BUNDLE + 72));
      const float w51 = *((const float *)(w + GATE_UP_BUNDLE + 76));
      const float w52 = *((const float *)(w + GATE_UP_BUNDLE + 80));
      const float w53 = *((const float *)(w + GATE_UP_BUNDLE + 84));
      const float w54 = *((const float *)(w + GATE_UP_BUNDLE + 88));
      const float w55 = *((const float *)(w + GATE_UP_BUNDLE + 92));
      const float w56 = *((const float *)(w + GATE_UP_BUNDLE + 96));
      const float w57 = *((const float *)(w + GATE_UP_BUNDLE + 100));
      const float w58 = *((const float *)(w + GATE_UP_BUNDLE + 104));
      const float w59 = *((const float *)(w + GATE_UP_BUNDLE + 108));
      const float w60 = *((const float *)(w + GATE_UP_BUNDLE + 112));
      const float w61 = *((const float *)(w + GATE_UP_BUNDLE + 116));
      const float w62 = *((const float *)(w + GATE_UP_BUNDLE + 120));
      const float w63 = *((const float *)(w + GATE_UP_BUNDLE + 124));
      const float x0 = a[k];
      s0_0 = ffn_fma(x0, w0, s0_0);
      s0_1 = ffn_fma(x0, w1, s0_1);
      s0_2 = ffn_fma(x0, w2, s0_2);
      s0_3 = ffn_fma(x0, w3, s0_3);
      s0_4 = ffn_fma(x0, w4, s0_4);
      s0_5 = ffn_fma(x0, w5, s0_5);
      s0_6 = ffn_fma(x0, w6, s0_6);
      s0_7 = ffn_fma(x0, w7, s0_7);
      s0_8 = ffn_fma(x0, w8, s0_8);
      s0_9 = ffn_fma(x0, w9, s0_9);
      s0_10 = ffn_fma(x0, w10, s0_10);
      s0_11 = ffn_fma(x0, w11, s0_11);
      s0_12 = ffn_fma(x0, w12, s0_12);
      s0_13 = ffn_fma(x0, w13, s0_13);
      s0_14 = ffn_fma(x0, w14, s0_14);
      s0_15 = ffn_fma(x0, w15, s0_15);
      s0_16 = ffn_fma(x0, w16, s0_16);
      s0_17 = ffn_fma(x0, w17, s0_17);
      s0_18 = ffn_fma(x0, w18, s0_18);
      s0_19 = ffn_fma(x0, w19, s0_19);
      s0_20 = ffn_fma(x0, w20, s0_20);
      s0_21 = ffn_fma(x0, w21, s0_21);
      s0_22 = ffn_fma(x0, w22, s0_22);
      s0_23 = ffn_fma(x0, w23, s0_23);
      s0_24 = ffn_fma(x0, w24, s0_24);
      s0_25 = ffn_fma(x0, w25, s0_25);
      s0_26 = ffn_fma(x0, w26, s0_26);
      s0_27 = ffn_fma(x0, w27, s0_27);
      s0_28 = ffn_fma(x0, w28, s0_28);
      s0_29 = ffn_fma(x0, w29, s0_29);
      s0_30 = ffn_fma(x0, w30, s0_30);
      s0_31 = ffn_fma(x0, w31, s0_31);
      s0_32 = ffn_fma(x0, w32, s0_32);
      s0_33 = ffn_fma(x0, w33, s0_33);
      s0_34 = ffn_fma(x0, w34, s0_34);
      s0_35 = ffn_fma(x0, w35, s0_35);
      s0_36 = ffn_fma(x0, w36, s0_36);
      s0_37 = ffn_fma(x0, w37, s0_37);
      s0_38 = ffn_fma(x0, w38, s0_38);
      s0_39 = ffn_fma(x0, w39, s0_39);
      s0_40 = ffn_fma(x0, w40, s0_40);
      s0_41 = ffn_fma(x0, w41, s0_41);
      s0_42 = ffn_fma(x0, w42, s0_42);
      s0_43 = ffn_fma(x0, w43, s0_43);
      s0_44 = ffn_fma(x0, w44, s0_44);
      s0_45 = ffn_fma(x0, w45, s0_45);
      s0_46 = ffn_fma(x0, w46, s0_46);
      s0_47 = ffn_fma(x0, w47, s0_47);
      s0_48 = ffn_fma(x0, w48, s0_48);
      s0_49 = ffn_fma(x0, w49, s0_49);
      s0_50 = ffn_fma(x0, w50, s0_50);
      s0_51 = ffn_fma(x0, w51, s0_51);
      s0_52 = ffn_fma(x0, w52, s0_52);
      s0_53 = ffn_fma(x0, w53, s0_53);
      s0_54 = ffn_fma(x0, w54, s0_54);
      s0_55 = ffn_fma(x0, w55, s0_55);
      s0_56 = ffn_fma(x0, w56, s0_56);
      s0_57 = ffn_fma(x0, w57, s0_57);
      s0_58 = ffn_fma(x0, w58, s0_58);
      s0_59 = ffn_fma(x0, w59, s0_59);
      s0_60 = ffn_fma(x0, w60, s0_60);
      s0_61 = ffn_fma(x0, w61, s0_61);
      s0_62 = ffn_fma(x0, w62, s0_62);
      s0_63 = ffn_fma(x0, w63, s0_63);
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_c(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_c(sum + 4, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_c(sum + 8, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_c(sum + 12, &s0_12, &s0_13, &s0_14, &s0_15);
    ffn_take_4_c(sum + 16, &s0_16, &s0_17, &s0_18, &s0_19);
    ffn_take_4_c(sum + 20, &s0_20, &s0_21, &s0_22, &s0_23);
    ffn_take_4_c(sum + 24, &s0_24, &s0_25, &s0_26, &s0_27);
    ffn_take_4_c(sum + 28, &s0_28, &s0_29, &s0_30, &s0_31);
    ffn_take_4_c(sum + 32, &s0_32, &s0_33, &s0_34, &s0_35);
    ffn_take_4_c(sum + 36, &s0_36, &s0_37, &s0_38, &s0_39);
    ffn_take_4_c(sum + 40, &s0_40, &s0_41, &s0_42, &s0_43);
    ffn_take_4_c(sum + 44, &s0_44, &s0_45, &s0_46, &s0_47);
    ffn_take_4_c(sum + 48, &s0_48, &s0_49, &s0_50, &s0_51);
    ffn_take_4_c(sum + 52, &s0_52, &s0_53, &s0_54, &s0_55);
    ffn_take_4_c(sum + 56, &s0_56, &s0_57, &s0_58, &s0_59);
    ffn_take_4_c(sum + 60, &s0_60, &s0_61, &s0_62, &s0_63);
  }
  ffn_keep_4_c(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_c(sum + 4, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_c(sum + 8, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_c(sum + 12, s0_12, s0_13, s0_14, s0_15);
  ffn_keep_4_c(sum + 16, s0_16, s0_17, s0_18, s0_19);
  ffn_keep_4_c(sum + 20, s0_20, s0_21, s0_22, s0_23);
  ffn_keep_4_c(sum + 24, s0_24, s0_25, s0_26, s0_27);
  ffn_keep_4_c(sum + 28, s0_28, s0_29, s0_30, s0_31);
  ffn_keep_4_c(sum + 32, s0_32, s0_33, s0_34, s0_35);
  ffn_keep_4_c(sum + 36, s0_36, s0_37, s0_38, s0_39);
  ffn_keep_4_c(sum + 40, s0_40, s0_41, s0_42, s0_43);
  ffn_keep_4_c(sum + 44, s0_44, s0_45, s0_46, s0_47);
  ffn_keep_4_c(sum + 48, s0_48, s0_49, s0_50, s0_51);
  ffn_keep_4_c(sum + 52, s0_52, s0_53, s0_54, s0_55);
  ffn_keep_4_c(sum + 56, s0_56, s0_57, s0_58, s0_59);
  ffn_keep_4_c(sum + 60, s0_60, s0_61, s0_62, s0_63);
}
#endif

/* The 64 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_32(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  (void)lane;
  const ffn_wide_columns panel[] = {
    {w, 32},
    {w + GATE_UP_BUNDLE, 32},
    {w + 64, 32},
    {w + GATE_UP_BUNDLE + 64, 32},
  };
  ffn_wide_sums(sum, 64, a, GATE_UP_ROW, panel, 4, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
#else
  (void)rows;
  gate_up_sums_tile_32(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 1);
#endif
}

#if !FFN_WIDE
/* sum[row][branch][8] (+)= a w: at most 3 rows x 8 columns of each branch, at most 128 k from
 * block * 128 on, in 65 scalars. `sum` begins at a multiple of 4 bytes, `w` of 64, `a` of 4.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void gate_up_sums_tile_8(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  w += lane * 4;
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
      s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
      s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f;
  float s1_0 = 0.0f, s1_1 = 0.0f, s1_2 = 0.0f, s1_3 = 0.0f, s1_4 = 0.0f, s1_5 = 0.0f,
      s1_6 = 0.0f, s1_7 = 0.0f, s1_8 = 0.0f, s1_9 = 0.0f, s1_10 = 0.0f, s1_11 = 0.0f,
      s1_12 = 0.0f, s1_13 = 0.0f, s1_14 = 0.0f, s1_15 = 0.0f;
  float s2_0 = 0.0f, s2_1 = 0.0f, s2_2 = 0.0f, s2_3 = 0.0f, s2_4 = 0.0f, s2_5 = 0.0f,
      s2_6 = 0.0f, s2_7 = 0.0f, s2_8 = 0.0f, s2_9 = 0.0f, s2_10 = 0.0f, s2_11 = 0.0f,
      s2_12 = 0.0f, s2_13 = 0.0f, s2_14 = 0.0f, s2_15 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : (size_t)GATE_UP_BLOCK;
       k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        next += advance;
      }
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 64));
      const float w9 = *((const float *)(w + 68));
      const float w10 = *((const float *)(w + 72));
      const float w11 = *((const float *)(w + 76));
      const float w12 = *((const float *)(w + 80));
      const float w13 = *((const float *)(w + 84));
      const float w14 = *((const float *)(w + 88));
      const float w15 = *((const float *)(w + 92));
      const float x0 = a[k];
      s0_0 = ffn_fma(x0, w0, s0_0);
      s0_1 = ffn_fma(x0, w1, s0_1);
      s0_2 = ffn_fma(x0, w2, s0_2);
      s0_3 = ffn_fma(x0, w3, s0_3);
      s0_4 = ffn_fma(x0, w4, s0_4);
      s0_5 = ffn_fma(x0, w5, s0_5);
      s0_6 = ffn_fma(x0, w6, s0_6);
      s0_7 = ffn_fma(x0, w7, s0_7);
      s0_8 = ffn_fma(x0, w8, s0_8);
      s0_9 = ffn_fma(x0, w9, s0_9);
      s0_10 = ffn_fma(x0, w10, s0_10);
      s0_11 = ffn_fma(x0, w11, s0_11);
      s0_12 = ffn_fma(x0, w12, s0_12);
      s0_13 = ffn_fma(x0, w13, s0_13);
      s0_14 = ffn_fma(x0, w14, s0_14);
      s0_15 = ffn_fma(x0, w15, s0_15);
      if (rows > 1) {
        const float x1 = a[k + GATE_UP_ROW];
        s1_0 = ffn_fma(x1, w0, s1_0);
        s1_1 = ffn_fma(x1, w1, s1_1);
        s1_2 = ffn_fma(x1, w2, s1_2);
        s1_3 = ffn_fma(x1, w3, s1_3);
        s1_4 = ffn_fma(x1, w4, s1_4);
        s1_5 = ffn_fma(x1, w5, s1_5);
        s1_6 = ffn_fma(x1, w6, s1_6);
        s1_7 = ffn_fma(x1, w7, s1_7);
        s1_8 = ffn_fma(x1, w8, s1_8);
        s1_9 = ffn_fma(x1, w9, s1_9);
        s1_10 = ffn_fma(x1, w10, s1_10);
        s1_11 = ffn_fma(x1, w11, s1_11);
        s1_12 = ffn_fma(x1, w12, s1_12);
        s1_13 = ffn_fma(x1, w13, s1_13);
        s1_14 = ffn_fma(x1, w14, s1_14);
        s1_15 = ffn_fma(x1, w15, s1_15);
      }
      if (rows > 2) {
        const float x2 = a[k + 2 * GATE_UP_ROW];
        s2_0 = ffn_fma(x2, w0, s2_0);
        s2_1 = ffn_fma(x2, w1, s2_1);
        s2_2 = ffn_fma(x2, w2, s2_2);
        s2_3 = ffn_fma(x2, w3, s2_3);
        s2_4 = ffn_fma(x2, w4, s2_4);
        s2_5 = ffn_fma(x2, w5, s2_5);
        s2_6 = ffn_fma(x2, w6, s2_6);
        s2_7 = ffn_fma(x2, w7, s2_7);
        s2_8 = ffn_fma(x2, w8, s2_8);
        s2_9 = ffn_fma(x2, w9, s2_9);
        s2_10 = ffn_fma(x2, w10, s2_10);
        s2_11 = ffn_fma(x2, w11, s2_11);
        s2_12 = ffn_fma(x2, w12, s2_12);
        s2_13 = ffn_fma(x2, w13, s2_13);
        s2_14 = ffn_fma(x2, w14, s2_14);
        s2_15 = ffn_fma(x2, w15, s2_15);
      }
      w += GATE_UP_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_c(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_c(sum + 4, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_c(sum + 8, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_c(sum + 12, &s0_12, &s0_13, &s0_14, &s0_15);
    if (rows > 1) {
      ffn_take_4_c(sum + 16, &s1_0, &s1_1, &s1_2, &s1_3);
      ffn_take_4_c(sum + 20, &s1_4, &s1_5, &s1_6, &s1_7);
      ffn_take_4_c(sum + 24, &s1_8, &s1_9, &s1_10, &s1_11);
      ffn_take_4_c(sum + 28, &s1_12, &s1_13, &s1_14, &s1_15);
    }
    if (rows > 2) {
      ffn_take_4_c(sum + 32, &s2_0, &s2_1, &s2_2, &s2_3);
      ffn_take_4_c(sum + 36, &s2_4, &s2_5, &s2_6, &s2_7);
      ffn_take_4_c(sum + 40, &s2_8, &s2_9, &s2_10, &s2_11);
      ffn_take_4_c(sum + 44, &s2_12, &s2_13, &s2_14, &s2_15);
    }
  }
  ffn_keep_4_c(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_c(sum + 4, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_c(sum + 8, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_c(sum + 12, s0_12, s0_13, s0_14, s0_15);
  if (rows > 1) {
    ffn_keep_4_c(sum + 16, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_4_c(sum + 20, s1_4, s1_5, s1_6, s1_7);
    ffn_keep_4_c(sum + 24, s1_8, s1_9, s1_10, s1_11);
    ffn_keep_4_c(sum + 28, s1_12, s1_13, s1_14, s1_15);
  }
  if (rows > 2) {
    ffn_keep_4_c(sum + 32, s2_0, s2_1, s2_2, s2_3);
    ffn_keep_4_c(sum + 36, s2_4, s2_5, s2_6, s2_7);
    ffn_keep_4_c(sum + 40, s2_8, s2_9, s2_10, s2_11);
    ffn_keep_4_c(sum + 44, s2_12, s2_13, s2_14, s2_15);
  }
}
#endif

/* The 16 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void gate_up_sums_8(
    float *sum, const float *a, const char *w, size_t lane, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  w += lane * 4;
  const ffn_wide_columns panel[] = {
    {w, 64},
  };
  ffn_wide_sums(sum, 16, a, GATE_UP_ROW, panel, 1, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
#else
  switch (rows) {
  case 1:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    gate_up_sums_tile_8(sum, a, w, lane, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
#endif
}

/* h = silu(gate) * up, of all rows x `cols` columns from `column` on, in 7 scalars; beyond the
 * last output it meets zero weights. `sum` begins at a multiple of 4 bytes, `out` of 4. */
FFN_NOINLINE void gate_up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += 2 * cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const float gate = *(sum + c);
      const float up = *(sum + cols + c);
      *(out) = (act_silu(gate) * up);
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
 * weights while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t gate_up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most,
    void (*const sums)(float *, const float *, const char *, size_t, size_t, const ffn_ahead *,
        const int, size_t)) {
  const size_t left = task->last - column;
  const size_t strip = ffn_max(cols, GATE_UP_WIDTH); /* whole bundles */
  const size_t chunk = task->rows <= GATE_UP_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, GATE_UP_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows * (strip / cols);
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (GATE_UP_STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= GATE_UP_FEW_ROWS ? GATE_UP_FEW_AHEAD : GATE_UP_AHEAD;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / GATE_UP_WIDTH * GATE_UP_STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < GATE_UP_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * GATE_UP_BLOCK, GATE_UP_WIDTH,
          GATE_UP_BUNDLE, GATE_UP_STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * GATE_UP_BLOCK, GATE_UP_WIDTH,
            GATE_UP_BUNDLE, GATE_UP_STEP);
      else if (block + 1 < GATE_UP_BLOCKS)
        then = weights_at(task, column, (block + 1) * GATE_UP_BLOCK, GATE_UP_WIDTH, GATE_UP_BUNDLE,
            GATE_UP_STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, GATE_UP_WIDTH, GATE_UP_BUNDLE, GATE_UP_STEP);
      const size_t count = GATE_UP_BLOCK; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * GATE_UP_STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + 2 * (c * task->rows + row * cols);
          const float *a = task->in + (block * task->rows + row) * GATE_UP_ROW;
          const char *w = weights;
          const size_t lane = c - g;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), then, mine, count - early, 0};
          ++turn;
          sums(sum, a, w, lane, block, &share, fetches, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    gate_up_finish(task, task->sum + 2 * c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void gate_up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += gate_up_chunk(task, column, 32, 1, gate_up_sums_32);
  while (column < task->last)
    column += gate_up_chunk(task, column, 8, FFN_TILE_ROWS(3), gate_up_sums_8);
}

#if !FFN_WIDE
/* sum[row][branch][64] (+)= a w: one row x 64 columns, at most 128 k from block * 128 on, in 66
 * scalars. `sum` begins at a multiple of 4 bytes, `w` of 64, `a` of 4. */
FFN_INLINE void down_sums_tile_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  (void)rows;
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
      s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
      s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f, s0_16 = 0.0f, s0_17 = 0.0f,
      s0_18 = 0.0f, s0_19 = 0.0f, s0_20 = 0.0f, s0_21 = 0.0f, s0_22 = 0.0f, s0_23 = 0.0f,
      s0_24 = 0.0f, s0_25 = 0.0f, s0_26 = 0.0f, s0_27 = 0.0f, s0_28 = 0.0f, s0_29 = 0.0f,
      s0_30 = 0.0f, s0_31 = 0.0f, s0_32 = 0.0f, s0_33 = 0.0f, s0_34 = 0.0f, s0_35 = 0.0f,
      s0_36 = 0.0f, s0_37 = 0.0f, s0_38 = 0.0f, s0_39 = 0.0f, s0_40 = 0.0f, s0_41 = 0.0f,
      s0_42 = 0.0f, s0_43 = 0.0f, s0_44 = 0.0f, s0_45 = 0.0f, s0_46 = 0.0f, s0_47 = 0.0f,
      s0_48 = 0.0f, s0_49 = 0.0f, s0_50 = 0.0f, s0_51 = 0.0f, s0_52 = 0.0f, s0_53 = 0.0f,
      s0_54 = 0.0f, s0_55 = 0.0f, s0_56 = 0.0f, s0_57 = 0.0f, s0_58 = 0.0f, s0_59 = 0.0f,
      s0_60 = 0.0f, s0_61 = 0.0f, s0_62 = 0.0f, s0_63 = 0.0f;
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
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 32));
      const float w9 = *((const float *)(w + 36));
      const float w10 = *((const float *)(w + 40));
      const float w11 = *((const float *)(w + 44));
      const float w12 = *((const float *)(w + 48));
      const float w13 = *((const float *)(w + 52));
      const float w14 = *((const float *)(w + 56));
      const float w15 = *((const float *)(w + 60));
      const float w16 = *((const float *)(w + DOWN_BUNDLE));
      const float w17 = *((const float *)(w + DOWN_BUNDLE + 4));
      const float w18 = *((const float *)(w + DOWN_BUNDLE + 8));
      const float w19 = *((const float *)(w + DOWN_BUNDLE + 12));
      const float w20 = *((const float *)(w + DOWN_BUNDLE + 16));
      const float w21 = *((const float *)(w + DOWN_BUNDLE + 20));
      const float w22 = *((const float *)(w + DOWN_BUNDLE + 24));
      const float w23 = *((const float *)(w + DOWN_BUNDLE + 28));
      const float w24 = *((const float *)(w + DOWN_BUNDLE + 32));
      const float w25 = *((const float *)(w + DOWN_BUNDLE + 36));
      const float w26 = *((const float *)(w + DOWN_BUNDLE + 40));
      const float w27 = *((const float *)(w + DOWN_BUNDLE + 44));
      const float w28 = *((const float *)(w + DOWN_BUNDLE + 48));
      const float w29 = *((const float *)(w + DOWN_BUNDLE + 52));
      const float w30 = *((const float *)(w + DOWN_BUNDLE + 56));
      const float w31 = *((const float *)(w + DOWN_BUNDLE + 60));
      const float w32 = *((const float *)(w + 2 * DOWN_BUNDLE));
      const float w33 = *((const float *)(w + 2 * DOWN_BUNDLE + 4));
      const float w34 = *((const float *)(w + 2 * DOWN_BUNDLE + 8));
      const float w35 = *((const float *)(w + 2 * DOWN_BUNDLE + 12));
      const float w36 = *((const float *)(w + 2 * DOWN_BUNDLE + 16));
      const float w37 = *((const float *)(w + 2 * DOWN_BUNDLE + 20));
      const float w38 = *((const float *)(w + 2 * DOWN_BUNDLE + 24));
      const float w39 = *((const float *)(w + 2 * DOWN_BUNDLE + 28));
      const float w40 = *((const float *)(w + 2 * DOWN_BUNDLE + 32));
      const float w41 = *((const float *)(w + 2 * DOWN_BUNDLE + 36));
      const float w42 = *((const float *)(w + 2 * DOWN_BUNDLE + 40));
      const float w43 = *((const float *)(w + 2 * DOWN_BUNDLE + 44));
      const float w44 = *((const float *)(w + 2 * DOWN_BUNDLE + 48));
      const float w45 = *((const float *)(w + 2 * DOWN_BUNDLE + 52));
      const float w46 = *((const float *)(w + 2 * DOWN_BUNDLE + 56));
      const float w47 = *((const float *)(w + 2 * DOWN_BUNDLE + 60));
      const float w48 = *((const float *)(w + 3 * DOWN_BUNDLE));
      const float w49 = *((const float *)(w + 3 * DOWN_BUNDLE + 4));
      const float w50 = *((const float *)(w + 3 * DOWN_BUNDLE + 8));
      const float w51 = *((const float *)(w + 3 * DOWN_BUNDLE + 12));
      const float w52 = *((const float *)(w + 3 * DOWN_BUNDLE + 16));
      const float w53 = *((const float *)(w + 3 * DOWN_BUNDLE + 20));
      const float w54 = *((const float *)(w + 3 * DOWN_BUNDLE + 24));
      const float w55 = *((const float *)(w + 3 * DOWN_BUNDLE + 28));
      const float w56 = *((const float *)(w + 3 * DOWN_BUNDLE + 32));
      const float w57 = *((const float *)(w + 3 * DOWN_BUNDLE + 36));
      const float w58 = *((const float *)(w + 3 * DOWN_BUNDLE + 40));
      const float w59 = *((const float *)(w + 3 * DOWN_BUNDLE + 44));
      const float w60 = *((const float *)(w + 3 * DOWN_BUNDLE + 48));
      const float w61 = *((const float *)(w + 3 * DOWN_BUNDLE + 52));
      const float w62 = *((const float *)(w + 3 * DOWN_BUNDLE + 56));
      const float w63 = *((const float *)(w + 3 * DOWN_BUNDLE + 60));
      const float x0 = a[k];
      s0_0 = ffn_fma(x0, w0, s0_0);
      s0_1 = ffn_fma(x0, w1, s0_1);
      s0_2 = ffn_fma(x0, w2, s0_2);
      s0_3 = ffn_fma(x0, w3, s0_3);
      s0_4 = ffn_fma(x0, w4, s0_4);
      s0_5 = ffn_fma(x0, w5, s0_5);
      s0_6 = ffn_fma(x0, w6, s0_6);
      s0_7 = ffn_fma(x0, w7, s0_7);
      s0_8 = ffn_fma(x0, w8, s0_8);
      s0_9 = ffn_fma(x0, w9, s0_9);
      s0_10 = ffn_fma(x0, w10, s0_10);
      s0_11 = ffn_fma(x0, w11, s0_11);
      s0_12 = ffn_fma(x0, w12, s0_12);
      s0_13 = ffn_fma(x0, w13, s0_13);
      s0_14 = ffn_fma(x0, w14, s0_14);
      s0_15 = ffn_fma(x0, w15, s0_15);
      s0_16 = ffn_fma(x0, w16, s0_16);
      s0_17 = ffn_fma(x0, w17, s0_17);
      s0_18 = ffn_fma(x0, w18, s0_18);
      s0_19 = ffn_fma(x0, w19, s0_19);
      s0_20 = ffn_fma(x0, w20, s0_20);
      s0_21 = ffn_fma(x0, w21, s0_21);
      s0_22 = ffn_fma(x0, w22, s0_22);
      s0_23 = ffn_fma(x0, w23, s0_23);
      s0_24 = ffn_fma(x0, w24, s0_24);
      s0_25 = ffn_fma(x0, w25, s0_25);
      s0_26 = ffn_fma(x0, w26, s0_26);
      s0_27 = ffn_fma(x0, w27, s0_27);
      s0_28 = ffn_fma(x0, w28, s0_28);
      s0_29 = ffn_fma(x0, w29, s0_29);
      s0_30 = ffn_fma(x0, w30, s0_30);
      s0_31 = ffn_fma(x0, w31, s0_31);
      s0_32 = ffn_fma(x0, w32, s0_32);
      s0_33 = ffn_fma(x0, w33, s0_33);
      s0_34 = ffn_fma(x0, w34, s0_34);
      s0_35 = ffn_fma(x0, w35, s0_35);
      s0_36 = ffn_fma(x0, w36, s0_36);
      s0_37 = ffn_fma(x0, w37, s0_37);
      s0_38 = ffn_fma(x0, w38, s0_38);
      s0_39 = ffn_fma(x0, w39, s0_39);
      s0_40 = ffn_fma(x0, w40, s0_40);
      s0_41 = ffn_fma(x0, w41, s0_41);
      s0_42 = ffn_fma(x0, w42, s0_42);
      s0_43 = ffn_fma(x0, w43, s0_43);
      s0_44 = ffn_fma(x0, w44, s0_44);
      s0_45 = ffn_fma(x0, w45, s0_45);
      s0_46 = ffn_fma(x0, w46, s0_46);
      s0_47 = ffn_fma(x0, w47, s0_47);
      s0_48 = ffn_fma(x0, w48, s0_48);
      s0_49 = ffn_fma(x0, w49, s0_49);
      s0_50 = ffn_fma(x0, w50, s0_50);
      s0_51 = ffn_fma(x0, w51, s0_51);
      s0_52 = ffn_fma(x0, w52, s0_52);
      s0_53 = ffn_fma(x0, w53, s0_53);
      s0_54 = ffn_fma(x0, w54, s0_54);
      s0_55 = ffn_fma(x0, w55, s0_55);
      s0_56 = ffn_fma(x0, w56, s0_56);
      s0_57 = ffn_fma(x0, w57, s0_57);
      s0_58 = ffn_fma(x0, w58, s0_58);
      s0_59 = ffn_fma(x0, w59, s0_59);
      s0_60 = ffn_fma(x0, w60, s0_60);
      s0_61 = ffn_fma(x0, w61, s0_61);
      s0_62 = ffn_fma(x0, w62, s0_62);
      s0_63 = ffn_fma(x0, w63, s0_63);
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_c(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_c(sum + 4, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_c(sum + 8, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_c(sum + 12, &s0_12, &s0_13, &s0_14, &s0_15);
    ffn_take_4_c(sum + 16, &s0_16, &s0_17, &s0_18, &s0_19);
    ffn_take_4_c(sum + 20, &s0_20, &s0_21, &s0_22, &s0_23);
    ffn_take_4_c(sum + 24, &s0_24, &s0_25, &s0_26, &s0_27);
    ffn_take_4_c(sum + 28, &s0_28, &s0_29, &s0_30, &s0_31);
    ffn_take_4_c(sum + 32, &s0_32, &s0_33, &s0_34, &s0_35);
    ffn_take_4_c(sum + 36, &s0_36, &s0_37, &s0_38, &s0_39);
    ffn_take_4_c(sum + 40, &s0_40, &s0_41, &s0_42, &s0_43);
    ffn_take_4_c(sum + 44, &s0_44, &s0_45, &s0_46, &s0_47);
    ffn_take_4_c(sum + 48, &s0_48, &s0_49, &s0_50, &s0_51);
    ffn_take_4_c(sum + 52, &s0_52, &s0_53, &s0_54, &s0_55);
    ffn_take_4_c(sum + 56, &s0_56, &s0_57, &s0_58, &s0_59);
    ffn_take_4_c(sum + 60, &s0_60, &s0_61, &s0_62, &s0_63);
  }
  ffn_keep_4_c(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_c(sum + 4, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_c(sum + 8, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_c(sum + 12, s0_12, s0_13, s0_14, s0_15);
  ffn_keep_4_c(sum + 16, s0_16, s0_17, s0_18, s0_19);
  ffn_keep_4_c(sum + 20, s0_20, s0_21, s0_22, s0_23);
  ffn_keep_4_c(sum + 24, s0_24, s0_25, s0_26, s0_27);
  ffn_keep_4_c(sum + 28, s0_28, s0_29, s0_30, s0_31);
  ffn_keep_4_c(sum + 32, s0_32, s0_33, s0_34, s0_35);
  ffn_keep_4_c(sum + 36, s0_36, s0_37, s0_38, s0_39);
  ffn_keep_4_c(sum + 40, s0_40, s0_41, s0_42, s0_43);
  ffn_keep_4_c(sum + 44, s0_44, s0_45, s0_46, s0_47);
  ffn_keep_4_c(sum + 48, s0_48, s0_49, s0_50, s0_51);
  ffn_keep_4_c(sum + 52, s0_52, s0_53, s0_54, s0_55);
  ffn_keep_4_c(sum + 56, s0_56, s0_57, s0_58, s0_59);
  ffn_keep_4_c(sum + 60, s0_60, s0_61, s0_62, s0_63);
}
#endif

/* The 64 sums of one row, by the tile; pointers begin as the tile says. */
FFN_NOINLINE void down_sums_64(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  const ffn_wide_columns panel[] = {
    {w, 32},
    {w + DOWN_BUNDLE, 32},
    {w + 2 * DOWN_BUNDLE, 32},
    {w + 3 * DOWN_BUNDLE, 32},
  };
  ffn_wide_sums(sum, 64, a, DOWN_ROW, panel, 4, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
#else
  (void)rows;
  down_sums_tile_64(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
#endif
}

#if !FFN_WIDE
/* sum[row][branch][16] (+)= a w: at most 3 rows x 16 columns, at most 128 k from block * 128 on,
 * in 65 scalars. `sum` begins at a multiple of 4 bytes, `w` of 64, `a` of 4. `rows` is a
 * constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, const int rows) {
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  float s0_0 = 0.0f, s0_1 = 0.0f, s0_2 = 0.0f, s0_3 = 0.0f, s0_4 = 0.0f, s0_5 = 0.0f,
      s0_6 = 0.0f, s0_7 = 0.0f, s0_8 = 0.0f, s0_9 = 0.0f, s0_10 = 0.0f, s0_11 = 0.0f,
      s0_12 = 0.0f, s0_13 = 0.0f, s0_14 = 0.0f, s0_15 = 0.0f;
  float s1_0 = 0.0f, s1_1 = 0.0f, s1_2 = 0.0f, s1_3 = 0.0f, s1_4 = 0.0f, s1_5 = 0.0f,
      s1_6 = 0.0f, s1_7 = 0.0f, s1_8 = 0.0f, s1_9 = 0.0f, s1_10 = 0.0f, s1_11 = 0.0f,
      s1_12 = 0.0f, s1_13 = 0.0f, s1_14 = 0.0f, s1_15 = 0.0f;
  float s2_0 = 0.0f, s2_1 = 0.0f, s2_2 = 0.0f, s2_3 = 0.0f, s2_4 = 0.0f, s2_5 = 0.0f,
      s2_6 = 0.0f, s2_7 = 0.0f, s2_8 = 0.0f, s2_9 = 0.0f, s2_10 = 0.0f, s2_11 = 0.0f,
      s2_12 = 0.0f, s2_13 = 0.0f, s2_14 = 0.0f, s2_15 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches >= FFN_FETCHES_NEAR ? ahead->until : count;
       k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > FFN_FETCHES_NONE) {
        FFN_FETCH(next);
        next += advance;
      }
      const float w0 = *((const float *)(w));
      const float w1 = *((const float *)(w + 4));
      const float w2 = *((const float *)(w + 8));
      const float w3 = *((const float *)(w + 12));
      const float w4 = *((const float *)(w + 16));
      const float w5 = *((const float *)(w + 20));
      const float w6 = *((const float *)(w + 24));
      const float w7 = *((const float *)(w + 28));
      const float w8 = *((const float *)(w + 32));
      const float w9 = *((const float *)(w + 36));
      const float w10 = *((const float *)(w + 40));
      const float w11 = *((const float *)(w + 44));
      const float w12 = *((const float *)(w + 48));
      const float w13 = *((const float *)(w + 52));
      const float w14 = *((const float *)(w + 56));
      const float w15 = *((const float *)(w + 60));
      const float x0 = a[k];
      s0_0 = ffn_fma(x0, w0, s0_0);
      s0_1 = ffn_fma(x0, w1, s0_1);
      s0_2 = ffn_fma(x0, w2, s0_2);
      s0_3 = ffn_fma(x0, w3, s0_3);
      s0_4 = ffn_fma(x0, w4, s0_4);
      s0_5 = ffn_fma(x0, w5, s0_5);
      s0_6 = ffn_fma(x0, w6, s0_6);
      s0_7 = ffn_fma(x0, w7, s0_7);
      s0_8 = ffn_fma(x0, w8, s0_8);
      s0_9 = ffn_fma(x0, w9, s0_9);
      s0_10 = ffn_fma(x0, w10, s0_10);
      s0_11 = ffn_fma(x0, w11, s0_11);
      s0_12 = ffn_fma(x0, w12, s0_12);
      s0_13 = ffn_fma(x0, w13, s0_13);
      s0_14 = ffn_fma(x0, w14, s0_14);
      s0_15 = ffn_fma(x0, w15, s0_15);
      if (rows > 1) {
        const float x1 = a[k + DOWN_ROW];
        s1_0 = ffn_fma(x1, w0, s1_0);
        s1_1 = ffn_fma(x1, w1, s1_1);
        s1_2 = ffn_fma(x1, w2, s1_2);
        s1_3 = ffn_fma(x1, w3, s1_3);
        s1_4 = ffn_fma(x1, w4, s1_4);
        s1_5 = ffn_fma(x1, w5, s1_5);
        s1_6 = ffn_fma(x1, w6, s1_6);
        s1_7 = ffn_fma(x1, w7, s1_7);
        s1_8 = ffn_fma(x1, w8, s1_8);
        s1_9 = ffn_fma(x1, w9, s1_9);
        s1_10 = ffn_fma(x1, w10, s1_10);
        s1_11 = ffn_fma(x1, w11, s1_11);
        s1_12 = ffn_fma(x1, w12, s1_12);
        s1_13 = ffn_fma(x1, w13, s1_13);
        s1_14 = ffn_fma(x1, w14, s1_14);
        s1_15 = ffn_fma(x1, w15, s1_15);
      }
      if (rows > 2) {
        const float x2 = a[k + 2 * DOWN_ROW];
        s2_0 = ffn_fma(x2, w0, s2_0);
        s2_1 = ffn_fma(x2, w1, s2_1);
        s2_2 = ffn_fma(x2, w2, s2_2);
        s2_3 = ffn_fma(x2, w3, s2_3);
        s2_4 = ffn_fma(x2, w4, s2_4);
        s2_5 = ffn_fma(x2, w5, s2_5);
        s2_6 = ffn_fma(x2, w6, s2_6);
        s2_7 = ffn_fma(x2, w7, s2_7);
        s2_8 = ffn_fma(x2, w8, s2_8);
        s2_9 = ffn_fma(x2, w9, s2_9);
        s2_10 = ffn_fma(x2, w10, s2_10);
        s2_11 = ffn_fma(x2, w11, s2_11);
        s2_12 = ffn_fma(x2, w12, s2_12);
        s2_13 = ffn_fma(x2, w13, s2_13);
        s2_14 = ffn_fma(x2, w14, s2_14);
        s2_15 = ffn_fma(x2, w15, s2_15);
      }
      w += DOWN_STEP;
    } while (++k != end);
  }
  if (block > 0) {
    ffn_take_4_c(sum, &s0_0, &s0_1, &s0_2, &s0_3);
    ffn_take_4_c(sum + 4, &s0_4, &s0_5, &s0_6, &s0_7);
    ffn_take_4_c(sum + 8, &s0_8, &s0_9, &s0_10, &s0_11);
    ffn_take_4_c(sum + 12, &s0_12, &s0_13, &s0_14, &s0_15);
    if (rows > 1) {
      ffn_take_4_c(sum + 16, &s1_0, &s1_1, &s1_2, &s1_3);
      ffn_take_4_c(sum + 20, &s1_4, &s1_5, &s1_6, &s1_7);
      ffn_take_4_c(sum + 24, &s1_8, &s1_9, &s1_10, &s1_11);
      ffn_take_4_c(sum + 28, &s1_12, &s1_13, &s1_14, &s1_15);
    }
    if (rows > 2) {
      ffn_take_4_c(sum + 32, &s2_0, &s2_1, &s2_2, &s2_3);
      ffn_take_4_c(sum + 36, &s2_4, &s2_5, &s2_6, &s2_7);
      ffn_take_4_c(sum + 40, &s2_8, &s2_9, &s2_10, &s2_11);
      ffn_take_4_c(sum + 44, &s2_12, &s2_13, &s2_14, &s2_15);
    }
  }
  ffn_keep_4_c(sum, s0_0, s0_1, s0_2, s0_3);
  ffn_keep_4_c(sum + 4, s0_4, s0_5, s0_6, s0_7);
  ffn_keep_4_c(sum + 8, s0_8, s0_9, s0_10, s0_11);
  ffn_keep_4_c(sum + 12, s0_12, s0_13, s0_14, s0_15);
  if (rows > 1) {
    ffn_keep_4_c(sum + 16, s1_0, s1_1, s1_2, s1_3);
    ffn_keep_4_c(sum + 20, s1_4, s1_5, s1_6, s1_7);
    ffn_keep_4_c(sum + 24, s1_8, s1_9, s1_10, s1_11);
    ffn_keep_4_c(sum + 28, s1_12, s1_13, s1_14, s1_15);
  }
  if (rows > 2) {
    ffn_keep_4_c(sum + 32, s2_0, s2_1, s2_2, s2_3);
    ffn_keep_4_c(sum + 36, s2_4, s2_5, s2_6, s2_7);
    ffn_keep_4_c(sum + 40, s2_8, s2_9, s2_10, s2_11);
    ffn_keep_4_c(sum + 44, s2_12, s2_13, s2_14, s2_15);
  }
}
#endif

/* The 16 sums of each of 1 to 3 rows, by the tile: each number of rows is a loop of its own;
 * pointers begin as the tile says. */
FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const char *w, size_t block, const ffn_ahead *ahead,
    const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  const ffn_wide_columns panel[] = {
    {w, 32},
  };
  ffn_wide_sums(sum, 16, a, DOWN_ROW, panel, 1, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
#else
  switch (rows) {
  case 1:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 1);
    break;
  case 2:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 2);
    break;
  case 3:
    down_sums_tile_16(sum, a, w, block, ahead, FFN_FETCHES_NONE, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
#endif
}

/* y = down, of all rows x `cols` columns from `column` on. `sum` begins at a multiple of 4
 * bytes, `out` of 4. */
FFN_NOINLINE void down_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out = task->out + row * task->out_stride + column + c;
      const float down = *(sum + c);
      *(out) = down;
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
  const size_t left = task->last - column;
  const size_t strip = cols;
  const size_t chunk = task->rows <= DOWN_STREAM_ROWS ? strip
      : ffn_min(left / strip * strip, DOWN_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows;
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (DOWN_STEP + shares - 1) / shares;
  const size_t ahead = task->rows <= DOWN_FEW_ROWS ? DOWN_FEW_AHEAD : DOWN_AHEAD;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (strip / DOWN_WIDTH * DOWN_STEP);
  const int fetches = ffn_fetches(ahead, shares, 1, 0, 0);
  for (size_t block = 0; block < DOWN_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += strip) {
      const char *weights = weights_at(task, column + g, block * DOWN_BLOCK, DOWN_WIDTH,
          DOWN_BUNDLE, DOWN_STEP);
      const char *then = weights; /* what comes next */
      if (g + strip < chunk)
        then = weights_at(task, column + g + strip, block * DOWN_BLOCK, DOWN_WIDTH, DOWN_BUNDLE,
            DOWN_STEP);
      else if (block + 1 < DOWN_BLOCKS)
        then = weights_at(task, column, (block + 1) * DOWN_BLOCK, DOWN_WIDTH, DOWN_BUNDLE,
            DOWN_STEP);
      else if (chunk < left)
        then = weights_at(task, column + chunk, 0, DOWN_WIDTH, DOWN_BUNDLE, DOWN_STEP);
      const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = shares > 1 ? then : weights + early * DOWN_STEP;
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + strip; c += cols) {
          float *sum = task->sum + c * task->rows + row * cols;
          const float *a = task->in + (block * task->rows + row) * DOWN_ROW;
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
    down_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* All rows x columns [task->first, task->last), all k, by the widest tile that serves the rows
 * and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 64)
    column += down_chunk(task, column, 64, 1, down_sums_64);
  while (column < task->last)
    column += down_chunk(task, column, 16, FFN_TILE_ROWS(3), down_sums_16);
}

#ifndef FFN_NO_ADD
/* Adds `count` floats of scale * row to y, each rounded once; both begin at any float. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  for (size_t i = 0; i < count; ++i)
    *(y + i) = ffn_fma(scale, *(row + i), *(y + i));
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

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_c;
const ffn_kernel ffn_swiglu_d512_f1365_f32_c = {
    "ffn_swiglu_d512_f1365_f32_c", /* name */
    "ffn_swiglu_d512_f1365_f32", /* layer */
    "ffn_swiglu_d512_f1365_f32", /* packed */
    FFN_KIND_FFN, /* kind */
    FFN_SWIGLU, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_C, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    GATE_UP_INPUTS, /* inputs */
    GATE_UP_OUTPUTS, /* hidden */
    DOWN_OUTPUTS, /* outputs */
    0, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    WEIGHT_BYTES, /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW, /* work_row_bytes */
    BESIDE, /* work_beside_bytes */
    1, /* in_place */
    FFN_ADDS, /* adds */
    0, /* stages_share_x */
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS +
            2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
    FFN_IF_PACK(pack), /* pack */
    FFN_IF_PACK(unpack), /* unpack */
    run_forward, /* run */
    NULL, /* choices */
    FFN_IF_STAGES(&by_stage), /* staged */
};
FFN_EXACT_END
