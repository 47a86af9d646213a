--- IEEE 754 half precision, rounded to nearest even; what is too large becomes infinite.

local half = require 'weights.f16_scales'

return {
  name = 'f16',
  about = 'IEEE 754 half precision',
  step = { k = 1, lines = { { plane = 'half', lane = 'f16' } } },
  helpers = half.nearest,
  value = function(_, lines) return lines.half end,
  source = { k = 1, bytes = 2, number = 'u16' },
  take = function(c) return ('%s = %s;'):format(c.lane('half', 0), c.own(0)) end,
  give = function(c) return ('%s = %s;'):format(c.own(0), c.lane('half', 0)) end,
  embed = function(c)
    local bits = half.bits(c.weight(0))
    if bits then c.set('half', 0, bits) end
    return bits ~= nil
  end,
  pack = function(c) return ('%s = ffn_f16_of(%s);'):format(c.lane('half', 0), c.weight(0)) end,
}
