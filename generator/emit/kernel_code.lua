--- A kernel's C without what tells where it comes from: what is measured, and how a record of
--- measurements knows the C that it is about.
local emit = require 'emit.emit'
local fnv = require 'common.fnv'
local naming = require 'emit.naming'

local M = {}

---@param root string the project's folder
---@param plan Plan
---@return string
function M.text(root, plan) return emit.file(root, plan, naming.of_file('')) end

--- What the C of one version of templates and generator has, and that of another has not.
---@param root string the project's folder
---@param plan Plan
---@return string
function M.code(root, plan) return fnv(M.text(root, plan)) end

return M
