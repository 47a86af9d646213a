/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_relu_bias_d4_f8_f32_avx512
 * FFN relu, 4 -> 8 -> 4, with biases, f32, for avx512
 * The worked example on paper: 4 -> 8 -> 4, ReLU
 *
 *     h = relu(x W_up^T + b_up)
 *     y = h W_down^T + b_down
 *
 * Remake     ffngen generate
 * Spec       paper_example; templates kernel.c.tpl, stage.c.tpl
 * Tiles      up: rows x columns 30 x 16, 1 branch, at most 32 of 32 registers
 * Tiles      down: rows x columns 15 x 16, 1 branch, at most 32 of 32 registers
 * Walk       210 rows at a time; activations as [block of k][row][k]
 * Cost       128 flop per token; 960 bytes of packed weights;
 *            40320 bytes of work memory per thread
 * Sums       up: k ascends; at most 5 roundings
 * Sums       down: k ascends in 2 interleaved chains; at most 6 roundings
 * Error      up: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 5 2^-24;
 *            relu exact
 * Error      down: |sum - exact| <= g/(1-g) (sum |x||w| + |b|), g = 6 2^-24
 */
#include "kernel.h"

#if FFN_ABI != 3
#error "made for ABI 3 of kernel.h: generate this file anew, or use its own kernel.h"
#endif

#if FFN_ARCH_X86
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif

/* max(x, 0); exact.
 * Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202. */
FFN_INLINE __m512 act_relu(const __m512 x) {
  return _mm512_max_ps(_mm512_set1_ps(0.0f), x);
}

/* ---- up: 4 -> 8 --------------------------------------------------------------------------
 *
 * Panels [1][4][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for up to 30 rows of 16 columns; 32 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void up_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
  __m512 s0_0 = _mm512_setzero_ps();
  __m512 s1_0 = _mm512_setzero_ps();
  __m512 s2_0 = _mm512_setzero_ps();
  __m512 s3_0 = _mm512_setzero_ps();
  __m512 s4_0 = _mm512_setzero_ps();
  __m512 s5_0 = _mm512_setzero_ps();
  __m512 s6_0 = _mm512_setzero_ps();
  __m512 s7_0 = _mm512_setzero_ps();
  __m512 s8_0 = _mm512_setzero_ps();
  __m512 s9_0 = _mm512_setzero_ps();
  __m512 s10_0 = _mm512_setzero_ps();
  __m512 s11_0 = _mm512_setzero_ps();
  __m512 s12_0 = _mm512_setzero_ps();
  __m512 s13_0 = _mm512_setzero_ps();
  __m512 s14_0 = _mm512_setzero_ps();
  __m512 s15_0 = _mm512_setzero_ps();
  __m512 s16_0 = _mm512_setzero_ps();
  __m512 s17_0 = _mm512_setzero_ps();
  __m512 s18_0 = _mm512_setzero_ps();
  __m512 s19_0 = _mm512_setzero_ps();
  __m512 s20_0 = _mm512_setzero_ps();
  __m512 s21_0 = _mm512_setzero_ps();
  __m512 s22_0 = _mm512_setzero_ps();
  __m512 s23_0 = _mm512_setzero_ps();
  __m512 s24_0 = _mm512_setzero_ps();
  __m512 s25_0 = _mm512_setzero_ps();
  __m512 s26_0 = _mm512_setzero_ps();
  __m512 s27_0 = _mm512_setzero_ps();
  __m512 s28_0 = _mm512_setzero_ps();
  __m512 s29_0 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k < 4; ++k, w += 16) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 48]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s4_0 = _mm512_fmadd_ps(x, w0, s4_0);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 80]); s5_0 = _mm512_fmadd_ps(x, w0, s5_0);
    }
    if (rows > 6) {
      const __m512 x = _mm512_set1_ps(a[k + 96]); s6_0 = _mm512_fmadd_ps(x, w0, s6_0);
    }
    if (rows > 7) {
      const __m512 x = _mm512_set1_ps(a[k + 112]); s7_0 = _mm512_fmadd_ps(x, w0, s7_0);
    }
    if (rows > 8) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s8_0 = _mm512_fmadd_ps(x, w0, s8_0);
    }
    if (rows > 9) {
      const __m512 x = _mm512_set1_ps(a[k + 144]); s9_0 = _mm512_fmadd_ps(x, w0, s9_0);
    }
    if (rows > 10) {
      const __m512 x = _mm512_set1_ps(a[k + 160]); s10_0 = _mm512_fmadd_ps(x, w0, s10_0);
    }
    if (rows > 11) {
      const __m512 x = _mm512_set1_ps(a[k + 176]); s11_0 = _mm512_fmadd_ps(x, w0, s11_0);
    }
    if (rows > 12) {
      const __m512 x = _mm512_set1_ps(a[k + 192]); s12_0 = _mm512_fmadd_ps(x, w0, s12_0);
    }
    if (rows > 13) {
      const __m512 x = _mm512_set1_ps(a[k + 208]); s13_0 = _mm512_fmadd_ps(x, w0, s13_0);
    }
    if (rows > 14) {
      const __m512 x = _mm512_set1_ps(a[k + 224]); s14_0 = _mm512_fmadd_ps(x, w0, s14_0);
    }
    if (rows > 15) {
      const __m512 x = _mm512_set1_ps(a[k + 240]); s15_0 = _mm512_fmadd_ps(x, w0, s15_0);
    }
    if (rows > 16) {
      const __m512 x = _mm512_set1_ps(a[k + 256]); s16_0 = _mm512_fmadd_ps(x, w0, s16_0);
    }
    if (rows > 17) {
      const __m512 x = _mm512_set1_ps(a[k + 272]); s17_0 = _mm512_fmadd_ps(x, w0, s17_0);
    }
    if (rows > 18) {
      const __m512 x = _mm512_set1_ps(a[k + 288]); s18_0 = _mm512_fmadd_ps(x, w0, s18_0);
    }
    if (rows > 19) {
      const __m512 x = _mm512_set1_ps(a[k + 304]); s19_0 = _mm512_fmadd_ps(x, w0, s19_0);
    }
    if (rows > 20) {
      const __m512 x = _mm512_set1_ps(a[k + 320]); s20_0 = _mm512_fmadd_ps(x, w0, s20_0);
    }
    if (rows > 21) {
      const __m512 x = _mm512_set1_ps(a[k + 336]); s21_0 = _mm512_fmadd_ps(x, w0, s21_0);
    }
    if (rows > 22) {
      const __m512 x = _mm512_set1_ps(a[k + 352]); s22_0 = _mm512_fmadd_ps(x, w0, s22_0);
    }
    if (rows > 23) {
      const __m512 x = _mm512_set1_ps(a[k + 368]); s23_0 = _mm512_fmadd_ps(x, w0, s23_0);
    }
    if (rows > 24) {
      const __m512 x = _mm512_set1_ps(a[k + 384]); s24_0 = _mm512_fmadd_ps(x, w0, s24_0);
    }
    if (rows > 25) {
      const __m512 x = _mm512_set1_ps(a[k + 400]); s25_0 = _mm512_fmadd_ps(x, w0, s25_0);
    }
    if (rows > 26) {
      const __m512 x = _mm512_set1_ps(a[k + 416]); s26_0 = _mm512_fmadd_ps(x, w0, s26_0);
    }
    if (rows > 27) {
      const __m512 x = _mm512_set1_ps(a[k + 432]); s27_0 = _mm512_fmadd_ps(x, w0, s27_0);
    }
    if (rows > 28) {
      const __m512 x = _mm512_set1_ps(a[k + 448]); s28_0 = _mm512_fmadd_ps(x, w0, s28_0);
    }
    if (rows > 29) {
      const __m512 x = _mm512_set1_ps(a[k + 464]); s29_0 = _mm512_fmadd_ps(x, w0, s29_0);
    }
  }
  _mm512_store_ps(sum, s0_0);
  if (rows > 1) {
    _mm512_store_ps(sum + 16, s1_0);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 32, s2_0);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 48, s3_0);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 64, s4_0);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 80, s5_0);
  }
  if (rows > 6) {
    _mm512_store_ps(sum + 96, s6_0);
  }
  if (rows > 7) {
    _mm512_store_ps(sum + 112, s7_0);
  }
  if (rows > 8) {
    _mm512_store_ps(sum + 128, s8_0);
  }
  if (rows > 9) {
    _mm512_store_ps(sum + 144, s9_0);
  }
  if (rows > 10) {
    _mm512_store_ps(sum + 160, s10_0);
  }
  if (rows > 11) {
    _mm512_store_ps(sum + 176, s11_0);
  }
  if (rows > 12) {
    _mm512_store_ps(sum + 192, s12_0);
  }
  if (rows > 13) {
    _mm512_store_ps(sum + 208, s13_0);
  }
  if (rows > 14) {
    _mm512_store_ps(sum + 224, s14_0);
  }
  if (rows > 15) {
    _mm512_store_ps(sum + 240, s15_0);
  }
  if (rows > 16) {
    _mm512_store_ps(sum + 256, s16_0);
  }
  if (rows > 17) {
    _mm512_store_ps(sum + 272, s17_0);
  }
  if (rows > 18) {
    _mm512_store_ps(sum + 288, s18_0);
  }
  if (rows > 19) {
    _mm512_store_ps(sum + 304, s19_0);
  }
  if (rows > 20) {
    _mm512_store_ps(sum + 320, s20_0);
  }
  if (rows > 21) {
    _mm512_store_ps(sum + 336, s21_0);
  }
  if (rows > 22) {
    _mm512_store_ps(sum + 352, s22_0);
  }
  if (rows > 23) {
    _mm512_store_ps(sum + 368, s23_0);
  }
  if (rows > 24) {
    _mm512_store_ps(sum + 384, s24_0);
  }
  if (rows > 25) {
    _mm512_store_ps(sum + 400, s25_0);
  }
  if (rows > 26) {
    _mm512_store_ps(sum + 416, s26_0);
  }
  if (rows > 27) {
    _mm512_store_ps(sum + 432, s27_0);
  }
  if (rows > 28) {
    _mm512_store_ps(sum + 448, s28_0);
  }
  if (rows > 29) {
    _mm512_store_ps(sum + 464, s29_0);
  }
}

FFN_NOINLINE void up_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: up_sums_tile_16(sum, a, w, 1); break;
  case 2: up_sums_tile_16(sum, a, w, 2); break;
  case 3: up_sums_tile_16(sum, a, w, 3); break;
  case 4: up_sums_tile_16(sum, a, w, 4); break;
  case 5: up_sums_tile_16(sum, a, w, 5); break;
  case 6: up_sums_tile_16(sum, a, w, 6); break;
  case 7: up_sums_tile_16(sum, a, w, 7); break;
  case 8: up_sums_tile_16(sum, a, w, 8); break;
  case 9: up_sums_tile_16(sum, a, w, 9); break;
  case 10: up_sums_tile_16(sum, a, w, 10); break;
  case 11: up_sums_tile_16(sum, a, w, 11); break;
  case 12: up_sums_tile_16(sum, a, w, 12); break;
  case 13: up_sums_tile_16(sum, a, w, 13); break;
  case 14: up_sums_tile_16(sum, a, w, 14); break;
  case 15: up_sums_tile_16(sum, a, w, 15); break;
  case 16: up_sums_tile_16(sum, a, w, 16); break;
  case 17: up_sums_tile_16(sum, a, w, 17); break;
  case 18: up_sums_tile_16(sum, a, w, 18); break;
  case 19: up_sums_tile_16(sum, a, w, 19); break;
  case 20: up_sums_tile_16(sum, a, w, 20); break;
  case 21: up_sums_tile_16(sum, a, w, 21); break;
  case 22: up_sums_tile_16(sum, a, w, 22); break;
  case 23: up_sums_tile_16(sum, a, w, 23); break;
  case 24: up_sums_tile_16(sum, a, w, 24); break;
  case 25: up_sums_tile_16(sum, a, w, 25); break;
  case 26: up_sums_tile_16(sum, a, w, 26); break;
  case 27: up_sums_tile_16(sum, a, w, 27); break;
  case 28: up_sums_tile_16(sum, a, w, 28); break;
  case 29: up_sums_tile_16(sum, a, w, 29); break;
  case 30: up_sums_tile_16(sum, a, w, 30); break;
  default: assert(0);
  }
}

/* Sums plus bias through relu into the next stage's input, zero weights beyond the last output. */
FFN_NOINLINE void up_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 80 + column;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < cols; c += 16) {
      float *out = task->out + ffn_blocked(task->rows, row + r, column + c, 16);
      const __m512 up = _mm512_add_ps(_mm512_load_ps(sum + c), _mm512_load_ps(bias + c));
      const __m512 value = act_relu(up);
      _mm512_store_ps(out, value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *up_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 16 + column / FFN_PANEL * 64 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void up_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 16, most = 30, sums = up_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = up_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 16, weights,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 4;
    } while (block < 4);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        up_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

/* ---- down: 8 -> 4 ------------------------------------------------------------------------
 *
 * Panels [1][8][1][16]: sixteen outputs of each branch side by side for every k.
 */

/* sum[row][branch][16] = a w for up to 15 rows of 16 columns; 32 of 32 registers.
 * Called with `rows` constant: what a smaller tile does not use compiles away. */
FFN_INLINE void down_sums_tile_16(float *sum, const float *a, const float *w, const int rows) {
  __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps();
  __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps();
  __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps();
  __m512 s3_0_0 = _mm512_setzero_ps(), s3_0_1 = _mm512_setzero_ps();
  __m512 s4_0_0 = _mm512_setzero_ps(), s4_0_1 = _mm512_setzero_ps();
  __m512 s5_0_0 = _mm512_setzero_ps(), s5_0_1 = _mm512_setzero_ps();
  __m512 s6_0_0 = _mm512_setzero_ps(), s6_0_1 = _mm512_setzero_ps();
  __m512 s7_0_0 = _mm512_setzero_ps(), s7_0_1 = _mm512_setzero_ps();
  __m512 s8_0_0 = _mm512_setzero_ps(), s8_0_1 = _mm512_setzero_ps();
  __m512 s9_0_0 = _mm512_setzero_ps(), s9_0_1 = _mm512_setzero_ps();
  __m512 s10_0_0 = _mm512_setzero_ps(), s10_0_1 = _mm512_setzero_ps();
  __m512 s11_0_0 = _mm512_setzero_ps(), s11_0_1 = _mm512_setzero_ps();
  __m512 s12_0_0 = _mm512_setzero_ps(), s12_0_1 = _mm512_setzero_ps();
  __m512 s13_0_0 = _mm512_setzero_ps(), s13_0_1 = _mm512_setzero_ps();
  __m512 s14_0_0 = _mm512_setzero_ps(), s14_0_1 = _mm512_setzero_ps();
  size_t k = 0;
  for (; k + 2 <= 8; k += 2, w += 32) {
    {
      const __m512 w0 = _mm512_load_ps(w);
      {
        const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 64]); s4_0_0 = _mm512_fmadd_ps(x, w0, s4_0_0);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 80]); s5_0_0 = _mm512_fmadd_ps(x, w0, s5_0_0);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 96]); s6_0_0 = _mm512_fmadd_ps(x, w0, s6_0_0);
      }
      if (rows > 7) {
        const __m512 x = _mm512_set1_ps(a[k + 112]); s7_0_0 = _mm512_fmadd_ps(x, w0, s7_0_0);
      }
      if (rows > 8) {
        const __m512 x = _mm512_set1_ps(a[k + 128]); s8_0_0 = _mm512_fmadd_ps(x, w0, s8_0_0);
      }
      if (rows > 9) {
        const __m512 x = _mm512_set1_ps(a[k + 144]); s9_0_0 = _mm512_fmadd_ps(x, w0, s9_0_0);
      }
      if (rows > 10) {
        const __m512 x = _mm512_set1_ps(a[k + 160]); s10_0_0 = _mm512_fmadd_ps(x, w0, s10_0_0);
      }
      if (rows > 11) {
        const __m512 x = _mm512_set1_ps(a[k + 176]); s11_0_0 = _mm512_fmadd_ps(x, w0, s11_0_0);
      }
      if (rows > 12) {
        const __m512 x = _mm512_set1_ps(a[k + 192]); s12_0_0 = _mm512_fmadd_ps(x, w0, s12_0_0);
      }
      if (rows > 13) {
        const __m512 x = _mm512_set1_ps(a[k + 208]); s13_0_0 = _mm512_fmadd_ps(x, w0, s13_0_0);
      }
      if (rows > 14) {
        const __m512 x = _mm512_set1_ps(a[k + 224]); s14_0_0 = _mm512_fmadd_ps(x, w0, s14_0_0);
      }
    }
    {
      const __m512 w0 = _mm512_load_ps(w + 16);
      {
        const __m512 x = _mm512_set1_ps(a[k + 1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
      }
      if (rows > 1) {
        const __m512 x = _mm512_set1_ps(a[k + 17]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
      }
      if (rows > 2) {
        const __m512 x = _mm512_set1_ps(a[k + 33]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
      }
      if (rows > 3) {
        const __m512 x = _mm512_set1_ps(a[k + 49]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
      }
      if (rows > 4) {
        const __m512 x = _mm512_set1_ps(a[k + 65]); s4_0_1 = _mm512_fmadd_ps(x, w0, s4_0_1);
      }
      if (rows > 5) {
        const __m512 x = _mm512_set1_ps(a[k + 81]); s5_0_1 = _mm512_fmadd_ps(x, w0, s5_0_1);
      }
      if (rows > 6) {
        const __m512 x = _mm512_set1_ps(a[k + 97]); s6_0_1 = _mm512_fmadd_ps(x, w0, s6_0_1);
      }
      if (rows > 7) {
        const __m512 x = _mm512_set1_ps(a[k + 113]); s7_0_1 = _mm512_fmadd_ps(x, w0, s7_0_1);
      }
      if (rows > 8) {
        const __m512 x = _mm512_set1_ps(a[k + 129]); s8_0_1 = _mm512_fmadd_ps(x, w0, s8_0_1);
      }
      if (rows > 9) {
        const __m512 x = _mm512_set1_ps(a[k + 145]); s9_0_1 = _mm512_fmadd_ps(x, w0, s9_0_1);
      }
      if (rows > 10) {
        const __m512 x = _mm512_set1_ps(a[k + 161]); s10_0_1 = _mm512_fmadd_ps(x, w0, s10_0_1);
      }
      if (rows > 11) {
        const __m512 x = _mm512_set1_ps(a[k + 177]); s11_0_1 = _mm512_fmadd_ps(x, w0, s11_0_1);
      }
      if (rows > 12) {
        const __m512 x = _mm512_set1_ps(a[k + 193]); s12_0_1 = _mm512_fmadd_ps(x, w0, s12_0_1);
      }
      if (rows > 13) {
        const __m512 x = _mm512_set1_ps(a[k + 209]); s13_0_1 = _mm512_fmadd_ps(x, w0, s13_0_1);
      }
      if (rows > 14) {
        const __m512 x = _mm512_set1_ps(a[k + 225]); s14_0_1 = _mm512_fmadd_ps(x, w0, s14_0_1);
      }
    }
  }
  if (k < 8) {
    const __m512 w0 = _mm512_load_ps(w);
    {
      const __m512 x = _mm512_set1_ps(a[k]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
    }
    if (rows > 1) {
      const __m512 x = _mm512_set1_ps(a[k + 16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
    }
    if (rows > 2) {
      const __m512 x = _mm512_set1_ps(a[k + 32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
    }
    if (rows > 3) {
      const __m512 x = _mm512_set1_ps(a[k + 48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
    }
    if (rows > 4) {
      const __m512 x = _mm512_set1_ps(a[k + 64]); s4_0_0 = _mm512_fmadd_ps(x, w0, s4_0_0);
    }
    if (rows > 5) {
      const __m512 x = _mm512_set1_ps(a[k + 80]); s5_0_0 = _mm512_fmadd_ps(x, w0, s5_0_0);
    }
    if (rows > 6) {
      const __m512 x = _mm512_set1_ps(a[k + 96]); s6_0_0 = _mm512_fmadd_ps(x, w0, s6_0_0);
    }
    if (rows > 7) {
      const __m512 x = _mm512_set1_ps(a[k + 112]); s7_0_0 = _mm512_fmadd_ps(x, w0, s7_0_0);
    }
    if (rows > 8) {
      const __m512 x = _mm512_set1_ps(a[k + 128]); s8_0_0 = _mm512_fmadd_ps(x, w0, s8_0_0);
    }
    if (rows > 9) {
      const __m512 x = _mm512_set1_ps(a[k + 144]); s9_0_0 = _mm512_fmadd_ps(x, w0, s9_0_0);
    }
    if (rows > 10) {
      const __m512 x = _mm512_set1_ps(a[k + 160]); s10_0_0 = _mm512_fmadd_ps(x, w0, s10_0_0);
    }
    if (rows > 11) {
      const __m512 x = _mm512_set1_ps(a[k + 176]); s11_0_0 = _mm512_fmadd_ps(x, w0, s11_0_0);
    }
    if (rows > 12) {
      const __m512 x = _mm512_set1_ps(a[k + 192]); s12_0_0 = _mm512_fmadd_ps(x, w0, s12_0_0);
    }
    if (rows > 13) {
      const __m512 x = _mm512_set1_ps(a[k + 208]); s13_0_0 = _mm512_fmadd_ps(x, w0, s13_0_0);
    }
    if (rows > 14) {
      const __m512 x = _mm512_set1_ps(a[k + 224]); s14_0_0 = _mm512_fmadd_ps(x, w0, s14_0_0);
    }
    ++k, w += 16;
  }
  s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
  if (rows > 1) {
    s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
  }
  if (rows > 2) {
    s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
  }
  if (rows > 3) {
    s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
  }
  if (rows > 4) {
    s4_0_0 = _mm512_add_ps(s4_0_0, s4_0_1);
  }
  if (rows > 5) {
    s5_0_0 = _mm512_add_ps(s5_0_0, s5_0_1);
  }
  if (rows > 6) {
    s6_0_0 = _mm512_add_ps(s6_0_0, s6_0_1);
  }
  if (rows > 7) {
    s7_0_0 = _mm512_add_ps(s7_0_0, s7_0_1);
  }
  if (rows > 8) {
    s8_0_0 = _mm512_add_ps(s8_0_0, s8_0_1);
  }
  if (rows > 9) {
    s9_0_0 = _mm512_add_ps(s9_0_0, s9_0_1);
  }
  if (rows > 10) {
    s10_0_0 = _mm512_add_ps(s10_0_0, s10_0_1);
  }
  if (rows > 11) {
    s11_0_0 = _mm512_add_ps(s11_0_0, s11_0_1);
  }
  if (rows > 12) {
    s12_0_0 = _mm512_add_ps(s12_0_0, s12_0_1);
  }
  if (rows > 13) {
    s13_0_0 = _mm512_add_ps(s13_0_0, s13_0_1);
  }
  if (rows > 14) {
    s14_0_0 = _mm512_add_ps(s14_0_0, s14_0_1);
  }
  _mm512_store_ps(sum, s0_0_0);
  if (rows > 1) {
    _mm512_store_ps(sum + 16, s1_0_0);
  }
  if (rows > 2) {
    _mm512_store_ps(sum + 32, s2_0_0);
  }
  if (rows > 3) {
    _mm512_store_ps(sum + 48, s3_0_0);
  }
  if (rows > 4) {
    _mm512_store_ps(sum + 64, s4_0_0);
  }
  if (rows > 5) {
    _mm512_store_ps(sum + 80, s5_0_0);
  }
  if (rows > 6) {
    _mm512_store_ps(sum + 96, s6_0_0);
  }
  if (rows > 7) {
    _mm512_store_ps(sum + 112, s7_0_0);
  }
  if (rows > 8) {
    _mm512_store_ps(sum + 128, s8_0_0);
  }
  if (rows > 9) {
    _mm512_store_ps(sum + 144, s9_0_0);
  }
  if (rows > 10) {
    _mm512_store_ps(sum + 160, s10_0_0);
  }
  if (rows > 11) {
    _mm512_store_ps(sum + 176, s11_0_0);
  }
  if (rows > 12) {
    _mm512_store_ps(sum + 192, s12_0_0);
  }
  if (rows > 13) {
    _mm512_store_ps(sum + 208, s13_0_0);
  }
  if (rows > 14) {
    _mm512_store_ps(sum + 224, s14_0_0);
  }
}

FFN_NOINLINE void down_sums_16(float *sum, const float *a, const float *w, size_t rows) {
  switch (rows) {
  case 1: down_sums_tile_16(sum, a, w, 1); break;
  case 2: down_sums_tile_16(sum, a, w, 2); break;
  case 3: down_sums_tile_16(sum, a, w, 3); break;
  case 4: down_sums_tile_16(sum, a, w, 4); break;
  case 5: down_sums_tile_16(sum, a, w, 5); break;
  case 6: down_sums_tile_16(sum, a, w, 6); break;
  case 7: down_sums_tile_16(sum, a, w, 7); break;
  case 8: down_sums_tile_16(sum, a, w, 8); break;
  case 9: down_sums_tile_16(sum, a, w, 9); break;
  case 10: down_sums_tile_16(sum, a, w, 10); break;
  case 11: down_sums_tile_16(sum, a, w, 11); break;
  case 12: down_sums_tile_16(sum, a, w, 12); break;
  case 13: down_sums_tile_16(sum, a, w, 13); break;
  case 14: down_sums_tile_16(sum, a, w, 14); break;
  case 15: down_sums_tile_16(sum, a, w, 15); break;
  default: assert(0);
  }
}

/* Sums plus bias into y. */
FFN_NOINLINE void down_finish(const ffn_task *task, const float *sum, size_t row, size_t rows, size_t column, size_t cols) {
  const float *bias = task->packed + 224 + column;
  const size_t valid = column < 4 ? ffn_min(4 - column, cols) : 0;
  for (size_t r = 0; r < rows; ++r, sum += 1 * cols)
    for (size_t c = 0; c < valid; c += 16) {
      float *out = task->out + (row + r) * task->out_stride + column + c;
      const __m512 down = _mm512_add_ps(_mm512_add_ps(_mm512_load_ps(sum + c), _mm512_setzero_ps()), _mm512_load_ps(bias + c));
      const __m512 value = down;
      if (valid - c >= 16)
        _mm512_storeu_ps(out, value);
      else
        _mm512_mask_storeu_ps(out, (__mmask16)((1u << (valid - c)) - 1u), value);
    }
}

/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const float *down_weights(const ffn_task *task, size_t column, size_t k) {
  return task->packed + 96 + column / FFN_PANEL * 128 + column % FFN_PANEL + k * 16;
}

/* Columns [first, last), a chunk at a time: the sums of a chunk stay in cache while k ascends, and
 * each block of weights while all rows pass over it. */
static void down_pass(const ffn_task *task) {
  for (size_t column = task->first; column < task->last;) {
    const size_t left = task->last - column;
    size_t cols, most;
    void (*sums)(float *, const float *, const float *, size_t);
      cols = 16, most = 15, sums = down_sums_16;
    const size_t group = cols;
    const size_t chunk =
        task->rows <= 32 ? group : ffn_min(left / group * group, 16);
    const size_t rows = ffn_even_part(task->rows, most);
    size_t block = 0;
    do {
      for (size_t g = 0; g < chunk; g += group) {
        const float *weights = down_weights(task, column + g, block);
        for (size_t row = 0; row < task->rows; row += rows)
          for (size_t c = g; c < g + group; c += cols) {
            sums(
                task->sum + 1 * (c * task->rows + row * cols),
                task->in + block * task->rows + row * 16, weights,
                ffn_min(rows, task->rows - row));
          }
      }
      block += 8;
    } while (block < 8);
    for (size_t c = 0; c < chunk; c += cols)
      for (size_t row = 0; row < task->rows; row += rows)
        down_finish(task, task->sum + 1 * (c * task->rows + row * cols), row,
                    ffn_min(rows, task->rows - row), column + c, cols);
    column += chunk;
  }
}

static const ffn_stage stages[] = {
    {4, 8, 1, {FFN_MATRIX_UP}, FFN_ACT_RELU, FFN_PRODUCT_NONE, 1, 0.0f,
     4, 1, 5, 0.0f, 0.0f},
    {8, 4, 1, {FFN_MATRIX_DOWN}, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE, 1, 0.0f,
     8, 2, 6, 0.0f, 0.0f},
};

static const ffn_chain_stage chain_stages[] = {
    {up_pass, 4, 8, 1, 1,
     16, 80, 0, 16, 16},
    {down_pass, 8, 4, 1, 1,
     96, 224, 3360, 16, 16},
};


/* 4 rows, all stages in one straight line: a walk would cost more than the sums. */
static void straight_4(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* up */
    memcpy(work + 0, from + 0 * from_stride, 4 * sizeof *from);
    memcpy(work + 16, from + 1 * from_stride, 4 * sizeof *from);
    memcpy(work + 32, from + 2 * from_stride, 4 * sizeof *from);
    memcpy(work + 48, from + 3 * from_stride, 4 * sizeof *from);
    const float *in = work + 0;
    float *out = work + 64;
    const float *w = packed + 16;
    const float *bias = packed + 80;
    enum { rows = 4 };
    {
      __m512 s0_0 = _mm512_setzero_ps();
      __m512 s1_0 = _mm512_setzero_ps();
      __m512 s2_0 = _mm512_setzero_ps();
      __m512 s3_0 = _mm512_setzero_ps();
      {
        const __m512 w0 = _mm512_load_ps(w);
        {
          const __m512 x = _mm512_set1_ps(in[0]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[16]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[32]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[48]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 16);
        {
          const __m512 x = _mm512_set1_ps(in[1]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[17]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[33]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[49]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 32);
        {
          const __m512 x = _mm512_set1_ps(in[2]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[18]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[34]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[50]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 48);
        {
          const __m512 x = _mm512_set1_ps(in[3]); s0_0 = _mm512_fmadd_ps(x, w0, s0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[19]); s1_0 = _mm512_fmadd_ps(x, w0, s1_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[35]); s2_0 = _mm512_fmadd_ps(x, w0, s2_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[51]); s3_0 = _mm512_fmadd_ps(x, w0, s3_0);
        }
      }
      if (rows > 1) {

      }
      if (rows > 2) {

      }
      if (rows > 3) {

      }
      {
        const __m512 up = _mm512_add_ps(s0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(up);
        _mm512_store_ps(out, value);
      }
      {
        const __m512 up = _mm512_add_ps(s1_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(up);
        _mm512_store_ps(out + 16, value);
      }
      {
        const __m512 up = _mm512_add_ps(s2_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(up);
        _mm512_store_ps(out + 32, value);
      }
      {
        const __m512 up = _mm512_add_ps(s3_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(up);
        _mm512_store_ps(out + 48, value);
      }
    }
    FFN_SETTLE();
  }
  { /* down */
    const float *in = work + 64;
    const float *w = packed + 96;
    const float *bias = packed + 224;
    enum { rows = 4 };
    {
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps();
      __m512 s1_0_0 = _mm512_setzero_ps(), s1_0_1 = _mm512_setzero_ps();
      __m512 s2_0_0 = _mm512_setzero_ps(), s2_0_1 = _mm512_setzero_ps();
      __m512 s3_0_0 = _mm512_setzero_ps(), s3_0_1 = _mm512_setzero_ps();
      {
        const __m512 w0 = _mm512_load_ps(w);
        {
          const __m512 x = _mm512_set1_ps(in[0]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[16]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[32]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[48]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 16);
        {
          const __m512 x = _mm512_set1_ps(in[1]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[17]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[33]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[49]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 32);
        {
          const __m512 x = _mm512_set1_ps(in[2]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[18]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[34]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[50]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 48);
        {
          const __m512 x = _mm512_set1_ps(in[3]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[19]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[35]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[51]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 64);
        {
          const __m512 x = _mm512_set1_ps(in[4]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[20]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[36]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[52]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 80);
        {
          const __m512 x = _mm512_set1_ps(in[5]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[21]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[37]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[53]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 96);
        {
          const __m512 x = _mm512_set1_ps(in[6]); s0_0_0 = _mm512_fmadd_ps(x, w0, s0_0_0);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[22]); s1_0_0 = _mm512_fmadd_ps(x, w0, s1_0_0);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[38]); s2_0_0 = _mm512_fmadd_ps(x, w0, s2_0_0);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[54]); s3_0_0 = _mm512_fmadd_ps(x, w0, s3_0_0);
        }
      }
      {
        const __m512 w0 = _mm512_load_ps(w + 112);
        {
          const __m512 x = _mm512_set1_ps(in[7]); s0_0_1 = _mm512_fmadd_ps(x, w0, s0_0_1);
        }
        if (rows > 1) {
          const __m512 x = _mm512_set1_ps(in[23]); s1_0_1 = _mm512_fmadd_ps(x, w0, s1_0_1);
        }
        if (rows > 2) {
          const __m512 x = _mm512_set1_ps(in[39]); s2_0_1 = _mm512_fmadd_ps(x, w0, s2_0_1);
        }
        if (rows > 3) {
          const __m512 x = _mm512_set1_ps(in[55]); s3_0_1 = _mm512_fmadd_ps(x, w0, s3_0_1);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      if (rows > 1) {
        s1_0_0 = _mm512_add_ps(s1_0_0, s1_0_1);
      }
      if (rows > 2) {
        s2_0_0 = _mm512_add_ps(s2_0_0, s2_0_1);
      }
      if (rows > 3) {
        s3_0_0 = _mm512_add_ps(s3_0_0, s3_0_1);
      }
      {
        const __m512 down = _mm512_add_ps(_mm512_add_ps(s0_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = down;
        _mm512_mask_storeu_ps(y, (__mmask16)((1u << (4)) - 1u), value);
      }
      {
        const __m512 down = _mm512_add_ps(_mm512_add_ps(s1_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = down;
        _mm512_mask_storeu_ps(y + 1 * y_stride, (__mmask16)((1u << (4)) - 1u), value);
      }
      {
        const __m512 down = _mm512_add_ps(_mm512_add_ps(s2_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = down;
        _mm512_mask_storeu_ps(y + 2 * y_stride, (__mmask16)((1u << (4)) - 1u), value);
      }
      {
        const __m512 down = _mm512_add_ps(_mm512_add_ps(s3_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = down;
        _mm512_mask_storeu_ps(y + 3 * y_stride, (__mmask16)((1u << (4)) - 1u), value);
      }
    }
    FFN_SETTLE();
  }
  (void)from_stride, (void)y_stride, (void)work;
}

/* One row, all stages in one straight line: a walk would cost more than the sums. */
static void straight_1(float *y, size_t y_stride, const float *from, size_t from_stride, const float *packed, float *work) {
  { /* up */
    const float *in = from;
    float *out = work + 16;
    const float *w = packed + 16;
    const float *bias = packed + 80;
    enum { rows = 1 };
    {
      __m512 s0_0 = _mm512_setzero_ps();
      {
        {
          const __m512 x = _mm512_set1_ps(in[0]); s0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w), s0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[1]);
          s0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16), s0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[2]);
          s0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 32), s0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[3]);
          s0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 48), s0_0);
        }
      }
      {
        const __m512 up = _mm512_add_ps(s0_0, _mm512_load_ps(bias));
        const __m512 value = act_relu(up);
        _mm512_store_ps(out, value);
      }
    }
    FFN_SETTLE();
  }
  { /* down */
    const float *in = work + 16;
    const float *w = packed + 96;
    const float *bias = packed + 224;
    enum { rows = 1 };
    {
      __m512 s0_0_0 = _mm512_setzero_ps(), s0_0_1 = _mm512_setzero_ps();
      {
        {
          const __m512 x = _mm512_set1_ps(in[0]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[1]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 16), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[2]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 32), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[3]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 48), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[4]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 64), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[5]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 80), s0_0_1);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[6]);
          s0_0_0 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 96), s0_0_0);
        }
      }
      {
        {
          const __m512 x = _mm512_set1_ps(in[7]);
          s0_0_1 = _mm512_fmadd_ps(x, _mm512_load_ps(w + 112), s0_0_1);
        }
      }
      s0_0_0 = _mm512_add_ps(s0_0_0, s0_0_1);
      {
        const __m512 down = _mm512_add_ps(_mm512_add_ps(s0_0_0, _mm512_setzero_ps()), _mm512_load_ps(bias));
        const __m512 value = down;
        _mm512_mask_storeu_ps(y, (__mmask16)((1u << (4)) - 1u), value);
      }
    }
    FFN_SETTLE();
  }
  (void)from_stride, (void)y_stride, (void)work;
}

static void straight_rows(const ffn_walk *walk, float *slot, size_t token, size_t end) {
  for (; token + 4 <= end; token += 4)
    straight_4(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
  for (; token + 1 <= end; token += 1)
    straight_1(walk->y + token * walk->y_stride, walk->y_stride, walk->x + token * walk->x_stride, walk->x_stride, walk->packed, slot);
}
static const ffn_chain chain = {straight_rows, UINT64_C(0xf02d40da8de26944), 2, chain_stages, 30, 210,
                                6720, 10080, 128};

static void pack(void *packed, const ffn_weights *weights) {
  ffn_pack_stages(packed, &chain, stages, weights, 0.0f);
}

static void unpack(ffn_weights *weights, const void *packed) {
  ffn_unpack_stages(weights, &chain, stages, packed);
}

static void run(float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens,
                const void *packed, void *work, const ffn_parallel *parallel) {
  ffn_chain_run(&chain, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel ffn_relu_bias_d4_f8_f32_avx512;
const ffn_kernel ffn_relu_bias_d4_f8_f32_avx512 = {
    "ffn_relu_bias_d4_f8_f32_avx512",
    "ffn_relu_bias_d4_f8_f32",
    FFN_KIND_FFN,
    FFN_RELU,
    FFN_F32,
    FFN_ISA_AVX512,
    4,
    8,
    4,
    1,
    0,
    2,
    stages,
    960,
    40320,
    128,
    pack,
    unpack,
    run,
};

#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#endif
