--- AVX-512 with VNNI, BW and VL: what is AVX-512's, and dot products of bytes.
local avx512 = require 'isa.avx512'
local derived = require 'isa.derived'
local tables = require 'isa.tables'

local own = derived(avx512, 'avx512_vnni')
own.title, own.rank = 'AVX-512 VNNI', 35
own.target = 'avx512f,avx512bw,avx512vl,avx512vnni,fma'
-- CPUID, beside AVX-512's: BW, VL, VNNI.
own.detect = avx512.detect .. ' && ffn_cpu_bit(7, FFN_EBX, 30) && ffn_cpu_bit(7, FFN_EBX, 31) && '
  .. 'ffn_cpu_bit(7, FFN_ECX, 11)'
own.unrolls = 'UNROLL_4' -- of eight steps in a line one row of q8_0 reads 8 % more slowly on Zen 5
own.unrolls_two = true -- with 16 registers gcc keeps sums of both groups in memory: 0.91 to 1.02
own.only_with = 'dot_s8'
own.arithmetic = {
  fma_f32 = {},
  dot_s8 = {
    nibbles_begin = '$1',
    dot_nibbles = 'ffn_dot_avx512_vnni($1, $2, $3)',
    nibbles_end = '$1',
    dot_small = 'ffn_dot_avx512_vnni($1, $2, $3)',
    dot_large = 'ffn_dot_avx512_vnni($1, $2, $3)',
    dot_nibbles_at = 'ffn_dot_at_avx512_vnni($1, $2, $3)',
    dot_small_at = 'ffn_dot_at_avx512_vnni($1, $2, $3)',
    dot_large_at = 'ffn_dot_at_avx512_vnni($1, $2, $3)',
    dot_large_begin = '$2',
    imul_small = '_mm512_madd_epi16($1, $2)',
    imul_large = '_mm512_mullo_epi32($1, $2)',
    bytes_e2m1 = 'ffn_bytes_e2m1_avx512_vnni($1)',
    bytes_iq4 = 'ffn_bytes_iq4_avx512_vnni($1)',
  },
}
tables.bytes_beside(own.word_helpers, [[
/* What each byte chooses, as bytes. */
FFN_INLINE __m512i NAME_avx512_vnni(__m512i chosen) {
  static const uint8_t levels[16] = {
      BYTES};
  const __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)levels));
  return _mm512_shuffle_epi8(table, chosen);
}]])

local dot = [[
/* sum + w times four bytes of x in each lane. For the intrinsic gcc 12 copies the sum. */
FFN_INLINE __m512i ffn_dot_avx512_vnni(__m512i sum, __m512i w, __m512i x) {
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("{vpdpbusd %2, %1, %0|vpdpbusd %0, %1, %2}" : "+v"(sum) : "v"(w), "v"(x));
  return sum;
#else
  return _mm512_dpbusd_epi32(sum, w, x);
#endif
}]]
local dot_at = [[
/* The same of four bytes at x, which each lane takes. For intrinsics gcc 12 reads the bytes by an
 * instruction more. */
FFN_INLINE __m512i ffn_dot_at_avx512_vnni(__m512i sum, __m512i w, const void *x) {
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("{vpdpbusd %2%{1to16%}, %1, %0|vpdpbusd %0, %1, %2%{1to16%}}"
          : "+v"(sum)
          : "v"(w), "m"(*(const int32_t *)x));
  return sum;
#else
  return _mm512_dpbusd_epi32(sum, w, _mm512_set1_epi32(*(const int32_t *)x));
#endif
}]]
for _, word in ipairs { 'dot_nibbles', 'dot_small', 'dot_large' } do
  own.word_helpers[word], own.word_helpers[word .. '_at'] = dot, dot_at
end

own.operand_helpers = {
  s8_part = [[
/* Which of 16 numbers from k on are there. */
FFN_INLINE __mmask16 ffn_s8_there_ISA(size_t k, size_t count) {
  return (__mmask16)(count >= k + 16 ? 0xffff : count > k ? (1u << (count - k)) - 1 : 0);
}]],
  s8_quantise = [[
/* A group of floats, of which `count` are there, as bytes from -127 to 127 and their scale. */
FFN_INLINE void ffn_s8_quantise_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
  __m512i sizes = _mm512_setzero_si512();
  for (size_t k = 0; k < group; k += 16) {
    const __m512 part = _mm512_maskz_loadu_ps(ffn_s8_there_ISA(k, count), x + k);
    const __m512i size = _mm512_and_si512(
        _mm512_castps_si512(part), _mm512_set1_epi32(0x7fffffff));
    sizes = _mm512_max_epi32(sizes, size);
  }
  const float inverse = ffn_s8_scale_ISA(scale, _mm512_reduce_max_epi32(sizes));
  for (size_t k = 0; k < group; k += 16) {
    const __m512 part = _mm512_maskz_loadu_ps(ffn_s8_there_ISA(k, count), x + k);
    const __m512 product = _mm512_mul_ps(part, _mm512_set1_ps(inverse));
    const __m512i rounded = _mm512_cvtps_epi32(product); /* any number beside a scale of NaN */
    _mm_storeu_si128((__m128i *)(void *)(quants + k), _mm512_cvtepi32_epi8(rounded));
  }
}]],
  s8_clip = [[
/* Floats, of which `count` are there, as bytes: x / of, rounded to an integer and no further from 0
 * than 127. The scale is `of`, or a NaN beside a NaN, whose byte may be any. */
FFN_INLINE void ffn_s8_clip_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count, float of) {
  const __m512 most = _mm512_set1_ps(127.0f), least = _mm512_set1_ps(-127.0f);
  int nan = 0;
  for (size_t k = 0; k < group; k += 16) {
    const __m512 part = _mm512_maskz_loadu_ps(ffn_s8_there_ISA(k, count), x + k);
    const __m512 quotient = _mm512_div_ps(part, _mm512_set1_ps(of));
    const __m512 clipped = _mm512_max_ps(_mm512_min_ps(quotient, most), least);
    nan |= (int)_mm512_cmp_ps_mask(quotient, quotient, _CMP_UNORD_Q);
    _mm_storeu_si128((__m128i *)(void *)(quants + k),
        _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(clipped)));
  }
  *scale = nan ? ffn_from_bits(0x7fc00000) : of;
}]],
  s8_sum = [[
/* The sum of so many bytes, a multiple of 16. */
FFN_INLINE int32_t ffn_s8_sum_ISA(const int8_t *quants, size_t count) {
  __m128i sums = _mm_setzero_si128();
  for (size_t k = 0; k < count; k += 16)
    sums = _mm_dpbusd_epi32(sums, _mm_set1_epi8(1),
        _mm_loadu_si128((const __m128i *)(const void *)(quants + k)));
  sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xb1)));
}]],
}

return own
