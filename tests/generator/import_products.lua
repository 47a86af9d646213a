--- Products beside the feed-forward layers: what becomes of those that a reader found.
local found_records = require 'import.found'
local groups = require 'import.groups'
local part_numbers = require 'import.parts'
local products = require 'import.products'
local refusal = require 'refusal'
local role_words = require 'import.role_words'
local stages = require 'import.stages'
local support = require 'support'
local unit = require 'luaunit'

TestImportProducts = {}

--- An output whose numbers lie somewhere in a file of zeros; or of whose numbers a format alone is
--- known, as of a model without files.
local function output(name, module, rows, inputs, format, has_bias)
  local k, bytes = found_records.block(format)
  local row, tensor = k and inputs // k * bytes, module .. '.weight'
  return {
    name = name, module = module, word = name, outputs = rows, inputs = inputs,
    weight = k and {
      tensor = tensor, file = 1, first = 0, bytes = rows * row, encoding = format,
      row_bytes = row, column_bytes = k == 1 and bytes or 0, scaled = false,
      format = false,
    } or { tensor = tensor, file = 1, encoding = false, format = format },
    bias = has_bias and {
      tensor = module .. '.bias', file = 1, first = 0, bytes = rows * 4, encoding = 'f32',
      row_bytes = 0, column_bytes = 4, scaled = false, format = false,
    } or nil,
  }
end

--- The blocks of a model: q, k, v and o of each, and a head.
---@param told table  formats of q, k, v; bias, of q alone
local function model(told)
  local list, formats = {}, told.formats or { 'f32', 'f32', 'f32' }
  for i = 0, 1 do
    local at = ('model.layers.%d.self_attn.'):format(i)
    list[#list + 1] = { part = 'o', index = i, because = {},
      outputs = { output('o', at .. 'o_proj', 64, 64, 'f32') } }
    list[#list + 1] = { part = 'qkv', index = i, because = {}, outputs = {
      output('q', at .. 'q_proj', 64, 64, formats[1], told.bias),
      output('k', at .. 'k_proj', 32, 64, formats[2]),
      output('v', at .. 'v_proj', 32, 64, formats[3]),
    } }
  end
  list[#list + 1] = { part = 'head', index = 2, because = {},
    outputs = { output('head', 'lm_head', 64, 64, 'f32') } }
  return found_records.of {
    reader = 'test', path = 'model',
    files = { { path = 'model.bin', bytes = 1 << 20, spans = {}, xxh64 = ('0'):rep(16) } },
    layers = products.layers(list),
  }
end

local function arithmetic(text)
  return assert(role_words.reader('--arithmetic', 'arithmetic', { 'fma_f32', 'dot_s8' })(text))
end

function TestImportProducts.test_layers()
  local found = model { bias = true }
  local told = {}
  for i, l in ipairs(found.layers) do
    told[i] = ('%d %x %s %d%s'):format(l.index, l.part, l.at, #l.matrices,
      l.fields.bias and ' bias' or '')
  end
  unit.assertEquals(told, {
    '0 80000000 model.layers.0.self_attn.qkv 3 bias',
    '0 80000001 model.layers.0.self_attn.o_proj 1',
    '1 80000000 model.layers.1.self_attn.qkv 3 bias',
    '1 80000001 model.layers.1.self_attn.o_proj 1',
    '2 80000005 lm_head 1',
  })
  unit.assertEquals(found.layers[1].fields.d_out, { { q = 64 }, { k = 32 }, { v = 32 } })
  unit.assertTrue(rawequal(found.layers[1].fields, found.layers[3].fields))
  unit.assertTrue(rawequal(found.layers[1].because, found.layers[3].because))
  local places = stages.of('model', found.layers[1], {})
  unit.assertEquals({ places[2].stage, places[2].branch, places[2].outputs, places[2].output },
    { 1, 0, 32, 'k' })
end

--- Products that names alone tell are numbered in each layer, and named by all of their outputs.
function TestImportProducts.test_others()
  local list = {}
  for _, names in ipairs { { 'q_a', 'kv_a' }, { 'q_b' }, { 'kv_b' } } do
    list[#list + 1] = { part = 'other', index = 3, because = {}, outputs = {} }
    for i, name in ipairs(names) do
      list[#list].outputs[i] = output(name, 'layers.3.self_attn.' .. name .. '_proj', 8, 8, 'f32')
    end
  end
  local layers = products.layers(list)
  unit.assertEquals({ layers[1].part, layers[2].part, layers[3].part },
    { 0x80000100, 0x80000101, 0x80000102 })
  unit.assertEquals({ layers[1].at, layers[2].at },
    { 'layers.3.self_attn.q_a_kv_a', 'layers.3.self_attn.q_b_proj' })
  unit.assertEquals(layers[1].fields.d_out, { { qa = 8 }, { kva = 8 } })
end

--- A format for each output, by name where they differ; one kernel of two products is told of both.
function TestImportProducts.test_spec()
  local named = groups.of(model { formats = { 'q4_0', 'q4_0', 'q8_0' }, bias = true })
  unit.assertEquals(named.names, {
    'linear_bias_d64_to_q64_k32_v32_q4_0_q4_0_q8_0', 'linear_d64_o64_f32',
  })
  for _, text in ipairs {
    '--- Layers 0 and 1: model.layers.*.self_attn.qkv\n',
    '  d_model = 64,\n  d_out = { { q = 64 }, { k = 32 }, { v = 32 } },\n'
      .. '  -- bias: none of k, v in the model: -0 is packed, which changes no sum\n'
      .. '  bias = true,\n'
      .. "  weights = { k = 'q4_0', q = 'q4_0', v = 'q8_0' },\n}",
    '--- Layers 0 and 1: model.layers.*.self_attn.o_proj; Layer 2: lm_head\n',
  } do
    support.assert_has(named.text, text, 'spec')
  end
  local same = groups.of(model {})
  unit.assertEquals(same.names, { 'linear_d64_to_q64_k32_v32_f32', 'linear_d64_o64_f32' })
end

--- Outputs of one x have one arithmetic: all of them fit, or none.
function TestImportProducts.test_arithmetic()
  local function told(formats, text)
    local named = groups.of(model { formats = formats }, arithmetic(text))
    return table.concat(named.groups[1].arithmetics, ' '), named
  end
  local mixed, whole = { 'q4_0', 'q4_0', 'bf16' }, { 'q4_0', 'q4_0', 'q8_0' }
  unit.assertEquals(told(whole, 'dot_s8'), 'dot_s8 dot_s8 dot_s8')
  unit.assertEquals(told(whole, 'q=dot_s8,k=dot_s8,v=dot_s8'), 'dot_s8 dot_s8 dot_s8')
  unit.assertEquals(told({ 'i8', 'i8z', 'i8' }, 'dot_s8'), 'dot_s8 dot_s8 dot_s8')
  support.assert_has(refusal.of('groups', function() told({ 'i8', 'q4_0', 'i8' }, 'dot_s8') end),
    'Their weights are in i8, q4_0, f32', 'groups of 64 and 32')
  local _, named = told(whole, 'dot_s8')
  support.assert_has(named.text, '-- arithmetic: not in dot_s8 but in fma_f32: o of f32, head of '
    .. 'f32\n', 'spec')
  support.assert_has(refusal.of('mixed', function() told(mixed, 'dot_s8') end),
    '--arithmetic dot_s8: no product of its layers can be in it. Their weights are in q4_0, bf16, '
      .. 'f32', 'mixed')
  support.assert_has(refusal.of('q alone', function() told(whole, 'q=dot_s8') end),
    'q, k and v read one x and have one arithmetic: name all three', 'q alone')
  support.assert_has(refusal.of('no up', function() told(whole, 'up=dot_s8') end),
    'no layer has a matrix up', 'no up')
end

--- A word of --also; and a number of a part is a product's own.
function TestImportProducts.test_words()
  local asked = assert(products.also 'attention')
  unit.assertEquals({ asked.attention, asked.head, asked.router, asked.all },
    { true, false, false, false })
  asked = assert(products.also 'all')
  unit.assertEquals({ asked.attention, asked.head, asked.router, asked.all },
    { true, true, true, true })
  unit.assertEquals({ products.also 'heads' },
    { nil, 'unknown word "heads" (did you mean "head"?)' })
  unit.assertEquals({ products.also 'head,head' }, { nil, '"head" is there twice' })
  unit.assertEquals({ products.also '' },
    { nil, 'unknown word "" (choose from: attention, head, router, all)' })
end

function TestImportProducts.test_parts()
  local seen = {}
  for i, name in ipairs(part_numbers.names) do
    local number = part_numbers.by_name[name]
    unit.assertTrue(number >= part_numbers.first and not seen[number], name)
    unit.assertTrue(i == 1 or number > part_numbers.by_name[part_numbers.names[i - 1]], name)
    unit.assertTrue(part_numbers.is_known(number), name)
    unit.assertEquals(part_numbers.is_product(number), name ~= 'shared')
    seen[number] = true
  end
  unit.assertFalse(part_numbers.is_known(part_numbers.by_name.router + 1))
  unit.assertFalse(part_numbers.is_product(part_numbers.first - 1))
  unit.assertFalse(part_numbers.is_product(false))
  local layers = model({}).layers
  for _, case in ipairs { { part_numbers.by_name.router + 1, 'linear' }, { 0x8fffffff, 'ffn' },
    { part_numbers.by_name.router, 'ffn' }, { part_numbers.by_name.shared, 'linear' } } do
    local l, number = layers[1], case[1]
    local given = { index = 0, part = number, at = l.at, kind = case[2], fields = {},
      matrices = { output('q', 'm', 8, 8, 'f32') } }
    given.matrices[1] = { role = 'chain', outputs = 8, inputs = 8,
      weight = given.matrices[1].weight }
    support.assert_has(refusal.of('part', function()
      found_records.layer(given, { { path = 'm', bytes = 1 << 20 } }, {})
    end), 'numbers no part', tostring(number))
  end
end
