--- embed: a file of weights -> constants in C, packed as pack() would, for small layers.
local environment = require 'emit.environment'
local layer = require 'lower.layer'
local list = require 'common.list'
local number = require 'common.number'
local problem = require 'common.problem'
local record = require 'common.record'
local text = require 'common.text'
local weight_map = require 'vendor.weight_map'
local weights_file = require 'vendor.weights_file'

local M = {}

--- More than this as C text is slow to compile; such weights belong in a file.
local max_bytes = 1 << 20

local panel, header_bytes = layer.panel, 64

--- The tensors that a layer's weights consist of, in the order in which it computes.
---@return Tensor[]
local function tensors_of(l)
  local tensors = {}
  local function add(name, matrix, stage, part, has_bias, shape)
    tensors[#tensors + 1] = {
      name = name, matrix = matrix, stage = stage, part = part, has_bias = has_bias, shape = shape,
    }
  end
  for i, stage in ipairs(l.passes.forward) do
    local bias = stage.stream.bias and true or false
    for _, branch in ipairs(stage.stream.branches) do
      local m = branch.matrix
      local name = m == 'chain' and ('chain[%d]'):format(i - 1) or m
      add(name .. '.weight', m, i - 1, 'weight', bias, { stage.outputs, stage.inputs })
      if bias then add(name .. '.bias', m, i - 1, 'bias', bias, { stage.outputs }) end
    end
  end
  for _, name in ipairs(l.runtime_parameters) do add(name, name, 0, 'parameter', true, { 1 }) end
  return tensors
end

--- Parameters of the layer's activations that its spec fixes, and no file gives.
local function fixed_of(l)
  local fixed = {}
  for _, stage in ipairs(l.passes.forward) do
    local told = stage.forward
    if told and told.activation and told.parameters and told.parameters ~= 'runtime' then
      list.append(fixed, told.activation.parameters)
    end
  end
  return fixed
end

--- The floats behind the header of packed weights: kernel.h says where each stands.
local function packed_values(plan, lists)
  local values, next_list = {}, 0
  for i = 1, (plan.passes.forward.packed_bytes - header_bytes) // 4 do values[i] = 0.0 end
  local function take()
    next_list = next_list + 1
    return lists[next_list]
  end
  local function place(byte) return (byte - header_bytes) // 4 + 1 end
  for _, s in ipairs(plan.passes.forward.stages) do
    local stage, panels = s.stage, s.panels
    for b = 0, #stage.stream.branches - 1 do
      local weight, bias = take(), stage.stream.bias and take()
      for column = 0, stage.outputs - 1 do
        local at = place(panels.at) + column // panel * panels.size + b * panel + column % panel
        for k = 0, stage.inputs - 1 do
          values[at + k * panels.step] = weight[column * stage.inputs + k + 1]
        end
        if bias then
          values[place(panels.bias_at) + b * panels.columns + column] = bias[column + 1]
        end
      end
    end
  end
  return values, list.map(plan.layer.runtime_parameters, function() return take()[1] end)
end

--- Numbers as C constants, in lines.
local function constants(values)
  local parts = {}
  for i, x in ipairs(values) do parts[i] = number.float_literal(x) .. ',' end
  return text.wrap(parts, 98, '    ')
end

---@class EmbeddedWeights
---@field spec string
---@field count integer  floats behind the header
---@field hash string    of the layer, in C
---@field parameters string  in C
---@field values string  in C

---@class WeightsRequest
---@field path string
---@field prefix string|nil
---@field map string|nil   a file
---@field order string|nil
---@field leave string[]|nil

---@param request WeightsRequest
---@param spec Spec
---@param plan Plan any of the layer: all share one layout
---@return EmbeddedWeights
function M.weights(request, spec, plan)
  local bytes, format = plan.passes.forward.packed_bytes, plan.layer.dtype
  if format ~= 'f32' then
    problem.bad_input('--weights', 'embeds layers of f32, not of %s; pack() them at start', format)
  end
  if bytes > max_bytes then
    problem.bad_input('--weights', '%d bytes of packed weights are too many for C text (most: %d); '
      .. 'keep them in a file and pack() them at start', bytes, max_bytes)
  end
  local tensors = tensors_of(plan.layer)
  local names = list.map(tensors, function(tensor) return tensor.name end)
  local values, parameters = packed_values(plan, weights_file.read(request.path, tensors, {
    prefix = request.prefix, order = request.order, leave = request.leave or {},
    fixed = fixed_of(plan.layer),
    map = request.map and weight_map.read(request.map, names),
  }))
  return record.strict('weights', {
    spec = spec.name, count = #values, hash = environment.layer_hash(plan.layer.name),
    parameters = #parameters > 0
      and table.concat(list.map(parameters, number.float_literal), ', ') or '0.0f',
    values = constants(values),
  })
end

return M
