--- GGUF's q4_K: d scale q - dmin min, q from 0 to 15. Byte b of a lane has k b in its low half and
--- k 4 + b in its high one.
local minima = require 'weights.minima'
local nibbles = require 'weights.nibbles'
local position = require 'weights.position'

local take, give = minima.of {
  planes = { NIBBLES = 'nibbles' }, bytes = 144,
  -- Of 64 weights the first 32 are the low halves of 32 bytes, the others the high ones.
  take = [[
for (size_t n = 0; n < 32; ++n) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const uint32_t q = (uint32_t)OWN[16 + n / 8 * 32 + n % 4 * 8 + i] >> n / 4 % 2 * 4 & 15;
    nibbles_of_line |= q << (8 * (i % 4) + 4 * (i / 4));
  }
  NIBBLES[n] = nibbles_of_line;
}]],
  give = [[
for (size_t j = 0; j < 128; ++j) {
  const size_t n = j / 32 * 8 + j % 32 / 8, at = 8 * (j % 4) + 4 * (j / 4 % 2);
  const uint32_t low = NIBBLES[n] >> at & 15, high = NIBBLES[n + 4] >> at & 15;
  OWN[16 + j] = (unsigned char)(low | high << 4);
}]],
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
