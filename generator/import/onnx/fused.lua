--- Products that an optimiser fused with the activation behind them (ContribOperators.md of ONNX
--- Runtime): FusedGemm and FusedMatMulActivation. Each is told as a product and an activation.
local attributes = require 'import.onnx.attributes'
local labels = require 'import.onnx.labels'
local record = require 'common.record'

local M = {}

--- The product that each is without its activation.
local products = {
  ['com.microsoft.FusedGemm'] = 'Gemm',
  ['com.microsoft.FusedMatMulActivation'] = 'com.microsoft.FusedMatMul',
}

--- Activations that are fused, with their parameters: all of these have to be told, as ONNX Runtime
--- takes no default for them.
local activations = {
  Relu = {}, Sigmoid = {}, Tanh = {}, Softplus = {}, Softsign = {}, LeakyRelu = { 'alpha' },
  Elu = { 'alpha' }, Celu = { 'alpha' }, ThresholdedRelu = { 'alpha' },
  HardSigmoid = { 'alpha', 'beta' }, Selu = { 'alpha', 'gamma' },
}

---@class FusedParts
---@field product OnnxNode
---@field product_op string
---@field activation OnnxNode

local function node_of(node, op, names, values)
  return record.strict('ONNX node', {
    op = op, domain = '', name = node.name, inputs = node.inputs, outputs = node.outputs,
    attributes = values, names = names, graphs = {},
  })
end

--- The attributes of the product, and those of the activation by their own names.
local function parted(node)
  local product, own = { names = {}, values = {} }, { names = {}, values = {} }
  for _, name in ipairs(node.names) do
    local short = name:match '^activation_(.+)$'
    local to = short and own or product
    if name ~= 'activation' then
      to.names[#to.names + 1], to.values[short or name] = short or name, node.attributes[name]
    end
  end
  return product, own
end

--- The parts of a node; or nil, and of one that is fused and is not taken, why.
---@param node OnnxNode
---@param op string  with its domain
---@return FusedParts|nil
---@return string|nil why
function M.of(node, op)
  if not products[op] then return nil end
  local name = attributes.get(node, 'activation', 's', '')
  local parameters = name and activations[name]
  if not parameters then
    return nil, ('its activation %s is not known here: give the graph as it was before it was '
      .. 'optimised'):format(labels.quoted(name or ''))
  end
  local product, own = parted(node)
  for _, parameter in ipairs(parameters) do
    if not own.values[parameter] then
      return nil, ('its activation %s has no activation_%s'):format(name, parameter)
    end
  end
  for _, other in ipairs(own.names) do
    local has = false
    for _, parameter in ipairs(parameters) do has = has or parameter == other end
    if not has then
      return nil, ('attribute "activation_%s" is none of its activation %s'):format(
        record.shown(other), name)
    end
  end
  return {
    product = node_of(node, products[op], product.names, product.values), product_op = products[op],
    activation = node_of(node, name, own.names, own.values),
  }
end

return M
