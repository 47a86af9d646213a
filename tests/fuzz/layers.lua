--- Random layers of every kind: generated, compiled with sanitizers, and run on hostile weights and
--- inputs by layers.c.
local files = require 'folder'
local layer_text = require 'layer_text'
local process = require 'process'

local M = {
  name = 'layers',
  seconds = 300, -- until a case counts as endless
}

local layers_per_program = 4
local most_size, most_weights = 200, 60000

--- Not of every pointer: that takes long to compile, and the CPU itself faults where it matters.
local flags = '-std=c11 -O1 -g1 -w -pthread -DFFN_PARALLEL_FLOP=1 -fsanitize=address,undefined '
  .. '-fno-sanitize=alignment,null,pointer-overflow -fno-sanitize-recover=all'
local support = { 'guard', 'kernels', 'model', 'pool' }

---@class LayersCase
---@field seed integer
---@field compiler string
---@field layers FuzzLayer[]

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

---@param random Random
---@return LayersCase
function M.make(random)
  local layers = {}
  while #layers < layers_per_program do
    -- Now and then one that is longer than a block of a sum.
    local most = random:chance(20) and 5 * most_size or most_size
    local l = layer_text.random(random, ('l%d'):format(#layers + 1), most)
    if weights_of(l) <= most_weights then layers[#layers + 1] = l end
  end
  return {
    seed = random:below(1 << 40), compiler = random:pick { 'gcc', 'clang' }, layers = layers,
  }
end

---@param case LayersCase
function M.show(case)
  return ('-- %s, seed %d\n%s'):format(case.compiler, case.seed, layer_text.file(case.layers))
end

--- What every program needs, compiled once for a run of the fuzzer.
local function objects_of(root, compiler)
  local folder = ('%s/build/fuzz/layers_%s'):format(root, compiler)
  if files.read(folder .. '/made') then return folder end
  process.make_folder(folder)
  local sources = { 'tests/fuzz/layers.c', 'runtime/cpu.c', 'runtime/reference.c' }
  for _, name in ipairs(support) do sources[#sources + 1] = ('tests/support/%s.c'):format(name) end
  for i, source in ipairs(sources) do sources[i] = process.quote(root .. '/' .. source) end
  local includes = {}
  for i, name in ipairs { 'tests/support', 'runtime', 'generated' } do
    includes[i] = '-I' .. process.quote(root .. '/' .. name)
  end
  local ok, said = process.run(folder, 200, ('%s %s %s -c %s'):format(compiler, flags,
    table.concat(includes, ' '), table.concat(sources, ' ')))
  assert(ok, said)
  files.write(folder .. '/made', '')
  return folder
end

--- Instruction sets that this machine may have.
local function isas()
  local machine = process.output 'uname -m'
  return machine:match('^x86_64') and 'c,avx2,avx512' or machine:match('^aarch64') and 'c,neon'
    or 'c'
end

---@param case LayersCase
---@param folder string is empty
---@return string|nil problem
---@return string outcome
function M.check(case, folder, root)
  local objects = objects_of(root, case.compiler)
  files.write(folder .. '/my.lua', layer_text.file(case.layers))
  local ok, said = process.run(folder, 60, ('%s generate my.lua --isa %s --out c'):format(
    process.quote(root .. '/ffngen'), isas()))
  if not ok then return 'it is not generated: ' .. said, 'failed' end
  ok, said = process.run(folder, 250, ([[sh -c '
    cd c && rm -f selfcheck.c cpu.c reference.c && %s %s -I. *.c "$1"/*.o -lm -o ../layers
    ' sh %s]]):format(case.compiler, flags, process.quote(objects)))
  if not ok then return 'it does not compile: ' .. said, 'failed' end
  ok, said = process.run(folder, 120, ('./layers %d'):format(case.seed))
  if not ok then return said, 'failed' end
  return nil, 'by ' .. case.compiler
end

---@param case LayersCase
function M.smaller(case)
  local list = {}
  local function add(layers)
    list[#list + 1] = { seed = case.seed, compiler = case.compiler, layers = layers }
  end
  for i = #case.layers, 1, -1 do
    if #case.layers > 1 then add { case.layers[i] } end
  end
  for i, layer in ipairs(#case.layers == 1 and case.layers or {}) do
    for _, smaller in ipairs(layer_text.smaller(layer)) do
      local layers = { table.unpack(case.layers) }
      layers[i] = smaller
      add(layers)
    end
  end
  local i = 0
  return function()
    i = i + 1
    return list[i]
  end
end

return M
