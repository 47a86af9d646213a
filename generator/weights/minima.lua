--- GGUF's blocks of 256 weights with minima, of which each 32 have a scale and a minimum of 6 bits:
--- d scale q - dmin min. In a block the 6 bits lie in 12 bytes in front of all; packed, each 64
--- weights have their own 24 bits in front of them.
local blocks = require 'weights.quantization_blocks'
local record = require 'common.record'

local M = {}

--- What is added to each weight, or what that is made of: NaN where it is not finite, or the scale
--- is not. What is subtracted is +0 else, so that zeros keep their sign.
---@param v Builder
---@param least Node
---@param scale Node
local function marked(v, least, scale)
  local both = v.add(scale, least)
  return v.sub(least, v.sub(both, both))
end

--- What value() reads, as `ready` says, of groups that have a minimum each as it is.
---@param ready fun(v: Builder, state: State): State
---@return fun(v: Builder, state: State): State
function M.ready(ready)
  return function(v, group)
    return ready(v, {
      scale = group.scale, least = marked(v, group.least, group.scale), fifths = group.fifths,
    })
  end
end

--- The levels. The minimum of 256 weights says of all that they are no numbers.
---@param line Line|nil  that 32 weights have beside
---@return Level[]
function M.levels(line)
  return {
    {
      k = 256, lines = { { plane = 'scale', lane = 'f16' }, { plane = 'least', lane = 'f16' } },
      open = function(v, of_all)
        return { scale = of_all.scale, least = marked(v, v.neg(of_all.least), of_all.scale) }
      end,
    },
    {
      k = 64, lines = { { plane = 'six', lane = 'u16' }, { plane = 'top', lane = 'u8' } },
      open = function(v, of_two, outer)
        return {
          scale = outer.scale, least = outer.least,
          six = v.ior(of_two.six, v.shl(of_two.top, 16)),
        }
      end,
    },
    {
      k = 32, lines = { line },
      open = function(v, own, outer, index)
        local scale = v.from_int(v.field(outer.six, 6, v.affine(index, 12, 0)))
        local least = v.from_int(v.field(outer.six, 6, v.affine(index, 12, 6)))
        local state = { scale = v.mul(scale, outer.scale), least = v.mul(least, outer.least) }
        if line then state[line.plane] = own[line.plane] end
        return state
      end,
    },
  }
end

--- Planes by the words that stand for them in the C of blocks.
local planes = { SCALE = 'scale', LEAST = 'least', SIX = 'six', TOP = 'top' }

--- C: sets their lines from the first 16 bytes of a block.
local take = blocks.take_half('SCALE', 0) .. blocks.take_half('LEAST', 2) .. [[
for (size_t n = 0; n < 4; ++n) {
  const uint32_t first = ffn_six_bits(&OWN[4], 2 * n), second = ffn_six_bits(&OWN[4], 2 * n + 1);
  SIX[n] = (uint16_t)(first | (second & 15) << 12);
  TOP[n] = (uint8_t)(second >> 4);
}
]]

--- And back.
local give = blocks.give_half('SCALE', 0) .. blocks.give_half('LEAST', 2) .. [[
for (size_t j = 0; j < 4; ++j) {
  /* Of weights 32 j and 32 (j + 4) on: the second of them lies two lines behind. */
  const size_t n = j / 2, at = j % 2 * 12;
  const uint32_t low = (SIX[n] | (uint32_t)TOP[n] << 16) >> at;
  const uint32_t high = (SIX[n + 2] | (uint32_t)TOP[n + 2] << 16) >> at;
  OWN[4 + j] = (unsigned char)((low & 63) | (high >> 4 & 3) << 6);
  OWN[8 + j] = (unsigned char)((low >> 6 & 63) | (high >> 10 & 3) << 6);
  OWN[12 + j] = (unsigned char)((high & 15) | (high >> 6 & 15) << 4);
}
]]

--- C: the lines of nibbles from where their 128 bytes begin in a block. Of 64 weights the first 32
--- are the low halves of 32 bytes, the others the high ones.
---@param from integer
function M.take_nibbles(from)
  return (([[
for (size_t n = 0; n < 32; ++n) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const uint32_t q = (uint32_t)OWN[FROM + n / 8 * 32 + n % 4 * 8 + i] >> n / 4 % 2 * 4 & 15;
    nibbles_of_line |= q << (8 * (i % 4) + 4 * (i / 4));
  }
  NIBBLES[n] = nibbles_of_line;
}
]]):gsub('FROM', from))
end

--- And back.
---@param from integer
function M.give_nibbles(from)
  return (([[
for (size_t j = 0; j < 128; ++j) {
  const size_t n = j / 32 * 8 + j % 32 / 8, at = 8 * (j % 4) + 4 * (j / 4 % 2);
  const uint32_t low = NIBBLES[n] >> at & 15, high = NIBBLES[n + 4] >> at & 15;
  OWN[FROM + j] = (unsigned char)(low | high << 4);
}
]]):gsub('FROM', from))
end

--- The fields `take`, `give` and `pack` of a format: what stands behind the first 16 bytes is its
--- own.
---@param block BlockText
function M.of(block)
  local all = {}
  for _, more in ipairs { planes, block.planes } do
    for _, word in ipairs(record.sorted_keys(more)) do all[word] = more[word] end
  end
  return blocks.of {
    planes = all, bytes = block.bytes, take = take .. block.take, give = give .. block.give,
    encode = block.encode,
  }
end

--- What they call.
M.helper = [[
/* The scale of 32 weights, and above its 6 bits the minimum, from the 12 bytes of eight of them. */
FFN_SHARED uint32_t ffn_six_bits(const unsigned char *bytes, size_t j) {
  const uint32_t scale = bytes[j % 4], least = bytes[4 + j % 4];
  if (j < 4)
    return (scale & 63) | (least & 63) << 6;
  return (bytes[4 + j] & 15u) | scale >> 6 << 4 | (uint32_t)(bytes[4 + j] >> 4) << 6 |
         least >> 6 << 10;
}
]]

return M
