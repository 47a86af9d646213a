--- Where a tile finds weights, in C.
local lists = require 'common.list'
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

---@class Bundled  the vectors of a tile of several bundles in the order of memory, so that stages
--- with one branch and with two are alike
---@field in_line integer  of them in a bundle
---@field of integer[]     the vector that stands at each place, counted from 0 on
---@field bundle integer   sums of the next bundle are kept so far behind those of one
---@field line integer     and those of the next vector of a bundle behind those of one

--- The vectors of a tile in that order, if it has as many of each of some bundles, and several.
---@return Bundled|nil
function M.bundled(isa, s, tile)
  local per_branch, by_place, in_line = tile.cols // isa.lanes, {}, 0
  for v = 0, tile.vectors - 1 do
    local bundle, lane = place(isa, s, tile, 0, v)
    if bundle == 0 then in_line = in_line + 1 end
    by_place[#by_place + 1] = {
      v = v, at = bundle * s.stage.stream.layout.members * weight_layout.lanes + lane,
      kept = v // per_branch * tile.cols + v % per_branch * isa.lanes,
    }
  end
  table.sort(by_place, function(a, b) return a.at < b.at end)
  if in_line == 1 or in_line == tile.vectors then return nil end
  local bundle, line = by_place[in_line + 1].kept, by_place[2].kept
  for i, one in ipairs(by_place) do
    if one.at ~= (i - 1) * isa.lanes
      or one.kept ~= (i - 1) // in_line * bundle + (i - 1) % in_line * line then
      return nil
    end
  end
  return {
    in_line = in_line, of = lists.map(by_place, function(one) return one.v end), bundle = bundle,
    line = line,
  }
end

--- How far behind the first sum of a tile those of place v of a row are kept, as terms of a sum.
---@param use TileUse
function M.kept(env, use, row, v)
  local N, in_line = env.NAME(use.s), use.bundled.in_line
  return {
    { row * use.tile.vectors * env.isa.lanes, '' }, { v // in_line, N .. '_NEXT_BUNDLE' },
    { v % in_line, N .. '_NEXT_VECTOR' },
  }
end

--- Where vector v of a tile lies, as place() has it; where the tile is in halves that of the first
--- one, and whether it is of the second.
---@param use TileUse
function M.vector(env, use, v, pitch)
  if use.bundled then v = use.bundled.of[v + 1] end
  local halves = use.halves
  local is_second = halves ~= nil and v >= halves.vectors
  local bundle, lane = place(env.isa, use.s, use.tile, use.first,
    is_second and v - halves.vectors or v, pitch)
  return bundle, lane, is_second
end

return M
