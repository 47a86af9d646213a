--- Plans without a walk: a layer whose weights stay in L1 is one function for each of some numbers
--- of rows, a straight line for one row, loops over k for several.
local expression = require 'lower.expression'
local lists = require 'common.list'
local needs = require 'plan.needs'
local record = require 'common.record'

local M = {}

--- A layer of at most so many vector FMAs, its weights within L1, does not walk.
local most_fmas, most_bytes = 1024, 32 << 10

---@class StraightTile  rows and columns of a stage that are summed together
---@field rows integer
---@field cols integer
---@field first integer   the first column
---@field vectors integer of sums for each row
---@field dots boolean    dot products of one column: the eight chains of a sum are lanes

---@class StraightStage
---@field plan StagePlan
---@field rows integer    of a tile
---@field tiles StraightTile[]

---@class Form  code for some rows at once
---@field rows integer
---@field copies boolean x is copied; a single row is read where it is
---@field stages StraightStage[]
---@field fmas integer
---@field loads integer

--- The shape of a stage's tiles for `height` rows: that with the fewest loads for each FMA.
local function shape(isa, stage, height)
  local vectors = (stage.outputs + isa.lanes - 1) // isa.lanes
  local branches, best = #stage.stream.branches, nil
  local rows = height
  while rows >= 1 do
    -- Sums, the weights of one k (a single row uses each once, from memory) and one activation. All
    -- chains of a single row are summed at once, of several rows one at a time.
    local most = rows == 1
        and math.max(1, (isa.files.vector - 2) // (branches * stage.sum.chains))
      or (isa.files.vector - 1) // (branches * (rows + 1))
    local wide = math.min(most, vectors)
    local loads = wide > 0 and (rows + branches * wide) / (rows * branches * wide)
    if loads and (not best or loads < best.loads) then
      best = { loads = loads, rows = rows, most = most }
    end
    rows = rows // 2
  end
  return best.rows, best.most, vectors
end

--- Whether several rows take a stage as dot products: the chains of a sum are lanes where outputs
--- in lanes would leave all but one idle. A single row gains nothing: it gathers as many weights as
--- it has FMAs. Two branches never have as many chains.
---@param isa table
---@param stage Stage
local function suits_dots(isa, stage)
  return isa.dots ~= '' and stage.outputs == 1 and stage.sum.chains == 8 and stage.inputs % 8 == 0
end

---@param stage Stage
function M.takes_dots(isa, stage) return suits_dots(isa, stage) and needs.takes('dots', stage) end

--- The tile of dot products of at most four rows.
---@return StraightStage
local function dots(s, height)
  local rows = math.min(height, 4)
  local tile = record.strict('straight tile', {
    rows = rows, cols = 1, first = 0, vectors = 1, holds = 'weights', dots = true,
  })
  return record.strict('straight stage', { plan = s, rows = rows, tiles = { tile } })
end

---@return StraightStage
local function straight_stage(isa, s, height)
  if height > 1 and M.takes_dots(isa, s.stage) then return dots(s, height) end
  local rows, most, vectors = shape(isa, s.stage, height)
  local tiles, at = {}, 0
  local parts = (vectors + most - 1) // most
  for part = 1, parts do
    local count = (vectors - at + parts - part) // (parts - part + 1)
    tiles[part] = record.strict('straight tile', {
      rows = rows, cols = count * isa.lanes, first = at * isa.lanes,
      vectors = #s.stage.stream.branches * count, holds = 'weights', dots = false,
    })
    at = at + count
  end
  return record.strict('straight stage', { plan = s, rows = rows, tiles = tiles })
end

--- Whether a form copies x: a single row is read where it is; several, and one that is read as
--- vectors, are copied.
---@param first Stage
---@param rows integer
local function copies(first, rows)
  return rows > 1 or expression.read_input(first.results)
end

---@return Form
local function form(isa, stages, height, fmas)
  local parts, loads = {}, 0
  for i, s in ipairs(stages) do
    parts[i] = straight_stage(isa, s, height)
    for _, tile in ipairs(parts[i].tiles) do
      -- Of one k: activations and weights.
      loads = loads + height // parts[i].rows * s.stage.inputs * (parts[i].rows + tile.vectors)
    end
  end
  return record.strict('form', {
    rows = height, stages = parts, fmas = height * fmas, loads = loads,
    copies = copies(stages[1].stage, height),
  })
end

--- Rows of the forms: registers hold sums of 8 rows or of 4, and what these leave is a form again.
--- Row after row takes longer: a narrow stage waits for its few sums.
--- ffn_add_whole() of walk.h knows of these numbers.
---@param isa table
---@param limit integer  rows of a call
---@return integer[] the most rows first
function M.heights(isa, limit)
  return lists.filter(isa.files.vector >= 32 and { 8, 4, 3, 2, 1 } or { 4, 3, 2, 1 },
    function(height) return height <= limit end)
end

--- The vector FMAs of a row of a layer that may do without a walk; nil where it is too large.
---@param isa table
---@param stages Stage[]
---@param packed_bytes integer
---@return integer|nil
local function fmas_of(isa, stages, packed_bytes)
  local fmas = 0
  for _, s in ipairs(stages) do
    if s.sum.blocks > 1 then return nil end
    local vectors = (s.outputs + isa.lanes - 1) // isa.lanes
    fmas = fmas + s.inputs * #s.stream.branches * vectors
  end
  if not isa.fused or fmas > most_fmas or packed_bytes > most_bytes then return nil end
  return fmas
end

--- The vector FMAs of a row of a layer that does not walk, or nil; and what formats forbid of it.
---@param isa table
---@param stages Stage[]
---@param packed_bytes integer
---@return integer|nil
---@return Refusal[]
function M.fmas(isa, stages, packed_bytes)
  local fmas = fmas_of(isa, stages, packed_bytes)
  if not fmas then return nil, {} end
  local refused = needs.refused_by(stages, 'straight')
  if #refused > 0 then return nil, refused end
  return fmas, needs.refused_by(lists.filter(stages, function(s)
    return suits_dots(isa, s)
  end), 'dots')
end

--- The forms of a pass, the one of most rows first and that of a single row last.
---@param isa table
---@param stages StagePlan[]
---@param fmas integer     of a row
---@param limit integer    rows of a call
---@return Form[]
function M.forms(isa, stages, fmas, limit)
  return lists.map(M.heights(isa, limit), function(height)
    return form(isa, stages, height, fmas)
  end)
end

--- The forms that are reached: so many rows as are worth a block of tokens in lanes are one.
---@param forms Form[]
---@param lanes Lanes|nil
---@return Form[]
function M.reached(forms, lanes)
  return lists.filter(forms, function(f)
    return f.rows == 1 or not lanes or f.rows < lanes.least
  end)
end

return M
