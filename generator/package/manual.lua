--- What man pages say of specs and of verbs, as scdoc has it.
local lists = require 'common.list'
local meanings = require 'read.meanings'
local record = require 'common.record'

local M = {}

--- A text whose marks stand for themselves; what a spec says is bold.
local function plain(text)
  return (text:gsub('[\\*_#~<>]', '\\%0'):gsub('`(.-)`', '*%1*'))
end

--- { name, fields, computes } each.
M.kinds = lists.map(meanings.kinds, function(kind)
  return {
    name = kind.name, fields = plain(table.concat(kind.fields, ', ')),
    computes = plain(kind.computes),
  }
end)

--- { name, meaning } each, of fields and then of other words.
M.fields = lists.map(meanings.fields, function(field)
  return { name = plain(field.name), meaning = plain(field.meaning) }
end)
M.words = lists.map(meanings.words, function(word)
  return { name = plain(word.form), meaning = plain(word.meaning) }
end)

M.of_plain, M.of_variants, M.of_gated = meanings.of_plain, meanings.of_variants, meanings.of_gated

--- A line each: variants, and parameters in brackets.
M.activations = lists.map(meanings.activations, function(a)
  return plain(('%s%s%s'):format(a.plain == '' and '' or a.plain .. ', gated: ', a.gated,
    a.parameters == '' and '' or ' (' .. a.parameters .. ')'))
end)

--- What man calls an item: what is typed is bold, what stands for something else underlined.
---@param item PageItem
---@return { typed: string, name: string, meaning: string }
function M.item(item)
  local value = item.value == '' and '' or ' _' .. plain(item.value) .. '_'
  return {
    typed = item.name, name = ('*%s*%s'):format(plain(item.name), value),
    meaning = plain(item.meaning),
  }
end

--- The names of the verbs' pages.
function M.pages_of(verbs)
  return table.concat(lists.map(verbs, function(verb)
    return ('*ffngen-%s*(1)'):format(verb.name)
  end), ', ')
end

--- A verb's page, its texts as scdoc has them.
---@param page Page
function M.of_verb(page)
  local fields = record.fields(page)
  fields.about, fields.usage = plain(page.about), plain(page.usage)
  fields.title = fields.about:gsub('%.$', '')
  fields.purpose = lists.map(page.purpose, plain)
  for _, part in ipairs { 'examples', 'arguments', 'options', 'files', 'exits' } do
    fields[part] = lists.map(page[part], M.item)
  end
  fields.options = lists.append(fields.arguments, fields.options)
  fields.tables = lists.map(page.tables, function(own)
    return { title = plain(own.title), text = table.concat(own.lines, '\n') }
  end)
  return fields
end

return M
