--- Sizes and counts that keys of a config.json tell, judged; and values of keys in texts.
local record = require 'common.record'
local size = require 'read.size'

local M = {}

--- Layers, and experts of one, at most.
M.most = 10000

--- A size, judged.
local function sized(config, key, value)
  if math.type(value) ~= 'integer' or value < 1 or value > size.max then
    config:refuse_value(key, value, ('a size: an integer from 1 to %d'):format(size.max))
  end
  return value
end

--- A size that a rule tells: keys, or so many times d_model.
---@param config Config
---@param rule KeyRule
---@param d_model integer|nil
---@return integer|integer[] of each layer
---@return string because
function M.size(config, rule, d_model)
  if rule.width then
    local width, because = rule.width(config, d_model)
    return sized(config, rule.keys[1], width), because
  end
  local value, key = config:one(rule.keys)
  if value == nil then
    if not (rule.times and d_model) then config:refuse_missing(rule.keys) end
    local text = #rule.keys > 0 and ('no %s: '):format(config:names(rule.keys)) or ''
    return rule.times * d_model, ('%s%d times d_model'):format(text, rule.times)
  end
  if type(value) == 'table' then
    config:refuse('%s is a list: ffngen has no rule for a width of each layer', config:name(key))
  end
  return sized(config, key, value), ('%s = %d'):format(config:name(key), value)
end

--- A number that a list says of each layer, the same of all.
local function same_of(config, key, list)
  for _, value in ipairs(list) do
    if value ~= list[1] then
      config:refuse('%s is a list: ffngen has no rule for another number in each layer',
        config:name(key))
    end
  end
  return list[1]
end

--- A count that keys tell; where they tell nothing, those of `default`.
---@param config Config
---@param keys string[]
---@param default string[]|nil
---@return integer
function M.count(config, keys, default)
  local value, key = config:one(keys)
  if value == nil and default then value, key = config:one(default) end
  if value == nil then config:refuse_missing(keys) end
  if type(value) == 'table' then value = same_of(config, key, value) end
  if math.type(value) ~= 'integer' or value < 1 or value > M.most then
    config:refuse_value(key, value, ('an integer from 1 to %d'):format(M.most))
  end
  return value
end

--- Values of keys in a text: {rms_norm_eps}.
function M.filled(config, text)
  return (text:gsub('{([%w_]+)}', function(key)
    local value = config:get(key)
    return value == nil and '(no ' .. config:name(key) .. ')' or record.shown(value)
  end))
end

--- Whether a key says what a condition asks for.
---@param config Config
---@param condition table  { key, is, default }
---@return boolean
---@return any value
function M.holds(config, condition)
  local value = config:get_or(condition.key, condition.default)
  return value == condition.is, value
end

return M
