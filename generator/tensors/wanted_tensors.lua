--- The tensors that a layer wants of a file.
local lists = require 'common.list'

local M = {}

---@class Tensor
---@field name string     for messages and maps, as in ffn_weights: gate.weight, chain[0].bias
---@field matrix string   gate, up, down, chain, output; a parameter is one, too
---@field output string|nil  of several outputs: the name of its own
---@field stage integer   from 0
---@field part string     weight, bias, operand_scale, parameter
---@field has_bias boolean  whether its matrix has one
---@field shape integer[]

--- The tensors that a layer's weights consist of, in the order in which it computes.
---@param layer Layer
---@return Tensor[]
function M.of_layer(layer)
  local tensors = {}
  local function add(name, matrix, stage, part, has_bias, shape)
    local output = layer.beside and layer.beside[stage + 1].name or nil
    tensors[#tensors + 1] = {
      name = name, matrix = matrix, stage = stage, part = part, has_bias = has_bias, shape = shape,
      output = output,
    }
  end
  for i, stage in ipairs(layer.passes.forward) do
    local bias = stage.stream.bias and true or false
    for _, branch in ipairs(stage.stream.branches) do
      local m = layer.beside and 'output' or branch.matrix
      local name = layer.beside and layer.beside[i].name
        or m == 'chain' and ('chain[%d]'):format(i - 1) or m
      add(name .. '.weight', m, i - 1, 'weight', bias, { stage.outputs, stage.inputs })
      if bias then add(name .. '.bias', m, i - 1, 'bias', bias, { stage.outputs }) end
      if stage.arithmetic.scales == 'static' then
        add(name .. '.operand_scale', m, i - 1, 'operand_scale', bias, {})
      end
    end
  end
  for _, name in ipairs(layer.runtime_parameters) do
    add(name, name, 0, 'parameter', true, { 1 })
  end
  return tensors
end

--- Parameters of the layer's activations that its spec fixes, and no file gives.
---@param layer Layer
---@return string[]
function M.fixed_of(layer)
  local fixed = {}
  for _, stage in ipairs(layer.passes.forward) do
    local told = stage.forward
    if told and told.activation and told.parameters and told.parameters ~= 'runtime' then
      lists.append(fixed, told.activation.parameters)
    end
  end
  return fixed
end

---@class Widths
---@field inputs integer
---@field outputs integer
---@field hidden table<integer, boolean>  those between
---@field is_deep boolean                 whether there is one between

--- What goes into a layer, what comes out, and the widths between.
---@param tensors Tensor[]
---@return Widths
function M.widths(tensors)
  local result, last = { hidden = {} }, 0
  for _, t in ipairs(tensors) do last = math.max(last, t.stage) end
  for _, t in ipairs(tensors) do
    if t.part == 'weight' then
      result.inputs = result.inputs or t.shape[2]
      local is_last = t.output or t.stage == last
      if is_last then result.outputs = t.shape[1] else result.hidden[t.shape[1]] = true end
    end
  end
  result.is_deep = last > 0 and not tensors[1].output
  return result
end

return M
