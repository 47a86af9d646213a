--- Feed-forward layers of a model that the names of its tensors tell: each module that has the
--- matrices of a convention of tensors/names.json, behind whatever prefix. What the names tell
--- twice is told apart by shapes, or asked back.
local forms = require 'tensors.forms'
local lists = require 'common.list'
local paths = require 'tensors.paths'
local problems = require 'common.problem'
local record = require 'common.record'
local weight_names = require 'tensors.names'

local M = {}

local roles = { 'fused', 'gate', 'up', 'down' }

---@class NamedLayer
---@field prefix string           of its module; ends in a dot, or is empty
---@field convention Convention
---@field keys table<string, string>  by role: gate, up, down; a fused one is in place of both
---@field has_gate boolean
---@field order string|nil        in-out, out-in; nil: either

--- Which conventions have a name at the end of a key, in which role; and the ends of those names
--- that have two parts.
local by_ending, two_parts = {}, {}

for order, convention in ipairs(lists.append({ table.unpack(weight_names.conventions) },
  weight_names.data.fused)) do
  for _, role in ipairs(roles) do
    local module = convention[role]
    if module then
      local ending = module .. '.weight'
      by_ending[ending] = by_ending[ending] or {}
      table.insert(by_ending[ending], { convention = convention, role = role, order = order })
      two_parts[ending:match '%.([^.]+%.weight)$' or ''] = true
    end
  end
end

--- A name whose numbers are in the order of numbers.
local function natural(name)
  return (name:gsub('%d+', function(digits) return ('%05d%s'):format(#digits, digits) end))
end

---@class FoundConvention
---@field convention Convention
---@field order integer           in the table of names
---@field keys table<string, string>  by role

---@class NameFinder  collects what each prefix has of each convention
---@field by_prefix table<string, FoundConvention[]>
---@field prefixes string[]
---@field stand_ins table<string, { key: string, form: WeightForm }>
local Finder = {}
Finder.__index = Finder

--- Adds a matrix behind whose name an ending stands.
function Finder:add(key, ending)
  local prefix = key:sub(1, -#ending - 1)
  local of = self.by_prefix[prefix]
  if not of then
    of = {}
    self.by_prefix[prefix], self.prefixes[#self.prefixes + 1] = of, prefix
  end
  for _, n in ipairs(by_ending[ending]) do
    local own
    for _, found in ipairs(of) do
      if found.convention == n.convention then own = found end
    end
    if not own then
      own = { convention = n.convention, order = n.order, keys = {} }
      of[#of + 1] = own
    end
    own.keys[n.role] = key
  end
end

--- The endings of a name that some convention has.
local function endings_of(key)
  local module = paths.module_of_weight(key)
  if not module then return {} end
  local last = module .. '.weight'
  local endings = { last }
  local before = two_parts[last] and key:sub(1, -#last - 2):match '^.*%.([^.]+)$'
    or key:sub(1, -#last - 2)
  if two_parts[last] and before ~= '' and key:sub(-#last - 1, -#last - 1) == '.' then
    endings[2] = before .. '.' .. last
  end
  return lists.filter(endings, function(ending) return by_ending[ending] ~= nil end)
end

--- What stands in place of a matrix is under its name.
function Finder:add_form(model, key)
  local module, name, form = forms.of(key, model.stored)
  local part = forms.stands_for(form, name)
  local known = part == 'weight' and module .. part
  if known and not model.stored[known] and not self.stand_ins[known] then
    self.stand_ins[known] = { key = key, form = form }
    for _, ending in ipairs(endings_of(known)) do self:add(known, ending) end
  end
end

--- What a model's names have of conventions. Names that differ by numbers of modules alone are
--- looked at once.
---@return NameFinder  prefixes in their natural order
local function find(model, is_left)
  local finder = setmetatable({ by_prefix = {}, prefixes = {}, stand_ins = {} }, Finder)
  local known = {}
  for i, key in ipairs(model.keys) do
    if i % 4096 == 0 then model.heap:look() end
    local look = paths.without_numbers(key)
    local endings = known[look]
    if endings == nil then
      local _, _, form = forms.of(key, model.stored)
      endings = not form and endings_of(key)
      known[look] = endings
    end
    if (not endings or #endings > 0) and not is_left(key) then
      if not endings then finder:add_form(model, key) end
      for _, ending in ipairs(endings or {}) do finder:add(key, ending) end
    end
  end
  local sortable = {}
  for _, prefix in ipairs(finder.prefixes) do
    sortable[prefix] = natural(prefix) .. '\0' .. prefix
  end
  table.sort(finder.prefixes, function(a, b) return sortable[a] < sortable[b] end)
  return finder
end

--- How a convention's matrices can be a layer: with a gate, without one, with both in one tensor.
---@param has fun(key: string): boolean
local function whole_of(convention, keys, prefix, has)
  if not keys.down then return nil end
  if keys.fused then return { fused = keys.fused, down = keys.down }, true end
  if not keys.up then return nil end
  if keys.gate then return keys, true end
  local is_plain = not convention.gate or convention.plain
  if convention.gated_by and has(prefix .. convention.gated_by .. '.weight') then return nil end
  return is_plain and { up = keys.up, down = keys.down } or nil, false
end

--- Whether shapes are those of a layer, in an order.
local function fits(model, keys, order)
  local function sizes(key)
    local shape = model.shapes[key]
    if not shape or #shape ~= 2 then return nil end
    if order == 'in-out' then return shape[2], shape[1] end
    return shape[1], shape[2]
  end
  local hidden, inputs = sizes(keys.up or keys.fused)
  local outputs, from = sizes(keys.down)
  if not hidden or not outputs then return false end
  if keys.fused then return hidden % 2 == 0 and hidden // 2 == from end
  local other, also = hidden, inputs
  if keys.gate then other, also = sizes(keys.gate) end
  local bias = model.shapes[keys.up:gsub('weight$', 'bias')]
  return other == hidden and also == inputs and from == hidden
    and (not bias or #bias == 1 and bias[1] == hidden)
end

--- Whether all matrices of one reading are among those of another, which has more.
local function is_part(keys, others)
  local all, mine, theirs = {}, 0, 0
  for _, role in ipairs(roles) do
    if others[role] then all[others[role]], theirs = true, theirs + 1 end
  end
  for _, role in ipairs(roles) do
    if keys[role] then
      mine = mine + 1
      if not all[keys[role]] then return false end
    end
  end
  return mine < theirs
end

--- The layer behind a prefix, or nil.
---@return NamedLayer|nil
local function layer_of(model, stand_ins, found, prefix, has, order)
  local readings = {}
  table.sort(found, function(a, b) return a.order < b.order end)
  for _, f in ipairs(found) do
    local keys, has_gate = whole_of(f.convention, f.keys, prefix, has)
    if keys then
      readings[#readings + 1] = {
        prefix = prefix, convention = f.convention, keys = keys, has_gate = has_gate,
      }
    end
  end
  readings = lists.filter(readings, function(r)
    for _, other in ipairs(readings) do
      if is_part(r.keys, other.keys) then return false end
    end
    return true
  end)
  if #readings == 0 then return nil end
  local fitting = {}
  for _, r in ipairs(readings) do
    for _, role in ipairs(roles) do
      local instead = stand_ins[r.keys[role]]
      if instead then
        problems.bad_input(model.path, '%s is not a plain tensor, but a part of %s: %s',
          paths.quoted(instead.key), instead.form.of, instead.form.mend)
      end
    end
    for _, way in ipairs(r.convention.either_way and { 'out-in', 'in-out' } or { 'out-in' }) do
      local is_asked = not order or not r.convention.either_way or way == order
      if is_asked and fits(model, r.keys, way) then
        fitting[#fitting + 1] = {
          prefix = prefix, convention = r.convention, keys = r.keys, has_gate = r.has_gate,
          order = way,
        }
      end
    end
  end
  if #fitting == 0 then
    local r = readings[1]
    -- A layer without a gate has no key of one.
    local keys = { r.keys.fused or r.keys.gate }
    keys[#keys + 1] = r.keys.up
    keys[#keys + 1] = r.keys.down
    local shown = lists.map(keys, function(key)
      return ('%s [%s]'):format(paths.quoted(key), table.concat(model.shapes[key] or {}, ']['))
    end)
    problems.bad_input(model.path, 'the shapes of these tensors are not those of a layer: %s; '
      .. 'leave these tensors out with --leave, or store the layer as torch.nn.Linear '
      .. 'does', table.concat(shown, ', '))
  elseif #fitting > 1 then
    local a, b = fitting[1], fitting[2]
    problems.bad_input(model.path, '%s: %s', record.shown(prefix, 80), a.convention == b.convention
      and ('"%s" may be [out][in] or [in][out]: say --order out-in (torch.nn.Linear) or --order '
      .. 'in-out (GPT-2\'s Conv1D)'):format(record.shown(a.keys.up, 80))
      or ('its names and shapes are those of %s, and also those of %s: rename the tensors'):format(
        a.convention.of, b.convention.of))
  end
  return fitting[1]
end

--- A module that has some matrices of a convention, as others of its name have all: refused with
--- what is missing.
local function check_siblings(model, layers, by_prefix, prefixes)
  local whole, like, form_of = {}, {}, {}
  for _, prefix in ipairs(prefixes) do form_of[prefix] = prefix:gsub('%d+', '*') end
  for _, layer in ipairs(layers) do
    local form = form_of[layer.prefix]
    whole[layer.prefix] = layer
    like[form] = like[form] or layer
  end
  for _, prefix in ipairs(prefixes) do
    local sibling, own = like[form_of[prefix]], whole[prefix]
    if sibling and (not own or own.has_gate ~= sibling.has_gate
      or own.convention ~= sibling.convention) then
      local keys = {}
      for _, found in ipairs(by_prefix[prefix]) do
        if found.convention == sibling.convention then keys = found.keys end
      end
      for _, role in ipairs(roles) do
        if sibling.keys[role] and not keys[role] then
          problems.bad_input(model.path, 'there is no tensor "%s%s.weight", and %s is '
            .. 'there', prefix,
            sibling.convention[role], paths.quoted(sibling.keys[role]))
        end
      end
    end
  end
end

--- The layers that names tell, in the order of their numbers.
---@param model ModelFolder
---@param is_left fun(key: string): boolean
---@param order string|nil  of matrices whose name leaves it open
---@return NamedLayer[]
function M.layers(model, is_left, order)
  local finder, layers = find(model, is_left), {}
  local function has(key)
    return finder.stand_ins[key] ~= nil or model.stored[key] ~= nil and not is_left(key)
  end
  for _, prefix in ipairs(finder.prefixes) do
    layers[#layers + 1] = layer_of(model, finder.stand_ins, finder.by_prefix[prefix], prefix, has,
      order)
  end
  check_siblings(model, layers, finder.by_prefix, finder.prefixes)
  return layers
end

return M
