--- MatMulNBits of com.microsoft (ContribOperators.md of ONNX Runtime): a matrix in blocks of 4 bits
--- a number, [out][blocks][bytes of a block], the low nibble first; beside it scales and zeros,
--- [out][blocks] or flat, zeros two in a byte, 8 where there are none.
local attributes = require 'import.onnx.attributes'
local labels = require 'import.onnx.labels'
local scaled = require 'import.onnx.scaled_matrices'

local M = {}

local known = { 'K', 'N', 'accuracy_level', 'bits', 'block_size' }

--- What the node says of its sizes, or nil and why that is not taken.
local function sizes_of(node)
  local is_known, other = attributes.are(node, known)
  if not is_known then return nil, ('attribute %s is not known'):format(labels.quoted(other)) end
  local of = {}
  for _, name in ipairs(known) do
    of[name] = attributes.get(node, name, 'i', name == 'bits' and 4 or 0)
    if not of[name] then return nil, ('its %s is no integer'):format(name) end
  end
  if of.bits ~= 4 then
    return nil, ('its weights have %d bits each, and 4 are taken'):format(of.bits)
  end
  local block = of.block_size
  if block < 16 or block > 1 << 20 or block & block - 1 ~= 0 then
    return nil, ('its blocks of %d inputs are no power of 2 from 16'):format(block)
  elseif of.K < 1 or of.N < 1 or of.K > 1 << 24 or of.N > 1 << 24 then
    return nil, ('its matrix is %d x %d'):format(of.N, of.K)
  end
  of.blocks = (of.K + block - 1) // block
  return of
end

--- Numbers one after the other, so many; or nil and why they are none.
local function flat(value, what, count, types)
  if value.barred or not value.view then
    return nil, ('%s, %s, %s'):format(what, labels.quoted(value.name), value.barred
      or 'is computed as the model runs')
  end
  local view, all = value.view, 1
  local name = labels.quoted(view.value.name)
  if view.scaled or not types[view.tensor.type] then
    return nil, ('%s, %s, is of type %s'):format(what, name, view.tensor.type)
  end
  for i = #view.dims, 1, -1 do
    if view.dims[i] ~= 1 and view.strides[i] ~= all then
      return nil, ('%s, %s, does not lie as it stands in the file'):format(what, name)
    end
    all = all * view.dims[i]
  end
  if all ~= count then
    return nil, ('%s, %s, is %s, where its sizes ask for %d numbers'):format(what, name,
      labels.sizes(view.dims), count)
  end
  local apart = labels.apart(view)
  if apart then return nil, apart end
  return view
end

local bytes, longs = { u8 = true }, { i32 = true }

--- Scales, zeros and groups of a matrix, or nil and why they are not taken.
local function beside(step, of)
  local row, column = 1, 1
  local scales, zeros, groups, why
  scales, why = flat(step.ins[3], 'scales', of.N * of.blocks, scaled.float_scales)
  if not scales then return nil, why end
  if step.ins[4] then
    row = (of.blocks + 1) // 2
    zeros, why = flat(step.ins[4], 'zero_points', of.N * row, bytes)
    if not zeros then return nil, why end
  end
  if step.ins[5] then
    groups, why = flat(step.ins[5], 'g_idx', of.K, longs)
    if not groups then return nil, why end
  end
  return {
    scales = { view = scales, encoding = scales.tensor.type, first = scales.first, row = of.blocks,
      column = column, rows = 1 },
    zeros = zeros and { view = zeros, encoding = 'u4_in2', first = zeros.first, row = row,
      column = column, rows = 1 } or false,
    groups = groups and { view = groups, encoding = 'i32', first = groups.first, row = 0,
      column = column, rows = 1 } or false,
  }
end

--- What a model's kernels may round that these do not.
local function because_of(of)
  return { of.accuracy_level == 4
    and 'accuracy_level 4 lets who runs the graph round x to 8 bits: x stays f32 here' or nil }
end

--- The matrix of a step, or nil and why there is none.
---@param step GraphStep
---@param options ImportOptions
---@return Strided|nil
---@return string|nil why
function M.matrix(step, options)
  local of, numbers, lie, why
  of, why = sizes_of(step.node)
  if not of then return nil, why end
  if not step.ins[2] or not step.ins[3] or #step.ins > 6 then
    return nil, 'it has other operands than a MatMulNBits has'
  end
  local row = of.blocks * of.block_size // 2
  numbers, why = flat(step.ins[2], 'its matrix', of.N * row, bytes)
  if not numbers then return nil, why end
  lie, why = beside(step, of)
  if not lie then return nil, why end
  local result
  result, why = scaled.settled({ encoding = 'u4_in2', every = of.block_size, scales = lie.scales,
    zeros = lie.zeros, groups = lie.groups, format = false,
    because = because_of(of) }, numbers.value.name, of.K, options)
  return result and { view = numbers, first = numbers.first, row = row, column = 1,
    outputs = of.N, inputs = of.K, scaled = result }, why
end

return M
