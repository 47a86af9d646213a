--- Layers whose kernels would be the same are one group: a layer of the spec, and a name.
local arithmetics = require 'read.arithmetics'
local fnv = require 'common.fnv'
local layer = require 'lower.layer'
local lists = require 'common.list'
local part_numbers = require 'import.parts'
local problems = require 'common.problem'
local record = require 'common.record'
local role_words = require 'import.role_words'
local similar_texts = require 'import.similar_texts'
local spec = require 'read.spec'
local spec_text = require 'import.spec_text'
local stages = require 'import.stages'

local M = {}

---@class ImportGroup
---@field layers FoundLayer[]
---@field places StagePlace[]  of the matrices of each
---@field formats string[]   of each stage
---@field arithmetics string[] of each stage
---@field about string       which layers these are
---@field around string[]    what lies around them
---@field because Because[]

---@class NamedGroups
---@field groups ImportGroup[]
---@field names string[]     of their layers in the spec
---@field text string        the spec
---@field lowered Layer[]    what it means
---@field group_of integer[] by layer

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

--- "Layers 0 to 31: model.layers.*.mlp"
local function about_same(layers)
  local all = lists.map(layers, function(l) return l.index end)
  local indices, names = lists.unique(all), lists.map(layers, function(l) return l.at end)
  return ('Layer%s %s: %s'):format(#indices > 1 and 's' or '', ranges(indices), all_of(names, all))
end

--- What is told of a layer together with others: feed-forward layers; products of one part; of
--- parts that only names tell, those whose names differ by numbers alone.
local function kind_of(l)
  if not part_numbers.is_product(l.part) then return 0 end
  return l.part < part_numbers.by_name.other and l.part or (l.at:gsub('%d+', '*'))
end

--- The same where products of different parts have one kernel: each part for itself.
local function about_of(layers)
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

--- What lies around the layers of a group, each thing once.
local function around_of(layers)
  local kinds, order = {}, {}
  for _, l in ipairs(layers) do
    for i, a in ipairs(l.around) do
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
  end
  return lists.map(order, function(key)
    local a, tensors, indices = kinds[key].a, kinds[key].tensors, kinds[key].indices
    local text = similar_texts.told(similar_texts.of(kinds[key].texts)[1])
    return ('The host\'s, %s: %s%s%s.'):format(named_places[a.place], a.what,
      #tensors > 0 and ' ' .. all_of(tensors, indices) or '', text ~= '' and ', ' .. text or '')
  end)
end

--- Reasons of all layers, each once.
local function because_of(layers)
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
local function because_of_biases(layers)
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

-- Arithmetics -----------------------------------------------------------------------------------

--- The arithmetic that all products have.
local rule = arithmetics.rule

--- The arithmetic of each stage: the one asked for, where the product may be in it. Outputs of one
--- x have one arithmetic: all of them may be in it, or none is.
---@param found_layer FoundLayer
---@param places StagePlace[]
---@param formats string[]
---@param words RoleWords|nil
local function arithmetics_of(found_layer, places, formats, words)
  local own = {}
  for i, place in ipairs(places) do
    local at, word = place.stage + 1, role_words.of(words, found_layer.matrices[i]) or rule
    own[at] = arithmetics.fits(formats[at], word, place) and word or rule
  end
  if places[1].output and #lists.unique(own) > 1 then
    own = lists.map(own, function() return rule end)
  end
  return own
end

--- Which products stay in the rule where another arithmetic was asked for.
---@param group ImportGroup
---@param words RoleWords|nil
---@return Because|nil
local function because_of_arithmetic(group, words)
  local texts, asked, seen = {}, {}, {}
  for _, l in ipairs(words and group.layers or {}) do
    for i, place in ipairs(group.places) do
      local at, name = place.stage + 1, role_words.name(l.matrices[i])
      local word = role_words.of(words, l.matrices[i]) or rule
      if group.arithmetics[at] ~= word and not seen[name] then
        asked[#asked + 1] = word
        texts[#texts + 1] = ('%s of %s'):format(name, group.formats[at])
        seen[name] = true
      end
    end
  end
  return #texts > 0 and {
    field = 'arithmetic', text = ('not in %s but in %s: %s'):format(
      table.concat(lists.unique(asked), ' and '), rule, table.concat(texts, ', ')),
  } or nil
end

--- An arithmetic that no product takes of which it is asked is a mistake.
---@param groups ImportGroup[]
---@param words RoleWords|nil
local function expect_some(path, groups, words)
  for _, item in ipairs(words and words.items or {}) do
    local formats, is_taken, has_others = {}, false, false
    for _, group in ipairs(groups) do
      for _, l in ipairs(group.layers) do
        for i, place in ipairs(group.places) do
          local at = place.stage + 1
          if role_words.is_about(item, l.matrices[i]) then
            if not lists.has(formats, group.formats[at]) then
              formats[#formats + 1] = group.formats[at]
            end
            is_taken = is_taken or group.arithmetics[at] == item.word
            has_others = has_others or place.output
          end
        end
      end
    end
    if not is_taken then
      problems.bad_input(path, '--arithmetic %s: no product %sof its layers can be in it. Their '
        .. 'weights are in %s; it multiplies those in %s%s', item.text,
        item.role and item.role .. ' ' or '', table.concat(formats, ', '),
        table.concat(arithmetics.formats(item.word), ', '), item.role and has_others
          and '. q, k and v read one x and have one arithmetic: name all three' or '')
    end
  end
end

-- Groups ----------------------------------------------------------------------------------------

--- What the spec means; what it may not say is refused with the model's path.
local function lowered(path, text)
  return lists.map(spec.of_text(path .. ' (spec)', text, {}), layer.lower)
end

local max_name = 120

--- A group is named by what its kernels are: sizes and formats.
local function names_of(layers)
  return lists.map(layers, function(l)
    return #l.name <= max_name and l.name or l.kind .. '_' .. fnv(l.name)
  end)
end

--- The groups of what was found, in the order of their first layers.
---@param found Found
---@param words RoleWords|nil  the arithmetic of products that may be in it; nil: the rule
---@return NamedGroups
function M.of(found, words)
  if #found.layers == 0 then
    problems.bad_input(found.path, 'it has no feed-forward layer that import takes')
  end
  role_words.expect_there(found.path, words, found.layers)
  local groups, by_key, group_of, key_of, known = {}, {}, {}, {}, {}
  for i, l in ipairs(found.layers) do
    local places, formats = stages.of(found.path, l, known)
    -- Layers of a model share their fields, mostly.
    key_of[l.fields] = key_of[l.fields] or {}
    local own = arithmetics_of(l, places, formats, words)
    local told = table.concat(formats, ',') .. ' ' .. table.concat(own, ',')
    local key = key_of[l.fields][told]
      or spec_text.key { layers = { l }, places = places, formats = formats, arithmetics = own }
    key_of[l.fields][told] = key
    local index = by_key[key]
    if not index then
      index = #groups + 1
      groups[index] = { layers = {}, places = places, formats = formats, arithmetics = own }
      by_key[key] = index
    end
    local group = groups[index]
    group.layers[#group.layers + 1] = l
    group_of[i] = index
  end
  for _, group in ipairs(groups) do
    group.about, group.around = about_of(group.layers), around_of(group.layers)
    group.because = because_of(group.layers)
    group.because[#group.because + 1] = because_of_biases(group.layers)
    group.because[#group.because + 1] = because_of_arithmetic(group, words)
  end
  expect_some(found.path, groups, words)
  -- Names follow from what the spec means, and mean nothing themselves.
  local numbered = {}
  for i in ipairs(groups) do numbered[i] = ('layer_%d'):format(i) end
  local meant = lowered(found.path, spec_text.of(found, groups, numbered))
  local names = names_of(meant)
  return record.strict('groups', {
    groups = groups, names = names, text = spec_text.of(found, groups, names), lowered = meant,
    group_of = group_of,
  })
end

return M
