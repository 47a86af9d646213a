--- Which tensors of a file are the weights of a layer: as the user says, or the one reading that
--- there is. What could be meant twice is asked back.
local forms = require 'tensors.forms'
local exclusions = require 'tensors.exclusions'
local lists = require 'common.list'
local weight_names = require 'tensors.names'
local neighbours = require 'tensors.neighbours'
local operand_scale = require 'tensors.operand_scale'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local readings = require 'tensors.readings'
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
---@field is_open boolean|nil     a map does not say so, and it may be either where it is square

local quoted, some = paths.quoted, paths.some

--- What stands in place of a plain tensor is named, with what makes a plain one of it.
---@param key string    in the file
---@param form WeightForm
---@param name string   of the tensor in the layer
local function refuse_form(path, key, form, name)
  problems.bad_input(path, '%s is not a plain tensor for %s, but a part of %s: %s', quoted(key),
    name, form.of, form.mend)
end

--- The prefix of a reading that begins with what the user says, or the other way round, the nearest
--- first; nil where there is none, or where several are as near.
---@param candidates Reading[]
---@param prefix string
local function near_prefix(candidates, prefix)
  local said = prefix:gsub('%.$', '') .. '.'
  local near, best = {}, math.huge
  for _, r in ipairs(candidates) do
    local is_near = paths.is_behind(r.prefix, said)
      or r.prefix ~= '' and paths.is_behind(said, r.prefix)
    local distance = math.abs(#r.prefix - #said)
    if is_near and r.missing == 0 and distance <= best then
      if distance < best then near, best = {}, distance end
      near[#near + 1] = r.prefix:sub(1, -2)
    end
  end
  near = lists.unique(near)
  return #near == 1 and near[1] or nil
end

--- A map as the remedy: it says all of a name, so it takes the place of what was said of names.
---@param options WeightOptions
local function by_map(options)
  local said = {}
  if options.prefix then said[1] = '--weights-prefix' end
  if options.order then said[#said + 1] = '--weights-order' end
  return '--weights-map FILE' .. (#said > 0 and ', in place of ' .. table.concat(said, ' and ')
    or '')
end

--- No name of the file is a known one, or none behind the prefix.
---@param readable Readable
---@param elsewhere Reading[]  behind other prefixes
local function nothing(file, readable, tensors, options, elsewhere)
  local prefix = options.prefix
  local behind = lists.filter(file.keys, function(key)
    return not prefix or paths.is_of(key, (prefix:gsub('%.$', '')))
  end)
  for _, key in ipairs(prefix and behind or {}) do
    local _, _, form = forms.of(key, readable.has)
    if form then refuse_form(file.path, key, form, tensors[1].name) end
  end
  if not prefix then
    problems.bad_input(file.path, 'there is no tensor for %s: it has %s; ffngen vendor --help '
      .. 'lists the names that vendor knows; give other names with %s', tensors[1].name,
      #behind > 0 and some(behind) or 'none at all', by_map(options))
  end
  local meant = near_prefix(elsewhere, prefix)
  problems.bad_input(file.path, 'there is no tensor for %s behind the prefix %s%s', tensors[1].name,
    quoted(prefix), meant and (': is it --weights-prefix %s?'):format(
      shell.quoted(record.shown(meant))) or (': it has %s%s; ffngen vendor --help lists the names '
        .. 'that vendor knows; give other names with %s'):format(
      #behind > 0 and some(behind) or 'nothing there', #behind == 0 and #file.keys > 0
      and ', but ' .. some(file.keys) or '', by_map(options)))
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
  if lists.has(file.elsewhere, key) then
    problems.bad_input(file.path, 'there is no tensor for %s: %s is in another file of the model; '
      .. 'store the layer in one file', name, quoted(key))
  end
end

--- The reading with the fewest gaps, and what it lacks.
---@param readable Readable
local function lacking(file, candidates, readable, tensors, options)
  local best
  for _, r in ipairs(candidates) do
    if not best or r.missing < best.missing then best = r end
  end
  check_forms(file.path, best, readable, tensors)
  for i, tensor in ipairs(tensors) do
    if not readable.has[best.keys[i]] then
      check_elsewhere(file, best.keys[i], tensor.name)
      problems.bad_input(file.path, 'there is no tensor for %s: %s is missing, and %s is there; '
        .. 'give other names with %s', tensor.name, quoted(best.keys[i]),
        some(lists.filter(best.keys, function(key) return readable.has[key] end)), by_map(options))
    end
  end
end

--- Whether the file's matrices have the shapes of a layer, if they are read so.
---@param readable Readable
---@param order string|nil  of all of them
local function fits(r, readable, tensors, order)
  for i, tensor in ipairs(tensors) do
    local shape, outputs, inputs = readable.shapes[r.keys[i]], table.unpack(tensor.shape)
    if order == 'in-out' then outputs, inputs = inputs, outputs end
    if shape and tensor.part == 'weight' and not (#shape == 2 and shape[1] == outputs
      and shape[2] == inputs) then
      return false
    end
  end
  return true
end

--- Of readings of the same tensors in other roles, those that fit: in the order that is said, else
--- in the other one, that a message speaks of it.
---@param whole Reading[]
---@param readable Readable
---@param order string|nil
---@return Reading[]
local function by_shapes(whole, readable, tensors, order)
  local function set_of(r)
    local keys = {}
    for i, tensor in ipairs(tensors) do
      if tensor.part == 'weight' then keys[#keys + 1] = r.keys[i] end
    end
    table.sort(keys)
    return table.concat(keys, '\0')
  end
  for _, r in ipairs(whole) do
    if set_of(r) ~= set_of(whole[1]) then return whole end
  end
  local orders = order == 'in-out' and { 'in-out', 'out-in' } or { 'out-in', 'in-out' }
  for _, way in ipairs(orders) do
    local fitting = lists.filter(whole, function(r) return fits(r, readable, tensors, way) end)
    if #fitting > 0 then return fitting end
  end
  return { whole[1] }
end

--- Asks which of several readings is meant.
---@param whole Reading[]
local function ask(path, whole, tensors, options)
  local at = 1
  while whole[1].keys[at] == whole[2].keys[at] and at < #tensors do at = at + 1 end
  local prefixes = lists.unique(lists.map(whole, function(r) return r.prefix end))
  local is_role = #prefixes == 1 and whole[1].of and whole[2].of
  local first = lists.unique(lists.map(whole, function(r) return r.keys[at] end))
  problems.bad_input(path, '%s could be any of %s%s: choose by %s', tensors[at].name, some(first),
    is_role and (', as in %s, or as in %s'):format(whole[1].of, whole[2].of) or '', #prefixes > 1
    and '--weights-prefix ' .. shell.quoted(record.shown(whole[#whole].prefix))
    or by_map(options))
end

--- The one reading that finds every matrix; where some are left out, among those without them.
---@param readable Readable
---@param options WeightOptions
---@return Reading
local function one_reading(file, readable, tensors, options)
  local all, prefix = readings.of(readable, tensors), options.prefix
  local candidates = not prefix and all or lists.filter(all, function(r)
    return r.prefix == prefix or r.prefix == prefix .. '.'
  end)
  if #candidates == 0 then nothing(file, readable, tensors, options, all) end
  local whole = lists.filter(candidates, function(r) return r.missing == 0 end)
  if #whole == 0 then lacking(file, candidates, readable, tensors, options) end
  local kept = lists.filter(whole, function(r)
    for i, tensor in ipairs(tensors) do
      if tensor.part == 'weight' and readable.is_left(r.keys[i]) then return false end
    end
    return true
  end)
  if #kept > 0 then whole = kept end
  if #whole > 1 then whole = by_shapes(whole, readable, tensors, options.order) end
  if #whole > 1 then ask(file.path, whole, tensors, options) end
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
      local other = tensor.part == 'parameter' and tensor.name
        or tensor.part == 'operand_scale' and operand_scale.other_name(r.keys[i])
      if other and has[other] then
        r.keys[i] = other
      else
        check_elsewhere(file, r.keys[i], tensor.name)
        problems.bad_input(file.path, 'there is no tensor for %s: %s is missing%s', tensor.name,
          quoted(r.keys[i]), tensor.part == 'bias' and '; is it a layer with bias = false?'
          or '')
      end
    end
  end
end

--- What a map says, which names every tensor.
---@return ChosenTensor[]
local function mapped(path, map, has, tensors)
  return lists.map(tensors, function(tensor)
    local given = map[tensor.name]
    if not given then
      problems.bad_input('--weights-map', 'the file has no line for %s: add a line %s = '
        .. 'NAME', tensor.name, tensor.name)
    elseif not has[given.key] then
      problems.bad_input(path, 'there is no tensor %s, which the map names for '
        .. '%s', quoted(given.key),
        tensor.name)
    end
    local is_open = given.transposed == nil and weight_names.may_be_in_out(given.key)
    return { key = given.key, transposed = given.transposed == true, is_open = is_open }
  end)
end

--- What stands beside a reading is judged behind its prefix. A single matrix whose name says
--- nothing is all that a file has, unless the user says where it is.
---@param r Reading
---@param options WeightOptions
---@return JudgedNames
local function scope_of(r, options)
  local is_whole_file = r.is_any and not options.prefix
  return {
    prefix = is_whole_file and '' or r.prefix, beside = r.beside, fixed = options.fixed,
    gate = r.gate, word = r.word, module = is_whole_file and #r.prefix > 0 and r.prefix or nil,
  }
end

--- What stands beside the tensors of a map is judged behind what their names share.
---@return JudgedNames
local function scope_of_map(keys, tensors, has, options)
  local modules = {}
  for i, tensor in ipairs(tensors) do
    if tensor.part ~= 'parameter' then modules[#modules + 1] = forms.of(keys[i], has) or keys[i] end
  end
  local prefix = paths.shared_prefix(modules)
  local behind = lists.map(keys, function(key) return key:sub(#prefix + 1) end)
  return { prefix = prefix, beside = weight_names.beside_mapped(behind), fixed = options.fixed }
end

---@param file TensorFile
---@param tensors Tensor[]
---@param options WeightOptions
---@return ChosenTensor[]
function M.of(file, tensors, options)
  local is_left = exclusions.test(file, options.leave)
  local chosen, scope
  if options.map then
    local has = lists.set(file.keys)
    chosen = mapped(file.path, options.map, has, tensors)
    scope = scope_of_map(lists.map(chosen, function(c) return c.key end), tensors, has, options)
  else
    local readable = readings.readable(file, is_left)
    local r = one_reading(file, readable, tensors, options)
    complete(file, r, readable, tensors)
    local transposed
    if not r.either_way then transposed = false end
    chosen = lists.map(r.keys, function(key) return { key = key, transposed = transposed } end)
    scope = scope_of(r, options)
  end
  local keys = lists.map(chosen, function(c) return c.key end)
  exclusions.check(keys, options.leave, '--weights-leave', function(i, name)
    local own = tensors[i].name
    return 'the layer\'s own: ' .. (keys[i] == name and own
      or ('"%s" in it is %s'):format(record.shown(keys[i], 80), own))
  end)
  neighbours.check(file, tensors, keys, scope, is_left)
  return chosen
end

return M
