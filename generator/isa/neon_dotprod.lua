--- NEON with dot products of bytes with a sign, SDOT: part of Armv8.4, and of many CPUs of 8.2.
local derived = require 'isa.derived'
local neon = require 'isa.neon'

local own = derived(neon, 'neon_dotprod')
own.title, own.rank = 'NEON with SDOT', 12
own.target, own.in_assembler = 'dotprod', true
-- HWCAP_ASIMDDP.
own.detect = neon.detect .. ' && ffn_cpu_hwcap(20)'
own.only_with = 'dot_s8'

-- Four bytes of x are a lane, a factor of all lanes of w: nothing copies them. Compilers have the
-- intrinsic where a whole file is compiled for it. Else gcc's assembler alone is told of the
-- instruction, beside all that gcc may have been told of.
local dot = [[
/* sum + the bytes of w, with a sign, times four bytes at x. */
FFN_INLINE int32x4_t ffn_dot_neon_dotprod(int32x4_t sum, int32x4_t w, const void *x) {
  const int32x2_t four = vcreate_s32(*(const uint32_t *)x);
#if defined(__clang__)
  __asm__("sdot %0.4s, %1.16b, %2.4b[0]" : "+w"(sum) : "w"(w), "w"(four));
#elif defined(__GNUC__) && !defined(__ARM_FEATURE_DOTPROD)
  __asm__(".arch armv8.3-a+crypto+fp16+sve+dotprod\n\tsdot %0.4s, %1.16b, %2.4b[0]"
          : "+w"(sum)
          : "w"(w), "w"(four));
#else
  sum = vdotq_lane_s32(sum, vreinterpretq_s8_s32(w), vreinterpret_s8_s32(four), 0);
#endif
  return sum;
}]]
for _, word in ipairs { 'dot_nibbles', 'dot_small', 'dot_large' } do
  own.word_helpers[word], own.word_helpers[word .. '_at'] = nil, dot
  own.arithmetic.dot_s8[word] = nil
  own.arithmetic.dot_s8[word .. '_at'] = 'ffn_dot_neon_dotprod($1, $2, $3)'
end
own.arithmetic.dot_s8.dot_large_at = 'ffn_dot_neon_dotprod($1, '
  .. 'veorq_s32($2, vdupq_n_s32((int32_t)0x80808080)), $3)'

return own
