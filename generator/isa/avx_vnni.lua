--- AVX2 with AVX-VNNI: what is AVX2's, and dot products of bytes.
local avx2 = require 'isa.avx2'
local derived = require 'isa.derived'

local own = derived(avx2, 'avx_vnni')
own.title, own.rank = 'AVX-VNNI', 25
own.target = 'avx2,fma,f16c,avxvnni'
-- CPUID, beside AVX2's: AVX-VNNI.
own.detect = avx2.detect .. ' && ffn_cpu_bit_7(1, FFN_EAX, 4)'
own.only_with = 'dot_s8'

local dot = [[
/* sum + w, without a sign, times four bytes of x in each lane. For the intrinsic gcc 12 copies the
 * sum. */
FFN_INLINE __m256i ffn_dot_avx_vnni(__m256i sum, __m256i w, __m256i x) {
#if defined(__GNUC__) && !defined(__clang__)
  __asm__("{%{vex%} vpdpbusd %2, %1, %0|%{vex%} vpdpbusd %0, %1, %2}"
          : "+x"(sum)
          : "x"(w), "x"(x));
  return sum;
#else
  return _mm256_dpbusd_avx_epi32(sum, w, x);
#endif
}]]
for _, word in ipairs { 'dot_nibbles', 'dot_small', 'dot_large' } do
  own.word_helpers[word] = dot
  own.arithmetic.dot_s8[word] = 'ffn_dot_avx_vnni($1, $2, $3)'
end
own.arithmetic.dot_s8.nibbles_begin = '$1'
own.arithmetic.dot_s8.nibbles_end = '$1'
own.arithmetic.dot_s8.dot_large_begin = '$2'

return own
