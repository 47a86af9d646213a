--- `ffngen spec`: what a spec may say, all on one page.
local exits = require 'commands.exits'
local lists = require 'common.list'
local meanings = require 'read.meanings'
local output = require 'common.output'
local texts = require 'common.text'

local M = { about = 'Explain what a spec may say.' }

M.purpose = {
  'A spec is a file of Lua that describes layers. spec prints all that a spec may say on one page: '
    .. 'kinds of layers, fields, other words, activations. One sentence says what each of them '
    .. 'means.',
}

local columns, indent = 96, 14

M.examples = { { 'ffngen spec', 'Print the page.' } }

M.files = { { 'my.lua', 'The name that examples give to a spec. `ffngen spec` reads no file.' } }

M.exits = { exits.success, exits.failure, exits.usage }

function M.options() end

local function item(name, meaning) return texts.item(name, meaning, columns, indent) end

--- The names of a kind's fields, as words that wrap.
local function names_of(kind)
  return 'Fields: ' .. table.concat(kind.fields, ', ') .. '.'
end

---@return string
local function page()
  local lines = {
    'A spec is a file of Lua with the words below in scope and no others. A layer is a kind, a',
    'name of your own, and fields:', '', '  ' .. meanings.example, '', 'Kinds:',
  }
  for _, kind in ipairs(meanings.kinds) do
    lines[#lines + 1] = item(kind.name, kind.computes)
    lines[#lines + 1] = item('', names_of(kind))
  end
  lists.append(lines, { '', 'Fields:' })
  for _, field in ipairs(meanings.fields) do lines[#lines + 1] = item(field.name, field.meaning) end
  lists.append(lines, { '', 'Other words:' })
  for _, word in ipairs(meanings.words) do lines[#lines + 1] = item(word.form, word.meaning) end
  local row = '  %-16s %-18s %s'
  lists.append(lines, { '', ('Activations of %s, which are variants of %s; gated variants of %s '
    .. 'and %s:'):format(meanings.of_plain, meanings.of_variants, meanings.of_variants,
    meanings.of_gated), row:format('plain', 'gated', 'parameters') })
  for _, a in ipairs(meanings.activations) do
    lines[#lines + 1] = row:format(a.plain, a.gated, a.parameters):gsub(' +$', '')
  end
  return table.concat(lines, '\n')
end

function M.run()
  output.line('%s', page())
  return 0
end

return M
