--- Weights from a safetensors file: a header in JSON that says of each tensor its type, its shape
--- and its bytes. Nothing in it is taken on trust.
local choice = require 'vendor.weight_choice'
local json_object = require 'vendor.json_object'
local numbers = require 'vendor.weight_numbers'
local problem = require 'common.problem'
local record = require 'common.record'
local shards = require 'vendor.weight_shards'

local M = {}

local max_header = 16 << 20
local header_depth = 127 -- as the format's own reader: a tensor may have more fields than it needs

local function is_list_of_sizes(sizes)
  if type(sizes) ~= 'table' then return false end
  for i, key in ipairs(record.sorted_keys(sizes)) do
    if key ~= i or math.type(sizes[i]) ~= 'integer' or sizes[i] < 0 then return false end
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

--- What a file tells about itself is texts. It says nothing of its numbers.
local function check_metadata(path, metadata)
  local is_right = metadata == nil or type(metadata) == 'table'
  for _, key in ipairs(is_right and metadata and record.sorted_keys(metadata) or {}) do
    is_right = is_right and type(key) == 'string' and type(metadata[key]) == 'string'
  end
  if not is_right then
    problem.bad_input(path, 'not safetensors: its "__metadata__" is no object of texts')
  end
end

--- The header of a file, and where its data begin.
local function header_of(path, handle, size)
  local length = size >= 8 and string.unpack('<I8', numbers.slice(handle, 0, 8)) or -1
  if length < 2 or length > math.min(max_header, size - 8) then
    problem.bad_input(path, 'not safetensors: the header\'s length is beyond the file')
  end
  local header, reason = json_object.decode(numbers.slice(handle, 8, length), header_depth)
  if not header then problem.bad_input(path, 'not safetensors: the header: %s', reason) end
  check_metadata(path, header.__metadata__)
  check_places(path, header, size - 8 - length)
  return header, 8 + length
end

local function is_shape(entry, shape)
  return numbers.shape_text(entry.shape) == numbers.shape_text(shape)
end

--- Whether the matrices of a layer are [in][out], where the names leave it open: the shapes tell,
--- those of one matrix for all of them.
---@param chosen ChosenTensor[]
local function is_transposed(path, header, tensors, chosen)
  local is_only = true
  for i, tensor in ipairs(tensors) do
    is_only = is_only and (i == 1 or tensor.part ~= 'weight')
    local outputs, inputs = tensor.shape[1], tensor.shape[2]
    if tensor.part == 'weight' and outputs ~= inputs then
      return is_shape(header[chosen[i].key], { inputs, outputs })
    end
  end
  problem.bad_input(path, '"%s"%s square: say --weights-order in-out (GPT-2\'s '
    .. 'Conv1D) or --weights-order out-in (torch.nn.Linear)', record.shown(chosen[1].key),
    is_only and ' is' or ' and all others are')
end

--- A square matrix of a map whose name may mean either order.
---@param path string
local function ask_order(path, key, tensor)
  if tensor.shape[1] == tensor.shape[2] then
    problem.bad_input(path, '"%s" is square: does %s in the map end in transposed ([in][out], as '
      .. 'in GPT-2\'s Conv1D or Keras) or in out-in (torch.nn.Linear)?', record.shown(key),
      tensor.name)
  end
end

--- What is asked of a matrix whose shape is the other way round.
local function order_hint(options, is_other_way)
  if options.map then
    return is_other_way and ': is its line in the map without the word transposed?'
      or ': has its line in the map the word transposed at its end?'
  end
  return (': is it --weights-order %s?'):format(is_other_way and 'out-in' or 'in-out')
end

--- The bytes of a tensor, in the order of the layer.
---@param file WeightFile
---@param entry table  of the header
local function tensor_of(file, entry, key, tensor, is_other_way, options)
  local path, shape = file.path, tensor.shape
  if entry.dtype ~= 'F32' then
    problem.bad_input(path, '"%s" is %s: store it as F32', record.shown(key),
      record.shown(entry.dtype))
  end
  local other = { shape[2], shape[1] }
  local held = is_other_way and other or shape
  if not is_shape(entry, held) then
    problem.bad_input(path, '"%s" has the shape %s, the layer\'s %s has %s%s', record.shown(key),
      numbers.shape_text(entry.shape), tensor.name, numbers.shape_text(held),
      tensor.part == 'weight' and is_shape(entry, is_other_way and shape or other)
      and order_hint(options, is_other_way) or '')
  end
  local first, last = entry.data_offsets[1], entry.data_offsets[2]
  local bytes = 4 * numbers.count(shape)
  if last - first ~= bytes then
    problem.bad_input(path, '"%s": its data_offsets do not fit its shape', record.shown(key))
  end
  local values = numbers.of(path, key, numbers.slice(file.handle, file.at + first, bytes))
  return is_other_way and numbers.transposed(values, shape) or values
end

--- What a header tells, for those who look for names.
---@return WeightFile
local function file_of(path, handle, header, at)
  local keys, shapes = {}, {}
  for _, key in ipairs(record.sorted_keys(header)) do
    if key ~= '__metadata__' then
      keys[#keys + 1] = key
      shapes[key] = header[key].shape
    end
  end
  return {
    path = path, keys = keys, shapes = shapes, elsewhere = shards.elsewhere(path, keys),
    handle = handle, at = at,
  }
end

---@param path string
---@param handle file*
---@param size integer
---@param tensors Tensor[]
---@param options WeightOptions
---@return number[][]
function M.read(path, handle, size, tensors, options)
  local header, at = header_of(path, handle, size)
  local file = file_of(path, handle, header, at)
  local chosen, shapes_tell = choice.of(file, tensors, options), nil
  local result = {}
  for i, tensor in ipairs(tensors) do
    local key, is_other_way = chosen[i].key, chosen[i].transposed
    if tensor.part ~= 'weight' then
      is_other_way = false
    elseif chosen[i].is_open then
      ask_order(path, key, tensor)
    elseif not is_other_way and options.order then
      is_other_way = options.order == 'in-out'
    elseif is_other_way == nil then
      if shapes_tell == nil then shapes_tell = is_transposed(path, header, tensors, chosen) end
      is_other_way = shapes_tell
    end
    result[i] = tensor_of(file, header[key], key, tensor, is_other_way, options)
  end
  return result
end

return M
