--- Whether a function survives f32. Constants are judged where they are traced, but operations can
--- overflow or vanish as well: exp(10 * x) / (1 + exp(10 * x)) is NaN in f32 from x = 8.9 on, and
--- x / sqrt(x * x + p.e * p.e) is NaN at 0 if the square of p.e becomes 0. So a kernel's graph is
--- computed in double and in f32 at ordinary places, where it must be about the same number. What
--- is merely inexact is told by the bound on a kernel's error. Far out, where f32 overflows first
--- and double soon after, a function is left to itself.
local derive = require 'activation.graph.derive'
local node = require 'activation.graph.node'
local number = require 'activation.graph.number'
local numbers = require 'common.number'

local M = {}

--- Ordinary sizes: of what goes into an activation, and of what comes out.
local smallest, largest = 0x1p-10, 16.0
local least, most = 1e-3, 1e6

--- A part of a number by which the ends of f32's range may move it.
local astray = 0.01

local function is_ordinary(x)
  local size = math.abs(x)
  return size == 0 or size >= smallest and size <= largest
end

local function is_finite(v) return math.abs(v) < math.huge end

---@class Place  where a function is looked at
---@field x number
---@field up number
---@field setting table<string, number>  of its parameters

--- Where a graph is looked at that nobody has called.
local xs = { 0.0, -0.0, 0x1p-10, -0x1p-10, 0.3, -0.3, 1.0, -1.0, 3.7, -3.7, 16.0, -16.0 }

---@param settings table<string, number>[]
---@return Place[]
local function places_of(settings)
  local list = {}
  for i, setting in ipairs(settings) do
    for j, x in ipairs(xs) do
      -- Every x meets another one.
      list[#list + 1] = { x = x, up = xs[(5 * j + i) % #xs + 1], setting = setting }
    end
  end
  return list
end

--- Values of a graph's leaves at a place. Inputs and parameters are f32s.
local function leaf_at(place)
  return function(leaf)
    if leaf.op == 'constant' then return leaf.value end
    if leaf.op == 'parameter' then return numbers.to_f32(place.setting[leaf.name]) end
    return numbers.to_f32(leaf.name == 'x' and place.x or place.up)
  end
end

--- A number with f32's digits, where it is one that f32 can carry, and with those of a double where
--- it is not: what f32 would give if its range had no ends.
local function endless(v)
  local single = numbers.to_f32(v)
  local size = math.abs(single)
  return (size < 0x1p-126 or size == math.huge) and v or single
end

local words = { add = 'a sum', sub = 'a difference', mul = 'a product', div = 'a quotient' }

--- The operation that f32 cannot carry: the first that overflows, or else that vanishes; nil where
--- none does.
local function culprit(result, place)
  local values, vanishing = number.evaluator_of_all({ result }, endless)(leaf_at(place)), nil
  for _, n in ipairs(node.needed { result }) do
    local lost = is_finite(values[n]) and numbers.lost(values[n])
    local what = lost and ('%s is %.3g, which %s'):format(words[n.op] or n.op, values[n], lost)
    if lost and math.abs(values[n]) > 1 then return what end
    vanishing = vanishing or what or nil
  end
  return vanishing
end

local function shown(v)
  return v ~= v and 'NaN' or is_finite(v) and ('%.9g'):format(v) or 'an infinity'
end

--- A place in words.
---@param place Place
---@param gated boolean   it is a function of both branches
---@param names string[]  of its parameters
function M.where(place, gated, names)
  local at = ('x = %.9g'):format(place.x)
  if gated then at = ('gate = %.9g, up = %.9g'):format(place.x, place.up) end
  for _, name in ipairs(names) do
    at = ('%s, %s = %.9g'):format(at, name, place.setting[name])
  end
  return at
end

---@class Arithmetics  how graphs are computed: see number.evaluator_of_all()
---@field results GraphNode[]
---@field abouts string[]  what each is, for messages
---@field exact fun(leaf: function): table<GraphNode, number>    in double
---@field single fun(leaf: function): table<GraphNode, number>   in f32
---@field endless fun(leaf: function): table<GraphNode, number>  as f32 if its range had no ends

---@return Arithmetics
local function arithmetics_of(results, abouts)
  return {
    results = results, abouts = abouts, exact = number.evaluator_of_all(results),
    single = number.evaluator_of_all(results, numbers.to_f32),
    endless = number.evaluator_of_all(results, endless),
  }
end

--- What is wrong in f32 with a result that is an ordinary number: it is none there, or another
--- because f32's range ends. Other digits are the bound's to tell.
---@return number|nil wanted
---@return number|nil single
local function difference(of, result, leaf, exact, single)
  local function is_near(v) return math.abs(single - v) <= astray * math.abs(v) end
  if not is_finite(single) then return exact, single end
  if math.abs(exact) < least or is_near(exact) then return nil end
  local without_ends = of.endless(leaf)[result]
  if is_finite(without_ends) and not is_near(without_ends) then return without_ends, single end
end

--- The first of some places where a graph is an ordinary number and in f32 another or none.
---@param of Arithmetics
---@param places Place[]
---@param gated boolean
---@param names string[]  of parameters
---@return string|nil problem
---@return boolean some  there were ordinary places where the first result is a number
local function problem_at(of, places, gated, names)
  local some = false
  for _, place in ipairs(places) do
    if is_ordinary(place.x) and is_ordinary(place.up) then
      local leaf = leaf_at(place)
      local exact, single = of.exact(leaf), of.single(leaf)
      some = some or is_finite(exact[of.results[1]])
      for i, result in ipairs(of.results) do
        local wanted, given
        if math.abs(exact[result]) <= most then
          wanted, given = difference(of, result, leaf, exact[result], single[result])
        end
        if wanted then
          return ('%sat %s it is %s, but in f32 %s: %s'):format(of.abouts[i],
            M.where(place, gated, names), shown(wanted), shown(given),
            culprit(result, place) or 'digits that f32 does not have decide'), some
        end
      end
    end
  end
  return nil, some
end

--- The same of a function that was called at some places.
---@param result GraphNode of a kernel's graph
function M.problem(result, places, gated, names)
  return problem_at(arithmetics_of({ result }, { '' }), places, gated, names)
end

--- Parameters that come with the weights.
local function settings_of(names)
  local list = {}
  for i, values in ipairs { { 0.25, 0.7 }, { 1.9, -0.8 }, { 1.0, 0.0 } } do
    list[i] = {}
    for j, name in ipairs(names) do list[i][name] = values[1] + values[2] * j end
  end
  return #names > 0 and list or { {} }
end

---@class Known  of an activation
---@field value Arithmetics
---@field trained Arithmetics|nil  with its derivatives
---@field problems table<string, string|false>  by what is asked

---@type table<Activation, Known>
local all_known = setmetatable({}, { __mode = 'k' })

--- A function and its derivatives.
local function trained_of(activation)
  local names = derive.variables(activation.both, activation.parameters)
  local value, by = derive.all(activation.differentiated, names)
  local results, abouts = { value }, { '' }
  for i, name in ipairs(names) do
    results[i + 1], abouts[i + 1] = by[name], ('its derivative by %s: '):format(name)
  end
  return arithmetics_of(results, abouts)
end

--- What a layer cannot compute of a traced activation, or nil: its value where parameters are
--- fixed, its derivatives where it is trained. A value without fixed parameters was looked at when
--- it was traced, and what is written by hand is tested.
---@param activation Activation
---@param parameters number[]|nil  fixed ones
---@param trained boolean
---@return string|nil
function M.problem_of(activation, parameters, trained)
  if not activation.running or not (parameters or trained) then return nil end
  local names, known = activation.parameters, all_known[activation]
  if not known then
    known = { value = arithmetics_of({ activation.result }, { '' }), problems = {} }
    all_known[activation] = known
  end
  known.trained = known.trained or trained and trained_of(activation) or nil
  local key = (trained and 'trained ' or '') .. table.concat(parameters or {}, ' ')
  if known.problems[key] == nil then
    local settings = settings_of(names)
    if parameters then
      settings = { {} }
      for i, name in ipairs(names) do settings[1][name] = parameters[i] end
    end
    local of = trained and known.trained or known.value
    local problem = problem_at(of, places_of(settings), activation.both, names)
    known.problems[key] = problem or false
  end
  return known.problems[key] or nil
end

return M
