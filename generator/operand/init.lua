--- What rows of an operand are laid into, by name. One file each, and a name in this list.
local formats = require 'operand.format'

local names = { 'f32' }

local M = { names = names }

local made = {}

--- The operand of that name for weights that give bytes: its groups are theirs, of 32 k at least;
--- or for values, where it has none.
---@param name string
---@param products Products|nil  of the weights
---@param inputs integer|nil     that have one scale where weights have one for all
---@return OperandFormat
function M.of(name, products, inputs)
  local shared = formats.shared(products, inputs)
  local key = ('%s %d %d %s'):format(name, shared.group, shared.part, shared.sums)
  made[key] = made[key] or formats.record(name, require('operand.' .. name), shared)
  return made[key]
end

--- What one of that name is, for people.
function M.about(name) return require('operand.' .. name).about end

return M
