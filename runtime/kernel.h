/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * kernel.h - all that a generated kernel includes. A kernel file and this header link and work
 * by themselves: here are the portable scalar words, the packed layout and the walk of a layer's
 * stages over rows, columns and the host's threads. Everything is static inline. */
#ifndef FFN_KERNEL_H
#define FFN_KERNEL_H

#include "ffn.h"
/*@ end */

/*@ libc */
#include <assert.h>
#include <float.h>
#include <string.h>
/*@ end */

/*@ libc_macros */
/* What a kernel takes from a libc. */
#define FFN_ASSERT assert
#define FFN_MEMCPY memcpy
/*@ end */

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "ffn kernels promise exact bits, NaN and Inf: compile them without -ffast-math"
#endif

#if defined(__ASSOCIATIVE_MATH__)
#error "ffn kernels promise exact bits: compile them with -fno-associative-math"
#endif

/* clang has the same flag and tells nobody. It keeps the order of what is written as + and *, which
 * is portable C; what it makes of intrinsics the self-check alone can tell. */
#if defined(__clang__) && __clang_major__ >= 13
#pragma clang fp reassociate(off)
#endif

#if FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error "ffn kernels promise exact bits, unlike the x87: compile them with -mfpmath=sse -msse2"
#endif

/*@ x86 */
#if defined(__x86_64__) || defined(_M_X64)
#define FFN_ARCH_X86 1
#else
#define FFN_ARCH_X86 0
#endif
/*@ end */
/*@ arm64 */
#if defined(__aarch64__) || defined(_M_ARM64)
#define FFN_ARCH_ARM64 1
#else
#define FFN_ARCH_ARM64 0
#endif
/*@ end */

#if defined(__GNUC__)
#define FFN_INLINE static inline __attribute__((always_inline, unused))
#define FFN_NOINLINE static __attribute__((noinline))
#define FFN_APART static __attribute__((noinline, unused))
#else
#define FFN_INLINE static inline
#define FFN_NOINLINE static
#define FFN_APART static inline /* not to be inlined, where that can be said */
#endif

/* Asks for the cache line of an address: it will be read soon. */
#if defined(__GNUC__)
#define FFN_FETCH(address) __builtin_prefetch(address)
#elif defined(_M_X64)
#include <xmmintrin.h>
#define FFN_FETCH(address) _mm_prefetch((address), _MM_HINT_T0)
#else
#define FFN_FETCH(address) ((void)(address))
#endif

/* Floats in a panel: sixteen outputs, one cache line, stand side by side for each k. */
#define FFN_PANEL 16

/* The bits of a float. */
FFN_INLINE int32_t ffn_bits(float x) {
  int32_t bits;
  FFN_MEMCPY(&bits, &x, sizeof bits);
  return bits;
}

/* The float of some bits. */
FFN_INLINE float ffn_from_bits(int32_t bits) {
  float x;
  FFN_MEMCPY(&x, &bits, sizeof x);
  return x;
}

/*@ scalar */
/* ---- Scalar words of the portable kernels ------------------------------------------------- */

FFN_INLINE float ffn_abs(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x) & 0x7fffffffu;
  float y;
  FFN_MEMCPY(&y, &bits, sizeof y);
  return y;
}

/* The square root, rounded once. Newton's steps in double come closer to it than it can lie to
 * the middle between two floats, so the conversion rounds as IEEE 754 asks. No libm: kernels work
 * without one. */
FFN_INLINE float ffn_sqrt(float x) {
  if (!(x > 0.0f) || ffn_bits(x) >= 0x7f800000) /* Inf */
    return x < 0.0f ? (x - x) / 0.0f : x;
  const double square = x;
  int64_t bits;
  double root;
  FFN_MEMCPY(&bits, &square, sizeof bits);
  bits = (bits >> 1) + (INT64_C(1023) << 51); /* half the exponent: within 6 % */
  FFN_MEMCPY(&root, &bits, sizeof root);
  for (int step = 0; step < 4; ++step)
    root = 0.5 * (root + square / root);
  return (float)root;
}

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA) || defined(__riscv_flen) || \
    defined(__FP_FAST_FMAF)
#define ffn_fma(a, b, c) __builtin_fmaf(a, b, c)
#else
/* product + addend with one rounding to float: the sum is rounded to odd, which makes the second
 * rounding, to float, the only one that shows (Boldo and Melquiond, 2008). */
FFN_APART float ffn_round_once(double product, double addend) {
  const double sum = product + addend;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (addend - back);
  int64_t bits;
  FFN_MEMCPY(&bits, &sum, sizeof bits);
  const int64_t above = error > 0.0, below = error < 0.0;
  const int64_t outward = sum > 0.0 ? above - below : below - above;
  bits += (bits & 1) ? 0 : outward;
  double odd;
  FFN_MEMCPY(&odd, &bits, sizeof odd);
  return (float)odd;
}

/* 1: no branch depends on a sum. Training computes with the padding of panels, too, and drops it:
 * MemorySanitizer would take offence. */
#ifndef FFN_BRANCHLESS
#define FFN_BRANCHLESS 0
#endif

/* a * b + c with one rounding, for machines without the instruction. The product is exact in
 * double. A sum rounded to double and then to float is right but where a second rounding may go
 * the wrong way: halfway between two floats, and below the normal floats but for zero, which the
 * subtraction wraps around. Those few are done again. It has the bits of the instruction, at a
 * fraction of its speed: compile with -mfma where the machine has it. */
FFN_INLINE float ffn_fma(float a, float b, float c) {
  const double product = (double)a * (double)b;
  const double sum = product + (double)c;
  uint64_t bits;
  FFN_MEMCPY(&bits, &sum, sizeof bits);
  const int halfway = (uint32_t)bits << 3 == 0x80000000u;
  const int below = (bits << 1) - 1 < UINT64_C(897) << 53;
  return FFN_BRANCHLESS || halfway || below ? ffn_round_once(product, (double)c) : (float)sum;
}
#endif
/*@ end */

/* ---- What a layer's code tells the walk ---------------------------------------------------- */

/* One task of a stage: rows [0, rows) of columns [first, last), both multiples of 16. */
typedef struct ffn_task {
  float *out; /* y at row 0, rows at out_stride; or the next stage's input, blocked */
  size_t out_stride;
  const float *in; /* the stage's input, blocked as ffn_blocked() says */
  const void *packed;
  float *sum; /* this thread's sums */
  uint32_t *list; /* of inputs that are not zero */
  size_t rows, first, last;
} ffn_task;

/* How the walk runs a stage. */
typedef struct ffn_stage_walk {
  void (*columns)(const ffn_task *task);
  size_t inputs, outputs;
  size_t in_at; /* where its input lies in a thread's work memory, in floats */
  size_t row; /* floats of a row in a block of that input: see ffn_blocked() */
  size_t column_step; /* threads take columns in multiples of this */
} ffn_stage_walk;

struct ffn_call;

/* A pass over a layer: all that run() needs to know. */
typedef struct ffn_pass {
  uint64_t layer_hash;
  /* Rows [first, last) by one thread: ffn_walk_rows(), or straight-line code. */
  void (*rows)(const struct ffn_call *call, float *work, size_t first, size_t last);
  size_t stage_count; /* 0: straight-line code, which is split over rows alone */
  const ffn_stage_walk *stages;
  size_t row_tile, rows_per_walk; /* rows of the largest register tile, and of one walk */
  size_t sum_at, list_at; /* in a thread's work memory, in floats */
  size_t work_floats; /* of a thread's work memory */
  size_t inputs, outputs;
  uint64_t flop_per_token;
} ffn_pass;

/* One run of a pass. */
typedef struct ffn_call {
  const ffn_pass *pass;
  float *y;
  size_t y_stride;
  const float *x;
  size_t x_stride, tokens;
  const void *packed;
  float *work;
  size_t tasks; /* of the parallel run under way */
  size_t stage, token, rows; /* of the stage under way, where its columns are split */
} ffn_call;

FFN_INLINE size_t ffn_round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }
FFN_INLINE size_t ffn_min(size_t a, size_t b) { return a < b ? a : b; }

/* The largest part of an even split of n into parts of at most `most`. */
FFN_INLINE size_t ffn_even_part(size_t n, size_t most) {
  const size_t parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

/* In how many shares the row tiles of a chunk fetch the next block of weights: as many as there are
 * tiles, or the next power of two below, so that a share advances by whole bytes. */
FFN_INLINE size_t ffn_shares(size_t tiles) { return tiles < 8 ? tiles : tiles < 16 ? 8 : 16; }

/* Where input k of a row of a stage lies, in floats: the rows of a block of k stand together,
 * [k / width][rows][width], so that the rows of a tile are contiguous, whatever the layer's sizes.
 * A block has `width` inputs; the only one of a stage may have fewer. */
FFN_INLINE size_t ffn_blocked(size_t rows, size_t row, size_t k, size_t width) {
  return (k / width * rows + row) * width + k % width;
}

/*@ wide */
/* ---- Tiles of the portable kernels on x86-64 without an FMA instruction --------------------- *
 *
 * gcc leaves ffn_fma() scalar. So tiles that sum in one chain do here, in the same order, what
 * their text says, in vectors: sums stay doubles that hold floats. A product is exact, the sum is
 * rounded to double, then as an integer to the bits of a float, halves away from zero. What that
 * rounds wrongly is found for some k together and done again: sums halfway between two floats. And
 * before, by the range of their factors: products so small that a sum might be a subnormal that is
 * no multiple of the smallest, or so large that it might overflow. */
#if !defined(ffn_fma) && defined(__GNUC__) && defined(__SSE2__)
#define FFN_WIDE 1
#define FFN_WIDE_MOST 0x1.fffffep127f /* FLT_MAX, without <float.h> */
/* The rows of a tile: each weight is converted once for all of them. */
#define FFN_TILE_ROWS(most) ((size_t)FFN_WIDE_ROWS)

enum {
  FFN_WIDE_ROWS = 16, /* of a tile, at most */
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

FFN_INLINE ffn_wide_range ffn_wide_range_none(void) {
  const float most = FFN_WIDE_MOST;
  const ffn_wide_range none = {{0.0f, 0.0f, 0.0f, 0.0f}, {most, most, most, most}};
  return none;
}

/* The instructions take the second operand where the first is NaN, as zero less one is. */
FFN_INLINE void ffn_wide_range_add(ffn_wide_range *range, ffn_four x) {
  const ffn_four_bits magnitude = (ffn_four_bits)x & 0x7fffffff;
  range->most = __builtin_ia32_maxps((ffn_four)magnitude, range->most);
  range->least = __builtin_ia32_minps((ffn_four)(magnitude - 1), range->least);
}

/* Whether all products are multiples of 2^-149, and too small to lead a sum to overflow: less than
 * half a unit of the largest floats, whatever the sum was before. */
FFN_INLINE int ffn_wide_range_fits(const ffn_wide_range *x, float most, float least) {
  const ffn_four_bits fits = (x->most * most < 0x1p100f) & (x->least * least >= 0x1p-100f);
  return fits[0] & fits[1] & fits[2] & fits[3];
}

FFN_INLINE ffn_wide_range ffn_wide_range_of(const float *x, size_t count) {
  ffn_wide_range range = ffn_wide_range_none();
  ffn_four four;
  for (; count >= 4; x += 4, count -= 4) {
    FFN_MEMCPY(&four, x, sizeof four);
    ffn_wide_range_add(&range, four);
  }
  for (; count > 0; ++x, --count) {
    const ffn_four one = {*x, 0.0f, 0.0f, 0.0f};
    ffn_wide_range_add(&range, one);
  }
  return range;
}

/* Weights of some k as doubles, their range to `range`. */
FFN_INLINE void ffn_wide_weights(ffn_wide_row *to, ffn_wide_range *range, const float *w,
    size_t step, size_t second, size_t count) {
  for (size_t k = 0; k < count; ++k, w += step)
    for (size_t c = 0; c < FFN_PANEL; c += 4) {
      const float *from = w + (c < FFN_PANEL / 2 ? c : second + c - FFN_PANEL / 2);
      const ffn_pair low = {from[0], from[1]}, high = {from[2], from[3]};
      ffn_four four;
      FFN_MEMCPY(&four, from, sizeof four);
      ffn_wide_range_add(range, four);
      to[k].sum[c / 2] = low;
      to[k].sum[c / 2 + 1] = high;
    }
}

/* A step of a pair of sums. The empty statement keeps the order of what is written, in which all
 * sums stay in registers. */
#define FFN_WIDE_STEP(s, at) \
  do { \
    const ffn_pair_bits up = (ffn_pair_bits)((s) + x * (at)) + half; \
    (s) = (ffn_pair)(up & kept); \
    unsure |= (ffn_four_bits)up == (ffn_four_bits)(up & kept); \
    __asm__("" : "+x"(s), "+x"(unsure)); \
  } while (0)

/* from + a w over some k; whether all of it is right. Where a sum was halfway, adding the half has
 * cleared what is not kept. */
FFN_APART int ffn_wide_try(ffn_wide_row *to, const ffn_wide_row *from, const float *a,
    const ffn_wide_row *w, size_t count) {
  const ffn_pair_bits half = {0x10000000, 0x10000000}, kept = ~(2 * half - 1);
  ffn_four_bits unsure = {0, 0, 0, 0};
  ffn_pair s0 = from->sum[0], s1 = from->sum[1], s2 = from->sum[2], s3 = from->sum[3];
  ffn_pair s4 = from->sum[4], s5 = from->sum[5], s6 = from->sum[6], s7 = from->sum[7];
  for (size_t k = 0; k < count; ++k, ++w) {
    const ffn_pair x = {a[k], a[k]};
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
    ffn_wide_row *row, const float *a, const ffn_wide_row *w, size_t count) {
  const ffn_pair_bits half = {0x10000000, 0x10000000}, kept = ~(2 * half - 1);
  for (size_t k = 0; k < count; ++k, ++w)
    for (size_t c = 0; c < FFN_PANEL / 2; ++c) {
      const ffn_pair product = w->sum[c] * a[k], addend = row->sum[c];
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
    ffn_wide_row *row, const float *a, const ffn_wide_row *w, size_t count) {
  for (size_t k = 0; k < count; k += FFN_WIDE_AGAIN) {
    const size_t part = ffn_min(count - k, FFN_WIDE_AGAIN);
    ffn_wide_row tried;
    if (ffn_wide_try(&tried, row, a + k, w + k, part))
      *row = tried;
    else
      ffn_wide_odd(row, a + k, w + k, part);
  }
}

/* The same for all factors. */
FFN_APART void ffn_wide_any(
    ffn_wide_row *row, const float *a, const ffn_wide_row *w, size_t count) {
  for (size_t c = 0; c < FFN_PANEL; ++c) {
    float sum = (float)row->sum[c / 2][c % 2];
    for (size_t k = 0; k < count; ++k)
      sum = ffn_fma(a[k], (float)w[k].sum[c / 2][c % 2], sum);
    row->sum[c / 2][c % 2] = sum;
  }
}

/* sum[row][16] (+)= a w over `count` k; rows of the sums and of a at `sum_step` and `a_step`. The
 * weights of a k are two halves of a panel, the second at `second`; those of the next at `step`. */
FFN_APART void ffn_wide_sums(float *sum, size_t sum_step, const float *a, size_t a_step,
    const float *w, size_t step, size_t second, size_t count, size_t rows, int adds) {
  static const ffn_wide_row zero = {{{0.0, 0.0}}};
  ffn_wide_row row[FFN_WIDE_ROWS], wide[FFN_WIDE_K];
  for (size_t r = 0; r < rows; ++r)
    row[r] = zero;
  for (size_t k = 0; k < count; k += FFN_WIDE_K, w += FFN_WIDE_K * step) {
    const size_t part = ffn_min(count - k, FFN_WIDE_K);
    ffn_wide_range range = ffn_wide_range_none();
    ffn_wide_weights(wide, &range, w, step, second, part);
    float most = 0.0f, least = FFN_WIDE_MOST;
    for (size_t i = 0; i < 4; ++i) {
      most = range.most[i] > most ? range.most[i] : most;
      least = range.least[i] < least ? range.least[i] : least;
    }
    for (size_t r = 0; r < rows; ++r) {
      const float *x = a + r * a_step + k;
      ffn_wide_row tried;
      range = ffn_wide_range_of(x, part);
      if (!ffn_wide_range_fits(&range, most, least))
        ffn_wide_any(&row[r], x, wide, part);
      else if (ffn_wide_try(&tried, &row[r], x, wide, part))
        row[r] = tried;
      else
        ffn_wide_again(&row[r], x, wide, part);
    }
  }
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < FFN_PANEL; ++c) {
      float *to = sum + r * sum_step + c;
      const float more = (float)row[r].sum[c / 2][c % 2];
      *to = adds ? *to + more : more;
    }
}
#else
#define FFN_WIDE 0
#define FFN_TILE_ROWS(most) (most)
#endif
/*@ end */

/*@ straight */
/* What was stored is read back from memory, a broadcast for each use: without it gcc holds vectors
 * in registers, more than there are, and permutes them on a port that FMAs need. */
#if defined(__GNUC__)
#define FFN_SETTLE() __asm__ volatile("" ::: "memory")
#else
#define FFN_SETTLE() ((void)0)
#endif

/* The loop that follows is to become one straight line. */
#if defined(__clang__)
#define FFN_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define FFN_UNROLL _Pragma("GCC unroll 1024")
#else
#define FFN_UNROLL
#endif
/*@ end */

/*@ sparse */
/* Entries of a list of inputs that are read ahead of their use. */
#define FFN_LIST_AHEAD 8

/* Which of the inputs of `rows` rows are not zero in all of them, in ascending order; their count.
 * Behind the last come FFN_LIST_AHEAD more, to be fetched and never used. */
static inline size_t ffn_list_nonzero(
    uint32_t *list, const float *a, size_t rows, size_t inputs, size_t width) {
  size_t count = 0;
  for (size_t block = 0; block < inputs; block += width, a += rows * width)
    for (size_t k = 0; k < ffn_min(inputs - block, width); ++k) {
      uint32_t any = 0;
      for (size_t row = 0; row < rows; ++row)
        any |= (uint32_t)ffn_bits(a[row * width + k]) << 1;
      list[count] = (uint32_t)(block + k);
      count += any != 0;
    }
  for (size_t i = 0; i < FFN_LIST_AHEAD; ++i)
    list[count + i] = 0;
  return count;
}
/*@ end */

/* ---- Packed weights ----------------------------------------------------------------------- *
 *
 * A header of one cache line, then for each stage its panels, then its biases:
 *   panels  [outputs / 16, rounded up][inputs][branches][16], zeros beyond the last output
 *   biases  [branches][outputs rounded up to 16] */
typedef struct ffn_packed_header {
  char magic[4]; /* "FFNP" */
  uint32_t abi;
  uint64_t layer; /* hash of the layer's name */
  uint32_t finite; /* 1: no weight is Inf or NaN, so 0 times any of them is 0 */
  uint32_t zero[3];
  float parameters[FFN_MAX_PARAMETERS]; /* of the activation, at run time */
} ffn_packed_header;

/* 64-bit FNV-1a of a layer's name. */
static inline uint64_t ffn_layer_hash(const char *layer) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *layer; ++layer)
    hash = (hash ^ (unsigned char)*layer) * UINT64_C(0x100000001b3);
  return hash;
}

static inline int ffn_packed_is(const void *packed, uint64_t layer_hash) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return header.magic[0] == 'F' && header.magic[1] == 'F' && header.magic[2] == 'N' &&
         header.magic[3] == 'P' && header.abi == FFN_ABI && header.layer == layer_hash;
}

/*@ parameters */
static inline float ffn_packed_parameter(const void *packed, size_t index) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return header.parameters[index];
}
/*@ end */

/*@ sparse */
static inline int ffn_packed_finite(const void *packed) {
  ffn_packed_header header;
  FFN_MEMCPY(&header, packed, sizeof header);
  return (int)header.finite;
}
/*@ end */

/*@ pack */
#ifndef FFN_NO_PACK
static inline void ffn_pack_header(
    ffn_packed_header *to, uint64_t layer_hash, const float *parameters, size_t count) {
  /* A constant: one on the stack is cleared by memset(), which is not everywhere. */
  static const ffn_packed_header blank = {{'F', 'F', 'N', 'P'}, FFN_ABI, 0, 1, {0}, {0}};
  FFN_ASSERT(to && (uintptr_t)to % FFN_ALIGNMENT == 0);
  FFN_MEMCPY(to, &blank, sizeof blank);
  to->layer = layer_hash;
  FFN_MEMCPY(to->parameters, parameters, count * sizeof *parameters);
}

/* Where weight k of an output of a branch stands in the panels of a stage. */
FFN_INLINE size_t ffn_panel_at(const ffn_stage *stage, size_t branch, size_t output, size_t k) {
  const size_t step = stage->branches * FFN_PANEL;
  return (output / FFN_PANEL * stage->inputs + k) * step + branch * FFN_PANEL + output % FFN_PANEL;
}

/* weights -> panels and biases (NULL where there are none) of stage `index`; store() puts a weight
 * at an index of the panels, in the format of the kernel, and gives what that holds. Notes in the
 * header whether all of them are finite. */
FFN_INLINE void ffn_pack_stage(ffn_packed_header *header, void *panels, float *bias,
    const ffn_stage *stages, size_t index, const ffn_weights *weights,
    float (*store)(void *panels, size_t at, float weight)) {
  const ffn_stage *stage = &stages[index];
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL);
  uint32_t finite = 1;
  FFN_ASSERT(weights && (stage->matrix[0] != FFN_MATRIX_CHAIN || weights->chain));
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
    FFN_ASSERT(linear->weight && !linear->bias == !bias); /* see ffn_weights_problem() */
    for (size_t column = 0; column < columns; ++column) {
      const size_t at = ffn_panel_at(stage, branch, column, 0);
      const size_t step = stage->branches * FFN_PANEL;
      const float *row = column < outputs ? linear->weight + column * inputs : NULL;
      for (size_t k = 0; k < inputs; ++k) {
        const float held = store(panels, at + k * step, row ? row[k] : 0.0f);
        finite &= (ffn_bits(held) & 0x7f800000) != 0x7f800000; /* the exponent of Inf and NaN */
      }
      if (bias)
        bias[branch * columns + column] = row ? linear->bias[column] : 0.0f;
    }
  }
  header->finite &= finite;
}

/* The way back. Matrices that are NULL are passed over. */
FFN_INLINE void ffn_unpack_stage(const ffn_weights *weights, const void *panels, const float *bias,
    const ffn_stage *stages, size_t index, float (*load)(const void *panels, size_t at)) {
  const ffn_stage *stage = &stages[index];
  const size_t inputs = stage->inputs, outputs = stage->outputs;
  const size_t columns = ffn_round_up(outputs, FFN_PANEL), step = stage->branches * FFN_PANEL;
  for (size_t branch = 0; branch < stage->branches; ++branch) {
    const ffn_linear *linear = ffn_stage_linear(stages, weights, index, branch);
    float *weight_out = (float *)(uintptr_t)linear->weight;
    float *bias_out = (float *)(uintptr_t)linear->bias;
    for (size_t column = 0; weight_out && column < outputs; ++column) {
      const size_t at = ffn_panel_at(stage, branch, column, 0);
      for (size_t k = 0; k < inputs; ++k)
        weight_out[column * inputs + k] = load(panels, at + k * step);
    }
    if (bias && bias_out)
      FFN_MEMCPY(bias_out, bias + branch * columns, outputs * sizeof *bias);
  }
}
#endif
/*@ end */

/* ---- The walk of a pass over rows, columns and threads ------------------------------------- */

/* Below this much work a second thread costs more than it brings (about 10 us of one core). */
#ifndef FFN_PARALLEL_FLOP
#define FFN_PARALLEL_FLOP 2000000u
#endif

/*@ walk */
/* Rows [token, token + rows) of x into the first stage's input, in its blocks, whatever the
 * caller's stride. */
static inline void ffn_walk_load(const ffn_call *call, float *work, size_t token, size_t rows) {
  const ffn_stage_walk *stage = call->pass->stages;
  for (size_t k = 0; k < stage->inputs; k += stage->row)
    for (size_t row = 0; row < rows; ++row)
      FFN_MEMCPY(work + stage->in_at + ffn_blocked(rows, row, k, stage->row),
          call->x + (token + row) * call->x_stride + k,
          ffn_min(stage->inputs - k, stage->row) * sizeof(float));
}

/* Columns [first, last) of a stage for some rows whose input lies in `work`; `own` is this thread's
 * work memory. */
static inline void ffn_walk_stage(const ffn_call *call, size_t s, float *work, float *own,
    size_t token, size_t rows, size_t first, size_t last) {
  const ffn_pass *pass = call->pass;
  const ffn_stage_walk *stage = &pass->stages[s], *next = stage + 1;
  const int final = s + 1 == pass->stage_count;
  ffn_task task;
  task.out = final ? call->y + token * call->y_stride : work + next->in_at;
  task.out_stride = call->y_stride;
  task.in = work + stage->in_at;
  task.packed = call->packed;
  task.sum = own + pass->sum_at;
  task.list = (uint32_t *)(void *)(own + pass->list_at);
  task.rows = rows;
  task.first = first;
  task.last = last;
  stage->columns(&task);
}

/* Rows [first, last) through all stages, a walk of them at a time. */
static inline void ffn_walk_rows(const ffn_call *call, float *work, size_t first, size_t last) {
  const ffn_pass *pass = call->pass;
  while (first < last) {
    const size_t rows = ffn_even_part(last - first, pass->rows_per_walk);
    ffn_walk_load(call, work, first, rows);
    for (size_t s = 0; s < pass->stage_count; ++s)
      ffn_walk_stage(
          call, s, work, work, first, rows, 0, ffn_round_up(pass->stages[s].outputs, FFN_PANEL));
    first += rows;
  }
}
/*@ end */

/* Part `index` of `parts` of n, in multiples of step: [*first, *last). */
FFN_INLINE void ffn_share(
    size_t n, size_t step, size_t parts, size_t index, size_t *first, size_t *last) {
  const size_t steps = (n + step - 1) / step;
  *first = ffn_min(steps * index / parts * step, n);
  *last = ffn_min(steps * (index + 1) / parts * step, n);
}

static inline void ffn_rows_task(void *context, size_t index) {
  const ffn_call *call = (const ffn_call *)context;
  size_t first, last;
  ffn_share(call->tokens, call->pass->row_tile, call->tasks, index, &first, &last);
  call->pass->rows(call, call->work + index * call->pass->work_floats, first, last);
}

/*@ walk */
static inline void ffn_columns_task(void *context, size_t index) {
  const ffn_call *call = (const ffn_call *)context;
  const ffn_stage_walk *stage = &call->pass->stages[call->stage];
  size_t first, last;
  ffn_share(ffn_round_up(stage->outputs, FFN_PANEL), stage->column_step, call->tasks, index, &first,
      &last);
  if (first < last)
    ffn_walk_stage(call, call->stage, call->work, call->work + index * call->pass->work_floats,
        call->token, call->rows, first, last);
}

/* All rows, a walk of them at a time, the columns of each stage split over threads. */
static inline void ffn_walk_columns(ffn_call *call, const ffn_parallel *parallel) {
  const ffn_pass *pass = call->pass;
  while (call->token < call->tokens) {
    call->rows = ffn_even_part(call->tokens - call->token, pass->rows_per_walk);
    ffn_walk_load(call, call->work, call->token, call->rows);
    for (call->stage = 0; call->stage < pass->stage_count; ++call->stage) {
      const ffn_stage_walk *stage = &pass->stages[call->stage];
      const size_t steps = (stage->outputs + stage->column_step - 1) / stage->column_step;
      call->tasks = ffn_min(parallel->threads, steps);
      parallel->run(parallel->pool, call->tasks, ffn_columns_task, call);
    }
    call->token += call->rows;
  }
}
/*@ end */

/* y = layer(x). Many rows are split over rows: each thread walks the whole layer for its own. Few
 * rows are split over columns, one stage after the other. Never over k: no split changes a bit. */
static inline void ffn_pass_run(const ffn_pass *pass, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, const ffn_parallel *parallel) {
  ffn_call call = {pass, y, y_stride, x, x_stride, tokens, packed, (float *)work, 1, 0, 0, 0};
  size_t threads = parallel ? parallel->threads : 1;
  FFN_ASSERT(tokens == 0 || (x && y && packed && work));
  FFN_ASSERT((uintptr_t)packed % FFN_ALIGNMENT == 0 && (uintptr_t)work % FFN_ALIGNMENT == 0);
  FFN_ASSERT(tokens == 0 || ffn_packed_is(packed, pass->layer_hash));
  FFN_ASSERT(x_stride >= pass->inputs || tokens <= 1);
  FFN_ASSERT(y_stride >= pass->outputs || tokens <= 1);
  /* Both may be columns of one array, so the first rows tell, and not all that lies between. */
  FFN_ASSERT(tokens == 0 || (uintptr_t)(y + pass->outputs) <= (uintptr_t)x ||
             (uintptr_t)(x + pass->inputs) <= (uintptr_t)y);
  if (tokens == 0)
    return;
  if (tokens < FFN_PARALLEL_FLOP / pass->flop_per_token)
    threads = 1;
  if (threads <= 1) {
    pass->rows(&call, call.work, 0, tokens);
    return;
  }
  /*@ walk */
  if (pass->stage_count > 0 && tokens / threads < 2 * pass->row_tile) {
    ffn_walk_columns(&call, parallel);
    return;
  }
  /*@ end */
  call.tasks = threads;
  parallel->run(parallel->pool, threads, ffn_rows_task, &call);
}

/*@ foot */
#endif
/*@ end */
