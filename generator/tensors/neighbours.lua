--- What stands in a file beside the tensors of a layer: a file says what the layer takes and
--- nothing else, or the difference is named. Judged is all that is behind the prefix which the
--- layer's tensors share, and around that what has no matrix of its own; what lies elsewhere is
--- another part of the model.
local surroundings = require 'tensors.surroundings'
local forms = require 'tensors.forms'
local lists = require 'common.list'
local weight_names = require 'tensors.names'
local numbers = require 'files.numbers'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'
local rules = require 'tensors.rules'
local shell = require 'common.shell'
local wanted_tensors = require 'tensors.wanted_tensors'

local M = {}

local quoted = paths.quoted

--- What is known of the names of a layer's tensors in a file.
---@class JudgedNames
---@field prefix string      all behind it is judged
---@field beside Neighbour[]
---@field fixed string[]     parameters of activations that the spec fixes
---@field gate string|nil    the module of a gate, of a layer without one
---@field word string|nil    in front of the numbers of its modules
---@field module string|nil  of a single matrix, with its dot, where the whole file is judged
---@field leave string|nil   the option that leaves tensors out, for messages

---@class Judged
---@field file TensorFile
---@field tensors Tensor[]
---@field keys string[]        the names of the layer's tensors, in the order of those
---@field own table<string, string>  by name of a tensor: what it is in the layer
---@field modules table<string, boolean>  that hold one of them, at any depth
---@field owners table<string, string>  by module of a matrix, with its dot: the matrix
---@field has table<string, boolean>  what the file has
---@field reading JudgedNames
---@field widths Widths
---@field unit_of fun(key: string, prefix: string): string
---@field is_harmless fun(key: string): boolean
---@field is_batch_norm fun(key: string): boolean

--- The largest module behind a prefix around a tensor that has nothing of the layer, or the tensor
--- itself.
---@param modules table<string, boolean> that have something of it
local function unit_of(modules, key, prefix)
  for _, module in ipairs(paths.modules(key)) do
    if #module > #prefix and not modules[module] then return module end
  end
  return key
end

--- Whether a tensor changes nothing, wherever it stands.
local function is_harmless(file, key)
  local shape, last = file.shapes[key], paths.last(key)
  if shape and numbers.count(shape) == 0 then return true end
  for _, n in ipairs(weight_names.anywhere) do
    if last == n.name then return true end
  end
  return false
end

---@param file TensorFile
---@param tensors Tensor[]
---@param keys string[]
---@param reading JudgedNames
---@return Judged
local function judged(file, tensors, keys, reading)
  local own, modules, owners, matrices = {}, {}, {}, 0
  local has, everywhere = lists.set(file.keys), lists.set(file.keys)
  for _, key in ipairs(file.elsewhere) do everywhere[key] = true end
  for _, tensor in ipairs(tensors) do
    if tensor.part == 'weight' then matrices = matrices + 1 end
  end
  for i, key in ipairs(keys) do
    own[key] = tensors[i].name
    for _, module in ipairs(paths.modules(key)) do modules[module] = true end
    if tensors[i].part == 'weight' then
      local module = forms.of(key, has) or key:match '^(.*[./])'
      local is_own = module and (matrices == 1 or #module > #reading.prefix)
      if is_own then owners[module] = tensors[i].name:match '^(.*)%.weight$' end
    end
  end
  return {
    file = file, tensors = tensors, keys = keys, own = own, modules = modules, owners = owners,
    has = has, reading = reading, widths = wanted_tensors.widths(tensors),
    unit_of = function(key, prefix) return unit_of(modules, key, prefix) end,
    is_harmless = function(key) return is_harmless(file, key) end,
    is_batch_norm = function(key)
      return everywhere[(key:match '^.*[./]' or '') .. 'running_mean'] == true
    end,
  }
end

--- The neighbour that a tensor is, or nil.
---@param j Judged
---@return Neighbour|nil
local function neighbour_of(j, key)
  local prefix = j.reading.prefix
  local behind = key:sub(#prefix + 1)
  for _, n in ipairs(j.reading.beside) do
    if n.is_of_own and behind:sub(1, #n.name) == n.name and j.own[prefix
      .. behind:sub(#n.name + 1)] or not n.is_of_own and paths.is_of(behind, n.name) then
      return n
    end
  end
end

--- Whether the attention of a block is there, whose norms its scheme knows.
---@param j Judged
local function has_attention(j)
  for _, keys in ipairs { j.file.keys, j.file.elsewhere } do
    for _, key in ipairs(keys) do
      local is_near = paths.is_behind(key, j.reading.prefix) and not j.own[key]
      local neighbour = is_near and neighbour_of(j, key)
      if neighbour and neighbour.is_attention then return true end
    end
  end
  return false
end

--- Where a numbered module stands among those of the layer: its name, those before and after it.
---@param j Judged
---@return { name: string, before: string|nil, after: string|nil }|nil
local function place_of(j, key)
  local word, start = j.reading.word, #j.reading.prefix + 1
  local function number_of(name)
    return word and math.tointeger(tonumber(name:match('^' .. word .. '(%d+)%f[^%d]', start)))
  end
  local number = number_of(key)
  if not number then return nil end
  local place = { name = quoted(key:match('^' .. word .. '%d+', start)) }
  for i, own in ipairs(j.keys) do
    local at = j.tensors[i].part == 'weight' and number_of(own)
    local module = at and own:match('^' .. word .. '%d+', start)
    if at and at < number then place.before = module end
    if at and at > number then place.after = place.after or module end
  end
  return place
end

--- The facts that the rules of what is behind the prefix ask for.
---@param j Judged
local function facts_of(j)
  local reading, shapes, w = j.reading, j.file.shapes, j.widths
  local function known(field)
    return function(_, f) return f.of_scheme and f.of_scheme[field] end
  end
  return {
    name = function(key) return key end, key = quoted, harmless = j.is_harmless,
    near = function(key) return paths.is_behind(key, reading.prefix) end,
    fixed = function(key) return #reading.prefix > 0 and lists.has(reading.fixed, key) end,
    held_by = function(key)
      for _, module in ipairs(record.sorted_keys(j.owners)) do
        if paths.is_behind(key, module) then return module end
      end
    end,
    owner = function(_, f) return j.owners[f.held_by] end,
    bias = function(key, f) return key == f.held_by .. 'bias' end,
    weight_form = function(key) return (select(3, forms.of(key, j.has))) end,
    form = function(_, f) return f.weight_form and f.weight_form.of end,
    mends_form = function(_, f) return f.weight_form.mend end,
    of_scheme = function(key) return neighbour_of(j, key) end,
    neighbour = known 'name', norm = known 'is_norm',
    inside = function(_, f) return f.of_scheme and f.of_scheme.is_inside and f.of_scheme.why end,
    attention = function() return has_attention(j) end, batch_norm = j.is_batch_norm,
    inputs = function() return w.inputs end, outputs = function() return w.outputs end,
    other_shape = function(key)
      local shape = shapes[key]
      local goes_through = not shape
        or #shape == 1 and (shape[1] == w.inputs or shape[1] == w.outputs)
      return not goes_through and numbers.shape_text(shape)
    end,
    mends_norm = function(key, f)
      local shape = shapes[key]
      return (not shape or w.hidden[shape[1]]) and f.another
    end,
    gate = function(key) return reading.gate and paths.is_of(key, reading.gate) end,
    module = function() return reading.module and reading.module:sub(1, -2) end,
    place = function(key) return place_of(j, key) end,
    numbered = function(_, f) return f.place.name end,
    before = function(_, f) return f.place and f.place.before end,
    after = function(_, f) return f.place and f.place.after end,
    hidden = function(key)
      local shape = shapes[key]
      return shape and #shape == 1 and w.hidden[shape[1]] and shape[1]
    end,
  }
end

--- What helps where a file has more that may well be none of the layer's: words for the end of a
--- message.
---@param j Judged
---@param units string[]
local function leaving(j, units)
  units = lists.unique(units)
  local shown = table.concat({ table.unpack(units, 1, 8) }, ',')
  local module = j.reading.module
  if table.concat(units):find ',' then return 'is it another layer, or a file without it?' end
  return ('is it another layer? %s %s leaves out what does not change it%s'):format(
    j.reading.leave or '--weights-leave',
    record.shown(shell.quoted(shown .. (#units > 8 and ',...' or '')), 300), module
    and ('; --weights-prefix %s, where it is all of the layer'):format(
      shell.quoted(record.shown(module:sub(1, -2)))) or '')
end

--- What is found behind the prefix: names, why the first of them has no place, and what mends that.
--- Where some have a remedy, it is these alone.
---@param j Judged
---@param is_left fun(key: string): boolean
---@return string[] keys
---@return string|nil why
---@return string|nil remedy
local function strangers(j, is_left)
  local open, sure, find = { keys = {} }, { keys = {} }, facts_of(j)
  for _, keys in ipairs { j.file.keys, j.file.elsewhere } do
    for _, key in ipairs(keys) do
      local said, mend
      if not j.own[key] and not is_left(key) then
        said, mend = rules.said(weight_names.data.behind, find, key)
      end
      local found = mend and sure or open
      if said then
        table.insert(found.keys, key)
        found.why, found.mend = found.why or said, found.mend or mend
      end
    end
  end
  local found = #sure.keys > 0 and sure or open
  return found.keys, found.why, found.mend
end

--- Refuses a file that has more than the layer takes.
---@param file TensorFile
---@param tensors Tensor[]
---@param keys string[]   the names of the layer's tensors
---@param reading JudgedNames
---@param is_left fun(key: string): boolean
function M.check(file, tensors, keys, reading, is_left)
  local j, units = judged(file, tensors, keys, reading), {}
  local found, why, mend = strangers(j, is_left)
  for i, key in ipairs(found) do units[i] = j.unit_of(key, reading.prefix) end
  if #found == 0 then found, units, why = surroundings.strangers(j, is_left) end
  if #found > 0 then
    problems.bad_input(file.path, 'it has %s, which the layer does not use: %s%s%s',
      paths.some(found), why, mend and ': ' or '; ', mend or leaving(j, units))
  end
end

return M
