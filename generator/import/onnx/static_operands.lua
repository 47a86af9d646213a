--- Operands that a graph rounds by a scale of its file: what a QuantizeLinear and the
--- DequantizeLinear behind it make of the x of a product. Kernels with operand_scales = 'static'
--- round alike, where the integers are signed bytes without a zero, and the weights bytes of one
--- scale for an output.
local arithmetics = require 'read.arithmetics'
local attributes = require 'import.onnx.attributes'
local labels = require 'import.onnx.labels'
local lists = require 'common.list'
local operand_scale = require 'tensors.operand_scale'
local scaled = require 'import.scaled'

local M = {}

--- The integers that kernels round to.
local kept = lists.set { 'i8' }

---@class StaticOperand
---@field scale number
---@field by GraphStep    that makes the integers
---@field back GraphStep  that takes them back

--- The step that takes integers back in front of a product, or nil.
local function back_of(x)
  while x.step and x.step.is_same and not x.step.narrows do x = x.step.ins[1] end
  local step = x.step
  return step and step.narrows and step.ins[1].quantised and step or nil
end

--- The format of a product's weights, nil of floats and of bytes that no format holds.
local function format_of(weight)
  local of = weight.scaled
  return of and not of.format and scaled.format(of.encoding, of.every, of.scales.encoding,
    of.zeros ~= false) or nil
end

local of_f32 = 1

--- Why kernels do not round as a pair does, or nil.
local function problem_of(product, back, bytes)
  local by, scale = back.ins[1].step, back.ins[1].step.ins[2].view
  local format = format_of(product.weight)
  if not kept[bytes.type] then
    return ('its integers are %s, and kernels round to i8'):format(bytes.type)
  elseif bytes.zero ~= 0 then
    return ('its zero is %d, and kernels round without one'):format(bytes.zero)
  elseif scale.tensor.type ~= 'f32'
    or attributes.get(by.node, 'precision', 'i', of_f32) ~= of_f32 then
    return 'it divides by its scale in another type than f32'
  elseif operand_scale.problem(bytes.scale) then
    return ('its scale %s %s'):format(labels.quoted(scale.value.name),
      operand_scale.problem(bytes.scale))
  elseif not format or not arithmetics.fits(format, arithmetics.with_scales, product.inputs) then
    return ('the weights of %s are not in %s'):format(labels.step(product.step),
      table.concat(arithmetics.formats(arithmetics.with_scales), ' or '))
  end
end

--- The operand of a product; false, and why not where a pair stands in front of it.
---@param product Product
---@return StaticOperand|false
---@return { step: GraphStep, why: string }|nil unkept
function M.of(product)
  local back = back_of(product.x)
  if not back then return false end
  local bytes = back.ins[1].quantised
  local why = problem_of(product, back, bytes)
  if why then return false, { step = back, why = why } end
  return { scale = bytes.scale, by = back.ins[1].step, back = back }
end

--- The steps of an operand: they are the layer's.
---@param operand StaticOperand|false
---@return GraphStep[]
function M.steps(operand) return operand and { operand.by, operand.back } or {} end

--- What is told of an operand that is kept.
---@param operand StaticOperand
---@param product Product
local function text_of(operand, product)
  return ('%s rounds what %s multiplies to 8 bits by a scale of the file, and so do the kernels')
    :format(labels.step(operand.by), labels.step(product.step))
end

--- What is told of the operands of products that are kept, each once; and the steps that take them
--- back.
---@param products Product[]
---@return string[]
---@return table<GraphStep, boolean> kept
function M.because(products)
  local texts, known = {}, {}
  for _, product in ipairs(products) do
    local operand = product.operand
    if operand and not known[operand.back] then
      texts[#texts + 1], known[operand.back] = text_of(operand, product), true
    end
  end
  if #texts > 0 then
    texts[#texts + 1] = 'what lies below -127.5 times a scale is -128 in the graph, and -127 in '
      .. 'the kernels'
  end
  return texts, known
end

return M
