--- A row as signed bytes in groups, each with a scale that is found for it.
local quantised = require 'operand.quantised'

local scale_of = { name = 's8_scale', text = [[
/* The scale of a group whose largest size has these bits, and what makes bytes of its floats; 0
 * where all bytes are 0: below 2^-100, and beside an infinity or a NaN, whose scale is a NaN. */
FFN_SHARED float ffn_s8_scale_ISA(float *scale, int32_t most) {
  const int32_t infinite = 0x7f800000, least = 0x0d800000; /* 2^-100 */
  *scale = most < infinite ? 0.0f : ffn_from_bits(0x7fc00000);
  if (most < least || most >= infinite)
    return 0.0f;
  *scale = ffn_from_bits(most) / 127.0f;
  return 127.0f / ffn_from_bits(most);
}
]] }

local quantise = { name = 's8_quantise', text = [[
/* A group of floats, of which `count` are there, as bytes from -127 to 127 and their scale. The
 * size of a product is added to 2^23, whose last bits are the integer then: no compiler fuses a
 * product with a sum of its size. */
FFN_SHARED void ffn_s8_quantise_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const size_t order = 3; /* the first of four bytes is the last one of an integer */
#else
  const size_t order = 0;
#endif
  int32_t most = 0;
  for (size_t k = 0; k < count; ++k) {
    const int32_t size = ffn_bits(x[k]) & 0x7fffffff;
    most = size > most ? size : most;
  }
  const float inverse = ffn_s8_scale_ISA(scale, most);
  for (size_t k = 0; k < group; ++k)
    quants[k] = 0;
  for (size_t k = 0; inverse > 0.0f && k < count; ++k) {
    const float product = x[k] * inverse;
    const int32_t size = ffn_bits(ffn_abs(product) + 8388608.0f) & 127;
    const int32_t sign = ffn_bits(product) >> 31; /* -1 of what is negative, else 0 */
    quants[k ^ order] = (int8_t)((size ^ sign) - sign);
  }
}
]] }

return quantised.record {
  name = 's8',
  about = 'signed bytes in groups with a scale',
  helpers = { scale_of, quantised.part, quantise },
  call = 'ffn_s8_quantise_ISA',
}
