--- What lays weights of every format, for ffn-pack: the functions and records that the pack() of a
--- kernel has for its own formats.
local decoding = require 'emit.decoding'
local environment = require 'emit.environment'
local isas = require 'isa'
local lists = require 'common.list'
local packings = require 'emit.packings'
local prefixes = require 'common.prefix'
local record = require 'common.record'
local texts = require 'common.text'
local weights = require 'weights'

local M = {}

--- What functions of some formats call, each once and in front of its callers.
---@param formats Format[]
---@return string[]
local function helpers_of(formats)
  local portable, list = isas.by_name.c, {}
  for _, word in ipairs(record.sorted_keys(portable.word_helpers)) do
    local says = lists.filter(formats, function(format)
      return decoding.words(portable, format, 'value')[word] or false
    end)
    if #says > 0 then list[#list + 1] = portable.word_helpers[word] end
  end
  for _, format in ipairs(formats) do lists.append(list, format.helpers) end
  return lists.unique(list)
end

--- A list of rows in C: FFN_PACKING(NAME, name) each.
local function rows_of(formats)
  local lines = { '#ifdef FFN_PACKING' }
  for _, format in ipairs(formats) do
    lines[#lines + 1] = ('FFN_PACKING(%s, %s)'):format(format.name:upper(), format.name)
  end
  lines[#lines + 1] = '#endif'
  return table.concat(lines, '\n') .. '\n'
end

--- packings.inc: packing functions of all formats, and a row for each.
---@return string
function M.text()
  local formats = lists.map(weights.names, function(name) return weights.by_name[name] end)
  local env = environment.of_isa(isas.by_name.c, prefixes.default)
  env.own = ''
  local all, parts = packings.of_formats(env, formats), helpers_of(formats)
  for _, packing in ipairs(all.formats) do
    lists.append(parts, packing.functions)
    parts[#parts + 1] = ('static const ffn_packing packing_%s = {%s};'):format(packing.name,
      packing.fields)
  end
  return table.concat {
    '/* Made by ffngen packaging. Do not edit.\n *\n',
    ' * What pack() is made of, for every format: functions and an ffn_packing, behind kernel.h.\n',
    ' * FFN_PACKING(NAME, name): a row for each; packing_most: floats of a group, at most. */\n',
    '#ifndef FFN_PACKINGS\n#define FFN_PACKINGS\n\n',
    ('enum { packing_most = %d };\n\n'):format(all.most),
    texts.fold(table.concat(parts, '\n\n'), 100), '\n\n#endif\n', rows_of(formats),
  }
end

return M
