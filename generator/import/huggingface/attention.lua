--- The products of attention in a block: which modules read one x, and the rows of those that are
--- several in one.
local config_values = require 'import.config_values'
local lists = require 'common.list'
local modules = require 'import.quantized.modules'
local names = require 'import.attention'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- What is worth a word of the rows of MLA, as transformers: models/deepseek_v3 has them.
local latent_rows = {
  kv_a = 'rows of kv_a: the latent, then the part of k that is turned by its position',
  q_b = 'rows: for each head the part of q without a position, then the one with it',
  kv_b = 'rows: for each head k without a position, then v',
}

--- A module of a block by its role.
---@param found table<string, string>  modules by role
---@param of AttentionModule
local function add(r, found, of, module)
  if of.role == 'other' then
    table.insert(found.others, module)
  elseif found[of.role] then
    problems.bad_input(r.model.path, '"%s" and "%s" would both be %s of one layer: --leave one of '
      .. 'them', record.shown(found[of.role], 80), record.shown(module, 80), of.role)
  else
    found[of.role] = module
  end
end

--- The modules of self attention, and those of cross attention.
---@param r ModelReading
---@param block Block
---@param list string[]  modules of the block
---@param is_strict boolean  what has no known name is refused
local function sorted(r, block, list, is_strict)
  local own, cross = { others = {} }, { others = {} }
  for _, module in ipairs(list) do
    local of = names.of(module:sub(#block.prefix + 1))
    if of then
      add(r, of.is_cross and cross or own, of, module)
    elseif of == false and is_strict then
      problems.bad_input(r.model.path, '"%s" is a matrix of attention, and ffngen knows no product '
        .. 'of this name: --leave %s leaves it to the host, and --also all takes it as a matrix',
        record.shown(module, 80), record.shown(module, 80))
    end
  end
  return own, cross
end

--- A number of heads, or of their width.
---@param config Config
---@param keys string[]
local function number_of(config, keys)
  local value, key = config:first(keys)
  if value ~= nil and (math.type(value) ~= 'integer' or value < 1) then
    config:refuse_value(key, value, 'an integer from 1 on')
  end
  return value
end

--- How many rows q, k and v have in one matrix.
---@param block Block
---@param fused FusedRule
---@return table<string, integer>
local function heights_of(block, fused)
  local config, d_model = block.stack.config, block.stack.d_model
  if fused.equal then return { q = d_model, k = d_model, v = d_model } end
  local heads = number_of(config, { 'num_attention_heads', 'n_head', 'n_heads' })
  if not heads then config:refuse_missing { 'num_attention_heads' } end
  local kv_heads = fused.one_kv and 1
    or number_of(config, { 'num_key_value_heads', 'num_kv_heads', 'n_head_kv' }) or heads
  local width = number_of(config, { 'head_dim' }) or d_model // heads
  return { q = heads * width, k = kv_heads * width, v = kv_heads * width }
end

--- The rule of a fused module.
---@param block Block
---@param rule AttentionRule
---@return FusedRule|nil
local function fused_of(block, rule, module, is_cross)
  for _, fused in ipairs(rule.fused or {}) do
    local fits = module:sub(-#fused.name - 1) == '.' .. fused.name
      and (fused.is_cross or false) == is_cross
    for _, condition in ipairs(fused.when or {}) do
      fits = fits and config_values.holds(block.stack.config, condition)
    end
    if fits then return fused end
  end
end

--- The outputs of a fused module, and what there is to say of them; nil: no rule tells them.
---@param r ModelReading
---@return table[]|nil outputs
---@return Because[]|nil because
local function cut(r, block, rule, module, is_cross, is_strict)
  local fused = fused_of(block, rule, module, is_cross)
  if not fused then
    if not is_strict then return nil end
    problems.bad_input(r.model.path, '"%s" has q, k and v in one matrix, and no rule tells the '
      .. 'order of its rows: --leave %s leaves it to the host, and --also all takes it as a matrix',
      record.shown(module, 80), record.shown(module, 80))
  end
  if type(fused.rows) == 'string' then
    return { { name = 'qkv', module = module, word = 'qkv' } },
      { { field = 'd_out', text = fused.rows } }
  end
  local heights, whole, outputs = heights_of(block, fused), 0, {}
  for i, role in ipairs(fused.rows) do
    outputs[i] = {
      name = role, module = module, word = role, from = whole, outputs = heights[role],
      in_out = rule.in_out or false,
    }
    whole = whole + heights[role]
  end
  local rows, columns = modules.shape(r, module)
  if rule.in_out then rows = columns end
  if rows ~= whole then
    problems.bad_input(r.model.path, '"%s" has %s outputs, and by config.json %s have %d: they do '
      .. 'not add up', record.shown(module, 80), record.shown(rows or 'unknown'),
      table.concat(fused.rows, ', '), whole)
  end
  return outputs, { { field = 'd_out', text = ('rows of %s one after the other'):format(
    table.concat(fused.rows, ', ')) } }
end

--- Values that a key says q, k and v are cut off at.
---@param config Config
local function clamp_of(config)
  local inner = config:get 'attn_config'
  local value = config:get_or('clip_qkv', type(inner) == 'table' and inner.clip_qkv)
  return type(value) == 'number' and { {
    field = 'd_out', text = ('the host clamps q, k and v at +-%s (clip_qkv)'):format(
      record.shown(value)),
  } } or {}
end

--- The products of one attention.
---@param block Block
---@param rule AttentionRule
---@param found table<string, string>  modules by role
---@param parts table<string, string>  by what they are
---@param is_strict boolean  what no rule tells is refused
local function products_of(r, block, rule, found, parts, is_strict)
  local result, is_cross = {}, parts.qkv == false
  local function add_product(part, outputs, because)
    result[#result + 1] = {
      part = part, index = block.index, outputs = outputs, because = because or {},
    }
  end
  local function output(role, word)
    return { name = role, module = found[role], word = word or false,
      in_out = rule.in_out or false }
  end
  local function outputs_of(roles)
    return lists.map(lists.filter(roles, function(role) return found[role] ~= nil end),
      function(role) return output(role, role) end)
  end
  local function told(roles)
    local texts = lists.filter(roles, function(role) return (rule.rows or {})[role] ~= nil end)
    return lists.append(lists.map(texts, function(role)
      return { field = 'd_out', text = rule.rows[role] }
    end), clamp_of(block.stack.config))
  end
  if found.qkv then
    local outputs, because = cut(r, block, rule, found.qkv, is_cross, is_strict)
    if outputs then
      add_product(parts.kv or parts.qkv, outputs,
        lists.append(because, clamp_of(block.stack.config)))
    end
  end
  if found.kv_a then
    add_product('other', { output(found.q_a and 'q_a' or 'q'), output 'kv_a' },
      { { field = 'd_out', text = latent_rows.kv_a } })
  elseif is_cross then
    if found.q then add_product(parts.q, { output('q', 'q') }, told { 'q' }) end
    if found.k or found.v then add_product(parts.kv, outputs_of { 'k', 'v' }, told { 'k', 'v' }) end
  elseif found.q then
    add_product(parts.qkv, outputs_of { 'q', 'k', 'v' }, told { 'q', 'k', 'v' })
  end
  for _, role in ipairs { 'q_b', 'kv_b' } do
    if found[role] then
      add_product('other', { output(role) }, { { field = 'd_out', text = latent_rows[role] } })
    end
  end
  if found.o then add_product(parts.o, { output('o', 'o') }) end
  for _, module in ipairs(found.others) do
    add_product('other', { { name = module:match '[^.]*$', module = module, word = false,
      in_out = false } })
  end
  return result
end

--- Refuses a block that has some of the modules of attention and lacks others.
---@param r ModelReading
---@param rule AttentionRule
---@param found table<string, string>
local function check(r, rule, found)
  local lacks = found.q and not found.kv_a and (not found.k and 'k' or not found.v and 'v')
    or not found.q and not found.qkv and (found.k or found.v) and 'q'
    or found.q_a and not found.kv_a and 'kv_a'
  if lacks and not rule.shares and not (found.qkv and found.q) then
    local module = found.q or found.k or found.v or found.q_a
    problems.bad_input(r.model.path, 'there is no %s beside "%s": half of an attention is in this '
      .. 'file', lacks, record.shown(module, 80))
  end
end

--- The products of attention in a block.
---@param r ModelReading
---@param block Block
---@param rule AttentionRule
---@param list string[]  its modules
---@param is_strict boolean
---@return FoundProduct[]
function M.of(r, block, rule, list, is_strict)
  local own, cross = sorted(r, block, list, is_strict)
  check(r, rule, own)
  check(r, rule, cross)
  return lists.append(
    products_of(r, block, rule, own, { qkv = 'qkv', o = 'o' }, is_strict),
    products_of(r, block, rule, cross, { qkv = false, q = 'cross_q', kv = 'cross_kv',
      o = 'cross_o' }, is_strict))
end

return M
