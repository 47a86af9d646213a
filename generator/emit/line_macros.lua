--- Macros that name the lines of weights in levels: `FFN_Q4_K_NIBBLES(w, 2, i2, i3, i4)` is where
--- those of a step lie in the group that begins at w, of two panels side by side.
local formats = require 'weights.format'
local groups = require 'weights.group'
local record = require 'common.record'

local M = {}

--- What the names of a format's macros begin with.
local function prefix_of(PREFIX, format) return ('%s_%s'):format(PREFIX, format.name:upper()) end

--- The name of a line's.
---@param begins string  what use() returned
---@param line PlacedLine
function M.name(begins, line) return ('%s_%s'):format(begins, line.line.plane:upper()) end

--- The macro of a line of part `depth`. Its terms are in the order of the levels.
local function macro(begins, placed, depth, line)
  local at, parameters, terms = line.at, { 'w', 'n' }, {}
  for d = 2, depth do
    local index = 'i' .. d
    at = at + placed.parts[d].at
    parameters[#parameters + 1] = index
    terms[#terms + 1] = (' + (n) * %d * (%s)'):format(placed.parts[d].bytes, index)
  end
  if at > 0 then table.insert(terms, 1, (' + (n) * %d'):format(at)) end
  local head = ('#define %s(%s)'):format(M.name(begins, line), table.concat(parameters, ', '))
  local body = ('((const %s *)%s)'):format(formats.lane_types[line.line.lane].c_type,
    #terms > 0 and ('((w)%s)'):format(table.concat(terms)) or '(w)')
  return head .. (#head + #body < 100 and ' ' or ' \\\n  ') .. body .. '\n'
end

--- All of a format.
---@param PREFIX string
---@param format Format  that has levels
---@return string
function M.text(PREFIX, format)
  local begins, placed, list = prefix_of(PREFIX, format), groups.place(format), {}
  for depth, part in ipairs(placed.parts) do
    for _, line in ipairs(part.lines) do list[#list + 1] = macro(begins, placed, depth, line) end
  end
  return ('/* Lines of the group of %s at w, of n panels side by side; i2 and more count in its '
    .. 'levels. */\n%s'):format(format.name, table.concat(list))
end

--- Has a file hold those of a format, once.
---@param env table
---@param format Format
---@return string begins  for M.name()
function M.use(env, format)
  local name, held = 'lines ' .. format.name, env.sums_helpers
  if not held[name] then
    held[name] = record.strict('line macros', {
      name = name, text = M.text(env.PREFIX, format), uses = {}, always = true, portable = true,
    })
    held[#held + 1] = held[name]
  end
  return prefix_of(env.PREFIX, format)
end

return M
