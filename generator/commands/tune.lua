--- ffngen tune: measures candidates for the plan's choices on this machine, and keeps what it finds
--- in a record. The measuring itself is generator/tune/measure.c.
local arguments = require 'common.arguments'
local candidates = require 'tune.candidates'
local catalogue = require 'pipeline'
local cpu = require 'tune.machine'
local emit = require 'emit.emit'
local files = require 'write.files'
local isas = require 'isa'
local layer = require 'lower.layer'
local list_of = require 'common.list'
local manifest = require 'emit.manifest'
local plan = require 'plan.plan'
local problems = require 'common.problem'
local process = require 'tune.process'
local progress = require 'tune.progress'
local record = require 'common.record'
local shell = require 'common.shell'
local tuned = require 'tune.tuned'

local M = {}

local seconds_per_kernel = 60
local token_counts = '1 4 16 64 256'

--- The part of a kernel's time that goes to one choice at a time; the rest decides among winners.
local sweep_part = 0.6

local function message(text, ...) io.stderr:write('ffngen: ', text:format(...), '\n') end

---@param parser table of argparse
---@return table command
function M.command(parser)
  local command = parser:command('tune',
    'Measure candidates for the plan\'s choices on this machine, and record the best.')
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
  command:option('--cpu', 'A name for this CPU, where the system tells none.'):argname('NAME')
  command:flag('--dry-run', 'Print the candidates, and run none.')
  return command
end

-- What to measure --------------------------------------------------------------------------------

---@class Job
---@field layer Layer
---@field isa table
---@field name string
---@field text_of fun(choices: Choices): string

--- Layers of the spec files that the arguments name, each with the instruction sets it builds for.
local function wanted_specs(words, default_paths)
  local paths, names, seen = {}, {}, {}
  for _, word in ipairs(words) do
    local list = word:match('%.lua$') and paths or names
    list[#list + 1] = word
  end
  local specs = catalogue.read(#paths > 0 and paths or default_paths)
  if #names == 0 then return specs end
  local result = {}
  for _, s in ipairs(specs) do
    for _, name in ipairs(names) do
      if s.name == name or layer.lower(s, s.build[1].dtype).name == name then
        seen[name] = true
        result[#result + 1] = s
      end
    end
  end
  for _, name in ipairs(names) do
    if not seen[name] then
      problems.bad_input(nil, 'no spec or layer "%s"; see ffngen list', record.shown(name))
    end
  end
  return result
end

--- The kernels to measure: of each layer those of `wanted`, or the best that this CPU has.
---@param allowed table<string, boolean> instruction sets of this CPU
local function jobs_of(root, specs, wanted, allowed)
  local jobs, seen = {}, {}
  local function add(l, isa)
    local p = plan.plan(l, isa)
    if seen[p.name] then return end
    seen[p.name] = true
    jobs[#jobs + 1] = {
      layer = l, isa = isa, name = p.name,
      text_of = function(choices) return emit.kernel(root, plan.plan(l, isa, choices)) end,
    }
  end
  for _, s in ipairs(specs) do
    for _, build in ipairs(s.build) do
      local l, best = layer.lower(s, build.dtype), nil
      for _, name in ipairs(build.isa) do
        local asked = not wanted or list_of.has(wanted, name)
        if asked and allowed[name] then
          if wanted then add(l, isas.by_name[name]) else best = isas.by_name[name] end
        end
      end
      if best then add(l, best) end
    end
  end
  return jobs
end

-- Building and running ---------------------------------------------------------------------------

---@class Workshop
---@field root string
---@field folder string  for everything that is made
---@field cc string
local Workshop = {}
Workshop.__index = Workshop

function Workshop:write(path, text)
  local handle = assert(io.open(self.folder .. '/' .. path, 'wb'))
  assert(handle:write(text))
  assert(handle:close())
end

--- Runs the compiler in the folder; what it says becomes the error.
function Workshop:compile(words)
  local said = {}
  local ok = process.lines(('cd %s && exec %s -O2 -I. -I%s %s 2>&1'):format(
    shell.word(self.folder), self.cc, shell.word(self.runtime), words),
    function(line) said[#said + 1] = line end)
  if not ok then
    error({ failed = ('the compiler failed (set CC to choose another): %s %s\n%s'):format(self.cc,
      words, table.concat(said, '\n', 1, math.min(#said, 20))) }, 0)
  end
end

--- The measuring program with these objects as its kernels.
function Workshop:link(symbols)
  local rows, objects = {}, {}
  for i, symbol in ipairs(symbols) do
    rows[i] = ('FFN_KERNEL(%s)\n'):format(symbol)
    objects[i] = symbol .. '.o'
  end
  self:write('kernels.inc', table.concat(rows))
  self:compile(('%s measure.o cpu.o %s -lm -o tune'):format(
    shell.word(self.runtime .. '/ffn.c'), table.concat(objects, ' ')))
end

--- Runs the measuring program.
function Workshop:run(words, heed)
  if not process.lines(('exec %s/tune %s'):format(shell.word(self.folder), words), heed) then
    error({ failed = ('the measuring program failed: tune %s'):format(words) }, 0)
  end
end

--- A folder with all that candidates are compiled with, and the instruction sets of this CPU.
---@return Workshop
---@return table<string, boolean> allowed
---@return string[] names
local function open_workshop(root, folder)
  local runtime = process.first_line('cd ' .. shell.word(root .. 'runtime') .. ' && pwd')
  local w = setmetatable({ root = root, folder = folder, runtime = runtime,
    cc = process.compiler() }, Workshop)
  w:write('isas.inc', manifest.isas_inc())
  w:write('activations.inc', manifest.activations_inc())
  w:compile(('-c %s %s'):format(shell.word(runtime .. '/../generator/tune/measure.c'),
    shell.word(runtime .. '/cpu.c')))
  w:link {}
  local allowed, names = {}, {}
  w:run('isas', function(line)
    allowed[line] = true
    names[#names + 1] = line
  end)
  return w, allowed, names
end

--- What a measurement says of a list of candidates.
---@return TunedRun
local function measure(w, job, list, seconds, show)
  local symbols, begin = {}, process.now()
  for i, candidate in ipairs(list) do
    local symbol = 'candidate_' .. i
    local each = i > 1 and (process.now() - begin) / (i - 1) or 0
    show(('compiling %d of %d'):format(i, #list), (#list - i + 1) * each)
    w:write(symbol .. '.c', candidate.text)
    w:compile(('-D%s=%s -c %s.c'):format(job.name, symbol, symbol))
    symbols[i] = symbol
  end
  w:link(symbols)
  local cells, ratios = {}, {}
  local step = ('measuring %d candidates'):format(#list)
  show(step)
  w:run(('%d %s'):format(seconds(), token_counts), function(line)
    local what, rest = line:match('^(%l+) ?(.*)$')
    if what == 'differs' then
      error({ failed = ('%s: with %s the results differ in bits: a defect of ffngen, please report '
        .. 'it'):format(job.name, candidates.text(list[tonumber(rest) + 1].choices)) }, 0)
    elseif what == 'cell' then
      cells[#cells + 1] = rest
    elseif what == 'ratios' then
      local row = {}
      for word in rest:gmatch('%S+') do row[#row + 1] = tonumber(word) end
      ratios[#ratios + 1] = row
    end
    show(step)
  end)
  return { cells = cells, candidates = candidates.judge(list, ratios) }
end

--- Measures the candidates of a kernel.
---@return TunedKernel
local function tune(w, job, compiler, budget, show)
  local begin = process.now()
  local list = candidates.sweep(job.text_of)
  local sweep = measure(w, job, list, function()
    return math.max(1, math.floor(sweep_part * (budget - (process.now() - begin))))
  end, show)
  local winners, final = candidates.final(list, sweep.candidates, job.text_of), nil
  if winners then
    final = measure(w, job, winners, function()
      return math.max(1, budget - (process.now() - begin))
    end, show)
  end
  local best = final and candidates.best(final.candidates)
  return {
    name = job.name, compiler = compiler, choices = best and best.choices or list[1].choices,
    sweep = sweep, final = final,
  }
end

-- The command ------------------------------------------------------------------------------------

local function print_candidates(jobs)
  for _, job in ipairs(jobs) do
    print(job.name)
    for _, candidate in ipairs(candidates.sweep(job.text_of)) do
      print('  ' .. candidates.text(candidate.choices))
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

--- The measurements, kernel by kernel.
local function measure_all(root, args, default_paths, folder)
  local specs = wanted_specs(args.spec, default_paths)
  local w, allowed, names = open_workshop(root, folder)
  for _, isa in ipairs(args.isa or {}) do
    if not allowed[isa] then
      problems.bad_input('--isa', 'this CPU has no %s; it has %s', isa, table.concat(names, ', '))
    end
  end
  local jobs = jobs_of(root, specs, args.isa, allowed)
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
    kernels[i] = tune(w, job, compiler, left // (#jobs - i + 1), function(step, least)
      bar.show(('%s (%d of %d): %s'):format(job.name, i, #jobs, step), least)
    end)
    bar.clear()
    message('%s', verdict(kernels[i]))
  end
  return kernels
end

--- The kernels that the record has already; one of another version is written anew.
local function recorded(path, cpu_name)
  if not files.read(path) or not tuned.is_current(path) then return {} end
  local r = tuned.read(path)
  if r.cpu ~= cpu_name then
    problems.bad_input(path, 'holds measurements of %s, this CPU is %s; choose another file with '
      .. '--out', r.cpu, cpu_name)
  end
  return r.kernels
end

---@param root string
---@param args table
---@param default_paths string[] the project's specs
---@return integer exit code
function M.run(root, args, default_paths)
  local cpu_name = args.cpu or cpu.here()
  if not cpu.is_name(cpu_name) then
    message('%s; name this CPU with --cpu NAME, of letters, digits, dots, dashes and underscores',
      args.cpu and 'that is no name of a CPU' or 'this system does not tell its CPU')
    return 2
  end
  local path = args.out or tuned.path(root, cpu_name)
  local old = args.dry_run and {} or recorded(path, cpu_name)
  if not args.dry_run and not process.is_writable(path) then
    message('%s cannot be written: choose another file with --out', path)
    return 1
  end
  local folder, remove = process.folder()
  local ok, result = pcall(measure_all, root, args, default_paths, folder)
  remove()
  -- The bar is still there, and no line has ended.
  if not ok and process.on_terminal() then io.stderr:write('\n') end
  if not ok and process.is_interrupt(result) then
    message('stopped: %s', #old > 0 and path .. ' is as it was' or 'nothing was written')
    return 130
  elseif not ok and type(result) == 'table' and result.failed then
    message('%s', result.failed)
    message('nothing was written')
    return 1
  elseif not ok then
    error(result, 0)
  elseif args.dry_run then
    return 0
  end
  local text = tuned.text { cpu = cpu_name, kernels = tuned.merged(old, result) }
  local out, name = path:match('^(.*)/([^/]+)$')
  local done, problem = files.apply(out or '.', files.compare(out or '.',
    { { path = name or path, text = text } }, {}))
  if not done then
    message('%s: nothing was written', problem)
    return 1
  end
  message('%s written; use it: ffngen generate %s --out DIR --tuned %s', path,
    args.spec[1]:match('%.lua$') and args.spec[1] or 'my.lua', args.out or 'auto')
  return 0
end

return M
