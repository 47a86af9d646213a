--- What .ci/run makes of its time, on machines that are made up: quick and slow ones, and such that
--- are not what they seemed to be.
local unit = require 'luaunit'
local support = require 'support'

local folder = support.root .. '/tests/support'
local budget = dofile(folder .. '/budget.lua')
local costs = dofile(folder .. '/costs.lua')
local parts = dofile(folder .. '/ci_parts.lua')

TestCi = {}

--- Tests of a project: some that every run makes, some that take turns.
local always, ranks = {}, {}
for _, name in ipairs(support.keys(costs.known)) do
  local is_of_turns = name:match 'bits' or name:match '^flags/' or name:match 'suite'
  if is_of_turns then
    ranks[#ranks + 1] = ('%d build/%s.ok'):format(#ranks % 4, name)
  else
    always[#always + 1] = ('build/%s.ok'):format(name)
  end
end

local source = {
  is_made = { ['build/loops.ok'] = true },
  ages = {},
  number = 630,
  inputs_of = function(targets)
    if targets == 'build/test_full.list' then return always end
    if targets == 'build/platforms.list' then return { 'build/platforms/aarch64.ok' } end
    return { 'tests/' .. targets:match '^build/(%S+)%.ok' .. '.sh' }
  end,
  ranks_of = function(list)
    if list:match 'platforms' then return { '0 build/platforms/a.ok', '1 build/platforms/b.ok' } end
    return ranks
  end,
  summary = function() end,
}

--- A machine whose clock goes on by what its commands take: by the guesses, `wrong` times as long;
--- what every change must pass takes `must` seconds of a quick one.
local function machine_of(speed, wrong, must)
  local machine = { speed = speed, now = 100, commands = {}, said = {} }
  function machine.seconds() return machine.now end
  function machine.say(text) machine.said[#machine.said + 1] = text end
  function machine.run(words, limit)
    machine.commands[#machine.commands + 1] = words
    local takes = 0
    local seconds = words:match 'MUTANTS_SECONDS=(%d+)'
    if words == 'ninja test' then
      takes = must * speed
    elseif seconds then
      takes = tonumber(seconds) + wrong * costs.mutants_end * speed
    elseif words:match '^FUZZ' then
      takes = 120 + wrong * costs.fuzz * speed
    elseif words == 'ninja lint' then
      takes = wrong * costs.lint * speed
    elseif words:match '^%./setup' then
      takes = 60
    else
      for name in words:gmatch 'build/(%S+)%.ok' do
        local cost = costs.of(name)
        takes = takes + (cost.test + cost.compile) / 2 * speed * wrong
      end
    end
    if takes > limit then
      machine.now = machine.now + limit
      return 'cut'
    end
    machine.now = machine.now + takes
    return words == machine.failing and 'failed' or 'ok'
  end
  return machine
end

local function has(machine, words)
  for _, command in ipairs(machine.commands) do
    if command == words or command:match(words) then return true end
  end
end

--- It ends in time whatever the machine is, what must be run is, and the others are run or told.
function TestCi.test_ends_in_time()
  for _, speed in ipairs { 0.8, 1, 1.7, 2.7, 5 } do
    for _, wrong in ipairs { 0.5, 1, 2, 4 } do
      local machine = machine_of(speed, wrong, 135)
      local plan = parts.run(machine, source)
      local what = ('speed %g, guesses wrong by %g'):format(speed, wrong)
      unit.assertTrue(machine.now <= parts.limit(speed) + 1, what .. ': ' .. machine.now)
      unit.assertTrue(parts.limit(speed) <= 65 * 60)
      for _, words in ipairs { './ffngen check', 'ninja demo', 'ninja test' } do
        unit.assertTrue(has(machine, '^' .. words .. '$'), what .. ': ' .. words)
      end
      -- Each test is made or told.
      local known = table.concat(plan.ran, ' ') .. ' '
      local told = table.concat(machine.said, '\n') .. '\n'
      for name in table.concat(always, ' '):gmatch 'build/(%S+)%.ok' do
        if name ~= 'loops' then
          unit.assertTrue(known:find('build/' .. name .. '.ok ', 1, true) ~= nil
            or told:find('  ' .. name .. '\n', 1, true) ~= nil, what .. ': ' .. name)
        end
      end
      unit.assertEquals(told:match '(%d+) left out', #plan.left > 0 and tostring(#plan.left) or nil)
    end
  end
end

--- A quick machine is done within 24 minutes, one that is 2.7 times as slow within 65, and by the
--- same parts.
function TestCi.test_limits()
  unit.assertEquals(parts.limit(1), 24 * 60)
  unit.assertAlmostEquals(parts.limit(2.7), 24 * 60 * 2.7, 1)
  unit.assertEquals(parts.limit(3), 65 * 60)
  local quick, slow = machine_of(1, 1, 135), machine_of(2.7, 1, 135)
  unit.assertTrue(#parts.run(quick, source).ran > 10)
  unit.assertTrue(#parts.run(slow, source).ran > 10)
  unit.assertTrue(has(slow, 'MUTANTS_SECONDS=%d%d%d+ '))
  unit.assertTrue(has(slow, 'ninja lint') and has(slow, 'ninja fuzz'))
end

--- Where what must be run takes all of the time it is run all the same, and nothing besides.
function TestCi.test_what_must_be_run()
  local machine = machine_of(2.7, 1, 3000)
  local plan = parts.run(machine, source)
  unit.assertEquals(machine.commands, { './ffngen check', 'ninja demo', 'ninja test' })
  unit.assertEquals(#plan.ran, 0)
  unit.assertTrue(#plan.left > #always)
end

--- What fails ends the run, whatever it is.
function TestCi.test_failures()
  for _, words in ipairs { './ffngen check', 'ninja test', 'ninja lint' } do
    local machine = machine_of(1, 1, 135)
    machine.failing = words
    unit.assertErrorMsgContains(words .. ' failed', parts.run, machine, source)
    unit.assertEquals(machine.commands[#machine.commands], words)
  end
  local machine = machine_of(1, 1, 135)
  local run = machine.run
  local of_change = setmetatable({ ages = { ['tests/hpp.sh'] = 1 } }, { __index = source })
  function machine.run(command, limit)
    local outcome = run(command, limit)
    return command:match 'build/hpp.ok' and 'failed' or outcome
  end
  unit.assertErrorMsgContains('build/hpp.ok', parts.run, machine, of_change)
end

--- What the change touched comes first.
function TestCi.test_touched_first()
  local of_change = setmetatable({ ages = { ['tests/mpi_asan.sh'] = 3, ['tests/hpp.sh'] = 1 } },
    { __index = source })
  local machine = machine_of(1, 1, 135)
  local plan = parts.run(machine, of_change)
  unit.assertEquals({ plan.ran[1], plan.ran[2] }, { 'build/hpp.ok', 'build/mpi_asan.ok' })
end

--- Units that fit beside each other begin together; the first that does not fit leaves its place to
--- the next ones.
function TestCi.test_batches()
  local machine = machine_of(2, 1, 0)
  local plan = budget.new(machine, 1000)
  local function units(...)
    local list = {}
    for i, seconds in ipairs { ... } do
      list[i] = { name = tostring(i), targets = tostring(i), cost = seconds, alone = seconds }
    end
    return list
  end
  local batch, others = plan:batch_of(units(30, 30, 300, 20), 200)
  unit.assertEquals({ #batch, #others, others[1].name }, { 3, 1, '3' })
  unit.assertEquals(plan:guess(batch), 80) -- of two cores, twice as slow
  batch, others = plan:batch_of(units(101, 90), 200)
  unit.assertEquals({ #batch, batch[1].name, #others }, { 1, '2', 1 })
  batch = plan:batch_of(units(101), 200)
  unit.assertEquals(batch, {})
end

--- A guess has the name of a test.
function TestCi.test_names_of_guesses()
  local known = {}
  local pipe = assert(io.popen('cat ' .. support.quote(support.root) .. '/tests/ninja/*.ninja'))
  for line in pipe:lines() do
    local name = line:match '^build build/(%S+)%.ok:'
    if name then known[name] = true end
  end
  pipe:close()
  for _, name in ipairs(support.keys(costs.known)) do
    unit.assertTrue(known[name], name .. ' is no test')
  end
end

--- The page has the limits of the code.
function TestCi.test_page()
  local page = support.read(support.root .. '/tests/README.md')
  local turn = dofile(folder .. '/turn.lua')
  local words = page:gsub('%s+', ' ')
  support.assert_has(words, ('%d minutes times this factor, but at most %d minutes')
    :format(parts.quick_minutes, parts.most_minutes), 'limits')
  local rows = 0
  for name, share in page:gmatch '`ninja ([%l-]+)` | [%l ]+ | (%d+) %%' do
    rows = rows + 1
    unit.assertEquals(tonumber(share), math.floor(100 * parts.ends[name] + 0.5), name)
  end
  unit.assertEquals(rows, #support.keys(parts.ends))
  for _, about in ipairs {
    ('divided by %d and rounded down'):format(turn.stretch),
    ('A change of at most %d commits'):format(turn.stretch),
    ('within %d commits each test has been the first one'):format(turn.round * turn.stretch),
  } do
    support.assert_has(words, about, about)
  end
end
