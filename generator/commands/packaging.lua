--- `ffngen packaging`: what an installation adds.
local arguments = require 'commands.arguments'
local exits = require 'commands.exits'
local limits = require 'import.limits'
local packaging = require 'package.packaging'
local page_of = require 'commands.page'
local pipeline = require 'pipeline'
local project = require 'commands.project'
local scaled_rows = require 'import.scaled_rows'
local varints = require 'import.varints'

local M = { about = 'Write the files that an installation of ffngen adds.' }

M.purpose = {
  'An installation has files that no source tree holds: completions for shells, manual pages, a '
    .. 'file for pkg-config, a rockspec for LuaRocks, and a C header that names the layers of the '
    .. 'installed library. packaging writes these files. `ninja install` calls packaging for you.',
}

M.examples = { { 'ffngen packaging --out packaging/', 'Write the files to packaging/.' } }

M.files = {
  { 'DIR/ffngen.bash, _ffngen, ffngen.fish', 'Completions for bash, zsh and fish.' },
  { 'DIR/ffngen.1.scd, ffngen-VERB.1.scd',
    'Sources of manual pages: scdoc makes man pages from them.' },
  { 'DIR/ffn.pc', 'The description of the installed library for pkg-config.' },
  { 'DIR/ffngen-VERSION-1.rockspec', 'The description of ffngen for LuaRocks.' },
  { 'DIR/ffn_layers.h', 'C functions, each of which finds one installed layer.' },
  { 'DIR/packings.inc, scaled.inc, varints.inc, plan_limits.h',
    'Tables in C, from which ffn-pack is compiled.' },
}

M.exits = { exits.success, exits.failure, exits.usage, exits.input }

M.options = arguments.out

function M.run(root, args, line)
  local specs = pipeline.read(project.specs(root))
  local files = packaging.files(root, line.parser, line.pages(),
    page_of.items(exits.all), specs)
  files[#files + 1] = { path = 'scaled.inc', text = scaled_rows.text() }
  files[#files + 1] = { path = 'varints.inc', text = varints.text() }
  files[#files + 1] = { path = 'plan_limits.h', text = limits.header() }
  return arguments.write_out('packaging', args, files)
end

return M
