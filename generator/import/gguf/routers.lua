--- What the router of a mixture of experts computes, of which all is the host's: an architecture's
--- rule tells what llama.cpp does, keys of the file the numbers, and this makes sentences.
local key_values = require 'import.gguf.key_values'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- Keys behind the architecture's name, in the order in which a router comes to them.
M.keys = {
  'expert_group_count', 'expert_group_used_count', 'expert_gating_func', 'expert_weights_norm',
  'expert_weights_scale', 'router_logit_softcapping',
}

--- llama_expert_gating_func_type of src/llama-hparams.h of llama.cpp.
local gatings = { 'softmax', 'sigmoid', 'softmax of those chosen' }

--- What a file's keys make of a rule.
---@class GgufRouting
---@field gating string|false  false: nothing tells what it does
---@field groups { all: integer, taken: integer }|false
---@field norm boolean
---@field scale number
---@field told table<string, string>  ' (deepseek2.expert_weights_norm true)', by a key's name
---@field unread string[]  keys that llama.cpp does not read here, with their values
---@field own string|false  what the model's own code has in its place
---@field takes string|false  what it takes, where that is not the layer's input

local function shown(value)
  return math.type(value) == 'float' and ('%.9g'):format(value) or tostring(value)
end

--- The keys of a file, judged, and each with its value in words.
local function values_of(path, values, name)
  local own, told = {}, {}
  for _, key in ipairs(M.keys) do
    local whole = ('%s.%s'):format(name, key)
    local value = values[whole]
    local is_flag = key == 'expert_weights_norm'
    if value ~= nil and type(value) ~= (is_flag and 'boolean' or 'number') then
      key_values.refuse(path, whole, value, is_flag and 'true or false' or 'a number')
    end
    if value ~= nil and key:find 'count$' and (math.type(value) ~= 'integer' or value < 0) then
      key_values.refuse(path, whole, value, 'a number of groups')
    end
    own[key], told[key] = value, value ~= nil and ('%s %s'):format(whole, shown(value)) or nil
  end
  return own, told
end

--- What of a rule the file's keys say otherwise.
---@param path string
---@param values table<string, GgufValue>
---@param rule GgufRule
---@return GgufRouting|false  false: its blocks have no experts
function M.of(path, values, rule)
  local router = rule.router
  if not router then return false end
  local own, told = values_of(path, values, rule.name)
  local gating = router.gating
  local read = gating and {
    expert_gating_func = router.gating_key, expert_weights_norm = router.norm_key,
    expert_weights_scale = router.scale_key, expert_group_count = true,
    expert_group_used_count = true,
  } or {}
  -- 0: the file does not say it.
  if gating and router.gating_key and own.expert_gating_func and own.expert_gating_func ~= 0 then
    gating = gatings[own.expert_gating_func]
    if not gating then
      problems.bad_input(path, '%s.expert_gating_func is %s: no rule knows that score of experts',
        rule.name, shown(own.expert_gating_func))
    end
  end
  local unread, because = {}, {}
  for _, key in ipairs(M.keys) do
    if told[key] and not read[key] then unread[#unread + 1] = told[key] end
    because[key] = told[key] and (' (%s)'):format(told[key]) or ''
  end
  local norm, scale = router.norm, router.scale_key and own.expert_weights_scale or 1
  if router.norm_key then norm = own.expert_weights_norm or false end
  local all = own.expert_group_count or 0
  return record.strict('routing', {
    gating = gating, norm = norm, scale = scale == 0 and 1 or scale, told = because,
    unread = unread, own = router.own, takes = router.takes,
    groups = all > 1 and { all = all, taken = own.expert_group_used_count or 0 } or false,
  })
end

--- What a router does, of a block with such tensors.
---@param r GgufRouting
---@param sizes GgufSizes
---@param bias boolean        its logits have one
---@param correction boolean  added where experts are chosen
local function text_of(r, sizes, bias, correction)
  if not r.gating then
    return table.concat(lists.append({ ('which %d of %d experts a token passes, and what is made '
      .. 'of what they give, are computed by the host: no rule tells how'):format(sizes.used,
      sizes.experts) }, r.unread), '; the file says ')
  end
  local by = correction and 'score + exp_probs_b' or 'score'
  local is_late = r.gating == 'softmax of those chosen'
  local scores = is_late and 'the softmax of those that are chosen by their logits'
    or r.gating == 'softmax' and 'the softmax of all logits' or 'the sigmoid of each logit'
  local parts = {
    ('chooses %d of %d experts for each token: scores are %s%s%s'):format(sizes.used, sizes.experts,
      scores, bias and ', to which ffn_gate_inp.bias is added before' or '',
      r.told.expert_gating_func),
  }
  if not is_late then
    parts[2] = ('those with the largest %s are chosen%s'):format(by, r.groups
      and (', of the %d of %d groups whose two largest have the largest sum'):format(
        r.groups.taken, r.groups.all) or '')
  end
  parts[#parts + 1] = ('what an expert gives is multiplied by its score%s, %sdivided by the sum of '
    .. 'those chosen%s%s%s, and these are added'):format(correction and ' alone' or '',
    r.norm and '' or 'not ', r.norm and ' (in llama.cpp by 2^-14 at least)' or '',
    r.told.expert_weights_norm, r.scale ~= 1 and (', times %.9g%s'):format(r.scale,
      r.told.expert_weights_scale) or '')
  if r.takes then parts[#parts + 1] = 'the router takes ' .. r.takes end
  for _, key in ipairs(r.unread) do
    parts[#parts + 1] = ('llama.cpp does not read %s of this architecture'):format(key)
  end
  if r.own then parts[#parts + 1] = r.own end
  return table.concat(parts, '; ')
end

--- The same of a block.
---@param o GgufReading
function M.text(o)
  local stems = o.block.stems
  return text_of(o.router, o.sizes, stems.ffn_gate_inp.bias ~= nil, stems.exp_probs_b ~= nil)
end

--- What a `moe` says of a router, but for its bias and weights; nil and why it cannot say it.
---@param r GgufRouting
---@param correction boolean  the block has one
---@return table|nil
---@return string|nil reason
function M.fields(r, correction)
  if not r.gating then return nil, 'no rule tells what its router computes' end
  if r.own then return nil, r.own end
  if r.takes then return nil, 'its router takes ' .. r.takes end
  if r.scale <= 0 then return nil, ('its weights are multiplied by %.9g'):format(r.scale) end
  local is_late = r.gating == 'softmax of those chosen'
  local divides = is_late or r.norm
  -- The largest of a softmax are more than 2^-14 together: it is a floor of other scores alone.
  local may_be_small = r.gating == 'sigmoid' or correction
  return {
    score = is_late and 'softmax' or r.gating, correction = correction and 'score' or nil,
    groups = r.groups and { count = r.groups.all, take = r.groups.taken, by = 'two_largest' }
      or nil,
    normalise = divides or nil, floor = divides and may_be_small and 2.0^-14 or nil,
    scale = r.scale ~= 1 and r.scale or nil,
  }
end

--- What a block's router is, as what lies beside a layer.
---@param o GgufReading
---@return HostPart[]
function M.around(o)
  local correction = o.block.stems.exp_probs_b
  local list = { {
    place = 'beside', what = 'router', tensor = o.block.prefix .. 'ffn_gate_inp.weight',
    text = M.text(o),
  } }
  if correction then
    list[2] = {
      place = 'beside', what = 'router\'s bias',
      tensor = ('%sexp_probs_b.%s'):format(o.block.prefix, correction.bias and 'bias' or 'weight'),
      text = o.router.gating and 'added where it chooses, and not where it weights'
        or 'no rule tells where it is added',
    }
  end
  for _, scale in ipairs(o.rule.scales) do
    local placed = (o.block.hosts[scale[1]] or {}).scale
    list[#list + 1] = placed
      and { place = 'beside', what = 'scales', tensor = placed.name, text = scale[2] } or nil
  end
  return list
end

return M
