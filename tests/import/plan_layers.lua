--- The names of the layers of a plan, as tests/import/values.c is told them: FOLDER/cases.txt of
--- FOLDER/PLAN.json. Usage: plan_layers.lua FOLDER
local json = require 'dkjson'

local handle = assert(io.open(arg[1] .. '/PLAN.json'))
local plan = json.decode(handle:read 'a')
handle:close()
local out = assert(io.open(arg[1] .. '/cases.txt', 'w'))
for _, layer in ipairs(plan.layers) do
  out:write('layer ', plan.kernels[layer.kernel + 1].layer, '\n')
end
assert(out:close())
