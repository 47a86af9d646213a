--- What measuring needs of the world outside: programs to run, a folder for them, a clock, and the
--- user's compiler. Generation never comes here: only the verbs that measure do.
local shell = require 'common.shell'

local M = {}

--- Thrown where a child was stopped by Ctrl-C. Where it reaches Lua itself, that throws a sentence.
M.interrupted = {}

--- Whether what was thrown means Ctrl-C.
function M.is_interrupt(problem)
  return problem == M.interrupted
    or type(problem) == 'string' and problem:find('interrupted!$') ~= nil
end

--- Runs a command to its end, giving each line that it prints to `heed`.
---@param command string
---@param heed fun(line: string)
---@return boolean ok
function M.lines(command, heed)
  local pipe <close> = assert(io.popen(command))
  for line in pipe:lines() do heed(line) end
  local ok, how, code = pipe:close()
  if how == 'signal' and code == 2 or code == 130 then error(M.interrupted, 0) end
  return ok == true
end

--- The first line that a command prints, or nil where it fails or prints none.
function M.first_line(command)
  local first
  local ok = M.lines(command, function(line) first = first or line end)
  return ok and first or nil
end

--- A new folder, and a function that removes it. It also goes when this process ends in any other
--- way: a shell that no Ctrl-C stops waits for that, at the end of a pipe.
---@return string folder
---@return fun() remove
function M.folder()
  local folder = M.first_line('mktemp -d')
  if not folder then error('mktemp -d made no folder', 0) end
  local keeper = assert(io.popen(("trap '' INT HUP TERM QUIT; cat >/dev/null; rm -rf %s"):format(
    shell.quoted(folder)), 'w'))
  return folder, function() keeper:close() end
end

--- Whether a file can be written, its folder being made where it is missing.
function M.is_writable(path)
  return M.first_line(([[
    path=%s
    [ ! -d "$path" ] || exit 1
    [ -e "$path" ] || while path=$(dirname -- "$path"); [ ! -d "$path" ]; do
      [ ! -e "$path" ] || exit 1
    done
    test -w "$path" && echo yes]]):format(shell.quoted(path))) ~= nil
end

--- Whether messages go to a terminal.
function M.on_terminal() return M.first_line('test -t 2 && echo yes') ~= nil end

--- Whole seconds of the wall's clock.
function M.now() return os.time() end

--- The user's C compiler, as shells spell it.
function M.compiler()
  local cc = os.getenv('CC')
  return cc and cc ~= '' and cc or 'cc'
end

return M
