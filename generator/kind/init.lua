--- The kinds of layers by name. One file each, and a name in this list.
local kind = require 'kind.kind'

--- In the order of their enumerators in C: append only.
local names = { 'ffn', 'linear', 'mlp', 'glu', 'selfgate' }

local M = { names = {}, by_name = {} }

for i, name in ipairs(names) do
  M.names[i], M.by_name[name] = name, kind.record(name, require('kind.' .. name))
end

--- For people: whatever lists kinds has them in this order.
M.sorted = { table.unpack(M.names) }
table.sort(M.sorted)

--- The stages of a layer.
---@param l table  a Spec, or what a name says
---@param known table the vocabulary of activations
---@return KindStage[]
function M.stages(l, known)
  local variant = l.variant and known.by_variant[l.variant]
  return M.by_name[l.kind].stages(l, variant and variant.gated or false)
end

--- Where layers of a kind and so many stages may drop values.
---@param name string
---@param stages integer
---@return string[]
function M.dropout(name, stages)
  return stages > 1 and M.by_name[name].dropout or { 'output' }
end

return M
