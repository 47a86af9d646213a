--- Runs the generator's tests: lua5.4 tests/generator/run.lua [luaunit options], from any folder;
--- with PART=1/6 a sixth of them, with PART=2/6 another one. What takes long takes turns
--- (long_tests.lua); a test that is asked for by its name (-p) runs whenever it is.
--- Every other file of this folder is loaded; its Test... tables are the tests.
local lfs = require 'lfs'

-- Live data are a few megabytes: time is dearer than memory.
collectgarbage('incremental', 1000)

local here = (arg[0]:match('^(.*)/[^/]*$') or '.')
if not here:match('^/') then here = lfs.currentdir() .. '/' .. here end
package.path = here .. '/?.lua;' .. package.path

local unit = require 'luaunit'
local support = require 'support'

local deal = dofile(support.root .. '/tests/support/deal.lua')
local lists = require 'common.list'

local names = {}
for entry in lfs.dir(here) do
  if entry:match('%.lua$') and entry ~= 'run.lua' and entry ~= 'support.lua' then
    names[#names + 1] = entry
  end
end
table.sort(names)

local tables = {}

local function is_test(key) return tostring(key):match '^test' ~= nil end

--- A file without a test would pass whatever happens; so would tests that another file's table of
--- the same name takes the place of.
local function count_tests()
  local count = 0
  for name, value in pairs(_G) do
    if name:match('^Test') and type(value) == 'table' then
      if (tables[name] or value) ~= value then error(name .. ' is two tables of tests') end
      tables[name] = value
      for key in pairs(value) do
        if is_test(key) then count = count + 1 end
      end
    end
  end
  return count
end

--- The names of all tests.
local function names_of_tests()
  local list = {}
  for owner, value in pairs(tables) do
    for _, key in ipairs(lists.filter(support.keys(value), is_test)) do
      list[#list + 1] = owner .. '.' .. key
    end
  end
  return list
end

--- Leaves those of the tests whose part it is. The long ones are dealt out first; then tables of
--- tests, as those of a table often share what they make.
---@param long string[]  names of tests, the longest first
local function leave_part(part, long)
  local own, parts = part:match '^(%d+)/(%d+)$'
  assert(own, 'PART is something like 1/6, not ' .. part)
  local counts = {}
  for name, value in pairs(tables) do
    counts[name] = #lists.filter(support.keys(value), is_test)
  end
  local owners = support.keys(counts)
  table.sort(owners, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  local units = table.move(owners, 1, #owners, #long + 1, { table.unpack(long) })
  local part_of = deal(units, math.tointeger(tonumber(parts)))
  for _, owner in ipairs(owners) do
    for _, key in ipairs(lists.filter(support.keys(tables[owner]), is_test)) do
      if (part_of[owner .. '.' .. key] or part_of[owner]) ~= tonumber(own) then
        tables[owner][key] = nil
      end
    end
  end
end

--- Of the long tests those whose turn it is run as they are: a quarter in the full form, where the
--- others take the quick one; a 24th in the quick form, where the others are left out.
---@return table<string, boolean> short  tests that run in their quick form
---@return string[] long  those that run as they are, the longest first
local function take_turns()
  local long = dofile(support.root .. '/tests/support/long_tests.lua')
  local parts, seen, short, own = support.full and 4 or 24, {}, {}, {}
  for i, name in ipairs(long) do
    local owner, key = name:match '^(%w+)%.([%w_]+)$'
    if not (tables[owner] or {})[key] or seen[name] then
      error('long_tests.lua: no test, or named twice: ' .. name)
    end
    seen[name] = true
    if support.is_turn(i % parts, parts) then
      own[#own + 1] = name
    else
      short[name] = support.full
      if not support.full then tables[owner][key] = function() unit.skip 'another turn' end end
    end
  end
  return short, own
end

--- Processor seconds of this process and of those that it has waited for, where /proc tells.
local function seconds()
  local file = io.open '/proc/self/stat'
  if not file then return os.clock() end
  local user, system, waited_user, waited_system =
    file:read('a'):match '%) %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ (%d+) (%d+) (%d+) (%d+)'
  file:close()
  return (user + system + waited_user + waited_system) / 100
end

--- What each test takes: { name =, seconds = }, in the order of running.
---@param short table<string, boolean>  tests that run in their quick form
local function clocked(runner, short)
  local taken, begun, full = {}, 0, support.full
  local start, finish = runner.startTest, runner.endTest
  function runner:startTest(name, ...)
    support.full = full and not short[name]
    taken[#taken + 1], begun = { name = name }, seconds()
    return start(self, name, ...)
  end
  function runner:endTest(...)
    taken[#taken].seconds = seconds() - begun
    return finish(self, ...)
  end
  return taken
end

--- The tests that take longest, for who wonders where the time goes.
local function print_longest(taken)
  local whole = 0
  for _, test in ipairs(taken) do whole = whole + test.seconds end
  table.sort(taken, function(a, b) return a.seconds > b.seconds end)
  print(('processor seconds of tests: %.0f, of which'):format(whole))
  for i = 1, math.min(12, #taken) do
    print(('%6.1f  %s'):format(taken[i].seconds, taken[i].name))
  end
end

local ok, result = xpcall(function()
  local before = count_tests()
  for _, entry in ipairs(names) do
    dofile(here .. '/' .. entry)
    local after = count_tests()
    if after == before then error(entry .. ': holds no test') end
    before = after
  end
  support.all_tests = names_of_tests() -- whichever of them run
  local short, long = {}, {}
  if #arg == 0 then short, long = take_turns() end
  if os.getenv 'PART' then leave_part(os.getenv 'PART', long) end
  local runner = unit.LuaUnit.new()
  local taken = clocked(runner, short)
  local failed = runner:runSuite(table.unpack(arg))
  print_longest(taken)
  return { failed = failed, counts = runner.result }
end, debug.traceback)
support.clean_up()
if not ok then
  io.stderr:write(tostring(result), '\n')
  os.exit(1)
end
local counts = result.counts
print(('generator: %d passed, %d failed, %d skipped'):format(counts.successCount,
  counts.failureCount + counts.errorCount, counts.skippedCount))
os.exit(result.failed == 0 and counts.successCount > 0 and 0 or 1)
