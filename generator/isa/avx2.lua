--- AVX2 with FMA: 8 lanes, 16 registers.
local tables = require 'isa.tables'
local x86 = require 'isa.x86'

--- Text in which a sum waits in a register behind its addition, at PINNED.
local function pinned(text)
  return (text:gsub('PINNED\n', [[
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("" : "+x"(sum)); /* else gcc makes all products first, and has no registers for them */
#endif
]]))
end

return {
  name = 'avx2',
  title = 'AVX2 + FMA',
  arch = 'FFN_ARCH_X86',
  include = 'immintrin.h',
  target = 'avx2,fma,f16c',
  -- CPUID: AVX2, AVX, FMA, F16C, which every core with AVX2 has; the operating system saves XMM and
  -- YMM.
  detect = 'ffn_cpu_bit(7, FFN_EBX, 5) && ffn_cpu_bit(1, FFN_ECX, 28) && '
    .. 'ffn_cpu_bit(1, FFN_ECX, 12) && ffn_cpu_bit(1, FFN_ECX, 29) && ffn_cpu_saves(0x06)',
  rank = 20,
  lanes = 8,
  files = { vector = 16 },
  broadcasts = false,
  -- An FMA takes a vector from memory, where registers are few.
  operands = true,
  settles = true, -- else gcc folds a read of weights into both FMAs of two rows
  unrolls = 'UNROLL',
  fused = true,
  wide = 'never',
  code_bytes = { kernel = 4800, stage = 3000, fma = 21, word = 2 },
  vec = '__m256',
  ivec = '__m256i',
  helpers = '',
  word_instructions = { from_e2m1 = 3, from_iq4 = 3, load_f8 = 6 },
  word_helpers = tables.beside(tables.bytes_beside({
    dot_nibbles = pinned [[
/* The sum in 16 bits, and the products of two bytes and two with a sign. */
FFN_INLINE __m256i ffn_dot_nibbles_avx2(__m256i sum, __m256i a, __m256i b) {
  sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(a, b));
PINNED
  return sum;
}]],
    dot_small = pinned [[
/* The sum, and the products of four bytes, two of which fit 16 bits, and four with a sign. */
FFN_INLINE __m256i ffn_dot_small_avx2(__m256i sum, __m256i a, __m256i b) {
  const __m256i twos = _mm256_maddubs_epi16(a, b);
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
PINNED
  return sum;
}]],
    dot_large = pinned [[
/* The sum, and the products of four bytes, 128 less, and four with a sign from -127 on. VPMADDUBSW
 * adds two products in 16 bits: the sizes of the first times the others under their signs fit. */
FFN_INLINE __m256i ffn_dot_large_avx2(__m256i sum, __m256i a, __m256i b) {
  const __m256i own = _mm256_xor_si256(a, _mm256_set1_epi8(-128));
  const __m256i twos = _mm256_maddubs_epi16(_mm256_abs_epi8(own), _mm256_sign_epi8(b, own));
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(twos, _mm256_set1_epi16(1)));
PINNED
  return sum;
}]],
    load_f8 = [[
/* E4M3 becomes f16, 2^-8 of it: its size is 7 bits further up, behind a sign of two bits. One more
 * has the sign's second bit unless it carries, from the largest, which is NaN: so that bit becomes
 * 0, or with all below it the exponent of NaN. */
FFN_INLINE __m256 ffn_load_f8_avx2(const uint8_t *from) {
  const __m128i wide = _mm_cvtepi8_epi16(_mm_loadl_epi64((const __m128i *)from));
  const __m128i place = _mm_slli_epi16(wide, 7);
  const __m128i more = _mm_add_epi16(place, _mm_set1_epi16(0x80));
  const __m128i second = _mm_and_si128(more, _mm_set1_epi16(0x4000));
  return _mm256_cvtph_ps(_mm_xor_si128(place, second));
}]],
  }, [[
/* What each byte chooses, as bytes. */
FFN_INLINE __m256i NAME_avx2(__m256i chosen) {
  static const uint8_t levels[16] = {
      BYTES};
  const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)levels));
  return _mm256_shuffle_epi8(table, chosen);
}]]), [[
/* The level that four bits of a line choose. A table of bytes is looked up by all bytes of the
 * line, once for the four that begin at bits 0, 8, 16 and 24. */
FFN_INLINE __m256 NAME_avx2(__m256i line, int at) {
  static const int8_t levels[16] = {
      BYTES};
  const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)levels));
  const __m256i low = at % 8 == 0 ? line : _mm256_srli_epi32(line, 4);
  const __m256i bytes = _mm256_shuffle_epi8(table, _mm256_and_si256(low, _mm256_set1_epi8(15)));
  const __m256i top = at < 24 ? _mm256_slli_epi32(bytes, 24 - at / 8 * 8) : bytes;
  return _mm256_cvtepi32_ps(VALUE);
}]], {
    [0] = '_mm256_srai_epi32(top, 24)',
    [24] = 'at < 8 ? top : _mm256_and_si256(top, _mm256_set1_epi32(-0x1000000))',
  }),
  store_tail = [[
FFN_INLINE void ffn_store_tail_avx2(float *out, __m256 value, size_t count) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(out, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), lane), value);
}]],
  turn = [[
/* Four by four in each lane of 128 bits. */
FFN_INLINE void ffn_turn_avx2(__m256 *v) {
  const __m256 low = _mm256_unpacklo_ps(v[0], v[1]), low_2 = _mm256_unpacklo_ps(v[2], v[3]);
  const __m256 high = _mm256_unpackhi_ps(v[0], v[1]), high_2 = _mm256_unpackhi_ps(v[2], v[3]);
  v[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(low), _mm256_castps_pd(low_2)));
  v[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(low), _mm256_castps_pd(low_2)));
  v[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(high), _mm256_castps_pd(high_2)));
  v[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(high), _mm256_castps_pd(high_2)));
}]],
  turn_in = [[
/* 4 floats of each of 8 tokens: [token][4], which begins at any float, to [4][token], at a multiple
 * of 32 bytes. */
FFN_INLINE void ffn_turn_in_avx2(float *to, size_t step, const float *from, size_t stride) {
  __m256 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    const float *row = from + i * stride;
    v[i] = _mm256_castps128_ps256(_mm_loadu_ps(row));
    v[i] = _mm256_insertf128_ps(v[i], _mm_loadu_ps(row + 4 * stride), 1);
  }
  ffn_turn_avx2(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    _mm256_store_ps(to + i * step, v[i]);
}]],
  turn_out = [[
/* And back. 4 floats of each of 8 tokens: `to` begins at any float. */
FFN_INLINE void ffn_turn_out_avx2(float *to, size_t stride, const float *from, size_t step) {
  __m256 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    v[i] = _mm256_load_ps(from + i * step);
  ffn_turn_avx2(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    float *row = to + i * stride;
    _mm_storeu_ps(row, _mm256_castps256_ps128(v[i]));
    _mm_storeu_ps(row + 4 * stride, _mm256_extractf128_ps(v[i], 1));
  }
}]],
  dots = x86.dots('avx2', '__m256', '_mm256_zextps128_ps256'),
  operand_helpers = {
    s8_part = [[
/* Of 8 numbers from k on those that are there; zeros behind them. */
FFN_INLINE __m256 ffn_s8_part_ISA(const float *x, size_t k, size_t count) {
  const __m256i at = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  if (k + 8 <= count)
    return _mm256_loadu_ps(x + k);
  return _mm256_maskload_ps(
      x + k, _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count - (int)k), at));
}]],
    s8_quantise = [[
/* A group of floats, of which `count` are there, as bytes from -127 to 127 and their scale. */
FFN_INLINE void ffn_s8_quantise_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  __m256i sizes = _mm256_setzero_si256();
  for (size_t k = 0; k < group; k += 8) {
    const __m256i part = _mm256_castps_si256(ffn_s8_part_ISA(x, k, count));
    sizes = _mm256_max_epi32(sizes, _mm256_and_si256(part, _mm256_set1_epi32(0x7fffffff)));
  }
  __m128i most = _mm_max_epi32(_mm256_castsi256_si128(sizes), _mm256_extracti128_si256(sizes, 1));
  most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0x4e));
  most = _mm_max_epi32(most, _mm_shuffle_epi32(most, 0xb1));
  const float inverse = ffn_s8_scale_ISA(scale, _mm_cvtsi128_si32(most));
  for (size_t k = 0; k < group; k += 32) {
    __m256i rounded[4];
    FFN_UNROLL
    for (size_t i = 0; i < 4; ++i) {
      const __m256 part = ffn_s8_part_ISA(x, k + 8 * i, count);
      const __m256 product = _mm256_mul_ps(part, _mm256_set1_ps(inverse));
      rounded[i] = _mm256_cvtps_epi32(product); /* any number beside a scale of NaN */
    }
    const __m256i low = _mm256_packs_epi32(rounded[0], rounded[1]);
    const __m256i bytes = _mm256_packs_epi16(low, _mm256_packs_epi32(rounded[2], rounded[3]));
    _mm256_storeu_si256((__m256i *)(void *)(quants + k),
        _mm256_permutevar8x32_epi32(bytes, order));
  }
}]],
    s8_clip = [[
/* Floats, of which `count` are there, as bytes: x / of, rounded to an integer and no further from 0
 * than 127. The scale is `of`, or a NaN beside a NaN, whose byte may be any. */
FFN_INLINE void ffn_s8_clip_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count, float of) {
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  const __m256 most = _mm256_set1_ps(127.0f), least = _mm256_set1_ps(-127.0f);
  __m256 nan = _mm256_setzero_ps();
  for (size_t k = 0; k < group; k += 32) {
    __m256i rounded[4];
    FFN_UNROLL
    for (size_t i = 0; i < 4; ++i) {
      const __m256 part = ffn_s8_part_ISA(x, k + 8 * i, count);
      const __m256 quotient = _mm256_div_ps(part, _mm256_set1_ps(of));
      nan = _mm256_or_ps(nan, _mm256_cmp_ps(quotient, quotient, _CMP_UNORD_Q));
      rounded[i] = _mm256_cvtps_epi32(_mm256_max_ps(_mm256_min_ps(quotient, most), least));
    }
    const __m256i low = _mm256_packs_epi32(rounded[0], rounded[1]);
    const __m256i bytes = _mm256_packs_epi16(low, _mm256_packs_epi32(rounded[2], rounded[3]));
    _mm256_storeu_si256((__m256i *)(void *)(quants + k),
        _mm256_permutevar8x32_epi32(bytes, order));
  }
  *scale = _mm256_movemask_ps(nan) ? ffn_from_bits(0x7fc00000) : of;
}]],
    s8_sum = [[
/* The sum of so many bytes, a multiple of 16. */
FFN_INLINE int32_t ffn_s8_sum_ISA(const int8_t *quants, size_t count) {
  __m128i sums = _mm_setzero_si128();
  for (size_t k = 0; k < count; k += 16) {
    const __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(quants + k));
    const __m128i twos = _mm_maddubs_epi16(_mm_set1_epi8(1), part);
    sums = _mm_add_epi32(sums, _mm_madd_epi16(twos, _mm_set1_epi16(1)));
  }
  sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xb1)));
}]],
  },
  arithmetic = {
    fma_f32 = {},
    dot_s8 = {
      -- Eight of these sums of two products of at most 1905 stay in 16 bits.
      nibbles_begin = '_mm256_setzero_si256()',
      dot_nibbles = 'ffn_dot_nibbles_avx2($1, $2, $3)',
      nibbles_end = '_mm256_add_epi32(_mm256_madd_epi16($1, _mm256_set1_epi16(1)), $2)',
      dot_small = 'ffn_dot_small_avx2($1, $2, $3)',
      dot_large = 'ffn_dot_large_avx2($1, $2, $3)',
      dot_large_begin = '$1',
      imul_small = '_mm256_madd_epi16($1, $2)',
      imul_large = '_mm256_mullo_epi32($1, $2)',
      bytes_e2m1 = 'ffn_bytes_e2m1_avx2($1)',
      bytes_iq4 = 'ffn_bytes_iq4_avx2($1)',
    },
  },
  words = {
    zero = '_mm256_setzero_ps()',
    splat = '_mm256_set1_ps($1)',
    splat_at = '_mm256_broadcast_ss(&$1)',
    load = '_mm256_load_ps($1)',
    loadu = '_mm256_loadu_ps($1)',
    store = '_mm256_store_ps($1, $2)',
    storeu = '_mm256_storeu_ps($1, $2)',
    store_u32 = '_mm256_storeu_si256((__m256i *)($1), $2)',
    store_tail = 'ffn_store_tail_avx2($1, $2, $3)',
    add = '_mm256_add_ps($1, $2)',
    sub = '_mm256_sub_ps($1, $2)',
    mul = '_mm256_mul_ps($1, $2)',
    div = '_mm256_div_ps($1, $2)',
    fma = '_mm256_fmadd_ps($1, $2, $3)',
    fnma = '_mm256_fnmadd_ps($1, $2, $3)',
    sqrt = '_mm256_sqrt_ps($1)',
    abs = '_mm256_andnot_ps(_mm256_set1_ps(-0.0f), $1)',
    neg = '_mm256_xor_ps($1, _mm256_set1_ps(-0.0f))',
    flip = '_mm256_castsi256_ps(_mm256_xor_si256(_mm256_castps_si256($1), '
      .. '_mm256_set1_epi32(INT32_MIN)))',
    -- VMAXPS and VMINPS give their second operand when either is NaN or both are zeros.
    at_least = '_mm256_max_ps($2, $1)',
    at_most = '_mm256_min_ps($2, $1)',
    select_lt = '_mm256_blendv_ps($4, $3, _mm256_cmp_ps($1, $2, _CMP_LT_OQ))',
    isplat = '_mm256_set1_epi32($1)',
    bits = '_mm256_castps_si256($1)',
    iadd = '_mm256_add_epi32($1, $2)',
    isub = '_mm256_sub_epi32($1, $2)',
    sar = '_mm256_srai_epi32($1, $2)',
    shl = '_mm256_slli_epi32($1, $2)',
    from_bits = '_mm256_castsi256_ps($1)',
    iand = '_mm256_and_si256($1, $2)',
    ior = '_mm256_or_si256($1, $2)',
    shr = '_mm256_srli_epi32($1, $2)',
    shr_by = '_mm256_srl_epi32($1, _mm_cvtsi32_si128((int)($2)))',
    from_int = '_mm256_cvtepi32_ps($1)',
    load_u8 = '_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)($1)))',
    load_u16 = '_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)($1)))',
    load_u32 = '_mm256_loadu_si256((const __m256i *)($1))',
    from_e2m1 = 'ffn_from_e2m1_avx2($1, $2)',
    from_iq4 = 'ffn_from_iq4_avx2($1, $2)',
    load_f16 = '_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)($1)))',
    load_f8 = 'ffn_load_f8_avx2($1)',
  },
}
