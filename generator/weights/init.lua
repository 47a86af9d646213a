--- The weight formats by name: what a weight is stored as. One file each, and a word in this list.
--- In the order of their enumerators in C: append only.
local record = require 'common.record'

local words = { 'f32' }

---@class Weights
---@field name string    the word: in specs (dtype), names of kernels, FFN_F32
---@field about string
---@field bytes integer  of one packed weight

local M = { names = {}, by_name = {} }

for i, name in ipairs(words) do
  M.names[i] = name
  M.by_name[name] = record.strict('weight format ' .. name, require('weights.' .. name))
end

return M
