--- `ffngen tune`: measures candidates for the plan's choices on this machine, and keeps what it
--- finds in a record.
local arguments = require 'commands.arguments'
local candidates = require 'tune.candidates'
local cpu = require 'tune.machine'
local disk = require 'common.disk'
local files = require 'write.files'
local jobs_of = require 'tune.jobs'
local list_of = require 'common.list'
local measuring = require 'tune.measuring'
local message = require 'common.message'
local output = require 'common.output'
local pipeline = require 'pipeline'
local problems = require 'common.problem'
local process = require 'tune.process'
local progress = require 'tune.progress'
local project = require 'commands.project'
local record_text = require 'tune.record_text'
local tuned = require 'tune.tuned'
local workshop = require 'tune.workshop'

local M = {
  about = 'Measure candidates for the plan\'s choices on this machine, and record the best.',
}

local seconds_per_kernel = 60

function M.options(command)
  command:argument('spec', 'Spec files (.lua), and names of specs or layers to keep to; names '
    .. 'alone are those of this project.'):args('+')
  command:option('--isa', 'The instruction sets (default: the best that this CPU has).')
    :argname('LIST'):convert(arguments.isas)
  command:option('--budget', ('Seconds in all (default: %d for each kernel).'):format(
    seconds_per_kernel)):argname('SECONDS'):convert(function(text)
    local seconds = math.tointeger(tonumber(text))
    if not seconds or seconds < 1 then return nil, 'a budget is a whole number of seconds' end
    return seconds
  end)
  command:option('--out', 'The record (default: generator/tuned/CPU.lua of this project).')
    :argname('FILE')
  command:option('--tuned-for', 'A name for this CPU, where the system tells none.'):argname('CPU')
  command:flag('--dry-run', 'Print the candidates, and run none.')
end

local function print_candidates(jobs)
  for _, job in ipairs(jobs) do
    output.line('%s', job.name)
    for _, candidate in ipairs(candidates.sweep(job.text_of)) do
      output.line('  %s', candidates.text(candidate.choices))
    end
  end
end

--- What a kernel's measurements came to, in one line.
local function verdict(kernel)
  local run = kernel.final or kernel.sweep
  local best = kernel.final and candidates.best(run.candidates)
  if best then
    return ('%s: %s, %.1f %% less time'):format(kernel.name, candidates.text(best.choices),
      100 * (1 - best.mean))
  end
  local control = run.candidates[#run.candidates].mean
  return ('%s: no candidate is better (%d tried; the same code differs by %.1f %%)'):format(
    kernel.name, #kernel.sweep.candidates - 2, 100 * math.abs(control - 1))
end

--- The specs that the arguments mean: files, and names to keep to; names alone are this project's.
local function wanted_specs(root, asked)
  local paths = list_of.filter(asked, function(given) return given:match('%.lua$') ~= nil end)
  local names = list_of.filter(asked, function(given) return not given:match('%.lua$') end)
  return jobs_of.named(pipeline.read(project.specs_or(root, paths)), names)
end

--- The measurements, kernel by kernel.
local function measure_all(root, args, folder)
  local specs = wanted_specs(root, args.spec)
  local w, allowed, names = workshop.open(root, folder, jobs_of.layers(specs))
  for _, isa in ipairs(args.isa or {}) do
    if not allowed[isa] then
      problems.bad_input('--isa', 'this CPU has no %s; it has %s', isa, table.concat(names, ', '))
    end
  end
  local jobs = jobs_of.of(root, specs, args.isa, allowed)
  if #jobs == 0 then problems.bad_input(nil, 'no kernel of these specs runs here') end
  if args.dry_run then return print_candidates(jobs) end

  local compiler = process.first_line(w.cc .. ' --version') or w.cc
  local budget = args.budget or #jobs * seconds_per_kernel
  local bar = progress.new(process.on_terminal(), process.now, budget)
  local begin, kernels = process.now(), {}
  for i, job in ipairs(jobs) do
    local left = args.budget and math.max(0, budget - (process.now() - begin))
      or (#jobs - i + 1) * seconds_per_kernel
    bar.expect(left)
    kernels[i] = measuring.kernel(w, job, compiler, left // (#jobs - i + 1), function(step, least)
      bar.show(('%s (%d of %d): %s'):format(job.name, i, #jobs, step), least)
    end)
    bar.clear()
    message('%s', verdict(kernels[i]))
  end
  return kernels
end

--- The kernels that the record has already; one of another version is written anew.
local function recorded(path, cpu_name)
  if not disk.exists(path) or not tuned.is_current(path) then return {} end
  local r = tuned.read(path)
  if r.cpu ~= cpu_name then
    problems.bad_input(path, 'holds measurements of %s, this CPU is %s; choose another file with '
      .. '--out', r.cpu, cpu_name)
  end
  return r.kernels
end

--- Measures in a folder that goes away whatever happens. The second result is the exit code where
--- nothing shall be written.
---@return TunedKernel[]|nil
---@return integer|nil
local function measured(root, args, path, old)
  local folder, remove = process.folder()
  local ok, result = pcall(measure_all, root, args, folder)
  remove()
  if ok then return result, not result and 0 or nil end
  -- The bar is still there, and no line has ended.
  if process.on_terminal() then io.stderr:write('\n') end
  if not process.is_interrupt(result) then error(result, 0) end
  message('stopped: %s', #old > 0 and path .. ' is as it was' or 'nothing was written')
  return nil, 130
end

function M.run(root, args)
  local cpu_name = args.tuned_for or cpu.here()
  if not cpu.is_name(cpu_name) then
    problems.usage('%s; name this CPU with --tuned-for CPU, of letters, digits, dots, dashes and '
      .. 'underscores', args.tuned_for and 'that is no name of a CPU'
      or 'this system does not tell its CPU')
  end
  local path = args.out or tuned.path(root, cpu_name)
  local old = args.dry_run and {} or recorded(path, cpu_name)
  if not args.dry_run and not process.is_writable(path) then
    problems.failure('%s cannot be written: choose another file with --out', path)
  end
  local kernels, code = measured(root, args, path, old)
  if not kernels then return code end
  local text = record_text.of { cpu = cpu_name, kernels = tuned.merged(old, kernels) }
  local out, name = path:match('^(.*)/([^/]+)$')
  files.write {
    folder = out or '.', files = { { path = name or path, text = text } }, maker = 'tune',
    is_ours = function() return true end, -- what is no record was refused above
  }
  message('%s written; use it: ffngen generate %s --out DIR --tuned %s', path,
    args.spec[1]:match('%.lua$') and args.spec[1] or 'my.lua', args.out or 'auto')
  return 0
end

return M
