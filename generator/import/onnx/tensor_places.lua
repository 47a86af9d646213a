--- Where the numbers of a graph lie in files, as found.lua has it.
local model_folder = require 'files.model_folder'
local random_access = require 'files.random_access'
local xxh64 = require 'files.xxh64'

local M = {}

--- Files with numbers of tensors, each once.
---@param model OnnxModel
---@param files table[]  the model's is the first
local function file_finder(model, files)
  local folder, indices = model.path:match '^(.*)/[^/]*$' or '.', {}
  return function(location)
    if not indices[location] then
      local path = model_folder.inside(folder, location, model.path)
      local bytes = random_access.with(path, function(_, size) return size end)
      files[#files + 1] = { path = path, bytes = bytes, spans = {}, xxh64 = xxh64.of '' }
      indices[location] = #files
    end
    return indices[location]
  end
end

--- Numbers by themselves.
local function plain(of, file_of)
  local tensor, bytes = of.view.tensor, of.view.tensor.bits // 8
  local external = tensor.external
  local first = external and external.offset or tensor.place.first
  return {
    tensor = of.view.value.name, file = external and file_of(external.location) or 1,
    first = first + of.first * bytes, bytes = tensor.count * bytes,
    encoding = of.encoding or tensor.type, row_bytes = of.row * bytes,
    column_bytes = of.column * bytes,
  }
end

--- What lies beside scaled numbers; rows of 0 outputs are one row for all.
---@param of ScaledNumbers
local function beside(of, file_of, outputs)
  local result = plain(of, file_of)
  result.rows = of.rows > 0 and of.rows or outputs
  return result
end

--- Who places what is strided: a matrix of so many outputs, or a vector.
---@param model OnnxModel
---@param files table[]  those with numbers are put behind the model's
---@return fun(strided: Strided, outputs: integer|nil): table
function M.placer(model, files)
  local file_of = file_finder(model, files)
  return function(of, outputs)
    local result, scaled = plain(of, file_of), of.scaled
    if scaled then
      result.encoding, result.format = scaled.encoding, scaled.format or nil
      result.scaled = {
        every = scaled.every, scales = beside(scaled.scales, file_of, outputs),
        zeros = scaled.zeros and beside(scaled.zeros, file_of, outputs) or nil,
        groups = scaled.groups and plain(scaled.groups, file_of) or nil,
      }
    end
    return result
  end
end

return M
