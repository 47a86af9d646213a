--- Spec files -> Spec[] and Plan[]: the first three stages of the generator, for many files.
local spec = require 'read.spec'
local layer = require 'lower.layer'
local name = require 'lower.name'
local plan = require 'plan.plan'
local isas = require 'isa'
local files = require 'write.files'

local M = {}

--- The spec files of a folder, sorted by name.
function M.spec_files(folder)
  local paths = {}
  for _, entry in ipairs(files.list(folder)) do
    if entry:match('%.lua$') then paths[#paths + 1] = folder .. '/' .. entry end
  end
  return paths
end

--- Reads spec files; names are unique among them.
---@param paths string[]
---@return Spec[]
function M.read(paths)
  local specs, seen, read_once = {}, {}, {}
  for _, path in ipairs(paths) do
    if not read_once[path] then
      read_once[path] = true
      for _, s in ipairs(spec.read(path, seen)) do specs[#specs + 1] = s end
    end
  end
  return specs
end

--- Plans of all kernels that specs ask for. Specs of one layer share its kernels.
---@param specs Spec[]
---@param only string[]|nil instruction sets to keep
---@param tuned TunedRecord|nil measured choices, for the kernels that it knows
---@param profile Profile|nil of the CPU; the generic one where it is nil
---@return Plan[]
function M.plans(specs, only, tuned, profile)
  local plans, made, keep = {}, {}, nil
  if only then
    keep = {}
    for _, isa in ipairs(only) do keep[isa] = true end
  end
  for _, s in ipairs(specs) do
    for _, build in ipairs(s.build) do
      local l = layer.lower(s, build.dtype)
      for _, isa in ipairs(build.isa) do
        if not keep or keep[isa] then
          local choices = tuned and tuned.by_name[name.encode(l.name, isa)]
          local p = plan.plan(l, isas.by_name[isa], choices, choices and tuned.cpu,
            profile)
          if not made[p.name] then
            made[p.name] = true
            plans[#plans + 1] = p
          end
        end
      end
    end
  end
  table.sort(plans, function(a, b) return a.name < b.name end)
  return plans
end

return M
