--- What the man page says of specs, as scdoc has it.
local lists = require 'common.list'
local told = require 'read.told'

local M = {}

--- A text whose marks stand for themselves; what a spec says is bold.
local function plain(text)
  return (text:gsub('[\\*_#~<>]', '\\%0'):gsub('`(.-)`', '*%1*'))
end

--- { name, fields, computes } each.
M.kinds = lists.map(told.kinds, function(kind)
  return {
    name = kind.name, fields = plain(table.concat(kind.fields, ', ')),
    computes = plain(kind.computes),
  }
end)

--- { name, meaning } each, of fields and then of other words.
M.fields = lists.map(told.fields, function(field)
  return { name = plain(field.name), meaning = plain(field.meaning) }
end)
M.words = lists.map(told.words, function(word)
  return { name = plain(word.form), meaning = plain(word.meaning) }
end)

M.of_plain, M.of_variants, M.of_gated = told.of_plain, told.of_variants, told.of_gated

--- A line each: variants, and parameters in brackets.
M.activations = lists.map(told.activations, function(a)
  return plain(('%s%s%s'):format(a.plain == '' and '' or a.plain .. ', gated: ', a.gated,
    a.parameters == '' and '' or ' (' .. a.parameters .. ')'))
end)

return M
