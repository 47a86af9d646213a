--- This project's own specs and output, and whether there is a project at all.
local disk = require 'common.disk'

local M = {}

--- The spec files of generator/specs/, sorted by name.
---@param root string the project's folder
---@return string[]
function M.specs(root)
  local paths, folder = {}, root .. 'generator/specs'
  for _, entry in ipairs(disk.list(folder)) do
    if entry:match('%.lua$') then paths[#paths + 1] = folder .. '/' .. entry end
  end
  return paths
end

--- The spec files that a user gave, or this project's.
function M.specs_or(root, paths) return #paths > 0 and paths or M.specs(root) end

--- Only a source tree has generated/: what is installed has no launcher beside generator/.
function M.is_source_tree(root) return disk.read(root .. 'ffngen') ~= nil end

--- What remakes generated/: the lessons, as a showcase.
---@return GenerateRequest
function M.request(root)
  return {
    specs = { root .. 'generator/specs/lessons.lua' }, folder = root .. 'generated',
    runtime = {}, remake = function() return 'ffngen generate' end, dry_run = false,
  }
end

return M
