--- What forms of code take of a stage's weights, beside lines of floats, a k each. A form that
--- would suit a stage but cannot take its format or its arithmetic is refused, for a reason that
--- `explain` gives; what stands in for it is the next best one.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class FormNeeds
---@field about string     the form in a few words
---@field decoded boolean  takes numbers that are no f32 as they lie
---@field steps boolean    and lines that hold several k
---@field groups boolean   and lines in groups, or behind what a panel begins with

local function form(about, decoded, steps, groups)
  return record.strict('form needs', {
    about = about, decoded = decoded, steps = steps, groups = groups,
  })
end

--- By name; each sums values. What enters a group wherever a sum's k is, or opens it for each
--- weight, takes any format.
---@type table<string, FormNeeds>
M.forms = record.strict('forms', {
  size = form('loops of few bytes', true, true, true),
  lanes = form('tokens in lanes', true, true, true),
  ahead = form('fetching ahead', true, true, true),
  abreast = form('panels abreast', true, true, true),
  straight = form('straight lines', true, false, false),
  dots = form('dot products in lanes', false, false, false),
  sparse = form('skipping of zeros', true, false, false),
  together = form('several k in a line', true, false, false),
  wide = form('vectors of doubles', false, false, false),
})

---@class Refusal
---@field form string   in a few words
---@field stage string
---@field why string

--- Why a form cannot take the weights of a stage; nil where it can.
---@param name string  of the form
---@param s Stage
---@return string|nil
local function why_not(name, s)
  local needs, format = M.forms[name], s.stream.format
  if s.arithmetic.takes ~= 'value' then
    return ('%s multiplies %s'):format(s.arithmetic.name, s.arithmetic.takes)
  elseif #format.levels > 0 and not needs.groups then
    return ('weights of %s lie in groups of %d'):format(format.name, format.group)
  elseif format.head and not needs.groups then
    return ('panels of %s begin with what all their weights need'):format(format.name)
  elseif format.step.k > 1 and not needs.steps then
    return ('lines of %s hold %d k'):format(format.name, format.step.k)
  elseif not format.floats and not needs.decoded then
    return ('weights of %s are no f32 as they lie'):format(format.name)
  end
end

--- Whether a form can take the weights of a stage.
---@param name string
---@param s Stage
function M.takes(name, s) return not why_not(name, s) end

--- The forms that cannot, among those that would suit the stage.
---@param s Stage
---@param suitable string[]
---@return Refusal[]
function M.refused(s, suitable)
  local refusals = lists.filter(suitable, function(name) return not M.takes(name, s) end)
  return lists.map(refusals, function(name)
    return record.strict('refusal', {
      form = M.forms[name].about, stage = s.name, why = why_not(name, s),
    })
  end)
end

--- The same of a form of all stages.
---@param stages Stage[]
---@param name string
---@return Refusal[]
function M.refused_by(stages, name)
  local list = {}
  for _, s in ipairs(stages) do lists.append(list, M.refused(s, { name })) end
  return list
end

return M
