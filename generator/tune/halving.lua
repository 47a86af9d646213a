--- Successive halving: all candidates are measured briefly, in turns; the worse half goes, and the
--- rest is measured again, in twice as many rounds, until one is left or time is out. No clock is
--- here: time is what `left` says.
local M = {}

--- The plan's own choices are measured in every stage, first and as a control.
local own_arms = 2

---@class HalvingStage
---@field rounds integer
---@field ratios table<integer, number[]>  of each candidate
---@field surely table<integer, number[]>  the same less two standard errors
---@field control number[]

---@class StageTime
---@field wanted number  seconds that a stage takes
---@field most number    that it may take, where those do not hold the rounds that it needs

---@class CandidateResult
---@field ratios number[]
---@field surely number[]|nil  not of the control
---@field rounds integer  of the last stage that it was in

---@class Halved
---@field found table<integer, CandidateResult> of each candidate that was measured
---@field control CandidateResult|nil of the last stage; nil where time held none
---@field best integer|nil   the one that is left, or was ahead when time was out

--- How many candidates each stage has.
---@param count integer  in the first
---@return integer[]
function M.stages(count)
  local list = {}
  while count >= 1 do
    list[#list + 1] = count
    count = count > 1 and (count + 1) // 2 or 0
  end
  return list
end

--- The next stage's part of the time, where each stage has twice the rounds of the one before.
---@param count integer  candidates in it
function M.share(count)
  local all, rounds = 0, 1
  for _, alive in ipairs(M.stages(count)) do
    all = all + rounds * (alive + own_arms)
    rounds = 2 * rounds
  end
  return (count + own_arms) / all
end

---@param alive integer[]  candidates
---@param left fun(): number  seconds
---@param measure fun(alive: integer[], time: StageTime, stage: integer): HalvingStage|nil  nil
--- where the most that it may take does not hold what a measurement needs
---@param score fun(ratios: number[]): number  less is better
---@return Halved
function M.search(alive, left, measure, score)
  local found, result, scores = {}, { best = nil, control = nil }, {}
  result.found = found
  for stage in ipairs(M.stages(#alive)) do
    local seconds = left()
    -- Where time is short, the first stage leaves half of it to those that it chooses.
    local most = stage == 1 and #alive > 1 and seconds / 2 or seconds
    local time = { wanted = seconds * M.share(#alive), most = most }
    local m = seconds > 0 and measure(alive, time, stage)
    if not m then break end
    for _, arm in ipairs(alive) do
      found[arm] = { ratios = m.ratios[arm], surely = m.surely[arm], rounds = m.rounds }
      scores[arm] = score(m.ratios[arm])
    end
    result.control = { ratios = m.control, rounds = m.rounds }
    local order = { table.unpack(alive) }
    table.sort(order, function(a, b)
      if scores[a] ~= scores[b] then return scores[a] < scores[b] end
      return a < b
    end)
    result.best = order[1]
    alive = { table.unpack(order, 1, (#order + 1) // 2) }
  end
  return result
end

return M
