--- Numbers of a spec that f32 cannot carry: constants of activations, fixed parameters, and what
--- operations make of them, in a function or in its derivatives. What is rounded at most passes.
local unit = require 'luaunit'
local activations = require 'activation'
local f32_range = require 'activation.graph.f32_range'
local name_grammar = require 'lower.name'
local numbers = require 'common.number'
local spec = require 'read.spec'
local support = require 'support'
local trace = require 'activation.graph.trace'

local w = trace.scope()

local zero = 'becomes 0 in f32, whose smallest normal number is 1.17549435e-38'
local subnormal = 'is subnormal in f32, whose smallest normal number is 1.17549435e-38'
local beyond = 'is beyond f32, whose largest number is 3.40282347e+38'

TestCarried = {}

function TestCarried.test_numbers()
  for v, what in pairs {
    [1e-50] = zero, [-1e-50] = zero, [5e-324] = zero, [0x1p-150] = zero,
    [0x1.8p-150] = subnormal, [1e-40] = subnormal, [-0x1p-130] = subnormal,
    [0x1.fffffcp-127] = subnormal,
    [1e39] = beyond, [-1e300] = beyond, [math.huge] = beyond, [0x1.ffffffp127] = beyond,
  } do
    unit.assertEquals(numbers.lost(v), what, tostring(v))
  end
  for _, v in ipairs {
    0, 0.0, -0.0, 1, 0.1, 16777217, math.mininteger, math.maxinteger, 0x1p-126, 0x1.ffffffp-127,
    1.17549435e-38, 3.40282347e38, 0x1.fffffefp127,
  } do
    unit.assertNil(numbers.lost(v), tostring(v))
  end
  unit.assertEquals({ numbers.shown(1e-50), numbers.shown(0.1), numbers.shown(7) },
    { '1e-50', '0.1', '7' })
  unit.assertEquals(tonumber(numbers.shown(1e-30 * 1e-30)), 1e-30 * 1e-30)
end

--- Whether a function is traced, and what is said if not.
local function traced(f)
  local ok, problem = pcall(trace.graph, f, {})
  return ok and 'traced' or problem
end

--- Wherever a constant stands, and whatever made it.
function TestCarried.test_constants()
  local small = 1e-30
  for i, case in ipairs {
    { function(x) return x / (w.abs(x) + 1e-50) end, 'the constant 1e-50 ' .. zero },
    { function(x) return x / w.sqrt(x * x + 1e-60) end, 'the constant 1e-60 ' .. zero },
    { function(x) return x / w.sqrt(x * x + small * small) end, zero },
    { function(x) return x / (w.abs(x) + 1e-40) end, 'the constant 1e-40 ' .. subnormal },
    { function(x) return x - 0x1p-130 end, subnormal },
    { function(x) return x / 1e-60 end, zero }, { function(x) return 1e-60 / x end, zero },
    { function(x) return x * -1e-60 end, 'the constant -1e-60 ' .. zero },
    { function(x) return x * w.exp(-200) end, zero },
    { function(x) return w.max(x, 1e-60) end, zero },
    { function(x) return w.min(1e-60, x) end, zero },
    { function(x) return w.select(w.lt(x, 1e-60), 0, x) end, zero },
    { function(x) return w.select(w.lt(1e-60, x), 0, x) end, zero },
    { function(x) return w.select(w.lt(x, 0), 1e-60, x) end, zero },
    { function(x) return w.select(w.lt(x, 0), x, 1e-60) end, zero },
    { function(x, p) return x + p.a * 1e-60 end, zero },
    { function(gate, up) return gate * up + 1e-60 end, zero },
    { function(x) return x * 1e39 end, 'the constant 1e+39 ' .. beyond },
    { function(x) return x - 1e20 * 1e20 end, beyond },
    { function(x) return x / 0 end, 'it divides by the constant 0' },
    { function(x) return x / -0.0 end, 'it divides by the constant 0' },
    { function(x) return x / (1 - 1) end, 'it divides by the constant 0' },
    { function(x, p) return p.a / 0 + x end, 'it divides by the constant 0' },
    { function(x) return x + 0 / 0 end, 'a constant is NaN' },
    { function(x) return x / (x - x) end, 'it is a finite number at no x' },
    { function(x) return w.sqrt(-1 - x * x) end, 'it is a finite number at no x' },
    { function(x) return x * 16777217 + 0.1 end, 'traced' },
    { function(x) return x + math.mininteger end, 'traced' },
    { function(x) return x / (w.abs(x) + 1.17549435e-38) end, 'traced' },
    { function(x) return w.min(x, 3.40282347e38) + 0 - -0.0 end, 'traced' },
    { function(x) return 0 / (1 + w.abs(x)) + x end, 'traced' },
  } do
    support.assert_has(traced(case[1]), case[2], 'case ' .. i)
  end
end

--- Operations that overflow or vanish at ordinary x, although no constant does.
function TestCarried.test_operations()
  for i, case in ipairs {
    { function(x) return x * 1e30 * 1e30 / 1e30 / 1e30 end,
      'at x = 1 it is 1, but in f32 an infinity: a product is 1e+60, which ' .. beyond },
    { function(x) return x * 1e-30 * 1e-30 * 1e30 * 1e30 end, 'in f32 0: a product is 1e-60, which '
      .. zero },
    { function(x) return x * 1e-22 * 1e-22 * 1e22 * 1e22 end, 'which ' .. subnormal },
    { function(x) return x / w.sqrt(x * x + w.exp(-w.abs(x) - 200)) end,
      'at x = 0 it is 0, but in f32 NaN: exp is 1.38e-87, which ' .. zero },
    { function(x) return x / (w.abs(x) + (1e-25 + 0 * x) ^ 2) end,
      'at x = 0 it is 0, but in f32 NaN: a product is 1e-50' },
    { function(x) return w.exp(10 * x) / (1 + w.exp(10 * x)) end,
      'at x = 9 it is 1, but in f32 NaN: exp is 1.22e+39, which ' .. beyond },
    { function(gate, up) return gate * w.exp(9 * up) * w.exp(-9 * up) end, 'at gate = ' },
    -- From somewhere on below 16, in every form.
    { function(x) return w.exp(8 * x) / (1 + w.exp(8 * x)) end,
      'at x = 11.25 it is 1, but in f32 NaN' },
    { function(x) return x ^ 32 / (1 + x ^ 32) end, 'at x = 16 it is 1, but in f32 NaN: a product '
      .. 'is 3.40282367e+38, which ' .. beyond },
    { function(x) return (w.exp(8 * x) - w.exp(-8 * x)) / (w.exp(8 * x) + w.exp(-8 * x)) end,
      'in f32 NaN' },
    { function(g, u) return g * w.exp(7 * u) / (w.exp(7 * u) + w.exp(-7 * u)) end, 'in f32 NaN' },
    { function(g, u) return (g - u) / w.sqrt((g - u) ^ 2 + w.exp(-110 - g * g)) end,
      'in f32 NaN' },
    -- At a constant that Lua folded, of either sign.
    { function(x)
      local c = 12 / 5
      local e = w.exp(100 * w.exp(-900 * (x - c) * (x - c)))
      return e / (1 + e)
    end, 'at x = 2.4' },
    { function(x)
      local e = w.exp(100 * w.exp(-900 * (x + 12 / 5) * (x + 12 / 5)))
      return e / (1 + e)
    end, 'at x = -2.4' },
    -- However large and small a function is.
    { function(x) return 1e7 * (w.exp(10 * x) / (1 + w.exp(10 * x))) end, 'in f32 NaN' },
    { function(x) return 1e30 * (w.exp(10 * x) / (1 + w.exp(10 * x))) end, 'in f32 NaN' },
    { function(x) return 1e-3 * (w.exp(-110 - w.abs(x)) * 1e38 * 1e9) end, 'but in f32 0: exp is' },
    { function(x) return 1e-9 * (w.exp(-110 - w.abs(x)) * 1e38 * 1e9) end, 'but in f32 0: exp is' },
    { function(x) return x * 1e-30 end, 'traced' }, { function(x) return x * 1e35 end, 'traced' },
    { function(x) return w.exp(5.5 * x) end, 'traced' },
    { function(x) return 1 / (x * x * x - 0.027) end, 'traced' },
    -- Digits are the bound's to tell.
    { function(x) return (x + 1e8) - 1e8 end, 'traced' },
    -- Far out a function is left to itself, and so are its digits, poles and kinks.
    { function(x) return w.exp(x) / (1 + w.exp(x)) end, 'traced' },
    { function(x) return w.log1p(w.exp(x)) end, 'traced' },
    { function(x) return (x + 1e10) - 1e10 end, 'traced' },
    { function(x) return (x + 0x1.8p23) - 0x1.8p23 end, 'traced' },
    { function(x) return w.select(w.lt(x - 0.1, 0.2), 5, 0) end, 'traced' },
    { function(x) return 1 / (x - 0.5) + (w.exp(x) - 1) / x end, 'traced' },
    { function(x) return x * w.exp(-1000 * x * x) end, 'traced' },
    { function(x) return w.select(w.lt(w.abs(x), 0.5), 0, x - 0.5 * x / w.abs(x)) end, 'traced' },
    { function(x, p) return x / w.sqrt(x * x + p.e * p.e) end, 'traced' },
  } do
    support.assert_has(traced(case[1]), case[2], 'case ' .. i)
  end
end

--- What reading a spec of an activation and one layer says, or nil.
local function problem_of(activation, fields)
  local path = support.folder() .. '/own.lua'
  support.write(path, ("activation 'own' (%s)\nffn 'l' { variant = 'own', d_model = 2, d_ff = 2,\n"
    .. '%s }\n'):format(activation, fields))
  local ok, problem = pcall(spec.read, path, {})
  return ok and 'read' or tostring(problem)
end

--- Fixed parameters: those of a spec's own activations and of the project's, by all their fields.
function TestCarried.test_parameters()
  local scaled = 'function(x, p) return x / sqrt(x * x + p.e * p.e) end'
  for _, case in ipairs {
    { 'parameters = { e = 1e-3 }', 'read' },
    { 'parameters = { e = 1e-30 }', 'own.lua:3: ffn "l": own with these parameters: at x = 0, '
      .. 'e = 1e-30 it is 0, but in f32 NaN: a product is 1e-60, which ' .. zero },
    { 'parameters = {\n e = 1e-50 }', 'own.lua:4: ffn "l": e = 1e-50: a fixed e is' },
    { 'parameters = { e = 1e-50 }', 'this one ' .. zero },
    { 'parameters = { e = -1e-40 }', 'this one ' .. subnormal },
    { 'parameters = { e = 1e39 }', 'this one ' .. beyond },
    { 'parameters = { e = 0 }', 'a fixed e is a finite number other than 0, at most 1e6' },
  } do
    support.assert_has(problem_of(scaled, case[1]), case[2], case[1])
  end
  local path = support.folder() .. '/theirs.lua'
  for _, layer in ipairs {
    "ffn 'l' { variant = 'swish', d_model = 2, d_ff = 2,\n beta = 1e-40 }",
    "ffn 'l' { variant = 'leaky_relu', d_model = 2, d_ff = 2,\n parameters = { slope = 1e-40 } }",
    "glu 'l' { variant = 'swiglu_beta', d_model = 2, d_out = 2,\n beta = 1e-40 }",
    "selfgate 'l' { activation = 'elu', d_model = 2,\n parameters = { alpha = 1e-40 } }",
    "mlp 'l' { d_model = 2, layers = { { 2, 'relu' },\n { 2, 'swish', beta = 1e-40 } } }",
  } do
    support.write(path, layer)
    local ok, problem = pcall(spec.read, path, {})
    unit.assertFalse(ok, layer)
    support.assert_has(tostring(problem), 'theirs.lua:2: ', layer)
    support.assert_has(tostring(problem), subnormal, layer)
  end
end

--- Fixed parameters are judged by the layer alone, and others at such as weights have, which says
--- so: no numeral of the text is one of them.
function TestCarried.test_settings()
  local guarded = 'function(x, p) return select(lt(x, -10), 0, log1p(exp(p.beta * x)) / p.beta) end'
  for _, beta in ipairs { '1', "'runtime'" } do
    unit.assertEquals(problem_of(guarded, 'beta = ' .. beta), 'read')
  end
  unit.assertEquals(problem_of(guarded, 'bias = true'), 'read')
  support.assert_has(problem_of(guarded, 'beta = 10'), 'own.lua:3: ffn "l": own with these '
    .. 'parameters: at x = 9, beta = 10 it is 9, but in f32 an infinity', 'ten')
  local steep = 'function(x, p) return 1 - 1 / (1 + exp(60 * p.t * x)) * exp(60 * p.t * x) end'
  unit.assertEquals(problem_of(steep, 'parameters = { t = 0.01 }'), 'read')
  support.assert_has(problem_of(steep, 'bias = true'), 'own.lua:2: ffn "l": own: at x = 3.70000005 '
    .. 'and run-time parameters such as t = 1 it is 0, but in f32 NaN', 'run-time')
  local center = 'function(x, p) return (x - p.c) / sqrt((x - p.c) * (x - p.c) + p.e * p.e) end'
  support.assert_has(problem_of(center, 'parameters = { c = 1.53, e = 1e-25 }'),
    'at x = 1.52999997, c = ', 'at c')
  support.assert_has(problem_of(center, 'parameters = { c = -1.53, e = 1e-25 }'),
    'at x = -1.52999997, c = ', 'at c')
  -- The derivative by a fixed parameter is never computed.
  local scaled = 'function(x, p) return sigmoid(x / p.t) end'
  unit.assertEquals(problem_of(scaled, 'backward = true, parameters = { t = 1e-20 }'), 'read')
  -- The size of the least integer is no integer.
  support.assert_has(problem_of(scaled, 'parameters = { t = -0x8000000000000000 }'),
    'a fixed t is a finite number other than 0, at most 1e6', 'the least integer')
  support.assert_has(problem_of(scaled, 'parameters = { t = 0 / 0 }'), 't = NaN: a fixed', 'NaN')
end

--- Where a function is a number it has a derivative, at kinks by their rules.
function TestCarried.test_kinks()
  for _, f in ipairs {
    'sqrt(max(x, 0))', 'sqrt(x * x * x * x)', 'sqrt(x * x)', 'sqrt(abs(x))', 'abs(x) + min(x, 1)',
  } do
    local text = ('function(x) return %s end'):format(f)
    unit.assertEquals(problem_of(text, 'backward = true'), 'read', f)
  end
  for f, what in pairs {
    ['1 / (1 + exp(100 * x))'] = 'its derivative by x: at x = ',
    ['exp(-1 / (x * x))'] = 'its derivative by x: at x = 0 it is NaN, where the function is 0. ',
  } do
    support.assert_has(problem_of(('function(x) return %s end'):format(f), 'backward = true'), what,
      f)
  end
end

--- A layer that is trained has derivatives, which may be lost where the function is not.
function TestCarried.test_derivatives()
  local steep = 'function(x) return x / (1 + exp(-7 * x)) end'
  unit.assertEquals(problem_of(steep, 'bias = true'), 'read')
  local problem = problem_of(steep, 'backward = true')
  support.assert_has(problem, 'own.lua:3: ffn "l": activation "own" is not trained in f32: its '
    .. 'derivative by x: at x = -12.5 it is', 'steep')
  support.assert_has(problem, 'in f32 an infinity: a product is -7.01e+38, which ' .. beyond,
    'steep')
  unit.assertEquals(problem_of('function(x) return x * sigmoid(7 * x) end', 'backward = true'),
    'read')
  -- By the other branch, by parameters that come with the weights, and by fixed ones.
  support.assert_has(problem_of('function(gate, up) return gate / (1 + exp(-7 * up)) end',
    'backward = true'), 'its derivative by up: at gate = ', 'up')
  support.assert_has(problem_of('function(x, p) return x / (1 + exp(90 * p.a)) end',
    'backward = true'), 'its derivative by a: at x = ', 'a')
  -- The derivative is a product of constants alone.
  local product = 'function(x) return 1e-30 * (1e30 * x) + 1e-20 * (x * 1e20) end'
  unit.assertEquals(problem_of(product, 'backward = true'), 'read')
  local fixed = 'function(x, p) return x / (1 + exp(-p.a * x)) end'
  unit.assertEquals(problem_of(fixed, 'backward = true, parameters = { a = 2 }'), 'read')
  support.assert_has(problem_of(fixed, 'backward = true, parameters = { a = 7 }'),
    'its derivative by x: at x = -12.5, a = 7 it is', 'fixed')
end

--- Nothing that is shipped is refused, for parameters of any size that makes sense.
function TestCarried.test_shipped()
  local running = 0
  for _, activation in ipairs(activations.names) do
    local a = activations.by_name[activation]
    running = running + (a.running and 1 or 0)
    for _, word in ipairs { 'traced', 'differentiated' } do
      local f = require('activation.' .. activation)[word]
      if f then trace.graph(f) end
    end
    unit.assertNil(f32_range.problem_of(a, nil, true), activation)
    for _, size in ipairs(#a.parameters > 0 and { 1e-3, 0.25, 1.5, 100, 1e6 } or {}) do
      local values = {}
      for i = 1, #a.parameters do values[i] = size end
      unit.assertNil(f32_range.problem_of(a, values, true), ('%s, %g'):format(activation, size))
    end
  end
  unit.assertTrue(running > 8)
end

--- Neighbours among the floats have names of their own, which say them.
function TestCarried.test_names()
  for _, v in ipairs { 0.1, 1.5, 1e6, 123456.7, 1e-5, 0x1p-126, -3.25, 0.99999994 } do
    local seen, bits = {}, string.unpack('<I4', string.pack('<f', v))
    for i = -2, 2 do
      local near = string.unpack('<f', string.pack('<I4', bits + i))
      local layer = { kind = 'ffn', variant = 'swish', parameters = { near }, bias = false,
        d_model = 2, d_ff = 2, d_out = 2, formats = { 'f32' }, arithmetics = {} }
      local text = name_grammar.encode_layer(layer)
      unit.assertNil(seen[text], text)
      seen[text] = true
      unit.assertEquals(name_grammar.decode(text).parameters, { near }, text)
    end
  end
end

--- Every verb that reads a spec says the same, and writes nothing.
function TestCarried.test_verbs()
  local folder = support.folder()
  support.write(folder .. '/my.lua', '-- A small number.\n'
    .. "activation 'eps' (function(x)\n  return x / (abs(x) + 1e-50)\nend)\n"
    .. "ffn 'l' { variant = 'eps', d_model = 4, d_ff = 4 }\n")
  local before = support.snapshot(folder)
  for _, words in ipairs {
    { 'generate', 'my.lua', '--out', 'k' }, { 'list', 'my.lua' }, { 'explain', 'l', 'my.lua' },
    { 'plot', 'eps', '--spec', 'my.lua', '--out', 'p.svg' },
    { 'vendor', 'my.lua', '--layer', 'l', '--prefix', 'own', '--out', 'v' },
    { 'tune', 'my.lua', '--out', 't.lua' },
  } do
    local what = table.concat(words, ' ')
    local result = support.ffngen(words, { dir = folder })
    support.assert_code(result, 4, what)
    support.assert_has(result.err, 'my.lua:3: activation "eps": the constant 1e-50 ' .. zero, what)
    support.assert_same(support.snapshot(folder), before, what)
  end
  local result = support.ffngen({ 'plot', 'swish,beta=1e-50' }, { dir = folder })
  support.assert_code(result, 2, 'plot')
  support.assert_has(result.err, 'PARAMETER=NUMBER, as in swish,beta=2: it ' .. zero, 'plot')
end
