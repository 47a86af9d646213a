--- Fuzzers: random cases until the time is over or one fails, which is then made small.
---
---   lua5.4 tests/fuzz/run.lua                      all targets, by a seed of the commit
---   lua5.4 tests/fuzz/run.lua TARGET CASES SEED    so many cases, none made small
---
--- FUZZ=TARGET chooses one, FUZZ_SECONDS the time of all (120), FUZZ_SEED the seed; FUZZ_CASE=N
--- tries one case of the seed, FUZZ_FILE=FILE one that was found. Exit code 1 where one failed.
local here = (arg[0]:match('^(.*)/[^/]*$') or '.')
package.path = table.concat({
  here .. '/?.lua', here .. '/../support/?.lua', here .. '/../../generator/?.lua',
  here .. '/../../generator/?/init.lua', package.path,
}, ';')

local files = require 'folder'
local process = require 'process'
local report = require 'report'
local serial = require 'serial'

local root = process.absolute(here .. '/../..')
local all = { 'layers', 'specs', 'files', 'vendor' }
--- The share of the time that a target has where all run: what compiles takes more.
local shares = { layers = 0.42, specs = 0.17, files = 0.17, vendor = 0.24 }
--- A process is not older than that: one that hangs is noticed.
local longest_shift = 120

local function fail(message, ...)
  io.stderr:write('fuzz: ', message:format(...), '\n')
  os.exit(2)
end

local function number_of(name, default)
  local text = os.getenv(name)
  if not text then return default end
  return math.tointeger(tonumber(text)) or fail('%s=%s is no whole number', name, text)
end

--- A seed from the commit, where there is one.
local function commit_seed()
  local commit = process.output('git -C %s rev-parse HEAD 2>/dev/null', process.quote(root))
  return math.tointeger(tonumber(commit:sub(1, 8), 16)) or 1
end

---@class FuzzWork
---@field name string
---@field folder string
---@field seed integer
---@field first integer
---@field count integer
---@field seconds integer
---@field shrink integer  seconds for making a failure small

--- Adds up what became of the cases of a shift.
local function add_counts(work, totals)
  local text = files.read(work.folder .. '/counts')
  for outcome, count in pairs(text and serial.case(text) or {}) do
    totals[outcome] = (totals[outcome] or 0) + count
    totals[1] = (totals[1] or 0) + count
  end
end

--- One target: shifts of a process each, until the time is over.
---@param work FuzzWork
---@return boolean passed
local function run(work)
  files.empty(work.folder)
  local began, totals, number = os.time(), {}, work.first
  repeat
    local left = work.seconds - (os.time() - began)
    files.empty(work.folder)
    local problem = process.shift(root, work, number, math.min(left, longest_shift))
    add_counts(work, totals)
    if problem then
      report.found(root, work, problem)
      return false
    end
    number = work.first + (totals[1] or 0)
  until number >= work.first + work.count or os.time() - began >= work.seconds
  report.passed(work, totals, os.time() - began)
  return (totals[1] or 0) > 0
end

--- One case, from a file.
local function again(name, path)
  local work = { name = name, folder = root .. '/build/fuzz/' .. name, seed = 0 }
  files.empty(work.folder)
  local problem = process.one(root, work, serial.case(files.read(path) or fail('no %s', path)))
  print(problem and ('%s: %s: %s'):format(name, path, problem) or name .. ': it passes')
  os.exit(not problem)
end

local only = arg[1] or os.getenv('FUZZ')
if only and not shares[only] then fail('no target %s: %s', only, table.concat(all, ', ')) end
process.make_folder(root .. '/build/fuzz/shared')
-- Of an earlier run, perhaps of other sources.
files.empty(root .. '/build/fuzz/shared')
local file = os.getenv('FUZZ_FILE')
if file then again(only or fail('FUZZ_FILE goes with FUZZ=TARGET'), file) end

local seed = math.tointeger(tonumber(arg[3])) or number_of('FUZZ_SEED') or commit_seed()
local seconds, case = number_of('FUZZ_SECONDS', 120), number_of('FUZZ_CASE')
local passed = 0
for _, name in ipairs(only and { only } or all) do
  local ok = run {
    name = name, folder = root .. '/build/fuzz/' .. name, seed = seed, first = case or 1,
    count = case and 1 or math.tointeger(tonumber(arg[2])) or math.maxinteger // 2,
    seconds = arg[2] and 3600 or math.ceil(seconds * (only and 1 or shares[name])),
    shrink = arg[2] and 0 or 120,
  }
  passed = passed + (ok and 1 or 0)
end
local tried = only and 1 or #all
print(('%d passed, %d failed'):format(passed, tried - passed))
os.exit(passed == tried)
