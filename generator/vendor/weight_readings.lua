--- The ways in which the tensors of a file can be read as the weights of a layer.
local list = require 'common.list'
local names = require 'vendor.weight_names'

local M = {}

---@class Reading
---@field prefix string    in front of all its names; ends in a dot, or is empty
---@field keys string[]    the name of each tensor of the layer
---@field missing integer  matrices that the file does not have, biases aside
---@field either_way boolean|nil
---@field unused string[]  what the file may have and the layer has no place for

--- What stands in front of a name at the end of a key: nothing, or something with a dot.
local function prefix_of(key, name)
  local prefix = key:sub(1, -#name - 1)
  if prefix .. name == key and (prefix == '' or prefix:sub(-1) == '.') then return prefix end
  return nil
end

--- Every prefix under which the file has at least one of the names.
local function prefixes_of(keys, wanted)
  local found = {}
  for _, key in ipairs(keys) do
    for _, name in ipairs(wanted) do found[#found + 1] = prefix_of(key, name) end
  end
  return list.unique(found)
end

---@param tensors Tensor[]
---@param name_of fun(tensor: Tensor, part: string): string
---@return Reading
local function reading(has, tensors, prefix, name_of)
  local result = { prefix = prefix, keys = {}, missing = 0, unused = {} }
  for i, tensor in ipairs(tensors) do
    if tensor.part == 'parameter' then
      result.keys[i] = prefix .. tensor.name
    else
      result.keys[i] = prefix .. name_of(tensor, tensor.part)
      if tensor.part == 'weight' and not has[result.keys[i]] then
        result.missing = result.missing + 1
      end
      if not tensor.has_bias then
        result.unused[#result.unused + 1] = prefix .. name_of(tensor, 'bias')
      end
    end
  end
  return result
end

--- Readings by the roles of matrices: gate, up, down.
local function by_role(readings, keys, has, tensors)
  local matrices = list.filter(tensors, function(tensor) return tensor.part == 'weight' end)
  local roles = list.map(matrices, function(tensor) return tensor.matrix end)
  for _, named in ipairs(names.of_roles(roles)) do
    local wanted = list.map(roles, function(role) return named.weight[role] end)
    for _, prefix in ipairs(prefixes_of(keys, wanted)) do
      local r = reading(has, tensors, prefix, function(tensor, part)
        return named[part][tensor.matrix]
      end)
      r.either_way = named.either_way
      if named.unused then r.unused[#r.unused + 1] = prefix .. named.unused .. '.weight' end
      readings[#readings + 1] = r
    end
  end
end

--- Readings by number: the n-th matrix has the n-th of the numbers that the file has.
---@param word string in front of the number
---@param form string of a matrix's name behind it
---@param bias string the same of a bias's
local function by_number(readings, keys, has, tensors, word, form, bias)
  local groups, order = {}, {}
  for _, key in ipairs(keys) do
    local prefix, number = key:match('^(.-)' .. word .. '(%d+)' .. form:gsub('%p', '%%%0') .. '$')
    if prefix and (prefix == '' or prefix:sub(-1) == '.') and #number <= 9 then
      if not groups[prefix] then
        groups[prefix] = {}
        order[#order + 1] = prefix
      end
      table.insert(groups[prefix], math.tointeger(tonumber(number)))
    end
  end
  local last = 0
  for _, tensor in ipairs(tensors) do last = math.max(last, tensor.stage) end
  for _, prefix in ipairs(order) do
    local numbers = groups[prefix]
    table.sort(numbers)
    local r = reading(has, tensors, prefix, function(tensor, part)
      return word .. (numbers[tensor.stage + 1] or '?') .. (part == 'bias' and bias or form)
    end)
    for i = last + 2, #numbers do r.unused[#r.unused + 1] = prefix .. word .. numbers[i] .. form end
    readings[#readings + 1] = r
  end
end

--- Of a layer of one matrix: any NAME.weight.
local function any(readings, keys, has, tensors)
  for _, prefix in ipairs(prefixes_of(keys, { 'weight' })) do
    readings[#readings + 1] = reading(has, tensors, prefix, function(_, part) return part end)
  end
end

--- w0, b0, w1, b1: this project's own files.
local function own(readings, keys, has, tensors)
  for _, prefix in ipairs(prefixes_of(keys, { 'w0' })) do
    readings[#readings + 1] = reading(has, tensors, prefix, function(tensor, part)
      return (part == 'bias' and 'b' or 'w') .. tensor.stage
    end)
  end
end

--- All readings of a file in which it has one matrix at least.
---@param keys string[] of the file
---@param tensors Tensor[]
---@return Reading[]
function M.of(keys, tensors)
  local readings, has, matrices, is_chain = {}, {}, 0, false
  for _, key in ipairs(keys) do has[key] = true end
  for _, tensor in ipairs(tensors) do
    if tensor.part == 'weight' then matrices = matrices + 1 end
    is_chain = is_chain or tensor.matrix == 'chain'
  end
  if not is_chain then by_role(readings, keys, has, tensors) end
  local is_plain = not is_chain and matrices == 2 and tensors[1].matrix == 'up'
  if is_chain and matrices == 1 then any(readings, keys, has, tensors) end
  if is_chain and matrices > 1 or is_plain then
    for _, word in ipairs(is_plain and { '' } or names.numbered) do
      by_number(readings, keys, has, tensors, word, '.weight', '.bias')
    end
  end
  if is_chain then own(readings, keys, has, tensors) end
  return readings
end

return M
