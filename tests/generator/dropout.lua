--- Dropout in specs, names and records: what may be said, what it becomes, and that nothing of it
--- is in what only runs.
local unit = require 'luaunit'
local english = require 'lower.english'
local expression = require 'lower.expression'
local layer = require 'lower.layer'
local name_grammar = require 'lower.name'
local own_name = require 'lower.own_name'
local numbers = require 'common.number'
local spec = require 'read.spec'
local support = require 'support'

TestDropout = {}

--- The first layer of a spec's text.
local function read(text)
  local path = support.folder() .. '/dropped.lua'
  support.write(path, text)
  return spec.read(path, {})[1]
end

local function ffn(fields)
  return ('ffn "dropped" { variant = "swiglu", d_model = 8, d_ff = 12, %s }\n'):format(fields)
end

--- What is wrong with a spec, or nil.
local function problem_of(text)
  local ok, problem = pcall(read, text)
  return not ok and tostring(problem) or nil
end

-- Specs -----------------------------------------------------------------------------------------

function TestDropout.test_rates()
  local s = read(ffn 'backward = true, dropout = { hidden = 0.1 }')
  unit.assertEquals(s.dropout, { hidden = numbers.to_f32(0.1), output = 0.0 })
  unit.assertEquals(read(ffn 'backward = true, dropout = { hidden = 1, output = 2^-32 }').dropout,
    { hidden = 1.0, output = 2.0^-32 })
  unit.assertEquals(read(ffn 'backward = true, dropout = { hidden = 0.99999994 }').dropout,
    { hidden = 1 - 2.0^-24, output = 0.0 })
  -- Nothing dropped is nothing said.
  for _, none in ipairs { '{ hidden = 0 }', '{ hidden = 0.0, output = -0.0 }', '{}' } do
    unit.assertNil(read(ffn('backward = true, dropout = ' .. none)).dropout, none)
  end
end

function TestDropout.test_mistakes()
  local cases = {
    { '-0.1', 'dropout: hidden = -0.1 is no rate: a number from 0 to 1' },
    { '1.5', 'dropout: hidden = 1.5 is no rate' },
    { '0/0', 'dropout: hidden = NaN is no rate' }, { '1/0', 'dropout: hidden = inf is no rate' },
    { '1e-10', 'dropout: hidden = 1e-10 drops nothing: 0, or at least 2^-32' },
    { '0.9999999999', 'dropout: hidden = 0.9999999999 becomes 1 in f32, which drops everything: 1, '
      .. 'or at most 0.99999994' },
    { '1 - 2^-25', 'becomes 1 in f32' }, { '1 - 2^-53', 'becomes 1 in f32' },
    { '"0.1"', 'dropout: hidden must be a number from 0 to 1, not "0.1"' },
    { 'true', 'dropout: hidden must be a number from 0 to 1, not a boolean' },
    { 'd_model', 'dropout: hidden must be a number from 0 to 1, not a size rule' },
    { '{ 0.1 }', 'dropout: hidden must be a number from 0 to 1, not a table' },
  }
  for _, case in ipairs(cases) do
    local text = ffn(('backward = true,\n  dropout = {\n    hidden = %s }'):format(case[1]))
    local problem = problem_of(text)
    support.assert_has(problem or 'nothing', 'dropped.lua:3: ffn "dropped": ', case[1])
    support.assert_has(problem, case[2], case[1])
  end
  local others = {
    { ffn 'backward = true, dropout = 0.1',
      'dropout must be a table such as { hidden = 0.1 }, not a float' },
    { ffn 'backward = true, dropout = d_model', 'not a size rule' },
    { ffn 'backward = true, dropout = { hiden = 0.1 }',
      'dropout: unknown field "hiden" (did you mean "hidden"?)' },
    { ffn 'backward = true, dropout = { 0.1 }', 'dropout: a value without a field name' },
    { ffn 'dropout = { hidden = 0.1 }', 'dropout is for training alone: add backward = true' },
    { 'linear "l" { d_model = 3, d_out = 2, backward = true, dropout = { hidden = 0.1 } }',
      'dropout: unknown field "hidden"' },
    { 'mlp "m" { d_model = 3, layers = { { 2, "relu" } }, backward = true, '
      .. 'dropout = { hidden = 0.1 } }', 'dropout: unknown field "hidden"' },
  }
  for _, case in ipairs(others) do
    support.assert_has(problem_of(case[1]) or 'nothing', case[2], case[1])
  end
end

-- Names -----------------------------------------------------------------------------------------

local function name_of(text) return own_name.of(read(text), { 'f32' }, {}) end

function TestDropout.test_names()
  unit.assertEquals(name_of(ffn 'backward = true, dropout = { hidden = 0.1, output = 1 }'),
    'ffn_swiglu_d8_f12_dropout0p1_hidden_dropout1_output_f32')
  unit.assertEquals(name_of(ffn 'backward = true, dropout = { output = 0 }'),
    name_of(ffn 'bias = false'))
  for _, text in ipairs {
    'ffn_relu_bias_d24_f40_dropout0p25_hidden_f32',
    'ffn_swish_beta1p5_d3_f4_o5_dropout1_output_f32',
    'linear_d3_o2_dropout2p3283064em10_output_f32_avx2', 'selfgate_silu_d5_dropout0p9_output_f32',
    'glu_glu_bias_d5_o6_dropout0p3_output_f32_c',
    'mlp_3_relu2_identity1_bias_dropout0p5_hidden_dropout0p25_output_f32',
  } do
    local l = name_grammar.decode(text)
    unit.assertNotNil(l, text)
    unit.assertEquals(name_grammar.encode_layer(l) .. (l.isa and '_' .. l.isa or ''), text)
  end
  support.assert_has(english.describe 'ffn_relu_d2_f3_dropout0p25_hidden_dropout1_output_f32',
    'no bias, dropout 0.25 of its hidden, dropout 1 of its output, f32', 'described')
  for _, text in ipairs {
    'ffn_relu_d2_f3_dropout_hidden_f32', 'ffn_relu_d2_f3_dropout0_hidden_f32',
    'ffn_relu_d2_f3_dropout1p5_hidden_f32', 'ffn_relu_d2_f3_dropout0p10_hidden_f32',
    'ffn_relu_d2_f3_dropout0p1_output_dropout0p1_hidden_f32',
    'ffn_relu_d2_f3_dropout0p1_inside_f32', 'mlp_3_relu2_dropout0p5_hidden_f32',
    'linear_d2_o3_dropout0p1_hidden_f32',
  } do
    unit.assertNil(name_grammar.decode(text), text)
  end
end

-- Stages ----------------------------------------------------------------------------------------

--- Those of the passes of training, a line for each, that have to do with dropout.
local function lowered(text)
  local l, lines = layer.lower(read(text)), {}
  for _, pass in ipairs { 'train', 'grad' } do
    for _, s in ipairs(l.passes[pass]) do
      for _, result in ipairs(s.results) do
        local line = ('%s %s = %s'):format(s.name, result.tensor,
          expression.text(result.value, function(e)
            return e.op == 'sum' and 'sum' or e.op == 'operand' and s.operand.tensor or e.tensor
          end))
        if line:find 'mask' then lines[#lines + 1] = line end
      end
    end
  end
  return lines, l
end

function TestDropout.test_hidden()
  local lines, l = lowered(ffn 'backward = true, dropout = { hidden = 0.5 }')
  unit.assertEquals(lines, {
    'mask_h mask_h = dropout', 'gate_up h = silu(sum) * sum * mask_h',
    'mask_h_again mask_h = dropout', 'pack_h h_panels = silu(gate) * up * mask_h',
    "dgate_up dgate = sum * mask_h * up * silu'(gate)", 'dgate_up dup = sum * mask_h * silu(gate)',
  })
  -- Whoever wants dW of the last matrix, or anything before it, pays for the mask.
  for _, s in ipairs(l.passes.grad) do
    if s.kind == 'mask' then
      unit.assertEquals(s.wants, { 'dw_down', 'dx', 'dw_gate_up' })
      unit.assertFalse(s.sum)
    end
  end
end

function TestDropout.test_output()
  unit.assertEquals((lowered(ffn 'backward = true, dropout = { output = 0.5 }')), {
    'mask_y mask_y = dropout', 'down y = sum * mask_y',
    'mask_y_again mask_y = dropout', 'ddown ddown = dy * mask_y',
  })
  unit.assertEquals((lowered('selfgate "s" { activation = "silu", d_model = 4, backward = true, '
    .. 'dropout = { output = 0.5 } }')), {
    'mask_y mask_y = dropout', 'gate y = x * silu(sum) * mask_y',
    'mask_y_again mask_y = dropout', "dgate dgate = dy * mask_y * x * silu'(gate)",
    'dx dx = sum + dy * mask_y * silu(gate)',
  })
end

--- Of a chain every hidden activation.
function TestDropout.test_chain()
  unit.assertEquals((lowered('mlp "m" { d_model = 4, backward = true, dropout = { hidden = 0.5 }, '
    .. 'layers = { { 20, "relu" }, { 7 }, { 2, "relu" } } }')), {
    'mask_h1 mask_h1 = dropout', 'layer1 h1 = relu(sum) * mask_h1',
    'mask_h2 mask_h2 = dropout', 'layer2 h2 = sum * mask_h2',
    'mask_h2_again mask_h2 = dropout', 'pack_h2 h2_panels = layer2 * mask_h2',
    'dlayer2 dlayer2 = sum * mask_h2',
    'mask_h1_again mask_h1 = dropout', 'pack_h1 h1_panels = relu(layer1) * mask_h1',
    "dlayer1 dlayer1 = sum * mask_h1 * relu'(layer1)",
  })
end

-- Files -----------------------------------------------------------------------------------------

--- The kernel that only runs is, but for its name, the one without dropout; a rate of 0 is none.
function TestDropout.test_evaluation_is_free()
  local folder, made = support.folder(), {}
  local rates = { zero = 'hidden = 0.0', some = 'hidden = 0.25' }
  for _, which in ipairs { 'none', 'zero', 'some' } do
    local text = which == 'none' and '' or ('dropout = { %s },'):format(rates[which])
    support.write(folder .. '/a.lua',
      ffn(('backward = true, %s build = { { isa = { "c" } } }'):format(text)))
    support.assert_code(support.ffngen({ 'generate', 'a.lua', '--out', which },
      { dir = folder }), 0, which)
    made[which] = support.snapshot(folder .. '/' .. which)
  end
  support.assert_same(made.zero, made.none, 'a rate of 0')
  local plain, dropped = 'ffn_swiglu_d8_f12_f32', 'ffn_swiglu_d8_f12_dropout0p25_hidden_f32'
  local function without_names(text)
    return (text:gsub(dropped, plain):gsub('UINT64_C%(0x%x+%)', 'HASH')
      :gsub(', dropout 0%.25 of its hidden', ''):gsub('1, /%* dropout %*/', '0, /* dropout */')
      :gsub('%s+', ' '))
  end
  unit.assertEquals(without_names(made.some[dropped .. '_c.c']),
    without_names(made.none[plain .. '_c.c']))
  local train = made.some[dropped .. '_c_train.c']
  support.assert_has(train, '{0, 0.25f, UINT32_C(3221225472), 1.3333334f}, /* mask_h */', 'table')
  support.assert_has(train, '    1, /* dropout_count */\n', 'count')
  support.assert_has(made.none[plain .. '_c_train.c'], '    0, /* dropout_count */\n', 'no count')
end

function TestDropout.test_explained()
  local folder = support.folder()
  support.write(folder .. '/a.lua', ffn 'backward = true, dropout = { hidden = 0.25 }')
  local outcome = support.ffngen({ 'explain', 'dropped', 'a.lua' }, { dir = folder })
  support.assert_code(outcome, 0, 'explain')
  support.assert_has(outcome.out, 'no bias, dropout 0.25 of its hidden\n', 'spec')
  support.assert_has(outcome.out, '  train    mask_h   mask_h = dropout(0.25)\n', 'stages')
end
