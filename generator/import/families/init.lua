--- The rules of families, by the model_type that a config.json says. One file each, and a name in
--- this list; a file holds the rules of models that are made alike.
local family = require 'import.family'
local lists = require 'common.list'

local M = {
  names = {
    'llama', 'mistral', 'qwen', 'gemma', 'phi', 'gpt2', 'neox', 'opt', 'starcoder2', 'mpt', 'bert',
    'nomic', 't5', 'olmo', 'granite', 'glm', 'internlm', 'stablelm', 'vision', 'speech',
    'lfm2', 'experts',
  },
  rules = {},        ---@type FamilyRule[]
  by_type = {},      ---@type table<string, FamilyRule[]>
  model_types = {},  ---@type string[]
}

for _, name in ipairs(M.names) do
  for _, given in ipairs(require('import.families.' .. name)) do
    local rule = family.rule(name, given)
    M.rules[#M.rules + 1] = rule
    for _, model_type in ipairs(rule.model_types) do
      M.by_type[model_type] = lists.append(M.by_type[model_type] or {}, { rule })
      M.model_types[#M.model_types + 1] = model_type
    end
  end
end
M.model_types = lists.unique(M.model_types)

return M
