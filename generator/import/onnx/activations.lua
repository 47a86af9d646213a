--- What a region does to the outputs of a product, or of two, as an activation of a spec: the
--- function is traced and compared like one that a spec tells itself.
local activations = require 'activation'
local forms = require 'activation.graph.forms'
local known_activations = require 'activation.graph.known_activations'
local labels = require 'import.onnx.labels'
local lists = require 'common.list'
local nodes = require 'activation.graph.node'
local operators = require 'import.onnx.operators'
local text = require 'activation.graph.text'
local trace = require 'activation.graph.trace'
local views = require 'import.onnx.views'

local M = {}

---@class Applied
---@field activation Activation|false  one of the project's
---@field value number|false     of its parameter
---@field text string|false      of one without a name
---@field is_gated boolean       it is a function of the gate, times the other branch
---@field turned boolean         the second of both streams is the gate

--- What the region gives, by what its leaves are.
local function told(region, inputs, way, opset)
  local values = {}
  for i, leaf in ipairs(region.leaves) do values[leaf] = inputs[i] end
  if region.gated then values[region.gated] = inputs[2] end
  local telling = {
    way = way, opset = opset, value_of = function(value) return values[value] end,
  }
  for i, step in ipairs(region.steps) do
    local out = step.outs[1]
    if out and not out.stream then
      local args = {}
      for j, taken in ipairs(step.ins) do
        args[j] = taken and (values[taken] or views.number(taken)) or false
      end
      local operator = not step.is_same and operators.of(step)
      local result = step.is_same and args[1]
        or operator and operators.apply(operator, args, step, telling)
      if not result then
        region.stuck = i
        error(('%s is not told element by element'):format(step.op), 0)
      end
      values[out] = result
    end
  end
  return values[region.value]
end

--- The numbers in it: where it may branch.
local function numerals(region)
  local list = {}
  for _, step in ipairs(region.steps) do
    for _, taken in ipairs(step.ins) do
      local one = taken and views.number(taken)
      if one and math.abs(one) < 1e30 and one == one then list[#list + 1] = one end
    end
  end
  return { table.unpack(lists.unique(list), 1, 24) }
end

--- The graph of a region, or nil and why it has none.
---@return TracedFunction|nil
---@return string|nil
local function graph_of(region, way, opset, is_turned)
  local function f(x, up)
    return told(region, is_turned and { up, x } or { x, up }, way, opset)
  end
  local both = #region.leaves == 2 or region.gated
  local ok, traced = pcall(trace.graph, both and function(gate, up) return f(gate, up) end
    or function(x) return f(x) end, numerals(region))
  if ok then return traced end
  -- What has a place in our code is a defect.
  if type(traced) ~= 'string' or traced:find '%.lua:%d' then error(traced, 0) end
  return nil, traced
end

--- A graph without a factor that is the other branch; nil where that is more than a factor.
---@param result GraphNode
---@return GraphNode|nil
local function without_up(result)
  local graph, has = nodes.new(math.huge), {}
  for _, n in ipairs(nodes.needed { result }) do
    has[n] = n.op == 'input' and n.name == 'up'
    for _, operand in ipairs(n) do has[n] = has[n] or has[operand] end
  end
  local function copied(n)
    return nodes.fold(n, function(own, operands)
      return graph:make(own.op, operands, own.value or own.name or own.exponent)
    end)
  end
  local path, n = {}, result
  while n.op ~= 'input' do
    local side = n.op == 'mul' and has[n[2]] and 2 or 1
    if n.op ~= 'mul' and n.op ~= 'div' or has[n[3 - side]] or #path > 64 then return nil end
    path[#path + 1], n = { n = n, side = side }, n[side]
  end
  local left -- nil: a factor of 1
  for i = #path, 1, -1 do
    local op, other = path[i].n.op, copied(path[i].n[3 - path[i].side])
    if left or op == 'div' then
      local operands = { other, left }
      if path[i].side == 1 then operands = { left or graph:constant(1.0), other } end
      left = graph:make(op, operands)
    else
      left = other
    end
  end
  return left
end

local function is_x(n) return n.op == 'input' and n.name == 'x' end

--- The activation that a graph of x is: named, or as a line of a spec.
local function named(result, both)
  local list = lists.filter(lists.map(activations.names, function(name)
    return activations.by_name[name]
  end), function(activation) return activation.both == both end)
  local activation, value = known_activations.named(forms.kernel(result), list)
  return activation and { activation = activation, value = value or false, text = false }
end

local as_it_is = { activation = activations.by_name.identity, value = false, text = false }

--- Of one product.
local function plain(region, opset)
  local first, why = graph_of(region, 1, opset)
  if first and is_x(first.result) then return as_it_is end
  local found = first and named(first.result, false)
  local second = not found and graph_of(region, 2, opset)
  found = found or second and named(second.result, false)
  if found then return found end
  local best = second or first
  return best and { activation = false, value = false, text = text.of(best.result, false) }, why
end

--- Of one product, and of what it multiplies as a factor.
local function self_gated(region, opset)
  local why
  for way = 1, 2 do
    local traced, problem = graph_of(region, way, opset)
    local left = traced and without_up(traced.result)
    why = why or problem or traced and not left
      and 'what the product multiplies is more than a factor of its function'
    local found = left and (is_x(left) and as_it_is or named(left, false))
    if found or left and way == 2 then
      return {
        is_gated = true, turned = false, activation = found and found.activation or false,
        value = found and found.value or false, text = not found and text.of(left, false),
      }
    end
  end
  return nil, why
end

--- Of gate and up, whichever is which.
local function gated(region, opset)
  local why, open
  for way = 1, 2 do
    for turn = 1, 2 do
      local traced, problem = graph_of(region, way, opset, turn == 2)
      why = why or problem
      if traced then
        local left = without_up(traced.result)
        local found = left and is_x(left) and as_it_is
          or left and named(left, false) or named(traced.result, true)
        local result = {
          is_gated = left ~= nil, turned = turn == 2, activation = false, value = false,
        }
        if found then
          result.activation, result.value, result.text = found.activation, found.value, false
          return result
        end
        if left or not open then
          result.text = text.of(left or traced.result, left == nil)
          open = open and open.is_gated and open or result
        end
      end
    end
  end
  return open, why
end

--- A text that regions share where they do the same.
local function key_of(region, opset)
  local parts, number = { opset }, {}
  for i, leaf in ipairs(region.leaves) do number[leaf] = 'leaf ' .. i end
  if region.gated then number[region.gated] = 'x' end
  for i, step in ipairs(region.steps) do
    parts[#parts + 1] = step.cuts and step.op .. ' cuts' or step.op
    for _, name in ipairs(step.node.names) do
      local a = step.node.attributes[name]
      parts[#parts + 1] = ('%s=%s,%s,%s'):format(name, a.f, a.i, a.s)
    end
    for _, taken in ipairs(step.ins) do
      local one = taken and views.number(taken)
      parts[#parts + 1] = one and ('%a'):format(one) or number[taken] or '-'
    end
    for j, out in ipairs(step.outs) do
      if out and not number[out] then number[out] = i .. ' ' .. j end
    end
  end
  return table.concat(parts, '\n')
end

--- What was found once; where nothing was, why, and the how-many-th step is not told.
local answers = {} ---@type table<string, { found: Applied|nil, why: string|nil, at: integer|nil }>

local most_asked = 128 -- different ones of a model: each is traced

--- Asks what regions are; who asks again gets the same answer.
---@param opset integer
---@return fun(region: Region): Applied|nil, string|nil
function M.finder(opset)
  local asked, count = {}, 0
  return function(region)
    if region.value.stream then return as_it_is end
    local key = key_of(region, opset)
    if not asked[key] then
      if count == most_asked then
        return nil, ('more than %d different activations are not looked at'):format(most_asked)
      end
      asked[key], count = true, count + 1
    end
    if not answers[key] then
      local found, why
      if region.gated then
        found, why = self_gated(region, opset)
      elseif #region.leaves == 2 then
        found, why = gated(region, opset)
      else
        found, why = plain(region, opset)
      end
      answers[key] = { found = found, why = why, at = region.stuck }
    end
    local answer = answers[key]
    local step = not answer.found and answer.at and region.steps[answer.at]
    return answer.found, step and ('%s: %s'):format(labels.step(step), answer.why) or answer.why
  end
end

return M
