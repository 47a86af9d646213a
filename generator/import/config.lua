--- A config.json, or the part of one that tells a model of several: its keys, each asked for by
--- name and noted, so that those which nobody asked for can be judged at the end.
local disk = require 'common.disk'
local json_object = require 'files.json_object'
local keys = require 'import.keys'
local limits = require 'common.limits'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

local most = limits.most 'config'

---@class Config
---@field path string   of the file
---@field text string   all of it
---@field within string 'text_config.' of a part
---@field data table
---@field asked table<string, boolean>
local Config = {}
Config.__index = Config

local function of(path, text, within, data)
  return setmetatable({ path = path, text = text, within = within, data = data, asked = {} },
    Config)
end

--- What a text tells.
---@param path string  of its file
---@param text string
---@return Config
function M.of_text(path, text)
  local data, wrong = json_object.decode(text, 'config_depth', 'config_values')
  if not data then problems.bad_input(path, 'not a config.json: %s', wrong) end
  return of(path, text, '', data)
end

---@param path string
---@return Config
function M.open(path)
  local text, reason = disk.head(path, most + 1)
  if not text then problems.bad_input(path, 'cannot be read: %s', reason) end
  if #text > most then limits.refuse(path, 'config') end
  return M.of_text(path, text)
end

function Config:refuse(message, ...) problems.bad_input(self.path, message, ...) end

--- What helps where a file says something that no model of this kind says.
local mend = ': correct the file, or take the one that belongs to the weights'

--- Refuses the value of a key; `must` says in words what it must be, such as "a number".
---@param key string
---@param value any
---@param must string
function Config:refuse_value(key, value, must)
  self:refuse('%s is %s, and must be %s%s', self:name(key), record.described(value), must, mend)
end

--- Refuses a config that has none of these keys.
---@param list string[]
function Config:refuse_missing(list) self:refuse('it has no %s%s', self:names(list), mend) end

--- What a key says; nil where it is not there, or null.
---@param key string
function Config:get(key)
  self.asked[key] = true
  local value = self.data[key]
  if value == json_object.null then return nil end
  return value
end

--- What a key says, or what stands for one that is not there. false is something that it says.
---@param key string
---@param default any
function Config:get_or(key, default)
  local value = self:get(key)
  if value == nil then return default end
  return value
end

--- A number that a key says, or what stands for one that is not there.
---@param key string
---@param default number
---@return number
function Config:number(key, default)
  local value = self:get_or(key, default)
  if type(value) ~= 'number' or value ~= value or math.abs(value) == math.huge then
    self:refuse_value(key, value, 'a number')
  end
  return value
end

--- The first of some keys that says something: what, and which.
---@param list string[]
---@return any
---@return string|nil key
function Config:first(list)
  local found, name
  for _, key in ipairs(list) do
    local value = self:get(key)
    if value ~= nil and found == nil then found, name = value, key end
  end
  return found, name
end

--- The same of keys that mean the same: they may not disagree.
---@param list string[]
---@return any
---@return string|nil key
function Config:one(list)
  local value, name = self:first(list)
  for _, key in ipairs(list) do
    local other = self:get(key)
    if other ~= nil and not record.equal(other, value) then
      self:refuse('%s is %s and %s is %s: these must agree', self:name(name), record.shown(value),
        self:name(key), record.shown(other))
    end
  end
  return value, name
end

--- Whether there is a key, of this name or of parts: text_config.hidden_size.
---@param name string
function Config:has(name)
  local data = self.data
  for key in name:gmatch '[^.]+' do
    if type(data) ~= 'table' then return false end
    data = data[key]
  end
  return data ~= nil
end

--- How a key is named in a message.
function Config:name(key) return self.within .. key end

--- How keys of which one must be there are named.
function Config:names(list)
  return table.concat(lists.map(list, function(key) return self:name(key) end), ' or ')
end

--- A part of a config that is an object of its own.
---@param key string
---@return Config
function Config:part(key)
  local data = self:get(key)
  if type(data) ~= 'table' or #data > 0 then self:refuse('it has no %s, which says what this '
    .. 'model computes', key) end
  -- Names of parts may be a stranger's own.
  return of(self.path, self.text, record.shown(self:name(key), 400) .. '.', data)
end

--- Refuses keys that nobody asked for and that no list knows.
---@param known string[]  of the family
---@param is_left fun(key: string): boolean  what the user says is to be left out
---@param family string
function Config:check(known, is_left, family)
  self:check_all(lists.append(record.sorted_keys(keys.known), known), is_left, family)
end

--- The same where the keys of a model say nothing: those of all families are none of its own.
---@param known string[]
---@param is_left fun(key: string): boolean
---@param family string
function Config:check_all(known, is_left, family)
  local own = lists.set(known)
  for _, key in ipairs(record.sorted_keys(self.data)) do
    local is_known = self.asked[key] or own[key]
    if not is_known and not is_left(self:name(key)) then
      local word, name = keys.telling(key), record.shown(self:name(key), 400)
      self:refuse('"%s" is a key that no rule of %s knows%s: the key may change what a layer '
        .. 'computes. If not, add --leave %s', name, family,
        word and (', and its name has "%s" in it'):format(word) or '', name)
    end
  end
end

return M
