--- The header of a safetensors file as nearly all are written, at once: an object of entries with
--- their three fields in order, without spaces and escapes. Anything else is json_object.lua's,
--- which takes three times as long and whose word is the same.
local json_object = require 'files.json_object'

local M = {}

local match = string.match

local entry_form = '^"([^"\\%c]+)":{"dtype":"([%w_]+)","shape":%[([%d,]*)%],'
  .. '"data_offsets":%[(%d+),(%d+)%]}()([,}])'

--- A size in digits as JSON has it; nil where it is none, or beyond what is surely an integer.
local function size_of(digits)
  if #digits > 18 or #digits > 1 and digits:byte() == 48 then return nil end
  return math.tointeger(digits)
end

--- Shapes by their texts: layers have few.
local function shape_of(text, known)
  if known[text] then return known[text] end
  local shape = {}
  for digits, comma in (text == '' and '' or text .. ','):gmatch '([^,]*)(,)' do
    local size = comma and digits ~= '' and size_of(digits)
    if not size then return nil end
    shape[#shape + 1] = size
  end
  known[text] = shape
  return shape
end

--- The metadata in front, and where the entries begin; nil where it is not written so.
local function metadata_of(text, depth)
  local object, at = match(text, '^{"__metadata__":(%b{}),()')
  if not object then return nil, match(text, '^{()"') end
  local metadata = json_object.decode(object, depth)
  return metadata, metadata and at
end

--- The object, or nil where it is not written so.
---@param text string
---@param depth integer
---@return table|nil
function M.decode(text, depth)
  if not utf8.len(text) then return nil end
  local metadata, at = metadata_of(text, depth)
  if not at then return nil end
  local header, shapes, mark = {}, {}, ','
  while mark == ',' do
    local name, dtype, sizes, first, last, to
    name, dtype, sizes, first, last, to, mark = match(text, entry_form, at)
    if not name or header[name] or name == '__metadata__' then return nil end
    local shape, from, behind = shape_of(sizes, shapes), size_of(first), size_of(last)
    if not shape or not from or not behind then return nil end
    header[name] = { dtype = dtype, shape = shape, data_offsets = { from, behind } }
    at = to + 1
  end
  if not match(text, '^[ \t\n\r]*$', at) then return nil end
  header.__metadata__ = metadata
  return header
end

return M
