--- max(x, 0). NaN stays NaN; relu(-0) = -0.
local word = require 'activation.graph.words'

return {
  name = 'relu',
  gated = 'reglu',
  about = 'max(x, 0)',
  source = 'Nair & Hinton, Rectified Linear Units, ICML 2010; reglu: arXiv:2002.05202',
  meaning = 'x < 0.0 ? 0.0 : x',
  derivative = 'x > 0.0 ? 1.0 : 0.0',
  slope = 'dx',
  curvature = 'fabs(x) <= dx ? 1.0 : 0.0',
  contract = { ulp = 0.0, relative = 0.0, absolute = 0.0 },
  slope_error = 0.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '0' }, { 'nan', 'nan' },
  },
  zeros = true, -- exact zeros for half of all inputs: worth skipping
  textbook = {
    function(x) return word.max(0, x) end,
    function(x) return word.select(word.lt(0, x), x, 0) end,
    function(x) return word.select(word.lt(x, 0), 0, x) end,
  },
  vector = function(v, x)
    return v.at_least(x, v.const(0.0))
  end,
  gradient = function(v, x)
    local zero = v.const(0.0)
    local y = v.let('y', v.at_least(x, zero))
    -- NaN is below nothing: it stays; and no slope is -0.
    return y, { x = v.select_lt(zero, x, v.const(1.0), v.add(y, zero)) }
  end,
}
