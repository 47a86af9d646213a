--- What an installation adds to the generator: completions, man page, pkg-config file, rockspec,
--- the header that names the layers of its library, and what ffn-pack is compiled with.
local all_packings = require 'emit.all_packings'
local layers = require 'package.layers'
local manual = require 'package.manual'
local template = require 'emit.template'
local version = require 'common.version'

local M = {}

--- The help of every command of the command line.
local function help_of(parser)
  local list = {}
  for i, command in ipairs(parser._commands) do
    list[i] = { name = command._name, help = command:get_help() }
  end
  return list
end

---@param root string the project's folder
---@param parser table of the command line
---@param specs Spec[] of the library
---@return table[] { path =, text = }
function M.files(root, parser, specs)
  local env = {
    version = version.generator, schema = version.schema, commands = help_of(parser),
    manual = manual,
    -- Variables of pkg-config stand for themselves.
    pcfiledir = '${pcfiledir}', prefix = '${prefix}', includedir = '${includedir}',
    libdir = '${libdir}',
  }
  local function filled(path, file, values)
    return { path = path, text = template.load(root, file)(values or env) }
  end
  return {
    { path = 'ffngen.bash', text = parser:get_bash_complete() },
    { path = '_ffngen', text = parser:get_zsh_complete() },
    { path = 'ffngen.fish', text = parser:get_fish_complete() },
    filled('ffngen.1.scd', 'ffngen.1.scd.tpl'),
    filled('ffn.pc', 'ffn.pc.tpl'),
    { path = 'packings.inc', text = all_packings.text() },
    filled('ffn_layers.h', 'ffn_layers.h.tpl', layers.environment(root, specs)),
    filled(('ffngen-%s-1.rockspec'):format(version.generator), 'ffngen.rockspec.tpl'),
  }
end

return M
