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
local function place(isa, s, tile, first, v, pitch)
  local per_branch = tile.cols // isa.lanes
  return weight_layout.lane(s.stage.stream.layout, v // per_branch,
    first + v % per_branch * (pitch or isa.lanes))
end

---@class Halves  of a tile: its second half lies as far behind the first in each vector, so that
--- stages with one branch and with two are alike
---@field vectors integer  of the first
---@field bundles integer  how far the second is behind
---@field lanes integer    and in a line

--- The halves of a tile, if it has such.
---@return Halves|nil
function M.halves(isa, s, tile)
  local half, bundles, behind = tile.vectors // 2, nil, nil
  if tile.vectors % 2 > 0 then return nil end
  for v = 0, half - 1 do
    local bundle, lane = place(isa, s, tile, 0, v)
    local second, other = place(isa, s, tile, 0, v + half)
    if v > 0 and (second - bundle ~= bundles or other - lane ~= behind) then return nil end
    bundles, behind = second - bundle, other - lane
  end
  return { vectors = half, bundles = bundles, lanes = behind }
end

--- Where vector v of a tile lies, as place() has it; where the tile is in halves that of the first
--- one, and whether it is of the second.
---@param use TileUse
function M.vector(env, use, v, pitch)
  local halves = use.halves
  local is_second = halves ~= nil and v >= halves.vectors
  local bundle, lane = place(env.isa, use.s, use.tile, use.first,
    is_second and v - halves.vectors or v, pitch)
  return bundle, lane, is_second
end

return M
