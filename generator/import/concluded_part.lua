--- The spec of layers that are alike, as a config.json and the rule of its family tell it: each
--- field with its reason.
local activation_names = require 'import.activations'
local config_values = require 'import.config_values'
local record = require 'common.record'

local M = {}

--- The name of an activation, whether there is a gate, and why.
---@param config Config
---@param rule FamilyRule
---@return string name  of transformers
---@return boolean gated
---@return string because
local function activation_of(config, rule)
  local of = rule.activation
  if of.implied then
    return of.implied, rule.gated, ('"%s", which no key tells'):format(of.implied)
  end
  local value, key, meant = (of.told or config.one)(config, of.keys)
  local because
  if value == nil then
    value, key = of.default, of.keys[1]
    if value == nil then config:refuse_missing(of.keys) end
    because = ('no %s: "%s", as its class has it'):format(config:name(key), value)
  elseif type(value) ~= 'string' then
    config:refuse_value(key, value, 'the name of an activation')
  else
    because = ('%s is "%s"'):format(config:name(key), record.shown(value))
  end
  if of.forms then
    local form = of.forms[value]
    if not form then
      config:refuse('%s is "%s", which the rule of this model does not know%s', config:name(key),
        record.shown(value), record.suggest(value, record.sorted_keys(of.forms)))
    end
    return form[1], form[2], because
  end
  if meant then return meant, rule.gated, ('%s, and means "%s"'):format(because, meant) end
  return value, rule.gated, because
end

--- The fields of a spec that an activation decides.
local function fields_of_activation(config, rule)
  if rule.activation.own then
    return { variant = rule.activation.own }, true, false, ('%s, whatever hidden_act says'):format(
      rule.activation.own)
  end
  local name, gated, because = activation_of(config, rule)
  local named = activation_names.by_name[name]
  if not named then
    config:refuse('ffngen has no activation "%s"%s', record.shown(name),
      record.suggest(name, record.sorted_keys(activation_names.by_name)))
  end
  if named.refused then config:refuse('the activation "%s": %s', name, named.refused) end
  if named.learned and not rule.names.learned then
    config:refuse('the activation "%s" has learned numbers, and the rule of this family does not '
      .. 'say where the numbers are stored', name)
  end
  local fields = {
    variant = activation_names.variant(named.is, gated),
    parameters = named.learned and 'runtime' or named.parameters,
  }
  return fields, gated, named.learned or false, because
end

--- Whether a matrix has a bias.
local function bias_of(config, rule)
  if type(rule) == 'boolean' then
    return rule, rule and 'of this family' or 'none in this family'
  end
  local value, key = config:one(rule.keys)
  if value == nil then
    if rule.default == nil then config:refuse_missing(rule.keys) end
    local is = rule.default ~= (rule.negated or false)
    return is, ('no %s: %s'):format(config:names(rule.keys), tostring(rule.default))
  end
  if type(value) ~= 'boolean' then
    config:refuse_value(key, value, 'true or false')
  end
  return value ~= (rule.negated or false), ('%s is %s'):format(config:name(key), tostring(value))
end

--- The biases of a layer by role, and why.
local function biases_of(config, rule, gated)
  local result, text = {}, nil
  for _, role in ipairs(gated and { 'gate', 'up', 'down' } or { 'up', 'down' }) do
    local of = rule
    if type(rule) == 'table' and not rule.keys then of = rule[role] end
    local why
    result[role], why = bias_of(config, of)
    text = text == nil and why or text:find(why, 1, true) and text or text .. '; ' .. why
  end
  return result, text
end

--- What lies around a layer.
local function around_of(config, list)
  local result = {}
  for _, a in ipairs(list) do
    local is_here = not a.when or config_values.holds(config, a.when)
    local text = config_values.filled(config, a.text or '')
    if is_here then
      result[#result + 1] = {
        place = a.place, what = a.what, tensor = a.tensor, text = text,
        optional = a.optional or false,
      }
    end
  end
  return result
end

--- The spec of a part.
---@param c table  { config =, rule =, stack =, d_model =, because = why d_model is so }
---@param d_ff integer
---@param why string
---@param layers integer[]
---@return StackPart
function M.of(c, d_ff, why, layers)
  local rule, stack, config = c.rule, c.stack, c.config
  local fields, gated, learned, of_activation = fields_of_activation(config, rule)
  local bias, of_bias = biases_of(config, rule.bias, gated)
  fields.d_model, fields.d_ff = c.d_model, d_ff
  fields.bias = bias.up or bias.down or bias.gate or false
  local names = not gated and rule.names_plain or stack.names or rule.names
  return {
    layers = layers, fields = fields, gated = gated, bias = bias, learned = learned,
    names = { names }, inside = stack.inside or '',
    around = around_of(config, stack.around or rule.around),
    beside = stack.beside or rule.beside, experts = false,
    because = {
      { field = 'variant', text = of_activation }, { field = 'd_model', text = c.because },
      { field = 'd_ff', text = why }, { field = 'bias', text = of_bias },
    },
  }
end

return M
