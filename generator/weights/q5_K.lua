--- GGUF's q5_K: d scale q - dmin min, q from 0 to 31.
local fifth = require 'weights.fifth_bits'
local minima = require 'weights.minima'

local take, give = minima.of {
  planes = { FIFTHS = 'fifths', NIBBLES = 'nibbles' }, bytes = 176,
  -- Bit j of byte l of 32 is the fifth of k 32 j + l; nibbles as those of q4_K.
  take = [[
for (size_t j = 0; j < 8; ++j) {
  uint32_t bits = 0;
  for (size_t l = 0; l < 32; ++l)
    bits |= ((uint32_t)OWN[16 + l] >> j & 1) << (8 * (l % 4) + l / 4);
  FIFTHS[j] = bits;
}
]] .. minima.take_nibbles(48),
  give = [[
for (size_t l = 0; l < 32; ++l) {
  uint32_t bits = 0;
  for (size_t j = 0; j < 8; ++j)
    bits |= (FIFTHS[j] >> (8 * (l % 4) + l / 4) & 1) << j;
  OWN[16 + l] = (unsigned char)bits;
}
]] .. minima.give_nibbles(48),
}

return {
  name = 'q5_K',
  about = "GGUF's blocks of 256 weights of 5 bits, each 32 with a scale and a minimum",
  levels = minima.levels(fifth.line),
  step = fifth.step,
  registers = fifth.registers, ready = fifth.ready(), value = fifth.value,
  products = { bits = 5, take = fifth.bytes, registers = 3, minima = true, short_scale = true },
  source = { k = 256, bytes = 176 },
  take = take, give = give, helpers = { minima.helper },
}
