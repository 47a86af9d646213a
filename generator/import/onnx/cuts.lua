--- What never changes of how an operator reshapes or cuts: lists of integers, axes, and which part
--- of an axis is taken.
local attributes = require 'import.onnx.attributes'

local M = {}

--- A list of integers that never changes: of a tensor of one size, as it stands in the file.
---@param value Value|false|nil
---@return integer[]|nil
function M.integers(value)
  local seen = value and value.view
  local list = seen and not seen.scaled and seen.tensor.numbers
  if not list or #seen.dims > 1 or seen.first ~= 0 or (seen.dims[1] or 1) ~= #list
    or #list > 1 and seen.strides[1] ~= 1 then
    return nil
  end
  local result = {}
  for i, v in ipairs(list) do
    if math.type(v) ~= 'integer' then return nil end
    result[i] = v
  end
  return result
end

--- A list that is an attribute of older operator sets, and an input of newer ones.
function M.list(step, name, input)
  local list = attributes.get(step.node, name, 'ints', nil)
  if list or step.node.attributes[name] then return list end
  return M.integers(step.ins[input])
end

--- An axis from 0, or nil.
function M.axis(axis, rank)
  axis = axis and axis < 0 and axis + rank or axis
  return axis and axis >= 0 and axis < rank and axis or nil
end

--- What a Slice takes of which axes, where that never changes.
---@return { axis: integer, from: integer, to: integer, by: integer }[]|nil
function M.of(step)
  local from, to = M.list(step, 'starts', 2), M.list(step, 'ends', 3)
  local axes, by = M.list(step, 'axes', 4), M.list(step, 'steps', 5)
  if not from or not to or #from ~= #to or not axes and (step.ins[4] or step.node.attributes.axes)
    or not by and step.ins[5] or axes and #axes ~= #from or by and #by ~= #from then
    return nil
  end
  local list = {}
  for i = 1, #from do
    list[i] = {
      axis = axes and axes[i] or i - 1, from = from[i], to = to[i], by = by and by[i] or 1,
    }
  end
  return list
end

--- The first of those that a cut takes of n, and how many.
---@return integer|nil first
---@return integer|nil count
function M.range(c, n)
  local from = math.max(0, math.min(n, c.from < 0 and c.from + n or c.from))
  local to = math.max(0, math.min(n, c.to < 0 and c.to + n or c.to))
  if c.by < 1 or c.by > n or from >= to then return nil end
  return from, (to - from + c.by - 1) // c.by
end

--- The parts of n in which a Split cuts an axis, where that never changes.
---@return integer[]|nil
function M.parts(step, n, opset)
  local parts = M.list(step, 'split', 2)
  if parts then
    local all = 0
    for _, part in ipairs(parts) do
      if part < 1 or part > n then return nil end
      all = all + part
    end
    return all == n and #parts == #step.outs and parts or nil
  end
  local count = opset >= 18 and attributes.get(step.node, 'num_outputs', 'i', nil) or #step.outs
  if step.ins[2] or step.node.attributes.split or count ~= #step.outs or count < 1
    or n % count ~= 0 then
    return nil
  end
  parts = {}
  for i = 1, count do parts[i] = n // count end
  return parts
end

return M
