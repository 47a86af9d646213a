--- What transformers' code says of a model beside its products and its config.json does not, by
--- model_type: which numbers of a head are a pair of the rotary embedding, and whether a norm
--- multiplies with 1 + weight. Each line names the file of transformers that says so.
local lists = require 'common.list'

local M = {}

local function set(text)
  local names = {}
  for name in text:gmatch '%S+' do names[#names + 1] = name end
  return lists.set(names)
end

--- rotate_half() of models/NAME/modeling_NAME.py: i and i + head_dim / 2.
local halves = set [[ llama mistral gemma gemma2 gemma3 gemma3_text phi phi3 qwen2 qwen3 starcoder2
  stablelm gpt_neox nemotron persimmon granite exaone4 smollm3 seed_oss hunyuan_v1_dense ]]

--- The same files, with x[..., 0::2] and x[..., 1::2]: 2 i and 2 i + 1.
local adjacent = set [[ glm glm4 cohere ernie4_5 helium gptj codegen ]]

--- No rotary embedding.
local none = set [[ gpt2 bert roberta distilbert electra bloom mpt opt t5 bart ]]

--- models/NAME/modeling_NAME.py: the norm's forward() has 1.0 + self.weight.
local adds_one = set [[ gemma gemma2 gemma3 gemma3_text nemotron qwen3_next ]]

--- 'halves', 'adjacent', 'none', or false where it is not known.
---@param model_type string
---@param config Config
function M.rotary_pairs(model_type, config)
  local interleaves = config.data.rope_interleave
  if model_type == 'deepseek_v3' and type(interleaves) == 'boolean' then
    return interleaves and 'adjacent' or 'halves'
  end
  return halves[model_type] and 'halves' or adjacent[model_type] and 'adjacent'
    or none[model_type] and 'none' or false
end

---@param model_type string
function M.adds_one(model_type) return adds_one[model_type] == true end

--- Models whose blocks are Llama's: RMSNorm, q, k, v, rope, o, residual, RMSNorm, SwiGLU, residual.
--- Of these, those that norm each head of q and k.
M.blocks = { llama = { qk_norm = false }, mistral = { qk_norm = false },
  qwen2 = { qk_norm = false }, qwen3 = { qk_norm = true } }

return M
