--- An instruction set that has all that another one has, under a name of its own.
local record = require 'common.record'

local M = {}

--- A value whose C has functions of the other's name: these get the new one, in tables too.
local function renamed(value, from, to)
  if type(value) == 'string' then
    return (value:gsub('(ffn_[%w_]-)_' .. from .. '%f[^%w_]', '%1_' .. to))
  end
  if type(value) ~= 'table' then return value end
  local own = {}
  for _, key in ipairs(record.sorted_keys(value)) do own[key] = renamed(value[key], from, to) end
  return own
end

--- All of an instruction set's text, with functions of another name.
---@param isa table  as its file says it
---@param name string
---@return table
function M.of(isa, name)
  local own = renamed(isa, isa.name, name)
  own.name = name
  return own
end

return M
