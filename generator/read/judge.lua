--- What a layer of a spec was given -> Spec.
local arithmetics = require 'read.arithmetics'
local checks = require 'read.check'
local f32_range = require 'activation.graph.f32_range'
local fields = require 'read.fields'
local formats = require 'read.formats'
local isas = require 'isa'
local kinds = require 'kind'
local lists = require 'common.list'
local numbers = require 'common.number'
local outputs = require 'read.outputs'
local record = require 'common.record'

local max_parameters = 1 << 34
local max_builds = 16
local max_about = 200

---@class Spec
---@field name string          what the user calls it
---@field kind string          a word of kind/, whose shape() gives the fields that not all have
---@field variant string|nil     plain or gated
---@field activation string|nil  plain
---@field activations table    the vocabulary that these and those of widths are of
---@field d_model integer
---@field d_ff integer|nil
---@field d_out integer       of several outputs: their widths together
---@field outputs NamedOutput[]|nil where it has several, in order
---@field widths table|nil     of a chain: { { width =, activation =, parameters = } ... }
---@field bias boolean
---@field sparse boolean       may skip zeros of relu and its like where few tokens share them
---@field backward boolean    kernels of training, too
---@field optimise string|nil  of fields.optimise: what portable C is written for
---@field max_tokens integer|nil  that a call has, at most; nil: any number
---@field dropout table|nil    { hidden =, output = }: rates of which one at least is not 0
---@field parameters number[]|string|nil  fixed, 'runtime', or nil where the activation has none
---@field about string
---@field weights string[]    the format of each stage's
---@field arithmetics string[] how the products of each stage are summed
---@field build table[]        { { dtype =, isa = { ... } } ... }
---@field file string
---@field line integer
---@field refuse fun(field: string, message: string)  throws what a later stage finds wrong with it

--- An entry of `build`: of instruction sets that have the layer's arithmetics; where none is named,
--- all of these.
---@param words string[]  of its stages
local function build_of(check, entry, i, words)
  local path = { 'build', i }
  if not check.is_table(entry) then
    check:fail(path, 'build is a list such as %s; item %d is %s', fields.build_form, i,
      check.described(entry))
  end
  check:fields(path, entry, fields.build, 'build: ')
  local dtype = entry.dtype == nil and fields.dtypes[1] or entry.dtype
  if not lists.has(fields.dtypes, dtype) then
    check:fail({ 'build', i, 'dtype' }, 'unknown dtype "%s"%s: it is that of x and y; weights = '
      .. '"..." says what weights are stored as', record.shown(dtype),
      record.suggest(tostring(dtype), fields.dtypes))
  end
  local able = arithmetics.isas(table.unpack(words))
  local wanted = entry.isa == nil and able or entry.isa
  check:list({ 'build', i, 'isa' }, wanted, fields.isa_form, max_builds)
  for j, isa in ipairs(wanted) do
    if not lists.has(isas.names, isa) then
      check:fail({ 'build', i, 'isa', j }, 'unknown isa "%s"%s', record.shown(isa),
        record.suggest(tostring(isa), isas.names))
    end
    local lack = arithmetics.lack(isa, words)
    if lack then
      check:fail({ 'build', i, 'isa', j }, '%s; this layer may have %s', lack,
        table.concat(able, ' or '))
    end
  end
  -- In the order of the vocabulary, each once.
  local ordered = lists.filter(isas.names, function(isa) return lists.has(wanted, isa) end)
  return { dtype = dtype, isa = ordered }
end

local function builds_of(check, words)
  local build, result = check.given.build == nil and { {} } or check.given.build, {}
  check:list({ 'build' }, build, fields.build_form, max_builds)
  for i, entry in ipairs(build) do result[i] = build_of(check, entry, i, words) end
  return result
end

local function about_of(check)
  local about = check:get('about', 'string', '')
  if #about > max_about or about:find('[%c]') or not utf8.len(about)
    or about:find('*/', 1, true) or about:find('/*', 1, true) then
    check:fail({ 'about' }, 'about is one line of UTF-8, at most %d bytes, without "/*" and "*/"',
      max_about)
  end
  return about
end

--- The part of values that dropout sets to zero: an f32 from 0 to 1.
local function rate_of(check, place, rate)
  local path = { 'dropout', place }
  if type(rate) ~= 'number' then
    check:fail(path, 'dropout: %s must be a number from 0 to 1, not %s', place,
      type(rate) == 'string' and '"' .. record.shown(rate) .. '"' or check.described(rate))
  end
  if not (rate >= 0 and rate <= 1) then
    check:fail(path, 'dropout: %s = %s is no rate: a number from 0 to 1', place,
      numbers.shown(rate))
  end
  local single = numbers.to_f32(rate)
  if rate > 0 and single < 2.0^-32 then
    check:fail(path, 'dropout: %s = %s drops nothing: 0, or at least 2^-32', place,
      numbers.shown(rate))
  end
  if rate < 1 and single == 1 then
    check:fail(path, 'dropout: %s = %s becomes 1 in f32, which drops everything: 1, or at most '
      .. '0.99999994', place, numbers.shown(rate))
  end
  return single
end

--- The rates of dropout, or nil where nothing is dropped.
---@param places string[]  where they may be
local function dropout_of(check, s, places)
  local given = check.given.dropout
  if given == nil then return nil end
  if not check.is_table(given) then
    check:fail({ 'dropout' }, 'dropout must be a table such as { %s = 0.1 }, not %s', places[1],
      check.described(given))
  end
  check:fields({ 'dropout' }, given, places, 'dropout: ')
  if not s.backward then
    check:fail({ 'dropout' }, 'dropout is for training alone: add backward = true')
  end
  local rates = { hidden = 0.0, output = 0.0 }
  for _, place in ipairs(places) do
    if given[place] ~= nil then rates[place] = rate_of(check, place, given[place]) end
  end
  return rates.hidden + rates.output > 0 and rates or nil
end

--- The most tokens of a call, or nil where it may have any number.
local function max_tokens_of(check, s)
  if check.given.max_tokens == nil then return nil end
  if s.backward then
    check:fail({ 'max_tokens' }, 'max_tokens is for layers that are not trained: a batch of '
      .. 'training has any number of tokens; say it in a spec of its own, without backward = true')
  end
  return check:size('max_tokens', check.given.max_tokens, { 'max_tokens' })
end

--- A layer that is trained has the derivatives of its activations in f32.
---@param stages KindStage[]
local function expect_derivatives(check, s, stages)
  for _, stage in ipairs(stages) do
    local variant = stage.applied and s.activations.by_variant[stage.applied]
    local fixed = type(stage.parameters) == 'table' and stage.parameters or nil
    local problem = variant and f32_range.problem_of(variant.activation, fixed, true,
      check.source.effort.take)
    if problem then
      check:fail({ 'backward' }, 'activation "%s" is not trained in f32: %s. Scale what goes into '
        .. 'it, or keep it in range with min and max', variant.activation.name, problem)
    end
  end
end

--- So many weights.
---@param stages KindStage[]
local function parameters_of(stages)
  local parameters = 0
  for _, stage in ipairs(stages) do
    parameters = parameters + stage.inputs * stage.outputs * #stage.matrices
  end
  return parameters
end

local M = {}

---@param source SpecSource
---@param given table what the user wrote
---@param known table the activations that it may name
---@return Spec
function M.spec(source, given, known)
  local check = checks.new(source, given)
  check:fields({}, given, fields.of[source.kind], '')
  local s = {
    kind = source.kind, name = source.name, file = source.file, line = source.line,
    activations = known, about = about_of(check), d_model = check:get_size('d_model'),
    bias = check:get('bias', 'boolean', false), sparse = check:get('sparse', 'boolean', true),
    backward = check:get('backward', 'boolean', false),
    optimise = check.given.optimise ~= nil and check:get_choice('optimise', fields.optimise)
      or nil,
    refuse = function(field, message) check:fail({ field }, '%s', message) end,
  }
  kinds.by_name[s.kind].shape(check, s)
  outputs.expect_taken(check, s)
  local stages = kinds.stages(s, known)
  if s.backward then expect_derivatives(check, s, stages) end
  s.dropout = dropout_of(check, s, kinds.dropout(s.kind, #stages))
  s.max_tokens = max_tokens_of(check, s)
  s.weights = formats.of(check, s, stages)
  s.arithmetics = arithmetics.of(check, s, stages)
  s.build = builds_of(check, s.arithmetics)
  local parameters = parameters_of(stages)
  if parameters > max_parameters then
    check:fail({ 'd_model' }, 'a layer of about %d parameters is beyond the limit of %d',
      parameters, max_parameters)
  end
  return s
end

return M
