--- A model in several files, `model-00001-of-00002.safetensors` and its kin: what stands beside the
--- tensors of a layer may be in another one, and `model.safetensors.index.json` tells where.
local disk = require 'common.disk'
local json_object = require 'files.json_object'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

local max_index, index_depth = 16 << 20, 127

--- Names of tensors that are in other files of the same model.
---@param path string   of the file
---@param keys string[] in it
---@return string[]
function M.elsewhere(path, keys)
  local stem, count = path:match '^(.*)%-%d+%-of%-(%d+)%.safetensors$'
  if not stem or tonumber(count) == 1 then return {} end
  local place = stem .. '.safetensors.index.json'
  local text, reason = disk.head(place, max_index + 1)
  if not text then
    problems.bad_input(path, 'it is one of several files of a model, and %s, which tells what the '
      .. 'others hold, cannot be read: %s; put it there, or store the layer alone', place, reason)
  end
  local index = #text <= max_index and json_object.decode(text, index_depth)
  local map = index and index.weight_map
  if type(map) ~= 'table' then
    problems.bad_input(place, 'no index of tensors: it has no weight_map')
  end
  local here = lists.set(keys)
  return lists.filter(record.sorted_keys(map), function(key)
    return type(key) == 'string' and not here[key]
  end)
end

return M
