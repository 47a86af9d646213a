--- Which products belong together, whether they are taken or not: what one gives goes to another
--- element by element, is multiplied with what another gives, or added to that of one of the same
--- x. Norms, attention and residuals are where that ends. So half of a layer, whose other half is
--- not taken, is known for one.
local labels = require 'import.onnx.labels'
local lists = require 'common.list'
local moves = require 'import.onnx.moves'
local operators = require 'import.onnx.operators'

local M = {}

---@class Ties
---@field [GraphStep] Tie[]

---@class Tie  of two steps that multiply
---@field how string  'takes' (the second one what the first gives), 'times', 'plus', 'with'
---@field a GraphStep
---@field b GraphStep

local most = 8 -- products that a value is told to be of

--- What passes on each number, whatever it does to it, and is no operator that is told.
local passes = lists.set { 'QuantizeLinear', 'DynamicQuantizeLinear', 'Floor', 'Ceil', 'Round',
  'Sign', 'Sin', 'Cos', 'Sinh', 'Cosh', 'Atan', 'Shrink', 'com.microsoft.BiasAdd',
  'com.microsoft.BiasSplitGelu' }
local times = lists.set { 'Mul', 'Div' }
local plus = lists.set { 'Add', 'Sub', 'Sum' }

local function is_element_wise(step)
  return operators.has(step.op) or moves.has(step.op) or passes[step.op]
end

--- Whether a convolution is over more than single places, or of groups: no product of rows, which
--- nobody would take for a part of a layer.
---@param step GraphStep
local function is_spatial(step)
  if not step.op:find 'Conv' then return false end
  for _, value in ipairs(step.ins) do
    local dims = value and value.view and value.view.dims or {}
    for i = 3, #dims do
      if dims[i] ~= 1 then return true end
    end
  end
  local group = step.node.attributes.group
  return group ~= nil and group.i ~= 1
end

local same = lists.set { 'Identity', 'Cast', 'CastLike', 'Dropout', 'QuantizeLinear',
  'DequantizeLinear', 'DynamicQuantizeLinear' }

--- A value in front of what rounds it, or gives it another name.
local function origin(value)
  while value.step and same[value.step.op] and value.step.ins[1] do value = value.step.ins[1] end
  return value
end

local function is_computed(value) return value and not value.view and not value.barred end

local function joined(a, b)
  local list = { table.unpack(a) }
  for _, step in ipairs(b) do
    if #list < most and not lists.has(list, step) then list[#list + 1] = step end
  end
  return list
end

---@class Connecting
---@field near table<Value, GraphStep[]> products that a value is of, element by element
---@field head table<GraphStep, Value> what the first product in front of one, or itself, multiplies
---@field ties Ties

--- What the first products of a list multiply.
local function heads(c, list)
  local set = {}
  for _, step in ipairs(list) do set[c.head[step]] = true end
  return set
end

local function have_one_x(c, a, b)
  local own = heads(c, a)
  for _, step in ipairs(b) do
    if own[c.head[step]] then return true end
  end
  return false
end

local function tie(c, how, a, b)
  for _, p in ipairs(a) do
    for _, q in ipairs(b) do
      local t = p ~= q and { how = how, a = p, b = q }
      for _, step in ipairs(t and { p, q } or {}) do
        c.ties[step] = c.ties[step] or {}
        table.insert(c.ties[step], t)
      end
    end
  end
end

--- Looks at a step that multiplies nothing with a matrix: what its operands are of, it is of, too.
local function pass(c, step)
  local list
  for _, value in ipairs(is_element_wise(step) and step.ins or {}) do
    local own = is_computed(value) and (c.near[value] or {})
    if own and list and plus[step.op] and not have_one_x(c, list, own) then return end -- a residual
    if own and list then
      tie(c, plus[step.op] and 'plus' or times[step.op] and 'times' or 'with', list, own)
    end
    list = own and joined(list or {}, own) or list
  end
  for _, out in ipairs(list and step.outs or {}) do
    if out then c.near[out] = list end
  end
end

--- Looks at a step that does.
---@param x Value|nil  what it multiplies, where that is known
local function multiply(c, step, x)
  local before = {}
  for _, value in ipairs(x and { x } or step.ins) do
    if is_computed(value) then
      x, before = x or value, joined(before, c.near[value] or {})
    end
  end
  c.head[step] = before[1] and c.head[before[1]] or x and origin(x) or step
  tie(c, 'takes', before, { step })
  for _, out in ipairs(step.outs) do
    if out then c.near[out] = { step } end
  end
end

--- The ties of all steps that multiply with matrices.
---@param steps GraphStep[]
---@param found Streams
---@return Ties
function M.ties(steps, found)
  local c = { near = {}, head = {}, ties = {} }
  local is_one, x_of = {}, {}
  for _, product in ipairs(found.products) do
    is_one[product.step], x_of[product.step] = true, product.x
  end
  for _, item in ipairs(found.refused) do
    is_one[item.step] = is_one[item.step] or not passes[item.step.op] and not is_spatial(item.step)
  end
  for _, step in ipairs(steps) do
    if is_one[step] then multiply(c, step, x_of[step]) else pass(c, step) end
  end
  return c.ties
end

local words = {
  times = 'what it gives is multiplied with what %s gives',
  plus = 'what it gives is added to what %s gives',
  with = 'what it gives, and what %s gives, make one value',
}

local function text_of(t, other, is_behind)
  local form = words[t.how] or is_behind and 'what it gives goes to %s' or 'it takes what %s gives'
  return form:format(labels.step(other))
end

---@class TiedProduct
---@field step GraphStep that a part is tied to
---@field how string
---@field text string

--- Those that the products of a part are tied to, but for each other.
---@param ties Ties
---@param products GraphStep[] of the part
---@param own table<GraphStep, boolean> the same
---@return TiedProduct[]
function M.neighbours(ties, products, own)
  local list, seen = {}, {}
  for _, step in ipairs(products) do
    for _, t in ipairs(ties[step] or {}) do
      local other = t.a == step and t.b or t.a
      if not own[other] and not seen[other] then
        seen[other] = true
        list[#list + 1] = { step = other, how = t.how, text = text_of(t, other, t.a == step) }
      end
    end
  end
  return list
end

return M
