--- tanh(x) = e / (e + 1) with e = (exp(2x) - 1) / 2, which keeps its relative accuracy near 0.
--- Exactly +-1 from 9.02 on; both zeros give +0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

local function vector(v, x)
  local one_from = 'tanh(x) is -1 or 1 from here on'
  local least = v.let('least', v.at_least(x, v.constant('lowest', -9.125, one_from)))
  local a = v.let('a', v.at_most(least, v.constant('highest', 9.125, one_from)))
  local base = vmath.base(2)
  local r, n = vmath.reduce(v, a, base, 0)
  -- half = (exp(2r) - 1) / 2 = r + r^2 (...): the coefficients of exp(2r), halved.
  local tail = {}
  for i = 2, #base.poly do
    tail[i - 1] = base.poly[i] / 2
  end
  local square = v.let('square', v.mul(r, r))
  local half = v.let('half', v.fma(square, vmath.horner(v, r, v.coefficients('h', tail, 2,
    '(e^(2 r) - 1) / 2 = r + h2 r^2 + h3 r^3 + ..., nearly')), r))
  local scale = v.let('scale', v.pow2(n))
  -- e = 2^n half + (2^n - 1) / 2; the second term is exact while it matters (|n| <= 23).
  local offset = v.let('offset', v.fma(scale, v.const(0.5), v.const(-0.5)))
  local e = v.let('e', v.fma(scale, half, offset))
  return v.div(e, v.let('denominator', v.add(e, v.const(1.0))))
end

return {
  name = 'tanh',
  gated = 'tanh_glu',
  about = 'tanh(x)',
  source = 'hyperbolic tangent',
  meaning = 'tanh(x)',
  derivative = '1.0 / (cosh(x) * cosh(x))',
  slope = 'dx',
  curvature = '0.77 * dx',
  contract = { ulp = 2.7, relative = 3.2, absolute = 0.0 },
  slope_error = 6.0,
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', '1' }, { '-inf', '-1' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return word.tanh(x) end,
  },
  vector = vector,
  gradient = function(v, x)
    local t = v.let('t', vector(v, x))
    return t, { x = v.fnma(t, t, v.const(1.0)) }
  end,
}
