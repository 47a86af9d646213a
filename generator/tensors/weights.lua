--- The weights of a layer from a file, as lists of numbers: safetensors, bare f32 (.bin), or the
--- same as one array of NumPy (.npy). Nothing in the file is taken on trust; what is wrong is said
--- with the file's name.
local named_tensors = require 'tensors.named_tensors'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local safetensors = require 'files.safetensors'
local unnamed_tensors = require 'tensors.unnamed_tensors'

local M = {}

local function read_safetensors(path, handle, size, tensors, options)
  return named_tensors.read(safetensors.open(path, handle, size), tensors, options)
end

--- The numbers of each tensor, row after row.
---@param path string
---@param tensors Tensor[]
---@param options WeightOptions
---@return number[][]
function M.read(path, tensors, options)
  local reader = path:match('%.safetensors$') and read_safetensors
    or path:match('%.bin$') and unnamed_tensors.read_bin
    or path:match('%.npy$') and unnamed_tensors.read_npy
  if not reader then
    problems.bad_input(path, 'vendor reads weights from .safetensors, and as f32 from .bin and '
      .. '.npy: give such a file')
  end
  return random_access.with(path, function(handle, size)
    return reader(path, handle, size, tensors, options)
  end)
end

return M
