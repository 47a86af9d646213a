--- Sums with vectors that are a product's bias and cannot be taken: what would be left is another
--- product, so that it is not taken either.
local labels = require 'import.onnx.labels'
local moves = require 'import.onnx.moves'
local products = require 'import.onnx.products'
local views = require 'import.onnx.views'

local M = {}

--- Tells a product that it is not taken without what is added to its sums.
local function lose(step, product, why)
  product.lost = product.lost or ('%s adds its bias: %s'):format(labels.step(step), why)
end

--- How many numbers a value has that is computed of some of the file, as far as that is told.
local function count_of(value)
  while value and value.barred do value = value.step and value.step.ins[1] end
  local all = value and value.view and 1
  for _, n in ipairs(all and value.view.dims or {}) do all = all * n end
  return all
end

--- Tells a product that its bias is not read.
---@param step GraphStep that adds
---@param of ProductStream
---@param other Value   the bias
---@param why string|nil  nil where its numbers are not told at all
function M.unread(step, of, other, why)
  local is_bias = why or other.barred and count_of(other) == of.count
  if is_bias and not of.bias and not of.norm then
    lose(step, of.product, why or ('%s %s'):format(labels.quoted(other.name), other.barred))
  end
end

--- The one stream that a value is a multiple of, by numbers alone, or nil.
local function multiple_of(value)
  while value and not value.stream do
    local step = value.step
    local is_multiple = value.leaves and #value.leaves == 1 and not value.gated
    local a, b = step and step.ins[1], step and step.ins[2]
    if is_multiple and step.op == 'Mul' then
      value = b and views.number(b) and a or a and views.number(a) and b or nil
    elseif is_multiple and step.op == 'Div' then
      value = b and views.number(b) and a or nil
    else
      value = is_multiple and step.op == 'Neg' and a or nil
    end
  end
  return value and value.stream
end

--- Looks at a sum of a function of a product and a vector: behind a number that scales its sums a
--- bias is no part of the product, and what is scaled is no layer without it.
---@param step GraphStep
function M.behind_scale(step)
  for i = 1, step.op == 'Add' and 2 or 0 do
    local value, view = step.ins[i], step.ins[3 - i] and step.ins[3 - i].view
    local of = value and view and value.leaves and multiple_of(value)
    if of and not of.bias and not of.norm and not of.product.axis
      and products.vector(view, of.count, 0) and not (view.one and #view.dims == 0) then
      lose(step, of.product, ('%s stands behind %s, which scales its sums: scale both in the file')
        :format(labels.quoted(view.value.name), labels.step(value.step)))
    end
  end
end

--- Whether numbers are a list of so many, along any axis.
local function is_list(view, count)
  local all, most = 1, 1
  for _, n in ipairs(view.dims) do all, most = all * n, math.max(most, n) end
  return all == count and most == count and count > 1
end

--- Looks at what moves outputs of a product, whose axis is then another, and at a vector that is
--- added behind it.
---@param step GraphStep
function M.behind_moves(step)
  local value, out = step.ins[1], step.outs[1]
  if moves.has(step.op) and value and out then
    out.moved = not out.stream and (value.stream or value.moved) or nil
  end
  for i = 1, step.op == 'Add' and 2 or 0 do
    local of, view = step.ins[i] and step.ins[i].moved, step.ins[3 - i] and step.ins[3 - i].view
    if of and view and not of.bias and not of.norm and is_list(view, of.count) then
      lose(step, of.product, ('%s stands behind %s, which moves its outputs: add it in front')
        :format(labels.quoted(view.value.name), labels.step(step.ins[i].step)))
    end
  end
end

return M
