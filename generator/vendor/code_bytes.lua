--- About how many bytes of machine code a kernel compiles to, and how long that takes: counted from
--- the words of its text, for `ffngen vendor --dry-run`.
local code_words = require 'vendor.code_words'
local emit = require 'emit.emit'
local naming = require 'emit.naming'
local record = require 'common.record'

local M = {}

--- What a compiler takes for the headers at -O2, and the bytes that it makes in a millisecond.
local header_milliseconds, bytes_per_millisecond = 330, 110

--- Bytes of a kernel's frame and of each stage's: walk, pack and unpack; of a multiply-add, of any
--- other word, of an operation of one number, and of one where weights are packed and unpacked.
--- They were fitted to what gcc -O2 makes (clang for wasm) of small, middle and large layers in 15
--- formats: estimates are 0.7 to 1.25 times as large, most of them 0.85 to 1.15 times. Portable C
--- emulates an FMA on x86-64 and has an instruction for it on a Cortex-M4.
local emulated = { kernel = 3400, stage = 4500, fma = 110, word = 18, scalar = 8, once = 13 }
local fused = { kernel = 4000, stage = 700, fma = 18, word = 4.3, scalar = 4.3, once = 38 }
local scalar_bytes, once_bytes = 9, 31 -- beside vectors

---@class CodeBytes
---@field text integer            bytes of machine code
---@field text_fma integer|false  of portable C on a CPU with an instruction for what it emulates

--- The bytes of a kernel that is printed with some names.
---@param plan Plan
---@param kernel KernelText
---@param names Naming
---@return CodeBytes
function M.of_text(plan, kernel, names)
  local portable, stages = plan.isa.lanes == 1, #plan.passes.forward.stages
  local function bytes(cost, skips_wide)
    local words = code_words.of(kernel, names, skips_wide)
    return (cost.kernel + cost.stage * stages + cost.fma * words.fmas + cost.word * words.others
      + (cost.scalar or scalar_bytes) * words.scalars
      + (cost.once or once_bytes) * words.once) // 1 | 0
  end
  return record.strict('code bytes', {
    text = bytes(portable and emulated or plan.isa.code_bytes, true),
    text_fma = portable and bytes(fused, false),
  })
end

--- The bytes of a kernel.
---@param root string
---@param plan Plan
---@return CodeBytes
function M.of(root, plan)
  local names = naming.of_file('')
  return M.of_text(plan, emit.kernel(root, plan, names), names)
end

---@param bytes integer of machine code
---@return integer milliseconds
function M.compile_milliseconds(bytes)
  return header_milliseconds + bytes // bytes_per_millisecond
end

return M
