--- What each operation means for plain numbers, in double: the meaning of a graph, and what the
--- words of a spec give where no traced value is.
local nodes = require 'activation.graph.node'

local M = {}

function M.expm1(x)
  if math.abs(x) > 0.5 then return math.exp(x) - 1.0 end
  local sum, term = 0.0, 1.0
  for i = 1, 18 do
    term = term * x / i
    sum = sum + term
  end
  return sum
end

--- Exact to a rounding or two where 1 + x is far from x (W. Kahan).
function M.log1p(x)
  local u = 1.0 + x
  if u == 1.0 then return x end
  if u == math.huge then return x end
  return math.log(u) * (x / (u - 1.0))
end

function M.sigmoid(x) return 1.0 / (1.0 + math.exp(-x)) end

function M.tanh(x)
  if x ~= x then return x end
  local e = M.expm1(2.0 * math.min(math.abs(x), 20.0))
  local y = e / (e + 2.0)
  return x < 0.0 and -y or y
end

local two_by_root_pi = 2.0 / math.sqrt(math.pi)

--- e^-x^2 times a sum of positive terms, for 0 <= x <= 3.
local function erf_series(x)
  local sum, term, i = x, x, 0
  repeat
    i = i + 1
    term = term * 2.0 * x * x / (2 * i + 1)
    sum = sum + term
  until term <= sum * 0x1p-55
  return two_by_root_pi * math.exp(-x * x) * sum
end

--- A continued fraction, for x > 3.
local function erfc_fraction(x)
  local f = 0.0
  for i = 80, 1, -1 do f = i / 2 / (x + f) end
  return math.exp(-x * x) / (math.sqrt(math.pi) * (x + f))
end

function M.erf(x)
  if x ~= x then return x end
  local a = math.abs(x)
  local y = a <= 3.0 and erf_series(a) or 1.0 - erfc_fraction(a)
  return x < 0.0 and -y or y
end

function M.erfc(x)
  if x > 3.0 then return erfc_fraction(x) end
  return 1.0 - M.erf(x)
end

function M.exp(x) return math.exp(x) end
function M.sqrt(x) return math.sqrt(x) end
function M.add(x, y) return x + y end
function M.sub(x, y) return x - y end
function M.mul(x, y) return x * y end
function M.div(x, y) return x / y end
function M.neg(x) return -x end
function M.abs(x) return x == 0.0 and 0.0 or x < 0.0 and 0.0 - x or x end

--- NaN where either is; the first of two that are equal.
function M.min(x, y)
  if y ~= y then return y end
  return y < x and y or x
end

function M.max(x, y)
  if y ~= y then return y end
  return x < y and y or x
end

function M.select(a, b, p, q) return a < b and p or q end

--- The values of nodes and of all that they need, as a function of their leaves, for many of those.
---@param results GraphNode[]
---@param round (fun(value: number): number)|nil  what other arithmetic than double makes of each
---@return fun(leaf: fun(node: GraphNode): number): table<GraphNode, number>  of inputs, parameters
--- and constants; the table is the same each time
function M.evaluator_of_all(results, round)
  local list, made = nodes.needed(results), {}
  return function(leaf)
    for _, node in ipairs(list) do
      local a, b, p, q = node[1], node[2], node[3], node[4]
      local value
      if not a then
        value = leaf(node)
      elseif node.op == 'power' then
        value = made[a] ^ node.exponent
      elseif not b then
        value = M[node.op](made[a])
      elseif not p then
        value = M[node.op](made[a], made[b])
      else
        value = M[node.op](made[a], made[b], made[p], made[q])
      end
      made[node] = round and round(value) or value
    end
    return made
  end
end

--- The value of a node in double.
---@param result GraphNode
---@return fun(leaf: fun(node: GraphNode): number): number
function M.evaluator(result)
  local all = M.evaluator_of_all { result }
  return function(leaf) return all(leaf)[result] end
end

return M
