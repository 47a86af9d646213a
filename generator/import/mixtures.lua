--- Layers of experts with their routers, as entries `moe` of a spec: which found layers are the
--- parts of one, and what a spec says of it.
local lists = require 'common.list'
local mixture = require 'read.mixture'
local part_numbers = require 'import.parts'
local problems = require 'common.problem'
local record = require 'common.record'

local M = {}

--- Layers of a model that have the same parts and the same router: an entry of the spec.
---@class ImportMixture
---@field name string
---@field found FoundMixture[]
---@field expert ImportGroup  with the layers of these alone
---@field router ImportGroup
---@field shared ImportGroup|false
---@field layers FoundLayer[]  all of these
---@field kernels { what: string, name: string }[]  of its parts

--- The parts of each layer of the model: the numbers of found layers.
local function parts_of(found)
  local by_index = {}
  for _, m in ipairs(found.mixtures) do by_index[m.index] = { experts = {} } end
  for i, l in ipairs(found.layers) do
    local own = by_index[l.index]
    if own then
      local part = l.part or 0
      if part < part_numbers.first then own.experts[#own.experts + 1] = i end
      if part == part_numbers.by_name.shared then own.shared = i end
      if part == part_numbers.by_name.router then own.router = i end
    end
  end
  return by_index
end

local function refuse(found, at, message, ...)
  problems.bad_input(found.path, '%s: ' .. message .. ': leave out router (or all) in --also',
    record.shown(at, 80), ...)
end

--- What a `moe` says of its parts in one word must be so.
local function check_parts(found, m, own, group_of, groups)
  if #own.experts ~= m.experts or not own.router or (m.gate ~= false) ~= (own.shared ~= nil) then
    error(('mixture of layer %d: parts are missing'):format(m.index), 0)
  end
  local first, router = own.experts[1], groups[group_of[own.router]]
  for _, i in ipairs(own.experts) do
    if group_of[i] ~= group_of[first] then
      refuse(found, found.layers[i].at, 'it has other formats than "%s", and all experts of a moe '
        .. 'have one kernel', record.shown(found.layers[first].at, 80))
    end
  end
  local formats = lists.unique(router.formats)
  if #formats > 1 or not lists.has(mixture.router_weights, formats[1]) then
    refuse(found, found.layers[own.router].at, 'its weights are %s, and the router of a moe has '
      .. 'one format of %s', table.concat(formats, ' and '),
      table.concat(mixture.router_weights, ', '))
  end
end

--- A group with fewer layers.
local function part_of(group, layers, tell)
  return tell {
    layers = layers, places = group.places, formats = group.formats,
    arithmetics = group.arithmetics,
  }
end

--- What tells two routers apart.
local function key_of(m)
  local parts = { m.experts, m.top_k, tostring(m.gate) }
  local function add(t)
    for _, field in ipairs(record.sorted_keys(t)) do
      parts[#parts + 1] = field .. '='
      if type(t[field]) == 'table' then
        add(t[field])
      else
        parts[#parts + 1] = tostring(t[field])
      end
    end
  end
  add(m.router)
  return table.concat(parts, ' ')
end

--- The mixtures of what was found, in the order of their first layers.
---@param found Found
---@param groups ImportGroup[]
---@param group_of integer[]
---@param names string[]  of the groups
---@param tell fun(group: table): ImportGroup
---@return ImportMixture[]
function M.of(found, groups, group_of, names, tell)
  local by_key, list, by_index = {}, {}, parts_of(found)
  for _, m in ipairs(found.mixtures) do
    local own = by_index[m.index]
    check_parts(found, m, own, group_of, groups)
    local ids = { group_of[own.experts[1]], group_of[own.router],
      own.shared and group_of[own.shared] or 0 }
    local key = ('%s %s'):format(table.concat(ids, ' '), key_of(m))
    local one = by_key[key]
    if not one then
      one = { ids = ids, found = {}, experts = {}, router = {}, shared = {} }
      by_key[key], list[#list + 1] = one, one
    end
    one.found[#one.found + 1] = m
    for _, i in ipairs(own.experts) do table.insert(one.experts, found.layers[i]) end
    table.insert(one.router, found.layers[own.router])
    if own.shared then table.insert(one.shared, found.layers[own.shared]) end
  end
  return lists.map(list, function(one)
    local kernels = {}
    for i, what in ipairs { 'expert', 'router', #one.shared > 0 and 'shared' or nil } do
      kernels[i] = { what = what, name = names[one.ids[i]] }
    end
    return record.strict('import mixture', {
      name = #list == 1 and 'mixture' or ('mixture_%d'):format(one.found[1].index),
      found = one.found, expert = part_of(groups[one.ids[1]], one.experts, tell),
      router = part_of(groups[one.ids[2]], one.router, tell),
      shared = #one.shared > 0 and part_of(groups[one.ids[3]], one.shared, tell),
      layers = lists.append(lists.append(lists.append({}, one.experts), one.router), one.shared),
      kernels = kernels,
    })
  end)
end

--- The entries of a spec with their names: mixtures, and groups of the layers that are in none.
---@param names string[]  of the groups
---@return (ImportGroup|ImportMixture)[]
---@return string[] names
function M.entries(found, groups, group_of, names, mixtures, tell)
  if #mixtures == 0 then return groups, names end
  local number_of, is_mixed, rest, entries = {}, {}, {}, {}
  for i, l in ipairs(found.layers) do number_of[l] = i end
  for _, m in ipairs(mixtures) do
    for _, l in ipairs(m.layers) do is_mixed[l] = true end
    entries[#entries + 1] = { number_of[m.layers[1]], m, m.name }
  end
  for i in ipairs(groups) do rest[i] = {} end
  for i, l in ipairs(found.layers) do
    if not is_mixed[l] then table.insert(rest[group_of[i]], l) end
  end
  for i, group in ipairs(groups) do
    local own = rest[i]
    if #own > 0 then
      entries[#entries + 1] = { number_of[own[1]], #own == #group.layers and group
        or part_of(group, own, tell), names[i] }
    end
  end
  table.sort(entries, function(a, b) return a[1] < b[1] end)
  return lists.map(entries, function(e) return e[2] end),
    lists.map(entries, function(e) return e[3] end)
end

return M
