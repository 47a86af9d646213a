--- What `ffngen list` and `ffngen explain` tell of mixtures of experts.
local lists = require 'common.list'
local mixture_text = require 'emit.mixtures'
local mixtures = require 'lower.mixtures'
local numbers = require 'common.number'
local pipeline = require 'pipeline'
local record = require 'common.record'
local sizes = require 'commands.sizes'

local M = {}

---@class ToldMixture
---@field name string
---@field made Mixture
---@field expert_bytes integer   packed weights of an expert
---@field shared_bytes integer   of the expert that all tokens take; 0: there is none
---@field router_bytes integer
---@field all_bytes integer
---@field token_bytes integer    that a token reads

local function packed_bytes(s)
  return pipeline.plan(pipeline.lower { s }, {})[1].passes.forward.packed_bytes
end

--- The mixtures of some specs, with the bytes of their weights.
---@param specs Spec[]
---@return ToldMixture[]
function M.of(specs)
  return lists.map(mixtures.of(specs), function(m)
    local expert, router = packed_bytes(m.layers.expert), packed_bytes(m.layers.router)
    local shared = m.layers.shared and packed_bytes(m.layers.shared) or 0
    return record.strict('told mixture', {
      name = m.name, made = m, expert_bytes = expert, shared_bytes = shared, router_bytes = router,
      all_bytes = m.rule.experts * expert + shared + router,
      token_bytes = m.rule.top_k * expert + shared + router,
    })
  end)
end

---@param told ToldMixture
function M.line(told)
  local r = told.made.rule
  return ('mixture of %d experts, of which a token takes %d%s'):format(r.experts, r.top_k,
    told.shared_bytes > 0 and ', with a shared expert' or '')
end

M.json_fields = { 'name', 'd_model', 'experts', 'top_k', 'rule', 'expert_layer', 'shared_layer',
  'router_layer', 'packed_bytes', 'token_bytes' }

--- A mixture for JSON.
---@param told ToldMixture
function M.row(told)
  local m = told.made
  return {
    name = m.name, d_model = m.d_model, experts = m.rule.experts, top_k = m.rule.top_k,
    rule = table.concat(mixture_text.words(m), ', '), expert_layer = m.expert_layer,
    shared_layer = m.shared_layer or nil, router_layer = m.router_layer,
    packed_bytes = told.all_bytes, token_bytes = told.token_bytes,
  }
end

local scores = {
  softmax = 'softmax of the logits', sigmoid = 'sigmoid of the logit',
  sqrt_softplus = 'square root of the softplus of the logit',
}

--- What experts are chosen by.
---@param r Rule
local function key_of(r)
  if r.correction ~= 'none' then return r.correction .. ' + correction' end
  return r.split > 0 and r.by_two and 'score' or 'logit'
end

---@param r Rule
local function weight_of(r)
  local text = 'score'
  if r.normalise and r.score == 'softmax' and r.epsilon == 0 and r.floor == 0 then
    text = 'softmax of the logits of the chosen experts'
  elseif r.normalise then
    text = text .. ' / ' .. (r.floor > 0 and ('max(sum of the chosen scores, %s)'):format(
      numbers.shortest(r.floor)) or r.epsilon > 0 and ('(sum of the chosen scores + %s)'):format(
      numbers.shortest(r.epsilon)) or 'sum of the chosen scores')
  end
  if r.expert_scale then text = text .. ' * expert_scale' end
  if r.scale > 0 then text = ('%s * %s'):format(text, numbers.shortest(r.scale)) end
  return text
end

local gates = {
  one = '', sigmoid = 'sigmoid(the router\'s last output) * ', mean = '0.5 * ',
}

---@param m Mixture
local function sum_of(m)
  local weight = m.shared == 'mean' and '0.5 * weight' or 'weight'
  local term = m.rule.on_input and (m.shared == 'mean' and '0.5 * ' or '') .. 'expert(weight * x)'
    or weight .. ' * expert(x)'
  return ('y = %ssum of %s'):format(m.shared == 'none' and '' or gates[m.shared] .. 'shared(x) + ',
    term)
end

--- The page of a mixture.
---@param told ToldMixture
---@return string
function M.page(told)
  local m, s, r = told.made, told.made.layers.expert, told.made.rule
  local lines = { ('moe %s (%s:%d)'):format(m.name, s.file:match('[^/]+$'), s.line) }
  local function add(...) lines[#lines + 1] = '  ' .. string.format(...) end
  if s.about ~= '' then add('%s', s.about) end
  add('%d experts, of which a token takes %d; d_model %d', r.experts, r.top_k, m.d_model)
  add('%s, in ascending order', sum_of(m))
  add('score    %s', scores[r.score])
  add('key      %s', key_of(r))
  if r.split > 0 then
    add('groups   %d of %d experts, of which %d are taken: those with the largest %s', r.split,
      r.experts // r.split, r.take, r.by_two and 'sum of two keys' or 'key')
  end
  add('chosen   %d with the largest keys%s', r.top_k, r.split > 0 and ' in these groups' or '')
  add('weight   %s', weight_of(r))
  local function layer(part, own_name, bytes)
    add('%-8s %s_%s, %s, packed weights %s', part, m.name, part, own_name, sizes.text(bytes))
  end
  layer('expert', m.expert_layer, told.expert_bytes)
  if m.shared_layer then layer('shared', m.shared_layer, told.shared_bytes) end
  layer('router', m.router_layer, told.router_bytes)
  add('packed weights %s, of which a token reads %s', sizes.text(told.all_bytes),
    sizes.text(told.token_bytes))
  return table.concat(lines, '\n') .. '\n'
end

return M
