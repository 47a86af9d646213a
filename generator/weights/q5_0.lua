--- GGUF's q5_0: d (q - 16), q from 0 to 31.
local blocks = require 'weights.quantization_blocks'
local fifth = require 'weights.fifth_bits'

local take, give = blocks.of {
  planes = { SCALE = 'scale', FIFTHS = 'fifths', NIBBLES = 'nibbles' }, bytes = 22,
  take = blocks.take_half('SCALE', 0) .. fifth.take(2),
  give = blocks.give_half('SCALE', 0) .. fifth.give(2),
}

return {
  name = 'q5_0',
  about = "GGUF's blocks of 32 weights of 5 bits with a scale",
  levels = {
    {
      k = 32, lines = { { plane = 'scale', lane = 'f16' }, fifth.line },
      open = function(_, lines) return { scale = lines.scale, fifths = lines.fifths } end,
    },
  },
  step = fifth.step,
  registers = fifth.registers, ready = fifth.ready(16), value = fifth.value,
  products = { bits = 5, offset = 16, take = fifth.bytes, registers = 2, short_scale = true },
  source = { k = 32, bytes = 22 },
  take = take, give = give,
}
