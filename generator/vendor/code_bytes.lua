--- About how many bytes of machine code a kernel compiles to, and how long that takes: counted from
--- the words of its text, for `ffngen vendor --dry-run`.
local emit = require 'emit.emit'
local naming = require 'emit.naming'
local record = require 'common.record'

local M = {}

--- What a compiler takes for the headers at -O2, and the bytes that it makes in a millisecond.
local header_milliseconds, bytes_per_millisecond = 330, 110

--- Bytes around the words of a kernel and of each stage: walk, pack and unpack. Of portable C, an
--- FMA and another word as well: without an instruction it is a dozen others (gcc -O2 for x86-64),
--- but for tiles that call what takes `wide` bytes; with one it is one (for a Cortex-M4).
local vectors = { kernel = 2600, stage = 1300, wide = 4400 }
local emulated = { kernel = 2600, stage = 1300, fma = 132, other = 0, wide = 4400 }
local fused = { kernel = 1300, stage = 700, fma = 19, other = 19, wide = 0 }

--- How many multiply-adds a call is, by its name: whatever a prefix or a layer is called, which it
--- may begin with.
---@param names Naming
---@return fun(name: string): integer
local function counter(names)
  local begins, known = { names.own, names.shared, names.prefix .. '_' }, {}
  local function count(name)
    for _, begin in ipairs(begins) do
      if begin ~= '' and name:sub(1, #begin):lower() == begin:lower() then
        name = name:sub(#begin + 1)
        break
      end
    end
    return name:find('FMA_FOUR$') and 4 or name:find('fma', 1, true) and 1 or 0
  end
  return function(name)
    known[name] = known[name] or count(name)
    return known[name]
  end
end

--- The words that a text says: calls of functions, fused multiply-adds among them.
---@return integer fmas
---@return integer others
local function words(text, fmas_of)
  local fmas, others = 0, 0
  for name in text:gmatch('([%w_]+)%(') do
    local count = fmas_of(name)
    fmas, others = fmas + count, others + (count == 0 and 1 or 0)
  end
  return fmas, others
end

--- How often each inline function of a kernel is there: once for each call of it, in each place in
--- which that call is.
---@param functions Function[]  each behind those that it calls
---@return table<string, integer>
local function calls(functions)
  local count = {}
  for i = #functions, 1, -1 do
    local f = functions[i]
    local times = f.inline and count[f.name] or 1
    for name in f.text:gmatch('([%w_]+)%(') do
      if name ~= f.name then count[name] = (count[name] or 0) + times end
    end
  end
  return count
end

--- The words of a kernel. A tile is an inline function that is called for each number of rows, and
--- what fewer of them do not use is not there.
---@param functions Function[]
---@param fmas_of fun(name: string): integer
---@param skips_wide boolean  vectors of doubles stand in for tiles, where they may
---@return integer fmas
---@return integer others
---@return boolean any_wide
local function count(functions, fmas_of, skips_wide)
  local fmas, others, any_wide, called, skipped = 0, 0, false, calls(functions), {}
  for _, f in ipairs(functions) do
    any_wide = any_wide or f.wide ~= nil
    for _, name in ipairs(f.wide and skips_wide and f.uses or {}) do skipped[name] = true end
  end
  for _, f in ipairs(functions) do
    if not skipped[f.name] then
      local own_fmas, own_others = words(f.text, fmas_of)
      local times = f.inline and math.max((called[f.name] or 0) + 1, 2) or 2
      fmas, others = fmas + own_fmas * times // 2, others + own_others * times // 2
    end
  end
  return fmas, others, any_wide
end

---@class CodeBytes
---@field text integer            bytes of machine code
---@field text_fma integer|false  of portable C on a CPU with an instruction for what it emulates

--- The bytes of a kernel that is printed with some names.
---@param plan Plan
---@param functions Function[]  its own
---@param names Naming
---@return CodeBytes
function M.of_functions(plan, functions, names)
  local portable, fmas_of = plan.isa.lanes == 1, counter(names)
  local function bytes(cost, skips_wide)
    local fmas, others, any_wide = count(functions, fmas_of, skips_wide)
    return cost.kernel + cost.stage * #plan.passes.forward.stages + cost.fma * fmas
      + cost.other * others + (any_wide and cost.wide or 0)
  end
  local each = plan.isa.instruction_bytes
  return record.strict('code bytes', {
    text = portable and bytes(emulated, true) or bytes({
      kernel = vectors.kernel, stage = vectors.stage, fma = each, other = each,
      wide = vectors.wide,
    }, true),
    text_fma = portable and bytes(fused, false),
  })
end

--- The bytes of a kernel.
---@param root string
---@param plan Plan
---@return CodeBytes
function M.of(root, plan)
  local names = naming.of_file('')
  return M.of_functions(plan, emit.kernel(root, plan, names).functions, names)
end

---@param bytes integer of machine code
---@return integer milliseconds
function M.compile_milliseconds(bytes)
  return header_milliseconds + bytes // bytes_per_millisecond
end

return M
