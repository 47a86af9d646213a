--- `ffngen packaging`: what an installation adds.
local arguments = require 'commands.arguments'
local limits = require 'import.limits'
local packaging = require 'package.packaging'
local pipeline = require 'pipeline'
local project = require 'commands.project'
local scaled_rows = require 'import.scaled_rows'

local M = {
  about = 'Write completions, man page, pkg-config file, rockspec and header, for an installation.',
}

M.examples = [[
  ffngen packaging --out packaging/]]

M.options = arguments.out

function M.run(root, args, parser)
  local specs = pipeline.read(project.specs(root))
  local files = packaging.files(root, parser, specs)
  files[#files + 1] = { path = 'scaled.inc', text = scaled_rows.text() }
  files[#files + 1] = { path = 'plan_limits.h', text = limits.header() }
  return arguments.write_out('packaging', args, files)
end

return M
