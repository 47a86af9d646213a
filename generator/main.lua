--- The command line: the only file that reads argv or sets an exit code.
---
--- Exit codes: see commands/exits.lua.
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
local lists = require 'common.list'
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
  message('see ffngen %s--help', command._parent and command._name .. ' ' or '')
  quit(2)
end

--- Gives a verb, or the whole, its --help.
---@param text fun(): string
local function with_help(command, what, text)
  return command:add_help { description = what, action = function() tell(text()) end }
end

local parser = argparse 'ffngen':command_target('command')
with_help(parser, 'Print this help.', function() return commands.help(parser) end)
parser.error = usage
parser:flag('-v --version', 'Print the versions of ffngen, its ABI, its layout, its schema.')
  :action(function()
    tell(('ffngen %s (runtime ABI %d, layout %d, spec schema %d)'):format(version.generator,
      version.abi, version.layout, version.schema))
  end)
-- Building options takes longer than reading them: a verb that is not named needs none, but where
-- completions tell them all.
local has_word, taken_by = {}, {}
for _, word in ipairs(arg) do has_word[word] = true end
for _, verb in ipairs(commands.names) do
  local taken = parser:command(verb)
  if has_word[verb] or has_word.packaging then
    local command = commands.by_name[verb]
    taken:description(command.about)
    with_help(taken, 'Print this page.', function() return commands.help_of(verb, taken) end)
    command.options(taken)
  end
  taken_by[verb] = taken
  taken.error = usage
end

-- `ffngen help` and `ffngen help VERB` ask for what --help tells.
local given = { table.unpack(arg) }
if given[1] == 'help' then given = { given[2] or '--help', given[2] and '--help' } end

local args = parser:parse(given)
local line = {
  parser = parser,
  pages = function()
    return lists.map(commands.names, function(verb) return commands.page(verb, taken_by[verb]) end)
  end,
}
finish(function() return commands.by_name[args.command].run(root, args, line) end)
