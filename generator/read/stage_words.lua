--- What a field says of each stage: a word for all of them, a table by role or by output, or of a
--- chain a list -> a word of each stage.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class StageField
---@field name string     of the field
---@field choices string[]  the first is meant where nothing is said
---@field one string      what a word is: a format
---@field several string  formats
---@field unknown string  what is said of another word, in front of it
---@field beside string   what matrices side by side have: they lie side by side, in one format

--- The roles of a stage's matrices, by which a table names them: none of the matrices of a chain.
---@param stage KindStage
---@return string[]
local function roles_of(stage)
  if stage.output then return { stage.output } end
  return stage.matrices[1] == 'chain' and {} or stage.matrices
end

--- Whether a table may say words: where there are several matrices with roles.
local function have_roles(stages)
  return #roles_of(stages[1]) > 0 and (#stages > 1 or #stages[1].matrices > 1)
end

--- How a table of a layer looks, with a word of each stage; of one output the first. nil: it has
--- none.
---@param s Spec
---@param stages KindStage[]
---@param words string[]
---@return string|nil
function M.form(s, stages, words)
  local quoted = lists.map(words, function(word) return '"' .. word .. '"' end)
  if s.widths then return ('{ %s }'):format(table.concat(quoted, ', ')) end
  if s.outputs then return ('{ %s = %s }'):format(s.outputs[1].name, quoted[1]) end
  if #stages == 1 then return nil end
  local parts = {}
  for i, stage in ipairs(stages) do
    for _, role in ipairs(stage.matrices) do
      parts[#parts + 1] = ('%s = %s'):format(role, quoted[i])
    end
  end
  return ('{ %s }'):format(table.concat(parts, ', '))
end

--- How the field looks, for messages.
---@param what StageField
local function forms_of(s, stages, what)
  local word = what.choices[1]
  local parts = s.widths and 2 or #stages
  local words = {}
  for i = 1, parts do words[i] = word end
  local form = M.form(s, stages, words)
  local lead = s.widths and 'one for each layer' or s.outputs and 'by output' or 'by role'
  return form and ('"%s", or %s: %s'):format(word, lead, form) or ('"%s"'):format(word)
end

---@param what StageField
---@param path any[]  where the word stands
local function expect_known(check, what, path, word)
  if not lists.has(what.choices, word) then
    check:fail(path, '%s "%s"%s', what.unknown, record.shown(word),
      record.suggest(tostring(word), what.choices))
  end
end

--- The words of a chain, one for each layer.
---@param what StageField
local function of_chain(check, s, what, given)
  local form = ('{ "%s", "%s" }'):format(what.choices[1], what.choices[1])
  check:list({ what.name }, given, form, #s.widths)
  if #given < #s.widths then
    check:fail({ what.name }, '%s: %d %s for %d layers; one for each, or a word for all', what.name,
      #given, what.several, #s.widths)
  end
  for i, word in ipairs(given) do expect_known(check, what, { what.name, i }, word) end
  return given
end

--- The words of roles, where one is not said the first that there is.
---@param stages KindStage[]
---@param what StageField
local function of_roles(check, stages, what, given)
  local roles = {}
  for _, stage in ipairs(stages) do lists.append(roles, roles_of(stage)) end
  check:fields({ what.name }, given, roles, what.name .. ': ')
  return lists.map(stages, function(stage)
    local own = roles_of(stage)
    local words = lists.map(own, function(role)
      local word = given[role] == nil and what.choices[1] or given[role]
      expect_known(check, what, { what.name, role }, word)
      return word
    end)
    if #lists.unique(words) > 1 then
      check:fail({ what.name }, '%s: %s %s; not %s', what.name, table.concat(own, ' and '),
        what.beside, table.concat(words, ' and '))
    end
    return words[1]
  end)
end

--- The word of each stage.
---@param check Check
---@param s Spec  with its shape
---@param stages KindStage[]
---@param what StageField
---@return string[]
function M.of(check, s, stages, what)
  local given = check.given[what.name]
  if given == nil or type(given) == 'string' then
    if given then expect_known(check, what, { what.name }, given) end
    return lists.map(stages, function() return given or what.choices[1] end)
  end
  if not check.is_table(given) or not s.widths and not have_roles(stages) then
    check:fail({ what.name }, '%s must be %s such as %s, not %s', what.name, what.one,
      forms_of(s, stages, what), check.described(given))
  end
  return s.widths and of_chain(check, s, what, given) or of_roles(check, stages, what, given)
end

return M
