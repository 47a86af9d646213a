--- The arrays in C that packed weights are, behind their header, and the text of their numbers.
local formats = require 'weights.format'
local layout = require 'plan.layout'
local lists = require 'common.list'
local numbers = require 'common.number'
local texts = require 'common.text'

local M = {}

--- Bytes of numbers in C text.
M.sizes = { float = 4, uint16_t = 2, uint32_t = 4, uint8_t = 1 }

---@class EmbeddedPart  an array behind the header of packed weights
---@field name string
---@field type string    of a number in C
---@field at integer     bytes from the begin of packed weights
---@field values table   numbers, or where the type is no float integers, by place; a list of them
--- where several smaller ones are a uint32_t, the first at the least address

---@class EmbeddedStage  where the numbers of a stage lie: its parts
---@field panels EmbeddedPart
---@field bias EmbeddedPart|false
---@field scales EmbeddedPart|false  of operands, of all stages

--- The type of the array that the weights of a stage are: that of all lanes, or words in which
--- smaller ones lie side by side.
---@param format Format
local function type_of(format)
  local lines = lists.append({}, format.head and format.head.lines or {})
  for _, level in ipairs(format.levels) do lists.append(lines, level.lines) end
  local types = lists.unique(lists.map(lists.append(lines, format.step.lines), function(line)
    return formats.lane_types[line.lane].c_type
  end))
  return #types == 1 and types[1] or 'uint32_t'
end

--- The arrays that packed weights are, in ascending order, filled with zeros: the weights of each
--- stage, and its biases. Where all are floats they are one.
---@param pass PassPlan
---@return EmbeddedPart[]
---@return EmbeddedStage[] by_stage
function M.of(pass)
  local parts, by_stage = {}, {}
  local floats = #lists.filter(pass.stages, function(s)
    return not s.stage.stream.format.floats
  end) == 0
  local function add(name, type, at)
    if floats and #parts > 0 then return parts[1] end
    local part = { name = floats and 'values' or name, type = type, at = at, values = {} }
    parts[#parts + 1] = part
    return part
  end
  local with_scales = lists.filter(pass.stages, function(s) return s.panels.operand_at end)
  local scales = #with_scales > 0 and add('operand_scales', 'float', layout.header_bytes)
  for i, s in ipairs(pass.stages) do
    by_stage[i] = {
      scales = scales,
      panels = add('weights' .. i, type_of(s.stage.stream.format), s.panels.at),
      bias = s.stage.stream.bias and add('biases' .. i, 'float', s.panels.bias_at),
    }
  end
  for i, part in ipairs(parts) do
    local stop = parts[i + 1] and parts[i + 1].at or pass.packed_bytes
    local zero = part.type == 'float' and 0.0 or 0
    for n = 1, (stop - part.at) // M.sizes[part.type] do part.values[n] = zero end
  end
  return parts, by_stage
end

--- What numbers side by side are called in the text, by how many.
local joined = { [2] = 'HALVES', [4] = 'BYTES' }

--- Numbers as C constants, in lines; and the macros that these call.
---@param part EmbeddedPart
---@param PREFIX string
---@return string
---@return table<string, boolean>
function M.constants(part, PREFIX)
  local texts_of, used = {}, {}
  for i, x in ipairs(part.values) do
    if part.type == 'float' then
      texts_of[i] = numbers.float_literal(x) .. ','
    elseif type(x) == 'table' then
      local word = joined[#x]
      used[word] = true
      texts_of[i] = ('%s_%s(%s),'):format(PREFIX, word, table.concat(lists.map(x, function(n)
        return ('0x%x'):format(n)
      end), ','))
    else
      texts_of[i] = ('0x%x,'):format(x)
    end
  end
  return texts.wrap(texts_of, 98, '    '), used
end

return M
