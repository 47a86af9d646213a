--- The command line: the only file that reads argv or sets an exit code.
---
--- Exit codes: 0 ok, 1 failure, 2 usage, 3 check found a difference, 4 bad input.
local script = debug.getinfo(1, 'S').source:sub(2)
local generator = script:match('^(.*)/[^/]*$') or '.'
local root = generator == '.' and '../' or (generator:match('^(.*/)generator$') or './')

--- Modules are the generator's own and the system's: no folder that a user happens to stand in.
local function system(path)
  local absolute = {}
  for place in path:gmatch('[^;]+') do
    if place:match('^/') then absolute[#absolute + 1] = place end
  end
  return table.concat(absolute, ';')
end
package.path = ('%s/?.lua;%s/?/init.lua;%s'):format(generator, generator, system(package.path))
package.cpath = system(package.cpath)

local argparse = require 'argparse'
local commands = require 'commands'
local message = require 'common.message'
local problems = require 'common.problem'
local version = require 'common.version'

local function quit(code) os.exit(code, true) end

local function usage(_, problem)
  message('%s', problem)
  message('see ffngen --help')
  quit(2)
end

local parser = argparse('ffngen',
  'Feed-forward kernels with fixed sizes, as plain C that you own.'):epilog(commands.epilog)
  :command_target('command')
parser.error = usage
parser:flag('--version', 'Print the version.'):action(function()
  print(('ffngen %s (runtime ABI %d, spec schema %d)'):format(version.generator, version.abi,
    version.schema))
  quit(0)
end)
for _, verb in ipairs(commands.names) do
  local command = commands.by_name[verb]
  local taken = parser:command(verb, command.about)
  command.options(taken)
  taken.error = usage
end

--- Errors that name their place pass as they are; any other is a defect, and shows where it was.
local function traced(problem)
  return problems.is(problem) and problem or debug.traceback(tostring(problem), 2)
end

local args = parser:parse(arg)
local ok, result = xpcall(commands.by_name[args.command].run, traced, root, args, parser)
if ok then quit(result) end
if not problems.is(result) then
  message('internal error: %s', result)
  quit(1)
end
message('%s', result.text)
if result.code ~= 2 then message('nothing was written') end
quit(result.code)
