--- Where the rows of a matrix, and of one that holds several, lie in a tensor of a file.
local number_types = require 'import.number_types'
local numbers = require 'files.numbers'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- A matrix, or some rows of one, as a rule tells it: row o is row from + o * step of the tensor.
---@class Wanted
---@field outputs integer
---@field inputs integer|false  false of a bias
---@field in_out boolean        stored [in][out]
---@field whole integer         outputs of the tensor
---@field from integer          the first of its rows, from 0
---@field step integer
---@field experts integer|false  so many in one tensor
---@field expert integer        which of them, from 0

--- The shape of a tensor that holds what is wanted.
local function shape_of(w, outputs)
  local shape = not w.inputs and { outputs } or w.in_out and { w.inputs, outputs }
    or { outputs, w.inputs }
  if w.experts then table.insert(shape, 1, w.experts) end
  return shape
end

--- Whether it has that shape: the same without making it, which thousands of experts ask.
local function is_shape(shape, w, outputs)
  local before = w.experts and 1 or 0
  if before == 1 and shape[1] ~= w.experts then return false end
  if not w.inputs then return #shape == before + 1 and shape[before + 1] == outputs end
  local first, second = outputs, w.inputs
  if w.in_out then first, second = second, first end
  return #shape == before + 2 and shape[before + 1] == first and shape[before + 2] == second
end

--- Whether a tensor of a type holds numbers as they are.
---@param dtype any
function M.is_plain(dtype) return number_types.of_type[dtype] ~= nil end

local function refuse(model, name, message, ...)
  problems.bad_input(model.files[model.stored[name].file].path, '"%s" ' .. message,
    record.shown(name, 80), ...)
end

--- Where it lies, as import/found.lua has it.
---@param model ModelFolder
---@param name string
---@param w Wanted
---@param quantized string|false  why its numbers may be none
function M.of(model, name, w, quantized)
  local tensor, shape = model.stored[name], model.shapes[name]
  local encoding = number_types.of_type[tensor.dtype]
  if not encoding then
    refuse(model, name, 'holds %s, and a layer takes F32, BF16, F16 or F64%s',
      record.shown(tensor.dtype), quantized and ': ' .. quantized or '')
  end
  local outputs = w.whole
  if not is_shape(shape, w, outputs) then
    refuse(model, name, 'is %s, and config.json says %s%s', numbers.shape_text(shape),
      numbers.shape_text(shape_of(w, outputs)), quantized and ': ' .. quantized or '')
  end
  local size = number_types.bytes[encoding]
  local row, column = w.inputs and w.inputs * size or 0, size
  if w.inputs and w.in_out then row, column = size, outputs * size end
  -- From one output to the next: of a vector that is its column.
  local step = w.inputs and row or column
  local first = tensor.first + w.expert * outputs * (w.inputs or 1) * size + w.from * step
  if w.inputs then row = w.step * step else column = w.step * step end
  return {
    tensor = name, file = tensor.file, first = first, bytes = tensor.bytes, encoding = encoding,
    row_bytes = row, column_bytes = column, scaled = false, format = false,
  }
end

return M
