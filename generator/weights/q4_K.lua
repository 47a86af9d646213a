--- GGUF's q4_K: d scale q - dmin min, q from 0 to 15. Byte b of a lane has k b in its low half and
--- k 4 + b in its high one.
local minima = require 'weights.minima'
local nibbles = require 'weights.nibbles'
local position = require 'weights.position'

local take, give = minima.of {
  planes = { NIBBLES = 'nibbles' }, bytes = 144,
  take = minima.take_nibbles(16), give = minima.give_nibbles(16),
}

return {
  name = 'q4_K',
  about = "GGUF's blocks of 256 weights of 4 bits, each 32 with a scale and a minimum",
  levels = minima.levels(function(v, scale, offset) return position.open(v, 4, scale, offset) end),
  step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } },
  registers = position.registers(4),
  value = function(v, lines, state, i)
    return position.value(v, 4, lines.nibbles, nibbles.at(i), state)
  end,
  source = { k = 256, bytes = 144 },
  take = take, give = give, helpers = { minima.helper },
}
