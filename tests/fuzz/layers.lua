--- Random layers of every kind: generated, compiled with sanitizers, and run on hostile weights and
--- inputs by layers.c; those that are trained by gradients.c, too.
local arithmetics = require 'read.arithmetics'
local files = require 'folder'
local layer_text = require 'layer_text'
local lists = require 'common.list'
local part = require 'part'
local process = require 'process'
local random_of = require 'random'
local records = require 'records'

local M = {
  name = 'layers',
  seconds = 300, -- of CPU, until a case counts as endless
}

local layers_per_program = 4
local most_size, most_weights = 200, 60000

--- Not of every pointer: that takes long to compile, and the CPU itself faults where it matters.
local flags = '-std=c11 -g1 -w -pthread -DFFN_PARALLEL_FLOP=1 -fsanitize=address,undefined '
  .. '-fno-sanitize=alignment,null,pointer-overflow -fno-sanitize-recover=all'

--- What each program is.
local programs = {
  layers = 'tests/fuzz/layers.c',
  gradients = 'tests/fuzz/gradients.c',
}

---@class LayersCase
---@field seed integer
---@field compiler string
---@field level string      of optimisation
---@field tuned boolean     by a record of random choices: they change no bit
---@field layers FuzzLayer[]
---@field vendored table    { layer = name, isa =, options = } of a folder for one instruction set

--- The most weights of a layer, were every size the largest.
local function weights_of(l)
  local sizes, most = { l.d_model, l.d_out or 1 }, 1
  if math.type(l.d_ff) == 'integer' then sizes[#sizes + 1] = l.d_ff end
  if type(l.d_ff) == 'string' then sizes[#sizes + 1] = 4 * l.d_model + 8 end
  for _, layer in ipairs(l.layers or {}) do sizes[#sizes + 1] = layer[1] end
  table.sort(sizes)
  for i = #sizes, math.max(1, #sizes - 1), -1 do most = most * sizes[i] end
  return most
end

--- Instruction sets that this machine may have.
local function isas()
  local machine = process.output 'uname -m'
  return machine:match('^x86_64') and { 'c', 'avx2', 'avx512', 'avx512_vnni', 'avx_vnni' }
    or machine:match('^aarch64') and { 'c', 'neon', 'neon_dotprod', 'neon_i8mm' } or { 'c' }
end

--- How a product takes one of some layers: for one instruction set, of which all that its kernel
--- calls is in the folder.
local function vendored(random, layers)
  local l, options = random:pick(layers), {}
  local sums = arithmetics.isas(l.arithmetic or 'fma_f32')
  local own = lists.filter(isas(), function(isa) return lists.has(sums, isa) end)
  local shape = random:pick { '', '--single-file', '--header-only', '--max-tu-bytes 200000' }
  for _, more in ipairs { '--no-dispatch', '--freestanding', '--flat' } do
    local is_taken = more ~= '--flat' or shape ~= '--header-only' and l.operand_scales ~= 'static'
    if random:chance(25) and is_taken then
      options[#options + 1] = more
    end
  end
  return {
    layer = l.name, isa = own[1 + random:below(#own)],
    options = shape .. ' ' .. table.concat(options, ' '),
  }
end

---@param random Random
---@return LayersCase
function M.make(random)
  local layers = {}
  while #layers < layers_per_program do
    -- Now and then one that is longer than a block of a sum.
    local most = random:chance(20) and 5 * most_size or most_size
    local l = layer_text.random(random, ('l%d'):format(#layers + 1), most)
    if random:chance(40) then layer_text.store(random, l) end
    if l.weights and random:chance(40) then layer_text.sum(random, l) end
    if weights_of(l) <= most_weights then
      layers[#layers + 1] = l
      -- Beside it the same layer for any number of tokens: one's weights and bits are the other's.
      if l.max_tokens and #layers < layers_per_program and random:chance(50) then
        layers[#layers + 1] = part.with(part.with(l, 'max_tokens', nil), 'name',
          ('l%d'):format(#layers + 1))
      end
    end
  end
  for _, l in ipairs(layers) do
    if random:chance(25) and layer_text.trains(l) then layer_text.train(random, l) end
  end
  return {
    seed = random:below(1 << 40), compiler = random:pick { 'gcc', 'clang' },
    level = random:chance(15) and '-O1' or '-O0',
    tuned = random:chance(60), layers = layers, vendored = vendored(random, layers),
  }
end

---@param case LayersCase
function M.show(case)
  return ('-- %s %s, seed %d%s; vendored: %s, --isa %s %s\n%s'):format(case.compiler, case.level,
    case.seed, case.tuned and ', --tuned' or '', case.vendored.layer, case.vendored.isa,
    case.vendored.options, layer_text.file(case.layers))
end

--- The header that takes longest to read, compiled once.
local vectors = [[
#if defined(__x86_64__)
#include <immintrin.h>
#endif
]]

--- What every program needs, compiled once for a run of the fuzzer: objects, and a header.
---@param case LayersCase
---@return string folder
---@return string compile the command
local function shared(root, case)
  local folder = ('%s/build/fuzz/shared/%s%s'):format(root, case.compiler, case.level)
  local header = process.quote(folder .. '/vectors.h')
  local compile = ('%s %s %s'):format(case.compiler, case.level, flags)
  if files.read(folder .. '/made') then return folder, compile .. ' -include ' .. header end
  process.make_folder(folder)
  files.write(folder .. '/vectors.h', vectors)
  local sources_of = dofile(root .. '/tests/support/sources_of.lua')
  local sources = { 'tests/fuzz/hostile.c', 'runtime/cpu.c', 'runtime/reference.c' }
  lists.append(sources, sources_of({ programs.layers, 'tests/fuzz/hostile.c' }, root))
  local is_shared = lists.set(sources)
  local function objects(within, list)
    local words = { compile }
    for _, name in ipairs { 'tests/support', 'runtime', 'generated' } do
      words[#words + 1] = '-I' .. process.quote(root .. '/' .. name)
    end
    words[#words + 1] = '-c'
    for _, source in ipairs(list) do words[#words + 1] = process.quote(root .. '/' .. source) end
    process.make_folder(within)
    assert(process.run(within, 100, table.concat(words, ' ')))
  end
  objects(folder, sources)
  for name, source in pairs(programs) do
    local own = { source }
    for _, path in ipairs(sources_of(own, root)) do
      if not is_shared[path] then own[#own + 1] = path end
    end
    objects(('%s/%s'):format(folder, name), own)
  end
  local ok, said = process.run(folder, 100,
    ('%s -x c-header vectors.h -o vectors.h.%s'):format(compile,
      case.compiler == 'gcc' and 'gch' or 'pch'))
  assert(ok, said)
  files.write(folder .. '/made', '')
  return folder, compile .. ' -include ' .. header
end

--- Makes the kernels' C.
---@return boolean ok
---@return string said
local function generate(case, folder, root)
  local ffngen, options = process.quote(root .. '/ffngen'), ''
  files.write(folder .. '/my.lua', layer_text.file(case.layers))
  if case.tuned then
    files.write(folder .. '/tuned.lua',
      records.text(random_of.new(case.seed), root, folder .. '/my.lua'))
    options = '--tuned tuned.lua --tuned-for ' .. records.cpu
  end
  return process.run(folder, 100,
    ('%s generate my.lua --isa %s %s --out c'):format(ffngen, table.concat(isas(), ','), options))
end

--- Makes a folder of one layer for one instruction set, links it and has it check itself.
---@return string|nil problem
local function vendor(case, folder, root)
  local own = case.vendored
  local what = ('vendor my.lua --out v --prefix my --layer %s --isa %s %s'):format(own.layer,
    own.isa, own.options)
  local ok, said = process.run(folder, 100, process.quote(root .. '/ffngen') .. ' ' .. what)
  if not ok then
    -- Plain functions do not take all layers, and a file may be too long to be cut.
    local refused = said:find('--flat', 1, true) or said:find('cannot be split', 1, true)
    return not refused and ('it is not vendored by %s: %s'):format(what, said) or nil
  end
  ok, said = process.run(folder, 250, ("sh -c 'cd v && %s -std=c11 -O0 -Wall -Wextra -Werror *.c "
    .. "-lm -o check && ./check'"):format(case.compiler))
  return not ok and ('%s: %s'):format(what, said) or nil
end

---@param case LayersCase
---@param folder string is empty
---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  local objects, compile = shared(root, case)
  local ok, said = generate(case, folder, root)
  if not ok then return 'it is not generated: ' .. said, 'failed' end
  local names = { 'layers' }
  for _, l in ipairs(case.layers) do
    if l.backward then names[2] = 'gradients' end
  end
  files.write(folder .. '/build.sh', ([[
set -e
cd c
rm -f selfcheck.c cpu.c reference.c
for file in *.c; do %s -I. -c $file; done
for name in %s; do %s %s *.o %s/*.o %s/$name/*.o -lm -o ../$name; done
]]):format(compile, table.concat(names, ' '), case.compiler, flags, process.quote(objects),
    process.quote(objects)))
  ok, said = process.run(folder, 250, 'sh build.sh')
  if not ok then return 'it does not compile: ' .. said, 'failed' end
  for _, name in ipairs(names) do
    ok, said = process.run(folder, 120, ('./%s %d'):format(name, case.seed))
    if not ok then return said, 'failed' end
  end
  local problem = vendor(case, folder, root)
  if problem then return problem, 'failed' end
  return nil, ('by %s %s%s'):format(case.compiler, case.level, names[2] and ', trained' or '')
end

---@param case LayersCase
function M.smaller(case)
  return coroutine.wrap(function()
    local function with(field, value) coroutine.yield(part.with(case, field, value)) end
    if case.tuned then with('tuned', false) end
    if #case.layers > 1 then
      for i = #case.layers, 1, -1 do
        local one = part.with(case, 'layers', { case.layers[i] })
        coroutine.yield(part.with(one, 'vendored',
          part.with(case.vendored, 'layer', case.layers[i].name)))
      end
    else
      if case.vendored.options ~= '' then
        with('vendored', part.with(case.vendored, 'options', ''))
      end
      for _, layer in ipairs(layer_text.smaller(case.layers[1])) do with('layers', { layer }) end
    end
  end)
end

return M
