--- The head of a model of Hugging Face: the product in front of the logits, a matrix of its own or
--- the rows of the embedding.
local lists = require 'common.list'
local modules = require 'import.quantized.modules'
local problems = require 'common.problem'

local M = {}

--- What files call it, where a rule has no other name.
local names = { 'lm_head', 'language_model.lm_head', 'model.lm_head', 'embed_out', 'proj_out',
  'transformer.output_layer', 'output' }

--- What they call the embedding; where a file has several, they are one.
local embeddings = { 'shared', 'embed_tokens', 'wte', 'word_embeddings', 'embed_in',
  'tok_embeddings' }

--- What a class of transformers is called that has a head.
local with_head = { 'ForCausalLM', 'LMHeadModel', 'ForConditionalGeneration', 'ForMaskedLM',
  'ForPreTraining' }

--- Whether a class of the model has a head.
---@param config Config
local function has_head(config)
  for _, name in ipairs(config:get_or('architectures', {})) do
    for _, word in ipairs(with_head) do
      if name:sub(-#word) == word then return true end
    end
  end
  return false
end

--- The tensor of the embedding.
---@param r ModelReading
local function embedding_of(r)
  for _, name in ipairs(embeddings) do
    local ending = name .. '.weight'
    local keys = lists.filter(r.model.keys, function(key)
      return key == ending or key:sub(-#ending - 1) == '.' .. ending
    end)
    if #keys > 0 then return keys[1] end
  end
end

--- Whether the head is the embedding, and why; nil: nothing tells.
---@param conclusion Conclusion
---@return boolean|nil
---@return string|nil because
function M.tied(conclusion)
  for _, config in ipairs(conclusion.configs) do
    local value = config:get 'tie_word_embeddings'
    if type(value) == 'boolean' then
      return value, ('%s is %s'):format(config:name 'tie_word_embeddings', tostring(value))
    elseif value ~= nil then
      config:refuse_value('tie_word_embeddings', value, 'true or false')
    end
  end
  local rule = conclusion.rule.head
  if not rule or rule.tied == nil then return nil end
  return rule.tied, ('no tie_word_embeddings: %s, as its class has it'):format(tostring(rule.tied))
end

--- The head; nil: the model has none.
---@param r ModelReading
---@param conclusion Conclusion
---@param count integer  of layers
---@param is_asked boolean  a model without one is refused
---@return FoundProduct|nil
function M.of(r, conclusion, count, is_asked)
  local rule, config = conclusion.rule.head or {}, conclusion.configs[1]
  local function product(module, output, because)
    output.name, output.module, output.word = 'head', module, 'head'
    output.bias_key = rule.bias
    return { part = 'head', index = count, outputs = { output }, because = because }
  end
  for _, name in ipairs(lists.append({ rule.at }, names)) do
    if modules.shape(r, name) and not r.is_left(name .. '.weight') then
      return product(name, {}, {})
    end
  end
  if not has_head(config) then
    if is_asked then
      problems.bad_input(r.model.path, '--also head: no tensor is a head, and no class with one is '
        .. 'named (architectures of config.json): leave out the word head')
    end
    return nil
  end
  local at, key = rule.at or names[1], embedding_of(r)
  local is_tied, because = M.tied(conclusion)
  if not is_tied or not key then
    problems.bad_input(r.model.path, 'there is no tensor "%s.weight"%s', at,
      is_tied and ', and no embedding in its place' or is_tied == nil
        and ', and config.json does not say whether it is the embedding (tie_word_embeddings)'
      or (', and the embedding is not in its place: %s'):format(because))
  end
  return product(at, { weight_key = key }, {
    { field = 'd_out', text = ('tied: the head is the embedding, %s (%s)'):format(key, because) },
  })
end

return M
