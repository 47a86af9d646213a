/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn.c - memory for kernels, checks of what they are given, and words for what they are. */
/*@ end */
/*@ kernel_h */
#include "kernel.h"
/*@ end */

/*@ alloc_includes */
#include <stdlib.h>
/*@ end */
#if defined(__linux__)
#include <sys/mman.h>
#if defined(MADV_HUGEPAGE)
#define FFN_HUGE_WISH MADV_HUGEPAGE
#define FFN_HUGE_FRESH MADV_DONTNEED
#elif !defined(__cplusplus) && !defined(__alpha__) && !defined(__hppa__)
/* Hidden by -std=c11. */
int madvise(void *memory, size_t bytes, int advice);
#define FFN_HUGE_WISH 14
#define FFN_HUGE_FRESH 4
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define FFN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FFN_ASAN 1
#endif
#endif
#if defined(FFN_ASAN)
#include <sanitizer/asan_interface.h>
#endif

size_t ffn_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens) {
  if (!kernel)
    return 0;
  if (threads == 0)
    threads = 1;
  const size_t rows = tokens < 1 ? 1 : tokens < kernel->work_rows ? tokens : kernel->work_rows;
  const size_t each = rows * kernel->work_row_bytes + kernel->work_beside_bytes;
  return threads > SIZE_MAX / each ? SIZE_MAX : threads * each;
}

void *ffn_arena_alloc(ffn_arena *arena, size_t bytes) {
  if (!arena || !arena->memory || (uintptr_t)arena->memory % FFN_ALIGNMENT != 0 || bytes == 0)
    return NULL;
  const size_t past = arena->used % FFN_ALIGNMENT, gap = past ? FFN_ALIGNMENT - past : 0;
  if (arena->used > arena->bytes || gap > arena->bytes - arena->used ||
      bytes > arena->bytes - arena->used - gap)
    return NULL;
  char *memory = (char *)arena->memory + arena->used + gap;
  arena->used += gap + bytes;
  return memory;
}

/* So many bytes, in a block of `size` or a little more, which is remembered in front of them. */
static void *ffn_alloc_aligned(size_t bytes, size_t size, size_t alignment) {
  const size_t extra = alignment + sizeof(void *);
  char *block = (char *)malloc(size + extra);
  if (!block)
    return NULL;
  const uintptr_t first = (uintptr_t)block + sizeof(void *);
  char *memory = block + sizeof(void *) + (alignment - first % alignment) % alignment;
  memcpy(memory - sizeof(void *), &block, sizeof block);
#if defined(FFN_ASAN)
  __asan_poison_memory_region(memory + bytes, (size_t)(block + size + extra - (memory + bytes)));
#endif
  (void)bytes;
  return memory;
}

#if defined(FFN_HUGE_WISH)
#define FFN_HUGE_PAGE ((size_t)2 << 20)

/* The same in huge pages: fewer translations of addresses on the way through the weights, and no
 * gaps in what the CPU reads ahead. Or NULL: too few bytes, or no memory for the way there.
 *
 * From small pages weights are read at three quarters of the speed. A rest of a sixteenth may lie
 * in those, where it costs a fiftieth; for a longer one the block becomes longer. Huge pages come
 * at the first touch, so what malloc() has had touched before is given back first. */
static void *ffn_alloc_huge(size_t bytes) {
  if (bytes < FFN_HUGE_PAGE / 2 || bytes > SIZE_MAX / 2 - 2 * FFN_HUGE_PAGE)
    return NULL;
  const size_t rest = bytes % FFN_HUGE_PAGE;
  const size_t huge = bytes - rest + (rest > bytes / 16 ? FFN_HUGE_PAGE : 0);
  void *memory = ffn_alloc_aligned(bytes, bytes < huge ? huge : bytes, FFN_HUGE_PAGE);
  if (memory) { /* wishes, which may be refused */
    (void)madvise(memory, huge, FFN_HUGE_WISH);
    (void)madvise(memory, huge, FFN_HUGE_FRESH);
  }
  return memory;
}
#endif

void *ffn_alloc(size_t bytes) {
  void *memory = NULL;
  if (bytes == 0 || bytes > SIZE_MAX / 2 - FFN_ALIGNMENT - sizeof memory)
    return NULL;
#if defined(FFN_HUGE_WISH)
  memory = ffn_alloc_huge(bytes);
#endif
  return memory ? memory : ffn_alloc_aligned(bytes, bytes, FFN_ALIGNMENT);
}

void ffn_free(void *memory) {
  void *block;
  if (!memory)
    return;
  memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
  free(block);
}

#ifndef FFN_NO_PACK
/* What is told of a field, by ffn_matrix. */
#define FFN_MATRIX_TOLD(field, what) \
  { \
    "weights.gate." field what, "weights.up." field what, "weights.down." field what, \
        "weights.chain[]." field what \
  }

/* Of numbers that a stage does not take: what it does. */
static const char *ffn_source_problem(const ffn_stage *stage, ffn_matrix matrix) {
  static const char *const floats[] =
      FFN_MATRIX_TOLD("source", ": the kernel takes FFN_SOURCE_F32 there");
  switch ((int)stage->source) {
/*@ source_told */
#define FFN_SOURCE(NAME, name, ...) \
  case FFN_SOURCE_##NAME: { \
    static const char *const both[] = FFN_MATRIX_TOLD( \
        "source", ": the kernel takes FFN_SOURCE_" #NAME " and FFN_SOURCE_F32 there"); \
    static const char *const alone[] = \
        FFN_MATRIX_TOLD("source", ": the kernel takes FFN_SOURCE_" #NAME " there, and no floats"); \
    return stage->source_alone ? alone[matrix] : both[matrix]; \
  }
#include "formats.inc"
#undef FFN_SOURCE
  /*@ end */
  default:
    return floats[matrix];
  }
}

/* What a kernel does not take of a matrix. */
static const char *ffn_linear_problem(
    const ffn_stage *stage, const ffn_linear *linear, ffn_matrix matrix) {
  static const char *const no_weight[] = FFN_MATRIX_TOLD("weight", " is NULL");
  static const char *const no_bias[] = FFN_MATRIX_TOLD("bias", " is NULL");
  static const char *const unused_bias[] = FFN_MATRIX_TOLD("bias", ": the kernel has no biases");
  static const char *const scaled[] =
      FFN_MATRIX_TOLD("scales", " or zeros are given, which the source has not");
  static const char *const no_scales[] =
      FFN_MATRIX_TOLD("scales", " is NULL, or not aligned as its numbers are");
  static const char *const tiny[] = FFN_MATRIX_TOLD(
      "scales", " has one of less than 2^-100 that is not 0, which the format cannot hold");
  static const char *const rows[] = FFN_MATRIX_TOLD(
      "row_bytes", " is less than a row, or no multiple of a number's bytes, and not 0");
  static const char *const apart[] =
      FFN_MATRIX_TOLD("weight", " is not aligned as its numbers are");
  if (!linear->weight)
    return no_weight[matrix];
  if (!ffn_source_fits(stage, linear->source))
    return ffn_source_problem(stage, matrix);
  if (!ffn_scales_fit(linear->source, linear->scales, linear->zeros))
    return ffn_source_block(linear->source).scale ? no_scales[matrix] : scaled[matrix];
  if (ffn_scales_tiny(stage, linear))
    return tiny[matrix];
  if (!ffn_rows_fit(NULL, linear->row_bytes, stage->inputs, linear->source))
    return rows[matrix];
  if (!ffn_rows_fit(linear->weight, 0, stage->inputs, linear->source))
    return apart[matrix];
  if (stage->bias && !linear->bias)
    return no_bias[matrix];
  if (!stage->bias && linear->bias)
    return unused_bias[matrix];
  return NULL;
}
#undef FFN_MATRIX_TOLD
#endif

const char *ffn_weights_problem(const ffn_kernel *kernel, const ffn_weights *weights) {
  if (!kernel)
    return "kernel is NULL";
  if (!weights)
    return "weights is NULL";
  if (!kernel->pack)
    return "the kernel is compiled with FFN_NO_PACK";
#ifndef FFN_NO_PACK
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_stage *stage = &kernel->stages[s];
    for (size_t b = 0; b < stage->branches; ++b) {
      if (stage->matrix[b] == FFN_MATRIX_CHAIN && !weights->chain)
        return "weights.chain is NULL";
      const ffn_linear *linear = ffn_stage_linear(kernel->stages, weights, s, b);
      const char *problem = ffn_linear_problem(stage, linear, stage->matrix[b]);
      if (problem)
        return problem;
    }
  }
#endif
  return NULL;
}

int ffn_packed_fits(const ffn_kernel *kernel, const void *packed) {
  return kernel && packed && (uintptr_t)packed % FFN_ALIGNMENT == 0 &&
         ffn_packed_is(packed, ffn_name_hash(kernel->packed));
}

const char *ffn_packed_problem(const ffn_kernel *kernel, const void *packed, size_t bytes) {
  const uint32_t layout = FFN_LAYOUT;
  const uint32_t swapped =
      layout >> 24 | (layout >> 8 & 0xff00) | (layout & 0xff00) << 8 | layout << 24;
  ffn_packed_header header;
  if (!kernel)
    return "kernel is NULL";
  if (!packed)
    return "packed is NULL";
  if (bytes < kernel->packed_bytes)
    return "packed has fewer bytes than the kernel's packed_bytes";
  if ((uintptr_t)packed % FFN_ALIGNMENT != 0)
    return "packed is not aligned to FFN_ALIGNMENT";
  FFN_MEMCPY(&header, packed, sizeof header);
  if (header.magic[0] != 'F' || header.magic[1] != 'F' || header.magic[2] != 'N' ||
      header.magic[3] != 'P')
    return "packed does not begin as packed weights do";
  if (header.layout == swapped)
    return "packed was written in the other byte order";
  if (header.layout != layout)
    return "packed has another layout than this version's: pack anew";
  if (header.packed != ffn_name_hash(kernel->packed))
    return "packed holds the weights of another layer";
  return NULL;
}

const char *ffn_dtype_name(ffn_dtype dtype) { return dtype == FFN_F32 ? "f32" : "?"; }

const char *ffn_format_name(ffn_format format) {
  static const char *const names[] = {
/*@ format_names */
#define FFN_FORMAT(NAME, name) #name,
#include "formats.inc"
#undef FFN_FORMAT
      /*@ end */
  };
  return (unsigned)format < FFN_FORMAT_COUNT ? names[format] : "?";
}

const char *ffn_arithmetic_name(ffn_arithmetic arithmetic) {
  static const char *const names[] = {
/*@ arithmetic_names */
#define FFN_ARITHMETIC(NAME, name) #name,
#include "formats.inc"
#undef FFN_ARITHMETIC
      /*@ end */
  };
  return (unsigned)arithmetic < FFN_ARITHMETIC_COUNT ? names[arithmetic] : "?";
}

const char *ffn_isa_name(ffn_isa isa) {
  static const char *const names[] = {
/*@ isa_names */
#define FFN_ISA(NAME, name, rank, allowed) #name,
#include "isas.inc"
#undef FFN_ISA
      /*@ end */
  };
  return (unsigned)isa < FFN_ISA_COUNT ? names[isa] : "?";
}

const char *ffn_profile_name(ffn_profile profile) {
  static const char *const names[] = {
      "any",
/*@ profile_names */
#define FFN_PROFILE(NAME, name, recognised) #name,
#include "profiles.inc"
#undef FFN_PROFILE
      /*@ end */
  };
  return (unsigned)profile < FFN_PROFILE_COUNT ? names[profile] : "?";
}

const char *ffn_kind_name(ffn_kind kind) {
  static const char *const names[] = {
/*@ kind_names */
#define FFN_KIND(NAME, name, square, varies, queried) #name,
#include "kinds.inc"
#undef FFN_KIND
      /*@ end */
  };
  return (unsigned)kind < FFN_KIND_COUNT ? names[kind] : "?";
}

const char *ffn_variant_name(ffn_variant variant) {
  static const char *const names[] = {
/*@ variant_names */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) #name, #gated,
#include "activations.inc"
#undef FFN_ACTIVATION
      /*@ end */
  };
  return (unsigned)variant < FFN_VARIANT_COUNT ? names[variant] : "?";
}

const char *ffn_activation_name(ffn_activation activation) {
  static const char *const names[] = {
/*@ activation_names */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) #name,
#include "activations.inc"
#undef FFN_ACTIVATION
      /*@ end */
  };
  return (unsigned)activation < FFN_ACTIVATION_COUNT ? names[activation] : "?";
}

#ifndef FFN_NO_MAIN
/* ---- What flags and modes make of floats: for the self-check ------------------------------- */

FFN_EXACT_BEGIN

/* The float of some bits, which no compiler knows. */
static float ffn_unknown(int32_t bits) {
  const volatile int32_t hidden = bits;
  return ffn_from_bits(hidden);
}

/* The bits of a result, which no compiler looks through to change what made it. */
static int32_t ffn_seen(float x) {
  const volatile float made = x;
  return ffn_bits(made);
}

/* Quotients that a product with the reciprocal misses: by constants, several by one divisor, and in
 * a loop, out of which gcc takes the reciprocal under -funsafe-math-optimizations alone. */
static int ffn_divides(void) {
  static const int32_t dividends[] = {0x40a00000, 0x40e00000, 0x41200000, 0x41600000};
  static const int32_t sixths[] = {0x3f555555, 0x3f955555, 0x3fd55555, 0x40155555};
  const volatile int count = 4;
  for (int i = 0; i < count; ++i)
    if (ffn_seen(ffn_unknown(dividends[i]) / 6.0f) != sixths[i])
      return 0;
  const float five = ffn_unknown(0x40a00000), three = ffn_unknown(0x40400000);
  const float nine = ffn_unknown(0x41100000), seven = ffn_unknown(0x40e00000);
  return ffn_seen(five / 3.0f) == 0x3fd55555 && ffn_seen(five / 6.0f) == 0x3f555555 &&
         ffn_seen(nine / 7.0f) == 0x3fa49249 && ffn_seen(nine / 10.0f) == 0x3f666666 &&
         ffn_seen(five / three) == 0x3fd55555 && ffn_seen(seven / three) == 0x40155555 &&
         ffn_seen((five + five) / three) == 0x40555555 && ffn_seen(three / seven) == 0x3edb6db7;
}

/* Sums and products in the order that is written: what rounding takes away stays away. */
static int ffn_keeps_order(void) {
  const float one = ffn_unknown(0x3f800000), large = ffn_unknown(0x4b800000); /* 2^24 */
  const float huge = ffn_unknown(0x7e800000), tiny = ffn_unknown(0x00800000);
  const double wide = (double)one, big = (double)large, far = big * big * big, sum = far + wide;
  return large + one - large == 0.0f && large + one + one == large && wide - (sum - far) == wide &&
         huge * huge * tiny > huge && sum - far == 0.0;
}

/* -0 * 1 + 0 is +0, by the instruction of kernels with vectors, too: clang 14 makes a product of it
 * where zeros may lose their signs, which shows in no other operator of these kernels. */
#if defined(__clang__) && defined(__x86_64__) && !defined(_MSC_VER)
#include <cpuid.h>
__attribute__((target("fma"), noinline)) static int ffn_fuses_zero(void) {
  const float minus = ffn_unknown(INT32_MIN), one = ffn_unknown(0x3f800000);
  const float sum = __builtin_fmaf(minus, one, 0.0f);
  return ffn_seen(sum) == 0;
}
/* Asked of the CPU itself, as __builtin_cpu_supports() needs clang's runtime library: FMA, and that
 * the system saves the registers of AVX (Intel SDM volume 1, 14.5.3). */
static int ffn_may_fuse(void) {
  unsigned a, b, c, d, saved, above;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 12 & 1) || !(c >> 27 & 1))
    return 0;
  __asm__ volatile("xgetbv" : "=a"(saved), "=d"(above) : "c"(0));
  return (saved & 6) == 6;
}
static int ffn_adds_zero(void) { return !ffn_may_fuse() || ffn_fuses_zero(); }
#else
static int ffn_adds_zero(void) { return 1; }
#endif

/* Zeros with the signs that IEEE 754 gives them, where + and - meet. Each result is a statement, as
 * in a kernel: of an operator inside of another clang 14 knows what FFN_EXACT_BEGIN says, of a
 * minus or a choice by itself it does not. */
static int ffn_signs_zeros(void) {
  const float plus = ffn_unknown(0), minus = ffn_unknown(INT32_MIN), one = ffn_unknown(0x3f800000);
  const float other = ffn_unknown(0x3f800000);
  const float sum = minus + 0.0f, difference = 0.0f - plus, product = plus * minus;
  const float cancelled = one - other;
  const float negated = -cancelled;
  const float flipped = ffn_from_bits(ffn_bits(cancelled) ^ INT32_MIN);
#ifdef ffn_fma
  const float minus_one = ffn_unknown(-0x40800000), fused = ffn_fma(one, other, minus_one);
  const float opposite = -one, fused_too = ffn_fma(one, other, opposite);
  const float last = ffn_flip(fused), last_too = ffn_flip(fused_too);
  if (ffn_seen(last) != INT32_MIN || ffn_seen(last_too) != INT32_MIN)
    return 0;
#endif
  return ffn_seen(sum) == 0 && ffn_seen(difference) == 0 && ffn_seen(product) == INT32_MIN &&
         ffn_seen(negated) == INT32_MIN && ffn_seen(flipped) == INT32_MIN;
}

static int ffn_is_nan(float x) { return (ffn_seen(x) & 0x7fffffff) > 0x7f800000; }

/* NaN and Inf in what chooses by a comparison, and as a constant that is taken away. */
static int ffn_honours_nan(void) {
  const float nan = ffn_unknown(0x7fc00000), inf = ffn_unknown(0x7f800000);
  const float one = ffn_unknown(0x3f800000), constant = ffn_from_bits(0x7f800000);
  const float least = nan < one ? one : nan;
  const float most = nan > one ? one : nan;
  const float kept = nan < 0.0f ? 0.0f : nan;
  const float second = one < nan ? nan : one;
  const float below = nan < constant ? one : nan;
  const float finite = inf < constant ? one : inf;
  const float away = one - constant, nothing = inf - constant;
  return ffn_is_nan(least) && ffn_is_nan(most) && ffn_is_nan(kept) && ffn_is_nan(below) &&
         ffn_seen(second) == 0x3f800000 && ffn_seen(finite) == 0x7f800000 &&
         ffn_seen(away) == -0x800000 && ffn_is_nan(nothing);
}

const char *ffn_arithmetic_problem(void) {
  const float one = ffn_unknown(0x3f800000), normal = ffn_unknown(0x00800000);
  const float subnormal = ffn_unknown(0x00400000), half = ffn_unknown(0x3f000000);
  if (ffn_seen(normal * half) != 0x00400000 || ffn_seen(subnormal / half) != 0x00800000)
    return "this thread flushes subnormals to zero: programs linked with -Ofast, -ffast-math or "
           "-funsafe-math-optimizations do so from their start";
  if (one + 0x1.8p-24f != 0x1.000002p+0f || one + 0x1p-25f != one || -one - 0x1p-25f != -one)
    return "this thread does not round to nearest";
  if (!ffn_divides())
    return "divisions become products with reciprocals: compile with -fno-reciprocal-math "
           "-fno-unsafe-math-optimizations";
  if (!ffn_keeps_order())
    return "sums or products are taken in another order: compile with -fno-associative-math";
  if (!ffn_signs_zeros() || !ffn_adds_zero())
    return "zeros lose their sign: compile with -fsigned-zeros";
  if (!ffn_honours_nan())
    return "NaN and Inf are not honoured: compile with -fhonor-nans -fhonor-infinities";
  return NULL;
}

FFN_EXACT_END
#endif
