--- What kernels need of the runtime, and what a product can do without.
local activations = require 'activation'
local cpus = require 'cpu'
local isas = require 'isa'
local list = require 'common.list'
local weights = require 'weights'

local M = {}

---@class Needs
---@field isas table[]        instruction sets, in the order of their enumerators
---@field activations table[] in the order of theirs
---@field dtypes string[]
---@field profiles Profile[]  of CPUs that some kernel has a descriptor for
---@field arch table<string, boolean>  conditions of the instruction sets that kernels are for
---@field sparse boolean      a stage may run over a list of inputs
---@field parameters boolean  a layer takes parameters from its weights
---@field straight boolean    a kernel's small layer does not walk, or takes blocks in lanes
---@field compact boolean     a kernel is written for few bytes
---@field walk boolean        a kernel is none of both
---@field whole_rows boolean  a kernel is one of both
---@field portable boolean   a kernel serves every machine
---@field emulated boolean   a kernel may meet no FMA instruction
---@field training boolean   a layer is trained

--- Those of some plans that are trained.
---@param plans Plan[]
---@return Plan[]
function M.trained(plans)
  return list.filter(plans, function(p) return p.training end)
end

--- Whether a product has no use for pack() and unpack(): weights in the code, kernels of few bytes.
---@param request Request
function M.without_pack(request)
  return request.weights and #list.filter(request.plans, function(p)
    return not p.passes.forward.compact
  end) == 0
end

--- What the kernels of some plans need of the runtime.
---@param plans Plan[]
---@return Needs
function M.of(plans)
  local applied, wanted, arch = { activations.by_name.identity }, { c = true }, {}
  local dtypes = { f32 = true } -- the first enumerator, which a query that says nothing means
  local sparse, straight, compact, walk, parameters = false, false, false, false, false
  local whole_rows, emulated = false, false
  local profiles = {}
  for _, p in ipairs(plans) do
    wanted[p.isa.name], arch[p.isa.arch], dtypes[p.layer.dtype] = true, true, true
    local pass = p.passes.forward
    list.append(profiles, p.others)
    parameters = parameters or #p.layer.runtime_parameters > 0
    straight = straight or pass.straight ~= false or pass.lanes ~= false
    compact = compact or pass.compact ~= false
    walk = walk or not (pass.straight or pass.compact)
    emulated = emulated or not p.isa.fused
    whole_rows = whole_rows or pass.straight ~= false or pass.compact ~= false
    for _, s in ipairs(pass.stages) do
      applied[#applied + 1] = s.stage.forward.activation
      sparse = sparse or (s.sparse ~= false and not pass.straight)
    end
  end
  local function by_name(vocabulary, keep)
    return list.map(list.filter(vocabulary.names, function(name) return keep[name] or false end),
      function(name) return vocabulary.by_name[name] end)
  end
  local used, known = list.set(applied), list.set(profiles)
  applied = list.filter(list.append(list.map(activations.names, function(name)
    return activations.by_name[name]
  end), applied), function(a) return used[a] or false end)
  return {
    isas = by_name(isas, wanted), activations = list.unique(applied), arch = arch,
    dtypes = list.filter(weights.names, function(format) return dtypes[format] or false end),
    profiles = list.filter(cpus.all, function(p) return known[p] or false end),
    sparse = sparse, parameters = parameters, straight = straight, compact = compact, walk = walk,
    whole_rows = whole_rows, emulated = emulated,
    portable = arch[''] or false, training = #M.trained(plans) > 0,
  }
end

return M
