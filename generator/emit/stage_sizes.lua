--- The sizes of a stage by what its enumerators are called: what stages have to have in common for
--- one function to serve them.
local marks = require 'emit.marks'

local M = {}

--- Where each is in a plan.
local from = {
  INPUTS = function(s) return s.stage.inputs end,
  OUTPUTS = function(s) return s.stage.outputs end,
  COLUMNS = function(s) return s.stage.stream.layout.columns end,
  WIDTH = function(s) return s.stage.stream.layout.width end,
  GROUP = function(s) return s.stage.stream.layout.group end,
  STEP = function(s) return s.stage.stream.layout.step end,
  HEAD = function(s) return s.stage.stream.layout.head end,
  BUNDLE = function(s) return s.stage.stream.layout.bundle end,
  BLOCK = function(s) return s.stage.sum.block end,
  BLOCKS = function(s) return s.stage.sum.blocks end,
  LAST = function(s) return s.stage.sum.last end,
  PART_BLOCKS = function(s) return s.stage.sum.blocks // s.stage.sum.parts end,
  ROW = function(s) return s.row end,
  BLOCK_BYTES = function(s) return s.block_bytes end,
  STREAM_ROWS = function(s) return s.stream_rows end,
  CHUNK = function(s) return s.chunk end,
  AHEAD = function(s) return s.ahead.own.fetch_ahead end,
  FEW_ROWS = function(s) return s.ahead.own.few_rows end,
  FEW_AHEAD = function(s) return s.ahead.own.few_ahead end,
  FEW_L2_AHEAD = function(s) return s.ahead.own.few_l2_ahead end,
  ABREAST = function(s) return #s.stage.stream.branches * s.abreast.columns end,
  PANELS = function(s) return s.stage.stream.layout.panels end,
}

--- The size of a stage, or of what its tiles over scratch see.
---@param s StagePlan|TrainStage
---@param symbol string
---@return string
function M.of(s, symbol)
  local of_scratch = marks.of_scratch(symbol)
  if of_scratch == 'LEAST' then return tostring(s.scratch.rows) end
  if of_scratch then return M.of(s.scratch.plan, of_scratch) end
  local own = from[symbol] or error('no size of a stage is called ' .. symbol)
  return tostring(own(s))
end

return M
