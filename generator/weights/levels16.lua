--- What GGUF's iq4_nl and iq4_xs have in common: nibbles choose among 16 levels, of which none is 0
--- and half are negative, in a table that is a word of each instruction set.
local nibbles = require 'weights.nibbles'

local M = {}

--- The scale of a block, NaN where it is not finite; value() reads 2^-24 of it: exact, of f16.
function M.open(v, lines)
  local scale = v.add(lines.scale, v.sub(lines.scale, lines.scale))
  return { scale = scale }, { scale = v.mul(scale, v.const(2.0 ^ -24)) }
end

--- scale * level of k i of a step; a scale of 0 gives a 0 that has no sign.
function M.value(v, lines, state, i)
  return v.fma(v.from_iq4(lines.nibbles, nibbles.at(i)), state.scale, v.const(0))
end

--- With 128 more, levels have no sign.
M.products = { bits = 4, table = 'iq4', offset = 128, take = nibbles.bytes, short_scale = true }

--- Vectors that this holds.
M.registers = 1

return M
