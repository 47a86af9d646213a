--- What .ci/run runs once all is installed: the parts of support/ci_parts.lua, in the time that is
--- left. The argument is when it began, in seconds as the clock has them.
---
---   lua5.4 tests/scripts/ci.lua BEGAN
---
--- CI_SPEED=2.7 stands in for how slow the machine is (scripts/speed.lua); TURNS=all knows no
--- limit.
local parts = dofile('tests/support/ci_parts.lua')
local lines_of = dofile('tests/support/lines_of.lua')
local touched = dofile('tests/support/touched.lua')
local write = dofile('tests/support/write.lua')

local began = assert(tonumber(arg[1]), 'when did it begin?')
--- timeout's own.
local timed_out = 124

local function seconds() return os.time() - began end

---@return string
local function run(words, limit)
  local command = words
  if limit < math.huge then
    command = ("timeout -k 20 %d sh -c '%s'"):format(math.max(1, limit // 1), words)
  end
  print(('[%d s] %s'):format(seconds(), words))
  io.stdout:flush()
  local ok, how, code = os.execute(command)
  if ok then return 'ok' end
  return limit < math.huge and how == 'exit' and code == timed_out and 'cut' or 'failed'
end

local function say(text)
  print('ci: ' .. text)
  io.stdout:flush()
end

--- What ninja makes a target of: the explicit files.
local function inputs_of(targets)
  local list, is_input = {}, false
  for _, line in ipairs(lines_of('ninja -t query ' .. targets)) do
    local heading = line:match('^  (%l+):')
    if heading then is_input = heading == 'input' end
    if is_input then list[#list + 1] = line:match('^    ([^|%s]%S*)$') end
  end
  return list
end

--- The lines of a list that ninja makes.
local function made_lines(list)
  lines_of('ninja ' .. list)
  return lines_of('cat ' .. list)
end

--- What `ninja test` runs.
local is_made, made = {}, inputs_of('build/test_both.list build/test_quick.list')
for _, line in ipairs(made_lines('build/test_turns.list')) do
  for test in line:gmatch('%S+') do made[#made + 1] = test end
end
for _, test in ipairs(made) do is_made[test] = true end

local function summary(tests)
  write('build/ci.list', table.concat(made, ' ') .. '\n' .. table.concat(tests, '\n') .. '\n')
  os.execute('lua5.4 tests/scripts/summary.lua build/ci.list')
end

local speed = tonumber(os.getenv('CI_SPEED')
  or lines_of('lua5.4 tests/scripts/speed.lua build/ci')[1])
local ok, problem = pcall(parts.run, {
  seconds = seconds, run = run, say = say, speed = assert(speed, 'no speed'),
}, {
  inputs_of = inputs_of, ranks_of = made_lines, is_made = is_made,
  ages = touched(), summary = summary,
})
if not ok then
  say(tostring(problem))
  os.exit(1)
end
