--- The layers of the installed library by name: what its header ffn_layers.h says.
local isas = require 'isa'
local layer = require 'lower.layer'
local list = require 'common.list'
local names = require 'lower.name'
local record = require 'common.record'
local runtime_files = require 'common.runtime_files'

local M = {}

---@class NamedLayer
---@field name string   of the spec, and of its data type where that is not f32
---@field title string
---@field kernels table[]  { name =, isa =, arch = the condition of its machine }, the best first

---@param s Spec
---@param build table one of its builds
---@return NamedLayer
local function named(s, build)
  local l = layer.lower(s, build.dtype)
  local sets = list.map(build.isa, function(isa) return isas.by_name[isa] end)
  table.sort(sets, function(a, b) return a.rank > b.rank end)
  return record.strict('named layer', {
    name = build.dtype == 'f32' and s.name or s.name .. '_' .. build.dtype,
    title = names.describe(l.name),
    kernels = list.map(sets, function(isa)
      return { name = names.encode(l.name, isa.name), isa = isa.name, arch = isa.arch }
    end),
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
  local arch = list.map({ 'x86', 'arm64' }, function(machine)
    return runtime_files.section(root, 'kernel.h', 'ffn', machine)
  end)
  return { layers = layers, arch = table.concat(arch, '\n'):gsub('\n$', '') }
end

return M
