--- Writes a saved model of Llama's kin (config.json, model.safetensors in f32) as a GGUF file, with
--- the rows of q and k as llama.cpp's conversion lays them. Usage: gguf.lua MODEL FILE
package.path = 'tests/support/?.lua;generator/?.lua;generator/?/init.lua;' .. package.path
local gguf_file = require 'gguf_file'
local json = require 'dkjson'

local function read(path)
  local handle <close> = assert(io.open(path, 'rb'))
  return handle:read 'a'
end

local config = json.decode(read(arg[1] .. '/config.json'))
local stored = read(arg[1] .. '/model.safetensors')
local header, data = string.unpack('<s8', stored)

local stems = {
  input_layernorm = 'attn_norm', post_attention_layernorm = 'ffn_norm',
  ['self_attn.q_proj'] = 'attn_q', ['self_attn.k_proj'] = 'attn_k',
  ['self_attn.v_proj'] = 'attn_v', ['self_attn.o_proj'] = 'attn_output',
  ['self_attn.q_norm'] = 'attn_q_norm', ['self_attn.k_norm'] = 'attn_k_norm',
  ['mlp.gate_proj'] = 'ffn_gate', ['mlp.up_proj'] = 'ffn_up', ['mlp.down_proj'] = 'ffn_down',
}

local fixed = {
  ['model.embed_tokens.weight'] = 'token_embd.weight', ['model.norm.weight'] = 'output_norm.weight',
  ['lm_head.weight'] = 'output.weight',
}

local function name_of(key)
  if fixed[key] then return fixed[key] end
  local block, stem, part = key:match '^model%.layers%.(%d+)%.(.+)%.(%l+)$'
  return ('blk.%s.%s.%s'):format(block, assert(stems[stem], key), part)
end

--- Row i of the first half of a head becomes row 2 i, that of the second half row 2 i + 1.
local function permuted(bytes, rows, heads)
  local each, row, result = rows // heads, #bytes // rows, {}
  for head = 0, heads - 1 do
    for i = 0, each - 1 do
      local from = head * each + i % 2 * (each // 2) + i // 2
      result[#result + 1] = bytes:sub(from * row + 1, (from + 1) * row)
    end
  end
  return table.concat(result)
end

local a, tensors, names = config.model_type, {}, {}
local entries = json.decode(header)
for key in pairs(entries) do
  if key ~= '__metadata__' then names[#names + 1] = key end
end
table.sort(names)
for _, key in ipairs(names) do
  local t = entries[key]
  assert(t.dtype == 'F32', key)
  local bytes = stored:sub(data + t.data_offsets[1], data + t.data_offsets[2] - 1)
  local heads = key:find 'q_proj' and config.num_attention_heads
    or key:find 'k_proj' and config.num_key_value_heads
  if heads and a == 'llama' then bytes = permuted(bytes, t.shape[1], heads) end
  tensors[#tensors + 1] = {
    name = name_of(key), type = 'F32', data = bytes,
    shape = #t.shape == 1 and { t.shape[1] } or { t.shape[2], t.shape[1] },
  }
end
local head_dim = config.head_dim or config.hidden_size // config.num_attention_heads
local keys = { { 'general.architecture', a } }
for _, key in ipairs {
  { 'block_count', config.num_hidden_layers }, { 'embedding_length', config.hidden_size },
  { 'feed_forward_length', config.intermediate_size },
  { 'context_length', config.max_position_embeddings },
  { 'attention.head_count', config.num_attention_heads },
  { 'attention.head_count_kv', config.num_key_value_heads },
  { 'attention.key_length', head_dim }, { 'attention.value_length', head_dim },
  { 'attention.layer_norm_rms_epsilon', config.rms_norm_eps },
  { 'rope.freq_base', config.rope_parameters.rope_theta + 0.0 },
  { 'rope.dimension_count', head_dim },
} do
  keys[#keys + 1] = { a .. '.' .. key[1], key[2] }
end
local handle <close> = assert(io.open(arg[2], 'wb'))
handle:write((gguf_file.text { keys = keys, tensors = tensors }))
