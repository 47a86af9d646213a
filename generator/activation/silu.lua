--- x * sigmoid(x), computed as relu(x) - a / (1 + e^a) with a = |x|.
--- Zeros keep their sign; silu(-inf) and the underflowing tail below -108.7 are -0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

--- |x|, and e^|x|.
local function parts(v, x)
  local vanishes = v.constant('vanishes', 112.0, 'the tail is 0 here')
  local a = v.let('a', v.at_most(v.let('size', v.abs(x)), vanishes))
  return a, vmath.exp_parts(v, a, vmath.base(1), vmath.GATE_BIAS)
end

return {
  name = 'silu',
  gated = 'swiglu',
  about = 'x * sigmoid(x)',
  source = 'Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202',
  meaning = 'x < -1000.0 ? -0.0 : x / (1.0 + exp(-x))',
  derivative = '(1.0 + x / (1.0 + exp(x))) / (1.0 + exp(-x))',
  slope = '1.0999 * dx',
  curvature = '0.5 * dx',
  contract = { ulp = 2.4, relative = 3.0, absolute = 0.0 },
  slope_error = 3.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return x * word.sigmoid(x) end,
    function(x) return x / (1 + word.exp(-x)) end,
  },
  vector = function(v, x)
    local a, p, n = parts(v, x)
    return (vmath.gate(v, x, a, p, n))
  end,
  gradient = function(v, x)
    local a, p, n = parts(v, x)
    local y, denominator = vmath.gate(v, x, a, p, n)
    return y, { x = vmath.gate_slope(v, x, a, denominator) }
  end,
}
