--- Weights from a file without names, which are told by their order: bare f32 (.bin), or the same
--- as one array of NumPy (.npy).
local numbers = require 'files.numbers'
local npy = require 'files.npy'
local random_access = require 'files.random_access'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- All tensors one after the other, in the order of the layer, from byte `at` of the file on.
---@param is_other_way boolean matrices are [in][out]
local function read_bare(path, handle, size, tensors, at, is_other_way)
  local total, parts, result = 0, {}, {}
  size = size - at
  for i, wanted in ipairs(tensors) do
    total = total + 4 * numbers.count(wanted.shape)
    parts[i] = wanted.name .. ' ' .. numbers.shape_text(wanted.shape)
  end
  if size ~= total then
    local start = random_access.slice(handle, 0, 4)
    local is_pickle = start == 'PK\3\4' or start:match '^\x80[\2-\5]'
    problems.bad_input(path, '%d bytes, not the %d of this layer in f32: %s%s', size, total,
      table.concat(parts, ', '), is_pickle and '; it is a file of torch.save(): store it by '
      .. 'safetensors.torch.save_file()' or '')
  end
  for i, wanted in ipairs(tensors) do
    local bytes = 4 * numbers.count(wanted.shape)
    local values = numbers.of(path, wanted.name, random_access.slice(handle, at, bytes))
    result[i] = is_other_way and wanted.part == 'weight'
      and numbers.transposed(values, wanted.shape) or values
    at = at + bytes
  end
  return result
end

---@param options WeightOptions
function M.read_bin(path, handle, size, tensors, options)
  return read_bare(path, handle, size, tensors, 0, options.order == 'in-out')
end

--- Holds an array's shape against the layer: a flat one has all tensors in their order, one of two
--- dimensions is the only matrix of a layer.
---@param shape integer[]
local function check_shape(path, shape, tensors, order)
  if #shape == 1 then return end
  local wanted = tensors[1]
  if #shape ~= 2 or #tensors ~= 1 then
    local parts = {}
    for i, tensor in ipairs(tensors) do
      parts[i] = ('%s %s'):format(tensor.name, npy.shape_text(tensor.shape))
    end
    problems.bad_input(path, 'its shape is %s, the layer has %s%s', npy.shape_text(shape),
      table.concat(parts, ', '), #tensors > 1 and ': store one flat array of these in this order, '
      .. 'numpy.concatenate() of each one\'s ravel()' or numbers.count(shape)
      == numbers.count(wanted.shape) and ': reshape it to that' or '')
  end
  local outputs, inputs = wanted.shape[1], wanted.shape[2]
  local held = order == 'in-out' and { inputs, outputs } or { outputs, inputs }
  if shape[1] ~= held[1] or shape[2] ~= held[2] then
    problems.bad_input(path, 'its shape is %s, the layer\'s %s has %s%s', npy.shape_text(shape),
      wanted.name, npy.shape_text(held), shape[1] == held[2] and shape[2] == held[1]
      and (': is it --weights-order %s?'):format(order == 'in-out' and 'out-in' or 'in-out') or '')
  end
end

---@param options WeightOptions
function M.read_npy(path, handle, size, tensors, options)
  local header = npy.header(path, handle, size)
  if header.descr ~= '<f4' then
    problems.bad_input(path, 'its numbers are %s: store them as <f4 (numpy.float32)',
      header.descr and record.shown(header.descr) or 'records')
  end
  local wanted, there = 4 * numbers.count(header.shape), size - header.first
  if wanted ~= there then
    problems.bad_input(path, '%d bytes behind the header, whose shape is %s: %s', there,
      npy.shape_text(header.shape), there < wanted and 'a file cut short?'
      or ('its numbers take %d'):format(wanted))
  end
  check_shape(path, header.shape, tensors, options.order)
  -- Fortran's order has the columns of a matrix one after the other; numpy.save() writes it of a
  -- transposed array. A flat array has no columns.
  local is_by_column = header.fortran_order and #header.shape == 2
  return read_bare(path, handle, size, tensors, header.first,
    (options.order == 'in-out') ~= is_by_column)
end

return M
