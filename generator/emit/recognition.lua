--- How a CPU of a profile is told from others, in the words of runtime/cpu.c.
local lists = require 'common.list'

local M = {}

--- Whether the CPU is one, as an expression of C, and the condition under which that compiles.
---@param profile Profile
---@return string expression
---@return string arch
function M.of(profile)
  if profile.x86 then
    return table.concat(lists.map(profile.x86, function(m)
      return ('ffn_cpu_model("%s", %d, %d, %d)'):format(m.vendor, m.family, m.first, m.last)
    end), ' || '), 'FFN_ARCH_X86'
  elseif profile.arm64 then
    return table.concat(lists.map(profile.arm64, function(m)
      return ('ffn_cpu_part(0x%x, 0x%x)'):format(m.implementer, m.part)
    end), ' || '), 'FFN_ARCH_ARM64'
  end
  return '0', ''
end

return M
