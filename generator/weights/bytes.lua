--- Signed bytes with a scale for each output, and perhaps a zero.
local half = require 'weights.f16_scales'
local numbers = require 'common.number'
local blocks = require 'weights.quantization_blocks'

local M = {}

--- As PyTorch quantises by channel: 127 is the largest size, rounded to nearest, ties to even.
local row = half.row_scale('ffn_i8_scale', 127) .. [[

FFN_SHARED uint32_t ffn_i8_byte(float weight, float scale) {
  const float round = 12582912.0f; /* 1.5 * 2^23, whose last place is 1 */
  /* A product is rounded before it is used. */
  const float x = scale > 0.0f ? ffn_fma(weight, 1.0f / scale, 0.0f) : 0.0f;
  const int32_t q = (int32_t)((x + round) - round);
  return (uint32_t)((q > 127 ? 127 : q < -128 ? -128 : q) + 128);
}
]]

--- What pack() makes of weights, in Lua.
---@param zero boolean  the format has zeros
---@return fun(c: Embedding): boolean
local function embed(zero)
  return function(c)
    local most = 0.0
    for k = 0, c.inputs - 1 do most = math.max(most, math.abs(c.row(k))) end
    local scale = numbers.to_f32(most / 127)
    if scale >= 2.0 ^ 121 then return false end
    if scale < 2.0 ^ -100 then scale = 0.0 end
    local inverse, bytes = scale > 0 and numbers.to_f32(1 / scale) or 0.0, 0
    for b = 0, 3 do
      local q = numbers.nearest(numbers.to_f32(c.weight(b) * inverse))
      bytes = bytes | math.tointeger(math.max(-128, math.min(127, q))) + 128 << 8 * b
    end
    c.set('scale', 0, scale)
    c.set('quants', 0, bytes)
    if zero then c.set('zero', 0, 128) end
    return true
  end
end

--- The fields that these formats share, beside what one says itself.
---@param own table
---@return table
function M.format(own)
  local zero = own.source.zero ~= nil
  local planes = { SCALE = 'scale', ZERO = 'zero', QUANTS = 'quants' }
  local take, give = blocks.of {
    planes = planes, bytes = 0,
    take = [[
float scale_of_all = 0.0f;
uint32_t bytes = 0;
FFN_MEMCPY(&scale_of_all, &OWN[4], sizeof scale_of_all);
for (size_t b = 0; b < 4; ++b)
  bytes |= (uint32_t)(OWN[b] ^ 128) << 8 * b;
QUANTS[0] = bytes;
SCALE[0] = scale_of_all;]] .. (zero and '\nZERO[0] = (uint32_t)(OWN[8] ^ 128);' or ''),
    give = [[
const float scale_of_all = SCALE[0];
for (size_t b = 0; b < 4; ++b)
  OWN[b] = (unsigned char)((QUANTS[0] >> 8 * b & 255) ^ 128);
FFN_MEMCPY(&OWN[4], &scale_of_all, sizeof scale_of_all);]]
      .. (zero and '\nOWN[8] = (unsigned char)((ZERO[0] & 255) ^ 128);' or ''),
  }
  own.step = { k = 4, lines = { { plane = 'quants', lane = 'u32' } } }
  own.products.bits, own.products.take = 8, function(_, lines) return lines.quants end
  own.take, own.give, own.embed, own.row = take, give, embed(zero), 'ffn_i8_scale'
  own.helpers = { half.largest, row }
  function own.pack(c)
    return (([[
uint32_t bytes = 0;
for (size_t b = 0; b < 4; ++b)
  bytes |= ffn_i8_byte(WEIGHT, SHARED) << 8 * b;
QUANTS = bytes;
SCALE = SHARED;]] .. (zero and '\nZERO = 128;' or '')):gsub('%u%u+', {
      WEIGHT = c.weight 'b', SHARED = c.weight(4), QUANTS = c.lane('quants', 0),
      SCALE = c.lane('scale', 0), ZERO = zero and c.lane('zero', 0),
    }))
  end
  return own
end

return M
