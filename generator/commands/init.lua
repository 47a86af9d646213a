--- The verbs of the command line. One file each, and a name in this list, which is also the order
--- of the help.
local exits = require 'commands.exits'
local help = require 'commands.help'
local lists = require 'common.list'
local page_of = require 'commands.page'
local record = require 'common.record'

local names = {
  'generate', 'import', 'vendor', 'spec', 'check', 'explain', 'list', 'tune', 'plot',
  'activations', 'packaging',
}

---@class Command
---@field about string                     one line
---@field purpose string[]                 paragraphs: what it does, for whom
---@field examples string[][]              { call, what it does } each
---@field options fun(command: table)      adds arguments and options; command is argparse's
---@field tables (fun(): PageTable[])|false  what its page has besides
---@field files string[][]                 { name, what it is } each: what is read and written
---@field exits table[]                    { code, when } each, of commands/exits.lua or its own
---@field run fun(root: string, args: table, line: CommandLine): integer  the exit code; root is the
--- project's folder

---@class CommandLine
---@field parser table               of argparse
---@field pages fun(): Page[]        of all verbs, in order

local is_verb = lists.set(names)

--- A verb is read when it is asked for: what reads models takes half of the time in which another
--- verb begins.
---@type table<string, Command>
local by_name = setmetatable({}, { __index = function(read, name)
  if not is_verb[name] then error(('there is no verb "%s"'):format(tostring(name)), 2) end
  local command = require('commands.' .. name)
  local verb = record.strict('command ' .. name, {
    about = command.about, purpose = command.purpose, examples = command.examples,
    options = command.options, tables = command.tables or false, files = command.files,
    exits = command.exits, run = command.run,
  })
  rawset(read, name, verb)
  return verb
end })

local M = { names = names, by_name = by_name }

--- The page of a verb.
---@param name string
---@param command table of argparse, with the verb's options
---@return Page
function M.page(name, command) return page_of.of(name, M.by_name[name], command) end

--- The page of a verb as `--help` prints it.
function M.help_of(name, command) return help.of(M.page(name, command)) end

--- The help of ffngen as a whole.
---@param parser table of argparse
function M.help(parser)
  local verbs = lists.map(names, function(name)
    return page_of.item(name, '', M.by_name[name].about)
  end)
  return help.all(parser, verbs, page_of.items(exits.all))
end

return M
