--- The numbers that stand in the text of a function, and those that it holds: where it may branch,
--- so that tracing looks there.
local sandbox = require 'read.sandbox'

local M = {}

local most = 24

---@param f any
---@param text string of the spec
---@return number[]
function M.of(f, text)
  local list, seen = {}, {}
  local function add(v)
    if math.type(v) and not seen[v] and v == v and math.abs(v) < 1e30 and #list < most then
      seen[v] = true
      list[#list + 1] = v
    end
  end
  local info = type(f) == 'function' and debug.getinfo(f, 'S')
  if not info or info.source ~= sandbox.chunk_name then return list end
  local upvalue, name, v = 1, debug.getupvalue(f, 1)
  while name do
    add(v)
    upvalue = upvalue + 1
    name, v = debug.getupvalue(f, upvalue)
  end
  local number = 0
  for line in text:gmatch('([^\n]*)\n?') do
    number = number + 1
    if number > info.lastlinedefined then break end
    if number >= info.linedefined then
      for numeral in line:gmatch('%f[%w_]%d[%w%.]*') do add(tonumber(numeral)) end
    end
  end
  return list
end

return M
