--- What stands around the module of a layer and may yet be between its matrices: some keep matrices
--- in one module and norms, activations or a way around them beside it. Judged is what has no
--- matrix of its own: what has one is another part of the model.
local numbers = require 'files.numbers'
local paths = require 'tensors.paths'
local weight_names = require 'tensors.names'

local M = {}

local quoted = paths.quoted

local function is_attention(key)
  for _, word in ipairs(weight_names.data.attention) do
    if key:lower():find(word, 1, true) then return true end
  end
  return false
end

--- How long a tensor is that has one dimension of more than 1; nil of a matrix. A weight of two
--- dimensions is a matrix, be it of one row.
local function length_of(key, shape)
  if #shape <= 1 or numbers.count(shape) == 0 then return numbers.count(shape) end
  local wide = 0
  for _, size in ipairs(shape) do wide = wide + (size == 1 and 0 or 1) end
  return wide <= 1 and paths.last(key) ~= 'weight' and numbers.count(shape) or nil
end

---@class Around
---@field prefix string        what all of it has in front
---@field has_attention boolean
---@field units table<string, { matrices: string[], vectors: string[] }>  by unit's name
---@field unit_of table<string, string>  by name of a tensor
---@field keys string[]        sorted

--- All that is around the module of a layer, in units that have nothing of it.
---@param j Judged
---@param is_left fun(key: string): boolean
---@return Around
local function around(j, is_left)
  local prefix, inside = paths.around(j.reading.prefix)
  local a = { prefix = prefix, units = {}, unit_of = {}, keys = {}, has_attention = false }
  for _, keys in ipairs { j.file.keys, j.file.elsewhere } do
    for _, key in ipairs(keys) do
      if paths.is_behind(key, a.prefix) then
        a.has_attention = a.has_attention or is_attention(key:sub(#a.prefix + 1))
        local is_other = not paths.is_behind(key, inside) and not j.own[key]
        if is_other and not is_left(key) and not j.is_harmless(key) then
          a.keys[#a.keys + 1], a.unit_of[key] = key, j.unit_of(key, a.prefix)
        end
      end
    end
  end
  for _, key in ipairs(a.keys) do
    local unit, shape = a.unit_of[key], j.file.shapes[key]
    a.units[unit] = a.units[unit] or { matrices = {} }
    if shape and not length_of(key, shape) then table.insert(a.units[unit].matrices, key) end
  end
  return a
end

--- Whether a tensor is in a list that has numbers of the layer's own.
---@param j Judged
local function is_beside_list(j, key, unit)
  local number = key:match('^[./](%d+)%f[./\0]', #unit + 1)
  local prefix = j.reading.prefix
  return number ~= nil and j.modules[prefix .. number] == true and #prefix > 0
end

--- A matrix alone that goes from what the layer takes to what it gives.
---@param j Judged
---@param a Around
local function is_shortcut(j, a, key)
  local unit, w = a.unit_of[key], j.widths
  local shape = j.file.shapes[key]
  if a.has_attention or #a.units[unit].matrices ~= 1 or key ~= unit .. '.weight' then
    return false
  end
  return #shape == 2 and (shape[1] == w.outputs and shape[2] == w.inputs
    or shape[1] == w.inputs and shape[2] == w.outputs)
end

--- Why a tensor around the module of a layer may be a part of it, in words, or nil.
---@param j Judged
---@param a Around
local function problem_of(j, a, key)
  local shape, unit, w = j.file.shapes[key], a.unit_of[key], j.widths
  if not shape then
    local is_near = key == unit or key == ('%s.%s'):format(unit, paths.last(key))
      or is_beside_list(j, key, unit)
    return is_near and not a.has_attention and ('%s is in another file of the model, and may be '
      .. 'between the matrices'):format(quoted(key)) or nil
  end
  local length = length_of(key, shape)
  if not length then
    return is_shortcut(j, a, key)
      and ('%s takes what the layer takes and gives as much'):format(quoted(key)) or nil
  end
  local owner = key:find 'bias$' and j.file.shapes[key:gsub('bias$', '') .. 'weight']
  if #a.units[unit].matrices > 0 or owner and #owner > 1 then return nil end
  local is_around = a.has_attention and not j.is_batch_norm(key)
    and (length == w.inputs or length == w.outputs)
  if w.hidden[length] and length > 1 and not is_around then
    return ('%s has a number for each of %d hidden ones'):format(quoted(key), length)
  end
  local name = key:sub(#a.prefix + 1)
  local is_single = name:find '[./]weight$' or name:find '[./]%d+$'
  if length == 1 and is_single then
    return ('%s is one number, as an activation has between matrices'):format(quoted(key))
  end
  if not a.has_attention and (length == w.inputs or length == w.outputs)
    and is_beside_list(j, key, unit) then
    return ('%s is in a list beside that of the layer'):format(quoted(key))
  end
end

--- What stands around the module of a layer and may be a part of it: names, their units, and why.
---@param j Judged
---@param is_left fun(key: string): boolean
---@return string[] keys
---@return string[] units
---@return string|nil why  of the first
function M.strangers(j, is_left)
  local keys, units, why = {}, {}, nil
  if j.reading.prefix == '' or not j.widths.is_deep then return keys, units, why end
  local a = around(j, is_left)
  for _, key in ipairs(a.keys) do
    local said = problem_of(j, a, key)
    if said then
      keys[#keys + 1], units[#units + 1] = key, a.unit_of[key]
      why = why or said
    end
  end
  return keys, units, why
end

return M
