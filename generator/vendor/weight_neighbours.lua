--- What stands in a file beside the tensors of a layer: a file says what the layer takes and
--- nothing else, or the difference is named. Judged is all that is behind the prefix which the
--- layer's tensors share; what lies elsewhere is another part of the model.
local forms = require 'vendor.weight_forms'
local list = require 'common.list'
local names = require 'vendor.weight_names'
local numbers = require 'vendor.weight_numbers'
local problem = require 'common.problem'
local record = require 'common.record'
local shell = require 'common.shell'

local M = {}

local function quoted(name) return '"' .. record.shown(name, 80) .. '"' end

--- Some of many names.
---@param keys string[]
---@return string
function M.some(keys)
  local shown = list.map({ table.unpack(keys, 1, 6) }, quoted)
  if #keys > 6 then shown[7] = ('and %d more'):format(#keys - 6) end
  return table.concat(shown, ', ')
end

--- Whether a tensor is what a name says, or behind it: a module's name is for all in it. Between
--- the parts of a name stand dots; slashes in those of Keras and JAX.
---@param key string
---@param name string
function M.is_of(key, name)
  return key == name
    or key:sub(1, #name) == name and key:sub(#name + 1, #name + 1):find '^[./]' ~= nil
end

--- The modules of a name, from the outermost on.
local function modules_of(key)
  local result = {}
  for at in key:gmatch '()[./]' do result[#result + 1] = key:sub(1, at - 1) end
  return result
end

--- What all names have in front of them, up to a dot; '' where they share nothing.
---@param keys string[]
---@return string
function M.shared_prefix(keys)
  local shared = keys[1]:match '^(.*[./])' or ''
  for _, key in ipairs(keys) do
    while key:sub(1, #shared) ~= shared do shared = shared:sub(1, -2):match '^(.*[./])' or '' end
  end
  return shared
end

--- What is known of the names of a layer's tensors in a file.
---@class Scope
---@field prefix string      all behind it is judged
---@field beside Neighbour[]
---@field fixed string[]     parameters of activations that the spec fixes
---@field gate string|nil    the module of a gate, of a layer without one
---@field word string|nil    in front of the numbers of its modules
---@field module string|nil  of a single matrix, with its dot, where the whole file is judged

---@class Judged
---@field file WeightFile
---@field tensors Tensor[]
---@field keys string[]        the names of the layer's tensors, in the order of those
---@field own table<string, string>  by name of a tensor: what it is in the layer
---@field modules table<string, boolean>  that hold one of them, at any depth
---@field owners table<string, string>  by module of a matrix, with its dot: the matrix
---@field has table<string, boolean>  what the file has
---@field reading Scope

---@param file WeightFile
---@param tensors Tensor[]
---@param keys string[]
---@param reading Scope
---@return Judged
local function judged(file, tensors, keys, reading)
  local own, modules, owners, matrices = {}, {}, {}, 0
  local has = list.set(file.keys)
  for _, tensor in ipairs(tensors) do
    if tensor.part == 'weight' then matrices = matrices + 1 end
  end
  for i, key in ipairs(keys) do
    own[key] = tensors[i].name
    for _, module in ipairs(modules_of(key)) do modules[module] = true end
    if tensors[i].part == 'weight' then
      local module = forms.of(key, has) or key:match '^(.*[./])'
      local is_own = module and (matrices == 1 or #module > #reading.prefix)
      if is_own then owners[module] = tensors[i].name:match '^(.*)%.weight$' end
    end
  end
  return {
    file = file, tensors = tensors, keys = keys, own = own, modules = modules, owners = owners,
    has = has, reading = reading,
  }
end

--- The largest module around a tensor that has nothing of the layer, or the tensor itself.
---@param j Judged
local function unit_of(j, key)
  for _, module in ipairs(modules_of(key)) do
    if #module > #j.reading.prefix and not j.modules[module] then return module end
  end
  return key
end

--- What goes into the layer, what comes out, and the widths between.
---@return integer inputs
---@return integer outputs
---@return table<integer, boolean> hidden
local function widths(tensors)
  local inputs, outputs, hidden, last = nil, nil, {}, 0
  for _, t in ipairs(tensors) do last = math.max(last, t.stage) end
  for _, t in ipairs(tensors) do
    if t.part == 'weight' then
      inputs = inputs or t.shape[2]
      if t.stage == last then outputs = t.shape[1] else hidden[t.shape[1]] = true end
    end
  end
  return inputs, outputs, hidden
end

--- The neighbour that a tensor is, or nil.
---@param j Judged
---@return Neighbour|nil
local function neighbour_of(j, key)
  local prefix = j.reading.prefix
  local behind = key:sub(#prefix + 1)
  for _, n in ipairs(j.reading.beside) do
    if n.is_of_own and behind:sub(1, #n.name) == n.name and j.own[prefix
      .. behind:sub(#n.name + 1)] or not n.is_of_own and M.is_of(behind, n.name) then
      return n
    end
  end
end

--- Why a tensor that a scheme knows as a norm is none of those in front of the layer or behind it.
---@param j Judged
local function no_norm(j, key)
  local shape = j.file.shapes[key]
  local inputs, outputs = widths(j.tensors)
  if not shape or #shape == 1 and (shape[1] == inputs or shape[1] == outputs) then return nil end
  return ('%s is %s, and the layer takes %d and gives %d: no norm around it'):format(quoted(key),
    numbers.shape_text(shape), inputs, outputs)
end

--- Where a numbered module stands among those of the layer, or nil.
---@param j Judged
local function place_of(j, key)
  local word, prefix = j.reading.word, j.reading.prefix
  if not word then return nil end
  local function number_of(name)
    return math.tointeger(tonumber(name:match('^' .. word .. '(%d+)%f[^%d]', #prefix + 1)))
  end
  local number, before, after = number_of(key), nil, nil
  if not number then return nil end
  for i, own in ipairs(j.keys) do
    local at = j.tensors[i].part == 'weight' and number_of(own)
    if at and at < number then before = own:match('^(.-%d+)%.', #prefix + 1) end
    if at and at > number and not after then after = own:match('^(.-%d+)%.', #prefix + 1) end
  end
  local name = quoted(key:match('^' .. word .. '%d+', #prefix + 1))
  if before and after then
    return ('%s stands between "%s" and "%s"'):format(name, before, after)
  end
  return before and ('%s stands behind "%s"'):format(name, before)
    or after and ('%s stands before "%s"'):format(name, after)
end

--- What is wrong with a tensor in the module of a matrix, or nil where it is in none.
---@param j Judged
local function in_owner(j, key)
  for _, module in ipairs(record.sorted_keys(j.owners)) do
    if key:sub(1, #module) == module then
      local matrix, name = j.owners[module], key:sub(#module + 1)
      local _, _, form = forms.of(key, j.has)
      if form then return ('%s is %s: %s'):format(matrix, form.of, form.mend) end
      if name == 'bias' then
        return ('%s has a bias here, and the spec says bias = false'):format(matrix)
      end
      return ('it stands in the module of %s'):format(matrix)
    end
  end
end

--- A tensor of numbers as many as a hidden width, which are a norm's or a bias's.
---@param j Judged
local function of_hidden(j, key)
  local _, _, hidden = widths(j.tensors)
  local shape = j.file.shapes[key]
  if shape and #shape == 1 and hidden[shape[1]] then
    return ('%s has a number for each of %d hidden ones'):format(quoted(key), shape[1])
  end
end

--- Why a tensor has no place in the layer, in words; nil where it is known to be none of it.
---@param j Judged
---@return string|nil
local function problem_of(j, key)
  local shape, last = j.file.shapes[key], key:match '[^./]+$'
  if shape and numbers.count(shape) == 0 then return nil end
  for _, n in ipairs(names.anywhere) do
    if last == n.name then return nil end
  end
  local neighbour, owned = neighbour_of(j, key), in_owner(j, key)
  if owned then return owned end
  if neighbour and neighbour.is_inside then return neighbour.why end
  if neighbour then return neighbour.is_norm and no_norm(j, key) or nil end
  if j.reading.gate and M.is_of(key, j.reading.gate) then return 'the layer has no gate' end
  if j.reading.module then return ('it is not in "%s"'):format(j.reading.module:sub(1, -2)) end
  return place_of(j, key) or of_hidden(j, key) or ('nothing is known of %s'):format(quoted(key))
end

--- What a parameter that the spec fixes would be called in front of all modules.
local function is_fixed(j, key)
  return list.has(j.reading.fixed, key) and #j.reading.prefix > 0
end

--- What helps where a file has more: words for the end of a message.
---@param j Judged
---@param strangers string[]
local function remedy(j, strangers)
  local units = list.unique(list.map(strangers, function(key) return unit_of(j, key) end))
  local shown = table.concat({ table.unpack(units, 1, 8) }, ',')
  local module = j.reading.module
  if table.concat(units):find ',' then return 'another layer, or a file without it?' end
  return ('another layer? --weights-leave %s leaves out what does not change it%s'):format(
    record.shown(shell.quoted(shown .. (#units > 8 and ',...' or '')), 300), module
    and ('; --weights-prefix %s, where it is all of the layer'):format(
      shell.quoted(record.shown(module:sub(1, -2)))) or '')
end

--- Refuses a file that has more than the layer takes.
---@param file WeightFile
---@param tensors Tensor[]
---@param keys string[]   the names of the layer's tensors
---@param reading Scope
---@param is_left fun(key: string): boolean
function M.check(file, tensors, keys, reading, is_left)
  local j, strangers, why = judged(file, tensors, keys, reading), {}, nil
  for _, keys_of in ipairs { file.keys, file.elsewhere } do
    for _, key in ipairs(keys_of) do
      local is_near = key:sub(1, #reading.prefix) == reading.prefix
      if not j.own[key] and not is_left(key) and (is_near or is_fixed(j, key)) then
        local said = is_fixed(j, key) and ('the spec fixes %s'):format(key) or problem_of(j, key)
        if said then
          strangers[#strangers + 1] = key
          why = why or said
        end
      end
    end
  end
  if #strangers > 0 then
    problem.bad_input(file.path, 'it has %s, for which the layer has no place: %s; is it %s',
      M.some(strangers), why, remedy(j, strangers))
  end
end

return M
