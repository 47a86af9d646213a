--- Weights from a file, as lists of numbers: safetensors, bare f32 (.bin), or the same as one
--- array of NumPy (.npy). Nothing in the file is taken on trust; what is wrong is said with the
--- file's name.
local disk = require 'common.disk'
local npy_header = require 'vendor.npy_header'
local numbers = require 'vendor.weight_numbers'
local problem = require 'common.problem'
local record = require 'common.record'
local safetensors = require 'vendor.safetensors'

local M = {}

local max_header = 16 << 20

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
    local start = numbers.slice(handle, 0, 4)
    local is_pickle = start == 'PK\3\4' or start:match '^\x80[\2-\5]'
    problem.bad_input(path, '%d bytes, not the %d of this layer in f32: %s%s', size, total,
      table.concat(parts, ', '), is_pickle and '; it is a file of torch.save(): store it by '
      .. 'safetensors.torch.save_file()' or '')
  end
  for i, wanted in ipairs(tensors) do
    local bytes = 4 * numbers.count(wanted.shape)
    local values = numbers.of(path, wanted.name, numbers.slice(handle, at, bytes))
    result[i] = is_other_way and wanted.part == 'weight'
      and numbers.transposed(values, wanted.shape) or values
    at = at + bytes
  end
  return result
end

local function read_bin(path, handle, size, tensors, options)
  return read_bare(path, handle, size, tensors, 0, options.order == 'in-out')
end

--- What NumPy calls a shape.
local function tuple_text(shape)
  return ('(%s%s)'):format(table.concat(shape, ', '), #shape == 1 and ',' or '')
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
      parts[i] = ('%s %s'):format(tensor.name, tuple_text(tensor.shape))
    end
    problem.bad_input(path, 'its shape is %s, the layer has %s%s', tuple_text(shape),
      table.concat(parts, ', '), #tensors > 1 and ': store one flat array of these in this order, '
      .. 'numpy.concatenate() of each one\'s ravel()' or numbers.count(shape)
      == numbers.count(wanted.shape) and ': reshape it to that' or '')
  end
  local outputs, inputs = wanted.shape[1], wanted.shape[2]
  local held = order == 'in-out' and { inputs, outputs } or { outputs, inputs }
  if shape[1] ~= held[1] or shape[2] ~= held[2] then
    problem.bad_input(path, 'its shape is %s, the layer\'s %s has %s%s', tuple_text(shape),
      wanted.name, tuple_text(held), shape[1] == held[2] and shape[2] == held[1]
      and (': is it --weights-order %s?'):format(order == 'in-out' and 'out-in' or 'in-out') or '')
  end
end

--- An array of NumPy: magic, version, the length of a header, the header, numbers.
local function read_npy(path, handle, size, tensors, options)
  local start = numbers.slice(handle, 0, 12)
  local major = start:match('^\x93NUMPY([\1-\3])')
  if not major or #start < 12 then problem.bad_input(path, 'not an .npy file of version 1 to 3') end
  local wide = major ~= '\1'
  local length = string.unpack(wide and '<I4' or '<I2', start, 9)
  local first = (wide and 12 or 10) + length
  if first > size or length > max_header then
    problem.bad_input(path, 'not .npy: the header\'s length is beyond the file')
  end
  local header = npy_header.parse(numbers.slice(handle, first - length, length))
  if not header then
    problem.bad_input(path, 'not .npy: the header has no type, order and shape')
  end
  if header.descr ~= '<f4' then
    problem.bad_input(path, 'its numbers are %s: store them as <f4 (numpy.float32)',
      header.descr and record.shown(header.descr) or 'records')
  end
  local wanted = 4 * numbers.count(header.shape)
  if wanted ~= size - first then
    problem.bad_input(path, '%d bytes behind the header, whose shape is %s: %s',
      size - first, tuple_text(header.shape), size - first < wanted and 'a file cut short?'
      or ('its numbers take %d'):format(wanted))
  end
  check_shape(path, header.shape, tensors, options.order)
  -- Fortran's order has the columns of a matrix one after the other; numpy.save() writes it of a
  -- transposed array. A flat array has no columns.
  local is_by_column = header.fortran_order and #header.shape == 2
  return read_bare(path, handle, size, tensors, first,
    (options.order == 'in-out') ~= is_by_column)
end

--- The numbers of each tensor, row after row.
---@param path string
---@param tensors Tensor[]
---@param options WeightOptions
---@return number[][]
function M.read(path, tensors, options)
  local reader = path:match('%.safetensors$') and safetensors.read
    or path:match('%.bin$') and read_bin or path:match('%.npy$') and read_npy
  if not reader then
    problem.bad_input(path, 'weights are read from .safetensors, and as f32 from .bin and .npy')
  end
  local start, reason = disk.head(path, 1)
  if not start then problem.bad_input(path, 'cannot be read: %s', reason) end
  local handle = assert(io.open(path, 'rb'))
  local size = handle:seek('end')
  if not size or size >= 1 << 62 then
    problem.bad_input(path, 'cannot be read from any place: give a file')
  end
  local ok, result = pcall(reader, path, handle, size, tensors, options)
  handle:close()
  if not ok then error(result, 0) end
  return result
end

return M
