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

--- What stands in front of the last part of a name, with its dot or slash, and that part. Patterns
--- that are sought at every place of a name take quadratic time: so all begin at its begin here, or
--- what stands at its end is looked for from there.
---@return string before
---@return string last
function M.split(key)
  local before, last = key:match '^(.*[./])([^./]*)$'
  if before then return before, last end
  return '', key
end

--- The last part of a name; nil where it ends in a dot.
function M.last(key)
  local _, last = M.split(key)
  return last ~= '' and last or nil
end

--- The name of the module whose weight a tensor is: its last part; nil of any other tensor.
function M.module_of_weight(key)
  if key:sub(-7) ~= '.weight' then return nil end
  local module = key:sub(1, -8):match '^.*%.([^.]+)$' or key:sub(1, -8)
  return module ~= '' and module:sub(-1) ~= '.' and module or nil
end

--- What stands in front of a numbered module, and the digits of its number: of fc7.weight, say.
---@param word string  in front of the number
---@param tail string  behind it, the name's end
---@return string|nil prefix  in front of the word
---@return string|nil number
function M.numbered(key, word, tail)
  local stop = #key - #tail
  if key:sub(stop + 1) ~= tail then return nil end
  local at = stop
  while key:find('^%d', at) and at > 0 do at = at - 1 end
  if at == stop or key:sub(at - #word + 1, at) ~= word then return nil end
  return key:sub(1, at - #word), key:sub(at + 1, stop)
end

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
    inside, item = prefix, nil
    if prefix:find '^.*[./]$' then
      prefix, item = M.split(prefix:sub(1, -2))
      if item == '' then prefix = '' end
    else
      prefix = ''
    end
  until not item or not item:find '^%d+$'
  return prefix, inside
end

return M
