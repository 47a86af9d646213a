--- The command line: the only file that reads argv or sets an exit code.
---
--- Exit codes: 0 ok, 1 failure, 2 usage, 3 check found a difference, 4 bad input.
local script = debug.getinfo(1, 'S').source:sub(2)
local generator = script:match('^(.*)/[^/]*$') or '.'
local root = generator == '.' and '../' or (generator:match('^(.*/)generator$') or './')
package.path = ('%s/?.lua;%s/?/init.lua;'):format(generator, generator) .. package.path

local argparse = require 'argparse'
local activations = require 'activation'
local arguments = require 'common.arguments'
local catalogue = require 'pipeline'
local emit = require 'emit.emit'
local explain = require 'commands.explain'
local files = require 'write.files'
local isas = require 'isa'
local manifest = require 'emit.manifest'
local packaging = require 'package.packaging'
local record = require 'common.record'
local runtime_files = require 'common.runtime_files'
local shell = require 'common.shell'
local tune = require 'commands.tune'
local tuned = require 'tune.tuned'
local vendor_command = require 'commands.vendor'
local version = require 'common.version'

local function message(text, ...) io.stderr:write('ffngen: ', text:format(...), '\n') end

local function quit(code) os.exit(code, true) end

local function parse()
  local parser = argparse('ffngen',
    'Feed-forward kernels with fixed sizes, as plain C that you own.'):epilog([[
Examples:
  ffngen generate                              remake generated/ from generator/specs/
  ffngen generate my.lua --out kernels/        your own layers, with runtime and self-check
  ffngen generate my.lua --out kernels/ --isa avx2,avx512 --dry-run
  ffngen vendor my.lua --out vendored/ --prefix my     a folder that your product owns
  ffngen check                                 is generated/ fresh? (exit 3 if not)
  ffngen tune my.lua                           measure here, then: generate ... --tuned auto
  ffngen explain gpt2_124m                     spec, layer and plan on one page
  ffngen list --json                           every kernel, for scripts

A spec:
  ffn 'my_layer' { variant = 'swiglu', d_model = 512, d_ff = d_model * 8 // 3 }

Exit codes: 0 ok, 1 failure, 2 usage, 3 check found a difference, 4 bad input.]])
    :command_target('command')
  parser:flag('--version', 'Print the version.'):action(function()
    print(('ffngen %s (runtime ABI %d, spec schema %d)'):format(version.generator, version.abi,
      version.schema))
    quit(0)
  end)

  local generate = parser:command('generate', 'Write kernels as C.')
  generate:argument('spec', 'Spec files; without one, those of this project.'):args('*')
  generate:option('--out', 'The folder to write to (default: generated/ of this project).')
    :argname('DIR'):convert(arguments.folder)
  generate:option('--isa', 'Only these instruction sets, such as avx2,avx512.')
    :argname('LIST'):convert(arguments.isas)
  generate:option('--threads', 'Adapters to threads: openmp, pthreadpool, pthreads, team.')
    :argname('LIST'):convert(arguments.threads)
  generate:flag('--dry-run', 'Print what would be written, and write nothing.')

  --- Records are used where they are asked for, never because they are there.
  local function tuned_options(command)
    command:option('--tuned', 'A record of ffngen tune; "auto" is this CPU\'s own.'):argname('FILE')
    command:option('--tuned-for', 'The CPU to generate for (default: this one).'):argname('CPU')
  end
  tuned_options(generate)

  local alone = parser:command('activations',
    'Write the activations alone, as functions over arrays, for tests.')
  alone:option('--out', 'The folder to write to.'):argname('DIR'):convert(arguments.folder)

  local vendored = vendor_command.define(parser)

  local packaged = parser:command('packaging',
    'Write completions, man page, pkg-config file and rockspec, for an installation.')
  packaged:option('--out', 'The folder to write to.'):argname('DIR'):convert(arguments.folder)

  parser:command('check', 'Tell whether generated/ is what generate would write (exit 3 if not).')

  local explained = parser:command('explain', 'Show spec, layer and plan of a spec or kernel.')
  explained:argument('name', 'A spec, layer or kernel name.')
  explained:argument('spec', 'Spec files; without one, those of this project.'):args('*')
  tuned_options(explained)

  local tuning = tune.command(parser)

  local list = parser:command('list', 'List all kernels.')
  list:argument('spec', 'Spec files; without one, those of this project.'):args('*')
  list:flag('--json', 'Machine-readable output.')

  function parser.error(_, problem)
    message('%s', problem)
    message('see ffngen --help')
    quit(2)
  end
  for _, command in ipairs { generate, alone, vendored, packaged, explained, list, tuning } do
    command.error = parser.error
  end
  return parser:parse(), parser
end

--- The shipped spec files: those whose output is committed, and those for the tests alone.
local function shipped() return catalogue.spec_files(root .. 'generator/specs') end
local function shipped_tests() return catalogue.spec_files(root .. 'tests/specs') end

local function default_specs(paths)
  if #paths > 0 then return paths end
  local all = shipped()
  for _, path in ipairs(shipped_tests()) do all[#all + 1] = path end
  return all
end

--- The record that --tuned asks for, or nil.
local function tuned_record(args)
  if args.tuned_for and not args.tuned then
    message('--tuned-for goes with --tuned FILE')
    quit(2)
  end
  return args.tuned and tuned.wanted(root, args.tuned, args.tuned_for)
end

--- Every file of an output folder, with these of the runtime.
local function output(paths, only, runtime, measured)
  local plans = catalogue.plans(catalogue.read(paths), only, measured)
  local list = {}
  local function add(path, text) list[#list + 1] = { path = path, text = text } end
  for _, p in ipairs(plans) do add(p.name .. '.c', emit.kernel(root, p)) end
  add('kernels.inc', manifest.kernels_inc(plans))
  add('activations.inc', manifest.activations_inc())
  add('isas.inc', manifest.isas_inc())
  for _, file in ipairs(runtime) do add(file, runtime_files.read(root, file)) end
  return list, plans
end

--- Files of some folders of the project, sorted, as ninja shall see them.
local function project_files(folders)
  local list = {}
  for _, folder in ipairs(folders) do
    for _, entry in ipairs(files.list(root .. folder)) do
      if entry:match('^%w.*%.%a+$') then list[#list + 1] = folder .. '/' .. entry end
    end
  end
  return list
end

local source_folders = {
  'generator', 'generator/activation', 'generator/commands', 'generator/common', 'generator/emit',
  'generator/isa', 'generator/lower', 'generator/package', 'generator/plan', 'generator/read',
  'generator/tune', 'generator/vendor', 'generator/write', 'templates', 'templates/vendor',
  'runtime',
}

--- Only a source tree has generated/: what is installed has no launcher beside generator/.
local function is_source_tree() return files.read(root .. 'ffngen') ~= nil end

--- What generated/ holds: the committed kernels, and the build edges of all shipped ones.
local function project_output()
  local list = output(shipped(), nil, {})
  local function add(path, text) list[#list + 1] = { path = path, text = text } end
  local function set_of(path) return path:match('([^/]+)%.lua$') end
  local function plans_of(path) return catalogue.plans(catalogue.read { path }) end
  for _, path in ipairs(shipped()) do
    local set, plans = set_of(path), plans_of(path)
    add(set .. '.inc', manifest.kernels_inc(plans))
    add(set .. '.ninja', manifest.objects_ninja(plans, set, 'generated'))
  end
  local sets = {}
  for i, path in ipairs(shipped_tests()) do
    local set, plans = set_of(path), plans_of(path)
    local folder = 'build/kernels/' .. set
    sets[i] = { spec = 'tests/specs/' .. set .. '.lua', plans = plans, folder = folder }
    add(set .. '.ninja', manifest.objects_ninja(plans, set, folder))
  end
  local outputs = { 'generated/generate.ninja' }
  for i, file in ipairs(list) do outputs[i + 1] = 'generated/' .. file.path end
  add('generate.ninja', manifest.generate_ninja(project_files(source_folders),
    { specs = project_files { 'generator/specs' }, outputs = outputs }, sets))
  return list
end

--- Whether a file was made by an earlier run: a file that only has such a name is its owner's.
local function is_ours(entry, text)
  local kernel = entry:match('^(.*)%.c$')
  if not kernel then return text:match('^%S+ Made by ffngen generate') ~= nil end
  return text:find('\n * ' .. kernel .. '\n', 1, true) and text:find('ffngen generate', 1, true)
end

--- Files in a folder that this run does not make: left over from an earlier one.
local function stale_in(folder, list)
  local made, stale = {}, {}
  for _, file in ipairs(list) do made[file.path] = true end
  for _, entry in ipairs(files.list(folder)) do
    local text = entry:match('%.%a+$') and not made[entry] and files.read(folder .. '/' .. entry)
    if text and is_ours(entry, text) then stale[#stale + 1] = entry end
  end
  return stale
end

local function generate(args)
  local own = #args.spec > 0
  if not own and (args.out or args.isa or args.threads) then
    message('--out, --isa and --threads go with spec files: ffngen generate my.lua '
      .. '--out kernels/')
    return 2
  end
  if not own and (args.tuned or args.tuned_for) then
    message('generated/ is made without records: --tuned goes with spec files and --out')
    return 2
  end
  if not own and not is_source_tree() then
    message('which layers? an installed ffngen takes spec files: '
      .. 'ffngen generate my.lua --out kernels/')
    return 2
  end
  if own and not args.out then
    message('where to? add --out DIR: ffngen generate %s --out kernels/', args.spec[1])
    return 2
  end
  local folder = args.out and (args.out:gsub('(.)/+$', '%1')) or root .. 'generated'
  local list, plans
  if own then
    local runtime = { table.unpack(runtime_files.core) }
    for _, file in ipairs(runtime_files.adapters(args.threads or {})) do
      runtime[#runtime + 1] = file
    end
    local measured = tuned_record(args)
    list, plans = output(args.spec, args.isa, runtime, measured)
    if #plans == 0 then
      message('no kernel left: the specs build for none of the instruction sets asked for')
      return 4
    end
    if measured then message('%s', tuned.summary(measured, plans)) end
  else
    list = project_output()
  end
  local changes = files.compare(folder, list, stale_in(folder, list))
  for _, change in ipairs(changes) do
    if args.dry_run then
      print(('%-8s %8d  %s'):format(change.kind, change.text and #change.text or 0, change.path))
    end
  end
  local total = 0
  for _, file in ipairs(list) do total = total + #file.text end
  if args.dry_run then
    print(('%d of %d files would change, %d bytes in all; nothing was written'):format(
      #changes, #list, total))
    return 0
  end
  local ok, problem = files.apply(folder, changes)
  if not ok then
    message('%s: nothing was written', problem)
    return 1
  end
  message('%d files in %s/, %d changed', #list, folder, #changes)
  if own then
    print(('cd %s && cc -O2 -I. *.c -lm -o selfcheck && ./selfcheck'):format(shell.word(folder)))
  end
  return 0
end

local function check()
  if not is_source_tree() then
    message('check is for the source tree of ffngen; this one is installed. '
      .. 'For your own layers: ffngen generate my.lua --out kernels/ --dry-run')
    return 2
  end
  local list = project_output()
  local folder = root .. 'generated'
  local changes = files.compare(folder, list, stale_in(folder, list))
  if #changes == 0 then return 0 end
  for _, change in ipairs(changes) do
    message('generated/%s is %s', change.path, change.kind == 'new' and 'missing'
      or change.kind == 'changed' and 'not what its spec makes' or 'left over')
  end
  message('Fix: ./ffngen generate')
  return 3
end

local function explained(args)
  local specs = catalogue.read(default_specs(args.spec))
  local choices, measured = {}, tuned_record(args)
  for _, s in ipairs(specs) do
    local plans, wanted = catalogue.plans({ s }, nil, measured), {}
    for _, p in ipairs(plans) do
      if s.name == args.name or p.layer.name == args.name or p.name == args.name then
        wanted[#wanted + 1] = p
      end
      choices[#choices + 1] = p.name
    end
    choices[#choices + 1] = s.name
    if #wanted > 0 then
      io.write(explain.page(s, wanted))
      return 0
    end
  end
  local hint = record.suggest(args.name, choices)
  message('no spec or kernel "%s"%s', record.shown(args.name),
    #hint < 200 and hint or '; see ffngen list')
  return 4
end

local function list_all(args)
  local plans = catalogue.plans(catalogue.read(default_specs(args.spec)))
  if args.json then
    local json = require 'dkjson'
    io.write(json.encode(explain.list_table(plans), {
      indent = true,
      keyorder = { 'schema', 'kernels', 'name', 'layer', 'spec', 'kind', 'variant', 'dtype', 'isa',
        'inputs', 'hidden', 'outputs', 'bias', 'flop_per_token', 'packed_bytes', 'work_bytes' },
    }), '\n')
  else
    io.write(explain.list(plans))
  end
  return 0
end

--- Writes files to the folder of --out.
local function write_out(args, list)
  local ok, problem = files.apply(args.out, files.compare(args.out, list, {}))
  if not ok then
    message('%s: nothing was written', problem)
    return 1
  end
  return 0
end

local function tune_specs(args) return tune.run(root, args, default_specs {}) end

--- act_<isa>.c for every instruction set.
local function alone(args)
  if not args.out then
    message('where to? ffngen activations --out DIR')
    return 2
  end
  local list, wanted = {}, { (require 'activation.exp') }
  for _, activation in ipairs(activations.names) do
    wanted[#wanted + 1] = activations.by_name[activation]
  end
  for i, isa in ipairs(isas.names) do
    list[i] = {
      path = ('act_%s.c'):format(isa),
      text = emit.activations(root, isas.by_name[isa], wanted),
    }
  end
  return write_out(args, list)
end

local function packaged(args, parser)
  if not args.out then
    message('where to? ffngen packaging --out DIR')
    return 2
  end
  return write_out(args, packaging.files(root, parser))
end

local function vendored(args) return vendor_command.run(root, args, message) end

local commands = {
  generate = generate, activations = alone, vendor = vendored, packaging = packaged, check = check,
  explain = explained, list = list_all, tune = tune_specs,
}

local args, parser = parse()
local ok, result = xpcall(commands[args.command], function(problem)
  if type(problem) == 'table' and problem.bad_input then return problem end
  return debug.traceback(tostring(problem), 2)
end, args, parser)
if ok then quit(result) end
if type(result) == 'table' then
  message('%s', result.bad_input)
  message('nothing was written')
  quit(4)
end
message('internal error: %s', result)
quit(1)
