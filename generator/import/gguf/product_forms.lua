--- Products of a block of GGUF, by the stems of its tensors: which matrices take one x.
local lists = require 'common.list'

local M = {}

---@class GgufForm
---@field part string     a name of import/parts.lua
---@field at string       the product's name behind the block's
---@field fused string|false  the stem of a matrix that has the rows of all outputs
---@field outputs { stem: string, name: string, word: string|false }[]
---@field beside string|nil  the stem of a tensor that such a block has
---@field v_is_k boolean|nil  only of architectures whose blocks may have no v

--- Outputs of one x: stems behind the block's name, each with its name and its word for --weights.
---@param ... string[]
local function outputs(...)
  return lists.map({ ... }, function(of)
    return { stem = of[1], name = of[2], word = of[3] or false }
  end)
end

--- A product of one matrix.
---@return GgufForm
function M.alone(part, stem, name, word)
  return { part = part, at = stem, fused = false, outputs = outputs { stem, name, word } }
end

--- One of several.
local function several(part, at, list, fused)
  return { part = part, at = at, fused = fused or false, outputs = outputs(table.unpack(list)) }
end

--- The same of linear attention, whose heads no key of attention counts.
local function linear(stem, name)
  local form = M.alone('other', stem, name)
  form.beside = 'ssm_conv1d'
  return form
end

local q_and_k = several('qkv', 'attn_qkv', { { 'attn_q', 'q', 'q' }, { 'attn_k', 'k', 'k' } })
q_and_k.v_is_k = true

--- Products of attention. The first forms whose stems a block has take them.
---@type GgufForm[]
M.attention = {
  linear('attn_qkv', 'qkv'),
  linear('attn_gate', 'gate'),
  several('other', 'attn_q_a_kv_a', { { 'attn_q_a', 'q_a' }, { 'attn_kv_a_mqa', 'kv_a' } }),
  several('other', 'attn_q_kv_a', { { 'attn_q', 'q', 'q' }, { 'attn_kv_a_mqa', 'kv_a' } }),
  several('qkv', 'attn_qkv', {
    { 'attn_q', 'q', 'q' }, { 'attn_k', 'k', 'k' }, { 'attn_v', 'v', 'v' },
  }),
  several('qkv', 'attn_qkv', {
    { 'attn_qkv', 'q', 'q' }, { 'attn_qkv', 'k', 'k' }, { 'attn_qkv', 'v', 'v' },
  }, 'attn_qkv'),
  q_and_k,
  M.alone('qkv', 'attn_q', 'q', 'q'),
  M.alone('o', 'attn_output', 'o', 'o'),
  M.alone('o', 'attn_o', 'o', 'o'),
  M.alone('cross_q', 'cross_attn_q', 'q', 'q'),
  several('cross_kv', 'cross_attn_kv', {
    { 'cross_attn_k', 'k', 'k' }, { 'cross_attn_v', 'v', 'v' },
  }),
  M.alone('cross_o', 'cross_attn_output', 'o', 'o'),
  M.alone('cross_o', 'cross_attn_o', 'o', 'o'),
  M.alone('other', 'attn_q_b', 'q_b'),
  M.alone('other', 'attn_kv_b', 'kv_b'),
}

M.head = M.alone('head', 'output', 'head', 'head')

--- Stems with a matrix for each head, one behind the other.
M.of_heads = { 'attn_k_b', 'attn_v_b' }

--- Tables, which are read a row at a time: no matrices of products.
local tables = lists.set {
  'token_embd', 'position_embd', 'token_types', 'attn_rel_b', 'cross_attn_rel_b',
  'nextn.embed_tokens', 'per_layer_token_embd', 'ssm_conv1d', 'shortconv.conv',
}

--- Whether a tensor of several rows is a table: embeddings, positions, norms of several heads.
---@param stem string  behind the block's name
function M.is_table(stem) return tables[stem] or stem:find('norm', 1, true) ~= nil end

return M
