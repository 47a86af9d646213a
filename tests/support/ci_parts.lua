--- What .ci/run makes of its time: what every change must pass, whatever it takes; then of each
--- part as much as its share has time for, what the change touched first, then by turns.
local here = debug.getinfo(1, 'S').source:match('^@(.*)/[^/]*$') or '.'
local budget = dofile(here .. '/budget.lua')
local costs = dofile(here .. '/costs.lua')
local turn = dofile(here .. '/turn.lua')

local M = {}

--- All has ended by then, on any machine: minutes since .ci/run began.
M.most_minutes = 65
--- And on a quick machine.
M.quick_minutes = 24
--- Where of the time between what must be run and the end a part ends; what one does not take is
--- left for those behind it. The defects have the rest.
M.ends = { ['test-full'] = 0.52, lint = 0.60, platforms = 0.72, fuzz = 0.80, mutants = 1 }
--- The fuzzer's time is its own, by the clock.
local fuzz_seconds = 120
--- Loading what other machines need from the network is not faster on a faster one.
local load_seconds = 60

--- A unit of tests that ninja makes together.
---@return Unit
local function unit_of(targets)
  local name = targets:gsub('build/', ''):gsub('%.ok', '')
  local unit = { name = name, targets = targets, cost = 0, alone = 0 }
  for test in name:gmatch('%S+') do
    local cost = costs.of(test)
    unit.cost = unit.cost + cost.test + cost.compile
    unit.alone = math.max(unit.alone, cost.test)
  end
  return unit
end

--- The order of units: those that touched files make before others, then as the wheel has them.
---@param units Unit[]
---@param ages table<string, integer>  of files that the change touched
---@param files_of fun(targets: string): string[]  what a test is made of
---@param number integer|nil  of the commit
local function in_order(units, ages, files_of, number)
  local order, age_of = {}, {}
  for place, i in ipairs(turn.wheel(#units, number)) do
    local unit = units[i]
    order[place] = unit
    for _, file in ipairs(files_of(unit.targets)) do
      age_of[unit] = math.min(age_of[unit] or math.huge, ages[file] or math.huge)
    end
    unit.place = place
  end
  table.sort(order, function(a, b)
    local x, y = age_of[a] or math.huge, age_of[b] or math.huge
    if x ~= y then return x < y end
    return a.place < b.place
  end)
  return order
end

--- The tests of a target of ninja.
---@param target { list: string, ranks: string }  ranks is a file of turns.lua
---@return Unit[] units  those of each of its runs, and the parts whose turn it is
---@return Unit[] others  the parts that are second in their groups, those that are third, and so on
local function units_of(target, source)
  local units = {}
  for _, test in ipairs(source.inputs_of(target.list)) do
    if not source.is_made[test] then units[#units + 1] = unit_of(test) end
  end
  local ranked, most = {}, 0
  for _, line in ipairs(source.ranks_of(target.ranks)) do
    local rank, targets = line:match('^(%d+) (.*)$')
    rank = tonumber(rank)
    ranked[#ranked + 1], most = { rank = rank, unit = unit_of(targets) }, math.max(most, rank)
  end
  local others = {}
  for rank = 0, most do
    for _, part in ipairs(ranked) do
      if part.rank == rank then
        local to = rank == 0 and units or others
        to[#to + 1] = part.unit
      end
    end
  end
  return in_order(units, source.ages, source.inputs_of, source.number), others
end

local test_full = { list = 'build/test_full.list', ranks = 'build/test_full_turns.list.ranks' }
local platforms = { list = 'build/platforms.list', ranks = 'build/platforms_turns.list.ranks' }

--- How long all may take on this machine.
function M.limit(speed)
  if turn.all() then return math.huge end
  return 60 * math.min(M.most_minutes, M.quick_minutes * speed)
end

--- All of it. An error names what failed.
---@param machine Machine
---@param source table  what ninja and git know: see tests/scripts/ci.lua
function M.run(machine, source)
  local limit = M.limit(machine.speed)
  local plan = budget.new(machine, limit)
  machine.say(('speed: %.2f; all ends within %s'):format(machine.speed,
    limit == math.huge and 'no limit' or ('%d minutes'):format(limit // 60)))
  plan:must('./ffngen check') -- before ninja, which remakes what is stale
  plan:must('ninja demo')
  plan:must('ninja test')
  local began = machine.seconds()
  local function share(part)
    return limit == math.huge and limit or began + math.max(0, limit - began) * M.ends[part]
  end

  local tests, more_tests = units_of(test_full, source)
  local left_tests = plan:make(tests, share('test-full'))
  if #left_tests == 0 then more_tests = plan:make(more_tests, share('test-full')) end

  plan:try('lint', 'ninja lint', costs.lint * machine.speed, share('lint'))

  local left_platforms, more_platforms = units_of(platforms, source)
  if plan:try('what other machines need', './setup.sh --no-demo --platforms', load_seconds,
    share('platforms')) then
    left_platforms = plan:make(left_platforms, share('platforms'))
    if #left_platforms == 0 then
      more_platforms = plan:make(more_platforms, share('platforms'))
    end
  end

  plan:try('fuzz', ('FUZZ_SECONDS=%d ninja fuzz'):format(fuzz_seconds),
    fuzz_seconds + costs.fuzz * machine.speed, share('fuzz'))

  local seconds = share('mutants') - machine.seconds() - costs.mutants_end * machine.speed
  plan:try('mutants', limit == math.huge and 'MUTANTS=all ninja mutants'
    or ('MUTANTS_SECONDS=%d ninja mutants'):format(math.max(0, seconds // 1)),
    costs.mutants_begin * machine.speed, share('mutants'))

  -- What time there is after all.
  for _, units in ipairs { left_tests, left_platforms, more_tests, more_platforms } do
    plan:leave(plan:make(units, limit))
  end
  source.summary(plan.ran)
  machine.say(('guesses were right by %.2f'):format(plan:correction()))
  if #plan.left > 0 then
    machine.say(('%d left out, as their time was over:'):format(#plan.left))
    for _, name in ipairs(plan.left) do machine.say('  ' .. name) end
  else
    machine.say('nothing left out')
  end
  machine.say(('all in %d s of %s'):format(machine.seconds() // 1, limit == math.huge and 'any'
    or limit // 1))
  return plan
end

return M
