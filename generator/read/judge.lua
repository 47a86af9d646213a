--- What a layer of a spec was given -> Spec.
local arithmetics = require 'read.arithmetics'
local carried = require 'activation.graph.carried'
local checks = require 'read.check'
local fields = require 'read.fields'
local formats = require 'read.formats'
local isas = require 'isa'
local lists = require 'common.list'
local numbers = require 'common.number'
local outputs = require 'read.outputs'
local record = require 'common.record'
local size = require 'read.size'

local max_parameters = 1 << 34
local max_stages = 16
local max_builds = 16
local max_about = 200

---@class Spec
---@field name string          what the user calls it
---@field kind string          ffn, linear, mlp, glu, selfgate
---@field variant string|nil     of ffn and glu
---@field activation string|nil  of selfgate
---@field activations table    the vocabulary that these and those of widths are of
---@field d_model integer
---@field d_ff integer|nil
---@field d_out integer       of several outputs: their widths together
---@field outputs Output[]|nil  of a linear that has several, in order
---@field widths table|nil     of an mlp: { { width =, activation =, parameters = } ... }
---@field bias boolean
---@field sparse boolean       may skip zeros of relu and its like where few tokens share them
---@field backward boolean    kernels of training, too
---@field optimise string|nil  of fields.optimise: what portable C is written for
---@field max_tokens integer|nil  that a call has, at most; nil: any number
---@field dropout table|nil    { hidden =, output = }: rates of which one at least is not 0
---@field parameters number[]|string|nil  fixed, 'runtime', or nil where the activation has none
---@field about string
---@field weights string[]    the format of each stage's
---@field arithmetic string    how its products are summed
---@field build table[]        { { dtype =, isa = { ... } } ... }
---@field file string
---@field line integer
---@field refuse fun(field: string, message: string)  throws what a later stage finds wrong with it

--- An entry of `build`: of instruction sets that have the layer's arithmetic; where none is named,
--- all of these.
local function build_of(check, entry, i, arithmetic)
  local path = { 'build', i }
  if type(entry) ~= 'table' or size.is(entry) then
    check:fail(path, 'build is a list such as %s; item %d is %s', fields.build_form, i,
      checks.with_article(size.type_name(entry)))
  end
  check:fields(path, entry, fields.build, 'build: ')
  local dtype = entry.dtype == nil and fields.dtypes[1] or entry.dtype
  if not lists.has(fields.dtypes, dtype) then
    check:fail({ 'build', i, 'dtype' }, 'unknown dtype "%s"%s: it is that of x and y; weights = '
      .. '"..." says what weights are stored as', record.shown(dtype),
      record.suggest(tostring(dtype), fields.dtypes))
  end
  local able = arithmetics.isas(arithmetic)
  local wanted = entry.isa == nil and able or entry.isa
  check:list({ 'build', i, 'isa' }, wanted, fields.isa_form, max_builds)
  for j, isa in ipairs(wanted) do
    if not lists.has(isas.names, isa) then
      check:fail({ 'build', i, 'isa', j }, 'unknown isa "%s"%s', record.shown(isa),
        record.suggest(tostring(isa), isas.names))
    end
    if not lists.has(able, isa) then
      check:fail({ 'build', i, 'isa', j }, 'isa "%s" has no words for arithmetic = "%s"; %s has',
        isa, arithmetic, table.concat(able, ' or '))
    end
  end
  -- In the order of the vocabulary, each once.
  local ordered = lists.filter(isas.names, function(isa) return lists.has(wanted, isa) end)
  return { dtype = dtype, isa = ordered }
end

local function builds_of(check, arithmetic)
  local build, result = check.given.build == nil and { {} } or check.given.build, {}
  check:list({ 'build' }, build, fields.build_form, max_builds)
  for i, entry in ipairs(build) do result[i] = build_of(check, entry, i, arithmetic) end
  return result
end

--- A layer of an mlp.
local function width_of(check, known, layer, i)
  if type(layer) ~= 'table' or size.is(layer) then
    check:fail({ 'layers', i }, 'layer %d must be a table { width, "activation" }, not %s', i,
      checks.with_article(size.type_name(layer)))
  end
  for _, key in ipairs(record.sorted_keys(layer)) do
    if key ~= 1 and key ~= 2 and key ~= 'beta' and key ~= 'parameters' then
      check:fail({ 'layers', i, key }, 'layer %d: unknown field "%s" (a layer is { width, '
        .. '"activation", beta = number })', i, record.shown(key))
    end
  end
  local activation = layer[2] == nil and 'identity' or layer[2]
  if not lists.has(known.plain_names, activation) then
    check:fail({ 'layers', i, 2 }, 'layer %d: unknown activation "%s"%s', i,
      record.shown(activation), record.suggest(tostring(activation), known.plain_names))
  end
  return {
    width = check:size(('the width of layer %d'):format(i), layer[1], { 'layers', i, 1 }),
    activation = activation,
    parameters = check:parameters(layer, known.by_name[activation], { 'layers', i }),
  }
end

local function widths_of(check, known)
  local list, widths = check.given.layers, {}
  if list == nil then
    check:fail({}, 'field "layers" is missing: layers = %s', fields.layers_form)
  end
  check:list({ 'layers' }, list, fields.layers_form, max_stages)
  local runtime -- the activation whose parameters come with the weights
  for i, layer in ipairs(list) do
    local width = width_of(check, known, layer, i)
    widths[i] = width
    if width.parameters == 'runtime' then
      if runtime and runtime ~= width.activation then
        check:fail({ 'layers', i }, 'layer %d: %s and %s both take run-time parameters: fix those '
          .. 'of one', i, runtime, width.activation)
      end
      runtime = width.activation
    end
  end
  return widths
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
      type(rate) == 'string' and '"' .. record.shown(rate) .. '"'
      or checks.with_article(size.type_name(rate)))
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
local function dropout_of(check, s)
  local given = check.given.dropout
  if given == nil then return nil end
  local places = fields.dropout[s.kind] or fields.dropout_of_one
  if s.widths and #s.widths == 1 then places = fields.dropout_of_one end
  if type(given) ~= 'table' or size.is(given) then
    check:fail({ 'dropout' }, 'dropout must be a table such as { %s = 0.1 }, not %s', places[1],
      checks.with_article(size.type_name(given)))
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

--- The fields that make a kind of layer what it is.
local shapes = {}

function shapes.ffn(check, s)
  s.variant = check:get_choice('variant', s.activations.variant_names)
  s.d_ff = check:get_size('d_ff', s.d_model)
  s.d_out = check.given.d_out == nil and s.d_model or check:get_size('d_out', s.d_model)
  s.parameters = check:parameters(check.given, s.activations.by_variant[s.variant].activation, {})
end

function shapes.glu(check, s)
  s.variant = check:get_choice('variant', s.activations.gated_names)
  s.parameters = check:parameters(check.given, s.activations.by_variant[s.variant].activation, {})
  s.d_out = check:get_size('d_out', s.d_model)
end

function shapes.selfgate(check, s)
  s.activation = check:get_choice('activation', s.activations.plain_names)
  s.parameters = check:parameters(check.given, s.activations.by_name[s.activation], {})
  s.d_out = s.d_model
end

function shapes.linear(check, s)
  if not outputs.are(check.given.d_out) then
    s.d_out = check:get_size('d_out', s.d_model)
    return
  end
  s.outputs = outputs.of(check, s.d_model)
  s.d_out = outputs.width(s.outputs)
end

function shapes.mlp(check, s)
  s.widths = widths_of(check, s.activations)
  s.d_out = s.widths[#s.widths].width
end

--- The activations of a layer, and their fixed parameters.
---@return { activation: string, parameters: number[]|string|nil }[]
local function applied_of(s)
  if s.widths then return s.widths end
  if s.kind == 'linear' then return {} end
  local activation = s.activation or s.activations.by_variant[s.variant].activation.name
  return { { activation = activation, parameters = s.parameters } }
end

--- A layer that is trained has the derivatives of its activations in f32.
local function expect_derivatives(check, s)
  for _, applied in ipairs(applied_of(s)) do
    local fixed = type(applied.parameters) == 'table' and applied.parameters or nil
    local problem = carried.problem_of(s.activations.by_name[applied.activation], fixed, true,
      check.source.effort.take)
    if problem then
      check:fail({ 'backward' }, 'activation "%s" is not trained in f32: %s. Scale what goes into '
        .. 'it, or keep it in range with min and max', applied.activation, problem)
    end
  end
end

--- About so many weights.
local function parameters_of(s)
  if not s.widths then return s.d_model * (s.d_ff or s.d_out) * 2 + (s.d_ff or 0) * s.d_out end
  local parameters, inputs = 0, s.d_model
  for _, layer in ipairs(s.widths) do
    parameters = parameters + inputs * layer.width
    inputs = layer.width
  end
  return parameters
end

local M = {}

---@param source Source
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
  shapes[s.kind](check, s)
  outputs.expect_taken(check, s)
  if s.backward then expect_derivatives(check, s) end
  s.dropout, s.max_tokens = dropout_of(check, s), max_tokens_of(check, s)
  s.weights = formats.of(check, s)
  s.arithmetic = arithmetics.of(check, s)
  s.build = builds_of(check, s.arithmetic)
  local parameters = parameters_of(s)
  if parameters > max_parameters then
    check:fail({ 'd_model' }, 'a layer of about %d parameters is beyond the limit of %d',
      parameters, max_parameters)
  end
  return s
end

return M
