--- `ffngen explain` and `list`: what is told of layers and kernels.
local unit = require 'luaunit'
local json = require 'dkjson'
local support = require 'support'

TestExplain = {}

function TestExplain.test_names()
  for _, name in ipairs {
    'gpt2_124m', 'ffn_gelu_tanh_bias_d768_f3072_f32', 'ffn_gelu_tanh_bias_d768_f3072_f32_avx2',
  } do
    local result = support.ffngen { 'explain', name }
    support.assert_code(result, 0, name)
    unit.assertEquals(result.err, '')
    for _, part in ipairs {
      'spec gpt2_124m (models.lua:', 'gelu_tanh', 'layer ffn_gelu_tanh_bias_d768_f3072_f32\n',
      'h = gelu_tanh(x W_up^T + b_up)', 'y = h W_down^T + b_down', '768 -> 3072', '3072 -> 768',
      '9437184 flop per token', 'plan ffn_gelu_tanh_bias_d768_f3072_f32_avx2\n', 'of 16 registers',
      'packed weights 18.0 MiB',
    } do
      support.assert_has(result.out, part, name)
    end
    -- A kernel's name gives its plan alone, the others give all.
    local plans = select(2, result.out:gsub('\nplan ', ''))
    unit.assertEquals(plans, name:match('avx2$') and 1 or 5, name)
  end
end

function TestExplain.test_own_spec()
  local folder = support.user_folder(support.layers)
  for name, part in pairs {
    block = 'ffn swiglu, d_model 12, d_ff 32, d_out 7, no bias', head = 'beta = -0.5',
    gate = 'run-time beta', self = 'y = x * gelu(x W^T)', map = 'linear_bias_d5_o33_f32',
    linear_bias_d5_o33_f32_c = 'portable C11',
  } do
    local result = support.ffngen({ 'explain', name, 'my.lua' }, { dir = folder })
    support.assert_code(result, 0, name)
    support.assert_has(result.out, part, name)
    support.assert_has(result.out, '(my.lua:', name)
  end
end

--- Instructions that decode weights, of what is the same once, and such as functions stand for.
function TestExplain.test_instructions()
  local folder = support.user_folder [[
linear 'a' { d_model = 512, d_out = 512, weights = 'q8_0' }
linear 'b' { d_model = 512, d_out = 512, weights = 'q4_0' }
linear 'c' { d_model = 512, d_out = 512, weights = 'bf16' }
linear 'd' { d_model = 512, d_out = 512, weights = 'f16' }
linear 'e' { d_model = 512, d_out = 512, weights = 'q6_K' }
linear 'f' { d_model = 512, d_out = 512 }
linear 'g' { d_model = 512, d_out = 512, weights = 'iq4_nl' }
]]
  for name, expected in pairs {
    -- A product; of q8_0 an AND or a shift, a conversion and an FMA; of each 32 four more.
    a = { avx2 = '8.2', avx512 = '4.1', neon = '16.5' },
    b = { avx2 = '8.6', avx512 = '4.3', neon = '17.1' },
    c = { avx2 = '4.0', avx512 = '2.0', neon = '8.0' },
    d = { avx2 = '4.0', avx512 = '2.0', neon = '8.0' },
    e = { avx2 = '9.9', avx512 = '4.9', neon = '20.3' }, f = {},
    -- Of bytes that are looked up a shift, an AND and a conversion; of floats a shift alone.
    g = { avx2 = '10.2', avx512 = '4.1', neon = '20.5' },
  } do
    local result, found = support.ffngen({ 'explain', name, 'my.lua' }, { dir = folder }), {}
    support.assert_code(result, 0, name)
    for isa, text in (result.out .. '\n'):gmatch 'plan %S+_(%w+)\n(.-)\n\n' do
      found[isa] = text:match '\n  16 weights of [%w_]+: (%d+%.%d) vector instructions, %d for each'
    end
    unit.assertEquals(found, expected, name)
  end
end

function TestExplain.test_unknown_name()
  for name, part in pairs {
    gpt2_125m = 'did you mean "gpt2_124m"?',
    linear_bias_d10_o6_f32_c = 'did you mean "linear_bias_d10_o5_f32_c"?',
    nothing_like_it_at_all = 'see ffngen list, and for layers of your own: ffngen explain NAME',
    [('x'):rep(100000)] = 'see ffngen list',
    ['a\27[31mb'] = 'see ffngen list',
  } do
    local result = support.ffngen { 'explain', name }
    support.assert_code(result, 4, name:sub(1, 50))
    unit.assertEquals(result.out, '')
    support.assert_has(result.err, part, name:sub(1, 50))
    unit.assertTrue(#result.err < 400)
    support.assert_lacks(result.err, '\27', name:sub(1, 50))
  end
  -- Of a user's file, whose names are listed where they are few.
  local folder = support.user_folder(support.layers)
  local result = support.ffngen({ 'explain', 'nothing', 'my.lua' }, { dir = folder })
  support.assert_has(result.err, 'see ffngen list my.lua', 'own spec')
end

TestList = {}

--- The same kernels in text, in JSON, and in kernels.inc.
function TestList.test_json()
  for _, specs in ipairs { {}, { 'my.lua' } } do
    local dir = support.user_folder(support.layers
      .. "linear 'small' { d_model = 6, d_out = 2, optimise = 'size' }")
    local result = support.ffngen({ 'list', '--json', table.unpack(specs) }, { dir = dir })
    support.assert_code(result, 0, 'list --json')
    unit.assertEquals(result.err, '')
    local list, position, problem = json.decode(result.out)
    unit.assertNil(problem)
    unit.assertStrMatches(result.out:sub(position), '%s*')
    unit.assertEquals(list.schema, 1)
    local text = support.ffngen({ 'list', table.unpack(specs) }, { dir = dir })
    support.assert_code(text, 0, 'list')
    local lines = {}
    for line in text.out:gmatch('[^\n]+') do lines[#lines + 1] = line end
    unit.assertEquals(#lines, #list.kernels)
    unit.assertTrue(#lines >= 4 * #support.layer_names)
    local english = require 'lower.english'
    local name_grammar = require 'lower.name'
    for i, kernel in ipairs(list.kernels) do
      unit.assertEquals(lines[i]:match('^%S+'), kernel.name)
      unit.assertEquals(lines[i]:match('^%S+ +(.*)$'), english.describe(kernel.name))
      for _, field in ipairs { 'inputs', 'hidden', 'outputs', 'flop_per_token', 'packed_bytes',
        'work_bytes' } do
        unit.assertEquals(math.type(kernel[field]), 'integer', kernel.name .. ' ' .. field)
      end
      unit.assertEquals(type(kernel.bias), 'boolean')
      local decoded = name_grammar.decode(kernel.name)
      unit.assertEquals(kernel.isa, decoded.isa)
      unit.assertEquals(kernel.kind, decoded.kind)
      unit.assertEquals(kernel.dtype, 'f32')
      unit.assertEquals(kernel.optimise, kernel.spec == 'small' and kernel.isa == 'c' and 'size'
        or 'speed')
      unit.assertEquals(kernel.inputs, decoded.d_model)
      unit.assertEquals(kernel.hidden, decoded.d_ff or 0)
      unit.assertEquals(kernel.layer .. '_' .. kernel.isa
        .. (kernel.optimise == 'size' and '_size' or ''), kernel.name)
      unit.assertStrMatches(kernel.spec, '[%a_][%w_]*')
      unit.assertTrue(kernel.flop_per_token > 0 and kernel.packed_bytes > 0)
    end
    for i = 2, #list.kernels do
      unit.assertTrue(list.kernels[i - 1].name < list.kernels[i].name, 'sorted')
    end
  end
end
