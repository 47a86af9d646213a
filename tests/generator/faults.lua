--- The writer on bad days: killed at every system call of a run, and every one of them failing. Old
--- files or new ones are there, each whole; the next run succeeds and leaves nothing behind. What a
--- run does before it looks at its folder touches nothing, and is left out.
local unit = require 'luaunit'
local support = require 'support'

--- A run of the writer alone: few calls, and all that it can do.
local writer = [[
package.path = arg[1] .. '/generator/?.lua;' .. package.path
local ok, problem = pcall(require('write.files').write, {
  folder = 'out', maker = 'test', is_ours = function(_, head) return head:find 'ours' ~= nil end,
  is_stale = function(name) return name == 'stale' end,
  files = { { path = 'changed', text = ('ours, new\n'):rep(1000) },
    { path = 'same', text = 'ours, same\n' }, { path = 'fresh', text = 'ours, fresh\n' } },
})
if not ok then io.stderr:write('ffngen: ', tostring(problem), '\n') os.exit(1) end
]]

---@class Job
---@field words string[]  a process that writes to out/
---@field put fun(folder: string)  what the folder is before
---@field new table<string, string>  and what it shall be

---@return Job
local function writer_job(is_over)
  local script = support.folder() .. '/writer.lua'
  support.write(script, writer)
  local job = { words = { 'lua5.4', script, support.project } }
  function job.put(folder)
    if not is_over then return end
    support.sh('mkdir', folder .. '/out')
    support.write(folder .. '/out/changed', 'ours, old\n')
    support.write(folder .. '/out/same', 'ours, same\n')
    support.write(folder .. '/out/stale', 'ours\n')
    support.write(folder .. '/out/mine', 'mine\n')
  end
  return job
end

local before = "linear 'map' { d_model = 5, d_out = 33 }"
local after = before .. " linear 'b' { d_model = 6, d_out = 9 }"

---@return Job
local function generate_job()
  local made = support.folder()
  support.write(made .. '/my.lua', before)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', 'c' },
    { dir = made }), 0, 'before')
  local job = { words = { 'lua5.4', '-E', support.project .. '/generator/main.lua', 'generate',
    'my.lua', '--out', 'out', '--isa', 'c' } }
  function job.put(folder)
    support.sh('cp', '-r', made .. '/out', folder .. '/out')
    support.write(folder .. '/my.lua', after)
  end
  return job
end

--- Calls that ask for memory, and change nothing that is seen from outside.
local memory = { brk = true, mmap = true, munmap = true, mremap = true, madvise = true }

--- Runs a job in a folder of its own, each system call as a line of a log.
local function traced(job, words)
  local folder = support.folder()
  job.put(folder)
  local log = folder .. '/log'
  local command = { 'strace', '-y', '-o', log, table.unpack(words or {}) }
  for _, word in ipairs(job.words) do command[#command + 1] = word end
  local result = support.run(command, { dir = folder })
  return folder, result, support.read(log)
end

---@class SystemCall
---@field name string
---@field number integer  the how many-th of its name
---@field line string
---@field in_folder boolean  about the folder or what is in it

--- The calls of a job from where it first looks at its folder. What the folder then is becomes
--- what every other run shall end with.
---@return SystemCall[]
local function calls_of(job)
  local folder, result, log = traced(job)
  if result.code ~= 0 then unit.skip('no strace here: ' .. result.err:sub(1, 200)) end
  job.new = support.snapshot(folder .. '/out')
  local calls, counts = {}, {}
  for line in log:gmatch('[^\n]+') do
    local name = line:match('^([%w_]+)%(')
    if name then
      counts[name] = (counts[name] or 0) + 1
      local in_folder = name ~= 'execve' and line:find('[/"]out[/">]') ~= nil
      if (#calls > 0 or in_folder) and not memory[name] and name ~= 'exit_group' then
        calls[#calls + 1] = { name = name, number = counts[name], line = line,
          in_folder = in_folder }
      end
    end
  end
  return calls
end

--- Every file is the old one or the new one, whole, and none is missing that both have.
local function assert_whole(found, old, new, what)
  for path, text in pairs(found) do
    unit.assertTrue(text == old[path] or text == new[path] or path:match('^%.ffngen') ~= nil,
      what .. ': ' .. path)
  end
  for path in pairs(old) do
    unit.assertTrue(found[path] ~= nil or new[path] == nil, what .. ': ' .. path .. ' is gone')
  end
end

--- The next run succeeds, and leaves nothing of the last.
local function assert_next(job, folder, what)
  local result = support.run(job.words, { dir = folder })
  support.assert_code(result, 0, what .. ', again')
  support.assert_same(support.snapshot(folder .. '/out'), job.new, what .. ', again')
end

--- Over what an earlier run made, and where there is nothing.
local function each_job(job_of, run)
  for _, is_over in ipairs { true, false } do run(job_of(is_over)) end
end

local function old_of(job)
  local folder = support.folder()
  job.put(folder)
  return support.snapshot(folder .. '/out')
end

TestFaults = {}

local function kill_at_every_call(job)
  local calls, old = calls_of(job), old_of(job)
  unit.assertTrue(#calls > 30, tostring(#calls))
  for i = 1, #calls, support.full and 1 or 4 do
    local call = calls[i]
    local folder, result = traced(job, { '-e', 'trace=' .. call.name, '-e',
      ('inject=%s:signal=SIGKILL:when=%d'):format(call.name, call.number) })
    unit.assertEquals(result.code, 137, call.line)
    assert_whole(support.snapshot(folder .. '/out'), old, job.new, call.line)
    assert_next(job, folder, call.line)
  end
end

function TestFaults.test_killed_at_every_call()
  each_job(writer_job, kill_at_every_call)
  if support.full then kill_at_every_call(generate_job()) end
end

--- What a call may say that changes something; others know EIO alone.
local errors = { 'ENOSPC', 'EROFS', 'EACCES', 'EIO' }
local changes = { mkdir = true, rename = true, link = true, unlink = true, rmdir = true,
  write = true, close = true, symlink = true }

--- One call fails, once.
---@return boolean failed  and so did the run
local function fail_at(job, old, call, error)
  local what = error .. ' of ' .. call.line
  local folder, result = traced(job, { '-e', 'trace=' .. call.name, '-e',
    ('inject=%s:error=%s:when=%d'):format(call.name, error, call.number) })
  local found = support.snapshot(folder .. '/out')
  for _, path in ipairs(support.keys(found)) do
    if path:match('^%.ffngen') then found[path] = nil end
  end
  if result.code == 0 then
    -- A file that cannot be read may be anybody's.
    if call.line:find('out/stale', 1, true) then found.stale = nil end
    support.assert_same(found, job.new, what)
  else
    support.assert_code(result, 1, what)
    support.assert_has(result.err, 'ffngen: out', what)
    support.assert_lacks(result.err, 'traceback', what)
    support.assert_same(found, old, what)
  end
  assert_next(job, folder, what)
  return result.code ~= 0
end

function TestFaults.test_failing_at_every_call()
  each_job(writer_job, function(job)
    local calls, old, failed = calls_of(job), old_of(job), 0
    for i = 1, #calls, support.full and 1 or 3 do
      local call = calls[i]
      local is_change = changes[call.name] or call.line:find 'O_CREAT' ~= nil
      for j, error in ipairs(errors) do
        local is_wanted = is_change and (support.full or j == i // 3 % #errors + 1)
          or not is_change and error == 'EIO'
        -- LuaFileSystem takes a listing that breaks off for its end: what is stale may stay once.
        if is_wanted and call.in_folder and call.name ~= 'getdents64'
          and fail_at(job, old, call, error) then
          failed = failed + 1
        end
      end
    end
    unit.assertTrue(failed > 5, tostring(failed))
  end)
end
