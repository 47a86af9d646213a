--- The CPU profiles by name: what suits one CPU and changes no bit of any result. One file each,
--- and a name in this list. The first is taken where nobody asks for another.
local list = require 'common.list'
local record = require 'common.record'

local names = { 'generic' }

---@class Profile
---@field name string     as in --cpu NAME
---@field about string
---@field choices Choices

--- What a plan chooses and a CPU has a say in: constants. `ffngen tune` measures the same record.
---@class Choices
---@field rows_per_walk integer  rows of a walk over the weights: a block of weights comes from
--- memory once and then serves all of them from the core's own cache
---@field sum_bytes integer      bytes of sums that a walk keeps at a time
---@field stream_rows integer    up to so many rows pass over one panel at a time, all of k: the
--- weights are one stream. More rows take a block of k of many panels, so that their activations
--- stay near
---@field fetch_ahead integer    how many bytes ahead weights from memory are fetched, where each
--- serves one row tile
local choice_names = { 'fetch_ahead', 'rows_per_walk', 'stream_rows', 'sum_bytes' }

local M = { names = {}, by_name = {}, choice_names = choice_names }

--- A profile has every choice, and no other.
local function checked(name, profile)
  local place = ('cpu/%s.lua: choices'):format(name)
  for _, key in ipairs(record.sorted_keys(profile.choices)) do
    if not list.has(M.choice_names, key) then
      error(('%s: unknown field "%s"%s'):format(place, key, record.suggest(key, M.choice_names)), 0)
    end
  end
  for _, field in ipairs(M.choice_names) do
    local value = profile.choices[field]
    if math.type(value) ~= 'integer' or value < 1 then
      error(('%s: %s must be an integer of at least 1'):format(place, field), 0)
    end
  end
  return record.strict('cpu profile ' .. name, {
    name = name, about = profile.about, choices = record.strict('choices', profile.choices),
  })
end

for i, name in ipairs(names) do
  M.names[i] = name
  M.by_name[name] = checked(name, require('cpu.' .. name))
end

return M
