--- Weights one by one, of formats in which none stands by itself: a function of each format, which
--- opens the groups that the weight is in.
local isas = require 'isa'
local lists = require 'common.list'
local groups = require 'weights.group'
local packing = require 'emit.packing'
local prefixes = require 'common.prefix'

local M = {}

--- The function of a format, which is the same in all kernels.
local function name_of(prefix, format) return ('%s_one_%s'):format(prefix, format.name) end

--- The text of that function.
---@param prefix string
---@param format Format
---@return string
function M.text(prefix, format)
  return prefixes.text(packing.one(isas.by_name.c, format, groups.place(format),
    name_of(prefixes.default, format)), prefix)
end

--- The name under which helpers have it; nil where weights stand by themselves.
---@param format Format
---@return string|nil
function M.helper(format) return not format.bytes and 'one ' .. format.name or nil end

---@class OneWeight  where a weight is, in C
---@field bundle string   where its bundle begins, a pointer to char
---@field members string|integer  of that
---@field lane string     among all that lie side by side
---@field k string        from the first one of the panel on
---@field step string     from a group to the next

--- The call that gives it.
---@param prefix string
---@param format Format
---@param at OneWeight
---@return string
function M.call(prefix, format, at)
  local placed, whole = groups.place(format), format.group > 1
  local head = format.head and (' + %s * %d'):format(at.members, placed.head_bytes) or ''
  local arguments = {
    ('%s%s + %s%s * %s'):format(at.bundle, head, at.k, whole and ' / ' .. format.group or '',
      at.step),
    ('%s'):format(at.members), whole and ('%s %% %d'):format(at.k, format.group) or '0', at.lane,
    format.head and at.bundle or nil,
  }
  return ('%s(%s)'):format(name_of(prefix, format), table.concat(arguments, ', '))
end

--- The helpers that functions of some stages call.
---@param stages StagePlan[]
---@return string[]
function M.uses(stages)
  return lists.unique(lists.map(lists.filter(stages, function(s)
    return M.helper(s.stage.stream.format) ~= nil
  end), function(s) return M.helper(s.stage.stream.format) end))
end

return M
