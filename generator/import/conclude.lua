--- What a config.json and the rule of its family conclude: which layers there are, and the spec of
--- each, with the reason of every field. No tensor is looked at. What is missing, unknown or
--- contradicts is refused; nothing is guessed.
local activation_names = require 'import.activations'
local families = require 'import.families'
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local record = require 'common.record'
local routers = require 'import.routers'
local size = require 'read.size'

local M = {}

---@class StackPart  layers of one stack that have the same spec
---@field layers integer[]     their numbers, ascending
---@field fields table         of the spec
---@field because table[]
---@field gated boolean
---@field bias table<string, boolean>  by role: gate, up, down
---@field learned boolean      its activation's parameters are tensors
---@field names NameRule[]     one of which a file has
---@field inside string        what stands in front of the names
---@field around table[]
---@field beside string[]
---@field experts { count: integer, used: integer, shared: integer }|false
---@field mixture ConcludedMixture|nil  of experts, where their router is asked for, too
---@field number integer|nil   the part of the layer that it is, where it has one

---@class ConcludedMixture  what a layer has beside its experts
---@field experts integer
---@field used integer
---@field fields table|false   of the router, in a spec
---@field reason string|false  why no spec has such a router
---@field text string          what it computes
---@field router_at string[]   modules, one of which a file has
---@field bias boolean
---@field corrections string[] tensors, one of which a file has
---@field shared StackPart|false
---@field gate string|false    'none', 'sigmoid'
---@field gate_at string|false
---@field around table[]       what the host does with the sum

---@class ConcludedStack
---@field rule StackRule
---@field count integer
---@field parts StackPart[]
---@field config Config    that tells of it
---@field d_model integer
---@field here string|nil  where the file has it, once a reader has looked

---@class Conclusion
---@field beyond integer  how many layers more a file may have, which are the host's
---@field stacks ConcludedStack[]
---@field about string[]
---@field configs Config[]  the whole one, and the parts that tell of layers
---@field rule FamilyRule
---@field text Config       of these, the one that tells of the text model

local most_layers = 10000

--- What a class of transformers is called behind the name of its model.
local behind = { 'For', 'Model', 'LMHead', 'PreTrained', 'Encoder', 'Decoder', 'Text', 'Vision' }

local function is_of_class(architecture, classes)
  for _, class in ipairs(classes) do
    local rest = architecture:sub(1, #class) == class and architecture:sub(#class + 1)
    for _, word in ipairs(rest and behind or {}) do
      if rest:sub(1, #word) == word then return true end
    end
  end
  return false
end

--- The names of a config's architectures.
---@param config Config
---@return string[]
local function architectures_of(config)
  local list = config:get 'architectures' or {}
  local is_list = type(list) == 'table'
  for _, name in ipairs(is_list and list or {}) do is_list = is_list and type(name) == 'string' end
  if not is_list then config:refuse_value('architectures', list, 'a list of names') end
  return list
end

--- Whether a config says what no rule knows.
---@param config Config
function M.is_unknown(config)
  local model_type = config:get 'model_type'
  return type(model_type) == 'string' and families.by_type[model_type] == nil
end

--- The rule of a config: by model_type, by architecture where several have it, by a key.
---@param config Config
---@return FamilyRule
local function rule_of(config)
  local model_type = config:get 'model_type'
  if type(model_type) ~= 'string' then
    config:refuse('it has no model_type, so ffngen finds no rule for this model: name the '
      .. '.safetensors file, which ffngen reads by the names of its tensors')
  end
  local rules = families.by_type[model_type]
  if not rules then
    local near = record.suggest(model_type, families.model_types)
    config:refuse('ffngen has no rule for model_type "%s"%s: name the .safetensors file, which '
      .. 'ffngen reads by the names of its tensors; if you know what its layers are, add --variant '
      .. 'swiglu, or another', record.shown(model_type), near:find 'did you' and near or '')
  end
  local architectures = architectures_of(config)
  local function fits(rule)
    if rule.refused then return true end
    if rule.needs and config:get(rule.needs) == nil then return false end
    if rule.where and not M.holds(config, rule.where) then return false end
    for _, architecture in ipairs(architectures) do
      if not is_of_class(architecture, rule.classes) then return false end
    end
    return true
  end
  local fitting = lists.filter(rules, fits)
  if #fitting == 0 then
    config:refuse('ffngen has no rule for architectures "%s" with model_type "%s"',
      record.shown(table.concat(architectures, ', ')), record.shown(model_type))
  end
  return fitting[1]
end

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
local function size_of(config, rule, d_model)
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
  sized(config, key, value)
  if rule.halved then
    if value % 2 ~= 0 then
      config:refuse_value(key, value, 'even: gate and up have one half each')
    end
    return value // 2, ('half of %s = %d'):format(config:name(key), value)
  end
  return value, ('%s = %d'):format(config:name(key), value)
end

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
  local value, key
  if of.first_wins then
    value, key = config:first(of.keys)
  else
    value, key = config:one(of.keys)
  end
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
  local meant = of.means and key == of.means_of and of.means[value]
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

--- Values of keys in a text: {rms_norm_eps}.
local function filled(config, text)
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
  local value = config:get(condition.key)
  if value == nil then value = condition.default end
  return value == condition.is, value
end

--- What lies around a layer.
local function around_of(config, list)
  local result = {}
  for _, a in ipairs(list) do
    local is_here = not a.when or M.holds(config, a.when)
    local text = filled(config, a.text or '')
    if is_here then
      result[#result + 1] = {
        place = a.place, what = a.what, tensor = a.tensor, text = text,
        optional = a.optional or false,
      }
    end
  end
  return result
end

--- Which layers of a stack are dense, as a rule of experts tells: a function of the number.
---@param config Config
---@param rule table
local function dense_of(config, rule)
  local function number(key, default)
    local value = config:get(key)
    if value == nil then value = default end
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
      if to == -1 or to == nil then to = most_layers end
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

--- The spec of a part.
---@param c table  { config =, rule =, stack =, d_model =, because = why d_model is so }
---@param d_ff integer
---@param why string
---@param layers integer[]
---@return StackPart
local function part_of(c, d_ff, why, layers)
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

local function count_of(config, keys, default)
  local value, key = config:one(keys)
  if value == nil and default then value, key = config:one(default) end
  if value == nil then config:refuse_missing(keys) end
  if type(value) == 'table' then value = same_of(config, key, value) end
  if math.type(value) ~= 'integer' or value < 1 or value > most_layers then
    config:refuse_value(key, value, ('an integer from 1 to %d'):format(most_layers))
  end
  return value
end

--- The part of the layers whose width is doubled.
local function doubled_of(c, d_ff, why, layers, count)
  local config, key, last = c.config, table.unpack(c.rule.doubled)
  local wide = config:get(key)
  local shared = config:get(last) or 0
  if not wide then return { part_of(c, d_ff, why, layers) } end
  if wide ~= true then config:refuse_value(key, wide, 'true or false') end
  if math.type(shared) ~= 'integer' or shared < 0 or shared > count then
    config:refuse_value(last, shared, ('a number of layers, from 0 to %d'):format(count))
  end
  local narrow = lists.filter(layers, function(i) return i < count - shared end)
  local broad = lists.filter(layers, function(i) return i >= count - shared end)
  local parts = {}
  if #narrow > 0 then parts[1] = part_of(c, d_ff, why, narrow) end
  if #broad > 0 then
    parts[#parts + 1] = part_of(c, 2 * d_ff, ('%s, twice: %s, of the last %d layers'):format(why,
      config:name(key), shared), broad)
  end
  return parts
end

--- The width of the expert that every token passes, and why; 0: there is none.
local function shared_width(config, rule)
  if not rule then return 0, '' end
  local value, key = config:first(rule.keys)
  local times = rule.times and (config:get(rule.times) or rule.default or 0) or 1
  if math.type(value or 0) ~= 'integer' then config:refuse_value(key, value, 'an integer') end
  if math.type(times) ~= 'integer' then config:refuse_value(rule.times, times, 'an integer') end
  if value == nil then return 0, '' end
  return value * times, ('%s = %d%s, of the expert that every token passes'):format(
    config:name(key), value, rule.times and (', times %d (%s)'):format(times,
      config:name(rule.times)) or '')
end

--- The part of an expert that every token passes, which has the biases of dense layers.
local function shared_part_of(c, rule, width, why, layers)
  if width == 0 then return false end
  local part = part_of(c, width, why, layers)
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
      text = filled(config, of.text), optional = false } } or {},
  })
end

--- The part of layers with experts: the spec of one of them.
local function experts_of(c, layers)
  local config, of = c.config, c.rule.experts
  local d_ff, why = size_of(config, of.d_ff)
  local count, used = count_of(config, of.count), count_of(config, of.used)
  local part = part_of(c, d_ff, why .. ', of an expert', layers)
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
      part.mixture.text, of.text and '; ' .. filled(config, of.text) or ''),
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
local function ask_widths(config, rule)
  local of, shared = rule.experts, rule.experts.shared or {}
  for _, list in ipairs { rule.d_ff.keys, of.d_ff.keys, of.count, of.used, shared.keys or {},
    { shared.times } } do
    config:first(list)
  end
end

--- The parts of a stack.
---@return ConcludedStack
local function stack_of(config, rule, stack)
  local d_model, why_model = size_of(config, rule.d_model)
  local c = { config = config, rule = rule, stack = stack, d_model = d_model, because = why_model }
  local count, layers = count_of(config, stack.count, stack.count_default), {}
  for i = 0, count - 1 do layers[#layers + 1] = i end
  local parts, dense = {}, layers
  if rule.experts then
    local is_dense = dense_of(config, rule.experts.dense)
    dense = lists.filter(layers, is_dense)
    local others = lists.filter(layers, function(i) return not is_dense(i) end)
    if #others > 0 then parts[1] = experts_of(c, others) end
    ask_widths(config, rule)
  end
  if #dense > 0 then
    local d_ff, why = size_of(config, stack.d_ff or rule.d_ff, d_model)
    local more = rule.doubled and doubled_of(c, d_ff, why, dense, count)
      or { part_of(c, d_ff, why, dense) }
    parts = lists.append(more, parts)
  end
  return { rule = stack, count = count, parts = parts, config = config, d_model = d_model }
end

--- What a config says of its model.
---@param config Config
---@param is_left fun(key: string): boolean
---@return Conclusion
function M.of(config, is_left)
  local rule = rule_of(config)
  local model_type = config:get 'model_type'
  if rule.refused then
    config:refuse('%s: %s (%s)', record.shown(model_type), rule.refused, rule.source)
  end
  local text = rule.nested and config:part(rule.nested) or config
  local of_text = text:get 'model_type'
  if rule.nested and of_text ~= nil and not lists.has(rule.nested_types, of_text) then
    text:refuse('%s is "%s", and the rule of %s is that of "%s"', text:name 'model_type',
      record.shown(of_text), model_type, table.concat(rule.nested_types, '", "'))
  end
  for _, must in ipairs(rule.must) do
    local is_right, value = M.holds(text, must)
    if not is_right then
      text:refuse('%s is %s: %s', text:name(must.key), record.shown(value), must.why)
    end
  end
  local stacks, parts = {}, { config }
  if text ~= config then parts[2] = text end
  for i, stack in ipairs(rule.stacks) do
    local of = text
    if stack.nested then
      of = config:part(stack.nested)
      parts[#parts + 1] = of
    end
    stacks[i] = stack_of(of, rule, stack)
  end
  local beyond = rule.beyond and text:get(rule.beyond) or 0
  if math.type(beyond) ~= 'integer' or beyond < 0 or beyond > most_layers then
    text:refuse_value(rule.beyond, beyond, ('a number of layers, from 0 to %d'):format(most_layers))
  end
  config:get 'quantization_config'
  local about = { model_type, rule.source }
  if #architectures_of(config) > 0 then
    about[1] = ('%s: %s'):format(model_type, record.shown(architectures_of(config)[1]))
  end
  if config.data.auto_map and rule.source:find '^transformers:' then
    about[3] = 'auto_map names code beside the model: this rule is that of transformers'
  end
  for _, part in ipairs(parts) do part:check(rule.known, is_left, record.shown(model_type)) end
  return record.strict('conclusion', {
    stacks = stacks, beyond = beyond, about = about, configs = parts, rule = rule, text = text,
  })
end

return M
