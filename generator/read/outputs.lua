--- Several outputs of one layer, d_out = { q = 512, k = 128 }: a table with a size for each
--- name, whose order is that of the names, byte by byte, as a table has none of its own; or a list
--- of such tables, in its own order.
local record = require 'common.record'
local size = require 'read.size'

local M = {}

--- One is a stage.
local most = 16
local longest = 24
local form = '{ q = 512, k = 128, v = 128 }, or { { q = 512 }, { k = 128 } } in an order'

---@class NamedOutput
---@field name string
---@field width integer

--- Whether d_out says several outputs, and no size.
function M.are(d_out) return type(d_out) == 'table' and not size.is(d_out) end

--- A name is a part of the layer's, in which numbers follow names and _ ends both.
local function expect_name(check, path, name, seen)
  if type(name) ~= 'string' then
    check:fail(path, 'd_out: an output is a name and a size, as in %s', form)
  end
  if #name > longest or not (name:match('^%l[%l%d]*$') and name:match('%l$')) then
    check:fail(path, 'd_out: an output is named by at most %d small letters and digits, the first '
      .. 'and the last of them letters, not "%s"', longest, record.shown(name))
  end
  if seen[name] then check:fail(path, 'd_out: two outputs are named "%s"', name) end
  seen[name] = true
end

--- The only field of an item of a list.
local function item_of(check, i, item)
  local keys = M.are(item) and record.sorted_keys(item) or {}
  if #keys ~= 1 then
    check:fail({ 'd_out', i }, 'd_out: item %d must be one output, such as { q = 512 }', i)
  end
  return keys[1]
end

--- The outputs that a layer was given, in order.
---@param check Check
---@param d_model integer
---@return NamedOutput[]
function M.of(check, d_model)
  local given, seen, result = check.given.d_out, {}, {}
  local keys = record.sorted_keys(given)
  if #keys == 0 then check:fail({ 'd_out' }, 'd_out is empty; it is %s', form) end
  if #keys == 1 then
    check:fail({ 'd_out' }, 'd_out: a single output has no name: write d_out = 512, say')
  end
  if #keys > most then
    check:fail({ 'd_out' }, 'd_out has %d outputs; at most %d', #keys, most)
  end
  local function add(path, name, value)
    expect_name(check, path, name, seen)
    result[#result + 1] = {
      name = name, width = check:resolved('d_out: ' .. name, value, path, d_model),
    }
  end
  local is_list = M.are(given[1])
  if is_list then check:list({ 'd_out' }, given, form, most) end
  for i, key in ipairs(keys) do
    local item = given[key]
    if is_list then
      local name = item_of(check, i, item)
      add({ 'd_out', i, name }, name, item[name])
    else
      add({ 'd_out', key }, key, item)
    end
  end
  return result
end

--- What layers of several outputs do not have.
---@param check Check
---@param s Spec
function M.expect_taken(check, s)
  if not s.outputs then return end
  if s.d_out > size.max then
    check:fail({ 'd_out' }, 'd_out: the outputs are %d wide together, beyond the largest size, %d',
      s.d_out, size.max)
  end
  if check.given.dropout ~= nil then
    check:fail({ 'dropout' }, 'dropout: a layer of several outputs has none; a linear for each of '
      .. 'them may')
  end
end

return M
