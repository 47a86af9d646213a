--- What stands around the module of a layer and may yet be between its matrices: some keep matrices
--- in one module and norms, activations or a way around them beside it. Judged is what has no
--- matrix of its own: what has one is another part of the model.
local numbers = require 'files.numbers'
local paths = require 'tensors.paths'
local rules = require 'tensors.rules'
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

---@class Surroundings
---@field prefix string        what all of it has in front
---@field has_attention boolean
---@field units table<string, { matrices: string[], vectors: string[] }>  by unit's name
---@field unit_of table<string, string>  by name of a tensor
---@field keys string[]        sorted

--- All that is around the module of a layer, in units that have nothing of it.
---@param j Judged
---@param is_left fun(key: string): boolean
---@return Surroundings
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

--- The facts that the rules of what is around the module ask for.
---@param j Judged
---@param a Surroundings
local function facts_of(j, a)
  local shapes, w, prefix = j.file.shapes, j.widths, j.reading.prefix
  return {
    key = quoted, attention = function() return a.has_attention end,
    absent = function(key) return not shapes[key] and 'in another file of the model' end,
    near = function(key, f)
      local unit = a.unit_of[key]
      return key == unit or key == ('%s.%s'):format(unit, paths.last(key)) or f.listed
    end,
    -- In a list that has numbers of the layer's own.
    listed = function(key)
      local number = key:match('^[./](%d+)%f[./\0]', #a.unit_of[key] + 1)
      return number and j.modules[prefix .. number] and #prefix > 0
    end,
    length = function(key) return length_of(key, shapes[key]) end,
    matrix = function(_, f) return not f.length end,
    -- A matrix alone that goes from what the layer takes to what it gives.
    shortcut = function(key, f)
      local unit, shape = a.unit_of[key], shapes[key]
      local is_alone = f.matrix and not a.has_attention and #a.units[unit].matrices == 1
        and key == unit .. '.weight' and #shape == 2
      return is_alone and (shape[1] == w.outputs and shape[2] == w.inputs
        or shape[1] == w.inputs and shape[2] == w.outputs)
    end,
    of_matrix = function(key)
      local owner = key:find 'bias$' and shapes[key:gsub('bias$', '') .. 'weight']
      return #a.units[a.unit_of[key]].matrices > 0 or owner and #owner > 1
    end,
    through = function(_, f) return f.length == w.inputs or f.length == w.outputs end,
    norm = function(key, f) return a.has_attention and f.through and not j.is_batch_norm(key) end,
    hidden = function(_, f) return w.hidden[f.length] and f.length > 1 and f.length end,
    single = function(key, f)
      local behind = key:sub(#a.prefix + 1)
      return f.length == 1 and (behind:find '[./]weight$' or behind:find '[./]%d+$')
    end,
  }
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
  local find = facts_of(j, a)
  for _, key in ipairs(a.keys) do
    local said = rules.said(weight_names.data.around, find, key)
    if said then
      keys[#keys + 1], units[#units + 1] = key, a.unit_of[key]
      why = why or said
    end
  end
  return keys, units, why
end

return M
