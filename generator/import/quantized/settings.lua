--- Keys of a quantization_config that mean something, each judged: what stands for one that is not
--- there, and which values are taken.
local harmless = require 'import.quantized.harmless'
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- The value of a key that has to be one of some; `why` says what to do where it is not.
---@param said Config
---@param key string
---@param allowed any[]
---@param default any   nil: the key has to be there
---@param why string|nil  nil: the values say it
function M.one_of(said, key, allowed, default, why)
  local value = said:get_or(key, default)
  if not lists.has(allowed, value) and not why then
    said:refuse_value(key, value, table.concat(lists.map(allowed, tostring), ' or '))
  elseif not lists.has(allowed, value) then
    local shown = value == nil and 'missing' or record.shown(
      type(value) == 'table' and 'an object' or value)
    said:refuse('%s is %s: %s', said:name(key), shown, why)
  end
  return value
end

--- Refuses a key that says anything: null, false, {} and [] do not.
---@param said Config
---@param key string
---@param why string
function M.none(said, key, why)
  local value = said:get(key)
  if value == nil or value == false or type(value) == 'table' and record.count(value) == 0 then
    return
  end
  said:refuse('%s is there: %s', said:name(key), why)
end

--- Refuses what a program's own notes say that nobody knows.
---@param said Config
---@param is_left fun(key: string): boolean
---@param method string
function M.meta(said, is_left, method)
  local meta = said:get 'meta'
  if meta == nil then return end
  if type(meta) ~= 'table' or #meta > 0 then said:refuse_value('meta', meta, 'an object') end
  said:part('meta'):check_all(harmless.meta, is_left, method)
end

--- Inputs to a scale: 0 for all of an output, which files say as -1.
---@param said Config
---@param keys string[]  of which one says it
---@param default integer|nil
---@return integer
function M.group(said, keys, default)
  local value, key = said:one(keys)
  if value == nil then value, key = default, keys[1] end
  if value == -1 then return 0 end
  if math.type(value) ~= 'integer' or value < 1 or value > 1 << 20 then
    said:refuse_value(key, value, 'the number of inputs to a scale, or -1 for all')
  end
  return value
end

--- The names in some keys, each a list of names, null or not there.
---@param said Config
---@param keys string[]
---@return string[]
function M.names(said, keys)
  local result = {}
  for _, key in ipairs(keys) do
    local list = said:get_or(key, {})
    local is_list = type(list) == 'table' and (#list > 0 or record.count(list) == 0)
    for _, name in ipairs(is_list and list or {}) do
      is_list = is_list and type(name) == 'string'
    end
    if not is_list then said:refuse_value(key, list, 'a list of names') end
    lists.append(result, list)
  end
  return result
end

--- "a scale for 128 inputs" of the number that group() gives.
---@param every integer
function M.scales(every)
  return every == 0 and 'a scale for each output' or ('a scale for %d inputs'):format(every)
end

return M
