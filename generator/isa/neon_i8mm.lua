--- NEON with dot products of bytes without a sign and such with one, USDOT: part of Armv8.6, and of
--- CPUs from 8.2 on that have its matrices of bytes.
local derived = require 'isa.derived'
local neon_dotprod = require 'isa.neon_dotprod'

local own = derived(neon_dotprod, 'neon_i8mm')
own.title, own.rank = 'NEON with USDOT', 14
own.target = 'i8mm'
-- HWCAP2_I8MM, beside those of SDOT.
own.detect = neon_dotprod.detect .. ' && ffn_cpu_hwcap2(13)'

local dot = [[
/* sum + the bytes of w, without a sign, times four bytes with one at x. */
FFN_INLINE int32x4_t ffn_dot_neon_i8mm(int32x4_t sum, int32x4_t w, const void *x) {
  const int32x2_t four = vcreate_s32(*(const uint32_t *)x);
#if defined(__clang__)
  __asm__("usdot %0.4s, %1.16b, %2.4b[0]" : "+w"(sum) : "w"(w), "w"(four));
#elif defined(__GNUC__) && !defined(__ARM_FEATURE_MATMUL_INT8)
  __asm__(".arch armv8.5-a+crypto+fp16+sve2+i8mm\n\tusdot %0.4s, %1.16b, %2.4b[0]"
          : "+w"(sum)
          : "w"(w), "w"(four));
#else
  sum = vusdotq_lane_s32(sum, vreinterpretq_u8_s32(w), vreinterpret_s8_s32(four), 0);
#endif
  return sum;
}]]
for _, word in ipairs { 'dot_nibbles_at', 'dot_small_at', 'dot_large_at' } do
  own.word_helpers[word] = dot
  own.arithmetic.dot_s8[word] = 'ffn_dot_neon_i8mm($1, $2, $3)'
end
own.arithmetic.dot_s8.dot_large_begin = '$2'

return own
