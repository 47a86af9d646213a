--- What is said of compressed weights whose code costs more than they save: of a small layer, and
--- not of one where they pay. Estimates are of the same sign as what a compiler makes.
local unit = require 'luaunit'
local arithmetics = require 'read.arithmetics'
local support = require 'support'

TestCodeCosts = {}

local small = "mlp 'it' { d_model = 10, bias = true,\n  "
  .. "layers = { { 64, 'relu' }, { 32, 'relu' }, { 1, 'sigmoid' } }%s }\n"
local middle = "ffn 'it' { variant = 'relu', d_model = 128, d_ff = 256%s }\n"

--- A folder of a layer for one instruction set: its name, and what is said.
local function vendored(layer, more, isa)
  local folder = support.user_folder(layer:format(more))
  local made, outcome = support.vendor(folder, '--isa', isa, '--no-selfcheck', '--no-dispatch')
  for _, path in ipairs(support.keys(made)) do
    if path:find '^mlp_10' or path:find '^ffn_relu' then
      return folder .. '/out/' .. path, outcome.err
    end
  end
  error('no kernel')
end

function TestCodeCosts.test_told()
  local _, said = vendored(small, ", weights = 'i8'", 'c')
  support.assert_has(said, '"it": weights of i8 save 9.0 KB and cost about 49 KB of code: '
    .. 'optimise = "size" on small devices, or weights = "f32"\n', 'portable C')
  for what, case in pairs {
    ['few bytes'] = { small, ", weights = 'i8', optimise = 'size'", 'c' },
    ['f32'] = { small, '', 'c' },
    ['more weights'] = { middle, ", weights = 'q4_0'", 'c' },
    ['a half'] = { small, ", weights = 'bf16'", 'avx2' },
  } do
    _, said = vendored(table.unpack(case))
    support.assert_lacks(said, 'KB of code', what)
  end
  -- Where there is no portable C the size of its loops is no remedy.
  _, said = vendored(small, ", weights = 'i8'", 'avx512')
  support.assert_has(said, 'KB of code: weights = "f32"\n', 'vectors')
  local folder = support.user_folder(small:format(", weights = 'i8'"))
  local page = support.ffngen({ 'explain', 'it', 'my.lua' }, { dir = folder }).out
  local plan = page:match '\nplan mlp_[%w_]-_c\n(.-)\n  profile '
  support.assert_has(plan, '\n  weights of i8 save 9.0 KB and cost about 49 KB of code: ', 'c')
  plan = page:match '\nplan mlp_[%w_]-_avx2\n(.-)\n  profile '
  support.assert_lacks(plan, 'KB of code', 'explain of what pays')
end

--- A layer whose products are of bytes stands beside f32, but where the instruction set has those
--- alone.
function TestCodeCosts.test_products_of_bytes()
  local folder = support.user_folder("linear 'it' { d_model = 32, d_out = 8, weights = 'q8_0', "
    .. "arithmetic = 'dot_s8' }\nffn 'mixed' { variant = 'relu', d_model = 32, d_ff = 32, "
    .. "weights = 'q8_0', arithmetic = { down = 'dot_s8' } }")
  local result = support.ffngen({ 'explain', 'it', 'my.lua' }, { dir = folder })
  support.assert_code(result, 0, 'explain')
  unit.assertEquals(select(2, result.out:gsub('\nplan linear_', '')),
    #arithmetics.isas 'dot_s8')
  support.assert_has(result.out, ' KB of code: weights = "f32", without arithmetic\n', 'explain')
  result = support.ffngen({ 'explain', 'mixed', 'my.lua' }, { dir = folder })
  support.assert_has(result.out, 'KB of code: weights = "f32", without arithmetic\n', 'mixed')
  support.assert_lacks(result.out, 'optimise', 'mixed')
  folder = support.user_folder("linear 'it' { d_model = 32, d_out = 8, weights = 'i8', "
    .. "arithmetic = 'dot_s8', operand_scales = 'static' }")
  result = support.ffngen({ 'explain', 'it', 'my.lua' }, { dir = folder })
  support.assert_has(result.out, 'weights = "f32", without arithmetic and operand_scales\n')
end

--- What a product and its layers are called changes no estimate.
function TestCodeCosts.test_any_name()
  local function estimates(layer, ...)
    local folder = support.user_folder(("ffn '%s' { variant = 'silu', d_model = 64, d_ff = 96, "
      .. "weights = 'q8_0' }"):format(layer))
    local outcome = support.ffngen({ 'vendor', 'my.lua', '--out', 'out', '--dry-run', '--json',
      ... }, { dir = folder })
    support.assert_code(outcome, 0, 'dry run')
    local list = {}
    for bytes in outcome.out:gmatch '"text_bytes%l*": *(%d+)' do list[#list + 1] = bytes end
    unit.assertTrue(#list > 2)
    return list
  end
  for _, shape in ipairs { '--cpp', '--single-file' } do
    local plain = estimates('it', '--prefix', 'my', shape)
    unit.assertEquals(estimates('fma_it', '--prefix', 'xfma', shape), plain)
    unit.assertEquals(estimates('it', shape), plain)
  end
end

--- Bytes of a kernel's code and constants.
local function compiled(source)
  local folder, file = source:match '^(.*)/([^/]*)$'
  local outcome = support.run({ 'sh', '-c', ('gcc -O2 -DNDEBUG -c %s -o it.o && size it.o')
    :format(file) }, { dir = folder })
  support.assert_code(outcome, 0, source)
  return math.tointeger(outcome.out:match '\n%s*(%d+)')
end

--- Estimates are near to what a compiler makes, for each form of code: lanes and straight lines of
--- a chain, tiles of groups, scalars that decode.
function TestCodeCosts.test_estimates()
  if support.capture 'uname -m' ~= 'x86_64' then return unit.skip 'another machine' end
  local cases = {
    { small, 'f16', 'avx512' }, { middle, 'q4_0', 'avx2' }, { small, 'i8', 'avx2' },
    { small, 'f32', 'c' }, { middle, 'q5_0', 'avx512' }, { middle, 'mxfp4', 'c' },
  }
  for _, case in ipairs { table.unpack(cases, 1, support.full and #cases or 2) } do
    local layer, format, isa = table.unpack(case)
    local what = ('%s for %s'):format(format, isa)
    local source = vendored(layer, (", weights = '%s'"):format(format), isa)
    local folder = source:match '^(.*)/out/'
    local outcome = support.ffngen({ 'vendor', 'my.lua', '--isa', isa, '--no-dispatch', '--out',
      'o', '--dry-run', '--json' }, { dir = folder })
    local ratio = tonumber(outcome.out:match '"text_bytes": *(%d+)') / compiled(source)
    unit.assertTrue(0.75 < ratio and ratio < 1.3, ('%s: %.2f'):format(what, ratio))
  end
end

function TestCodeCosts.test_objects()
  if support.capture 'uname -m' ~= 'x86_64' then return unit.skip 'another machine' end
  for _, case in ipairs {
    { small, 'i8', '', 'c', 9024, true }, { small, 'i8', '', 'avx512', 9024, true },
    { small, 'i8', '', 'avx2', 9024, false },
    { small, 'i8', ", optimise = 'size'", 'c', 9024, false },
    { middle, 'q4_0', '', 'avx2', 225280, false },
  } do
    local layer, format, more, isa, saved, is_told = table.unpack(case)
    local source, said = vendored(layer, (", weights = '%s'%s"):format(format, more), isa)
    local cost = compiled(source) - compiled((vendored(layer, more, isa)))
    local what = ('%s for %s: %d bytes of code more'):format(format, isa, cost)
    unit.assertEquals(cost > saved, is_told, what)
    unit.assertEquals(said:find('KB of code', 1, true) ~= nil, is_told, what)
  end
end
