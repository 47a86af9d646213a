--- What is multiplied and how it is summed, by name. One file each, and a name in this list.
local arithmetic = require 'arithmetic.arithmetic'

--- In the order of their enumerators in C: append only. The first is the rule, of which names of
--- kernels say nothing.
local names = { 'fma_f32', 'dot_s8' }

local M = { names = {}, by_name = {} }

for i, name in ipairs(names) do
  M.names[i] = name
  M.by_name[name] = arithmetic.record(name, require('arithmetic.' .. name))
end

return M
