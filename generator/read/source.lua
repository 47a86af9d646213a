--- Where a layer of a spec stands, and under which names messages tell it.
local lists = require 'common.list'
local place = require 'read.place'
local problems = require 'common.problem'

local M = {}

---@class SpecSource
---@field file string
---@field text string  of the file
---@field line integer where the layer stands
---@field kind string
---@field name string
---@field call Call  where it stands in the text
---@field effort Effort
---@field inside string[]  the fields, from the outside in, whose table is looked at
local Source = {}
Source.__index = Source

---@param call Call
---@return SpecSource
function M.new(file, text, call, effort)
  return setmetatable({
    file = file, text = text, line = call.line, kind = call.kind, name = call.name, call = call,
    effort = effort, inside = {},
  }, Source)
end

local function joined(a, b) return lists.append({ table.unpack(a) }, b) end

--- The place of a value of the table that is looked at.
---@param path (string|integer)[]
function Source:at(path)
  return problems.place(self.file, place.line_of({
    text = self.text, line = self.line, kind = self.call.kind, name = self.call.name,
  }, joined(self.inside, path)))
end

local function changed(self, changes)
  for _, key in ipairs { 'file', 'text', 'line', 'kind', 'name', 'call', 'effort', 'inside' } do
    if changes[key] == nil then changes[key] = self[key] end
  end
  return setmetatable(changes, Source)
end

--- The same of the table in a field.
---@param field string
function Source:within(field) return changed(self, { inside = joined(self.inside, { field }) }) end

--- The same of a layer that a field describes, with a name and a kind of its own.
---@param field string
---@param kind string
function Source:part(field, kind)
  return changed(self, { inside = { field }, kind = kind, name = self.name .. '_' .. field })
end

return M
