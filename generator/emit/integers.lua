--- What the references of sums of integers include: weights of formats as integers, and activations
--- as functions of one float, in words of portable C that runtime/reference_s8.c has of its own.
local activation_text = require 'emit.activation'
local arithmetics = require 'arithmetic'
local decoders = require 'emit.decoders'
local isas = require 'isa'
local lists = require 'common.list'
local prefixes = require 'common.prefix'
local texts = require 'common.text'
local weights = require 'weights'

local M = {}

--- What the names of these words and functions begin with.
local function of_reference(prefix) return prefix .. '_reference' end

local function name_of(a, prefix) return ('%s_act_%s'):format(of_reference(prefix), a.name) end

--- The formats whose weights an arithmetic sums as integers.
---@return string[]
local function formats()
  local sums = lists.filter(arithmetics.names, function(name)
    return arithmetics.by_name[name].bound == 'bytes'
  end)
  return lists.filter(weights.names, function(name)
    local format = weights.by_name[name]
    return format.source and format.products and #lists.filter(sums, function(sum)
      return arithmetics.by_name[sum].multiplies(format.products)
    end) > 0
  end)
end

--- The activations that stages apply to sums of integers, each once; what returns its argument is
--- none.
---@param stages Stage[]
---@return Activation[]
function M.activations(stages)
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
  local own = of_reference(prefix)
  local isa = prefixes.isa(isas.by_name.c, own)
  return texts.fold(table.concat(lists.map(used, function(a)
    return activation_text.value(isa, own, a, name_of(a, prefix))
  end), '\n'), 100)
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

--- integers.inc: what weights of formats are as integers, in C.
---@param root string
---@param made string  that ffngen made it
function M.integers_inc(root, made)
  local names = formats()
  return table.concat({
    ('/* %s'):format(made),
    ' *',
    ' * FFN_SOURCE_INTEGERS(NAME, name): the formats. FFN_REFERENCE_FUNCTIONS: their functions. */',
    '#ifdef FFN_REFERENCE_FUNCTIONS',
    decoders.integers(root, names, prefixes.default) .. '#endif',
    '#ifdef FFN_SOURCE_INTEGERS',
    table.concat(lists.map(names, function(name)
      return ('FFN_SOURCE_INTEGERS(%s, %s)\n'):format(name:upper(), name)
    end)) .. '#endif',
  }, '\n') .. '\n'
end

--- activations_f32.inc: those behind sums of integers, in f32.
---@param used Activation[]
---@param made string
function M.activations_inc(used, made)
  return table.concat({
    ('/* %s'):format(made),
    ' *',
    ' * FFN_REFERENCE_ACTIVATION(NAME, value): the activation of x (and up, and parameters), as',
    ' * kernels compute it in f32 behind sums of integers. FFN_REFERENCE_FUNCTIONS: the functions',
    ' * of these. */',
    '#ifdef FFN_REFERENCE_FUNCTIONS',
    M.functions(used, prefixes.default) .. '#endif',
    '#ifdef FFN_REFERENCE_ACTIVATION',
    table.concat(lists.map(used, function(a)
      return texts.fold(('FFN_REFERENCE_ACTIVATION(%s, %s)\n'):format(a.name:upper(),
        M.call(a, prefixes.default)), 100)
    end)) .. '#endif',
  }, '\n') .. '\n'
end

return M
