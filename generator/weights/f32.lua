--- IEEE 754 single precision: a weight is stored as it is.
return {
  name = 'f32',
  about = 'IEEE 754 single precision',
  step = { k = 1, lines = { { plane = 'weight', lane = 'f32' } } },
  trains = true,
  value = function(_, lines) return lines.weight end,
  embed = function(c)
    c.set('weight', 0, c.weight(0))
    return true
  end,
  pack = function(c) return ('%s = %s;'):format(c.lane('weight', 0), c.weight(0)) end,
}
