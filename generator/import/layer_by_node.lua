--- One layer of a model by its name, as --node tells it.
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- Whether a layer is a product, and a name that of a module of its.
local function has_module(layer, name)
  if not part_numbers.is_product(layer.part or false) or #layer.matrices == 1 then return false end
  for _, m in ipairs(layer.matrices) do
    if paths.split(m.weight.tensor) == name .. '.' then return true end
  end
  return false
end

--- The layers that are wanted: all of them where no name is given.
---@param path string
---@param layers table[]
---@param node string|nil
---@return table[]
function M.of(path, layers, node)
  if not node then return layers end
  local wanted = lists.filter(layers, function(layer)
    return layer.at == node or has_module(layer, node)
  end)
  if #wanted == 0 then
    local names = lists.map(layers, function(layer) return layer.at end)
    problems.bad_input('--node', '%s has no layer "%s"%s', record.shown(path), record.shown(node),
      record.suggest(node, { table.unpack(names, 1, 20) }))
  end
  return wanted
end

return M
