--- Chains of products: each takes what the one before gives, or a function of that; gate and up are
--- one stage. What ends a chain is said, and is no error.
local labels = require 'import.onnx.labels'
local regions = require 'import.onnx.regions'
local rounding = require 'import.onnx.rounding_steps'

local M = {}

---@class ChainStage
---@field products Product[]   one, or gate and up
---@field streams ProductStream[]
---@field applied Applied      what is done to its sums
---@field region Region
---@field why string|false     what ended the chain here
---@field lost string|false    why the stage is none: a bias of its products would be left out

local most_tails = 64 -- ends of a last product that are tried

---@class Chaining
---@field found Streams
---@field find fun(region: Region): Applied|nil, string|nil
---@field links table<Product, { region: Region, applied: Applied }>  by the product behind
---@field followed table<Product, Product>
---@field ends table<Product, string>  why nothing follows, by the last product
---@field regions table<Value, { region: Region|nil, why: string|nil }>  that were asked for
---@field is_float boolean   what is rounded between products stays f32
---@field roundings Refused[]  that alone part two products, or a product and its bias
---@field is_told table<GraphStep, boolean> these

--- The region of a value, which many products may take.
local function region_of(c, value)
  if not c.regions[value] then
    local region, why = regions.of(value)
    c.regions[value] = { region = region, why = why }
  end
  return c.regions[value].region, c.regions[value].why
end

--- Why a product is none behind a region, or nil.
local function no_link(product, region)
  local x = product.x
  if x.is_output then return ('%s is an output of its graph'):format(labels.quoted(x.name)) end
  for _, use in ipairs(x.uses) do
    if use ~= (product.taker or product.step) then
      return ('%s goes to %s, and to %s'):format(labels.quoted(x.name), labels.step(product.step),
        labels.step(use))
    end
  end
  local of = region.leaves[1].stream
  if of.count ~= product.inputs or of.product.axis ~= product.axis then
    return ('%s does not multiply what %s gives row by row'):format(labels.step(product.step),
      labels.step(of.product.step))
  end
end

--- The first step of a region that rounds what stays f32 in a layer, or nil: who takes the region
--- may round alike.
---@param taker Product|nil
local function rounder_of(c, region, taker)
  for _, step in ipairs(not c.is_float and region.narrows and region.steps or {}) do
    local operand = taker and taker.operand
    if step.narrows and not (operand and operand.back == step) then return step end
  end
end

--- Why a step that rounds ends a chain.
---@param taker Product|nil  of what it rounds
local function problem_of(step, taker)
  local unkept = taker and taker.unkept
  return rounding.problem(step, nil, unkept and unkept.step == step and unkept.why)
end

--- Why a region that rounds is none of a layer, or nil.
local function rounds(c, region)
  local step = rounder_of(c, region)
  return step and ('%s: %s'):format(labels.step(rounding.rounder(step)), problem_of(step))
end

--- Tells of a step that rounds, and that nothing else parts what belongs together.
local function tell(c, step, why)
  if not c.is_told[step] then c.roundings[#c.roundings + 1] = { step = step, why = why } end
  c.is_told[step] = true
end

--- Looks what a product takes.
local function link(c, product)
  local x = product.x
  if not (x.stream or x.leaves) or x.scope ~= product.step.scope then return end
  local region, why = region_of(c, x)
  local applied
  why = why or no_link(product, region)
  if not why then applied, why = c.find(region) end
  local step = applied and rounder_of(c, region, product)
  if step then
    local rounder, problem = rounding.rounder(step), problem_of(step, product)
    tell(c, rounder, problem)
    applied, why = nil, ('%s: %s'):format(labels.step(rounder), problem)
  end
  if applied then
    c.links[product] = { region = region, applied = applied }
    for _, leaf in ipairs(region.leaves) do c.followed[leaf.stream.product] = product end
  else
    for _, leaf in ipairs(x.stream and { x } or x.leaves) do c.ends[leaf.stream.product] = why end
  end
end

--- What the steps give that is a function of a product behind which there is none, by that product.
---@return table<Product, Value[]>
local function ends_of(c, steps)
  local list = {}
  for _, product in ipairs(c.found.products) do list[product] = { product.sums or nil } end
  for _, step in ipairs(steps) do
    for _, out in ipairs(step.outs) do
      local own = out and not out.quantised and (out.stream and { out } or out.leaves)
      for _, leaf in ipairs(own or {}) do
        table.insert(list[leaf.stream.product], out)
      end
    end
  end
  return list
end

--- Whether the last that is done to a value is to round it: nothing of a layer's is behind that.
local function is_rounded_last(value)
  local step = value.step
  if value.stream then return value.stream.rounded ~= false end
  while step and step.is_same and not step.narrows do step = step.ins[1] and step.ins[1].step end
  return step and step.narrows
end

--- Why a product is not taken without what is added to its sums behind a rounding, or nil.
local function lost(c, product, values)
  if product.lost then return product.lost end
  for _, value in ipairs(c.is_float and {} or values) do
    for _, leaf in ipairs(value.stream and { value } or value.leaves) do
      local parted = leaf.stream.product == product and leaf.stream.parted
      if parted then
        local step = rounding.rounder(parted.by)
        tell(c, step, rounding.parts(parted))
        return ('%s: %s'):format(labels.step(step), rounding.parts(parted))
      end
    end
  end
end

--- The last value that is a function of a last product alone, or of it and another last one; and
--- why the product is not taken at all.
---@return Region
---@return Applied
---@return string|nil lost
local function tail(c, product, values)
  local best, best_applied, parting
  local why_lost = lost(c, product, values)
  for i = #values, math.max(1, #values - most_tails), -1 do
    local value = values[i]
    local leaves = value.stream and { value } or value.leaves
    local is_free = true
    for _, leaf in ipairs(leaves) do
      is_free = is_free and not c.followed[leaf.stream.product]
    end
    if is_free and (#leaves == 2 or not best) and not is_rounded_last(value) then
      local region, why = region_of(c, value)
      local applied, problem
      if not why then applied, problem = c.find(region) end
      if applied and rounds(c, region) then
        if #leaves == 2 then parting = region.narrows end
        applied, problem = nil, rounds(c, region)
      end
      if applied and #leaves == 2 then return region, applied, why_lost end
      if applied then best, best_applied = region, applied end
      c.ends[product] = c.ends[product] or why or problem
    end
  end
  if parting then tell(c, rounding.rounder(parting), rounding.problem(parting)) end
  if not best then
    best = { value = values[1], leaves = { values[1] }, steps = {} }
    best_applied = c.find(best)
  end
  return best, best_applied, why_lost
end

--- Streams of a region in the order gate, up.
local function ordered(region, applied)
  local list = {}
  for i, leaf in ipairs(region.leaves) do list[i] = leaf.stream end
  if applied.turned then list[1], list[2] = list[2], list[1] end
  return list
end

local function stage(c, region, applied, why_lost)
  local list, products = ordered(region, applied), {}
  for i, of in ipairs(list) do products[i] = of.product end
  return {
    products = products, streams = list, applied = applied, region = region,
    why = c.ends[products[1]] or c.ends[products[2] or products[1]] or false,
    lost = why_lost or false,
  }
end

--- The chain that begins with a stage of some product.
---@return ChainStage[]
local function chain(c, first, values, done)
  local list, product = {}, first
  while product do
    local next_one = c.followed[product]
    local region, applied, why_lost
    if next_one then
      region, applied = c.links[next_one].region, c.links[next_one].applied
    else
      region, applied, why_lost = tail(c, product, values[product])
    end
    local made = stage(c, region, applied, why_lost)
    for _, own in ipairs(made.products) do done[own] = true end
    list[#list + 1], product = made, next_one
  end
  return list
end

--- All chains, in the order of their first products.
---@param found Streams
---@param steps GraphStep[]
---@param find fun(region: Region): Applied|nil, string|nil
---@param options ImportOptions
---@return ChainStage[][]
---@return Refused[]  roundings that alone part two products, or a product and its bias
function M.of(found, steps, find, options)
  local c = { found = found, find = find, links = {}, followed = {}, ends = {},
    regions = {}, roundings = {}, is_told = {}, is_float = options.float_activations }
  for _, product in ipairs(found.products) do link(c, product) end
  local values, chains, done = ends_of(c, steps), {}, {}
  -- A chain begins where a product takes what none of them gives.
  for _, product in ipairs(found.products) do
    if not c.links[product] and not done[product] then
      chains[#chains + 1] = chain(c, product, values, done)
    end
  end
  return chains, c.roundings
end

return M
