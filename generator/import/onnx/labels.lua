--- Names of the file in messages.
local numbers = require 'files.numbers'
local record = require 'common.record'

local M = {}

--- A name of the file.
function M.quoted(name) return ('"%s"'):format(record.shown(name, 120)) end

--- Sizes.
function M.sizes(dims) return numbers.shape_text(dims) end

--- Why the numbers of a view are not where they can be taken from, or nil.
---@param view View
function M.apart(view)
  local tensor = view.tensor
  if tensor.place or tensor.external or tensor.varints then return nil end
  return ('the numbers of %s lie in %s, not as they are'):format(M.quoted(view.value.name),
    tensor.apart or 'nothing')
end

--- What a node is called: by its name, or that of what it gives.
---@param node OnnxNode
function M.node(node)
  return record.shown(node.name ~= '' and node.name or node.outputs[1] or node.op, 200)
end

--- The same of a step.
---@param step GraphStep
function M.at(step) return step.named or M.node(step.node) end

--- A step, with its operator.
function M.step(step) return ('%s %s'):format(step.op, M.quoted(M.at(step))) end

return M
