--- What is told of layers that have one entry in a spec: which they are, what lies around them, and
--- the reasons of their fields.
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local record = require 'common.record'
local role_words = require 'import.role_words'
local similar_texts = require 'import.similar_texts'

local M = {}

local most_numbers = 30 -- in a name: captures of a pattern

--- Names that differ by numbers alone, as one, fit to be shown: model.layers.*.mlp; nil of others.
---@param names string[]
---@return string|nil
local function joined(names)
  local first, digits, differs = names[1], {}, {}
  for number in first:gmatch '%d+' do digits[#digits + 1] = number end
  if #digits > most_numbers then return nil end
  local form = '^' .. first:gsub('%p', '%%%0'):gsub('%d+', '(%%d+)') .. '$'
  for _, name in ipairs(names) do
    if name ~= first then
      local numbers = { name:match(form) }
      if #numbers ~= #digits or #digits == 0 then return nil end
      for i, number in ipairs(numbers) do differs[i] = differs[i] or number ~= digits[i] end
    end
  end
  local i = 0
  return record.shown(first:gsub('%d+', function()
    i = i + 1
    return differs[i] and '*' or digits[i]
  end), 80)
end

--- The same of any names of layers: a form stands for all of them where its numbers are those of
--- the layers, or of modules in a list (a.*.b); others, such as a graph's, are found by a name that
--- stands in it.
---@param names string[]
---@param indices integer[]
local function all_of(names, indices)
  local form = joined(names)
  if not form then return record.shown(names[1], 80) .. ' and others' end
  local is_index = true
  if not ('.' .. form .. '.'):gsub('%.%*%f[.]', '.'):find('*', 1, true) then return form end
  for i, name in ipairs(names) do
    is_index = is_index and record.shown(name, 80) == form:gsub('%*', tostring(indices[i]))
  end
  return is_index and form or ('%s and %d alike'):format(record.shown(names[1], 80), #names - 1)
end

--- 0 to 3, 5, 7 to 9.
local function ranges(indices)
  local parts, from = {}, 1
  for i = 1, #indices do
    if indices[i + 1] ~= indices[i] + 1 then
      local first, last = indices[from], indices[i]
      parts[#parts + 1] = first == last and ('%d'):format(first)
        or ('%d %s %d'):format(first, last == first + 1 and 'and' or 'to', last)
      from = i + 1
    end
  end
  return table.concat(parts, ', ')
end

--- "Layers 0 to 31"
---@param layers { index: integer }[]
function M.numbers(layers)
  local indices = lists.unique(lists.map(layers, function(l) return l.index end))
  return ('Layer%s %s'):format(#indices > 1 and 's' or '', ranges(indices))
end

--- "Layers 0 to 31: model.layers.*.mlp"
local function about_same(layers)
  local all, names = {}, {}
  for i, l in ipairs(layers) do all[i], names[i] = l.index, l.at end
  return ('%s: %s'):format(M.numbers(layers), all_of(names, all))
end

--- What is told of a layer together with others: feed-forward layers; those of a shared expert;
--- products of one part; of parts that only names tell, those whose names differ by numbers alone.
local function kind_of(l)
  if not part_numbers.is_product(l.part) then
    return l.part == part_numbers.by_name.shared and l.part or 0
  end
  return l.part < part_numbers.by_name.other and l.part or (l.at:gsub('%d+', '*'))
end

--- The same where products of different parts have one kernel: each part for itself.
---@param layers FoundLayer[]
function M.about_of(layers)
  local of_kind, order = {}, {}
  for _, l in ipairs(layers) do
    local kind = kind_of(l)
    if not of_kind[kind] then of_kind[kind], order[#order + 1] = {}, kind end
    table.insert(of_kind[kind], l)
  end
  return table.concat(lists.map(order, function(kind) return about_same(of_kind[kind]) end), '; ')
end

local named_places = {
  before = 'before it', after = 'behind it', inside = 'inside of it', beside = 'beside it',
}

--- What lies around the layers of a group, each thing once. Experts of a layer share one list.
---@param layers FoundLayer[]
function M.around_of(layers)
  local kinds, order, seen = {}, {}, {}
  for _, l in ipairs(layers) do
    for i, a in ipairs(seen[l.around] and {} or l.around) do
      local key = ('%d %s %s %s %s'):format(i, a.place, a.what, similar_texts.key(a.text),
        a.tensor and '+' or '')
      if not kinds[key] then
        kinds[key], order[#order + 1] = { a = a, tensors = {}, indices = {}, texts = {} }, key
      end
      local kind = kinds[key]
      table.insert(kind.texts, a.text)
      if a.tensor then
        table.insert(kind.tensors, a.tensor)
        table.insert(kind.indices, l.index)
      end
    end
    seen[l.around] = true
  end
  return lists.map(order, function(key)
    local a, tensors, indices = kinds[key].a, kinds[key].tensors, kinds[key].indices
    local text = similar_texts.told(similar_texts.of(kinds[key].texts)[1])
    return ('The host\'s, %s: %s%s%s.'):format(named_places[a.place], a.what,
      #tensors > 0 and ' ' .. all_of(tensors, indices) or '', text ~= '' and ', ' .. text or '')
  end)
end

--- Reasons of all layers, each once.
---@param layers FoundLayer[]
function M.because_of(layers)
  local list, by_key, seen = {}, {}, {}
  for _, l in ipairs(layers) do
    for _, b in ipairs(seen[l.because] and {} or l.because) do
      local key = b.field .. '\0' .. similar_texts.key(b.text)
      if not by_key[key] then
        by_key[key] = { field = b.field, texts = {} }
        list[#list + 1] = by_key[key]
      end
      table.insert(by_key[key].texts, b.text)
    end
    seen[l.because] = true -- layers that look alike share theirs
  end
  return lists.map(list, function(b)
    return { field = b.field, text = similar_texts.told(similar_texts.of(b.texts)[1]) }
  end)
end

--- Which matrices have no bias where others have one.
---@param layers FoundLayer[]
function M.because_of_biases(layers)
  local names, seen = {}, {}
  for _, l in ipairs(layers[1].fields.bias and layers or {}) do
    for _, m in ipairs(l.matrices) do
      local name = role_words.name(m)
      local has_none = not m.bias and not m.affine
      if has_none and not seen[name] then names[#names + 1] = name end
      seen[name] = seen[name] or has_none
    end
  end
  return #names > 0 and {
    field = 'bias', text = ('none of %s in the model: -0 is packed, which changes no sum'):format(
      table.concat(names, ', ')),
  } or nil
end

return M
