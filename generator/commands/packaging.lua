--- `ffngen packaging`: what an installation adds.
local arguments = require 'commands.arguments'
local packaging = require 'package.packaging'
local pipeline = require 'pipeline'
local project = require 'commands.project'

local M = {
  about = 'Write completions, man page, pkg-config file, rockspec and header, for an installation.',
}

M.examples = [[
  ffngen packaging --out packaging/]]

M.options = arguments.out

function M.run(root, args, parser)
  local specs = pipeline.read(project.specs(root))
  return arguments.write_out('packaging', args, packaging.files(root, parser, specs))
end

return M
