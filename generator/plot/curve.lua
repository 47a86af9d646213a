--- A curve as the command line names it: an activation, and values of its parameters behind it.
local lists = require 'common.list'
local numbers = require 'common.number'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

---@class Curve
---@field title string
---@field activation Activation
---@field up number            the other branch, of a function of both
---@field parameters number[]  in the order of the activation's

--- A number that an f32 can be, if rounded, or nil.
---@param text string
---@return number|nil
function M.number(text)
  local value = tonumber(text)
  return value and not numbers.lost(value) and value * 1.0 or nil
end

--- What can be set: the activation's parameters, and up.
local function settable(activation)
  return lists.append({ table.unpack(activation.parameters) }, activation.both and { 'up' } or {})
end

local function set(values, name, choices, part)
  local key, value = part:match('^([^=]*)=(.*)$')
  local given = value and tonumber(value)
  value = value and M.number(value)
  if not value then
    local lost = given and numbers.lost(given)
    problems.usage('%s: "%s" is not PARAMETER=NUMBER, as in swish,beta=2%s', name,
      record.shown(part), lost and ': it ' .. lost or '')
  elseif not lists.has(choices, key) then
    problems.usage('%s has no parameter "%s"%s', name, record.shown(key),
      #choices > 0 and record.suggest(key, choices) or ': it has none')
  end
  values[key] = value
end

--- `NAME` or `NAME,PARAMETER=NUMBER,...`.
---@param text string
---@param known table vocabulary of activations
---@return Curve
function M.of(text, known)
  local name, rest = text:match('^([^,]*)(.*)$')
  if not lists.has(known.names, name) then
    problems.usage('unknown activation "%s"%s', record.shown(name),
      record.suggest(name, known.names))
  end
  local activation, values = known.by_name[name], {}
  local choices = settable(activation)
  for part in rest:gmatch(',([^,]*)') do set(values, name, choices, part) end
  local title = name
  for _, key in ipairs(choices) do
    values[key] = values[key] or 1.0
    title = ('%s, %s = %.9g'):format(title, key, values[key])
  end
  return {
    title = title, activation = activation, up = values.up or 0.0,
    parameters = lists.map(activation.parameters, function(key) return values[key] end),
  }
end

return M
