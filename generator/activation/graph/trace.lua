--- Tracing: a function of a spec -> a graph. It is called once with symbols, and then with plain
--- numbers, since Lua tells no symbol of `==` with a number, `not`, `and` and `or`: where the graph
--- says something else than the function, control flow is hidden in it.
local f32_range = require 'activation.graph.f32_range'
local forms = require 'activation.graph.forms'
local nodes = require 'activation.graph.node'
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

--- The first numerals: so many points must do.
local function few(numerals) return { table.unpack(numerals, 1, 6) } end

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
  add(function(i) return 0.25 + 0.7 * i end)
  add(function(i) return 1.9 - 0.8 * i end)
  for _, v in ipairs(with({ 1.0, 0.0, -1.5 }, few(numerals))) do add(function() return v end) end
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

---@class Sample  what a function gave for plain numbers
---@field x number
---@field up number
---@field setting table<string, number>  of its parameters
---@field given any

--- What a function gives, called by the form that its symbols showed.
local function call(f, traced, x, up, setting)
  local parameters = parameter_table(setting)
  if traced.third then return f(x, up, parameters) end
  if traced.role == 'parameters' then return f(x, parameters) end
  if traced.role == 'up' then return f(x, up) end
  return f(x)
end

--- Calls the function on plain numbers: everywhere for the first parameters, then here and there.
---@return Sample[]
local function samples_of(f, traced, numerals)
  local list, both = {}, traced.role == 'up'
  local names = nodes.names(traced.graph, 'parameter')
  local function add(x, up, setting)
    list[#list + 1] = {
      x = x, up = up, setting = setting, given = call(f, traced, x, up, setting),
    }
  end
  for i, setting in ipairs(settings(names, numerals)) do
    local points = both and with(somewhere, few(numerals))
      or i == 1 and with(everywhere, numerals) or with(somewhere, few(numerals))
    for j, x in ipairs(points) do
      if both and i == 1 then
        for _, up in ipairs(points) do add(x, up, setting) end
      else
        add(x, both and points[(j + i) % #points + 1] or 0.0, setting)
      end
    end
  end
  return list
end

local hidden = 'its result does not follow its graph: at %s it gives %s, the graph %s. No if, and, '
  .. 'or, not, == may look at a traced value: write select(lt(a, b), p, q)'

--- Complains of a sample that is not what the graph means.
---@param traced Traced
---@param value_of fun(leaf: function): number  of the graph
---@param sample Sample
local function compare(traced, value_of, sample)
  local x, up, given = sample.x, sample.up, sample.given
  local meant = value_of(function(leaf)
    if leaf.op == 'constant' then return leaf.value end
    if leaf.op == 'parameter' then return sample.setting[leaf.name] end
    return leaf.name == 'x' and x or up
  end)
  if math.type(given) and same(given * 1.0, meant) then return end
  local at = f32_range.where(sample, traced.role == 'up', nodes.names(traced.graph, 'parameter'))
  local shown = math.type(given) and ('%.9g'):format(given) or 'a ' .. type(given)
  error(hidden:format(at, shown, ('%.9g'):format(meant)), 0)
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

---@class Run  a function's calls, to be judged when they are over
---@field traced Traced
---@field samples Sample[]

--- Calls a function: once with symbols, and with plain numbers. Inside of a spec's limits, where
--- strings have no methods.
---@param f function
---@param numerals number[]  that stand in its text: where it may branch
---@return Run
function M.run(f, numerals)
  local traced = symbol.call(f, arguments_of(f))
  return { traced = traced, samples = samples_of(f, traced, numerals) }
end

--- Complains where a function is a number and its kernel would give none. What has parameters is
--- looked at with those of a layer.
---@param traced Traced
---@param take fun(steps: integer)|nil
local function expect_carried(traced, take)
  local problem, some = f32_range.problem(forms.kernel(traced.result), traced.role == 'up', take)
  if problem then
    error(problem .. '. Scale what goes into it, or keep it in range with min and max', 0)
  elseif not some then
    error('it is a finite number at no x that was looked at, neither 0 nor from 0.001 to 16', 0)
  end
end

---@class TracedFunction
---@field result GraphNode
---@field gated boolean       a function of both branches
---@field parameters string[] in the order in which the function reads them

--- The graph that a run showed, where its numbers are those of the function.
---@param run Run
---@param take fun(steps: integer)|nil
---@return TracedFunction
local function compared(run, take)
  local traced, depends = run.traced, {}
  local all = nodes.needed { traced.result }
  for _, needed in ipairs(all) do
    if needed.op == 'input' or needed.op == 'parameter' then depends[needed.name] = true end
  end
  if not depends.x then error('its result does not depend on its first argument', 0) end
  if traced.role == 'up' and not depends.up then
    error('its result does not depend on its second argument', 0)
  end
  if take then take(#all * #run.samples) end
  local value_of = number.evaluator(traced.result)
  for _, sample in ipairs(run.samples) do compare(traced, value_of, sample) end
  local parameters = nodes.names(traced.graph, 'parameter')
  for _, name in ipairs(parameters) do
    if not depends[name] then
      error(('its result does not depend on parameter "%s"'):format(name), 0)
    end
  end
  if #parameters > most_parameters then
    error(('an activation has at most %d parameters'):format(most_parameters), 0)
  end
  return { result = traced.result, gated = traced.role == 'up', parameters = parameters }
end

--- The graph that a run showed.
---@param run Run
---@param take fun(steps: integer)|nil  counts operations, each at one place, that this takes
---@return TracedFunction
function M.judge(run, take)
  local judged = compared(run, take)
  if #judged.parameters == 0 then expect_carried(run.traced, take) end
  return judged
end

--- The graph of a function that somebody else has built.
---@param f function
---@return TracedFunction
function M.graph(f, numerals) return M.judge(M.run(f, numerals or {})) end

--- The graph of a function of ours. Its kernel gives numbers where the function does: a test looks
--- at that, as it would take most of the time of each start of ffngen.
---@param f function
---@return TracedFunction
function M.shipped(f) return compared(M.run(f, {})) end

return M
