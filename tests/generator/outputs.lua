--- Several outputs of one x: their names and order, what of them is refused, their places in names,
--- and vendored folders, where names of C meet.
local unit = require 'luaunit'
local name_grammar = require 'lower.name'
local support = require 'support'

TestOutputs = {}

--- The names of the layers of a spec.
local function layers_of(text)
  local folder = support.folder()
  support.write(folder .. '/a.lua', text)
  local listed = support.ffngen({ 'list', 'a.lua' }, { dir = folder })
  support.assert_code(listed, 0, text)
  local names = {}
  for name in listed.out:gmatch('(linear_[%w_]+)_c ') do names[#names + 1] = name end
  return names
end

--- A table is in the order of its names, however it is written; a list in its own.
function TestOutputs.test_order()
  local sorted = { 'linear_d8_to_k2_q4_v2_f32' }
  for _, text in ipairs { 'q = 4, k = 2, v = 2', 'v = 2, k = 2, q = d_model // 2',
    'k = 2, v = 2, q = 4' } do
    unit.assertEquals(
      layers_of(('linear "a" { d_model = 8, d_out = { %s } }'):format(text)), sorted)
  end
  unit.assertEquals(layers_of [[
    linear "a" { d_model = 8, bias = true, d_out = { { q = d_model }, { k = 2 }, { a1b = 3 } } } ]],
    { 'linear_bias_d8_to_q8_k2_a1b3_f32' })
end

local refused = {
  { '{}', 'd_out is empty' },
  { '{ q = 4 }', 'a single output has no name' },
  { '{ { q = 4 } }', 'a single output has no name' },
  { '{ q = 4, k = "2" }', 'd_out: k must be an integer, not a string' },
  { '{ q = 4, k = 0 }', 'd_out: k must be at least 1' },
  { '{ q = 4, k = 2.5 }', 'd_out: k must be an integer, not the float 2.5' },
  { '{ q = 4, K = 2 }', 'not "K"' },
  { '{ q = 4, k_proj = 2 }', 'not "k_proj"' },
  { '{ q = 4, k2 = 2 }', 'not "k2"' },
  { '{ q = 4, [""] = 2 }', 'not ""' },
  { '{ q = 4, abcdefghijklmnopqrstuvwxy = 2 }', 'at most 24' },
  { '{ 4, 2 }', 'an output is a name and a size' },
  { '{ { q = 4 }, { q = 2 } }', 'two outputs are named "q"' },
  { '{ { q = 4 }, 2 }', 'item 2 must be one output' },
  { '{ { q = 4 }, { k = 2, v = 2 } }', 'item 2 must be one output' },
  { '{ { q = 4 }, k = 2 }', 'without the field "k"' },
  { '{ q = 1 << 20, k = 1 }', 'd_out: the outputs are 1048577 wide together' },
  { '{ q = 4, k = 2 }, backward = true, dropout = { output = 0.5 }',
    'a layer of several outputs has none' },
  { '{ q = 4, k = 2 }, weights = { k = "f31" }', 'unknown format "f31"' },
  { '{ q = 4, k = 2 }, weights = { v = "f32" }', 'unknown field "v"' },
}

function TestOutputs.test_refused()
  local folder = support.folder()
  for _, case in ipairs(refused) do
    support.write(folder .. '/a.lua', ('linear "a" { d_model = 8, d_out = %s }'):format(case[1]))
    local listed = support.ffngen({ 'list', 'a.lua' }, { dir = folder })
    support.assert_code(listed, 4, case[1])
    support.assert_has(listed.err, case[2], case[1])
  end
  for _, kind in ipairs { 'glu "a" { variant = "swiglu", d_model = 8,',
    'ffn "a" { variant = "gelu", d_model = 8, d_ff = 8,' } do
    support.write(folder .. '/a.lua', kind .. ' d_out = { q = 4, k = 2 } }')
    local listed = support.ffngen({ 'list', 'a.lua' }, { dir = folder })
    support.assert_code(listed, 4, kind)
    support.assert_has(listed.err, 'd_out must be an integer, not a table', kind)
  end
end

--- A format in a name may be an output: f32, an output f of 32. The message says which order of the
--- outputs helps, and which format of the first one; both are taken. Or that none does.
function TestOutputs.test_formats_that_read_as_outputs()
  local folder = support.folder()
  local function listed(text)
    support.write(folder .. '/a.lua', ('linear "a" { d_model = 512, %s }'):format(text))
    return support.ffngen({ 'list', 'a.lua' }, { dir = folder })
  end
  for _, case in ipairs {
    { 'd_out = { q = 512, k = 128, v = 64 }, weights = { v = "q8_0" }', 'f 32, f 32, no bias, q8_0',
      '{ v = 64 }, { k = 128 }, { q = 512 }', 'k' },
    { 'd_out = { { q = 512 }, { k = 128 }, { v = 64 } }, weights = { k = "f16", v = "q8_0" }',
      'f 32, f 16, no bias, q8_0', '{ v = 64 }, { q = 512 }, { k = 128 }', 'q' },
    { 'd_out = { q = 512, k = 128 }, weights = { q = "bf16" }', 'f 32, no bias, bf16' },
  } do
    local text, other, order, first = table.unpack(case)
    local result = listed(text)
    support.assert_code(result, 4, text)
    support.assert_has(result.err, 'which also says another layer: "linear, 512 -> ', text)
    support.assert_has(result.err, other .. '", because a format such as f32 may be an output f',
      text)
    support.assert_has(result.err, order and ('write the outputs in another order: d_out = { %s }; '
      .. 'or give %s the format q8_0, too\n'):format(order, first)
      or 'f of width 32; give all outputs the same format\n', text)
    if order then
      local weights = text:match 'weights = .*'
      support.assert_code(listed(('d_out = { %s }, %s'):format(order, weights)), 0, order)
      weights = weights:gsub('{', ('{ %s = "q8_0",'):format(first), 1)
      support.assert_code(listed(text:gsub('weights = .*', '') .. weights), 0, first)
    end
  end
end

--- Names read as what they were written from; what is no such name reads as nothing.
function TestOutputs.test_names()
  for _, outputs in ipairs {
    { { name = 'q', width = 512 }, { name = 'k', width = 8 } },
    { { name = 'f', width = 32 }, { name = 'kv2a', width = 1 }, { name = 'to', width = 20 } },
  } do
    for _, bias in ipairs { false, true } do
      local name = name_grammar.encode_layer {
        kind = 'linear', bias = bias, d_model = 7, outputs = outputs, formats = { 'f32' },
        arithmetics = {},
      }
      local l = name_grammar.decode(name)
      unit.assertEquals(l and l.outputs, outputs, name)
      unit.assertEquals({ l.d_model, l.bias, l.d_out }, { 7, bias,
        outputs[1].width + outputs[2].width + (outputs[3] and outputs[3].width or 0) })
      unit.assertEquals(name_grammar.decode(name .. '_avx2').outputs, outputs, name)
    end
  end
  for _, text in ipairs { 'linear_d8_to_f32', 'linear_d8_to_q_f32', 'linear_d8_to_q08_k2_f32',
    'linear_d8_to_4_f32', 'linear_d8_o4_to_q4_k2_f32', 'linear_relu_d8_to_q4_k2_f32',
    'linear_d0_to_q4_k2_f32', 'glu_swiglu_d8_to_q4_k2_f32' } do
    unit.assertNil(name_grammar.decode(text), text)
  end
end

--- A page says what is asked for, what each output is, and which forms cannot be.
function TestOutputs.test_explain()
  local folder = support.folder()
  support.write(folder .. '/a.lua', [[
    linear 'a' { d_model = 8, bias = true, d_out = { q = 4, k = 2 }, optimise = 'size' } ]])
  local page = support.ffngen({ 'explain', 'a', 'a.lua' }, { dir = folder })
  support.assert_code(page, 0)
  for _, line in ipairs { 'd_out k 2 + q 4', 'y_k = x W_k^T + b_k', 'y_q = x W_q^T + b_q',
    'straight lines: not taken for to_k: it gives one of several outputs of x',
    'loops of few bytes: not taken for to_q: it gives one of several outputs of x' } do
    support.assert_has(page.out, line, line)
  end
end

--- Vendored in every shape, beside a layer of one output and without, no name of C is there twice
--- and none for nothing.
function TestOutputs.test_vendored()
  local folder = support.folder()
  local several = 'linear "qkv" { d_model = 8, d_out = { q = 4, int = 2, rows = 3 } }\n'
  for i, text in ipairs { several, several .. 'linear "qkv_one" { d_model = 8, d_out = 4 }\n' } do
    support.write(folder .. '/a.lua', text)
    for _, shape in ipairs { '--single-file', '--header-only' } do
      local out = ('out%d%s'):format(i, shape)
      support.assert_code(support.ffngen({ 'vendor', 'a.lua', '--isa', 'c', shape, '--prefix', 'my',
        '--cpp', '--out', out }, { dir = folder }), 0, shape)
      support.assert_has(support.read(folder .. '/' .. out .. '/my.hpp'), 'my_outputs_of', shape)
      local header = support.read(folder .. '/' .. out .. '/my.h')
      support.assert_has(header, 'const my_outputs *my_qkv_outputs(void);', shape)
      support.assert_has(header, 'MY_QKV_TO_INT = 0,\n  MY_QKV_TO_Q = 1,\n  MY_QKV_TO_ROWS = 2,',
        shape)
      support.assert_has(support.read(folder .. '/' .. out .. '/README.md'),
        'my_run_to(my_qkv_outputs(), to, x, 8, tokens, packed, work, bytes, NULL);', shape)
      local source = shape == '--single-file' and 'my.c' or 'my_selfcheck.c'
      support.assert_code(support.run({ 'clang', '-fsyntax-only', '-Wall', '-Wextra', '-Werror',
        source }, { dir = folder .. '/' .. out }), 0, shape)
    end
  end
  support.write(folder .. '/b.lua', 'linear "one" { d_model = 8, d_out = 4 }')
  support.assert_code(support.ffngen({ 'vendor', 'b.lua', '--isa', 'c', '--prefix', 'my', '--cpp',
    '--out', 'none' }, { dir = folder }), 0)
  unit.assertNil(support.read(folder .. '/none/my.hpp'):find('outputs_of'))
  unit.assertNil(support.read(folder .. '/none/my.h'):find('outputs_of'))
end

--- What a folder with weights is held against: exact sums of whole numbers.
local sums_alike = [[
#include "ffn.h"
static float w(int i) { return (float)(i + 1); } /* number i of the file: k comes first */
static float work[4096] __attribute__((aligned(64)));
int main(void) {
  const float x[8] = {1, -2, 3, 4, -5, 6, 7, 8};
  float k[2], q[4];
  const ffn_destination to[] = {{k, 2}, {q, 4}};
  ffn_run_to(ffn_qkv_outputs(), to, x, 8, 1, ffn_qkv_packed(), work, sizeof work, 0);
  for (int o = 0; o < 6; o++) {
    const int first = o < 2 ? 8 * o : 18 + 8 * (o - 2), bias = o < 2 ? 16 + o : 50 + o - 2;
    float sum = w(bias);
    for (int i = 0; i < 8; i++)
      sum += x[i] * w(first + i);
    if (sum != (o < 2 ? k[o] : q[o - 2]))
      return 1;
  }
}
]]

--- Weights in the code, of files that tell them by their order, or by the names of models.
function TestOutputs.test_vendored_weights()
  local folder = support.folder()
  support.write(folder .. '/a.lua',
    'linear "qkv" { d_model = 8, bias = true, d_out = { q = 4, k = 2 } }\n')
  local function floats(first, count)
    local parts = {}
    for i = 1, count do parts[i] = string.pack('<f', first + i - 1) end
    return table.concat(parts)
  end
  support.write(folder .. '/w.bin', floats(1, 54))
  for form, says in pairs { ['q_proj.weight'] = '%s_proj', ['wq.weight'] = 'w%s',
    ['q.weight'] = '%s', ['attn.to_q.weight'] = 'attn.to_%s' } do
    local header, bytes = {}, ''
    local function add(name, part, shape, first, count)
      header[#header + 1] = ('"%s.%s":{"dtype":"F32","shape":%s,"data_offsets":[%d,%d]}'):format(
        says:format(name), part, shape, #bytes, #bytes + 4 * count)
      bytes = bytes .. floats(first, count)
    end
    add('q', 'weight', '[4,8]', 19, 32)
    add('q', 'bias', '[4]', 51, 4)
    add('k', 'bias', '[2]', 17, 2)
    add('k', 'weight', '[2,8]', 1, 16)
    local text = '{' .. table.concat(header, ',') .. '}'
    support.write(folder .. '/' .. form .. '.safetensors', string.pack('<s8', text) .. bytes)
  end
  support.write(folder .. '/main.c', sums_alike)
  for _, file in ipairs { 'w.bin', 'q_proj.weight.safetensors', 'wq.weight.safetensors',
    'q.weight.safetensors', 'attn.to_q.weight.safetensors' } do
    support.assert_code(support.ffngen({ 'vendor', 'a.lua', '--isa', 'c', '--weights', file,
      '--out', file .. '_out' }, { dir = folder }), 0, file)
    local function numbers_of(name)
      return support.read(folder .. '/' .. name .. '_out/ffn_weights.c'):match('_values = (%b{})')
    end
    unit.assertEquals(assert(numbers_of(file)), numbers_of 'w.bin', file)
  end
  support.assert_code(support.run({ 'sh', '-c', 'cc -O0 -w -DFFN_NO_MAIN -I. ../main.c *.c -lm '
    .. '-o main && ./main' }, { dir = folder .. '/w.bin_out' }), 0)
end

--- Matrices that are lacking, and names that C has already, are said.
function TestOutputs.test_vendored_refusals()
  local folder = support.folder()
  local several = 'linear "qkv" { d_model = 8, d_out = { q = 4, k = 2 } }\n'
  support.write(folder .. '/a.lua', several)
  local header = '{"q_proj.weight":{"dtype":"F32","shape":[4,8],"data_offsets":[0,128]}}'
  support.write(folder .. '/w.safetensors', string.pack('<s8', header) .. ('\0'):rep(128))
  local run = support.ffngen({ 'vendor', 'a.lua', '--isa', 'c', '--weights', 'w.safetensors',
    '--out', 'out' }, { dir = folder })
  support.assert_code(run, 4)
  support.assert_has(run.err, 'there is no tensor for k.weight: "k_proj.weight" is '
    .. 'missing', '--weights')
  support.write(folder .. '/b.lua', several .. 'linear "qkv_outputs" { d_model = 8, d_out = 4 }\n')
  run = support.ffngen({ 'vendor', 'b.lua', '--isa', 'c', '--out', 'out' }, { dir = folder })
  support.assert_code(run, 4)
  support.assert_has(run.err, 'the name is taken in C', 'qkv_outputs')
end

--- A macro whose lines are too long goes on in each that it is broken into.
function TestOutputs.test_long_macros()
  local texts = require 'common.text'
  local long = ('  a%s + b%s, /* c */'):format(('x'):rep(60), ('y'):rep(60))
  local folded = texts.fold('#define A \\\n' .. long .. ' \\\n  d', 100)
  unit.assertEquals(folded, ('#define A \\\n  a%s + \\\n      b%s, /* c */ \\\n  d'):format(
    ('x'):rep(60), ('y'):rep(60)):gsub(' %+ \\', ' + \\'))
  for line in folded:gmatch('[^\n]+') do unit.assertTrue(#line <= 100, line) end
end
