--- What GGUF's iq4_nl and iq4_xs have in common: nibbles choose among 16 levels, of which none is 0
--- and half are negative, in a table that is a word of each instruction set.
local nibbles = require 'weights.nibbles'

local M = {}

--- The scale of a block, as value() wants it: NaN where it is not finite. Exact, of f16.
---@param v Builder
---@param scale Node
---@return Node
function M.scale(v, scale)
  return v.mul(v.add(scale, v.sub(scale, scale)), v.const(2.0 ^ -24))
end

--- scale * level of k i of a step; a scale of 0 gives a 0 that has no sign.
function M.value(v, lines, state, i)
  return v.fma(v.from_iq4(lines.nibbles, nibbles.at(i)), state.scale, v.const(0))
end

--- Vectors that this holds.
M.registers = 1

return M
