--- How many sizes values have, where a file does not say it: as many as what they are made of.
local attributes = require 'import.onnx.attributes'
local lists = require 'common.list'
local operators = require 'import.onnx.operators'
local shapes = require 'import.onnx.shapes'

local M = {}

--- Operators that keep the sizes of their first input, or their number.
local keeps = lists.set {
  'LayerNormalization', 'RMSNormalization', 'SimplifiedLayerNormalization', 'Softmax',
  'LogSoftmax', 'BatchNormalization', 'InstanceNormalization', 'GroupNormalization', 'Transpose',
  'Slice', 'Split', 'CumSum', 'com.microsoft.SkipLayerNormalization', 'Conv',
  'com.microsoft.SkipSimplifiedLayerNormalization', 'LpNormalization',
}

local function rank_of(value) return value and (value.view and #value.view.dims or value.rank) end

--- The largest of all inputs, or nil where one is not known.
local function largest(step)
  local most = 0
  for _, value in ipairs(step.ins) do
    local rank = value and rank_of(value) or not value and 0
    if not rank then return nil end
    most = math.max(most, rank)
  end
  return most
end

--- Tells how many sizes the outputs of a step have.
---@param step GraphStep
function M.follow(step)
  local rank
  if keeps[step.op] then
    rank = rank_of(step.ins[1])
  elseif step.op == 'MatMul' or operators.of(step) then
    rank = largest(step)
  elseif step.op == 'Gemm' or step.op == 'Flatten' then
    rank = 2
  elseif step.op == 'Reshape' then
    local sizes = shapes.of(step.ins[2])
    rank = sizes and not sizes.is_single and sizes.count
  elseif step.op:find '^Reduce' then
    rank = attributes.get(step.node, 'keepdims', 'i', 1) == 1 and rank_of(step.ins[1])
  end
  for _, out in ipairs(rank and step.outs or {}) do
    if out and not out.rank then out.rank = rank end
  end
end

return M
