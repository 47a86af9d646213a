--- The formats that weights are stored in, by name. One file each, and a name in this list.
local formats = require 'weights.format'

--- In the order of their enumerators in C: append only.
local names = {
  'f32', 'bf16', 'f16', 'i8', 'i8z', 'q8_0', 'q4_0', 'q4_1', 'q5_0', 'q5_1', 'q4_K', 'q5_K', 'q6_K',
  'mxfp4', 'u4g32', 'u4g32_bf16', 'u4g32_f32', 'u4g64', 'u4g64_bf16', 'u4g64_f32', 'u4g128',
  'u4g128_bf16', 'u4g128_f32', 'f8_e4m3', 'f8_e4m3_row', 'iq4_nl', 'iq4_xs',
}

local M = { names = {}, by_name = {} }

for i, name in ipairs(names) do
  M.names[i], M.by_name[name] = name, formats.record(name, require('weights.' .. name))
end

return M
