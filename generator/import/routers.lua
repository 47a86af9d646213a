--- What the router of a mixture of experts computes: rules of families tell what their origin's
--- class does, a config.json the numbers, and this makes sentences, and fields of a spec.
local record = require 'common.record'

local M = {}

--- A router's class. Its logits are x times a matrix, an expert each.
---@class RouterRule
---@field score string  of an expert: 'softmax', 'sigmoid', 'softmax of those chosen', 'sparsemixer'
---@field bias string|nil        the tensor that is added to the logits
---@field correction string|nil  the tensor that is added to scores where experts are chosen
---@field also_called string|nil  how other files call it
---@field groups string|nil      what of a group tells which are taken: 'largest', 'two largest'
---@field groups_where { key: string, is: string, else_is: string }|nil  else there are none
---@field group_counts integer[]|nil  of how many groups how many, where no key tells
---@field normalise boolean|{ key: string, default: boolean, several: boolean|nil }|nil  by the sum
---  of those chosen; several: not of one alone
---@field epsilon number|nil     that is added to the sum
---@field floor { key: string, default: number }|nil  the least that is divided by
---@field scale { key: string, default: number }|nil
---@field noise { key: string, default: number }|nil  of sparsemixer
---@field on_input boolean|nil   scores are multiplied by x, and not by what experts give
---@field agrees table<string, string>|nil  keys that its class does not read, with what it computes

--- The same with the numbers of a model.
---@class Router
---@field score string
---@field bias string|false
---@field correction string|false
---@field groups { by: string, all: integer, taken: integer }|false
---@field normalise boolean
---@field because string  of normalise
---@field epsilon number
---@field floor number
---@field scale number
---@field noise number
---@field on_input boolean

--- Keys of routers, in the order in which they come to them.
M.keys = { 'scoring_func', 'topk_method', 'n_group', 'topk_group', 'norm_topk_prob',
  'routed_scaling_factor' }

local function number_of(config, of, default)
  return of and config:number(of.key, of.default) or default
end

local function groups_of(config, rule)
  local where = rule.groups_where
  if where then
    local value = config:get(where.key)
    if value == nil or value == where.else_is then return false end
    if value ~= where.is then
      config:refuse_value(where.key, value, ('%s or %s'):format(where.else_is, where.is))
    end
  end
  local counts = {}
  for i, key in ipairs { 'n_group', 'topk_group' } do
    counts[i] = config:get_or(key, rule.group_counts[i])
    if math.type(counts[i]) ~= 'integer' or counts[i] < 1 then
      config:refuse_value(key, counts[i], 'a number of groups, from 1 on')
    end
  end
  return counts[1] > 1 and { by = rule.groups, all = counts[1], taken = counts[2] } or false
end

--- Whether scores are divided by their sum, and what says so.
local function normalise_of(config, rule, used)
  local of = rule.normalise or false
  if type(of) == 'boolean' then return of, '' end
  local value, key = config:get(of.key), config:name(of.key)
  if value ~= nil and type(value) ~= 'boolean' then
    config:refuse_value(of.key, value, 'true or false')
  end
  local because = value == nil and (' (no %s: %s)'):format(key, of.default)
    or (' (%s = %s)'):format(key, value)
  if value == nil then value = of.default end
  if of.several and used == 1 then return false, '' end -- one alone is never divided
  return value, because
end

--- What a config makes of a class.
---@param config Config
---@param rule RouterRule
---@param used integer  experts of a token
---@return Router
function M.of(config, rule, used)
  local normalise, because = normalise_of(config, rule, used)
  return record.strict('router', {
    score = rule.score, bias = rule.bias or false, correction = rule.correction or false,
    groups = rule.groups and groups_of(config, rule) or false,
    normalise = normalise, because = because, epsilon = rule.epsilon or 0,
    floor = number_of(config, rule.floor, 0),
    scale = number_of(config, rule.scale, 1), noise = number_of(config, rule.noise, 0),
    on_input = rule.on_input or false,
  })
end

--- What a `moe` says of a router, but for its bias and weights; nil and why it cannot say it.
---@param r Router
---@return table|nil
---@return string|nil reason
function M.fields(r)
  if r.score == 'sparsemixer' then
    return nil, 'experts are chosen one after the other (sparsemixer), and a moe has no such router'
  end
  if r.scale <= 0 then return nil, ('its weights are multiplied by %.9g'):format(r.scale) end
  local is_late = r.score == 'softmax of those chosen'
  local divides = is_late or r.normalise
  local groups = r.groups and { count = r.groups.all, take = r.groups.taken,
    by = r.groups.by == 'largest' and 'largest' or 'two_largest' }
  local function unless(value, usual) return value ~= usual and value or nil end
  return {
    score = is_late and 'softmax' or r.score, correction = r.correction and 'score' or nil,
    groups = groups or nil, normalise = divides or nil,
    epsilon = divides and unless(r.epsilon, 0) or nil,
    floor = divides and unless(r.floor, 0) or nil, scale = unless(r.scale, 1),
    on = r.on_input and 'input' or nil,
  }
end

--- Keys that are there and that the class does not read; not those that say what it computes.
local function unread_of(config, rule)
  local where = rule.groups_where
  local read = {
    [rule.scale and rule.scale.key or ''] = true, n_group = rule.groups ~= nil,
    topk_group = rule.groups ~= nil, [where and where.key or ''] = true,
  }
  if type(rule.normalise) == 'table' then read[rule.normalise.key] = true end
  local parts = {}
  for _, key in ipairs(M.keys) do
    local value = config:get(key)
    if value ~= nil and not read[key] and (rule.agrees or {})[key] ~= value then
      parts[#parts + 1] = ('; its class does not read %s = %s'):format(config:name(key),
        record.shown(value))
    end
  end
  return table.concat(parts)
end

--- Which experts a token passes.
local function chosen_text(r, used)
  local by = r.correction and ('score + %s'):format(r.correction) or 'score'
  local of = r.groups and (', of the %d of %d groups %s'):format(r.groups.taken, r.groups.all,
    r.groups.by == 'largest' and ('with the largest %s'):format(by)
      or ('whose two largest %s have the largest sum'):format(by)) or ''
  return used == 1 and ('the one with the largest %s is chosen%s'):format(by, of)
    or ('the %d with the largest %s are chosen%s'):format(used, by, of)
end

local scores = {
  softmax = 'scores are their softmax over all experts',
  sigmoid = 'the score of each is its sigmoid',
}

--- What a router computes, for the host.
---@param config Config
---@param rule RouterRule
---@param used integer
---@return string
function M.told(config, rule, used)
  local r = M.of(config, rule, used)
  local logits = ('of the router\'s logits, x times its matrix%s, '):format(
    r.bias and (' plus %s'):format(r.bias) or '')
  local text
  if r.score == 'sparsemixer' then
    text = ('%s%d are chosen one after the other, the largest of those that are left (sparsemixer);'
      .. ' its weight is its softmax among those left of which (largest - logit) / max(|logit|, '
      .. 'largest) is at most %g (2 %s); what they give is multiplied by it and added'):format(
      logits, used, 2 * r.noise, config:name(rule.noise.key))
  elseif r.score == 'softmax of those chosen' then
    text = ('%sthe %d largest are chosen, and scores are the softmax of these alone; what an '
      .. 'expert gives is multiplied by its score, and these are added'):format(logits, used)
  elseif r.on_input then
    text = ('%s%s; %s; x is multiplied by an expert\'s score before it goes into it, and what they '
      .. 'give is added as it is'):format(logits, scores[r.score], chosen_text(r, used))
  else
    text = ('%s%s; %s; what an expert gives is multiplied by its score%s, %s%s%s, and these are '
      .. 'added'):format(logits, scores[r.score], chosen_text(r, used),
      r.correction and ' (without the correction)' or '', r.normalise
        and 'divided by the sum of those chosen' or 'not divided by the sum of those chosen',
      r.normalise and r.epsilon > 0 and (' + %g'):format(r.epsilon)
        or r.floor > 0 and (' (by %s = %g at least)'):format(config:name(rule.floor.key), r.floor)
        or '', r.because
        .. (rule.scale and (', times %s = %.9g'):format(config:name(rule.scale.key), r.scale)
          or ''))
  end
  return text .. unread_of(config, rule)
end

return M
