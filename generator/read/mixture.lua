--- A mixture of experts in a spec: `moe 'mine' { ... }` -> the specs of its layers, which are like
--- any others, mine_expert, mine_shared and mine_router, and what is chosen among its experts.
local checks = require 'read.check'
local judge = require 'read.judge'
local lists = require 'common.list'
local numbers = require 'common.number'
local record = require 'common.record'

local M = {}

--- What makes a token's experts of logits: ffn_moe_rule of runtime/ffn_moe.h.
---@class Rule
---@field experts integer
---@field top_k integer
---@field score string       'softmax', 'sigmoid', 'sqrt_softplus'
---@field correction string  'none', 'score', 'logit': what a correction is added to
---@field split integer      into so many groups; 0: none
---@field take integer
---@field by_two boolean     groups are judged by their two largest keys
---@field normalise boolean
---@field epsilon number
---@field floor number
---@field expert_scale boolean
---@field scale number       0: none
---@field on_input boolean

---@class SpecMixture
---@field name string
---@field d_model integer
---@field rule Rule
---@field shared string  'none', or what multiplies the shared expert: 'one', 'sigmoid', 'mean'
---@field layers { expert: Spec, shared: Spec|false, router: Spec }

--- Experts of a layer: FFN_MOE_MOST_EXPERTS.
local most_experts = 1024

M.fields = { 'd_model', 'experts', 'top_k', 'expert', 'router', 'shared', 'max_tokens', 'about',
  'build' }
local router_fields = { 'score', 'correction', 'groups', 'normalise', 'epsilon', 'floor',
  'expert_scale', 'scale', 'bias', 'on', 'weights' }
--- What an expert's spec does not say: the mixture says these, or nobody.
local not_of_experts = { 'd_model', 'd_out', 'backward', 'dropout', 'max_tokens', 'about', 'build' }

M.scores = { 'softmax', 'sigmoid', 'sqrt_softplus' }
local corrections = { 'none', 'score', 'logit' }
local gates = { 'none', 'sigmoid', 'mean' }
local judged_by = { 'largest', 'two_largest' }
local places = { 'output', 'input' }
M.router_weights = { 'f32', 'bf16', 'f16' }

--- A table in a field, judged by a check of its own; nil where it may be left out.
local function inner(check, field, example)
  local given = check.given[field]
  if given == nil then return nil end
  if not check.is_table(given) then
    check:fail({ field }, '%s must be a table such as %s, not %s', field, example,
      check.described(given))
  end
  return checks.new(check.source:within(field), given)
end

local function choice(check, field, choices)
  return check.given[field] == nil and choices[1] or check:get_choice(field, choices)
end

--- A number of f32 that is no less than 0; 0 where it is left out.
local function number(check, field)
  local value = check:get(field, 'number', 0)
  if not (value >= 0 and value < math.huge) or value > 0 and numbers.lost(value) then
    check:fail({ field }, '%s = %s: it is a number of f32, at least 0', field,
      numbers.shown(value))
  end
  return numbers.to_f32(value)
end

--- How many groups of experts there are, how many are taken, and by what.
local function groups_of(check, experts, top_k)
  local own = inner(check, 'groups', '{ count = 8, take = 4, by = \'two_largest\' }')
  if not own then return 0, 0, false end
  own:fields({}, own.given, { 'count', 'take', 'by' }, 'groups: ')
  local count, take = own:get_size('count'), own:get_size('take')
  if experts % count ~= 0 then
    own:fail({ 'count' }, 'count = %d does not divide experts = %d', count, experts)
  end
  if take > count or take * (experts // count) < top_k then
    own:fail({ 'take' }, 'take = %d of %d groups have no top_k = %d experts', take, count, top_k)
  end
  local by_two = choice(own, 'by', judged_by) == 'two_largest'
  if by_two and count == experts then
    own:fail({ 'by' }, 'a group of one expert has no two largest keys')
  end
  return count, take, by_two
end

---@return Rule
local function rule_of(check, experts, top_k)
  local split, take, by_two = groups_of(check, experts, top_k)
  local rule = {
    experts = experts, top_k = top_k, score = choice(check, 'score', M.scores),
    correction = choice(check, 'correction', corrections), split = split, take = take,
    by_two = by_two, normalise = check:get('normalise', 'boolean', false),
    epsilon = number(check, 'epsilon'), floor = number(check, 'floor'),
    expert_scale = check:get('expert_scale', 'boolean', false), scale = number(check, 'scale'),
    on_input = choice(check, 'on', places) == 'input',
  }
  if rule.epsilon > 0 and rule.floor > 0 then
    check:fail({ 'floor' }, 'epsilon is added to the sum, and floor is in its place: give one')
  end
  if not rule.normalise and rule.epsilon + rule.floor > 0 then
    check:fail({ rule.floor > 0 and 'floor' or 'epsilon' }, 'epsilon and floor belong to '
      .. 'normalise = true')
  end
  return rule
end

--- The spec of a part, of which the mixture says the rest.
local function spec_of(check, known, part, kind, own)
  own.d_model, own.max_tokens = check.given.d_model, check.given.max_tokens
  own.about, own.build = check.given.about, check.given.build
  return judge.spec(check.source:part(part, kind), own, known)
end

local function expect_own(check)
  for _, field in ipairs(not_of_experts) do
    if check.given[field] ~= nil then
      check:fail({ field }, '%s is no field of an expert%s', field,
        lists.has(M.fields, field) and ': write it in moe itself' or '')
    end
  end
end

local function copied(fields, from)
  for _, key in ipairs(record.sorted_keys(from)) do fields[key] = from[key] end
  return fields
end

--- Judges what a mixture was given.
---@param source SpecSource
---@param given table
---@param known table the activations that it may name
---@return Spec[] its layers; that of the experts has the SpecMixture
function M.specs(source, given, known)
  local check = checks.new(source, given)
  check:fields({}, given, M.fields, '')
  local d_model, experts = check:get_size 'd_model', check:get_size 'experts'
  local top_k = check:get_size 'top_k'
  if experts > most_experts then
    check:fail({ 'experts' }, 'experts = %d: at most %d', experts, most_experts)
  end
  if top_k > experts then
    check:fail({ 'top_k' }, 'top_k = %d of experts = %d', top_k, experts)
  end
  local expert = inner(check, 'expert', '{ variant = \'swiglu\', d_ff = 768 }')
  if not expert then check:fail({}, 'field "expert" is missing') end
  local router = inner(check, 'router', '{ normalise = true }')
    or checks.new(source, {})
  local shared = inner(check, 'shared', '{ d_ff = 768, gate = \'sigmoid\' }')
  expect_own(expert)
  if shared then expect_own(shared) end
  router:fields({}, router.given, router_fields, 'router: ')
  local gate = shared and choice(shared, 'gate', gates) or false
  local rule = rule_of(router, experts, top_k)
  local layers = { expert = spec_of(check, known, 'expert', 'ffn', copied({}, expert.given)) }
  layers.shared = false
  if shared then
    local own = copied(copied({}, expert.given), shared.given)
    own.gate = nil
    layers.shared = spec_of(check, known, 'shared', 'ffn', own)
  end
  layers.router = spec_of(check, known, 'router', 'linear', {
    d_out = gate == 'sigmoid' and { { logits = experts }, { gate = 1 } } or experts,
    bias = router:get('bias', 'boolean', false),
    weights = choice(router, 'weights', M.router_weights),
  })
  layers.expert.mixture = {
    name = source.name, d_model = d_model, rule = rule, layers = layers,
    shared = not gate and 'none' or gate == 'none' and 'one' or gate,
  }
  return shared and { layers.expert, layers.shared, layers.router }
    or { layers.expert, layers.router }
end

return M
