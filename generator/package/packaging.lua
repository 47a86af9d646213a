--- What an installation adds to the generator: completions, man pages, pkg-config file, rockspec,
--- the header that names the layers of its library, and what ffn-pack is compiled with.
local all_packings = require 'emit.all_packings'
local layers = require 'package.layers'
local lists = require 'common.list'
local manual = require 'package.manual'
local template = require 'emit.template'
local version = require 'common.version'

local M = {}

---@param root string the project's folder
---@param parser table of the command line
---@param pages Page[]  of the verbs
---@param exits PageItem[]  of all verbs
---@param specs Spec[] of the library
---@return table[] { path =, text = }
function M.files(root, parser, pages, exits, specs)
  local verbs = lists.map(pages, manual.of_verb)
  local env = {
    version = version.generator, schema = version.schema, verbs = verbs, manual = manual,
    exits = lists.map(exits, manual.item), pages_of_verbs = manual.pages_of(verbs),
    -- Variables of pkg-config stand for themselves.
    pcfiledir = '${pcfiledir}', prefix = '${prefix}', includedir = '${includedir}',
    libdir = '${libdir}',
  }
  local function filled(path, file, values)
    return { path = path, text = template.load(root, file)(values or env) }
  end
  local list = lists.map(verbs, function(verb)
    return filled(('ffngen-%s.1.scd'):format(verb.name), 'ffngen-verb.1.scd.tpl',
      { version = version.generator, verb = verb })
  end)
  return lists.append(list, {
    { path = 'ffngen.bash', text = parser:get_bash_complete() },
    { path = '_ffngen', text = parser:get_zsh_complete() },
    { path = 'ffngen.fish', text = parser:get_fish_complete() },
    filled('ffngen.1.scd', 'ffngen.1.scd.tpl'),
    filled('ffn.pc', 'ffn.pc.tpl'),
    { path = 'packings.inc', text = all_packings.text() },
    filled('ffn_layers.h', 'ffn_layers.h.tpl', layers.environment(root, specs)),
    filled(('ffngen-%s-1.rockspec'):format(version.generator), 'ffngen.rockspec.tpl'),
  })
end

return M
