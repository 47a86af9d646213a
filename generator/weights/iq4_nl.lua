--- GGUF's iq4_nl: d times one of 16 levels that lie unevenly. Lanes as those of q4_0.
local blocks = require 'weights.quantization_blocks'
local levels16 = require 'weights.levels16'
local nibbles = require 'weights.nibbles'

local take, give = blocks.of {
  planes = { SCALE = 'scale', NIBBLES = 'nibbles' }, bytes = 18,
  take = blocks.take_half('SCALE', 0) .. nibbles.take(2),
  give = blocks.give_half('SCALE', 0) .. nibbles.give(2),
}

return {
  name = 'iq4_nl',
  about = "GGUF's blocks of 32 weights of 4 bits, uneven levels of a scale",
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' } },
      open = levels16.open,
    },
  },
  step = nibbles.step, registers = levels16.registers, value = levels16.value,
  products = levels16.products,
  source = { k = 32, bytes = 18 },
  take = take, give = give,
}
