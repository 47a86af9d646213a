--- The CPU profiles by name: what suits one CPU and changes no bit of any result. One file each,
--- and a name in this list. The first serves every CPU that no other one knows.
local lists = require 'common.list'
local record = require 'common.record'

local names = { 'generic', 'intel', 'zen2', 'zen4', 'neoverse', 'zen5' }

---@class Profile
---@field name string       as in --cpu NAME
---@field about string
---@field features string[]      what such CPUs have beyond the least of their architecture, some of
--- them at least: words of an instruction set's `target`
---@field x86 Model[]|false     such CPUs, by CPUID
---@field arm64 ArmPart[]|false  and by MIDR_EL1
---@field caches Caches|false
---@field source string          of the figures, and where they were not measured
---@field choices Choices
---@field own OwnChoices[]     of some kernels: the first that suits is taken, else `choices`

---@class OwnChoices  of kernels all of whose weights are of a kind
---@field weights string  halves: bf16 or f16, half the bytes and hardly decoded; bytes: multiplied
--- as bytes; opened: of these, such as have fewer than 8 bits: a core looks less far ahead;
--- decoded: multiplied as floats, of fewer than 8 bits, each step decoded in the same way
---@field isa string|false  the instruction set; false: any
---@field choices Choices

---@class Model  models from `first` to `last` of a family
---@field vendor string
---@field family integer
---@field first integer
---@field last integer

---@class ArmPart
---@field implementer integer
---@field part integer

---@class Caches  bytes: of a core, and of the last level that it shares
---@field l1 integer
---@field l2 integer
---@field l3 integer

--- What a plan chooses and a CPU has a say in: constants. `ffngen tune` measures the same record.
---@class Choices
---@field few_ahead integer      as fetch_ahead, where few rows share the weights
---@field few_l2_ahead integer   how far ahead compressed weights are fetched into the second-level
--- cache, too, where few rows fetch ahead; as far as few_ahead, or less: they are not
---@field few_rows integer       so many are few, at most
---@field fetch_ahead integer    how far ahead weights from memory are fetched, where each serves
--- one row tile: in bytes of all panels that the tile reads, which are under way at a time; 0: the
--- hardware's own prefetcher is left alone
---@field fetch_level integer    the cache that they are fetched into: 1, the first-level one; more,
--- the second
---@field main_columns integer   the tile of many rows is so wide at least, where two rows of it fit
--- the registers: fewer rows share a weight, more outputs share an activation
---@field near_bytes integer     packed weights of up to so many stay in a core's own cache: nothing
--- is fetched ahead, nor are several panels read abreast
---@field reread integer         1: one row for which nothing is fetched reads every second cache
--- line twice, where a vector takes it whole; 0: it does not
---@field rows_per_walk integer  rows of a walk over the weights: a block of weights comes from
--- memory once and then serves all of them from the core's own cache
---@field stream_rows integer    up to so many rows pass over one panel at a time, all of k: the
--- weights are one stream. More rows take a block of k of many panels, so that their activations
--- stay near
---@field streams integer        panels of weights that few rows read side by side, at most
---@field sum_bytes integer      bytes of sums that a walk keeps at a time
local least = {
  few_ahead = 0, few_l2_ahead = 0, few_rows = 1, fetch_ahead = 0, fetch_level = 1,
  main_columns = 1, near_bytes = 0, reread = 0, rows_per_walk = 1, stream_rows = 1, streams = 1,
  sum_bytes = 1,
}

local M = {
  names = {}, by_name = {}, least = least, choice_names = record.sorted_keys(least),
  --- What a kernel reads at run time: the others are sizes in its code.
  read_names = {
    'streams', 'few_rows', 'few_ahead', 'fetch_ahead', 'fetch_level', 'reread', 'few_l2_ahead',
  },
}

local profile_schema = record.schema {
  about = 'string', features = { 'table', {} }, x86 = { 'table', false },
  arm64 = { 'table', false }, caches = { 'table', false }, source = { 'string', '' },
  choices = 'table', own = { 'table', {} },
}

--- Whether the weights of a stage are of a kind.
---@type table<string, fun(s: Stage): boolean>
local is_of = {
  halves = function(s)
    local source = s.stream.format.source
    return source and source.number == 'u16' or false
  end,
  bytes = function(s) return s.arithmetic.takes == 'bytes' end,
  opened = function(s)
    return s.arithmetic.takes == 'bytes' and s.stream.format.products.bits < 8
  end,
  decoded = function(s)
    local format = s.stream.format
    return s.arithmetic.takes == 'value' and format.products and format.products.bits < 8
      and not format.step.by_index
  end,
}

local own_schema = record.schema {
  weights = { one_of = record.sorted_keys(is_of) }, isa = { 'string', false }, choices = 'table',
}

--- Choices that are whole: what a profile does not say is as in `rest`, or in the first profile.
local function whole_choices(name, field_name, choices, rest)
  if not rest and #M.names > 0 then rest = M.by_name[names[1]].choices end
  local fields = {}
  for _, field in ipairs(M.choice_names) do
    fields[field] = { 'integer', rest and rest[field], least = least[field] }
  end
  local whole = record.schema(fields):read(choices, ('cpu/%s.lua: %s'):format(name, field_name))
  return record.strict('choices', whole)
end

local function checked(name, said)
  local profile = profile_schema:read(said, ('cpu/%s.lua'):format(name))
  profile.name = name
  profile.choices = whole_choices(name, 'choices', profile.choices)
  profile.own = lists.map(profile.own, function(one)
    local own = own_schema:read(one, ('cpu/%s.lua: own'):format(name))
    own.choices = whole_choices(name, 'own choices of ' .. own.weights, own.choices,
      profile.choices)
    return record.strict('own choices', own)
  end)
  return record.strict('cpu profile ' .. name, profile)
end

for i, name in ipairs(names) do
  local profile = checked(name, require('cpu.' .. name))
  M.names[i], M.by_name[name] = name, profile
end

--- All of them, the first in front.
---@type Profile[]
M.all = lists.map(names, function(name) return M.by_name[name] end)

M.suits = require 'cpu.suits'

--- Of several weights: those of one kind have choices of their own, else a layer has the rest.
local function choices_for(profile, stages, isa)
  local suiting = lists.filter(profile.own, function(own)
    return (not own.isa or own.isa == isa.name)
      and #lists.filter(stages, is_of[own.weights]) == #stages
  end)
  return (suiting[1] or profile).choices
end

--- A profile whose choices are those for the weights of some stages.
---@param profile Profile
---@param stages Stage[]
---@param isa table
---@return Profile
function M.for_weights(profile, stages, isa)
  local own = record.fields(profile)
  own.choices = choices_for(profile, stages, isa)
  return record.strict('cpu profile ' .. profile.name, own)
end

return M
