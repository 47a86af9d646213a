--- How a layer's products are summed: what it says of each stage -> arithmetics that its weights
--- and its training take, and instruction sets that have them.
local arithmetics = require 'arithmetic'
local formats = require 'operand.format'
local isas = require 'isa'
local lists = require 'common.list'
local stage_words = require 'read.stage_words'
local weights = require 'weights'

local M = {}

--- The fields.
---@type StageField
local field = {
  name = 'arithmetic', choices = arithmetics.words, one = 'a word', several = 'arithmetics',
  unknown = 'unknown arithmetic', beside = 'are summed side by side, in one arithmetic',
}
---@type StageField
local scales_field = {
  name = 'operand_scales', choices = arithmetics.scales, one = 'a word', several = 'words',
  unknown = 'unknown operand_scales', beside = 'multiply one x, which has one scale',
}

--- The arithmetic that every format has.
M.rule = arithmetics.names[1]

--- That whose products multiply an x with a scale which weights bring.
M.with_scales = lists.filter(arithmetics.names, function(name)
  return arithmetics.by_name[name].scales ~= arithmetics.scales[1]
end)[1]

--- What a spec says as an arithmetic, beside the scales of its operand.
---@param name string
function M.word(name) return arithmetics.by_name[name].word end

--- Whether weights of a format give what an arithmetic multiplies: any gives values, and some
--- bytes.
---@param format string
---@param word string
---@return boolean
function M.takes(format, word)
  local arithmetic, products = arithmetics.by_name[word], weights.by_name[format].products
  return arithmetic.takes == 'value' or products and arithmetic.multiplies(products) or false
end

--- The sizes of the groups of x in which bytes have a scale, beside weights of such formats: of
--- more than one they cannot be laid together.
---@param names string[]  formats
---@param inputs integer  of x
---@return integer[]
function M.groups(names, inputs)
  return lists.unique(lists.map(names, function(format)
    return formats.shared({ weights.by_name[format].products }, inputs).group
  end))
end

--- The most inputs of a product in an arithmetic that takes its weights.
local function most_inputs(format, word)
  local most = arithmetics.by_name[word].most_inputs
  return most and most(weights.by_name[format].products) or math.maxinteger
end

--- Whether a product may be in an arithmetic: its weights give what is multiplied, and no more of
--- it than can be summed.
---@param format string
---@param word string
---@param inputs integer  of the product
---@return boolean
function M.fits(format, word, inputs)
  return M.takes(format, word) and inputs <= most_inputs(format, word)
end

--- The arithmetics that would be, as a choice.
---@param holds fun(arithmetic: Arithmetic): boolean
local function others(holds)
  return table.concat(lists.filter(arithmetics.words, function(word)
    return holds(arithmetics.by_name[word])
  end), ' or ')
end

--- The formats that an arithmetic multiplies.
---@param word string
---@return string[]
function M.formats(word)
  return lists.filter(weights.names, function(format) return M.takes(format, word) end)
end

--- How a layer could say an arithmetic of those products alone whose weights give what it
--- multiplies; '' where it has no others, or all of them read one x.
---@param s Spec
---@param stages KindStage[]
local function remedy(s, stages, word)
  local words = lists.map(s.weights, function(format)
    return M.takes(format, word) and word or M.rule
  end)
  local form = stage_words.form(s, stages, words)
  if not form or s.outputs or not lists.has(words, word) then return '' end
  return ('; or say it of each product: arithmetic = %s'):format(form)
end

--- What an arithmetic does not take: training, few bytes, formats.
---@param s Spec  with its weights
---@param stages KindStage[]
---@param i integer  of the stage
---@param word string
local function expect_taken(check, s, stages, i, word)
  local path, arithmetic, format = { 'arithmetic' }, arithmetics.by_name[word], s.weights[i]
  if s.backward and not arithmetic.trains then
    check:fail(path, 'arithmetic: %s is not trained, as backward = true asks for; %s would be',
      word, others(function(other) return other.trains end))
  end
  if arithmetic.takes ~= 'value' and not arithmetic.one_chain and s.optimise == 'size' then
    check:fail(path, 'arithmetic: %s is not written for few bytes, as optimise = "size" asks for; '
      .. '%s would be', word, others(function(other) return other.takes == 'value' end))
  end
  if not M.takes(format, word) then
    local whose = #stages > 1 and (', as those of %s are'):format(stages[i].output
      or stages[i].name) or ''
    check:fail(path, 'arithmetic: %s does not multiply weights in %s%s; it multiplies those in %s'
      .. '%s', word, format, whose, table.concat(M.formats(word), ', '), remedy(s, stages, word))
  end
  local most = most_inputs(format, word)
  if stages[i].inputs > most then
    check:fail(path, 'arithmetic: %s sums at most %d products of weights in %s, as many as 32 bits '
      .. 'hold; %s = %d are more', word, most, format, stages[i].takes, stages[i].inputs)
  end
end

--- Outputs of one x have one arithmetic, and of bytes groups of one size: x lies in one way.
---@param s Spec  with its weights
---@param stages KindStage[]
local function expect_one(check, s, stages, words)
  local used = lists.unique(words)
  if not s.outputs then return end
  if #used > 1 then
    check:fail({ 'arithmetic' }, 'arithmetic: outputs of one x have one arithmetic, as x lies '
      .. 'either as floats or as bytes; not %s: write a linear for the outputs of each',
      table.concat(used, ' and '))
  end
  if arithmetics.by_name[used[1]].takes == 'value' then return end
  local groups = M.groups(s.weights, stages[1].inputs)
  if #groups > 1 then
    check:fail({ 'arithmetic' }, 'arithmetic: outputs of one x have one size of groups, as those '
      .. 'of x have a scale each; %s would have groups of %s inputs: write a linear for the '
      .. 'outputs of each', used[1], table.concat(groups, ' and '))
  end
end

--- The arithmetics that have scales of the operand of such a kind.
local function have_scales(scales)
  return lists.filter(arithmetics.words, function(word) return arithmetics.said(word, scales) end)
end

--- The arithmetic that a stage has with what is said of the scales of its operand; what has no such
--- scales is refused.
---@param s Spec  with its weights
---@param i integer  of the stage
---@param word string
---@param scales string
---@return string
local function scaled(check, s, i, word, scales)
  local path, name = { 'operand_scales' }, arithmetics.said(word, scales)
  if not name then
    check:fail(path, 'operand_scales: "%s" is of arithmetic = "%s"; in %s nothing of x has a scale '
      .. 'that weights could bring', scales, table.concat(have_scales(scales), '" or "'), word)
  end
  if not M.takes(s.weights[i], name) then
    check:fail(path, 'operand_scales: "%s" is of weights that have one scale for a row: %s; not %s',
      scales, table.concat(M.formats(name), ', '), s.weights[i])
  end
  if scales ~= arithmetics.scales[1] and s.optimise == 'size' then
    check:fail(path, 'operand_scales: "%s" is not written for few bytes, as optimise = "size" asks '
      .. 'for; "%s" is', scales, arithmetics.scales[1])
  end
  return name
end

--- Outputs of one x have one scale of it, too.
local function expect_one_scale(check, s, scales)
  if s.outputs and #lists.unique(scales) > 1 then
    check:fail({ 'operand_scales' }, 'operand_scales: outputs of one x have one scale of it; not '
      .. '%s: write a linear for the outputs of each', table.concat(lists.unique(scales), ' and '))
  end
end

--- The arithmetic of each stage.
---@param check Check
---@param s Spec  with its weights
---@param stages KindStage[]
---@return string[]
function M.of(check, s, stages)
  local words = stage_words.of(check, s, stages, field)
  for i, word in ipairs(words) do expect_taken(check, s, stages, i, word) end
  expect_one(check, s, stages, words)
  local scales = stage_words.of(check, s, stages, scales_field)
  expect_one_scale(check, s, scales)
  local names = {}
  for i, one in ipairs(scales) do names[i] = scaled(check, s, i, words[i], one) end
  return names
end

--- Why an instruction set has no kernels of a layer in these arithmetics; nil where it has.
---@param isa string
---@param names string[]
---@return string|nil
function M.lack(isa, names)
  local own = isas.by_name[isa]
  local words = lists.map(names, function(name) return arithmetics.by_name[name].word end)
  for _, word in ipairs(words) do
    if not own.arithmetic[word] then
      return ('isa "%s" has no words for arithmetic = "%s"'):format(isa, word)
    end
  end
  if own.only_with and not lists.has(words, own.only_with) then
    return ('isa "%s" is for layers with arithmetic = "%s" alone'):format(isa, own.only_with)
  end
end

--- The same of instruction sets of which no layer has kernels, to be added to a message; '' where
--- arithmetics are not why.
---@param specs Spec[]
---@param only string[]
---@return string
function M.lacks(specs, only)
  local told = {}
  for _, isa in ipairs(only) do
    for _, s in ipairs(specs) do told[#told + 1] = M.lack(isa, s.arithmetics) end
  end
  return table.concat(lists.map(lists.unique(told), function(text) return '; ' .. text end))
end

--- The instruction sets that have kernels of a layer in these arithmetics.
---@param ... string
---@return string[]
function M.isas(...)
  local words = { ... }
  return lists.filter(isas.names, function(isa) return not M.lack(isa, words) end)
end

return M
