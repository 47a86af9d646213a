--- Which tensors of a file are the weights of a layer: as the user says, or the one reading that
--- there is. What could be meant twice is asked back.
local list = require 'common.list'
local problem = require 'common.problem'
local readings = require 'vendor.weight_readings'
local record = require 'common.record'

local M = {}

---@class WeightOptions
---@field prefix string|nil  in front of the names
---@field map table<string, MappedTensor>|nil  by the names of messages
---@field order string|nil   out-in or in-out

---@class ChosenTensor
---@field key string        its name in the file
---@field transposed boolean|nil  whether it is [in][out]; nil: its shape tells

local function quoted(key) return '"' .. record.shown(key, 80) .. '"' end

--- Some of many names.
local function some(keys)
  local shown = list.map({ table.unpack(keys, 1, 6) }, quoted)
  if #keys > 6 then shown[7] = ('and %d more'):format(#keys - 6) end
  return table.concat(shown, ', ')
end

--- No name of the file is a known one.
local function nothing(path, keys, tensors, prefix)
  problem.bad_input(path, 'no tensor for %s%s: it has %s; ffngen vendor --help lists the names '
    .. 'that are known, --weights-map gives others', tensors[1].name,
    prefix and (' behind the prefix ' .. quoted(prefix)) or '',
    #keys > 0 and some(keys) or 'none at all')
end

--- The reading with the fewest gaps, and what it lacks.
local function lacking(path, candidates, has, tensors)
  local best
  for _, r in ipairs(candidates) do
    if not best or r.missing < best.missing then best = r end
  end
  for i, tensor in ipairs(tensors) do
    if not has[best.keys[i]] then
      problem.bad_input(path, 'no tensor for %s: it would be %s, as %s is there; name others by '
        .. '--weights-map FILE', tensor.name, quoted(best.keys[i]),
        some(list.filter(best.keys, function(key) return has[key] end)))
    end
  end
end

--- A reading all of whose matrices are there, held against the rest of what the layer has and what
--- the file has.
---@param r Reading
local function check(path, r, has, tensors)
  for i, tensor in ipairs(tensors) do
    if not has[r.keys[i]] then
      if tensor.part == 'parameter' and has[tensor.name] then
        r.keys[i] = tensor.name
      else
        problem.bad_input(path, 'no tensor for %s: it would be %s%s', tensor.name,
          quoted(r.keys[i]), tensor.part == 'bias' and '; a layer without biases has bias = false'
          or '')
      end
    end
  end
  for _, key in ipairs(r.unused) do
    if has[key] then
      problem.bad_input(path, 'it has %s, for which the layer has no place: is it another layer?',
        quoted(key))
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

---@param path string    of the file, for messages
---@param keys string[]  the names in it, sorted
---@param tensors Tensor[]
---@param options WeightOptions
---@return ChosenTensor[]
function M.of(path, keys, tensors, options)
  local has = list.set(keys)
  if options.map then return mapped(path, options.map, has, tensors) end
  local candidates = readings.of(keys, tensors)
  local prefix = options.prefix
  if prefix then
    candidates = list.filter(candidates, function(r)
      return r.prefix == prefix or r.prefix == prefix .. '.'
    end)
  end
  if #candidates == 0 then nothing(path, keys, tensors, prefix) end
  local whole = list.filter(candidates, function(r) return r.missing == 0 end)
  if #whole == 0 then lacking(path, candidates, has, tensors) end
  if #whole > 1 then
    local first = list.map(whole, function(r) return r.keys[1] end)
    local prefixes = list.unique(list.map(whole, function(r) return r.prefix end))
    problem.bad_input(path, '%s could be any of %s: choose by %s', tensors[1].name, some(first),
      #prefixes > 1 and '--weights-prefix ' .. record.shown(whole[#whole].prefix)
      or '--weights-map FILE')
  end
  check(path, whole[1], has, tensors)
  local transposed
  if not whole[1].either_way then transposed = false end
  return list.map(whole[1].keys, function(key) return { key = key, transposed = transposed } end)
end

return M
