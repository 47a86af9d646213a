--- Where the arrays of a packed module lie in its tensors, as import/scaled.lua has them: of all
--- rows, of one of several matrices in it, of an expert in one tensor.
local number_types = require 'import.number_types'
local numbers = require 'files.numbers'
local problems = require 'common.problem'
local record = require 'common.record'
local scaled = require 'import.scaled'

local M = {}

--- What scales are, by the types of tensors.
M.floats = { F16 = 'f16', BF16 = 'bf16', F32 = 'f32' }

---@class PackedModule
---@field model ModelFolder
---@field name string     of the module
---@field w Wanted
---@field take fun(key: string)  notes a tensor as the layer's
---@field number fun(key: string, format: string): integer[]  the integers of a small tensor

---@class ArraySpec
---@field encodings table<string, string>  by the types of tensors
---@field columns integer  numbers of an output: inputs, or scales
---@field turned boolean|nil    stored [inputs][outputs]
---@field rows integer|nil      outputs that share a row
---@field cut integer|nil       units of a row are stored as [units / cut][cut]

local function refuse(p, name, message, ...)
  problems.bad_input(p.model.files[p.model.stored[name].file].path, '"%s" ' .. message,
    record.shown(name, 80), ...)
end

--- The unit of an encoding.
local function unit_of(encoding)
  local unit = scaled.units[encoding]
  if unit then return unit.inputs, unit.outputs, unit.bytes end
  return 1, 1, ({ e8m0 = 1, i32 = 4 })[encoding] or number_types.bytes[encoding]
end

--- Whether a module has a tensor.
---@param p PackedModule
---@param tail string  behind the module's name
function M.has(p, tail) return p.model.shapes[p.name .. tail] ~= nil end

--- A tensor of a module, with what it holds.
local function tensor_of(p, tail, encodings)
  local name = p.name .. tail
  local tensor = p.model.stored[name]
  if not tensor then
    problems.bad_input(p.model.path, 'there is no tensor "%s", which the other tensors of this '
      .. 'module need',
      record.shown(name, 80))
  end
  p.take(name)
  local encoding = encodings[tensor.dtype]
  if not encoding then
    refuse(p, name, 'holds %s, where such numbers are %s', record.shown(tensor.dtype),
      table.concat(record.sorted_keys(encodings), ' or '))
  end
  return name, tensor, encoding
end

--- Refuses a shape that is none of those that are taken, the first of which is told.
local function check_shape(p, name, shapes)
  for _, shape in ipairs(shapes) do
    if record.equal(p.model.shapes[name], shape) then return end
  end
  refuse(p, name, 'is %s, and by config.json it is %s', numbers.shape_text(p.model.shapes[name]),
    numbers.shape_text(shapes[1]))
end

--- Where the first of an array lies, and how far apart its rows are, of one matrix of several.
local function cut_of(p, name, at, row, outputs)
  local w = p.w
  if w.step > 1 and outputs > 1 then
    refuse(p, name, 'has %d outputs in one place, and rows of gate and up in turn: they cannot '
      .. 'be told apart', outputs)
  end
  if w.from % outputs ~= 0 then
    refuse(p, name, 'has %d outputs in one place, of which some are another matrix\'s: this one '
      .. 'begins at output %d', outputs, w.from)
  end
  return at + w.from // outputs * row, w.step * row
end

--- An array of numbers (o, i) or (o, g).
---@param p PackedModule
---@param tail string
---@param spec ArraySpec
---@return table  as Placed and Beside have it
function M.of(p, tail, spec)
  local name, tensor, encoding = tensor_of(p, tail, spec.encodings)
  local inputs, outputs, bytes = unit_of(encoding)
  outputs = outputs * (spec.rows or 1)
  local w = p.w
  local rows = (w.whole + outputs - 1) // outputs
  local columns = (spec.columns + inputs - 1) // inputs
  local shape = { rows, columns }
  if spec.turned then shape = { columns, rows } end
  if spec.cut then shape = { rows, columns // spec.cut, spec.cut } end
  if w.experts then table.insert(shape, 1, w.experts) end
  check_shape(p, name, { shape })
  if spec.cut and columns % spec.cut ~= 0 then
    refuse(p, name, 'has rows of no whole %d', spec.cut)
  end
  local row, column = columns * bytes, bytes
  if spec.turned then row, column = bytes, rows * bytes end
  local at = tensor.first + w.expert * rows * columns * bytes
  local first, step = cut_of(p, name, at, row, outputs)
  return {
    tensor = name, file = tensor.file, first = first, bytes = tensor.bytes, encoding = encoding,
    row_bytes = step, column_bytes = column, rows = spec.rows,
  }
end

--- One number for all of a matrix, or of those in it.
---@param p PackedModule
---@param tail string
---@param encodings table<string, string>
function M.single(p, tail, encodings)
  local name, tensor, encoding = tensor_of(p, tail, encodings)
  check_shape(p, name, { { 1 }, {}, { 1, 1 } })
  local _, _, bytes = unit_of(encoding)
  return {
    tensor = name, file = tensor.file, first = tensor.first, bytes = tensor.bytes,
    encoding = encoding, row_bytes = bytes, column_bytes = bytes, rows = p.w.outputs,
  }
end

--- The group of each input, which ffn-pack holds against their order; nil where none is told.
---@param p PackedModule
---@param tail string
---@param is_needed boolean  it has to be told
function M.groups(p, tail, is_needed)
  if not is_needed and not M.has(p, tail) then return nil end
  local name, tensor, encoding = tensor_of(p, tail, { I32 = 'i32' })
  check_shape(p, name, { { p.w.inputs } })
  return {
    tensor = name, file = tensor.file, first = tensor.first, bytes = tensor.bytes,
    encoding = encoding, row_bytes = tensor.bytes, column_bytes = 4,
  }
end

--- How many groups of `every` inputs a matrix has.
---@param p PackedModule
---@param every integer  0: one
function M.count(p, every) return every > 0 and (p.w.inputs + every - 1) // every or 1 end

--- Weights of 4 bits in int32, zeros alike and a scale for each group, stored [inputs][outputs].
---@param p PackedModule
---@param rule SchemeRule  with every, only
---@param weights string   their encoding
---@param zeros string
---@return table  as Placed has it
function M.in_groups(p, rule, weights, zeros)
  local groups = M.count(p, rule.every)
  local function turned(tail, encodings, columns)
    return M.of(p, tail, { encodings = encodings, columns = columns, turned = true })
  end
  local placed = turned('.qweight', { I32 = weights }, p.w.inputs)
  local own = turned('.qzeros', { I32 = zeros }, groups)
  own.only = rule.only
  placed.scaled = {
    every = rule.every, zeros = own, scales = turned('.scales', M.floats, groups),
  }
  return placed
end

--- Refuses integers of a tensor that say another shape.
---@param p PackedModule
---@param tail string
function M.check_told_shape(p, tail)
  local name, tensor = tensor_of(p, tail, { I64 = 'i64', I32 = 'i32' })
  check_shape(p, name, { { 2 } })
  local told = p.number(name, tensor.dtype == 'I64' and '<i8i8' or '<i4i4')
  local shape = { p.w.whole, p.w.inputs }
  if not record.equal(told, shape) then
    refuse(p, name, 'says [%d][%d], and config.json %s', told[1], told[2],
      numbers.shape_text(shape))
  end
end

return M
