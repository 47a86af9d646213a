--- Processes of fuzzers, under limits of time and memory.
local files = require 'folder'
local serial = require 'serial'

local M = {}

--- A word for the shell.
function M.quote(word) return "'" .. tostring(word):gsub("'", "'\\''") .. "'" end

--- What a command prints.
function M.output(command, ...)
  local pipe = assert(io.popen(command:format(...)))
  local text = pipe:read('a')
  pipe:close()
  return text
end

function M.absolute(path)
  return (M.output('cd %s && pwd', M.quote(path)):gsub('\n$', ''))
end

function M.make_folder(path) assert(os.execute('mkdir -p ' .. M.quote(path))) end

--- A command each of whose processes has at most `seconds` of CPU: on a busy machine slow is not
--- endless.
local function limited(seconds, command)
  return ('ulimit -t %d && { timeout -k 5 %d %s; }'):format(seconds, 10 * seconds, command)
end

--- Runs a command in a folder, under that limit.
---@return boolean ok
---@return string said
function M.run(folder, seconds, command)
  local log = folder .. '/log'
  local ok, how, code = os.execute(
    ('cd %s && %s >%s 2>&1 </dev/null'):format(M.quote(folder), limited(seconds, command),
      M.quote(log)))
  if ok then return true, files.read(log) end
  return false, ('%s %d: %s\n%s'):format(how, code, command, files.read(log):sub(1, 4000))
end

--- The worker with these words behind the target's folder, under limits; what went wrong, or nil.
local function worker(root, work, seconds, ...)
  local limits = require(work.name)
  local words = { 'lua5.4', root .. '/tests/fuzz/worker.lua', root, work.name, work.folder, ... }
  for i, word in ipairs(words) do words[i] = M.quote(word) end
  os.remove(work.folder .. '/problem')
  local most = seconds + limits.seconds
  local memory = limits.kilobytes and ('ulimit -v %d;'):format(limits.kilobytes) or ''
  local ok, how, code = os.execute(('%s %s >%s 2>&1 </dev/null'):format(memory,
    limited(most, table.concat(words, ' ')), M.quote(work.folder .. '/said')))
  if ok then return nil end
  local problem = files.read(work.folder .. '/problem')
  if how == 'exit' and code == 3 and problem then return problem end
  local said = files.read(work.folder .. '/said'):sub(1, 2000)
  if how == 'exit' and (code == 124 or code == 137) then
    return ('no end within %d s of CPU'):format(most)
  end
  return ('the process ended, %s %d: %s'):format(how, code, said)
end

--- Tries cases by number, one after the other.
---@param work FuzzWork
---@return string|nil problem
function M.shift(root, work, first, seconds)
  return worker(root, work, seconds, work.seed, first, work.first + work.count - first, seconds)
end

--- Tries one case.
---@return string|nil problem
function M.one(root, work, case)
  local path = work.folder .. '/one.lua'
  files.write(path, serial.text(case))
  return worker(root, work, 0, path)
end

return M
