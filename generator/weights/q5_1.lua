--- GGUF's q5_1: d q + m, q from 0 to 31.
local blocks = require 'weights.quantization_blocks'
local fifth = require 'weights.fifth_bits'
local minima = require 'weights.minima'

local take, give = blocks.of {
  planes = { SCALE = 'scale', LEAST = 'least', FIFTHS = 'fifths', NIBBLES = 'nibbles' }, bytes = 24,
  take = blocks.take_half('SCALE', 0) .. blocks.take_half('LEAST', 2) .. fifth.take(4),
  give = blocks.give_half('SCALE', 0) .. blocks.give_half('LEAST', 2) .. fifth.give(4),
}

return {
  name = 'q5_1',
  about = "GGUF's blocks of 32 weights of 5 bits with a scale and a minimum",
  levels = {
    {
      k = 32,
      lines = {
        { plane = 'scale', lane = 'f16' }, { plane = 'least', lane = 'f16' }, fifth.line,
      },
      open = function(_, lines)
        return { scale = lines.scale, least = lines.least, fifths = lines.fifths }
      end,
    },
  },
  step = fifth.step,
  registers = fifth.registers, ready = minima.ready(fifth.ready()), value = fifth.value,
  products = { bits = 5, take = fifth.bytes, registers = 3, minima = true, short_scale = true },
  source = { k = 32, bytes = 24 },
  take = take, give = give,
}
