--- What import finds in an ONNX file, computed in plain Lua from the bytes that it points at.
local activations = require 'activation'
local disk = require 'common.disk'
local found_records = require 'import.found'
local number = require 'activation.graph.number'
local numbers = require 'common.number'
local onnx_reader = require 'import.readers.onnx'
local problems = require 'common.problem'
local trace = require 'activation.graph.trace'

local M = {}

--- Layers of a file.
---@return Found
function M.read(path, options) return found_records.of(onnx_reader.read(path, options or {})) end

local function half(bits)
  local exponent, fraction = bits >> 10 & 31, bits & 1023
  local size = exponent == 0 and fraction * 2.0 ^ -24 or (1024 + fraction) * 2.0 ^ (exponent - 25)
  return bits >> 15 == 1 and -size or size
end

local numbers_of = {
  f32 = function(text, at) return (string.unpack('<f', text, at)) end,
  f64 = function(text, at) return (string.unpack('<d', text, at)) end,
  f16 = function(text, at) return half((string.unpack('<I2', text, at))) end,
  bf16 = function(text, at)
    return (string.unpack('<f', string.pack('<I4', string.unpack('<I2', text, at) << 16)))
  end,
}

--- Bytes, and nibbles of two neighbours.
local integers_of = {
  i8 = function(text, at) return (string.unpack('<i1', text, at + 1)) end,
  u8 = function(text, at) return text:byte(at + 1) end,
  u4_in2 = function(text, at, i) return text:byte(at + 1) >> i % 2 * 4 & 15 end,
  i32 = function(text, at) return (string.unpack('<i4', text, at + 1)) end,
}

--- Number (o, i) of what is placed; of scaled numbers as scale * (q - zero) is, in f32.
local reader
function reader(files, placed)
  local text, read = files[placed.file], numbers_of[placed.encoding]
  if not read then
    local integer, scaled = integers_of[placed.encoding], rawget(placed, 'scaled')
    local own = placed.encoding == 'u4_in2' and 2 or 1
    local function value(o, i)
      return integer(text, placed.first + o * placed.row_bytes + i // own * placed.column_bytes, i)
    end
    if not scaled then return value end
    local scale, zero = reader(files, scaled.scales), scaled.zeros and reader(files, scaled.zeros)
    return function(o, i)
      local g = scaled.every > 0 and i // scaled.every or 0
      local without = own == 2 and 8 or 0
      if zero then without = zero(o // scaled.zeros.rows, g) + scaled.zeros.add end
      if scaled.groups then assert(reader(files, scaled.groups)(0, i) == g) end
      return numbers.to_f32((value(o, i) - without) * scale(o // scaled.scales.rows, g))
    end
  end
  return function(o, i)
    return read(text, placed.first + o * placed.row_bytes + i * placed.column_bytes + 1)
  end
end

--- Number (0, o) of a vector; scales and zeros of a bias lie as those of a matrix of one input.
local function vector(files, placed)
  local scaled = rawget(placed, 'scaled')
  if not scaled then return reader(files, placed) end
  local of_one = { encoding = placed.encoding, file = placed.file, first = placed.first,
    row_bytes = placed.column_bytes, column_bytes = 0, scaled = scaled }
  local read = reader(files, of_one)
  return function(_, o) return read(o, 0) end
end

--- An activation's definition.
local function defined(activation)
  local result = activation.result or trace.graph(activation.textbook[1]).result
  local value_of = number.evaluator(result)
  return function(x, up, parameter)
    return value_of(function(leaf)
      if leaf.op == 'constant' then return leaf.value end
      if leaf.op == 'parameter' then return parameter end
      return leaf.name == 'x' and x or up
    end)
  end
end

--- What a layer names: a function of gate and up, or of x alone.
local function function_of(layer, name, fields)
  for _, own in ipairs(layer.activations) do
    local f = assert(load('return ' .. own.text, 'own', 't', trace.scope()))()
    if name == own.name then return f end
    if name == own.name .. '_glu' then return function(gate, up) return f(gate) * up end end
  end
  local variant = activations.by_variant[name]
    or { activation = activations.by_name[name], gated = false }
  local f, parameter = defined(variant.activation), fields.beta
  for _, v in pairs(fields.parameters or {}) do parameter = v end
  if variant.gated and not variant.activation.both then
    return function(gate, up) return f(gate, 0.0, parameter) * up end
  end
  return function(gate, up) return f(gate, up, parameter) end
end

--- What a product multiplies: as bytes are that have a scale, where the model says one.
local function operand(x, scale)
  local rounded = {}
  for i, v in ipairs(x) do
    local q = scale and math.max(-127.0, math.min(127.0, numbers.to_f32(numbers.to_f32(v) / scale)))
    rounded[i] = q and (q + 0x1.8p52 - 0x1.8p52) * scale or v
  end
  return rounded
end

local function product(files, matrix, x)
  local weight, y = reader(files, matrix.weight), {}
  x = operand(x, rawget(matrix, 'operand_scale'))
  local bias, norm = matrix.bias and vector(files, matrix.bias), rawget(matrix, 'affine')
  for o = 0, matrix.outputs - 1 do
    local sum = bias and bias(0, o) or 0.0
    for i = 0, matrix.inputs - 1 do sum = sum + weight(o, i) * x[i + 1] end
    if norm then
      local function at(name) return reader(files, norm[name])(0, o) end
      sum = (sum - at 'mean') / math.sqrt(at 'variance' + norm.epsilon) * at 'gamma' + at 'beta'
    end
    y[o + 1] = sum
  end
  return y
end

local function applied(f, gate, up)
  local y = {}
  for i, g in ipairs(gate) do y[i] = f(g, up and up[i]) end
  return y
end

local varint_formats = { i8 = '<i1', u8 = '<I1', f16 = '<I2', bf16 = '<I2', i32 = '<i4' }

--- The numbers that varints of a text are, one behind the other.
local function decoded(text, varints)
  local numbers_text, at = {}, varints.first + 1
  while at <= varints.first + varints.bytes do
    local value, shift, is_last = 0, 0, false
    while not is_last do
      local byte = text:byte(at)
      value, at, shift, is_last = value | (byte & 127) << shift, at + 1, shift + 7, byte < 128
    end
    value = ((value & 0xffffffff) ~ 0x80000000) - 0x80000000
    numbers_text[#numbers_text + 1] = string.pack(varint_formats[varints.type], value)
  end
  return table.concat(numbers_text)
end

--- The bytes of all files.
local function texts_of(all)
  local files = {}
  for i, file in ipairs(all.files) do
    local text = disk.read(file.path)
    files[i] = file.varints and decoded(text, file.varints) or text
  end
  return files
end

--- A layer of one row of x.
function M.evaluate(all, layer, x)
  local files, f, by_role = texts_of(all), layer.fields, {}
  for _, m in ipairs(layer.matrices) do by_role[m.role .. m.at] = m end
  if layer.kind == 'mlp' then
    for i, width in ipairs(f.layers) do
      x = product(files, by_role['chain' .. i - 1], x)
      if width[2] then x = applied(function_of(layer, width[2], width), x) end
    end
    return x
  elseif layer.kind == 'linear' then
    return product(files, by_role.chain0, x)
  elseif layer.kind == 'selfgate' then
    local h = applied(function_of(layer, f.activation, f), product(files, by_role.gate0, x))
    return applied(function(a, b) return a * b end, h, x)
  end
  local gate = by_role.gate0 and product(files, by_role.gate0, x)
  local up = product(files, by_role.up0, x)
  local h = applied(function_of(layer, f.variant, f), gate or up, gate and up)
  return layer.kind == 'glu' and h or product(files, by_role.down0, h)
end

--- The folder of a package of Python; where it is not installed the test is skipped.
function M.package(name)
  local support, unit = require 'support', require 'luaunit'
  local folder = support.capture(([[python3 -c 'import importlib.util as u; s = u.find_spec("%s");
print(s.submodule_search_locations[0] if s else "")' 2>/dev/null]]):format(name))
  if folder == '' then unit.skip(name .. ' is not installed') end
  return folder
end

--- Why a model is refused, as bad input.
---@return string
function M.refusal(writer, of, options)
  local unit = require 'luaunit'
  local ok, problem = pcall(M.of, writer, of, options)
  unit.assertFalse(ok, 'it is taken')
  unit.assertTrue(problems.is(problem), tostring(problem))
  unit.assertEquals(problem.code, 4)
  return problem.text
end

--- A file with a model, and what import finds in it.
---@param writer table  as support/onnx_writer.lua
---@param of table      of writer.model()
function M.of(writer, of, options)
  local support = require 'support'
  local path = support.folder() .. '/m.onnx'
  support.write(path, writer.model(of))
  return M.read(path, options)
end

return M
