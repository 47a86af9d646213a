--- How a layer's products are summed: a word -> an arithmetic that its weights and its training
--- take, and instruction sets that have it.
local arithmetics = require 'arithmetic'
local isas = require 'isa'
local lists = require 'common.list'
local operands = require 'operand'
local record = require 'common.record'
local weights = require 'weights'

local M = {}

--- Whether weights of a format give what an arithmetic multiplies: any gives values, and some
--- bytes.
local function gives(format, arithmetic)
  if arithmetic.takes == 'value' then return true end
  return format.products and arithmetic.multiplies(format.products)
end

--- What an arithmetic multiplies, for messages.
local function taken(arithmetic)
  return ('%s of %s'):format(arithmetic.takes, operands.about(arithmetic.operand))
end

--- The names of a vocabulary whose entries some condition holds for, as a choice.
local function choice(vocabulary, holds)
  local names = lists.filter(vocabulary.names, function(name)
    return holds(vocabulary.by_name[name])
  end)
  return #names > 0 and table.concat(names, ' or ') or 'none'
end

--- The arithmetic of a layer.
---@param check Check
---@param s Spec  with its weights
---@param stages KindStage[]
---@return string
function M.of(check, s, stages)
  local path, word = { 'arithmetic' }, check:get('arithmetic', 'string', arithmetics.names[1])
  if not lists.has(arithmetics.names, word) then
    check:fail(path, 'unknown arithmetic "%s"%s', record.shown(word),
      record.suggest(word, arithmetics.names))
  end
  local arithmetic = arithmetics.by_name[word]
  for _, format in ipairs(s.weights) do
    if not gives(weights.by_name[format], arithmetic) then
      check:fail(path, 'arithmetic: %s multiplies %s, which weights in %s do not give; %s would',
        word, taken(arithmetic), format, choice(weights, function(other)
          return gives(other, arithmetic)
        end))
    end
  end
  local times_input = #lists.filter(stages, function(stage) return stage.times_input end) > 0
  if arithmetic.takes ~= 'value' and (s.optimise == 'size' or times_input) then
    check:fail(path, 'arithmetic: %s is not written %s; %s would be', word,
      s.optimise == 'size' and 'for few bytes' or 'for layers that multiply their input, too',
      choice(arithmetics, function(other) return other.takes == 'value' end))
  end
  if s.backward and not arithmetic.trains then
    check:fail(path, 'arithmetic: %s is not trained, as backward = true asks for; %s would be',
      word, choice(arithmetics, function(other) return other.trains end))
  end
  return word
end

--- The instruction sets that have an arithmetic.
---@param word string
---@return string[]
function M.isas(word)
  return lists.filter(isas.names, function(name)
    return isas.by_name[name].arithmetic[word] ~= nil
  end)
end

return M
