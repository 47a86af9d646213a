--- A verb's page of the manual as a record: `--help` prints it (commands/help.lua), and so does the
--- man page (package/manual.lua).
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

---@class PageItem
---@field name string     what is typed, the name of a file, or an exit code
---@field value string    what follows an option, such as DIR; '' where nothing does
---@field meaning string

---@class PageTable
---@field title string
---@field lines string[]  printed as they are

---@class Page
---@field name string      of the verb
---@field about string     one line
---@field usage string     one line, without `ffngen NAME`
---@field purpose string[] paragraphs
---@field examples PageItem[]
---@field arguments PageItem[]
---@field options PageItem[]
---@field tables PageTable[]
---@field files PageItem[]
---@field exits PageItem[]

---@param name string
---@param value string
---@param meaning string
---@return PageItem
function M.item(name, value, meaning)
  return record.strict('item of a page', { name = name, value = value, meaning = meaning })
end

--- Items from { name, meaning } each.
---@param list table[]
---@return PageItem[]
function M.items(list)
  return lists.map(list, function(pair) return M.item(tostring(pair[1]), '', pair[2]) end)
end

--- The argument of an option, in capitals as arguments of the verb are.
---@param argument table of argparse
local function argument_of(argument)
  local is_optional, is_many = argument._minargs == 0, argument._maxargs > 1
  local name = argument._name:upper() .. (is_many and ' ...' or '')
  return is_optional and '[' .. name .. ']' or name
end

--- What an option means, and its default where it is a value.
local function meaning_of(option)
  local default = option._default
  return default and ('%s Default: %s.'):format(option._description, default) or option._description
end

--- The options of argparse.
---@param command table of argparse
---@return PageItem[]
function M.options(command)
  return lists.map(command._options, function(option)
    local value = option._maxargs > 0 and option._argname or ''
    return M.item(table.concat(option._public_aliases, ', '), value, meaning_of(option))
  end)
end

--- The page of a verb.
---@param name string
---@param verb Command
---@param command table of argparse, with the verb's options
---@return Page
function M.of(name, verb, command)
  local arguments = lists.map(command._arguments, function(argument)
    return M.item(argument_of(argument), '', argument._description)
  end)
  local usage = lists.map(arguments, function(argument) return argument.name end)
  usage[#usage + 1] = '[OPTIONS]'
  return record.strict('page', {
    name = name, about = verb.about, usage = table.concat(usage, ' '), purpose = verb.purpose,
    examples = M.items(verb.examples), arguments = arguments, options = M.options(command),
    tables = verb.tables and verb.tables() or {}, files = M.items(verb.files),
    exits = M.items(verb.exits),
  })
end

return M
