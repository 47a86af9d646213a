--- A spec that has two layers of each format, in each arithmetic that the format has: the second in
--- few bytes, where sums of few outputs have many chains. The argument is the project's folder.
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
      for _, said in ipairs { "' { d_out = 40", "_few' { d_out = 5, optimise = 'size'" } do
        print(("linear '%s_%s%s, d_model = 256, weights = '%s', arithmetic = '%s' }"):format(format,
          word, said, format, word))
      end
    end
  end
end
