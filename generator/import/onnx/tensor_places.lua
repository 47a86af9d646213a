--- Where the numbers of a graph lie in files, as found.lua has it.
local model_folder = require 'files.model_folder'
local numbers = require 'files.numbers'
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

--- Tensors that the model's file has as varints: of each, what ffn-pack decodes is a file.
---@param model OnnxModel
---@param files table[]  the model's is the first
local function decoder(model, files)
  local indices = {}
  return function(tensor)
    if not indices[tensor] then
      files[#files + 1] = {
        path = model.path, bytes = tensor.count * tensor.bits // 8, spans = {},
        xxh64 = xxh64.of '', varints = { file = 1, first = tensor.varints.first,
          bytes = tensor.varints.bytes, type = tensor.type },
      }
      indices[tensor] = #files
    end
    return indices[tensor]
  end
end

--- The file that has the numbers of a tensor, and where in it they begin.
local function start_of(tensor, file_of)
  local external = tensor.external
  if external then return file_of.location(external.location), external.offset end
  if tensor.varints then return file_of.varints(tensor), 0 end
  return 1, tensor.place.first
end

--- Numbers by themselves.
local function plain(of, file_of)
  local tensor, bytes = of.view.tensor, of.view.tensor.bits // 8
  local file, first = start_of(tensor, file_of)
  return {
    tensor = of.view.value.name, file = file,
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
  local file_of = { location = file_finder(model, files), varints = decoder(model, files) }
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

local bytes_of = {
  f32 = function(text, at) return (string.unpack('<f', text, at)) end,
  f16 = function(text, at) return numbers.of_f16((string.unpack('<I2', text, at))) end,
  bf16 = function(text, at) return numbers.of_bf16((string.unpack('<I2', text, at))) end,
}

local most_read = 1 << 20 -- outputs of a layer have fewer

--- Who reads all numbers of a tensor of floats: nil where the model's file does not have them as
--- they are, or where they are too many.
---@param model OnnxModel
---@return fun(tensor: OnnxTensor): number[]|nil
function M.reader(model)
  local known = {}
  return function(tensor)
    if tensor.numbers then return tensor.numbers end
    local number = bytes_of[tensor.type]
    if not tensor.place or not number or tensor.count > most_read then return nil end
    if not known[tensor] then
      local list, bytes = {}, tensor.bits // 8
      local text = random_access.with(model.path, function(handle)
        return random_access.slice(handle, tensor.place.first, tensor.place.bytes)
      end)
      for i = 1, tensor.count do list[i] = number(text, (i - 1) * bytes + 1) end
      known[tensor] = list
    end
    return known[tensor]
  end
end

return M
