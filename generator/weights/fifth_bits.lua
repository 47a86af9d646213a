--- Weights of 5 bits: four in lines of nibbles, and the fifth of 32 k in a line before them, of
--- which bit i of byte b is that of k 4 i + b.
local nibbles = require 'weights.nibbles'
local position = require 'weights.position'

local M = {}

--- The line of fifth bits.
M.line = { plane = 'fifths', lane = 'u32' }

--- A step of nibbles, whose fifth bits are found by its index.
M.step = { k = nibbles.step.k, lines = nibbles.step.lines, by_index = true }

--- What value() reads of a group of 32: with its fifth bits.
---@param zero integer|nil  the q that means 0, where the group has no minimum
---@return fun(v: Builder, state: State): State
function M.ready(zero)
  local ready = position.ready_from(8, zero)
  return function(v, group)
    local state = ready(v, group)
    state.fifths = group.fifths
    return state
  end
end

--- Vectors that this holds.
M.registers = position.registers(8) + 1

--- k i to i + 3 of a step in bytes; it is line `index` of nibbles.
function M.bytes(v, lines, state, i, index)
  local half = i // 4 -- of the line: bits 2 index + half of bytes, which go to their bit 4
  local high = v.let('high', v.shr_at(state.fifths, v.affine(index, 2, 0)))
  local low = half > 0 and v.shr(lines.nibbles, 4) or lines.nibbles
  return v.ior(v.iand(low, v.iconst(0x0f0f0f0f)),
    v.iand(v.shl(high, 4 - half), v.iconst(0x10101010)))
end

--- scale * q + offset of k i of a step.
function M.value(v, lines, state, i, index)
  return position.value(v, 8, M.bytes(v, lines, state, i, index), 8 * (i % 4), state)
end

--- C: the line of 32 weights from four bytes of a block, which are their fifth bits in order; and
--- the lines of nibbles behind it.
---@param from integer
function M.take(from)
  return (([[
uint32_t bits = 0;
for (size_t k = 0; k < 32; ++k)
  bits |= ((uint32_t)OWN[FROM + k / 8] >> k % 8 & 1) << (8 * (k % 4) + k / 4);
FIFTHS[0] = bits;
]]):gsub('FROM', from)) .. nibbles.take(from + 4)
end

--- And back.
---@param from integer
function M.give(from)
  return (([[
for (size_t j = 0; j < 4; ++j) {
  uint32_t bits = 0;
  for (size_t i = 0; i < 8; ++i)
    bits |= (FIFTHS[0] >> (8 * (i % 4) + 2 * j + i / 4) & 1) << i;
  OWN[FROM + j] = (unsigned char)bits;
}
]]):gsub('FROM', from)) .. nibbles.give(from + 4)
end

return M
