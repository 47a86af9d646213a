--- Whether the error of a traced function has a bound: its graph in the triples of
--- runtime/reference.h, line by line, at ordinary places. Where a bound is infinite there the
--- self-check cannot judge a kernel, and whoever makes one is told so.
local derive = require 'activation.graph.derive'
local nodes = require 'activation.graph.node'
local number = require 'activation.graph.number'
local numbers = require 'common.number'
local primitives = require 'activation.graph.primitives'
local sample_points = require 'activation.graph.sample_points'

local M = {}

local inf, largest = math.huge, 0x1.fffffep127

--- How far sums that come in may be off, as a part of themselves.
local incoming = 0x1p-20

--- The larger and the smaller of two, where one that is no number counts for nothing.
local function fmax(a, b) return (b ~= b or a > b) and a or b end
local function fmin(a, b) return (b ~= b or a < b) and a or b end

--- What NaN is not.
local function is_less(a, b) return a < b end

local function within_f32(v, d) return math.abs(v) + d <= largest and d or inf end

local function reach(a)
  if a.d == 0 then return 0.0 end
  return a.d < inf and a.d + (math.abs(a.v) + a.d) * 0x1p-51 or inf
end

---@class Triple  a value, what a kernel's may be off by, and what neither is less than
---@field v number
---@field d number
---@field least number

---@return Triple
local function triple(v, d)
  local t = { v = v, d = d, least = 0.0 }
  local least = v - reach(t)
  t.least = least >= -largest and least or -inf
  return t
end

local function above(t, least)
  t.least = fmax(t.least, least)
  return t
end

local function floor(v, relative)
  local low = v - math.abs(v) * (relative * 0x1p-24 + 0x1p-49) - 0x1p-149
  return v >= 0 and not is_less(0, low) and 0.0 or low
end

local function rounded(v, e)
  return triple(v, within_f32(v, e + (math.abs(v) + e) * (0x1p-24 + 0x1p-50) + 0x1p-149))
end

local ops = {}

function ops.neg(a) return triple(-a.v, a.d) end
function ops.abs(a) return above(triple(math.abs(a.v), a.d), fmax(a.least, 0.0)) end

function ops.mul(a, b)
  local e = math.abs(a.v) * b.d + math.abs(b.v) * a.d + a.d * b.d
  local product = rounded(a.v * b.v, e)
  local positive = a.least >= 0 and b.least >= 0
  return positive and above(product, floor(a.least * b.least, 1)) or product
end

function ops.add(a, b)
  local e = a.d + b.d + (math.abs(a.v) + math.abs(b.v)) * 0x1p-52
  return above(rounded(a.v + b.v, e), floor(a.least + b.least, 1))
end

function ops.sub(a, b) return ops.add(a, ops.neg(b)) end

function ops.div(a, b)
  local q, least = a.v / b.v, fmax(math.abs(b.v) - b.d, b.least)
  local quotient = rounded(q, least > 0 and (a.d + math.abs(q) * b.d) / least or inf)
  return a.least >= 0 and b.least >= 0 and above(quotient, 0.0) or quotient
end

function ops.min(a, b)
  local v = (b.v < a.v or b.v ~= b.v) and b.v or a.v
  local reach_a, reach_b = reach(a), reach(b)
  if not is_less(reach_a + reach_b, inf) then return triple(v, inf) end
  local below = v - math.min(a.v - reach_a, b.v - reach_b)
  local over = math.min(a.v + reach_a, b.v + reach_b) - v
  return above(triple(v, math.max(below, over)), fmin(a.least, b.least))
end

function ops.max(a, b)
  return above(ops.neg(ops.min(ops.neg(a), ops.neg(b))), fmax(a.least, b.least))
end

function ops.select(a, b, p, q)
  local taken, other = q, p
  if a.v < b.v then taken, other = p, q end
  local unsure = reach(a) + reach(b)
  local far = math.abs(taken.v - other.v) + other.d
  local both = unsure > 0 and not is_less(unsure, math.abs(a.v - b.v))
  return above(triple(taken.v, both and (far ~= far or far > taken.d) and far or taken.d),
    fmin(p.least, q.least))
end

--- A function of a monotone graph.
local function monotone(f, a, relative, falls)
  local lowest = fmin(a.v, fmax(a.v - reach(a), a.least))
  local low, high, v = f(lowest), f(a.v + reach(a)), f(a.v)
  if falls then low, high = high, low end
  local up, down = high - v, v - low
  local e = up > down and up or down
  local d = e + (math.abs(v) + e) * (relative * 0x1p-24 + 0x1p-49) + 0x1p-149
  local sure = up >= 0 and down >= 0 and reach(a) < inf
  return above(triple(v, within_f32(v, sure and d or inf)), floor(f(falls and inf or a.least),
    relative))
end

local function operate(n, o)
  local primitive = primitives.by_name[n.op]
  if not primitive then return ops[n.op](table.unpack(o)) end
  return monotone(number[n.op], o[1], primitive.contract.relative, n.op == 'erfc')
end

--- The value at a place, and its bound.
---@param result GraphNode  of a kernel's graph
---@param place SamplePoint
---@return Triple
function M.at(result, place)
  local function input(v) return triple(v, math.abs(v) * incoming) end
  return nodes.fold(result, function(n, o)
    if n.op == 'constant' then
      return triple(n.value, math.abs(numbers.to_f32(n.value) - n.value))
    elseif n.op == 'parameter' then
      return triple(numbers.to_f32(place.setting[n.name]), 0.0)
    elseif n.op == 'input' then
      return input(n.name == 'x' and place.x or place.up)
    end
    return operate(n, o)
  end)
end

--- Where sums of a layer still lie that nobody would call large.
local beyond = { 17.0, 18.0, 20.0, 24.0, 32.0 }

local function places_of(result, activation, settings)
  local list = sample_points.of({ result }, settings, activation.parameters, activation.both)
  for _, setting in ipairs(settings) do
    for _, size in ipairs(beyond) do
      list[#list + 1] = { x = size, up = 1.0, setting = setting }
      list[#list + 1] = { x = -size, up = 1.0, setting = setting }
    end
  end
  return list
end

--- What is told of a graph whose bound is infinite where its value is a number, or nil.
local function problem_of(result, activation, settings, about)
  local list, first, count = places_of(result, activation, settings), nil, 0
  for _, place in ipairs(list) do
    local t = M.at(result, place)
    if math.abs(t.v) <= largest and not is_less(t.d, inf) then
      first, count = first or place, count + 1
    end
  end
  return first and ('activation "%s"%s: no bound holds on its error at x = %.9g%s%s, of %d '
    .. 'ordinary places: the self-check cannot judge what kernels give there'):format(
    activation.name, about, first.x, activation.both and (', up = %.9g'):format(first.up) or '',
    count > 1 and (' and %d others'):format(count - 1) or '', #list) or nil
end

--- What is told of a traced activation, or nil: of its value, or of its derivatives where it is
--- trained.
---@param activation Activation
---@param parameters number[]|nil  fixed ones; nil: they come with the weights, or there are none
---@param trained boolean
---@return string|nil
function M.problem(activation, parameters, trained)
  if not activation.running then return nil end
  local names, settings = activation.parameters, { {} }
  if parameters then
    for i, name in ipairs(names) do settings[1][name] = parameters[i] end
  else
    settings = sample_points.settings(names)
  end
  local problem = problem_of(activation.result, activation, settings, '')
  for _, name in ipairs(trained and derive.variables(activation.both, names) or {}) do
    problem = problem or problem_of(derive.by(activation.differentiated, name), activation,
      settings, (', its derivative by %s'):format(name))
  end
  return problem
end

return M
