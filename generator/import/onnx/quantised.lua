--- Bytes that a graph makes floats of: scale * (q - zero), where scales and zeros are tensors of
--- the file, one for all numbers, for each of an axis, or for blocks of one. Told by what nodes do,
--- in whichever words: DequantizeLinear; or Cast, Sub and Mul.
local attributes = require 'import.onnx.attributes'
local cuts = require 'import.onnx.cuts'
local lists = require 'common.list'
local tensors = require 'files.onnx_tensors'

local M = {}

---@class ScaledView  what the numbers of a view, which are bytes, mean
---@field type string       of the floats that the graph makes of them
---@field scale View|false  of the same sizes: a stride of 0 where all of an axis share one
---@field zero View|false

local bytes = lists.set { 'i8', 'u8' }
local integers = lists.set { 'i8', 'u8', 'i32' }
local floats = lists.set { 'f32', 'f16', 'bf16', 'f64' }

---@param of View
---@param scaled ScaledView
---@return View
local function scaled_view(of, scaled, one)
  return { value = of.value, tensor = of.tensor, dims = of.dims, strides = of.strides,
    first = of.first, by = of.by, one = one or false, scaled = scaled }
end

--- A view as ONNX spreads it over larger sizes, or nil.
---@param seen View
---@param dims integer[]
local function spread(seen, dims)
  local rest, strides = #dims - #seen.dims, {}
  for i, n in ipairs(dims) do
    local own = i > rest and seen.dims[i - rest] or 1
    if own ~= n and own ~= 1 then return nil end
    strides[i] = own == 1 and 0 or seen.strides[i - rest]
  end
  return rest >= 0 and { value = seen.value, tensor = seen.tensor, dims = dims, strides = strides,
    first = seen.first, one = false } or nil
end

--- Whether a view is bytes without a scale: as they stand in the file, or as floats.
local function is_integers(seen)
  return seen and bytes[seen.tensor.type] and not (seen.scaled and seen.scaled.scale)
end

local function is_floats(seen)
  return seen and floats[seen.tensor.type] and not seen.scaled and seen.tensor.count > 0
end

--- Whether numbers are one for all or one for each of the last axis: what scales sums of a product
--- has no axis of inputs.
local function is_of_outputs(seen)
  for i = 1, #seen.dims - 1 do
    if seen.dims[i] ~= 1 then return false end
  end
  return true
end

--- Bytes [in][out] with a scale, and a zero or none, for all or for each output; nil where these
--- are others.
---@param seen View
---@param scale View
---@param zero View|false
---@return View|nil
function M.columns(seen, scale, zero)
  if not is_integers(seen) or seen.scaled or not is_floats(scale)
    or zero and zero.tensor.type ~= seen.tensor.type or not is_of_outputs(scale)
    or zero and not is_of_outputs(zero) then
    return nil
  end
  if zero and zero.tensor.zeros then zero = false end
  local scales, zeros = spread(scale, seen.dims), zero and spread(zero, seen.dims)
  if not scales or zero and not zeros then return nil end
  return scaled_view(seen, { type = scale.tensor.type, scale = scales, zero = zeros })
end

local makers = {}

--- A byte is a number of each type of floats.
function makers.Cast(step)
  local seen = step.ins[1].view
  local to = tensors.type_name(attributes.get(step.node, 'to', 'i', 0))
  if not is_integers(seen) or not floats[to]
    or not attributes.are(step.node, { 'to', 'saturate', 'round_mode' }) then
    return nil
  end
  return scaled_view(seen, { type = to, scale = false, zero = seen.scaled and seen.scaled.zero },
    seen.one and seen.one * 1.0)
end

--- Floats of bytes less others: differences of at most 255, which all floats have.
function makers.Sub(step)
  local a, b = step.ins[1].view, step.ins[2] and step.ins[2].view
  if not (is_integers(a) and is_integers(b) and a.scaled and b.scaled) or a.scaled.zero
    or b.scaled.zero or a.tensor.type ~= b.tensor.type or a.one
    or not attributes.are(step.node, {}) then
    return nil
  end
  local zero = spread(b, a.dims)
  return zero and scaled_view(a, { type = a.scaled.type, scale = false,
    zero = not b.tensor.zeros and zero })
end

function makers.Mul(step)
  if not attributes.are(step.node, {}) then return nil end
  for i = 1, 2 do
    local a, b = step.ins[i], step.ins[3 - i]
    a, b = a and a.view, b and b.view
    if is_integers(a) and a.scaled and not a.one and is_floats(b) then
      local scale = spread(b, a.dims)
      return scale and scaled_view(a, { type = a.scaled.type, scale = scale, zero = a.scaled.zero })
    end
  end
end

local function is_single(seen) return #seen.dims < 2 and (seen.dims[1] or 1) == 1 end

--- One for all, spread over sizes; else nil.
local function for_all(seen, dims) return is_single(seen) and spread(seen, dims) or nil end

--- One for each of an axis.
local function for_each(seen, dims, axis)
  if #seen.dims ~= 1 or seen.dims[1] ~= dims[axis + 1] then return nil end
  local strides = {}
  for i in ipairs(dims) do strides[i] = i == axis + 1 and seen.strides[1] or 0 end
  return { value = seen.value, tensor = seen.tensor, dims = dims, strides = strides,
    first = seen.first, one = false }
end

--- One for each block of an axis.
local function for_blocks(seen, dims, axis, block)
  local by = {}
  if #seen.dims ~= #dims then return nil end
  for i, n in ipairs(dims) do
    by[i] = i == axis + 1 and block or 1
    if seen.dims[i] ~= (n + by[i] - 1) // by[i] then return nil end
  end
  return { value = seen.value, tensor = seen.tensor, dims = dims, strides = seen.strides, by = by,
    first = seen.first, one = false }
end

--- The scales, or zeros, of a DequantizeLinear, over the sizes of its numbers.
local function along(seen, dims, axis, block)
  if block > 0 then return axis and for_blocks(seen, dims, axis, block) or nil end
  return for_all(seen, dims) or axis and for_each(seen, dims, axis) or nil
end

--- Whether there is a zero for each scale. ONNX Runtime's quantisers write one scale as a list of
--- one, and its zero as a number.
local function has_sizes_of(zero, scale)
  if is_single(zero) and is_single(scale) then return true end
  for i = 1, math.max(#zero.dims, #scale.dims) do
    if zero.dims[i] ~= scale.dims[i] then return false end
  end
  return true
end

function makers.DequantizeLinear(step)
  local q, s, z = step.ins[1], step.ins[2], step.ins[3]
  local seen, scale, zero = q.view, s and s.view, z and z.view
  if not attributes.are(step.node, { 'axis', 'block_size', 'output_dtype' })
    or not integers[seen.tensor.type] or seen.scaled or not is_floats(scale)
    or z and (not zero or zero.scaled or zero.tensor.type ~= seen.tensor.type) then
    return nil
  end
  local to = attributes.get(step.node, 'output_dtype', 'i', 0)
  local block = attributes.get(step.node, 'block_size', 'i', 0)
  local axis = cuts.axis(attributes.get(step.node, 'axis', 'i', 1), #seen.dims)
  if not to or to ~= 0 and tensors.type_name(to) ~= scale.tensor.type or not block or block < 0 then
    return nil
  end
  if zero and not has_sizes_of(zero, scale) then return nil end
  local scales = along(scale, seen.dims, axis, block)
  local zeros = false
  if zero and not zero.tensor.zeros then zeros = along(zero, seen.dims, axis, block) end
  return scales and zeros ~= nil
    and scaled_view(seen, { type = scale.tensor.type, scale = scales, zero = zeros }) or nil
end

--- The view that a step makes of bytes, or nil where it does something else.
---@param step GraphStep
---@return View|nil
function M.of(step)
  local make = makers[step.op]
  return make and step.ins[1] and step.ins[1].view and make(step) or nil
end

return M
