--- AVX-512 with VNNI, BW and VL: what is AVX-512's, and dot products of bytes.
local avx512 = require 'isa.avx512'
local record = require 'common.record'
local tables = require 'isa.tables'

--- Text of C whose functions have this instruction set's name.
local function renamed(text) return (text:gsub('(ffn_[%w_]-)_avx512%f[^%w_]', '%1_avx512_vnni')) end

--- All of AVX-512's text, in tables too.
local function renamed_in(value)
  if type(value) == 'string' then return renamed(value) end
  if type(value) ~= 'table' then return value end
  local own = {}
  for _, key in ipairs(record.sorted_keys(value)) do own[key] = renamed_in(value[key]) end
  return own
end

local own = renamed_in(avx512)
own.name, own.title, own.rank = 'avx512_vnni', 'AVX-512 VNNI', 35
own.target = 'avx512f,avx512bw,avx512vl,avx512vnni,fma'
-- CPUID, beside AVX-512's: BW, VL, VNNI.
own.detect = avx512.detect .. ' && ffn_cpu_bit(7, FFN_EBX, 30) && ffn_cpu_bit(7, FFN_EBX, 31) && '
  .. 'ffn_cpu_bit(7, FFN_ECX, 11)'
own.only_with = 'dot_s8'
own.arithmetic = {
  fma_f32 = {},
  dot_s8 = {
    nibbles_begin = '$1',
    dot_nibbles = '_mm512_dpbusd_epi32($1, $2, $3)',
    nibbles_end = '$1',
    dot_small = '_mm512_dpbusd_epi32($1, $2, $3)',
    dot_large = '_mm512_dpbusd_epi32($1, $2, $3)',
    dot_large_begin = '$2',
    imul_small = '_mm512_madd_epi16($1, $2)',
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

return own
