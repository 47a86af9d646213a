--- The formats that weights are stored in, by name. One file each, and a name in this list.
local formats = require 'weights.format'

--- In the order of their enumerators in C: append only.
local names = { 'f32', 'bf16', 'f16', 'q8_0', 'q4_0', 'q4_1', 'q4_K', 'q6_K', 'mxfp4' }

local M = { names = {}, by_name = {} }

for i, name in ipairs(names) do
  M.names[i], M.by_name[name] = name, formats.record(name, require('weights.' .. name))
end

return M
