--- The layers of the installed library by name: what its header ffn_layers.h says.
local english = require 'lower.english'
local isas = require 'isa'
local layer = require 'lower.layer'
local lists = require 'common.list'
local name_grammar = require 'lower.name'
local plan = require 'plan.plan'
local record = require 'common.record'
local runtime_files = require 'common.runtime_files'

local M = {}

---@class LibraryLayer
---@field name string   of the spec
---@field title string
---@field kernels table[]  { name =, allowed = by bits of cpu, arch = of its machine }, best first

---@param s Spec
---@param build table one of its builds
---@return LibraryLayer
local function named(s, build)
  local l = layer.lower(s)
  local sets = lists.map(build.isa, function(isa) return isas.by_name[isa] end)
  table.sort(sets, function(a, b) return a.rank > b.rank end)
  local kernels = {}
  for _, isa in ipairs(sets) do
    local p = plan.plan(l, isa)
    local function add(own_name, bits)
      kernels[#kernels + 1] = {
        name = own_name, arch = isa.arch, allowed = bits:format(isa.name:upper()),
      }
    end
    for _, profile in ipairs(p.others) do
      add(name_grammar.for_cpu(p.name, profile.name), '(cpu & 1u << FFN_ISA_%s) && (cpu & '
        .. ('FFN_CPU_BIT(FFN_PROFILE_%s))'):format(profile.name:upper()))
    end
    add(p.name, 'cpu & 1u << FFN_ISA_%s')
  end
  return record.strict('named layer', {
    name = s.name, title = english.describe_layer(l),
    kernels = kernels,
  })
end

--- What the template of the header is filled with.
---@param root string the project's folder
---@param specs Spec[]
function M.environment(root, specs)
  local layers = {}
  for _, s in ipairs(specs) do
    for _, build in ipairs(s.build) do layers[#layers + 1] = named(s, build) end
  end
  local arch = runtime_files.section(root, 'kernel.h', 'ffn', 'arch')
  return { layers = layers, arch = arch:gsub('\n$', '') }
end

return M
