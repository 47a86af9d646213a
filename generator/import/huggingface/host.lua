--- What a model of Hugging Face tells its host: host.json's part that config.json, the names of
--- tensors and transformers' code say.
local facts = require 'import.huggingface.host_facts'
local head = require 'import.huggingface.head'
local hosts = require 'import.host'
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

local function problem(message, ...) error({ block_problem = message:format(...) }, 0) end

local function count_of(config, key, default)
  local value = value_of(config, key)
  if value == nil then value = default end
  if math.type(value) ~= 'integer' or value < 1 then
    problem('%s is %s', key, record.described(value))
  end
  return value
end

local function real_of(of, key, what)
  local value = of[key]
  if type(value) ~= 'number' or value <= 0 then
    problem('%s%s is %s', what, key, record.described(value))
  end
  return value + 0.0
end

--- What turns positions: theta, and the scaling.
local function rope_of(config)
  local rope = value_of(config, 'rope_parameters')
  local scaling = value_of(config, 'rope_scaling')
  local of, theta = rope or scaling or {}, config.data
  if rope then theta = rope end
  if theta.rope_theta == nil then theta = { rope_theta = 10000.0 } end
  local kind = of.rope_type or of.type or 'default'
  local name = rope and 'rope_parameters.' or 'rope_scaling.'
  local result = { type = 'none' }
  if kind == 'linear' then
    result = { type = 'linear', factor = real_of(of, 'factor', name) }
  elseif kind == 'llama3' then
    result = {
      type = 'llama3', factor = real_of(of, 'factor', name),
      low = real_of(of, 'low_freq_factor', name), high = real_of(of, 'high_freq_factor', name),
      original_positions = real_of(of, 'original_max_position_embeddings', name),
    }
  elseif kind ~= 'default' then
    problem('%srope_type is %s', name, record.shown(kind))
  end
  local part = of.partial_rotary_factor or value_of(config, 'partial_rotary_factor')
  if part ~= nil and part ~= 1 then problem('only a part of a head is turned') end
  return real_of(theta, 'rope_theta', ''), result
end

local function expect_tensor(r, name)
  if not r.model.shapes[name] then problem('there is no tensor %s', record.shown(name, 80)) end
  return name
end

--- How many positions attention sees all of: a window of that many is none.
local function positions_of(config)
  local positions = count_of(config, 'max_position_embeddings')
  local has_window = value_of(config, 'sliding_window') ~= nil
    and config.data.use_sliding_window ~= false
  return has_window and math.min(positions, count_of(config, 'sliding_window')) or positions
end

--- Blocks as Llama has them.
local function block_of(r, config, model_type, at, count)
  local rule = facts.blocks[model_type] or problem('model_type is %s', record.shown(model_type))
  local heads, width = count_of(config, 'num_attention_heads'), count_of(config, 'hidden_size')
  local head_dim = count_of(config, 'head_dim', width // heads)
  local kv_heads = count_of(config, 'num_key_value_heads', heads)
  local uneven = hosts.heads_problem(heads, kv_heads, head_dim)
  if uneven then problem('%s', uneven) end
  local theta, scaling = rope_of(config)
  local above = at:gsub('layers$', '')
  local function of_block(name)
    for i = 0, count - 1 do expect_tensor(r, ('%s.%d.%s.weight'):format(at, i, name)) end
    return ('%s.%%d.%s.weight'):format(at, name)
  end
  local eps = value_of(config, 'rms_norm_eps')
  if type(eps) ~= 'number' then problem('rms_norm_eps is %s', record.described(eps)) end
  return {
    heads = heads, kv_heads = kv_heads, head_dim = head_dim,
    width = width, vocabulary = count_of(config, 'vocab_size'),
    positions = positions_of(config), eps = eps,
    score_scale = head_dim ^ -0.5, theta = theta, scaling = scaling, factors = false,
    attention_norm = of_block 'input_layernorm', ffn_norm = of_block 'post_attention_layernorm',
    q_norm = rule.qk_norm and of_block 'self_attn.q_norm',
    k_norm = rule.qk_norm and of_block 'self_attn.k_norm',
    final_norm = expect_tensor(r, above .. 'norm.weight'),
    embedding = expect_tensor(r, above .. 'embed_tokens.weight'),
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
  local is_norm = {}
  for _, norm in ipairs(norms) do
    is_norm[norm.tensor] = true
    if norm.bias then is_norm[norm.bias] = true end
  end
  local stacks, layers = conclusion.stacks, 0
  for _, stack in ipairs(stacks) do layers = layers + (stack.here and stack.count or 0) end
  local is_whole, block = pcall(function()
    if #stacks > 1 then problem('there are several stacks of layers') end
    return block_of(r, config, model_type, stacks[1].here, layers)
  end)
  local why = not is_whole and type(block) == 'table' and block.block_problem
  if not is_whole and not why then error(block, 0) end
  return {
    architecture = conclusion.about[1], layers = layers,
    rope_pairs = facts.rotary_pairs(model_type, config), norms = norms,
    tied = tied_of(r, conclusion), keys = keys_of(conclusion.configs),
    left = lists.filter(left, function(key) return not is_norm[key] end),
    block = is_whole and block or false, block_problem = why,
  }
end

return M
