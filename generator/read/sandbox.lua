--- Runs what strangers wrote: under limits, and with nothing in scope but what it is given.
local M = { chunk_name = '=(spec)', max_instructions = 2000000, max_kilobytes = 8192 }

local long_kilobytes = 32 -- a text of this size is watched
local few_kilobytes = 256 -- what need not be told from garbage
local collection_price = 4000 -- instructions
local max_values = 250 -- of a call: each copies all

local too_long = 'it runs too long (an endless loop?)'
local too_long_together = 'up to here the activations of this file run too long, all together: '
  .. 'write them with shorter loops, or divide the layers among several files'
local too_much = 'it uses too much memory (an endless table or string?)'
local too_many = 'a call is given more than 250 values'

--- The bytes of all texts in the registers of the function that runs, and the registers: what its
--- next instruction may join, as far as 250 of them at once.
local function texts_at_hand()
  local bytes, register = 0, 1
  local name, v = debug.getlocal(3, register)
  while name do
    if type(v) == 'string' then bytes = bytes + #v end
    register = register + 1
    name, v = debug.getlocal(3, register)
  end
  return bytes, register
end

--- A hook for every instruction, since few are enough to double a text beyond all memory, and one
--- joins 250. Instructions that may compare or join long texts count for more.
---@param watched boolean there are long texts from the start
---@param budget integer  of instructions
---@param beyond string   what is said where it is used up
---@return function hook
---@return fun(): integer left of the budget
local function limits(watched, budget, beyond)
  local start = collectgarbage('count')
  local max_kilobytes = M.max_kilobytes
  local before, is_clean = start, false
  local function hook()
    budget = budget - 1
    local now = collectgarbage('count')
    if now - before > long_kilobytes then watched = true end
    if not is_clean and now - start > few_kilobytes then
      -- Garbage of others goes, and counts for nobody; what grew since stays counted.
      local grown = now - start
      collectgarbage()
      is_clean, now = true, collectgarbage('count')
      start = now - grown
    end
    if now - start > max_kilobytes then
      collectgarbage()
      budget, now = budget - collection_price, collectgarbage('count')
      if now - start > max_kilobytes // 2 then error(too_much, 0) end
    end
    before = now
    if watched then
      local bytes, registers = texts_at_hand()
      if bytes > max_kilobytes * 1024 then error(too_much, 0) end
      budget = budget - bytes // 1024 - registers // 32
    end
    if budget <= 0 then error(beyond, 0) end
    if debug.getlocal(2, -max_values - 1) then error(too_many, 0) end
  end
  return hook, function() return budget end
end

--- Runs a chunk under limits of instructions and memory, and without string methods, whose C code
--- no limit reaches. Garbage is collected where the limit is looked at and nowhere else: memory
--- that goes away unseen would hide a text that has come. Most specs need so little that nothing is
--- collected: beside a large model that would take longer than all else.
---@param chunk function
---@param bytes integer|nil of its source: its longest text
---@param effort Effort|nil whose instructions it shares with other runs
---@return any problem nil, or what was thrown
---@return integer|nil line where the spec was
function M.run(chunk, bytes, effort)
  local most, beyond = M.max_instructions, too_long
  if effort and effort.instructions < most then
    most, beyond = effort.instructions, too_long_together
  end
  local collects = collectgarbage('isrunning')
  collectgarbage('stop')
  local thread = coroutine.create(chunk)
  local hook, left = limits((bytes or 0) > long_kilobytes * 1024, most, beyond)
  debug.sethook(thread, hook, '', 1)
  local strings = getmetatable('')
  local methods, format = strings.__index, string.format
  strings.__index = function(_, key)
    error(format('strings have no methods here ("%s")', tostring(key)), 0)
  end
  local ok, problem = coroutine.resume(thread)
  strings.__index = methods
  if effort then effort.instructions = effort.instructions - (most - left()) end
  if collects then collectgarbage('restart') end
  if ok then return nil end
  local level, frame = 0, debug.getinfo(thread, 0, 'Sl')
  while frame and frame.source ~= M.chunk_name do
    level = level + 1
    frame = debug.getinfo(thread, level, 'Sl')
  end
  return problem, frame and frame.currentline
end

return M
