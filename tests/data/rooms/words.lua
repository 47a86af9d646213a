-- What dot_toy adds to isa/c.lua: the arithmetic's words, and the functions that two of them call.
return {
  arithmetic = "dot_toy = { dot_bytes = 'ffn_dot_bytes($1, $2, $3)', "
    .. "dot_signed = 'ffn_dot_signed($1, $2, $3)', imul = '($1 * $2)' }",
  word_helpers = [==[
    dot_bytes = [[
/* The sum, and the products of four bytes, of which the first have no sign. */
FFN_INLINE int32_t ffn_dot_bytes(int32_t sum, int32_t a, int32_t b) {
  for (int shift = 0; shift < 32; shift += 8)
    sum += (int32_t)((uint32_t)a >> shift & 255) * (int8_t)(uint8_t)((uint32_t)b >> shift);
  return sum;
}]],
    dot_signed = [[
/* The same of signed ones. */
FFN_INLINE int32_t ffn_dot_signed(int32_t sum, int32_t a, int32_t b) {
  for (int shift = 0; shift < 32; shift += 8)
    sum += (int8_t)(uint8_t)((uint32_t)a >> shift) * (int8_t)(uint8_t)((uint32_t)b >> shift);
  return sum;
}]],]==],
}
