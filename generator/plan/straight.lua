--- Straight-line plans: a layer whose weights stay in L1 is one function without a walk.
local record = require 'common.record'

local M = {}

--- A layer of at most so many vector FMAs, its weights within L1, is straight-line code. So is as
--- many rows of it at once as stay below the third number.
local most_fmas, most_bytes, most_fmas_of_rows = 1024, 32 << 10, 2048

--- Rows of the largest form.
local most_rows = 4

---@class Group  columns of a stage that are summed together
---@field rows integer
---@field cols integer
---@field first integer   the first column
---@field vectors integer of sums for each row

---@class StraightStage
---@field plan StagePlan
---@field rows integer    of a group
---@field groups Group[]

---@class Form  straight-line code for some rows at once
---@field rows integer
---@field stages StraightStage[]
---@field fmas integer
---@field loads integer

--- The shape of a stage's groups for `height` rows: that with the fewest loads for each FMA.
local function shape(isa, stage, height)
  local vectors = (stage.outputs + isa.lanes - 1) // isa.lanes
  local branches, chains, best = #stage.stream.branches, stage.sum.chains, nil
  local rows = height
  while rows >= 1 do
    -- Sums, the weights of one k (a single row uses each once, from memory) and one activation.
    local most = rows == 1 and math.max(1, (isa.registers - 2) // (branches * chains))
      or (isa.registers - 1) // (branches * (rows * chains + 1))
    local wide = math.min(most, vectors)
    local loads = wide > 0 and (rows + branches * wide) / (rows * branches * wide)
    if loads and (not best or loads < best.loads) then
      best = { loads = loads, rows = rows, most = most }
    end
    rows = rows // 2
  end
  return best.rows, best.most, vectors
end

---@return StraightStage
local function straight_stage(isa, s, height)
  local rows, most, vectors = shape(isa, s.stage, height)
  local parts = (vectors + most - 1) // most
  local groups, at = {}, 0
  for part = 1, parts do
    local count = (vectors - at + parts - part) // (parts - part + 1)
    groups[part] = record.strict('group', {
      rows = rows, cols = count * isa.lanes, first = at * isa.lanes,
      vectors = #s.stage.stream.branches * count,
    })
    at = at + count
  end
  return record.strict('straight stage', { plan = s, rows = rows, groups = groups })
end

---@return Form
local function form(isa, stages, height, fmas)
  local parts, loads = {}, 0
  for i, s in ipairs(stages) do
    parts[i] = straight_stage(isa, s, height)
    for _, group in ipairs(parts[i].groups) do
      -- Of one k: activations and weights.
      loads = loads + height // parts[i].rows * s.stage.inputs * (parts[i].rows + group.vectors)
    end
  end
  return record.strict('form', {
    rows = height, stages = parts, fmas = height * fmas, loads = loads,
  })
end

--- The forms of a pass, the one of most rows first and that of a single row last; nil where the
--- layer is too large.
---@param isa table
---@param stages StagePlan[]
---@param packed_bytes integer
---@return Form[]|nil
function M.forms(isa, stages, packed_bytes)
  local fmas = 0
  for _, s in ipairs(stages) do
    if s.stage.sum.blocks > 1 then return nil end
    local vectors = (s.stage.outputs + isa.lanes - 1) // isa.lanes
    fmas = fmas + s.stage.inputs * #s.stage.stream.branches * vectors
  end
  if not isa.fused or fmas > most_fmas or packed_bytes > most_bytes then return nil end
  local height = most_rows
  while height > 1 and height * fmas > most_fmas_of_rows do height = height // 2 end
  local forms = {}
  if height > 1 then forms[1] = form(isa, stages, height, fmas) end
  forms[#forms + 1] = form(isa, stages, 1, fmas)
  return forms
end

return M
