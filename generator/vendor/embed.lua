--- embed: a file of weights -> constants in C, packed as pack() would, for small layers.
local environment = require 'emit.environment'
local layout = require 'plan.layout'
local lists = require 'common.list'
local numbers = require 'common.number'
local problems = require 'common.problem'
local record = require 'common.record'
local texts = require 'common.text'
local wanted = require 'tensors.wanted'
local weight_layout = require 'weights.layout'
local weight_map = require 'tensors.map'
local weights_file = require 'tensors.weights'

local M = {}

--- More than this as C text is slow to compile; such weights belong in a file.
local max_bytes = 1 << 20

--- Of a number in C text: an f32.
local value_bytes = 4

--- The floats behind the header of packed weights: kernel.h says where each stands.
local function packed_values(plan, matrices)
  local values, next_list = {}, 0
  local function place(byte) return (byte - layout.header_bytes) // value_bytes + 1 end
  for i = 1, place(plan.passes.forward.packed_bytes) - 1 do values[i] = 0.0 end
  local function take()
    next_list = next_list + 1
    return matrices[next_list]
  end
  for _, s in ipairs(plan.passes.forward.stages) do
    local stage, own = s.stage, s.stage.stream.layout
    for b = 0, #stage.stream.branches - 1 do
      local weight, bias = take(), stage.stream.bias and take()
      for column = 0, stage.outputs - 1 do
        for k = 0, stage.inputs - 1 do
          local at = s.panels.at + weight_layout.at(own, b, column, k)
          values[place(at)] = weight[column * stage.inputs + k + 1]
        end
        if bias then
          values[place(s.panels.bias_at) + b * own.columns + column] = bias[column + 1]
        end
      end
    end
  end
  return values, lists.map(plan.layer.runtime_parameters, function() return take()[1] end)
end

--- Numbers as C constants, in lines.
local function constants(values)
  local parts = {}
  for i, x in ipairs(values) do parts[i] = numbers.float_literal(x) .. ',' end
  return texts.wrap(parts, 98, '    ')
end

---@class EmbeddedWeights
---@field spec string
---@field count integer  floats behind the header
---@field hash string    of what is packed, in C
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
  local bytes = plan.passes.forward.packed_bytes
  for _, stage in ipairs(plan.layer.passes.forward) do
    local format = stage.stream.format
    if not format.floats then
      problems.bad_input('--weights', 'embeds weights that lie as f32, not those of %s; pack() '
        .. 'them at start', format.name)
    end
  end
  if bytes > max_bytes then
    problems.bad_input('--weights',
      '%d bytes of packed weights are too many for C text (most: %d); '
      .. 'keep them in a file and pack() them at start', bytes, max_bytes)
  end
  local tensors = wanted.of_layer(plan.layer)
  local names = lists.map(tensors, function(tensor) return tensor.name end)
  local values, parameters = packed_values(plan, weights_file.read(request.path, tensors, {
    prefix = request.prefix, order = request.order, leave = request.leave or {},
    fixed = wanted.fixed_of(plan.layer),
    map = request.map and weight_map.read(request.map, names),
  }))
  return record.strict('weights', {
    spec = spec.name, count = #values, hash = environment.name_hash(plan.layer.packed),
    parameters = #parameters > 0
      and table.concat(lists.map(parameters, numbers.float_literal), ', ') or '0.0f',
    values = constants(values),
  })
end

return M
