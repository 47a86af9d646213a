--- The keys of a GGUF file that tell of feed-forward layers: those that a rule reads, those that
--- are known not to touch them, and all others that sound as if they did, which are refused.
local key_values = require 'import.gguf.key_values'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local routers = require 'import.gguf.routers'

local M = {}

--- Namespaces that tell of the file or of words, and, of an architecture's keys, of other parts.
local apart = { 'general.', 'tokenizer.', 'split.', 'quantize.' }
local of_others = { 'rope.', 'attention.', 'ssm.' }

--- Keys of an architecture that sound like more than they are, or that somebody reads.
local known = lists.set {
  'feed_forward_length', 'embedding_scale', 'logit_scale', 'final_logit_softcapping',
}

--- Those of a router and of its experts: what the host does, and sizes.
local of_experts = lists.set {
  'expert_count', 'expert_used_count', 'expert_shared_count', 'expert_feed_forward_length',
  'expert_shared_feed_forward_length', 'interleave_moe_layer_step', 'moe_every_n_layers',
  table.unpack(routers.keys),
}

local words = {
  'ffn', 'feed_forward', 'mlp', 'expert', 'moe', 'gate', 'gating', 'glu', 'hidden', 'intermediate',
  'scale', 'limit', 'clamp', 'sparsity', 'activation', 'xielu', 'multiplier',
}

local function sounds_alike(key)
  for _, word in ipairs(words) do
    if key:find(word, 1, true) then return true end
  end
  return key:find '%f[%a]act%f[^%a]' ~= nil
end

local function begins(text, prefixes)
  for _, prefix in ipairs(prefixes) do
    if text:sub(1, #prefix) == prefix then return true end
  end
  return false
end

--- Whether a key is read, or known to tell nothing of the layer.
---@param own string|false  its name behind the architecture's
local function is_known(key, own, value, rule)
  if not own then return begins(key, apart) end
  return known[own] or own == rule.residual or begins(own, of_others)
    or of_experts[own] and (rule.experts or value == 0)
end

--- What the weights were laid out as: the orders that are told concern attention alone.
local layouts = lists.set { 'reference', 'Meta AI original pth', 'jploski' }

--- Refuses what nobody reads and may be the layer's.
---@param path string
---@param keys table<string, GgufValue>
---@param rule GgufRule
---@param is_left fun(name: string): boolean  it is told to be left out
---@param has_blocks boolean  some tensor is made of blocks
function M.check(path, keys, rule, is_left, has_blocks)
  local prefix = rule.name .. '.'
  for _, key in ipairs(record.sorted_keys(keys)) do
    local own = key:sub(1, #prefix) == prefix and key:sub(#prefix + 1)
    if sounds_alike(own or key) and not is_known(key, own, keys[key], rule)
      and not is_left(key) then
      problems.bad_input(path, 'key "%s": no rule of "%s" reads this key, which may change what '
        .. 'the feed-forward layers compute; if not, add --leave %s',
        record.shown(key, 80), rule.name, record.shown(key, 80))
    end
  end
  local layout = keys[prefix .. 'tensor_data_layout']
  if layout ~= nil and not layouts[layout] then
    problems.bad_input(path, '%stensor_data_layout is "%s", which no rule knows', prefix,
      record.shown(layout))
  end
  local version = keys['general.quantization_version']
  if has_blocks and version ~= nil and version ~= 2 then
    problems.bad_input(path, 'general.quantization_version is %s; ffngen reads version 2: quantize '
      .. 'the model again', record.shown(version))
  end
  local kind = keys['general.type']
  if kind ~= nil and kind ~= 'model' then
    problems.bad_input(path, 'general.type is "%s", not "model": import the file of the model%s',
      record.shown(kind), kind == 'adapter' and ', with the adapter merged into the model' or '')
  end
end

--- The architecture's name.
---@return string
function M.architecture(path, keys)
  local name = keys['general.architecture']
  if type(name) ~= 'string' then
    key_values.refuse(path, 'general.architecture', name, 'a name')
  end
  return name
end

--- A size that must be there, or nil where `is_optional`.
---@return integer
function M.size(path, keys, name, is_optional)
  local value = keys[name]
  if value == nil and is_optional then return nil end
  if math.type(value) ~= 'integer' or value < 0 or value > 1 << 31 then
    key_values.refuse(path, name, value, 'a size: an integer from 0 to 2^31')
  end
  return value
end

--- A size for each of `count` blocks: a number for all of them, or a list; nil where there is none.
---@return integer[]|nil
function M.sizes(path, keys, name, count)
  local value, list = keys[name], {}
  if value == nil then return nil end
  if type(value) ~= 'table' then
    local size = M.size(path, keys, name)
    for i = 1, count do list[i] = size end
    return list
  end
  if not value.is_kept or value.count ~= count then
    problems.bad_input(path, '%s has %d numbers, and there are %d blocks: convert the model again',
      name, value.count, count)
  end
  for i = 1, count do
    list[i] = value[i]
    if math.type(list[i]) ~= 'integer' or list[i] < 0 or list[i] > 1 << 31 then
      key_values.refuse(path, ('number %d of %s'):format(i, name), list[i],
        'a size: an integer from 0 to 2^31')
    end
  end
  return list
end

return M
