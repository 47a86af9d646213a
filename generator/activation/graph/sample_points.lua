--- Where a graph is looked at that nobody has called: at inputs of ordinary sizes, at those of its
--- own numbers and near them, and at parameters as weights have them.
local nodes = require 'activation.graph.node'
local numbers = require 'common.number'

local M = {}

---@class SamplePoint
---@field x number
---@field up number
---@field setting table<string, number>  of its parameters

--- What is ordinary, but for zeros.
local smallest, largest = 0x1p-10, 16.0

local function add_both(list, size)
  list[#list + 1], list[#list + 2] = size, -size
end

--- Inputs that every function meets, those first that a message is best read with.
local function ordinary()
  local list = {}
  for _, size in ipairs { 0.0, 1.0, 0.1, 0.3, 0.7, 3.7, 0.03, 0.01, 0.003, smallest } do
    add_both(list, size)
  end
  for quarters = 1, 64 do add_both(list, quarters / 4) end
  return list
end

--- And at which pairs of them functions of both branches are all looked at.
local few = { 0.0, smallest, -smallest, 0.3, -0.3, 1.0, -1.0, 3.7, -3.7, 10.0, -10.0, largest,
  -largest }

--- A number itself, and neighbours near and not so near.
local around = { 1.0, 1.0 + 0x1p-20, 1.0 - 0x1p-20, 1.0 + 0x1p-8, 1.0 - 0x1p-8 }

--- Inputs for a function with some numbers of its own.
---@param own number[]
local function inputs_of(own)
  local list, seen = ordinary(), {}
  for _, value in ipairs(own) do
    for _, factor in ipairs(seen[math.abs(value)] and {} or around) do
      local size = math.abs(value * factor)
      if size >= smallest and size <= largest then add_both(list, size) end
    end
    seen[math.abs(value)] = true
  end
  return list
end

--- Values of parameters that come with the weights: all alike, and each its own.
---@param names string[]
---@return table<string, number>[]
function M.settings(names)
  if #names == 0 then return { {} } end
  local list = {}
  for i, values in ipairs { { 1.0 }, { 0.25, 2.0 }, { 2.0, 0.25 }, { 0.5, 1.5, 0.75 } } do
    list[i] = {}
    for j, name in ipairs(names) do list[i][name] = values[(j - 1) % #values + 1] end
  end
  return list
end

---@param results GraphNode[] of one graph
---@param settings table<string, number>[]
---@param names string[] of parameters
---@param gated boolean   it is a function of both branches
---@return SamplePoint[]
function M.of(results, settings, names, gated)
  local list, constants = {}, {}
  for _, n in ipairs(nodes.needed(results)) do
    if n.op == 'constant' then constants[#constants + 1] = n.value end
  end
  for i, setting in ipairs(settings) do
    local own = { table.unpack(constants) }
    for _, name in ipairs(names) do own[#own + 1] = setting[name] end
    local xs = inputs_of(own)
    local function add(x, up)
      list[#list + 1] = { x = numbers.to_f32(x), up = numbers.to_f32(up), setting = setting }
    end
    for j, x in ipairs(xs) do
      add(x, xs[(5 * j + i) % #xs + 1])
      if gated then
        add(x, x)
        add(x, -x)
        add(1.0, x)
      end
    end
    for _, x in ipairs(gated and i == 1 and few or {}) do
      for _, up in ipairs(few) do add(x, up) end
    end
  end
  return list
end

return M
