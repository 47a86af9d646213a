--- The name of this machine's CPU, by which measurements are kept: its own, and the numbers that
--- tell it from others of the name.
local disk = require 'common.disk'

local M = {}

--- What Linux says on x86 and on Arm, each with the fields that make a name of it.
local forms = {
  { 'model name', 'cpu family', 'model', 'stepping' },
  { 'CPU implementer', 'CPU part', 'CPU variant', 'CPU revision' },
}

--- Lower case, joined by dashes, without trade marks and clock rates.
local function slug(text)
  return (text:lower():gsub('%(%a+%)', ' '):gsub('@.*$', ''):gsub('[^%w]+', '-')
    :gsub('^%-+', ''):gsub('%-+$', ''))
end

--- The name that the text of /proc/cpuinfo makes, or nil.
---@param text string
---@return string|nil
function M.name_in(text)
  for _, fields in ipairs(forms) do
    local parts = {}
    for i, field in ipairs(fields) do
      local value = ('\n' .. text):match('\n' .. field .. '[ \t]*:[ \t]*([^\n]*)')
      parts[i] = slug(value or '')
    end
    if parts[1] ~= '' then
      return (table.concat(parts, '-'):gsub('%-%-+', '-'):gsub('%-$', ''))
    end
  end
  return nil
end

--- This machine's, or nil where it does not tell.
---@return string|nil
function M.here()
  local text = disk.read('/proc/cpuinfo')
  return text and M.name_in(text)
end

--- Whether a text has the form of such a name.
function M.is_name(text) return type(text) == 'string' and text:match('^[%w_.-]+$') ~= nil end

return M
