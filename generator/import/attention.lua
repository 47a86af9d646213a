--- What modules of attention are called, whatever the model: by the last part of a name and what
--- stands in front of it.
local lists = require 'common.list'
local paths = require 'tensors.paths'
local weight_names = require 'tensors.names'

local M = {}

---@class AttentionModule
---@field is_cross boolean  k and v are of an encoder
---@field role string       q, k, v, o; qkv: several in one matrix; q_a, kv_a, q_b, kv_b; other

--- Roles by the last part of a name.
local roles = {}

for _, scheme in ipairs(weight_names.data.schemes) do
  if scheme['for'][1] == 'outputs' then
    for _, word in ipairs { 'q', 'k', 'v', 'query', 'key', 'value' } do
      roles[scheme.weight:gsub('{output}', word):gsub('%.weight$', '')] = word:sub(1, 1)
    end
  end
end
for _, neighbour in ipairs(weight_names.data.beside.outputs) do roles[neighbour.name] = 'o' end

for _, of in ipairs {
  { 'q', 'q_attn' },
  { 'o', 'o', 'Wo', 'dense', 'c_proj' },
  { 'qkv', 'qkv', 'qkv_proj', 'query_key_value', 'Wqkv', 'wqkv', 'c_attn', 'W_pack' },
  { 'q_a', 'q_a_proj' }, { 'kv_a', 'kv_a_proj_with_mqa' }, { 'q_b', 'q_b_proj' },
  { 'kv_b', 'kv_b_proj' },
  -- Of linear attention.
  { 'other', 'in_proj_qkvz', 'in_proj_ba', 'in_proj_qkv', 'in_proj_z', 'in_proj_a', 'in_proj_b' },
} do
  for i = 2, #of do roles[of[i]] = of[1] end
end

local cross = { 'encoder_attn', 'encdecattention', 'crossattention', 'cross_attn',
  'cross_attention', 'multihead_attn' }

--- Whether a name has one of some parts.
local function has_part(name, parts)
  return #lists.filter(parts, function(part) return name:find(part, 1, true) ~= nil end) > 0
end

--- What a module is by its name; nil: none of attention, or false: one without a known name.
---@param module string  behind the name of its block
---@return AttentionModule|false|nil
function M.of(module)
  local before, last = paths.split(module)
  local small = before:lower()
  if not has_part(small, weight_names.data.attention) then return nil end
  local role = roles[last]
  return role and { is_cross = has_part(small, cross), role = role } or false
end

return M
