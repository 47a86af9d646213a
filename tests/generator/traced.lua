--- Activations as traced expressions: what a function becomes, what it may not do, its vector code
--- and its derivatives. Lua alone: tests/kernels/ measures what comes of it.
local unit = require 'luaunit'
local code = require 'activation.graph.code'
local derive = require 'activation.graph.derive'
local forms = require 'activation.graph.forms'
local isas = require 'isa'
local nodes = require 'activation.graph.node'
local number = require 'activation.graph.number'
local trace = require 'activation.graph.trace'
local vector = require 'emit.vector'

local w = trace.scope()

--- The value of a node at x, up and parameters.
local function value(result, x, up, parameters)
  return number.evaluator(result)(function(leaf)
    if leaf.op == 'constant' then return leaf.value end
    if leaf.op == 'parameter' then return parameters[leaf.name] end
    return leaf.name == 'x' and x or up
  end)
end

--- The operations of a result, sorted.
local function operations(result)
  local list = {}
  for _, n in ipairs(nodes.needed { result }) do list[#list + 1] = n.op end
  table.sort(list)
  return table.concat(list, ' ')
end

--- Functions of every form and every word.
local functions = {
  sharp_silu = function(x) return x * w.sigmoid(1.702 * x) end,
  swish = function(x, p) return x * w.sigmoid(p.beta * x) end,
  gelu = function(x) return 0.5 * x * (1 + w.erf(x / 2 ^ 0.5)) end,
  gelu_tanh = function(x) return x / 2 * (1 + w.tanh(0.79788456 * (x + 0.044715 * x ^ 3))) end,
  mish = function(x) return x * w.tanh(w.log1p(w.exp(x))) end,
  softplus = function(x) return w.max(x, 0) + w.log1p(w.exp(-w.abs(x))) end,
  elu = function(x, p) return w.select(w.lt(0, x), x, p.alpha * (w.exp(x) - 1)) end,
  clamped = function(gate, up)
    local g, u = w.min(gate, 7), w.max(w.min(up, 7), -7)
    return g * w.sigmoid(1.702 * g) * (u + 1)
  end,
  pair = function(gate, up, p) return w.max(gate, up) / (1 + (p.a * gate - up) ^ 2) end,
  root = function(x) return x / w.sqrt(1 + x * x) - (1 + x * x) ^ -2 end,
  tail = function(x) return 1 - w.erf(x) end,
}

TestTrace = {}

function TestTrace.test_graphs()
  local t = trace.graph(functions.sharp_silu, {})
  unit.assertEquals(operations(t.result), 'constant input mul mul sigmoid')
  unit.assertEquals({ t.gated, t.parameters }, { false, {} })
  t = trace.graph(functions.clamped, {})
  unit.assertEquals({ t.gated, t.parameters }, { true, {} })
  t = trace.graph(functions.pair, {})
  unit.assertEquals({ t.gated, t.parameters }, { true, { 'a' } })
  t = trace.graph(function(x, p) return p.two * x + p.one * w.exp(p.two * x) end, {})
  unit.assertEquals({ t.gated, t.parameters }, { false, { 'two', 'one' } })
  unit.assertEquals(operations(t.result), 'add exp input mul mul parameter parameter')
  -- Loops that look at numbers alone are fine.
  t = trace.graph(function(x)
    local sum = 0
    for i = 1, 3 do sum = sum + i * x ^ i end
    return sum
  end, {})
  unit.assertEquals(value(t.result, 2.0), 2.0 + 8.0 + 24.0)
end

--- Every word means the same for numbers and for symbols, and the double functions are right.
function TestTrace.test_numbers()
  local known = {
    { 'erf', 0.5, 0.52049987781304654 }, { 'erf', -3.5, -0.99999925690162766 },
    { 'erf', 2.99, 0.99997647439691878 }, { 'tanh', 0.1, 0.099667994624955817 },
    { 'tanh', -30.0, -1.0 }, { 'log1p', 1e-5, 9.9999500003333308e-06 },
    { 'log1p', 1e300, 690.77552789821371 }, { 'sigmoid', -2.0, 0.11920292202211755 },
    { 'sqrt', 2.0, 1.4142135623730951 }, { 'exp', -1.0, 0.36787944117144233 },
  }
  for _, case in ipairs(known) do
    local got = w[case[1]](case[2])
    unit.assertAlmostEquals(got, case[3], 2e-15 * math.abs(case[3]), case[1])
  end
  unit.assertAlmostEquals(number.erfc(4.0), 1.5417257900280019e-08, 1e-22)
  unit.assertEquals({ w.max(1, 2), w.min(1, 2), w.abs(-3) }, { 2, 1, 3 })
  unit.assertEquals(w.abs(math.mininteger), 0x1p63)
  unit.assertTrue(w.max(0, 0 / 0) ~= w.max(0, 0 / 0) and w.min(0 / 0, 0) ~= w.min(0 / 0, 0))
end

--- What a function may not do, and what it is told.
function TestTrace.test_refused()
  local follow = 'its result does not follow its graph: at '
  local compared = 'cannot be compared with '
  local cases = {
    { function(x) if x == 0 then return 1 end return x end, follow .. 'x = 0 it gives 1, the' },
    { function(x) if x == -0.0 then return 2 + x end return x end, follow },
    { function(x) return not x and 1 or x == 0 and 7 or x end, follow },
    { function(x) return w.lt(x, 0) and 0 or x end, 'does not depend on its first argument' },
    { function(x) return x * (w.lt(x, 0) and 0 or 1) end, follow .. 'x = 1 it gives 1' },
    { function(x, p) return p.beta == 0 and x or x * w.sigmoid(p.beta * x) end,
      follow .. 'x = 1, beta = 0 it gives 1, the graph 0.5' },
    { function(g, u) return g == u and g or g * u end, compared .. '==' },
    { function(x) return x < 0 and 0 or x end, compared .. '<' },
    { function(x) return 0 <= x and x or 0 end, compared .. '<=' },
    { function(x) return x % 2 end, '"%" is not among' },
    { function(x) return x // 2 end, '"//" is not among' },
    { function(x) return ~x end, '"~" is not among' },
    { function(x) return x ^ 0.5 end, 'a power has an integer exponent' },
    { function(x) return 2 ^ x end, 'a power has an integer exponent' },
    { function(x) return x ^ 1000 end, 'a power has an integer exponent' },
    { function(x) return x ^ math.mininteger end, 'a power has an integer exponent' },
    { function(x) return x .. 'a' end, 'a traced value is no text' },
    { function(x) return #x end, 'no length' },
    { function(x) return x() end, 'no function' },
    { function(x) return x.beta end, 'no fields' },
    { function(x) x.y = 1 return x end, 'sets nothing' },
    { function(x) return x + '1' end, 'not a string' },
    { function(x) return x + nil end, 'not a nil' },
    { function(x) return x * (1 / 0) end, 'a constant is infinite' },
    { function(x) return x * (0 / 0) end, 'a constant is NaN' },
    { function(x) return x + 1e39 end, 'beyond f32' },
    { function(x) return w.lt(x, 1) + 1 end, 'lt(a, b) is no number' },
    { function(x) return w.lt(x, 1) end, 'lt(a, b) is no number' },
    { function(x) return w.select(x, 1, 2) end, 'select takes lt(a, b) first' },
    { function(x) return w.exp(x, 1) end, 'exp takes 1 operand' },
    { function() return 1 end, 'an activation is function(x)' },
    { function(...) return (...) end, 'an activation is function(x)' },
    { function(a, b, c, d) return a + b + c + d end, 'an activation is function(x)' },
    { math.exp, 'an activation is function(x)' },
    { 7, 'an activation is a function of x, not a number' },
    { function(x) return x, x end, 'gives one value, not 2' },
    { function(x) return x and nil end, 'not a nil' },
    { function(x) return x - x end, nil },
    { function(x) return 3 end, 'does not depend on its first argument' }, -- luacheck: ignore
    { function(x, y) return x end, 'the second argument is not used' }, -- luacheck: ignore
    { function(x, y) return x * y + y.b end, 'as a value and as a table of parameters' },
    { function(x, p) return x * p.Beta end, 'a parameter is named in small letters' },
    { function(x, p) return x * p[1] end, 'a parameter is named in small letters' },
    { function(x, p) return x * p.x end, 'a parameter is not named "x"' },
    { function(gate, up, p) return gate * up * p.up end, 'a parameter is not named "up"' },
    { function(x, p) return p.a * 0 and x end, 'does not depend on parameter "a"' },
    { function(x, p) return x + p end, nil },
    { function(x, y, p) return x * y * p end, 'the parameters are a table' },
    { function(x) for i = 1, 300 do x = x + i end return x end, 'more than 256 operations' },
    { function(x, p)
      return x * (p.a + p.b + p.c + p.d + p.e + p.f + p.g + p.h + p.i)
    end, 'at most 8 parameters' },
  }
  for i, case in ipairs(cases) do
    local ok, problem = pcall(trace.graph, case[1], {})
    unit.assertEquals(ok, case[2] == nil, ('case %d: %s'):format(i, problem))
    if case[2] then unit.assertStrContains(problem, case[2]) end
  end
  -- A branch at a number that stands in the text is found, at others it cannot be.
  local function branches(x) if x == 3 then return 1 end return x end
  unit.assertTrue(pcall(trace.graph, branches, {}))
  unit.assertErrorMsgContains('at x = 3 it gives 1', trace.graph, branches, { 3 })
  -- A function with a memory is none.
  local calls = 0
  unit.assertErrorMsgContains(follow, trace.graph, function(x)
    calls = calls + 1
    return x * calls
  end, {})
end

--- The forms of a kernel: f32 constants, powers as products, digits kept.
function TestTrace.test_forms()
  local function kernel(f) return forms.kernel(trace.graph(f, {}).result) end
  unit.assertEquals(operations(kernel(functions.gelu)), 'constant constant div erfc input mul mul')
  unit.assertEquals(operations(kernel(functions.tail)), 'erfc input')
  unit.assertEquals(operations(kernel(function(x) return w.exp(x) - 1 end)), 'expm1 input')
  unit.assertEquals(operations(kernel(function(x) return -1 + w.exp(x) end)), 'expm1 input')
  unit.assertEquals(operations(kernel(function(x) return x ^ 5 end)), 'input mul mul mul')
  unit.assertEquals(operations(kernel(function(x) return x ^ -2 end)), 'constant div input mul')
  unit.assertEquals(operations(kernel(function(x) return x / 2 end)), 'constant input mul')
  unit.assertEquals(operations(kernel(function(x) return x / 3 end)), 'constant div input')
  local found
  for _, n in ipairs(nodes.needed { kernel(function(x) return 0.1 * x end) }) do
    found = found or n.value
  end
  unit.assertEquals(found, 0x1.99999ap-4)
  -- The same meaning, but for constants.
  for name, f in pairs(functions) do
    local t = trace.graph(f, {})
    for x = -6.0, 6.0, 0.37 do
      local parameters = { beta = 1.5, alpha = 0.5, a = 0.75 }
      local y = value(t.result, x, 0.6, parameters)
      unit.assertAlmostEquals(value(forms.kernel(t.result), x, 0.6, parameters), y,
        4e-7 * (1 + math.abs(x)), name)
    end
  end
end

TestDerivatives = {}

--- Against central differences in double, at points that are no kinks.
function TestDerivatives.test_differences()
  local h, count = 0x1p-17, 0
  for name, f in pairs(functions) do
    local t = trace.graph(f, {})
    local parameters = { beta = 1.5, alpha = 0.5, a = 0.75 }
    for _, by in ipairs { 'x', 'up', table.unpack(t.parameters) } do
      local derivative = derive.by(t.result, by)
      for x = -8.03, 8.0, 0.31 do
        for up = -8.1, 8.0, 1.7 do
          local function moved(e)
            local there = setmetatable({}, { __index = parameters })
            if parameters[by] then there[by] = parameters[by] + e end
            return value(t.result, x + (by == 'x' and e or 0), up + (by == 'up' and e or 0), there)
          end
          local difference = (moved(h) - moved(-h)) / (2 * h)
          unit.assertAlmostEquals(value(derivative, x, up, parameters), difference,
            1e-8 * (1 + math.abs(difference)), ('%s by %s at %g, %g'):format(name, by, x, up))
          count = count + 1
        end
      end
    end
  end
  unit.assertTrue(count > 10000)
end

--- At a tie, the first operand of min and max, the branch that select takes, and 0 of abs.
function TestDerivatives.test_ties()
  local cases = {
    { function(x) return w.max(x, 0) end, 0, 1 }, { function(x) return w.max(0, x) end, 0, 0 },
    { function(x) return w.min(x, 6) end, 6, 1 }, { function(x) return w.min(6, x) end, 6, 0 },
    { function(x) return w.abs(x) end, 0, 0 }, { function(x) return w.abs(x) end, -2, -1 },
    { function(x) return w.select(w.lt(0, x), x, 0.25 * x) end, 0, 0.25 },
    { function(x) return w.select(w.lt(x, 0), 0.25 * x, x) end, 0, 1 },
  }
  for i, case in ipairs(cases) do
    local derivative = derive.by(trace.graph(case[1], {}).result, 'x')
    unit.assertEquals(value(derivative, case[2]), case[3] + 0.0, tostring(i))
  end
end

TestVectorCode = {}

--- The body of a traced function for an instruction set.
local function body(isa, f)
  local t = trace.graph(f)
  return vector.body(isas.by_name[isa], {
    parameters = t.parameters, both = t.gated, vector = code.vector(forms.kernel(t.result)),
  })
end

--- All instruction sets run the same operations; the builder refuses a product that is added to.
function TestVectorCode.test_statements()
  for name, f in pairs(functions) do
    local count
    for _, isa in ipairs(isas.names) do
      local text = body(isa, f)
      local statements = select(2, text:gsub(';\n', ''))
      unit.assertEquals(statements, count or statements, name .. ' for ' .. isa)
      count = statements
    end
  end
end

function TestVectorCode.test_products()
  local cases = {
    { function(x) return x * x + 1 end, 'return _mm256_fmadd_ps(x, x, _mm256_set1_ps(1.0f));' },
    { function(x) return 1 - x * x end, 'return _mm256_fnmadd_ps(x, x, _mm256_set1_ps(1.0f));' },
    { function(x) return x * x - 1 end, 'return _mm256_fmadd_ps(x, x, _mm256_set1_ps(-1.0f));' },
    -- The result may be added to by a caller.
    { function(x) return x * x end, 'return _mm256_fmadd_ps(x, x, _mm256_set1_ps(-0.0f));' },
    { function(x) return -(x * x) end, 'return _mm256_fnmadd_ps(x, x, _mm256_set1_ps(-0.0f));' },
    { function(x) return w.max(x * x, 1) + x end, 'const __m256 t = _mm256_fmadd_ps(x, x, '
      .. '_mm256_set1_ps(-0.0f));\nconst __m256 t_2 = _mm256_max_ps(_mm256_set1_ps(1.0f), t);\n'
      .. 'return _mm256_add_ps(t_2, x);' },
    -- A NaN of x stays, whichever side it stands on.
    { function(x) return w.max(0, x) end, 'return _mm256_max_ps(_mm256_set1_ps(0.0f), x);' },
    { function(x) return w.max(x, 0) end, 'return _mm256_max_ps(_mm256_set1_ps(0.0f), x);' },
    { function(x) return w.min(3, x) end, 'return _mm256_min_ps(_mm256_set1_ps(3.0f), x);' },
  }
  for _, case in ipairs(cases) do unit.assertEquals(body('avx2', case[1]), case[2]) end
end

--- A minus never meets a fused multiply-add as a float's: compilers change its terms' signs then,
--- and a sum that cancels is the other zero. Nor does what they make a minus of.
function TestVectorCode.test_minus_of_sums()
  local flip = 'ffn_flip(t_2)'
  local function sum(x) return x * x - x end
  local cases = {
    function(x) return -sum(x) end, function(x) return sum(x) * -1 end,
    function(x) return -1 * sum(x) end, function(x) return sum(x) / -1 end,
    function(x) return -0.0 - sum(x) end,
  }
  local t = 'const float t = (-(x));\nconst float t_2 = ffn_fma(x, x, t);\n'
  for i, f in ipairs(cases) do unit.assertEquals(body('c', f), t .. 'return ' .. flip .. ';', i) end
  for _, isa in ipairs(isas.names) do
    local minus = body(isa, cases[1])
    unit.assertTrue(minus:find('INT32_MIN') ~= nil or minus:find('0x80000000u') ~= nil
      or minus:find('ffn_flip') ~= nil, isa)
  end
  -- What a compiler takes apart, and a parameter that may be -1.
  unit.assertStrContains(body('c', function(x) return -w.select(w.lt(x, 3), sum(x), 3) end),
    'ffn_flip(')
  for _, f in ipairs {
    function(x, p) return sum(x) * p.b end, function(x, p) return sum(x) / p.b end,
    function(x, p) return w.abs(x) / (p.b * p.c * sum(x)) end,
  } do
    unit.assertEquals(select(2, body('c', f):gsub('ffn_flip', '')), 1)
  end
  -- The factor of fnma() that takes the minus.
  unit.assertStrContains(body('c', function(x) return 1 - sum(x) * x end),
    'ffn_fma(-(x), t_2, 1.0f)')
  unit.assertStrContains(body('c', function(x) return 1 - sum(x) * (x * x + 1) end),
    'ffn_flip(t_2)')
end

--- Common subexpressions are there once.
function TestVectorCode.test_shared()
  local text = body('avx2', function(x)
    return w.sqrt(1 + x * x) * x + 1 / w.sqrt(1 + x * x) + w.sqrt(x * x + 1)
  end)
  unit.assertEquals(select(2, text:gsub('_mm256_sqrt_ps', '')), 2) -- 1 + x^2 and x^2 + 1
end
