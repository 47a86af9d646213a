--- What a layer's weights are stored as: a word for all of them, a table by role, or of a chain a
--- list -> a format of each stage.
local checks = require 'read.check'
local lists = require 'common.list'
local record = require 'common.record'
local size = require 'read.size'
local weights = require 'weights'

local M = {}

---@class StageWidth
---@field roles string[]  of its matrices; none where a layer has one matrix, or a chain of them
---@field inputs integer
---@field about string   what the inputs are called

--- The stages of a layer.
---@return StageWidth[]
local function stages_of(s)
  local first = { roles = {}, inputs = s.d_model, about = 'd_model' }
  if s.widths then
    local stages = { first }
    for i = 2, #s.widths do
      stages[i] = { roles = {}, inputs = s.widths[i - 1].width,
        about = ('the width of layer %d'):format(i - 1) }
    end
    return stages
  end
  if s.outputs then
    return lists.map(s.outputs, function(output)
      return { roles = { output.name }, inputs = s.d_model, about = 'd_model' }
    end)
  end
  if s.variant then
    first.roles = s.activations.by_variant[s.variant].gated and { 'gate', 'up' } or { 'up' }
  end
  return { first, s.d_ff and { roles = { 'down' }, inputs = s.d_ff, about = 'd_ff' } or nil }
end

--- How the field looks, for messages.
local function form_of(s)
  if s.widths then return '"f32", or one for each layer: { "f32", "f32" }' end
  if s.outputs then return ('"f32", or by output: { %s = "f32" }'):format(s.outputs[1].name) end
  if not s.variant then return '"f32"' end
  return s.d_ff and '"f32", or by role: { up = "f32", down = "f32" }' or '"f32"'
end

---@param path any[]  where the word stands
local function expect_known(check, path, word)
  if not lists.has(weights.names, word) then
    check:fail(path, 'weights: unknown format "%s"%s', record.shown(word),
      record.suggest(tostring(word), weights.names))
  end
end

--- Formats of groups that divide a width, for messages; '' where there are none.
local function fitting(width)
  local names = lists.filter(weights.names, function(name)
    local divides = weights.by_name[name].divides
    return divides > 1 and width % divides == 0
  end)
  if #names == 0 then return '' end
  return (', or %d as %s'):format(width, table.concat(names, ', '))
end

--- What a format does not take: widths between its groups, and training.
---@param stage StageWidth
local function expect_taken(check, s, path, stage, format)
  local rest = stage.inputs % format.divides
  if rest > 0 then
    local below, above = stage.inputs - rest, stage.inputs - rest + format.divides
    check:fail(path, 'weights: %s takes widths that %d divides, and %s = %d is none; %s%d would '
      .. 'be%s', format.name, format.divides, stage.about, stage.inputs,
      below > 0 and ('%d or '):format(below) or '', above, fitting(stage.inputs))
  end
  if s.backward and not format.trains then
    local others = lists.filter(weights.names, function(name)
      return weights.by_name[name].trains
    end)
    check:fail(path, 'weights: %s is not trained, as backward = true asks for; %s would be',
      format.name, table.concat(others, ' or '))
  end
end

--- The formats of a chain, one for each layer.
local function of_chain(check, s, given)
  check:list({ 'weights' }, given, '{ "f32", "f32" }', #s.widths)
  if #given < #s.widths then
    check:fail({ 'weights' }, 'weights: %d formats for %d layers; one for each, or a word for all',
      #given, #s.widths)
  end
  for i, word in ipairs(given) do expect_known(check, { 'weights', i }, word) end
  return given
end

--- The formats of roles, where one is not said the first that there is.
---@param stages StageWidth[]
local function of_roles(check, stages, given)
  local roles = {}
  for _, stage in ipairs(stages) do lists.append(roles, stage.roles) end
  check:fields({ 'weights' }, given, roles, 'weights: ')
  return lists.map(stages, function(stage)
    local words = lists.map(stage.roles, function(role)
      local word = given[role] == nil and weights.names[1] or given[role]
      expect_known(check, { 'weights', role }, word)
      return word
    end)
    if #lists.unique(words) > 1 then
      check:fail({ 'weights' }, 'weights: %s lie side by side, in one format; not %s',
        table.concat(stage.roles, ' and '), table.concat(words, ' and '))
    end
    return words[1]
  end)
end

--- The format of each stage.
---@param check Check
---@param s Spec  with its shape
---@return string[]
function M.of(check, s)
  local given, stages = check.given.weights, stages_of(s)
  local words
  if given == nil or type(given) == 'string' then
    if given then expect_known(check, { 'weights' }, given) end
    words = lists.map(stages, function() return given or weights.names[1] end)
  elseif type(given) ~= 'table' or size.is(given) or #stages[1].roles == 0 and not s.widths then
    check:fail({ 'weights' }, 'weights must be a format such as %s, not %s', form_of(s),
      checks.with_article(size.type_name(given)))
  else
    words = s.widths and of_chain(check, s, given) or of_roles(check, stages, given)
  end
  for i, stage in ipairs(stages) do
    expect_taken(check, s, { 'weights' }, stage, weights.by_name[words[i]])
  end
  if s.outputs and s.backward and #lists.unique(words) > 1 then
    check:fail({ 'weights' }, 'weights: outputs that are trained have one format, as one matrix '
      .. 'gives dx; not %s', table.concat(lists.unique(words), ' and '))
  end
  return words
end

return M
