--- What rows of an operand are laid into, by name. One file each, and a name in this list.
local formats = require 'operand.format'

local names = { 'f32' }

local M = { names = {}, by_name = {} }

for i, name in ipairs(names) do
  M.names[i], M.by_name[name] = name, formats.record(name, require('operand.' .. name))
end

return M
