--- max(x, 0)^2, one rounding; overflows to +inf above 2^64. Zeros are +0.
local word = require 'activation.graph.words'

return {
  name = 'relu2',
  gated = 'relu2_glu',
  about = 'max(x, 0)^2',
  source = 'So et al., Primer, arXiv:2109.08668',
  meaning = 'x < 0.0 ? 0.0 : x * x',
  derivative = 'x > 0.0 ? 2.0 * x : 0.0',
  slope = 'dx * (2.0 * fabs(x) + dx)',
  curvature = '2.0 * dx',
  contract = { ulp = 0.5, relative = 1.0, absolute = 0.0 },
  slope_error = 0.0,
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', 'inf' }, { '-inf', '0' }, { 'nan', 'nan' },
  },
  zeros = true, -- exact zeros for half of all inputs: worth skipping
  textbook = {
    function(x) return word.max(0, x) ^ 2 end,
  },
  vector = function(v, x)
    local positive = v.let('positive', v.at_least(x, v.const(0.0)))
    -- The fused form of a plain square: a caller may add to it and no compiler can fuse that sum.
    return v.fma(positive, positive, v.const(0.0))
  end,
  gradient = function(v, x)
    local positive = v.let('positive', v.at_least(x, v.const(0.0)))
    return v.fma(positive, positive, v.const(0.0)), { x = v.add(positive, positive) }
  end,
}
