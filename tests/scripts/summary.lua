--- The last line of `ninja test`: what the logs of all tests add up to. A test that was skipped
--- because this machine lacks something is counted, not hidden. And the seconds of processor time
--- that tests took when they were run last, and how many kernels were compiled.
---
---   lua5.4 summary.lua TESTS...     files that name tests, each a file NAME.ok
local passed, failed, skipped, seconds = 0, 0, 0, 0

--- What the shell's `times` says of a test: itself and its children, each with the system's part.
local function seconds_of(ok)
  local handle, sum = io.open(ok .. '.times'), 0
  if not handle then return 0 end
  for minutes, rest in handle:read('a'):gmatch('(%d+)m([%d.]+)s') do
    sum = sum + 60 * tonumber(minutes) + tonumber(rest)
  end
  handle:close()
  return sum
end

local function add(ok)
  local p, f, s = 0, 0, 0
  local handle = assert(io.open(ok .. '.log'))
  for line in handle:lines() do
    local tested, good, bad, crashed = line:match(
      'Synthesis: Tested: .-(%d+).- | Passing: .-(%d+).- | Failing: .-(%d+).- | Crashing: .-(%d+)')
    local checked, wrong, without = line:match('(%d+) passed, (%d+) failed, (%d+) skipped$')
    if tested then
      p, f = p + tonumber(good), f + tonumber(bad) + tonumber(crashed)
    elseif checked then
      p, f, s = p + tonumber(checked), f + tonumber(wrong), s + tonumber(without)
    elseif line:find('skipped$') or line:find('^%[.*SKIP.*%] ') then
      s = s + 1
    end
  end
  handle:close()
  if p + f + s == 0 then p = 1 end -- a script that says nothing of numbers
  local took = seconds_of(ok)
  print(('%-36s %5d passed, %d failed, %d skipped, %.0f s'):format(ok:gsub('%.ok$', ''), p, f, s,
    took))
  passed, failed, skipped, seconds = passed + p, failed + f, skipped + s, seconds + took
end

local ways = {}
for _, list in ipairs(arg) do
  for line in io.lines(list) do
    for ok in line:gmatch('%S+') do
      add(ok)
      local way = ok:match('^build/([^/]+)/')
      if way and not ways[way] then
        ways[way] = true
        ways[#ways + 1] = way
      end
    end
  end
end

--- A kernel's object holds its descriptor, by its own name; that of another machine holds nothing.
local function kernels_of(way)
  local pipe = assert(io.popen(('nm -A --defined-only build/%s/kernels.a 2>/dev/null'):format(way)))
  local count = 0
  for line in pipe:lines() do
    local object, symbol = line:match('([^:/]+)%.o: ?%x+ [A-Z] (%S+)$')
    if object and object == symbol then count = count + 1 end
  end
  pipe:close()
  return count
end

local total, parts = 0, {}
for _, way in ipairs(ways) do
  local count = kernels_of(way)
  total = total + count
  if count > 0 then parts[#parts + 1] = ('%s %d'):format(way, count) end
end
if total > 0 then print(('%d kernels compiled (%s)'):format(total, table.concat(parts, ', '))) end
print(('%.0f s of processor time in tests, besides compiling'):format(seconds))
print(('%d passed, %d failed, %d skipped'):format(passed, failed, skipped))
os.exit(failed == 0 and passed > 0)
