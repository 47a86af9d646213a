--- Numbers that never change, as other shapes of a tensor of the file: what transposes, reshapes or
--- cuts it moves no number, and is a first number and strides. What computes with tensors bars
--- them, but for single numbers, which are computed as f32.
local attributes = require 'import.onnx.attributes'
local numbers = require 'common.number'
local operators = require 'import.onnx.operators'
local shown = require 'import.onnx.shown'
local tensors = require 'files.onnx_tensors'

local M = {}

---@class View
---@field value Value          that has the tensor
---@field tensor OnnxTensor
---@field dims integer[]
---@field strides integer[]    in numbers
---@field first integer        its first number
---@field one number|false     of a view of a single number, where it is read

---@return View
local function whole(value)
  local tensor, strides, stride = value.tensor, {}, 1
  for i = #tensor.dims, 1, -1 do strides[i], stride = stride, stride * tensor.dims[i] end
  return {
    value = value, tensor = tensor, dims = tensor.dims, strides = strides, first = 0,
    one = tensor.count == 1 and tensor.numbers and tensor.numbers[1] or false,
  }
end

local function view(of, dims, strides, first)
  return { value = of.value, tensor = of.tensor, dims = dims, strides = strides, first = first,
    one = of.one }
end

--- A list of integers that never changes: of a tensor of one size, as it stands in the file.
---@param value Value|false|nil
---@return integer[]|nil
function M.integers(value)
  local seen = value and value.view
  local list = seen and seen.tensor.numbers
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

-- What moves no number ---------------------------------------------------------------------------

local moves = {}

function moves.Identity(seen) return { seen } end

local widened = {
  f32 = { f64 = true }, f16 = { f32 = true, f64 = true }, bf16 = { f32 = true, f64 = true },
}

--- A type with all numbers of another has the same.
function moves.Cast(seen, step)
  local from, to = seen.tensor.type, tensors.type_name(attributes.get(step.node, 'to', 'i', 0))
  return (from == to or widened[from] and widened[from][to]) and { seen } or nil
end

function moves.Transpose(seen, step)
  local rank, dims, strides, used = #seen.dims, {}, {}, {}
  local order = attributes.get(step.node, 'perm', 'ints', nil)
  for i = 1, rank do
    local from = not order and rank + 1 - i or order[i] and order[i] + 1
    if not from or not seen.dims[from] or used[from] then return nil end
    used[from], dims[i], strides[i] = true, seen.dims[from], seen.strides[from]
  end
  return (not order or #order == rank) and { view(seen, dims, strides, seen.first) } or nil
end

--- Sizes other than 1, and their strides.
local function packed(seen)
  local dims, strides = {}, {}
  for i, n in ipairs(seen.dims) do
    if n ~= 1 then dims[#dims + 1], strides[#strides + 1] = n, seen.strides[i] end
  end
  return dims, strides
end

--- The same numbers in another shape: as they lie where they lie without gaps, else only sizes of 1
--- come and go.
local function reshaped(seen, dims)
  local own, of_own = packed(seen)
  local count, all, is_dense = 1, 1, true
  for i = #own, 1, -1 do
    is_dense = is_dense and of_own[i] == all
    all = all * own[i]
  end
  for _, n in ipairs(dims) do count = count * n end
  if count ~= all then return nil end
  local strides, stride, at = {}, 1, #own
  for i = #dims, 1, -1 do
    strides[i] = stride
    if not is_dense and dims[i] ~= 1 then
      if dims[i] ~= own[at] then return nil end
      strides[i], at = of_own[at], at - 1
    end
    stride = stride * dims[i]
  end
  return { view(seen, dims, strides, seen.first) }
end

function moves.Reshape(seen, step)
  local wanted = M.integers(step.ins[2]) or attributes.get(step.node, 'shape', 'ints', nil)
  local zero = attributes.get(step.node, 'allowzero', 'i', 0)
  local dims, known, open, all = {}, 1, nil, 1
  for _, n in ipairs(seen.dims) do all = all * n end
  for i, n in ipairs(wanted or {}) do
    if n == 0 and zero == 0 then n = seen.dims[i] end
    if not n or n < -1 or n == -1 and open or n > 1 << 48 then return nil end
    if n == -1 then open = i else known = known * n end
    if known > 1 << 48 then return nil end
    dims[i] = n
  end
  if open then
    if known == 0 or all % known ~= 0 then return nil end
    dims[open] = all // known
  end
  return wanted and reshaped(seen, dims) or nil
end

function moves.Flatten(seen, step)
  local axis = attributes.get(step.node, 'axis', 'i', 1)
  axis = axis and axis < 0 and axis + #seen.dims or axis
  if not axis or axis < 0 or axis > #seen.dims then return nil end
  local dims = { 1, 1 }
  for i, n in ipairs(seen.dims) do
    local side = i <= axis and 1 or 2
    dims[side] = dims[side] * n
  end
  return reshaped(seen, dims)
end

function moves.Squeeze(seen, step)
  local axes = M.list(step, 'axes', 2)
  if not axes and (step.ins[2] or step.node.attributes.axes) then return nil end
  local gone, dims = {}, {}
  for _, axis in ipairs(axes or {}) do gone[M.axis(axis, #seen.dims) or -1] = true end
  for i, n in ipairs(seen.dims) do
    local goes = axes and gone[i - 1] or not axes and n == 1
    if goes and n ~= 1 then return nil end
    if not goes then dims[#dims + 1] = n end
  end
  return not gone[-1] and reshaped(seen, dims) or nil
end

function moves.Unsqueeze(seen, step)
  local axes = M.list(step, 'axes', 2)
  if not axes then return nil end
  local rank, new, dims, from = #seen.dims + #axes, {}, {}, 0
  for _, axis in ipairs(axes) do
    axis = M.axis(axis, rank)
    if not axis or new[axis] then return nil end
    new[axis] = true
  end
  for i = 0, rank - 1 do
    if not new[i] then from = from + 1 end
    dims[i + 1] = new[i] and 1 or seen.dims[from]
  end
  return reshaped(seen, dims)
end

--- A part of an axis.
local function cut(seen, axis, first, count, by)
  local dims, strides = { table.unpack(seen.dims) }, { table.unpack(seen.strides) }
  dims[axis + 1], strides[axis + 1] = count, strides[axis + 1] * by
  local part = view(seen, dims, strides, seen.first + first * seen.strides[axis + 1])
  part.one = false
  return part
end

function moves.Slice(seen, step)
  local cuts = M.cuts(step)
  for _, c in ipairs(cuts or {}) do
    local axis = M.axis(c.axis, #seen.dims)
    local first, count = M.range(c, axis and seen.dims[axis + 1] or 0)
    if not axis or not first then return nil end
    seen = cut(seen, axis, first, count, c.by)
  end
  return cuts and { seen } or nil
end

function moves.Split(seen, step, opset)
  local axis = M.axis(attributes.get(step.node, 'axis', 'i', 0), #seen.dims)
  local parts = axis and M.parts(step, seen.dims[axis + 1], opset)
  local list, at = {}, 0
  for i, n in ipairs(parts or {}) do list[i], at = cut(seen, axis, at, n, 1), at + n end
  return parts and list or nil
end

--- What a Slice takes of which axes, where that never changes.
---@return { axis: integer, from: integer, to: integer, by: integer }[]|nil
function M.cuts(step)
  local from, to = M.list(step, 'starts', 2), M.list(step, 'ends', 3)
  local axes, by = M.list(step, 'axes', 4), M.list(step, 'steps', 5)
  if not from or not to or #from ~= #to or not axes and (step.ins[4] or step.node.attributes.axes)
    or not by and step.ins[5] or axes and #axes ~= #from or by and #by ~= #from then
    return nil
  end
  local cuts = {}
  for i = 1, #from do
    cuts[i] = {
      axis = axes and axes[i] or i - 1, from = from[i], to = to[i], by = by and by[i] or 1,
    }
  end
  return cuts
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

local attributes_of = {
  Identity = {}, Cast = { 'to', 'saturate', 'round_mode' }, Transpose = { 'perm' },
  Reshape = { 'allowzero', 'shape' }, Flatten = { 'axis' }, Squeeze = { 'axes' },
  Unsqueeze = { 'axes' }, Slice = { 'starts', 'ends', 'axes' },
  Split = { 'axis', 'split', 'num_outputs' },
}

-- Numbers ----------------------------------------------------------------------------------------

--- A number of a view, where it is one and is read.
---@param value Value|false|nil
---@return number|nil
function M.number(value)
  local one = value and value.view and value.view.one
  return one and one * 1.0 or nil
end

local whole_numbers = {
  Add = function(a, b) return a + b end, Sub = function(a, b) return a - b end,
  Mul = function(a, b) return a * b end,
  -- Sizes are not negative, where every division rounds alike.
  Div = function(a, b) return a >= 0 and b > 0 and a // b or nil end,
}

--- The same of integers: sizes, and where to cut.
local function computed_size(step)
  local a, b = step.ins[1], step.ins[2]
  a, b = a and a.view and a.view.one, b and b.view and b.view.one
  local operate = whole_numbers[step.op]
  if not operate or math.type(a) ~= 'integer' or math.type(b) ~= 'integer' then return nil end
  local result = operate(a, b)
  local rank = math.max(#step.ins[1].view.dims, #step.ins[2].view.dims)
  return result and rank < 2 and {
    name = '', type = 'i64', dims = rank == 1 and { 1 } or {}, count = 1, bits = 64,
    numbers = { result }, place = false, external = false, apart = 'the graph',
  } or nil
end

--- A value that is one number, computed of others, or nil.
local function computed(step, opset)
  local rank, inputs = 0, {}
  for i, value in ipairs(step.ins) do
    inputs[i] = value and M.number(value)
    if not inputs[i] then return nil end
    rank = math.max(rank, #value.view.dims)
  end
  local operator = operators.of(step)
  local ok, result = pcall(function()
    return operator and operators.apply(operator, inputs, step, { way = 1, opset = opset })
  end)
  if not ok or math.type(result) ~= 'float' then return nil end
  local dims = {}
  for i = 1, rank do dims[i] = 1 end
  return {
    name = '', type = 'f32', dims = dims, count = 1, bits = 32,
    numbers = { numbers.to_f32(result) }, place = false, external = false, apart = 'the graph',
  }
end

local floats = { f32 = true, f16 = true, bf16 = true, f64 = true }

local function is_constant(value) return value and (value.view or value.barred) end

--- Looks at a step of which every input never changes.
local function look(step, opset)
  local move, first = moves[step.op], step.ins[1]
  local seen = first and first.view
  if move and seen and attributes.are(step.node, attributes_of[step.op]) then
    local list = move(seen, step, opset)
    if list and #list == #step.outs then
      for i, out in ipairs(step.outs) do
        if out then out.view = list[i] end
      end
      return
    end
  end
  local out = step.outs[1]
  if out and #step.outs == 1 then
    local tensor = computed_size(step) or computed(step, opset)
    if tensor then
      M.give(out, tensor)
      return
    end
  end
  local why = ('is %s by %s "%s" from "%s"%s'):format(move and 'made' or 'computed', step.op,
    shown.at(step), first and (first.view and first.view.value.name or first.name) or '',
    seen and not floats[seen.tensor.type]
    and (', which is quantised (%s): give a model in f32, f16 or bf16'):format(seen.tensor.type)
    or '')
  for i, value in ipairs(step.ins) do
    if i == 1 and value and value.barred then why = value.barred end
  end
  for _, given in ipairs(step.outs) do
    if given then given.barred = why end
  end
end

--- The views of what a step takes that stands in the file.
---@param step Step
function M.open(step)
  for _, value in ipairs(step.ins) do
    if value and value.tensor and not value.view and not value.barred then
      value.view = whole(value)
    end
  end
end

--- The view of a tensor that the file does not have.
---@param value Value
---@param tensor OnnxTensor
function M.give(value, tensor)
  value.tensor = tensor
  value.view = whole(value)
end

--- Looks whether what a step gives never changes.
---@param step Step
---@param opset integer
---@return boolean
function M.follow(step, opset)
  for _, value in ipairs(step.outs) do
    if value and (value.tensor or value.barred) then return true end
  end
  if #step.ins == 0 or #step.node.graphs > 0 then return false end
  for _, value in ipairs(step.ins) do
    if value and not is_constant(value) then return false end
  end
  look(step, opset)
  return true
end

return M
