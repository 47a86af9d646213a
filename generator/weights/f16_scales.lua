--- f16 in C and in Lua, for what packs blocks that have such scales.
local numbers = require 'common.number'

local M = {}

--- The nearest f16.
M.nearest = [[
/* The bits of the f16 nearest to one float, ties to even; what is too large becomes infinite. */
FFN_SHARED uint16_t ffn_f16_of(float x) {
  const uint32_t infinite = 0x7f800000u, beyond = 0x477ff000u; /* what rounds to infinity */
  const uint32_t normal = 0x38800000u, rebias = 0x1c000u; /* 2^-14; 112 in the exponent of an f16 */
  const uint32_t all = (uint32_t)ffn_bits(x), bits = all & 0x7fffffffu;
  const uint32_t sign = all >> 16 & 0x8000u, even = bits + 0xfffu + (bits >> 13 & 1u);
  /* 0.5 has the last place that f16 has below 2^-14. */
  const float below = ffn_from_bits((int32_t)bits) + 0.5f;
  const uint32_t small = (uint32_t)ffn_bits(below) - 0x3f000000u; /* the bits of 0.5 */
  const uint32_t large = bits > infinite ? 0x7e00u : 0x7c00u; /* NaN, infinity */
  const uint32_t half = bits < normal ? small : bits >= beyond ? large : (even >> 13) - rebias;
  return (uint16_t)(sign | half);
}
]]

--- The largest |w| of some, as bits: from those of Inf on one is not finite.
M.largest = [[
FFN_SHARED uint32_t ffn_largest_of(const float *w, size_t count) {
  uint32_t most = 0;
  for (size_t k = 0; k < count; ++k) {
    const uint32_t size = (uint32_t)ffn_bits(w[k]) & 0x7fffffffu;
    most = size > most ? size : most;
  }
  return most;
}
]]

--- The scale of floats in f32, whose largest size is stored as `most`; 0 below 2^-100.
---@param name string  of the function in C
---@param most integer
function M.row_scale(name, most)
  return ([[
FFN_SHARED float %s(const float *w, size_t count) {
  const uint32_t most = ffn_largest_of(w, count);
  if (most >= 0x7f800000u)
    return ffn_from_bits(0x7fc00000); /* of a NaN all are NaN */
  const float scale = ffn_from_bits((int32_t)most) / %d.0f;
  return scale >= 0x1p-100f ? scale : 0.0f;
}
]]):format(name, most)
end

--- 1 / scale, by which a block is quantised; 0 where that is none or infinite: such a scale is 0 as
--- an f16.
M.inverse = [[
FFN_SHARED float ffn_inverse_of(float scale) {
  const float inverse = scale != 0.0f ? 1.0f / scale : 0.0f;
  return (ffn_bits(inverse) & 0x7f800000) != 0x7f800000 ? inverse : 0.0f;
}
]]

--- The float that the bits of an f16 are; a NaN stays one.
M.value = [[
FFN_SHARED float ffn_f16_value(uint16_t half) {
  const uint32_t infinite = 0x7c00u, normal = 0x0400u; /* the least ones that are so */
  const uint32_t rebias = 0x38000000u, least = 0x38800000u; /* 112 in the exponent; 2^-14 */
  const uint32_t size = half & 0x7fffu, sign = (uint32_t)(half & 0x8000u) << 16;
  const uint32_t wide = size < infinite ? (size << 13) + rebias : 0x7f800000u | size << 13;
  /* Below the normal ones: what was put before their fraction is taken off again. */
  const float below = ffn_from_bits((int32_t)((size << 13) + least)) - 0x1p-14f;
  const uint32_t bits = size < normal ? (uint32_t)ffn_bits(below) : wide;
  return ffn_from_bits((int32_t)(bits | sign));
}
]]

--- The same of bf16.
M.nearest_bf16 = [[
FFN_SHARED uint16_t ffn_bf16_of(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (uint16_t)(bits >> 16 | 0x40u);
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
]]
M.value_bf16 = [[
FFN_SHARED float ffn_bf16_value(uint16_t bits) {
  return ffn_from_bits((int32_t)((uint32_t)bits << 16));
}
]]

--- The bits of the number nearest to a finite one, ties to even; nil where that is infinite.
---@param x number
---@return integer|nil
function M.bits(x)
  local bits = string.unpack('<I4', string.pack('<f', x))
  local exponent = math.max((bits >> 23 & 255) - 127, -14)
  local places = numbers.nearest(math.abs(x) * 2.0 ^ (10 - exponent)) -- the product is exact
  -- A normal number has 1024 last places in front of its fraction; a carry goes into the exponent.
  local nearest = (exponent + 14 << 10) + places
  return nearest < 0x7c00 and (bits >> 16 & 0x8000 | nearest) or nil
end

--- 1 / scale, as M.inverse has it.
---@param scale number  an f32
---@return number
function M.inverse_of(scale)
  local inverse = scale ~= 0 and numbers.to_f32(1 / scale) or 0.0
  return math.abs(inverse) < math.huge and inverse or 0.0
end

return M
