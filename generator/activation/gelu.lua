--- 0.5 x erfc(-x / sqrt(2)), computed as relu(x) - a Q(a) with a = |x| and
--- Q(a) = 0.5 erfc(a / sqrt(2)) = e^(-a^2/2) N(a) / D(a).
--- The rounding error of a^2 is carried, so the tail keeps its relative accuracy into the
--- subnormal range. Zeros keep their sign; gelu(-inf) and the tail below -14.4 are -0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

-- 0.5 e^(a^2/2) erfc(a / sqrt(2)) = N / D on [0, 14.6]; relative error 2^-26.7. All coefficients
-- are positive: nothing cancels.
local N = { 0.5, 0x1.c10552p-2, 0x1.77925ap-3, 0x1.4d46eap-5, 0x1.0e39c4p-8 }
local D = { 1.0, 0x1.acc4d8p+0, 0x1.33fffap+0, 0x1.e123fap-2, 0x1.a1ba1cp-4, 0x1.52ac7ap-7 }

--- Them in C.
local function coefficients(v)
  local n = v.coefficients('n', N, 0, 'e^(a^2/2) erfc(a / sqrt(2)) / 2 = (n0 + n1 a + ...)')
  return n, v.coefficients('d', D, 0, '/ (d0 + d1 a + ...), nearly')
end

--- c[i] + c[i + 1] a
local function pair(v, a, c, i) return v.let('pair', v.fma(a, c[i + 1], c[i])) end

--- gelu(x), |x|, D and D e^(x^2/2) 2^-40.
local function parts(v, x)
  local vanishes = v.constant('vanishes', 14.5, 'the tail is 0 here')
  local a = v.let('a', v.at_most(v.let('size', v.abs(x)), vanishes))
  local square = v.let('square', v.mul(a, a))
  local excess = v.let('excess', v.fnma(a, a, square))
  local q, n = vmath.expm1_parts(v, square, vmath.base(0.5), -40, excess)
  -- a N and D by the same powers of the rounded square, whose error so cancels in the quotient.
  local of_n, of_d = coefficients(v)
  local function higher(c, i)
    return v.let('higher', v.fma(square, pair(v, a, c, i + 2), pair(v, a, c, i)))
  end
  local numerator = v.let('numerator',
    v.fma(square, higher(of_n, 2), v.let('first', v.mul(a, of_n[1]))))
  local d = v.let('d', v.fma(square, higher(of_d, 3), pair(v, a, of_d, 1)))
  local grown = v.let('grown', v.fma(d, q, d))
  local denominator = v.let('denominator', v.mul(grown, v.let('scale', v.pow2(n))))
  local tail = v.let('tail', v.div(numerator, denominator))
  local relu = v.let('relu', v.at_least(x, v.const(0.0)))
  return v.fnma(tail, vmath.down(v), relu), a, d, denominator
end

return {
  name = 'gelu',
  gated = 'geglu',
  about = 'x * Phi(x), Phi the normal distribution function',
  source = 'Hendrycks & Gimpel, arXiv:1606.08415; geglu: Shazeer, arXiv:2002.05202',
  meaning = 'x < -1000.0 ? -0.0 : 0.5 * x * erfc(-x * 0.70710678118654752440)',
  derivative = '0.5 * erfc(-x * 0.70710678118654752440)'
    .. ' + x * 0.39894228040143267794 * exp(-0.5 * x * x)',
  slope = '1.129 * dx',
  curvature = '0.798 * dx',
  contract = { ulp = 4.7, relative = 5.4, absolute = 0.0 },
  slope_error = 4.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return 0.5 * x * (1 + word.erf(x / 2 ^ 0.5)) end,
    function(x) return 0.5 * x * (1 + word.erf(x * 0.5 ^ 0.5)) end,
  },
  vector = function(v, x) return (parts(v, x)) end,
  gradient = function(v, x)
    local y, a, d, denominator = parts(v, x)
    -- At -a the slope is g = Q(a) - a phi(a) = (N - a D / sqrt(2 pi)) / (D e^(a^2/2)), at a 1 - g.
    local density = v.constant('density', 0x1.988454p-2, '1 / sqrt(2 pi)')
    local n = coefficients(v)
    local gap = v.let('gap', v.fnma(v.let('steep', v.mul(a, d)), density, vmath.horner(v, a, n)))
    local g, down = v.let('g', v.div(gap, denominator)), vmath.down(v)
    local below = v.let('below', v.mul(g, down))
    local above = v.let('above', v.fnma(g, down, v.const(1.0)))
    return y, { x = v.select_lt(x, v.const(0.0), below, above) }
  end,
}
