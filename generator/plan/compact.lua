--- Plans for few bytes: one row at a time, some sums in registers, one loop for all stages that
--- sum alike.
local record = require 'common.record'
local weight_layout = require 'weights.layout'
local layout = require 'plan.layout'

local M = {}

--- Sums in registers: what a Cortex-M4 and RV32F keep of them, beside a few weights.
local most_sums = 16

---@class CompactStage
---@field plan StagePlan
---@field cols integer     outputs that are summed together, of one branch: chains * cols sums
---@field rest integer     k of the last block that are not in all chains
---@field laid OperandFormat|false  what its input is laid into, where products are of bytes

---@class Compact  the form of a pass that is written for few bytes
---@field name 'compact'
---@field stages CompactStage[]
---@field hidden integer[]  bytes of the two tensors that stages read and write in turn; and of what
--- a stage lays of its input as bytes
---@field read integer      that of these which the last stage reads to the end

---@param stages StagePlan[]
---@return Compact
function M.plan(stages)
  local list, hidden, read = {}, { 0, 0, 0 }, 0
  for i, s in ipairs(stages) do
    local sum, operand = s.stage.sum, s.stage.operand.format
    local laid = operand.take and operand.alone
    local columns = layout.round_up(s.stage.outputs, weight_layout.lanes)
    local bytes = i < #stages and layout.bytes(columns) or 0
    list[i] = record.strict('compact stage', {
      plan = s, cols = most_sums // sum.chains, rest = sum.last % sum.chains, laid = laid,
    })
    hidden[(i - 1) % 2 + 1] = math.max(hidden[(i - 1) % 2 + 1], bytes)
    local laid_bytes = laid and layout.laid_bytes(laid, s.stage.inputs) or 0
    hidden[3] = math.max(hidden[3], layout.round_up(laid_bytes, weight_layout.alignment))
    read = laid and 3 or i % 2 + 1
  end
  -- A host hands over some work memory, needed or not.
  hidden[1] = math.max(hidden[1], weight_layout.alignment)
  if hidden[3] == 0 then hidden[3] = nil end
  return record.strict('compact', { name = 'compact', stages = list, hidden = hidden, read = read })
end

return M
