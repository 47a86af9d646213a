--- A name is one layer's, whatever users call their activations: equal layers share kernels, two
--- layers of one name never do.
local unit = require 'luaunit'
local activations = require 'activation'
local arithmetics = require 'arithmetic'
local own_name = require 'lower.own_name'
local support = require 'support'
local trace = require 'activation.graph.trace'
local weights = require 'weights'

TestOwnNames = {}

--- A folder with these specs, a.lua and so on.
local function folder_of(specs)
  local folder, paths = support.folder(), {}
  for i, text in ipairs(specs) do
    paths[i] = ('%c.lua'):format(96 + i)
    support.write(folder .. '/' .. paths[i], text)
  end
  return folder, paths
end

--- Every verb that reads specs, by its arguments in front and behind.
local verbs = {
  { 'generate', '--out', 'k' }, { 'vendor', '--out', 'v' }, { 'list' }, { 'tune', '--out', 't' },
}

--- What each of these verbs says of some specs.
local function said(specs, some)
  local folder, paths = folder_of(specs)
  local list = {}
  for i, verb in ipairs(some or verbs) do
    local words = { verb[1], table.unpack(paths) }
    for j = 2, #verb do words[#words + 1] = verb[j] end
    list[i] = support.ffngen(words, { dir = folder })
    list[i].verb = verb[1]
  end
  unit.assertFalse(support.exists(folder .. '/t'), table.concat(specs))
  return list, folder
end

local function assert_refused(specs, ...)
  for _, outcome in ipairs(said(specs)) do
    support.assert_code(outcome, 4, outcome.verb .. ' of ' .. table.concat(specs))
    for _, part in ipairs { ... } do support.assert_has(outcome.err, part, outcome.verb) end
  end
end

local leaky = "activation 'leaky_relu_slope2' (function(x) return x + 100 end)\n"
local foo = "activation 'foo' (function(x, p) return x * p.b + 1 end)\n"
local foo_b1 = "activation 'foo_b1' (function(x) return 7 * x end)\n"
local a = "ffn 'a' { variant = 'foo', parameters = { b = 1 }, d_model = 8, d_ff = 8 }\n"
local b = "ffn 'b' { variant = 'foo_b1', d_model = 8, d_ff = 8 }\n"

--- One file: a name that another reading has, too.
function TestOwnNames.test_one_file()
  local with_slope = "ffn 'a' { variant = 'leaky_relu', parameters = { slope = 2 }, "
    .. 'd_model = 8, d_ff = 8 }\n'
  local own = "ffn 'b' { variant = 'leaky_relu_slope2', d_model = 8, d_ff = 8 }\n"
  assert_refused({ leaky .. '\n' .. own },
    'a.lua:3: ffn "b": its kernels would be named ffn_leaky_relu_slope2_d8_f8_f32',
    '"FFN leaky_relu_slope2, 8 -> 8 -> 8, no bias, f32"',
    '"FFN leaky_relu with slope 2, 8 -> 8 -> 8, no bias, f32"', 'rename')
  -- The other one's name is no better.
  assert_refused({ leaky .. with_slope }, 'a.lua:2: ffn "a"')
  assert_refused({ foo .. foo_b1 .. a }, 'a.lua:3: ffn "a"')
  assert_refused({ foo .. foo_b1 .. b }, 'a.lua:3: ffn "b"')
  assert_refused({ foo .. foo_b1
    .. "ffn 'g' { variant = 'foo_glu', parameters = { b = 1 }, d_model = 8, d_ff = 8 }\n"
    .. "activation 'foo_glu_b1' (function(x) return 2 * x end)" }, '"FFN foo_glu_b1, ')
  assert_refused({ "activation 'aa' (function(x, p) return p.b * x + p.c end)\n"
    .. "activation 'aa_b1_c2' (function(x) return -x end)\n"
    .. "selfgate 's' { activation = 'aa_b1_c2', d_model = 4 }\n" }, 'a.lua:3: selfgate "s"',
    'aa with b 1 and c 2')
  local chain = "mlp 'm' { d_model = 4, layers = { { 4, 'foo_b1' }, { 2 } } }\n"
  assert_refused({ foo .. foo_b1 .. chain },
    'a.lua:3: mlp "m"', 'MLP chain 4 -> 4 foo with b 1 -> 2 identity')
end

--- A chain's activation may read as two of its layers, or as one with a width.
function TestOwnNames.test_chains()
  local three = "activation 'p' (function(x) return 2 * x end)\n"
    .. "activation 'q' (function(x) return 3 * x end)\n"
    .. "activation 'p4_q' (function(x) return 5 * x end)\n"
  assert_refused({ three .. "mlp 'm' { d_model = 4, layers = { { 9, 'p4_q' } } }\n" },
    'MLP chain 4 -> 9 p4_q,', 'MLP chain 4 -> 4 p -> 9 q,')
  assert_refused({ three .. "mlp 'm' { d_model = 4, layers = { { 4, 'p' }, { 9, 'q' } } }\n" },
    'mlp "m"')
  -- Two readings of as many layers.
  local two = ''
  for _, name in ipairs { 'p', 'q5_r', 'p4_q', 'r' } do
    two = ("%sactivation '%s' (function(x) return %d * x end)\n"):format(two, name, #two + 2)
  end
  for _, layers in ipairs { "{ 4, 'p' }, { 9, 'q5_r' }", "{ 5, 'p4_q' }, { 9, 'r' }" } do
    assert_refused({ ("%smlp 'm' { d_model = 4, layers = { %s } }\n"):format(two, layers) },
      'MLP chain 4 -> 4 p -> 9 q5_r,', 'MLP chain 4 -> 5 p4_q -> 9 r,')
  end
end

--- Several files: each name has one reading in its own.
function TestOwnNames.test_several_files()
  assert_refused({ foo .. a, foo_b1 .. b },
    'b.lua:2: "b" would be named ffn_foo_b1_d8_f8_f32, as "a" at a.lua:2 is, and is another layer',
    'rename')
  assert_refused({ foo_b1 .. b, foo .. a }, 'b.lua:2: "a"')
  -- And in calls of their own nothing is wrong.
  for _, text in ipairs { foo .. a, foo_b1 .. b, foo .. foo_b1 .. a:gsub('b = 1', 'b = 2') } do
    for _, outcome in ipairs(said({ text }, { verbs[1], verbs[2], verbs[3] })) do
      support.assert_code(outcome, 0, outcome.verb .. ' of ' .. text)
    end
  end
end

--- Equal layers have the same kernels, whoever asks for them.
function TestOwnNames.test_equal_layers()
  local relu = "ffn '%s' { variant = 'relu', d_model = 8, d_ff = 8, "
    .. "build = { { isa = { '%s' } } } }\n"
  local outcomes, folder = said({ relu:format('a', 'c') .. relu:format('b', 'c'),
    relu:format('c', 'c') .. relu:format('d', 'avx2') }, { verbs[1] })
  support.assert_code(outcomes[1], 0, 'equal layers')
  local kernels = {}
  for _, path in ipairs(support.keys(support.snapshot(folder .. '/k'))) do
    if path:match('^ffn_.*%.c$') then kernels[#kernels + 1] = path end
  end
  unit.assertEquals(kernels, { 'ffn_relu_d8_f8_f32_avx2.c', 'ffn_relu_d8_f8_f32_c.c' })
end

--- Names that end in digits and x are set off from a width, too, and read back.
function TestOwnNames.test_ends_of_names()
  local text = ''
  for i, activation in ipairs { 'silu2x', 'relu2x', 'relu2xx', 'y1x', 'a08_b08_b', 'a', 'b' } do
    text = ("activation '%s' (function(x) return %d * x end)\n"):format(activation, i + 1) .. text
  end
  local outcomes = said({ text .. "mlp 'm' { d_model = 4, layers = { { 9, 'relu2x' }, "
    .. "{ 9, 'relu2' }, { 9, 'silu2x' }, { 9, 'relu2xx' }, { 9, 'a08_b08_b' } } }\n" },
    { verbs[3] })
  support.assert_code(outcomes[1], 0, 'list')
  support.assert_has(outcomes[1].out, 'mlp_4_relu2xx9_relu2x9_silu2xx9_relu2xxx9_a08_b08_b9_f32',
    'list')
end

--- A spec as own_name takes it; its refusal is thrown.
local function spec_of(fields)
  local spec = { name = 's', bias = false, d_model = 8,
    refuse = function(field, text) error(field .. ': ' .. text, 0) end }
  for key, value in pairs(fields) do spec[key] = value end
  return spec
end

--- Words of all vocabularies are looked at, with those that are added.
function TestOwnNames.test_added_words()
  local known = activations.with {
    { name = 'q', traced = trace.graph(function(x) return 2 * x end) },
  }
  local spec = spec_of { kind = 'mlp', activations = known, d_out = 4,
    widths = { { width = 4, activation = 'relu' }, { width = 4, activation = 'q' } } }
  local f32 = { 'f32', 'f32' }
  unit.assertEquals(own_name.of(spec, f32, {}), 'mlp_8_relu4_q4_f32')
  support.with_words({ weights = { 'q4_f32' } }, function()
    local ok, problem = pcall(own_name.of, spec, f32, {})
    unit.assertFalse(ok)
    support.assert_has(problem, '4 relu, no bias, q4_f32"', 'a format named as a layer ends')
  end)
  -- Three layers, the last of which applies q to 4, or two in two formats.
  spec.widths = { { width = 4, activation = 'relu' }, { width = 4, activation = 'relu' },
    { width = 4, activation = 'q' } }
  support.with_words({ weights = { 'q4' } }, function()
    local ok, problem = pcall(own_name.of, spec, { 'f32', 'f32', 'f32' }, {})
    unit.assertFalse(ok)
    support.assert_has(problem, '4 relu -> 4 relu, no bias, q4 and f32"', 'a format of two')
  end)
  -- The format of the last width, and an arithmetic.
  support.with_words({ arithmetic = { 'f32' } }, function()
    local ok, problem = pcall(own_name.of, spec, { 'bf16', 'bf16', 'bf16' }, { 'f32' })
    unit.assertTrue(ok, problem)
    unit.assertEquals(problem, 'mlp_8_relu4_relu4_q4_bf16_f32')
    unit.assertEquals(own_name.of(spec, { 'bf16', 'bf16', 'bf16' }, {}),
      'mlp_8_relu4_relu4_q4_bf16')
  end)
end

--- A name of an activation, of few letters, so that many meet.
local function random_word()
  local word
  repeat
    word = ''
    for _ = 1, math.random(5) do
      local at = math.random(7)
      word = word .. ('abx01_p'):sub(at, at)
    end
  until word:match('^%l[%l%d_]*$') and not word:match('__') and not word:match('_$')
  return word
end

--- A layer of some activations, one of which takes a parameter b.
local function random_spec(known, words)
  local function choose() return words[math.random(#words)] end
  local function fixed(word)
    return known.by_name[word].parameters[1] and { math.random(0, 1) + 0.5 } or nil
  end
  local one = choose()
  local spec = spec_of { kind = 'selfgate', activation = one, parameters = fixed(one), d_out = 8,
    activations = known, bias = math.random(2) == 1 }
  if math.random(4) > 1 then
    spec.kind, spec.activation, spec.parameters, spec.widths = 'mlp', nil, nil, {}
    for i = 1, math.random(3) do
      local word = choose()
      spec.widths[i] = { width = math.random(2) == 1 and 8 or math.random(120), activation = word,
        parameters = fixed(word) }
    end
    spec.d_out = spec.widths[#spec.widths].width
  end
  spec.formats, spec.sums = {}, {}
  for i = 1, spec.widths and #spec.widths or 1 do
    spec.formats[i] = weights.names[math.random(#weights.names)]
    spec.sums[i] = arithmetics.names[math.random(#arithmetics.names)]
  end
  return spec
end

--- What a spec says, in an order of its own.
local function meaning_of(spec)
  local parts = { spec.kind, tostring(spec.bias), table.concat(spec.formats, ' '),
    table.concat(spec.sums, ' ') }
  for _, layer in ipairs(spec.widths or { spec }) do
    parts[#parts + 1] = ('%s(%s) %s'):format(layer.activation,
      layer.parameters and layer.parameters[1] or '', layer.width or '')
  end
  return table.concat(parts, ' | ')
end

--- Of random words: two layers never have one name, and whoever is refused is told what else his
--- name says.
local function check_random_words(rounds)
  math.randomseed(8)
  local plain = trace.graph(function(x) return 2 * x end)
  local learned = trace.graph(function(x, p) return p.b * x end)
  local named, refused = 0, 0
  for _ = 1, support.full and 150 or rounds do
    local list, words, seen = {}, {}, {}
    local function add(word)
      if seen[word] then return end
      list[#list + 1] = { name = word, traced = #list == 0 and learned or plain }
      words[#words + 1], seen[word] = word, true
    end
    add(random_word())
    add(random_word())
    add(words[1] .. '_b1p5')
    add(words[1] .. '8_' .. random_word())
    add(words[#words]:match('8_(.*)$') or 'a')
    local known, meanings = activations.with(list), {}
    for _ = 1, 40 do
      local spec = random_spec(known, words)
      local ok, text = pcall(own_name.of, spec, spec.formats, spec.sums)
      if ok then
        named = named + 1
        unit.assertEquals(meanings[text] or meaning_of(spec), meaning_of(spec), text)
        meanings[text] = meaning_of(spec)
      else
        refused = refused + 1
        support.assert_has(text, 'which says two layers: "', table.concat(words, ' '))
        support.assert_has(text, '" and "', table.concat(words, ' '))
      end
    end
  end
  unit.assertTrue(named > 16 * rounds and refused > 3 * rounds // 2,
    ('%d named, %d refused'):format(named, refused))
end

function TestOwnNames.test_random_words() check_random_words(60) end

--- So it is with words of formats and arithmetics that look like activations and their widths.
function TestOwnNames.test_random_formats()
  support.with_words({
    weights = { 'a', 'a8', 'b_f32', 'q7_K' }, arithmetic = { 'b', 'b8_a', 's8' },
  }, function() check_random_words(20) end)
end
