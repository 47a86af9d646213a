--- dot_s8 with a scale of the operand that comes with the weights: one for each product, the same
--- for every row. Weights have one scale for a row, so that nothing else scales with the operand.
local dot_s8 = require 'arithmetic.dot_s8'
local record = require 'common.record'

local own = record.fields(dot_s8)
own.name, own.word, own.scales = 'dot_s8_static', 'dot_s8', 'static'
own.about = 'products of bytes, with scales of x that come with the weights'
own.operand = 's8_static'
own.multiplies = function(products) return products.group == 0 end

return own
