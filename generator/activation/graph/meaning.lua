--- A kernel's graph as C in double: its value alone, and its value with a bound on the kernel's
--- error, in the triples of runtime/reference.h.
local nodes = require 'activation.graph.node'
local numbers = require 'common.number'
local primitives = require 'activation.graph.primitives'

local M = {}

local function literal(x)
  local text = ('%.17g'):format(x)
  return text:find('[.e]') and text or text .. '.0'
end

--- The index of a parameter.
local function index(parameters, name)
  for i, own in ipairs(parameters) do
    if own == name then return i - 1 end
  end
  error('no parameter ' .. name)
end

--- The statements of a function: one for each node that is no leaf; and its result.
local function statements(result, kind, leaf, make)
  local lines, count = {}, 0
  local value = nodes.fold(result, function(n, operands)
    if #n == 0 then return leaf(n) end
    count = count + 1
    lines[count] = ('  const %s t%d = %s;'):format(kind, count, make(n, operands))
    return ('t%d'):format(count)
  end)
  lines[count + 1] = ('  return %s;'):format(value)
  return table.concat(lines, '\n')
end

local operators = { add = '+', sub = '-', mul = '*', div = '/' }

local function in_double(n, o)
  if operators[n.op] then return ('%s %s %s'):format(o[1], operators[n.op], o[2]) end
  if n.op == 'power' then return ('pow(%s, %d)'):format(o[1], n.exponent) end
  if n.op == 'neg' then return '-' .. o[1] end
  if n.op == 'abs' then return ('fabs(%s)'):format(o[1]) end
  if n.op == 'min' then return ('%s < %s ? %s : %s'):format(o[2], o[1], o[2], o[1]) end
  if n.op == 'max' then return ('%s < %s ? %s : %s'):format(o[1], o[2], o[2], o[1]) end
  if n.op == 'select' then return ('%s < %s ? %s : %s'):format(o[1], o[2], o[3], o[4]) end
  if n.op == 'sigmoid' then return ('1.0 / (1.0 + exp(-(%s)))'):format(o[1]) end
  return ('%s(%s)'):format(n.op, o[1])
end

--- A function `double NAME(double x, double up, const float *parameters)`.
---@param name string
---@param result GraphNode
---@param parameters string[]
---@return string
function M.value(name, result, parameters)
  local body = statements(result, 'double', function(n)
    if n.op == 'constant' then
      local has_sign = n.value < 0 or numbers.is_minus_zero(n.value)
      return has_sign and ('(%s)'):format(literal(n.value)) or literal(n.value)
    end
    if n.op == 'input' then return n.name end
    return ('(double)parameters[%d]'):format(index(parameters, n.name))
  end, in_double)
  return ('static double %s(double x, double up, const float *parameters) {\n'
    .. '  (void)x, (void)up, (void)parameters;\n%s\n}\n'):format(name, body)
end

local never_negative = { abs = true, exp = true, erfc = true, sigmoid = true, sqrt = true }

--- Whether a product is never negative, whatever its factors are: those stand in it an even number
--- of times, unless their signs are known. Its value in f32 is none either.
local function is_even(product)
  local odd, list = { [product] = true }, nodes.needed { product }
  for i = #list, 1, -1 do
    local n = list[i]
    if odd[n] and n.op == 'mul' then
      for _, factor in ipairs(n) do odd[factor] = not odd[factor] end
    elseif odd[n] and not never_negative[n.op] and not (n.op == 'constant' and n.value > 0) then
      return false
    end
  end
  return true
end

local function in_triples(n, o)
  local function_of = primitives.by_name[n.op]
  if function_of then
    return ('triple_%s(%s, %s, %s)'):format(n.op == 'erfc' and 'falling' or 'rising', n.op, o[1],
      literal(function_of.contract.relative))
  end
  local text = ('triple_%s(%s)'):format(n.op, table.concat(o, ', '))
  return n.op == 'mul' and is_even(n) and ('triple_above(%s, 0)'):format(text) or text
end

--- The name of an activation's function in triples, or that of one of its derivatives.
---@param by integer|nil  FFN_BY_X and so on, from 0
function M.triple_name(name, by)
  return by and ('traced_%s_%d'):format(name, by) or 'traced_' .. name
end

--- A function `triple NAME(triple x, triple up, const float *parameters)`. A constant of a
--- derivative is off by what its f32 is.
---@param own_name string
---@param result GraphNode
---@param parameters string[]
---@return string
function M.triples(own_name, result, parameters)
  local body = statements(result, 'triple', function(n)
    if n.op == 'constant' then
      local off = math.abs(numbers.to_f32(n.value) - n.value)
      return ('triple_of(%s, %s)'):format(literal(n.value), off == 0 and '0' or literal(off))
    end
    if n.op == 'input' then return n.name end
    return ('triple_of((double)parameters[%d], 0)'):format(index(parameters, n.name))
  end, in_triples)
  return ('static triple %s(triple x, triple up, const float *parameters) {\n'
    .. '  (void)x, (void)up, (void)parameters;\n%s\n}\n'):format(own_name, body)
end

--- What a row gives for its value and how far that moves, in terms of x, dx, up and dup.
---@param own_name string
function M.row(own_name)
  local call = own_name .. '(triple_of(x, %s), triple_of(up, %s), parameters).%s'
  return call:format('0', '0', 'v'), call:format('dx', 'dup', 'd')
end

return M
