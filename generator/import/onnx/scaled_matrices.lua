--- Matrices of numbers that have scales and zeros beside them, as found.lua takes them: what lies
--- where, and which format holds them as they are.
local labels = require 'import.onnx.labels'
local lists = require 'common.list'
local scaled = require 'import.scaled'
local weights = require 'weights'

local M = {}

---@class ScaledMatrix
---@field encoding string    one of scaled.units
---@field every integer      inputs that share a scale; 0: all
---@field scales ScaledNumbers
---@field zeros ScaledNumbers|false
---@field groups ScaledNumbers|false
---@field format string|false  f32 of decoded numbers; false: that which holds them as they are
---@field because string[]   what the spec says of them

---@class ScaledNumbers  number (o, g) at first + o // rows * row + g * column
---@field view View
---@field encoding string
---@field first integer
---@field row integer
---@field column integer
---@field rows integer       neighbouring outputs that share a row; 0: all

--- Why a scale or zero is not where it can be taken from, or nil.
local function problem_of(what, numbers, types)
  local tensor = numbers.view.tensor
  local name = labels.quoted(numbers.view.value.name)
  if not types[tensor.type] then
    return ('its %s %s are of type %s'):format(what, name, tensor.type)
  end
  local apart = labels.apart(numbers.view)
  return apart and ('its %s: %s'):format(what, apart)
end

local float_scales = lists.set { 'f16', 'bf16', 'f32' }
local of_bytes = lists.set { 'i8', 'u8' }
M.float_scales = float_scales

--- Types of floats that hold less than an f32.
M.halves = lists.set { 'f16', 'bf16' }

local words = {
  i8 = 'signed bytes', u8 = 'unsigned bytes', u4_in2 = 'numbers of 4 bits',
  i32 = 'integers of 32 bits',
}

--- What a scale or zero is of: 'all', 'each output', 'each 32 inputs of each output'.
local function span(every, numbers)
  local rows = numbers.rows
  local outputs = rows == 1 and 'each output' or rows > 1 and ('each %d outputs'):format(rows)
  local inputs = every == 1 and 'each input' or every > 1 and ('each %d inputs'):format(every)
  return inputs and outputs and inputs .. ' of ' .. outputs or inputs or outputs or 'all'
end

--- Numbers in words: 'signed bytes, an f32 scale for each output'.
local function told(of)
  local article = of.scales.encoding:find '^b' and 'a' or 'an'
  local text = ('%s, %s %s scale for %s'):format(words[of.encoding], article, of.scales.encoding,
    span(of.every, of.scales))
  return of.zeros and ('%s, a zero for %s'):format(text, span(of.every, of.zeros)) or text
end

--- Settles how a matrix is packed: as it is where a format holds it, decoded if that is asked for.
---@param of ScaledMatrix
---@param name string     of its tensor
---@param inputs integer
---@param options ImportOptions
---@return ScaledMatrix|nil
---@return string|nil why
function M.settled(of, name, inputs, options)
  local format = scaled.format(of.encoding, of.every, of.scales.encoding, of.zeros ~= false)
  local is_held = format and inputs % weights.by_name[format].divides == 0
  if not is_held and not options.decode then
    return nil, ('its matrix %s has %s, %d inputs in all, which no format holds as they are: '
      .. '--decode makes f32 of them'):format(labels.quoted(name), told(of), inputs)
  end
  of.format = not is_held and 'f32'
  table.insert(of.because, 1, ('%s: %s%s'):format(labels.quoted(name), told(of),
    is_held and '' or ', decoded to f32 and rounded once a number, as --decode asks for'))
  return of
end

--- Scales or zeros along the axes of a matrix.
local function beside(view, n, k)
  local by, row, column = view.by or {}, view.strides[n], view.strides[k]
  local every = column == 0 and 0 or by[k] or 1
  return {
    view = view, encoding = view.tensor.type, first = view.first, row = row, column = column,
    rows = row == 0 and 0 or by[n] or 1,
  }, every < view.dims[k] and every or 0
end

--- The bytes of a view whose axes n and k are those of outputs and inputs.
---@param view View
---@param options ImportOptions
---@return ScaledMatrix|nil
---@return string|nil why
function M.of_view(view, n, k, options)
  local name, own = view.value.name, view.scaled
  local apart = labels.apart(view)
  if apart then return nil, apart end
  if not of_bytes[view.tensor.type] then
    return nil, ('its matrix %s is quantised (%s): give a model in f32, f16 or bf16'):format(
      labels.quoted(name), view.tensor.type)
  elseif not own.scale then
    return nil, ('its matrix %s is bytes without a scale'):format(labels.quoted(name))
  end
  local scales, every = beside(own.scale, n, k)
  local zeros, of_zeros = false, every
  if own.zero then zeros, of_zeros = beside(own.zero, n, k) end
  local why = problem_of('scales', scales, float_scales)
    or zeros and problem_of('zeros', zeros, of_bytes)
  if why then return nil, why end
  if of_zeros ~= every then
    return nil, ('the scales and zeros of its matrix %s are of other inputs'):format(
      labels.quoted(name))
  end
  local because = {}
  if M.halves[own.type] then
    because[1] = ('the graph rounds each to %s, which is not done here'):format(own.type)
  end
  return M.settled({ encoding = view.tensor.type, every = every, scales = scales, zeros = zeros,
    groups = false, format = false, because = because }, name, view.dims[k], options)
end

--- Scales or zeros along the one axis of a vector; nil where some share one, and not all.
local function beside_vector(view, axis)
  local row = view.strides[axis]
  return (view.by and view.by[axis] or 1) == 1 and {
    view = view, encoding = view.tensor.type, first = view.first, row = row, column = 0,
    rows = row == 0 and 0 or 1,
  } or nil
end

--- What lies beside the integers of a bias, which become f32: their product with the scale, rounded
--- once a number.
---@param view View
---@param axis integer  of its numbers
---@return ScaledMatrix|nil
---@return string|nil why
function M.of_vector(view, axis)
  local own, kind, name = view.scaled, view.tensor.type, labels.quoted(view.value.name)
  local apart = labels.apart(view)
  if apart then return nil, apart end
  if not own.scale then return nil, ('%s is bytes without a scale'):format(name) end
  local scales, zeros = beside_vector(own.scale, axis), own.zero and beside_vector(own.zero, axis)
  if not scales or zeros == nil then
    return nil, ('some numbers of %s share a scale, and not all'):format(name)
  end
  local why = problem_of('scales', scales, float_scales)
    or zeros and problem_of('zeros', zeros, { [kind] = true })
  if why then return nil, why end
  if zeros and kind == 'i32' and zeros.view.tensor.numbers then
    return nil, ('%s has zeros other than 0, and ONNX has none of integers of 32 bits'):format(name)
  end
  local result = { encoding = kind, every = 0, scales = scales, zeros = zeros, groups = false,
    format = false, because = {} }
  result.because[1] = ('%s: %s, rounded once a number to f32'):format(name, told(result))
  if M.halves[own.type] then
    result.because[2] = ('the graph rounds each to %s, which is not done here'):format(own.type)
  end
  return result
end

--- Numbers beside the outputs first, first + by, ... alone; nil where these begin amid such as
--- share a row.
local function cut_beside(numbers, first, by)
  if not numbers or numbers.rows == 0 then return numbers end
  if numbers.rows > 1 and (first % numbers.rows ~= 0 or by ~= 1) then return nil end
  return {
    view = numbers.view, encoding = numbers.encoding, row = numbers.row * by, rows = numbers.rows,
    first = numbers.first + first // numbers.rows * numbers.row, column = numbers.column,
  }
end

--- What lies beside some of a matrix's outputs, or nil where they cannot be parted so.
---@param of ScaledMatrix
---@return ScaledMatrix|nil
function M.cut(of, first, by)
  local scales, zeros = cut_beside(of.scales, first, by), cut_beside(of.zeros, first, by)
  return scales and zeros ~= nil and {
    encoding = of.encoding, every = of.every, scales = scales, zeros = zeros, groups = of.groups,
    format = of.format, because = of.because,
  } or nil
end

return M
