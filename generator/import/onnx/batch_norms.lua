--- BatchNormalization behind a product, as it is once a model is trained: each output by numbers of
--- its own, which are folded into the product's.
local attributes = require 'import.onnx.attributes'
local labels = require 'import.onnx.labels'
local products = require 'import.onnx.products'

local M = {}

---@class BatchNorm
---@field step GraphStep
---@field epsilon number
---@field gamma Strided      vectors, as are the others
---@field beta Strided
---@field mean Strided
---@field variance Strided

local names = { 'gamma', 'beta', 'mean', 'variance' }

--- Whether outputs of a product lie along the axis that the operator calls channels, the second.
local function has_channels(value, product)
  if product.axis then return product.axis == 1 end
  return (value.rank or product.rank) == 2
end

--- Whether the step is what it is in a model that is run, and gives nothing else.
local function is_run(step, opset)
  for i, out in ipairs(step.outs) do
    if i > 1 and out and (#out.uses > 0 or out.is_output) then return false end
  end
  return opset >= 9 and #step.ins == 5
    and attributes.are(step.node, { 'epsilon', 'momentum', 'training_mode' })
    and attributes.get(step.node, 'training_mode', 'i', 0) == 0
end

--- The norm that a step is of outputs of a product, or nil.
---@param step GraphStep
---@param opset integer
---@return BatchNorm|nil
function M.of(step, opset)
  local value = step.ins[1]
  local of = value and value.stream
  local epsilon = attributes.get(step.node, 'epsilon', 'f', 1e-5)
  if step.op ~= 'BatchNormalization' or not of or of.norm or of.product.weight.scaled
    or of.bias and of.bias.scaled
    or not has_channels(value, of.product)
    or not (epsilon and epsilon >= 0 and epsilon < math.huge) or not is_run(step, opset) then
    return nil
  end
  local result = { step = step, epsilon = epsilon }
  for i, name in ipairs(names) do
    local view = step.ins[i + 1] and step.ins[i + 1].view
    local vector = view and products.vector(view, of.count, 0)
    if not vector or products.problem_of(view) then return nil end
    result[name] = vector
  end
  return result
end

--- The same of outputs first, first + by, ... alone.
---@param norm BatchNorm
function M.cut(norm, first, by)
  local result = { step = norm.step, epsilon = norm.epsilon }
  for _, name in ipairs(names) do result[name] = products.vector_part(norm[name], first, by) end
  return result
end

--- What found.lua takes.
---@param norm BatchNorm
---@param place fun(strided: Strided): table
function M.placed(norm, place)
  local result = { epsilon = norm.epsilon }
  for _, name in ipairs(names) do result[name] = place(norm[name]) end
  return result
end

--- What a spec says of it.
function M.because(norm)
  return ('%s is folded into weights and biases: computed in double, rounded once to f32')
    :format(labels.step(norm.step))
end

return M
