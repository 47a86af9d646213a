--- GGUF's iq4_xs: d scale times one of the levels of iq4_nl, of each 32 weights a scale from -32 to
--- 31. In a block these lie in front of all, their top two bits first; packed, each 128 weights
--- have their own 24 bits in front of them.
local blocks = require 'weights.quantization_blocks'
local levels16 = require 'weights.levels16'
local nibbles = require 'weights.nibbles'

local take, give = blocks.of {
  planes = { SCALE = 'scale', SIX = 'six', TOP = 'top', NIBBLES = 'nibbles' }, bytes = 136,
  take = blocks.take_half('SCALE', 0) .. [[
for (size_t n = 0; n < 2; ++n) {
  uint32_t scales = 0;
  for (size_t j = 0; j < 4; ++j) {
    const uint32_t low = (uint32_t)OWN[4 + 2 * n + j / 2] >> j % 2 * 4 & 15;
    scales |= (low | ((uint32_t)OWN[2 + n] >> 2 * j & 3) << 4) << 6 * j;
  }
  SIX[n] = (uint16_t)(scales & 0xffff);
  TOP[n] = (uint8_t)(scales >> 16);
}
]] .. nibbles.take(8, 8),
  give = blocks.give_half('SCALE', 0) .. [[
for (size_t n = 0; n < 2; ++n) {
  const uint32_t scales = SIX[n] | (uint32_t)TOP[n] << 16;
  uint32_t high = 0;
  for (size_t j = 0; j < 4; ++j)
    high |= (scales >> (6 * j + 4) & 3) << 2 * j;
  OWN[2 + n] = (unsigned char)high;
  OWN[4 + 2 * n] = (unsigned char)((scales & 15) | (scales >> 6 & 15) << 4);
  OWN[5 + 2 * n] = (unsigned char)((scales >> 12 & 15) | (scales >> 18 & 15) << 4);
}
]] .. nibbles.give(8, 8),
}

return {
  name = 'iq4_xs',
  about = "GGUF's blocks of 256 weights of 4 bits, uneven levels of a scale for each 32",
  levels = {
    {
      k = 256, lines = { { plane = 'scale', lane = 'f16' } },
      open = levels16.open,
    },
    {
      k = 128, lines = { { plane = 'six', lane = 'u16' }, { plane = 'top', lane = 'u8' } },
      open = function(v, lines, outer)
        return { scale = outer.scale, six = v.ior(lines.six, v.shl(lines.top, 16)) }
      end,
    },
    {
      k = 32,
      open = function(v, _, outer, index)
        local scale = v.isub(v.field(outer.six, 6, v.affine(index, 6, 0)), v.iconst(32))
        return { scale = v.mul(v.from_int(scale), outer.scale) }
      end,
    },
  },
  step = nibbles.step, registers = levels16.registers, value = levels16.value,
  products = levels16.products,
  source = { k = 256, bytes = 136 },
  take = take, give = give,
}
