--- The napkin: five calls, one after the other, each from one kind of record to the next.
---
---   read -> Spec[]   lower -> Layer[]   plan -> Plan[]   emit -> text   write -> disk
local arithmetics = require 'read.arithmetics'
local emit = require 'emit.emit'
local files = require 'write.files'
local isas = require 'isa'
local kernel_code = require 'emit.kernel_code'
local layer = require 'lower.layer'
local lists = require 'common.list'
local manifest = require 'emit.manifest'
local mixtures = require 'lower.mixtures'
local name_grammar = require 'lower.name'
local naming = require 'emit.naming'
local plan = require 'plan.plan'
local problems = require 'common.problem'
local runtime_files = require 'common.runtime_files'
local spec = require 'read.spec'
local training = require 'emit.training'
local unique_names = require 'lower.unique_names'

local M = {}

---@class GenerateRequest
---@field specs string[]             paths of spec files
---@field folder string              where the C goes
---@field isas string[]|nil          only these instruction sets
---@field profiles Profile[]|nil      of CPUs, that of all others first; nil: all that there are
---@field measured TunedRecord|nil   choices for the kernels that it knows
---@field runtime string[]           files of runtime/ that go with the kernels
---@field remake fun(plan: Plan): string  the command that makes a kernel's file again
---@field dry_run boolean            compare with what is there, and write nothing

---@class WantedKernel
---@field layer Layer
---@field isa string
---@field name string

---@class File
---@field path string  in the folder
---@field text string

--- What was measured of other C says nothing: a record of kernels that are written otherwise now is
--- a mistake.
---@param root string
---@param wanted WantedKernel[]
---@param measured TunedRecord
function M.check_measured(root, wanted, measured)
  for _, kernel in ipairs(wanted) do
    local known = measured.by_name[kernel.name]
    local isa = isas.by_name[kernel.isa]
    local code = known
      and kernel_code.code(root, plan.plan(kernel.layer, isa, known.choices))
    if known and code ~= known.code then
      problems.bad_input(measured.path, '%s has other code than when it was measured; measure '
        .. 'again: ffngen tune my.lua', kernel.name)
    end
  end
end

--- What is wanted. A request that comes to nothing is a mistake, so is a record that knows none.
---@param root string
---@param specs Spec[]
---@param only string[]|nil instruction sets to keep
---@param measured TunedRecord|nil
---@return WantedKernel[]
function M.asked(root, specs, only, measured)
  local wanted = M.lower(specs, only)
  if #wanted == 0 then
    problems.bad_input(nil, 'no kernel is left: change --isa, or build in the specs%s',
      arithmetics.lacks(specs, only or {}))
  end
  if not measured then return wanted end
  local known = lists.filter(wanted, function(k) return measured.by_name[k.name] ~= nil end)
  if #known == 0 then
    problems.bad_input('--tuned', 'the record of %s has no kernel of these specs; measure them: '
      .. 'ffngen tune my.lua', measured.cpu)
  end
  M.check_measured(root, known, measured)
  return wanted
end

--- Spec files and all that they lead to.
---@param root string the project's folder
---@param request GenerateRequest
---@return Change[] changes
---@return Plan[] plans
---@return File[] list
function M.run(root, request)
  local specs = M.read(request.specs)
  local wanted = M.asked(root, specs, request.isas, request.measured)
  local plans = M.plan(wanted, request)
  local list = M.emit(root, plans, request, mixtures.of(specs))
  local changes = M.write(request.folder, list, request.dry_run)
  return changes, plans, list
end

--- The specs of files; names are unique among them, and a file that is given twice counts once.
---@param paths string[]
---@return Spec[]
function M.read(paths)
  local specs, seen = {}, {}
  for _, path in ipairs(lists.unique(paths)) do lists.append(specs, spec.read(path, seen)) end
  return specs
end

--- Refuses a layer that has no kernel in these instruction sets.
---@param s Spec
---@param only string[]|nil  those asked for
function M.expect_kernels(s, only)
  if #M.lower({ s }, only) > 0 then return end
  problems.bad_input(nil, 'layer "%s" has no kernel for the instruction sets of --isa: change '
    .. '--isa, or build in its spec%s', s.name, arithmetics.lacks({ s }, only or {}))
end

--- The kernels that specs ask for, sorted by name. Specs of one layer share its kernels; all of
--- them that take any number of tokens are trained where one spec says so.
---@param specs Spec[]
---@param only string[]|nil instruction sets to keep
---@return WantedKernel[]
function M.lower(specs, only)
  local wanted, made, trained, taken = {}, {}, {}, {}
  for _, s in ipairs(specs) do
    local l = layer.lower(s)
    unique_names.take(taken, l.name, l)
    if l.backward then trained[l.name] = l end
    for _, build in ipairs(s.build) do
      for _, isa in ipairs(build.isa) do
        local kernel = name_grammar.encode(l.name, isa, l)
        unique_names.take(taken, kernel, l)
        if not made[kernel] and (not only or lists.has(only, isa)) then
          made[kernel] = { layer = l, isa = isa, name = kernel }
          wanted[#wanted + 1] = made[kernel]
        end
      end
    end
  end
  for _, kernel in ipairs(wanted) do
    kernel.layer = layer.trained_as(kernel.layer, trained[kernel.layer.name])
  end
  table.sort(wanted, function(a, b) return a.name < b.name end)
  return wanted
end

--- A plan for each: with measured choices where a record has them, else with those of profiles.
---@param wanted WantedKernel[]
---@param how table of a GenerateRequest: profiles, measured
---@return Plan[]
function M.plan(wanted, how)
  local measured = how.measured
  return lists.map(wanted, function(kernel)
    local known = measured and measured.by_name[kernel.name]
    return plan.plan(kernel.layer, isas.by_name[kernel.isa], known and known.choices,
      known and measured.cpu, how.profiles)
  end)
end

--- The files of a folder: kernels, lists of them, and these of the runtime.
---@param root string
---@param plans Plan[]
---@param how table of a GenerateRequest: runtime, remake
---@param of_specs Mixture[]
---@return File[]
function M.emit(root, plans, how, of_specs)
  local list = lists.map(plans, function(p)
    return { path = p.name .. '.c', text = emit.file(root, p, naming.of_file(how.remake(p))) }
  end)
  local trained = lists.filter(plans, function(p) return p.training end)
  for _, p in ipairs(trained) do
    list[#list + 1] = {
      path = p.name .. '_train.c', text = training.file(root, p, naming.of_file(how.remake(p))),
    }
  end
  lists.append(list, manifest.files(root, plans, of_specs))
  local runtime = lists.append({}, how.runtime)
  if #trained > 0 then lists.append(runtime, runtime_files.training) end
  if #of_specs > 0 then
    lists.append(runtime, runtime_files.moe)
    lists.append(runtime, { runtime_files.moe_check, runtime_files.moe_cpp })
  end
  for _, file in ipairs(runtime) do
    list[#list + 1] = {
      path = file, text = file == 'selfcheck.c'
        and runtime_files.selfcheck(root, #trained > 0, #of_specs > 0)
        or runtime_files.read(root, file),
    }
  end
  return list
end

--- Whether an earlier run made a file of this name, by its first bytes.
function M.is_ours(name_of, head)
  return manifest.is_ours(name_of, head) or runtime_files.is_copy(name_of, head)
end

--- Whether it may go where this run makes none of that name.
function M.is_stale(name_of, head)
  return manifest.is_ours(name_of, head) or runtime_files.is_optional(name_of, head)
end

--- Makes a folder hold these files, and what an earlier run left there no more: all or nothing.
---@param folder string
---@param list File[]
---@param dry_run boolean
---@return Change[]
function M.write(folder, list, dry_run)
  local output = {
    folder = folder, files = list, maker = 'generate', is_stale = M.is_stale, is_ours = M.is_ours,
  }
  return (dry_run and files.compare or files.write)(output)
end

return M
