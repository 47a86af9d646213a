--- `ffngen spec`: what a spec may say, all on one page.
local lists = require 'common.list'
local output = require 'common.output'
local texts = require 'common.text'
local told = require 'read.told'

local M = { about = 'Show what a spec may say: kinds, fields, activations, words.' }

local columns, indent = 96, 14

M.examples = [[
  ffngen spec]]

function M.options() end

--- A name, and beside it what it means, in lines. What stands in backquotes is not broken.
local function item(name, meaning)
  local words = {}
  local joined = meaning:gsub('`(.-)`', function(code) return (code:gsub(' ', '\1')) end)
  for word in joined:gmatch('%S+') do words[#words + 1] = word:gsub('\1', ' ') end
  local block = texts.wrap(words, columns, (' '):rep(indent))
  if #name > indent - 4 then return ('  %s\n%s'):format(name, block) end
  return ('  %-' .. indent - 2 .. 's%s'):format(name, block:sub(indent + 1))
end

--- The names of a kind's fields, as words that wrap.
local function names_of(kind)
  return 'Fields: ' .. table.concat(kind.fields, ', ') .. '.'
end

---@return string
local function page()
  local lines = {
    'A spec is a file of Lua with the words below in scope and no others. A layer is a kind, a',
    'name of your own, and fields:', '', '  ' .. told.example, '', 'Kinds:',
  }
  for _, kind in ipairs(told.kinds) do
    lines[#lines + 1] = item(kind.name, kind.computes)
    lines[#lines + 1] = item('', names_of(kind))
  end
  lists.append(lines, { '', 'Fields:' })
  for _, field in ipairs(told.fields) do lines[#lines + 1] = item(field.name, field.meaning) end
  lists.append(lines, { '', 'Other words:' })
  for _, word in ipairs(told.words) do lines[#lines + 1] = item(word.form, word.meaning) end
  local row = '  %-16s %-18s %s'
  lists.append(lines, { '', ('Activations of %s, which are variants of %s; gated variants of %s '
    .. 'and %s:'):format(told.of_plain, told.of_variants, told.of_variants, told.of_gated),
    row:format('plain', 'gated', 'parameters') })
  for _, a in ipairs(told.activations) do
    lines[#lines + 1] = row:format(a.plain, a.gated, a.parameters):gsub(' +$', '')
  end
  return table.concat(lines, '\n')
end

function M.run()
  output.line('%s', page())
  return 0
end

return M
