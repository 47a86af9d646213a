--- A model in several files, `model-00001-of-00002.safetensors` and its kin: what stands beside the
--- tensors of a layer may be in another one, and `model.safetensors.index.json` tells where.
local disk = require 'common.disk'
local limits = require 'common.limits'
local lists = require 'common.list'
local problems = require 'common.problem'
local sibling_files = require 'files.sibling_files'
local weight_map = require 'files.weight_map'

local M = {}

--- Names of tensors that are in other files of the same model.
---@param path string   of the file
---@param keys string[] in it
---@param heap Heap
---@return string[]
function M.elsewhere(path, keys, heap)
  local stem, count = path:match '^(.*)%-%d+%-of%-(%d+)%.safetensors$'
  if not stem or tonumber(count) == 1 then return {} end
  local place = stem .. '.safetensors.index.json'
  sibling_files.check(place)
  local text, reason = disk.head(place, limits.most 'index' + 1)
  if not text then
    problems.bad_input(path, 'it is one of several files of a model, and the index of all files, '
      .. '%s, cannot be read: %s; put the index there, or store the layer in a file of its '
      .. 'own', place, reason)
  end
  limits.hold(place, 'index', #text)
  heap:add(#text)
  local map = weight_map.quick(place, text, heap) or weight_map.whole(place, text, heap)
  local here = lists.set(keys)
  local others = lists.filter(map.keys, function(key) return not here[key] end)
  table.sort(others)
  return others
end

return M
