--- What a model has beside the layers that were taken, counted by what it is for: what the host
--- computes itself. A name that says nothing is counted as another tensor; none is left out.
local paths = require 'tensors.paths'
local weight_names = require 'tensors.names'

local M = {}

--- Parts of names, in the order in which they are asked.
local kinds = {
  { 'routers', { 'router', 'gate.weight', 'gate_inp' } },
  { 'norms', { 'norm', 'ln_', 'ln1', 'ln2', '.ln.' } },
  { 'attention', weight_names.data.attention },
  { 'embeddings', { 'embed', 'wte', 'wpe', 'token_embd', 'shared.weight' } },
  { 'heads', { 'lm_head', 'output.weight', 'classifier', 'score.', 'pooler', 'head.' } },
}

--- What a tensor is for, by its name without numbers.
---@param name string
function M.kind_of(name)
  local small = name:lower()
  for _, kind in ipairs(kinds) do
    for _, part in ipairs(kind[2]) do
      if small:find(part, 1, true) then return kind[1] end
    end
  end
  return 'other tensors'
end

--- Counts of what is not taken, by kind.
---@param keys string[]                of all tensors
---@param taken table<string, boolean>
---@return { what: string, count: integer }[]
function M.of(keys, taken)
  local counts, result, known = {}, {}, {}
  for _, key in ipairs(keys) do
    if not taken[key] then
      local look = paths.without_numbers(key)
      local kind = known[look] or M.kind_of(look)
      known[look] = kind
      counts[kind] = (counts[kind] or 0) + 1
    end
  end
  for _, kind in ipairs { 'attention', 'norms', 'embeddings', 'heads', 'routers',
    'other tensors' } do
    if counts[kind] then result[#result + 1] = { what = kind, count = counts[kind] } end
  end
  return result
end

return M
