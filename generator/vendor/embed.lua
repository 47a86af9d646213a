--- embed: a file of weights -> constants in C, packed as pack() would, for small layers.
local environment = require 'emit.environment'
local formats = require 'weights.format'
local groups = require 'weights.group'
local lists = require 'common.list'
local numbers = require 'common.number'
local problems = require 'common.problem'
local record = require 'common.record'
local texts = require 'common.text'
local wanted_tensors = require 'tensors.wanted_tensors'
local weight_layout = require 'weights.layout'
local weight_map = require 'tensors.map'
local weights_file = require 'tensors.weights'

local M = {}

--- More than this as C text is slow to compile; such weights belong in a file.
local max_bytes = 1 << 20

--- Bytes of numbers in C text.
local sizes = { float = 4, uint16_t = 2, uint32_t = 4, uint8_t = 1 }

---@class EmbeddedPart  an array behind the header of packed weights
---@field name string
---@field type string    of a number in C
---@field at integer     bytes from the begin of packed weights
---@field values table   numbers, or where the type is no float integers, by place; a list of them
--- where several smaller ones are a uint32_t, the first at the least address

--- The type of the array that the weights of a stage are: that of all lanes, or words in which
--- smaller ones lie side by side.
---@param format Format
local function type_of(format)
  local lines = lists.append({}, format.head and format.head.lines or {})
  for _, level in ipairs(format.levels) do lists.append(lines, level.lines) end
  local types = lists.unique(lists.map(lists.append(lines, format.step.lines), function(line)
    return formats.lane_types[line.lane].c_type
  end))
  return #types == 1 and types[1] or 'uint32_t'
end

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
    by_stage[i] = {
      panels = add('weights' .. i, type_of(s.stage.stream.format), s.panels.at),
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

--- Puts a number of a lane where it lies.
---@param part EmbeddedPart
---@param at integer    bytes from the begin of the array
---@param type string   of the number
---@param number number
local function put(part, at, type, number)
  local size, whole = sizes[type], sizes[part.type]
  local n = at // whole + 1
  if type == part.type then
    part.values[n] = number
  elseif size == whole then
    part.values[n] = string.unpack('<I4', string.pack('<f', number))
  else
    if part.values[n] == 0 then
      part.values[n] = {}
      for i = 1, whole // size do part.values[n][i] = 0 end
    end
    part.values[n][at % whole // size + 1] = number
  end
end

--- Puts the weights of an output of a branch where they lie.
---@param part EmbeddedPart
---@param stage table   of the plan
---@param branch integer  from 0
---@param output integer  from 0
---@param row fun(k: integer): number  a weight, 0 beyond the last input
local function put_row(part, stage, branch, output, row)
  local stream, inputs = stage.stage.stream, stage.stage.inputs
  local format, own = stream.format, stream.layout
  local members = own.members
  local bundle, lane = weight_layout.lane(own, branch, output)
  local begin = stage.panels.at - part.at + bundle * own.bundle
  local first, planes = begin + members * own.placed.head_bytes, groups.planes(own.placed)
  for k = 0, inputs - 1, format.group do
    local group = first + k // format.group * own.step
    local function set(plane, n, number)
      local place = planes[plane]
      local lane_type = formats.lane_types[place.line.lane]
      local at = (place.head and begin or group) + members * place.at(n) + lane * lane_type.bytes
      put(part, at, lane_type.c_type, number)
    end
    local function weight(i) return row(k + i) end
    if not format.embed { weight = weight, set = set, inputs = inputs, row = row } then
      problems.bad_input('--weights', 'a weight of stage %s, output %d, is infinite in %s',
        stage.stage.name, output, format.name)
    end
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
      -- Zeros beyond the last output are packed, too, and are no zero bits in every format.
      for column = 0, own.columns - 1 do
        put_row(at.panels, s, b, column, function(k)
          local is_there = k < stage.inputs and column < stage.outputs
          return is_there and weight[column * stage.inputs + k + 1] or 0.0
        end)
        if bias and column < stage.outputs then
          local first = (s.panels.bias_at - at.bias.at) // sizes.float + 1
          at.bias.values[first + b * own.columns + column] = bias[column + 1]
        end
      end
    end
  end
  return parts, lists.map(plan.layer.runtime_parameters, function() return take()[1] end)
end

--- What numbers side by side are called in the text, by how many.
local joined = { [2] = 'HALVES', [4] = 'BYTES' }

--- Numbers as C constants, in lines; and the macros that these call.
---@param PREFIX string
---@return string
---@return table<string, boolean>
local function constants(part, PREFIX)
  local texts_of, used = {}, {}
  for i, x in ipairs(part.values) do
    if part.type == 'float' then
      texts_of[i] = numbers.float_literal(x) .. ','
    elseif type(x) == 'table' then
      local word = joined[#x]
      used[word] = true
      texts_of[i] = ('%s_%s(%s),'):format(PREFIX, word, table.concat(lists.map(x, function(n)
        return ('0x%x'):format(n)
      end), ','))
    else
      texts_of[i] = ('0x%x,'):format(x)
    end
  end
  return texts.wrap(texts_of, 98, '    '), used
end

---@class EmbeddedWeights
---@field spec string
---@field hash string    of what is packed, in C
---@field parameters string  in C
---@field parts table[]   arrays behind the header: name, type, count, and their values in C
---@field halves boolean  some are two numbers of 16 bits, in a macro
---@field bytes boolean   or four of 8

---@class WeightsRequest
---@field path string
---@field PREFIX string      of macros in C
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
    if not format.embed then
      problems.bad_input('--weights', 'weights of %s cannot be written into the code; call pack() '
        .. 'at start', format.name)
    end
  end
  if bytes > max_bytes then
    problems.bad_input('--weights',
      '%d bytes of packed weights are too many to write into the code (most: %d); keep the '
        .. 'weights in a file and call pack() at start', bytes, max_bytes)
  end
  local tensors = wanted_tensors.of_layer(plan.layer)
  local names = lists.map(tensors, function(tensor) return tensor.name end)
  local parts, parameters = packed_values(plan, weights_file.read(request.path, tensors, {
    prefix = request.prefix, order = request.order, leave = request.leave or {},
    fixed = wanted_tensors.fixed_of(plan.layer),
    map = request.map and weight_map.read(request.map, names),
  }), floats)
  local used = {}
  parts = lists.map(parts, function(part)
    local values, macros = constants(part, request.PREFIX)
    for _, word in ipairs(record.sorted_keys(macros)) do used[word] = true end
    return { name = part.name, type = part.type, count = #part.values, values = values }
  end)
  return record.strict('weights', {
    spec = spec.name, hash = environment.name_hash(plan.layer.packed),
    parameters = #parameters > 0
      and table.concat(lists.map(parameters, numbers.float_literal), ', ') or '0.0f',
    parts = parts, halves = used.HALVES or false, bytes = used.BYTES or false,
  })
end

return M
