--- Defects that the suite cannot meet: their test is a script, which runs in the copy, with all
--- that takes turns elsewhere. Of the generator's tests the one that killed the defect before runs
--- first.
local tools = dofile('tests/mutants/tools.lua')
local run, read, write = tools.run, tools.read, tools.write

local M = {}

---@param whole string  what both processes share
---@param folder string  of this process
function M.new(whole, folder)
  return setmetatable({ whole = whole, folder = folder }, { __index = M })
end

--- Runs a test in the copy as it is. The generator's tests end at the first that fails.
---@param test string
---@return boolean passed, string log
function M:passes(test)
  local log = self.folder .. '/test.log'
  local command = ('%s/tree/%s'):format(self.folder, test)
  if test:match('%.lua ') then
    command = 'lua5.4 ' .. command
    if test:match('^tests/generator/run%.lua ') then command = command .. ' -f' end
  else
    command = command .. ' ' .. self.folder .. '/test'
  end
  local passed = run('TURNS=all timeout 900 %s >%s 2>&1', command, log)
  return passed, read(log) or ''
end

--- Whether a test passes without any defect: asked once, of both processes.
function M:is_sound(test, put_in)
  local note = ('%s/sound_%s'):format(self.whole, test:gsub('%W', '_'))
  local known = read(note)
  if known then return known == 'yes' end
  put_in(nil)
  local sound = self:passes(test)
  write(note, sound and 'yes' or 'no')
  return sound
end

--- The tests of a defect: the one that killed it before, where it is one of its own, and its own.
---@param test string
---@param killer string|nil
local function tests_of(test, killer)
  local words, all = test:match('^(tests/generator/run%.lua) %-p (%S+)$')
  if killer and words and killer:sub(1, #all:match('^%w+')) == all:match('^%w+') then
    return { ('%s -p ^%s$'):format(words, killer), test }
  end
  return { test }
end

--- Which of the generator's tests failed, as its runner says; nil of others.
local function killer_of(log) return log:match('\n1%) (Test%w+%.test_[%w_]+)\n') end

--- What a test lacks that says nothing else: each of its lines ends in "skipped".
---@return string|nil
function M.lack_of(log)
  local lack
  for line in log:gmatch '[^\n]+' do
    lack = line:match '^(.*): skipped$'
    if not lack then return nil end
  end
  return lack
end

---@param put_in fun(defect: table|nil): boolean|nil, string|nil
---@return string result, string|nil reason
function M:try(defect, hint, put_in)
  local tests = tests_of(defect.test, hint)
  for i, test in ipairs(tests) do
    local is_sound, is_own = self:is_sound(test, put_in), i == #tests
    if is_own and not is_sound then return 'broken', 'its test fails without any defect' end
    if is_sound then
      local ok, problem = put_in(defect)
      if not ok then return 'broken', problem end
      local passed, log = self:passes(test)
      if not passed then return 'killed', is_own and killer_of(log) or hint end
      local lack = is_own and M.lack_of(log)
      if lack then return 'skipped', lack end
    end
  end
  return 'survived'
end

--- Writes what killed each defect: now, or when it was tried last.
function M.keep_killers(defects, before, now, path)
  local lines = { 'return {' }
  for _, defect in ipairs(defects) do
    local killer = now[defect.name] or before[defect.name]
    if killer then
      local line = ('  [%q] = %q,'):format(defect.name, killer)
      lines[#lines + 1] = #line <= 100 and line or line:gsub('%] = ', '] =\n    ', 1)
    end
  end
  local head = (read('tests/mutants/killers.lua') or ''):match('^(.-)return {') or ''
  write(path, head .. table.concat(lines, '\n') .. '\n}\n')
end

return M
