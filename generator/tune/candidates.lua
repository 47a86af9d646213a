--- Candidates for a plan's choices, and what measurements say of them. No function here measures.
local cpus = require 'cpu'
local choice_names = require 'emit.choices'
local record = require 'common.record'
local regimes = require 'tune.regimes'

local M = {}

--- A candidate is better where its time is shorter by so much in the mean, and in no cell surely
--- longer by more than so much: else the plan's own choices stay. Of twenty cells that lose nothing
--- one is mostly measured as a loss.
local least_gain, most_loss = 0.02, 0.03

M.verdicts = { 'default', 'wins', 'loses', 'control' }

M.fields = choice_names.fields

local generic = cpus.by_name.generic.choices

--- A CPU's own choices but for some.
---@param changes table<string, integer>
---@param own Choices|nil  those for any CPU
---@return Choices
function M.choices(changes, own)
  local result = {}
  for _, field in ipairs(M.fields) do result[field] = changes[field] or (own or generic)[field] end
  return record.strict('choices', result)
end

--- The changes in one line.
---@param choices Choices
---@param own Choices|nil
function M.text(choices, own)
  local changes = choice_names.changes(choices, own or generic)
  return #changes > 0 and table.concat(changes, ', ') or "the plan's own choices"
end

---@class Candidate
---@field choices Choices
---@field regime string   in which it is tried, '' for the plan's own choices
---@field text string   C

--- The plan's own choices first, then those of all regimes in turns, so that what time leaves out
--- is the last of each. What makes the same C is tried once.
---@param own Choices
---@param text_of fun(choices: Choices): string
---@param max_tokens integer  of a call; 0: any number
---@return Candidate[]
function M.all(own, text_of, max_tokens)
  local list, seen = {}, {}
  local function add(regime, choices)
    local text = text_of(choices)
    if seen[text] then return end
    seen[text] = true
    list[#list + 1] = { choices = choices, regime = regime, text = text }
  end
  add('', M.choices({}, own))
  local tried, most = {}, 0
  for i, regime in ipairs(regimes.all) do
    local acts = #regimes.tokens(regime, max_tokens) > 0
    tried[i] = acts and regimes.changes(regime, own) or {}
    most = math.max(most, #tried[i])
  end
  for turn = 1, most do
    for i, regime in ipairs(regimes.all) do
      if tried[i][turn] then add(regime.name, M.choices(tried[i][turn], own)) end
    end
  end
  return list
end

--- The geometric mean.
---@param values number[]
function M.mean(values)
  local sum = 0
  for _, value in ipairs(values) do sum = sum + math.log(value) end
  return math.exp(sum / #values)
end

--- What candidates are ordered by: the mean, more where one cell loses what forbids to win.
---@param ratios number[]
function M.score(ratios)
  return M.mean(ratios) * math.max(1, math.max(table.unpack(ratios)) / (1 + most_loss))
end

--- Whether no cell loses, but for as much as the same code differs from itself there.
---@param surely number[]  ratios less two standard errors
local function loses_nowhere(surely, control)
  for i, ratio in ipairs(surely) do
    if ratio > 1 + math.max(most_loss, math.abs(control[i] - 1)) then return false end
  end
  return true
end

--- Whether a candidate is better than the plan's own choices, in its regime. Where the same code
--- differs from itself by as much as a winner has to, none is believed.
---@param ratios number[]   times by those of the plan's own choices, at each cell
---@param surely number[]   the same less two standard errors
---@param control number[]  those of the plan's own choices, once more
function M.wins(ratios, surely, control)
  return math.abs(math.log(M.mean(control))) < least_gain and M.mean(ratios) < 1 - least_gain
    and loses_nowhere(surely, control)
end

--- Whether winners of regimes hold at all cells: most are not theirs, so the gain may be small, but
--- is more than the same code differs from itself.
function M.holds(ratios, surely, control)
  return math.log(M.mean(ratios)) < -math.abs(math.log(M.mean(control)))
    and loses_nowhere(surely, control)
end

--- The choices of several winners, each of another regime.
---@param winners Candidate[]
---@param own Choices
---@return Choices
function M.together(winners, own)
  local changes = {}
  for _, winner in ipairs(winners) do
    for _, field in ipairs(M.fields) do
      if winner.choices[field] ~= own[field] then changes[field] = winner.choices[field] end
    end
  end
  return M.choices(changes, own)
end

return M
