--- What a model of Hugging Face tells its host: host.json's part that config.json, the names of
--- tensors and transformers' code say.
local blocks = require 'import.host.blocks'
local facts = require 'import.huggingface.host_facts'
local head = require 'import.huggingface.head'
local json_object = require 'files.json_object'
local keys = require 'import.keys'
local lists = require 'common.list'
local other_tensors = require 'import.other_tensors'
local record = require 'common.record'

local M = {}

local eps_keys = { 'rms_norm_eps', 'layer_norm_eps', 'layer_norm_epsilon', 'layernorm_epsilon',
  'norm_eps', 'norm_epsilon', 'rms_norm_epsilon' }

--- Norms that are made without the eps of the config, by what their names end with: the default of
--- the origin's class.
local own_eps = {
  deepseek_v2 = { q_a_layernorm = 1e-6, kv_a_layernorm = 1e-6 },
  deepseek_v3 = { q_a_layernorm = 1e-6, kv_a_layernorm = 1e-6 },
}

local function value_of(config, key)
  local value = config.data[key]
  if value == json_object.null then return nil end
  return value
end

--- The one eps of the config; nil where there is none, or several.
local function eps_of(config)
  local values = {}
  for _, key in ipairs(eps_keys) do
    local value = value_of(config, key)
    if type(value) == 'number' then values[#values + 1] = value end
  end
  return #lists.unique(values) == 1 and values[1] or nil
end

--- The norms among the tensors that no product takes.
local function norms_of(r, config, model_type, left)
  local norms, eps = {}, eps_of(config)
  for _, key in ipairs(left) do
    local module = key:match '^(.*)%.weight$'
    if module and #r.model.shapes[key] == 1 and other_tensors.kind_of(key) == 'norms' then
      local own = (own_eps[model_type] or {})[module:match '[^.]+$']
      norms[#norms + 1] = {
        tensor = key, bias = r.model.shapes[module .. '.bias'] and module .. '.bias' or false,
        eps = own or eps or false, adds_one = facts.adds_one(model_type),
      }
    end
  end
  return norms
end

--- Keys of attention, positions and tokens, as the file has them.
local function keys_of(configs)
  local list = {}
  for _, config in ipairs(configs) do
    for _, key in ipairs(record.sorted_keys(config.data)) do
      if keys.of_host[key] then
        list[#list + 1] = { name = config.within .. key, value = config.data[key] }
      end
    end
  end
  return list
end

-- Blocks -----------------------------------------------------------------------------------------

--- Keys of rope_parameters, by the kind of scaling.
local rope_keys = {
  default = {}, linear = { 'factor' },
  llama3 = { 'factor', 'low_freq_factor', 'high_freq_factor', 'original_max_position_embeddings' },
}

--- What says how positions are scaled, and its name.
local function scaling_of(config)
  local rope, scaling = value_of(config, 'rope_parameters'), value_of(config, 'rope_scaling')
  if rope ~= nil and scaling ~= nil then
    blocks.differs('it has rope_parameters and rope_scaling')
  end
  local of, name = rope or scaling or {}, rope and 'rope_parameters' or 'rope_scaling'
  if type(of) ~= 'table' then blocks.differs('%s is %s', name, record.described(of)) end
  return of, name .. '.'
end

--- What turns positions: theta, and the scaling.
local function rope_of(config)
  local of, name = scaling_of(config)
  local kind = of.rope_type or of.type or 'default'
  local own = rope_keys[kind] or blocks.differs('%srope_type is %s', name, record.shown(kind))
  local known = lists.set(lists.append({ 'rope_type', 'type', 'rope_theta',
    'partial_rotary_factor' }, own))
  for _, key in ipairs(record.sorted_keys(of)) do
    if not known[key] then blocks.differs('it has %s%s', name, record.shown(key, 80)) end
  end
  local function real(key) return blocks.real(of[key], name .. key) end
  local result = { type = kind == 'default' and 'none' or kind }
  if kind ~= 'default' then result.factor = real 'factor' end
  if kind == 'llama3' then
    result.low, result.high = real 'low_freq_factor', real 'high_freq_factor'
    result.original_positions = real 'original_max_position_embeddings'
  end
  for _, part in ipairs { of.partial_rotary_factor or false,
    value_of(config, 'partial_rotary_factor') or false } do
    if part and part ~= 1 then blocks.differs('only a part of a head is turned') end
  end
  local above = value_of(config, 'rope_theta')
  if of.rope_theta ~= nil and above ~= nil and of.rope_theta ~= above then
    blocks.differs('%srope_theta and rope_theta differ', name)
  end
  local theta = of.rope_theta == nil and above or of.rope_theta
  return blocks.real(theta, 'rope_theta', 10000.0), result
end

--- Keys that such blocks have.
local block_keys = lists.set {
  'num_attention_heads', 'num_key_value_heads', 'head_dim', 'attention_bias', 'sliding_window',
  'use_sliding_window', 'max_window_layers', 'layer_types', 'max_position_embeddings',
  'rope_parameters', 'rope_scaling', 'rope_theta', 'partial_rotary_factor', 'vocab_size',
  'tie_word_embeddings',
}

--- No other key says something of attention, positions or tokens.
local function check_keys(config)
  for _, key in ipairs(record.sorted_keys(config.data)) do
    local value = value_of(config, key)
    if keys.of_host[key] and not block_keys[key] and not key:find '_token_id$' and value then
      blocks.differs('it has the key %s', key)
    end
  end
  local types = value_of(config, 'layer_types') or {}
  for _, word in ipairs(type(types) == 'table' and types or { types }) do
    if word ~= 'full_attention' and word ~= 'sliding_attention' then
      blocks.differs('layer_types has %s', record.shown(word))
    end
  end
end

local function expect_tensor(r, name)
  if not r.model.shapes[name] then
    blocks.differs('there is no tensor %s', record.shown(name, 80))
  end
  return name
end

--- How many positions attention sees all of.
local function positions_of(config, count)
  local has_window = value_of(config, 'sliding_window') ~= nil
    and config.data.use_sliding_window ~= false
  return blocks.positions(count 'max_position_embeddings', has_window and count 'sliding_window'
    or nil)
end

--- How many tokens: rows of the embedding, and of a head of its own.
local function vocabulary_of(r, config, embedding)
  local rows, of_head = r.model.shapes[embedding][1], r.model.shapes['lm_head.weight']
  for _, other in ipairs { value_of(config, 'vocab_size') or rows, of_head and of_head[1] } do
    if other ~= rows then
      blocks.differs('the embedding has %d rows, and the head or vocab_size %s', rows,
        record.shown(other))
    end
  end
  return rows
end

--- Blocks as Llama has them.
local function block_of(r, config, model_type, at, layers)
  local rule = facts.blocks[model_type]
    or blocks.differs('model_type is %s', record.shown(model_type))
  local function count(key, default) return blocks.count(value_of(config, key), key, default) end
  check_keys(config)
  local heads, width = count 'num_attention_heads', count 'hidden_size'
  local head_dim = count('head_dim', width // heads)
  local kv_heads = count('num_key_value_heads', heads)
  blocks.check_heads(heads, kv_heads, head_dim)
  local theta, scaling = rope_of(config)
  local above = at:gsub('layers$', '')
  local embedding = expect_tensor(r, above .. 'embed_tokens.weight')
  local function of_block(name)
    for i = 0, layers - 1 do expect_tensor(r, ('%s.%d.%s.weight'):format(at, i, name)) end
    return ('%s.%%d.%s.weight'):format(at, name)
  end
  return {
    heads = heads, kv_heads = kv_heads, head_dim = head_dim, width = width,
    vocabulary = vocabulary_of(r, config, embedding), positions = positions_of(config, count),
    eps = blocks.real(value_of(config, 'rms_norm_eps'), 'rms_norm_eps'),
    score_scale = head_dim ^ -0.5, theta = theta, scaling = scaling, factors = false,
    attention_norm = of_block 'input_layernorm', ffn_norm = of_block 'post_attention_layernorm',
    q_norm = rule.qk_norm and of_block 'self_attn.q_norm',
    k_norm = rule.qk_norm and of_block 'self_attn.k_norm',
    final_norm = expect_tensor(r, above .. 'norm.weight'), embedding = embedding,
  }
end

--- Whether the head is the embedding, or 'unknown'.
local function tied_of(r, conclusion)
  local tied = head.tied(conclusion)
  if tied == nil and not r.model.shapes['lm_head.weight'] then return 'unknown' end
  return tied or false
end

--- What the host is told.
---@param r ModelReading
---@param conclusion Conclusion
function M.of(r, conclusion)
  local config = conclusion.text
  local model_type = value_of(config, 'model_type') or value_of(conclusion.configs[1], 'model_type')
  local left = lists.filter(r.model.keys, function(key) return not r.taken[key] end)
  local norms = norms_of(r, config, model_type, left)
  local stacks, layers = conclusion.stacks, 0
  for _, stack in ipairs(stacks) do layers = layers + (stack.here and stack.count or 0) end
  local block, why = blocks.of(function()
    if #stacks > 1 then blocks.differs('there are several stacks of layers') end
    return block_of(r, config, model_type, stacks[1].here, layers)
  end, norms, layers)
  return {
    architecture = conclusion.about[1], layers = layers,
    rope_pairs = facts.rotary_pairs(model_type, config), norms = norms,
    tied = tied_of(r, conclusion), keys = keys_of(conclusion.configs),
    left = blocks.left(r.model.keys, r.taken, norms), block = block, block_problem = why,
  }
end

return M
