--- What a GGUF model tells its host: host.json's part that keys, names of tensors and llama.cpp's
--- code say. Norms that multiply with 1 + weight have the 1 added by the converter.
local blocks = require 'import.host.blocks'
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

--- Architectures whose blocks are Llama's; of these, those that norm each head of q and k.
local llamas = { llama = { qk_norm = false }, mistral3 = { qk_norm = false },
  qwen2 = { qk_norm = false }, qwen3 = { qk_norm = true } }

--- Keys of an architecture that are none of its host.
local others = { 'feed_forward_length', 'expert_', 'block_count', 'decoder_block_count' }

local function is_of_host(key, prefix)
  if key:sub(1, #prefix) ~= prefix then return key:find '^tokenizer%.ggml%.%l+_token_id$' ~= nil end
  local own = key:sub(#prefix + 1)
  return #lists.filter(others, function(other) return own:sub(1, #other) == other end) == 0
end

--- Keys as the file has them; a list whose numbers were not kept is its length.
local function keys_of(values, prefix)
  local list = {}
  for _, key in ipairs(record.sorted_keys(values)) do
    local value = values[key]
    if is_of_host(key, prefix) then
      if type(value) == 'table' then
        value = value.is_kept and table.move(value, 1, value.count, 1, {})
          or { count = value.count }
      end
      list[#list + 1] = { name = key, value = value }
    end
  end
  return list
end

--- Norms, in the file's order.
local function norms_of(model, values, prefix)
  local rms, plain = values[prefix .. 'attention.layer_norm_rms_epsilon'],
    values[prefix .. 'attention.layer_norm_epsilon']
  local eps = type(rms) == 'number' and rms or type(plain) == 'number' and plain or false
  local norms = {}
  for _, name in ipairs(model.names) do
    local stem = name:match '^(.*)%.weight$'
    if stem and stem:find('norm', 1, true) and #model.tensors[name].shape == 1 then
      norms[#norms + 1] = {
        tensor = name, eps = eps, adds_one = false,
        bias = model.tensors[stem .. '.bias'] and stem .. '.bias' or false,
      }
    end
  end
  return norms
end

-- Blocks -----------------------------------------------------------------------------------------

--- The scaling of positions. That of llama3 is the tensor of factors.
local function scaling_of(values, prefix)
  local kind, old = values[prefix .. 'rope.scaling.type'], prefix .. 'rope.scale_linear'
  if values[old] ~= nil and values[old] ~= 1.0 then
    return { type = 'linear', factor = blocks.real(values[old], old) }
  end
  if kind == nil or kind == 'none' then return { type = 'none' } end
  if kind == 'linear' then
    local factor = prefix .. 'rope.scaling.factor'
    return { type = 'linear', factor = blocks.real(values[factor], factor, 1.0) }
  end
  blocks.differs('%srope.scaling.type is %s', prefix, record.shown(kind))
end

--- Keys that such blocks have, or that change nothing of them.
local block_keys = lists.set {
  'attention.head_count', 'attention.head_count_kv', 'attention.key_length',
  'attention.value_length', 'attention.layer_norm_rms_epsilon', 'attention.sliding_window',
  'block_count', 'context_length', 'embedding_length', 'feed_forward_length',
  'rope.dimension_count', 'rope.freq_base', 'rope.scale_linear', 'rope.scaling.type',
  'rope.scaling.factor', 'rope.scaling.original_context_length', 'rope.scaling.finetuned',
  'tensor_data_layout', 'vocab_size',
}

--- No other key of the architecture says something, and heads are turned whole.
local function check_keys(values, prefix, head_dim)
  for _, key in ipairs(record.sorted_keys(values)) do
    local own, value = key:sub(1, #prefix) == prefix and key:sub(#prefix + 1), values[key]
    if own and not block_keys[own] and value ~= 0 then
      blocks.differs('%s is %s', key, type(value) == 'table' and 'a list'
        or record.described(value))
    end
  end
  for _, name in ipairs { 'rope.dimension_count', 'attention.value_length' } do
    local value = values[prefix .. name]
    if value ~= nil and value ~= head_dim then
      blocks.differs('%s%s is %s, and a head has %d numbers', prefix, name,
        record.described(value), head_dim)
    end
  end
end

--- How many tokens: rows of the embedding, and of a head of its own.
local function vocabulary_of(model, embedding)
  local rows, of_head = model.tensors[embedding].shape[2], model.tensors['output.weight']
  if of_head and of_head.shape[2] ~= rows then
    blocks.differs('%s has %s rows, and output.weight %s', embedding, rows, of_head.shape[2])
  end
  return blocks.count(rows, 'the rows of ' .. embedding)
end

local function block_of(model, values, rule, blocks_of_model)
  local known, prefix = llamas[rule.name], rule.name .. '.'
  if not known then blocks.differs('the architecture is %s', rule.name) end
  local function expect(name)
    if not model.tensors[name] then blocks.differs('there is no tensor %s', name) end
    return name
  end
  local function of_block(stem)
    for i = 0, blocks_of_model - 1 do expect(('blk.%d.%s.weight'):format(i, stem)) end
    return ('blk.%%d.%s.weight'):format(stem)
  end
  local function count(name, default)
    return blocks.count(values[prefix .. name], prefix .. name, default)
  end
  local heads, width = count 'attention.head_count', count 'embedding_length'
  local head_dim = count('attention.key_length', width // heads)
  local kv_heads = count('attention.head_count_kv', heads)
  blocks.check_heads(heads, kv_heads, head_dim)
  check_keys(values, prefix, head_dim)
  local embedding, window = expect 'token_embd.weight', values[prefix .. 'attention.sliding_window']
  local function real(name, default)
    return blocks.real(values[prefix .. name], prefix .. name, default)
  end
  return {
    heads = heads, kv_heads = kv_heads, head_dim = head_dim, width = width,
    vocabulary = vocabulary_of(model, embedding),
    positions = blocks.positions(count 'context_length', (window or 0) ~= 0
      and count 'attention.sliding_window' or nil),
    eps = real 'attention.layer_norm_rms_epsilon', score_scale = head_dim ^ -0.5,
    theta = real('rope.freq_base', 10000.0), scaling = scaling_of(values, prefix),
    factors = model.tensors['rope_freqs.weight'] and 'rope_freqs.weight' or false,
    attention_norm = of_block 'attn_norm', ffn_norm = of_block 'ffn_norm',
    q_norm = known.qk_norm and of_block 'attn_q_norm',
    k_norm = known.qk_norm and of_block 'attn_k_norm',
    final_norm = expect 'output_norm.weight', embedding = embedding,
  }
end

--- What the host is told.
---@param model GgufModel
---@param rule GgufRule
---@param counts integer[]               blocks of each stack
---@param taken table<string, boolean>  tensors of the layers that are found
function M.of(model, rule, counts, taken)
  local values, prefix, all = model.keys, rule.name .. '.', 0
  for _, count in ipairs(counts) do all = all + count end
  local norms = norms_of(model, values, prefix)
  local block, why = blocks.of(function()
    if #counts > 1 then blocks.differs('there are several stacks of blocks') end
    return block_of(model, values, rule, all)
  end, norms, all)
  local tied = 'unknown'
  if model.tensors['token_embd.weight'] then tied = model.tensors['output.weight'] == nil end
  return {
    architecture = rule.name, layers = all, norms = norms,
    rope_pairs = values[prefix .. 'rope.dimension_sections'] == nil and rule.rope,
    tied = tied, keys = keys_of(values, prefix), left = blocks.left(model.names, taken, norms),
    block = block, block_problem = why,
  }
end

return M
