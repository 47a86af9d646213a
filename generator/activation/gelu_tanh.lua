--- 0.5 x (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3), which is x * sigmoid(2 u), computed as
--- relu(x) - a / (1 + e^(k t)) with a = |x|, t = a (a^2 + 1/0.044715), k = 2 sqrt(2/pi) 0.044715.
--- k lives in the constants of the range reduction and the low part of t is carried, so the tail
--- keeps its relative accuracy. Zeros keep their sign; -inf and the tail below -10.8 give -0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

--- e^(k r), |r| <= ln(2) / 2 / k; relative error 2^-27.9.
local BASE = {
  sign = 1,
  k = '2 sqrt(2/pi) 0.044715',
  per_step = 0x1.a5a7d0p-4,
  high = 0x1.36d9d6p+3,
  low = -0x1.25115cp-22,
  poly = { 0x1.2444f4p-4, 0x1.4dad5ep-9, 0x1.fbec7ap-15, 0x1.21ef80p-20, 0x1.0a7764p-26,
           0x1.981b10p-33 },
}

-- 1 / 0.044715 in two parts. The high part is a multiple of 2^-17: for a <= 10.8125 the rounded sum
-- a^2 + OFFSET_HIGH minus OFFSET_HIGH then is exact.
local OFFSET_HIGH, OFFSET_LOW = 0x1.65d260p+4, -0x1.226128p-20

--- |x|, and e^(k t).
local function parts(v, x)
  local vanishes = v.constant('vanishes', 10.8125, 'the tail is 0 here')
  local a = v.let('a', v.at_most(v.let('size', v.abs(x)), vanishes))
  local offset = v.constant('offset', OFFSET_HIGH,
    '1 / 0.044715, as far as sums with a^2 are exact')
  local offset_low = v.constant('offset_low', OFFSET_LOW, 'what that misses of it')
  local sum = v.let('sum', v.fma(a, a, offset))
  local missing = v.let('missing', v.fma(a, a, v.let('less', v.sub(offset, sum))))
  local sum_low = v.let('sum_low', v.add(missing, offset_low))
  local t = v.let('t', v.mul(a, sum))
  local rounded = v.let('rounded', v.fnma(a, sum, t))
  local excess = v.let('excess', v.fnma(a, sum_low, rounded))
  return a, vmath.exp_parts(v, t, BASE, vmath.GATE_BIAS, excess)
end

return {
  name = 'gelu_tanh',
  gated = 'geglu_tanh',
  about = '0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))',
  source = 'Hendrycks & Gimpel, arXiv:1606.08415; geglu: Shazeer, arXiv:2002.05202',
  meaning = 'x < -1000.0 ? -0.0 : '
    .. 'x / (1.0 + exp(-1.59576912160573071176 * (x + 0.044715 * x * x * x)))',
  derivative = '(1.0 + x * (1.59576912160573071176 + 0.21406444881780073498 * x * x)'
    .. ' / (1.0 + exp(1.59576912160573071176 * (x + 0.044715 * x * x * x))))'
    .. ' / (1.0 + exp(-1.59576912160573071176 * (x + 0.044715 * x * x * x)))',
  slope = '1.129 * dx',
  curvature = '1.1 * dx',
  contract = { ulp = 2.3, relative = 3.0, absolute = 0.0 },
  slope_error = 3.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x)
      return 0.5 * x * (1 + word.tanh((2 / math.pi) ^ 0.5 * (x + 0.044715 * x ^ 3)))
    end,
  },
  also = {
    function(x) -- as transformers' gelu_fast has it
      return 0.5 * x * (1 + word.tanh((2 / math.pi) ^ 0.5 * x * (1 + 0.044715 * x ^ 2)))
    end,
  },
  vector = function(v, x)
    local a, p, n = parts(v, x)
    return (vmath.gate(v, x, a, p, n))
  end,
  gradient = function(v, x)
    local a, p, n = parts(v, x)
    local y, denominator = vmath.gate(v, x, a, p, n)
    -- a times the derivative of 2 u
    local cubic = v.constant('cubic', 0x1.b6676cp-3, '6 sqrt(2/pi) 0.044715')
    local linear = v.constant('linear', 0x1.988454p+0, '2 sqrt(2/pi)')
    local slope = v.let('slope', v.fma(v.let('square', v.mul(a, a)), cubic, linear))
    return y, { x = vmath.gate_slope(v, x, v.let('steep', v.mul(a, slope)), denominator) }
  end,
}
