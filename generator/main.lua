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
local output = require 'common.output'
local problems = require 'common.problem'
local version = require 'common.version'

--- Without freeing what the system takes back anyway, a model's tensors among it.
local function quit(code) os.exit(code) end

--- Errors that name their place pass as they are; any other is a defect, and shows where it was.
local function traced(problem)
  return problems.is(problem) and problem or debug.traceback(tostring(problem), 2)
end

--- Runs the work of a command line, which gives the exit code, and ends.
---@param work fun(): integer
local function finish(work)
  local ok, result = xpcall(function()
    local code = work()
    output.flush()
    return code
  end, traced)
  if ok then quit(result) end
  if not problems.is(result) then
    message('internal error: %s', result)
    quit(1)
  end
  message('%s', result.text)
  if result.code ~= 2 and not result.is_lost then message('nothing was written') end
  quit(result.code)
end

--- Prints a text and ends.
local function tell(text)
  finish(function()
    output.line('%s', text)
    return 0
  end)
end

--- A command line that is wrong: of a verb, or of none.
local function usage(command, problem)
  message('%s', problem)
  if #arg == 0 then io.stderr:write(command:get_usage(), '\n') end
  message('see ffngen %s--help', command._parent and command._name .. ' ' or '')
  quit(2)
end

--- Gives a verb, or the whole, its --help.
local function with_help(command)
  return command:add_help { action = function() tell(command:get_help()) end }
end

local parser = with_help(argparse('ffngen',
  'Feed-forward kernels with fixed sizes, as plain C that you own.'):epilog(commands.epilog)
  :command_target('command'))
parser.error = usage
parser:flag('-v --version', 'Print the version.'):action(function()
  tell(('ffngen %s (runtime ABI %d, layout %d, spec schema %d)'):format(version.generator,
    version.abi, version.layout, version.schema))
end)
-- Building options takes longer than reading them: a verb that is not named needs none, but where
-- completions tell them all.
local has_word = {}
for _, word in ipairs(arg) do has_word[word] = true end
for _, verb in ipairs(commands.names) do
  local command = commands.by_name[verb]
  local taken = parser:command(verb, command.about)
  if has_word[verb] or has_word.packaging then
    command.options(with_help(taken))
    taken:epilog(commands.epilog_of(command))
  end
  taken.error = usage
end

-- `ffngen help` and `ffngen help VERB` ask for what --help tells.
local given = { table.unpack(arg) }
if given[1] == 'help' then given = { given[2] or '--help', given[2] and '--help' } end

local args = parser:parse(given)
finish(function() return commands.by_name[args.command].run(root, args, parser) end)
