--- Parts of names, written and read: numbers, activations with their parameters, dropout.
local arithmetics = require 'arithmetic'
local lists = require 'common.list'
local numbers = require 'common.number'
local weights = require 'weights'

local M = {}

local function encode_number(number)
  return (numbers.shortest(number):gsub('%.', 'p')
    :gsub('%-', 'm'):gsub('%+', ''))
end

local function decode_number(text)
  local number = tonumber((text:gsub('p', '.'):gsub('m', '-')))
  local single = number and numbers.to_f32(number)
  return single and math.abs(single) < math.huge and single or nil
end

--- A variant with its fixed parameters: swish_beta1p5, swiglu_beta1p5, xielu_alpha_p0p8_alpha_n0p4.
--- Run-time parameters add nothing.
local function encode_activation(name, parameters, names)
  if type(parameters) ~= 'table' then return name end
  for i, number in ipairs(parameters) do
    -- swiglu_beta says the name of its parameter itself.
    if i > 1 or not name:match('_' .. names[i] .. '$') then name = name .. '_' .. names[i] end
    name = name .. encode_number(number)
  end
  return name
end

--- The names of an activation's parameters.
function M.parameters_of(known, name)
  local variant = known.by_variant[name]
  return variant and variant.activation.parameters or {}
end

--- The fixed parameters that stand behind a name, or nil.
local function decode_parameters(text, name, names)
  local parameters, at = {}, #name + 1
  for i, parameter in ipairs(names) do
    local says_it = i == 1 and name:match('_' .. parameter .. '$')
    local head = says_it and '' or '_' .. parameter
    if text:sub(at, at + #head - 1) ~= head then return nil end
    local number = text:match('^m?%d[%dpem]*', at + #head)
    parameters[i] = number and number:match('%d$') and decode_number(number)
    if not parameters[i] then return nil end
    at = at + #head + #number
  end
  return at > #text and parameters or nil
end

---@class NamedActivation
---@field name string
---@field parameters number[]|nil  fixed ones

--- All that a text may say: a variant or an activation by its name, or by its name and its fixed
--- parameters.
---@param list string[] names to choose from
---@return NamedActivation[]
local function activations_of(text, known, list)
  local readings = {}
  for _, name in ipairs(list) do
    local parameters = M.parameters_of(known, name)
    if text == name then
      readings[#readings + 1] = { name = name }
    elseif #parameters > 0 and text:sub(1, #name) == name then
      local values = decode_parameters(text, name, parameters)
      if values and encode_activation(name, values, parameters) == text then
        readings[#readings + 1] = { name = name, parameters = values }
      end
    end
  end
  return readings
end

--- What kinds are handed for names.
---@param known table  the vocabulary of activations
---@return NameWords
function M.words(known)
  return {
    known = known,
    said = function(name, parameters)
      return encode_activation(name, parameters, M.parameters_of(known, name))
    end,
    readings = function(text, names) return activations_of(text, known, names) end,
  }
end

--- The word of a format in names: its own, without what would make it those of two others.
---@param name string
---@return string
local function word_of(name)
  for left, right in name:gmatch '()_()' do
    local both = { name:sub(1, left - 1), name:sub(right) }
    if lists.has(weights.names, both[1]) and lists.has(weights.names, both[2]) then
      return table.concat(both)
    end
  end
  return name
end

--- The words of all formats in their order, and the format of each. Names are read thousands of
--- times, so the words are kept until the vocabulary is another, as tests make it.
local kept = {}
local function vocabulary()
  local key = #weights.names .. weights.names[#weights.names]
  if kept.key ~= key then
    kept = { key = key, words = lists.map(weights.names, word_of), name_of = {} }
    for i, word in ipairs(kept.words) do kept.name_of[word] = weights.names[i] end
  end
  return kept
end

--- The words of all formats, in their order.
---@return string[]
function M.format_words() return vocabulary().words end

--- Those of some.
---@param formats string[]
---@return string[]
function M.words_of(formats) return lists.map(formats, word_of) end

--- The formats of some words.
---@param words string[]
---@return string[]
function M.formats_of(words)
  local name_of = vocabulary().name_of
  return lists.map(words, function(word) return name_of[word] end)
end

--- The words of stages: one where all have one.
---@param words string[]  of each stage, or one of all
---@return string[]
function M.of_stages(words) return #lists.unique(words) == 1 and { words[1] } or words end

--- The arithmetics of stages: none where all are the rule.
---@param words string[]
---@return string[]
function M.arithmetics_of(words)
  local said = M.of_stages(words)
  return #said == 1 and said[1] == arithmetics.names[1] and {} or said
end

--- Where dropout may be, in the order of names.
M.dropout_places = { 'hidden', 'output' }

--- A rate for each place that has one. Its end is a word, which no width of an mlp is.
function M.append_dropout(parts, dropout)
  for _, place in ipairs(M.dropout_places) do
    local rate = dropout and dropout[place] or 0
    if rate > 0 then parts[#parts + 1] = ('dropout%s_%s'):format(encode_number(rate), place) end
  end
end

--- What may stand before its dropout in a name, and that: a rate for each place. The name itself
--- may have none.
---@return { body: string, dropout: table|nil }[]
function M.dropouts_of(body)
  local readings = { { body = body } }
  local function take(reading, place)
    local rest, rate = reading.body:match(('^(.+)_dropout(%%d[%%dpem]*)_%s$'):format(place))
    rate = rate and decode_number(rate)
    if not rate then return end
    local dropout = { hidden = 0.0, output = 0.0 }
    for _, other in ipairs(M.dropout_places) do
      dropout[other] = reading.dropout and reading.dropout[other] or 0.0
    end
    dropout[place] = rate
    readings[#readings + 1] = { body = rest, dropout = dropout }
  end
  for i = #M.dropout_places, 1, -1 do
    for _, reading in ipairs { table.unpack(readings) } do take(reading, M.dropout_places[i]) end
  end
  return readings
end

return M
