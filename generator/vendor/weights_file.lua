--- Weights from a file, as lists of numbers: safetensors, bare f32 (.bin), or the same as one
--- array of NumPy (.npy). Nothing in the file is taken on trust; what is wrong is said with the
--- file's name.
local disk = require 'common.disk'
local json_object = require 'vendor.json_object'
local npy_header = require 'vendor.npy_header'
local problem = require 'common.problem'
local record = require 'common.record'

local M = {}

local max_header = 16 << 20
local header_depth = 3 -- the header, a tensor, its shape

---@class Tensor
---@field name string     for messages
---@field shape integer[]
---@field names string[]  what it may be called in a file

local function count_of(shape)
  local count = 1
  for _, n in ipairs(shape) do count = count * n end
  return count
end

--- Numbers of little-endian f32 bytes. NaN and Inf have no place in C constants.
local function numbers_of(path, name, bytes)
  local list = {}
  for i = 1, #bytes // 4 do
    local x = string.unpack('<f', bytes, 4 * i - 3)
    if x ~= x or math.abs(x) == math.huge then
      problem.bad_input(path, '%s: number %d is %s: only finite weights can be embedded', name, i,
        x)
    end
    list[i] = x
  end
  return list
end

--- Bytes [first, first + count) of a file.
local function slice(handle, first, count)
  handle:seek('set', first)
  return count == 0 and '' or handle:read(count) or ''
end

local function shape_text(shape) return '[' .. table.concat(shape, '][') .. ']' end

--- Which tensor of a safetensors header is meant: its name is, or ends in, one of `names`.
local function find(path, header, wanted)
  local found
  for _, key in ipairs(record.sorted_keys(header)) do
    for _, name in ipairs(wanted.names) do
      if key == name or key:sub(-#name - 1) == '.' .. name then
        if found then
          problem.bad_input(path, 'both "%s" and "%s" could be %s: leave one', record.shown(found),
            record.shown(key), wanted.name)
        end
        found = key
      end
    end
  end
  if not found then
    problem.bad_input(path, 'no tensor for %s: it may be called %s', wanted.name,
      table.concat(wanted.names, ', '))
  end
  return found
end

local function is_list_of_sizes(list)
  if type(list) ~= 'table' then return false end
  for i, key in ipairs(record.sorted_keys(list)) do
    if key ~= i or math.type(list[i]) ~= 'integer' or list[i] < 0 then return false end
  end
  return true
end

--- Every tensor has its own bytes of the file, whether it is asked for or not.
---@param bytes integer behind the header
local function check_places(path, header, bytes)
  local places = {}
  for _, name in ipairs(record.sorted_keys(header)) do
    local entry = header[name]
    if name ~= '__metadata__' then
      if type(entry) ~= 'table' or not is_list_of_sizes(entry.shape)
        or not is_list_of_sizes(entry.data_offsets) or #entry.data_offsets ~= 2 then
        problem.bad_input(path, '"%s" has no shape or no data_offsets', record.shown(name))
      end
      local first, last = entry.data_offsets[1], entry.data_offsets[2]
      if first > last or last > bytes then
        problem.bad_input(path, '"%s": its data_offsets do not fit the file', record.shown(name))
      end
      if first < last then places[#places + 1] = { name = name, first = first, last = last } end
    end
  end
  table.sort(places, function(a, b)
    return a.first < b.first or a.first == b.first and a.name < b.name
  end)
  for i = 2, #places do
    if places[i].first < places[i - 1].last then
      problem.bad_input(path, '"%s" and "%s" share bytes: that is a broken file',
        record.shown(places[i - 1].name), record.shown(places[i].name))
    end
  end
end

local function read_safetensors(path, handle, size, tensors)
  local length = size >= 8 and string.unpack('<I8', slice(handle, 0, 8)) or -1
  if length < 2 or length > math.min(max_header, size - 8) then
    problem.bad_input(path, 'not safetensors: the header\'s length is beyond the file')
  end
  local header, reason = json_object.decode(slice(handle, 8, length), header_depth)
  if not header then problem.bad_input(path, 'not safetensors: the header: %s', reason) end
  check_places(path, header, size - 8 - length)
  local result = {}
  for i, wanted in ipairs(tensors) do
    local name = find(path, header, wanted)
    local entry = header[name]
    if entry.dtype ~= 'F32' then
      problem.bad_input(path, '"%s" is %s: store it as F32', record.shown(name),
        record.shown(entry.dtype))
    end
    if shape_text(entry.shape) ~= shape_text(wanted.shape) then
      problem.bad_input(path, '"%s" has the shape %s, the layer\'s %s has %s', record.shown(name),
        shape_text(entry.shape), wanted.name, shape_text(wanted.shape))
    end
    local first, last = entry.data_offsets[1], entry.data_offsets[2]
    local bytes = 4 * count_of(wanted.shape)
    if last - first ~= bytes then
      problem.bad_input(path, '"%s": its data_offsets do not fit its shape', record.shown(name))
    end
    result[i] = numbers_of(path, name, slice(handle, 8 + length + first, bytes))
  end
  return result
end

--- All tensors one after the other, from byte `at` of the file on.
local function read_bare(path, handle, size, tensors, at)
  local total, parts, result = 0, {}, {}
  at = at or 0
  size = size - at
  for i, wanted in ipairs(tensors) do
    total = total + 4 * count_of(wanted.shape)
    parts[i] = wanted.name .. ' ' .. shape_text(wanted.shape)
  end
  if size ~= total then
    problem.bad_input(path, '%d bytes, not the %d of this layer in f32: %s', size, total,
      table.concat(parts, ', '))
  end
  for i, wanted in ipairs(tensors) do
    local bytes = 4 * count_of(wanted.shape)
    result[i] = numbers_of(path, wanted.name, slice(handle, at, bytes))
    at = at + bytes
  end
  return result
end

--- An array of NumPy: magic, version, the length of a header, the header, numbers.
local function read_npy(path, handle, size, tensors)
  local start = slice(handle, 0, 12)
  local major = start:match('^\x93NUMPY([\1-\3])')
  if not major or #start < 12 then problem.bad_input(path, 'not an .npy file of version 1 to 3') end
  local wide = major ~= '\1'
  local length = string.unpack(wide and '<I4' or '<I2', start, 9)
  local first = (wide and 12 or 10) + length
  if first > size or length > max_header then
    problem.bad_input(path, 'not .npy: the header\'s length is beyond the file')
  end
  local header = npy_header.parse(slice(handle, first - length, length))
  if not header then
    problem.bad_input(path, 'not .npy: the header has no type, order and shape')
  end
  if header.descr ~= '<f4' then
    problem.bad_input(path, 'its numbers are %s: store them as <f4 (numpy.float32)',
      header.descr and record.shown(header.descr) or 'records')
  end
  if header.fortran_order then
    problem.bad_input(path, 'its order is Fortran\'s: store numpy.ascontiguousarray() of it')
  end
  if 4 * count_of(header.shape) ~= size - first then
    problem.bad_input(path, '%d bytes behind the header, whose shape is (%s): a file cut short?',
      size - first, table.concat(header.shape, ', '))
  end
  return read_bare(path, handle, size, tensors, first)
end

--- The numbers of each tensor, row after row.
---@param path string
---@param tensors Tensor[]
---@return number[][]
function M.read(path, tensors)
  local reader = path:match('%.safetensors$') and read_safetensors
    or path:match('%.bin$') and read_bare or path:match('%.npy$') and read_npy
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
  local ok, result = pcall(reader, path, handle, size, tensors)
  handle:close()
  if not ok then error(result, 0) end
  return result
end

return M
