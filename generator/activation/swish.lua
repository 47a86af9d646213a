--- x * sigmoid(beta x), beta known when the kernel is generated or when it runs; beta < 0 mirrors,
--- beta = 0 is x / 2. The rounding error of beta x is carried. The contract holds for beta = 0 and
--- 2^-90 <= |beta| <= 2^90.
--- Both zeros give +0; the vanishing tail is a zero with the sign of x.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

--- swish(x); x and beta x within what matters; and (1 + e^-z), 1 and e^-z, all times one power
--- of two.
local function parts(v, x, beta)
  -- Towards the vanishing tail |beta x| <= 174 keeps all powers of two below in range; on the
  -- other side the sigmoid is 1 from 17.4 on. Compilers hoist the limits: x is not in them.
  local zero, size = v.const(0.0), v.let('size', v.abs(beta))
  local largest = v.constant('largest', 0x1.fffffep+127, 'the largest float')
  local function limit(z)
    return v.at_most(v.let('quotient', v.div(z, size)), largest)
  end
  local vanishes = v.constant('vanishes', 174.0, 'where |z| is this, the tail is 0')
  local is_one = v.constant('is_one', 24.0, 'or the sigmoid is 1')
  local vanish, grow = v.let('vanish', limit(vanishes)), v.let('grow', limit(is_one))
  local below = v.let('below', v.select_lt(beta, zero, grow, vanish))
  local low = v.let('low', v.neg(below))
  local high = v.let('high', v.select_lt(beta, zero, vanish, grow))
  local a = v.let('a', v.at_most(v.let('least', v.at_least(x, low)), high))
  local z = v.let('z', v.mul(beta, a))
  local excess = v.let('excess', v.fnma(beta, a, z))
  local p, n = vmath.exp_parts(v, z, vmath.base(-1), 0, excess)
  -- 1 + p 2^n, times 2^-up: neither overflows nor vanishes for |n| <= 252.
  local up = v.let('up', v.sar(n, 1))
  local down = v.let('down', v.pow2(v.let('minus_up', v.isub(v.iconst(0), up))))
  local over = v.let('over', v.pow2(v.let('further', v.isub(n, up))))
  local denominator = v.let('denominator', v.fma(p, over, down))
  -- Only the side that vanishes needs the clamp; the other grows like x.
  local numerator = v.let('numerator', v.select_lt(z, zero, a, x))
  -- A fused step with +0, so that a caller may add to the result.
  local gate = v.let('gate', v.div(numerator, denominator))
  return v.fma(gate, down, v.const(0.0)), a, z, denominator, down, v.mul(p, over)
end

return {
  name = 'swish',
  gated = 'swiglu_beta',
  about = 'x * sigmoid(beta x)',
  source = 'Ramachandran et al., arXiv:1710.05941; swiglu: Shazeer, arXiv:2002.05202',
  parameters = { 'beta' },
  meaning = '(double)parameters[0] * x < -1000.0 ? copysign(0.0, x) : '
    .. 'parameters[0] == 0.0f ? 0.5 * x : x / (1.0 + exp(-(double)parameters[0] * x))',
  derivative = '(1.0 + (double)parameters[0] * x / (1.0 + exp((double)parameters[0] * x)))'
    .. ' / (1.0 + exp(-(double)parameters[0] * x))',
  slope = '1.0999 * dx',
  curvature = '0.5 * fabs((double)parameters[0]) * dx',
  -- Exhaustive for beta = 0, 0.5, 1, -1, 1.702, 3 (2.4 ulp, 3.0); sampled for the others.
  contract = { ulp = 2.6, relative = 3.2, absolute = 0.0 },
  slope_error = 4.0,
  -- By beta: x^2 s (1 - s) with s = sigmoid(beta x).
  by_parameters = { {
    value = 'x * x / ((1.0 + exp((double)parameters[0] * x)) '
      .. '* (1.0 + exp(-(double)parameters[0] * x)))',
    spread = 'dx * fmin(0.5 * (fabs(x) + dx) + 0.0963 * fabs((double)parameters[0]) '
      .. '* (fabs(x) + dx) * (fabs(x) + dx), '
      .. 'parameters[0] == 0.0f ? HUGE_VAL : 1.0 / fabs((double)parameters[0]))',
    error = '8.0 * fabs(value) + (parameters[0] == 0.0f ? 0.0 '
      .. ': 1.0 / ((double)parameters[0] * (double)parameters[0]))',
  } },
  -- For beta > 0.
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x, p) return x * word.sigmoid(p.beta * x) end,
    function(x, p) return x / (1 + word.exp(-(p.beta * x))) end,
  },
  vector = function(v, x, _, parameters) return (parts(v, x, parameters.beta)) end,
  gradient = function(v, x, _, parameters)
    local y, a, z, denominator, down, rest = parts(v, x, parameters.beta)
    -- Both sigmoids, of z and of -z, without cancellation.
    local s = v.let('s', v.div(down, denominator))
    local c = v.let('c', v.div(v.let('rest', rest), denominator))
    local rise = v.let('rise', v.mul(z, s))
    local by_x = v.let('slope', v.fma(rise, c, s))
    local left, right = v.let('left', v.mul(a, s)), v.let('right', v.mul(a, c))
    return y, { x = by_x, beta = v.mul(left, right) }
  end,
}
