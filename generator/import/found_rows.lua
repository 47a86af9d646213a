--- Tables that no kernel takes, as strict records: norms, embeddings, positions. A packed file has
--- their rows as the model's file has them; a vector is one row.
local number_types = require 'import.number_types'
local problems = require 'common.problem'
local record = require 'common.record'
local size = require 'read.size'
local weights = require 'weights'

local M = {}

---@class FoundRows
---@field name string    the tensor's, in the model
---@field count integer  of rows
---@field width integer  of numbers in a row
---@field place Placed   number (row, column) is what (output, input) is of a matrix

local rows_of = record.schema {
  name = 'string', count = 'any', width = 'any', place = 'table',
}

--- Whether a packed file may have rows of an encoding: numbers, or quantization blocks.
---@param encoding string  as Placed has it
---@return boolean
function M.takes(encoding)
  local format = weights.by_name[encoding]
  local source = format and format.source
  if number_types.bytes[encoding] then return true end
  return source and source.k > 1 and source.scale == 0 and source.zero == 0 or false
end

--- The records of tables, sorted by name; each name is there once.
---@param given table[]
---@param path string  of the model
---@param name_problem fun(name: string): string|nil
---@param placed fun(place: table, count: integer, width: integer): Placed
---@return FoundRows[]
function M.of(given, path, name_problem, placed)
  local all, seen = {}, {}
  for i, one in ipairs(given) do
    local r = record.strict('found rows', rows_of:fill(one, 'found rows'))
    local shown, problem = record.shown(r.name, 80), name_problem(r.name)
    if problem then problems.bad_input(path, '"%s" %s', shown, problem) end
    if seen[r.name] then error(('found: rows "%s" are there twice'):format(shown), 0) end
    for _, field in ipairs { 'count', 'width' } do
      local value = r[field]
      if math.type(value) ~= 'integer' or value < 1 or value > size.max then
        problems.bad_input(path, '"%s": %s = %s is no size from 1 to %d', shown, field,
          record.shown(value), size.max)
      end
    end
    if r.place.encoding and not M.takes(r.place.encoding) then
      error(('found: rows "%s" of %s'):format(shown, r.place.encoding), 0)
    end
    r.place = placed(r.place, r.count, r.width)
    seen[r.name], all[i] = true, r
  end
  table.sort(all, function(a, b) return a.name < b.name end)
  return all
end

return M
