--- An .npy file: magic, version, the length of a header, the header, numbers. The header is a
--- dictionary of Python with three keys, in any order. (The format: numpy.lib.format.)
local limits = require 'common.limits'
local problems = require 'common.problem'
local random_access = require 'files.random_access'

local M = {}

---@class NpyHeader
---@field first integer       where the numbers begin
---@field descr string|nil    the type of a number; nil for records
---@field fortran_order boolean
---@field shape integer[]

--- The sizes of a tuple, or nil where it is none: a comma stands behind each but the last, and
--- behind the only one.
local function tuple_of(inside)
  local list, at = {}, inside:match('^%s*()')
  while at <= #inside do
    local digits, comma, to = inside:match('^(%d+)L?%s*(,?)%s*()', at)
    if not digits or comma == '' and (to <= #inside or #list == 0) then return nil end
    list[#list + 1] = #digits <= 18 and math.tointeger(tonumber(digits)) or -1
    at = to
  end
  return list
end

--- Values by their first character: what is taken from the front of a text, and how long it was.
local function value_of(text)
  local word = text:match('^True') or text:match('^False')
  if word then return word == 'True', #word end
  local quoted = text:match("^('[^'\\]*')") or text:match('^("[^"\\]*")')
  if quoted then return quoted:sub(2, -2), #quoted end
  local tuple = text:match('^%b()')
  if tuple then
    local list = tuple_of(tuple:sub(2, -2))
    return list, #tuple
  end
  local records = text:match('^%b[]')
  if records then return false, #records end
  return nil
end

local keys = { descr = true, fortran_order = true, shape = true }

--- The header's text as a record, or nil where it is none.
---@param text string
---@return { descr: string|nil, fortran_order: boolean, shape: integer[] }|nil
local function parsed(text)
  local found, rest = {}, text:match('^%s*{(.*)}%s*$')
  while rest and rest:match('%S') do
    local key, from = rest:match('^%s*[\'"]([%w_]+)[\'"]%s*:%s*()')
    if not key or not keys[key] or found[key] ~= nil then return nil end
    local value, length = value_of(rest:sub(from))
    if value == nil then return nil end
    found[key] = value
    rest = rest:sub(from + length)
    local comma = rest:match('^%s*,()')
    if not comma and rest:match('%S') then return nil end
    rest = comma and rest:sub(comma) or ''
  end
  -- A list of fields stands for records.
  if type(found.shape) ~= 'table' or type(found.fortran_order) ~= 'boolean'
    or found.descr ~= false and type(found.descr) ~= 'string' then
    return nil
  end
  return {
    descr = found.descr or nil, fortran_order = found.fortran_order, shape = found.shape,
  }
end

---@param path string
---@param handle file*
---@param size integer
---@return NpyHeader
function M.header(path, handle, size)
  local start = random_access.slice(handle, 0, 12)
  local major = start:match('^\x93NUMPY([\1-\3])')
  if not major or #start < 12 then
    problems.bad_input(path, 'not an .npy file of version 1 to 3')
  end
  local wide = major ~= '\1'
  local length = string.unpack(wide and '<I4' or '<I2', start, 9)
  local first = (wide and 12 or 10) + length
  if first > size then
    problems.bad_input(path, 'not .npy: the header\'s length is beyond the file')
  end
  limits.hold(path, 'npy_header', length)
  local header = parsed(random_access.slice(handle, first - length, length))
  if not header then
    problems.bad_input(path, 'not .npy: the header has no type, order and shape')
  end
  header.first = first
  return header
end

--- What NumPy calls a shape.
function M.shape_text(shape)
  return ('(%s%s)'):format(table.concat(shape, ', '), #shape == 1 and ',' or '')
end

return M
