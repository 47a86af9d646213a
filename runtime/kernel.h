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
#include <string.h>

/* What a kernel takes from a libc. */
#define FFN_ASSERT assert
#define FFN_MEMCPY memcpy
/*@ end */

#include "exact.h"

/*@ arch */
#if defined(__x86_64__) || defined(_M_X64)
#define FFN_ARCH_X86 1
#else
#define FFN_ARCH_X86 0
#endif
#if (defined(__aarch64__) && !defined(__AARCH64EB__)) || defined(_M_ARM64)
#define FFN_ARCH_ARM64 1 /* bytes of a lane lie otherwise where the first is the highest */
#else
#define FFN_ARCH_ARM64 0
#endif
/*@ end */

/* FFN_INLINE and FFN_NOINLINE are for a kernel's own functions, each of which is called, FFN_COLD
 * for those that are called once, and shall be short; FFN_SHARED and FFN_APART, which is not
 * inlined, for those of headers, of which a kernel calls some. */
#if defined(__GNUC__)
#define FFN_INLINE static inline __attribute__((always_inline))
#define FFN_NOINLINE static __attribute__((noinline))
#define FFN_SHARED static inline __attribute__((always_inline, unused))
#define FFN_APART static __attribute__((noinline, unused))
#ifdef __clang__
#define FFN_COLD static __attribute__((cold, minsize))
#else
#define FFN_COLD static __attribute__((cold))
#endif
#else
#define FFN_INLINE static inline
#define FFN_NOINLINE static
#define FFN_SHARED static inline
#define FFN_APART static inline
#define FFN_COLD static
#endif

/* Asks for the cache line of an address: it will be read soon. FFN_FETCH_FAR() asks for it in the
 * second-level cache, for many lines may be under way there. */
#if defined(__GNUC__)
#define FFN_FETCH(address) __builtin_prefetch(address)
#define FFN_FETCH_FAR(address) __builtin_prefetch((address), 0, 2)
#elif defined(_M_X64)
#include <xmmintrin.h>
#define FFN_FETCH(address) _mm_prefetch((address), _MM_HINT_T0)
#define FFN_FETCH_FAR(address) _mm_prefetch((address), _MM_HINT_T1)
#else
#define FFN_FETCH(address) ((void)(address))
#define FFN_FETCH_FAR(address) ((void)(address))
#endif

FFN_EXACT_BEGIN

/* Reads something of the cache line of an address, for the load alone: lines that a vector takes
 * whole come faster from memory on Zen 4 where every second one is asked for twice. */
#define FFN_TOUCH(address) ((void)*(const volatile char *)(const void *)(address))

/* Whether calls may add to what is there. */
#ifdef FFN_NO_ADD
#define FFN_ADDS 0
#else
#define FFN_ADDS 1
#endif

/* What is told of stages, or NULL where a product leaves it out: it is mentioned and not kept. */
/*@ leaves_stages */
#ifdef FFN_NO_STAGES
#define FFN_IF_STAGES(staged) (0 ? (staged) : NULL)
#else
/*@ end */
#define FFN_IF_STAGES(staged) staged
/*@ leaves_stages */
#endif
/*@ end */

/* Floats in a panel: sixteen outputs, one cache line, stand side by side for each k. */
#define FFN_PANEL 16

/* The bits of a float. */
FFN_SHARED int32_t ffn_bits(float x) {
  int32_t bits;
  FFN_MEMCPY(&bits, &x, sizeof bits);
  return bits;
}

/* The float of some bits. */
FFN_SHARED float ffn_from_bits(int32_t bits) {
  float x;
  FFN_MEMCPY(&x, &bits, sizeof x);
  return x;
}

/* ---- Scalar words: of the portable kernels, and of what packs ------------------------------ */

FFN_SHARED float ffn_abs(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x) & 0x7fffffffu;
  float y;
  FFN_MEMCPY(&y, &bits, sizeof y);
  return y;
}

/* -x where x may be a sum that cancels: compilers would take a float's minus into the sum. */
FFN_SHARED float ffn_flip(float x) { return ffn_from_bits(ffn_bits(x) ^ INT32_MIN); }

/* The square root, rounded once. Newton's steps in double come closer to it than it can lie to
 * the middle between two floats, so the conversion rounds as IEEE 754 asks. No libm: kernels work
 * without one. */
FFN_SHARED float ffn_sqrt(float x) {
  if (!(x > 0.0f) || ffn_bits(x) >= 0x7f800000) /* Inf */
    return x < 0.0f ? (x - x) / 0.0f : x;
  const double square = (double)x;
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

/* Where double is a library's, a call more is nothing, and the code of each call is much. */
#if defined(__SOFTFP__) || defined(__riscv_float_abi_soft)
#define FFN_FMA_KIND FFN_APART
#else
#define FFN_FMA_KIND FFN_SHARED
#endif

/* a * b + c with one rounding, for machines without the instruction. The product is exact in
 * double. A sum rounded to double and then to float is right but where a second rounding may go
 * the wrong way: halfway between two floats, and below the normal floats but for zero, which the
 * subtraction wraps around. Those few are done again. It has the bits of the instruction, at a
 * fraction of its speed: compile with -mfma where the machine has it. */
FFN_FMA_KIND float ffn_fma(float a, float b, float c) {
  const double product = (double)a * (double)b;
  const double sum = product + (double)c;
  uint64_t bits;
  FFN_MEMCPY(&bits, &sum, sizeof bits);
  const int halfway = (uint32_t)bits << 3 == 0x80000000u;
  const int below = (bits << 1) - 1 < UINT64_C(897) << 53;
  return FFN_BRANCHLESS || halfway || below ? ffn_round_once(product, (double)c) : (float)sum;
}
#endif

FFN_SHARED size_t ffn_round_up(size_t n, size_t step) { return (n + step - 1) / step * step; }
FFN_SHARED size_t ffn_min(size_t a, size_t b) { return a < b ? a : b; }
FFN_SHARED size_t ffn_max(size_t a, size_t b) { return a < b ? b : a; }

/* The largest part of an even split of n into parts of at most `most`. */
FFN_SHARED size_t ffn_even_part(size_t n, size_t most) {
  const size_t parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

/* The next part of n where parts have `most`: two are left even, and none is left alone. */
FFN_SHARED size_t ffn_next_part(size_t n, size_t most) {
  return n < 2 * most ? ffn_even_part(n, most) : most;
}

/* In how many shares the row tiles of a chunk fetch the next block of weights: as many as there are
 * tiles, or the next power of two below. */
FFN_SHARED size_t ffn_shares(size_t tiles) { return tiles < 8 ? tiles : tiles < 16 ? 8 : 16; }

/* How row tiles fetch; a constant at each call of a tile. */
enum {
  FFN_FETCHES_TWICE = -1, /* nothing; instead of it some lines are read twice */
  FFN_FETCHES_NONE = 0,
  FFN_FETCHES_NEAR = 1, /* at each k, a line again and again, for a busy core drops some */
  FFN_FETCHES_LINES = 2, /* line by line, where several tiles share the lines */
  FFN_FETCHES_FAR = 3, /* at each k into the second-level cache */
  FFN_FETCHES_BOTH = 4, /* NEAR, and what is further ahead into the second-level cache */
};

/* The way of these: FAR where `level` says so and memory takes longer than one tile, or two,
 * compute. BOTH where `second` bytes ahead, 0 if none, are more than `ahead`. */
FFN_SHARED int ffn_fetches(size_t ahead, size_t shares, size_t level, int twice, size_t second) {
  if (ahead == 0)
    return twice ? FFN_FETCHES_TWICE : FFN_FETCHES_NONE;
  if (second > ahead && shares == 1)
    return FFN_FETCHES_BOTH;
  if (level > 1 && shares <= 2)
    return FFN_FETCHES_FAR;
  return shares > 1 ? FFN_FETCHES_LINES : FFN_FETCHES_NEAR;
}

/* Fetches part `turn` of `turns` of `bytes` bytes of some bundles, which are `pitch` bytes apart.
 */
FFN_SHARED void ffn_fetch_part(
    const char *from, size_t bundles, size_t pitch, size_t bytes, size_t turn, size_t turns) {
  const size_t lines = (bytes + 63) / 64, last = lines * (turn + 1) / turns;
  for (; bundles > 0; --bundles, from += pitch)
    for (size_t line = lines * turn / turns; line < last; ++line)
      FFN_FETCH_FAR(from + 64 * line);
}

/* What a row tile fetches of the weights to come: at its first k what lies at `next` and as far
 * into its other panels, at each k `advance` bytes further; from k `until` on from `then` on, where
 * the next tile begins. */
typedef struct ffn_ahead {
  const char *next, *then;
  size_t advance, until;
  size_t second; /* FFN_FETCHES_BOTH: bytes from `next` to what the second-level cache gets */
} ffn_ahead;

/* Fetches a line that way. */
FFN_SHARED void ffn_fetch_as(int fetches, const char *address) {
  if (fetches == FFN_FETCHES_FAR) {
    FFN_FETCH_FAR(address);
  } else {
    FFN_FETCH(address);
  }
}

/* Where input k of a row of a stage lies, in elements: the rows of a k block stand together,
 * [k / width][rows][width], so that the rows of a tile are contiguous, whatever the layer's sizes.
 * A block has `width` inputs; the only one of a stage may have fewer. */
FFN_SHARED size_t ffn_blocked(size_t rows, size_t row, size_t k, size_t width) {
  return (k / width * rows + row) * width + k % width;
}

/* What is in memory is read where the code says so. Without it gcc reads ahead of that, into more
 * registers than there are; and holds vectors that it stored, to permute them for a broadcast on a
 * port that FMAs need. */
#if defined(__GNUC__)
#define FFN_SETTLE() __asm__ volatile("" ::: "memory")
#else
#define FFN_SETTLE() ((void)0)
#endif

/* The loop that follows is to become one straight line; or one whose turns are four of its own. */
#if defined(__clang__)
#define FFN_UNROLL _Pragma("clang loop unroll(full)")
#define FFN_UNROLL_4 _Pragma("clang loop unroll_count(4)")
#elif defined(__GNUC__)
#define FFN_UNROLL _Pragma("GCC unroll 1024")
#define FFN_UNROLL_4 _Pragma("GCC unroll 4")
#else
#define FFN_UNROLL
#define FFN_UNROLL_4
#endif

/* Fetches so many lines that way, a constant at each call; `fetches` is asked once for them. */
FFN_INLINE void ffn_fetch_lines(int fetches, size_t lines, const char *from, size_t second) {
  if (fetches == FFN_FETCHES_FAR) {
    FFN_UNROLL
    for (size_t line = 0; line < lines; ++line)
      FFN_FETCH_FAR(from + line * 64);
    return;
  }
  FFN_UNROLL
  for (size_t line = 0; line < lines; ++line)
    FFN_FETCH(from + line * 64);
  if (fetches == FFN_FETCHES_BOTH) {
    FFN_UNROLL
    for (size_t line = 0; line < lines; ++line)
      FFN_FETCH_FAR(from + second + line * 64);
  }
}

/* What holds but for the last time. gcc takes a loop of few turns for one that is not worth many
 * registers, and keeps sums in memory while it runs. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 9
#define FFN_OFTEN(condition) __builtin_expect_with_probability((condition), 1, 0.99)
#else
#define FFN_OFTEN(condition) (condition)
#endif

/* Nothing is known of two pointers: clang would address both by one index, which costs two
 * micro-operations for an FMA with its operand in memory. */
#if defined(__GNUC__)
#define FFN_OPAQUE(a, b) __asm__("" : "+r"(a), "+r"(b))
#else
#define FFN_OPAQUE(a, b) ((void)0)
#endif

/* Four sums (+)= x times four neighbours in memory. A Cortex-M loads these at once, where it is
 * told: gcc loads one after the other. */
#if defined(__GNUC__) && defined(__thumb2__) && defined(__ARM_FP) && defined(__ARM_FEATURE_FMA)
#define FFN_FMA_FOUR(s0, s1, s2, s3, x, w) \
  __asm__("vldmia %[from], {s0-s3}\n\t" \
          "vfma.f32 %[a], %[by], s0\n\t" \
          "vfma.f32 %[b], %[by], s1\n\t" \
          "vfma.f32 %[c], %[by], s2\n\t" \
          "vfma.f32 %[d], %[by], s3" \
          : [a] "+t"(s0), [b] "+t"(s1), [c] "+t"(s2), [d] "+t"(s3) \
          : [by] "t"(x), [from] "r"(w), "m"(*(const float(*)[4])(w)) \
          : "s0", "s1", "s2", "s3")
#else
#define FFN_FMA_FOUR(s0, s1, s2, s3, x, w) \
  ((s0) = ffn_fma(x, (w)[0], s0), (s1) = ffn_fma(x, (w)[1], s1), (s2) = ffn_fma(x, (w)[2], s2), \
      (s3) = ffn_fma(x, (w)[3], s3))
#endif

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

/* Whether sums are rounded to the nearest: in another mode of the caller's a sum that skips zeros
 * may differ from one that adds them, by the sign of a zero or as ffn_fma() differs from an
 * instruction. */
FFN_SHARED int ffn_rounds_to_nearest(void) {
  const volatile float tiny = 1e-9f; /* that a compiler may not take for a constant */
  return 1.0f + tiny == 1.0f - tiny;
}

#include "memory_spans.h"
#include "mode.h"
#include "packed.h"
#include "walk.h"
#include "wide_sums.h"

FFN_EXACT_END

/*@ foot */
#endif
/*@ end */
