--- What kernels need of the runtime, and what a product can do without.
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local cpus = require 'cpu'
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
---@field arch table<string, boolean>  conditions of the instruction sets that kernels are for
---@field sparse boolean      a stage may run over a list of inputs
---@field parameters boolean  a layer takes parameters from its weights
---@field straight boolean    a kernel's small layer does not walk, or takes blocks in lanes
---@field compact boolean     a kernel is written for few bytes
---@field walk boolean        a kernel is none of both
---@field whole_rows boolean  a kernel is one of both
---@field portable boolean   a kernel serves every machine
---@field emulated boolean   a kernel may meet no FMA instruction
---@field fetch boolean      a walk says which lines of weights come next
---@field wide boolean       a tile may sum in vectors of doubles
---@field sources boolean    a format has numbers of its own, which no floats are
---@field blocks boolean     one of them takes no floats
---@field arranged boolean   one has groups as other programs arrange them
---@field training boolean   a layer is trained
---@field outputs boolean    a layer has several outputs
---@field chained boolean    a layer has one

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
---@param request Request
function M.without_pack(request)
  return request.weights and #lists.filter(request.plans, function(p)
    return p.passes.forward.form.name ~= 'compact'
  end) == 0
end

--- Whether a stage of some plans that walks is of a kind.
local function any_walks(plans, is_such)
  return #lists.filter(plans, function(p)
    local pass = p.passes.forward
    local stages = lists.append({}, pass.form.name == 'walk' and pass.stages or {})
    for _, name in ipairs(p.training and { 'train', 'grad' } or {}) do
      for _, s in ipairs(p.training.passes[name].stages) do
        if s.stage.kind == 'weights' then stages[#stages + 1] = s.plan end
      end
    end
    return #lists.filter(stages, function(s) return is_such(s) end) > 0
  end) > 0
end

--- Whether a tile has the rows that come next fetched, or the weights, or zeros to skip.
local function fetches(s)
  local parts = s.stage.sum.blocks > 1 and #lists.filter(s.tiles, function(tile)
    return tile.rows > 1 and tile.parts
  end) > 0
  return s.ahead ~= false or s.abreast or s.sparse ~= false or parts
end

local function sums_wide(s)
  local tiles = lists.append({}, s.tiles)
  if s.scratch then lists.append(tiles, s.scratch.plan.tiles) end
  return #lists.filter(tiles, function(tile) return tile.wide ~= 'never' end) > 0
end

--- What the kernels of some plans need of the runtime.
---@param plans Plan[]
---@return Needs
function M.of(plans)
  local applied, wanted, arch = { activations.by_name.identity }, { c = true }, {}
  -- The first enumerators are what a query means that says nothing.
  local formats = { [weights.names[1]] = true }
  local used_arithmetics = { [arithmetics.names[1]] = true }
  local sparse, straight, compact, walk, parameters = false, false, false, false, false
  local whole_rows, emulated = false, false
  local profiles = {}
  for _, p in ipairs(plans) do
    wanted[p.isa.name], arch[p.isa.arch] = true, true
    local pass = p.passes.forward
    lists.append(profiles, p.others)
    parameters = parameters or #p.layer.runtime_parameters > 0
    local form = pass.form.name
    straight = straight or form == 'straight' or pass.lanes ~= false
    compact = compact or form == 'compact'
    walk = walk or form == 'walk'
    emulated = emulated or not p.isa.fused
    whole_rows = whole_rows or form ~= 'walk'
    for _, s in ipairs(pass.stages) do
      applied[#applied + 1] = s.stage.forward.activation
      formats[s.stage.stream.format.name] = true
      used_arithmetics[s.stage.arithmetic.name] = true
      sparse = sparse or (s.sparse ~= false and form ~= 'straight')
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
  -- By name: those of halves are copies, with choices of their own.
  local used = lists.set(applied)
  local known = lists.set(lists.map(profiles, function(p) return p.name end))
  applied = lists.filter(lists.append(lists.map(activations.names, function(name)
    return activations.by_name[name]
  end), applied), function(a) return used[a] or false end)
  return {
    isas = by_name(isas, wanted), activations = lists.unique(applied), arch = arch,
    formats = lists.filter(weights.names, function(name) return formats[name] or false end),
    sources = any_format(function(format) return format.source ~= false end),
    blocks = any_format(function(format) return format.pack == false end),
    arranged = any_format(function(format) return format.source and format.source.every > 0 end),
    arithmetics = lists.filter(arithmetics.names, function(name)
      return used_arithmetics[name] or false
    end),
    profiles = lists.filter(cpus.all, function(p) return known[p.name] or false end),
    sparse = sparse, parameters = parameters, straight = straight, compact = compact, walk = walk,
    whole_rows = whole_rows, emulated = emulated,
    fetch = #M.trained(plans) > 0 or any_walks(plans, fetches), -- dW has its sums fetched
    wide = any_walks(plans, sums_wide),
    portable = arch[''] or false, training = #M.trained(plans) > 0,
    outputs = #M.several(plans) > 0, chained = #M.several(plans) < #plans,
  }
end

return M
