--- `ffngen vendor`: its options, and what it says and writes.
local arguments = require 'commands.arguments'
local code_bytes = require 'vendor.code_bytes'
local code_costs = require 'commands.code_costs'
local cpus = require 'cpu'
local differences = require 'common.differences'
local embed = require 'vendor.embed'
local exits = require 'commands.exits'
local files = require 'write.files'
local kernels_of = require 'vendor.kernels_of'
local lists = require 'common.list'
local message = require 'common.message'
local output = require 'common.output'
local mixtures = require 'lower.mixtures'
local pipeline = require 'pipeline'
local prefix_words = require 'common.prefix_words'
local problems = require 'common.problem'
local record = require 'common.record'
local remake = require 'vendor.remake'
local shell = require 'common.shell'
local tuned = require 'tune.tuned'
local unbounded = require 'lower.unbounded'
local vendor = require 'vendor.folder'
local weight_names = require 'tensors.names'

local M = { about = 'Write a folder of C that your product owns.' }

M.purpose = {
  'vendor writes the layers of spec files as a folder to commit to your product. All names of '
    .. 'files, functions and macros begin with your prefix. Two such folders with different '
    .. 'prefixes can be linked into one program.',
  'The folder has the kernels, what the kernels need, a self-check, an example, files for CMake, '
    .. 'Meson, pkg-config and ninja, and a README.md with the command that makes the folder again. '
    .. 'The folder compiles with any C11 compiler, without flags.',
}

--- The names that --weights finds, for the page.
function M.tables()
  local rows = lists.map(weight_names.rows(), function(row)
    return ('%-17s %-18s %-13s %s'):format(table.unpack(row))
  end)
  table.insert(rows, 1, ('%-17s %-18s %-13s %s'):format('gate', 'up', 'down', 'called so by'))
  return {
    { title = 'Names that --weights finds, as NAME.weight and NAME.bias behind any prefix',
      lines = rows },
    { title = 'Names that --weights finds for a chain',
      lines = {
        '0, 2, 4 as torch.nn.Sequential has them, or any numbers in ascending order',
        table.concat(weight_names.numbered, '1, ', 2) .. '1, and the same with 2, 3 and so on',
      } },
    { title = 'Lines of a file for --weights-map, for any other names',
      lines = {
        'gate.weight = NAME', 'chain[0].weight = NAME transposed     stored as [in][out]',
      } },
  }
end

M.examples = {
  { 'ffngen vendor my.lua --prefix my --out vendored/', 'Write the folder vendored/.' },
  { 'ffngen vendor my.lua --prefix my --out vendored/ --check',
    'Check that the folder is up to date. Exit with 3 if the folder is not.' },
  { 'ffngen vendor my.lua --prefix my --out one/ --single-file --isa avx2,c',
    'Write one .c and one .h for the kernels, with AVX2 and portable C only.' },
  { 'ffngen vendor my.lua --prefix my --out small/ --isa c --no-dispatch --freestanding',
    'Write portable C for a small device without a C library.' },
}

M.files = {
  arguments.spec_file, arguments.record_file,
  { 'DIR/PREFIX.h', 'The functions of the layers. Include this file.' },
  { 'DIR/PREFIX_KERNEL.c', 'A kernel.' },
  { 'DIR/PREFIX_*.c, PREFIX_*.h', 'What the kernels need, the self-check and the example.' },
  { 'DIR/README.md', 'How to use the folder, and the command that makes it again.' },
  { 'DIR/CMakeLists.txt, meson.build, ...',
    'Files for build systems. Delete those that you do not use.' },
}

M.exits = {
  exits.success, exits.failure, exits.usage,
  { 3, 'With --check: the folder is not up to date.' }, exits.input,
}

function M.options(command)
  command:argument('spec', 'Spec files.'):args('+')
  arguments.out(command)
  command:option('--layer', 'Write these layers of the spec files only: names, with commas '
    .. 'between.')
    :argname('LIST')
  arguments.isa_option(command)
  arguments.plan_options(command)
  command:option('--prefix', 'Begin all names with NAME, in small letters.')
    :argname('NAME'):convert(arguments.prefix):default('ffn')
  command:mutex(
    command:flag('--single-file', 'Write one .c and one .h for the kernels.'),
    command:flag('--header-only', 'Write one .h for the kernels, for C and C++17.'))
  command:flag('--no-dispatch', 'Never ask the CPU for its instruction sets. Needs --isa with '
    .. 'exactly one instruction set.')
  command:flag('--freestanding', 'Use no C library, only stdint.h and stddef.h.')
  arguments.threads_option(command)
  command:flag('--cpp', 'Add PREFIX.hpp, a header for C++17. The prefix is the namespace.')
  command:flag('--no-selfcheck', 'Write no self-check and no example. No file has a main() then.')
  command:flag('--flat', 'Add PREFIX_flat.h, plain functions for Rust, Go, Zig, C#.')
  command:flag('--file', 'Add PREFIX_file.h, which maps a file that ffn-pack wrote into memory.')
  command:option('--weights', 'Write the weights of a small layer into the code: packed ones as '
    .. '.ffn of ffn-pack; or numbers as .safetensors, or f32 as .bin or .npy.'):argname('FILE')
  command:option('--weights-prefix', 'The name of the entry in an .ffn file, or the part of the '
    .. 'tensors\' names in front of gate, up and down: model.layers.0.mlp.'):argname('TEXT')
  command:option('--weights-map', 'A file that says which tensor is which matrix: see below.')
    :argname('FILE')
  command:option('--weights-order',
    'How matrices are stored, if shapes do not show it: out-in (torch.nn.Linear), in-out (Keras, '
    .. 'GPT-2).')
    :argname('ORDER'):choices { 'out-in', 'in-out' }
  command:option('--weights-leave', 'Ignore these tensors or modules of the file: whole names, '
    .. 'with commas between. vendor refuses other tensors that may change the layer.')
    :argname('LIST'):convert(arguments.listed)
  command:option('--license', 'The licence in each file, as SPDX writes it.')
    :argname('SPDX'):convert(arguments.license):default(vendor.default_license)
  command:option('--max-tu-bytes', 'Split source files that are longer than N bytes.')
    :argname('N'):convert(arguments.bytes)
  command:mutex(
    arguments.dry_run(command),
    command:flag('--check', 'Check that the folder is up to date (exit 3 if not). Write nothing.'))
  arguments.json(command)
end

--- The specs asked for by name, in the order of the files.
local function chosen(specs, text)
  if not text then return specs end
  local names, wanted = lists.map(specs, function(s) return s.name end), {}
  for name in (text .. ','):gmatch('([^,]*),') do
    if not lists.has(names, name) then
      problems.bad_input('--layer', 'no layer "%s" in the spec files%s', record.shown(name),
        record.suggest(name, names))
    end
    wanted[#wanted + 1] = name
  end
  return lists.filter(specs, function(s) return lists.has(wanted, s.name) end)
end

--- What is wrong with the options as a whole, or nil.
local function usage_problem(args)
  if not args.out then
    return ('the option --out is missing: ffngen vendor %s --out kernels/'):format(args.spec[1])
  end
  if args.max_tu_bytes and (args.single_file or args.header_only) then
    return '--max-tu-bytes splits files, --single-file and --header-only join them: choose one'
  end
  if args.cpp and args.freestanding then
    return '--cpp takes memory of a libc, --freestanding has none: choose one'
  end
  if args.file and args.freestanding then
    return '--file maps files of a system, --freestanding has none: choose one'
  end
  if args.flat and args.header_only then
    return '--flat makes functions for other languages to link, --header-only no file that has '
      .. 'them: choose one'
  end
  if lists.has(args.threads or {}, 'mpi') and (args.single_file or args.header_only) then
    return '--threads mpi adds a source that includes the header of kernels, --single-file and '
      .. '--header-only have no such file: choose one'
  end
  local no_namespace = args.cpp and prefix_words.namespace_problem(args.prefix)
  if no_namespace then return '--cpp: ' .. no_namespace end
  if args.no_dispatch and (not args.isa or #args.isa ~= 1) then
    return '--no-dispatch needs exactly one instruction set: --isa avx2'
  end
  if args.no_dispatch and args.cpu and #args.cpu > 1 then
    return '--no-dispatch asks for no CPU, and --cpu names several: choose one'
  end
  local weights = args.weights or ''
  if args.weights_order and (not args.weights or weights:match '%.ffn$') then
    return '--weights-order needs --weights FILE of numbers'
  end
  for _, field in ipairs { 'weights_prefix', 'weights_map', 'weights_leave' } do
    if args[field] and not weights:match '%.safetensors$'
      and not (field == 'weights_prefix' and weights:match '%.ffn$') then
      return ('--%s needs --weights FILE.safetensors%s'):format((field:gsub('_', '-')),
        field == 'weights_prefix' and ' or FILE.ffn' or '')
    end
  end
  if args.weights_map and (args.weights_prefix or args.weights_order) then
    return '--weights-map says all of a name: without --weights-prefix and --weights-order'
  end
  return nil
end

--- A layer as a product owns it: its spec, and the name of the one layer that this comes to.
---@param isas string[]|nil those asked for
local function owned(s, isas)
  pipeline.expect_kernels(s, isas)
  local layer = pipeline.lower({ s }, isas)[1].layer
  local blocks = lists.filter(layer.passes.forward, function(stage)
    return not stage.stream.format.pack
  end)[1]
  return {
    spec = s, name = layer.name, beside = layer.beside,
    blocks = blocks and blocks.stream.format.name or false,
    takes_scales = #lists.filter(layer.passes.forward, function(stage)
      return stage.arithmetic.scales == 'static'
    end) > 0,
  }
end

--- Scales of x come with weights that pack() takes, or that are in the code.
local function refuse_scales(layers)
  for _, l in ipairs(layers) do
    local s = l.spec
    if l.takes_scales then
      problems.bad_input(problems.place(s.file, s.line), '"%s" has operand_scales = "static", and '
        .. 'the plain functions of --flat take no scales of x: leave out --flat, or choose other '
        .. 'layers with --layer NAME', s.name)
    end
  end
end

--- Plain functions give one y, of weights in floats: several outputs, each to a place of its own,
--- and blocks they have no form for, unless the weights are in the code.
local function refuse_flat(layers, are_embedded)
  for _, l in ipairs(layers) do
    local s = l.spec
    if l.beside then
      problems.bad_input(problems.place(s.file, s.line), '"%s" has several outputs, and the plain '
        .. 'functions of --flat give one: leave out --flat, or choose other layers with --layer '
        .. 'NAME',
        s.name)
    end
    if l.blocks and not are_embedded then
      problems.bad_input(problems.place(s.file, s.line), '"%s" has weights of %s, which are packed '
        .. 'from blocks, and the plain functions of --flat take floats: leave out --flat, or '
        .. 'choose other layers with --layer NAME', s.name, l.blocks)
    end
  end
end

---@return VendorRequest
---@return TunedRecord|nil measured
local function request(root, args)
  local specs = chosen(pipeline.read(args.spec), args.layer)
  local layers = lists.map(specs, function(s) return owned(s, args.isa) end)
  local measured = arguments.measured(root, args)
  local plans = pipeline.plan(pipeline.asked(root, specs, args.isa, measured), {
    profiles = args.cpu or args.no_dispatch and { cpus.all[1] } or nil, measured = measured,
  })
  if args.weights and #specs ~= 1 then
    problems.bad_input('--weights', 'the weights are those of one layer, and the spec files have '
      .. '%d layers: choose one with --layer NAME',
      #specs)
  end
  if args.weights and specs[1].backward then
    problems.bad_input(problems.place(specs[1].file, specs[1].line), '"%s" is trained (backward = '
      .. 'true), and weights in the code never change: leave out --weights, or give a copy of the '
      .. 'layer without backward', specs[1].name)
  end
  if args.flat then
    refuse_scales(layers)
    refuse_flat(layers, args.weights ~= nil)
  end
  return record.strict('request', {
    layers = layers, plans = plans, mixtures = mixtures.of(specs), prefix = args.prefix,
    layout = args.single_file and 'single' or args.header_only and 'header' or 'files',
    dispatch = not args.no_dispatch, freestanding = args.freestanding or false,
    threads = args.threads or {}, cpp = args.cpp or false,
    flat = args.flat or false, file = args.file or false, selfcheck = not args.no_selfcheck,
    license = args.license,
    max_bytes = args.max_tu_bytes or false,
    weights = args.weights and embed.weights({
      path = args.weights, prefix = args.weights_prefix, map = args.weights_map,
      order = args.weights_order, leave = args.weights_leave, PREFIX = args.prefix:upper(),
    }, specs[1], plans[1]) or false,
    remake = remake.of(root, args, vendor.default_license, measured),
  }), measured
end

--- Files that vendor once made and now does not are stale; those that it did not make are
--- somebody's.
local function is_made(_, head) return head:sub(1, 400):find(vendor.made, 1, true) ~= nil end

--- What is told of a run, as a table for JSON.
local function report(folder, list, changes, layers)
  local kind_of, file_rows, kernels = {}, {}, {}
  for _, change in ipairs(changes) do kind_of[change.path] = change.kind end
  for i, file in ipairs(list) do
    file_rows[i] = { path = file.path, bytes = #file.text, state = kind_of[file.path] or 'same' }
  end
  for _, change in ipairs(changes) do
    if change.kind == 'stale' then
      file_rows[#file_rows + 1] = { path = change.path, bytes = 0, state = 'stale' }
    end
  end
  for _, l in ipairs(layers) do
    for _, k in ipairs(l.kernels) do
      kernels[#kernels + 1] = {
        name = k.name, layer = l.name, spec = l.spec,
        text_bytes = k.code.text, text_bytes_fma = k.code.text_fma or nil,
        compile_ms = code_bytes.compile_milliseconds(k.code.text),
        packed_bytes = l.packed_bytes, work_bytes = k.work_bytes, flop_per_token = l.flop,
      }
    end
  end
  return { schema = 1, folder = folder, files = file_rows, kernels = kernels }
end

local function print_report(told, changed)
  for _, file in ipairs(told.files) do
    if file.state ~= 'same' then
      output.line('%-8s %8d  %s', file.state, file.bytes, file.path)
    end
  end
  for _, k in ipairs(told.kernels) do
    output.line('kernel   %8d  %s: estimated bytes of code; about %.1f s to compile%s',
      k.text_bytes, k.name, k.compile_ms / 1000, k.text_bytes_fma
      and ('; %d bytes with an FMA instruction'):format(k.text_bytes_fma) or '')
  end
  output.line('%d of %d files would change; nothing was written', changed, #told.files)
end

--- Tells of layers whose compressed weights cost more code than they save.
---@param asked VendorRequest
---@param layers table[]  with their kernels' bytes of code
local function tell_costs(root, asked, layers)
  for i, l in ipairs(asked.layers) do
    local code = 0
    for _, k in ipairs(layers[i].kernels) do code = code + k.code.text end
    local costs = code_costs.told(root, l.spec, kernels_of(l.spec, l.name, asked.plans), code)
    if costs then message('"%s": %s', l.spec.name, costs) end
  end
end

--- The command that compiles a folder, and checks it where it can be.
---@param asked VendorRequest
local function compiling(asked)
  if asked.selfcheck then return 'cc -O2 *.c -lm -o selfcheck && ./selfcheck' end
  if asked.layout ~= 'header' then return 'cc -O2 -c *.c' end
  local prefix = asked.prefix
  return ('cc -O2 -D%s_IMPLEMENTATION -x c -c %s.h -o %s.o'):format(prefix:upper(), prefix, prefix)
end

---@param root string the project's folder
---@return integer exit code
function M.run(root, args)
  local problem = usage_problem(args)
  if problem then
    message('%s', problem)
    return 2
  end
  local folder = args.out:gsub('(.)/+$', '%1')
  local asked, measured = request(root, args)
  local list, layers = vendor.folder(root, asked)
  if measured then message('%s', tuned.summary(measured, asked.plans)) end
  tell_costs(root, asked, layers)
  local lowered = lists.map(asked.plans, function(plan) return plan.layer end)
  for _, text in ipairs(unbounded.of(lowered)) do message('%s', text) end
  local written = {
    folder = folder, files = list, maker = 'vendor', is_ours = is_made, is_stale = is_made,
  }
  local changes = files.compare(written)
  local told = report(folder, list, changes, layers)
  if args.json then
    output.write((require 'dkjson').encode(told, {
      indent = true,
      keyorder = { 'schema', 'folder', 'files', 'kernels', 'path', 'bytes', 'state', 'name',
        'layer', 'spec', 'text_bytes', 'text_bytes_fma', 'compile_ms', 'packed_bytes', 'work_bytes',
        'flop_per_token' },
    }), '\n')
  end
  if args.check then
    local code = differences.tell(folder, changes, 'not what the spec makes')
    if code ~= 0 then message('To fix this: run the same command without --check') end
    return code
  end
  if args.dry_run then
    if not args.json then print_report(told, #changes) end
    return 0
  end
  changes = files.write(written)
  message('%d files in %s/, %d changed', #list, folder, #changes)
  if not args.json then
    output.line('cd %s && ' .. compiling(asked), shell.quoted(folder))
  end
  return 0
end

return M
