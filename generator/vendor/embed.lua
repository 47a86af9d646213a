--- embed: a file of weights -> constants in C, packed as pack() would, for small layers.
local environment = require 'emit.environment'
local formats = require 'weights.format'
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

--- Bytes of numbers in C text.
local sizes = { float = 4, uint16_t = 2, uint32_t = 4 }

---@class EmbeddedPart  an array behind the header of packed weights
---@field name string
---@field type string    of a number in C
---@field at integer     bytes from the begin of packed weights
---@field values table   numbers, or where the type is no float integers, by place

--- The arrays that packed weights are, in ascending order, filled with zeros: the weights of each
--- stage, and its biases. Where all are floats they are one.
---@return EmbeddedPart[]
---@return table<integer, { panels: EmbeddedPart, bias: EmbeddedPart|false }> by_stage
local function parts_of(stages, packed_bytes, floats)
  local parts, by_stage = {}, {}
  local function add(name, type, at)
    if floats and #parts > 0 then return parts[1] end
    local part = { name = floats and 'values' or name, type = type, at = at, values = {} }
    parts[#parts + 1] = part
    return part
  end
  for i, s in ipairs(stages) do
    local lane = formats.lane_types[s.stage.stream.format.step.lines[1].lane]
    by_stage[i] = {
      panels = add('weights' .. i, lane.c_type, s.panels.at),
      bias = s.stage.stream.bias and add('biases' .. i, 'float', s.panels.bias_at),
    }
  end
  for i, part in ipairs(parts) do
    local stop = parts[i + 1] and parts[i + 1].at or packed_bytes
    local zero = part.type == 'float' and 0.0 or 0
    for n = 1, (stop - part.at) // sizes[part.type] do part.values[n] = zero end
  end
  return parts, by_stage
end

--- Puts the weights of an output of a branch where they lie.
---@param part EmbeddedPart
---@param stage table   of the plan
---@param branch integer  from 0
---@param output integer  from 0
---@param row fun(k: integer): number  a weight, 0 beyond the last input
local function put_row(part, stage, branch, output, row)
  local stream = stage.stage.stream
  local format, own = stream.format, stream.layout
  local size = sizes[part.type]
  for k = 0, stage.stage.inputs - 1, format.step.k do
    local bundle, lane = weight_layout.lane(own, branch, output)
    local group = bundle * own.bundle
      + k // format.step.k * weight_layout.step(own, output >= own.paired)
    local at = (stage.panels.at + group - part.at) // size + lane + 1
    local number = format.floats and row(k) or format.embed(function(i) return row(k + i) end)
    if not number then
      problems.bad_input('--weights', 'a weight of stage %s, output %d, is infinite in %s',
        stage.stage.name, output, format.name)
    end
    part.values[at] = number
  end
end

--- The arrays behind the header of packed weights, and run-time parameters.
local function packed_values(plan, matrices, floats)
  local forward, next_list = plan.passes.forward, 0
  local parts, by_stage = parts_of(forward.stages, forward.packed_bytes, floats)
  local function take()
    next_list = next_list + 1
    return matrices[next_list]
  end
  for i, s in ipairs(forward.stages) do
    local stage, own, at = s.stage, s.stage.stream.layout, by_stage[i]
    for b = 0, #stage.stream.branches - 1 do
      local weight, bias = take(), stage.stream.bias and take()
      for column = 0, stage.outputs - 1 do
        put_row(at.panels, s, b, column, function(k)
          return k < stage.inputs and weight[column * stage.inputs + k + 1] or 0.0
        end)
        if bias then
          local first = (s.panels.bias_at - at.bias.at) // sizes.float + 1
          at.bias.values[first + b * own.columns + column] = bias[column + 1]
        end
      end
    end
  end
  return parts, lists.map(plan.layer.runtime_parameters, function() return take()[1] end)
end

--- Numbers as C constants, in lines.
local function constants(part)
  local texts_of = {}
  for i, x in ipairs(part.values) do
    texts_of[i] = part.type == 'float' and numbers.float_literal(x) .. ','
      or ('0x%x,'):format(x)
  end
  return texts.wrap(texts_of, 98, '    ')
end

---@class EmbeddedWeights
---@field spec string
---@field hash string    of what is packed, in C
---@field parameters string  in C
---@field parts table[]   arrays behind the header: name, type, count, and their values in C

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
  local bytes, floats = plan.passes.forward.packed_bytes, true
  for _, stage in ipairs(plan.layer.passes.forward) do
    local format = stage.stream.format
    floats = floats and format.floats
    if not format.floats and not format.embed then
      problems.bad_input('--weights', 'embeds no weights that lie as those of %s; pack() them at '
        .. 'start', format.name)
    end
  end
  if bytes > max_bytes then
    problems.bad_input('--weights',
      '%d bytes of packed weights are too many for C text (most: %d); '
      .. 'keep them in a file and pack() them at start', bytes, max_bytes)
  end
  local tensors = wanted.of_layer(plan.layer)
  local names = lists.map(tensors, function(tensor) return tensor.name end)
  local parts, parameters = packed_values(plan, weights_file.read(request.path, tensors, {
    prefix = request.prefix, order = request.order, leave = request.leave or {},
    fixed = wanted.fixed_of(plan.layer),
    map = request.map and weight_map.read(request.map, names),
  }), floats)
  return record.strict('weights', {
    spec = spec.name, hash = environment.name_hash(plan.layer.packed),
    parameters = #parameters > 0
      and table.concat(lists.map(parameters, numbers.float_literal), ', ') or '0.0f',
    parts = lists.map(parts, function(part)
      return { name = part.name, type = part.type, count = #part.values, values = constants(part) }
    end),
  })
end

return M
