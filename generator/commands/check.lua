--- `ffngen check`: whether generated/ is what its specs make.
local differences = require 'common.differences'
local message = require 'common.message'
local pipeline = require 'pipeline'
local problems = require 'common.problem'
local project = require 'commands.project'

local M = {
  about = 'Tell whether generated/ is what generate would write (exit 3 if not).',
}

M.examples = [[
  ffngen check]]

function M.options() end

function M.run(root)
  if not project.is_source_tree(root) then
    problems.usage('check is for the source tree of ffngen; this one is installed. '
      .. 'For your own layers: ffngen generate my.lua --out kernels/ --dry-run')
  end
  local request = project.request(root)
  request.dry_run = true
  local changes = pipeline.run(root, request)
  local code = differences.tell('generated', changes, 'not what its spec makes')
  if code ~= 0 then message('Fix: ./ffngen generate') end
  return code
end

return M
