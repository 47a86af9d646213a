--- `ffngen import`: a model's file to a spec, the plan of its weights, and kernels.
local arguments = require 'commands.arguments'
local arithmetics = require 'arithmetic'
local asked_formats = require 'import.asked_formats'
local disk = require 'common.disk'
local doubles = require 'import.doubles'
local exits = require 'commands.exits'
local files = require 'write.files'
local found_records = require 'import.found'
local generate = require 'commands.generate'
local groups = require 'import.groups'
local host_text = require 'import.host.text'
local lfs = require 'lfs'
local lists = require 'common.list'
local message = require 'common.message'
local mixtures = require 'lower.mixtures'
local output = require 'common.output'
local pipeline = require 'pipeline'
local plan_text = require 'import.plan_text'
local problems = require 'common.problem'
local products = require 'import.products'
local readers = require 'import.readers'
local report = require 'import.report'
local role_words = require 'import.role_words'
local shell = require 'common.shell'
local spec = require 'read.spec'
local spec_text = require 'import.spec_text'
local unbounded = require 'lower.unbounded'
local weights = require 'weights'

local M = { about = 'Write the feed-forward layers of a trained model as C.' }

M.purpose = {
  'import reads a model and finds its feed-forward layers. import writes three things: a spec of '
    .. 'the layers, a plan that says where each layer has its weights in the model, and the '
    .. 'kernels. ffn-pack then reads the plan and writes the packed weights; import prints that '
    .. 'command.',
  'import guesses nothing. If a model does not say what a layer computes, import asks for an '
    .. 'option such as --variant. Your own program computes the rest of the model: attention, '
    .. 'norms, routers. import prints a list of this rest.',
}

M.examples = {
  { 'ffngen import model/ --out mine/', 'Write mine/model.lua, mine/PLAN.json and mine/kernels/.' },
  { 'ffngen import model/ --list', 'Print which layers the model has.' },
  { 'ffngen import model/ --out mine/ --isa avx2,c --threads pthreads --file',
    'Write kernels for AVX2 and portable C only, the adapter to POSIX threads, and ffn_file.h.' },
  { 'ffngen import alone/config.json --out mine/ --spec-only',
    'Write no kernels. This needs no tensors: config.json alone gives the spec.' },
  { 'ffngen import model/ --out mine/ --dry-run --json', 'Print as JSON what would be written.' },
  { 'ffngen import model/ --out mine/ --weights i8',
    'Pack floats of the model as bytes, with a scale for each output.' },
  { 'ffngen import model.gguf --out mine/ --arithmetic up=dot_s8',
    'Multiply gate and up as integers, with activations of 8 bits, and down as floats.' },
  { 'ffngen import model/ --out mine/ --also attention,head',
    'Take the products of attention and the head, too: then the file has all matrices.' },
  { 'ffngen import mixture/ --out mine/ --also router',
    'Take mixtures of experts whole, with their routers: mine/model.lua then has a moe.' },
  { 'ffngen import layers.safetensors --out other/ --variant swiglu',
    'Name the variant: the names of the tensors alone do not say SwiGLU.' },
}

M.files = {
  { 'PATH', 'Input: the model. import reads the headers of its files, weights of 64 bits and some '
    .. 'small tensors, and no other weights.' },
  { 'DIR/model.lua', 'The spec, with the reason for each field.' },
  { 'DIR/PLAN.json', 'The plan, for ffn-pack. Not written if config.json is alone.' },
  { 'DIR/host.json, DIR/host.h', 'What your program needs of the model beside kernels and weights: '
    .. 'norms, heads, positions. Not written if config.json is alone.' },
  { 'DIR/kernels/', 'What `ffngen generate DIR/model.lua --out DIR/kernels` writes, with the same '
    .. '--isa, --cpu, --threads and --file. Not written with --spec-only.' },
}

M.exits = {
  exits.success, exits.failure, exits.usage,
  { 4, 'The model has no layer that import takes, or import refuses something. ffngen wrote '
    .. 'nothing.' },
}

function M.tables()
  return { {
    title = 'Kinds of models; import takes the first kind that fits',
    lines = lists.map(readers.names, function(name)
      return ('%-14s %s'):format(name, readers.by_name[name].about)
    end),
  } }
end

function M.options(command)
  command:argument('path', 'The file of a model, or its folder.'):args(1)
  command:option('--out', 'The folder to write to. Required without --list.')
    :argname('DIR'):convert(arguments.folder)
  command:flag('--spec-only', 'Write no kernels. A config.json needs no tensors then: its dtype '
    .. 'tells the format.')
  arguments.isa_option(command)
  arguments.cpu_option(command)
  arguments.threads_option(command)
  arguments.file_option(command)
  command:option('--node', 'Take this layer only: the name of a module, a block of GGUF '
    .. '(blk.3), or a node of a graph.')
    :argname('NAME')
  command:option('--also', 'Take these, too, with commas between: attention (q, k, v, o), head, '
    .. 'router (of experts, with the expert that all tokens share: then model.lua has a moe), all '
    .. '(these, and any other matrix that is no table).')
    :argname('WORDS'):convert(products.also)
  command:option('--variant', 'The variant of the layers, if the model does not say it: swiglu. '
    .. 'Two variants, if only some layers have a gate: swiglu,gelu.'):argname('LIST')
  command:option('--activation', 'The activation behind each matrix of a chain, if the model does '
    .. 'not say it: relu,identity.'):argname('LIST')
  command:option('--order', 'How matrices are stored, if shapes do not show it: out-in '
    .. '(torch.nn.Linear), in-out (Keras, GPT-2).'):argname('ORDER'):choices { 'out-in', 'in-out' }
  command:option('--leave', 'Ignore these tensors, modules or keys of config.json: whole names, '
    .. 'with commas between.'):argname('LIST'):convert(arguments.listed)
  command:option('--weights', 'Pack floats of the model as this format, which ffn-pack then makes '
    .. 'of them: q4_0; or by role: up=q4_K,down=q8_0. up is the word of gate, too.')
    :argname('WORDS'):convert(role_words.reader('--weights', 'format', weights.names))
  command:option('--arithmetic', ('How products are summed: %s; or by role: '
    .. 'up=dot_s8,down=fma_f32. up is the word of gate, too. With dot_s8, products whose format '
    .. 'dot_s8 does not multiply stay in fma_f32; import names them. Default: %s.'):format(
    table.concat(arithmetics.words, ', '), arithmetics.words[1]))
    :argname('WORDS'):convert(role_words.reader('--arithmetic', 'arithmetic', arithmetics.words))
  command:flag('--decode', 'Allow weights that no format holds to become f32, each rounded once.')
  command:flag('--float-activations', 'Allow x and the hidden values to stay f32 if the model '
    .. 'rounds them to fewer bits.')
  command:mutex(
    command:flag('--list', 'Print the layers of the model. Write nothing.'),
    arguments.dry_run(command))
  arguments.json(command)
end

local option_names = { 'node', 'also', 'decode', 'leave', 'float_activations', 'variant',
  'activation', 'order' }

--- What a reader is told, and nothing that it does not ask.
---@param reader ModelReader
---@return ImportOptions
local function options_of(reader, args)
  for _, name in ipairs(option_names) do
    if args[name] and not lists.has(reader.takes, name) then
      local function of(is_wanted)
        return table.concat(lists.filter(readers.names, function(one)
          return is_wanted(readers.by_name[one])
        end), ', ')
      end
      problems.usage('leave out --%s: only the readers %s take this option, and the reader of this '
        .. 'model is %s', (name:gsub('_', '-')),
        of(function(one) return lists.has(one.takes, name) end),
        of(function(one) return one == reader end))
    end
  end
  return {
    node = args.node, also = args.also, decode = args.decode or false, leave = args.leave or {},
    float_activations = args.float_activations or false, variant = args.variant,
    activation = args.activation, order = args.order, spec_only = args.spec_only or false,
    has_weights = args.weights ~= nil,
  }
end

--- What a path holds.
---@return Found
local function read(path, args)
  local mode = disk.mode(path)
  if not mode then problems.bad_input(path, 'there is no such file or folder') end
  if mode ~= 'directory' then
    local handle, reason = disk.open(path)
    if not handle then problems.bad_input(path, 'cannot be read: %s', reason) end
    handle:close()
  end
  local reader = readers.of(path)
  if not reader then
    require('files.model_folder').refuse(path, mode == 'directory' and disk.list(path) or {})
  end
  local options = options_of(reader, args)
  local found = doubles.settle(found_records.of(reader.read(path, options)), options.decode)
  return asked_formats.settle(found, args.weights)
end

--- The files of DIR/kernels/, as `ffngen generate DIR/model.lua --out DIR/kernels` writes them
--- with the same options.
---@return File[]
local function kernels_of(root, args, folder, named)
  local path = folder .. '/model.lua'
  local request = generate.request(root, {
    spec = { path }, out = folder .. '/kernels', isa = args.isa, cpu = args.cpu,
    threads = args.threads, file = args.file,
  })
  local specs = spec.of_text(path, named.text, {})
  for _, s in ipairs(specs) do pipeline.expect_kernels(s, args.isa) end
  local wanted = pipeline.lower(specs, args.isa)
  local list = pipeline.emit(root, pipeline.plan(wanted, request), request, mixtures.of(specs))
  return lists.map(list, function(file)
    return { path = 'kernels/' .. file.path, text = file.text }
  end)
end

local first_of = {
  ['model.lua'] = spec_text.first_line, ['PLAN.json'] = plan_text.first_line,
  ['host.json'] = host_text.first_json, ['host.h'] = host_text.first_header,
}

--- Who made a file, told by its first bytes.
local function is_ours(name, head)
  local inside = name:match '^kernels/(.*)$'
  if inside then return pipeline.is_ours(inside, head) end
  local first = first_of[name]
  return head:sub(1, #first) == first
end

local function is_stale(name, head)
  if name ~= 'model.lua' and first_of[name] then return is_ours(name, head) end
  local inside = name:match '^kernels/(.*)$'
  return inside ~= nil and pipeline.is_stale(inside, head)
end

--- Collects again, however a block ends.
local collecting = setmetatable({}, { __close = function() collectgarbage('restart') end })

--- How the next command is called: of the source tree where it is built there, else by its name.
local function packer(root)
  local built = root .. 'build/ffn-pack'
  return disk.mode(built) == 'file' and shell.quoted(built) or 'ffn-pack'
end

local kernel_options = { 'isa', 'cpu', 'threads', 'file' }

--- Refuses options that say nothing together.
local function check_options(args)
  if not args.out and not args.list then
    problems.usage('the option --out is missing: ffngen import %s --out mine/', args.path)
  end
  local without = args.list and '--list' or args.spec_only and '--spec-only'
  for _, name in ipairs(without and kernel_options or {}) do
    if args[name] then
      problems.usage('--%s is about kernels, and %s writes none: leave out one of the two', name,
        without)
    end
  end
end

--- What DIR gets.
---@return File[]
local function files_of(root, args, found, named, folder)
  local list = { { path = 'model.lua', text = named.text } }
  if #found.undecided == 0 then
    list[2] = { path = 'PLAN.json', text = plan_text.of(found, named, folder, lfs.currentdir()) }
    list[3] = { path = 'host.json', text = host_text.json(found, named) }
    list[4] = { path = 'host.h', text = host_text.header(found) }
  end
  return args.spec_only and list or lists.append(list, kernels_of(root, args, folder, named))
end

--- The next command: it packs what has tensors, and writes kernels of what has none.
local function next_of(root, found, folder)
  if #found.undecided == 0 then
    return ('%s %s'):format(packer(root), shell.quoted(folder .. '/PLAN.json'))
  end
  return ('ffngen generate %s --out %s'):format(shell.quoted(folder .. '/model.lua'),
    shell.quoted(folder .. '/kernels'))
end

function M.run(root, args)
  check_options(args)
  -- What is read lives as long as the run does: to look through it again and again takes longer
  -- than all else. Readers collect where they have to (common/heap.lua).
  local _ <close> = collecting
  collectgarbage('stop')
  local found = read(args.path, args)
  local named = groups.of(found, args.arithmetic)
  if args.list then
    report.list(found, named, args.json)
    return 0
  end
  collectgarbage('restart')
  local folder = (args.out:gsub('(.)/+$', '%1'))
  local list = files_of(root, args, found, named, folder)
  local written = {
    folder = folder, files = list, maker = 'import', is_ours = is_ours, is_stale = is_stale,
  }
  local changes = (args.dry_run and files.compare or files.write)(written)
  if args.json then
    report.json(found, named, folder, list, changes)
  elseif args.dry_run then
    report.changes(list, changes)
  else
    output.line('%s', next_of(root, found, folder))
  end
  if not args.dry_run then message('%d files in %s/, %d changed', #list, folder, #changes) end
  for _, line in ipairs(report.undecided(found)) do message('%s', line) end
  for _, line in ipairs(report.other_arithmetics(named)) do message('%s', line) end
  for _, line in ipairs(report.left(found, named)) do message('%s', line) end
  for _, line in ipairs(unbounded.of(named.lowered)) do message('%s', line) end
  message('%s', report.summary(found, named))
  return 0
end

return M
