--- Whether CPUs of a profile have an instruction set: it is of their architecture, and all that it
--- is compiled for is among their features. A profile that recognises no CPU may be any.
local lists = require 'common.list'

---@param profile Profile
---@param isa table
---@return boolean
return function(profile, isa)
  local arch = profile.x86 and 'FFN_ARCH_X86' or profile.arm64 and 'FFN_ARCH_ARM64'
  if not arch then return true end
  for feature in isa.target:gmatch '[^,]+' do
    if not lists.has(profile.features, feature) then return false end
  end
  return arch == isa.arch
end
