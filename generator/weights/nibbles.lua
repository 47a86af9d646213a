--- Lines of nibbles: byte b of a lane has k b in its low half and k 4 + b in its high one.
local position = require 'weights.position'

local M = {}

--- A step of them.
M.step = { k = 8, lines = { { plane = 'nibbles', lane = 'u32' } } }

--- Where that of k i of a line begins.
function M.at(i) return 8 * (i % 4) + 4 * (i // 4) end

--- scale * q + offset of k i of a step, of what position.ready() gives; and vectors that this is.
function M.value(v, lines, state, i)
  return position.value(v, 4, lines.nibbles, M.at(i), state)
end
M.registers = position.registers(4)

--- k i to i + 3 of a step in bytes.
function M.bytes(v, lines, _, i)
  if i > 0 then return v.high_nibbles(lines.nibbles) end
  return v.iand(lines.nibbles, v.iconst(0x0f0f0f0f))
end

--- C with FROM and GROUPS filled in.
local function filled(text, from, groups)
  return (text:gsub('%f[%w]%u+%f[%W]', { FROM = from, GROUPS = groups or 1 }))
end

--- C: the lines of each 32 weights, from where their 16 bytes begin in a block: byte j has k j in
--- its low half and k 16 + j in its high one.
---@param from integer
---@param groups integer|nil  of 32; 1
function M.take(from, groups)
  return filled([[
for (size_t n = 0; n < 4 * GROUPS; ++n) {
  uint32_t nibbles_of_line = 0;
  for (size_t i = 0; i < 8; ++i) {
    const uint32_t q = (uint32_t)OWN[FROM + n / 4 * 16 + 8 * (n % 2) + i] >> n / 2 % 2 * 4 & 15;
    nibbles_of_line |= q << (8 * (i % 4) + 4 * (i / 4));
  }
  NIBBLES[n] = nibbles_of_line;
}
]], from, groups)
end

--- And back.
---@param from integer
---@param groups integer|nil
function M.give(from, groups)
  return filled([[
for (size_t j = 0; j < 16 * GROUPS; ++j) {
  const size_t n = j / 16 * 4 + j / 8 % 2; /* the line of one k, and two behind of k 16 on */
  const size_t at = 8 * (j % 4) + 4 * (j / 4 % 2);
  const uint32_t low = NIBBLES[n] >> at & 15, high = NIBBLES[n + 2] >> at & 15;
  OWN[FROM + j] = (unsigned char)(low | high << 4);
}
]], from, groups)
end

return M
