--- The header of an .npy file: a dictionary of Python with three keys, in any order. (The format:
--- numpy.lib.format.)
local M = {}

---@class NpyHeader
---@field descr string|nil    the type of a number; nil for records
---@field fortran_order boolean
---@field shape integer[]

--- Values by their first character: what is taken from the front of a text, and how long it was.
local function value_of(text)
  local word = text:match('^True') or text:match('^False')
  if word then return word == 'True', #word end
  local quoted = text:match("^('[^'\\]*')") or text:match('^("[^"\\]*")')
  if quoted then return quoted:sub(2, -2), #quoted end
  local tuple = text:match('^%([%d%s,L]*%)')
  if tuple then
    local list = {}
    for digits in tuple:gmatch('%d+') do
      list[#list + 1] = #digits <= 18 and math.tointeger(tonumber(digits)) or -1
    end
    return list, #tuple
  end
  local records = text:match('^%b[]')
  if records then return false, #records end
  return nil
end

local keys = { descr = true, fortran_order = true, shape = true }

--- The header's text as a record, or nil where it is none.
---@param text string
---@return NpyHeader|nil
function M.parse(text)
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

return M
