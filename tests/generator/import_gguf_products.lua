--- Products of GGUF beside the feed-forward layers: which ones --also and --node give, where their
--- rows lie, and what is refused. tests/scripts/import_gguf.sh runs them against y of the package.
local architectures = require 'import.gguf.architectures'
local found_records = require 'import.found'
local gguf_file = require 'gguf_file'
local json = require 'dkjson'
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local products = require 'import.products'
local reader = require 'import.readers.gguf'
local refusal = require 'refusal'
local support = require 'support'
local unit = require 'luaunit'

TestImportGgufProducts = {}

local folder = support.folder()
local data = support.root .. '/tests/data/import/gguf/'

--- What is found in a file, or the text of its refusal.
local function read(path, also, more)
  more = more or {}
  return (refusal.outcome(function()
    return found_records.of(reader.read(path, {
      also = also and assert(products.also(also)), node = more.node, leave = more.leave or {},
      decode = false, float_activations = false, variant = more.variant,
    }))
  end))
end

local function read_model(f, also, more)
  support.write(folder .. '/m.gguf', (gguf_file.text(f)))
  return read(folder .. '/m.gguf', also, more)
end

local function assert_refused(f, also, reason, more)
  local result = read_model(f, also, more)
  unit.assertEquals(type(result), 'string', 'taken, without: ' .. reason)
  support.assert_has(result, reason, 'refused')
end

--- A block's tensors in front of those of a layer.
local function model(architecture, attention, keys, blocks)
  return gguf_file.model {
    architecture = architecture, blocks = blocks or 1, keys = keys or {},
    tensors = function(d, f)
      return lists.append(lists.map(attention, function(t) return { t[1], t[2], t[3] } end), {
        { 'ffn_norm.weight', { d } }, { 'ffn_gate.weight', { d, f } },
        { 'ffn_up.weight', { d, f } }, { 'ffn_down.weight', { f, d } },
      })
    end,
  }
end

local separate = {
  { 'attn_norm.weight', { 64 } }, { 'attn_q.weight', { 64, 48 }, 'Q4_0' },
  { 'attn_k.weight', { 64, 16 }, 'Q4_0' }, { 'attn_v.weight', { 64, 16 }, 'Q8_0' },
  { 'attn_output.weight', { 48, 64 } },
}

--- A line for each product: its layer, part, name, and for each output its size, its word and the
--- rows of its tensor.
local function told(found)
  local lines = {}
  for _, l in ipairs(found.layers) do
    if part_numbers.is_product(l.part) then
      local outputs = lists.map(l.matrices, function(m)
        local w = m.weight
        return ('%s %d of %s'):format(m.word or '-', m.outputs, w.tensor)
      end)
      lines[#lines + 1] = ('%d %x %s: %s'):format(l.index, l.part, l.at,
        table.concat(outputs, ', '))
    end
  end
  return lines
end

local function product(found, at)
  for _, l in ipairs(found.layers) do
    if l.at == at then return l end
  end
  error('no product ' .. at)
end

local function texts(l, field)
  return table.concat(lists.map(lists.filter(l.because, function(b)
    return b.field == field
  end), function(b) return b.text end), '; ')
end

--- What the tensors of models of the gguf package are.
function TestImportGgufProducts.test_models()
  local qkv = '%d 80000000 %sattn_qkv: q %d of %s, k %d of %s, v %d of %s'
  for name, lines in pairs {
    qwen2 = {
      qkv:format(0, 'blk.0.', 64, 'blk.0.attn_q.weight', 32, 'blk.0.attn_k.weight', 32,
        'blk.0.attn_v.weight'),
      '0 80000001 blk.0.attn_output: o 256 of blk.0.attn_output.weight',
      '1 80000005 output: head 4 of output.weight',
    },
    phi3 = {
      qkv:format(0, 'blk.0.', 32, 'blk.0.attn_qkv.weight', 32, 'blk.0.attn_qkv.weight', 32,
        'blk.0.attn_qkv.weight'),
      '1 80000005 output: head 4 of token_embd.weight',
    },
    t5 = {
      qkv:format(0, 'enc.blk.0.', 16, 'enc.blk.0.attn_q.weight', 16, 'enc.blk.0.attn_k.weight', 16,
        'enc.blk.0.attn_v.weight'),
      '0 80000001 enc.blk.0.attn_o: o 32 of enc.blk.0.attn_o.weight',
      qkv:format(1, 'dec.blk.0.', 16, 'dec.blk.0.attn_q.weight', 16, 'dec.blk.0.attn_k.weight', 16,
        'dec.blk.0.attn_v.weight'),
      '1 80000001 dec.blk.0.attn_o: o 32 of dec.blk.0.attn_o.weight',
      '1 80000002 dec.blk.0.cross_attn_q: q 16 of dec.blk.0.cross_attn_q.weight',
      '1 80000003 dec.blk.0.cross_attn_kv: k 16 of dec.blk.0.cross_attn_k.weight, v 16 of '
        .. 'dec.blk.0.cross_attn_v.weight',
      '1 80000004 dec.blk.0.cross_attn_o: o 32 of dec.blk.0.cross_attn_o.weight',
      '2 80000005 output: head 4 of token_embd.weight',
    },
    deepseek2 = {
      '0 80000001 blk.0.attn_output: o 64 of blk.0.attn_output.weight',
      '0 80000100 blk.0.attn_q_a_kv_a: - 32 of blk.0.attn_q_a.weight, - 40 of '
        .. 'blk.0.attn_kv_a_mqa.weight',
      '0 80000101 blk.0.attn_q_b: - 64 of blk.0.attn_q_b.weight',
      '0 80000102 blk.0.attn_k_b.0: - 32 of blk.0.attn_k_b.weight',
      '0 80000103 blk.0.attn_k_b.1: - 32 of blk.0.attn_k_b.weight',
      '0 80000104 blk.0.attn_v_b.0: - 16 of blk.0.attn_v_b.weight',
      '0 80000105 blk.0.attn_v_b.1: - 16 of blk.0.attn_v_b.weight',
      '1 80000005 output: head 4 of output.weight',
    },
  } do
    local found = read(data .. name .. '.gguf', 'attention,head')
    unit.assertEquals(type(found), 'table', found)
    unit.assertEquals(told(found), lines, name)
    unit.assertEquals(told(read(data .. name .. '.gguf', 'all')), lines, name)
    unit.assertEquals(told(read(data .. name .. '.gguf')), {}, name)
  end
end

--- Each of the package's rows, where places.json has its tensors.
function TestImportGgufProducts.test_places()
  local places = json.decode(support.read(data .. 'places.json')).files
  local falcon, deepseek = places['falcon.gguf'], places['deepseek2.gguf']
  local found = read(data .. 'falcon.gguf', 'all')
  local qkv = product(found, 'blk.1.attn_qkv')
  unit.assertEquals(lists.map(qkv.matrices, function(m) return m.weight.first end), {
    falcon['blk.1.attn_qkv.weight'].first, falcon['blk.1.attn_qkv.weight'].first + 64 * 68,
    falcon['blk.1.attn_qkv.weight'].first + 80 * 68,
  })
  unit.assertEquals(qkv.fields.d_out, { { q = 64 }, { k = 16 }, { v = 16 } })
  support.assert_has(texts(qkv, 'd_out'), 'attn_qkv has the rows of q, then of k, then of v: 4 '
    .. 'heads of 16, 1 of keys and values of 16 and 16', 'the cut')
  support.assert_has(texts(qkv, 'd_out'), 'rows of q and k lie for rope of halves', 'rope')
  local head = product(found, 'output')
  unit.assertEquals(head.matrices[1].weight.first, falcon['token_embd.weight'].first)
  support.assert_has(texts(head, 'd_out'), 'tied: there is no output.weight', 'the head')
  unit.assertEquals(lists.map(found.left, function(l) return l.what .. l.count end),
    { 'embeddings1', 'norms6' })
  local v = product(read(data .. 'deepseek2.gguf', 'all'), 'blk.0.attn_v_b.1').matrices[1]
  unit.assertEquals(v.weight.first, deepseek['blk.0.attn_v_b.weight'].first + 16 * 34)
end

--- Vectors and tables are rows, as the file has them: the embedding, too, where it is the head.
function TestImportGgufProducts.test_rows()
  local places = json.decode(support.read(data .. 'places.json')).files['t5.gguf']
  local found = read(data .. 't5.gguf', 'head')
  unit.assertEquals(lists.map(found.rows, function(r)
    return ('%s %d %d %s'):format(r.name, r.count, r.width, r.place.encoding)
  end), {
    'dec.blk.0.attn_norm.weight 1 32 f32', 'dec.blk.0.attn_rel_b.weight 8 4 f32',
    'dec.blk.0.cross_attn_norm.weight 1 32 f32', 'dec.blk.0.ffn_norm.weight 1 32 f32',
    'dec.output_norm.weight 1 32 f32', 'enc.blk.0.attn_norm.weight 1 32 f32',
    'enc.blk.0.attn_rel_b.weight 8 4 f32', 'enc.blk.0.ffn_norm.weight 1 32 f32',
    'enc.output_norm.weight 1 32 f32', 'token_embd.weight 4 32 f16',
  })
  for _, r in ipairs(found.rows) do
    unit.assertEquals({ r.place.first, r.place.row_bytes }, { places[r.name].first,
      r.width * (r.place.encoding == 'f16' and 2 or 4) }, r.name)
  end
  -- Rows of blocks; biases are rows where no product takes them.
  local function names(also)
    return lists.map(read(data .. 'qwen2.gguf', also).rows, function(r) return r.name end)
  end
  unit.assertEquals(names 'head', { 'blk.0.attn_k.bias', 'blk.0.attn_norm.weight',
    'blk.0.attn_q.bias', 'blk.0.attn_v.bias', 'blk.0.ffn_norm.weight', 'output_norm.weight',
    'token_embd.weight' })
  unit.assertEquals(names 'all', { 'blk.0.attn_norm.weight', 'blk.0.ffn_norm.weight',
    'output_norm.weight', 'token_embd.weight' })
  unit.assertEquals(names(), {})
  local f = model('qwen2', lists.append({ { 'attn_q_norm.weight', { 12, 4 } } }, separate))
  local norm = read_model(f, 'attention').rows[2]
  unit.assertEquals({ norm.name, norm.count, norm.width }, { 'blk.0.attn_q_norm.weight', 4, 12 })
end

--- A bias for some outputs alone, and formats of their own.
function TestImportGgufProducts.test_biases()
  local f = model('qwen2', lists.append({ { 'attn_k.bias', { 16 } } }, separate))
  local qkv = product(read_model(f, 'attention'), 'blk.0.attn_qkv')
  unit.assertEquals(qkv.fields.bias, true)
  unit.assertEquals(lists.map(qkv.matrices, function(m)
    return m.bias and m.bias.tensor
  end), { false, 'blk.0.attn_k.bias', false })
  unit.assertEquals(lists.map(qkv.matrices, function(m) return m.weight.format end),
    { 'q4_0', 'q4_0', 'q8_0' })
  -- Of a matrix of all three, cut as its rows are.
  f = model('qwen2', { { 'attn_qkv.weight', { 64, 80 } }, { 'attn_qkv.bias', { 80 } } }, {
    { 'qwen2.attention.head_count', 4 }, { 'qwen2.attention.head_count_kv', 2 },
    { 'qwen2.attention.key_length', 12 }, { 'qwen2.attention.value_length', 4 },
  })
  qkv = product(read_model(f, 'attention'), 'blk.0.attn_qkv')
  unit.assertEquals(qkv.fields.d_out, { { q = 48 }, { k = 24 }, { v = 8 } })
  local first = qkv.matrices[1].bias.first
  unit.assertEquals(qkv.matrices[2].bias.first - first, 4 * 48)
  unit.assertEquals(qkv.matrices[3].bias.first - first, 4 * 72)
  unit.assertEquals(qkv.matrices[3].weight.first - qkv.matrices[1].weight.first, 72 * 256)
end

--- The numbers of heads may be those of each block.
function TestImportGgufProducts.test_heads_of_blocks()
  local f = gguf_file.model {
    architecture = 'openelm', blocks = 2, keys = {
      { 'openelm.attention.head_count', { 2, 4 } }, { 'openelm.attention.head_count_kv', { 1, 2 } },
      { 'openelm.attention.key_length', 8 }, { 'openelm.attention.value_length', 8 },
    },
    tensors = function(d, d_ff, block)
      return lists.append({ { 'attn_qkv.weight', { d, block == 0 and 32 or 64 } } },
        gguf_file.gated(d, d_ff))
    end,
  }
  f.tensors = lists.filter(f.tensors, function(t) return not t.name:find 'attn_q%.' end)
  local found = read_model(f, 'attention')
  unit.assertEquals(product(found, 'blk.0.attn_qkv').fields.d_out, { { q = 16 }, { k = 8 },
    { v = 8 } })
  unit.assertEquals(product(found, 'blk.1.attn_qkv').fields.d_out, { { q = 32 }, { k = 16 },
    { v = 16 } })
end

--- Which numbers of a head rope turns together, and what else is told of q, k and v.
function TestImportGgufProducts.test_orders()
  local adjacent = 'rows of q and k lie for rope of adjacent pairs, as llama.cpp stores them'
  local function orders(architecture, keys)
    local found = read_model(model(architecture, separate, keys), 'attention', {
      leave = architecture == 'olmo' and { 'blk.0.ffn_norm.weight' } or {},
    })
    local qkv = product(found, 'blk.0.attn_qkv')
    return texts(qkv, 'd_out'):gsub('^[^;]*;? ?', '')
  end
  unit.assertEquals((orders 'llama'), adjacent)
  unit.assertEquals((orders 'qwen2'), 'rows of q and k lie for rope of halves of a head')
  unit.assertEquals((orders 'refact'), '')
  support.assert_has((orders('olmo', { { 'olmo.attention.clamp_kqv', 8.0 } })),
    adjacent .. '; the host keeps q, k and v from -8 to 8 (olmo.attention.clamp_kqv)', 'the clamp')
  support.assert_has((orders('llama', { { 'llama.rope.dimension_sections', { 1, 1, 1, 0 } } })),
    'halves', 'positions of images')
  for _, name in ipairs(architectures.names) do
    unit.assertTrue(lists.has({ 'adjacent', 'halves', 'none' }, architectures.of[name].rope), name)
  end
end

--- Products of heads are told in one name, however many they are.
function TestImportGgufProducts.test_told()
  local result = support.ffngen { 'import', data .. 'deepseek2.gguf', '--list', '--also', 'all' }
  support.assert_code(result, 0, 'list')
  support.assert_has(result.out, '\nlinear_d24_o32_f16  Layer 0: blk.0.attn_k_b.*\n', 'k_b')
  support.assert_has(result.out, '\nlinear_d32_o16_q8_0  Layer 0: blk.0.attn_v_b.*\n', 'v_b')
  support.assert_has(result.out, '\n1 layer and 8 products, of 7 kinds; left to the host: 1 '
    .. 'embeddings, 5 norms\n', 'the sum')
end

--- One product by the name of it, or of a matrix of it; a block with what --also asks for.
function TestImportGgufProducts.test_node()
  local path = data .. 'falcon.gguf'
  local function names(node, also)
    local found = read(path, also, { node = node })
    return type(found) == 'string' and found or lists.map(found.layers, function(l) return l.at end)
  end
  unit.assertEquals(names 'blk.1.attn_qkv', { 'blk.1.attn_qkv' })
  unit.assertEquals(names 'blk.1', { 'blk.1.ffn' })
  unit.assertEquals(names('blk.1', 'attention'), { 'blk.1.ffn', 'blk.1.attn_qkv',
    'blk.1.attn_output' })
  unit.assertEquals(names('blk.1', 'head'), { 'blk.1.ffn' })
  unit.assertEquals(names 'output', { 'output' })
  support.assert_has(names 'blk.1.attn_k', 'has no layer "blk.1.attn_k": from blk.0.ffn', 'no such')
  path = data .. 'qwen2.gguf'
  for _, node in ipairs { 'blk.0.attn_qkv', 'blk.0.attn_k', 'blk.0.attn_v' } do
    unit.assertEquals(names(node), { 'blk.0.attn_qkv' })
  end
  path = data .. 'deepseek2.gguf'
  unit.assertEquals(names 'blk.0.attn_v_b', { 'blk.0.attn_v_b.0', 'blk.0.attn_v_b.1' })
  unit.assertEquals(names 'blk.0.attn_v_b.1', { 'blk.0.attn_v_b.1' })
end

--- Any other matrix is --also all's, but for tables.
function TestImportGgufProducts.test_all()
  local f = gguf_file.mixture { architecture = 'qwen3moe', blocks = 1 }
  f.tensors = lists.append({
    { name = 'blk.0.attn_gate.weight', shape = { 64, 32 }, type = 'F32' },
    { name = 'blk.0.attn_q_norm.weight', shape = { 16, 4 }, type = 'F32' },
    { name = 'blk.0.attn_rel_b.weight', shape = { 4, 8 }, type = 'F32' },
    { name = 'cls.weight', shape = { 64, 2 }, type = 'F32' },
    { name = 'cls.bias', shape = { 2 }, type = 'F32' },
    { name = 'position_embd.weight', shape = { 64, 8 }, type = 'F32' },
  }, f.tensors)
  local found = read_model(f, 'all')
  unit.assertEquals(told(found), {
    '0 80000007 blk.0.ffn_gate_inp: router 3 of blk.0.ffn_gate_inp.weight',
    '0 80000100 blk.0.attn_gate: - 32 of blk.0.attn_gate.weight',
    '1 80000005 output: head 8 of token_embd.weight',
    '1 80000100 cls: - 2 of cls.weight',
  })
  unit.assertEquals(product(found, 'cls').matrices[1].bias.tensor, 'cls.bias')
  assert_refused(f, 'attention', '"blk.0.attn_gate.weight": no product of attention takes this '
    .. 'matrix: add --also all, which takes it alone, or --leave blk.0.attn_gate.weight')
  unit.assertEquals(told(read_model(f, nil, { node = 'blk.0.ffn_gate_inp' })),
    { '0 80000100 blk.0.ffn_gate_inp: - 3 of blk.0.ffn_gate_inp.weight' })
  support.assert_has(read_model(f, 'attention', { leave = { 'blk.0.attn_gate.weight' } }),
    '--also attention: the model has no matrix of attention', 'nothing')
end

function TestImportGgufProducts.test_refusals()
  local function changed(name, change)
    local list = {}
    for _, t in ipairs(separate) do
      local own = { t[1], t[2], t[3] }
      if t[1] == name then change(own) end
      list[#list + 1] = own
    end
    return model('llama', list)
  end
  local function renamed(to) return function(t) t[1] = to end end
  local function with(...) return model('llama', lists.append({ ... }, separate)) end
  for _, case in ipairs {
    -- What q, k and v lack.
    { changed('attn_v.weight', renamed 'attn_w.weight'), '"blk.0.attn_k.weight": no product of '
      .. 'attention takes this matrix' },
    { changed('attn_q.weight', renamed 'attn_w.weight'), '"blk.0.attn_w.weight": no product of' },
    { with { 'attn_qkv.weight', { 64, 96 } }, '"blk.0.attn_qkv.weight": no product of attention' },
    { with { 'attn_o.weight', { 48, 64 } }, '"blk.0.attn_o.weight": no product of attention' },
    -- Shapes.
    { changed('attn_k.weight', function(t) t[2] = { 32, 16 } end), '"blk.0.attn_k.weight": it '
      .. 'takes 32 numbers, and "blk.0.attn_q.weight" takes 64' },
    { changed('attn_k.weight', function(t) t[2] = { 32, 8, 2 } end), '"blk.0.attn_k.weight": it '
      .. 'has the shape [2][8][32], and a matrix has 2 dimensions' },
    { with { 'attn_v.bias', { 32 } }, '"blk.0.attn_v.bias": it has the shape [32], and the bias of '
      .. '16 outputs must have [16]' },
    -- Types.
    { changed('attn_v.weight', function(t) t[3] = 'IQ3_S'; t[2] = { 256, 16 } end),
      '"blk.0.attn_v.weight" is stored as IQ3_S, which no format of ffngen holds' },
    { with { 'attn_v.bias', { 16 }, 'I8' }, '"blk.0.attn_v.bias" is stored as I8' },
    -- What stands beside numbers and changes them.
    { with { 'attn_v.scale', { 1 } }, '"blk.0.attn_v.scale": this may change what '
      .. '"blk.0.attn_v.weight" means' },
    { with({ 'attn_k_b.weight', { 16, 32, 2 } }, { 'attn_k_b.bias', { 32 } }),
      '"blk.0.attn_k_b.bias": this may change what "blk.0.attn_k_b.weight" means' },
    -- More heads than any model has.
    { with({ 'attn_k_b.weight', { 1, 1, 70000 } }, { 'attn_v_b.weight', { 1, 1, 70000 } }),
      'products beside the feed-forward layers of a GGUF model: at most 131072 are read' },
  } do
    assert_refused(case[1], 'attention', case[2])
    unit.assertEquals(#read_model(case[1]).layers, 1)
  end
  -- Rows of q, k and v in one matrix.
  local function fused(rows, ...)
    return model('phi3', { { 'attn_qkv.weight', { 64, rows } } }, { ... })
  end
  local heads = 'phi3.attention.head_count'
  for _, case in ipairs {
    { fused(96), 'it has no key phi3.attention.head_count: convert the model again' },
    { fused(96, { heads, 0 }), 'phi3.attention.head_count is 0, and must be at least 1' },
    { fused(96, { heads, 4 }), '"blk.0.attn_qkv.weight": it has 96 rows, and q, k and v have '
      .. '64, 64 and 64: 4 heads of 16, 4 of keys and values of 16 and 16 '
      .. '(phi3.attention.head_count, head_count_kv, key_length, value_length, or '
      .. 'embedding_length)' },
    { fused(64, { heads, 4 }, { heads .. '_kv', 0 }), 'k has no rows: 4 heads of 16, 0 of' },
    { fused(96, { heads, 'x' }), 'phi3.attention.head_count is "x", and must be a size' },
  } do
    gguf_file.set(case[1].keys, 'general.architecture', 'phi3')
    case[1].tensors = lists.filter(case[1].tensors, function(t)
      return not t.name:find 'ffn_gate'
    end)
    for _, t in ipairs(case[1].tensors) do
      if t.name:find 'ffn_up' then t.shape = { 64, 192 } end
    end
    assert_refused(case[1], 'attention', case[2])
  end
end

--- Models that give vectors have no head, if the file has none.
function TestImportGgufProducts.test_heads()
  support.assert_has(read(data .. 'bert.gguf', 'head'), '--also head: the model has no head',
    'bert')
  local count = 0
  for _, line in ipairs(told(read(data .. 'bert.gguf', 'all'))) do
    unit.assertNil(line:find 'head', line)
    count = count + 1
  end
  unit.assertEquals(count, 2)
  local f = model('llama', separate)
  f.tensors = lists.append(f.tensors, {
    { name = 'output.weight', shape = { 64, 8 }, type = 'Q8_0' },
    { name = 'output.bias', shape = { 8 }, type = 'F32' },
  })
  local head = product(read_model(f, 'head'), 'output')
  unit.assertEquals({ head.index, head.matrices[1].weight.tensor, head.matrices[1].bias.tensor },
    { 1, 'output.weight', 'output.bias' })
  f.tensors = lists.filter(f.tensors, function(t) return not t.name:find 'token_embd' end)
  unit.assertEquals(#read_model(f, 'head').layers, 2)
  f.tensors = lists.filter(f.tensors, function(t) return t.name ~= 'output.weight' end)
  assert_refused(f, 'head', '--also head: the model has no head')
end
