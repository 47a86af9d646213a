-- What dot_toy adds to isa/c.lua: the arithmetic's words, and the function that one of them calls.
return {
  arithmetic = "dot_toy = { dot_bytes = 'ffn_dot_bytes($1, $2, $3)' }",
  word_helpers = [==[
    dot_bytes = [[
/* The sum, and the products of four signed bytes each. */
FFN_INLINE int32_t ffn_dot_bytes(int32_t sum, int32_t a, int32_t b) {
  for (int shift = 0; shift < 32; shift += 8)
    sum += (int8_t)(uint8_t)((uint32_t)a >> shift) * (int8_t)(uint8_t)((uint32_t)b >> shift);
  return sum;
}]],]==],
}
