--- What is multiplied and how it is summed, by name. One file each, and a name in this list.
local record = require 'common.record'

--- In the order of their enumerators in C: append only. The first is the rule, of which names of
--- kernels say nothing.
local names = { 'fma_f32' }

---@class Arithmetic
---@field name string
---@field about string

local M = { names = {}, by_name = {} }

for _, name in ipairs(names) do
  local arithmetic = require('arithmetic.' .. name)
  M.names[#M.names + 1] = name
  M.by_name[name] = record.strict('arithmetic ' .. name, {
    name = arithmetic.name, about = arithmetic.about,
  })
end

return M
