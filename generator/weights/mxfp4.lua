--- GGUF's mxfp4: E2M1 of 4 bits times a power of two. Lanes as those of q4_0.
local blocks = require 'weights.quantization_blocks'
local nibbles = require 'weights.nibbles'

local take, give = blocks.of {
  planes = { EXPONENT = 'exponent', NIBBLES = 'nibbles' }, bytes = 17,
  take = 'EXPONENT[0] = OWN[0];\n' .. nibbles.take(1),
  give = 'OWN[0] = EXPONENT[0];\n' .. nibbles.give(1),
}

return {
  name = 'mxfp4',
  about = "GGUF's blocks of 32 floats of 4 bits with a power of two",
  levels = {
    {
      k = 32, lines = { { plane = 'exponent', lane = 'u8' } },
      -- Half of it: an exponent of 0 is 2^-127, which is subnormal; 255 is NaN.
      open = function(v, lines)
        local scale = v.let('scale', v.from_bits(v.shl(lines.exponent, 23)))
        local half = v.mul(v.sub(scale, v.sub(scale, scale)), v.const(0.5))
        return { scale = v.at_least(half, v.const(2.0 ^ -128)) }
      end,
    },
  },
  step = nibbles.step,
  registers = 1,
  value = function(v, lines, state, i)
    return v.mul(v.from_e2m1(lines.nibbles, nibbles.at(i)), state.scale)
  end,
  products = { bits = 4, table = 'e2m1', offset = 12, take = nibbles.bytes },
  source = { k = 32, bytes = 17 },
  take = take, give = give,
}
