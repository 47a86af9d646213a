--- How many instructions weights of a format take: the words that decode them, counted. With what a
--- CPU starts in the time of an FMA they are a limit on few rows, beside memory's.
local decoding = require 'emit.decoding'
local groups = require 'weights.group'
local vector = require 'emit.vector'

local M = {}

--- Words that are no instruction: reads are operands of what comes next, and bits stay where they
--- are.
local free = {
  bits = true, from_bits = true, load = true, loadu = true, load_u32 = true,
}

--- A function stands for as many as its instruction set says.
local function instructions(isa, word)
  if free[word] then return 0 end
  local count = isa.word_instructions[word] or 1
  if isa.word_helpers[word] and not isa.word_instructions[word] then
    error(('isa/%s.lua: word_instructions lacks "%s"'):format(isa.name, word))
  end
  return count
end

--- Vector instructions for 16 weights and one row, its FMAs among them; a row more takes those of
--- the second number.
---@param isa table
---@param format Format
---@return number
---@return number
function M.of(isa, format)
  local v, placed, counted = vector.builder(isa), groups.place(format), 0
  local from, state, each = { group = 'w', head = 'head', lane = '0' }, {}, 1.0
  local function since(opened)
    local made, count = v.made(), 0
    for i = counted + 1, #made do
      if made[i].named or not opened then count = count + instructions(isa, made[i].op) end
    end
    counted = #made
    return count
  end
  local function open(depth)
    state = decoding.open(v, format, depth, decoding.lines_at(v, placed, depth, from), state,
      'value')
  end
  if format.head then
    open(0)
    since(true) -- once for all k
  end
  for depth, level in ipairs(format.levels) do
    open(depth)
    each = each + since(true) / level.k
  end
  for i = 0, format.step.k - 1 do decoding.taken(v, format, placed, from, state, i, 'value') end
  local vectors = 16 // isa.lanes
  return (each + since() / format.step.k) * vectors, vectors
end

return M
