--- What a record of measurements must say of a kernel's C, with these choices.
---
---   lua5.4 code_of.lua SPEC KERNEL fetch_ahead=N rows_per_walk=N stream_rows=N sum_bytes=N
local root = arg[0]:match('^(.*)tests/scripts/[^/]*$')
package.path = ('%sgenerator/?.lua;%sgenerator/?/init.lua;'):format(root, root) .. package.path
local candidates = require 'tune.candidates'
local isas = require 'isa'
local kernel_code = require 'emit.kernel_code'
local pipeline = require 'pipeline'
local plan = require 'plan.plan'

local changes = {}
for i = 3, #arg do
  local field, value = arg[i]:match('^(%w+_?%w*_?%w*)=(%d+)$')
  changes[field] = math.tointeger(value)
end
for _, kernel in ipairs(pipeline.lower(pipeline.read { arg[1] })) do
  if kernel.name == arg[2] then
    print(kernel_code.code(root, plan.plan(kernel.layer, isas.by_name[kernel.isa],
      candidates.choices(changes))))
  end
end
