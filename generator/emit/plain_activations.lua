--- Activations as functions of one float, in words of portable C that runtime/reference_s8.c has of
--- its own: what it computes behind exact sums, with the bits of kernels.
local activation_text = require 'emit.activation'
local isas = require 'isa'
local lists = require 'common.list'
local prefixes = require 'common.prefix'

local M = {}

--- What the names of these words and functions begin with.
local function plain(prefix) return prefix .. '_reference' end

local function name_of(a, prefix) return ('%s_act_%s'):format(plain(prefix), a.name) end

--- Those that stages apply behind sums of integers, each once; what returns its argument is none.
---@param stages Stage[]
---@return Activation[]
function M.used(stages)
  local list, seen = {}, { identity = true }
  for _, stage in ipairs(stages) do
    local a = stage.forward.activation
    if stage.arithmetic.bound == 'bytes' and not seen[a.name] then
      seen[a.name], list[#list + 1] = true, a
    end
  end
  return list
end

--- Their functions, one after the other.
---@param used Activation[]
---@param prefix string
---@return string
function M.functions(used, prefix)
  local own = plain(prefix)
  local isa = prefixes.isa(isas.by_name.c, own)
  return table.concat(lists.map(used, function(a)
    return activation_text.value(isa, own, a, name_of(a, prefix))
  end), '\n')
end

--- The call of one, of x, up and parameters.
---@param a Activation
---@param prefix string
---@return string
function M.call(a, prefix)
  local arguments = { 'x', a.both and 'up' or nil }
  for i in ipairs(a.parameters) do
    arguments[#arguments + 1] = ('parameters[%d]'):format(i - 1)
  end
  return ('%s(%s)'):format(name_of(a, prefix), table.concat(arguments, ', '))
end

return M
