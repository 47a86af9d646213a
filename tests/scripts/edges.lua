--- The build edges of all kernels that tests, benchmark, demo and library are made of: from specs
--- and the vocabulary of instruction sets to tests/ninja/kernels/. They are committed, since ninja
--- reads every file that it includes before it runs anything. And what the quick form looks at: the
--- kernels of few of the awkward layers (support/pairwise.lua), all of them and parts that take
--- turns, and of the models that are not large; archives, and the lists that a registry includes.
--- One more list is of the instruction sets that activations are made for.
---
---   lua5.4 tests/scripts/edges.lua [--check]     writes them; or tells whether they are fresh
package.path = 'generator/?.lua;generator/?/init.lua;' .. package.path
local arithmetics = require 'read.arithmetics'
local isas = require 'isa'
local lists = require 'common.list'
local name_grammar = require 'lower.name'
local json = require 'dkjson'
local pairwise = dofile('tests/support/pairwise.lua')

--- The layers whose weights are not large, as f32 with which some are compared.
---@param layers table<string, table[]>  kernels by layer
---@param names string[]
---@return string[]
local function not_large(layers, names)
  local most, list = 32 * 1024 * 1024, {}
  for _, name in ipairs(names) do
    if 2 * layers[name][1].flop_per_token <= most then list[#list + 1] = name end
  end
  return list
end

local folder = 'tests/ninja/kernels/'
local remake = 'lua5.4 tests/scripts/edges.lua'

--- How many parts of the quick form take turns.
local turns = 5

--- A set is what spec files make: an archive of its name. What ships, or is timed, is compiled
--- as a user does. Its sources go to build/kernels/, but those of the lessons are committed. The
--- quick form has the layers that `quick` chooses; `deal` deals their kernels to its parts.
local sets = {
  { name = 'lessons', spec = 'generator/specs/lessons.lua', folder = 'generated', ships = true },
  { name = 'models', spec = 'generator/specs/models.lua', ships = true,
    quick = not_large, deal = pairwise.deal_layers },
  { name = 'awkward', spec = 'tests/specs/awkward.lua tests/specs/dot_s8.lua',
    quick = pairwise.choose, deal = pairwise.deal },
  { name = 'golden', spec = 'tests/specs/golden.lua' },
  { name = 'unbiased', spec = 'tests/specs/unbiased.lua' },
  { name = 'trained', spec = 'tests/specs/trained.lua', trains = true },
  { name = 'limited', spec = 'tests/specs/limited.lua' },
  { name = 'outputs', spec = 'tests/specs/outputs.lua' },
  { name = 'bench', spec = 'tests/specs/bench.lua', ships = true },
  { name = 'platforms', spec = 'tests/platforms/layers.lua' },
  { name = 'few_trained', spec = 'tests/platforms/trained.lua', trains = true },
}

--- Compilers here compile for these; WebAssembly's kernels are compiled by tests/platforms alone.
local arch_here = { [''] = true, FFN_ARCH_X86 = true, FFN_ARCH_ARM64 = true }

--- What kernels include from their own folder: ninja has to know it as made.
local headers = {
  'activations.inc', 'isas.inc', 'kinds.inc', 'formats.inc', 'profiles.inc', 'ffn.h', 'kernel.h',
}

--- And training: where layers are trained.
local training_files = {
  'trainings.inc', 'derivatives.inc', 'ffn_train.h', 'dropout.h', 'train_walk.h', 'reference.h',
}

local including = '# The including file sets obj, cc and cflags.'

local function join(parts) return table.concat(parts, ' $\n  ') end

--- With a precompiled header, gcc tells assert() wrong line numbers: what a user's program may link
--- is compiled without, and at the way's own level; of the tests' kernels those that take longest
--- to compile, at a level that a way may choose: portable C, and what decodes weights.
local function edge(object, source, ships, long)
  if ships then return ('build %s: cc %s'):format(object, source) end
  local header = long and 'long/precompiled.h' or 'precompiled.h'
  local line = ('build %s: kernel %s | $obj/%s.gch'):format(object, source, header)
  return long and ('%s\n  level = $long_level\n  header = %s'):format(line, header) or line
end

local function kernels_of(spec)
  local pipe = assert(io.popen(('./ffngen list --json %s'):format(spec)))
  local list = json.decode(pipe:read('a'))
  assert(pipe:close() and list, 'ffngen list failed for ' .. spec)
  return list.kernels
end

local files = {}

local function add(name, lines)
  table.insert(lines, 1, ('# Made by %s. Do not edit.'):format(remake))
  local text = table.concat(lines, '\n') .. '\n'
  files[#files + 1] = { path = folder .. name .. '.ninja', text = text }
end

--- A line for each kernel of some layers that is compiled here, by instruction sets, as `ffngen
--- generate` lists them, behind the guard of its architecture.
---@param symbol_of fun(kernel: table): string|nil  nil: it has no line
local function listed(layers, chosen, macro, symbol_of)
  local list = {}
  for _, isa in ipairs(isas.names) do
    local arch, own = isas.by_name[isa].arch, {}
    for _, name in ipairs(arch_here[arch] and chosen or {}) do
      for _, kernel in ipairs(layers[name]) do
        local symbol = kernel.isa == isa and symbol_of(kernel)
        if symbol then own[#own + 1] = ('%s(%s)'):format(macro, symbol) end
      end
    end
    if arch ~= '' and #own > 0 then
      table.insert(own, 1, '#if ' .. arch)
      own[#own + 1] = '#endif'
    end
    table.move(own, 1, #own, #list + 1, list)
  end
  return list
end

--- Kernels of few layers of a set: an archive, and the list of a registry.
---@param chosen string[]  the layers
---@param registry string  its folder's name
---@param has fun(kernel: table): boolean  of a kernel of these layers
local function add_archive(set, layers, chosen, registry, has)
  local archive, objects = ('%s_%s'):format(set.name, registry), {}
  local lines = listed(layers, chosen, 'FFN_KERNEL', function(kernel)
    if not has(kernel) then return nil end
    objects[#objects + 1] = ('$obj/%s/%s.o'):format(set.name, kernel.name)
    return kernel.name
  end)
  local several = listed(layers, chosen, 'FFN_OUTPUTS', function(kernel)
    local is_one = kernel.kind ~= 'linear' or #kernel.formats == 1
    return has(kernel) and not is_one and name_grammar.for_outputs(kernel.name) or nil
  end)
  if #several > 0 then
    lines[#lines + 1] = '#ifdef FFN_OUTPUTS'
    table.move(several, 1, #several, #lines + 1, lines)
    lines[#lines + 1] = '#endif'
  end
  add(archive, { including, ('build $obj/%s.a: ar %s'):format(archive, join(objects)) })
  table.insert(lines, 1, ('/* Made by %s. Do not edit. */'):format(remake))
  files[#files + 1] = {
    path = ('tests/registry/%s/%s.inc'):format(registry, set.name),
    text = table.concat(lines, '\n') .. '\n',
  }
end

--- Few layers of a set: all of their kernels, and parts of them.
local function add_quick(set, kernels)
  local layers, names = {}, {}
  for _, kernel in ipairs(kernels) do
    if not layers[kernel.layer] then
      layers[kernel.layer] = {}
      names[#names + 1] = kernel.layer
    end
    table.insert(layers[kernel.layer], kernel)
  end
  local chosen, own = set.quick(layers, names), {}
  add_archive(set, layers, chosen, 'quick', function() return true end)
  for _, name in ipairs(chosen) do
    for _, kernel in ipairs(layers[name]) do
      if arch_here[isas.by_name[kernel.isa].arch] then own[#own + 1] = kernel end
    end
  end
  for i, part in ipairs(set.deal(layers, own, turns)) do
    local is_own = lists.set(part)
    add_archive(set, layers, chosen, 'quick_' .. i, function(kernel)
      return is_own[kernel] or false
    end)
  end
end

--- Edges that write the sources of all sets and of the activations alone.
local sources = {}
for _, set in ipairs(sets) do
  local at, made = set.folder or 'build/kernels/' .. set.name, {}
  for i = 1, set.folder and 4 or #headers do made[i] = ('%s/%s'):format(at, headers[i]) end
  for i = 1, set.trains and #training_files or 0 do
    made[#made + 1] = ('%s/%s'):format(at, training_files[i])
  end
  local lines, objects = { including }, {}
  local function add_kernel(kernel, arch, ending)
    local name, formats = kernel.name .. ending, kernel.formats
    local source = ('%s/%s.c'):format(at, name)
    made[#made + 1] = source
    if arch_here[arch] then
      objects[#objects + 1] = ('$obj/%s/%s.o'):format(set.name, name)
      lines[#lines + 1] = edge(objects[#objects], source, set.ships,
        arch == '' or formats[#formats] ~= 'f32')
    end
  end
  local kernels = kernels_of(set.spec)
  if set.quick then add_quick(set, kernels) end
  for _, kernel in ipairs(kernels) do
    add_kernel(kernel, isas.by_name[kernel.isa].arch, '')
    if set.trains then add_kernel(kernel, isas.by_name[kernel.isa].arch, '_train') end
  end
  lines[#lines + 1] = ('build $obj/%s.a: ar %s'):format(set.name, join(objects))
  add(set.name, lines)
  sources[#sources + 1] = ('build %s/kernels.inc | %s: %s %s | generator.files'):format(at,
    join(made), set.folder and 'ffngen_project' or 'ffngen', set.spec)
  if not set.folder then sources[#sources + 1] = '  folder = ' .. at end
end

local made, lines, objects = {}, { including }, {}
local registered = { ('/* Made by %s. Do not edit. */'):format(remake) }
for i, isa in ipairs(arithmetics.isas 'fma_f32') do -- of which `ffngen activations` has files
  made[i] = ('build/activations/act_%s.c'):format(isa)
  objects[i] = ('$obj/act_%s.o'):format(isa)
  lines[#lines + 1] = edge(objects[i], made[i])
  registered[#registered + 1] = ('TEST_ACTIVATIONS(%s)'):format(isa)
end
lines[#lines + 1] = 'build $obj/activations.a: ar ' .. join(objects)
add('activations', lines)
files[#files + 1] = {
  path = 'tests/registry/activations.inc', text = table.concat(registered, '\n') .. '\n',
}
sources[#sources + 1] = ('build %s: ffngen_activations | generator.files'):format(join(made))
add('sources', sources)

local function read(path)
  local handle = io.open(path, 'rb')
  local text = handle and handle:read('a')
  return handle and handle:close() and text
end

local stale = 0
for _, file in ipairs(files) do
  if read(file.path) ~= file.text then
    stale = stale + 1
    if arg[1] == '--check' then
      print(file.path .. ' is not what the specs make')
    else
      local handle = assert(io.open(file.path, 'wb'))
      assert(handle:write(file.text))
      handle:close()
    end
  end
end
if arg[1] == '--check' then
  if stale > 0 then print('Fix: ' .. remake) end
  os.exit(stale == 0)
end
print(('%d files in %s and tests/registry, %d changed'):format(#files, folder, stale))
