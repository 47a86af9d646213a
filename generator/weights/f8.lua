--- Floats of 8 bits, E4M3 without infinities, with f32 scales: scale * q. A lane of a line is a
--- byte, which is read as 2^-8 of what it means.
local blocks = require 'weights.quantization_blocks'
local half = require 'weights.f16_scales'

local M = {}

--- How floats become such.
local floats = half.row_scale('ffn_f8_scale', 448) .. [[

/* One weight by its scale as E4M3, rounded to nearest, ties to even; 448 is the largest size. */
FFN_SHARED unsigned char ffn_f8_of(float weight, float scale) {
  /* A product is rounded before it is used. */
  const float x = scale > 0.0f ? ffn_fma(weight, 1.0f / scale, 0.0f) : 0.0f;
  const uint32_t bits = (uint32_t)ffn_bits(x) & 0x7fffffffu;
  const uint32_t even = bits + 0x7ffffu + (bits >> 20 & 1u);
  /* 2^14 has the last place that E4M3 has below 2^-6. */
  const float below = ffn_from_bits((int32_t)bits) + 0x1p14f;
  const uint32_t small = (uint32_t)ffn_bits(below) - 0x46800000u; /* the bits of 2^14 */
  const uint32_t normal = 0x3c800000u, rebias = 0x3c0u; /* 2^-6; 120 in the exponent of an E4M3 */
  const uint32_t size = bits < normal ? small : (even >> 20) - rebias;
  return (unsigned char)((x < 0.0f ? 0x80u : 0u) | (size < 0x7eu ? size : 0x7eu));
}
]]

--- What weights that share a scale are read with: 2^8 of it, by which products are exact but for
--- one rounding; NaN where that is not finite.
---@param v Builder
---@param group State
---@return State
local function ready(v, group)
  local size = v.fma(group.scale, v.const(256), v.const(0))
  return { scale = v.let('scale', v.add(size, v.sub(size, size))) }
end

--- What they share.
M.open = function(_, lines) return { scale = lines.scale } end

--- The fields that these formats share, beside what one says itself.
---@param own table
---@param count integer  k of what is packed together
---@return table
function M.format(own, count)
  local take, give = blocks.of {
    planes = { SCALE = 'scale', FLOATS = 'floats' }, bytes = 0,
    take = ([[
float scale_of_all = 0.0f;
FFN_MEMCPY(&scale_of_all, &OWN[COUNT], sizeof scale_of_all);
for (size_t k = 0; k < COUNT; ++k)
  FLOATS[k] = OWN[k];
SCALE[0] = scale_of_all;]]):gsub('COUNT', count),
    give = ([[
const float scale_of_all = SCALE[0];
for (size_t k = 0; k < COUNT; ++k)
  OWN[k] = FLOATS[k];
FFN_MEMCPY(&OWN[COUNT], &scale_of_all, sizeof scale_of_all);]]):gsub('COUNT', count),
  }
  own.step = { k = 1, lines = { { plane = 'floats', lane = 'f8' } } }
  own.registers, own.ready, own.row = 1, ready, 'ffn_f8_scale'
  own.helpers = { half.largest, floats }
  own.take, own.give = take, give
  -- The sum makes a 0 positive.
  function own.value(v, lines, state) return v.fma(lines.floats, state.scale, v.const(0)) end
  function own.pack(c)
    return (([[
for (size_t k = 0; k < COUNT; ++k)
  FLOATS = ffn_f8_of(WEIGHT, SHARED);
SCALE = SHARED;]]):gsub('%u%u+', {
      COUNT = count, WEIGHT = c.weight 'k', SHARED = c.weight(count),
      FLOATS = c.lane('floats', 'k'), SCALE = c.lane('scale', 0),
    }))
  end
  return own
end

return M
