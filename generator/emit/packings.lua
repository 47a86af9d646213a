--- What a file holds of the formats that its weights are packed in: their functions, and the record
--- that packed.h takes them from.
local environment = require 'emit.environment'
local groups = require 'weights.group'
local isas = require 'isa'
local lists = require 'common.list'
local packing = require 'emit.packing'
local prefixes = require 'common.prefix'
local record = require 'common.record'

local M = {}

---@class Packing
---@field name string
---@field functions string[]  those that pack a group of an output, and that back: of floats, and of
--- numbers that are the format's own
---@field fields string   of its ffn_packing

---@param env table
---@param format Format
---@param made table<string, string>  names of functions that are there, by their text without one
---@return Packing
local function packing_of(env, format, made)
  local placed = groups.place(format)
  local function name(what) return ('%s%s_%s'):format(env.own, what, format.name) end
  local function own(text) return prefixes.text(text, env.prefix) end
  local functions = {
    packing.unpack(prefixes.isa(isas.by_name.c, env.prefix), format, placed, name 'unpack'),
  }
  local source, named = format.source, {
    pack = 'NULL', take = 'NULL', give = 'NULL', block = 'NULL',
  }
  local function add(what)
    local text = packing[what](format, placed, 'NAME')
    if not made[text] then
      made[text] = name(what)
      functions[#functions + 1] = own(packing[what](format, placed, name(what)))
    end
    named[what] = made[text]
  end
  if format.pack then add 'pack' end
  if source then
    add 'take'
    add 'give'
    functions[#functions + 1] = own(('static const ffn_block_size %s = {%s};'):format(
      name 'block', packing.block(source)))
    named.block = '&' .. name 'block'
  end
  return record.strict('packing', {
    name = format.name, functions = functions,
    fields = ('%d, %d, %d, %s, %s, %s, %s, %s, %s'):format(format.group, placed.bytes,
      placed.head_bytes, named.block, format.row and own(format.row) or 'NULL',
      named.pack, name 'unpack', named.take, named.give),
  })
end

---@class Packings
---@field formats Packing[]  each once
---@field most integer       k of a group, at most
---@field operands boolean   the scale of a stage's operand is packed, too

--- Those of some formats.
---@param env table
---@param formats Format[]
---@param operands boolean|nil
---@return Packings
function M.of_formats(env, formats, operands)
  local most, made = 0, {}
  for _, format in ipairs(formats) do
    most = math.max(most, format.group + (format.row and 1 or 0))
  end
  return record.strict('packings', {
    formats = lists.map(formats, function(format) return packing_of(env, format, made) end),
    most = most, operands = operands or false,
  })
end

--- Those of some stages.
---@param env table
---@param stages StagePlan[]
---@return Packings
function M.of(env, stages)
  return M.of_formats(env, environment.formats(stages), #lists.filter(stages, function(s)
    return s.panels.operand_at
  end) > 0)
end

return M
