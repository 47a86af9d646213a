--- Names in English.
local activations = require 'activation'
local cpus = require 'cpu'
local kinds = require 'kind'
local name_grammar = require 'lower.name'
local numbers = require 'common.number'
local parts_of = require 'lower.name_parts'

local M = {}

--- The most tokens of a call, in English.
---@param max_tokens integer
function M.limit(max_tokens)
  return max_tokens == 1 and 'one token a call' or ('at most %d tokens a call'):format(max_tokens)
end

--- An activation with its fixed parameters, in English.
local function described(known, name, parameters)
  local parts = {}
  for i, parameter in ipairs(parameters and parts_of.parameters_of(known, name) or {}) do
    parts[i] = ('%s %.9g'):format(parameter, parameters[i])
  end
  return #parts > 0 and ('%s with %s'):format(name, table.concat(parts, ' and ')) or name
end

--- What a name says, in English.
---@param l table  as name.decode() gives it
---@param known table  the vocabulary of activations
function M.reading(l, known)
  local parts = { kinds.by_name[l.kind].english(l, function(name, parameters)
    return described(known, name, parameters)
  end) }
  parts[#parts + 1] = l.bias and 'with biases' or 'no bias'
  for _, place in ipairs(l.dropout and parts_of.dropout_places or {}) do
    if l.dropout[place] > 0 then
      parts[#parts + 1] = ('dropout %s of its %s'):format(numbers.shortest(l.dropout[place]), place)
    end
  end
  parts[#parts + 1] = table.concat(l.formats, ' and ')
  if #l.arithmetics > 0 then parts[#parts + 1] = table.concat(l.arithmetics, ' and ') end
  if l.isa then parts[#parts + 1] = 'for ' .. l.isa end
  if l.optimise then parts[#parts + 1] = 'written for few bytes' end
  if l.max_tokens then parts[#parts + 1] = M.limit(l.max_tokens) end
  if l.cpu then parts[#parts + 1] = 'on ' .. cpus.by_name[l.cpu].about end
  return table.concat(parts, ', ')
end

--- A name in English.
---@param name string
---@param known table|nil the vocabulary of activations; nil: the project's
function M.describe(name, known)
  known = known or activations
  local l = name_grammar.decode(name, known)
  return l and M.reading(l, known)
end

--- A layer in English: without its instruction sets, with the most tokens of a call.
---@param l Layer
function M.describe_layer(l)
  local text = M.describe(l.name, l.activations)
  return l.max_tokens > 0 and text .. ', ' .. M.limit(l.max_tokens) or text
end

return M
