--- What an operator of ONNX is told as, computed with f32's digits, far from 0 and near it: the
--- function that the operator is, within a few of the graph's own roundings; and with a bound.
local unit = require 'luaunit'
local activations = require 'activation'
local bound = require 'activation.graph.bound'
local forms = require 'activation.graph.forms'
local lists = require 'common.list'
local number = require 'activation.graph.number'
local numbers = require 'common.number'
local onnx_layers = require 'onnx_layers'
local support = require 'support'
local trace = require 'activation.graph.trace'
local writer = require 'onnx_writer'

TestOnnxExtremes = {}

local node, word = writer.node, trace.scope()
local tensors = { writer.weights('a', { 4, 4 }), writer.weights('b', { 4, 4 }, 5),
  writer.number('one', 1), writer.number('tiny', 2 ^ -20), writer.number('two', 2) }

local function sigmoid(x)
  return x < 0 and math.exp(x) / (1 + math.exp(x)) or 1 / (1 + math.exp(-x))
end
local function softplus(x) return math.max(x, 0) + number.log1p(math.exp(-math.abs(x))) end
local function tanh(x) return number.tanh(x) end
local function expm1(x) return number.expm1(x) end

--- Nodes from h to t, what they are of a number, and whether a sum may lie anywhere: e^x alone is
--- beyond f32 from 88 on, in the graph as here.
local cases = {
  { { 'Sigmoid h -> k', 'Log k -> t' }, function(x) return -softplus(-x) end },
  { { 'Sigmoid h -> k', 'Log k -> l', 'Mul l two -> t' },
    function(x) return -2 * softplus(-x) end },
  { { 'Neg h -> i', 'Sigmoid i -> k', 'Log k -> l', 'Neg l -> t' }, softplus },
  { { 'Neg h -> i', 'Exp i -> j', 'Add j one -> k', 'Reciprocal k -> l', 'Log l -> t' },
    function(x) return -softplus(-x) end, 80 },
  { { 'Exp h -> k', 'Log k -> t' }, function(x) return x end, 80 },
  { { 'Exp h -> j', 'Add one j -> k', 'Log k -> t' }, softplus, 80 },
  { { 'Abs h -> j', 'Add j tiny -> k', 'Log k -> t' },
    function(x) return math.log(math.abs(x) + 2 ^ -20) end },
  { { 'Abs h -> j', 'Sqrt j -> k', 'Add k tiny -> l', 'Log l -> t' },
    function(x) return math.log(math.sqrt(math.abs(x)) + 2 ^ -20) end },
  { { 'Softplus h -> t' }, softplus }, { { 'Mish h -> k', 'Mul k two -> t' },
    function(x) return 2 * x * tanh(softplus(x)) end },
  { { 'Softplus h -> j', 'Tanh j -> k', 'Mul h k -> t' },
    function(x) return x * tanh(softplus(x)) end },
  { { node('Elu h -> t', { alpha = 1.5 }) }, function(x) return x > 0 and x or 1.5 * expm1(x) end },
  { { node('Celu h -> t', { alpha = 1.5 }) },
    function(x) return x > 0 and x or 1.5 * expm1(x / 1.5) end },
  { { 'Selu h -> t' }, function(x)
    return 1.0507010221481323 * (x > 0 and x or 1.6732631921768188 * expm1(x))
  end },
  { { 'Softsign h -> t' }, function(x) return x / (1 + math.abs(x)) end },
  { { 'Sigmoid h -> k', 'Sub one k -> t' }, function(x) return sigmoid(-x) end },
  { { 'Exp h -> k', 'Sub k one -> t' }, expm1, 80 },
  { { 'Tanh h -> k', 'Sub one k -> t' }, function(x) return 1 - tanh(x) end },
  { { 'Erf h -> k', 'Add one k -> t' }, function(x) return number.erfc(-x) end },
  { { 'Erf h -> k', 'Sub one k -> t' }, number.erfc },
  { { 'HardSigmoid h -> t' }, function(x) return math.max(0, math.min(1, 0.2 * x + 0.5)) end },
  { { 'HardSwish h -> t' }, function(x) return x * math.max(0, math.min(1, x / 6 + 0.5)) end },
  { { 'com.microsoft:QuickGelu h -> t' }, function(x) return x * sigmoid(1.702 * x) end },
  { { node('Gelu h -> t', {}) }, function(x) return 0.5 * x * number.erfc(-x / 2 ^ 0.5) end },
}

local places = { 0.0, 1e-30, 1e-7, 1e-3, 0.1, 0.499, 0.5, 0.501, 1.0, 3.0, 10.0, 16.0, 17.0, 18.0,
  20.0, 21.0, 40.0, 80.0, 87.0, 89.0, 110.0, 1e3, 1e6, 1e15 }

--- The activation of the first layer of such nodes, and its parameters.
local function activation_of(nodes, what)
  local list = lists.append(lists.append({ 'MatMul x a -> h' }, nodes), { 'MatMul t b -> y' })
  local all = onnx_layers.of(writer, { nodes = list, tensors = tensors, rank = 2, opset = 20 })
  local layer = all.layers[1]
  unit.assertEquals({ #all.layers, layer.kind }, { 1, 'ffn' }, what)
  local own = layer.activations[1]
  if not own then return activations.by_variant[layer.fields.variant].activation, layer.fields end
  local f = assert(load('return ' .. own.text, 'own', 't', trace.scope()))()
  return activations.with({ { name = 'own', traced = trace.graph(f) } }).by_name.own, layer.fields
end

function TestOnnxExtremes.test_values()
  for _, case in ipairs(cases) do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local activation, fields = activation_of(case[1], what)
    -- What is written by hand is tested as such.
    if activation.running then
      local of = number.evaluator_of_all({ activation.result }, numbers.to_f32)
      local value = fields.beta or fields.parameters and fields.parameters.alpha
      for i = 1, 2 * #places do
        local x = numbers.to_f32(i % 2 == 0 and places[i // 2] or -places[i // 2 + 1])
        local got = of(function(leaf)
          return leaf.op == 'constant' and leaf.value or leaf.op == 'input' and x or value
        end)[activation.result]
        local wanted = case[2](x)
        local is_near = math.abs(got - wanted) <= 4e-6 * math.abs(wanted) + 3e-7
        if math.abs(x) <= (case[3] or math.huge) and not is_near then
          unit.fail(('%s: at %.9g %.9g, not %.9g'):format(what, x, got, wanted))
        end
      end
      local own = fields.parameters and { fields.parameters.alpha } or fields.beta
        and { fields.beta }
      unit.assertNil(bound.problem(activation, own, false), what)
    end
  end
end

-- Zeros ----------------------------------------------------------------------------------------

local minus = -0.0

--- Nodes with the constant -0, and what they are.
local of_zero = {
  { { 'Mul h m -> t' }, function(x) return x * minus end },
  { { 'Max h m -> t' }, function(x) return math.max(x, minus) end },
  { { 'Min m h -> t' }, function(x) return math.min(minus, x) end },
  { { 'Abs h -> k', 'Add k m -> l', 'Mul l m -> t' }, function(x) return math.abs(x) * minus end },
  { { 'Sub m h -> t' }, function(x) return minus - x end },
  { { 'Clip h m -> t' }, function(x) return math.max(x, minus) end },
  { { 'Less h one -> k', 'Where k m h -> t' }, function(x) return x < 1 and minus or x end },
  { { node('ThresholdedRelu h -> k', { alpha = 1.0 }), 'Mul k m -> t' },
    function(x) return (x > 1 and x or 0.0) * minus end },
  { { 'Tanh h -> k', 'Mul m one -> n', 'Mul k n -> t' },
    function(x) return number.tanh(x) * minus end },
  { { node('Constant -> n', { value_float = minus }), 'Mul h n -> t' },
    function(x) return x * minus end },
  { { node('Clip h -> t', { min = minus, max = 2.0 }) },
    function(x) return math.min(math.max(x, minus), 2.0) end, 10 },
  { { 'Mul h m16 -> t' }, function(x) return x * minus end },
}

local function same(a, b) return a == b and (a ~= 0 or 1 / a == 1 / b) end

--- A zero of the file keeps its sign, wherever a number goes through text.
function TestOnnxExtremes.test_zeros()
  local list = { writer.number('m', minus), writer.tensor('m16', {}, '\0\x80', 10),
    table.unpack(tensors) }
  for _, case in ipairs(of_zero) do
    local what = table.concat(case[1], '; '):gsub('%c', '.')
    local nodes = lists.append(lists.append({ 'MatMul x a -> h' }, case[1]), { 'MatMul t b -> y' })
    local all = onnx_layers.of(writer, { nodes = nodes, tensors = list, rank = 2,
      opset = case[3] })
    local layer = all.layers[1]
    unit.assertEquals({ #all.layers, layer.kind }, { 1, 'ffn' }, what)
    local own = layer.activations[1]
    unit.assertNotNil(own, what .. ' has another name')
    local f = assert(load('return ' .. own.text, 'own', 't', trace.scope()))()
    for _, x in ipairs { 1.5, -1.5, 0.5, -0.25, 3.0 } do
      if not same(f(x), case[2](x)) then
        unit.fail(('%s: at %g %g, not %g, by %s'):format(what, x, f(x), case[2](x), own.text))
      end
    end
  end
end

--- A constant's text is that constant, whatever it is.
function TestOnnxExtremes.test_constants()
  local text = require 'activation.graph.text'
  for _, c in ipairs { minus, 0.0, 1.0, -1.0, 2.0, 32 / 16, 1e6, -1e6, 123456789.0, 2.0 ^ 24,
    0x1p-126, -0x1p-126, 0x1.fffffep127, 1e-7, 0.1, numbers.to_f32(0.1), -1 / 3, 2.0 ^ 63 } do
    for _, form in ipairs { function(x) return x + c end, function(x) return x - c end,
      function(x) return c - word.abs(x) end, function(x) return word.max(x, c) end,
      function(x) return word.select(word.lt(x, c), c, x) end } do
      local told = text.of(trace.graph(form).result, false)
      local f = assert(load('return ' .. told, 'own', 't', trace.scope()))()
      for _, x in ipairs { 0.0, minus, 1.0, -2.5 } do
        unit.assertTrue(same(numbers.to_f32(f(x)), numbers.to_f32(form(x))),
          ('%a in %s at %a'):format(c, told, x))
      end
    end
    unit.assertEquals(('%a'):format(tonumber(numbers.shown(c)) * 1.0), ('%a'):format(c))
    if numbers.to_f32(c) == c then
      local again = numbers.to_f32(tonumber(numbers.shortest(c)))
      unit.assertEquals(('%a'):format(again), ('%a'):format(c))
    end
  end
end

-- Bounds -----------------------------------------------------------------------------------------

--- Functions of x, and which of them have no bound somewhere.
local functions = {
  { 'lost', function(x) return word.log1p(word.sigmoid(x) - 1) end, 'x = -17 and 4 others' },
  { 'kept', function(x) return -word.log1p(word.exp(word.min(-x, 20))) end },
  { 'near', function(x) return 1 / (x * x + 0.5) end },
  { 'pole', function(x) return 1 / (x - 1) end, 'x = 1.00000095,' },
  { 'root', function(x) return word.sqrt(word.max(x, 0)) + word.sqrt(x * x + 1e-6) end },
  { 'clipped', function(x) return word.min(word.max(x, -1), 1.5) * word.tanh(0.7 * x) end },
  { 'chosen', function(x) return word.select(word.lt(word.abs(x), 0.5), 0, x - 0.5) end },
  { 'tails', function(x) return word.erf(x) + 1 - word.erf(0.5 * x) - word.exp(-x * x) end },
  { 'powers', function(x) return (0.1 * x ^ 3 - x) / (x ^ 2 + 1) end },
}

local function own_of(name, f)
  return activations.with({ { name = name, traced = trace.graph(f) } }).by_name[name]
end

function TestOnnxExtremes.test_no_bound()
  for _, case in ipairs(functions) do
    local problem = bound.problem(own_of(case[1], case[2]), nil, false)
    unit.assertEquals(problem ~= nil, case[3] ~= nil, case[1] .. ': ' .. tostring(problem))
    if case[3] then support.assert_has(problem, 'no bound holds on its error at ' .. case[3]) end
  end
end

--- The bounds are those of runtime/reference.h, bit by bit but for the library's functions.
function TestOnnxExtremes.test_as_in_c()
  local meaning = require 'activation.graph.meaning'
  local parts, calls, wanted = { '#include "reference.h"\n#include <stdio.h>\n' }, {}, {}
  for _, case in ipairs(functions) do
    local result = forms.kernel(trace.graph(case[2]).result)
    parts[#parts + 1] = meaning.triples('f_' .. case[1], result, {})
    for _, x in ipairs { 0.0, -0.0, 0.25, -0.75, 1.0, 1.0 + 2 ^ -20, -3.5, 15.0, -15.0, -16.5, -17,
      30.0, -30.0 } do
      local t = bound.at(result, { x = x * 1.0, up = 0.0 })
      calls[#calls + 1] = ('  t = f_%s(triple_of(%.17g, fabs(%.17g) * 0x1p-20), triple_of(0, 0), '
        .. 'none);\n  printf("%%.9e %%.9e\\n", t.v, t.d);\n'):format(case[1], x, x)
      wanted[#wanted + 1] = { text = ('%s at %.9g'):format(case[1], x), v = t.v, d = t.d }
    end
  end
  local folder = support.folder()
  parts[#parts + 1] = 'int main(void) {\n  const float none[1] = {0};\n  triple t;\n'
    .. table.concat(calls) .. '  return 0;\n}\n'
  support.write(folder .. '/t.c', table.concat(parts))
  local text = support.capture(("cd %s && cc -std=c11 -O0 -ffp-contract=off -I '%s/runtime' "
    .. "-I '%s/generated' t.c -lm -o t && ./t"):format(folder, support.root, support.root))
  local i = 0
  for v, d in text:gmatch '(%S+) (%S+)' do
    i = i + 1
    for _, pair in ipairs { { tonumber(v), wanted[i].v, v }, { tonumber(d), wanted[i].d, d } } do
      local is_same = pair[3]:find 'inf' and math.abs(pair[2]) == math.huge
        or pair[3]:find 'nan' and pair[2] ~= pair[2]
        or pair[1] and math.abs(pair[1] - pair[2]) <= 1e-6 * math.abs(pair[2]) + 1e-300
      if not is_same then
        unit.fail(('%s: %s in C, %.9e here'):format(wanted[i].text, pair[3], pair[2]))
      end
    end
  end
  unit.assertEquals(i, #wanted)
end

--- Whoever generates or imports such a function is told so.
function TestOnnxExtremes.test_told()
  local folder = support.folder()
  support.write(folder .. '/my.lua', "activation 'lost' (function(x) return log1p(sigmoid(x) - 1) "
    .. "end)\nffn 'a' { variant = 'lost', d_model = 4, d_ff = 4, build = { { dtype = 'f32', isa = "
    .. "{ 'c' } } } }\n")
  local outcome = support.ffngen({ 'generate', 'my.lua', '--out', 'out' }, { dir = folder })
  unit.assertEquals(outcome.code, 0, outcome.err)
  support.assert_has(outcome.err, 'activation "lost": no bound holds on its error at x = -17')
  outcome = support.ffngen({ 'vendor', 'my.lua', '--out', 'own' }, { dir = folder })
  unit.assertEquals(outcome.code, 0, outcome.err)
  support.assert_has(outcome.err, 'activation "lost": no bound holds on its error at x = -17')
  support.write(folder .. '/m.onnx', writer.model { rank = 2, tensors = tensors, nodes = {
    'MatMul x a -> h', 'Sub h one -> i', 'Reciprocal i -> t', 'MatMul t b -> y' } })
  outcome = support.ffngen({ 'import', 'm.onnx', '--out', 'in', '--spec-only' }, { dir = folder })
  unit.assertEquals(outcome.code, 0, outcome.err)
  support.assert_has(outcome.err, 'no bound holds on its error at x = 1.00000095,')
end
