--- What kernels need of the runtime, and what a product can do without.
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local cpus = require 'cpu'
local integers = require 'emit.integers'
local isas = require 'isa'
local lists = require 'common.list'
local weights = require 'weights'

local M = {}

---@class Needs
---@field isas table[]        instruction sets, in the order of their enumerators
---@field activations table[] in the order of theirs
---@field formats string[]  in the order of their enumerators, as arithmetics are
---@field arithmetics string[]
---@field profiles Profile[]  of CPUs that some kernel has a descriptor for
---@field tiles boolean       a kernel has an instruction whose registers the system lets it use
---@field sparse boolean      a stage may run over a list of inputs
---@field portable boolean   a kernel serves every machine
---@field sources boolean    a format has numbers of its own, which no floats are
---@field blocks boolean     one of them takes no floats
---@field arranged boolean   one has groups as other programs arrange them
---@field training boolean   a layer is trained
---@field outputs boolean    a layer has several outputs
---@field integers string[]  formats whose weights are summed as integers: {} where none are
---@field applied Activation[]  to such sums

--- Those of some plans that are trained.
---@param plans Plan[]
---@return Plan[]
function M.trained(plans)
  return lists.filter(plans, function(p) return p.training end)
end

--- Those of some plans whose layers have several outputs.
---@param plans Plan[]
---@return Plan[]
function M.several(plans)
  return lists.filter(plans, function(p) return p.layer.beside end)
end

--- Whether a product has no use for pack() and unpack(): weights in the code, kernels of few bytes.
---@param request VendorRequest
function M.without_pack(request)
  return request.weights and #lists.filter(request.plans, function(p)
    return p.passes.forward.form.name ~= 'compact'
  end) == 0
end

--- What the kernels of some plans need of the runtime.
---@param plans Plan[]
---@return Needs
function M.of(plans)
  local applied, wanted = { activations.by_name.identity }, { c = true }
  -- The first enumerators are what a query means that says nothing.
  local formats = { [weights.names[1]] = true }
  local used_arithmetics = { [arithmetics.names[1]] = true }
  local profiles, sparse, portable = {}, false, false
  local stages, of_integers = {}, {}
  for _, p in ipairs(plans) do
    wanted[p.isa.name], portable = true, portable or p.isa.arch == ''
    local pass = p.passes.forward
    lists.append(profiles, p.others)
    for _, s in ipairs(pass.stages) do
      applied[#applied + 1] = s.stage.forward.activation
      formats[s.stage.stream.format.name] = true
      -- References ask for arithmetics by the words that specs say.
      used_arithmetics[s.stage.arithmetic.name] = true
      used_arithmetics[s.stage.arithmetic.word] = true
      stages[#stages + 1] = s.stage
      if s.stage.arithmetic.bound == 'bytes' then of_integers[s.stage.stream.format.name] = true end
      sparse = sparse or (s.sparse ~= false and pass.form.name ~= 'straight')
    end
  end
  local function by_name(vocabulary, keep)
    return lists.map(lists.filter(vocabulary.names, function(name) return keep[name] or false end),
      function(name) return vocabulary.by_name[name] end)
  end
  local function any_format(is_such)
    return #lists.filter(weights.names, function(name)
      return formats[name] and is_such(weights.by_name[name])
    end) > 0
  end
  -- By name: those of some weights are copies, with choices of their own.
  local used = lists.set(applied)
  local known = lists.set(lists.map(profiles, function(p) return p.name end))
  applied = lists.filter(lists.append(lists.map(activations.names, function(name)
    return activations.by_name[name]
  end), applied), function(a) return used[a] or false end)
  local used_isas = by_name(isas, wanted)
  return {
    isas = used_isas, activations = lists.unique(applied),
    formats = lists.filter(weights.names, function(name) return formats[name] or false end),
    sources = any_format(function(format) return format.source ~= false end),
    blocks = any_format(function(format) return format.pack == false end),
    arranged = any_format(function(format) return format.source and format.source.every > 0 end),
    arithmetics = lists.filter(arithmetics.names, function(name)
      return used_arithmetics[name] or false
    end),
    profiles = lists.filter(cpus.all, function(p) return known[p.name] or false end),
    tiles = #lists.filter(used_isas, function(isa) return isa.matrix end) > 0,
    sparse = sparse,
    portable = portable, training = #M.trained(plans) > 0,
    outputs = #M.several(plans) > 0,
    integers = lists.filter(weights.names, function(name) return of_integers[name] or false end),
    applied = integers.activations(stages),
  }
end

return M
