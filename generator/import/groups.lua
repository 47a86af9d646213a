--- Layers whose kernels would be the same are one group: a layer of the spec, and a name.
local arithmetics = require 'read.arithmetics'
local fnv = require 'common.fnv'
local layer = require 'lower.layer'
local lists = require 'common.list'
local mixtures = require 'import.mixtures'
local problems = require 'common.problem'
local record = require 'common.record'
local role_words = require 'import.role_words'
local spec = require 'read.spec'
local spec_text = require 'import.spec_text'
local stages = require 'import.stages'
local told_layers = require 'import.told_layers'

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
---@field mixtures ImportMixture[]
---@field names string[]     of their layers in the spec
---@field text string        the spec
---@field lowered Layer[]    what it means
---@field group_of integer[] by layer

-- Arithmetics -----------------------------------------------------------------------------------

--- The arithmetic that all products have.
local rule = arithmetics.rule

--- Whether outputs of one x may be in these arithmetics: in one of values, or in one of bytes that
--- lie in groups of one size.
local function lie_together(own, formats, inputs)
  return #lists.unique(own) == 1
    and (own[1] == rule or #arithmetics.groups(formats, inputs) == 1)
end

--- The arithmetic of a product whose x the model rounds by a scale of its own.
---@param path string
---@param m Matrix
---@param words RoleWords|nil
local function with_scale(path, m, words)
  local asked, word = role_words.of(words, m), arithmetics.word(arithmetics.with_scales)
  if asked and asked ~= word then
    problems.bad_input(path, '%s %s: the model rounds what "%s" multiplies by a scale of its own, '
      .. 'and %s does that: leave out the option, or add --float-activations to keep x in f32',
      words.option, asked, record.shown(m.weight.tensor, 80), word)
  end
  return arithmetics.with_scales
end

--- The arithmetic of each stage: the one asked for, where the product may be in it. Outputs of one
--- x have one arithmetic: all of them may be in it, or none is.
---@param path string
---@param found_layer FoundLayer
---@param places StagePlace[]
---@param formats string[]
---@param words RoleWords|nil
local function arithmetics_of(path, found_layer, places, formats, words)
  local own = {}
  for i, place in ipairs(places) do
    local at, m = place.stage + 1, found_layer.matrices[i]
    local word = m.operand_scale and with_scale(path, m, words) or role_words.of(words, m) or rule
    own[at] = arithmetics.fits(formats[at], word, place.inputs) and word or rule
  end
  if places[1].output and not lie_together(own, formats, places[1].inputs) then
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
      if arithmetics.word(group.arithmetics[at]) ~= word and not seen[name] then
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
            is_taken = is_taken or arithmetics.word(group.arithmetics[at]) == item.word
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

--- A spec with mixtures means the layers that it means without them.
local function expect_same(mixed, plain)
  local there = lists.set(lists.map(mixed, function(l) return l.name end))
  for _, l in ipairs(plain) do
    if not there[l.name] then error(('the spec has no layer "%s"'):format(l.name), 0) end
  end
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
    local own = arithmetics_of(found.path, l, places, formats, words)
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
  local function tell(group)
    local layers = group.layers
    group.about, group.around = told_layers.about_of(layers), told_layers.around_of(layers)
    group.because = told_layers.because_of(layers)
    group.because[#group.because + 1] = told_layers.because_of_biases(layers)
    group.because[#group.because + 1] = because_of_arithmetic(group, words)
    return group
  end
  for _, group in ipairs(groups) do tell(group) end
  expect_some(found.path, groups, words)
  -- Names follow from what the spec means, and mean nothing themselves.
  local numbered = {}
  for i in ipairs(groups) do numbered[i] = ('layer_%d'):format(i) end
  local meant = lowered(found.path, spec_text.of(found, groups, numbered))
  local names = names_of(meant)
  local mixed = mixtures.of(found, groups, group_of, names, tell)
  local entries, named = mixtures.entries(found, groups, group_of, names, mixed, tell)
  local text = spec_text.of(found, entries, named)
  if #mixed > 0 then expect_same(lowered(found.path, text), meant) end
  return record.strict('groups', {
    groups = groups, names = names, text = text, lowered = meant, group_of = group_of,
    mixtures = mixed,
  })
end

return M
