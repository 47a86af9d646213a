--- Plans for few bytes: one row at a time, some sums in registers, one loop for all stages that
--- sum alike.
local record = require 'common.record'
local layer = require 'lower.layer'
local layout = require 'plan.layout'

local M = {}

--- Sums in registers: what a Cortex-M4 and RV32F keep of them, beside a few weights.
local most_sums = 16

---@class CompactStage
---@field plan StagePlan
---@field cols integer     outputs that are summed together, of one branch: chains * cols sums
---@field rest integer     k of the last block that are not in all chains
---@field hidden integer   floats of its results, where another stage reads them; else 0

---@class Compact
---@field stages CompactStage[]
---@field hidden integer[]  floats of the two tensors that stages read and write in turn

---@param stages StagePlan[]
---@return Compact
function M.plan(stages)
  local list, hidden = {}, { 0, 0 }
  for i, s in ipairs(stages) do
    local sum = s.stage.sum
    local floats = i < #stages and layout.round_up(s.stage.outputs, layer.panel) or 0
    list[i] = record.strict('compact stage', {
      plan = s, cols = most_sums // sum.chains, rest = sum.last % sum.chains, hidden = floats,
    })
    hidden[(i - 1) % 2 + 1] = math.max(hidden[(i - 1) % 2 + 1], floats)
  end
  -- A host hands over some work memory, needed or not.
  hidden[1] = math.max(hidden[1], layer.panel)
  return record.strict('compact', { stages = list, hidden = hidden })
end

return M
