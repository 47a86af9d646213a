--- Runs what strangers wrote: under limits, and with nothing in scope but what it is given.
local M = { chunk_name = '=(spec)' }

local max_instructions = 2000000
local max_kilobytes = 8192

--- Runs a chunk under limits of instructions and memory, and without string methods, whose C code
--- no limit reaches. The limits are looked at after every instruction, since few are enough to
--- double a string beyond all memory.
---@return any problem nil, or what was thrown
---@return integer|nil line where the spec was
function M.run(chunk)
  local budget = max_instructions
  collectgarbage()
  local start = collectgarbage('count')
  local thread = coroutine.create(chunk)
  debug.sethook(thread, function()
    budget = budget - 1
    if budget <= 0 then error('it runs too long (an endless loop?)', 0) end
    if collectgarbage('count') - start > max_kilobytes then
      error('it uses too much memory (an endless table or string?)', 0)
    end
  end, '', 1)
  local strings = getmetatable('')
  local methods, format = strings.__index, string.format
  strings.__index = function(_, key)
    error(format('strings have no methods here ("%s")', tostring(key)), 0)
  end
  local ok, problem = coroutine.resume(thread)
  strings.__index = methods
  if ok then return nil end
  local level, frame = 0, debug.getinfo(thread, 0, 'Sl')
  while frame and frame.source ~= M.chunk_name do
    level = level + 1
    frame = debug.getinfo(thread, level, 'Sl')
  end
  return problem, frame and frame.currentline
end

return M
