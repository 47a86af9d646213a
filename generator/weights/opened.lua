--- Weights of bytes as they wait in scratch for many rows: what a group holds is opened, and each
--- lane of a line is four bytes as products take them.
local formats = require 'weights.format'
local record = require 'common.record'

local M = {}

--- What an innermost group holds, and the lane of its line in scratch.
local held = { scale = 'f32', least = 'f32', zero = 'u32', factor = 'u32' }

--- The names of what a group of such products holds: of the k that share a scale, and of a part.
---@param products Products
---@return string[] shared
---@return string[] part
function M.held(products)
  if products.factor then return { 'scale' }, { 'factor' } end
  local names = { 'scale' }
  if products.minima then names[#names + 1] = 'least' end
  if products.zeros then names[#names + 1] = 'zero' end
  return names, {}
end

local function lines_of(names)
  local lines = {}
  for i, name in ipairs(names) do lines[i] = { plane = name, lane = held[name] } end
  return lines
end

--- Picks what is named out of the lines of a level, and out of what the outer one holds.
local function open_of(names)
  return function(_, lines, outer)
    local state = {}
    for _, name in ipairs(record.sorted_keys(outer)) do state[name] = outer[name] end
    for _, name in ipairs(names) do state[name] = lines[name] end
    return state
  end
end

local made = {}

--- The form of a format. Numbers of a table are looked up as they are opened.
---@param format Format  whose weights are bytes
---@return Format
function M.of(format)
  if made[format.name] then return made[format.name] end
  local products, name = format.products, 'opened_' .. format.name
  local shared, part = M.held(products)
  local levels = { { k = 32, lines = lines_of(shared), open = open_of(shared) } }
  if #part > 0 then
    levels[2] = { k = products.group, lines = lines_of(part), open = open_of(part) }
  end
  made[format.name] = formats.record(name, {
    name = name, about = ('%s, opened into bytes'):format(format.name), levels = levels,
    step = { k = 4, lines = { { plane = 'bytes', lane = 'u32' } } }, registers = 1,
    value = function() error(name .. ' gives bytes alone') end,
    pack = function() error(name .. ' is opened, and not packed') end,
    products = {
      bits = products.table == 'iq4' and 8 or products.table and 5 or products.bits,
      offset = products.offset, take = function(_, lines) return lines.bytes end,
      registers = #shared + #part, factor = products.factor, zeros = products.zeros,
      minima = products.minima, short_scale = products.short_scale,
    },
  })
  return made[format.name]
end

return M
