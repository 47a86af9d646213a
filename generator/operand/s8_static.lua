--- A row as signed bytes with a scale that comes with the weights, the same for every row.
local quantised = require 'operand.quantised'

local clip = { name = 's8_clip', text = [[
/* Floats, of which `count` are there, as bytes: x / of, rounded to an integer and no further from 0
 * than 127. The scale is `of`, or a NaN beside a NaN, whose byte may be any. The size of a quotient
 * is added to 2^23, whose last bits are the integer then. */
FFN_SHARED void ffn_s8_clip_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count, float of) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const size_t order = 3; /* the first of four bytes is the last one of an integer */
#else
  const size_t order = 0;
#endif
  int nan = 0;
  for (size_t k = 0; k < group; ++k)
    quants[k] = 0;
  for (size_t k = 0; k < count; ++k) {
    const float quotient = x[k] / of;
    const float size = ffn_abs(quotient);
    const float clipped = size < 127.0f ? size : 127.0f;
    const int32_t whole = ffn_bits(clipped + 8388608.0f) & 127;
    const int32_t sign = ffn_bits(quotient) >> 31; /* -1 of what is negative, else 0 */
    nan |= ffn_bits(size) > 0x7f800000;
    quants[k ^ order] = (int8_t)((whole ^ sign) - sign);
  }
  *scale = nan ? ffn_from_bits(0x7fc00000) : of;
}
]] }

return quantised.record {
  name = 's8_static',
  about = 'signed bytes with a packed scale',
  helpers = { quantised.part, clip },
  call = 'ffn_s8_clip_ISA',
}
