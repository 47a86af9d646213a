--- Exercises of the rooms for what comes: a weight format is a file and a word, and every form of a
--- kernel takes it, with the bits of the f32 kernel on the weights that unpack() gives.
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'
local decoding = require 'emit.decoding'
local formats = require 'weights.format'
local isas = require 'isa'
local lists = require 'common.list'
local with_dot_toy = require 'with_dot_toy'
local with_formats = require 'with_formats'
local weights = require 'weights'

local data, replace = support.root .. '/tests/data/', with_formats.replace

--- What all kernels include, the intrinsics among it: compiled once for all of a folder.
local first = support.root .. '/tests/support/precompiled.h'

--- Where pools of threads are.
local runtime = support.quote(support.root .. '/runtime')

--- A project with more weight formats, a file and a word each, and a CPU with hardly a cache.
local function project_with(names)
  local project = with_formats.project(names)
  support.write(project .. '/generator/cpu/toy.lua', support.read(data .. 'rooms/small_cpu.lua'))
  replace(project, 'generator/cpu/init.lua', "'generic'", "'generic', 'toy'")
  return project
end

--- Layers of all forms: FORMAT stands for what their weights are, A to E for widths of which blocks
--- of a sum begin inside of groups, or do not.
local layers = [[
linear 'ragged' { d_model = B, d_out = 37, bias = true, FORMAT }
linear 'odd_panel' { d_model = C, d_out = 48, FORMAT }
linear 'wide' { d_model = D, d_out = 160, bias = true, FORMAT }
linear 'one_output' { d_model = A, d_out = 1, bias = true, FORMAT }
ffn 'sparse' { variant = 'relu', d_model = A, d_ff = C, d_out = 64, bias = true, FORMAT }
ffn 'gated' { variant = 'swiglu', d_model = C, d_ff = D, d_out = 192, FORMAT }
ffn 'gated_ragged' { variant = 'swiglu', d_model = B, d_ff = A, d_out = 29, FORMAT }
ffn 'token' { variant = 'swiglu', d_model = A, d_ff = D, max_tokens = 1, FORMAT }
ffn 'tokens' { variant = 'gelu', d_model = C, d_ff = B, max_tokens = 8, bias = true, FORMAT }
glu 'glu' { variant = 'swiglu', d_model = B, d_out = 96, FORMAT }
selfgate 'self' { activation = 'silu', d_model = A, FORMAT }
mlp 'lanes' { d_model = A, layers = { { E, 'relu' }, { 1 } }, bias = true, EACH }
]]

local small = [[
ffn 'size' { variant = 'swiglu', d_model = B, d_ff = C, d_out = 37, optimise = 'size', FORMAT }
linear 'size_linear' { d_model = D, d_out = 21, bias = true, optimise = 'size', FORMAT }
mlp 'size_chain' { d_model = A, layers = { { E, 'relu' }, { 5 } }, optimise = 'size', EACH }
]]

--- The layers with weights of a format, and again in f32, as f32_NAME: two spec files.
---@param text string
---@param widths integer[]  four, and perhaps that within a chain
---@param word string       what a layer says
---@param each string       what a chain of two says
local function specs(text, widths, word, each)
  local values = {
    A = widths[1], B = widths[2], C = widths[3], D = widths[4], E = widths[5] or 64,
    FORMAT = word, EACH = each,
  }
  local function filled()
    return (text:gsub('%f[%w]%u+%f[%W]', function(name)
      return values[name] and tostring(values[name])
    end))
  end
  local own = filled()
  values.FORMAT, values.EACH = '', ''
  return own, (filled():gsub(', }', ' }'):gsub("(%l+) '", "%1 'f32_", 1)
    :gsub("\n(%l+) '", "\n%1 'f32_"))
end

local function must(project, folder, ...)
  local result = support.run({ project .. '/ffngen', ... }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, table.concat({ ... }, ' '))
  return result.out
end

--- The kernels of a spec file for some instruction sets, in the order of their names.
local function kernels(project, folder, file, named)
  local all = json.decode(must(project, folder, 'list', file, '--json')).kernels
  local list = lists.filter(all, function(kernel)
    return (',' .. named .. ','):find(',' .. kernel.isa .. ',', 1, true) ~= nil
  end)
  table.sort(list, function(a, b)
    return a.spec < b.spec or a.spec == b.spec and a.isa < b.isa
  end)
  return list
end

--- Work memory for a block of weights in f32: that of a tile, of two branches.
local scratch_bytes = 128 * 2 * 32 * 4

--- No f32 copy of weights but a block: sums of tiles declare no array, and there is hardly more
--- work memory than of the f32 kernel, whose tiles have other widths: chunks are whole tiles.
---@param bytes integer  work memory of that
local function check_text(folder, own, bytes)
  unit.assertTrue(own.work_bytes <= bytes * 5 // 4 + scratch_bytes, own.name)
  local text = support.read(('%s/out/%s.c'):format(folder, own.name))
  for body in text:gmatch('\nFFN_%u+ [%w_ ]+sums[%w_]*%(.-\n}\n') do
    unit.assertNil(body:match('\n%s*[%w_ ]+ [%w_]+%[[^%]]*%];'), own.name .. ': an array')
  end
end

--- The work memory that a kernel's is held to: that of the f32 kernel of its instruction set, or of
--- portable C, which walks. Others do not walk what is small, in forms that not every format takes.
---@param walking table[]  kernels of portable C in f32
---@param plain table      that of the instruction set
local function bound_of(walking, plain)
  local same = lists.filter(walking, function(kernel) return kernel.spec == plain.spec end)
  unit.assertEquals(#same, 1, plain.spec)
  return math.max(plain.work_bytes, same[1].work_bytes)
end

local function has(command)
  return support.capture('command -v ' .. command .. ' || true') ~= ''
end

--- The compilers and emulators of this machine: { isas, compiler, what runs a program }.
local function machines()
  local cross = { isas = 'neon', cc = 'aarch64-linux-gnu-gcc -static', run = 'qemu-aarch64 ' }
  local x86 = support.capture('uname -m') == 'x86_64'
  local list = { { isas = x86 and 'c,avx2,avx512' or 'c,neon', cc = 'cc', run = '' } }
  if x86 and has 'aarch64-linux-gnu-gcc' and has 'qemu-aarch64' then list[2] = cross end
  return list
end

--- All kernels of a spec file against those of another, which is as it in f32.
---@param native boolean|nil  on this machine alone
local function compare(project, own, plain, cpu, native)
  local all = machines()
  for _, machine in ipairs(native and { all[1] } or all) do
    local folder, count = support.folder(), 0
    support.write(folder .. '/own.lua', own)
    support.write(folder .. '/plain.lua', plain)
    must(project, folder, 'generate', 'own.lua', 'plain.lua', '--out', 'out', '--isa',
      machine.isas, table.unpack(cpu or {}))
    local list = kernels(project, folder, 'own.lua', machine.isas)
    local others = kernels(project, folder, 'plain.lua', machine.isas)
    local walking = kernels(project, folder, 'plain.lua', 'c')
    unit.assertEquals(#list, #others)
    local pairs_of = {}
    for i, kernel in ipairs(list) do
      unit.assertEquals({ kernel.spec, kernel.isa }, { others[i].spec:sub(5), others[i].isa })
      check_text(folder, kernel, bound_of(walking, others[i]))
      pairs_of[i], count = ('PAIR(%s, %s)\n'):format(kernel.name, others[i].name), count + 1
    end
    support.write(folder .. '/pairs.inc', table.concat(pairs_of))
    support.write(folder .. '/same.c', support.read(data .. 'rooms/same.c'))
    support.write(folder .. '/out/first.h', support.read(first))
    -- Everything of the folder but the self-check, which has a main() of its own.
    local result = support.run({ 'sh', '-c', ('cd out && cc="%s" && '
      .. 'kernel="$cc -O0 -Wall -Wextra -Wshadow -Werror" && $kernel -x c-header first.h && '
      .. '$kernel -include first.h -c *.c && rm selfcheck.o && cd .. && '
      .. '$cc -O1 -Wall -Wextra -Werror -Iout -I%s -I. same.c out/*.o -lm -pthread -o same && '
      .. '%s./same'):format(machine.cc, runtime, machine.run) },
      { dir = folder, seconds = 900 })
    support.assert_code(result, 0, machine.isas .. ': ' .. result.out)
    local compared, skipped = result.out:match('(%d+) compared, (%d+) skipped, 0 wrong\n$')
    unit.assertEquals(tonumber(compared) + tonumber(skipped), count, result.out)
    unit.assertTrue(tonumber(compared) > 0)
  end
end

--- The layers that quick tests take: groups that are cut, two branches, a ragged panel, one token,
--- tokens in lanes.
local few = { 'ragged', 'gated_ragged', 'token', 'lanes' }

--- The formats of exercises take turns, one at a time: with few layers, and in the full form of
--- every third round with all of them.
local part_of = {
  bf16 = 0, f16 = 1, k64 = 2, mixed = 3, q32 = 4, q8_0 = 5, q4_0 = 6, q4_1 = 7, q5_0 = 8, q5_1 = 9,
  q4_K = 10, q5_K = 11, q6_K = 12, mxfp4 = 13, f8_e4m3 = 14, iq4_nl = 15, iq4_xs = 16,
}

--- How many turns there are.
local turns = #support.keys(part_of)

local function is_whole(name) return support.full and support.is_turn(part_of[name], 3 * turns) end

--- Where it is not its turn, the test of a format ends here, and counts as skipped.
local function wait_for_turn(name)
  local parts = support.full and turns or 4 * turns
  unit.skipIf(not support.is_turn(part_of[name], parts), 'another turn')
end

--- A format in all forms, from near and from memory.
local function exercise(project, name, widths)
  local word = ("weights = '%s'"):format(name)
  wait_for_turn(name)
  if not is_whole(name) then
    local text = {}
    for line in layers:gmatch('[^\n]+') do
      if lists.has(few, line:match("'([^']+)'")) then text[#text + 1] = line .. '\n' end
    end
    local own, plain = specs(table.concat(text), widths, word, word)
    compare(project, own, plain, { '--cpu', 'toy' }, true)
    return
  end
  local own, plain = specs(layers, widths, word, word)
  compare(project, own, plain)
  compare(project, own, plain, { '--cpu', 'toy' })
  own, plain = specs(small, widths, word, word)
  local in_c = "%0, build = { { isa = { 'c' } } }"
  own, plain = own:gsub("optimise = 'size'", in_c), plain:gsub("optimise = 'size'", in_c)
  compare(project, own, plain, nil, true)
end

local exercises = {}

function exercises.f16() exercise(project_with {}, 'f16', { 63, 161, 193, 672 }) end

function exercises.bf16()
  local project = project_with {}
  exercise(project, 'bf16', { 64, 160, 192, 672 })
  if not is_whole 'bf16' then return end
  -- Odd inputs end in half a line.
  local odd = "weights = 'bf16'"
  local own, plain = specs(layers, { 63, 161, 193, 37 }, odd, odd)
  compare(project, own, plain)
  compare(project, own, plain, { '--cpu', 'toy' })
end

--- bf16 trains: the self-check holds all gradients within their bounds.
function exercises.bf16_backward()
  local project, folder = project_with {}, support.folder()
  local few_layers, more_layers = [[
ffn 'a' { variant = 'swiglu', d_model = 21, d_ff = 35, weights = 'bf16', backward = true }
]], [[
ffn 'b' { variant = 'gelu', d_model = 37, d_ff = 101, bias = true, weights = 'bf16',
  backward = true }
mlp 'c' { d_model = 20, layers = { { 40, 'relu' }, { 3 } }, weights = 'bf16', backward = true }
ffn 'd' { variant = 'swiglu', d_model = 64, d_ff = 192, weights = 'bf16', backward = true }
]]
  support.write(folder .. '/my.lua', few_layers .. (is_whole 'bf16' and more_layers or ''))
  must(project, folder, 'generate', 'my.lua', '--out', 'out', '--isa',
    is_whole 'bf16' and 'c,avx2,avx512' or 'c,avx2')
  local result = support.run({ 'sh', '-c',
    'cd out && cc -O1 -Wall -Werror -I. *.c -lm -o selfcheck && ./selfcheck' },
    { dir = folder, seconds = 600 })
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, 'ffn_swiglu_d21_f35_bf16_c_train', 'self-check')
  support.assert_has(result.out, ' 0 failed,', 'self-check')
end

function exercises.q32() exercise(project_with { 'q32' }, 'q32', { 64, 160, 192, 672 }) end

--- Those of the project that have blocks: of each width a sum's blocks begin within groups or not.
for _, name in ipairs(weights.names) do
  local source = weights.by_name[name].source
  if source and source.number == 'u8' and source.scale == 0 then
    exercises[name] = function()
      exercise(project_with {}, name, source.k == 256 and { 256, 512, 768, 1280, 256 }
        or { 64, 160, 192, 672 })
    end
  end
end

--- Whose last group is a part of one.
function exercises.f8_e4m3() exercise(project_with {}, 'f8_e4m3', { 64, 168, 192, 680 }) end

function exercises.k64()
  local project, folder = project_with { 'k64' }, support.folder()
  -- Widths that are no whole groups are refused, with those that are near.
  support.write(folder .. '/my.lua', "linear 'a' { d_model = 160, d_out = 64, weights = 'k64' }")
  local result = support.run({ project .. '/ffngen', 'list', 'my.lua' }, { dir = folder })
  support.assert_code(result, 4, 'a width of 160')
  support.assert_has(result.err, 'd_model = 160', 'a width of 160')
  support.assert_has(result.err, '128 or 192', 'a width of 160')
  exercise(project, 'k64', { 64, 320, 192, 448 })
end

--- Many rows, of whatever format: blocks that begin within a group, what a panel begins with, two
--- branches, ragged panels, several groups in a chunk and tiles that are left over; from memory,
--- and from near.
function exercises.scratch()
  local project = project_with { 'k64', 'h5' }
  local widths, word = { 64, 320, 192, 448 }, "weights = 'k64'"
  local own, plain = specs([[
ffn 'gated' { variant = 'swiglu', d_model = B, d_ff = C, d_out = 80, FORMAT }
linear 'headed' { d_model = 160, d_out = 37, bias = true, FORMAT }
]], widths, word, word)
  compare(project, own:gsub("d_model = 160(.*)'k64'", "d_model = 160%1'h5'"), plain,
    { '--cpu', 'toy' }, true)
  own, plain = specs("linear 'near' { d_model = B, d_out = 112, FORMAT }\n", widths, word, word)
  compare(project, own, plain, nil, true)
end

--- Few rows of pairs of panels, of whatever format: a panel that lies alone, two branches, blocks
--- of a sum, panels after each other in a line.
function exercises.compressed()
  local project = project_with {}
  local own, plain = specs([[
linear 'odd_panel' { d_model = B, d_out = 80, bias = true, FORMAT }
ffn 'gated' { variant = 'swiglu', d_model = C, d_ff = B, d_out = 96, FORMAT }
]], { 64, 320, 192, 448 }, "weights = 'q4_0'", '')
  own = own:gsub("'q4_0'", "'q8_0'", 1)
  compare(project, own, plain, { '--cpu', 'toy' }, true)
end

--- Two formats in one layer.
function exercises.mixed()
  wait_for_turn 'mixed'
  local project, whole = project_with { 'q32' }, is_whole 'mixed'
  local more = [[
ffn 'sparse' { variant = 'relu', d_model = C, d_ff = D, bias = true, FORMAT }
ffn 'token' { variant = 'swiglu', d_model = A, d_ff = D, max_tokens = 1, GATED }
]]
  local own, plain = specs((whole and more or '') .. [[
ffn 'plain' { variant = 'gelu', d_model = A, d_ff = B, d_out = 37, FORMAT }
ffn 'gated' { variant = 'swiglu', d_model = D, d_ff = C, d_out = A, GATED }
mlp 'chain' { d_model = A, layers = { { 64, 'relu' }, { 3 } }, bias = true, EACH }
]], { 64, 160, 192, 672 }, "weights = { up = 'q32', down = 'bf16' }",
    "weights = { 'q32', 'bf16' }")
  own = own:gsub('GATED', "weights = { gate = 'q32', up = 'q32', down = 'bf16' }")
  plain = plain:gsub(', GATED', '')
  compare(project, own, plain, { '--cpu', 'toy' }, not whole)
  if whole then compare(project, own, plain) end
end

--- Integers: a format, an operand and an arithmetic, a file and a word each, and a word of portable
--- C. Bits of forty plain lines in dot.c.
function exercises.dot()
  local project, folder = with_dot_toy 'dot', support.folder()
  support.write(folder .. '/my.lua', [[
linear 'a' { d_model = 160, d_out = 37, bias = true, weights = 'toy8', arithmetic = 'dot_toy' }
ffn 'b' { variant = 'relu', d_model = 64, d_ff = 160, d_out = 64, weights = 'toy8',
  arithmetic = 'dot_toy' }
selfgate 'c' { activation = 'relu', d_model = 160, weights = 'toy8', arithmetic = 'dot_toy' }
]])
  -- No instruction set is named: those that have the arithmetic are meant.
  must(project, folder, 'generate', 'my.lua', '--out', 'out', '--threads', 'mpi')
  local names = {}
  for _, kernel in ipairs(json.decode(must(project, folder, 'list', 'my.lua', '--json')).kernels) do
    unit.assertEquals(kernel.isa, 'c')
    names[#names + 1] = ('KERNEL(%s)\n'):format(kernel.name)
  end
  unit.assertEquals(#names, 3)
  support.write(folder .. '/kernels.inc.h', table.concat(names))
  support.write(folder .. '/dot.c', support.read(data .. 'rooms/dot.c'))
  local result = support.run({ 'sh', '-c', ('cd out && cc -O1 -Wall -Werror -c *.c '
    .. '&& cc *.o -lm -o ../check && rm selfcheck.o && cd .. && ./check '
    .. '&& cc -O1 -Wall -Wextra -Werror -ffp-contract=off -Iout -I%s '
    .. '-I. dot.c out/*.o -lm -pthread -o dot && ./dot'):format(runtime) },
    { dir = folder, seconds = 300 })
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, '3 passed, 0 failed, 0 skipped\n27 compared, 0 wrong\n', 'dot')
  -- The self-check says that it compares bits alone.
  local told = ' equal bits; no bound is stated for its arithmetic: ok\n'
  unit.assertEquals(select(2, result.out:gsub(told, '')), 3, result.out)
end

--- Groups of any shape, mostly of the project's formats: of one level, of two with factors or none,
--- of three with minima, of all k, with zeros, with steps by their index, of 128; sums of several
--- blocks, ragged panels, results that are laid as bytes; from memory, where weights are fetched
--- ahead, and from near.
function exercises.products()
  local isas_here = machines()[1].isas:find 'avx2'
    and { 'c', 'avx2', support.full and 'avx512' or nil } or { 'c' }
  local project, folder = with_dot_toy('products', isas_here), support.folder()
  support.write(project .. '/generator/cpu/toy.lua', support.read(data .. 'rooms/small_cpu.lua'))
  replace(project, 'generator/cpu/init.lua', "'generic'", "'generic', 'toy'")
  support.write(project .. '/generator/weights/k64.lua', support.read(data .. 'formats/k64.lua'))
  replace(project, 'generator/weights/init.lua', "'toy8'", "'toy8', 'k64'")
  local text = [[
linear 'levels' { d_model = 768, d_out = 37, weights = 'q4_K' }
linear 'factors' { d_model = 512, d_out = 80, weights = 'q6_K' }
linear 'index' { d_model = 352, d_out = 24, weights = 'q5_1' }
linear 'halves' { d_model = 192, d_out = 16, weights = 'k64' }
linear 'zeros' { d_model = 320, d_out = 48, weights = 'u4g64' }
linear 'of_128' { d_model = 384, d_out = 21, weights = 'u4g128' }
linear 'row' { d_model = 203, d_out = 37, weights = 'i8' }
linear 'zero' { d_model = 150, d_out = 16, weights = 'i8z' }
mlp 'chain' { d_model = 160, layers = { { 128, 'relu' }, { 33 } }, weights = { 'q8_0', 'u4g64' } }
mlp 'rows' { d_model = 64, layers = { { 150, 'relu' }, { 33 } }, weights = { 'i8', 'i8z' } }
]]
  support.write(folder .. '/my.lua', (text:gsub(' }\n', ", arithmetic = 'dot_toy' }\n")))
  local names = {}
  for _, kernel in ipairs(json.decode(must(project, folder, 'list', 'my.lua', '--json')).kernels) do
    names[#names + 1] = ('KERNEL(%s)\n'):format(kernel.name)
  end
  support.write(folder .. '/kernels.inc.h', table.concat(names))
  support.write(folder .. '/products.c', support.read(data .. 'rooms/products.c'))
  for _, cpu in ipairs { 'toy', support.full and 'generic' or nil } do
    must(project, folder, 'generate', 'my.lua', '--out', cpu, '--cpu', cpu)
    local fetching = support.capture(
      ('grep -l FFN_FETCH %s/%s/*_dot_toy_*.c || true'):format(folder, cpu))
    unit.assertEquals(select(2, fetching:gsub('%.c\n?', '')), cpu == 'toy' and #names or 0)
    local result = support.run({ 'sh', '-c', ('cd %s && cc -O0 -Wall -Wextra -Werror -c *.c '
      .. '&& rm selfcheck.o && cd .. && cc -O1 -Wall -Wextra -Werror -ffp-contract=off -I%s -I%s '
      .. '-I. products.c %s/*.o -lm -pthread -o check && ./check'):format(cpu, cpu, runtime, cpu) },
      { dir = folder, seconds = 300 })
    support.assert_code(result, 0, result.out)
    local compared, skipped = result.out:match '(%d+) compared, (%d+) skipped, 0 wrong\n$'
    unit.assertEquals(compared + skipped, #names * 12, result.out)
    unit.assertTrue(tonumber(compared) > 0)
  end
end

TestRooms = {}

for _, name in ipairs(support.keys(exercises)) do
  TestRooms['test_' .. name] = exercises[name]
end

--- What the exercises are made of: specs in f32 that this project takes, so that it is not they
--- that fail.
function TestRooms.test_layers()
  local folder = support.folder()
  for i, text in ipairs { layers, small } do
    local own, plain = specs(text, { 64, 160, 192, 672 }, "weights = 'q32'", '')
    local said = select(2, text:gsub('FORMAT', ''))
    unit.assertEquals(select(2, own:gsub("'q32'", '')), said, 'formats')
    support.write(('%s/%d.lua'):format(folder, i), plain)
    local result = support.ffngen({ 'list', i .. '.lua' }, { dir = folder })
    support.assert_code(result, 0, plain)
  end
end

--- The exercises' formats are such as the record takes, and are read by words that portable C has.
function TestRooms.test_formats()
  for path, name in pairs {
    ['generator/weights/bf16'] = 'bf16', ['tests/data/formats/q32'] = 'q32',
    ['tests/data/formats/k64'] = 'k64', ['tests/data/rooms/weights/toy8'] = 'toy8',
  } do
    local format = formats.record(name, dofile(('%s/%s.lua'):format(support.root, path)))
    unit.assertEquals(format.trains, name == 'bf16', name)
    unit.assertEquals(format.products ~= false, name == 'toy8' or name == 'k64', name)
    unit.assertEquals(format.registers > 0, name ~= 'bf16', name)
    unit.assertNotNil(decoding.words(isas.by_name.c, format, 'value').from_bits
      or decoding.words(isas.by_name.c, format, 'value').from_int, name)
  end
end
