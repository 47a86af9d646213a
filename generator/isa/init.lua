--- The instruction sets by name. One file each, and a name in this list. Append only: the order is
--- that of the enumerators in C, and means nothing else. `rank` says which is preferred where a CPU
--- allows several, the highest.
local names = { 'c', 'neon', 'avx2', 'avx512', 'wasm' }

local M = { names = {}, by_name = {} }

for _, name in ipairs(names) do
  M.names[#M.names + 1] = name
  M.by_name[name] = require('isa.' .. name)
end

return M
