--- Measures the candidates of a kernel: each regime by halving, then its winners together.
local candidates = require 'tune.candidates'
local fnv = require 'common.fnv'
local halving = require 'tune.halving'
local lists = require 'common.list'
local problems = require 'common.problem'
local process = require 'tune.process'
local regimes = require 'tune.regimes'

local M = {}

--- Of a kernel's time so much at most goes to the compiler; what it does not hold is not measured.
local compile_part = 0.5

--- Fewer rounds are no measurement.
local rounds_least = 3

---@class Tuning  of one kernel
---@field workshop Workshop
---@field job Job
---@field own Choices     which all others are measured by
---@field threads integer[]  of its cells
---@field left fun(): number  seconds
---@field show fun(step: string)
---@field list Candidate[]   that are compiled; the plan's own choices first

local function symbol_of(number) return ('candidate_%d'):format(number) end

local function compile(t, candidate)
  local symbol = symbol_of(#t.list + 1)
  t.workshop:write(symbol .. '.c', candidate.text)
  t.workshop:compile(('-D%s=%s -c %s.c'):format(t.job.name, symbol, symbol))
  t.list[#t.list + 1] = candidate
end

local function link(t)
  local symbols = {}
  for i in ipairs(t.list) do symbols[i] = symbol_of(i) end
  t.workshop:link(symbols)
end

--- Compiles the plan's own choices, and as many candidates as the time holds.
---@param all Candidate[]
---@return integer untried
local function compile_all(t, all)
  local time = t.left()
  for i, candidate in ipairs(all) do
    local spent = time - t.left()
    if i > 1 and spent + spent / (i - 1) > compile_part * time then break end
    t.show(('compiling %d of %d'):format(i, #all))
    compile(t, candidate)
  end
  if #t.list > 1 then link(t) end
  return #all - #t.list
end

--- Measures candidates once, in turns.
---@param cells Cell[]
---@param time StageTime
---@return HalvingStage|nil  nil where the time does not hold all cells
local function measure(t, cells, alive, time, step)
  t.show(step)
  local words = lists.map(cells, function(cell)
    return ('%d:%s:%d'):format(cell.tokens, cell.from, cell.threads)
  end)
  -- The program counts from 0.
  local arms = lists.map(alive, function(arm) return ('%d'):format(arm - 1) end)
  local m = { ratios = {}, surely = {}, rounds = 0, cells = 0, control = nil }
  t.workshop:run(('%.2f %.2f %s %s'):format(time.wanted, time.most, table.concat(arms, ','),
    table.concat(words, ' ')), function(line)
    local what, rest = line:match('^(%l+) ?(.*)$')
    local row = {}
    for number in rest:gmatch('%S+') do row[#row + 1] = tonumber(number) end
    if what == 'differs' then
      problems.failure('%s: with %s the results have other bits: this is a defect of ffngen, '
        .. 'please report it', t.job.name, candidates.text(t.list[row[1] + 1].choices, t.own))
    elseif what == 'cells' or what == 'rounds' then
      m[what] = math.tointeger(row[1])
    elseif what == 'ratios' or what == 'surely' then
      m[what][row[1] // 1 + 1] = { table.unpack(row, 2) }
    elseif what == 'control' then
      m.control = row
    end
    t.show(step)
  end)
  return m.cells > 0 and m.rounds >= rounds_least and m or nil
end

--- A regime as the record has it.
---@param regime Regime
---@param halved Halved
---@return TunedRegime
local function recorded(t, regime, cells, halved, wins)
  local rows, ones = {}, lists.map(cells, function() return 1.0 end)
  local function add(verdict, choices, found)
    rows[#rows + 1] = {
      verdict = verdict, choices = choices, rounds = found.rounds, ratios = found.ratios,
      mean = candidates.mean(found.ratios),
    }
  end
  add('default', t.own, { ratios = ones, rounds = halved.control.rounds })
  for arm, candidate in ipairs(t.list) do
    if halved.found[arm] then
      add(arm == wins and 'wins' or 'loses', candidate.choices, halved.found[arm])
    end
  end
  add('control', t.own, halved.control)
  return { name = regime.name, cells = lists.map(cells, regimes.cell_text), candidates = rows }
end

--- Searches one regime.
---@param regime Regime
---@param alive integer[]
---@param seconds number  at most
---@param judge fun(ratios: number[], surely: number[], control: number[]): boolean
---@return TunedRegime|nil nil where the time held no measurement
---@return integer|nil winner
local function search(t, regime, alive, seconds, judge)
  local cells = regimes.cells(regime, t.threads, t.job.max_tokens)
  local stages = halving.stages(#alive)
  local deadline = t.left() - seconds
  local halved = halving.search(alive, function() return t.left() - deadline end,
    function(arms, time, stage)
      local m = measure(t, cells, arms, time, ('measuring %s, stage %d of %d (%d tried)'):format(
        regime.name, stage, #stages, #arms))
      if not m then return nil end
      -- What the first stage does not hold, the later ones go without.
      if stage == 1 then cells = { table.unpack(cells, 1, m.cells) } end
      return m.cells == #cells and m or nil
    end, candidates.score)
  if not halved.best then return nil end
  local best = halved.found[halved.best]
  local wins = judge(best.ratios, best.surely, halved.control.ratios) and halved.best
  return recorded(t, regime, cells, halved, wins), wins or nil
end

--- All regimes, each with its part of the time that is left.
---@return TunedRegime[]
---@return integer[] winners
local function search_all(t)
  local runs, winners, tried, weights = {}, {}, {}, regimes.final.weight
  for i, regime in ipairs(regimes.all) do
    tried[i] = {}
    for arm, candidate in ipairs(t.list) do
      if candidate.regime == regime.name then tried[i][#tried[i] + 1] = arm end
    end
    if #tried[i] > 0 then weights = weights + regime.weight end
  end
  for i, regime in ipairs(regimes.all) do
    if #tried[i] > 0 then
      local run, winner = search(t, regime, tried[i], t.left() * regime.weight / weights,
        candidates.wins)
      weights = weights - regime.weight
      runs[#runs + 1], winners[#winners + 1] = run, winner
    end
  end
  return runs, winners
end

--- The winners and all of them together, measured everywhere: what is not better there, or what the
--- time does not hold, is not taken.
---@return TunedRegime|nil
---@return Choices
local function final(t, winners)
  if #winners == 0 then return nil, t.own end
  local arms = { table.unpack(winners) }
  if #winners > 1 then
    local choices = candidates.together(lists.map(winners, function(arm)
      return t.list[arm]
    end), t.own)
    t.show('compiling the winners together')
    compile(t, { choices = choices, regime = regimes.final.name, text = t.job.text_of(choices) })
    link(t)
    arms[#arms + 1] = #t.list
  end
  local run, best = search(t, regimes.final, arms, t.left(), candidates.holds)
  return run, best and t.list[best].choices or t.own
end

--- Measures the candidates of a kernel.
---@param w Workshop
---@param job Job
---@param how { profile: Profile, threads: integer[], compiler: string }
---@param budget integer  seconds
---@param show fun(step: string)
---@return TunedKernel
function M.kernel(w, job, how, budget, show)
  local begin = process.now()
  local t = {
    workshop = w, job = job, own = job.own(how.profile), threads = how.threads, show = show,
    list = {},
    left = function() return budget - (process.now() - begin) end,
  }
  local untried = compile_all(t, candidates.all(t.own, job.text_of, job.max_tokens))
  local runs, winners = search_all(t)
  local run, choices = final(t, winners)
  runs[#runs + 1] = run
  return {
    name = job.name, code = fnv(job.text_of(choices)), compiler = how.compiler, choices = choices,
    from = how.profile.name, untried = untried, regimes = runs,
  }
end

return M
