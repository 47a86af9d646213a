--- Symbolic values: what a traced function gets in place of numbers. Arithmetic on them makes nodes
--- of a graph; whatever else Lua can do with them is an error, as far as Lua tells.
---
--- All of this runs inside of a spec's limits, where strings have no methods.
local nodes = require 'activation.graph.node'
local number = require 'activation.graph.number'
local numbers = require 'common.number'

local M = {}

local max_exponent = 64

--- What stands behind a handle, kept here, since a spec can hold it and call what it likes.
---@class Symbol
---@field graph Graph
---@field node GraphNode|nil  of a value
---@field lesser GraphNode|nil of a comparison: lesser < greater
---@field greater GraphNode|nil
---@field role string|nil     of a second or third argument, once it is used: up, or parameters
---@field open boolean|nil    it may be either

---@type table<table, Symbol>
local symbols = setmetatable({}, { __mode = 'k' })

local meta = { __metatable = false }

local function handle(symbol)
  local made = setmetatable({}, meta)
  symbols[made] = symbol
  return made
end

local function refuse(text, ...) error(string.format(text, ...), 0) end

--- The role of a second argument, by its first use.
local function take_role(symbol, role)
  if not symbol.open then return end
  if symbol.role and symbol.role ~= role then
    refuse('the second argument is used as a value and as a table of parameters')
  end
  symbol.role = role
  if role == 'up' then symbol.node = symbol.graph:make('input', {}, 'up') end
end

--- The graph that one of some operands belongs to, or nil where all are plain numbers.
local function graph_of(a, b)
  local symbol = symbols[a] or symbols[b]
  return symbol and symbol.graph
end

--- The node of an operand: a symbolic value, or a number that becomes a constant.
local function node_of(graph, v)
  local symbol = symbols[v]
  if symbol then
    take_role(symbol, 'up')
    if symbol.lesser then refuse('lt(a, b) is no number: write select(lt(a, b), p, q)') end
    if not symbol.node then refuse('the parameters are a table: use one of them, as p.beta') end
    if symbol.graph ~= graph then refuse('a value of another activation') end
    return symbol.node
  end
  if not math.type(v) then
    refuse('an operand is a number or a traced value, not a %s', type(v))
  end
  if v ~= v or math.abs(v) == math.huge then
    refuse('a constant is %s: constants are finite', v ~= v and 'NaN' or 'infinite')
  end
  local lost = numbers.lost(v)
  if lost then refuse('the constant %s %s', numbers.shown(v), lost) end
  return graph:constant(v)
end

local function value(graph, made) return handle { graph = graph, node = made } end

--- An operation on operands of which one at least is symbolic.
local function operate(graph, op, ...)
  local operands = {}
  for i = 1, select('#', ...) do operands[i] = node_of(graph, (select(i, ...))) end
  return value(graph, graph:make(op, operands))
end

-- Operators -------------------------------------------------------------------------------------

for _, op in ipairs { 'add', 'sub', 'mul' } do
  meta['__' .. op] = function(a, b) return operate(graph_of(a, b), op, a, b) end
end

function meta.__div(a, b)
  if math.type(b) and b == 0 then refuse('it divides by the constant 0, which gives no number') end
  return operate(graph_of(a, b), 'div', a, b)
end

function meta.__unm(a) return operate(graph_of(a), 'neg', a) end

function meta.__pow(a, b)
  local exponent = math.type(b) and math.tointeger(b)
  if not symbols[a] or not exponent or exponent > max_exponent or exponent < -max_exponent
    or exponent == 0 then
    refuse('a power has an integer exponent from 1 to %d, or its negative', max_exponent)
  end
  local graph = symbols[a].graph
  return value(graph, graph:make('power', { node_of(graph, a) }, exponent))
end

function meta.__index(v, key)
  local symbol = symbols[v]
  if symbol.open then take_role(symbol, 'parameters') end
  if symbol.role ~= 'parameters' then refuse('a traced value has no fields') end
  if type(key) ~= 'string' or not string.find(key, '^%l[%l_]*$') or #key > 16
    or string.find(key, '_$') then
    refuse('a parameter is named in small letters, at most 16, as p.beta')
  end
  if key == 'x' or key == 'up' then
    refuse('a parameter is not named "%s", which is a branch: name it another way', key)
  end
  return value(symbol.graph, symbol.graph:make('parameter', {}, key))
end

function meta.__newindex() refuse('a traced function sets nothing') end
function meta.__call() refuse('a traced value is no function') end
function meta.__len() refuse('a traced value has no length') end
function meta.__concat() refuse('a traced value is no text') end

local branching = 'a traced value cannot be compared with %s: write select(lt(a, b), p, q)'
function meta.__lt() refuse(branching, '<') end
function meta.__le() refuse(branching, '<=') end
function meta.__eq() refuse(branching, '==') end

for _, other in ipairs {
  { '__mod', '%' }, { '__idiv', '//' }, { '__band', '&' }, { '__bor', '|' }, { '__bxor', '~' },
  { '__shl', '<<' }, { '__shr', '>>' }, { '__bnot', '~' },
} do
  meta[other[1]] = function()
    refuse('"%s" is not among the operations of an activation', other[2])
  end
end

-- Words -----------------------------------------------------------------------------------------

local arity = { min = 2, max = 2, abs = 1, exp = 1, log1p = 1, tanh = 1, erf = 1, sigmoid = 1,
  sqrt = 1 }

--- Plain numbers for a word.
local function plain(word, ...)
  for i = 1, select('#', ...) do
    local v = select(i, ...)
    if not math.type(v) then
      refuse('%s: an operand is a number or a traced value, not a %s', word, type(v))
    end
  end
  return ...
end

--- The words of a spec, new for each file.
---@return table<string, function>
function M.scope()
  local scope = {}
  for _, word in ipairs { 'min', 'max', 'abs', 'exp', 'log1p', 'tanh', 'erf', 'sigmoid', 'sqrt' } do
    scope[word] = function(...)
      if select('#', ...) ~= arity[word] then
        refuse('%s takes %d operand%s', word, arity[word], arity[word] > 1 and 's' or '')
      end
      local graph = graph_of(...)
      if graph then return operate(graph, word, ...) end
      return number[word](plain(word, ...))
    end
  end
  function scope.lt(...)
    if select('#', ...) ~= 2 then refuse('lt takes 2 operands') end
    local graph = graph_of(...)
    if not graph then
      local a, b = plain('lt', ...)
      return a < b
    end
    local a, b = ...
    return handle { graph = graph, lesser = node_of(graph, a), greater = node_of(graph, b) }
  end
  function scope.select(...)
    if select('#', ...) ~= 3 then refuse('select takes lt(a, b) and two values') end
    local condition, p, q = ...
    local symbol = symbols[condition]
    if type(condition) == 'boolean' then
      if condition then return p end
      return q
    elseif not symbol or not symbol.lesser then
      refuse('select takes lt(a, b) first')
    end
    local graph = symbol.graph
    return value(graph, graph:make('select',
      { symbol.lesser, symbol.greater, node_of(graph, p), node_of(graph, q) }))
  end
  return scope
end

--- The words, in a fixed order.
M.words = { 'abs', 'erf', 'exp', 'log1p', 'lt', 'max', 'min', 'select', 'sigmoid', 'sqrt', 'tanh' }

-- Calls -----------------------------------------------------------------------------------------

---@class Traced  what a function made of symbols
---@field graph Graph
---@field result GraphNode
---@field role string|false  of the second argument: up, parameters; false where there is none
---@field third boolean      there are parameters as a third argument

--- Runs a function of 1 to 3 arguments on symbols.
---@param f function
---@param count integer of its arguments
---@return Traced
function M.call(f, count)
  local graph = nodes.new()
  local arguments = { value(graph, graph:make('input', {}, 'x')) }
  if count == 2 then arguments[2] = handle { graph = graph, open = true } end
  if count == 3 then
    arguments[2] = value(graph, graph:make('input', {}, 'up'))
    arguments[3] = handle { graph = graph, role = 'parameters' }
  end
  local results = table.pack(f(table.unpack(arguments)))
  if results.n ~= 1 then refuse('an activation gives one value, not %d', results.n) end
  local role = count == 3 and 'up' or count == 2 and symbols[arguments[2]].role or false
  if count == 2 and not role then
    refuse('the second argument is not used: it is the other branch, or a table of parameters')
  end
  return { graph = graph, result = node_of(graph, results[1]), role = role, third = count == 3 }
end

return M
