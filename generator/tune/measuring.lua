--- Measures the candidates of a kernel: all of them, then the winners once more.
local candidates = require 'tune.candidates'
local fnv = require 'common.fnv'
local problems = require 'common.problem'
local process = require 'tune.process'

local M = {}

local token_counts = '1 4 16 64 256'

--- The part of a kernel's time that goes to one choice at a time; the rest decides among winners.
local sweep_part = 0.6

--- What a measurement says of a list of candidates.
---@return TunedRun
local function measure(w, job, list, seconds, show)
  local symbols, begin = {}, process.now()
  for i, candidate in ipairs(list) do
    local symbol = 'candidate_' .. i
    local each = i > 1 and (process.now() - begin) / (i - 1) or 0
    show(('compiling %d of %d'):format(i, #list), (#list - i + 1) * each)
    w:write(symbol .. '.c', candidate.text)
    w:compile(('-D%s=%s -c %s.c'):format(job.name, symbol, symbol))
    symbols[i] = symbol
  end
  w:link(symbols)
  local cells, ratios = {}, {}
  local step = ('measuring %d candidates'):format(#list)
  show(step)
  w:run(('%d %s'):format(seconds(), token_counts), function(line)
    local what, rest = line:match('^(%l+) ?(.*)$')
    if what == 'differs' then
      problems.failure('%s: with %s the results differ in bits: a defect of ffngen, please report '
        .. 'it', job.name, candidates.text(list[tonumber(rest) + 1].choices))
    elseif what == 'cell' then
      cells[#cells + 1] = rest
    elseif what == 'ratios' then
      local row = {}
      for number in rest:gmatch('%S+') do row[#row + 1] = tonumber(number) end
      ratios[#ratios + 1] = row
    end
    show(step)
  end)
  return { cells = cells, candidates = candidates.judge(list, ratios) }
end

--- Measures the candidates of a kernel.
---@return TunedKernel
function M.kernel(w, job, compiler, budget, show)
  local begin = process.now()
  local list = candidates.sweep(job.text_of)
  local sweep = measure(w, job, list, function()
    return math.max(1, math.floor(sweep_part * (budget - (process.now() - begin))))
  end, show)
  local winners, final = candidates.final(list, sweep.candidates, job.text_of), nil
  if winners then
    final = measure(w, job, winners, function()
      return math.max(1, budget - (process.now() - begin))
    end, show)
  end
  local best = final and candidates.best(final.candidates)
  local choices = best and best.choices or list[1].choices
  return {
    name = job.name, code = fnv(job.text_of(choices)), compiler = compiler, choices = choices,
    sweep = sweep, final = final,
  }
end

return M
