--- What a GGUF model tells its host: host.json's part that keys, names of tensors and llama.cpp's
--- code say. Norms that multiply with 1 + weight have the 1 added by the converter.
local hosts = require 'import.host'
local lists = require 'common.list'
local record = require 'common.record'

local M = {}

local function problem(message, ...) error({ block_problem = message:format(...) }, 0) end

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

local function count_of(values, key, default)
  local value = values[key]
  if value == nil then value = default end
  if math.type(value) ~= 'integer' or value < 1 then
    problem('%s is %s', key, type(value) == 'table' and 'a list' or record.described(value))
  end
  return value
end

local function real_of(values, key, default)
  local value = values[key]
  if value == nil then value = default end
  if type(value) ~= 'number' or value <= 0 then
    problem('%s is %s', key, record.described(value))
  end
  return value + 0.0
end

--- The scaling of positions. That of llama3 is the tensor of factors.
local function scaling_of(values, prefix)
  local kind = values[prefix .. 'rope.scaling.type']
  local old = values[prefix .. 'rope.scale_linear']
  if old ~= nil and old ~= 1.0 then
    return { type = 'linear', factor = real_of(values, prefix .. 'rope.scale_linear') }
  end
  if kind == nil or kind == 'none' then return { type = 'none' } end
  if kind == 'linear' then
    return { type = 'linear', factor = real_of(values, prefix .. 'rope.scaling.factor', 1.0) }
  end
  problem('%srope.scaling.type is %s', prefix, record.shown(kind))
end

--- Keys that would change the block.
local function check_others(values, prefix, head_dim)
  for _, name in ipairs { 'attention.scale', 'logit_scale',
    'residual_scale', 'embedding_scale', 'attention.clamp_kqv', 'attn_logit_softcapping' } do
    if values[prefix .. name] ~= nil and values[prefix .. name] ~= 0 then
      problem('%s%s is %s', prefix, name, record.described(values[prefix .. name]))
    end
  end
  for _, name in ipairs { 'rope.dimension_count', 'attention.value_length' } do
    local value = values[prefix .. name]
    if value ~= nil and value ~= head_dim then
      problem('%s%s is %s, and a head has %d numbers', prefix, name, record.described(value),
        head_dim)
    end
  end
end

--- How many positions attention sees all of: a window of that many is none.
local function positions_of(values, prefix)
  local positions, window = count_of(values, prefix .. 'context_length'),
    prefix .. 'attention.sliding_window'
  return (values[window] or 0) ~= 0 and math.min(positions, count_of(values, window)) or positions
end

local function block_of(model, values, rule, count)
  local known, prefix = llamas[rule.name], rule.name .. '.'
  if not known then problem('the architecture is %s', rule.name) end
  local function expect(name)
    if not model.tensors[name] then problem('there is no tensor %s', name) end
    return name
  end
  local function of_block(stem)
    for i = 0, count - 1 do expect(('blk.%d.%s.weight'):format(i, stem)) end
    return ('blk.%%d.%s.weight'):format(stem)
  end
  if (values[prefix .. 'expert_count'] or 0) ~= 0 then problem('it has experts') end
  local heads, width = count_of(values, prefix .. 'attention.head_count'),
    count_of(values, prefix .. 'embedding_length')
  local head_dim = count_of(values, prefix .. 'attention.key_length', width // heads)
  local kv_heads = count_of(values, prefix .. 'attention.head_count_kv', heads)
  local uneven = hosts.heads_problem(heads, kv_heads, head_dim)
  if uneven then problem('%s', uneven) end
  check_others(values, prefix, head_dim)
  local embedding = expect 'token_embd.weight'
  return {
    heads = heads, kv_heads = kv_heads, head_dim = head_dim, width = width,
    vocabulary = model.tensors[embedding].shape[2],
    positions = positions_of(values, prefix),
    eps = real_of(values, prefix .. 'attention.layer_norm_rms_epsilon'),
    score_scale = head_dim ^ -0.5, theta = real_of(values, prefix .. 'rope.freq_base', 10000.0),
    scaling = scaling_of(values, prefix),
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
  local values, prefix, blocks = model.keys, rule.name .. '.', 0
  for _, count in ipairs(counts) do blocks = blocks + count end
  local norms = norms_of(model, values, prefix)
  local is_norm = {}
  for _, norm in ipairs(norms) do
    is_norm[norm.tensor] = true
    if norm.bias then is_norm[norm.bias] = true end
  end
  local is_whole, block = pcall(function()
    if #counts > 1 then problem('there are several stacks of blocks') end
    return block_of(model, values, rule, blocks)
  end)
  local why = not is_whole and type(block) == 'table' and block.block_problem
  if not is_whole and not why then error(block, 0) end
  local tied = 'unknown'
  if model.tensors['token_embd.weight'] then tied = model.tensors['output.weight'] == nil end
  return {
    architecture = rule.name, layers = blocks, norms = norms,
    rope_pairs = values[prefix .. 'rope.dimension_sections'] == nil and rule.rope,
    tied = tied, keys = keys_of(values, prefix),
    left = lists.filter(model.names, function(name)
      return not taken[name] and not is_norm[name]
    end),
    block = is_whole and block or false, block_problem = why,
  }
end

return M
