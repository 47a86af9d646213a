--- How much Lua a call takes, in thousands of instructions: the same on every machine and under any
--- load, as seconds are not. What C functions do between them is not seen.
local M = {}

--- What a call takes; beyond so much it ends with an error, wherever it is.
---@param most integer
---@return integer
---@return any ... what the call gave
function M.within(most, work, ...)
  local count = 0
  local function counted()
    count = count + 1
    if count > most then error(('more than %d thousand instructions'):format(most), 0) end
  end
  local function ended(ok, ...)
    debug.sethook()
    if count > most then counted() end -- who catches errors may have gone on
    if not ok then error((...), 0) end
    return count, ...
  end
  debug.sethook(counted, '', 1000)
  return ended(pcall(work, ...))
end

return M
