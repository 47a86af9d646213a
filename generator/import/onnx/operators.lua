--- What ONNX's operators do to each element (onnx/docs/Operators.md; those of com.microsoft:
--- ContribOperators.md of ONNX Runtime), in the words of a spec's own activations: for symbols and
--- for plain numbers. An operator may be told in two ways that mean the same, so that one of them
--- is how an activation of the project is told, too.
local attributes = require 'import.onnx.attributes'
local lists = require 'common.list'
local numbers = require 'common.number'
local word = require 'activation.graph.words'

local M = {}

---@class Telling
---@field way integer    1 or 2
---@field opset integer  ONNX's version of its operators
---@field value_of (fun(value: Value): any)|nil  what was told of a value

---@class Operator
---@field attributes string[]  that it knows; a node with others is none
---@field least integer        inputs
---@field most integer
---@field apply fun(args: any[], step: GraphStep, telling: Telling): any nil where it cannot be told
---@field is_choice boolean   it takes a comparison

---@type table<string, Operator>
local by_name = {}

local function add(name, names, least, most, apply)
  by_name[name] = {
    attributes = names, least = least, most = most, apply = apply, is_choice = false,
  }
end

local function one(name, apply) add(name, {}, 1, 1, function(args) return apply(args[1]) end) end

local function two(name, apply)
  add(name, {}, 2, 2, function(args) return apply(args[1], args[2]) end)
end

--- Of one input and a number among its attributes.
local function with_number(name, attribute, default, apply)
  add(name, { attribute }, 1, 1, function(args, step)
    local v = attributes.get(step.node, attribute, 'f', default)
    return v and apply(args[1], v)
  end)
end

-- Arithmetic -------------------------------------------------------------------------------------

two('Add', function(a, b) return a + b end)
two('Sub', function(a, b) return a - b end)
-- A factor of 1 changes no bit.
two('Mul', function(a, b) return a == 1 and b or b == 1 and a or a * b end)
two('Div', function(a, b) return b == 1 and a or a / b end)
one('Neg', function(x) return -x end)
one('Reciprocal', function(x) return 1 / x end)

--- The same of many.
local function many(name, apply)
  add(name, {}, 1, 16, function(args)
    local result = args[1]
    for i = 2, #args do result = apply(result, args[i]) end
    return result
  end)
end
many('Sum', function(a, b) return a + b end)
many('Min', function(a, b) return word.min(a, b) end)
many('Max', function(a, b) return word.max(a, b) end)

for _, pair in ipairs {
  { 'Abs', 'abs' }, { 'Exp', 'exp' }, { 'Erf', 'erf' }, { 'Tanh', 'tanh' },
  { 'Sigmoid', 'sigmoid' }, { 'Sqrt', 'sqrt' },
} do
  one(pair[1], function(x) return word[pair[2]](x) end)
end

add('Pow', {}, 2, 2, function(args)
  local exponent = math.type(args[2]) and math.tointeger(args[2])
  return exponent and exponent ~= 0 and args[1] ^ exponent or nil
end)

--- The other operand of a sum with 1.
local function behind_one(value)
  local step = value and value.step
  if not step or step.op ~= 'Add' then return nil end
  for i = 1, 2 do
    local view = step.ins[i] and step.ins[i].view
    if view and view.one == 1 then return step.ins[3 - i] end
  end
end

--- What a Sigmoid takes whose result a value is.
local function behind_sigmoid(value)
  local step = value and value.step
  return step and step.op == 'Sigmoid' and step.ins[1] or nil
end

--- Above 20 it is x, as f32 has it.
local function softplus(x, way)
  if way == 1 then return word.log1p(word.exp(x)) end
  return word.select(word.lt(20, x), x, word.log1p(word.exp(word.min(x, 20))))
end

--- ln(u): u - 1 has all digits of u from a half on, and 1 / u - 1 below.
local function log(u)
  return word.select(word.lt(u, 0.5), -word.log1p(1 / u - 1), word.log1p(u - 1))
end

--- ln(1 + a) is told as such, and ln(sigmoid(a)) by -softplus(-a), of which f32 has all digits.
add('Log', {}, 1, 1, function(args, step, telling)
  local function told(other) return other and telling.value_of(other) end
  local a = telling.value_of and told(behind_one(step.ins[1]))
  if a then return word.log1p(a) end
  a = telling.value_of and told(behind_sigmoid(step.ins[1]))
  return a and -softplus(-a, 2) or log(args[1])
end)

-- Choices ----------------------------------------------------------------------------------------

--- A comparison, and whether its opposite is meant.
local function compares(name, make, is_opposite)
  two(name, function(a, b) return { lt = make(a, b), is_opposite = is_opposite } end)
end
compares('Less', function(a, b) return word.lt(a, b) end, false)
compares('Greater', function(a, b) return word.lt(b, a) end, false)
compares('LessOrEqual', function(a, b) return word.lt(b, a) end, true)
compares('GreaterOrEqual', function(a, b) return word.lt(a, b) end, true)

local function is_comparison(v) return type(v) == 'table' and rawget(v, 'is_opposite') ~= nil end

one('Not', function(c)
  return is_comparison(c) and { lt = c.lt, is_opposite = not c.is_opposite } or nil
end)

add('Where', {}, 3, 3, function(args)
  local c, p, q = args[1], args[2], args[3]
  if not is_comparison(c) then return nil end
  if c.is_opposite then p, q = q, p end
  return word.select(c.lt, p, q)
end)
by_name.Not.is_choice, by_name.Where.is_choice = true, true

--- Least and most are attributes of older operator sets, and inputs of newer ones.
add('Clip', { 'min', 'max' }, 1, 3, function(args, step, telling)
  local least = args[2] or attributes.get(step.node, 'min', 'f', nil)
  local most = args[3] or attributes.get(step.node, 'max', 'f', nil)
  local x = args[1]
  -- What f32 ends with is no end.
  if math.type(least) and least <= -0x1.fffffep127 then least = nil end
  if math.type(most) and most >= 0x1.fffffep127 then most = nil end
  if least and most and not (math.type(least) and math.type(most) and least <= most) then
    return nil
  end
  if telling.way == 1 and least then x = word.max(x, least) end
  if most then x = word.min(x, most) end
  if telling.way == 2 and least then x = word.max(x, least) end
  return x
end)

-- Activations ------------------------------------------------------------------------------------

one('Relu', function(x) return word.max(x, 0) end)
with_number('LeakyRelu', 'alpha', 0.01, function(x, slope)
  return word.select(word.lt(0, x), x, slope * x)
end)
add('PRelu', {}, 2, 2, function(args)
  return math.type(args[2]) and word.select(word.lt(0, args[1]), args[1], args[2] * args[1]) or nil
end)
with_number('ThresholdedRelu', 'alpha', 1.0, function(x, alpha)
  return word.select(word.lt(alpha, x), x, 0)
end)

local function elu(x, alpha)
  return word.select(word.lt(0, x), x, alpha * (word.exp(word.min(x, 0)) - 1))
end
with_number('Elu', 'alpha', 1.0, elu)
with_number('Celu', 'alpha', 1.0, function(x, alpha)
  return word.select(word.lt(0, x), x, alpha * (word.exp(word.min(x, 0) / alpha) - 1))
end)
add('Selu', { 'alpha', 'gamma' }, 1, 1, function(args, step)
  local alpha = attributes.get(step.node, 'alpha', 'f', 1.67326319217681884765625)
  local gamma = attributes.get(step.node, 'gamma', 'f', 1.05070102214813232421875)
  return alpha and gamma and gamma * elu(args[1], alpha)
end)

local function cut(x) return word.min(6, word.max(0, x + 3)) end
add('HardSigmoid', { 'alpha', 'beta' }, 1, 1, function(args, step)
  local alpha = attributes.get(step.node, 'alpha', 'f', 0.2)
  local beta = attributes.get(step.node, 'beta', 'f', 0.5)
  if not alpha or not beta then return nil end
  -- A sixth, as f32 has it.
  if numbers.to_f32(alpha) == numbers.to_f32(1 / 6) and beta == 0.5 then return cut(args[1]) / 6 end
  return word.max(0, word.min(1, alpha * args[1] + beta))
end)
one('HardSwish', function(x) return x * cut(x) / 6 end)

add('Softplus', {}, 1, 1, function(args, _, telling) return softplus(args[1], telling.way) end)
one('Softsign', function(x) return x / (1 + word.abs(x)) end)
add('Mish', {}, 1, 1, function(args, _, telling)
  return args[1] * word.tanh(softplus(args[1], telling.way))
end)

local function sigmoid_of(x, alpha)
  return x * word.sigmoid(alpha == 1 and x or alpha * x)
end
with_number('Swish', 'alpha', 1.0, sigmoid_of)
with_number('com.microsoft.QuickGelu', 'alpha', 1.702, sigmoid_of)

local function gelu(x) return 0.5 * x * (1 + word.erf(x / 2 ^ 0.5)) end
local function gelu_tanh(x)
  return 0.5 * x * (1 + word.tanh((2 / math.pi) ^ 0.5 * (x + 0.044715 * x ^ 3)))
end
add('Gelu', { 'approximate' }, 1, 1, function(args, step)
  local form = attributes.get(step.node, 'approximate', 's', 'none')
  return form == 'none' and gelu(args[1]) or form == 'tanh' and gelu_tanh(args[1]) or nil
end)
one('com.microsoft.Gelu', gelu)
one('com.microsoft.BiasGelu', gelu)
one('com.microsoft.FastGelu', gelu_tanh)

-- What is the same number ------------------------------------------------------------------------

one('Identity', function(x) return x end)

local floats = { [1] = true, [10] = true, [11] = true, [16] = true }
-- A number of the file is not rounded here; rounding_steps.lua tells what a Cast does to others.
add('Cast', { 'to', 'saturate', 'round_mode' }, 1, 1, function(args, step, telling)
  local to = attributes.get(step.node, 'to', 'i', 0)
  local is_narrow = math.type(args[1]) and not telling.value_of and (to == 10 or to == 16)
  if is_comparison(args[1]) and floats[to] then
    local c = args[1]
    return word.select(c.lt, c.is_opposite and 0.0 or 1.0, c.is_opposite and 1.0 or 0.0)
  end
  return floats[to] and not is_narrow and args[1] or nil
end)
by_name.Cast.is_choice = true

--- Back from integers that hold nothing below 0; where they hold more, it is the same number.
add('DequantizeLinear', { 'axis', 'block_size', 'output_dtype' }, 2, 3, function(args, step)
  return step.cuts and word.max(args[1], 0) or nil
end)

--- It becomes what the other value is, of which rounding_steps.lua looks at the type.
local float_types = lists.set { 'f16', 'bf16', 'f32', 'f64' }
add('CastLike', { 'saturate', 'round_mode' }, 1, 2, function(args, step)
  local like = step.ins[2] and step.ins[2].view
  return (not like or float_types[like.tensor.type]) and args[1] or nil
end)

--- Where a model is not trained it passes everything.
add('Dropout', { 'ratio', 'seed', 'is_test' }, 1, 3, function(args, step, telling)
  local test = attributes.get(step.node, 'is_test', 'i', nil)
  local is_trained = telling.opset < 7 and test ~= 1 or args[3] and args[3] ~= 0
  return not is_trained and args[1] or nil
end)

---@param step GraphStep
---@return Operator|nil
local function operator_of(step)
  local operator = by_name[step.op]
  if not operator or #step.ins < operator.least or #step.ins > operator.most
    or not attributes.are(step.node, operator.attributes) then
    return nil
  end
  for i, value in ipairs(step.ins) do
    if not value and i <= operator.least then return nil end
  end
  for i, out in ipairs(step.outs) do
    if i > 1 and out and (#out.uses > 0 or out.is_output) then return nil end
  end
  return step.outs[1] and operator or nil
end

--- What an operator makes of values, or nil where it cannot be told.
---@param operator Operator
---@param args any[]
---@param step GraphStep
---@param telling Telling
function M.apply(operator, args, step, telling)
  for _, v in ipairs(args) do
    if is_comparison(v) and not operator.is_choice then return nil end
  end
  return operator.apply(args, step, telling)
end

--- Whether an operator is one that is told, in some form.
function M.has(op) return by_name[op] ~= nil end

--- The operator of a step, or nil where it is none of these.
---@param step GraphStep
---@return Operator|nil
function M.of(step)
  if step.operator == nil then step.operator = operator_of(step) or false end
  return step.operator or nil
end

return M
