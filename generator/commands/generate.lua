--- `ffngen generate`: kernels as C, for a user's spec files or for generated/ of this project.
local arguments = require 'commands.arguments'
local choice_names = require 'emit.choices'
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

local M = { about = 'Write kernels as C.' }

M.examples = [[
  ffngen generate my.lua --out kernels/        your own layers, with runtime and self-check
  ffngen generate my.lua --out kernels/ --isa avx2,c --threads pthreads
  ffngen generate my.lua --out kernels/ --dry-run
  ffngen generate                              remake generated/ from generator/specs/]]

function M.options(command)
  command:argument('spec', 'Spec files; without one, those of this project.'):args('*')
  command:option('--out', 'The folder to write to (default: generated/ of this project).')
    :argname('DIR'):convert(arguments.folder)
  command:option('--isa', 'Only these instruction sets, such as avx2,avx512.')
    :argname('LIST'):convert(arguments.isas)
  command:option('--threads', 'Adapters to threads: openmp, pthreadpool, pthreads, team; to '
    .. 'processes: mpi.')
    :argname('LIST'):convert(arguments.threads)
  command:flag('--file', 'What maps the packed weights of a model, too: ffn_file.h.')
  arguments.plan_options(command)
  command:flag('--dry-run', 'Print what would be written, and write nothing.')
end

--- The request for a user's spec files.
---@return Request
function M.request(root, args)
  if not args.out then
    problems.usage('where to? add --out DIR: ffngen generate %s --out kernels/', args.spec[1])
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
    remake = remake, dry_run = args.dry_run or false,
  }
end

--- The request for generated/.
---@return Request
local function shipped(root, args)
  for _, option in ipairs { 'out', 'isa', 'threads', 'file', 'cpu', 'tuned', 'tuned_for' } do
    if args[option] then
      problems.usage('--%s goes with spec files: ffngen generate my.lua --out kernels/',
        (option:gsub('_', '-')))
    end
  end
  if not project.is_source_tree(root) then
    problems.usage('which layers? an installed ffngen takes spec files: '
      .. 'ffngen generate my.lua --out kernels/')
  end
  local request = project.request(root)
  request.dry_run = args.dry_run or false
  return request
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
  local is_own = #args.spec > 0
  local request = (is_own and M.request or shipped)(root, args)
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
