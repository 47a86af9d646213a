--- Lines of nibbles: byte b of a lane has k b in its low half and k 4 + b in its high one.
local position = require 'weights.position'

local M = {}

--- A step of them.
M.step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } }

--- Where that of k i of a line begins.
function M.at(i) return 8 * (i % 4) + 4 * (i // 4) end

--- scale * q + offset of k i of a step, of what position.open() holds; and vectors that this holds.
function M.value(v, lines, state, i)
  return position.value(v, 4, lines.nibbles, M.at(i), state)
end
M.registers = position.registers(4)

--- C: the lines of 32 weights, from where their 16 bytes begin in a block: byte j has k j in its
--- low half and k 16 + j in its high one.
---@param from integer
function M.take(from)
  return (([[
for (size_t n = 0; n < 4; ++n) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const uint32_t q = (uint32_t)OWN[FROM + 8 * (n % 2) + i] >> n / 2 * 4 & 15;
    nibbles_of_line |= q << (8 * (i % 4) + 4 * (i / 4));
  }
  NIBBLES[n] = nibbles_of_line;
}
]]):gsub('FROM', from))
end

--- And back.
---@param from integer
function M.give(from)
  return (([[
for (size_t j = 0; j < 16; ++j) {
  const size_t at = 8 * (j % 4) + 4 * (j / 4 % 2); /* of k j, and of k 16 + j two lines behind */
  const uint32_t low = NIBBLES[j / 8] >> at & 15, high = NIBBLES[2 + j / 8] >> at & 15;
  OWN[FROM + j] = (unsigned char)(low | high << 4);
}
]]):gsub('FROM', from))
end

return M
