--- The kernels that the demo runs before the others are compiled: those of the best instruction set
--- that this CPU has. Writes into FOLDER what links them: kernels.inc for the registry, objects.dd,
--- from which ninja learns the objects of PROGRAM, and objects, a list of the same for the linker.
---
---   lua5.4 first.lua ISA PROGRAM FOLDER OBJECTS_OF_LESSONS OBJECTS_OF_MODELS LAYER...
local isa, program, folder = arg[1], arg[2], arg[3]

local write = dofile('tests/support/write.lua')

--- The descriptors of a kernel in a list of all: one for any CPU, and those for single ones.
---@param path string  kernels.inc
---@param kernel string
---@return string[]
local function descriptors(path, kernel)
  local list = {}
  for name in assert(io.open(path)):read('a'):gmatch 'FFN_KERNEL%(([%w_]+)%)' do
    if name == kernel or name:sub(1, #kernel + 1) == kernel .. '_' then list[#list + 1] = name end
  end
  return list
end

local kernels, objects = {}, {}
for i = 6, #arg do
  local kernel, before = ('%s_%s'):format(arg[i], isa), #kernels
  for n, inc in ipairs { 'generated/kernels.inc', 'build/kernels/models/kernels.inc' } do
    local found = descriptors(inc, kernel)
    if #found > 0 and #kernels == before then
      table.move(found, 1, #found, #kernels + 1, kernels)
      objects[#objects + 1] = ('%s/%s.o'):format(arg[3 + n], kernel)
    end
  end
  assert(#kernels > before, 'no kernel ' .. kernel)
end

local lines = {}
for i, kernel in ipairs(kernels) do lines[i] = ('FFN_KERNEL(%s)\n'):format(kernel) end
write(folder .. '/kernels.inc', table.concat(lines))
write(folder .. '/objects', table.concat(objects, ' ') .. '\n')
write(folder .. '/objects.dd', ('ninja_dyndep_version = 1\nbuild %s: dyndep | %s\n'):format(program,
  table.concat(objects, ' ')))
