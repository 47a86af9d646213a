--- The weights of a layer from a file, as lists of numbers: safetensors, bare f32 (.bin), or the
--- same as one array of NumPy (.npy). Nothing in the file is taken on trust; what is wrong is said
--- with the file's name.
local disk = require 'common.disk'
local named_tensors = require 'tensors.named_tensors'
local operand_scale = require 'tensors.operand_scale'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local safetensors = require 'files.safetensors'
local shell = require 'common.shell'
local unnamed_tensors = require 'tensors.unnamed_tensors'

local M = {}

local function read_safetensors(path, handle, size, tensors, options)
  return named_tensors.read(safetensors.open(path, handle, size), tensors, options)
end

--- The commands that make packed weights of a model, false where a file is none.
local function packing(path)
  local folder = path:match '^(.-)[^/]*%.json$'
  if folder then
    return ('ffn-pack %s, then --weights %s'):format(shell.quoted(path),
      shell.quoted(folder .. 'model.ffn'))
  end
  if not (path:match '%.gguf$' or path:match '%.onnx$') and not disk.is_folder(path) then
    return false
  end
  return ('ffngen import %s --out imported/, then ffn-pack imported/PLAN.json, then --weights '
    .. 'imported/model.ffn'):format(shell.quoted(path))
end

local function reader_of(path)
  return path:match('%.safetensors$') and read_safetensors
    or path:match('%.bin$') and unnamed_tensors.read_bin
    or path:match('%.npy$') and unnamed_tensors.read_npy
end

--- Refuses a file of a name that is not read here.
---@param path string
function M.check_name(path)
  if reader_of(path) then return end
  local commands = packing(path)
  if commands then problems.bad_input(path, 'vendor takes packed weights of it: %s', commands) end
  problems.bad_input(path, 'vendor reads weights from .ffn of ffn-pack, from .safetensors, and as '
    .. 'f32 from .bin and .npy: give such a file')
end

--- The numbers of each tensor, row after row.
---@param path string  of a name that is read
---@param tensors Tensor[]
---@param options WeightOptions
---@return number[][]
function M.read(path, tensors, options)
  local values = random_access.with(path, function(handle, size)
    return reader_of(path)(path, handle, size, tensors, options)
  end)
  operand_scale.check(path, tensors, values)
  return values
end

return M
