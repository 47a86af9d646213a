--- What a reader of models takes of memory at most, in a process of its own, as the verb reads it:
--- what it gives or refuses, and the kilobytes of Lua at their peak above those before.
---
---   lua5.4 peak.lua ROOT READER PATH [OPTION=VALUE ...]
local root, name, path = arg[1], arg[2], arg[3]
package.path = ('%s/generator/?.lua;%s/generator/?/init.lua;%s'):format(root, root, package.path)
local readers = require 'import.readers'
local found_records = require 'import.found'

local options = { leave = {}, decode = false, float_activations = false }
for i = 4, #arg do
  local key, value = arg[i]:match '^(%w+)=(.*)$'
  options[key] = value
end
collectgarbage()
collectgarbage 'stop' -- as the verb has it
local before, peak = collectgarbage 'count', 0
local function look() peak = math.max(peak, collectgarbage 'count') end
debug.sethook(look, '', 1000)
local ok, said = pcall(function() found_records.of(readers.by_name[name].read(path, options)) end)
debug.sethook()
look()
print(('%d %s'):format((peak - before) // 1 | 0, ok and 'taken' or tostring(said)))
