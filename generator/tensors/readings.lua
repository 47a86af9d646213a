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

--- A layer's names behind a prefix.
---@param file Readable
---@param tensors Tensor[]
---@param names string[]  of each tensor
---@return Reading
local function reading(file, tensors, prefix, names)
  local result = { prefix = prefix, keys = {}, missing = 0, beside = {} }
  for i, tensor in ipairs(tensors) do
    result.keys[i] = prefix .. names[i]
    if tensor.part == 'weight' and not file.has[result.keys[i]] then
      result.missing = result.missing + 1
    end
  end
  return result
end

--- Readings by names that say which tensor is which.
---@param scheme NameScheme
---@param convention Convention|nil  whose modules these are
local function by_name(readings, file, tensors, scheme, convention)
  local named = convention or scheme
  local names, matrices, has_gate = {}, {}, false
  for i, tensor in ipairs(tensors) do
    names[i] = tensor.part == 'parameter' and tensor.name
      or scheme[tensor.part]:gsub('{(%l+)}', function(hole)
        return hole == 'module' and convention[tensor.matrix] or tensor[hole]
      end)
    if tensor.part == 'weight' then matrices[#matrices + 1] = names[i] end
    has_gate = has_gate or tensor.matrix == 'gate'
  end
  local keys = not scheme.is_any and file.keys or lists.filter(file.keys, function(key)
    return not file.shapes[key] or #file.shapes[key] > 1 -- no row of numbers, as a norm's is
  end)
  local gate = convention and not has_gate and (convention.gate or convention.gated_by)
  for _, prefix in ipairs(prefixes_of(keys, scheme.told_by and { scheme.told_by } or matrices)) do
    local r = reading(file, tensors, prefix, names)
    r.either_way, r.beside, r.of = named.either_way, weight_names.beside_of(named), named.of
    r.gate = gate and prefix .. gate or nil
    if scheme.is_any then
      r.is_any, r.either_way = true, weight_names.may_be_in_out(prefix .. 'weight')
    end
    readings[#readings + 1] = r
  end
end

--- The numbers of matrices, ascending, by what stands in front of them. The matrix of a norm or of
--- an activation is numbered, too.
local function numbers_of(file, word)
  local groups, order = {}, {}
  for _, key in ipairs(file.keys) do
    local prefix, number = paths.numbered(key, word, '.weight')
    if prefix and (prefix == '' or prefix:sub(-1) == '.') and #number <= 9
      and (not file.shapes[key] or #file.shapes[key] == 2) then
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
local function by_number(readings, file, tensors, word)
  local groups, order = numbers_of(file, word)
  local last = 0
  for _, tensor in ipairs(tensors) do last = math.max(last, tensor.stage) end
  for _, prefix in ipairs(order) do
    local numbers = lists.filter(groups[prefix], function(n) return not file.is_left(n.key) end)
    -- Too few: that the layer's own are left out is said where all of it is known.
    if #numbers <= last then numbers = groups[prefix] end
    local r = reading(file, tensors, prefix, lists.map(tensors, function(tensor)
      local number = numbers[tensor.stage + 1]
      return tensor.part == 'parameter' and tensor.name
        or ('%s%s.%s'):format(word, number and number.text or '?', tensor.part)
    end))
    r.word, r.beside = word, weight_names.beside_numbers(word)
    readings[#readings + 1] = r
  end
end

--- What a layer is to the schemes: the words of NameScheme.for.
---@param tensors Tensor[]
---@return string[] words
---@return table<string, any> roles  of its matrices
local function is_of(tensors)
  local matrices = lists.filter(tensors, function(tensor) return tensor.part == 'weight' end)
  local roles = lists.set(lists.map(matrices, function(tensor) return tensor.matrix end))
  if tensors[1].output then return { 'outputs' }, roles end
  if roles.chain then return { 'chain', #matrices == 1 and 'one' or 'several' }, roles end
  local is_plain = #matrices == 2 and tensors[1].matrix == 'up'
  return { 'roles', is_plain and 'plain' or nil }, roles
end

--- All readings of a file in which it has one matrix at least.
---@param file Readable
---@param tensors Tensor[]
---@return Reading[]
function M.of(file, tensors)
  local readings = {}
  local words, roles = is_of(tensors)
  for _, scheme in ipairs(weight_names.data.schemes) do
    local is_meant = lists.has(scheme['for'], words[1]) or lists.has(scheme['for'], words[2])
    if is_meant and scheme.word then
      by_number(readings, file, tensors, scheme.word)
    elseif is_meant and scheme.weight:find '{module}' then
      for _, convention in ipairs(weight_names.conventions_of(roles)) do
        by_name(readings, file, tensors, scheme, convention)
      end
    elseif is_meant then
      by_name(readings, file, tensors, scheme)
    end
  end
  return readings
end

return M
