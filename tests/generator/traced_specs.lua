--- Activations that a spec declares: kernels, errors with their place, names, and what is one of
--- the project's own.
local unit = require 'luaunit'
local isas = require 'isa'
local support = require 'support'
local trace = require 'activation.graph.trace'
local vector = require 'emit.vector'

local w = trace.scope()

TestTracedSpecs = {}

local declared = [[
activation 'sharp_silu' (function(x) return x * sigmoid(1.702 * x) end)
activation 'bent' (function(x, p) return x * tanh(p.one * x) + p.two * exp(-x * x) end)
activation 'both_ways' (function(gate, up) return tanh(gate) * up + gate end)
activation 'soft' (function(x, p) return x * sigmoid(p.b * x) end)
]]
local layers = [[
ffn 'sharp' { variant = 'sharp_silu', d_model = 5, d_ff = 9 }
ffn 'gated' { variant = 'sharp_silu_glu', d_model = 5, d_ff = 9, bias = true }
ffn 'two' { variant = 'both_ways', d_model = 4, d_ff = 33 }
selfgate 'own' { activation = 'soft', d_model = 6, parameters = { b = -1.5 } }
]]
--- Those that are compiled in short form, too.
local some_layers = [[
glu 'layer' { variant = 'both_ways', d_model = 7, d_out = 3, bias = true }
mlp 'chain' {
  d_model = 5,
  layers = { { 20, 'bent', parameters = { one = 2, two = 0.5 } }, { 7, 'soft' }, { 3 } },
}
]]

--- Generates a spec in a folder of its own.
local function generate(text, ...)
  local folder = support.folder()
  support.write(folder .. '/my.lua', text)
  return support.ffngen({ 'generate', 'my.lua', '--out', 'k', ... }, { dir = folder }), folder
end

--- Names, and the self-check that travels with them: bounds and bits.
function TestTracedSpecs.test_kernels()
  local result, folder = generate(declared .. layers .. some_layers, '--isa', 'c,avx2')
  support.assert_code(result, 0, 'generate')
  for _, layer in ipairs {
    'ffn_sharp_silu_d5_f9_f32', 'ffn_sharp_silu_glu_bias_d5_f9_f32', 'ffn_both_ways_d4_f33_f32',
    'glu_both_ways_bias_d7_o3_f32', 'mlp_5_bent_one2_two0p5x20_soft7_identity3_f32',
    'selfgate_soft_bm1p5_d6_f32',
  } do
    unit.assertTrue(support.exists(('%s/k/%s_avx2.c'):format(folder, layer)), layer)
  end
  local compiled = folder
  if not support.full then
    result, compiled = generate(declared .. some_layers, '--isa', 'c,avx2')
    support.assert_code(result, 0, 'generate some')
  end
  local check = support.run({ 'sh', '-c', 'cc -O0 -I. *.c -lm -o selfcheck && ./selfcheck' },
    { dir = compiled .. '/k', seconds = 120 })
  support.assert_code(check, 0, 'the self-check')
  support.assert_has(check.out, ' passed, 0 failed', 'the self-check')
  -- Listed, explained and vendored as any other.
  local listed = support.ffngen({ 'list', 'my.lua' }, { dir = folder })
  support.assert_has(listed.out, 'self-gated GLU soft with b -1.5, 6', 'list')
  local explained = support.ffngen({ 'explain', 'two', 'my.lua' }, { dir = folder })
  support.assert_has(explained.out, 'h = both_ways(x W_gate^T, x W_up^T)', 'explain')
  local vendored = support.ffngen(
    { 'vendor', 'my.lua', '--isa', 'c', '--prefix', 'own', '--out', 'v',
      '--layer', support.full and 'sharp,gated,two,own,layer,chain' or 'sharp,own' },
    { dir = folder })
  support.assert_code(vendored, 0, 'vendor')
  check = support.run({ 'sh', '-c', 'cc -O0 -Wall -Wextra -Werror *.c -lm -o sc && ./sc' },
    { dir = folder .. '/v', seconds = 120 })
  support.assert_code(check, 0, 'the self-check of the vendored folder')
end

--- The file, the line, what is wrong.
function TestTracedSpecs.test_errors()
  local last = "ffn 'l' { variant = 'relu', d_model = 2, d_ff = 2 }\n"
  local cases = {
    { "activation 'a' (function(x)\n  return x * (1 / 0)\nend)\n", 2,
      'activation "a": a constant is infinite' },
    { "activation 'a' (function(x)\n  if x == 3.5 then return 1 end\n  return x\nend)\n", 1,
      'activation "a": its result does not follow its graph: at x = 3.5 it gives 1' },
    { "local k = 5\nactivation 'a' (function(x)\n  if x == k then return 1 end\n  return x end)\n",
      2, 'at x = 5 it gives 1' },
    { "\nactivation 'a' (function(x) while true do end return x end)\n", 2, 'runs too long' },
    { "\n\nactivation 'a' (function(x) for i = 1, 1e9 do x = x + i end return x end)\n", 3,
      'more than 256 operations' },
    { "activation 'a' (function(x) local s = 'a' while true do s = s .. s end return x end)\n", 1,
      'too much memory' },
    { "activation 'a' (function(x) return x:rep(9) end)\n", 1, 'no fields' },
    { "activation 'a' (function(x) return sin(x) end)\n", 1, 'unknown word "sin" (did you mean' },
    { "activation 'a' (7)\n", 1, 'an activation is a function of x, not a number' },
    { "activation 'a'\n", 1, 'activation "a" takes a function' },
    { 'activation (7) (function(x) return x end)\n', 1, 'activation takes a name' },
    { "activation 'relu' (function(x) return x + 1 end)\n", 1, 'the project has one of this name' },
    { "activation 'swiglu' (function(x) return x + 1 end)\n", 1, 'has one of this name' },
    { "activation 'relu_glu' (function(x) return x + 1 end)\n", 1, 'has one of this name' },
    { "activation 'A' (function(x) return x + 1 end)\n", 1, 'small letters' },
    { "activation 'a-b' (function(x) return x + 1 end)\n", 1, 'small letters' },
    { "activation 'my_bias' (function(x) return x + 1 end)\n", 1, '"bias" is a word of kernels' },
    { "activation 'a_d12' (function(x) return x + 1 end)\n", 1, '"d12" is a word of kernels' },
    { "activation 'panel' (function(x) return x + 1 end)\n", 1, 'the C API has such a name' },
    { ("activation 'a' (function(x) return x + 1 end)\n"):rep(2), 2, 'is taken at my.lua:1' },
    { "local a = activation 'a'\na(function(x) return x + 1 end)\na(function(x) return x end)\n", 3,
      'activation: it is given twice' },
    { "activation 'a' (function(x, p) return x * p.k end)\nmlp 'm' { d_model = 2,\n layers = {\n"
      .. "  { 2, 'a', parameters = { j = 1 } } } }\n", 4, 'parameters: unknown field "j"' },
    { "activation 'a' (function(x, p) return x * p.k end)\nmlp 'm' { d_model = 2,\n layers = {\n"
      .. "  { 2, 'a' }, { 2, 'swish' } } }\n", 4, 'a and swish both take run-time parameters' },
    { "activation 'a' (function(x, p) return x * p.k + p.j end)\nffn 'f' {\n  variant = 'a',\n"
      .. '  d_model = 2, d_ff = 2,\n  parameters = { k = 1 } }\n', 5, 'j is missing' },
    { "activation 'a' (function(x, p) return x * p.k end)\nffn 'f' {\n  variant = 'a',\n"
      .. '  d_model = 2, d_ff = 2,\n  beta = 1 }\n', 5, 'a has no beta: write parameters = { k' },
    { "activation 'a' (function(g, u) return g * u end)\nmlp 'm' { d_model = 2,\n layers = {\n"
      .. "  { 2, 'a' } } }\n", 4, 'unknown activation "a"' },
    { "activation 'a' (function(g, u) return g * u end)\nselfgate 's' {\n  activation = 'a',"
      .. ' d_model = 2 }\n', 3, 'unknown activation "a"' },
  }
  for _, case in ipairs(cases) do
    local result, folder = generate(case[1] .. last)
    support.assert_code(result, 4, case[1])
    support.assert_has(result.err, ('my.lua:%d: '):format(case[2]), case[1])
    support.assert_has(result.err, case[3], case[1])
    support.assert_lacks(result.err, 'traceback', case[1])
    unit.assertFalse(support.exists(folder .. '/k'), case[1])
  end
end

--- An activation belongs to its file; its name to all files of a run.
function TestTracedSpecs.test_files()
  local folder = support.folder()
  local own = "activation 'own' (function(x) return x + %d end)\n"
  local user = "ffn '%s' { variant = 'own', d_model = 4, d_ff = 4 }\n"
  support.write(folder .. '/one.lua', own:format(1) .. user:format('one'))
  support.write(folder .. '/two.lua', user:format('two'))
  support.write(folder .. '/three.lua', own:format(2) .. user:format('three'))
  local function list(...) return support.ffngen({ 'list', ... }, { dir = folder }) end
  support.assert_code(list('one.lua'), 0, 'one')
  local result = list('one.lua', 'two.lua')
  support.assert_code(result, 4, 'two')
  support.assert_has(result.err, 'two.lua:1: ffn "two": unknown variant "own"', 'two')
  result = list('one.lua', 'three.lua')
  support.assert_code(result, 4, 'three')
  support.assert_has(result.err, 'three.lua:1: activation "own": the name is taken at one.lua:1',
    'three')
end

--- Graphs that double with each step, and powers of many operations, take no time.
function TestTracedSpecs.test_growth()
  local own = [[
activation 'halved' (function(x) for _ = 1, 40 do x = min(x, -x) end return x end)
activation 'raised' (function(x) return ((((x^64)^64)^64)^64)^64 end)
activation 'summed' (function(x) local s = x for i = 1, 60 do s = s + (x + i)^63 end return s end)
]]
  for _, name in ipairs { 'halved', 'raised', 'summed' } do
    local layer = ("ffn 'f' { variant = '%s', d_model = 2, d_ff = 2 }"):format(name)
    local result = generate(own .. layer)
    support.assert_code(result, 0, name)
  end
end

--- What all activations of a file ask for is counted together: what runs inside of the limits, and
--- what is judged of their graphs, for layers too. Each of these would pass alone.
function TestTracedSpecs.test_all_together()
  local efforts, spec = require 'read.effort', require 'read.spec'
  local last = "ffn 'l' { variant = 'relu', d_model = 2, d_ff = 2 }\n"
  local function problem_of(lines)
    local path = support.user_folder(table.concat(lines) .. last) .. '/my.lua'
    local ok, problem = pcall(spec.read, path, {})
    return not ok and assert(type(problem) == 'table' and problem.text or problem, 'what is thrown')
  end
  local function name_of(i) return 'own' .. string.char(96 + i) end
  local function looping(count, times)
    local lines = {}
    for i = 1, count do
      lines[i] = ("activation '%s' (function(x) for i = 1, %d do end return %d * x * sigmoid(x) "
        .. 'end)\n'):format(name_of(i), times, i)
    end
    return lines
  end
  local function trained(count)
    local lines = { "activation 'own' (function(x, p) return x * tanh(p.one * x + p.two) + "
      .. 'tanh(p.two * x) * exp(-p.one * x * x) end)\n' }
    for i = 1, count do
      lines[i + 1] = ("ffn '%s' { variant = 'own', d_model = 2, d_ff = 2, backward = true, "
        .. 'parameters = { one = %d, two = 0.5 } }\n'):format(name_of(i), i)
    end
    return lines
  end
  local instructions, steps = efforts.max_instructions, efforts.max_steps
  local ok, problem = pcall(function()
    efforts.max_instructions, efforts.max_steps = 120000, 30000
    unit.assertFalse(problem_of(looping(1, 900)))
    support.assert_has(problem_of(looping(9, 900)) or 'it is read',
      'my.lua:5: activation "owne": up to here the activations of this file run too long, all '
      .. 'together', 'loops')
    unit.assertFalse(problem_of(trained(1)))
    support.assert_has(problem_of(trained(9)) or 'it is read', 'up to here the activations of '
      .. 'this file, with their derivatives and in layers with fixed parameters, take too long to '
      .. 'judge', 'layers')
    support.assert_has(problem_of(trained(9)), 'divide the layers among several files', 'layers')
    efforts.max_steps = 2000
    support.assert_has(problem_of(looping(9, 1)) or 'it is read', 'take too long to judge',
      'graphs')
  end)
  efforts.max_instructions, efforts.max_steps = instructions, steps
  if not ok then error(problem, 0) end
  -- So 64 that loop 9000 times are stopped on their way, and 64 of the usual kind pass.
  local function share_of(text)
    local effort = efforts.new 'my.lua'
    local _, called = require('read.calls').of('my.lua', text)
    require('read.declared_activations').of('my.lua', text, called, {}, effort)
    return (instructions - effort.instructions) / instructions
  end
  unit.assertTrue(64 * share_of(looping(1, 9000)[1]) > 1.5)
  unit.assertTrue(64 * share_of("activation 'own' (function(gate, up, p) "
    .. 'return min(gate, p.most) * sigmoid(p.beta * gate) * (up + 1) end)') < 1)
end

--- Names that end as sizes begin, and one that is another's gated form.
function TestTracedSpecs.test_names()
  local result = generate([[
activation 'soft' (function(x, p) return select(lt(p.threshold, x), x, 0.5 * x) end)
activation 'mod2' (function(x) return x * 0.25 end)
ffn 'a' { variant = 'soft', d_model = 8, d_ff = 8, parameters = { threshold = 1 } }
glu 'b' { variant = 'mod2_glu', d_model = 8, d_out = 8 }
]])
  support.assert_code(result, 0, 'names')
  local one = "activation '%s' (function(x) return x * 0.5 end)\n"
  for _, names in ipairs { { 'own', 'own_glu' }, { 'own_glu', 'own' } } do
    result = generate(one:format(names[1]) .. one:format(names[2])
      .. "ffn 'a' { variant = 'own', d_model = 8, d_ff = 8 }")
    support.assert_code(result, 4, names[1])
    support.assert_has(result.err, ('my.lua:2: activation "%s": the name is taken at my.lua:1')
      :format(names[2]), names[1])
  end
end

--- No name that passes is one of the C API's.
function TestTracedSpecs.test_c_names()
  local identifier = require 'read.identifier'
  local count, free = 0, 0
  local function look(text)
    for name in text:gmatch('%f[%w_]FFN_([%u%d_]+)') do
      count = count + 1
      local ok = pcall(identifier.activation, 'x.lua:1', name:lower(), {})
      unit.assertFalse(ok, name)
      free = free + (pcall(identifier.activation, 'x.lua:1', 'my_' .. name:lower(), {}) and 1 or 0)
    end
  end
  for _, folder in ipairs { '/runtime', '/templates' } do
    for _, text in pairs(support.snapshot(support.project .. folder)) do look(text) end
  end
  -- Macros that vocabularies and the generator itself write.
  for _, text in pairs(support.snapshot(support.project .. '/generator')) do
    for macro in text:gmatch '#%s*%l+ !?(FFN_[%u%d_]+)' do look(macro) end
    for macro in text:gmatch 'defined%((FFN_[%u%d_]+)' do look(macro) end
  end
  unit.assertTrue(count > 200 and free > 100)
end

--- What is one of the project's activations has its code, whatever the spelling: it costs no more.
function TestTracedSpecs.test_known()
  local activations = require 'activation'
  local spelled = {
    relu = { function(x) return w.max(0, x) end, function(x) return w.max(x, 0) end },
    silu = { function(x) return x * w.sigmoid(x) end, function(x) return w.sigmoid(x) * x end,
      function(x) return x / (1 + w.exp(-x)) end },
    swish = { function(x, p) return w.sigmoid(x * p.k) * x end },
    quick_gelu = { function(x) return x * w.sigmoid(x * 1.702) end },
    gelu = { function(x) return x * 0.5 * (w.erf(x / 2 ^ 0.5) + 1) end,
      function(x) return x * (0.5 * (1 + w.erf(x * 0.7071067811865476))) end },
    gelu_tanh = { function(x)
      return 0.5 * x * (1 + w.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
    end },
    mish = { function(x) return x * w.tanh(w.log1p(w.exp(x))) end },
  }
  for name, list in pairs(spelled) do
    for i, f in ipairs(list) do
      local own = activations.with { { name = 'own', traced = trace.graph(f, {}) } }.by_name.own
      local twin, what = activations.by_name[name], ('%s %d'):format(name, i)
      unit.assertFalse(own.running, what)
      unit.assertEquals({ own.slope, own.contract }, { twin.slope, twin.contract }, what)
      for _, isa in ipairs { 'c', 'avx2' } do
        local renamed = vector.body(isas.by_name[isa], own):gsub('p_k', 'p_beta')
        unit.assertEquals(renamed, vector.body(isas.by_name[isa], twin), what)
      end
    end
  end
  -- What is nearly one has its own code, which takes no more statements either.
  local function statements(a)
    return select(2, vector.body(isas.by_name.avx512, a):gsub('const __m512i? ', ''))
  end
  for name, f in pairs {
    quick_gelu = function(x) return x * w.sigmoid(1.703 * x) end,
    swish = function(x, p) return x * w.sigmoid(p.beta * x) * 1 end,
  } do
    local own = activations.with { { name = 'own', traced = trace.graph(f, {}) } }.by_name.own
    unit.assertTrue(own.running, name)
    local most = statements(activations.by_name[name])
    unit.assertTrue(statements(own) <= most, ('%s: %d, %d'):format(name, statements(own), most))
  end
end
