--- Nodes that multiply with a matrix of the file: MatMul, Gemm, a Conv over single places, and
--- FusedMatMul; what is fused with an activation is one in front of that (fused.lua). What is one
--- of these and is not taken, and what is another product, is said why.
local attributes = require 'import.onnx.attributes'
local fused = require 'import.onnx.fused'
local labels = require 'import.onnx.labels'
local nbits = require 'import.onnx.nbits'
local numbers = require 'common.number'
local scaled = require 'import.onnx.scaled_matrices'
local size = require 'read.size'

local M = {}

---@class Product
---@field step GraphStep
---@field x Value
---@field outputs integer
---@field inputs integer
---@field weight Strided
---@field bias Strided|false    of Gemm and Conv
---@field type string           of its sums, as the graph computes them
---@field scale number          of its sums, bias included
---@field constant number       that is added to all of them, scaled
---@field axis integer|false    of its outputs, from 0; false: the last
---@field rank integer|false    of what it gives
---@field sums Value|false      its sums, where the node does more to them
---@field taker GraphStep|nil    that takes x, where it is another than the step
---@field inner GraphStep[]|nil  steps that are one product together
---@field lost string|false       why it is not taken: a bias of it is not read
---@field rounder GraphStep|nil  that multiplies an x that is rounded, which is left out
---@field operand StaticOperand|false  the rounding of its x, where kernels have it
---@field unkept { step: GraphStep, why: string }|nil  what rounds it, and why kernels do not

---@class Strided  numbers of a tensor: number (o, i) at first + o * row + i * column
---@field view View
---@field first integer
---@field row integer
---@field column integer
---@field scaled ScaledMatrix|nil  what they have beside them, where they are scaled
---@field outputs integer|nil      of a matrix, all of it
---@field inputs integer|nil

local encodings = { f32 = true, f16 = true, bf16 = true, f64 = true }

--- Why a tensor's numbers are not where they can be taken from, or nil.
local function problem_of(view)
  local tensor = view.tensor
  local name = labels.quoted(view.value.name)
  if view.scaled then
    return ('%s has numbers that are scaled, which only matrices and biases may have'):format(name)
  elseif not encodings[tensor.type] then
    return ('%s has numbers of type %s, which are quantised or no weights'):format(name,
      tensor.type)
  end
  return labels.apart(view)
end

M.problem_of = problem_of

--- The numbers of a vector with one for each output, along an axis counted from the last; nil where
--- a view is none.
---@param view View
---@param n integer       outputs
---@param behind integer  axes behind that of the outputs
---@return Strided|nil
function M.vector(view, n, behind)
  local at = #view.dims - behind
  if at < 1 or view.dims[at] ~= n then return nil end
  for i, dim in ipairs(view.dims) do
    if i ~= at and dim ~= 1 then return nil end
  end
  return { view = view, first = view.first, row = 0, column = n == 1 and 0 or view.strides[at] }
end

--- The bias of n outputs, along such an axis; nil where a view is none, and why where its numbers
--- are not taken.
---@return Strided|nil
---@return string|nil why
function M.bias(view, n, behind)
  local vector = M.vector(view, n, behind)
  if not vector then return nil end
  local why
  if view.scaled then
    vector.scaled, why = scaled.of_vector(view, #view.dims - behind)
  else
    why = problem_of(view)
  end
  if why then return nil, why end
  return vector
end

--- The matrix of a view whose axes n and k are those of outputs and inputs, or nil and why there is
--- none.
---@param view View
---@param options ImportOptions
---@return Strided|nil
---@return string|nil
local function strided(view, n, k, options)
  local result = { view = view, first = view.first, row = view.strides[n],
    column = view.strides[k], outputs = view.dims[n], inputs = view.dims[k] }
  local why
  if view.scaled then
    result.scaled, why = scaled.of_view(view, n, k, options)
  else
    why = problem_of(view)
  end
  if why then return nil, why end
  return result
end

--- The matrix of a product, [in][out], or turned: [out][in]; or nil and why there is none.
---@param value Value
local function matrix_of(value, is_turned, options)
  if value.barred then
    return nil, ('its matrix %s %s'):format(labels.quoted(value.name), value.barred)
  elseif not value.view then
    return nil -- a product of two values, as attention has
  end
  local rank = #value.view.dims
  local is_matrix = rank > 1
  for i = 1, rank - 2 do is_matrix = is_matrix and value.view.dims[i] == 1 end
  if not is_matrix then
    return nil, ('its matrix %s is %s'):format(labels.quoted(value.name),
      labels.sizes(value.view.dims))
  end
  local n = is_turned and rank - 1 or rank
  return strided(value.view, n, 2 * rank - 1 - n, options)
end

--- What a graph computes in: the type of its matrix there.
local function type_of(weight)
  local view = weight.view
  return view.as or view.scaled and view.scaled.type
    or weight.scaled and weight.scaled.scales.encoding or view.tensor.type
end

--- The record, or nil and why there is none.
local function product(step, x, weight, more)
  local outputs, inputs = weight.outputs, weight.inputs
  for _, n in ipairs { outputs, inputs } do
    if n < 1 or n > size.max then
      return nil, ('its matrix of %d x %d is beyond the sizes of layers, 1 to %d'):format(outputs,
        inputs, size.max)
    end
  end
  if not step.outs[1] then return nil, 'it gives nothing' end
  return {
    step = step, x = x, outputs = outputs, inputs = inputs, weight = weight,
    bias = more.bias or false, scale = more.scale or 1.0, constant = more.constant or 0.0,
    axis = more.axis or false, type = type_of(weight),
    rank = step.outs[1].rank or more.rank or x.rank or false, sums = false,
    lost = false, operand = false,
  }
end

--- The rows first, first + by, ... of a matrix, or nil where scales are shared across its ends.
---@param of Strided
---@return Strided|nil
function M.rows(of, first, by)
  local beside = of.scaled and scaled.cut(of.scaled, first, by)
  if of.scaled and not beside then return nil end
  return { view = of.view, first = of.first + first * of.row, row = of.row * by,
    column = of.column, scaled = beside or nil }
end

--- Numbers first, first + by, ... of a vector.
---@param of Strided
---@return Strided
function M.vector_part(of, first, by)
  return { view = of.view, first = of.first + first * of.column, row = 0, column = of.column * by,
    scaled = of.scaled and scaled.cut(of.scaled, first, by) or nil }
end

--- Why what a product takes is none of a layer.
local function never_changes(x)
  return (x.view or x.barred) and 'what it multiplies never changes' or nil
end

local makers = {}

local function multiplied(step, is_turned, scale, options)
  local x, value = step.ins[1], step.ins[2]
  if not x or not value then return nil, 'it has fewer than two operands' end
  if x.view or x.barred then return nil, 'its matrix stands in front of what it multiplies' end
  local weight, why = matrix_of(value, is_turned, options)
  if not weight then return nil, why end
  return product(step, x, weight, { scale = scale })
end

function makers.MatMul(step, options)
  if #step.ins ~= 2 or not attributes.are(step.node, {}) then
    return nil, 'it has more than a MatMul has'
  end
  return multiplied(step, false, 1.0, options)
end

makers['com.microsoft.FusedMatMul'] = function(step, options)
  local node = step.node
  local is_known, other = attributes.are(node, { 'alpha', 'transA', 'transB', 'transBatchA',
    'transBatchB' })
  if not is_known then return nil, ('attribute %s is not known'):format(labels.quoted(other)) end
  for _, name in ipairs { 'transA', 'transBatchA', 'transBatchB' } do
    if attributes.get(node, name, 'i', 0) ~= 0 then return nil, name .. ' is set' end
  end
  local turned = attributes.get(node, 'transB', 'i', 0)
  local scale = attributes.get(node, 'alpha', 'f', 1.0)
  if not turned or not scale then return nil, 'its attributes are of other types' end
  return multiplied(step, turned ~= 0, scale, options)
end

--- What a Gemm adds: a vector, one number for all, or nil and why neither.
local function added(value, n, scale, by)
  if not value or by == 0 then return {} end
  if value.barred or not value.view then
    return nil, ('what it adds, %s, %s'):format(labels.quoted(value.name), value.barred
      or 'is computed as the model runs')
  end
  local one = value.view.one
  if one and (n > 1 or #value.view.dims == 0) then
    return { constant = by * one }
  end
  local vector, why = M.bias(value.view, n, 0)
  if why then return nil, why end
  if not vector then
    return nil, ('what it adds, %s, is %s, not a number for each output'):format(
      labels.quoted(value.name), labels.sizes(value.view.dims))
  elseif numbers.to_f32(by) ~= numbers.to_f32(scale) then
    return nil, ('beta = %g scales what it adds, and alpha = %g the rest'):format(by, scale)
  end
  return { bias = vector }
end

function makers.Gemm(step, options)
  local node, x, value = step.node, step.ins[1], step.ins[2]
  local is_known, other = attributes.are(node, { 'alpha', 'beta', 'transA', 'transB' })
  if not is_known then return nil, ('attribute %s is not known'):format(labels.quoted(other)) end
  local scale, by = attributes.get(node, 'alpha', 'f', 1.0), attributes.get(node, 'beta', 'f', 1.0)
  local turned = attributes.get(node, 'transB', 'i', 0)
  if not scale or not by or not turned then return nil, 'its attributes are of other types' end
  if attributes.get(node, 'transA', 'i', 0) ~= 0 then return nil, 'transA is set' end
  if not x or not value then return nil, 'it has fewer than two operands' end
  local constant = never_changes(x)
  if constant then return nil, constant end
  local weight, more, why
  weight, why = matrix_of(value, turned ~= 0, options)
  if not weight then return nil, why end
  more, why = added(step.ins[3], weight.outputs, scale, by)
  if not more then return nil, why end
  more.scale, more.rank = scale, 2
  return product(step, x, weight, more)
end

--- A Conv whose kernel is a single place.
function makers.Conv(step, options)
  local node, x, value = step.node, step.ins[1], step.ins[2]
  local is_known, other = attributes.are(node, { 'auto_pad', 'dilations', 'group', 'kernel_shape',
    'pads', 'strides' })
  if not is_known then return nil, ('attribute %s is not known'):format(labels.quoted(other)) end
  if not x or not value then return nil, 'it has fewer than two operands' end
  local view = value.view
  local rank = view and #view.dims or 0
  if rank < 3 then
    return nil, value.barred
        and ('its matrix %s %s'):format(labels.quoted(value.name), value.barred)
      or view and 'its kernel has no places' or nil
  end
  for i = 3, rank do
    if view.dims[i] ~= 1 then return nil, 'its kernel is more than a place' end
  end
  if attributes.get(node, 'group', 'i', 1) ~= 1 then return nil, 'it has groups' end
  for _, name in ipairs { 'pads', 'strides' } do
    for _, n in ipairs(attributes.get(node, name, 'ints', {}) or { -1 }) do
      if n ~= (name == 'pads' and 0 or 1) then return nil, name .. ' are set' end
    end
  end
  local constant, weight, why = never_changes(x), strided(view, 1, 2, options)
  if constant or why then return nil, constant or why end
  local bias, given = nil, step.ins[3]
  if given and given.view then bias, why = M.bias(given.view, view.dims[1], 0) end
  if given and not bias then
    return nil, why or ('its bias %s is no vector of the file'):format(labels.quoted(given.name))
  end
  return product(step, x, weight, { bias = bias, axis = 1, rank = rank })
end

--- Of blocks of 4 bits, with a bias or none.
makers['com.microsoft.MatMulNBits'] = function(step, options)
  local x = step.ins[1]
  if not x then return nil, 'it has fewer than two operands' end
  local constant = never_changes(x)
  if constant then return nil, constant end
  local weight, why = nbits.matrix(step, options)
  if not weight then return nil, why end
  local more
  more, why = added(step.ins[6], weight.outputs, 1.0, 1.0)
  if not more then return nil, why end
  return product(step, x, weight, more)
end

--- A product with bytes [in][out], whose sums a graph scales itself.
---@param x Value
---@param view View
---@param options ImportOptions
---@param bias Value|nil
---@return Product|nil
---@return string|nil why
function M.of_bytes(step, x, view, options, bias)
  local constant = never_changes(x)
  if constant then return nil, constant end
  local weight, more, why
  weight, why = matrix_of({ view = view, name = view.value.name }, false, options)
  if not weight then return nil, why end
  more, why = added(bias, weight.outputs, 1.0, 1.0)
  if not more then return nil, why end
  return product(step, x, weight, more)
end

local integers = 'it multiplies integers: its weights are quantised, and what it multiplies is '
  .. 'rounded, which is another function: give a model in floats, or one with QuantizeLinear and '
  .. 'DequantizeLinear around a MatMul'
local rounds = 'it rounds what it multiplies to 8 bits, by one scale for all tokens of a call, so '
  .. 'that a result depends on its neighbours: --float-activations leaves it in f32'

local floats = ': give a model in floats'
local anew = ': give the graph as it was before it was optimised'
local with_activation = 'it has an activation of its own' .. anew

--- Products in forms that are not read: what they are.
local others = {
  MatMulInteger = rounds, QLinearMatMul = integers, QLinearConv = integers, ConvInteger = integers,
  ['com.microsoft.MatMulBnb4'] = 'its weights are in blocks of 4 bits' .. floats,
  ['com.microsoft.MatMulFpQ4'] = 'its weights are in blocks of 4 bits' .. floats,
  ['com.microsoft.GemmFloat8'] = 'it multiplies numbers of 8 bits' .. floats,
  ['com.microsoft.MatMulIntegerToFloat'] = rounds,
  ['com.microsoft.DynamicQuantizeMatMul'] = rounds,
  ['com.microsoft.QGemm'] = integers,
  ['com.microsoft.FusedConv'] = with_activation,
  ['com.microsoft.NhwcFusedConv'] = with_activation,
  ['com.microsoft.GemmFastGelu'] = with_activation,
  ['com.microsoft.TransposeMatMul'] = 'it is the old FusedMatMul' .. anew,
  ['com.microsoft.MoE'] = 'a mixture of experts: its choice of them is no layer here' .. anew,
  ['com.microsoft.QMoE'] = 'a mixture of experts with quantised weights' .. floats,
  DynamicQuantizeLinear = rounds,
}

--- Whether a step may be a product for all that is known of it: an Einsum, or somebody else's.
local function is_open(step)
  local domain = step.node.domain
  return step.op == 'Einsum' or step.op:find '^function '
    or domain ~= '' and domain ~= 'com.microsoft' and domain ~= 'ai.onnx.ml'
end

--- Why a step of which nothing is known is told: it takes a matrix of the file.
local function unknown(step)
  for _, value in ipairs(is_open(step) and step.ins or {}) do
    local sizes = 0
    for _, n in ipairs(value and value.view and value.view.dims or {}) do
      sizes = sizes + (n > 1 and 1 or 0)
    end
    if sizes > 1 then
      return ('it takes the matrix %s, and what it does with that is not known here: write it as a '
        .. 'MatMul'):format(labels.quoted(value.name))
    end
  end
end

--- The product of a step; or nil, and where it is none that is taken, why.
---@param step GraphStep
---@param options ImportOptions
---@return Product|nil
---@return string|nil
function M.of(step, options)
  local make = makers[step.op]
  if not make and others[step.op] == rounds and options.float_activations then
    return nil, 'it is no product of what a DynamicQuantizeLinear gives with bytes of the file'
  elseif not make then
    local _, why = fused.of(step.node, step.op)
    return nil, why or others[step.op] or unknown(step)
  end
  return make(step, options)
end

return M
