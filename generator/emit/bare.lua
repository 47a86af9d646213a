--- A kernel's C without what tells where it comes from: what is measured, and how a record of
--- measurements knows the C that it is about.
local emit = require 'emit.emit'
local fnv = require 'common.fnv'
local naming = require 'emit.naming'
local plan = require 'plan.plan'

local M = {}

---@param root string the project's folder
---@param layer Layer
---@param isa InstructionSet
---@param choices Choices
---@return string
function M.text(root, layer, isa, choices)
  return emit.file(root, plan.plan(layer, isa, choices), naming.of_file(''))
end

--- What the C of one version of templates and generator has, and that of another has not.
---@return string
function M.code(root, layer, isa, choices) return fnv(M.text(root, layer, isa, choices)) end

return M
