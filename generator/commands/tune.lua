--- `ffngen tune`: measures candidates for the plan's choices on this machine, and keeps what it
--- finds in a record.
local arguments = require 'commands.arguments'
local arithmetics = require 'read.arithmetics'
local candidates = require 'tune.candidates'
local machine = require 'tune.machine'
local cpus = require 'cpu'
local disk = require 'common.disk'
local exits = require 'commands.exits'
local files = require 'write.files'
local jobs_of = require 'tune.jobs'
local lists = require 'common.list'
local measuring = require 'tune.measuring'
local message = require 'common.message'
local output = require 'common.output'
local pipeline = require 'pipeline'
local problems = require 'common.problem'
local process = require 'tune.process'
local progress = require 'tune.progress'
local project = require 'commands.project'
local record = require 'common.record'
local record_text = require 'tune.record_text'
local regimes = require 'tune.regimes'
local shell = require 'common.shell'
local tuned = require 'tune.tuned'
local workshop = require 'tune.workshop'

local M = { about = 'Find the fastest settings for this CPU, and record them.' }

M.purpose = {
  'Some settings of a kernel change its speed and no bit of its results, such as how far ahead '
    .. 'weights are fetched. tune compiles each kernel with several settings, measures them on '
    .. 'this machine, and writes the fastest to a record.',
  'No other command reads a record unless you name it: `ffngen generate my.lua --out kernels/ '
    .. '--tuned auto`.',
  'tune compiles with the compiler that the variable CC names, or else with cc. Run tune on a '
    .. 'quiet machine.',
}

local seconds_per_kernel, most_threads = 60, 1024

--- So many numbers of threads at most: CELLS_MOST of measure.c, by tokens, cold and hot.
local most_counts = 64 // (2 * #regimes.final.tokens)

--- Numbers of threads, `all` among them.
local function thread_counts(text)
  local list = {}
  for word in (text .. ','):gmatch('([^,]*),') do
    local count = math.tointeger(tonumber(word))
    if word ~= 'all' and not (count and count >= 1 and count <= most_threads) then
      return nil, ('numbers of threads are from 1 to %d, or "all"'):format(most_threads)
    end
    list[#list + 1] = count or word
  end
  if #list > most_counts then
    return nil, ('these are %d numbers of threads: give at most %d'):format(#list,
      most_counts)
  end
  return list
end

local function profile(name)
  if cpus.by_name[name] then return cpus.by_name[name] end
  return nil, ('unknown cpu "%s"%s'):format(record.shown(name), record.suggest(name, cpus.names))
end

M.examples = {
  { 'ffngen tune my.lua', 'Measure the layers of my.lua, a minute for each kernel.' },
  { 'ffngen tune my.lua --isa avx2 --budget 600 --out record.lua',
    'Measure AVX2 only, ten minutes in all, and write the record record.lua.' },
  { 'ffngen tune my.lua --dry-run', 'Print the settings that would be measured.' },
}

M.files = {
  { 'SPEC', 'Input, if the name ends in .lua: Lua that describes layers. `ffngen spec` prints what '
    .. 'a spec may say.' },
  { 'generator/tuned/CPU.lua', 'The record of this CPU, in the folder of ffngen. tune adds to it. '
    .. '`--out FILE` chooses another.' },
  { '/tmp', 'A folder for the compiler, or in TMPDIR. tune removes it.' },
}

M.exits = { exits.success, exits.failure, exits.usage, exits.input, exits.stopped }

function M.options(command)
  command:argument('spec', 'Spec files (.lua), and names of the specs or layers to measure. '
    .. 'Without a spec file: names of layers that ffngen ships.'):args('+')
  command:option('--isa', 'The instruction sets to measure. Default: the best that this CPU has.')
    :argname('LIST'):convert(arguments.isas)
  command:option('--threads', 'Numbers of threads to measure with. Default: 1,all.'):argname('LIST')
    :convert(thread_counts)
  command:option('--cpu', ('Start from the settings of this CPU: %s. Default: this CPU.'):format(
    table.concat(cpus.names, ', '))):argname('NAME'):convert(profile)
  command:option('--budget', ('Seconds in all. Default: %d for each kernel.'):format(
    seconds_per_kernel)):argname('SECONDS'):convert(function(text)
    local seconds = math.tointeger(tonumber(text))
    if not seconds or seconds < 1 then return nil, 'the budget must be a whole number of seconds, '
      .. 'from 1 on' end
    return seconds
  end)
  command:option('--out', 'The record to write. Default: generator/tuned/CPU.lua in the folder of '
    .. 'ffngen.')
    :argname('FILE')
  command:option('--tuned-for', 'A name for this CPU, if the system has none.'):argname('CPU')
  command:flag('--dry-run', 'Print the settings to measure. Measure nothing.')
end

---@param jobs Job[]
---@param from Profile
local function print_candidates(jobs, from)
  for _, job in ipairs(jobs) do
    output.line('%s, from %s', job.name, from.name)
    local own = job.own(from)
    local list = candidates.all(own, job.text_of, job.max_tokens)
    for _, candidate in ipairs(list) do
      local regime = candidate.regime
      output.line('  %s%s', regime == '' and '' or regime .. ': ',
        candidates.text(candidate.choices, own))
    end
  end
end

--- What a kernel's measurements came to, in one line.
---@param kernel TunedKernel
---@param own Choices
local function verdict(kernel, own)
  local tried, noise = 0, 0
  for _, run in ipairs(kernel.regimes) do
    for _, c in ipairs(run.candidates) do
      if run.name == regimes.final.name and c.verdict == 'wins' then
        return ('%s: %s, %.1f %% less time'):format(kernel.name, candidates.text(c.choices, own),
          100 * (1 - c.mean))
      end
      local is_one = run.name ~= regimes.final.name and c.verdict ~= 'default'
      if is_one and c.verdict ~= 'control' then tried = tried + 1 end
      if c.verdict == 'control' then noise = math.max(noise, math.abs(c.mean - 1)) end
    end
  end
  local more = kernel.untried == 0 and ''
    or ('; there was no time for %d more'):format(kernel.untried)
  if tried == 0 then return ('%s: nothing was measured%s'):format(kernel.name, more) end
  return ('%s: no other settings are faster (%d tried%s; the same code measured twice differs by '
    .. '%.1f %%)'):format(
    kernel.name, tried, more, 100 * noise)
end

--- The specs that the arguments mean: files, and names to keep to; names alone are this project's.
local function wanted_specs(root, asked)
  local paths = lists.filter(asked, function(given) return given:match('%.lua$') ~= nil end)
  local names = lists.filter(asked, function(given) return not given:match('%.lua$') end)
  return jobs_of.named(pipeline.read(project.specs_or(root, paths)), names)
end

--- The kernels of the arguments that this CPU runs.
---@param here Here
---@return Job[]
local function wanted_jobs(root, specs, wanted, here)
  for _, isa in ipairs(wanted or {}) do
    if not here.allowed[isa] then
      problems.bad_input('--isa', 'this CPU has no %s; it has %s', isa,
        table.concat(here.isas, ', '))
    end
  end
  local jobs = jobs_of.of(root, specs, wanted, here.allowed)
  if #jobs == 0 then problems.bad_input(nil, 'this CPU runs no kernel of these specs: name other '
    .. 'specs, or other instruction sets with --isa%s', arithmetics.lacks(specs, wanted or {})) end
  return jobs
end

--- Numbers of threads, each once; `all` is as many as the machine runs at once.
---@param here Here
---@return integer[]
local function threads_here(wanted, here)
  return lists.unique(lists.map(wanted or { 1, 'all' }, function(count)
    return count == 'all' and here.threads or count
  end))
end

--- The measurements, kernel by kernel.
local function measure_all(root, args, folder)
  local begin, specs = process.now(), wanted_specs(root, args.spec)
  local w, here = workshop.open(root, folder, jobs_of.layers(specs))
  local jobs = wanted_jobs(root, specs, args.isa, here)
  local from = args.cpu or cpus.by_name[here.profile]
  if args.dry_run then return print_candidates(jobs, from) end

  local how = {
    profile = from, threads = threads_here(args.threads, here),
    compiler = process.first_line(w.cc .. ' --version') or w.cc,
  }
  local budget = args.budget or #jobs * seconds_per_kernel
  local bar = progress.new(process.on_terminal(), process.now, budget)
  local kernels = {}
  for i, job in ipairs(jobs) do
    -- What one kernel leaves over, the others have.
    local left = math.max(0, budget - (process.now() - begin))
    bar.expect(left)
    kernels[i] = measuring.kernel(w, job, how, left // (#jobs - i + 1), function(step)
      bar.show(('%s (%d of %d): %s'):format(job.name, i, #jobs, step))
    end)
    bar.clear()
    message('%s', verdict(kernels[i], job.own(from)))
  end
  return kernels
end

--- The kernels that the record has already; one of another version is written anew.
local function recorded(path, cpu_name)
  if not disk.exists(path) or not tuned.is_current(path) then return {} end
  local r = tuned.read(path)
  if r.cpu ~= cpu_name then
    problems.bad_input(path, 'it is the record of the CPU %s, and this CPU is %s: choose another '
      .. 'file with --out', r.cpu, cpu_name)
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
  local cpu_name = args.tuned_for or machine.here()
  if not machine.is_name(cpu_name) then
    problems.usage('%s; name this CPU with --tuned-for CPU, of letters, digits, dots, dashes and '
      .. 'underscores', args.tuned_for and 'this is not a name of a CPU'
      or 'this system does not say which CPU it has')
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
  local spec = args.spec[1]:match('%.lua$') and shell.quoted(args.spec[1]) or 'my.lua'
  message('%s written; use it: ffngen generate %s --out DIR --tuned %s%s', path, spec,
    args.out and shell.quoted(args.out) or 'auto',
    args.tuned_for and ' --tuned-for ' .. args.tuned_for or '')
  return 0
end

return M
