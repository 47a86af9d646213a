--- What a row of an operand is: the planes that it is laid into in work memory, and how.
local record = require 'common.record'

---@class OperandFormat
---@field name string
---@field about string
---@field planes Plane[]   of a row in a block of k, one after the other
---@field group integer    k that are laid together: of the plane that has the fewest numbers
---@field unit integer     outputs of the stage before that one task must own: those of a group
---@field helpers string   C functions that take() calls, or ''
---@field take (fun(c: OperandPlace): string)|false  C that lays a group of numbers, from x or from
--- results, which wait in memory until it is there; false: they lie as they are, in one plane

---@class Plane
---@field name string
---@field lane 'f32'|'s8'  its type
---@field bytes integer    of a number
---@field every integer    k that have one

---@class OperandPlace
---@field plane fun(name: string): string  C, where the group's part of a plane begins
---@field from string      C, floats
---@field count string     C, so many of them; beyond are zeros

local M = {}

--- Types of a plane's numbers: bytes, and how C says it.
M.lanes = {
  f32 = { bytes = 4, c_type = 'float' }, s8 = { bytes = 1, c_type = 'int8_t' },
}

local schema = record.schema {
  name = 'string', about = 'string', planes = 'table', helpers = { 'string', '' },
  take = { 'function', false },
}
local plane_schema = record.schema {
  name = 'string', lane = { one_of = record.sorted_keys(M.lanes) }, every = 'integer',
}

--- Complains of an operand as of its file.
local function wrong(name, problem, ...)
  error(('operand/%s.lua: ' .. problem):format(name, ...), 0)
end

--- The record of an operand, from what its file says; an error where that does not hold.
---@param name string
---@param said table
---@return OperandFormat
function M.record(name, said)
  local own = schema:read(said, ('operand/%s.lua'):format(name))
  if own.name ~= name then wrong(name, 'its name is "%s"', own.name) end
  local planes, group = {}, 1
  for i, one in ipairs(own.planes) do
    local plane = plane_schema:read(one, ('operand/%s.lua: plane %d'):format(name, i))
    plane.bytes = M.lanes[plane.lane].bytes
    planes[i], group = record.strict('plane', plane), math.max(group, plane.every)
  end
  if not own.take and (#planes > 1 or planes[1].lane ~= 'f32' or group > 1) then
    wrong(name, 'take is missing: only f32 lie as they are')
  end
  own.planes, own.group, own.unit = planes, group, group
  return record.strict('operand ' .. name, own)
end

return M
