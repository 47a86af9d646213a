--- `ffngen import`: a model's file to a spec, the plan of its weights, and kernels.
local arguments = require 'commands.arguments'
local disk = require 'common.disk'
local doubles = require 'import.doubles'
local files = require 'write.files'
local found_records = require 'import.found'
local generate = require 'commands.generate'
local groups = require 'import.groups'
local lfs = require 'lfs'
local lists = require 'common.list'
local message = require 'common.message'
local output = require 'common.output'
local pipeline = require 'pipeline'
local plan_text = require 'import.plan_text'
local problems = require 'common.problem'
local readers = require 'import.readers'
local report = require 'import.report'
local shell = require 'common.shell'
local spec = require 'read.spec'
local spec_text = require 'import.spec_text'
local unbounded = require 'lower.unbounded'

local M = { about = 'Read a model\'s file: its spec, the plan of its weights, kernels.' }

M.examples = [[
  ffngen import model/ --out mine/ --variant swiglu       model.lua, PLAN.json and kernels/
  ffngen import model/ --variant swiglu --list            what is there, and what is the host's
  ffngen import model/ --out mine/ --variant swiglu --spec-only
  ffngen import model/ --out mine/ --variant swiglu --dry-run --json]]

function M.notes()
  local lines = { 'What is read, the first that fits:' }
  for _, name in ipairs(readers.names) do
    lines[#lines + 1] = ('  %-14s %s'):format(name, readers.by_name[name].about)
  end
  return table.concat(lines, '\n')
end

function M.options(command)
  command:argument('path', 'A model\'s file, or its folder.'):args(1)
  arguments.out(command)
  command:flag('--spec-only', 'Without kernels/.')
  command:option('--node', 'Only this layer: a module\'s name, or a node of a graph.')
    :argname('NAME')
  command:option('--variant',
    'What no name of a tensor tells: swiglu, say; swiglu,gelu with and without a gate.')
    :argname('LIST')
  command:option('--activation', 'The same of a chain: what is behind each of its matrices.')
    :argname('LIST')
  command:option('--order', 'How matrices lie that may lie either way: out-in, in-out.')
    :argname('ORDER'):choices { 'out-in', 'in-out' }
  command:option('--leave', 'Tensors or modules that no layer takes, by their whole names.')
    :argname('LIST'):convert(arguments.listed)
  command:flag('--decode', 'Numbers that no format holds as they are may become f32.')
  command:flag('--float-activations', 'What a model rounds between products stays f32.')
  command:mutex(
    command:flag('--list', 'Print what the file has, and write nothing.'),
    command:flag('--dry-run', 'Print what would be written, and write nothing.'))
  command:flag('--json', 'Machine-readable output.')
end

local option_names = { 'node', 'decode', 'leave', 'float_activations', 'variant', 'activation',
  'order' }

--- What a reader is told, and nothing that it does not ask.
---@param reader ModelReader
---@return ImportOptions
local function options_of(reader, args)
  for _, name in ipairs(option_names) do
    if args[name] and not lists.has(reader.takes, name) then
      problems.usage('--%s says nothing to who reads this: %s', (name:gsub('_', '-')),
        reader.about)
    end
  end
  return {
    node = args.node, decode = args.decode or false, leave = args.leave or {},
    float_activations = args.float_activations or false, variant = args.variant,
    activation = args.activation, order = args.order,
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
  return doubles.settle(found_records.of(reader.read(path, options)), options.decode)
end

--- The files of DIR/kernels/, as `ffngen generate DIR/model.lua --out DIR/kernels` writes them.
---@return File[]
local function kernels_of(root, folder, named)
  local path = folder .. '/model.lua'
  local request = generate.request(root, { spec = { path }, out = folder .. '/kernels' })
  local wanted = pipeline.lower(spec.of_text(path, named.text, {}))
  local list = pipeline.emit(root, pipeline.plan(wanted, request), request)
  return lists.map(list, function(file)
    return { path = 'kernels/' .. file.path, text = file.text }
  end)
end

--- Who made a file, told by its first bytes.
local function is_ours(name, head)
  local inside = name:match '^kernels/(.*)$'
  if inside then return pipeline.is_ours(inside, head) end
  local first = name == 'model.lua' and spec_text.first_line or plan_text.first_line
  return head:sub(1, #first) == first
end

local function is_stale(name, head)
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

function M.run(root, args)
  if not args.out and not args.list then
    problems.usage('where to? add --out DIR: ffngen import %s --out mine/', args.path)
  end
  -- What is read lives as long as the run does: to look through it again and again takes longer
  -- than all else. Readers collect where they have to (common/heap.lua).
  local _ <close> = collecting
  collectgarbage('stop')
  local found = read(args.path, args)
  local named = groups.of(found)
  if args.list then
    report.list(found, named, args.json)
    return 0
  end
  collectgarbage('restart')
  local folder = (args.out:gsub('(.)/+$', '%1'))
  local list = {
    { path = 'model.lua', text = named.text },
    { path = 'PLAN.json', text = plan_text.of(found, named, folder, lfs.currentdir()) },
  }
  if not args.spec_only then lists.append(list, kernels_of(root, folder, named)) end
  local written = {
    folder = folder, files = list, maker = 'import', is_ours = is_ours, is_stale = is_stale,
  }
  local changes = (args.dry_run and files.compare or files.write)(written)
  if args.json then
    report.json(found, named, folder, list, changes)
  elseif args.dry_run then
    report.changes(list, changes)
  else
    output.line('%s %s', packer(root), shell.quoted(folder .. '/PLAN.json'))
  end
  if not args.dry_run then message('%d files in %s/, %d changed', #list, folder, #changes) end
  for _, line in ipairs(report.left(found, named)) do message('%s', line) end
  for _, line in ipairs(unbounded.of(named.lowered)) do message('%s', line) end
  message('%s', report.summary(found, named))
  return 0
end

return M
