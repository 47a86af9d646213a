--- AVX-512 F: 16 lanes, 32 registers.
return {
  name = 'avx512',
  title = 'AVX-512',
  arch = 'FFN_ARCH_X86',
  include = 'immintrin.h',
  target = 'avx512f',
  -- CPUID: AVX512F, and AVX2, AVX and FMA, which a compiler may use where it is allowed AVX512F;
  -- the operating system saves XMM, YMM, opmasks and ZMM.
  detect = 'ffn_cpu_bit(7, FFN_EBX, 16) && ffn_cpu_bit(7, FFN_EBX, 5) && '
    .. 'ffn_cpu_bit(1, FFN_ECX, 28) && ffn_cpu_bit(1, FFN_ECX, 12) && ffn_cpu_saves(0xe6)',
  rank = 30,
  lanes = 16,
  registers = 32,
  fused = true,
  instruction_bytes = 7,
  vec = '__m512',
  ivec = '__m512i',
  helpers = '',  store_tail = [[
FFN_INLINE void ffn_store_tail_avx512(float *out, __m512 value, size_t count) {
  _mm512_mask_storeu_ps(out, (__mmask16)((1u << count) - 1u), value);
}]],
  words = {
    zero = '_mm512_setzero_ps()',
    splat = '_mm512_set1_ps($1)',
    load = '_mm512_load_ps($1)',
    loadu = '_mm512_loadu_ps($1)',
    store = '_mm512_store_ps($1, $2)',
    storeu = '_mm512_storeu_ps($1, $2)',
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
    load_u16 = '_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)($1)))',
  },
}
