--- Names of tensors as ways through modules, and in messages. Between the parts of a name stand
--- dots; slashes in those of Keras and JAX.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

function M.quoted(name) return '"' .. record.shown(name, 80) .. '"' end

--- Some of many names.
---@param keys string[]
---@return string
function M.some(keys)
  local shown = lists.map({ table.unpack(keys, 1, 6) }, M.quoted)
  if #keys > 6 then shown[7] = ('and %d more'):format(#keys - 6) end
  return table.concat(shown, ', ')
end

--- Whether a tensor is what a name says, or behind it: a module's name is for all in it.
---@param key string
---@param name string
function M.is_of(key, name)
  return key == name
    or key:sub(1, #name) == name and key:sub(#name + 1, #name + 1):find '^[./]' ~= nil
end

function M.is_behind(key, prefix) return key:sub(1, #prefix) == prefix end

--- The last part of a name.
function M.last(key) return key:match '[^./]+$' end

--- A name whose modules' numbers are one: model.layers.#.mlp.
function M.without_numbers(key) return (key:gsub('%.%d+%f[.]', '.#')) end

--- The modules of a name, from the outermost on.
function M.modules(key)
  local result = {}
  for at in key:gmatch '()[./]' do result[#result + 1] = key:sub(1, at - 1) end
  return result
end

--- What all names have in front of them, up to a dot; '' where they share nothing.
---@param keys string[]
---@return string
function M.shared_prefix(keys)
  local shared = keys[1]:match '^(.*[./])' or ''
  for _, key in ipairs(keys) do
    while key:sub(1, #shared) ~= shared do shared = shared:sub(1, -2):match '^(.*[./])' or '' end
  end
  return shared
end

--- What holds the module of a prefix; of an item of a list, what holds the list.
---@param prefix string  ends in a dot, or is empty
---@return string around
---@return string inside  the module, or the list
function M.around(prefix)
  local item, inside
  repeat
    inside, item = prefix, prefix:match '([^./]*)[./]$'
    prefix = prefix:match '^(.*[./])[^./]+[./]$' or ''
  until not item or not item:find '^%d+$'
  return prefix, inside
end

return M
