--- What an ONNX graph rounds by scales of its file: a QuantizeLinear and a DequantizeLinear in
--- front of a product are its operand, where kernels round alike; else it is said why not.
local unit = require 'luaunit'
local disk = require 'common.disk'
local ffn_packer = require 'ffn_packer'
local groups = require 'import.groups'
local in_process = require 'in_process'
local lists = require 'common.list'
local numbers = require 'common.number'
local onnx_layers = require 'onnx_layers'
local packed_file = require 'files.packed_file'
local plan_text = require 'import.plan_text'
local random_access = require 'files.random_access'
local refusal = require 'refusal'
local report = require 'import.report'
local role_words = require 'import.role_words'
local arithmetics = require 'arithmetic'
local support = require 'support'
local writer = require 'onnx_writer'

TestOnnxStatic = {}

local node, number, tensor = writer.node, writer.number, writer.tensor
local d, f = 4, 6
local u8, i8, f16 = 2, 3, 10

local function integer(name, value, kind)
  return tensor(name, {}, string.pack(kind == u8 and 'I1' or 'i1', value), kind)
end

local function bytes(name, dims, kind)
  local parts = {}
  for i = 1, dims[1] * dims[2] do parts[i] = string.pack('B', i * 53 % 256) end
  return tensor(name, dims, table.concat(parts), kind or i8)
end

local scales = {}
for i = 1, f do scales[i] = i / 8 end

local tensors = {
  bytes('qa', { d, f }), bytes('qb', { f, d }), bytes('qc', { d, f }), bytes('qu', { d, f }, u8),
  bytes('qw', { d, d }), tensor('sa', { f }, writer.floats(scales)), number('sb', 0.5),
  writer.weights('a', { d, f }), writer.weights('v', { f }),
  number('s', 0.25), number('t', 0.125), number('tiny', 0x1p-101), number('least', 0x1p-100),
  tensor('half', {}, string.pack('<I2', 0x3400), f16), tensor('zu', {}, '\5', u8),
  integer('z', 0, i8), integer('five', 5, i8), integer('none', 0, u8), integer('middle', 128, u8),
}

--- The bytes of matrices as floats.
local weights = { node('DequantizeLinear qa sa -> wa', { axis = 1 }),
  'DequantizeLinear qb sb -> wb',
  node('DequantizeLinear qc sa -> wc', { axis = 1 }), 'DequantizeLinear qu sb zu -> wu',
  'DequantizeLinear qw sb -> ww' }

local function model(nodes, more)
  local list = lists.append({ table.unpack(weights) }, nodes)
  local of = { nodes = list, tensors = tensors, rank = 2 }
  for key, value in pairs(more or {}) do of[key] = value end
  return of
end

local function read(nodes, options, more)
  return onnx_layers.of(writer, model(nodes, more), options)
end

local function q(text, attributes) return node('QuantizeLinear ' .. text, attributes) end
local function dq(text) return node('DequantizeLinear ' .. text) end

--- x and h by a scale each.
local both = { q 'x s z -> i', dq 'i s z -> k', 'MatMul k wa -> h', 'Relu h -> r', q 'r t z -> l',
  dq 'l t z -> m', 'MatMul m wb -> y' }

local function scales_of(layer)
  return lists.map(layer.matrices, function(m) return m.operand_scale end)
end

local function around_of(layer)
  return table.concat(lists.map(layer.around, function(a)
    return ('%s %s %s'):format(a.place, a.what, a.text)
  end), '\n')
end

local x = { 31.8, -31.9, 0.125, -0.375 }

--- Both roundings are the layer's: spec, plan and report say so, and what it computes.
function TestOnnxStatic.test_kept()
  local all = read(both)
  local layer = all.layers[1]
  unit.assertEquals({ #all.layers, layer.kind, layer.fields.variant }, { 1, 'ffn', 'relu' })
  unit.assertEquals(scales_of(layer), { 0.25, 0.125 })
  unit.assertEquals(around_of(layer), '')
  local named = groups.of(all)
  support.assert_has(named.text, "  arithmetic = 'dot_s8',\n")
  support.assert_has(named.text, "  operand_scales = 'static',\n}")
  local told = named.text:gsub('\n *%-%-', '')
  support.assert_has(told, 'operand_scales: QuantizeLinear "i" rounds what MatMul "h" multiplies '
    .. 'to 8 bits by a scale of the file, and so do the kernels')
  support.assert_has(told, 'QuantizeLinear "l" rounds what MatMul "y"')
  support.assert_has(told, 'below -127.5 times a scale is -128 in the graph, and -127 in the '
    .. 'kernels')
  unit.assertNil(named.text:find('float%-activations'))
  support.assert_has(plan_text.of(all, named, '/', '/'), '"operand_scales":[0.25,0.125],"matrices"')
  unit.assertNil(report.summary(all, named):find('roundings', 1, true))
  unit.assertEquals(all.left, { { what = 'nodes', count = #weights } })
  -- 31.8 / 0.25 is 127.2, and -31.9 / 0.25 is -127.6; 0.125 / 0.25 and -0.375 / 0.25 are ties.
  local rounded, h, y = { 31.75, -31.75, 0.0, -0.5 }, {}, {}
  local function weight(i) return (i * 53 % 256 ~ 128) - 128 end
  for o = 1, f do
    local sum = 0.0
    for k = 1, d do sum = sum + rounded[k] * weight((k - 1) * f + o) * scales[o] end
    h[o] = math.min(127, math.max(0, sum) / 0.125 + 0x1.8p52 - 0x1.8p52) * 0.125
  end
  for o = 1, d do
    y[o] = 0.0
    for k = 1, f do y[o] = y[o] + h[k] * weight((k - 1) * d + o) * 0.5 end
  end
  unit.assertEquals(onnx_layers.evaluate(all, layer, x), y)
end

--- With the option x and h stay floats, and what rounds x is the host's.
function TestOnnxStatic.test_floats()
  local all = read(both, { float_activations = true })
  unit.assertEquals(scales_of(all.layers[1]), { false, false })
  support.assert_has(around_of(all.layers[1]), 'before QuantizeLinear node "i" rounds what')
  local named = groups.of(all)
  unit.assertNil(named.text:find('operand_scales', 1, true))
  support.assert_has(named.text, 'as --float-activations asks')
  unit.assertNil(plan_text.of(all, named, '/', '/'):find('operand_scales', 1, true))
end

--- One of two products, and other kinds of layers.
function TestOnnxStatic.test_forms()
  local pair = { q 'x s z -> i', dq 'i s z -> k' }
  local function with(nodes) return lists.append({ table.unpack(pair) }, nodes) end
  for _, case in ipairs {
    { with { 'MatMul k wa -> y' }, { 0.25 }, "operand_scales = 'static'" },
    -- The first is of floats, the second of bytes: x is no pair, or the weights are none.
    { { 'MatMul x wa -> h', 'Relu h -> r', q 'r t z -> l', dq 'l t z -> m', 'MatMul m wb -> y' },
      { false, 0.125 }, "operand_scales = { down = 'static', up = 'dynamic' }" },
    { { 'MatMul x a -> h', 'Relu h -> r', q 'r t z -> l', dq 'l t z -> m', 'MatMul m wb -> y' },
      { false, 0.125 }, "weights = { down = 'i8', up = 'f32' }" },
    -- Gate and up take one x, from one pair or two alike.
    { with { 'MatMul k wa -> g', 'MatMul k wc -> u', 'Sigmoid g -> e', 'Mul e u -> y' },
      { 0.25, 0.25 }, "operand_scales = 'static'" },
    { with { dq 'i s z -> p', 'MatMul k wa -> g', 'MatMul p wc -> u', 'Sigmoid g -> e',
      'Mul e u -> y' }, { 0.25, 0.25 }, "operand_scales = 'static'" },
    { { q 'x least -> i', 'MatMul x wu -> y' }, { false } },
    { { node('QuantizeLinear x least -> i', { output_dtype = 3 }), dq 'i least z -> k',
      'MatMul k wu -> y' }, { 0x1p-100 }, "weights = 'i8z'" },
    -- Also multiplied as it comes: the host rounds it for both.
    { with { 'MatMul k ww -> h', 'Sigmoid h -> g', 'Mul g k -> y' }, { false },
      "activation = 'sigmoid'" },
  } do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local all = read(case[1])
    unit.assertEquals(scales_of(all.layers[1]), case[2], what)
    support.assert_has(groups.of(all).text, case[3] or '', what)
  end
end

--- What kernels do not round so: the reason, for x beside the layer, for h where it ends one.
function TestOnnxStatic.test_unkept()
  for _, case in ipairs {
    { 's none', 'its integers are u8, and kernels round to i8' },
    { 's middle', 'its integers are u8' },
    { 's five', 'its zero is 5, and kernels round without one' },
    { 'tiny z', 'its scale "tiny" is 3.94430453e-31, and the scale of an operand is finite and at '
      .. 'least 2^-100 (7.9e-31)' },
    { 'half z', 'it divides by its scale in another type than f32' },
    { 's z', 'it divides by its scale in another type than f32', 'wa', { precision = f16 } },
    { 's z', 'the weights of MatMul "y" are not in i8 or i8z', 'a' },
  } do
    local pair, why, weight, attributes = table.unpack(case)
    local function rounded(from)
      return q(('%s %s -> i'):format(from, pair), attributes),
        dq(('i %s -> k'):format(pair)), ('MatMul k %s -> y'):format(weight or 'wa')
    end
    local all = read { rounded 'x' }
    unit.assertEquals(scales_of(all.layers[1]), { false }, why)
    support.assert_has(around_of(all.layers[1]), 'before QuantizeLinear node "i" rounds what the '
      .. 'layer takes to 8 bits; a static scale would keep it in the layer, but ' .. why, why)
    -- The same between products.
    local text = onnx_layers.refusal(writer, model { 'MatMul x ww -> e', 'Sigmoid e -> h',
      rounded 'h' })
    support.assert_has(text, 'QuantizeLinear "i": it rounds to 8 bits between products', why)
    support.assert_has(text, '; a static scale would keep it, but ' .. why, why)
  end
end

--- Sums that are rounded, too, are another function; each product alone has its x.
function TestOnnxStatic.test_rounded_sums()
  local nodes = { q 'x s z -> i', dq 'i s z -> k', node('MatMul k wa -> h', {}, 'first'),
    q 'h t z -> j', dq 'j t z -> e', 'Relu e -> r', q 'r t z -> l', dq 'l t z -> m',
    'MatMul m wb -> y' }
  support.assert_has(onnx_layers.refusal(writer, model(nodes)),
    'QuantizeLinear "j": it rounds to 8 bits between products')
  local all = read(nodes, { node = 'first' })
  unit.assertEquals(scales_of(all.layers[1]), { 0.25 })
  support.assert_has(around_of(all.layers[1]), 'after QuantizeLinear node "j"')
  all = read(nodes, { node = 'y' })
  unit.assertEquals(scales_of(all.layers[1]), { 0.125 })
end

--- Who else takes x: before it is rounded, or behind that.
function TestOnnxStatic.test_beside()
  local nodes = { 'Neg x -> n', node('Tanh n -> w', {}, 'other'), q 'n s z -> i', dq 'i s z -> k',
    'MatMul k wa -> h', 'Relu h -> r', 'MatMul r wb -> e', node('Add e k -> y', {}, 'residual') }
  local around = around_of(read(nodes, nil, { outputs = { 'y', 'w' } }).layers[1])
  support.assert_has(around, 'before Neg node "n"')
  support.assert_has(around,
    'beside Add node "residual" takes what the layer takes, rounded as QuantizeLinear "i" does')
  support.assert_has(around, 'beside Tanh node "other" takes what the layer takes')
  unit.assertNil(around:find('node "i"', 1, true))
  -- A scale that who runs the model may replace.
  local all = read(both, nil, { inputs = { 'x', 's' } })
  local names = {}
  for _, a in ipairs(all.layers[1].around) do
    if a.what == 'default' then names[#names + 1] = a.tensor end
  end
  unit.assertEquals(names, { 's' })
end

--- The arithmetic is the model's: another one is refused.
function TestOnnxStatic.test_arithmetic()
  local all = read(both)
  local reader = role_words.reader('--arithmetic', 'arithmetic', arithmetics.words)
  support.assert_has(groups.of(all, reader 'dot_s8').text, "operand_scales = 'static'")
  support.assert_has(refusal.of('f32', groups.of, all, reader 'down=fma_f32'), '--arithmetic '
    .. 'fma_f32: the model rounds what "qb" multiplies by a scale of its own, and dot_s8 does '
    .. 'that: leave out the option, or add --float-activations to keep x in f32')
end

--- A plan of kernels that find their scales: behind the header there is no line for them.
local function without_line(text)
  return (text:gsub('("[%l_]*at"):(%d+)', function(name, n)
    return ('%s:%d'):format(name, n - 64)
  end):gsub('"packed_bytes":(%d+)', function(n)
    return ('"packed_bytes":%d'):format(n - 64)
  end):gsub('_i8_static"', '_i8"'))
end

--- ffn-pack writes the scales behind the header, and refuses a plan that does not say what its
--- kernel takes.
function TestOnnxStatic.test_packed()
  local packer = ffn_packer.path()
  if not packer then unit.skip 'libjansson-dev is not installed' end
  local folder = support.folder()
  local path = folder .. '/out/PLAN.json'
  local file = support.root .. '/tests/data/import/onnx/symmetric_mlp.onnx'
  support.assert_code(in_process.run(support.project, { 'import', file, '--out', folder .. '/out',
    '--spec-only' }, folder), 0)
  support.assert_code(support.run { packer, path }, 0)
  local own_scales = scales_of(onnx_layers.read(file).layers[1])
  random_access.with(folder .. '/out/model.ffn', function(handle, size)
    local entry = packed_file.entries('model.ffn', handle, size)[1]
    unit.assertEquals(entry.packed, 'ffn_relu_bias_d12_f20_i8_static')
    local text = packed_file.bytes('model.ffn', handle, entry)
    unit.assertEquals({ string.unpack('<ff', text, 65) }, { own_scales[1], own_scales[2], 73 })
    unit.assertEquals(text:sub(73, 128), ('\0'):rep(56))
    unit.assertNotEquals(text:sub(129, 384), ('\0'):rep(256))
  end)
  -- The same where they are in the code.
  support.assert_code(in_process.run(support.project, { 'vendor', folder .. '/out/model.lua',
    '--out', folder .. '/code', '--isa', 'c', '--single-file', '--prefix', 'my', '--weights',
    folder .. '/out/model.ffn' }, folder), 0)
  local scale_texts = lists.map(own_scales, numbers.float_literal)
  support.assert_has(support.read(folder .. '/code/my.c'), table.concat(scale_texts, ', ')
    .. (', 0.0f'):rep(6))
  local plan = disk.read(path):gsub(',"xxh64":"%x+"', '', 1)
  local own = '"operand_scales":%[[^]]*%]'
  for _, case in ipairs {
    { own .. ',', '', 'operand_scales: ffn_relu_bias_d12_f20_i8_dot_s8_static takes a scale for' },
    { own, '"operand_scales":[1.0]', 'takes a scale for what each of its stages multiplies' },
    { own, '"operand_scales":[1.0,null]', 'stage down takes a number that is finite and at least' },
    { own, '"operand_scales":[0.0,1.0]', 'stage up takes a number that is finite and at least' },
    { own, '"operand_scales":[-1.0,1.0]', 'stage up takes a number' },
    { own, ('"operand_scales":[%.17g,1.0]'):format(0x1.fffffep-101), 'stage up takes a number' },
    { own, '"operand_scales":[1e39,1.0]', 'stage up takes a number' },
    { own, '"operand_scales":["1",1.0]', 'stage up takes a number' },
    { '"operand_at":68', '"operand_at":72', 'operand_at: the scale of the operand of stage down '
      .. 'lies at 68, not at 72 as the plan says' },
    { ',"operand_at":68', '', 'operand_scales: stage down takes none: null', function(text)
      return text:gsub('_i8_static"', '_i8_static_dynamic"')
    end },
    { ',"operand_at":%d+', '', 'finds the scales of what it multiplies itself', without_line },
    { '_i8_static"', '_i8"', 'the name says other sizes, biases or formats' },
    { '_i8_static"', '_i8_static_dynamic"', 'the name says other sizes' },
  } do
    local text = case[4] and case[4](plan) or plan
    support.write(folder .. '/out/other.json', (text:gsub(case[1], case[2])))
    local result = support.run { packer, folder .. '/out/other.json' }
    support.assert_code(result, 4, case[3])
    support.assert_has(result.err, case[3], case[1])
  end
end
