--- Numbers that never change, as other shapes of a tensor of the file: what transposes, reshapes or
--- cuts it moves no number, and is a first number and strides (moves.lua). What computes with
--- tensors bars them, but for single numbers, which are computed as f32, and bytes that are scaled
--- (quantised.lua).
local labels = require 'import.onnx.labels'
local moves = require 'import.onnx.moves'
local numbers = require 'common.number'
local operators = require 'import.onnx.operators'
local quantised = require 'import.onnx.quantised'

local M = {}

---@class View
---@field value Value          that has the tensor
---@field tensor OnnxTensor
---@field dims integer[]
---@field strides integer[]    in numbers
---@field first integer        its first number
---@field one number|false     of a view of a single number, where it is read
---@field by integer[]|nil     how many along each axis are one number: scales of blocks
---@field scaled ScaledView|nil  what its numbers mean, where they are bytes: see quantised.lua
---@field as string|nil        the wider type that a Cast gave to them

---@return View
local function whole(value)
  local tensor, strides, stride = value.tensor, {}, 1
  for i = #tensor.dims, 1, -1 do strides[i], stride = stride, stride * tensor.dims[i] end
  return {
    value = value, tensor = tensor, dims = tensor.dims, strides = strides, first = 0,
    one = tensor.count == 1 and tensor.numbers and tensor.numbers[1] or false,
  }
end

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
  local first = step.ins[1]
  local seen = first and first.view
  local list = seen and moves.of(step, seen, opset) or { quantised.of(step) }
  if #list > 0 and #list == #step.outs then
    for i, out in ipairs(step.outs) do
      if out then out.view = list[i] end
    end
    return
  end
  local out = step.outs[1]
  if out and #step.outs == 1 then
    local tensor = computed_size(step) or computed(step, opset)
    if tensor then
      M.give(out, tensor)
      for _, value in ipairs(step.ins) do
        out.is_input = out.is_input or value and value.view.value.is_input
      end
      return
    end
  end
  local how = moves.has(step.op) and 'made' or 'computed'
  local why = ('is %s by %s "%s" from "%s"%s'):format(how, step.op, labels.at(step),
    first and (first.view and first.view.value.name or first.name) or '',
    seen and not floats[seen.tensor.type]
    and (', which is quantised (%s): give a model in f32, f16 or bf16'):format(seen.tensor.type)
    or ': have constants folded into the file')
  for i, value in ipairs(step.ins) do
    if i == 1 and value and value.barred then why = value.barred end
  end
  for _, given in ipairs(step.outs) do
    if given then given.barred = why end
  end
end

--- The views of what a step takes that stands in the file.
---@param step GraphStep
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
---@param step GraphStep
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
