--- What a config.json and the rule of its family conclude: which layers there are, and the spec of
--- each, with the reason of every field. No tensor is looked at. What is missing, unknown or
--- contradicts is refused; nothing is guessed.
local concluded_experts = require 'import.concluded_experts'
local concluded_part = require 'import.concluded_part'
local config_values = require 'import.config_values'
local families = require 'import.families'
local lists = require 'common.list'
local record = require 'common.record'

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
  local list = config:get_or('architectures', {})
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
    if rule.where and not config_values.holds(config, rule.where) then return false end
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

--- The parts of a stack.
---@return ConcludedStack
local function stack_of(config, rule, stack)
  local d_model, why_model = config_values.size(config, rule.d_model)
  local c = { config = config, rule = rule, stack = stack, d_model = d_model, because = why_model }
  local count, layers = config_values.count(config, stack.count, stack.count_default), {}
  for i = 0, count - 1 do layers[#layers + 1] = i end
  local parts, dense = {}, layers
  if rule.experts then
    local is_dense = concluded_experts.dense(config, rule.experts.dense)
    dense = lists.filter(layers, is_dense)
    local others = lists.filter(layers, function(i) return not is_dense(i) end)
    if #others > 0 then parts[1] = concluded_experts.of(c, others) end
    concluded_experts.ask_widths(config, rule)
  end
  if #dense > 0 then
    local d_ff, why = config_values.size(config, stack.d_ff or rule.d_ff, d_model)
    local widths = rule.widths and rule.widths(config, d_ff, why, dense) or { { d_ff, why, dense } }
    local alike = lists.filter(widths, function(of) return #of[3] > 0 end)
    parts = lists.append(lists.map(alike, function(of)
      return concluded_part.of(c, table.unpack(of))
    end), parts)
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
    local is_right, value = config_values.holds(text, must)
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
  local beyond = 0
  if rule.beyond then beyond = text:get_or(rule.beyond, 0) end
  if math.type(beyond) ~= 'integer' or beyond < 0 or beyond > config_values.most then
    text:refuse_value(rule.beyond, beyond, ('a number of layers, from 0 to %d'):format(
      config_values.most))
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
