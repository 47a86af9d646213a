--- Candidates for a plan's choices, and what measurements say of them. No function here measures.
local cpus = require 'cpu'
local names = require 'plan.choices'
local record = require 'common.record'

local M = {}

--- A candidate is better where its time is shorter by so much in the mean, and at no number of
--- tokens longer by more than so much: else the plan's own choices stay.
local least_gain, most_loss = 0.02, 0.03

--- Each choice is tried at so many times its analytical value, the others as they are.
local factors = { 1 / 4, 1 / 2, 2 }

M.verdicts = { 'default', 'wins', 'loses', 'control' }

M.fields = names.fields

local own = cpus.by_name.generic.choices

--- The plan's own choices but for some.
---@param changes table<string, integer>
---@return Choices
function M.choices(changes)
  local result = {}
  for _, field in ipairs(M.fields) do result[field] = changes[field] or own[field] end
  return record.strict('choices', result)
end

--- The changes in one line.
---@param choices Choices
function M.text(choices)
  local changes = names.changes(choices, own)
  return #changes > 0 and table.concat(changes, ', ') or "the plan's own choices"
end

---@class Candidate
---@field choices Choices
---@field field string  the choice that differs from the plan's, '' for none or several
---@field text string   C

--- The plan's own choices first, then one choice changed at a time. Changes that make the same C
--- are tried once.
---@param text_of fun(choices: Choices): string
---@return Candidate[]
function M.sweep(text_of)
  local list, seen = {}, {}
  local function add(field, choices)
    local text = text_of(choices)
    if seen[text] then return end
    seen[text] = true
    list[#list + 1] = { choices = choices, field = field, text = text }
  end
  add('', M.choices {})
  for _, field in ipairs(M.fields) do
    for _, factor in ipairs(factors) do
      add(field, M.choices { [field] = math.tointeger(own[field] * factor) })
    end
  end
  return list
end

---@class Judged
---@field choices Choices
---@field ratios number[]   times by those of the plan's own choices, at each cell
---@field mean number       their geometric mean
---@field verdict string    of M.verdicts; the control is the default measured once more

--- What the measurements of a list of candidates say. The last ratios are the control's: where the
--- same code differs from itself by as much as a winner has to, none is believed.
---@param list Candidate[]
---@param ratios number[][] one list more than candidates
---@return Judged[]
function M.judge(list, ratios)
  local function mean_of(values)
    local sum = 0
    for _, value in ipairs(values) do sum = sum + math.log(value) end
    return math.exp(sum / #values)
  end
  local control = mean_of(ratios[#ratios])
  local quiet = math.abs(math.log(control)) < least_gain
  local result = {}
  for i, values in ipairs(ratios) do
    local mean = mean_of(values)
    local better = quiet and mean < 1 - least_gain
    for _, value in ipairs(values) do better = better and value <= 1 + most_loss end
    result[i] = {
      choices = (list[i] or list[1]).choices,
      ratios = values,
      mean = mean,
      verdict = i == 1 and 'default' or i == #ratios and 'control' or better and 'wins' or 'loses',
    }
  end
  return result
end

--- The winner of least time, or nil.
---@param judged Judged[]
---@return Judged|nil
function M.best(judged)
  local best
  for _, j in ipairs(judged) do
    if j.verdict == 'wins' and (not best or j.mean < best.mean) then best = j end
  end
  return best
end

--- Who is measured once more: the default, the winner of each choice, and all of them together.
--- Nil where nobody won.
---@param list Candidate[]
---@param judged Judged[]
---@param text_of fun(choices: Choices): string
---@return Candidate[]|nil
function M.final(list, judged, text_of)
  local winners, together = { list[1] }, {}
  for _, field in ipairs(M.fields) do
    local best
    for i, candidate in ipairs(list) do
      local j = judged[i]
      if candidate.field == field and j.verdict == 'wins'
        and (not best or j.mean < judged[best].mean) then
        best = i
      end
    end
    if best then
      winners[#winners + 1] = list[best]
      together[field] = list[best].choices[field]
    end
  end
  if #winners == 1 then return nil end
  if #winners > 2 then
    local choices = M.choices(together)
    winners[#winners + 1] = { choices = choices, field = '', text = text_of(choices) }
  end
  return winners
end

return M
