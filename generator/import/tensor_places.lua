--- Where the numbers of a plain tensor of a safetensors file lie: rows of a matrix in either order,
--- a part of fused ones.
local number_types = require 'import.number_types'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- The tensor, its encoding, and the bytes of a number.
local function plain(model, key)
  local stored = model.stored[key]
  local encoding = number_types.of_type[stored.dtype]
  if not encoding then
    problems.bad_input(model.files[stored.file].path, '%s is %s: numbers must be F64, F32, F16 or '
      .. 'BF16', paths.quoted(key), record.shown(stored.dtype))
  end
  return stored, encoding, number_types.bytes[encoding]
end

--- A matrix, or one of several parts of its outputs, one above the other.
---@param model ModelFolder
---@param key string
---@param order string    out-in: [out][in]; in-out: [in][out]
---@param part integer|nil   from 0
---@param parts integer|nil
---@return Placed
function M.matrix(model, key, order, part, parts)
  local stored, encoding, bytes = plain(model, key)
  local shape = model.shapes[key]
  if #shape ~= 2 then
    problems.bad_input(model.files[stored.file].path, '%s has %d dimensions, and a matrix has 2',
      paths.quoted(key), #shape)
  end
  part, parts = part or 0, parts or 1
  local row, column = shape[2] * bytes, bytes
  if order == 'in-out' then row, column = bytes, shape[2] * bytes end
  local outputs = order == 'in-out' and shape[2] or shape[1]
  return {
    tensor = key, file = stored.file, first = stored.first + part * (outputs // parts) * row,
    bytes = stored.bytes, encoding = encoding, row_bytes = row, column_bytes = column,
    scaled = false, format = false,
  }
end

--- A vector of so many numbers, or one of several parts of it.
---@param model ModelFolder
---@param key string
---@param count integer
---@param part integer|nil   from 0
---@param parts integer|nil
---@return Placed
function M.vector(model, key, count, part, parts)
  local stored, encoding, bytes = plain(model, key)
  local shape = model.shapes[key]
  if #shape ~= 1 or shape[1] ~= count then
    problems.bad_input(model.files[stored.file].path, '%s is [%s], and the bias of %d outputs '
      .. 'must be [%d]', paths.quoted(key), table.concat(shape, ']['), count, count)
  end
  part, parts = part or 0, parts or 1
  return {
    tensor = key, file = stored.file, first = stored.first + part * (count // parts) * bytes,
    bytes = stored.bytes, encoding = encoding, row_bytes = 0, column_bytes = bytes,
    scaled = false, format = false,
  }
end

return M
