--- The layers of experts that a config.json and the rule of its family tell: which layers these
--- are, the spec of an expert, the router, and the expert that every token passes.
local concluded_part = require 'import.concluded_part'
local config_values = require 'import.config_values'
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local record = require 'common.record'
local routers = require 'import.routers'

local M = {}

--- Which layers of a stack are dense, as a rule of experts tells: a function of the number.
---@param config Config
---@param rule table
function M.dense(config, rule)
  local function number(key, default)
    local value = config:get_or(key, default)
    if math.type(value) ~= 'integer' or value < 0 then
      config:refuse_value(key, value, 'an integer from 0 on')
    end
    return value
  end
  if rule.none then return function() return false end end
  local listed = rule.listed and config:get(rule.listed)
  if listed ~= nil and type(listed) ~= 'table' then
    config:refuse_value(rule.listed, listed, 'a list of the numbers of layers')
  end
  local set = lists.set(listed or {})
  if rule.every then
    local every = number(rule.every, 1)
    if rule.from then
      local from, to = number(rule.from, rule.from_default), config:get(rule.to)
      if to == -1 or to == nil then to = config_values.most end
      if math.type(to) ~= 'integer' then config:refuse_value(rule.to, to, 'an integer') end
      return function(i) return i < from or i > to or every == 0 or (i + 1) % every ~= 0 end
    end
    if listed then return function(i) return not set[i] end end
    return function(i) return every == 0 or (i + 1) % every ~= 0 end
  end
  local types = rule.types and config:get(rule.types)
  local first = rule.first and number(rule.first, rule.leading or 0) or rule.leading or 0
  if types ~= nil and type(types) ~= 'table' then
    config:refuse_value(rule.types, types, 'a list of the words dense and sparse')
  end
  if types then
    return function(i)
      if types[i + 1] ~= 'dense' and types[i + 1] ~= 'sparse' then
        config:refuse_value(('%s[%d]'):format(rule.types, i), types[i + 1], 'dense or sparse')
      end
      return types[i + 1] == 'dense'
    end
  end
  local step = rule.step and number(rule.step, 1) or 1
  if rule.first or rule.leading then
    return function(i) return i < first or step == 0 or i % step ~= 0 end
  end
  return function(i) return set[i] or step == 0 or (i + 1) % step ~= 0 end
end

--- The width of the expert that every token passes, and why; 0: there is none.
local function shared_width(config, rule)
  if not rule then return 0, '' end
  local value, key = config:first(rule.keys)
  local times = 1
  if rule.times then times = config:get_or(rule.times, rule.default or 0) end
  if math.type(times) ~= 'integer' then config:refuse_value(rule.times, times, 'an integer') end
  if value == nil then return 0, '' end
  if math.type(value) ~= 'integer' then config:refuse_value(key, value, 'an integer') end
  return value * times, ('%s = %d%s, of the expert that every token passes'):format(
    config:name(key), value, rule.times and (', times %d (%s)'):format(times,
      config:name(rule.times)) or '')
end

--- The part of an expert that every token passes, which has the biases of dense layers.
local function shared_part_of(c, rule, width, why, layers)
  if width == 0 then return false end
  local part = concluded_part.of(c, width, why, layers)
  part.names = { rule.names or { gate = rule.at .. '.gate_proj', up = rule.at .. '.up_proj',
    down = rule.at .. '.down_proj' } }
  part.number = part_numbers.by_name.shared
  return part
end

--- What a whole layer of experts has beside them.
---@param shared StackPart|false
---@return ConcludedMixture
local function mixture_of(config, of, count, used, shared)
  local r = routers.of(config, of.router, used)
  local fields, reason = routers.fields(r)
  return record.strict('concluded mixture', {
    experts = count, used = used, fields = fields or false, reason = reason or false,
    text = routers.told(config, of.router, used), router_at = of.router_at,
    bias = r.bias ~= false, corrections = lists.append({ of.router.correction },
      { of.router.also_called }), shared = shared,
    gate = shared and (of.shared_gate and 'sigmoid' or 'none'), gate_at = of.shared_gate or false,
    around = of.text and { { place = 'after', what = 'multiplier', tensor = false,
      text = config_values.filled(config, of.text), optional = false } } or {},
  })
end

--- The part of layers with experts: the spec of one of them.
function M.of(c, layers)
  local config, of = c.config, c.rule.experts
  local d_ff, why = config_values.size(config, of.d_ff)
  local count, used = config_values.count(config, of.count), config_values.count(config, of.used)
  local part = concluded_part.of(c, d_ff, why .. ', of an expert', layers)
  local width, why_shared = shared_width(config, of.shared)
  part.mixture = mixture_of(config, of, count, used,
    shared_part_of(c, of.shared, width, why_shared, layers))
  -- A key of biases is one of the dense layers.
  local bias = of.bias or false
  part.bias, part.fields.bias = { gate = bias, up = bias, down = bias }, bias
  part.because[#part.because].text = bias and 'of the experts of this family'
    or 'none of the experts of this family'
  part.names, part.experts = of.forms, { count = count, used = used, shared = width }
  part.beside = lists.append(lists.append({}, part.beside), of.router_at)
  lists.append(part.beside, part.mixture.corrections)
  lists.append(part.beside, { of.shared and of.shared.at, of.shared_gate })
  part.around[#part.around + 1] = {
    place = 'beside', what = 'router', optional = false, is_mixed = true,
    text = ('this is one of %d experts of a layer; which %d of them a token passes, and what is '
      .. 'made of what they give, are computed by the host: %s%s'):format(count, used,
      part.mixture.text, of.text and '; ' .. config_values.filled(config, of.text) or ''),
  }
  if width > 0 then
    part.around[#part.around + 1] = {
      place = 'beside', what = 'shared expert', optional = false, is_mixed = true,
      text = ('of width %d, which every token passes; what it gives is %sadded to that of the '
        .. 'others'):format(width, of.shared_gate and ('multiplied by the sigmoid of x times the '
        .. 'row of %s, and '):format(of.shared_gate) or ''),
    }
  end
  return part
end

--- Asks all that tells the widths of layers and experts: where no layer is dense, or none has
--- experts, a part of it says nothing.
function M.ask_widths(config, rule)
  local of, shared = rule.experts, rule.experts.shared or {}
  for _, list in ipairs { rule.d_ff.keys, of.d_ff.keys, of.count, of.used, shared.keys or {},
    { shared.times } } do
    config:first(list)
  end
end

return M
