--- The naming grammar: every name reads back as what was named, and nothing else reads at all.
local unit = require 'luaunit'
local support = require 'support'
local english = require 'lower.english'
local name_grammar = require 'lower.name'
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local numbers = require 'common.number'
local pipeline = require 'pipeline'
local isas = require 'isa'
local parts_of = require 'lower.name_parts'
local weights = require 'weights'

TestNames = {}

--- What a name says of a layer, as text: a run-time beta is the rule and is not written.
local function canonical(l)
  local parts = { l.kind, tostring(l.variant or l.activation), l.d_model, tostring(l.d_ff),
    l.d_out or 'none', tostring(l.bias), table.concat(parts_of.of_stages(l.formats), ' '),
    table.concat(parts_of.arithmetics_of(l.arithmetics), ' '), tostring(l.isa),
    l.isa == 'c' and l.optimise or 'speed', l.isa and l.max_tokens or 0 }
  local function fixed(parameters)
    local texts = {}
    for i, v in ipairs(type(parameters) == 'table' and parameters or {}) do
      texts[i] = ('%a'):format(v)
    end
    return table.concat(texts, ' ')
  end
  if l.kind == 'mlp' then
    parts[5] = 'none'
    for _, layer in ipairs(l.widths) do
      parts[#parts + 1] = ('%s %s %d'):format(layer.activation, fixed(layer.parameters),
        layer.width)
    end
  else
    parts[#parts + 1] = fixed(l.parameters)
  end
  local dropout = l.dropout or { hidden = 0.0, output = 0.0 }
  parts[#parts + 1] = ('dropout %a %a'):format(dropout.hidden, dropout.output)
  return table.concat(parts, '|')
end

local function check_round_trip(l, isa)
  local layer_name = name_grammar.encode_layer(l, l.activations)
  local kernel_name = isa and name_grammar.encode(layer_name, isa, l) or layer_name
  unit.assertStrMatches(kernel_name, '%a[%w_]*')
  local decoded = name_grammar.decode(kernel_name, l.activations)
  unit.assertNotNil(decoded, kernel_name)
  local wanted = setmetatable({ isa = isa }, { __index = l })
  unit.assertEquals(canonical(decoded), canonical(wanted), kernel_name)
  local described = english.describe(kernel_name, l.activations)
  unit.assertStrContains(described, l.bias and 'with biases' or 'no bias')
  unit.assertStrContains(described, tostring(l.d_model))
  return kernel_name
end

local function random_f32(most)
  local v
  repeat
    v = string.unpack('<f', string.pack('<I4', math.random(0, 0xffffffff)))
  until v == v and v ~= 0 and math.abs(v) <= most
  return v
end

local some_betas = { 1.0, -1.0, 2.0, 0.5, -0.75, 1.5, 1.702, 10.0, 100.0, 1000000.0, -1000000.0,
  123456.0, 0.1, 1e-5, -1e-5, 1e-10, 1e-38, 1e-45, 1.25, 3.14159274 }
for i, v in ipairs(some_betas) do some_betas[i] = string.unpack('<f', string.pack('<f', v)) end

local function random_beta()
  local dice = math.random(2, 4)
  if dice == 2 then return some_betas[math.random(#some_betas)] end
  if dice == 3 then return math.random(-400, 400) / 16 + 0.03125 end
  return random_f32(1e6)
end

--- All fixed, at random; 'runtime', or nil where there are none.
local function random_parameters(activation)
  if #activation.parameters == 0 then return nil end
  if math.random(4) == 1 then return 'runtime' end
  local parameters = {}
  for i = 1, #activation.parameters do parameters[i] = random_beta() end
  return parameters
end

local function random_size()
  local dice = math.random(3)
  return math.random(dice == 1 and 9 or dice == 2 and 300 or 1048576)
end

local function choose(list) return list[math.random(#list)] end

local kinds = { 'ffn', 'linear', 'mlp', 'glu', 'selfgate' }

--- An f32 from 2^-32 to 1, or none.
local function random_rate()
  local any = numbers.to_f32(math.max(2.0^-32, math.random()))
  return choose { 0.0, 0.5, 1.0, 2.0^-32, numbers.to_f32(0.1), any }
end

local function random_dropout(has_hidden)
  local rates = { hidden = has_hidden and random_rate() or 0.0, output = random_rate() }
  return rates.hidden + rates.output > 0 and rates or nil
end

--- A word for each stage; mostly the same one.
local function random_words(names, stages)
  local words, same = {}, math.random(3) > 1 and choose(names)
  for i = 1, stages do words[i] = same or choose(names) end
  return words
end

local function random_layer()
  local l = { kind = choose(kinds), d_model = random_size(), bias = math.random(2) == 1 }
  if l.kind == 'mlp' then
    l.widths = {}
    for i = 1, math.random(6) do
      local activation = choose(activations.plain_names)
      l.widths[i] = { activation = activation, width = random_size(),
        parameters = random_parameters(activations.by_name[activation]) }
    end
    l.d_out = l.widths[#l.widths].width
  elseif l.kind == 'selfgate' then
    l.activation, l.d_out = choose(activations.plain_names), l.d_model
    l.parameters = random_parameters(activations.by_name[l.activation])
  elseif l.kind == 'linear' then
    l.d_out = random_size()
  else
    l.variant = choose(l.kind == 'glu' and activations.gated_names or activations.variant_names)
    l.parameters = random_parameters(activations.by_variant[l.variant].activation)
    if l.kind == 'ffn' then l.d_ff = random_size() end
    l.d_out = math.random(2) == 1 and l.d_model or random_size()
  end
  l.dropout = random_dropout(l.kind == 'ffn' or l.kind == 'mlp' and #l.widths > 1)
  local stages = l.kind == 'mlp' and #l.widths or l.kind == 'ffn' and 2 or 1
  l.formats = random_words(weights.names, stages)
  l.arithmetics = random_words(arithmetics.names, stages)
  return l
end

--- Words that formats, arithmetics and instruction sets may have: digits, underscores, capitals,
--- and ends of those that are there.
local added_words = { weights = { 'K' }, arithmetic = { 's8' }, isa = { 'vnni' } }

local function check_random_layers(times)
  math.randomseed(20250101)
  local seen, count, fixed, kinds_seen = {}, 0, 0, {}
  for _ = 1, times do
    local l = random_layer()
    local isa = choose { false, table.unpack(isas.names) } or nil
    -- Of all kernels one is written for few bytes.
    if isa == 'c' and math.random(2) == 1 then l.optimise = 'size' end
    unit.assertFalse(name_grammar.is_compact('size', isa ~= 'c' and isa))
    if math.random(3) == 1 then l.max_tokens = choose { 1, 2, 8, random_size() } end
    local text = check_round_trip(l, isa)
    local meaning = canonical(setmetatable({ isa = isa }, { __index = l }))
    if seen[text] then
      unit.assertEquals(meaning, seen[text], 'two layers share the name ' .. text)
    else
      seen[text] = meaning
      count = count + 1
      kinds_seen[l.kind] = true
      if type(l.parameters) == 'table' then fixed = fixed + 1 end
    end
  end
  unit.assertTrue(count > times * 5 // 6)
  unit.assertTrue(fixed > times // 20)
  unit.assertEquals(#support.keys(kinds_seen), #kinds)
end

function TestNames.test_random_layers() check_random_layers(6000) end

--- Words of all vocabularies are computed: those that come are read as those that are there.
function TestNames.test_added_words()
  support.with_words(added_words, function() check_random_layers(1500) end)
end

--- A format where all stages have one, else one for each; behind it an arithmetic, if not the rule.
function TestNames.test_words_of_stages()
  support.with_words(added_words, function()
    local l = {
      kind = 'ffn', variant = 'swiglu', d_model = 64, d_ff = 96, d_out = 64, bias = false,
    }
    local function name_of(formats, sums)
      l.formats, l.arithmetics = formats, sums
      return name_grammar.encode_layer(l)
    end
    local rule = { 'fma_f32', 'fma_f32' }
    local mixed = { 'dot_s8', 'fma_f32' }
    unit.assertEquals(name_of({ 'f32', 'f32' }, rule), 'ffn_swiglu_d64_f96_f32')
    unit.assertEquals(name_of({ 'bf16', 'bf16' }, rule), 'ffn_swiglu_d64_f96_bf16')
    unit.assertEquals(name_of({ 'q4_K', 'q6_K' }, { 's8', 's8' }),
      'ffn_swiglu_d64_f96_q4_K_q6_K_s8')
    unit.assertEquals(name_of({ 'q4_K', 'f32' }, { 's8', 'fma_f32' }),
      'ffn_swiglu_d64_f96_q4_K_f32_s8_fma_f32')
    unit.assertEquals(name_of({ 'q4_K', 'q4_K' }, mixed), 'ffn_swiglu_d64_f96_q4_K_dot_s8_fma_f32')
    unit.assertEquals(name_of({ 'f32', 'q4_K' }, { 'fma_f32', 'dot_s8' }),
      'ffn_swiglu_d64_f96_f32_q4_K_fma_f32_dot_s8')
    local text = 'ffn_swiglu_d64_f96_q4_K_q6_K_s8_avx512_vnni_8tokens'
    local read = name_grammar.decode(text)
    unit.assertEquals({ read.formats, read.arithmetics, read.isa, read.max_tokens },
      { { 'q4_K', 'q6_K' }, { 's8' }, 'avx512_vnni', 8 })
    unit.assertEquals(english.describe(text), 'FFN swiglu, 64 -> 96 -> 64, no bias, q4_K and q6_K, '
      .. 's8, for avx512_vnni, at most 8 tokens a call')
    for cpu, isa in pairs { [''] = 'avx512_vnni', ['_zen4'] = 'avx512' } do
      read = name_grammar.decode('ffn_swiglu_d64_f96_q4_K_f32_dot_s8_fma_f32_' .. isa .. cpu)
      unit.assertEquals({ read.formats, read.arithmetics, read.isa, read.cpu or '' },
        { { 'q4_K', 'f32' }, mixed, isa, cpu:sub(2) })
    end
    for _, wrong in ipairs {
      'ffn_swiglu_d64_f96_q4_K_q4_K', 'ffn_swiglu_d64_f96_q4_K_q6_K_f32', 'linear_d4_o8_bf16_f32',
      'ffn_swiglu_d64_f96_f32_fma_f32', 'ffn_swiglu_d64_f96_s8', 'ffn_swiglu_d64_f96_q4_k',
      'ffn_swiglu_d64_f96_s8_q4_K', 'mlp_4_relu8_bf16_f32', 'ffn_swiglu_d64_f96_f32_s8_s8',
      'ffn_swiglu_d64_f96_q4_K_dot_s8_dot_s8', 'ffn_swiglu_d64_f96_q4_K_fma_f32_fma_f32_avx2',
      'linear_d4_o8_q4_K_dot_s8_fma_f32', 'linear_d4_o8_q4_K_avx512_dot_s8_vnni',
      'ffn_swiglu_d64_f96_q4_K_dot_s8_fma_f32_dot_s8',
    } do
      unit.assertNil(name_grammar.decode(wrong), wrong)
    end
  end)
end

--- What differs in capitals alone is one file on Windows, and one enumerator.
function TestNames.test_capitals()
  for _, folder in ipairs { 'activation', 'arithmetic', 'operand', 'isa', 'weights', 'cpu' } do
    local seen = {}
    for _, word in ipairs(require(folder).names) do
      unit.assertNotNil(word:match('^%a[%w_]*$'), folder .. ': ' .. word)
      unit.assertNil(seen[word:lower()], ('%s: %s'):format(folder, word))
      seen[word:lower()] = true
    end
  end
end

--- All small layers of one stage: no two of them share a name.
function TestNames.test_all_activations()
  local seen = {}
  local function add(l)
    l.formats, l.arithmetics = { 'f32' }, {}
    local text = check_round_trip(l)
    unit.assertNil(seen[text], text)
    seen[text] = true
  end
  --- Run-time parameters, and all of them alike; or none.
  local function settings(activation)
    local count = #activation.parameters
    local list = { count > 0 and 'runtime' or false }
    for _, v in ipairs(count > 0 and some_betas or {}) do
      local setting = {}
      for i = 1, count do setting[i] = v end
      list[#list + 1] = setting
    end
    return list
  end
  for _, bias in ipairs { false, true } do
    for d_out = 1, 3 do
      add { kind = 'linear', d_model = 2, d_out = d_out, bias = bias }
      for _, variant in ipairs(activations.variant_names) do
        local v = activations.by_variant[variant]
        for _, setting in ipairs(settings(v.activation)) do
          add { kind = 'ffn', variant = variant, parameters = setting or nil, d_model = 2, d_ff = 3,
            d_out = d_out, bias = bias }
          if v.gated then
            add { kind = 'glu', variant = variant, parameters = setting or nil, d_model = 2,
              d_out = d_out, bias = bias }
          end
        end
      end
    end
    for _, activation in ipairs(activations.plain_names) do
      local a = activations.by_name[activation]
      for _, setting in ipairs(settings(a)) do
        add { kind = 'selfgate', activation = activation, parameters = setting or nil, d_model = 2,
          d_out = 2, bias = bias }
        for _, width in ipairs { 1, 2, 12, 64, 264, 2645 } do
          local layer = { activation = activation, parameters = setting or nil, width = width }
          add { kind = 'mlp', d_model = 2, bias = bias, widths = { layer } }
          add { kind = 'mlp', d_model = 2, bias = bias, widths = { layer, layer } }
        end
      end
    end
  end
  unit.assertTrue(#support.keys(seen) > 1000)
end

--- Every shipped kernel.
function TestNames.test_shipped()
  local specs = pipeline.read(support.spec_files())
  local plans = pipeline.plan(pipeline.lower(specs), {})
  unit.assertTrue(#plans > 200)
  local layer = require 'lower.layer'
  local meaning_of = {}
  for _, s in ipairs(specs) do
    local l = setmetatable({ formats = s.weights }, { __index = s })
    local text = layer.lower(s).name
    unit.assertEquals(text, name_grammar.encode_layer(l, s.activations))
    unit.assertTrue(meaning_of[text] == nil or meaning_of[text] == canonical(l), text)
    meaning_of[text] = canonical(l)
    for _, isa in ipairs(isas.names) do check_round_trip(l, isa) end
  end
  for _, p in ipairs(plans) do
    local decoded = name_grammar.decode(p.name, p.layer.activations)
    unit.assertEquals(decoded.isa, p.isa.name)
    decoded.isa = nil
    unit.assertEquals(canonical(decoded), meaning_of[p.layer.name])
  end
  -- The committed files carry these names and no other.
  local committed = 0
  for path in pairs(support.snapshot(support.project .. '/generated')) do
    if path:match('%.c$') then
      unit.assertNotNil(name_grammar.decode(path:sub(1, -3)), path)
      committed = committed + 1
    end
  end
  unit.assertTrue(committed >= 20)
end

function TestNames.test_examples_of_the_grammar()
  for text, l in pairs {
    ffn_swiglu_d4096_f14336_f32_avx512 = { kind = 'ffn', variant = 'swiglu', d_model = 4096,
      d_ff = 14336, d_out = 4096, bias = false, isa = 'avx512' },
    ffn_gelu_tanh_bias_d768_f3072_f32_c = { kind = 'ffn', variant = 'gelu_tanh', d_model = 768,
      d_ff = 3072, d_out = 768, bias = true, isa = 'c' },
    ffn_swish_beta1p5_d24_f40_o8_f32 = { kind = 'ffn', variant = 'swish', parameters = { 1.5 },
      d_model = 24, d_ff = 40, d_out = 8, bias = false },
    ffn_relu_d8_f32_f32 = { kind = 'ffn', variant = 'relu', d_model = 8, d_ff = 32, d_out = 8,
      bias = false },
    ffn_swiglu_betam0p75_bias_d20_f33_f32 = { kind = 'ffn', variant = 'swiglu_beta',
      parameters = { -0.75 }, d_model = 20, d_ff = 33, d_out = 20, bias = true },
    mlp_10_relu64_relu2x32_sigmoid1_bias_f32_neon = { kind = 'mlp', d_model = 10, bias = true,
      widths = { { activation = 'relu', width = 64 }, { activation = 'relu2', width = 32 },
        { activation = 'sigmoid', width = 1 } }, isa = 'neon' },
  } do
    l.formats, l.arithmetics = { 'f32' }, {}
    unit.assertEquals(name_grammar.decode(text), l, text)
  end
  unit.assertEquals(english.describe('ffn_swish_beta1p5_d24_f40_o8_f32_c'),
    'FFN swish with beta 1.5, 24 -> 40 -> 8, no bias, f32, for c')
  unit.assertNil(english.describe('nothing'))
end

--- The most tokens of a call stand behind all else of a kernel's name, in front of its CPU.
function TestNames.test_max_tokens()
  local text = 'ffn_relu_d520_f520_f32_avx512_8tokens_zen4'
  local l = name_grammar.decode(text)
  unit.assertEquals({ l.max_tokens, l.isa, l.cpu }, { 8, 'avx512', 'zen4' })
  unit.assertEquals(english.describe(text):match('for avx512, at most 8 tokens a call, on AMD'),
    'for avx512, at most 8 tokens a call, on AMD')
  l = name_grammar.decode 'linear_d4_o8_f32_c_size_1token'
  unit.assertEquals({ l.max_tokens, l.isa, l.optimise }, { 1, 'c', 'size' })
  unit.assertStrContains(english.describe 'linear_d4_o8_f32_c_1token', 'one token a call')
  for _, damaged in ipairs {
    'linear_d4_o8_f32_8tokens', 'linear_d4_o8_8tokens_f32', 'linear_d4_o8_f32_c_0tokens',
    'linear_d4_o8_f32_c_08tokens', 'linear_d4_o8_f32_c_8token', 'linear_d4_o8_f32_c_1tokens',
    'linear_d4_o8_f32_c_tokens', 'linear_d4_o8_f32_c_8tokens_size', 'linear_d4_o8_f32_c_8tokens_',
    'linear_d4_o8_f32_c_8tokens_8tokens', 'linear_d4_o8_f32_c_99999999999999999999tokens',
    'linear_d4_o8_f32_avx2_zen2_8tokens', 'mlp_4_relu8tokens_f32', 'mlp_4_8tokens8_f32_c',
  } do
    unit.assertNil(name_grammar.decode(damaged), damaged)
  end
end

local garbage = {
  '', '_', 'f32', '_f32', 'ffn', 'ffn_f32', 'ffn_relu_f32', 'ffn_relu_d4_f32', 'ffn_relu_f4_f32',
  'ffn_d4_f8_f32', 'ffn__d4_f8_f32', 'ffn_relu_d4_f8', 'ffn_relu_d4_f8_f64', 'ffn_relu_d4_f8_f32_',
  'ffn_relu_d4_f8_f32_c_c', 'ffn_relu_d4_f8_f32_c.c', ' ffn_relu_d4_f8_f32', 'ffn_relu_d4_f8_f32 ',
  'ffn_relu_d04_f8_f32', 'ffn_relu_d4_f08_f32', 'ffn_relu_d0_f8_f32', 'ffn_relu_d4_f0_f32',
  'ffn_relu_d4_f8_o0_f32', 'ffn_relu_d4_f8_o4_f32', 'ffn_relu_d4_o8_f8_f32', 'ffn_relu_f8_d4_f32',
  'ffn_relu_d4_f8_x9_f32', 'ffn_relu_d4_f8_f9_f32', 'ffn_relu_d4_f8_bias_f32',
  'ffn_bias_d4_f8_f32', 'ffn_relu_d99999999999999999999_f8_f32', 'ffn_relu_d4_f8e1_f32',
  'ffn_relu_d-4_f8_f32', 'ffn_relu_d4.0_f8_f32', 'FFN_relu_d4_f8_f32', 'ffn_RELU_d4_f8_f32',
  'ffn_relu-x_d4_f8_f32', 'fnn_relu_d4_f8_f32', 'ffn_swish_beta_d4_f8_f32',
  'ffn_swish_beta1p50_d4_f8_f32', 'ffn_swish_beta1p5p5_d4_f8_f32', 'ffn_swish_beta1e99_d4_f8_f32',
  'ffn_swish_betap5_d4_f8_f32', 'ffn_swish_beta1p00000000001_d4_f8_f32',
  'ffn_swish_beta01_d4_f8_f32', 'ffn_swish_beta1e_d4_f8_f32', 'ffn_swish_beta1m5_d4_f8_f32',
  'ffn_swiglu_beta_beta1p5_d4_f8_f32', 'linear_relu_d4_o8_f32', 'linear_d4_f32',
  'linear_d4_f8_f32', 'linear_o8_f32', 'linear_d4_o_f32', 'linear_bias_bias_d4_o8_f32',
  'glu_glu_d4_f32', 'glu_d4_o8_f32', 'glu_glu_d4_f3_o8_f32', 'selfgate_silu_d4_o4_f32',
  'selfgate_silu_d4_f4_f32', 'selfgate_d4_f32', 'mlp_f32', 'mlp_10_f32', 'mlp_10__f32',
  'mlp_relu10_f32', 'mlp_10_relu_f32', 'mlp_10_relu0_f32', 'mlp_10_relu04_f32', 'mlp_10_64_f32',
  'mlp_10_relu64_bias_relu2_f32', 'mlp_10_relu64_relu_f32', 'mlp_010_relu64_f32',
  'mlp_10_relux64_f32x', 'mlp_10_relu2x_f32', 'mlp_10_x64_f32', 'mlp_10_swish_beta1_f32',
  'mlp_10_swish_beta1x_f32', 'mlp_10_bias_f32', 'mlp_10_relu64_f32_9', 'mlp_10_relu64__tanh3_f32',
  'mlp_0_relu64_f32', 'ffn_bogus_d4_f8_f32', 'ffn_relu_d4_f8_f32_sse2',
  'ffn_relu_beta1p5_d4_f8_f32', 'glu_relu_d4_o8_f32', 'selfgate_geglu_d4_f32', 'mlp_10_geglu4_f32',
  'mlp_10_relu_beta2x4_f32', 'ffn_sigmoid_bias_tanh_d4_f8_f32', 'ffn_bias_relu_d4_f8_f32',
  'kernels', 'selfcheck', 'reference', 'ffn_relu_d4_f8_f32\n',
}

function TestNames.test_garbage()
  for _, text in ipairs(garbage) do
    local ok, decoded = pcall(name_grammar.decode, text)
    unit.assertTrue(ok, text .. ': ' .. tostring(decoded))
    if decoded then unit.fail(('"%s" decodes to %s'):format(text, canonical(decoded))) end
  end
end

--- A name with one character changed reads as another layer or not at all, never with an error,
--- and what it reads as is written so.
function TestNames.test_damaged_names()
  math.randomseed(7)
  local letters = 'abcdefghijklmnopqrstuvwxyz0123456789_x_p_m_.-'
  local nothing, other = 0, 0
  for _ = 1, 4000 do
    local text = name_grammar.encode_layer(random_layer())
    local at = math.random(#text)
    local letter = math.random(#letters)
    local dice = math.random(3)
    local damaged = text:sub(1, at - 1) .. (dice < 3 and letters:sub(letter, letter) or '')
      .. text:sub(dice == 1 and at or at + 1)
    local decoded = name_grammar.decode(damaged)
    if decoded then
      other = other + 1
      local again = name_grammar.encode_layer(decoded)
      unit.assertEquals(
        decoded.isa and name_grammar.encode(again, decoded.isa, decoded) or again, damaged)
    else
      nothing = nothing + 1
    end
  end
  unit.assertTrue(nothing > 500 and other > 200, ('%d and %d'):format(nothing, other))
end

--- `relu2` of width 64 and `relu` of width 264.
function TestNames.test_digits()
  local function chain(activation, width)
    return name_grammar.encode_layer { kind = 'mlp', d_model = 1, bias = false,
      widths = { { activation = activation, width = width } }, formats = { 'f32' },
      arithmetics = {} }
  end
  unit.assertEquals(chain('relu2', 64), 'mlp_1_relu2x64_f32')
  unit.assertEquals(chain('relu', 264), 'mlp_1_relu264_f32')
  unit.assertEquals(name_grammar.decode('mlp_1_relu264_f32').widths[1],
    { activation = 'relu', width = 264 })
end
