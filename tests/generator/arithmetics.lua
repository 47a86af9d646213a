--- How products are summed: the records of arithmetics and operands, the word of a spec, and what
--- is refused, with an arithmetic of integers in a copy of the project.
local unit = require 'luaunit'
local json = require 'dkjson'
local arithmetic = require 'arithmetic.arithmetic'
local formats = require 'operand.format'
local support = require 'support'
local with_dot_toy = require 'with_dot_toy'

TestArithmetics = {}

local data = support.root .. '/tests/data/rooms/'

--- A record made of what a file says, but for one field.
local function made(record, path, field, value)
  local said = dofile(data .. path .. '.lua')
  if field then said[field] = value end
  return record(path:match('[^/]+$'), said, {
    group = 32, products = { { group = 16, sums = true } },
  })
end

--- What a file must not say.
local function expect_wrong(record, path, field, value, problem)
  local ok, said = pcall(made, record, path, field, value)
  unit.assertFalse(ok, field)
  support.assert_has(tostring(said), path .. '.lua: ' .. problem, field)
end

function TestArithmetics.test_records()
  local path, record = 'arithmetic/dot_toy', arithmetic.record
  local own = made(record, path)
  unit.assertEquals({ own.k, own.takes, own.operand, own.trains }, { 4, 'bytes', 'toy8', false })
  expect_wrong(record, path, 'step', nil, 'the field "step" is missing')
  expect_wrong(record, path, 'name', 'dot', 'its name is "dot"')
  expect_wrong(record, path, 'takes', 'pair', 'unknown takes "pair" (choose from: value, bytes)')
  expect_wrong(record, path, 'takes', 'value', 'multiplies says which bytes are taken, and nothing')
  expect_wrong(record, path, 'multiplies', nil, 'multiplies says which bytes are taken')
  expect_wrong(record, path, 'end_grup', print, 'unknown field "end_grup" (did you mean')
  expect_wrong(record, path, 'accumulators', {}, 'no accumulator is kept from block to block')
  expect_wrong(record, path, 'accumulators', { 'sum' }, 'accumulator 1: must be a table, not sum')
  expect_wrong(record, path, 'accumulators', {
    { name = 'sum', type = 'int32', file = 'vector', rows = 1, scope = 'block' },
  }, 'what is kept from block to block is one f32, named sum')
end

function TestArithmetics.test_operands()
  local path, record = 'operand/toy8', formats.record
  local own = made(record, path)
  unit.assertEquals({ own.group, own.unit, #own.planes }, { 32, 32, 3 })
  unit.assertEquals({ own.planes[1].bytes, own.planes[2].bytes, own.planes[3].every }, { 1, 4, 16 })
  expect_wrong(record, path, 'name', 'toy', 'its name is "toy"')
  expect_wrong(record, path, 'take', nil, 'take is missing: only f32 lie as they are')
  expect_wrong(record, path, 'unit', 32, 'unknown field "unit"')
  expect_wrong(record, path, 'planes', { { name = 'x', lane = 's9', every = 1 } },
    'plane 1: unknown lane "s9" (did you mean "s8"?)')
  expect_wrong(record, path, 'planes', { { name = 'x', lane = 's8', every = 32 } },
    'the first plane has a number for each k')
end

--- A layer that says it, in names, lists and on the page of explain.
function TestArithmetics.test_word()
  local project, folder = with_dot_toy 'word', support.folder()
  support.write(folder .. '/my.lua', [[
ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'toy8', arithmetic = 'dot_toy' }
ffn 'b' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'toy8', arithmetic = 'fma_f32',
  build = { { isa = { 'c' } } } }
linear 'c' { d_model = 64, d_out = 8 }
]])
  local function run(...)
    local result = support.run({ project .. '/ffngen', ... }, { dir = folder })
    support.assert_code(result, 0, table.concat({ ... }, ' '))
    return result.out
  end
  local by_spec = {}
  for _, kernel in ipairs(json.decode(run('list', 'my.lua', '--json')).kernels) do
    by_spec[kernel.spec] = by_spec[kernel.spec] or {}
    table.insert(by_spec[kernel.spec], kernel)
  end
  local a, b = by_spec.a[1], by_spec.b[1]
  unit.assertEquals({ #by_spec.a, #by_spec.b, #by_spec.c }, { 1, 1, 5 })
  unit.assertEquals(a.name, 'ffn_swiglu_d64_f96_toy8_dot_toy_c')
  unit.assertEquals(b.name, 'ffn_swiglu_d64_f96_toy8_c')
  unit.assertEquals(a.packed, b.packed)
  unit.assertEquals(a.arithmetics, { 'dot_toy', 'dot_toy' })
  local said = run('explain', 'a', 'my.lua')
  support.assert_has(said, 'no bias, dot_toy\n', 'the spec')
  support.assert_has(said, 'down toy8, products of bytes in groups\n', 'the layer')
  -- Nothing says of it what holds for f32 alone.
  local no_bound = 'no bound is stated for sums of dot_toy'
  unit.assertEquals(select(2, said:gsub(no_bound, '')), 2, said)
  unit.assertNil(said:find('|sum - exact|', 1, true), said)
  run('vendor', 'my.lua', '--out', 'v')
  for _, file in ipairs { 'README.md', 'ffn_swiglu_d64_f96_toy8_dot_toy_c.c' } do
    local text = support.read(folder .. '/v/' .. file):gsub('%s[*%s]*', ' ')
    unit.assertEquals(select(2, text:gsub(no_bound, '')), 2, file)
  end
  local page = support.read(folder .. '/v/README.md')
  support.assert_has(page, '`ffn_a()` has no such bound yet', 'the page')
  unit.assertNil(page:find('`ffn_b()` has no such bound', 1, true))
end

--- Tiles have room for what groups hold as bytes: of q8_0 one vector, where values are read with
--- four, and of q6_K a second sum. Small weights are weighed against f32, which give no bytes.
function TestArithmetics.test_registers()
  local project, folder = with_dot_toy 'registers', support.folder()
  support.write(folder .. '/my.lua', [[
linear 'a' { d_model = 64, d_out = 64, weights = 'q8_0', arithmetic = 'dot_toy' }
linear 'b' { d_model = 256, d_out = 64, weights = 'q6_K', arithmetic = 'dot_toy' }
]])
  for layer, tiles in pairs {
    a = '1 x 16, 3 x 8, 1 branch, at most 62 scalars', b = '1 x 8, 1 branch, at most 44 scalars',
  } do
    local result = support.run({ project .. '/ffngen', 'explain', layer, 'my.lua' },
      { dir = folder })
    support.assert_code(result, 0, layer)
    support.assert_has(result.out, 'rows x columns ' .. tiles, layer)
  end
end

--- What an arithmetic does not allow is refused, with what would be taken.
function TestArithmetics.test_refused()
  local project, folder = with_dot_toy 'refused', support.folder()
  for layer, problem in pairs {
    ["linear 'a' { d_model = 64, d_out = 8, arithmetic = 'dot_to' }"] =
      'unknown arithmetic "dot_to" (did you mean "dot_toy"?)',
    ["linear 'a' { d_model = 64, d_out = 8, arithmetic = 3 }"] =
      'arithmetic must be a word such as "fma_f32", not an integer',
    ["linear 'a' { d_model = 64, d_out = 8, arithmetic = 'dot_toy' }"] =
      'dot_toy does not multiply weights in f32; it multiplies those in i8, i8z, q8_0, ',
    ["linear 'a' { d_model = 64, d_out = 8, weights = 'mxfp4', arithmetic = 'dot_toy' }"] =
      'dot_toy does not multiply weights in mxfp4; it',
    ["linear 'a' { d_model = 64, d_out = 8, T, build = { { isa = { 'c', 'neon' } } } }"] =
      'isa "neon" has no words for arithmetic = "dot_toy"; this layer may have c',
    ["linear 'a' { d_model = 64, d_out = 8, T, optimise = 'size' }"] =
      'dot_toy is not written for few bytes, as optimise = "size" asks for; fma_f32',
  } do
    support.write(folder .. '/my.lua',
      (layer:gsub('T,', "weights = 'toy8', arithmetic = 'dot_toy',"):gsub('T }',
        "weights = 'toy8', arithmetic = 'dot_toy' }")))
    local result = support.run({ project .. '/ffngen', 'list', 'my.lua' }, { dir = folder })
    support.assert_code(result, 4, layer)
    support.assert_has(result.err, problem, layer)
  end
end
