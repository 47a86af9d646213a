--- x * sigmoid(1.702 x), computed as relu(x) - a / (1 + e^(1.702 a)) with a = |x|.
--- The factor lives in the constants of the range reduction, so the argument is never rounded.
--- Zeros keep their sign; quick_gelu(-inf) and the underflowing tail below -63.6 are -0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

--- e^(1.702 r), |r| <= ln(2) / 2 / 1.702; relative error 2^-28.5.
local BASE = {
  sign = 1,
  k = '1.702',
  per_step = 0x1.3a4cbep+1,
  high = 0x1.a10754p-2,
  low = -0x1.2f1ed0p-28,
  poly = { 0x1.b3b646p+0, 0x1.72ca76p+0, 0x1.a4b830p-1, 0x1.660ce0p-2, 0x1.e9b3eap-4,
           0x1.13416ep-5 },
}

--- |x|, and e^(1.702 |x|).
local function parts(v, x)
  local vanishes = v.constant('vanishes', 65.0, 'the tail is 0 here')
  local a = v.let('a', v.at_most(v.let('size', v.abs(x)), vanishes))
  return a, vmath.exp_parts(v, a, BASE, vmath.GATE_BIAS)
end

return {
  name = 'quick_gelu',
  gated = 'quick_gelu_glu',
  about = 'x * sigmoid(1.702 x)',
  source = 'Hendrycks & Gimpel, arXiv:1606.08415, section 2; used by OpenAI CLIP',
  meaning = 'x < -1000.0 ? -0.0 : x / (1.0 + exp(-1.702 * x))',
  derivative = '(1.0 + 1.702 * x / (1.0 + exp(1.702 * x))) / (1.0 + exp(-1.702 * x))',
  slope = '1.0999 * dx',
  curvature = '0.851 * dx',
  contract = { ulp = 2.2, relative = 3.0, absolute = 0.0 },
  slope_error = 3.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return x * word.sigmoid(1.702 * x) end,
  },
  vector = function(v, x)
    local a, p, n = parts(v, x)
    return (vmath.gate(v, x, a, p, n))
  end,
  gradient = function(v, x)
    local a, p, n = parts(v, x)
    local y, denominator = vmath.gate(v, x, a, p, n)
    local factor = v.constant('factor', 0x1.b3b646p+0, '1.702')
    local steep = v.let('steep', v.mul(a, factor))
    return y, { x = vmath.gate_slope(v, x, steep, denominator) }
  end,
}
