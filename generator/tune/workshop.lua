--- Where C becomes programs: a folder and the user's compiler. And where candidates become one that
--- measures them, by generator/tune/measure.c.
local manifest = require 'emit.manifest'
local problems = require 'common.problem'
local process = require 'tune.process'
local shell = require 'common.shell'

local M = {}

---@class Workshop
---@field root string
---@field folder string  for everything that is made
---@field cc string
local Workshop = {}
Workshop.__index = Workshop

function Workshop:write(path, text)
  local handle = assert(io.open(self.folder .. '/' .. path, 'wb'))
  assert(handle:write(text))
  assert(handle:close())
end

--- Runs a command in the folder, giving each line that it prints to `heed`.
---@return boolean ok
function Workshop:lines(command, heed)
  return process.lines(('cd %s && %s'):format(shell.quoted(self.folder), command), heed)
end

--- Runs the compiler in the folder; what it says becomes the error.
function Workshop:compile(given)
  local said = {}
  local ok = self:lines(('exec %s -O2 -I. -I%s %s 2>&1'):format(self.cc,
    shell.quoted(self.runtime), given), function(line) said[#said + 1] = line end)
  if not ok then
    problems.failure('the compiler failed (set CC to choose another): %s %s\n%s', self.cc, given,
      table.concat(said, '\n', 1, math.min(#said, 20)))
  end
end

--- The measuring program with these objects as its kernels.
function Workshop:link(symbols)
  local rows, objects = {}, {}
  for i, symbol in ipairs(symbols) do
    rows[i] = ('FFN_KERNEL(%s)\n'):format(symbol)
    objects[i] = symbol .. '.o'
  end
  self:write('kernels.inc', table.concat(rows))
  self:compile(('%s measure.o ffn.o cpu.o %s -lm -o tune'):format(
    shell.quoted(self.runtime .. '/registry.c'), table.concat(objects, ' ')))
end

--- Runs the measuring program.
function Workshop:run(given, heed)
  if not process.lines(('exec %s/tune %s'):format(shell.quoted(self.folder), given), heed) then
    problems.failure('the measuring program failed: tune %s', given)
  end
end

--- A folder with the lists that the runtime includes.
---@param used Activation[]
---@return Workshop
function M.new(root, folder, used)
  local runtime = process.first_line('cd ' .. shell.quoted(root .. 'runtime') .. ' && pwd')
  local w = setmetatable({ root = root, folder = folder, runtime = runtime,
    cc = process.compiler() }, Workshop)
  w:write('dtypes.inc', manifest.dtypes_inc())
  w:write('isas.inc', manifest.isas_inc())
  w:write('activations.inc', manifest.activations_inc(used))
  return w
end

--- A folder with all that candidates are compiled with, and the instruction sets of this CPU.
---@param layers Layer[] which it is for
---@return Workshop
---@return table<string, boolean> allowed
---@return string[] names
function M.open(root, folder, layers)
  local w = M.new(root, folder, manifest.activations(layers))
  local runtime = w.runtime
  w:compile(('-c %s %s %s'):format(shell.quoted(runtime .. '/../generator/tune/measure.c'),
    shell.quoted(runtime .. '/ffn.c'), shell.quoted(runtime .. '/cpu.c')))
  w:link {}
  local allowed, names = {}, {}
  w:run('isas', function(line)
    allowed[line] = true
    names[#names + 1] = line
  end)
  return w, allowed, names
end

return M
