--- What a layer's weights are stored as: a word for all of them, a table by role, or of a chain a
--- list -> a format of each stage.
local lists = require 'common.list'
local record = require 'common.record'
local weights = require 'weights'

local M = {}

--- The roles of a stage's matrices, by which a table names them: none of the matrices of a chain.
---@param stage KindStage
---@return string[]
local function roles_of(stage)
  if stage.output then return { stage.output } end
  return stage.matrices[1] == 'chain' and {} or stage.matrices
end

--- Whether a table may say formats: where there are several matrices with roles.
local function have_roles(stages)
  return #roles_of(stages[1]) > 0 and (#stages > 1 or #stages[1].matrices > 1)
end

--- How the field looks, for messages.
local function form_of(s, stages)
  if s.widths then return '"f32", or one for each layer: { "f32", "f32" }' end
  if s.outputs then return ('"f32", or by output: { %s = "f32" }'):format(s.outputs[1].name) end
  if #stages == 1 then return '"f32"' end
  return ('"f32", or by role: { %s }'):format(table.concat(lists.map(stages, function(stage)
    return stage.matrices[#stage.matrices] .. ' = "f32"'
  end), ', '))
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
---@param stage KindStage
local function expect_taken(check, s, path, stage, format)
  local rest = stage.inputs % format.divides
  if rest > 0 then
    local below, above = stage.inputs - rest, stage.inputs - rest + format.divides
    check:fail(path, 'weights: %s takes widths that %d divides, and %s = %d is none; %s%d would '
      .. 'be%s', format.name, format.divides, stage.takes, stage.inputs,
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
  for _, stage in ipairs(stages) do lists.append(roles, roles_of(stage)) end
  check:fields({ 'weights' }, given, roles, 'weights: ')
  return lists.map(stages, function(stage)
    local own = roles_of(stage)
    local words = lists.map(own, function(role)
      local word = given[role] == nil and weights.names[1] or given[role]
      expect_known(check, { 'weights', role }, word)
      return word
    end)
    if #lists.unique(words) > 1 then
      check:fail({ 'weights' }, 'weights: %s lie side by side, in one format; not %s',
        table.concat(own, ' and '), table.concat(words, ' and '))
    end
    return words[1]
  end)
end

--- The format of each stage.
---@param check Check
---@param s Spec  with its shape
---@param stages KindStage[]
---@return string[]
function M.of(check, s, stages)
  local given = check.given.weights
  local words
  if given == nil or type(given) == 'string' then
    if given then expect_known(check, { 'weights' }, given) end
    words = lists.map(stages, function() return given or weights.names[1] end)
  elseif not check.is_table(given) or not s.widths and not have_roles(stages) then
    check:fail({ 'weights' }, 'weights must be a format such as %s, not %s', form_of(s, stages),
      check.described(given))
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
