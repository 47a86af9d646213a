--- Where C becomes programs: a folder and the user's compiler. And where candidates become one that
--- measures them, by generator/tune/measure.c.
local cpus = require 'cpu'
local lists = require 'common.list'
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
  self:compile(('%s measure.o subjects.o ffn.o cpu.o %s -lm -pthread -o tune'):format(
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
  w:write('formats.inc', manifest.formats_inc())
  w:write('decoders.inc', manifest.decoders_inc(root))
  w:write('integers.inc', manifest.integers_inc(root))
  w:write('isas.inc', manifest.isas_inc())
  w:write('kinds.inc', manifest.kinds_inc())
  w:write('profiles.inc', manifest.profiles_inc())
  w:write('activations.inc', manifest.activations_inc(used))
  return w
end

---@class Here  what this machine's CPU is
---@field isas string[]
---@field allowed table<string, boolean>  by name
---@field profile string
---@field threads integer

--- A folder with all that candidates are compiled with, and the CPU.
---@param layers Layer[] which it is for
---@return Workshop
---@return Here
function M.open(root, folder, layers)
  local w = M.new(root, folder, manifest.activations(layers))
  local runtime = w.runtime
  local sources = lists.map({
    '../generator/tune/measure.c', '../generator/tune/subjects.c', 'ffn.c', 'cpu.c',
  }, function(file) return shell.quoted(runtime .. '/' .. file) end)
  w:compile('-pthread -c ' .. table.concat(sources, ' '))
  w:link {}
  local here = { isas = {}, allowed = {}, profile = cpus.names[1], threads = 1 }
  w:run('cpu', function(line)
    local what, value = line:match('^(%l+) (%S+)$')
    if what == 'isa' then
      here.allowed[value] = true
      here.isas[#here.isas + 1] = value
    elseif what == 'profile' then
      here.profile = value
    else
      here.threads = math.tointeger(tonumber(value))
    end
  end)
  return w, here
end

return M
