--- Which numbers of a head are a pair of the rotary embedding, by architecture of GGUF:
--- llama_model_rope_type() of llama.cpp's src/llama-model.cpp. Its converters lay the rows of q and
--- k for it: where the pairs are adjacent here, transformers may have halves.
local lists = require 'common.list'

local M = {}

local function set(text)
  local names = {}
  for name in text:gmatch '%S+' do names[#names + 1] = name end
  return lists.set(names)
end

local adjacent = set [[ llama llada deci baichuan starcoder internlm2 minicpm xverse command-r
  cohere2 olmo deepseek deepseek2 plm chatglm granite granitemoe smollm3 arcee ernie4_5
  ernie4_5-moe mistral3 ]]

local halves = set [[ falcon bert jina-bert-v3 modern-bert nomic-bert eurobert stablelm qwen qwen2
  dream qwen2moe qwen3 qwen3moe olmo2 olmoe phi2 phi3 phimoe plamo gemma gemma2 gemma3
  gemma-embedding starcoder2 openelm gptneox codeshell orion nemotron exaone exaone4 minicpm3 dots1
  hunyuan-moe gpt-oss hunyuan-dense seed_oss minimax-m2 ]]

local none = set [[ gpt2 mpt refact bloom t5 t5encoder jais ]]

--- 'halves', 'adjacent', 'none', or false where it is not known, or hangs on keys.
---@param architecture string
---@return string|false
function M.rotary_pairs(architecture)
  return adjacent[architecture] and 'adjacent' or halves[architecture] and 'halves'
    or none[architecture] and 'none' or false
end

--- Architectures whose blocks are Llama's; of these, those that norm each head of q and k.
M.blocks = { llama = { qk_norm = false }, mistral3 = { qk_norm = false },
  qwen2 = { qk_norm = false }, qwen3 = { qk_norm = true } }

return M
