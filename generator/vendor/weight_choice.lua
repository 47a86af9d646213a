--- Which tensors of a file are the weights of a layer: as the user says, or the one reading that
--- there is. What could be meant twice is asked back.
local forms = require 'vendor.weight_forms'
local leaving = require 'vendor.weight_leaving'
local list = require 'common.list'
local names = require 'vendor.weight_names'
local neighbours = require 'vendor.weight_neighbours'
local problem = require 'common.problem'
local readings = require 'vendor.weight_readings'
local record = require 'common.record'
local shell = require 'common.shell'

local M = {}

---@class WeightOptions
---@field prefix string|nil  in front of the names
---@field map table<string, MappedTensor>|nil  by the names of messages
---@field order string|nil   out-in or in-out
---@field leave string[]      names of tensors or modules that are none of the layer's
---@field fixed string[]      parameters of activations that the spec fixes

---@class ChosenTensor
---@field key string        its name in the file
---@field transposed boolean|nil  whether it is [in][out]; nil: its shape tells

local function quoted(key) return '"' .. record.shown(key, 80) .. '"' end

local some = neighbours.some

--- What stands in place of a plain tensor is named, with what makes a plain one of it.
---@param key string    in the file
---@param form WeightForm
---@param name string   of the tensor in the layer
local function refuse_form(path, key, form, name)
  problem.bad_input(path, '%s is no plain tensor for %s but part of %s: %s', quoted(key), name,
    form.of, form.mend)
end

--- No name of the file is a known one.
---@param readable Readable
local function nothing(file, readable, tensors, prefix)
  for _, key in ipairs(prefix and file.keys or {}) do
    local _, _, form = forms.of(key, readable.has)
    if form and neighbours.is_of(key, (prefix:gsub('%.$', ''))) then
      refuse_form(file.path, key, form, tensors[1].name)
    end
  end
  problem.bad_input(file.path, 'no tensor for %s%s: it has %s; ffngen vendor --help lists the '
    .. 'names that are known, --weights-map gives others', tensors[1].name,
    prefix and (' behind the prefix ' .. quoted(prefix)) or '',
    #file.keys > 0 and some(file.keys) or 'none at all')
end

--- Refuses a reading that finds a tensor in a form such as LoRA's.
---@param r Reading
---@param readable Readable
local function check_forms(path, r, readable, tensors)
  for i, tensor in ipairs(tensors) do
    local instead = readable.stand_ins[r.keys[i]]
    if instead then refuse_form(path, instead.key, instead.form, tensor.name) end
  end
end

--- Refuses a reading whose tensors are in several files of a model.
local function check_elsewhere(file, key, name)
  if list.has(file.elsewhere, key) then
    problem.bad_input(file.path, 'no tensor for %s: %s is in another file of the model; store the '
      .. 'layer in one file', name, quoted(key))
  end
end

--- The reading with the fewest gaps, and what it lacks.
---@param readable Readable
local function lacking(file, candidates, readable, tensors)
  local best
  for _, r in ipairs(candidates) do
    if not best or r.missing < best.missing then best = r end
  end
  check_forms(file.path, best, readable, tensors)
  for i, tensor in ipairs(tensors) do
    if not readable.has[best.keys[i]] then
      check_elsewhere(file, best.keys[i], tensor.name)
      problem.bad_input(file.path, 'no tensor for %s: it would be %s, as %s is there; name others '
        .. 'by --weights-map FILE', tensor.name, quoted(best.keys[i]),
        some(list.filter(best.keys, function(key) return readable.has[key] end)))
    end
  end
end

--- The one reading that finds every matrix; where some are left out, among those without them.
---@param readable Readable
---@param options WeightOptions
---@return Reading
local function one_reading(file, readable, tensors, options)
  local candidates, prefix = readings.of(readable, tensors), options.prefix
  if prefix then
    candidates = list.filter(candidates, function(r)
      return r.prefix == prefix or r.prefix == prefix .. '.'
    end)
  end
  if #candidates == 0 then nothing(file, readable, tensors, prefix) end
  local whole = list.filter(candidates, function(r) return r.missing == 0 end)
  if #whole == 0 then lacking(file, candidates, readable, tensors) end
  local kept = list.filter(whole, function(r)
    for i, tensor in ipairs(tensors) do
      if tensor.part == 'weight' and readable.is_left(r.keys[i]) then return false end
    end
    return true
  end)
  if #kept > 0 then whole = kept end
  if #whole > 1 then
    local first = list.map(whole, function(r) return r.keys[1] end)
    local prefixes = list.unique(list.map(whole, function(r) return r.prefix end))
    problem.bad_input(file.path, '%s could be any of %s: choose by %s', tensors[1].name,
      some(first), #prefixes > 1
      and '--weights-prefix ' .. shell.quoted(record.shown(whole[#whole].prefix))
      or '--weights-map FILE')
  end
  return whole[1]
end

--- Finds what is missing of a reading all of whose matrices are there.
---@param r Reading
---@param readable Readable
local function complete(file, r, readable, tensors)
  local has = readable.has
  check_forms(file.path, r, readable, tensors)
  for i, tensor in ipairs(tensors) do
    if not has[r.keys[i]] then
      if tensor.part == 'parameter' and has[tensor.name] then
        r.keys[i] = tensor.name
      else
        check_elsewhere(file, r.keys[i], tensor.name)
        problem.bad_input(file.path, 'no tensor for %s: it would be %s%s', tensor.name,
          quoted(r.keys[i]), tensor.part == 'bias' and '; a layer without biases has bias = false'
          or '')
      end
    end
  end
end

--- What a map says, which names every tensor.
---@return ChosenTensor[]
local function mapped(path, map, has, tensors)
  return list.map(tensors, function(tensor)
    local given = map[tensor.name]
    if not given then
      problem.bad_input('--weights-map', 'says nothing of %s: %s = NAME', tensor.name, tensor.name)
    elseif not has[given.key] then
      problem.bad_input(path, 'no tensor %s, which the map says is %s', quoted(given.key),
        tensor.name)
    end
    return { key = given.key, transposed = given.transposed }
  end)
end

--- What stands beside a reading is judged behind its prefix. A single matrix whose name says
--- nothing is all that a file has, unless the user says where it is.
---@param r Reading
---@param options WeightOptions
---@return Scope
local function scope_of(r, options)
  local is_whole_file = r.is_any and not options.prefix
  return {
    prefix = is_whole_file and '' or r.prefix, beside = r.beside, fixed = options.fixed,
    gate = r.gate, word = r.word, module = is_whole_file and #r.prefix > 0 and r.prefix or nil,
  }
end

--- What stands beside the tensors of a map is judged behind what their names share.
---@return Scope
local function scope_of_map(keys, tensors, has, options)
  local modules = {}
  for i, tensor in ipairs(tensors) do
    if tensor.part ~= 'parameter' then modules[#modules + 1] = forms.of(keys[i], has) or keys[i] end
  end
  local prefix = neighbours.shared_prefix(modules)
  local behind = list.map(keys, function(key) return key:sub(#prefix + 1) end)
  return { prefix = prefix, beside = names.beside_mapped(behind), fixed = options.fixed }
end

---@param file WeightFile
---@param tensors Tensor[]
---@param options WeightOptions
---@return ChosenTensor[]
function M.of(file, tensors, options)
  local is_left = leaving.test(file, options.leave)
  local chosen, scope
  if options.map then
    local has = list.set(file.keys)
    chosen = mapped(file.path, options.map, has, tensors)
    scope = scope_of_map(list.map(chosen, function(c) return c.key end), tensors, has, options)
  else
    local readable = readings.readable(file, is_left)
    local r = one_reading(file, readable, tensors, options)
    complete(file, r, readable, tensors)
    local transposed
    if not r.either_way then transposed = false end
    chosen = list.map(r.keys, function(key) return { key = key, transposed = transposed } end)
    scope = scope_of(r, options)
  end
  local keys = list.map(chosen, function(c) return c.key end)
  leaving.check(keys, tensors, options.leave)
  neighbours.check(file, tensors, keys, scope, is_left)
  return chosen
end

return M
