--- Runs the generator's tests: lua5.4 tests/generator/run.lua [luaunit options], from any folder.
--- Every other file of this folder is loaded; its Test... tables are the tests.
local lfs = require 'lfs'

-- Live data are a few megabytes: time is dearer than memory.
collectgarbage('incremental', 1000)

local here = (arg[0]:match('^(.*)/[^/]*$') or '.')
if not here:match('^/') then here = lfs.currentdir() .. '/' .. here end
package.path = here .. '/?.lua;' .. package.path

local unit = require 'luaunit'
local support = require 'support'

local names = {}
for entry in lfs.dir(here) do
  if entry:match('%.lua$') and entry ~= 'run.lua' and entry ~= 'support.lua' then
    names[#names + 1] = entry
  end
end
table.sort(names)

local tables = {}

--- A file without a test would pass whatever happens; so would tests that another file's table of
--- the same name takes the place of.
local function count_tests()
  local count = 0
  for name, value in pairs(_G) do
    if name:match('^Test') and type(value) == 'table' then
      if (tables[name] or value) ~= value then error(name .. ' is two tables of tests') end
      tables[name] = value
      for key in pairs(value) do
        if tostring(key):match('^test') then count = count + 1 end
      end
    end
  end
  return count
end

local ok, result = xpcall(function()
  local before = count_tests()
  for _, entry in ipairs(names) do
    dofile(here .. '/' .. entry)
    local after = count_tests()
    if after == before then error(entry .. ': holds no test') end
    before = after
  end
  local runner = unit.LuaUnit.new()
  local failed = runner:runSuite(table.unpack(arg))
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
