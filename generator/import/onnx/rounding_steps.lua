--- Steps between products that round what they pass on: a Cast to halves, where its product's sums
--- are wider; and a QuantizeLinear with the DequantizeLinear that takes it back. A layer without
--- them is another function: chains.lua refuses it, or leaves them out where it is asked to.
local attributes = require 'import.onnx.attributes'
local labels = require 'import.onnx.labels'
local lists = require 'common.list'
local streams = require 'import.onnx.stream'
local tensors = require 'files.onnx_tensors'
local views = require 'import.onnx.views'

local M = {}

---@class Quantised  bytes that a QuantizeLinear makes of a value
---@field value Value
---@field type string
---@field scale number
---@field zero number

local halves = lists.set { 'f16', 'bf16' }
local comparisons = lists.set { 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual', 'Not' }

local function product_of(value)
  local leaf = value.stream and value or value.leaves and value.leaves[1]
  return leaf and leaf.stream.product
end

local casts = {
  Cast = function(step) return tensors.type_name(attributes.get(step.node, 'to', 'i', 0)) end,
  CastLike = function(step)
    local like = step.ins[2]
    local view, product = like and like.view, like and product_of(like)
    return view and (view.as or view.scaled and view.scaled.type or view.tensor.type)
      or product and product.type
  end,
}

--- What a Cast rounds to, or nil where it keeps what a kernel of f32 has.
local function cast_to(step)
  local value, to = step.ins[1], casts[step.op] and casts[step.op](step)
  if not value or not to or not halves[to] or value.step and comparisons[value.step.op] then
    return nil
  end
  -- Sums of halves are rounded to these without it.
  local product = product_of(value)
  return not (product and product.type == to) and to or nil
end

-- Bytes and back ---------------------------------------------------------------------------------

--- What integers hold. Numbers of 4 bits are not read, so that their zeros are not known.
local ends = { u8 = { 0, 255 }, i8 = { -128, 127 }, u16 = { 0, 65535 }, i16 = { -32768, 32767 } }

local known = { 'axis', 'block_size', 'output_dtype', 'precision', 'saturate' }

--- The scale and zero of a step, where they are a number each, and the type of its integers; nil
--- and why there are none.
local function numbers_of(step)
  local is_known, other = attributes.are(step.node, known)
  if not is_known then return nil, ('attribute %s is not known'):format(labels.quoted(other)) end
  local scale, given = step.ins[2] and views.number(step.ins[2]), step.ins[3]
  local zero, to = given and views.number(given), attributes.get(step.node, 'output_dtype', 'i', 0)
  if not scale or scale <= 0 or given and not zero
    or attributes.get(step.node, 'block_size', 'i', 0) ~= 0 then
    return nil, 'its scale and zero are not a number each'
  end
  local kind = given and given.view.tensor.type
    or step.op == 'QuantizeLinear' and to ~= 0 and tensors.type_name(to) or 'u8'
  if step.op == 'QuantizeLinear' and not ends[kind] then
    return nil, ('it rounds to %s, which is not taken'):format(kind)
  end
  return { scale = scale, zero = zero or 0, type = kind }
end

local remedy = ': give a model in floats'

--- Operators that give nothing below 0, but NaN.
local positive = lists.set { 'Relu', 'Sigmoid', 'HardSigmoid', 'Softplus', 'Abs', 'Exp', 'Sqrt' }

local function is_positive(value)
  while value and value.step and value.step.is_same do value = value.step.ins[1] end
  local step = value and value.step
  if not step or step.op ~= 'Clip' then return step and positive[step.op] or false end
  local least = step.ins[2] and views.number(step.ins[2]) or attributes.get(step.node, 'min', 'f')
  return least and least >= 0 or false
end

local function pass_all(value, out)
  out.stream, out.leaves, out.gated = value.stream, not value.stream and value.leaves, value.gated
  out.shaped = value.shaped
end

local makers = {}

function makers.QuantizeLinear(step)
  local numbers, why = numbers_of(step)
  if not numbers then
    step.why = why .. remedy
    return
  end
  numbers.value = step.ins[1]
  step.outs[1].quantised = numbers
end

--- What a DequantizeLinear makes of bytes: what these were made of. Bytes that begin with 0 hold
--- nothing below it, and who quantised a model may have left out a ReLU for that.
function makers.DequantizeLinear(step)
  local bytes = step.ins[1]
  local of = bytes.quantised
  if not of then return end
  local numbers, why = numbers_of(step)
  for _, use in ipairs(bytes.uses) do
    if use.op ~= 'DequantizeLinear' then
      why = ('its integers go to %s'):format(labels.step(use))
    end
  end
  if numbers and (numbers.scale ~= of.scale or numbers.zero ~= of.zero) then
    why = 'what it takes was made with another scale or zero'
  elseif of.zero == ends[of.type][2] then
    why = 'its integers hold nothing above 0'
  end
  if why or bytes.is_output then
    bytes.step.why = (why or 'its integers are an output') .. remedy
    return
  end
  local value, out = of.value, step.outs[1]
  step.narrows = ('to %d bits'):format(of.type:match '%d+')
  step.key = ('%s %a %a'):format(of.type, of.scale, of.zero)
  if not product_of(value) or value.scope ~= step.scope then return end
  pass_all(value, bytes)
  bytes.step.is_same = true
  step.cuts = of.zero == ends[of.type][1] and not is_positive(value)
  -- Several that take the same bytes are one value.
  if #bytes.uses > 1 and bytes.stream or step.cuts then
    out.leaves, out.shaped, out.gated = bytes.stream and { bytes } or bytes.leaves, bytes.shaped,
      bytes.gated
    step.is_same = not step.cuts
  else
    pass_all(bytes, out)
    out.stream = out.stream and streams.rounded(out.stream, step)
    step.is_same = true
  end
end

local floats = lists.set { 'f16', 'bf16', 'f32', 'f64' }

--- Whether a CastLike makes floats, as far as that is known.
---@param step GraphStep
---@return boolean|nil
function M.makes_floats(step)
  local to = casts.CastLike(step)
  return to and floats[to] or nil
end

function makers.CastLike(step)
  if M.makes_floats(step) then
    step.ins[2] = false -- what it is like has no part in its numbers
    return false
  end
  step.why = 'what it makes of numbers is not known here to be floats: write it as a Cast'
end

--- Looks whether a step rounds what it passes on; whether nothing else is to be said of it.
---@param step GraphStep
---@return boolean
function M.follow(step)
  local to = step.outs[1] and cast_to(step)
  if to then step.narrows, step.key = 'to ' .. to, to end
  local make = makers[step.op]
  return make and step.ins[1] and step.outs[1] and make(step) ~= false or false
end

--- What a rounding step gives, as one value for all that round the same alike.
---@param step GraphStep
---@param from Value
---@return Value
function M.source(step, from)
  from.narrowed = from.narrowed or {}
  from.narrowed[step.key] = from.narrowed[step.key] or step.outs[1]
  return from.narrowed[step.key]
end

--- The value in front of a step that rounds it.
---@param step GraphStep
function M.input(step)
  local of = step.ins[1].quantised
  return of and of.value or step.ins[1]
end

--- Who rounds, and what: of bytes, who makes them.
---@param step GraphStep
---@return GraphStep
function M.rounder(step) return step.ins[1].quantised and step.ins[1].step or step end

--- What is told of a layer without a step.
---@param step GraphStep
function M.because(step)
  return ('%s rounds %s between products%s; as --float-activations asks, h stays f32'):format(
    labels.step(M.rounder(step)), step.narrows, step.cuts
    and ' and cuts at 0, which is done here, too, and where integers end, which is not' or '')
end

--- Why it ends a chain.
---@param step GraphStep
---@param what string|nil    what it stands between
---@param unkept string|nil  why kernels do not round so
function M.problem(step, what, unkept)
  return ('it rounds %s between %s, so that a layer without it is another function: '
    .. '--float-activations leaves it in f32%s'):format(step.narrows, what or 'products',
    unkept and '; a static scale would keep it, but ' .. unkept or '')
end

--- Why a product is not taken whose bias, or norm, stands behind a step that rounds: it would be
--- one without them.
---@param parted Parted
function M.parts(parted)
  return M.problem(parted.by, ('a product and its bias, %s'):format(labels.step(parted.adds)))
end

return M
