--- Matrices of numbers as the arrays that embedded weights are, packed as pack() would.
local formats = require 'weights.format'
local groups = require 'weights.group'
local lists = require 'common.list'
local parts_of = require 'vendor.embedded_parts'
local problems = require 'common.problem'
local weight_layout = require 'weights.layout'

local M = {}

--- Puts a number of a lane where it lies.
---@param part EmbeddedPart
---@param at integer    bytes from the begin of the array
---@param type string   of the number
---@param number number
local function put(part, at, type, number)
  local size, whole = parts_of.sizes[type], parts_of.sizes[part.type]
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
---@param plan Plan
---@param matrices number[][]  as tensors.wanted_tensors lists them
---@return EmbeddedPart[]
---@return number[]
function M.of(plan, matrices)
  local forward, next_list = plan.passes.forward, 0
  local parts, by_stage = parts_of.of(forward)
  local function take()
    next_list = next_list + 1
    return matrices[next_list]
  end
  for i, s in ipairs(forward.stages) do
    local stage, own, at = s.stage, s.stage.stream.layout, by_stage[i]
    for b = 0, #stage.stream.branches - 1 do
      local weight, bias = take(), stage.stream.bias and take()
      if s.panels.operand_at then
        local first = (s.panels.operand_at - at.scales.at) // parts_of.sizes.float + 1
        at.scales.values[first] = take()[1]
      end
      -- Zeros beyond the last output are packed, too, and are no zero bits in every format.
      for column = 0, own.columns - 1 do
        put_row(at.panels, s, b, column, function(k)
          local is_there = k < stage.inputs and column < stage.outputs
          return is_there and weight[column * stage.inputs + k + 1] or 0.0
        end)
        if bias and column < stage.outputs then
          local first = (s.panels.bias_at - at.bias.at) // parts_of.sizes.float + 1
          at.bias.values[first + b * own.columns + column] = bias[column + 1]
        end
      end
    end
  end
  return parts, lists.map(plan.layer.runtime_parameters, function() return take()[1] end)
end

return M
