--- What a row of an operand is: the planes that it is laid into in work memory, and how.
local lists = require 'common.list'
local record = require 'common.record'

---@class OperandFormat
---@field name string
---@field about string
---@field planes Plane[]   of a row in a k block, one after the other
---@field multiplied string  the plane that weights are multiplied with
---@field group integer    k that are laid together: of the plane that has the fewest numbers
---@field of_rows boolean  a group is a whole row, which waits as floats until all of it is there
---@field unit integer     outputs of the stage before that one task must own: those of a group
---@field helpers fun(isa: table): string[]  C functions that take() calls, each behind those it
--- calls: an instruction set's own, else those of portable C
---@field take (fun(c: OperandPlace): string)|false  C that lays a group of numbers, from x or from
--- results, which wait in memory until it is there; false: they lie as they are, in one plane
---@field alone OperandFormat  the same without a plane of the numbers themselves

---@class OperandHelper  a function of portable C; an instruction set may have its own
---@field name string  behind the prefix, and in front of _ISA
---@field text string  C: names of functions end in _ISA, which becomes the instruction set's name
--- where the set has some of its own, else nothing

---@class Plane
---@field name string
---@field lane 'f32'|'s8'  its type
---@field bytes integer    of a number
---@field every integer    k that have one

---@class SharedGroup  what weights of bytes say of the operand that they are multiplied with
---@field group integer    k that have a scale
---@field of_rows boolean  all k of a row have one
---@field products Products[]  of all weights that are multiplied with it
---@field values boolean       results are multiplied with its numbers, too: they are kept beside

---@class OperandPlace
---@field shared SharedGroup
---@field plane fun(name: string): string  C, where the group's part of a plane begins
---@field group string|nil  C, k of the group: a row of any length; nil: those of the shared group
---@field from string      C, floats
---@field count string     C, so many of them; beyond are zeros
---@field scale string|nil  C, the scale that comes with the weights; nil: none does
---@field isa table

local M = {}

--- Types of a plane's numbers: bytes, and how C says it.
M.lanes = {
  f32 = { bytes = 4, c_type = 'float' }, s8 = { bytes = 1, c_type = 'int8_t' },
  int32 = { bytes = 4, c_type = 'int32_t' },
}

--- The fewest k of an operand that have a scale. A whole row is filled up to a multiple of these.
M.least_group = 32

--- What weights of bytes say of it; of values that there are no groups.
---@param list Products[]
---@param inputs integer|nil
---@param values boolean|nil  as SharedGroup has it
---@return SharedGroup
function M.shared(list, inputs, values)
  local shared = { group = 1, of_rows = false, products = list, values = values or false }
  for _, products in ipairs(list) do
    local part = products.group > 0 and products.group
      or (inputs + M.least_group - 1) // M.least_group * M.least_group
    shared.group = math.max(shared.group, M.least_group, part)
    shared.of_rows = shared.of_rows or products.group == 0
  end
  return record.strict('shared group', shared)
end

local schema = record.schema {
  name = 'string', about = 'string', planes = 'any', helpers = { 'any', {} },
  take = { 'function', false },
}
local plane_schema = record.schema {
  name = 'string', lane = { one_of = record.sorted_keys(M.lanes) }, every = 'integer',
}

--- Complains of an operand as of its file.
local function wrong(name, problem, ...)
  error(('operand/%s.lua: ' .. problem):format(name, ...), 0)
end

--- The plane of the numbers themselves, in front of the others: vectors of them are aligned.
local values = record.strict('plane', { name = 'value', lane = 'f32', every = 1, bytes = 4 })

--- The record of an operand, from what its file says; an error where that does not hold.
---@param name string
---@param said table
---@param shared SharedGroup
---@return OperandFormat
function M.record(name, said, shared)
  local own = schema:read(said, ('operand/%s.lua'):format(name))
  if own.name ~= name then wrong(name, 'its name is "%s"', own.name) end
  local planes, group, take = {}, 1, own.take
  local list = type(own.planes) == 'function' and own.planes(shared) or own.planes
  for i, one in ipairs(list) do
    local plane = plane_schema:read(one, ('operand/%s.lua: plane %d'):format(name, i))
    plane.bytes = M.lanes[plane.lane].bytes
    planes[i], group = record.strict('plane', plane), math.max(group, plane.every)
  end
  if planes[1].every ~= 1 then wrong(name, 'the first plane has a number for each k') end
  if not take and (#planes > 1 or planes[1].lane ~= 'f32' or group > 1) then
    wrong(name, 'take is missing: only f32 lie as they are')
  end
  own.multiplied = planes[1].name
  local keeps = take and shared.values
  if keeps then table.insert(planes, 1, values) end
  local function named(isa, text)
    return (text:gsub('_ISA%f[^%w_]', isa.operand_helpers and '_' .. isa.name or ''))
  end
  own.take = take and function(c)
    c.shared = shared
    local keep = keeps and ('FFN_MEMCPY(%s, %s, %s * sizeof(float));\n'):format(c.plane 'value',
      c.from, c.count) or ''
    return keep .. named(c.isa, take(c))
  end
  local helpers = type(own.helpers) == 'function' and own.helpers(shared) or own.helpers
  function own.helpers(isa)
    return lists.map(helpers, function(helper)
      local text = isa.operand_helpers and isa.operand_helpers[helper.name] or helper.text
      return (named(isa, text):gsub('\n$', ''))
    end)
  end
  own.planes, own.group, own.unit, own.of_rows = planes, group, group, shared.of_rows
  own.alone = keeps and M.record(name, said, M.shared(shared.products, shared.group)) or own
  return record.strict('operand ' .. name, own)
end

return M
