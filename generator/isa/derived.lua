--- Instruction sets that have all of another one, and more.
local record = require 'common.record'

--- The text of C of a set, in tables too, with functions that have another set's name.
local function renamed(value, from, to)
  if type(value) == 'string' then
    return (value:gsub(('(ffn_[%%w_]-)_%s%%f[^%%w_]'):format(from), '%1_' .. to))
  end
  if type(value) ~= 'table' then return value end
  local own = {}
  for _, key in ipairs(record.sorted_keys(value)) do own[key] = renamed(value[key], from, to) end
  return own
end

--- A copy of an instruction set under a name of its own.
---@param isa table
---@param name string
---@return table
return function(isa, name)
  local own = renamed(isa, isa.name, name)
  own.name = name
  return own
end
