--- Numbers of a file of weights, and the tensors that a layer wants of it.
local problem = require 'common.problem'

local M = {}

---@class Tensor
---@field name string     for messages and maps, as in ffn_weights: gate.weight, chain[0].bias
---@field matrix string   gate, up, down, chain; a parameter is one, too
---@field stage integer   from 0
---@field part string     weight, bias, parameter
---@field has_bias boolean  whether its matrix has one
---@field shape integer[]

function M.count(shape)
  local count = 1
  for _, n in ipairs(shape) do count = count * n end
  return count
end

---@class Widths
---@field inputs integer
---@field outputs integer
---@field hidden table<integer, boolean>  those between
---@field is_deep boolean                 whether there is one between

--- What goes into a layer, what comes out, and the widths between.
---@param tensors Tensor[]
---@return Widths
function M.widths(tensors)
  local result, last = { hidden = {} }, 0
  for _, t in ipairs(tensors) do last = math.max(last, t.stage) end
  for _, t in ipairs(tensors) do
    if t.part == 'weight' then
      result.inputs = result.inputs or t.shape[2]
      if t.stage == last then result.outputs = t.shape[1] else result.hidden[t.shape[1]] = true end
    end
  end
  result.is_deep = last > 0
  return result
end

--- Numbers of little-endian f32 bytes. NaN and Inf have no place in C constants.
function M.of(path, name, bytes)
  local list = {}
  for i = 1, #bytes // 4 do
    local x = string.unpack('<f', bytes, 4 * i - 3)
    if x ~= x or math.abs(x) == math.huge then
      problem.bad_input(path, '%s: number %d is %s: only finite weights can be embedded', name, i,
        x)
    end
    list[i] = x
  end
  return list
end

--- Bytes [first, first + count) of a file.
function M.slice(handle, first, count)
  handle:seek('set', first)
  return count == 0 and '' or handle:read(count) or ''
end

function M.shape_text(shape) return '[' .. table.concat(shape, '][') .. ']' end

--- [in][out] as [out][in].
---@param list number[]
---@param shape integer[] as it shall be
---@return number[]
function M.transposed(list, shape)
  local outputs, inputs, result = shape[1], shape[2], {}
  for o = 0, outputs - 1 do
    for i = 0, inputs - 1 do result[o * inputs + i + 1] = list[i * outputs + o + 1] end
  end
  return result
end

return M
