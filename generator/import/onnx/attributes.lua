--- Attributes of nodes by their names. One that nobody asks for may say that the node is another
--- one than it seems, so that all are told before a node is taken.
local lists = require 'common.list'

local M = {}

local types = { f = 1, i = 2, s = 3, ints = 7 }
local zeros = { f = 0.0, i = 0, s = '' }

--- The value of an attribute, its default where it is missing, or nil where it is of another kind.
--- A writer may leave out a value of 0.
---@param node OnnxNode
---@param name string
---@param key string  f, i, s, ints
---@param default any
function M.get(node, name, key, default)
  local a = node.attributes[name]
  if not a then return default end
  if a.type and a.type ~= types[key] then return nil end
  if a[key] then return a[key] end
  return a.type and zeros[key] or nil
end

--- Whether a node has no other attributes than these.
---@param names string[]
function M.are(node, names)
  for _, name in ipairs(node.names) do
    if not lists.has(names, name) then return false, name end
  end
  return true
end

return M
