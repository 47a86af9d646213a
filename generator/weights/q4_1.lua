--- GGUF's q4_1: d q + m, q from 0 to 15. Lanes as those of q4_0.
local blocks = require 'weights.quantization_blocks'
local minima = require 'weights.minima'
local nibbles = require 'weights.nibbles'
local position = require 'weights.position'

local take, give = blocks.of {
  planes = { SCALE = 'scale', LEAST = 'least', NIBBLES = 'nibbles' }, bytes = 20,
  take = blocks.take_half('SCALE', 0) .. blocks.take_half('LEAST', 2) .. nibbles.take(4),
  give = blocks.give_half('SCALE', 0) .. blocks.give_half('LEAST', 2) .. nibbles.give(4),
}

return {
  name = 'q4_1',
  about = "GGUF's blocks of 32 weights of 4 bits with a scale and a minimum",
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' }, { plane = 'least', lane = 'f16' } },
      open = function(_, lines) return { scale = lines.scale, least = lines.least } end,
    },
  },
  step = nibbles.step, registers = nibbles.registers,
  ready = minima.ready(position.ready_from(4)), value = nibbles.value,
  products = { bits = 4, take = nibbles.bytes, registers = 2, minima = true, short_scale = true },
  source = { k = 32, bytes = 20 },
  take = take, give = give,
}
