--- Where the lines of a group lie.
local record = require 'common.record'

local M = {}

---@class Part  a level, or last the step, of an outermost group of so many panels side by side
---@field k integer      of one
---@field count integer  in the next outer one
---@field at integer     bytes from where that one begins to the first
---@field bytes integer  of one
---@field lines PlacedLine[]

---@class PlacedLine
---@field line Line
---@field at integer     bytes from where the part begins
---@field pitch integer  to the next line

--- The lines of a part, one after the other.
---@return PlacedLine[]
---@return integer  bytes
local function placed(lines, pitch)
  local list, at = {}, 0
  for i, line in ipairs(lines) do
    local step = pitch(line)
    list[i] = record.strict('placed line', { line = line, at = at, pitch = step })
    at = at + step
  end
  return list, at
end

--- Where the lines of an outermost group lie, in parts, outermost first and the step last.
---@param format Format
---@param pitch (fun(line: Line): integer)|nil  bytes from a line to the next: those of all panels
--- that are side by side, and pads; nil: of one panel
---@return Part[]
function M.place(format, pitch)
  pitch = pitch or function(line) return line.bytes end
  local all, parts = { table.unpack(format.levels) }, {}
  all[#all + 1] = format.step
  local inner_bytes = 0
  for i = #all, 1, -1 do
    local inner, lines, at = all[i + 1], placed(all[i].lines, pitch)
    local bytes = at + (inner and all[i].k // inner.k * inner_bytes or 0)
    parts[i] = record.strict('part', {
      k = all[i].k, count = i > 1 and all[i - 1].k // all[i].k or 1, bytes = bytes, lines = lines,
      at = i > 1 and select(2, placed(all[i - 1].lines, pitch)) or 0,
    })
    inner_bytes = bytes
  end
  return parts
end

--- The lines that a panel begins with, and their bytes.
---@param format Format
---@param pitch (fun(line: Line): integer)|nil  as of place()
---@return PlacedLine[]
---@return integer
function M.place_head(format, pitch)
  return placed(format.head and format.head.lines or {},
    pitch or function(line) return line.bytes end)
end

return M
