--- Where the lines of a group lie.
local record = require 'common.record'

local M = {}

---@class PlacedGroup  the lines of an outermost group of so many panels side by side
---@field head PlacedLine[]  what the panels begin with, once for all groups
---@field head_bytes integer
---@field parts PlacedLevel[] of the group: its levels, outermost first, and last the step
---@field bytes integer      of the group

---@class PlacedLevel
---@field k integer      of one
---@field count integer  in the next outer one
---@field at integer     bytes from where that one begins to the first
---@field bytes integer  of one
---@field lines PlacedLine[]

---@class PlacedLine  its lanes are those of all panels that lie side by side, panel by panel
---@field line Line
---@field at integer     bytes from where the part begins

--- The lines of a part, one after the other.
---@return PlacedLine[]
---@return integer  bytes
local function placed(lines, pitch)
  local list, at = {}, 0
  for i, line in ipairs(lines) do
    list[i] = record.strict('placed line', { line = line, at = at })
    at = at + pitch(line)
  end
  return list, at
end

---@param format Format
---@param pitch (fun(line: Line): integer)|nil  bytes from a line to the next: those of all panels
--- that lie side by side, and a pad; nil: of one panel
---@return PlacedGroup
function M.place(format, pitch)
  pitch = pitch or function(line) return line.bytes end
  local all, parts, inner_bytes, inner_k = { table.unpack(format.levels) }, {}, 0, format.step.k
  all[#all + 1] = format.step
  for i = #all, 1, -1 do
    local lines, at = placed(all[i].lines, pitch)
    local _, before = placed(i > 1 and all[i - 1].lines or {}, pitch)
    inner_bytes, inner_k = at + all[i].k // inner_k * inner_bytes, all[i].k
    parts[i] = record.strict('part', {
      k = all[i].k, count = i > 1 and all[i - 1].k // all[i].k or 1, bytes = inner_bytes,
      lines = lines, at = before,
    })
  end
  local head, head_bytes = placed(format.head and format.head.lines or {}, pitch)
  return record.strict('placed', {
    head = head, head_bytes = head_bytes, parts = parts, bytes = inner_bytes,
  })
end

---@class PlanePlace  where the lines of a plane lie
---@field line Line
---@field head boolean  in front of the groups
---@field at fun(n: integer): integer  bytes from where the group, or the head, begins to the n-th

--- Where the lines of a group lie, by their planes.
---@param group PlacedGroup
---@return table<string, PlanePlace>
function M.planes(group)
  local planes = {}
  local function add(own, depth, head)
    planes[own.line.plane] = record.strict('place of a plane', {
      line = own.line, head = head,
      at = function(n)
        local at = own.at
        for d = depth, 2, -1 do
          local part = group.parts[d]
          at, n = at + part.at + n % part.count * part.bytes, n // part.count
        end
        return at
      end,
    })
  end
  for _, own in ipairs(group.head) do add(own, 1, true) end
  for depth, part in ipairs(group.parts) do
    for _, own in ipairs(part.lines) do add(own, depth, false) end
  end
  return planes
end

return M
