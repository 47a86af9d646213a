--- Tracing: a function of a spec -> a graph. It is called once with symbols, and then with plain
--- numbers, since Lua tells no symbol of `==` with a number, `not`, `and` and `or`: where the graph
--- says something else than the function, control flow is hidden in it.
---
--- All of this runs inside of a spec's limits, where strings have no methods.
local node = require 'activation.graph.node'
local number = require 'activation.graph.number'
local symbol = require 'activation.graph.symbol'

local M = { words = symbol.words, scope = symbol.scope }

local most_parameters = 8

--- Where every function is looked at: zeros, ones, both signs, small and large.
local everywhere = {
  0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.3, -0.3, 3.7, -3.7, 11.0, -11.0, 1e-3, -1e-3,
  0x1p-130, -0x1p-130, 1e3, -1e3, 1e30, -1e30,
}

--- Few of them, for pairs.
local somewhere = { 0.0, -0.0, 1.0, -1.0, 0.4, -0.6, 2.5, -3.5, 12.0, -12.0, 1e4, -1e4 }

local function with(list, more)
  local all = { table.unpack(list) }
  for _, v in ipairs(more) do
    all[#all + 1] = v * 1.0
    all[#all + 1] = v * -1.0
  end
  return all
end

--- Values of parameters to look at: all alike, and each its own.
---@return table<string, number>[]
local function settings(names, numerals)
  local list = {}
  local function add(value_of)
    local setting = {}
    for i, name in ipairs(names) do setting[name] = value_of(i) end
    list[#list + 1] = setting
  end
  if #names == 0 then return { {} } end
  for _, v in ipairs(with({ 1.0, 0.0, -1.5 }, numerals)) do add(function() return v end) end
  add(function(i) return 0.25 + 0.7 * i end)
  add(function(i) return 1.9 - 0.8 * i end)
  return list
end

local function same(a, b)
  if a ~= a then return b ~= b end
  return a == b and (a ~= 0.0 or 1.0 / a == 1.0 / b)
end

--- The table of parameters that a plain call gets.
local function parameter_table(setting)
  return setmetatable({}, {
    __metatable = false,
    __index = function(_, key)
      local v = setting[key]
      if not v then error(string.format('parameter "%s" is read at some values only', key), 0) end
      return v
    end,
    __newindex = function() error('a traced function sets nothing', 0) end,
  })
end

--- The numbers that the function and its graph give for plain arguments.
local function both(f, traced, x, up, setting)
  local parameters = parameter_table(setting)
  local given
  if traced.third then given = f(x, up, parameters)
  elseif traced.role == 'parameters' then given = f(x, parameters)
  elseif traced.role == 'up' then given = f(x, up)
  else given = f(x) end
  local meant = number.value(traced.result, function(leaf)
    if leaf.op == 'constant' then return leaf.value end
    if leaf.op == 'parameter' then return setting[leaf.name] end
    return leaf.name == 'x' and x or up
  end)
  return given, meant
end

local hidden = 'its result does not follow its graph: at %s it gives %s, the graph %s. No if, and, '
  .. 'or, not, == may look at a traced value: write select(lt(a, b), p, q)'

local function compare(f, traced, numerals)
  local names = node.names(traced.graph, 'parameter')
  local pairs_of = traced.role == 'up'
  local points = with(pairs_of and somewhere or everywhere, numerals)
  for _, setting in ipairs(settings(names, numerals)) do
    for _, x in ipairs(points) do
      for _, up in ipairs(pairs_of and points or { 0.0 }) do
        local given, meant = both(f, traced, x, up, setting)
        if not math.type(given) or not same(given * 1.0, meant) then
          local at = string.format('x = %.9g', x)
          if pairs_of then at = string.format('gate = %.9g, up = %.9g', x, up) end
          for _, name in ipairs(names) do
            at = string.format('%s, %s = %.9g', at, name, setting[name])
          end
          local shown = math.type(given) and string.format('%.9g', given) or 'a ' .. type(given)
          error(string.format(hidden, at, shown, string.format('%.9g', meant)), 0)
        end
      end
    end
  end
end

--- How many arguments a function takes.
local function arguments_of(f)
  if type(f) ~= 'function' then
    error(string.format('an activation is a function of x, not a %s', type(f)), 0)
  end
  local info = debug.getinfo(f, 'uS')
  if info.what == 'C' or info.isvararg or info.nparams < 1 or info.nparams > 3 then
    error('an activation is function(x), function(x, p), function(gate, up) or '
      .. 'function(gate, up, p)', 0)
  end
  return info.nparams
end

---@class TracedFunction
---@field result GraphNode
---@field gated boolean       a function of both branches
---@field parameters string[] in the order in which the function reads them

--- The graph of a function.
---@param f function
---@param numerals number[]  that stand in its text: where it may branch
---@return TracedFunction
function M.graph(f, numerals)
  local traced = symbol.call(f, arguments_of(f))
  local depends = {}
  for _, needed in ipairs(node.needed { traced.result }) do
    if needed.op == 'input' or needed.op == 'parameter' then depends[needed.name] = true end
  end
  if not depends.x then error('its result does not depend on its first argument', 0) end
  if traced.role == 'up' and not depends.up then
    error('its result does not depend on its second argument', 0)
  end
  compare(f, traced, numerals)
  local parameters = {}
  for _, name in ipairs(node.names(traced.graph, 'parameter')) do
    if not depends[name] then
      error(string.format('its result does not depend on parameter "%s"', name), 0)
    end
    parameters[#parameters + 1] = name
  end
  if #parameters > most_parameters then
    error(string.format('an activation has at most %d parameters', most_parameters), 0)
  end
  return { result = traced.result, gated = traced.role == 'up', parameters = parameters }
end

return M
