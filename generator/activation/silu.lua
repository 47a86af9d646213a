--- x * sigmoid(x), computed as relu(x) - a / (1 + e^a) with a = |x|.
--- Zeros keep their sign; silu(-inf) and the underflowing tail below -108.7 are -0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

return {
  name = 'silu',
  gated = 'swiglu',
  about = 'x * sigmoid(x)',
  source = 'Elfwing et al., arXiv:1702.03118; swiglu: Shazeer, arXiv:2002.05202',
  meaning = 'x < -1000.0 ? -0.0 : x / (1.0 + exp(-x))',
  derivative = '(1.0 + x / (1.0 + exp(x))) / (1.0 + exp(-x))',
  slope = '1.0999 * dx',
  contract = { ulp = 2.4, relative = 3.0, absolute = 0.0 },
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return x * word.sigmoid(x) end,
    function(x) return x / (1 + word.exp(-x)) end,
  },
  vector = function(v, x)
    local a = v.let('a', v.at_most(v.abs(x), v.const(112.0)))
    local p, n = vmath.exp_parts(v, a, vmath.base(1), vmath.GATE_BIAS)
    return vmath.gate(v, x, a, p, n)
  end,
}
