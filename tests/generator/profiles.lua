--- Profiles of CPUs: which CPUs they know, and what kernels make of them.
local unit = require 'luaunit'
local support = require 'support'
local cpus = require 'cpu'
local english = require 'lower.english'
local isas = require 'isa'
local lists = require 'common.list'
local name_grammar = require 'lower.name'

TestProfiles = {}

-- Weights of more than 1 MiB, and of less.
local spec_text = [[
ffn 'far' { variant = 'relu', d_model = 520, d_ff = 520, sparse = false }
ffn 'near' { variant = 'relu', d_model = 40, d_ff = 70 }
]]
local far, near = 'ffn_relu_d520_f520_f32', 'ffn_relu_d40_f70_f32'

local function generated(...)
  local folder = support.folder()
  support.write(folder .. '/my.lua', spec_text)
  local result = support.ffngen({ 'generate', 'my.lua', '--out', 'out', ... }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  return support.snapshot(folder .. '/out'), folder .. '/out'
end

--- No CPU is one of two profiles, whichever stands first in the list.
function TestProfiles.test_apart()
  local models, parts = {}, {}
  for i, profile in ipairs(cpus.all) do
    unit.assertEquals(profile.x86 or profile.arm64, i > 1 and (profile.x86 or profile.arm64),
      'the first is for every CPU')
    unit.assertTrue(i == 1 or #profile.source > 0, profile.name .. ': where from?')
    unit.assertTrue(i == 1 or profile.caches.l1 < profile.caches.l2)
    for _, m in ipairs(profile.x86 or {}) do
      unit.assertEquals(#m.vendor, 12, profile.name)
      unit.assertTrue(m.first <= m.last and m.last <= 255, profile.name)
      for _, other in ipairs(models) do
        unit.assertFalse(m.vendor == other.vendor and m.family == other.family
          and m.first <= other.last and other.first <= m.last, profile.name .. ' is another, too')
      end
      models[#models + 1] = m
    end
    for _, m in ipairs(profile.arm64 or {}) do
      local part = ('%x %x'):format(m.implementer, m.part)
      unit.assertNil(parts[part], profile.name)
      parts[part] = true
    end
  end
  unit.assertTrue(#models >= 5)
end

function TestProfiles.test_names()
  local decoded = name_grammar.decode(far .. '_avx512_zen4')
  unit.assertEquals({ decoded.isa, decoded.cpu }, { 'avx512', 'zen4' })
  unit.assertEquals(english.describe(far .. '_avx512_zen4'),
    'FFN relu, 520 -> 520 -> 520, no bias, f32, for avx512, on AMD Zen 4')
  for _, wrong in ipairs { '_avx512_zen2', '_avx2_neoverse', '_avx2_generic', '_avx2_', '_zen4' } do
    unit.assertNil(name_grammar.decode(far .. wrong), wrong)
  end
end

--- What a descriptor chooses, and the CPU that it is for.
local function handed(text, symbol)
  local head = '\nconst ffn_kernel ' .. symbol .. ' = '
  local body = text:match(head .. '(%b{});') or text:match(head .. 'DESCRIPTOR(%b());')
  local choices = body and (body:match('&?([_%w]+), /%* choices %*/') or body:match('&([_%w]+)%)$'))
  return choices and (text:match('ffn_choices ' .. choices .. ' = {(.-)};') or choices),
    body and body:match('FFN_PROFILE_(%w+)')
end

--- Which instruction sets a CPU has follows from what they are compiled for: a new one edits no
--- profile.
function TestProfiles.test_instruction_sets()
  local had = {}
  for i = 2, #cpus.all do
    local p, own = cpus.all[i], {}
    for _, isa in ipairs(isas.names) do
      if cpus.suits(p, isas.by_name[isa]) then own[#own + 1] = isa end
    end
    had[p.name] = own
  end
  unit.assertEquals(had, {
    intel = { 'avx2', 'avx512', 'avx512_vnni', 'avx_vnni', 'avx512_amx' }, zen2 = { 'avx2' },
    zen4 = { 'avx2', 'avx512', 'avx512_vnni' },
    zen5 = { 'avx2', 'avx512', 'avx512_vnni', 'avx_vnni' },
    neoverse = { 'neon', 'neon_dotprod', 'neon_i8mm' },
  })
  local function suits(name, arch, target)
    return cpus.suits(cpus.by_name[name], { arch = arch, target = target })
  end
  local x86 = 'FFN_ARCH_X86'
  unit.assertEquals({ suits('zen4', x86, 'avx512f,avx512vnni'), suits('zen5', x86, 'avxvnni'),
    suits('zen2', x86, 'avx2,avxvnni'), suits('zen4', x86, 'avx512f,amx-int8'),
    suits('zen4', 'FFN_ARCH_ARM64', ''), suits('generic', x86, 'avx2') },
    { true, true, false, false, false, true })
end

function TestProfiles.test_descriptors()
  local files, count = generated(), 0
  for _, isa in ipairs(support.f32_isas()) do
    local text = files[('%s_%s.c'):format(far, isa)]
    local wanted = { [far .. '_' .. isa] = { cpus.all[1].choices, 'ANY' } }
    for i = 2, #cpus.all do
      local p = cpus.all[i]
      if cpus.suits(p, isas.by_name[isa]) then
        wanted[('%s_%s_%s'):format(far, isa, p.name)] = { p.choices, p.name:upper() }
      end
    end
    for symbol in text:gmatch('\nconst ffn_kernel ([%w_]+) =') do
      local choices, profile = handed(text, symbol)
      unit.assertNotNil(wanted[symbol], symbol)
      local c = wanted[symbol][1]
      -- Portable C has one descriptor, so its numbers are constants of the code.
      unit.assertEquals(choices, (isa == 'c' or isa == 'wasm') and 'NULL'
        or ('%d, %d, %d, %d, %d, %d, %d'):format(c.streams, c.few_rows, c.few_ahead, c.fetch_ahead,
          c.fetch_level, c.reread, c.few_l2_ahead), symbol)
      unit.assertEquals(profile, wanted[symbol][2], symbol)
      support.assert_has(files['kernels.inc'], ('FFN_KERNEL(%s)\n'):format(symbol), 'kernels.inc')
      wanted[symbol], count = nil, count + 1
    end
    unit.assertEquals(support.keys(wanted), {}, 'descriptors that are not there')
    local small = files[('%s_%s.c'):format(near, isa)]
    unit.assertEquals(select(2, small:gsub('\nconst ffn_kernel ', '')), 1, near)
    unit.assertEquals(handed(small, near .. '_' .. isa), 'NULL', 'weights in a cache')
  end
  unit.assertEquals(count, 5 + 4 + 3 + 1)
end

--- Whatever weights come from memory, a vendored header names all CPUs that its kernels do.
function TestProfiles.test_vendored()
  for _, weights in ipairs { 'f32', 'bf16', 'q8_0' } do
    local folder = support.user_folder(("linear 'far' { d_model = 1024, d_out = 1024, "
      .. "weights = '%s' }\n"):format(weights))
    support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--isa', 'avx512', '--out', 'v' },
      { dir = folder }), 0, weights)
    local files, named = support.snapshot(folder .. '/v'), 0
    for _, name in ipairs(support.keys(files)) do
      for profile in files[name]:gmatch ' (FFN_PROFILE_%u+%d+), &suited' do
        support.assert_has(files['ffn.h'], ('  %s,\n'):format(profile), weights)
        named = named + 1
      end
    end
    unit.assertTrue(named > 0, weights)
  end
end

--- What kernels for an instruction set choose on any CPU and on another one, for the weights of a
--- layer far from a cache: of the seven numbers the one at an index.
---@param said string  fields of the spec
local function chosen_for(said, isa, cpu, index)
  local folder = support.folder()
  support.write(folder .. '/my.lua', ([[
ffn 'far' { variant = 'relu', d_model = 1024, d_ff = 1024, sparse = false, %s }
]]):format(said))
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'out', '--isa', isa },
    { dir = folder }), 0, said)
  local name = support.capture(('ls %s/out/*_%s.c'):format(folder, isa)):match '([%w_]+)%.c$'
  local text = support.read(('%s/out/%s.c'):format(folder, name))
  return lists.map({ '', '_' .. cpu }, function(of)
    local choices = handed(text, name .. of)
    for _ = 2, index do choices = choices:match '^%d+, (.*)' end
    return math.tointeger(choices:match '^%d+')
  end)
end

--- What a profile chooses for weights of a kind, and for an instruction set.
local function own_choices(profile, weights, isa)
  local own = lists.filter(profile.own, function(one)
    return one.weights == weights and one.isa == (isa or false)
  end)
  unit.assertEquals(#own, 1, profile.name .. ': ' .. weights)
  return own[1].choices
end

--- Weights of two bytes may have choices of their own, all weights of a layer or none.
function TestProfiles.test_halves()
  local zen4, few_rows = cpus.by_name.zen4, 2
  local own = own_choices(zen4, 'halves')
  unit.assertTrue(own.few_rows < zen4.choices.few_rows)
  unit.assertEquals(own.fetch_ahead, zen4.choices.fetch_ahead)
  local function few_of(weights)
    return chosen_for('weights = ' .. weights, 'avx512', 'zen4', few_rows)
  end
  local any = cpus.all[1].choices.few_rows
  unit.assertEquals(few_of "'f32'", { any, zen4.choices.few_rows })
  unit.assertEquals(few_of "'bf16'", { any, own.few_rows })
  unit.assertEquals(few_of "'f16'", { any, own.few_rows })
  unit.assertEquals(few_of "{ up = 'bf16', down = 'q8_0' }", { any, zen4.choices.few_rows })
end

--- Weights that are multiplied as bytes may have choices of their own for an instruction set: all
--- weights of a layer or none.
function TestProfiles.test_bytes()
  local zen5, few_ahead = cpus.by_name.zen5, 3
  local own = own_choices(zen5, 'bytes', 'avx2')
  unit.assertTrue(own.few_ahead > zen5.choices.few_ahead)
  unit.assertEquals(own.fetch_ahead, zen5.choices.fetch_ahead)
  local function ahead_of(arithmetic, isa, weights)
    return chosen_for(("weights = '%s', arithmetic = %s"):format(weights, arithmetic), isa, 'zen5',
      few_ahead)[2]
  end
  unit.assertEquals(ahead_of("'dot_s8'", 'avx2', 'q4_0'), own.few_ahead)
  unit.assertEquals(ahead_of("'dot_s8'", 'avx512_vnni', 'q8_0'), zen5.choices.few_ahead)
  unit.assertEquals(ahead_of("'fma_f32'", 'avx2', 'q8_0'), zen5.choices.few_ahead)
  unit.assertEquals(ahead_of("{ up = 'dot_s8', down = 'fma_f32' }", 'avx2', 'q4_0'),
    zen5.choices.few_ahead)
end

--- Choices for bytes are those of instruction sets that multiply bytes, and that such CPUs have.
function TestProfiles.test_instruction_sets_of_choices()
  for _, p in ipairs(cpus.all) do
    for _, own in ipairs(p.own) do
      local isa = own.isa and isas.by_name[own.isa]
      if own.isa then
        unit.assertNotNil(isa and isa.arithmetic.dot_s8, p.name .. ': ' .. own.isa)
        unit.assertTrue(cpus.suits(p, isa), p.name .. ': ' .. own.isa)
      end
    end
  end
end

--- So may weights that are opened to bytes, where these are multiplied.
function TestProfiles.test_opened()
  local zen5, few_ahead = cpus.by_name.zen5, 3
  local opened = own_choices(zen5, 'opened')
  unit.assertNotEquals(opened.few_ahead, zen5.choices.few_ahead)
  unit.assertEquals(opened.few_rows, zen5.choices.few_rows)
  local function ahead_of(weights, arithmetic, isa)
    return chosen_for(("weights = %s, arithmetic = '%s'"):format(weights, arithmetic), isa, 'zen5',
      few_ahead)
  end
  local any = cpus.all[1].choices.few_ahead
  local usual, own = { any, zen5.choices.few_ahead }, { any, opened.few_ahead }
  for _, isa in ipairs { 'avx_vnni', 'avx512_vnni' } do
    for _, weights in ipairs { "'q4_K'", "'q6_K'", "{ up = 'mxfp4', down = 'q5_0' }" } do
      unit.assertEquals(ahead_of(weights, 'dot_s8', isa), own, weights)
    end
    for _, weights in ipairs { "'q8_0'", "'i8'", "{ up = 'q4_K', down = 'q8_0' }" } do
      unit.assertEquals(ahead_of(weights, 'dot_s8', isa), usual, weights)
    end
  end
  unit.assertEquals(ahead_of("'q5_K'", 'fma_f32', 'avx512'), usual)
end

--- So may weights that are decoded to floats, but for formats whose steps differ.
function TestProfiles.test_decoded()
  local zen5, few_ahead = cpus.by_name.zen5, 3
  local decoded = own_choices(zen5, 'decoded')
  unit.assertTrue(decoded.few_ahead > zen5.choices.few_ahead)
  unit.assertEquals(decoded.fetch_ahead, zen5.choices.fetch_ahead)
  local function ahead_of(weights, isa)
    return chosen_for('weights = ' .. weights, isa, 'zen5', few_ahead)[2]
  end
  for _, weights in ipairs { "'q4_K'", "'u4g128'", "{ up = 'mxfp4', down = 'q6_K' }" } do
    for _, isa in ipairs { 'avx2', 'avx512' } do
      unit.assertEquals(ahead_of(weights, isa), decoded.few_ahead, weights)
    end
  end
  for _, weights in ipairs { "'q8_0'", "'q5_K'", "'bf16'", "{ up = 'q4_K', down = 'f32' }" } do
    unit.assertEquals(ahead_of(weights, 'avx512'), zen5.choices.few_ahead, weights)
  end
end

--- A product names its CPUs; the first serves all others.
function TestProfiles.test_products()
  local folder = support.folder()
  support.write(folder .. '/my.lua', spec_text)
  local function vendor(cpu, ...)
    support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--layer', 'far', '--isa', 'avx2',
      '--prefix', 'my', '--out', cpu, '--cpu', cpu, ... }, { dir = folder }), 0, cpu)
    local files = support.snapshot(folder .. '/' .. cpu)
    return files['my_' .. far .. '_avx2.c'], files['my_cpu.c'], files['README.md']
  end
  local kernel, cpu, readme = vendor 'zen4,intel'
  support.assert_has(cpu, 'MY_PROFILE_INTEL', 'cpu.c')
  support.assert_lacks(cpu, 'MY_PROFILE_ZEN', 'cpu.c')
  support.assert_has(readme, '--cpu zen4,intel', 'README.md')
  support.assert_has(kernel, 'suited = {4, 4, 0, 12288, 2, 1, 0};', 'the first')
  support.assert_has(kernel, 'suited_intel = {8, 4, 8192, 8192, 1, 0, 16384};', 'the second')
  for _, one in ipairs { 'generic', 'intel' } do
    kernel, cpu = vendor(one)
    support.assert_lacks(kernel, 'ffn_choices', one)
    support.assert_lacks(cpu, 'cpu_model', one)
  end
  local result = support.ffngen({ 'vendor', 'my.lua', '--out', 'x', '--cpu', 'intel,generic' },
    { dir = folder })
  support.assert_has(result.err, '"generic" serves every CPU', 'usage')
  result = support.ffngen({ 'vendor', 'my.lua', '--out', 'x', '--isa', 'avx2', '--no-dispatch',
    '--cpu', 'intel,zen4' }, { dir = folder })
  support.assert_code(result, 2, 'no dispatch')
end

local assembled = {}

--- The assembler that gcc makes of the far kernel; of each instruction set and options once, as it
--- takes most of these tests' time.
local function assembler(isa, ...)
  local key = table.concat({ isa, ... }, ' ')
  if not assembled[key] then
    local _, folder = generated('--isa', isa, ...)
    local made = support.run({ 'gcc', '-O1', '-I.', '-S', '-o', '-', ('%s_%s.c'):format(far, isa) },
      { dir = folder })
    support.assert_code(made, 0, 'gcc')
    assembled[key] = made.out
  end
  return assembled[key]
end

--- Instructions of a function.
---@param text string  assembler
---@param fn string
---@param word string|nil  what they begin with, where not with prefetch
local function instructions(text, fn, word)
  local body = text:match('\n' .. fn .. '[.%w]*:\n(.-)\n\t%.size')
  unit.assertNotNil(body, fn)
  return select(2, body:gsub('\t' .. (word or 'prefetch'), ''))
end

--- Loops without fetching are there where a CPU wants them, and no others are.
function TestProfiles.test_loops()
  local all = assembler('avx2')
  local zen4, intel = assembler('avx2', '--cpu', 'zen4'), assembler('avx2', '--cpu', 'intel')
  -- One row of 64 columns, 4 panels.
  unit.assertEquals(instructions(zen4, 'shared_sums_64'), 0)
  unit.assertTrue(instructions(intel, 'shared_sums_64') >= 4)
  unit.assertEquals(instructions(all, 'shared_sums_64'), instructions(intel, 'shared_sums_64'))
  -- Up to 6 rows: 5 and 6 fetch everywhere.
  local some, every = instructions(zen4, 'shared_sums_16'), instructions(intel, 'shared_sums_16')
  unit.assertTrue(some > 0 and some < every, ('%d of %d'):format(some, every))
  unit.assertEquals(instructions(all, 'shared_sums_16'), every)
end

--- A kernel for as few tokens as fetch nothing has no loop that fetches.
function TestProfiles.test_few_tokens()
  for tokens, fetches in pairs { [4] = false, [5] = true } do
    local folder = support.user_folder(
      ("linear 'few' { d_model = 640, d_out = 640, max_tokens = %d }"):format(tokens))
    support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', '.', '--isa', 'avx512',
      '--cpu', 'zen4' }, { dir = folder }), 0, 'generate')
    local made = support.run({ 'gcc', '-O1', '-I.', '-S', '-o', '-',
      ('linear_d640_o640_f32_avx512_%dtokens.c'):format(tokens) }, { dir = folder })
    support.assert_code(made, 0, 'gcc')
    unit.assertEquals(made.out:find('\tprefetch', 1, true) ~= nil, fetches, tokens .. ' tokens')
  end
end

--- Up to 14 rows of 32 columns fetch into the cache that a CPU wants, and many tiles of rows, which
--- share the lines, into the first-level one on every CPU.
function TestProfiles.test_levels()
  local function count(...)
    local text = assembler('avx512', ...)
    return instructions(text, 'shared_sums_32', 'prefetcht0'),
      instructions(text, 'shared_sums_32', 'prefetcht1')
  end
  local first, second = count('--cpu', 'intel')
  unit.assertTrue(first > 0)
  unit.assertEquals(second, 0)
  local all, into_second = count()
  -- A line of each of two panels, for 5 to 14 rows: fewer fetch nothing. And of the rows to come.
  unit.assertEquals(into_second, 2 * 10)
  unit.assertEquals(all, first + 10)
  local zen4_first, zen4_second = count('--cpu', 'zen4')
  unit.assertEquals(zen4_second, into_second)
  unit.assertTrue(zen4_first > 0 and zen4_first < first)
end

--- One row for which nothing is fetched reads a line of each panel once more, where a vector takes
--- it whole and a CPU wants that; where another wants it once, there is a loop for that, too.
function TestProfiles.test_rereads()
  local function count(isa, ...)
    local text = assembler(isa, ...)
    local fn = 'shared_sums_64'
    return { instructions(text, fn, 'movzb'), instructions(text, fn, 'vfmadd') }
  end
  local once, twice = count('avx512', '--cpu', 'zen5'), count('avx512', '--cpu', 'zen4')
  unit.assertEquals({ once[1], twice[1] }, { 0, 4 })
  -- A row has four multiply-adds in a loop; 3 and 4 rows have a loop with fetching and one without,
  -- 5 and 6 one for each cache.
  unit.assertEquals(count('avx512', '--cpu', 'zen4,zen5'), { 4, once[2] + 4 * (1 + 3 + 4 + 5 + 6) })
  unit.assertEquals(count('avx512')[1], 4)
  unit.assertEquals(count('avx512', '--cpu', 'intel')[1], 0)
  unit.assertEquals(count('avx2', '--cpu', 'zen4')[1], 0)
  local files = generated('--isa', 'avx512')
  support.assert_has(files[far .. '_avx512.c'],
    'const int twice = task->rows == 1 && task->choices->reread;', 'who reads twice')
end

--- One tile, or two, of a CPU that wants lines in the second-level cache fetch into it, and nothing
--- where it fetches nothing; instead of nothing lines may be read twice.
function TestProfiles.test_ways()
  local folder = support.folder()
  local made = support.run({ 'sh', '-c', 'cp "$0"/runtime/*.h "$0"/generated/*.inc . && printf '
    .. '"%s\\n" \'#include "kernel.h"\' \'#include <stdio.h>\' \'int main(void) { for (size_t '
    .. 'level = 1; level < 4; ++level) for (size_t shares = 1; shares < 5; ++shares) '
    .. 'printf("%d%d%d ", ffn_fetches(64, shares, level, 1, 64), '
    .. 'ffn_fetches(0, shares, level, 0, 128), '
    .. 'ffn_fetches(64, shares, level, 0, 128)); printf("%d", ffn_fetches(0, 1, 1, 1, 128)); }\' '
    .. '>ways.c && gcc -w ways.c -o ways && ./ways', support.project }, { dir = folder })
  support.assert_code(made, 0, 'gcc')
  unit.assertEquals(made.out, '104 202 202 202 304 303 202 202 304 303 202 202 -1')
end
