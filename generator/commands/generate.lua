--- `ffngen generate`: kernels as C, for a user's spec files or for generated/ of this project.
local arguments = require 'commands.arguments'
local choice_names = require 'emit.choices'
local exits = require 'commands.exits'
local lists = require 'common.list'
local message = require 'common.message'
local output = require 'common.output'
local pipeline = require 'pipeline'
local problems = require 'common.problem'
local project = require 'commands.project'
local runtime_files = require 'common.runtime_files'
local shell = require 'common.shell'
local tuned = require 'tune.tuned'
local unbounded = require 'lower.unbounded'

local M = { about = 'Write the layers of spec files as C.' }

M.purpose = {
  'A spec file describes layers. For each layer and each instruction set generate writes one C '
    .. 'file, the kernel. Beside the kernels generate writes what all kernels need (the runtime) '
    .. 'and a self-check, a program that tests each kernel on your CPU.',
  'generate prints the command that compiles the folder and runs the self-check. The folder '
    .. 'compiles with any C11 compiler, without flags. The same spec gives the same bytes. If a '
    .. 'file has the right text already, generate leaves the file alone.',
  'For a folder that your product keeps, use `ffngen vendor`: all names in that folder begin with '
    .. 'a prefix of your own.',
}

M.examples = {
  { 'ffngen generate my.lua --out kernels/', 'Write the layers of my.lua for all instruction '
    .. 'sets.' },
  { 'ffngen generate my.lua --out kernels/ --isa avx2,c --threads pthreads',
    'Write kernels for AVX2 and portable C only, and the adapter to POSIX threads.' },
  { 'ffngen generate my.lua --out kernels/ --dry-run', 'Print which files would change.' },
  { 'ffngen generate', 'In the source tree of ffngen: write the folder generated/ again.' },
}

M.files = {
  arguments.spec_file,
  arguments.record_file,
  { 'DIR/KERNEL.c', 'A kernel. Its name tells kind, sizes, weights and instruction set: '
    .. 'ffn_swiglu_d512_f1365_f32_avx2.c. A trained layer has KERNEL_train.c, too.' },
  { 'DIR/ffn.h', 'The C API; its first comment is its manual.' },
  { 'DIR/*.c, *.h, *.inc', 'The runtime, and tables of the kernels in the folder.' },
  { 'DIR/selfcheck.c', 'The self-check. `-DFFN_NO_MAIN` leaves out its main().' },
}

M.exits = { exits.success, exits.failure, exits.usage, exits.input }

function M.options(command)
  command:argument('spec', 'Spec files. Without a spec file: the layers of generated/, in the '
    .. 'source tree of ffngen.'):args('*')
  command:option('--out', 'The folder to write to. Required with spec files.')
    :argname('DIR'):convert(arguments.folder)
  arguments.isa_option(command)
  arguments.threads_option(command)
  arguments.file_option(command)
  arguments.plan_options(command)
  arguments.dry_run(command)
end

--- The request for a user's spec files.
---@return GenerateRequest
function M.request(root, args)
  if not args.out then
    problems.usage('the option --out is missing: ffngen generate %s --out kernels/', args.spec[1])
  end
  local threads, measured = args.threads or {}, arguments.measured(root, args)
  --- A record is named by the files that it changes, and by no other: those are what they are
  --- without it.
  local names = lists.map(args.spec, function(path) return path:match('[^/]+$') end)
  local function remake(plan)
    local changed = plan.tuned_for and #choice_names.changes(plan.choices, plan.profile.choices) > 0
    return shell.remake('generate', names, {
      { '--isa', args.isa and table.concat(args.isa, ',') },
      { '--threads', table.concat(threads, ','), '' },
      { '--file', args.file },
      { '--cpu', args.cpu and arguments.names(args.cpu) },
      { '--tuned', changed and args.tuned:match('[^/]+$') },
      { '--tuned-for', changed and measured.cpu },
    })
  end
  return {
    specs = args.spec, folder = (args.out:gsub('(.)/+$', '%1')), isas = args.isa,
    profiles = args.cpu, measured = measured,
    runtime = lists.append(lists.append({ table.unpack(runtime_files.core) },
      runtime_files.adapters(threads)), args.file and runtime_files.file or {}),
    remake = remake, dry_run = false,
  }
end

--- The request for generated/.
---@return GenerateRequest
local function shipped(root, args)
  for _, option in ipairs { 'out', 'isa', 'threads', 'file', 'cpu', 'tuned', 'tuned_for' } do
    if args[option] then
      problems.usage('--%s needs spec files: ffngen generate my.lua --out kernels/',
        (option:gsub('_', '-')))
    end
  end
  if not project.is_source_tree(root) then
    problems.usage('name your spec files, as this ffngen is installed and has no generated/: '
      .. 'ffngen generate my.lua --out kernels/')
  end
  return project.request(root)
end

local function print_changes(changes, list)
  local total = 0
  for _, change in ipairs(changes) do
    output.line('%-8s %8d  %s', change.kind, change.text and #change.text or 0, change.path)
  end
  for _, file in ipairs(list) do total = total + #file.text end
  output.line('%d of %d files would change, %d bytes in all; nothing was written', #changes,
    #list, total)
end

function M.run(root, args)
  -- Text is garbage soon, and what lives are a few megabytes: time is dearer than memory.
  collectgarbage('incremental', 400)
  local is_own = #args.spec > 0
  local request = (is_own and M.request or shipped)(root, args)
  request.dry_run = args.dry_run or false
  local changes, plans, list = pipeline.run(root, request)
  if request.measured then message('%s', tuned.summary(request.measured, plans)) end
  if request.dry_run then
    print_changes(changes, list)
    return 0
  end
  message('%d files in %s/, %d changed', #list, request.folder, #changes)
  local layers = lists.map(is_own and plans or {}, function(plan) return plan.layer end)
  for _, text in ipairs(unbounded.of(layers)) do message('%s', text) end
  if is_own then
    output.line('cd %s && cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck',
      shell.quoted(request.folder))
  end
  return 0
end

return M
