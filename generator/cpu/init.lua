--- The CPU profiles by name: what a plan chooses for a CPU, as data. One file each, and a word in
--- this list.
local record = require 'common.record'

local words = { 'generic' }

---@class Profile
---@field name string
---@field about string
---@field choices Choices

---@class Choices  none of it changes a bit of any result
---@field rows_per_walk integer rows of a walk over the weights: a block of weights comes from memory
--- once and then serves all of them from the core's own cache
---@field sum_bytes integer     of sums that a walk keeps at a time
---@field stream_rows integer   up to so many rows pass over one panel at a time, all of k
---@field fetch_ahead integer   bytes: how far ahead weights from memory are fetched

local M = { names = {}, by_name = {} }

for _, name in ipairs(words) do
  local profile = require('cpu.' .. name)
  M.names[#M.names + 1] = name
  M.by_name[name] = record.strict('CPU profile ' .. name, {
    name = profile.name, about = profile.about,
    choices = record.strict('choices', profile.choices),
  })
end

return M
