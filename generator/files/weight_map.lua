--- The index of a model in several safetensors files: which file has which tensor. As nearly all
--- are written, the map behind the metadata, without escapes, it is read at once; anything else is
--- json_object.lua's, which takes longer and whose word is the same.
local json_object = require 'files.json_object'
local limits = require 'common.limits'
local problems = require 'common.problem'
local record = require 'common.record'
local tensor_name = require 'files.tensor_name'

local M = {}

local match = string.match

local no_name = {} -- what is no text

--- Space of JSON, and what stands between it.
local function spaced(form) return (form:gsub('~', '[ \t\n\r]*')) end

local map_form = spaced '^~{~"metadata"~:~()%b{}()~,~"weight_map"~:~{()'
local entry_form = spaced '^~"([^"\\%c]+)"~:~"([^"\\%c]+)"~()([,}])'
local end_form = spaced '^~}~$'

---@class WeightMap
---@field keys string[]              names of tensors, in a fixed order
---@field file_of table<string, any> by name; names of files, if they are texts

--- The map, or nil where it is not written so.
---@param path string for messages
---@param text string
---@param heap Heap
---@return WeightMap|nil
function M.quick(path, text, heap)
  local from, to, at = match(text, map_form)
  if not at or not utf8.len(text)
    or not json_object.decode(text:sub(from, to - 1), 'header_depth', 'metadata') then
    return nil
  end
  local keys, file_of, mark = {}, {}, ','
  while mark == ',' do
    local name, file, place
    name, file, place, mark = match(text, entry_form, at)
    if not name or file_of[name] then return nil end
    tensor_name.add(path, keys, name, heap)
    file_of[name], at = file, place + 1
  end
  return match(text, end_form, at) and { keys = keys, file_of = file_of } or nil
end

--- The same of an index that may be written in any way.
---@param path string for messages
---@param text string
---@param heap Heap
---@return WeightMap
function M.whole(path, text, heap)
  local keys, file_of, seen = {}, {}, {}
  local function member(name, reader)
    if file_of[name] ~= nil then
      problems.bad_input(path, 'not an index of tensors: "%s" occurs twice', record.shown(name))
    end
    tensor_name.add(path, keys, name, heap)
    local file = reader:item 'metadata'
    file_of[name] = type(file) == 'table' and no_name or file
  end
  local is_map, count = false, 0
  local ok, wrong = json_object.walk(text, 'header_depth', function(key, reader)
    if seen[key] then
      problems.bad_input(path, 'not an index of tensors: "%s" occurs twice', record.shown(key))
    end
    seen[key], count = true, count + 1
    limits.hold(path, 'metadata', count)
    if key == 'weight_map' and reader:members(member) then
      is_map = true
    else
      reader:item 'metadata'
    end
  end)
  if not ok then problems.bad_input(path, 'not an index of tensors: %s', wrong) end
  if not is_map then
    problems.bad_input(path, 'not an index of tensors: it has no weight_map: take the index that '
      .. 'belongs to the weights')
  end
  table.sort(keys)
  return { keys = keys, file_of = file_of }
end

return M
