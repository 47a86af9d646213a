--- What moves no number of a tensor: other sizes and strides, or a part of them. Where numbers have
--- scales and zeros these move along.
local attributes = require 'import.onnx.attributes'
local cuts = require 'import.onnx.cuts'
local tensors = require 'files.onnx_tensors'

local M = {}

---@return View
local function view(of, dims, strides, first, by)
  return { value = of.value, tensor = of.tensor, dims = dims, strides = strides, first = first,
    one = of.one, by = by or nil, as = of.as }
end

local moves = {}

function moves.Identity(seen) return { seen } end

local widened = {
  f32 = { f64 = true }, f16 = { f32 = true, f64 = true }, bf16 = { f32 = true, f64 = true },
}

--- A type with all numbers of another has the same.
function moves.Cast(seen, step)
  local from = seen.scaled and seen.scaled.type or seen.tensor.type
  local to = tensors.type_name(attributes.get(step.node, 'to', 'i', 0))
  if from ~= to and not (widened[from] and widened[from][to]) then return nil end
  if to == (seen.as or from) then return { seen } end
  local wider = view(seen, seen.dims, seen.strides, seen.first, seen.by)
  wider.scaled, wider.as = seen.scaled, to
  return { wider }
end

function moves.Transpose(seen, step)
  local rank, dims, strides, used = #seen.dims, {}, {}, {}
  local order, by = attributes.get(step.node, 'perm', 'ints', nil), seen.by and {}
  for i = 1, rank do
    local from = not order and rank + 1 - i or order[i] and order[i] + 1
    if not from or not seen.dims[from] or used[from] then return nil end
    used[from], dims[i], strides[i] = true, seen.dims[from], seen.strides[from]
    if by then by[i] = seen.by[from] end
  end
  return (not order or #order == rank) and { view(seen, dims, strides, seen.first, by) } or nil
end

--- Sizes other than 1, their strides, and how many share a number; and all of them.
local function packed(seen)
  local dims, strides, by, all = {}, {}, {}, 1
  for i, n in ipairs(seen.dims) do
    if n ~= 1 then
      dims[#dims + 1], strides[#strides + 1] = n, seen.strides[i]
      by[#by + 1] = seen.by and seen.by[i] or 1
    end
    all = all * n
  end
  return dims, strides, by, all
end

--- Neighbouring sizes up to the at-th, as many as those of a new shape up to the i-th make up.
---@return integer first  of them
---@return integer begins  the first of the new ones
local function matched(own, at, dims, i)
  local n, m, begins, first = dims[i], own[at], i, at
  while n ~= m do
    if n < m then
      begins = begins - 1
      n = n * dims[begins]
    else
      first = first - 1
      m = m * own[first]
    end
  end
  return first, begins
end

--- The same numbers in another shape: sizes go into one where they lie in each other without gaps.
local function reshaped(seen, dims)
  local own, strides_of, by_of, all = packed(seen)
  local strides, by, count, at, i = {}, seen.by and {}, 1, #own, #dims
  for _, n in ipairs(dims) do count = count * n end
  if count ~= all or all == 0 then return nil end
  while at > 0 do
    if dims[i] ~= 1 then
      local first, begins = matched(own, at, dims, i)
      local is_one = first == at and begins == i
      for j = first, at do
        if not is_one and by_of[j] > 1
          or j < at and strides_of[j] ~= strides_of[j + 1] * own[j + 1] then
          return nil
        end
      end
      if by then by[i] = by_of[at] end
      local stride = strides_of[at]
      for j = i, begins, -1 do strides[j], stride = stride, stride * dims[j] end
      at, i = first - 1, begins
    end
    i = i - 1
  end
  for j = #dims, 1, -1 do
    strides[j] = strides[j] or (strides[j + 1] or 1) * (dims[j + 1] or 1)
    if by then by[j] = by[j] or 1 end
  end
  return { view(seen, dims, strides, seen.first, by) }
end

function moves.Reshape(seen, step)
  local wanted = cuts.integers(step.ins[2]) or attributes.get(step.node, 'shape', 'ints', nil)
  local zero = attributes.get(step.node, 'allowzero', 'i', 0)
  local dims, known, open, all = {}, 1, nil, 1
  for _, n in ipairs(seen.dims) do all = all * n end
  for i, n in ipairs(wanted or {}) do
    if n == 0 and zero == 0 then n = seen.dims[i] end
    if not n or n < -1 or n == -1 and open or n > 1 << 48 then return nil end
    if n == -1 then open = i else known = known * n end
    if known > 1 << 48 then return nil end
    dims[i] = n
  end
  if open then
    if known == 0 or all % known ~= 0 then return nil end
    dims[open] = all // known
  end
  return wanted and reshaped(seen, dims) or nil
end

function moves.Flatten(seen, step)
  local axis = attributes.get(step.node, 'axis', 'i', 1)
  axis = axis and axis < 0 and axis + #seen.dims or axis
  if not axis or axis < 0 or axis > #seen.dims then return nil end
  local dims = { 1, 1 }
  for i, n in ipairs(seen.dims) do
    local side = i <= axis and 1 or 2
    dims[side] = dims[side] * n
  end
  return reshaped(seen, dims)
end

function moves.Squeeze(seen, step)
  local axes = cuts.list(step, 'axes', 2)
  if not axes and (step.ins[2] or step.node.attributes.axes) then return nil end
  local gone, dims = {}, {}
  for _, axis in ipairs(axes or {}) do gone[cuts.axis(axis, #seen.dims) or -1] = true end
  for i, n in ipairs(seen.dims) do
    local goes = axes and gone[i - 1] or not axes and n == 1
    if goes and n ~= 1 then return nil end
    if not goes then dims[#dims + 1] = n end
  end
  return not gone[-1] and reshaped(seen, dims) or nil
end

function moves.Unsqueeze(seen, step)
  local axes = cuts.list(step, 'axes', 2)
  if not axes then return nil end
  local rank, new, dims, from = #seen.dims + #axes, {}, {}, 0
  for _, axis in ipairs(axes) do
    axis = cuts.axis(axis, rank)
    if not axis or new[axis] then return nil end
    new[axis] = true
  end
  for i = 0, rank - 1 do
    if not new[i] then from = from + 1 end
    dims[i + 1] = new[i] and 1 or seen.dims[from]
  end
  return reshaped(seen, dims)
end

--- A part of an axis, or nil where it begins amid numbers that share a scale.
local function cut(seen, axis, first, count, by)
  local dims, strides = { table.unpack(seen.dims) }, { table.unpack(seen.strides) }
  local shared = seen.by and seen.by[axis + 1] or 1
  if shared > 1 and (first % shared ~= 0 or by ~= 1) then return nil end
  dims[axis + 1], strides[axis + 1] = count, strides[axis + 1] * by
  local part = view(seen, dims, strides, seen.first + first // shared * seen.strides[axis + 1],
    seen.by)
  part.one = false
  return part
end

function moves.Slice(seen, step)
  local list = cuts.of(step)
  for _, c in ipairs(list or {}) do
    local axis = cuts.axis(c.axis, #seen.dims)
    local first, count = cuts.range(c, axis and seen.dims[axis + 1] or 0)
    if not axis or not first then return nil end
    seen = cut(seen, axis, first, count, c.by)
    if not seen then return nil end
  end
  return list and { seen } or nil
end

function moves.Split(seen, step, opset)
  local axis = cuts.axis(attributes.get(step.node, 'axis', 'i', 0), #seen.dims)
  local parts = axis and cuts.parts(step, seen.dims[axis + 1], opset)
  local list, at = {}, 0
  for i, n in ipairs(parts or {}) do
    list[i], at = cut(seen, axis, at, n, 1), at + n
    if not list[i] then return nil end
  end
  return parts and list or nil
end

local attributes_of = {
  Identity = {}, Cast = { 'to', 'saturate', 'round_mode' }, Transpose = { 'perm' },
  Reshape = { 'allowzero', 'shape' }, Flatten = { 'axis' }, Squeeze = { 'axes' },
  Unsqueeze = { 'axes' }, Slice = { 'starts', 'ends', 'axes' },
  Split = { 'axis', 'split', 'num_outputs' },
}

--- Whether an operator is one of those that move numbers.
function M.has(op) return moves[op] ~= nil end

--- The views that a step gives of one, or nil where it does more than to move numbers.
---@param step GraphStep
---@param seen View
---@param opset integer
---@return View[]|nil
function M.of(step, seen, opset)
  local move = moves[step.op]
  if not move or not attributes.are(step.node, attributes_of[step.op]) then return nil end
  local list, of = move(seen, step, opset), seen.scaled
  if not list or not of or list[1] == seen or step.op == 'Cast' then return list end
  local scales = of.scale and move(of.scale, step, opset)
  local zeros = of.zero and move(of.zero, step, opset)
  if of.scale and not scales or of.zero and not zeros then return nil end
  for i, one in ipairs(list) do
    one.scaled = { type = of.type, scale = scales and scales[i], zero = zeros and zeros[i] }
  end
  return list
end

return M
