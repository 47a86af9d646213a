--- A spec that has a layer of each format, in each arithmetic that the format has. The argument is
--- the project's folder.
---
---   lua5.4 tests/platforms/formats.lua . > formats_spec.lua
local root = arg[1]
package.path = ('%s/generator/?.lua;%s/generator/?/init.lua;%s'):format(root, root, package.path)
local arithmetics = require 'read.arithmetics'
local words = require('arithmetic').names
local weights = require 'weights'

for _, format in ipairs(weights.names) do
  for _, word in ipairs(words) do
    if arithmetics.takes(format, word) then
      print(("linear '%s_%s' { d_model = 256, d_out = 40, weights = '%s', arithmetic = '%s' }")
        :format(format, word, format, word))
    end
  end
end
