-- What dot_toy adds to files of isa/: the arithmetic's words, and the functions that they call.
local function helpers(isa, vec, product)
  return ([==[
    dot_bytes = [[
/* The sum, and the products of four bytes, of which the first have no sign. */
FFN_SHARED VEC ffn_dot_bytes_ISA(VEC sum, VEC a, VEC b) {
  for (int shift = 0; shift < 32; shift += 8)
    sum = UNSIGNED;
  return sum;
}]],
    dot_signed = [[
/* The same of signed ones. */
FFN_SHARED VEC ffn_dot_signed_ISA(VEC sum, VEC a, VEC b) {
  for (int shift = 0; shift < 32; shift += 8)
    sum = SIGNED;
  return sum;
}]],]==]):gsub('%u%u%u+', {
    ISA = isa, VEC = vec, UNSIGNED = product(false), SIGNED = product(true),
  })
end

local function words(isa, multiplied)
  return ("dot_toy = { dot_bytes = 'ffn_dot_bytes_%s($1, $2, $3)', "
    .. "dot_signed = 'ffn_dot_signed_%s($1, $2, $3)', imul = '%s' }"):format(isa, isa, multiplied)
end

local function x86(isa, bits)
  local function filled(text) return (text:gsub('MM', '_mm' .. bits)) end
  return {
    arithmetic = words(isa, filled 'MM_mullo_epi32($1, $2)'),
    word_helpers = helpers(isa, ('__m%di'):format(bits), function(signed)
      local byte = 'MM_%s_epi32(MM_slli_epi32(%s, 24 - shift), 24)'
      return filled(('MM_add_epi32(\n        sum, MM_mullo_epi32(%s,\n        %s))'):format(
        byte:format(signed and 'srai' or 'srli', 'a'), byte:format('srai', 'b')))
    end),
  }
end

return {
  c = {
    arithmetic = words('c', '($1 * $2)'),
    word_helpers = helpers('c', 'int32_t', function(signed)
      return ('sum + (%s)((uint32_t)a >> shift) * (int8_t)(uint8_t)((uint32_t)b >> shift)'):format(
        signed and 'int8_t)(uint8_t' or 'uint8_t')
    end),
  },
  avx2 = x86('avx2', 256), avx512 = x86('avx512', 512),
}
