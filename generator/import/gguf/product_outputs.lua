--- The outputs of a product of GGUF: where the rows of each lie, and why.
local key_values = require 'import.gguf.key_values'
local keys = require 'import.gguf.keys'
local lists = require 'common.list'
local problems = require 'common.problem'
local record = require 'common.record'
local tensor_places = require 'import.gguf.tensor_places'

local M = {}

local function refuse(o, name, reason, ...)
  problems.bad_input(o.path, '"%s": ' .. reason, record.shown(name, 80), ...)
end

-- Matrices ---------------------------------------------------------------------------------------

--- Refuses what stands beside the numbers of a matrix.
---@param module string  its name without .weight
---@param stem GgufStem
---@param bias string|nil  'bias', where it may have one
function M.expect_alone(o, module, stem, bias)
  local own = module:match '[^.]*$'
  local told = #lists.filter(o.rule.scales, function(of) return of[1] == own end) > 0 and 'scale'
  for _, suffix in ipairs(record.sorted_keys(stem)) do
    if suffix ~= 'weight' and suffix ~= bias and suffix ~= told then
      refuse(o, ('%s.%s'):format(module, suffix), 'this may change what "%s.weight" means, and no '
        .. 'rule reads it', module)
    end
  end
end

--- A matrix of the file, and its bias, which has its shape.
---@param module string  its name without .weight
---@param stem GgufStem
---@return PlacedTensor weight
---@return PlacedTensor|nil bias
function M.matrix(o, module, stem)
  M.expect_alone(o, module, stem, 'bias')
  local weight, bias = stem.weight, stem.bias
  if #weight.shape ~= 2 then
    refuse(o, weight.name, 'it has the shape %s, and a matrix has 2 dimensions',
      tensor_places.shape_text(weight.shape))
  end
  if bias and (#bias.shape ~= 1 or bias.shape[1] ~= weight.shape[2]) then
    refuse(o, bias.name, 'it has the shape %s, and the bias of %d outputs must have [%d]',
      tensor_places.shape_text(bias.shape), weight.shape[2], weight.shape[2])
  end
  return weight, bias
end

--- An output: rows [first, first + count) of a matrix.
function M.of_rows(o, of, module, weight, bias, first, count)
  return {
    name = of.name, module = module, word = of.word, outputs = count, inputs = weight.shape[1],
    weight = tensor_places.rows(o.path, weight, first),
    bias = bias and tensor_places.vector(o.path, bias, first) or false,
  }
end

--- How many rows are q's, k's and v's, as keys tell it of a block.
---@param b { prefix: string, number: integer, count: integer }
---@return integer[]
---@return string told
local function cut_of(o, b)
  local name = o.rule.name
  local function size(key, default)
    local list = keys.sizes(o.path, o.values, ('%s.attention.%s'):format(name, key), b.count)
    return list and list[b.number + 1] or default
  end
  local heads = size 'head_count'
  if not heads or heads < 1 then
    key_values.refuse(o.path, name .. '.attention.head_count', heads, 'at least 1')
  end
  local kv_heads = size('head_count_kv', heads)
  local width = keys.size(o.path, o.values, name .. '.embedding_length') // heads
  local key, value = size('key_length', width), size('value_length', width)
  return { heads * key, kv_heads * key, kv_heads * value },
    ('%d heads of %d, %d of keys and values of %d and %d (%s.attention.head_count, head_count_kv, '
      .. 'key_length, value_length, or embedding_length)'):format(heads, key, kv_heads, key, value,
      name)
end

--- Outputs whose rows lie one after the other in a matrix.
local function cut(o, b, form, module, stem)
  local weight, bias = M.matrix(o, module, stem)
  local counts, told = cut_of(o, b)
  if counts[1] + counts[2] + counts[3] ~= weight.shape[2] then
    refuse(o, weight.name, 'it has %d rows, and q, k and v have %d, %d and %d: %s',
      weight.shape[2], counts[1], counts[2], counts[3], told)
  end
  local list, first = {}, 0
  for i, of in ipairs(form.outputs) do
    if counts[i] == 0 then refuse(o, weight.name, '%s has no rows: %s', of.name, told) end
    list[i] = M.of_rows(o, of, module, weight, bias, first, counts[i])
    first = first + counts[i]
  end
  return list, ('%s has the rows of q, then of k, then of v: %s'):format(form.fused, told)
end

--- Outputs each of which is a matrix.
local function whole(o, b, form)
  local list = {}
  for i, of in ipairs(form.outputs) do
    local module = b.prefix .. of.stem
    local weight, bias = M.matrix(o, module, b.stems[of.stem])
    list[i] = M.of_rows(o, of, module, weight, bias, 0, weight.shape[2])
    if list[i].inputs ~= list[1].inputs then
      refuse(o, weight.name, 'it takes %d numbers, and "%s" takes %d', list[i].inputs,
        list[1].weight.tensor, list[1].inputs)
    end
  end
  return list, #list > 1 and 'matrices of one x, in this order' or 'the shape'
end

--- The outputs of a form, and what tells them.
---@param o GgufProducts
---@param b GgufProductBlock
---@param form GgufForm
---@return FoundOutput[]
---@return string told
function M.of(o, b, form)
  if form.fused then return cut(o, b, form, b.prefix .. form.fused, b.stems[form.fused]) end
  return whole(o, b, form)
end

return M
