--- `ffngen check`: whether generated/ is what its specs make.
local differences = require 'common.differences'
local exits = require 'commands.exits'
local message = require 'common.message'
local pipeline = require 'pipeline'
local problems = require 'common.problem'
local project = require 'commands.project'

local M = { about = 'Check that generated/ of the source tree is up to date.' }

M.purpose = {
  'check compares generated/ with what `ffngen generate` would write, and writes nothing. check '
    .. 'names each file that differs, is missing or is left over. check is for the source tree of '
    .. 'ffngen, not for an installation.',
  'For your own layers, `ffngen vendor` has --check and `ffngen generate` has --dry-run.',
}

M.examples = { { 'ffngen check', 'Exit with 0 if generated/ is up to date, with 3 if not.' } }

M.files = {
  { 'generator/specs/lessons.lua', 'Input: the layers of generated/.' },
  { 'generated/', 'The folder that check compares.' },
}

M.exits = {
  { 0, 'generated/ is up to date.' }, exits.failure, exits.usage,
  { 3, 'generated/ is not up to date. `ffngen generate` writes it again.' }, exits.input,
}

function M.options() end

function M.run(root)
  if not project.is_source_tree(root) then
    problems.usage('check is for the source tree of ffngen; this one is installed. For your own '
      .. 'layers: ffngen generate my.lua --out kernels/ --dry-run')
  end
  local request = project.request(root)
  request.dry_run = true
  local changes = pipeline.run(root, request)
  local code = differences.tell('generated', changes, 'not what its spec makes')
  if code ~= 0 then message('To fix this: ./ffngen generate') end
  return code
end

return M
