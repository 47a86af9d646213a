--- The ways in which the tensors of a file can be read as the weights of a layer.
local forms = require 'tensors.forms'
local lists = require 'common.list'
local paths = require 'tensors.paths'
local weight_names = require 'tensors.names'

local M = {}

---@class Reading
---@field prefix string    in front of all its names; ends in a dot, or is empty
---@field keys string[]    the name of each tensor of the layer
---@field missing integer  matrices that the file does not have, biases aside
---@field either_way boolean|nil
---@field beside Neighbour[]  what those who use its names have beside
---@field gate string|nil  the module of a gate, of a layer without one
---@field word string|nil  in front of the numbers of its modules
---@field is_any boolean|nil  its names say nothing
---@field of string|nil    who calls them so

--- What a reader asks of a file: its names; those that a form such as LoRA stands for in place of
--- what is there; and what the user leaves out.
---@class Readable
---@field keys string[]  that may be names of matrices
---@field has table<string, boolean>
---@field stand_ins table<string, { key: string, form: WeightForm }>
---@field is_left fun(key: string): boolean
---@field shapes table<string, integer[]>

--- A file as a reader sees it.
---@param file TensorFile
---@param is_left fun(key: string): boolean
---@return Readable
function M.readable(file, is_left)
  local in_file, stand_ins, keys = lists.set(file.keys), {}, {}
  for _, key in ipairs(file.keys) do
    local module, name, form = forms.of(key, in_file)
    if form then
      local part = forms.stands_for(form, name)
      local known = part and module .. part
      if known and not in_file[known] and not stand_ins[known] then
        stand_ins[known] = { key = key, form = form }
        keys[#keys + 1] = known
      end
    else
      keys[#keys + 1] = key
    end
  end
  table.sort(keys)
  local has = lists.set(file.keys)
  for _, key in ipairs(keys) do has[key] = true end
  return {
    keys = keys, has = has, stand_ins = stand_ins, is_left = is_left,
    shapes = file.shapes,
  }
end

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
  return lists.unique(found)
end

---@param file Readable
---@param tensors Tensor[]
---@param name_of fun(tensor: Tensor, part: string): string
---@return Reading
local function reading(file, tensors, prefix, name_of)
  local result = { prefix = prefix, keys = {}, missing = 0, beside = {} }
  for i, tensor in ipairs(tensors) do
    if tensor.part == 'parameter' then
      result.keys[i] = prefix .. tensor.name
    else
      result.keys[i] = prefix .. name_of(tensor, tensor.part)
      if tensor.part == 'weight' and not file.has[result.keys[i]] then
        result.missing = result.missing + 1
      end
    end
  end
  return result
end

--- Readings by the roles of matrices: gate, up, down.
local function by_role(readings, file, tensors)
  local matrices = lists.filter(tensors, function(tensor) return tensor.part == 'weight' end)
  local roles = lists.map(matrices, function(tensor) return tensor.matrix end)
  for _, named in ipairs(weight_names.of_roles(roles)) do
    local wanted = lists.map(roles, function(role) return named.weight[role] end)
    for _, prefix in ipairs(prefixes_of(file.keys, wanted)) do
      local r = reading(file, tensors, prefix, function(tensor, part)
        return named[part][tensor.matrix]
      end)
      r.either_way, r.beside, r.of = named.either_way, named.beside, named.of
      r.gate = named.gate and prefix .. named.gate
      readings[#readings + 1] = r
    end
  end
end

--- Readings by the names of outputs.
local function by_output(readings, file, tensors)
  for _, form in ipairs(weight_names.of_outputs) do
    local function name_of(tensor, part)
      return form:gsub('{name}', { ['{name}'] = tensor.output }) .. '.' .. part
    end
    local wanted = lists.map(tensors, function(tensor) return name_of(tensor, 'weight') end)
    for _, prefix in ipairs(prefixes_of(file.keys, lists.unique(wanted))) do
      local r = reading(file, tensors, prefix, name_of)
      r.beside = weight_names.beside_outputs
      readings[#readings + 1] = r
    end
  end
end

--- Whether a tensor may be a matrix: that of a norm or of an activation is numbered, too.
local function is_matrix(file, key)
  return not file.shapes[key] or #file.shapes[key] == 2
end

--- The numbers of matrices, ascending, by what stands in front of them.
local function numbers_of(file, word, form)
  local groups, order = {}, {}
  for _, key in ipairs(file.keys) do
    local prefix, number = paths.numbered(key, word, form)
    if prefix and (prefix == '' or prefix:sub(-1) == '.') and #number <= 9
      and is_matrix(file, key) then
      if not groups[prefix] then
        groups[prefix] = {}
        order[#order + 1] = prefix
      end
      table.insert(groups[prefix], { key = key, value = tonumber(number), text = number })
    end
  end
  for _, prefix in ipairs(order) do
    table.sort(groups[prefix], function(a, b)
      return a.value < b.value or a.value == b.value and a.text < b.text
    end)
  end
  return groups, order
end

--- Readings by number: the n-th matrix has the n-th of the numbers that the file has.
---@param word string in front of the number
---@param form string of a matrix's name behind it
---@param bias string the same of a bias's
local function by_number(readings, file, tensors, word, form, bias)
  local groups, order = numbers_of(file, word, form)
  local last = 0
  for _, tensor in ipairs(tensors) do last = math.max(last, tensor.stage) end
  for _, prefix in ipairs(order) do
    local numbers = lists.filter(groups[prefix], function(n) return not file.is_left(n.key) end)
    -- Too few: that the layer's own are left out is said where all of it is known.
    if #numbers <= last then numbers = groups[prefix] end
    local r = reading(file, tensors, prefix, function(tensor, part)
      local number = numbers[tensor.stage + 1]
      return word .. (number and number.text or '?') .. (part == 'bias' and bias or form)
    end)
    r.word, r.beside = word, weight_names.beside_numbers(word)
    readings[#readings + 1] = r
  end
end

--- Of a layer of one matrix: any NAME.weight that is no row of numbers, as a norm's is.
local function any(readings, file, tensors)
  local keys = lists.filter(file.keys, function(key)
    return not file.shapes[key] or #file.shapes[key] > 1
  end)
  for _, prefix in ipairs(prefixes_of(keys, { 'weight' })) do
    local r = reading(file, tensors, prefix, function(_, part) return part end)
    r.is_any, r.either_way = true, weight_names.may_be_in_out(prefix .. 'weight')
    readings[#readings + 1] = r
  end
end

--- w0, b0, w1, b1: this project's own files.
local function own(readings, file, tensors)
  for _, prefix in ipairs(prefixes_of(file.keys, { 'w0' })) do
    local r = reading(file, tensors, prefix, function(tensor, part)
      return (part == 'bias' and 'b' or 'w') .. tensor.stage
    end)
    r.beside = weight_names.beside_own
    readings[#readings + 1] = r
  end
end

--- All readings of a file in which it has one matrix at least.
---@param file Readable
---@param tensors Tensor[]
---@return Reading[]
function M.of(file, tensors)
  local readings, matrices, is_chain = {}, 0, false
  for _, tensor in ipairs(tensors) do
    if tensor.part == 'weight' then matrices = matrices + 1 end
    is_chain = is_chain or tensor.matrix == 'chain'
  end
  if tensors[1].output then
    by_output(readings, file, tensors)
    return readings
  end
  if not is_chain then by_role(readings, file, tensors) end
  local is_plain = not is_chain and matrices == 2 and tensors[1].matrix == 'up'
  if is_chain and matrices == 1 then any(readings, file, tensors) end
  if is_chain and matrices > 1 or is_plain then
    for _, word in ipairs(is_plain and { '' } or weight_names.numbered) do
      by_number(readings, file, tensors, word, '.weight', '.bias')
    end
  end
  if is_chain then own(readings, file, tensors) end
  return readings
end

return M
