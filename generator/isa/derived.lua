--- Instruction sets that have all of another one, and more.
local record = require 'common.record'

--- The functions of a set's helpers whose names are not the set's, each with the new one's behind.
---@return table<string, string>
local function functions_of(helpers, to)
  local names = {}
  for name in helpers:gmatch 'FFN_%u+ [%w_]+ (ffn_[%w_]+)%(' do names[name] = name .. '_' .. to end
  return names
end

--- The text of C of a set, in tables too, with functions of another set's name.
local function renamed(value, from, to, functions)
  if type(value) == 'string' then
    return (value:gsub(('(ffn_[%%w_]-)_%s%%f[^%%w_]'):format(from), '%1_' .. to)
      :gsub('ffn_[%w_]+', functions))
  end
  if type(value) ~= 'table' then return value end
  local own = {}
  for _, key in ipairs(record.sorted_keys(value)) do
    own[key] = renamed(value[key], from, to, functions)
  end
  return own
end

--- A copy of an instruction set under a name of its own.
---@param isa table
---@param name string
---@return table
return function(isa, name)
  local own = renamed(isa, isa.name, name, functions_of(isa.helpers, name))
  own.name = name
  return own
end
