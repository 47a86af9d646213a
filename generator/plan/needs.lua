--- What forms of code take of a stage's weights, beside lines of floats, a k each. A form that
--- would suit a stage but cannot take its format or its arithmetic is refused, for a reason that
--- `explain` gives; what stands in for it is the next best one.
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class FormNeeds
---@field about string     the form in a few words
---@field bytes boolean    takes what is multiplied as integers
---@field decoded boolean  takes numbers that are no f32 as they lie
---@field steps boolean    and lines that hold several k
---@field beside boolean  stages that all read x, and give an output each
---@field groups integer   and lines in groups of at most so many k, or behind what a panel begins
--- with; 0: in none

--- Groups of any size.
local any = math.maxinteger

local function form(about, beside, decoded, steps, groups, bytes)
  return record.strict('form needs', {
    about = about, beside = beside, decoded = decoded, steps = steps, groups = groups,
    bytes = bytes or false,
  })
end

--- By name; all but one sum values alone. What enters a group wherever a sum's k is, or opens it
--- for each weight, takes any format.
---@type table<string, FormNeeds>
M.forms = record.strict('forms', {
  size = form('loops of few bytes', false, true, true, any, true),
  lanes = form('tokens in lanes', false, true, true, any),
  ahead = form('fetching ahead', true, true, true, any, true),
  -- Visits are whole groups: of more k they are few, and nothing is gained.
  abreast = form('panels abreast', true, true, true, 64),
  straight = form('straight lines', false, true, false, 0),
  dots = form('dot products in lanes', true, false, false, 0),
  sparse = form('skipping of zeros', true, true, false, 0),
  together = form('several k in a line', true, true, false, 0),
  scratch = form('decoding into scratch', true, true, true, any, true),
  wide = form('vectors of doubles', true, false, false, 0),
})

--- Forms that hand results on in any number of columns: not where those are laid in units.
local hands_on_any = { abreast = true, sparse = true }

---@class Refusal
---@field form string   in a few words
---@field stage string
---@field why string

--- Why a form cannot take the weights of a stage; nil where it can.
---@param name string  of the form
---@param s Stage
---@param laid OperandFormat|nil  what its results are laid into, where that is known
---@return string|nil
local function why_not(name, s, laid)
  local needs, format = M.forms[name], s.stream.format
  if s.beside and not needs.beside then
    return 'it gives one of several outputs of x'
  elseif s.arithmetic.takes ~= 'value' and not needs.bytes then
    return ('%s multiplies %s'):format(s.arithmetic.name, s.arithmetic.takes)
  elseif s.operand.format.take and not needs.bytes then
    return ('its input is laid as %s'):format(s.operand.format.name)
  elseif #format.levels > 0 and format.group > needs.groups then
    return ('weights of %s lie in groups of %d%s'):format(format.name, format.group,
      needs.groups > 0 and (', of at most %d'):format(needs.groups) or '')
  elseif format.head and needs.groups == 0 then
    return ('panels of %s begin with what all their weights need'):format(format.name)
  elseif format.step.k > 1 and not needs.steps then
    return ('lines of %s hold %d k'):format(format.name, format.step.k)
  elseif not format.floats and not needs.decoded then
    return ('weights of %s are no f32 as they lie'):format(format.name)
  elseif laid and laid.unit > 1 and hands_on_any[name] then
    return ('its results are laid as %s, %d at a time'):format(laid.name, laid.unit)
  end
end

--- Whether a form can take the weights of a stage.
---@param name string
---@param s Stage
---@param laid OperandFormat|nil  as why_not() has it
function M.takes(name, s, laid) return not why_not(name, s, laid) end

---@param name string  of the form
---@param s Stage
---@return Refusal
local function refusal(name, s, why)
  return record.strict('refusal', { form = M.forms[name].about, stage = s.name, why = why })
end

--- The refusal of a form whose sums and what groups of weights hold do not find room.
---@param name string
---@param s Stage
---@param registers integer  that they take
---@param most integer       that there are
function M.crowded(name, s, registers, most)
  return refusal(name, s, ('with weights of %s it takes %d registers of %d'):format(
    s.stream.format.name, registers, most))
end

--- The forms that cannot, among those that would suit the stage.
---@param s Stage
---@param suitable string[]
---@param laid OperandFormat|nil  as why_not() has it
---@return Refusal[]
function M.refused(s, suitable, laid)
  local refusals = lists.filter(suitable, function(name) return not M.takes(name, s, laid) end)
  return lists.map(refusals, function(name) return refusal(name, s, why_not(name, s, laid)) end)
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
