--- `ffngen packaging`: what an installation adds.
local arguments = require 'commands.arguments'
local packaging = require 'package.packaging'

local M = {
  about = 'Write completions, man page, pkg-config file and rockspec, for an installation.',
}

M.options = arguments.out

function M.run(root, args, parser)
  return arguments.write_out('packaging', args, packaging.files(root, parser))
end

return M
