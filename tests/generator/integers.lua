--- Layers that sum integers: the self-check that travels with them holds every kernel to the bits
--- of the second reference, and says so; what pages say of their errors; vendored folders have that
--- reference, and those of other layers nothing of it.
local unit = require 'luaunit'
local decoders = require 'emit.decoders'
local lists = require 'common.list'
local support = require 'support'
local weights = require 'weights'

TestIntegers = {}

--- Layers of all kinds: one stage or two, outputs side by side, two branches, biases, activations
--- of both branches, of one's own, with parameters from the weights.
local layers = ([[
activation 'own' (function(x, p) return x * sigmoid(p.slope * x) + max(x, 0) end)
linear 'one' { d_model = 512, d_out = 21, bias = true, weights = 'q6_K', T }
linear 'several' { d_model = 64, d_out = { q = 37, k = 16 }, weights = 'q5_1', T }
mlp 'chain' { d_model = 64, layers = { { 96, 'relu' }, { 33, 'sigmoid' } }, bias = true,
  weights = { 'q8_0', 'mxfp4' }, T }
ffn 'with_own' { variant = 'own_glu', d_model = 64, d_ff = 96, weights = 'u4g32_f32', T }
glu 'both' { variant = 'clamped_swiglu', d_model = 96, d_out = 48, weights = 'q4_0', T }
linear 'grouped' { d_model = 256, d_out = 21, weights = 'u4g128', T }
ffn 'rows' { variant = 'silu', d_model = 37, d_ff = 70, weights = 'i8', T }
]]):gsub('T }', "arithmetic = 'dot_s8' }")

--- Layers with a stage of integers and one of floats.
local in_both = [[
ffn 'first' { variant = 'silu', d_model = 64, d_ff = 96, weights = 'q4_0',
  arithmetic = { up = 'dot_s8' } }
ffn 'last' { variant = 'silu', d_model = 64, d_ff = 96, weights = 'q4_0',
  arithmetic = { down = 'dot_s8' } }
]]

--- What the self-check of a folder says, after changes { file, from, to }.
local function checked(folder, ...)
  for _, change in ipairs { ... } do
    local path = folder .. '/' .. change[1]
    local text = support.read(path)
    local first, last = text:find(change[2], 1, true)
    unit.assertNotNil(first, change[2])
    support.write(path, text:sub(1, first - 1) .. change[3] .. text:sub(last + 1))
  end
  return support.run({ 'sh', '-c', 'cc -O0 -I. *.c -lm -o selfcheck && ./selfcheck' },
    { dir = folder, seconds = 120 })
end

local function generated(text)
  local folder = support.user_folder(text)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--isa', 'c', '--out', 'k' },
    { dir = folder }), 0, text)
  return folder .. '/k'
end

--- The bits are those of the reference; the bound is asserted behind one stage, told behind two.
function TestIntegers.test_self_check()
  local result = checked(generated(layers))
  support.assert_code(result, 0, result.out)
  support.assert_has(result.out, '\n7 passed, 0 failed, 0 skipped\n', 'self-check')
  local counts = { ['at most (%S+) +of its bound: ok\n'] = 4, ['bound (%S+) +of y: ok\n'] = 3 }
  for _, of_bound in ipairs(support.keys(counts)) do
    local found = 0
    for error, bound in result.out:gmatch('equal bits to the reference; error (%S+) +of y, '
      .. of_bound) do
      found = found + 1
      error, bound = tonumber(error), tonumber(bound)
      unit.assertTrue(0 < error and error < 0.02 and 0 < bound, result.out)
      unit.assertTrue(of_bound:find '^at most' and bound < 1 or bound > 5 * error, result.out)
    end
    unit.assertEquals(found, counts[of_bound], result.out)
  end
end

--- Where stages are in several arithmetics there is a bound, and no reference of bits: the bound is
--- asserted unless a stage takes what one of integers gives.
function TestIntegers.test_mixed()
  local result = checked(generated(in_both))
  support.assert_code(result, 0, result.out)
  for what, said in pairs { ['dot_s8_fma_f32'] = 'bound %S+ +of y: ok',
    ['fma_f32_dot_s8'] = 'at most %S+ +of its bound: ok' } do
    unit.assertNotNil(result.out:find(what .. '_c +equal bits; error %S+ +of y, ' .. said),
      result.out)
  end
end

local line = "linear 'l' { d_model = 64, d_out = 5, weights = 'q4_1', arithmetic = 'dot_s8' }"

--- Kernels, the reference, the bound: what is wrong is found, and each says its own.
function TestIntegers.test_wrong()
  local kernel, folder = 'linear_d64_o5_q4_1_dot_s8_c.c', generated(line)
  local base = folder:gsub('/k$', '/base')
  support.sh('cp -r', folder, base)
  for said, changes in pairs {
    ['other bits than ffn_reference_s8() gives'] = {
      { kernel, 'return 127.0f /', 'return 126.0f /' },
      { 'reference_s8.c', 'rint((double)product)', 'trunc((double)product)' },
      { 'reference_s8.c', 'sum += (int64_t)', 'sum += k < 31 ? 0 : (int64_t)' },
    },
    ['error beyond the bound'] = {
      { 'reference.h', 'return half > zeros ?', 'return half < 0 ?' },
    },
  } do
    for _, change in ipairs(changes) do
      support.sh('rm -rf', folder)
      support.sh('cp -r', base, folder)
      local result = checked(folder, change)
      support.assert_code(result, 1, change[2])
      support.assert_has(result.out, ': ' .. said .. '\n', change[2])
    end
  end
  -- Behind two stages no bound is asserted.
  folder = generated((line:gsub('linear(.*)d_out = 5', "ffn%1variant = 'relu', d_ff = 64")))
  support.assert_code(checked(folder, { 'reference.h', 'return half > zeros ?',
    'return half < 0 ?' }), 0, 'two stages')
end

--- The longest rows that a layer may have, of the largest numbers: no sum of 32 bits overflows, and
--- one input more is refused (tests/generator/stage_arithmetics.lua).
function TestIntegers.test_limits()
  local folder = support.user_folder(([[
linear 'i8' { d_model = 132104, d_out = 3, weights = 'i8', T }
linear 'i8z' { d_model = 66311, d_out = 3, weights = 'i8z', T }
]]):gsub('T }', "arithmetic = 'dot_s8' }"))
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'k' }, { dir = folder }), 0,
    'generate')
  local result = support.run({ 'sh', '-c', ('rm k/selfcheck.c && cc -O1 -w -Ik '
    .. '%s/tests/data/rooms/limits.c k/*.c -lm '
    .. '-o limits && ./limits'):format(support.quote(support.root)) },
    { dir = folder, seconds = 200 })
  support.assert_code(result, 0, result.out .. result.err)
  support.assert_has(result.out, ' compared, 0 wrong\n', 'limits')
end

--- Every format that an arithmetic takes has its integers, a file of its own.
function TestIntegers.test_formats()
  local text = support.read(support.project .. '/generated/integers.inc')
  local found = {}
  for name in text:gmatch 'FFN_SOURCE_INTEGERS%([%w_]+, ([%w_]+)%)\n' do
    found[#found + 1] = name
    support.assert_has(text, ('static inline void ffn_integers_%s('):format(name), name)
  end
  unit.assertEquals(#found, 22)
  for _, name in ipairs(weights.names) do
    local ok = pcall(decoders.integers, support.project .. '/', { name }, 'ffn')
    unit.assertEquals(ok, lists.has(found, name) or weights.by_name[name].source == false, name)
  end
end

--- What is said of errors: exact sums, the bound's terms, and nothing of fused multiply-adds.
function TestIntegers.test_explained()
  local folder = support.user_folder(layers)
  local page = support.ffngen({ 'explain', 'chain', 'my.lua' }, { dir = folder }).out
  local sums = 'integers are summed exactly, with one result on every machine; |sum - exact| <= '
    .. 'sum (a/254 + e) |w| + g/(1-g) (sum |x| r + |b|), where of each 32 x the largest is a and '
    .. 'the largest error e, r = |w|, g = '
  support.assert_has(page, sums .. '9 2^-24; relu exact', 'the first stage')
  support.assert_has(page, sums .. '11 2^-24; sigmoid at most', 'the second stage')
  page = support.ffngen({ 'explain', 'several', 'my.lua' }, { dir = folder }).out
  support.assert_has(page, 'r = |scale q| + |minimum|, g = 8 2^-24\n', 'minima')
  local wide = support.ffngen({ 'explain', 'grouped', 'my.lua' }, { dir = folder }).out
  support.assert_has(wide, 'where of each 128 x the largest is a and the largest error e, r = |w|, '
    .. 'g = 8 2^-24\n', 'groups of 128')
  local rows = support.ffngen({ 'explain', 'rows', 'my.lua' }, { dir = folder }).out
  support.assert_has(rows, 'where of all x the largest is a and the largest error e, r = |w|, '
    .. 'g = 6 2^-24; silu', 'rows')
  for _, said in ipairs { '|x||w|', 'no bound' } do support.assert_lacks(page, said, said) end
  local made = support.vendor(folder, '--isa', 'c')
  local readme = made['README.md']:gsub('%s+', ' ')
  for _, name in ipairs { 'one', 'chain' } do
    support.assert_has(readme, ('`ffn_%s()` sums integers exactly: one result on every machine. '
      .. '`ffn_reference_s8()` computes it by plain loops; the self-check asserts that all kernels '
      .. 'give its bits.'):format(name), name)
  end
  support.assert_lacks(readme, 'has no such bound', 'README.md')
  unit.assertEquals(select(2, readme:gsub('beside the error, and does not assert it', '')), 3)
  readme = support.vendor(folder, '--isa', 'c', '--no-selfcheck')['README.md']
  support.assert_has(readme, 'sums integers exactly: one result on every machine.\n', 'alone')
  support.assert_lacks(readme, 'reference_s8', 'alone')
  folder = support.user_folder(in_both)
  readme = support.vendor(folder, '--isa', 'c')['README.md']
  support.assert_has(readme, '`ffn_first()` sums integers in some stages, exactly: one result on '
    .. 'every machine.\nA stage takes', 'first')
  support.assert_has(readme, '`ffn_last()` sums integers in some stages, exactly: one result on '
    .. 'every machine.\n\n', 'last')
end

local mixed = layers .. "ffn 'floats' { variant = 'gelu', d_model = 10, d_ff = 20 }\n"

local shapes = {
  { '--prefix', 'my' }, { '--prefix', 'my', '--single-file' },
  { '--prefix', 'my', '--header-only' }, { '--no-dispatch', '--layer', 'one' },
}

--- Folders of all shapes compile without a warning, as C and as C++, and pass their self-check.
function TestIntegers.test_vendored()
  for i, shape in ipairs(shapes) do
    if support.full or support.is_turn(i, #shapes) then
      local folder = support.user_folder(mixed)
      local made = support.vendor(folder, '--isa', 'c', table.unpack(shape))
      unit.assertEquals(made['my_reference_s8.c'] ~= nil, #shape == 2)
      for _, compiler in ipairs { 'gcc', 'g++ -x c++' } do
        local result = support.run({ 'sh', '-c', ('rm -f *.o && %s -O0 -Wall -Wextra -Werror -I. '
          .. '-c $(ls *.c | grep -v example) && %s *.o -lm -o check && ./check'):format(compiler,
            compiler:match '^%S+') }, { dir = folder .. '/out', seconds = 200 })
        support.assert_code(result, 0, table.concat(shape, ' ') .. result.out .. result.err)
        local count = shape[1] == '--no-dispatch' and 1 or 7
        unit.assertEquals(select(2, result.out:gsub('equal bits to the reference; ', '')), count)
        support.assert_has(result.out, ' 0 failed, 0 skipped', compiler)
      end
    end
  end
end

--- What a folder needs of the references is in it, and no more; those of floats have nothing.
function TestIntegers.test_vendored_names()
  local folder = support.user_folder(mixed)
  local function all(...)
    support.sh('rm -rf', folder .. '/out')
    local texts = {}
    for path, text in pairs(support.vendor(folder, '--isa', 'c', '--prefix', 'my', ...)) do
      if path:find '%.[ch]$' then texts[#texts + 1] = path .. text end
    end
    return table.concat(texts)
  end
  local text = all('--layer', 'floats')
  for _, word in ipairs { 'DOT_S8', 's8', 'ntegers_', '*@' } do
    support.assert_lacks(text, word, word)
  end
  support.assert_has(text, 'Only MY_ARITHMETIC_FMA_F32 has a bound so far.', 'ffn.h')
  text = all('--layer', 'both')
  for _, word in ipairs {
    'my_integers_q4_0(', 'my_reference_act_clamped_swiglu(', 'case MY_SOURCE_Q4_0:',
    'the arithmetics that\n *   multiply bytes have a bound',
  } do
    support.assert_has(text, word, word)
  end
  for _, word in ipairs { 'integers_q8_0', 'act_relu', 'ffn_reference', 'from_bits_' } do
    support.assert_lacks(text, word, word)
  end
  text = all('--layer', 'both', '--no-selfcheck')
  for _, word in ipairs { 'void my_reference_s8(', 'integers_q4_0' } do
    support.assert_lacks(text, word, word)
  end
end

--- A layer whose name would be that of a function here is refused.
function TestIntegers.test_taken_names()
  for _, name in ipairs { 'integers_q4_1', 'reference_act_relu', 'reference_s8' } do
    local folder = support.user_folder((line:gsub('linear(.*)d_out = 5',
      "ffn%1variant = 'relu', d_ff = 64"):gsub("'l'", ("'%s'"):format(name))))
    local result = support.ffngen({ 'vendor', 'my.lua', '--prefix', 'my', '--out', 'out' },
      { dir = folder })
    support.assert_code(result, 4, name)
    support.assert_has(result.err, ('my_%s is another\'s'):format(name), name)
  end
end

--- Weights in the code: the self-check packs others.
function TestIntegers.test_vendored_weights()
  local folder = support.user_folder((line:gsub('q4_1', 'q4_0')))
  local parts = {}
  for i = 1, 64 * 5 do parts[i] = ('<f'):pack(i % 17 - 8) end
  support.write(folder .. '/w.bin', table.concat(parts))
  support.vendor(folder, '--isa', 'c', '--no-dispatch', '--weights', 'w.bin')
  local result = support.run({ 'sh', '-c', 'rm ffn_example_main.c && cc -O0 -Wall -Wextra -Werror '
    .. '-I. *.c -lm -o check && ./check' }, { dir = folder .. '/out', seconds = 100 })
  support.assert_code(result, 0, result.out .. result.err)
  support.assert_has(result.out, 'equal bits to the reference; error ', 'self-check')
end
