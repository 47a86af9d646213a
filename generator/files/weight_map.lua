--- The index of a model in several safetensors files: which file has which tensor. As nearly all
--- are written, the map behind the metadata, without escapes, it is read at once; anything else is
--- json_object.lua's, which takes longer and whose word is the same.
local json_object = require 'files.json_object'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

local max_depth = 127
local match = string.match

--- Space of JSON, and what stands between it.
local function spaced(form) return (form:gsub('~', '[ \t\n\r]*')) end

local map_form = spaced '^~{~"metadata"~:~()%b{}()~,~"weight_map"~:~{()'
local entry_form = spaced '^~"([^"\\%c]+)"~:~"([^"\\%c]+)"~()([,}])'
local end_form = spaced '^~}~$'

---@class WeightMap
---@field keys string[]              names of tensors, in a fixed order
---@field file_of table<string, any> by name; names of files, if they are texts

--- The map, or nil where it is not written so.
---@param text string
---@return WeightMap|nil
function M.quick(text)
  local from, to, at = match(text, map_form)
  if not at or not utf8.len(text) or not json_object.decode(text:sub(from, to - 1), max_depth) then
    return nil
  end
  local keys, file_of, mark = {}, {}, ','
  while mark == ',' do
    local name, file, place
    name, file, place, mark = match(text, entry_form, at)
    if not name or file_of[name] then return nil end
    keys[#keys + 1], file_of[name], at = name, file, place + 1
  end
  return match(text, end_form, at) and { keys = keys, file_of = file_of } or nil
end

--- The same of an index that may be written in any way.
---@param path string for messages
---@param text string
---@return WeightMap
function M.whole(path, text)
  local index, wrong = json_object.decode(text, max_depth)
  if not index then problems.bad_input(path, 'no index of tensors: %s', wrong) end
  local map = index.weight_map
  if type(map) ~= 'table' or #map > 0 then
    problems.bad_input(path, 'no index of tensors: it has no weight_map')
  end
  return { keys = record.sorted_keys(map), file_of = map }
end

return M
