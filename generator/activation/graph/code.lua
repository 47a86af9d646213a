--- A kernel's graph -> vector code in ISA words. A product that meets an addition becomes a fused
--- multiply-add with it; any other product that might reach one is fused with -0, which changes no
--- bit: no compiler may fuse, or not, on its own.
local nodes = require 'activation.graph.node'
local numbers = require 'common.number'
local primitives = require 'activation.graph.primitives'

local M = {}

--- What hands a product on: see the builder in emit/vector.lua.
local passes = { neg = true, abs = true, min = true, max = true, select = true, div = true }

--- What may not be given a bare product: it adds to its operand.
local adds = { add = true, sub = true, log1p = true }

--- Which operand of an addition is the product that is fused with it.
---@param n GraphNode
---@return integer|nil
local function fused_operand(n)
  if n.op ~= 'add' and n.op ~= 'sub' then return nil end
  return n[2].op == 'mul' and 2 or n[1].op == 'mul' and 1 or nil
end

--- The products that must be settled, since they reach an addition or a result unfused.
---@param results GraphNode[]
---@return table<GraphNode, boolean>
local function settled_products(results)
  local settled, seen = {}, {}
  local function settle(n)
    if seen[n] then return end
    seen[n] = true
    if n.op == 'mul' then settled[n] = true end
    for i = 1, passes[n.op] and #n or 0 do settle(n[i]) end
  end
  for _, n in ipairs(nodes.needed(results)) do
    local fused = fused_operand(n)
    for i, operand in ipairs(adds[n.op] and n or {}) do
      if i ~= fused then settle(operand) end
    end
  end
  for _, result in ipairs(results) do settle(result) end
  return settled
end

--- Whether a value is the same for every x: a NaN of x then comes from the other operand.
local function is_fixed(n) return n.op == 'constant' or n.op == 'parameter' end

--- Whether a compiler might know a value by its parameters.
local function is_known(n)
  for _, needed in ipairs(nodes.needed { n }) do
    if needed.op == 'input' then return false end
  end
  return n.op ~= 'constant'
end

--- The operands of a product or a quotient. By a parameter of -1 it is the minus of the other one,
--- which may be a sum (see emit/vector.lua): two signs that cancel hide the -1.
local function operands(v, n, o)
  local a, b = o(n[1]), o(n[2])
  if a.sum and is_known(n[2]) or b.sum and is_known(n[1]) then return v.neg(a), v.neg(b) end
  return a, b
end

local make = {}

function make.add(v, n, o)
  local fused = fused_operand(n)
  if not fused then return v.add(o(n[1]), o(n[2])) end
  return v.fma(o(n[fused][1]), o(n[fused][2]), o(n[3 - fused]))
end

function make.sub(v, n, o)
  local fused = fused_operand(n)
  if not fused then return v.sub(o(n[1]), o(n[2])) end
  if fused == 2 then return v.fnma(o(n[2][1]), o(n[2][2]), o(n[1])) end
  local b = n[2]
  local minus = b.op == 'constant' and v.const(-b.value) or v.neg(o(b))
  return v.fma(o(n[1][1]), o(n[1][2]), minus)
end

--- at_least and at_most keep a NaN of their first operand; where both may be one, the second is
--- asked, too: it is none if it lies before the infinity that would win anyway.
local function limit(word, infinity)
  return function(v, n, o)
    local a, b = n[1], n[2]
    if is_fixed(a) then a, b = b, a end
    local x, y = o(a), o(b)
    if is_fixed(b) then return v[word](x, y) end
    local inf = v.from_bits(v.iconst(0x7f800000))
    local either = v[word](x, y)
    if infinity > 0 then return v.select_lt(y, inf, either, v[word](y, x)) end
    return v.select_lt(v.neg(inf), y, either, v[word](y, x))
  end
end
make.max, make.min = limit('at_least', 1), limit('at_most', -1)

function make.div(v, n, o) return v.div(operands(v, n, o)) end

--- A product that is settled takes the sign as it is fused with -0: there the minus costs nothing.
function make.neg(v, n, o, settled)
  local product = n[1]
  if not settled[product] then return v.neg(o(product)) end
  local a, b = operands(v, product, o)
  return v.fnma(a, b, v.const(-0.0))
end

function make.abs(v, n, o) return v.abs(o(n[1])) end

function make.select(v, n, o) return v.select_lt(o(n[1]), o(n[2]), o(n[3]), o(n[4])) end

--- What makes the nodes of a graph, on demand: a product that is fused with all its sums is never
--- made. A constant that a derivative brings in is that f32 which is nearest.
---@return fun(n: GraphNode): any
local function maker(settled, v, x, up, parameters)
  local made = {}
  local function o(n)
    if made[n] then return made[n] end
    local y
    if n.op == 'input' then y = n.name == 'x' and x or up
    elseif n.op == 'parameter' then y = parameters[n.name]
    elseif n.op == 'constant' then y = v.const(numbers.to_f32(n.value))
    elseif n.op == 'mul' and settled[n] then
      local a, b = operands(v, n, o)
      y = v.fma(a, b, v.const(-0.0))
    elseif n.op == 'mul' then y = v.mul(operands(v, n, o))
    elseif make[n.op] then y = make[n.op](v, n, o, settled)
    else y = primitives.by_name[n.op].vector(v, o(n[1])) end
    made[n] = y
    return y
  end
  return o
end

--- The vector code of a graph, as an activation has it.
---@param result GraphNode of a kernel's graph
---@return fun(v: table, x: any, up: any, parameters: table<string, any>): any
function M.vector(result)
  local settled = settled_products { result }
  return function(v, x, up, parameters)
    return maker(settled, v, x, up, parameters)(result)
  end
end

--- The vector code of a function and its derivatives.
---@param value GraphNode
---@param by table<string, GraphNode>
---@param names string[]  of `by`, in the order of their code
---@return fun(v: table, x: any, up: any, parameters: table<string, any>): any, table<string, any>
function M.gradient(value, by, names)
  local results = { value }
  for i, name in ipairs(names) do results[i + 1] = by[name] end
  local settled = settled_products(results)
  return function(v, x, up, parameters)
    local o, made = maker(settled, v, x, up, parameters), {}
    local y = o(value)
    for _, name in ipairs(names) do made[name] = o(by[name]) end
    return y, made
  end
end

return M
