/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mlp_10_relu64_identity1_bias_f32_neon
 * MLP chain 10 -> 64 relu -> 1 identity, with biases, f32, for neon
 * Linear, ReLU, linear
 *
 *     h = relu(x W_layer1^T + b_layer1)
 *     y = h W_layer2^T + b_layer2
 *
 * Remake     ffngen generate
 * Spec       mlp_10_64_1
 * Templates  file, sizes, lanes_stage, lanes_step, lanes, straight, group, chains_loop, step, dots,
 *            loop, ascend, lanes_blocks, straight_rows, add, tables, api, about
 * Tiles      layer1: rows x columns 4 x 24, 4 x 20; 3 x 24, 3 x 20; 2 x 32; 1 x 32, 1 branch
 * Tiles      layer2: rows x columns 4 x 1; 3 x 1; 2 x 1; 1 x 4, 1 branch
 * Walk       none: loops for 4 rows, loops for 3 rows, loops for 2 rows, a straight line for 1 row
 * Lanes      from 7 tokens on, blocks of 8 with one in each lane, sums of at most 8 outputs side by
 *            side
 * Cost       1408 flop per token; 7040 bytes of packed weights; 4928 bytes of work memory per
 *            thread, 2688 for one token
 * Sums       layer1: k ascends in 2 interleaved chains; at most 7 roundings
 * Sums       layer2: k ascends in 8 interleaved chains; at most 12 roundings
 * Error      layer1: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 7 2^-24; relu exact
 * Error      layer2: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 12 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 5
#error "made for ABI 5 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

FFN_EXACT_BEGIN
#if FFN_ARCH_ARM64
#include <arm_neon.h>

/* layer1: 10 -> 64, linear with bias, h = relu(linear) */
enum {
  LAYER1_INPUTS = 10,
  LAYER1_OUTPUTS = 64,
  LAYER1_PANELS = 4, /* of sixteen outputs, zeros beyond the last */
  LAYER1_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER1_PANEL = LAYER1_INPUTS * LAYER1_STEP,
  LAYER1_ROUNDINGS = 7, /* at most, of a product in its sum */
  LAYER1_ROW = 16, /* floats of a row in a block of the input */
};

/* layer2: 64 -> 1, linear with bias, y = linear */
enum {
  LAYER2_INPUTS = 64,
  LAYER2_OUTPUTS = 1,
  LAYER2_PANELS = 1, /* of sixteen outputs, zeros beyond the last */
  LAYER2_STEP = FFN_PANEL, /* weights of one k in a panel */
  LAYER2_PANEL = LAYER2_INPUTS * LAYER2_STEP,
  LAYER2_ROUNDINGS = 12, /* at most, of a product in its sum */
  LAYER2_ROW = 64, /* floats of a row in a block of the input */
};

enum {
  ROWS = 8, /* that are added to y at a time, at most */
  LANES = 8, /* tokens of a block, one in each lane */
  LANES_LEAST = 7, /* so many are worth a block */
  ADD = 16, /* columns of each that are added to y at a time */
  WORK_ROW = LAYER1_ROW + LAYER2_ROW, /* floats of each in work memory */
  BESIDE = 592, /* and behind them: inputs that are not zero, or a block of tokens */
};

/* Packed weights: [panel][k][branch][16]. */
typedef struct packed_weights {
  ffn_packed_header header;
  float layer1[LAYER1_PANELS][LAYER1_INPUTS][1][FFN_PANEL];
  float layer1_bias[1][LAYER1_PANELS * FFN_PANEL];
  float layer2[LAYER2_PANELS][LAYER2_INPUTS][1][FFN_PANEL];
  float layer2_bias[1][LAYER2_PANELS * FFN_PANEL];
} packed_weights;

/* A block of 8 tokens: operands of every second stage, and y. */
typedef struct lanes_memory {
  float even[10 * LANES];
  float odd[64 * LANES];
} lanes_memory;

FFN_INLINE void ffn_store_tail_neon(float *out, float32x4_t value, size_t count) {
  float lanes[4];
  vst1q_f32(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}

FFN_INLINE void ffn_turn_neon(float *to, size_t step, const float *from, size_t stride) {
  const float32x4_t a = vld1q_f32(from), b = vld1q_f32(from + stride);
  const float32x4_t c = vld1q_f32(from + 2 * stride), d = vld1q_f32(from + 3 * stride);
  const float32x4_t even = vtrn1q_f32(a, b), odd = vtrn2q_f32(a, b);
  const float32x4_t even_2 = vtrn1q_f32(c, d), odd_2 = vtrn2q_f32(c, d);
  vst1q_f32(to, vcombine_f32(vget_low_f32(even), vget_low_f32(even_2)));
  vst1q_f32(to + step, vcombine_f32(vget_low_f32(odd), vget_low_f32(odd_2)));
  vst1q_f32(to + 2 * step, vcombine_f32(vget_high_f32(even), vget_high_f32(even_2)));
  vst1q_f32(to + 3 * step, vcombine_f32(vget_high_f32(odd), vget_high_f32(odd_2)));
}

FFN_INLINE void ffn_turn_in_neon(float *to, size_t step, const float *from, size_t stride) {
  ffn_turn_neon(to, step, from, stride);
}

FFN_INLINE void ffn_turn_out_neon(float *to, size_t stride, const float *from, size_t step) {
  ffn_turn_neon(to, stride, from, step);
}

/* At most four `rows` of `a` times a column of weights that are `step` apart. The eight chains of a
 * sum are lanes of two vectors, and four sums are folded at once. The sum of row r in lane r. */
FFN_INLINE float32x4_t ffn_dots_neon(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  float32x4_t s[4], high[4];
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    s[r] = high[r] = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < inputs; k += 8, w += 8 * step) {
    float32x4_t column = vld1q_dup_f32(w), other = vld1q_dup_f32(w + 4 * step);
    column = vld1q_lane_f32(w + step, column, 1);
    column = vld1q_lane_f32(w + 2 * step, column, 2);
    column = vld1q_lane_f32(w + 3 * step, column, 3);
    other = vld1q_lane_f32(w + 5 * step, other, 1);
    other = vld1q_lane_f32(w + 6 * step, other, 2);
    other = vld1q_lane_f32(w + 7 * step, other, 3);
    FFN_UNROLL
    for (int r = 0; r < rows; ++r) {
      const float *row = a + (size_t)r * stride + k;
      s[r] = vfmaq_f32(s[r], vld1q_f32(row), column);
      high[r] = vfmaq_f32(high[r], vld1q_f32(row + 4), other);
    }
  }
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    s[r] = vaddq_f32(s[r], high[r]);
  s[0] = vaddq_f32(vzip1q_f32(s[0], s[1]), vzip2q_f32(s[0], s[1]));
  s[2] = vaddq_f32(vzip1q_f32(s[2], s[3]), vzip2q_f32(s[2], s[3]));
  return vaddq_f32(vcombine_f32(vget_low_f32(s[0]), vget_low_f32(s[2])),
                   vcombine_f32(vget_high_f32(s[0]), vget_high_f32(s[2])));
}

/* max(x, 0); exact. Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE float32x4_t act_relu(const float32x4_t x) {
  return vbslq_f32(vcltq_f32(x, vdupq_n_f32(0.0f)), vdupq_n_f32(0.0f), x);
}

/* layer1: sums of at most 8 outputs over every 2. k from `k` on, 8 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer1_chain(
    float32x4_t *s, const float *a, const float *w, size_t k, const int outputs) {
  float32x4_t s0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1 = vdupq_n_f32(0.0f);
  float32x4_t s4_0 = vdupq_n_f32(0.0f);
  float32x4_t s4_1 = vdupq_n_f32(0.0f);
  float32x4_t s5_0 = vdupq_n_f32(0.0f);
  float32x4_t s5_1 = vdupq_n_f32(0.0f);
  float32x4_t s6_0 = vdupq_n_f32(0.0f);
  float32x4_t s6_1 = vdupq_n_f32(0.0f);
  float32x4_t s7_0 = vdupq_n_f32(0.0f);
  float32x4_t s7_1 = vdupq_n_f32(0.0f);
  a += k * LANES;
  w += k * LAYER1_STEP;
  for (; k + 2 < LAYER1_INPUTS;
       k += 4, a += 4 * LANES, w += 4 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 2; ++u) {
      const float32x4_t x0 = vld1q_f32(a + u * 2 * LANES);
      const float32x4_t x1 = vld1q_f32(a + u * 2 * LANES + 4);
      const float32x4_t w0 = vdupq_n_f32(w[u * 2 * LAYER1_STEP]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x1, w0);
      if (outputs > 1) {
        const float32x4_t w1 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 1]);
        s1_0 = vfmaq_f32(s1_0, x0, w1);
        s1_1 = vfmaq_f32(s1_1, x1, w1);
      }
      if (outputs > 2) {
        const float32x4_t w2 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 2]);
        s2_0 = vfmaq_f32(s2_0, x0, w2);
        s2_1 = vfmaq_f32(s2_1, x1, w2);
      }
      if (outputs > 3) {
        const float32x4_t w3 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 3]);
        s3_0 = vfmaq_f32(s3_0, x0, w3);
        s3_1 = vfmaq_f32(s3_1, x1, w3);
      }
      if (outputs > 4) {
        const float32x4_t w4 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 4]);
        s4_0 = vfmaq_f32(s4_0, x0, w4);
        s4_1 = vfmaq_f32(s4_1, x1, w4);
      }
      if (outputs > 5) {
        const float32x4_t w5 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 5]);
        s5_0 = vfmaq_f32(s5_0, x0, w5);
        s5_1 = vfmaq_f32(s5_1, x1, w5);
      }
      if (outputs > 6) {
        const float32x4_t w6 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 6]);
        s6_0 = vfmaq_f32(s6_0, x0, w6);
        s6_1 = vfmaq_f32(s6_1, x1, w6);
      }
      if (outputs > 7) {
        const float32x4_t w7 = vdupq_n_f32(w[u * 2 * LAYER1_STEP + 7]);
        s7_0 = vfmaq_f32(s7_0, x0, w7);
        s7_1 = vfmaq_f32(s7_1, x1, w7);
      }
    }
  }
  for (; k < LAYER1_INPUTS;
       k += 2, a += 2 * LANES, w += 2 * LAYER1_STEP) {
    FFN_OPAQUE(a, w);
    const float32x4_t x0 = vld1q_f32(a);
    const float32x4_t x1 = vld1q_f32(a + 4);
    const float32x4_t w0 = vdupq_n_f32(w[0]);
    s0_0 = vfmaq_f32(s0_0, x0, w0);
    s0_1 = vfmaq_f32(s0_1, x1, w0);
    if (outputs > 1) {
      const float32x4_t w1 = vdupq_n_f32(w[1]);
      s1_0 = vfmaq_f32(s1_0, x0, w1);
      s1_1 = vfmaq_f32(s1_1, x1, w1);
    }
    if (outputs > 2) {
      const float32x4_t w2 = vdupq_n_f32(w[2]);
      s2_0 = vfmaq_f32(s2_0, x0, w2);
      s2_1 = vfmaq_f32(s2_1, x1, w2);
    }
    if (outputs > 3) {
      const float32x4_t w3 = vdupq_n_f32(w[3]);
      s3_0 = vfmaq_f32(s3_0, x0, w3);
      s3_1 = vfmaq_f32(s3_1, x1, w3);
    }
    if (outputs > 4) {
      const float32x4_t w4 = vdupq_n_f32(w[4]);
      s4_0 = vfmaq_f32(s4_0, x0, w4);
      s4_1 = vfmaq_f32(s4_1, x1, w4);
    }
    if (outputs > 5) {
      const float32x4_t w5 = vdupq_n_f32(w[5]);
      s5_0 = vfmaq_f32(s5_0, x0, w5);
      s5_1 = vfmaq_f32(s5_1, x1, w5);
    }
    if (outputs > 6) {
      const float32x4_t w6 = vdupq_n_f32(w[6]);
      s6_0 = vfmaq_f32(s6_0, x0, w6);
      s6_1 = vfmaq_f32(s6_1, x1, w6);
    }
    if (outputs > 7) {
      const float32x4_t w7 = vdupq_n_f32(w[7]);
      s7_0 = vfmaq_f32(s7_0, x0, w7);
      s7_1 = vfmaq_f32(s7_1, x1, w7);
    }
  }
  s[0] = s0_0;
  s[1] = s0_1;
  s[2] = s1_0;
  s[3] = s1_1;
  s[4] = s2_0;
  s[5] = s2_1;
  s[6] = s3_0;
  s[7] = s3_1;
  s[8] = s4_0;
  s[9] = s4_1;
  s[10] = s5_0;
  s[11] = s5_1;
  s[12] = s6_0;
  s[13] = s6_1;
  s[14] = s7_0;
  s[15] = s7_1;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer1_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  float32x4_t s[2][16];
  layer1_chain(s[0], a, w, 0, outputs);
  layer1_chain(s[1], a, w, 1, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = vaddq_f32(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const float32x4_t linear_b = vdupq_n_f32(linear_bias[i]);
    s[0][2 * i] = vaddq_f32(s[0][2 * i], linear_b);
    vst1q_f32(out + i * LANES, act_relu(s[0][2 * i]));
    s[0][2 * i + 1] = vaddq_f32(s[0][2 * i + 1], linear_b);
    vst1q_f32(out + i * LANES + 4, act_relu(s[0][2 * i + 1]));
  }
}

/* layer2: sums of at most 8 outputs over every 8. k from `k` on, 8 tokens side by side.
 * `outputs` is a constant at each call: what fewer outputs do not use compiles away. */
FFN_INLINE void layer2_chain(
    float32x4_t *s, const float *a, const float *w, size_t k, const int outputs) {
  float32x4_t s0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1 = vdupq_n_f32(0.0f);
  float32x4_t s4_0 = vdupq_n_f32(0.0f);
  float32x4_t s4_1 = vdupq_n_f32(0.0f);
  float32x4_t s5_0 = vdupq_n_f32(0.0f);
  float32x4_t s5_1 = vdupq_n_f32(0.0f);
  float32x4_t s6_0 = vdupq_n_f32(0.0f);
  float32x4_t s6_1 = vdupq_n_f32(0.0f);
  float32x4_t s7_0 = vdupq_n_f32(0.0f);
  float32x4_t s7_1 = vdupq_n_f32(0.0f);
  a += k * LANES;
  w += k * LAYER2_STEP;
  for (; k + 8 < LAYER2_INPUTS;
       k += 16, a += 16 * LANES, w += 16 * LAYER2_STEP) {
    FFN_OPAQUE(a, w);
    FFN_UNROLL
    for (size_t u = 0; u < 2; ++u) {
      const float32x4_t x0 = vld1q_f32(a + u * 8 * LANES);
      const float32x4_t x1 = vld1q_f32(a + u * 8 * LANES + 4);
      const float32x4_t w0 = vdupq_n_f32(w[u * 8 * LAYER2_STEP]);
      s0_0 = vfmaq_f32(s0_0, x0, w0);
      s0_1 = vfmaq_f32(s0_1, x1, w0);
      if (outputs > 1) {
        const float32x4_t w1 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 1]);
        s1_0 = vfmaq_f32(s1_0, x0, w1);
        s1_1 = vfmaq_f32(s1_1, x1, w1);
      }
      if (outputs > 2) {
        const float32x4_t w2 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 2]);
        s2_0 = vfmaq_f32(s2_0, x0, w2);
        s2_1 = vfmaq_f32(s2_1, x1, w2);
      }
      if (outputs > 3) {
        const float32x4_t w3 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 3]);
        s3_0 = vfmaq_f32(s3_0, x0, w3);
        s3_1 = vfmaq_f32(s3_1, x1, w3);
      }
      if (outputs > 4) {
        const float32x4_t w4 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 4]);
        s4_0 = vfmaq_f32(s4_0, x0, w4);
        s4_1 = vfmaq_f32(s4_1, x1, w4);
      }
      if (outputs > 5) {
        const float32x4_t w5 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 5]);
        s5_0 = vfmaq_f32(s5_0, x0, w5);
        s5_1 = vfmaq_f32(s5_1, x1, w5);
      }
      if (outputs > 6) {
        const float32x4_t w6 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 6]);
        s6_0 = vfmaq_f32(s6_0, x0, w6);
        s6_1 = vfmaq_f32(s6_1, x1, w6);
      }
      if (outputs > 7) {
        const float32x4_t w7 = vdupq_n_f32(w[u * 8 * LAYER2_STEP + 7]);
        s7_0 = vfmaq_f32(s7_0, x0, w7);
        s7_1 = vfmaq_f32(s7_1, x1, w7);
      }
    }
  }
  s[0] = s0_0;
  s[1] = s0_1;
  s[2] = s1_0;
  s[3] = s1_1;
  s[4] = s2_0;
  s[5] = s2_1;
  s[6] = s3_0;
  s[7] = s3_1;
  s[8] = s4_0;
  s[9] = s4_1;
  s[10] = s5_0;
  s[11] = s5_1;
  s[12] = s6_0;
  s[13] = s6_1;
  s[14] = s7_0;
  s[15] = s7_1;
  (void)outputs;
}

/* Some outputs of a block of tokens: chains are folded as soon as they can be. */
FFN_INLINE void layer2_lanes(
    const float *a, const float *w, const float *linear_bias, float *out, const int outputs) {
  float32x4_t s[4][16];
  layer2_chain(s[0], a, w, 0, outputs);
  layer2_chain(s[1], a, w, 4, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = vaddq_f32(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 2, outputs);
  layer2_chain(s[2], a, w, 6, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = vaddq_f32(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = vaddq_f32(s[0][i], s[1][i]);
  layer2_chain(s[1], a, w, 1, outputs);
  layer2_chain(s[2], a, w, 5, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = vaddq_f32(s[1][i], s[2][i]);
  layer2_chain(s[2], a, w, 3, outputs);
  layer2_chain(s[3], a, w, 7, outputs);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[2][i] = vaddq_f32(s[2][i], s[3][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[1][i] = vaddq_f32(s[1][i], s[2][i]);
  FFN_UNROLL
  for (int i = 0; i < 2 * outputs; ++i)
    s[0][i] = vaddq_f32(s[0][i], s[1][i]);
  FFN_UNROLL
  for (int i = 0; i < outputs; ++i) {
    const float32x4_t linear_b = vdupq_n_f32(linear_bias[i]);
    s[0][2 * i] = vaddq_f32(s[0][2 * i], vdupq_n_f32(0.0f));
    s[0][2 * i] = vaddq_f32(s[0][2 * i], linear_b);
    vst1q_f32(out + i * LANES, s[0][2 * i]);
    s[0][2 * i + 1] = vaddq_f32(s[0][2 * i + 1], vdupq_n_f32(0.0f));
    s[0][2 * i + 1] = vaddq_f32(s[0][2 * i + 1], linear_b);
    vst1q_f32(out + i * LANES + 4, s[0][2 * i + 1]);
  }
}

/* Inputs of `count` tokens side by side. Where lanes are left over, copies of the first one fill
 * them, from `rows`. */
FFN_INLINE void lanes_in(
    float *to, float *rows, const float *x, size_t stride, size_t count) {
  if (count < LANES) {
    for (size_t token = 0; token < LANES; ++token)
      FFN_MEMCPY(rows + token * LAYER1_INPUTS, x + (token < count ? token : 0) * stride,
          LAYER1_INPUTS * sizeof *x);
    x = rows;
    stride = LAYER1_INPUTS;
  }
  for (size_t k = 0; k < LAYER1_INPUTS; k += 4) {
    const size_t at = ffn_min(k, LAYER1_INPUTS - 4);
    for (size_t token = 0; token < LANES; token += 4)
      ffn_turn_in_neon(
          to + at * LANES + token, LANES, x + token * stride + at, stride);
  }
}

/* Outputs of `count` tokens, each where it belongs; by way of `rows` where lanes are left over. */
FFN_INLINE void lanes_out(
    float *y, size_t stride, float *rows, const float *from, size_t count) {
  (void)rows;
  for (size_t token = 0; token < count; ++token)
    for (size_t output = 0; output < LAYER2_OUTPUTS; ++output)
      y[token * stride + output] = from[output * LANES + token];
}

/* At most 8 tokens through all stages, each in a lane of its own. */
FFN_NOINLINE void lanes(
    const ffn_call *call, float *memory, size_t token, size_t count) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  float *beside = memory + call->slot_rows * WORK_ROW;
  lanes_memory *work = (lanes_memory *)(void *)beside;
  lanes_in(
      work->even, work->odd, call->x + token * call->x_stride, call->x_stride, count);
  { /* layer1 */
    const float *in = work->even;
    float *out = work->odd;
    for (size_t output = 0; output + 8 <= LAYER1_OUTPUTS; output += 8)
      layer1_lanes(in, packed->layer1[output / FFN_PANEL][0][0] + output % FFN_PANEL,
          packed->layer1_bias[0] + output, out + output * LANES, 8);
  }
  { /* layer2 */
    const float *in = work->odd;
    float *out = work->even;
    const size_t last = LAYER2_OUTPUTS - 1;
    layer2_lanes(in, packed->layer2[last / FFN_PANEL][0][0] + last % FFN_PANEL,
        packed->layer2_bias[0] + last, out + last * LANES, 1);
  }
  lanes_out(call->y + token * call->y_stride, call->y_stride,
      work->odd, work->even, count);
}

/* layer1: 4 rows of 24 columns. */
FFN_INLINE void layer1_group_4x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_5_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    s2_5_0 = vfmaq_f32(s2_5_0, x2, w5);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
    s3_5_0 = vfmaq_f32(s3_5_0, x3, w5);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_5_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    s2_5_1 = vfmaq_f32(s2_5_1, x2, w5);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
    s3_5_1 = vfmaq_f32(s3_5_1, x3, w5);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s2_5_0 = vaddq_f32(s2_5_0, s2_5_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s3_4_0 = vaddq_f32(s3_4_0, s3_4_1);
  s3_5_0 = vaddq_f32(s3_5_0, s3_5_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER2_ROW + 20, s1_5_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s2_5_0 = vaddq_f32(s2_5_0, vld1q_f32(linear_bias + 20));
  s2_5_0 = act_relu(s2_5_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 20, s2_5_0);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 12, s3_3_0);
  s3_4_0 = vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16));
  s3_4_0 = act_relu(s3_4_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 16, s3_4_0);
  s3_5_0 = vaddq_f32(s3_5_0, vld1q_f32(linear_bias + 20));
  s3_5_0 = act_relu(s3_5_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 20, s3_5_0);
}

/* layer1: 4 rows of 20 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_4x20_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s3_4_0 = vaddq_f32(s3_4_0, s3_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 12, s3_3_0);
  s3_4_0 = vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16));
  s3_4_0 = act_relu(s3_4_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 16, s3_4_0);
}

/* layer1: 4 rows of 20 columns, from column 12 of a panel on. */
FFN_INLINE void layer1_group_4x20_at_12(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_0 = vfmaq_f32(s3_0_0, x3, w0);
    s3_1_0 = vfmaq_f32(s3_1_0, x3, w1);
    s3_2_0 = vfmaq_f32(s3_2_0, x3, w2);
    s3_3_0 = vfmaq_f32(s3_3_0, x3, w3);
    s3_4_0 = vfmaq_f32(s3_4_0, x3, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s3_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    const float32x4_t x3 = vdupq_n_f32(a[k + 3 * LAYER1_ROW]);
    s3_0_1 = vfmaq_f32(s3_0_1, x3, w0);
    s3_1_1 = vfmaq_f32(s3_1_1, x3, w1);
    s3_2_1 = vfmaq_f32(s3_2_1, x3, w2);
    s3_3_1 = vfmaq_f32(s3_3_1, x3, w3);
    s3_4_1 = vfmaq_f32(s3_4_1, x3, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s3_0_0 = vaddq_f32(s3_0_0, s3_0_1);
  s3_1_0 = vaddq_f32(s3_1_0, s3_1_1);
  s3_2_0 = vaddq_f32(s3_2_0, s3_2_1);
  s3_3_0 = vaddq_f32(s3_3_0, s3_3_1);
  s3_4_0 = vaddq_f32(s3_4_0, s3_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s3_0_0 = vaddq_f32(s3_0_0, vld1q_f32(linear_bias));
  s3_0_0 = act_relu(s3_0_0);
  vst1q_f32(out + 3 * LAYER2_ROW, s3_0_0);
  s3_1_0 = vaddq_f32(s3_1_0, vld1q_f32(linear_bias + 4));
  s3_1_0 = act_relu(s3_1_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 4, s3_1_0);
  s3_2_0 = vaddq_f32(s3_2_0, vld1q_f32(linear_bias + 8));
  s3_2_0 = act_relu(s3_2_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 8, s3_2_0);
  s3_3_0 = vaddq_f32(s3_3_0, vld1q_f32(linear_bias + 12));
  s3_3_0 = act_relu(s3_3_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 12, s3_3_0);
  s3_4_0 = vaddq_f32(s3_4_0, vld1q_f32(linear_bias + 16));
  s3_4_0 = act_relu(s3_4_0);
  vst1q_f32(out + 3 * LAYER2_ROW + 16, s3_4_0);
}

/* layer2: 4 rows of 1 column. */
FFN_INLINE void layer2_group_4x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t sums =
      ffn_dots_neon(a, LAYER2_ROW, w, LAYER2_STEP, LAYER2_INPUTS, 4);
  sums = vaddq_f32(sums, vdupq_n_f32(0.0f));
  sums = vaddq_f32(sums, vdupq_n_f32(linear_bias[0]));
  float results[4];
  vst1q_f32(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
  out[3 * stride] = results[3];
}

/* layer1: 3 rows of 24 columns. */
FFN_INLINE void layer1_group_3x24(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
    s2_5_0 = vfmaq_f32(s2_5_0, x2, w5);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_5_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
    s2_5_1 = vfmaq_f32(s2_5_1, x2, w5);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s2_5_0 = vaddq_f32(s2_5_0, s2_5_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER2_ROW + 20, s1_5_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
  s2_5_0 = vaddq_f32(s2_5_0, vld1q_f32(linear_bias + 20));
  s2_5_0 = act_relu(s2_5_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 20, s2_5_0);
}

/* layer1: 3 rows of 20 columns, from column 8 of a panel on. */
FFN_INLINE void layer1_group_3x20_at_8(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
}

/* layer1: 3 rows of 20 columns, from column 12 of a panel on. */
FFN_INLINE void layer1_group_3x20_at_12(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_0 = vfmaq_f32(s2_0_0, x2, w0);
    s2_1_0 = vfmaq_f32(s2_1_0, x2, w1);
    s2_2_0 = vfmaq_f32(s2_2_0, x2, w2);
    s2_3_0 = vfmaq_f32(s2_3_0, x2, w3);
    s2_4_0 = vfmaq_f32(s2_4_0, x2, w4);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s2_4_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    const float32x4_t x2 = vdupq_n_f32(a[k + 2 * LAYER1_ROW]);
    s2_0_1 = vfmaq_f32(s2_0_1, x2, w0);
    s2_1_1 = vfmaq_f32(s2_1_1, x2, w1);
    s2_2_1 = vfmaq_f32(s2_2_1, x2, w2);
    s2_3_1 = vfmaq_f32(s2_3_1, x2, w3);
    s2_4_1 = vfmaq_f32(s2_4_1, x2, w4);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s2_0_0 = vaddq_f32(s2_0_0, s2_0_1);
  s2_1_0 = vaddq_f32(s2_1_0, s2_1_1);
  s2_2_0 = vaddq_f32(s2_2_0, s2_2_1);
  s2_3_0 = vaddq_f32(s2_3_0, s2_3_1);
  s2_4_0 = vaddq_f32(s2_4_0, s2_4_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s2_0_0 = vaddq_f32(s2_0_0, vld1q_f32(linear_bias));
  s2_0_0 = act_relu(s2_0_0);
  vst1q_f32(out + 2 * LAYER2_ROW, s2_0_0);
  s2_1_0 = vaddq_f32(s2_1_0, vld1q_f32(linear_bias + 4));
  s2_1_0 = act_relu(s2_1_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 4, s2_1_0);
  s2_2_0 = vaddq_f32(s2_2_0, vld1q_f32(linear_bias + 8));
  s2_2_0 = act_relu(s2_2_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 8, s2_2_0);
  s2_3_0 = vaddq_f32(s2_3_0, vld1q_f32(linear_bias + 12));
  s2_3_0 = act_relu(s2_3_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 12, s2_3_0);
  s2_4_0 = vaddq_f32(s2_4_0, vld1q_f32(linear_bias + 16));
  s2_4_0 = act_relu(s2_4_0);
  vst1q_f32(out + 2 * LAYER2_ROW + 16, s2_4_0);
}

/* layer2: 3 rows of 1 column. */
FFN_INLINE void layer2_group_3x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t sums =
      ffn_dots_neon(a, LAYER2_ROW, w, LAYER2_STEP, LAYER2_INPUTS, 3);
  sums = vaddq_f32(sums, vdupq_n_f32(0.0f));
  sums = vaddq_f32(sums, vdupq_n_f32(linear_bias[0]));
  float results[4];
  vst1q_f32(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
  out[2 * stride] = results[2];
}

/* layer1: 2 rows of 32 columns. */
FFN_INLINE void layer1_group_2x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_0 = vdupq_n_f32(0.0f);
  for (size_t k = 0; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
    s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
    s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
    s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
    s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
    s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
    s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_0 = vfmaq_f32(s1_0_0, x1, w0);
    s1_1_0 = vfmaq_f32(s1_1_0, x1, w1);
    s1_2_0 = vfmaq_f32(s1_2_0, x1, w2);
    s1_3_0 = vfmaq_f32(s1_3_0, x1, w3);
    s1_4_0 = vfmaq_f32(s1_4_0, x1, w4);
    s1_5_0 = vfmaq_f32(s1_5_0, x1, w5);
    s1_6_0 = vfmaq_f32(s1_6_0, x1, w6);
    s1_7_0 = vfmaq_f32(s1_7_0, x1, w7);
  }
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s1_7_1 = vdupq_n_f32(0.0f);
  for (size_t k = 1; k < LAYER1_INPUTS; k += 2) {
    const float32x4_t w0 = vld1q_f32(w + k * LAYER1_STEP);
    const float32x4_t w1 = vld1q_f32(w + k * LAYER1_STEP + 4);
    const float32x4_t w2 = vld1q_f32(w + k * LAYER1_STEP + 8);
    const float32x4_t w3 = vld1q_f32(w + k * LAYER1_STEP + 12);
    const float32x4_t w4 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL);
    const float32x4_t w5 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 4);
    const float32x4_t w6 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 8);
    const float32x4_t w7 = vld1q_f32(w + k * LAYER1_STEP + LAYER1_PANEL + 12);
    const float32x4_t x0 = vdupq_n_f32(a[k]);
    s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
    s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
    s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
    s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
    s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
    s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
    s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
    const float32x4_t x1 = vdupq_n_f32(a[k + LAYER1_ROW]);
    s1_0_1 = vfmaq_f32(s1_0_1, x1, w0);
    s1_1_1 = vfmaq_f32(s1_1_1, x1, w1);
    s1_2_1 = vfmaq_f32(s1_2_1, x1, w2);
    s1_3_1 = vfmaq_f32(s1_3_1, x1, w3);
    s1_4_1 = vfmaq_f32(s1_4_1, x1, w4);
    s1_5_1 = vfmaq_f32(s1_5_1, x1, w5);
    s1_6_1 = vfmaq_f32(s1_6_1, x1, w6);
    s1_7_1 = vfmaq_f32(s1_7_1, x1, w7);
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_1);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_1);
  s1_0_0 = vaddq_f32(s1_0_0, s1_0_1);
  s1_1_0 = vaddq_f32(s1_1_0, s1_1_1);
  s1_2_0 = vaddq_f32(s1_2_0, s1_2_1);
  s1_3_0 = vaddq_f32(s1_3_0, s1_3_1);
  s1_4_0 = vaddq_f32(s1_4_0, s1_4_1);
  s1_5_0 = vaddq_f32(s1_5_0, s1_5_1);
  s1_6_0 = vaddq_f32(s1_6_0, s1_6_1);
  s1_7_0 = vaddq_f32(s1_7_0, s1_7_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s0_6_0 = vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24));
  s0_6_0 = act_relu(s0_6_0);
  vst1q_f32(out + 24, s0_6_0);
  s0_7_0 = vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28));
  s0_7_0 = act_relu(s0_7_0);
  vst1q_f32(out + 28, s0_7_0);
  s1_0_0 = vaddq_f32(s1_0_0, vld1q_f32(linear_bias));
  s1_0_0 = act_relu(s1_0_0);
  vst1q_f32(out + LAYER2_ROW, s1_0_0);
  s1_1_0 = vaddq_f32(s1_1_0, vld1q_f32(linear_bias + 4));
  s1_1_0 = act_relu(s1_1_0);
  vst1q_f32(out + LAYER2_ROW + 4, s1_1_0);
  s1_2_0 = vaddq_f32(s1_2_0, vld1q_f32(linear_bias + 8));
  s1_2_0 = act_relu(s1_2_0);
  vst1q_f32(out + LAYER2_ROW + 8, s1_2_0);
  s1_3_0 = vaddq_f32(s1_3_0, vld1q_f32(linear_bias + 12));
  s1_3_0 = act_relu(s1_3_0);
  vst1q_f32(out + LAYER2_ROW + 12, s1_3_0);
  s1_4_0 = vaddq_f32(s1_4_0, vld1q_f32(linear_bias + 16));
  s1_4_0 = act_relu(s1_4_0);
  vst1q_f32(out + LAYER2_ROW + 16, s1_4_0);
  s1_5_0 = vaddq_f32(s1_5_0, vld1q_f32(linear_bias + 20));
  s1_5_0 = act_relu(s1_5_0);
  vst1q_f32(out + LAYER2_ROW + 20, s1_5_0);
  s1_6_0 = vaddq_f32(s1_6_0, vld1q_f32(linear_bias + 24));
  s1_6_0 = act_relu(s1_6_0);
  vst1q_f32(out + LAYER2_ROW + 24, s1_6_0);
  s1_7_0 = vaddq_f32(s1_7_0, vld1q_f32(linear_bias + 28));
  s1_7_0 = act_relu(s1_7_0);
  vst1q_f32(out + LAYER2_ROW + 28, s1_7_0);
}

/* layer2: 2 rows of 1 column. */
FFN_INLINE void layer2_group_2x1(
    const float *a, const float *w, const float *linear_bias, float *out, size_t stride) {
  float32x4_t sums =
      ffn_dots_neon(a, LAYER2_ROW, w, LAYER2_STEP, LAYER2_INPUTS, 2);
  sums = vaddq_f32(sums, vdupq_n_f32(0.0f));
  sums = vaddq_f32(sums, vdupq_n_f32(linear_bias[0]));
  float results[4];
  vst1q_f32(results, sums);
  out[0] = results[0];
  out[stride] = results[1];
}

/* layer1: a row of 32 columns. */
FFN_INLINE void layer1_group_1x32(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_1_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_2_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_3_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_4_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_5_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_6_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_7_1 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 2 <= LAYER1_INPUTS; k += 2, w += 2 * LAYER1_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t w1 = vld1q_f32(w + 4);
      const float32x4_t w2 = vld1q_f32(w + 8);
      const float32x4_t w3 = vld1q_f32(w + 12);
      const float32x4_t w4 = vld1q_f32(w + LAYER1_PANEL);
      const float32x4_t w5 = vld1q_f32(w + LAYER1_PANEL + 4);
      const float32x4_t w6 = vld1q_f32(w + LAYER1_PANEL + 8);
      const float32x4_t w7 = vld1q_f32(w + LAYER1_PANEL + 12);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
      s0_1_0 = vfmaq_f32(s0_1_0, x0, w1);
      s0_2_0 = vfmaq_f32(s0_2_0, x0, w2);
      s0_3_0 = vfmaq_f32(s0_3_0, x0, w3);
      s0_4_0 = vfmaq_f32(s0_4_0, x0, w4);
      s0_5_0 = vfmaq_f32(s0_5_0, x0, w5);
      s0_6_0 = vfmaq_f32(s0_6_0, x0, w6);
      s0_7_0 = vfmaq_f32(s0_7_0, x0, w7);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LAYER1_STEP);
      const float32x4_t w1 = vld1q_f32(w + LAYER1_STEP + 4);
      const float32x4_t w2 = vld1q_f32(w + LAYER1_STEP + 8);
      const float32x4_t w3 = vld1q_f32(w + LAYER1_STEP + 12);
      const float32x4_t w4 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL);
      const float32x4_t w5 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL + 4);
      const float32x4_t w6 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL + 8);
      const float32x4_t w7 = vld1q_f32(w + LAYER1_STEP + LAYER1_PANEL + 12);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
      s0_1_1 = vfmaq_f32(s0_1_1, x0, w1);
      s0_2_1 = vfmaq_f32(s0_2_1, x0, w2);
      s0_3_1 = vfmaq_f32(s0_3_1, x0, w3);
      s0_4_1 = vfmaq_f32(s0_4_1, x0, w4);
      s0_5_1 = vfmaq_f32(s0_5_1, x0, w5);
      s0_6_1 = vfmaq_f32(s0_6_1, x0, w6);
      s0_7_1 = vfmaq_f32(s0_7_1, x0, w7);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_1_0 = vaddq_f32(s0_1_0, s0_1_1);
  s0_2_0 = vaddq_f32(s0_2_0, s0_2_1);
  s0_3_0 = vaddq_f32(s0_3_0, s0_3_1);
  s0_4_0 = vaddq_f32(s0_4_0, s0_4_1);
  s0_5_0 = vaddq_f32(s0_5_0, s0_5_1);
  s0_6_0 = vaddq_f32(s0_6_0, s0_6_1);
  s0_7_0 = vaddq_f32(s0_7_0, s0_7_1);
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  s0_0_0 = act_relu(s0_0_0);
  vst1q_f32(out, s0_0_0);
  s0_1_0 = vaddq_f32(s0_1_0, vld1q_f32(linear_bias + 4));
  s0_1_0 = act_relu(s0_1_0);
  vst1q_f32(out + 4, s0_1_0);
  s0_2_0 = vaddq_f32(s0_2_0, vld1q_f32(linear_bias + 8));
  s0_2_0 = act_relu(s0_2_0);
  vst1q_f32(out + 8, s0_2_0);
  s0_3_0 = vaddq_f32(s0_3_0, vld1q_f32(linear_bias + 12));
  s0_3_0 = act_relu(s0_3_0);
  vst1q_f32(out + 12, s0_3_0);
  s0_4_0 = vaddq_f32(s0_4_0, vld1q_f32(linear_bias + 16));
  s0_4_0 = act_relu(s0_4_0);
  vst1q_f32(out + 16, s0_4_0);
  s0_5_0 = vaddq_f32(s0_5_0, vld1q_f32(linear_bias + 20));
  s0_5_0 = act_relu(s0_5_0);
  vst1q_f32(out + 20, s0_5_0);
  s0_6_0 = vaddq_f32(s0_6_0, vld1q_f32(linear_bias + 24));
  s0_6_0 = act_relu(s0_6_0);
  vst1q_f32(out + 24, s0_6_0);
  s0_7_0 = vaddq_f32(s0_7_0, vld1q_f32(linear_bias + 28));
  s0_7_0 = act_relu(s0_7_0);
  vst1q_f32(out + 28, s0_7_0);
}

/* layer2: a row of 1 columns. */
FFN_INLINE void layer2_group_1x4_of_1(
    const float *a, const float *w, const float *linear_bias, float *out) {
  float32x4_t s0_0_0 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_1 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_2 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_3 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_4 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_5 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_6 = vdupq_n_f32(0.0f);
  float32x4_t s0_0_7 = vdupq_n_f32(0.0f);
  size_t k = 0;
  FFN_UNROLL
  for (; k + 8 <= LAYER2_INPUTS; k += 8, w += 8 * LAYER2_STEP) {
    {
      const float32x4_t w0 = vld1q_f32(w);
      const float32x4_t x0 = vdupq_n_f32(a[k]);
      s0_0_0 = vfmaq_f32(s0_0_0, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 1]);
      s0_0_1 = vfmaq_f32(s0_0_1, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 2 * LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 2]);
      s0_0_2 = vfmaq_f32(s0_0_2, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 3 * LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 3]);
      s0_0_3 = vfmaq_f32(s0_0_3, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 4 * LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 4]);
      s0_0_4 = vfmaq_f32(s0_0_4, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 5 * LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 5]);
      s0_0_5 = vfmaq_f32(s0_0_5, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 6 * LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 6]);
      s0_0_6 = vfmaq_f32(s0_0_6, x0, w0);
    }
    {
      const float32x4_t w0 = vld1q_f32(w + 7 * LAYER2_STEP);
      const float32x4_t x0 = vdupq_n_f32(a[k + 7]);
      s0_0_7 = vfmaq_f32(s0_0_7, x0, w0);
    }
  }
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_4);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_5);
  s0_0_2 = vaddq_f32(s0_0_2, s0_0_6);
  s0_0_3 = vaddq_f32(s0_0_3, s0_0_7);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_2);
  s0_0_1 = vaddq_f32(s0_0_1, s0_0_3);
  s0_0_0 = vaddq_f32(s0_0_0, s0_0_1);
  s0_0_0 = vaddq_f32(s0_0_0, vdupq_n_f32(0.0f));
  s0_0_0 = vaddq_f32(s0_0_0, vld1q_f32(linear_bias));
  ffn_store_tail_neon(out, s0_0_0, 1);
}

/* 4 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_4(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 3 * LAYER1_ROW, x + 3 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 4 * LAYER1_ROW;
    layer1_group_4x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_4x20_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_4x20_at_12(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 44, out + 44);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 4 * LAYER1_ROW;
    layer2_group_4x1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 3 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_3(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + 2 * LAYER1_ROW, x + 2 * call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 3 * LAYER1_ROW;
    layer1_group_3x24(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_3x20_at_8(in, packed->layer1[1][0][0], packed->layer1_bias[0] + 24, out + 24);
    FFN_SETTLE();
    layer1_group_3x20_at_12(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 44, out + 44);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 3 * LAYER1_ROW;
    layer2_group_3x1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* 2 rows through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void rows_of_2(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    FFN_MEMCPY(memory, x, LAYER1_INPUTS * sizeof *x);
    FFN_MEMCPY(memory + LAYER1_ROW, x + call->x_stride, LAYER1_INPUTS * sizeof *x);
    const float *in = memory;
    float *out = memory + 2 * LAYER1_ROW;
    layer1_group_2x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_2x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + 2 * LAYER1_ROW;
    layer2_group_2x1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y, call->y_stride);
    FFN_SETTLE();
  }
}

/* One row through all stages: a walk would cost more than the sums. */
FFN_NOINLINE void one_row(const ffn_call *call, float *memory, size_t token) {
  const packed_weights *packed = (const packed_weights *)call->packed;
  const float *x = call->x + token * call->x_stride;
  float *y = call->y + token * call->y_stride;
  { /* layer1 */
    const float *in = x;
    float *out = memory + LAYER1_ROW;
    layer1_group_1x32(in, packed->layer1[0][0][0], packed->layer1_bias[0], out);
    FFN_SETTLE();
    layer1_group_1x32(in, packed->layer1[2][0][0], packed->layer1_bias[0] + 32, out + 32);
    FFN_SETTLE();
  }
  { /* layer2 */
    const float *in = memory + LAYER1_ROW;
    layer2_group_1x4_of_1(in, packed->layer2[0][0][0], packed->layer2_bias[0], y);
    FFN_SETTLE();
  }
}

/* Rows [first, last). A lone row, the commonest call, saves no registers for the others. */
static void straight_rows(const ffn_call *call, float *memory, size_t first, size_t last) {
  if (last - first == 1) {
    one_row(call, memory, first);
    return;
  }
  for (; last - first >= LANES_LEAST; first += ffn_min(last - first, LANES))
    lanes(call, memory, first, ffn_min(last - first, LANES));
  for (; first + 4 <= last; first += 4)
    rows_of_4(call, memory, first);
  for (; first + 3 <= last; first += 3)
    rows_of_3(call, memory, first);
  for (; first + 2 <= last; first += 2)
    rows_of_2(call, memory, first);
  for (; first < last; ++first)
    one_row(call, memory, first);
}

#ifndef FFN_NO_ADD
/* y + scale * row, rounded once. */
static void add_row(float *y, const float *row, size_t count, float scale) {
  const float32x4_t by = vdupq_n_f32(scale);
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    vst1q_f32(y + i, vfmaq_f32(vld1q_f32(y + i), by, vld1q_f32(row + i)));
  if (i < count) {
    float from[4] = {0}, to[4] = {0};
    FFN_MEMCPY(from, row + i, (count - i) * sizeof *row);
    FFN_MEMCPY(to, y + i, (count - i) * sizeof *y);
    vst1q_f32(to, vfmaq_f32(vld1q_f32(to), by, vld1q_f32(from)));
    FFN_MEMCPY(y + i, to, (count - i) * sizeof *y);
  }
}
#endif

static const ffn_stage stages[] = {
    {
        LAYER1_INPUTS, /* inputs */
        LAYER1_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_RELU, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER1_INPUTS, /* k_block */
        2, /* chains */
        LAYER1_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
    },
    {
        LAYER2_INPUTS, /* inputs */
        LAYER2_OUTPUTS, /* outputs */
        1, /* branches */
        {FFN_MATRIX_CHAIN}, /* matrix */
        FFN_ACT_IDENTITY, /* activation */
        FFN_PRODUCT_NONE, /* product */
        1, /* bias */
        0, /* parameter_count */
        0, /* parameters_fixed */
        {0.0f}, /* parameters */
        LAYER2_INPUTS, /* k_block */
        8, /* chains */
        LAYER2_ROUNDINGS, /* sum_length */
        0.0f, /* act_relative */
        0.0f, /* act_absolute */
    },
};

static const ffn_pass forward = {
    UINT64_C(0x1c1fdb03ec7cab65), /* layer_hash */
    straight_rows, /* rows */
    0, /* stage_count */
    NULL, /* stages */
    LANES, /* row_step */
    0, /* own_rows */
    ROWS, /* rows_per_walk */
    0, /* sum_at */
    WORK_ROW, /* work_row */
    BESIDE, /* beside */
    1, /* in_place */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    LAYER2_OUTPUTS, /* outputs */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
#ifndef FFN_NO_ADD
    ffn_add_whole, /* add */
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
      &packed->header, packed->layer1, packed->layer1_bias[0],
      stages, 0, weights, store);
  ffn_pack_stage(
      &packed->header, packed->layer2, packed->layer2_bias[0],
      stages, 1, weights, store);
}

static void unpack(ffn_weights *weights, const void *from) {
  const packed_weights *packed = (const packed_weights *)from;
  FFN_MEMCPY(weights->parameters, packed->header.parameters, sizeof weights->parameters);
  ffn_unpack_stage(
      weights, packed->layer1, packed->layer1_bias[0],
      stages, 0, load);
  ffn_unpack_stage(
      weights, packed->layer2, packed->layer2_bias[0],
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

extern const ffn_kernel mlp_10_relu64_identity1_bias_f32_neon;
const ffn_kernel mlp_10_relu64_identity1_bias_f32_neon = {
    "mlp_10_relu64_identity1_bias_f32_neon", /* name */
    "mlp_10_relu64_identity1_bias_f32", /* layer */
    FFN_KIND_MLP, /* kind */
    FFN_IDENTITY, /* variant */
    FFN_F32, /* dtype */
    FFN_ISA_NEON, /* isa */
    FFN_PROFILE_ANY, /* profile */
    0, /* max_tokens */
    LAYER1_INPUTS, /* inputs */
    0, /* hidden */
    LAYER2_OUTPUTS, /* outputs */
    1, /* bias */
    0, /* dropout */
    0, /* runtime_parameters */
    2, /* stage_count */
    stages, /* stages */
    sizeof(packed_weights), /* packed_bytes */
    ROWS, /* work_rows */
    WORK_ROW * sizeof(float), /* work_row_bytes */
    BESIDE * sizeof(float), /* work_beside_bytes */
    2 * (uint64_t)LAYER1_INPUTS * LAYER1_OUTPUTS +
        2 * (uint64_t)LAYER2_INPUTS * LAYER2_OUTPUTS, /* flop_per_token */
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
#endif
FFN_EXACT_END
