--- Weights from a file whose tensors have names: those of the layer are found by them, and turned
--- where they lie the other way round.
local choice = require 'tensors.choice'
local numbers = require 'files.numbers'
local problems = require 'common.problem'
local random_access = require 'files.random_access'
local record = require 'common.record'

local M = {}

--- Whether a shape is held; a single number may be a list of one.
local function is_shape(held, shape)
  return numbers.shape_text(held) == numbers.shape_text(shape)
    or #shape == 0 and #held == 1 and held[1] == 1
end

--- Whether the matrices of a layer are [in][out], where the names leave it open: the shapes tell,
--- those of one matrix for all of them.
---@param file TensorFile
---@param tensors Tensor[]
---@param chosen ChosenTensor[]
local function is_transposed(file, tensors, chosen)
  local is_only = true
  for i, tensor in ipairs(tensors) do
    is_only = is_only and (i == 1 or tensor.part ~= 'weight')
    local outputs, inputs = tensor.shape[1], tensor.shape[2]
    if tensor.part == 'weight' and outputs ~= inputs then
      return is_shape(file.shapes[chosen[i].key], { inputs, outputs })
    end
  end
  problems.bad_input(file.path, '"%s"%s square: say --weights-order in-out (GPT-2\'s '
    .. 'Conv1D) or --weights-order out-in (torch.nn.Linear)', record.shown(chosen[1].key),
    is_only and ' is' or ' and all others are')
end

--- A square matrix of a map whose name may mean either order.
---@param path string
local function ask_order(path, key, tensor)
  if tensor.shape[1] == tensor.shape[2] then
    problems.bad_input(path, '"%s" is square: does %s in the map end in transposed ([in][out], as '
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

--- The numbers of a tensor, in the order of the layer.
---@param file TensorFile
local function values_of(file, key, tensor, is_other_way, options)
  local path, stored, shape = file.path, file.stored[key], tensor.shape
  local found = file.shapes[key]
  if stored.dtype ~= 'F32' then
    problems.bad_input(path, '"%s" is %s: store it as F32', record.shown(key),
      record.shown(stored.dtype))
  end
  local other = { shape[2], shape[1] }
  local held = is_other_way and other or shape
  if not is_shape(found, held) then
    problems.bad_input(path, '"%s" has the shape %s, the layer\'s %s has %s%s', record.shown(key),
      numbers.shape_text(found), tensor.name, numbers.shape_text(held),
      tensor.part == 'weight' and is_shape(found, is_other_way and shape or other)
      and order_hint(options, is_other_way) or '')
  end
  local bytes = 4 * numbers.count(shape)
  if stored.bytes ~= bytes then
    problems.bad_input(path, '"%s": its data_offsets do not fit its shape', record.shown(key))
  end
  local values = numbers.of(path, key, random_access.slice(file.handle, stored.first, bytes))
  return is_other_way and numbers.transposed(values, shape) or values
end

---@param file TensorFile
---@param tensors Tensor[]
---@param options WeightOptions
---@return number[][]
function M.read(file, tensors, options)
  local chosen, shapes_tell = choice.of(file, tensors, options), nil
  local result = {}
  for i, tensor in ipairs(tensors) do
    local key, is_other_way = chosen[i].key, chosen[i].transposed
    if tensor.part ~= 'weight' then
      is_other_way = false
    elseif chosen[i].is_open then
      ask_order(file.path, key, tensor)
    elseif not is_other_way and options.order then
      is_other_way = options.order == 'in-out'
    elseif is_other_way == nil then
      if shapes_tell == nil then shapes_tell = is_transposed(file, tensors, chosen) end
      is_other_way = shapes_tell
    end
    result[i] = values_of(file, key, tensor, is_other_way, options)
  end
  return result
end

return M
