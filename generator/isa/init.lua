--- The instruction sets by name. One file each, and a word in this list.
--- In the order of their enumerators in C: append only.
local words = { 'c', 'neon', 'avx2', 'avx512', 'wasm' }

local M = { names = {}, by_name = {} }

for _, name in ipairs(words) do
  M.names[#M.names + 1] = name
  M.by_name[name] = require('isa.' .. name)
end

return M
