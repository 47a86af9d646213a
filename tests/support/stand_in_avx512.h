/* AVX-512 where the CPU has none, by AVX2: each instruction on both halves of a vector, by the one
 * of AVX2 that does the same to a half (so NaN, signs of zeros and roundings are the CPU's), or
 * lane by lane. What they do is in Intel's manual ("Intel 64 and IA-32 Architectures Software
 * Developer's Manual", volume 2). scripts/stand_in.sh gives kernels these names. What the manual
 * leaves undefined is a NaN here, and an address that would fault ends the program. */
#ifndef TEST_STAND_IN_AVX512_H
#define TEST_STAND_IN_AVX512_H

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif

#define TEST_512 static inline __attribute__((always_inline, unused))

typedef struct test_m512 {
  __m256 low, high;
} test_m512;

typedef struct test_m512i {
  __m256i low, high;
} test_m512i;

/* Only moved, 64 bits at a time. */
typedef test_m512 test_m512d;

/* An instruction of one, two or three operands of the same kind: its result, its name, and the
 * intrinsic for halves. */
#define TEST_ONE(to, name, from, half)                                                             \
  TEST_512 to test_512_##name(from a) {                                                            \
    const to r = {half(a.low), half(a.high)};                                                      \
    return r;                                                                                      \
  }
#define TEST_TWO(kind, name, half)                                                                 \
  TEST_512 kind test_512_##name(kind a, kind b) {                                                  \
    const kind r = {half(a.low, b.low), half(a.high, b.high)};                                     \
    return r;                                                                                      \
  }
#define TEST_THREE(kind, name, half)                                                               \
  TEST_512 kind test_512_##name(kind a, kind b, kind c) {                                          \
    const kind r = {half(a.low, b.low, c.low), half(a.high, b.high, c.high)};                      \
    return r;                                                                                      \
  }

/* ---- Floats -----------------------------------------------------------------------------------
 */

TEST_TWO(test_m512, add_ps, _mm256_add_ps)
TEST_TWO(test_m512, sub_ps, _mm256_sub_ps)
TEST_TWO(test_m512, mul_ps, _mm256_mul_ps)
TEST_TWO(test_m512, div_ps, _mm256_div_ps)
TEST_TWO(test_m512, max_ps, _mm256_max_ps)
TEST_TWO(test_m512, min_ps, _mm256_min_ps)
TEST_TWO(test_m512, unpacklo_ps, _mm256_unpacklo_ps)
TEST_TWO(test_m512, unpackhi_ps, _mm256_unpackhi_ps)
TEST_ONE(test_m512, sqrt_ps, test_m512, _mm256_sqrt_ps)
TEST_THREE(test_m512, fmadd_ps, _mm256_fmadd_ps)
TEST_THREE(test_m512, fnmadd_ps, _mm256_fnmadd_ps)

#define TEST_UNPACK(name)                                                                          \
  TEST_512 __m256 test_256_##name(__m256 a, __m256 b) {                                            \
    return _mm256_castpd_ps(_mm256_##name(_mm256_castps_pd(a), _mm256_castps_pd(b)));              \
  }
TEST_UNPACK(unpacklo_pd)
TEST_UNPACK(unpackhi_pd)
TEST_TWO(test_m512d, unpacklo_pd, test_256_unpacklo_pd)
TEST_TWO(test_m512d, unpackhi_pd, test_256_unpackhi_pd)
#define test_512_castps_pd(a) (a)
#define test_512_castpd_ps(a) (a)

TEST_512 test_m512 test_512_set1_ps(float a) {
  const test_m512 r = {_mm256_set1_ps(a), _mm256_set1_ps(a)};
  return r;
}

/* Rounded to nearest, and fused with no sum. */
TEST_512 test_m512 test_512_mul_round_ps(test_m512 a, test_m512 b, int how) {
  if (how != (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))
    abort();
  test_m512 r = test_512_mul_ps(a, b);
  __asm__("" : "+x"(r.low), "+x"(r.high));
  return r;
}

TEST_512 test_m512 test_512_setzero_ps(void) { return test_512_set1_ps(0.0f); }

TEST_512 test_m512 test_512_abs_ps(test_m512 a) {
  const __m256 sign = _mm256_set1_ps(-0.0f);
  const test_m512 r = {_mm256_andnot_ps(sign, a.low), _mm256_andnot_ps(sign, a.high)};
  return r;
}

TEST_512 test_m512 test_512_loadu_ps(const void *from) {
  const float *f = (const float *)from;
  const test_m512 r = {_mm256_loadu_ps(f), _mm256_loadu_ps(f + 8)};
  return r;
}

TEST_512 void test_512_storeu_ps(void *to, test_m512 a) {
  float *f = (float *)to;
  _mm256_storeu_ps(f, a.low);
  _mm256_storeu_ps(f + 8, a.high);
}

TEST_512 void test_512_expect_aligned(const void *address) {
  if ((uintptr_t)address % 64 != 0)
    abort();
}

TEST_512 test_m512 test_512_load_ps(const void *from) {
  test_512_expect_aligned(from);
  return test_512_loadu_ps(from);
}

TEST_512 void test_512_store_ps(void *to, test_m512 a) {
  test_512_expect_aligned(to);
  test_512_storeu_ps(to, a);
}

/* Lanes without their bit are not touched, wherever they lie. */
TEST_512 test_m512 test_512_maskz_loadu_ps(__mmask16 mask, const void *from) {
  float lanes[16] = {0};
  for (int i = 0; i < 16; i++)
    if (mask >> i & 1)
      memcpy(lanes + i, (const float *)from + i, sizeof lanes[i]);
  return test_512_loadu_ps(lanes);
}

TEST_512 void test_512_mask_storeu_ps(void *to, __mmask16 mask, test_m512 a) {
  float lanes[16];
  test_512_storeu_ps(lanes, a);
  for (int i = 0; i < 16; i++)
    if (mask >> i & 1)
      memcpy((float *)to + i, lanes + i, sizeof lanes[i]);
}

/* `how` is an immediate of the instruction. */
#define test_512_cmp_ps_mask(a, b, how)                                                            \
  ((__mmask16)(_mm256_movemask_ps(_mm256_cmp_ps((a).low, (b).low, how)) |                          \
               _mm256_movemask_ps(_mm256_cmp_ps((a).high, (b).high, how)) << 8))

TEST_512 test_m512 test_512_mask_blend_ps(__mmask16 mask, test_m512 a, test_m512 b) {
  float lanes[16], others[16];
  test_512_storeu_ps(lanes, a);
  test_512_storeu_ps(others, b);
  for (int i = 0; i < 16; i++)
    if (mask >> i & 1)
      lanes[i] = others[i];
  return test_512_loadu_ps(lanes);
}

/* The rest of the vector is undefined. */
TEST_512 test_m512 test_512_castps128_ps512(__m128 a) {
  float lanes[16];
  memset(lanes, 0xff, sizeof lanes);
  _mm_storeu_ps(lanes, a);
  return test_512_loadu_ps(lanes);
}

TEST_512 test_m512 test_512_zextps128_ps512(__m128 a) {
  float lanes[16] = {0};
  _mm_storeu_ps(lanes, a);
  return test_512_loadu_ps(lanes);
}

TEST_512 __m128 test_512_castps512_ps128(test_m512 a) { return _mm256_castps256_ps128(a.low); }

TEST_512 test_m512 test_512_insertf32x4(test_m512 a, __m128 b, int at) {
  float lanes[16];
  test_512_storeu_ps(lanes, a);
  _mm_storeu_ps(lanes + 4 * (at & 3), b);
  return test_512_loadu_ps(lanes);
}

TEST_512 __m128 test_512_extractf32x4_ps(test_m512 a, int at) {
  float lanes[16];
  test_512_storeu_ps(lanes, a);
  return _mm_loadu_ps(lanes + 4 * (at & 3));
}

TEST_512 test_m512 test_512_setr_ps(float a, float b, float c, float d, float e, float f, float g,
                                    float h, float i, float j, float k, float l, float m, float n,
                                    float o, float p) {
  const test_m512 r = {_mm256_setr_ps(a, b, c, d, e, f, g, h),
                       _mm256_setr_ps(i, j, k, l, m, n, o, p)};
  return r;
}

/* ---- Integers ---------------------------------------------------------------------------------
 */

TEST_TWO(test_m512i, add_epi32, _mm256_add_epi32)
TEST_TWO(test_m512i, sub_epi32, _mm256_sub_epi32)
TEST_TWO(test_m512i, max_epi32, _mm256_max_epi32)
TEST_TWO(test_m512i, mullo_epi32, _mm256_mullo_epi32)
TEST_TWO(test_m512i, madd_epi16, _mm256_madd_epi16)
TEST_TWO(test_m512i, and_si512, _mm256_and_si256)
TEST_TWO(test_m512i, or_si512, _mm256_or_si256)
TEST_TWO(test_m512i, xor_si512, _mm256_xor_si256)
TEST_TWO(test_m512i, shuffle_epi8, _mm256_shuffle_epi8)
TEST_ONE(test_m512, castsi512_ps, test_m512i, _mm256_castsi256_ps)
TEST_ONE(test_m512i, castps_si512, test_m512, _mm256_castps_si256)
TEST_ONE(test_m512, cvtepi32_ps, test_m512i, _mm256_cvtepi32_ps)
TEST_ONE(test_m512i, cvtps_epi32, test_m512, _mm256_cvtps_epi32)

#define TEST_SHIFT(name, counted, half)                                                            \
  TEST_512 test_m512i test_512_##counted(test_m512i a, __m128i by) {                               \
    const test_m512i r = {half(a.low, by), half(a.high, by)};                                      \
    return r;                                                                                      \
  }                                                                                                \
  TEST_512 test_m512i test_512_##name(test_m512i a, unsigned by) {                                 \
    return test_512_##counted(a, _mm_cvtsi32_si128((int)by));                                      \
  }
TEST_SHIFT(slli_epi32, sll_epi32, _mm256_sll_epi32)
TEST_SHIFT(srli_epi32, srl_epi32, _mm256_srl_epi32)
TEST_SHIFT(srai_epi32, sra_epi32, _mm256_sra_epi32)

TEST_512 test_m512i test_512_set1_epi32(int a) {
  const test_m512i r = {_mm256_set1_epi32(a), _mm256_set1_epi32(a)};
  return r;
}

TEST_512 test_m512i test_512_setzero_si512(void) { return test_512_set1_epi32(0); }

TEST_512 test_m512i test_512_loadu_si512(const void *from) {
  return test_512_castps_si512(test_512_loadu_ps(from));
}

TEST_512 void test_512_storeu_si512(void *to, test_m512i a) {
  test_512_storeu_ps(to, test_512_castsi512_ps(a));
}

TEST_512 test_m512i test_512_broadcast_i32x4(__m128i a) {
  const test_m512i r = {_mm256_broadcastsi128_si256(a), _mm256_broadcastsi128_si256(a)};
  return r;
}

/* Of sixteen smaller numbers, each in a lane. */
TEST_512 test_m512 test_512_cvtph_ps(__m256i a) {
  const test_m512 r = {_mm256_cvtph_ps(_mm256_castsi256_si128(a)),
                       _mm256_cvtph_ps(_mm256_extracti128_si256(a, 1))};
  return r;
}

TEST_512 test_m512i test_512_cvtepu16_epi32(__m256i a) {
  const test_m512i r = {_mm256_cvtepu16_epi32(_mm256_castsi256_si128(a)),
                        _mm256_cvtepu16_epi32(_mm256_extracti128_si256(a, 1))};
  return r;
}

TEST_512 test_m512i test_512_cvtepu8_epi32(__m128i a) {
  const test_m512i r = {_mm256_cvtepu8_epi32(a), _mm256_cvtepu8_epi32(_mm_srli_si128(a, 8))};
  return r;
}

/* The low byte of each lane. */
TEST_512 __m128i test_512_cvtepi32_epi8(test_m512i a) {
  int32_t lanes[16];
  uint8_t bytes[16];
  test_512_storeu_si512(lanes, a);
  for (int i = 0; i < 16; i++)
    bytes[i] = (uint8_t)lanes[i];
  return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

TEST_512 int test_512_reduce_max_epi32(test_m512i a) {
  int32_t lanes[16];
  test_512_storeu_si512(lanes, a);
  for (int i = 1; i < 16; i++)
    lanes[0] = lanes[i] > lanes[0] ? lanes[i] : lanes[0];
  return lanes[0];
}

TEST_512 test_m512 test_512_permutexvar_ps(test_m512i at, test_m512 a) {
  uint32_t places[16];
  float lanes[16], chosen[16];
  test_512_storeu_si512(places, at);
  test_512_storeu_ps(lanes, a);
  for (int i = 0; i < 16; i++)
    chosen[i] = lanes[places[i] % 16];
  return test_512_loadu_ps(chosen);
}

/* ---- Products of bytes: VNNI ------------------------------------------------------------------
 * Bytes at even places and bytes at odd ones, as 16 bits each: their products fit 32. */

TEST_512 __m256i test_256_dpbusd_epi32(__m256i sum, __m256i a, __m256i b) {
  const __m256i even = _mm256_madd_epi16(_mm256_srli_epi16(_mm256_slli_epi16(a, 8), 8),
                                         _mm256_srai_epi16(_mm256_slli_epi16(b, 8), 8));
  const __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(a, 8), _mm256_srai_epi16(b, 8));
  __m256i r = _mm256_add_epi32(sum, _mm256_add_epi32(even, odd));
  __asm__("" : "+x"(r)); /* without, gcc 12 takes ten times as long for a kernel */
  return r;
}

TEST_THREE(test_m512i, dpbusd_epi32, test_256_dpbusd_epi32)

TEST_512 __m128i test_128_dpbusd_epi32(__m128i sum, __m128i a, __m128i b) {
  return _mm256_castsi256_si128(test_256_dpbusd_epi32(
      _mm256_castsi128_si256(sum), _mm256_castsi128_si256(a), _mm256_castsi128_si256(b)));
}

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

#endif
