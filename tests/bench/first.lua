--- The kernels that the demo runs before the others are compiled: of each layer that of the first
--- instruction set in ISAS, which are the CPU's, the best one first. Writes into FOLDER what links
--- them: kernels.inc for the registry, objects.dd, from which ninja learns the objects of PROGRAM,
--- and objects, a list of the same for the linker.
---
---   lua5.4 first.lua 'ISAS' PROGRAM FOLDER OBJECTS_OF_LESSONS OBJECTS_OF_MODELS LAYER...
local isas, program, folder = arg[1], arg[2], arg[3]

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

--- Adds a kernel; false where no list has it.
local function add(kernel)
  for n, inc in ipairs { 'generated/kernels.inc', 'build/kernels/models/kernels.inc' } do
    local found = descriptors(inc, kernel)
    if #found > 0 then
      table.move(found, 1, #found, #kernels + 1, kernels)
      objects[#objects + 1] = ('%s/%s.o'):format(arg[3 + n], kernel)
      return true
    end
  end
  return false
end

for i = 6, #arg do
  local is_added = false
  for isa in isas:gmatch '%S+' do is_added = is_added or add(('%s_%s'):format(arg[i], isa)) end
  assert(is_added, 'no kernel of ' .. arg[i])
end

local lines = {}
for i, kernel in ipairs(kernels) do lines[i] = ('FFN_KERNEL(%s)\n'):format(kernel) end
write(folder .. '/kernels.inc', table.concat(lines))
write(folder .. '/objects', table.concat(objects, ' ') .. '\n')
write(folder .. '/objects.dd', ('ninja_dyndep_version = 1\nbuild %s: dyndep | %s\n'):format(program,
  table.concat(objects, ' ')))
