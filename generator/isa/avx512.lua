--- AVX-512 F: 16 lanes, 32 registers.
local tables = require 'isa.tables'
local x86 = require 'isa.x86'

return {
  name = 'avx512',
  title = 'AVX-512',
  arch = 'FFN_ARCH_X86',
  include = 'immintrin.h',
  target = 'avx512f,fma',
  -- CPUID: AVX512F, and AVX2, AVX and FMA, which a compiler may use where it is allowed AVX512F;
  -- the operating system saves XMM, YMM, opmasks and ZMM.
  detect = 'ffn_cpu_bit(7, FFN_EBX, 16) && ffn_cpu_bit(7, FFN_EBX, 5) && '
    .. 'ffn_cpu_bit(1, FFN_ECX, 28) && ffn_cpu_bit(1, FFN_ECX, 12) && ffn_cpu_saves(0xe6)',
  rank = 30,
  lanes = 16,
  files = { vector = 32, mask = 8 },
  -- An FMA takes a float from memory for all lanes.
  broadcasts = true,
  operands = false,
  settles = false,
  fused = true,
  wide = 'never',
  code_bytes = { kernel = 3400, stage = 6300, fma = 7, word = 4.5 },
  vec = '__m512',
  ivec = '__m512i',
  helpers = '',
  word_instructions = { from_e2m1 = 2, from_iq4 = 2, load_f8 = 6 },
  word_helpers = tables.beside({
    load_f8 = [[
/* E4M3 becomes f16, 2^-8 of it: its size is 7 bits further up, behind a sign of two bits. One more
 * has the sign's second bit unless it carries, from the largest, which is NaN: so that bit becomes
 * 0, or with all below it the exponent of NaN. */
FFN_INLINE __m512 ffn_load_f8_avx512(const uint8_t *from) {
  const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)from));
  const __m256i place = _mm256_slli_epi16(wide, 7);
  const __m256i more = _mm256_add_epi16(place, _mm256_set1_epi16(0x80));
  const __m256i second = _mm256_and_si256(more, _mm256_set1_epi16(0x4000));
  return _mm512_cvtph_ps(_mm256_xor_si256(place, second));
}]],
  }, [[
/* The level that four bits of a line choose. */
FFN_INLINE __m512 NAME_avx512(__m512i line, unsigned at) {
  const __m512 levels = _mm512_setr_ps(
FLOATS);
  return _mm512_permutexvar_ps(at > 0 ? _mm512_srli_epi32(line, at) : line, levels);
}]]),
  store_tail = [[
FFN_INLINE void ffn_store_tail_avx512(float *out, __m512 value, size_t count) {
  _mm512_mask_storeu_ps(out, (__mmask16)((1u << count) - 1u), value);
}]],
  turn = [[
/* Four by four in each lane of 128 bits. */
FFN_INLINE void ffn_turn_avx512(__m512 *v) {
  const __m512 low = _mm512_unpacklo_ps(v[0], v[1]), low_2 = _mm512_unpacklo_ps(v[2], v[3]);
  const __m512 high = _mm512_unpackhi_ps(v[0], v[1]), high_2 = _mm512_unpackhi_ps(v[2], v[3]);
  v[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(low), _mm512_castps_pd(low_2)));
  v[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(low), _mm512_castps_pd(low_2)));
  v[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(high), _mm512_castps_pd(high_2)));
  v[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(high), _mm512_castps_pd(high_2)));
}]],
  turn_in = [[
/* 4 floats of each of 16 tokens: [token][4], which begins at any float, to [4][token], at a
 * multiple of 64 bytes. */
FFN_INLINE void ffn_turn_in_avx512(float *to, size_t step, const float *from, size_t stride) {
  __m512 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    const float *row = from + i * stride;
    v[i] = _mm512_castps128_ps512(_mm_loadu_ps(row));
    v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(row + 4 * stride), 1);
    v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(row + 8 * stride), 2);
    v[i] = _mm512_insertf32x4(v[i], _mm_loadu_ps(row + 12 * stride), 3);
  }
  ffn_turn_avx512(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    _mm512_store_ps(to + i * step, v[i]);
}]],
  turn_out = [[
/* And back. 4 floats of each of 16 tokens: `to` begins at any float. */
FFN_INLINE void ffn_turn_out_avx512(float *to, size_t stride, const float *from, size_t step) {
  __m512 v[4];
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i)
    v[i] = _mm512_load_ps(from + i * step);
  ffn_turn_avx512(v);
  FFN_UNROLL
  for (size_t i = 0; i < 4; ++i) {
    float *row = to + i * stride;
    _mm_storeu_ps(row, _mm512_castps512_ps128(v[i]));
    _mm_storeu_ps(row + 4 * stride, _mm512_extractf32x4_ps(v[i], 1));
    _mm_storeu_ps(row + 8 * stride, _mm512_extractf32x4_ps(v[i], 2));
    _mm_storeu_ps(row + 12 * stride, _mm512_extractf32x4_ps(v[i], 3));
  }
}]],
  dots = x86.dots('avx512', '__m512', '_mm512_zextps128_ps512'),
  arithmetic = { fma_f32 = {} },
  words = {
    zero = '_mm512_setzero_ps()',
    splat = '_mm512_set1_ps($1)',
    -- VBROADCASTSS is a shuffle beside the FMAs of Zen 4, VPBROADCASTD a load.
    splat_at = '_mm512_castsi512_ps(_mm512_set1_epi32(ffn_bits($1)))',
    load = '_mm512_load_ps($1)',
    loadu = '_mm512_loadu_ps($1)',
    store = '_mm512_store_ps($1, $2)',
    storeu = '_mm512_storeu_ps($1, $2)',
    store_u32 = '_mm512_storeu_si512($1, $2)',
    store_tail = 'ffn_store_tail_avx512($1, $2, $3)',
    add = '_mm512_add_ps($1, $2)',
    sub = '_mm512_sub_ps($1, $2)',
    mul = '_mm512_mul_ps($1, $2)',
    div = '_mm512_div_ps($1, $2)',
    fma = '_mm512_fmadd_ps($1, $2, $3)',
    fnma = '_mm512_fnmadd_ps($1, $2, $3)',
    sqrt = '_mm512_sqrt_ps($1)',
    abs = '_mm512_abs_ps($1)',
    -- AVX-512 F has no XORPS. -0 - x is -x for zeros, too.
    neg = '_mm512_sub_ps(_mm512_set1_ps(-0.0f), $1)',
    flip = '_mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512($1), '
      .. '_mm512_set1_epi32(INT32_MIN)))',
    -- VMAXPS and VMINPS give their second operand when either is NaN or both are zeros.
    at_least = '_mm512_max_ps($2, $1)',
    at_most = '_mm512_min_ps($2, $1)',
    select_lt = '_mm512_mask_blend_ps(_mm512_cmp_ps_mask($1, $2, _CMP_LT_OQ), $4, $3)',
    isplat = '_mm512_set1_epi32($1)',
    bits = '_mm512_castps_si512($1)',
    iadd = '_mm512_add_epi32($1, $2)',
    isub = '_mm512_sub_epi32($1, $2)',
    sar = '_mm512_srai_epi32($1, $2)',
    shl = '_mm512_slli_epi32($1, $2)',
    from_bits = '_mm512_castsi512_ps($1)',
    iand = '_mm512_and_si512($1, $2)',
    ior = '_mm512_or_si512($1, $2)',
    shr = '_mm512_srli_epi32($1, $2)',
    shr_by = '_mm512_srl_epi32($1, _mm_cvtsi32_si128((int)($2)))',
    from_int = '_mm512_cvtepi32_ps($1)',
    load_u8 = '_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)($1)))',
    load_u16 = '_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)($1)))',
    load_u32 = '_mm512_loadu_si512($1)',
    from_e2m1 = 'ffn_from_e2m1_avx512($1, $2)',
    from_iq4 = 'ffn_from_iq4_avx512($1, $2)',
    load_f16 = '_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)($1)))',
    load_f8 = 'ffn_load_f8_avx512($1)',
  },
}
