--- Where a tile finds weights, in C.
local weight_layout = require 'weights.layout'

local M = {}

--- Terms of a C sum, without those that are zero: { factor, what }, '' for a number; a factor is a
--- number or a C name.
local function plus(base, terms)
  local parts = { base }
  for _, term in ipairs(terms) do
    local factor, unit = table.unpack(term)
    if factor ~= 0 then
      parts[#parts + 1] = unit == '' and ('%s'):format(factor)
        or factor == 1 and unit or ('%s * %s'):format(factor, unit)
    end
  end
  return table.concat(parts, ' + ')
end

--- The same without a base: 0 where nothing is left.
function M.terms(terms)
  local text = plus(nil, terms)
  return text == '' and '0' or text
end
M.plus = plus

--- Where the weights of vector v of a tile lie: so many bundles further, and from so many lanes on
--- of a line. `pitch` is from a vector to the next of its branch, in columns, where they are not
--- neighbours.
function M.place(isa, s, tile, first, v, pitch)
  local per_branch = tile.cols // isa.lanes
  return weight_layout.lane(s.stage.stream.layout, v // per_branch,
    first + v % per_branch * (pitch or isa.lanes))
end

return M
