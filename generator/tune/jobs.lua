--- Which kernels of some specs are measured.
local cpus = require 'cpu'
local isas = require 'isa'
local kernel_code = require 'emit.kernel_code'
local layer = require 'lower.layer'
local lists = require 'common.list'
local plan = require 'plan.plan'
local problems = require 'common.problem'
local record = require 'common.record'
local unique_names = require 'lower.unique_names'

local M = {}

---@class Job
---@field name string  of the kernel
---@field max_tokens integer  of a call; 0: any number
---@field own fun(profile: Profile): Choices  that it has of a profile
---@field text_of fun(choices: Choices): string  its C

--- The specs that go by these names, their own or those of their layers; all where there is none.
---@param specs Spec[]
---@param names string[]
---@return Spec[]
function M.named(specs, names)
  if #names == 0 then return specs end
  local seen = {}
  local result = lists.filter(specs, function(s)
    local layer_name = layer.lower(s).name
    seen[s.name], seen[layer_name] = true, true
    return lists.has(names, s.name) or lists.has(names, layer_name)
  end)
  for _, name in ipairs(names) do
    if not seen[name] then
      problems.bad_input(nil, 'there is no spec or layer "%s"; ffngen list shows '
        .. 'all', record.shown(name))
    end
  end
  return result
end

--- The layers of specs, for what their kernels share.
---@param specs Spec[]
---@return Layer[]
function M.layers(specs)
  return lists.map(specs, function(s) return layer.lower(s) end)
end

--- The instruction sets of a build that are measured: those of `wanted`, or the best that this CPU
--- has.
local function chosen(build, wanted, allowed)
  local here = lists.filter(build.isa, function(isa)
    return allowed[isa] and (not wanted or lists.has(wanted, isa))
  end)
  if wanted then return here end
  table.sort(here, function(a, b) return isas.by_name[a].rank > isas.by_name[b].rank end)
  return { here[1] }
end

--- The kernels to measure, each once.
---@param root string
---@param specs Spec[]
---@param wanted string[]|nil instruction sets
---@param allowed table<string, boolean> instruction sets of this CPU
---@return Job[]
function M.of(root, specs, wanted, allowed)
  local jobs, seen, taken = {}, {}, {}
  local function add(l, isa)
    local p = plan.plan(l, isa)
    unique_names.take(taken, l.name, l)
    if seen[p.name] then return end
    seen[p.name] = true
    jobs[#jobs + 1] = {
      name = p.name, max_tokens = l.max_tokens,
      own = function(profile)
        return cpus.for_weights(profile, l.passes.forward, isa).choices
      end,
      text_of = function(choices) return kernel_code.text(root, plan.plan(l, isa, choices)) end,
    }
  end
  for _, s in ipairs(specs) do
    for _, build in ipairs(s.build) do
      local l = layer.lower(s)
      for _, isa in ipairs(chosen(build, wanted, allowed)) do add(l, isas.by_name[isa]) end
    end
  end
  return jobs
end

return M
