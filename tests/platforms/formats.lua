--- A spec that has two layers of each format, in each arithmetic that the format has: the second in
--- few bytes, where sums of few outputs have many chains. The argument is the project's folder.
---
---   lua5.4 tests/platforms/formats.lua . > formats_spec.lua
local root = arg[1]
package.path = ('%s/generator/?.lua;%s/generator/?/init.lua;%s'):format(root, root, package.path)
local arithmetics = require 'arithmetic'
local takes = require('read.arithmetics').takes
local weights = require 'weights'

for _, format in ipairs(weights.names) do
  for _, name in ipairs(arithmetics.names) do
    local own = arithmetics.by_name[name]
    -- Given scales are not written for few bytes.
    local few = own.scales == 'dynamic' and "_few' { d_out = 5, optimise = 'size'" or nil
    for _, said in ipairs(takes(format, name) and { "' { d_out = 40", few } or {}) do
      print(("linear '%s_%s%s, d_model = 256, weights = '%s', arithmetic = '%s', "
        .. "operand_scales = '%s' }"):format(format, name, said, format, own.word, own.scales))
    end
  end
end
