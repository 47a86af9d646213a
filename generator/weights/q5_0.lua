--- GGUF's q5_0: d (q - 16), q from 0 to 31.
local blocks = require 'weights.blocks'
local fifth = require 'weights.fifth'

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
      open = function(v, lines)
        return fifth.open(v, lines, lines.scale, v.mul(lines.scale, v.const(-16)))
      end,
    },
  },
  step = fifth.step,
  registers = fifth.registers, value = fifth.value,
  source = { k = 32, bytes = 22 },
  take = take, give = give,
}
