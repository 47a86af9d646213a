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
 * Templates  file, sizes, rows, call, tile, loop, ascend, ways, step, finish, weights, dispatch,
 *            columns, groups, add, tables, api, about
 * Tiles      gate_up: rows x columns 1 x 32, 3 x 8, 2 branches, at most 66 scalars
 * Tiles      down: rows x columns 1 x 64, 3 x 16, 1 branch, at most 66 scalars
 * Walk       222 rows at a time; activations as [block of k][row][k]
 * Cost       4193280 flop per token; 8431680 bytes of packed weights; 2216448 bytes of work memory
 *            per thread, 9984 for one token
 * Sums       gate_up: k ascends in 4 blocks of 128; at most 131 roundings
 * Sums       down: k ascends in 11 blocks of 128; at most 138 roundings
 * Error      gate_up: |sum - exact| <= g/(1-g) (sum |x||w|), g = 131 2^-24; silu at most 2.4 ULP,
 *            and within (3 |y|) 2^-24
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w|), g = 138 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
/* gate_up: 512 -> 1365, gate and up, h = silu(gate) * up */
enum {
  GATE_UP_INPUTS = 512,
  GATE_UP_OUTPUTS = 1365,
  GATE_UP_PANELS = 86, /* of sixteen outputs, zeros beyond the last */
  GATE_UP_STEP = 2 * FFN_PANEL, /* weights of one k in a panel */
  GATE_UP_PANEL = GATE_UP_INPUTS * GATE_UP_STEP,
  GATE_UP_PANEL_BYTES = GATE_UP_PANEL * (int)sizeof(float),
  GATE_UP_BLOCK = 128, /* k of one accumulation */
  GATE_UP_BLOCKS = 4,
  GATE_UP_ROUNDINGS = 131, /* at most, of a product in its sum */
  GATE_UP_ROW = 128, /* floats of a row in a block of the input */
  GATE_UP_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  GATE_UP_CHUNK = 288, /* columns whose sums are kept, where there are more */
  GATE_UP_AHEAD = 8192, /* bytes of a tile's weights that are fetched ahead */
  GATE_UP_FEW_ROWS = 4, /* at most: what they fetch ahead is a choice of its own */
  GATE_UP_FEW_AHEAD = 0,
};

/* down: 1365 -> 512, down, y = down */
enum {
  DOWN_INPUTS = 1365,
  DOWN_OUTPUTS = 512,
  DOWN_PANELS = 32, /* of sixteen outputs, zeros beyond the last */
  DOWN_STEP = FFN_PANEL, /* weights of one k in a panel */
  DOWN_PANEL = DOWN_INPUTS * DOWN_STEP,
  DOWN_PANEL_BYTES = DOWN_PANEL * (int)sizeof(float),
  DOWN_BLOCK = 128, /* k of one accumulation */
  DOWN_BLOCKS = 11,
  DOWN_LAST = 85, /* k of the last block */
  DOWN_ROUNDINGS = 138, /* at most, of a product in its sum */
  DOWN_ROW = 128, /* floats of a row in a block of the input */
  DOWN_STREAM_ROWS = 32, /* up to so many rows pass over one group at a time */
  DOWN_CHUNK = 512, /* columns whose sums are kept, where there are more */
  DOWN_AHEAD = 8192, /* bytes of a tile's weights that are fetched ahead */
  DOWN_FEW_ROWS = 4, /* at most: what they fetch ahead is a choice of its own */
  DOWN_FEW_AHEAD = 0,
};

enum {
  OWN_ROWS = 6, /* threads that would have fewer share all rows */
  ROWS = 222, /* of one walk, at most */
  OPERAND1 = GATE_UP_BLOCKS * GATE_UP_ROW, /* floats of each in work memory: x */
  OPERAND2 = DOWN_BLOCKS * DOWN_ROW, /* floats of each in work memory: h */
  SUM = 2 * GATE_UP_CHUNK, /* and sums */
  ADD = 512, /* columns of each that are added to y at a time */
  WORK_ROW = OPERAND1 + OPERAND2 + SUM, /* floats of each in work memory */
  BESIDE = 0, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float gate_up[GATE_UP_PANELS][GATE_UP_INPUTS][2][FFN_PANEL];
  float down[DOWN_PANELS][DOWN_INPUTS][1][FFN_PANEL];
} packed_weights;

/* x * sigmoid(x); at most 2.4 ULP, and within (3 |y|) 2^-24. Elfwing et al., arXiv:1702.03118;
 * swiglu: Shazeer, arXiv:2002.05202. */
FFN_INLINE float act_silu(const float x) {
  const float t = ffn_abs(x);
  const float a = (t > 112.0f ? 112.0f : t);
  const float shifted = ffn_fma(a, 1.442695f, 12582912.0f);
  const float steps = (shifted - 12582912.0f);
  const int32_t t_2 = ffn_bits(shifted);
  const int32_t n = (int32_t)((uint32_t)t_2 - (uint32_t)1262485544);
  const float t_3 = ffn_fma(-(steps), 0.6931472f, a);
  const float r = ffn_fma(-(steps), -1.9046542e-09f, t_3);
  const float t_4 = ffn_fma(0.0013818297f, r, 0.008368532f);
  const float t_5 = ffn_fma(t_4, r, 0.041668292f);
  const float t_6 = ffn_fma(t_5, r, 0.16666523f);
  const float t_7 = ffn_fma(t_6, r, 0.49999994f);
  const float t_8 = ffn_fma(t_7, r, 1.0f);
  const float p = ffn_fma(t_8, r, 1.0f);
  const int32_t t_9 = (n + 127);
  const int32_t t_10 = (int32_t)((uint32_t)t_9 << 23);
  const float t_11 = ffn_from_bits(t_10);
  const float denominator = ffn_fma(p, t_11, 9.094947e-13f);
  const float tail = (a / denominator);
  const float t_12 = (x < 0.0f ? 0.0f : x);
  return ffn_fma(-(tail), 9.094947e-13f, t_12);
}

/* sum[row][branch][32] (+)= a w over a block of k, one row; 66 scalars. */
FFN_INLINE void gate_up_sums_tile_32(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, const int rows) {
  (void)rows;
  float s0_0 = 0.0f;
  float s0_1 = 0.0f;
  float s0_2 = 0.0f;
  float s0_3 = 0.0f;
  float s0_4 = 0.0f;
  float s0_5 = 0.0f;
  float s0_6 = 0.0f;
  float s0_7 = 0.0f;
  float s0_8 = 0.0f;
  float s0_9 = 0.0f;
  float s0_10 = 0.0f;
  float s0_11 = 0.0f;
  float s0_12 = 0.0f;
  float s0_13 = 0.0f;
  float s0_14 = 0.0f;
  float s0_15 = 0.0f;
  float s0_16 = 0.0f;
  float s0_17 = 0.0f;
  float s0_18 = 0.0f;
  float s0_19 = 0.0f;
  float s0_20 = 0.0f;
  float s0_21 = 0.0f;
  float s0_22 = 0.0f;
  float s0_23 = 0.0f;
  float s0_24 = 0.0f;
  float s0_25 = 0.0f;
  float s0_26 = 0.0f;
  float s0_27 = 0.0f;
  float s0_28 = 0.0f;
  float s0_29 = 0.0f;
  float s0_30 = 0.0f;
  float s0_31 = 0.0f;
  float s0_32 = 0.0f;
  float s0_33 = 0.0f;
  float s0_34 = 0.0f;
  float s0_35 = 0.0f;
  float s0_36 = 0.0f;
  float s0_37 = 0.0f;
  float s0_38 = 0.0f;
  float s0_39 = 0.0f;
  float s0_40 = 0.0f;
  float s0_41 = 0.0f;
  float s0_42 = 0.0f;
  float s0_43 = 0.0f;
  float s0_44 = 0.0f;
  float s0_45 = 0.0f;
  float s0_46 = 0.0f;
  float s0_47 = 0.0f;
  float s0_48 = 0.0f;
  float s0_49 = 0.0f;
  float s0_50 = 0.0f;
  float s0_51 = 0.0f;
  float s0_52 = 0.0f;
  float s0_53 = 0.0f;
  float s0_54 = 0.0f;
  float s0_55 = 0.0f;
  float s0_56 = 0.0f;
  float s0_57 = 0.0f;
  float s0_58 = 0.0f;
  float s0_59 = 0.0f;
  float s0_60 = 0.0f;
  float s0_61 = 0.0f;
  float s0_62 = 0.0f;
  float s0_63 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches > 0 ? ahead->until : (size_t)GATE_UP_BLOCK; k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > 0) {
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        FFN_FETCH(next + GATE_UP_PANEL_BYTES);
        FFN_FETCH(next + GATE_UP_PANEL_BYTES + 64);
        next += advance;
      }
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float w8 = *(w + 8);
      const float w9 = *(w + 9);
      const float w10 = *(w + 10);
      const float w11 = *(w + 11);
      const float w12 = *(w + 12);
      const float w13 = *(w + 13);
      const float w14 = *(w + 14);
      const float w15 = *(w + 15);
      const float w16 = *(w + GATE_UP_PANEL);
      const float w17 = *(w + GATE_UP_PANEL + 1);
      const float w18 = *(w + GATE_UP_PANEL + 2);
      const float w19 = *(w + GATE_UP_PANEL + 3);
      const float w20 = *(w + GATE_UP_PANEL + 4);
      const float w21 = *(w + GATE_UP_PANEL + 5);
      const float w22 = *(w + GATE_UP_PANEL + 6);
      const float w23 = *(w + GATE_UP_PANEL + 7);
      const float w24 = *(w + GATE_UP_PANEL + 8);
      const float w25 = *(w + GATE_UP_PANEL + 9);
      const float w26 = *(w + GATE_UP_PANEL + 10);
      const float w27 = *(w + GATE_UP_PANEL + 11);
      const float w28 = *(w + GATE_UP_PANEL + 12);
      const float w29 = *(w + GATE_UP_PANEL + 13);
      const float w30 = *(w + GATE_UP_PANEL + 14);
      const float w31 = *(w + GATE_UP_PANEL + 15);
      const float w32 = *(w + 16);
      const float w33 = *(w + 17);
      const float w34 = *(w + 18);
      const float w35 = *(w + 19);
      const float w36 = *(w + 20);
      const float w37 = *(w + 21);
      const float w38 = *(w + 22);
      const float w39 = *(w + 23);
      const float w40 = *(w + 24);
      const float w41 = *(w + 25);
      const float w42 = *(w + 26);
      const float w43 = *(w + 27);
      const float w44 = *(w + 28);
      const float w45 = *(w + 29);
      const float w46 = *(w + 30);
      const float w47 = *(w + 31);
      const float w48 = *(w + GATE_UP_PANEL + 16);
      const float w49 = *(w + GATE_UP_PANEL + 17);
      const float w50 = *(w + GATE_UP_PANEL + 18);
      const float w51 = *(w + GATE_UP_PANEL + 19);
      const float w52 = *(w + GATE_UP_PANEL + 20);
      const float w53 = *(w + GATE_UP_PANEL + 21);
      const float w54 = *(w + GATE_UP_PANEL + 22);
      const float w55 = *(w + GATE_UP_PANEL + 23);
      const float w56 = *(w + GATE_UP_PANEL + 24);
      const float w57 = *(w + GATE_UP_PANEL + 25);
      const float w58 = *(w + GATE_UP_PANEL + 26);
      const float w59 = *(w + GATE_UP_PANEL + 27);
      const float w60 = *(w + GATE_UP_PANEL + 28);
      const float w61 = *(w + GATE_UP_PANEL + 29);
      const float w62 = *(w + GATE_UP_PANEL + 30);
      const float w63 = *(w + GATE_UP_PANEL + 31);
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
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    s0_16 = (*(sum + 16) + s0_16);
    s0_17 = (*(sum + 17) + s0_17);
    s0_18 = (*(sum + 18) + s0_18);
    s0_19 = (*(sum + 19) + s0_19);
    s0_20 = (*(sum + 20) + s0_20);
    s0_21 = (*(sum + 21) + s0_21);
    s0_22 = (*(sum + 22) + s0_22);
    s0_23 = (*(sum + 23) + s0_23);
    s0_24 = (*(sum + 24) + s0_24);
    s0_25 = (*(sum + 25) + s0_25);
    s0_26 = (*(sum + 26) + s0_26);
    s0_27 = (*(sum + 27) + s0_27);
    s0_28 = (*(sum + 28) + s0_28);
    s0_29 = (*(sum + 29) + s0_29);
    s0_30 = (*(sum + 30) + s0_30);
    s0_31 = (*(sum + 31) + s0_31);
    s0_32 = (*(sum + 32) + s0_32);
    s0_33 = (*(sum + 33) + s0_33);
    s0_34 = (*(sum + 34) + s0_34);
    s0_35 = (*(sum + 35) + s0_35);
    s0_36 = (*(sum + 36) + s0_36);
    s0_37 = (*(sum + 37) + s0_37);
    s0_38 = (*(sum + 38) + s0_38);
    s0_39 = (*(sum + 39) + s0_39);
    s0_40 = (*(sum + 40) + s0_40);
    s0_41 = (*(sum + 41) + s0_41);
    s0_42 = (*(sum + 42) + s0_42);
    s0_43 = (*(sum + 43) + s0_43);
    s0_44 = (*(sum + 44) + s0_44);
    s0_45 = (*(sum + 45) + s0_45);
    s0_46 = (*(sum + 46) + s0_46);
    s0_47 = (*(sum + 47) + s0_47);
    s0_48 = (*(sum + 48) + s0_48);
    s0_49 = (*(sum + 49) + s0_49);
    s0_50 = (*(sum + 50) + s0_50);
    s0_51 = (*(sum + 51) + s0_51);
    s0_52 = (*(sum + 52) + s0_52);
    s0_53 = (*(sum + 53) + s0_53);
    s0_54 = (*(sum + 54) + s0_54);
    s0_55 = (*(sum + 55) + s0_55);
    s0_56 = (*(sum + 56) + s0_56);
    s0_57 = (*(sum + 57) + s0_57);
    s0_58 = (*(sum + 58) + s0_58);
    s0_59 = (*(sum + 59) + s0_59);
    s0_60 = (*(sum + 60) + s0_60);
    s0_61 = (*(sum + 61) + s0_61);
    s0_62 = (*(sum + 62) + s0_62);
    s0_63 = (*(sum + 63) + s0_63);
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  *(sum + 16) = s0_16;
  *(sum + 17) = s0_17;
  *(sum + 18) = s0_18;
  *(sum + 19) = s0_19;
  *(sum + 20) = s0_20;
  *(sum + 21) = s0_21;
  *(sum + 22) = s0_22;
  *(sum + 23) = s0_23;
  *(sum + 24) = s0_24;
  *(sum + 25) = s0_25;
  *(sum + 26) = s0_26;
  *(sum + 27) = s0_27;
  *(sum + 28) = s0_28;
  *(sum + 29) = s0_29;
  *(sum + 30) = s0_30;
  *(sum + 31) = s0_31;
  *(sum + 32) = s0_32;
  *(sum + 33) = s0_33;
  *(sum + 34) = s0_34;
  *(sum + 35) = s0_35;
  *(sum + 36) = s0_36;
  *(sum + 37) = s0_37;
  *(sum + 38) = s0_38;
  *(sum + 39) = s0_39;
  *(sum + 40) = s0_40;
  *(sum + 41) = s0_41;
  *(sum + 42) = s0_42;
  *(sum + 43) = s0_43;
  *(sum + 44) = s0_44;
  *(sum + 45) = s0_45;
  *(sum + 46) = s0_46;
  *(sum + 47) = s0_47;
  *(sum + 48) = s0_48;
  *(sum + 49) = s0_49;
  *(sum + 50) = s0_50;
  *(sum + 51) = s0_51;
  *(sum + 52) = s0_52;
  *(sum + 53) = s0_53;
  *(sum + 54) = s0_54;
  *(sum + 55) = s0_55;
  *(sum + 56) = s0_56;
  *(sum + 57) = s0_57;
  *(sum + 58) = s0_58;
  *(sum + 59) = s0_59;
  *(sum + 60) = s0_60;
  *(sum + 61) = s0_61;
  *(sum + 62) = s0_62;
  *(sum + 63) = s0_63;
}

FFN_NOINLINE void gate_up_sums_32(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  const ffn_wide_columns groups[] = {
    {w, 8},
    {w + GATE_UP_PANEL, 8},
    {w + 16, 8},
    {w + GATE_UP_PANEL + 16, 8},
  };
  ffn_wide_sums(sum, 64, a, GATE_UP_ROW, groups, 4, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
#else
  (void)rows;
  gate_up_sums_tile_32(sum, a, w, block, ahead, 0, 1);
#endif
}

/* sum[row][branch][8] (+)= a w over a block of k, at most 3 rows; 65 scalars.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void gate_up_sums_tile_8(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, const int rows) {
  float s0_0 = 0.0f;
  float s0_1 = 0.0f;
  float s0_2 = 0.0f;
  float s0_3 = 0.0f;
  float s0_4 = 0.0f;
  float s0_5 = 0.0f;
  float s0_6 = 0.0f;
  float s0_7 = 0.0f;
  float s0_8 = 0.0f;
  float s0_9 = 0.0f;
  float s0_10 = 0.0f;
  float s0_11 = 0.0f;
  float s0_12 = 0.0f;
  float s0_13 = 0.0f;
  float s0_14 = 0.0f;
  float s0_15 = 0.0f;
  float s1_0 = 0.0f;
  float s1_1 = 0.0f;
  float s1_2 = 0.0f;
  float s1_3 = 0.0f;
  float s1_4 = 0.0f;
  float s1_5 = 0.0f;
  float s1_6 = 0.0f;
  float s1_7 = 0.0f;
  float s1_8 = 0.0f;
  float s1_9 = 0.0f;
  float s1_10 = 0.0f;
  float s1_11 = 0.0f;
  float s1_12 = 0.0f;
  float s1_13 = 0.0f;
  float s1_14 = 0.0f;
  float s1_15 = 0.0f;
  float s2_0 = 0.0f;
  float s2_1 = 0.0f;
  float s2_2 = 0.0f;
  float s2_3 = 0.0f;
  float s2_4 = 0.0f;
  float s2_5 = 0.0f;
  float s2_6 = 0.0f;
  float s2_7 = 0.0f;
  float s2_8 = 0.0f;
  float s2_9 = 0.0f;
  float s2_10 = 0.0f;
  float s2_11 = 0.0f;
  float s2_12 = 0.0f;
  float s2_13 = 0.0f;
  float s2_14 = 0.0f;
  float s2_15 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches > 0 ? ahead->until : (size_t)GATE_UP_BLOCK; k < GATE_UP_BLOCK;
       end = GATE_UP_BLOCK, next = ahead->then) {
    do {
      if (fetches > 0) {
        FFN_FETCH(next);
        FFN_FETCH(next + 64);
        next += advance;
      }
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float w8 = *(w + 16);
      const float w9 = *(w + 17);
      const float w10 = *(w + 18);
      const float w11 = *(w + 19);
      const float w12 = *(w + 20);
      const float w13 = *(w + 21);
      const float w14 = *(w + 22);
      const float w15 = *(w + 23);
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
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    if (rows > 1) {
      s1_0 = (*(sum + 16) + s1_0);
      s1_1 = (*(sum + 17) + s1_1);
      s1_2 = (*(sum + 18) + s1_2);
      s1_3 = (*(sum + 19) + s1_3);
      s1_4 = (*(sum + 20) + s1_4);
      s1_5 = (*(sum + 21) + s1_5);
      s1_6 = (*(sum + 22) + s1_6);
      s1_7 = (*(sum + 23) + s1_7);
      s1_8 = (*(sum + 24) + s1_8);
      s1_9 = (*(sum + 25) + s1_9);
      s1_10 = (*(sum + 26) + s1_10);
      s1_11 = (*(sum + 27) + s1_11);
      s1_12 = (*(sum + 28) + s1_12);
      s1_13 = (*(sum + 29) + s1_13);
      s1_14 = (*(sum + 30) + s1_14);
      s1_15 = (*(sum + 31) + s1_15);
    }
    if (rows > 2) {
      s2_0 = (*(sum + 32) + s2_0);
      s2_1 = (*(sum + 33) + s2_1);
      s2_2 = (*(sum + 34) + s2_2);
      s2_3 = (*(sum + 35) + s2_3);
      s2_4 = (*(sum + 36) + s2_4);
      s2_5 = (*(sum + 37) + s2_5);
      s2_6 = (*(sum + 38) + s2_6);
      s2_7 = (*(sum + 39) + s2_7);
      s2_8 = (*(sum + 40) + s2_8);
      s2_9 = (*(sum + 41) + s2_9);
      s2_10 = (*(sum + 42) + s2_10);
      s2_11 = (*(sum + 43) + s2_11);
      s2_12 = (*(sum + 44) + s2_12);
      s2_13 = (*(sum + 45) + s2_13);
      s2_14 = (*(sum + 46) + s2_14);
      s2_15 = (*(sum + 47) + s2_15);
    }
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  if (rows > 1) {
    *(sum + 16) = s1_0;
    *(sum + 17) = s1_1;
    *(sum + 18) = s1_2;
    *(sum + 19) = s1_3;
    *(sum + 20) = s1_4;
    *(sum + 21) = s1_5;
    *(sum + 22) = s1_6;
    *(sum + 23) = s1_7;
    *(sum + 24) = s1_8;
    *(sum + 25) = s1_9;
    *(sum + 26) = s1_10;
    *(sum + 27) = s1_11;
    *(sum + 28) = s1_12;
    *(sum + 29) = s1_13;
    *(sum + 30) = s1_14;
    *(sum + 31) = s1_15;
  }
  if (rows > 2) {
    *(sum + 32) = s2_0;
    *(sum + 33) = s2_1;
    *(sum + 34) = s2_2;
    *(sum + 35) = s2_3;
    *(sum + 36) = s2_4;
    *(sum + 37) = s2_5;
    *(sum + 38) = s2_6;
    *(sum + 39) = s2_7;
    *(sum + 40) = s2_8;
    *(sum + 41) = s2_9;
    *(sum + 42) = s2_10;
    *(sum + 43) = s2_11;
    *(sum + 44) = s2_12;
    *(sum + 45) = s2_13;
    *(sum + 46) = s2_14;
    *(sum + 47) = s2_15;
  }
}

FFN_NOINLINE void gate_up_sums_8(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  const ffn_wide_columns groups[] = {
    {w, 16},
  };
  ffn_wide_sums(sum, 16, a, GATE_UP_ROW, groups, 1, GATE_UP_STEP,
      GATE_UP_BLOCK, rows, block > 0);
#else
  switch (rows) {
  case 1:
    gate_up_sums_tile_8(sum, a, w, block, ahead, 0, 1);
    break;
  case 2:
    gate_up_sums_tile_8(sum, a, w, block, ahead, 0, 2);
    break;
  case 3:
    gate_up_sums_tile_8(sum, a, w, block, ahead, 0, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
#endif
}

/* h = silu(gate) * up, in 7 scalars; beyond the last output it meets zero weights. */
FFN_NOINLINE void gate_up_finish(
    const ffn_task *task, const float *sum, size_t column, size_t cols) {
  for (size_t row = 0; row < task->rows; ++row, sum += 2 * cols) {
    for (size_t c = 0; c < cols; c += 1) {
      float *out =
          task->out + ffn_blocked(task->rows, row, column + c, DOWN_ROW);
      const float gate = *(sum + c);
      const float up = *(sum + cols + c);
      *(out) = (act_silu(gate) * up);
    }
  }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *gate_up_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->gate_up[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void gate_up_sums(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches,
    const size_t cols, size_t rows) {
  if (cols == 32)
    gate_up_sums_32(sum, a, w, block, ahead, fetches, rows);
  else
    gate_up_sums_8(sum, a, w, block, ahead, fetches, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t gate_up_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols < FFN_PANEL ? FFN_PANEL : cols; /* whole panels */
  const size_t chunk =
      task->rows <= GATE_UP_STREAM_ROWS ? group : ffn_min(left / group * group, GATE_UP_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows * (group / cols);
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (GATE_UP_STEP * sizeof(float) + shares - 1) / shares;
  const size_t ahead =
      task->rows <= GATE_UP_FEW_ROWS ? GATE_UP_FEW_AHEAD : GATE_UP_AHEAD;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (group / FFN_PANEL * GATE_UP_STEP * sizeof(float));
  const int fetches = ffn_fetches(ahead, shares, 1, 0);
  for (size_t block = 0; block < GATE_UP_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += group) {
      const float *weights = gate_up_weights(task, column + g, block * GATE_UP_BLOCK);
      const float *then = weights; /* what comes next */
      if (g + group < chunk)
        then = gate_up_weights(task, column + g + group, block * GATE_UP_BLOCK);
      else if (block + 1 < GATE_UP_BLOCKS)
        then = gate_up_weights(task, column, (block + 1) * GATE_UP_BLOCK);
      else if (chunk < left)
        then = gate_up_weights(task, column + chunk, 0);
      const size_t count = GATE_UP_BLOCK; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = (const char *)(shares > 1 ? then : weights + early * GATE_UP_STEP);
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + group; c += cols) {
          float *sum = task->sum + 2 * (c * task->rows + row * cols);
          const float *a = task->in + (block * task->rows + row) * GATE_UP_ROW;
          const float *w = weights + (c - g) % FFN_PANEL;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), (const char *)then, mine, count - early};
          ++turn;
          gate_up_sums(sum, a, w, block, &share, fetches, cols, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    gate_up_finish(task, task->sum + 2 * c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void gate_up_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 32)
    column += gate_up_chunk(task, column, 32, 1);
  while (column < task->last)
    column += gate_up_chunk(task, column, 8, FFN_TILE_ROWS(3));
}

/* sum[row][branch][64] (+)= a w over a block of k, one row; 66 scalars. */
FFN_INLINE void down_sums_tile_64(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, const int rows) {
  (void)rows;
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  float s0_0 = 0.0f;
  float s0_1 = 0.0f;
  float s0_2 = 0.0f;
  float s0_3 = 0.0f;
  float s0_4 = 0.0f;
  float s0_5 = 0.0f;
  float s0_6 = 0.0f;
  float s0_7 = 0.0f;
  float s0_8 = 0.0f;
  float s0_9 = 0.0f;
  float s0_10 = 0.0f;
  float s0_11 = 0.0f;
  float s0_12 = 0.0f;
  float s0_13 = 0.0f;
  float s0_14 = 0.0f;
  float s0_15 = 0.0f;
  float s0_16 = 0.0f;
  float s0_17 = 0.0f;
  float s0_18 = 0.0f;
  float s0_19 = 0.0f;
  float s0_20 = 0.0f;
  float s0_21 = 0.0f;
  float s0_22 = 0.0f;
  float s0_23 = 0.0f;
  float s0_24 = 0.0f;
  float s0_25 = 0.0f;
  float s0_26 = 0.0f;
  float s0_27 = 0.0f;
  float s0_28 = 0.0f;
  float s0_29 = 0.0f;
  float s0_30 = 0.0f;
  float s0_31 = 0.0f;
  float s0_32 = 0.0f;
  float s0_33 = 0.0f;
  float s0_34 = 0.0f;
  float s0_35 = 0.0f;
  float s0_36 = 0.0f;
  float s0_37 = 0.0f;
  float s0_38 = 0.0f;
  float s0_39 = 0.0f;
  float s0_40 = 0.0f;
  float s0_41 = 0.0f;
  float s0_42 = 0.0f;
  float s0_43 = 0.0f;
  float s0_44 = 0.0f;
  float s0_45 = 0.0f;
  float s0_46 = 0.0f;
  float s0_47 = 0.0f;
  float s0_48 = 0.0f;
  float s0_49 = 0.0f;
  float s0_50 = 0.0f;
  float s0_51 = 0.0f;
  float s0_52 = 0.0f;
  float s0_53 = 0.0f;
  float s0_54 = 0.0f;
  float s0_55 = 0.0f;
  float s0_56 = 0.0f;
  float s0_57 = 0.0f;
  float s0_58 = 0.0f;
  float s0_59 = 0.0f;
  float s0_60 = 0.0f;
  float s0_61 = 0.0f;
  float s0_62 = 0.0f;
  float s0_63 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches > 0 ? ahead->until : count; k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > 0) {
        FFN_FETCH(next);
        FFN_FETCH(next + DOWN_PANEL_BYTES);
        FFN_FETCH(next + 2 * DOWN_PANEL_BYTES);
        FFN_FETCH(next + 3 * DOWN_PANEL_BYTES);
        next += advance;
      }
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float w8 = *(w + 8);
      const float w9 = *(w + 9);
      const float w10 = *(w + 10);
      const float w11 = *(w + 11);
      const float w12 = *(w + 12);
      const float w13 = *(w + 13);
      const float w14 = *(w + 14);
      const float w15 = *(w + 15);
      const float w16 = *(w + DOWN_PANEL);
      const float w17 = *(w + DOWN_PANEL + 1);
      const float w18 = *(w + DOWN_PANEL + 2);
      const float w19 = *(w + DOWN_PANEL + 3);
      const float w20 = *(w + DOWN_PANEL + 4);
      const float w21 = *(w + DOWN_PANEL + 5);
      const float w22 = *(w + DOWN_PANEL + 6);
      const float w23 = *(w + DOWN_PANEL + 7);
      const float w24 = *(w + DOWN_PANEL + 8);
      const float w25 = *(w + DOWN_PANEL + 9);
      const float w26 = *(w + DOWN_PANEL + 10);
      const float w27 = *(w + DOWN_PANEL + 11);
      const float w28 = *(w + DOWN_PANEL + 12);
      const float w29 = *(w + DOWN_PANEL + 13);
      const float w30 = *(w + DOWN_PANEL + 14);
      const float w31 = *(w + DOWN_PANEL + 15);
      const float w32 = *(w + 2 * DOWN_PANEL);
      const float w33 = *(w + 2 * DOWN_PANEL + 1);
      const float w34 = *(w + 2 * DOWN_PANEL + 2);
      const float w35 = *(w + 2 * DOWN_PANEL + 3);
      const float w36 = *(w + 2 * DOWN_PANEL + 4);
      const float w37 = *(w + 2 * DOWN_PANEL + 5);
      const float w38 = *(w + 2 * DOWN_PANEL + 6);
      const float w39 = *(w + 2 * DOWN_PANEL + 7);
      const float w40 = *(w + 2 * DOWN_PANEL + 8);
      const float w41 = *(w + 2 * DOWN_PANEL + 9);
      const float w42 = *(w + 2 * DOWN_PANEL + 10);
      const float w43 = *(w + 2 * DOWN_PANEL + 11);
      const float w44 = *(w + 2 * DOWN_PANEL + 12);
      const float w45 = *(w + 2 * DOWN_PANEL + 13);
      const float w46 = *(w + 2 * DOWN_PANEL + 14);
      const float w47 = *(w + 2 * DOWN_PANEL + 15);
      const float w48 = *(w + 3 * DOWN_PANEL);
      const float w49 = *(w + 3 * DOWN_PANEL + 1);
      const float w50 = *(w + 3 * DOWN_PANEL + 2);
      const float w51 = *(w + 3 * DOWN_PANEL + 3);
      const float w52 = *(w + 3 * DOWN_PANEL + 4);
      const float w53 = *(w + 3 * DOWN_PANEL + 5);
      const float w54 = *(w + 3 * DOWN_PANEL + 6);
      const float w55 = *(w + 3 * DOWN_PANEL + 7);
      const float w56 = *(w + 3 * DOWN_PANEL + 8);
      const float w57 = *(w + 3 * DOWN_PANEL + 9);
      const float w58 = *(w + 3 * DOWN_PANEL + 10);
      const float w59 = *(w + 3 * DOWN_PANEL + 11);
      const float w60 = *(w + 3 * DOWN_PANEL + 12);
      const float w61 = *(w + 3 * DOWN_PANEL + 13);
      const float w62 = *(w + 3 * DOWN_PANEL + 14);
      const float w63 = *(w + 3 * DOWN_PANEL + 15);
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
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    s0_16 = (*(sum + 16) + s0_16);
    s0_17 = (*(sum + 17) + s0_17);
    s0_18 = (*(sum + 18) + s0_18);
    s0_19 = (*(sum + 19) + s0_19);
    s0_20 = (*(sum + 20) + s0_20);
    s0_21 = (*(sum + 21) + s0_21);
    s0_22 = (*(sum + 22) + s0_22);
    s0_23 = (*(sum + 23) + s0_23);
    s0_24 = (*(sum + 24) + s0_24);
    s0_25 = (*(sum + 25) + s0_25);
    s0_26 = (*(sum + 26) + s0_26);
    s0_27 = (*(sum + 27) + s0_27);
    s0_28 = (*(sum + 28) + s0_28);
    s0_29 = (*(sum + 29) + s0_29);
    s0_30 = (*(sum + 30) + s0_30);
    s0_31 = (*(sum + 31) + s0_31);
    s0_32 = (*(sum + 32) + s0_32);
    s0_33 = (*(sum + 33) + s0_33);
    s0_34 = (*(sum + 34) + s0_34);
    s0_35 = (*(sum + 35) + s0_35);
    s0_36 = (*(sum + 36) + s0_36);
    s0_37 = (*(sum + 37) + s0_37);
    s0_38 = (*(sum + 38) + s0_38);
    s0_39 = (*(sum + 39) + s0_39);
    s0_40 = (*(sum + 40) + s0_40);
    s0_41 = (*(sum + 41) + s0_41);
    s0_42 = (*(sum + 42) + s0_42);
    s0_43 = (*(sum + 43) + s0_43);
    s0_44 = (*(sum + 44) + s0_44);
    s0_45 = (*(sum + 45) + s0_45);
    s0_46 = (*(sum + 46) + s0_46);
    s0_47 = (*(sum + 47) + s0_47);
    s0_48 = (*(sum + 48) + s0_48);
    s0_49 = (*(sum + 49) + s0_49);
    s0_50 = (*(sum + 50) + s0_50);
    s0_51 = (*(sum + 51) + s0_51);
    s0_52 = (*(sum + 52) + s0_52);
    s0_53 = (*(sum + 53) + s0_53);
    s0_54 = (*(sum + 54) + s0_54);
    s0_55 = (*(sum + 55) + s0_55);
    s0_56 = (*(sum + 56) + s0_56);
    s0_57 = (*(sum + 57) + s0_57);
    s0_58 = (*(sum + 58) + s0_58);
    s0_59 = (*(sum + 59) + s0_59);
    s0_60 = (*(sum + 60) + s0_60);
    s0_61 = (*(sum + 61) + s0_61);
    s0_62 = (*(sum + 62) + s0_62);
    s0_63 = (*(sum + 63) + s0_63);
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  *(sum + 16) = s0_16;
  *(sum + 17) = s0_17;
  *(sum + 18) = s0_18;
  *(sum + 19) = s0_19;
  *(sum + 20) = s0_20;
  *(sum + 21) = s0_21;
  *(sum + 22) = s0_22;
  *(sum + 23) = s0_23;
  *(sum + 24) = s0_24;
  *(sum + 25) = s0_25;
  *(sum + 26) = s0_26;
  *(sum + 27) = s0_27;
  *(sum + 28) = s0_28;
  *(sum + 29) = s0_29;
  *(sum + 30) = s0_30;
  *(sum + 31) = s0_31;
  *(sum + 32) = s0_32;
  *(sum + 33) = s0_33;
  *(sum + 34) = s0_34;
  *(sum + 35) = s0_35;
  *(sum + 36) = s0_36;
  *(sum + 37) = s0_37;
  *(sum + 38) = s0_38;
  *(sum + 39) = s0_39;
  *(sum + 40) = s0_40;
  *(sum + 41) = s0_41;
  *(sum + 42) = s0_42;
  *(sum + 43) = s0_43;
  *(sum + 44) = s0_44;
  *(sum + 45) = s0_45;
  *(sum + 46) = s0_46;
  *(sum + 47) = s0_47;
  *(sum + 48) = s0_48;
  *(sum + 49) = s0_49;
  *(sum + 50) = s0_50;
  *(sum + 51) = s0_51;
  *(sum + 52) = s0_52;
  *(sum + 53) = s0_53;
  *(sum + 54) = s0_54;
  *(sum + 55) = s0_55;
  *(sum + 56) = s0_56;
  *(sum + 57) = s0_57;
  *(sum + 58) = s0_58;
  *(sum + 59) = s0_59;
  *(sum + 60) = s0_60;
  *(sum + 61) = s0_61;
  *(sum + 62) = s0_62;
  *(sum + 63) = s0_63;
}

FFN_NOINLINE void down_sums_64(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  const ffn_wide_columns groups[] = {
    {w, 8},
    {w + DOWN_PANEL, 8},
    {w + 2 * DOWN_PANEL, 8},
    {w + 3 * DOWN_PANEL, 8},
  };
  ffn_wide_sums(sum, 64, a, DOWN_ROW, groups, 4, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
#else
  (void)rows;
  down_sums_tile_64(sum, a, w, block, ahead, 0, 1);
#endif
}

/* sum[row][branch][16] (+)= a w over a block of k, at most 3 rows; 65 scalars.
 * `rows` is a constant at each call: what fewer rows do not use compiles away. */
FFN_INLINE void down_sums_tile_16(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, const int rows) {
  const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST;
  float s0_0 = 0.0f;
  float s0_1 = 0.0f;
  float s0_2 = 0.0f;
  float s0_3 = 0.0f;
  float s0_4 = 0.0f;
  float s0_5 = 0.0f;
  float s0_6 = 0.0f;
  float s0_7 = 0.0f;
  float s0_8 = 0.0f;
  float s0_9 = 0.0f;
  float s0_10 = 0.0f;
  float s0_11 = 0.0f;
  float s0_12 = 0.0f;
  float s0_13 = 0.0f;
  float s0_14 = 0.0f;
  float s0_15 = 0.0f;
  float s1_0 = 0.0f;
  float s1_1 = 0.0f;
  float s1_2 = 0.0f;
  float s1_3 = 0.0f;
  float s1_4 = 0.0f;
  float s1_5 = 0.0f;
  float s1_6 = 0.0f;
  float s1_7 = 0.0f;
  float s1_8 = 0.0f;
  float s1_9 = 0.0f;
  float s1_10 = 0.0f;
  float s1_11 = 0.0f;
  float s1_12 = 0.0f;
  float s1_13 = 0.0f;
  float s1_14 = 0.0f;
  float s1_15 = 0.0f;
  float s2_0 = 0.0f;
  float s2_1 = 0.0f;
  float s2_2 = 0.0f;
  float s2_3 = 0.0f;
  float s2_4 = 0.0f;
  float s2_5 = 0.0f;
  float s2_6 = 0.0f;
  float s2_7 = 0.0f;
  float s2_8 = 0.0f;
  float s2_9 = 0.0f;
  float s2_10 = 0.0f;
  float s2_11 = 0.0f;
  float s2_12 = 0.0f;
  float s2_13 = 0.0f;
  float s2_14 = 0.0f;
  float s2_15 = 0.0f;
  const char *next = ahead->next;
  const size_t advance = ahead->advance;
  size_t k = 0;
  for (size_t end = fetches > 0 ? ahead->until : count; k < count;
       end = count, next = ahead->then) {
    do {
      if (fetches > 0) {
        FFN_FETCH(next);
        next += advance;
      }
      const float w0 = *(w);
      const float w1 = *(w + 1);
      const float w2 = *(w + 2);
      const float w3 = *(w + 3);
      const float w4 = *(w + 4);
      const float w5 = *(w + 5);
      const float w6 = *(w + 6);
      const float w7 = *(w + 7);
      const float w8 = *(w + 8);
      const float w9 = *(w + 9);
      const float w10 = *(w + 10);
      const float w11 = *(w + 11);
      const float w12 = *(w + 12);
      const float w13 = *(w + 13);
      const float w14 = *(w + 14);
      const float w15 = *(w + 15);
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
    s0_0 = (*(sum) + s0_0);
    s0_1 = (*(sum + 1) + s0_1);
    s0_2 = (*(sum + 2) + s0_2);
    s0_3 = (*(sum + 3) + s0_3);
    s0_4 = (*(sum + 4) + s0_4);
    s0_5 = (*(sum + 5) + s0_5);
    s0_6 = (*(sum + 6) + s0_6);
    s0_7 = (*(sum + 7) + s0_7);
    s0_8 = (*(sum + 8) + s0_8);
    s0_9 = (*(sum + 9) + s0_9);
    s0_10 = (*(sum + 10) + s0_10);
    s0_11 = (*(sum + 11) + s0_11);
    s0_12 = (*(sum + 12) + s0_12);
    s0_13 = (*(sum + 13) + s0_13);
    s0_14 = (*(sum + 14) + s0_14);
    s0_15 = (*(sum + 15) + s0_15);
    if (rows > 1) {
      s1_0 = (*(sum + 16) + s1_0);
      s1_1 = (*(sum + 17) + s1_1);
      s1_2 = (*(sum + 18) + s1_2);
      s1_3 = (*(sum + 19) + s1_3);
      s1_4 = (*(sum + 20) + s1_4);
      s1_5 = (*(sum + 21) + s1_5);
      s1_6 = (*(sum + 22) + s1_6);
      s1_7 = (*(sum + 23) + s1_7);
      s1_8 = (*(sum + 24) + s1_8);
      s1_9 = (*(sum + 25) + s1_9);
      s1_10 = (*(sum + 26) + s1_10);
      s1_11 = (*(sum + 27) + s1_11);
      s1_12 = (*(sum + 28) + s1_12);
      s1_13 = (*(sum + 29) + s1_13);
      s1_14 = (*(sum + 30) + s1_14);
      s1_15 = (*(sum + 31) + s1_15);
    }
    if (rows > 2) {
      s2_0 = (*(sum + 32) + s2_0);
      s2_1 = (*(sum + 33) + s2_1);
      s2_2 = (*(sum + 34) + s2_2);
      s2_3 = (*(sum + 35) + s2_3);
      s2_4 = (*(sum + 36) + s2_4);
      s2_5 = (*(sum + 37) + s2_5);
      s2_6 = (*(sum + 38) + s2_6);
      s2_7 = (*(sum + 39) + s2_7);
      s2_8 = (*(sum + 40) + s2_8);
      s2_9 = (*(sum + 41) + s2_9);
      s2_10 = (*(sum + 42) + s2_10);
      s2_11 = (*(sum + 43) + s2_11);
      s2_12 = (*(sum + 44) + s2_12);
      s2_13 = (*(sum + 45) + s2_13);
      s2_14 = (*(sum + 46) + s2_14);
      s2_15 = (*(sum + 47) + s2_15);
    }
  }
  *(sum) = s0_0;
  *(sum + 1) = s0_1;
  *(sum + 2) = s0_2;
  *(sum + 3) = s0_3;
  *(sum + 4) = s0_4;
  *(sum + 5) = s0_5;
  *(sum + 6) = s0_6;
  *(sum + 7) = s0_7;
  *(sum + 8) = s0_8;
  *(sum + 9) = s0_9;
  *(sum + 10) = s0_10;
  *(sum + 11) = s0_11;
  *(sum + 12) = s0_12;
  *(sum + 13) = s0_13;
  *(sum + 14) = s0_14;
  *(sum + 15) = s0_15;
  if (rows > 1) {
    *(sum + 16) = s1_0;
    *(sum + 17) = s1_1;
    *(sum + 18) = s1_2;
    *(sum + 19) = s1_3;
    *(sum + 20) = s1_4;
    *(sum + 21) = s1_5;
    *(sum + 22) = s1_6;
    *(sum + 23) = s1_7;
    *(sum + 24) = s1_8;
    *(sum + 25) = s1_9;
    *(sum + 26) = s1_10;
    *(sum + 27) = s1_11;
    *(sum + 28) = s1_12;
    *(sum + 29) = s1_13;
    *(sum + 30) = s1_14;
    *(sum + 31) = s1_15;
  }
  if (rows > 2) {
    *(sum + 32) = s2_0;
    *(sum + 33) = s2_1;
    *(sum + 34) = s2_2;
    *(sum + 35) = s2_3;
    *(sum + 36) = s2_4;
    *(sum + 37) = s2_5;
    *(sum + 38) = s2_6;
    *(sum + 39) = s2_7;
    *(sum + 40) = s2_8;
    *(sum + 41) = s2_9;
    *(sum + 42) = s2_10;
    *(sum + 43) = s2_11;
    *(sum + 44) = s2_12;
    *(sum + 45) = s2_13;
    *(sum + 46) = s2_14;
    *(sum + 47) = s2_15;
  }
}

FFN_NOINLINE void down_sums_16(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches, size_t rows) {
  (void)fetches;
#if FFN_WIDE
  (void)ahead;
  const ffn_wide_columns groups[] = {
    {w, 8},
  };
  ffn_wide_sums(sum, 16, a, DOWN_ROW, groups, 1, DOWN_STEP,
      block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST, rows, block > 0);
#else
  switch (rows) {
  case 1:
    down_sums_tile_16(sum, a, w, block, ahead, 0, 1);
    break;
  case 2:
    down_sums_tile_16(sum, a, w, block, ahead, 0, 2);
    break;
  case 3:
    down_sums_tile_16(sum, a, w, block, ahead, 0, 3);
    break;
  default:
    FFN_ASSERT(0);
  }
#endif
}

/* y = down. */
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

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *down_weights(const ffn_task *task, size_t column, size_t k) {
  const packed_weights *packed = (const packed_weights *)task->packed;
  return &packed->down[column / FFN_PANEL][k][0][column % FFN_PANEL];
}

/* The sums of a tile of `cols` columns, a constant at each call. */
FFN_INLINE void down_sums(
    float *sum, const float *a, const float *w,
    size_t block, const ffn_ahead *ahead, const int fetches,
    const size_t cols, size_t rows) {
  if (cols == 64)
    down_sums_64(sum, a, w, block, ahead, fetches, rows);
  else
    down_sums_16(sum, a, w, block, ahead, fetches, rows);
}

/* A chunk of columns from `column` on, in tiles of `cols` columns and at most `most` rows, which
 * are constants at each call: its sums stay in cache while k ascends, and each block of weights
 * while all rows pass over it. Returns the columns of the chunk. */
FFN_INLINE size_t down_chunk(
    const ffn_task *task, size_t column, const size_t cols, const size_t most) {
  const size_t left = task->last - column;
  const size_t group = cols;
  const size_t chunk =
      task->rows <= DOWN_STREAM_ROWS ? group : ffn_min(left / group * group, DOWN_CHUNK);
  const size_t rows = ffn_even_part(task->rows, most);
  /* The last row tiles fetch the weights that come next, each a share; a single one those ahead. */
  const size_t tiles = (task->rows + rows - 1) / rows;
  const size_t shares = ffn_shares(tiles);
  const size_t advance = (DOWN_STEP * sizeof(float) + shares - 1) / shares;
  const size_t ahead =
      task->rows <= DOWN_FEW_ROWS ? DOWN_FEW_AHEAD : DOWN_AHEAD;
  const size_t distance = /* of what a single one fetches, in k */
      shares > 1 ? 0 : ahead / (group / FFN_PANEL * DOWN_STEP * sizeof(float));
  const int fetches = ffn_fetches(ahead, shares, 1, 0);
  for (size_t block = 0; block < DOWN_BLOCKS; ++block) {
    for (size_t g = 0; g < chunk; g += group) {
      const float *weights = down_weights(task, column + g, block * DOWN_BLOCK);
      const float *then = weights; /* what comes next */
      if (g + group < chunk)
        then = down_weights(task, column + g + group, block * DOWN_BLOCK);
      else if (block + 1 < DOWN_BLOCKS)
        then = down_weights(task, column, (block + 1) * DOWN_BLOCK);
      else if (chunk < left)
        then = down_weights(task, column + chunk, 0);
      const size_t count = block + 1 < DOWN_BLOCKS ? DOWN_BLOCK : DOWN_LAST; /* of k */
      const size_t early = ffn_min(distance, count - 1);
      const char *next = (const char *)(shares > 1 ? then : weights + early * DOWN_STEP);
      size_t turn = shares - tiles; /* the last fetch: "below" 0, which is far above, none does */
      for (size_t row = 0, part; row < task->rows; row += part) {
        part = ffn_next_part(task->rows - row, rows);
        for (size_t c = g; c < g + group; c += cols) {
          float *sum = task->sum + c * task->rows + row * cols;
          const float *a = task->in + (block * task->rows + row) * DOWN_ROW;
          const float *w = weights;
          const size_t mine = turn < shares ? advance : 0;
          const ffn_ahead share = {
              next + turn * (count * mine), (const char *)then, mine, count - early};
          ++turn;
          down_sums(sum, a, w, block, &share, fetches, cols, part);
        }
      }
    }
  }
  for (size_t c = 0; c < chunk; c += cols)
    down_finish(task, task->sum + c * task->rows, column + c, cols);
  return chunk;
}

/* Columns [first, last), by the widest tile that serves the rows and fits what is left. */
static void down_columns(const ffn_task *task) {
  size_t column = task->first;
  while (task->rows <= 1 && task->last - column >= 64)
    column += down_chunk(task, column, 64, 1);
  while (column < task->last)
    column += down_chunk(task, column, 16, FFN_TILE_ROWS(3));
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
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
    },
};

static const ffn_stage_walk walks[] = {
    {
        gate_up_columns, /* columns */
        GATE_UP_INPUTS, /* inputs */
        GATE_UP_OUTPUTS, /* outputs */
        0, /* in_at */
        GATE_UP_ROW, /* row */
        16, /* column_step */
    },
    {
        down_columns, /* columns */
        DOWN_INPUTS, /* inputs */
        DOWN_OUTPUTS, /* outputs */
        OPERAND1, /* in_at */
        DOWN_ROW, /* row */
        16, /* column_step */
    },
};

static const ffn_pass forward = {
    UINT64_C(0xaf8e17bce9cd1694), /* layer_hash */
    ffn_walk_rows, /* rows */
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
static float load(const void *from, size_t at) {
  const float stored = ((const float *)from)[at];
  return stored;
}

static float store(void *to, size_t at, float value) {
  ((float *)to)[at] = value;
  return load(to, at);
}

static void pack(void *to, const ffn_weights *weights) {
  packed_weights *packed = (packed_weights *)to;
  ffn_pack_header(
      &packed->header, forward.layer_hash, weights->parameters,
      0);
  ffn_pack_stage(
      &packed->header, packed->gate_up, NULL,
      stages, 0, weights, store);
  ffn_pack_stage(
      &packed->header, packed->down, NULL,
      stages, 1, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->gate_up, NULL,
      stages, 0, load);
  ffn_unpack_stage(
      weights, packed->down, NULL,
      stages, 1, load);
}
#endif

static void run(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &forward, NULL, y, y_stride, NULL, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}

#ifndef FFN_NO_ADD
static void add(
    float *y, size_t y_stride, float scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_pass_run(
      &forward, NULL, y, y_stride, &scale, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}
#endif

extern const ffn_kernel ffn_swiglu_d512_f1365_f32_c;
const ffn_kernel ffn_swiglu_d512_f1365_f32_c = {
    "ffn_swiglu_d512_f1365_f32_c", /* name */
    "ffn_swiglu_d512_f1365_f32", /* layer */
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
    sizeof(packed_weights), /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW * sizeof(float), /* work_row_bytes */
    BESIDE * sizeof(float), /* work_beside_bytes */
    4 * (uint64_t)GATE_UP_INPUTS * GATE_UP_OUTPUTS +
        2 * (uint64_t)DOWN_INPUTS * DOWN_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_PACK
    pack, /* pack */
    unpack, /* unpack */
#else
    NULL, /* pack */
    NULL, /* unpack */
#endif
    1, /* in_place */
    run, /* run */
#ifndef FFN_NO_ADD
    add, /* add */
#else
    NULL, /* add */
#endif
};
FFN_EXACT_END
