--- Whether a function survives f32. Constants are judged where they are traced, but operations can
--- overflow or vanish as well: exp(10 * x) / (1 + exp(10 * x)) is NaN in f32 from x = 8.9 on, and
--- x / sqrt(x * x + p.e * p.e) is NaN at 0 if the square of p.e becomes 0. So a kernel's graph is
--- computed in double and in f32 at ordinary places, where it must be about the same number. What
--- is merely inexact is told by the bound on a kernel's error. Far out, where f32 overflows first
--- and double soon after, a function is left to itself. A derivative is a number wherever the
--- function is one, if only by the rules for kinks.
local derive = require 'activation.graph.derive'
local nodes = require 'activation.graph.node'
local number = require 'activation.graph.number'
local numbers = require 'common.number'
local sample_points = require 'activation.graph.sample_points'

local M = {}

--- What is too small beside the largest value of a function, or beside 1, to be told from nothing.
local least = 1e-3

--- The digits that f32 has can make a pole of what is larger, or of what is not: that is no matter
--- of its range.
local most = 1e6

--- A part of a number by which the ends of f32's range may move it.
local astray = 0.01

local function is_finite(v) return math.abs(v) < math.huge end

--- Values of a graph's leaves at a place. Inputs and parameters are f32s.
local function leaf_at(place)
  return function(leaf)
    if leaf.op == 'constant' then return leaf.value end
    if leaf.op == 'parameter' then return numbers.to_f32(place.setting[leaf.name]) end
    return leaf.name == 'x' and place.x or place.up
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

--- A number that f32 loses, with as many digits as tell so.
local function told(v, lost)
  for _, digits in ipairs { '%.3g', '%.9g' } do
    local text = digits:format(v)
    if numbers.lost(tonumber(text)) == lost then return text end
  end
  return numbers.shown(v)
end

--- The operation that f32 cannot carry: the first that overflows, or else that vanishes; nil where
--- none does.
local function culprit(result, place)
  local values, vanishing = number.evaluator_of_all({ result }, endless)(leaf_at(place)), nil
  for _, n in ipairs(nodes.needed { result }) do
    local lost = is_finite(values[n]) and numbers.lost(values[n])
    local what = lost
      and ('%s is %s, which %s'):format(words[n.op] or n.op, told(values[n], lost), lost)
    if lost and math.abs(values[n]) > 1 then return what end
    vanishing = vanishing or what or nil
  end
  return vanishing
end

local function shown(v)
  return v ~= v and 'NaN' or is_finite(v) and ('%.9g'):format(v) or 'an infinity'
end

--- A place in words.
---@param place SamplePoint
---@param gated boolean   it is a function of both branches
---@param names string[]  of its parameters
---@param tried boolean|nil parameters are such as weights may have
function M.where(place, gated, names, tried)
  local at = ('x = %.9g'):format(place.x)
  if gated then at = ('gate = %.9g, up = %.9g'):format(place.x, place.up) end
  for i, name in ipairs(names) do
    local before = i == 1 and tried and ' and run-time parameters such as ' or ', '
    at = ('%s%s%s = %.9g'):format(at, before, name, place.setting[name])
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

--- What is wrong in f32 with a result that f32 can hold: it is no number there, or another because
--- f32's range ends. Other digits are the bound's to tell.
---@param of Arithmetics
---@param result GraphNode
---@param leaf function
---@param exact number
---@param single number
---@param smallest number  that is told from nothing
---@return number|nil wanted
---@return number|nil single
local function difference(of, result, leaf, exact, single, smallest)
  local function is_near(v) return math.abs(single - v) <= astray * math.abs(v) end
  if not is_finite(numbers.to_f32(exact)) then return nil end
  local size = math.abs(exact)
  if is_finite(single) and (size < smallest or is_near(exact)) then return nil end
  local without_ends = of.endless(leaf)[result]
  if not is_finite(single) then
    if size <= most or is_finite(without_ends) then return exact, single end
  elseif is_finite(without_ends) and not is_near(without_ends) then
    return without_ends, single
  end
end

---@class Look  at a graph, in one place
---@field place SamplePoint
---@field exact number[]   its results in double
---@field single number[]  and in f32

--- What a graph is at some places, and the largest size of each result.
---@param of Arithmetics
---@param list SamplePoint[]
---@param take fun(steps: integer)|nil
---@return Look[]
---@return number[] sizes
local function looks_of(of, list, take)
  if take then take(#list * #nodes.needed(of.results)) end
  local looks, sizes = {}, {}
  for i, place in ipairs(list) do
    local leaf, look = leaf_at(place), { place = place, exact = {}, single = {} }
    local exact, single = of.exact(leaf), of.single(leaf)
    for j, result in ipairs(of.results) do
      look.exact[j], look.single[j] = exact[result], single[result]
      local size = math.abs(exact[result])
      if is_finite(size) then sizes[j] = math.max(sizes[j] or 0.0, size) end
    end
    looks[i] = look
  end
  return looks, sizes
end

--- What is wrong with a result at a place, in words, or nil.
---@param of Arithmetics
---@param look Look
---@param i integer of the result
---@param largest number
local function wrong(of, look, i, largest)
  local result, exact = of.results[i], look.exact[i]
  if i > 1 and is_finite(look.exact[1]) and not is_finite(exact) then
    return ('is %s, where the function is %.9g'):format(shown(exact), look.exact[1])
  end
  local wanted, given = difference(of, result, leaf_at(look.place), exact, look.single[i],
    least * math.min(largest, 1.0))
  return wanted and ('is %s, but in f32 %s: %s'):format(shown(wanted), shown(given),
    culprit(result, look.place) or 'digits that f32 does not have decide')
end

--- The first of some places where a graph is a number and in f32 another or none.
---@param of Arithmetics
---@param settings table<string, number>[]  of its parameters
---@param gated boolean
---@param names string[]  of parameters
---@param tried boolean   they come with the weights
---@param take fun(steps: integer)|nil
---@return string|nil problem
---@return boolean some  there were places where the first result is a number
local function problem_at(of, settings, gated, names, tried, take)
  local looks, sizes = looks_of(of, sample_points.of(of.results, settings, names, gated), take)
  for _, look in ipairs(looks) do
    for i, about in ipairs(of.abouts) do
      local what = wrong(of, look, i, sizes[i] or 0.0)
      if what then
        local at = M.where(look.place, gated, names, tried)
        return ('%sat %s it %s'):format(about, at, what), true
      end
    end
  end
  return nil, sizes[1] ~= nil
end

--- The same of a function without parameters.
---@param result GraphNode of a kernel's graph
---@param gated boolean
---@param take fun(steps: integer)|nil  counts operations, each at one place, that this takes
function M.problem(result, gated, take)
  return problem_at(arithmetics_of({ result }, { '' }), { {} }, gated, {}, false, take)
end

---@type table<Activation, table<string, string|false>>  by what is asked
local known = setmetatable({}, { __mode = 'k' })

--- A function and those of its derivatives that a layer computes: none by fixed parameters.
---@param activation Activation
---@param fixed boolean
---@return Arithmetics
local function trained_of(activation, fixed)
  local names = derive.variables(activation.both, fixed and {} or activation.parameters)
  local value, by = derive.all(activation.differentiated, names)
  local results, abouts = { value }, { '' }
  for i, name in ipairs(names) do
    results[i + 1], abouts[i + 1] = by[name], ('its derivative by %s: '):format(name)
  end
  return arithmetics_of(results, abouts)
end

--- What a layer cannot compute of a traced activation, or nil: its value, and its derivatives where
--- it is trained. A value without parameters was looked at when it was traced, and what is written
--- by hand is tested.
---@param activation Activation
---@param parameters number[]|nil  fixed ones; nil: they come with the weights, or there are none
---@param trained boolean
---@param take fun(steps: integer)|nil  counts operations, each at one place, that this takes
---@return string|nil
function M.problem_of(activation, parameters, trained, take)
  local names = activation.parameters
  if not activation.running or #names == 0 and not trained then return nil end
  known[activation] = known[activation] or {}
  local problems = known[activation]
  local key = (trained and 'trained ' or '') .. table.concat(parameters or {}, ' ')
  if problems[key] == nil then
    local settings = sample_points.settings(names)
    if parameters then
      settings = { {} }
      for i, name in ipairs(names) do settings[1][name] = parameters[i] end
    end
    local of = trained and trained_of(activation, parameters ~= nil)
      or arithmetics_of({ activation.result }, { '' })
    local problem = problem_at(of, settings, activation.both, names, not parameters, take)
    problems[key] = problem or false
  end
  return problems[key] or nil
end

return M
