--- Runs ffngen in this process: ten times as fast as one of its own, with the same arguments,
--- folder, output and exit code. What differs is left to the tests that start processes.
local lfs = require 'lfs'

local M = {}

local function collect(list)
  return function(...)
    for i = 1, select('#', ...) do list[#list + 1] = tostring((select(i, ...))) end
    return true
  end
end

---@class Outcome
---@field code integer
---@field out string
---@field err string

--- Runs main.lua of a project.
---@param project string its folder
---@param arguments string[]
---@param dir string the current folder
---@return Outcome
function M.run(project, arguments, dir)
  local saved = {
    arg = arg, print = print, write = io.write, stderr = io.stderr, exit = os.exit,
    path = package.path, cpath = package.cpath, dir = lfs.currentdir(),
  }
  local out, err, ended = {}, {}, {}
  assert(lfs.chdir(dir))
  _G.arg = { [0] = project .. '/generator/main.lua', table.unpack(arguments) }
  _G.print = function(...)
    local words = { ... }
    for i = 1, #words do words[i] = tostring(words[i]) end
    out[#out + 1] = table.concat(words, '\t') .. '\n'
  end
  local put_out, put_err = collect(out), collect(err)
  io.write = function(...) return put_out(...) end -- luacheck: ignore
  io.stderr = { write = function(_, ...) return put_err(...) end } -- luacheck: ignore
  os.exit = function(code) -- luacheck: ignore
    ended.code = code
    error(ended, 0)
  end
  local ok, thrown = pcall(dofile, _G.arg[0])
  _G.arg, _G.print, io.write = saved.arg, saved.print, saved.write -- luacheck: ignore
  io.stderr, os.exit = saved.stderr, saved.exit -- luacheck: ignore
  package.path, package.cpath = saved.path, saved.cpath
  assert(lfs.chdir(saved.dir))
  collectgarbage('incremental', 1000) -- a verb may choose for its own process: as run.lua has it
  if ok or thrown ~= ended then error(thrown, 0) end
  return { code = ended.code, out = table.concat(out), err = table.concat(err) }
end

return M
