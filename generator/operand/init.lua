--- What rows of an operand are laid into, by name. One file each, and a name in this list.
local formats = require 'operand.format'

local names = { 'f32', 's8', 's8_static' }

local M = { names = names }

local made = {}

--- The operand of that name for weights that give bytes: its groups are theirs, of 32 k at least;
--- or for values, where it has none.
---@param name string
---@param products Products[]|nil  of all weights that are multiplied with it; nil or {}: they give
--- values
---@param inputs integer|nil   that have one scale where weights have one for all
---@param values boolean|nil   its numbers are read as they are, too
---@return OperandFormat
function M.of(name, products, inputs, values)
  local shared, key = formats.shared(products or {}, inputs, values), name
  for _, one in ipairs(shared.products) do
    key = ('%s %d %d %s %s %s'):format(key, one.group, one.offset, one.sums, one.minima,
      one.short_scale)
  end
  key = ('%s %d %s %s'):format(key, shared.group, shared.of_rows, shared.values)
  made[key] = made[key] or formats.record(name, require('operand.' .. name), shared)
  return made[key]
end

return M
