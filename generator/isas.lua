--- The instruction sets by name, from isa/list.lua.
local M = { names = {}, by_name = {} }

for _, name in ipairs(require 'isa.list') do
  M.names[#M.names + 1] = name
  M.by_name[name] = require('isa.' .. name)
end

return M
