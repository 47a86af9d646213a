--- Products of an x that a graph rounds to 8 bits as it runs, by one scale for all tokens of a
--- call. That is another function than a layer's: where --float-activations asks for it, x stays as
--- it is, and the product is that of the weights' bytes. Spec and report say so.
local attributes = require 'import.onnx.attributes'
local labels = require 'import.onnx.labels'
local products = require 'import.onnx.products'
local quantised = require 'import.onnx.quantised'

local M = {}

---@class Rounded  what a value is of an x that was rounded
---@field by GraphStep       that rounds it
---@field part string        numbers, scale, zero; sums of a product with bytes
---@field weight View|nil    of sums: the bytes
---@field zero View|false|nil
---@field scale View|nil     of the weights, that it is multiplied with
---@field has_scale boolean|nil  of sums: they are multiplied with that of x
---@field steps GraphStep[]|nil from the product on

local parts = { 'numbers', 'scale', 'zero' }

local function plain(value) return value and value.view and not value.view.scaled and value.view end

--- The product of bytes that are scaled, or nil and why there is none.
local function product(step, by, weight, scale, zero, rounder, options, bias)
  local view = quantised.columns(weight, scale, zero or false)
  if not view then
    return nil, ('its scales are %s, not one for all or for each output'):format(
      labels.sizes(scale.dims))
  end
  local made, why = products.of_bytes(step, by.ins[1], view, options, bias)
  if not made then return nil, why end
  made.rounder = rounder
  return made
end

local makers = {}

function makers.DynamicQuantizeLinear(step)
  if #step.ins ~= 1 or not attributes.are(step.node, {}) then return false end
  for i, part in ipairs(parts) do
    if step.outs[i] then step.outs[i].rounded = { by = step, part = part } end
  end
  return true
end

--- Who rounded what a step takes, with its zero, which is what is taken off again.
local function rounder_of(step, zero_input)
  local a, zero = step.ins[1], step.ins[zero_input]
  a, zero = a and a.rounded, zero and zero.rounded
  return a and zero and a.part == 'numbers' and zero.part == 'zero' and a.by == zero.by and a.by
end

--- Bytes that stand in the file, and their zeros; nil where they do not.
local function bytes_of(step, weight_input, zero_input)
  local weight, zero = plain(step.ins[weight_input]), step.ins[zero_input] or false
  if not weight or zero and not plain(zero) then return nil end
  return weight, zero and zero.view
end

function makers.MatMulInteger(step)
  local by, weight, zero = rounder_of(step, 3), bytes_of(step, 2, 4)
  if not by or not weight or not attributes.are(step.node, {}) then return false end
  step.outs[1].rounded = {
    by = by, part = 'sums', weight = weight, zero = zero, steps = { step },
  }
  return true
end

local function is_sums(value) return value and value.rounded and value.rounded.part == 'sums' end

--- The same with more told of it, behind one more step.
local function behind(of, step, change, other)
  local steps = { table.unpack(of.steps or {}) }
  for _, own in ipairs(other and other.steps or {}) do steps[#steps + 1] = own end
  steps[#steps + 1] = step
  return {
    by = of.by, part = of.part, weight = of.weight, zero = of.zero, steps = steps,
    scale = change.scale or of.scale, has_scale = change.has_scale or of.has_scale,
  }
end

function makers.Cast(step)
  local of = is_sums(step.ins[1]) and step.ins[1].rounded
  if not of or attributes.get(step.node, 'to', 'i', 0) ~= 1 then return false end
  step.outs[1].rounded = behind(of, step, {})
  return true
end

--- Scales of x and of weights are multiplied with each other, or with sums, in any order.
function makers.Mul(step, options)
  if not attributes.are(step.node, {}) then return false end
  for i = 1, 2 do
    local a, b = step.ins[i], step.ins[3 - i]
    local of, other, view = a and a.rounded, b and b.rounded, plain(b)
    local change
    if of and of.part == 'scale' and view and not of.scale then
      change = { scale = view }
    elseif of and of.part == 'sums' and other and other.part == 'scale' and other.by == of.by
      and not of.has_scale and not (of.scale and other.scale) then
      change = { has_scale = true, scale = other.scale }
    elseif of and of.part == 'sums' and view and not of.scale then
      change = { scale = view }
    end
    if change then
      local result = behind(of, step, change, other)
      step.outs[1].rounded = result
      if not (result.has_scale and result.scale) then return true end
      local made, why = product(step, of.by, of.weight, result.scale, of.zero, of.steps[1], options)
      if made then made.taker, made.inner = of.by, result.steps end
      return true, made, why, of.steps[1]
    end
  end
  return false
end

makers['com.microsoft.MatMulIntegerToFloat'] = function(step, options)
  local by, weight, zero = rounder_of(step, 5), bytes_of(step, 2, 6)
  local scale, own = step.ins[3] and step.ins[3].rounded, plain(step.ins[4])
  if not by or not weight or not scale or scale.by ~= by or scale.part ~= 'scale' or scale.scale
    or not own or #step.ins > 7 or not attributes.are(step.node, {}) then
    return false
  end
  local made, why = product(step, by, weight, own, zero, step, options, step.ins[7] or nil)
  if made then made.taker = by end
  return true, made, why, step
end

makers['com.microsoft.DynamicQuantizeMatMul'] = function(step, options)
  local weight, zero = bytes_of(step, 2, 4)
  local scale = plain(step.ins[3])
  if not weight or not scale or #step.ins > 5 or not attributes.are(step.node, {}) then
    return false
  end
  local made, why = product(step, step, weight, scale, zero, step, options, step.ins[5] or nil)
  return true, made, why, step
end

--- Refuses products whose sums nothing makes floats of.
---@param steps GraphStep[]
---@param found Streams
function M.refuse(steps, found)
  local known = {}
  for _, item in ipairs(found.refused) do known[item.step] = true end
  for _, made in ipairs(found.products) do
    for _, step in ipairs(made.inner or {}) do known[step] = true end
  end
  for _, step in ipairs(steps) do
    if step.op == 'MatMulInteger' and not known[step] then
      found.refused[#found.refused + 1] = {
        step = step, why = 'its sums are not scaled to floats by scales of x and of its weights',
      }
    end
  end
end

--- Looks at a step that takes what was rounded.
---@param step GraphStep
---@param options ImportOptions
---@return boolean is_known  nothing else is to be said of it
---@return Product|nil
---@return string|nil why    it would be a product, and is none
---@return GraphStep|nil of  the step that multiplies
function M.follow(step, options)
  local make = options.float_activations and step.outs[1] and makers[step.op]
  if not make then return false end
  return make(step, options)
end

return M
