--- x tanh(softplus(x)) = x m / (m + 2) with m = w (w + 2), w = e^x: no cancellation anywhere.
--- Exactly x from 16 upwards; mish(-inf) and the underflowing tail below -108.7 are -0, both zeros
--- give +0.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

--- mish(x); x within what matters; e^x and m / (m + 2), both times 2^40; m + 2.
local function parts(v, x)
  local limit = v.constant('limit', 16.0, 'mish(x) is x from here on')
  local vanishes = v.constant('vanishes', -112.0, 'and 0 here')
  local two, down = v.const(2.0), vmath.down(v)
  local t = v.let('t', v.at_least(x, vanishes))
  local a = v.let('a', v.at_most(t, limit))
  -- w and m are carried 2^40 too large, so that the tail turns subnormal only in the last step.
  local p, n = vmath.exp_parts(v, a, vmath.base(1), 40)
  local w = v.let('w', v.mul(p, v.let('scale', v.pow2(n))))
  local m = v.let('m', v.mul(w, v.let('w_and_2', v.fma(w, down, two))))
  local denominator = v.let('denominator', v.fma(m, down, two))
  local gate = v.let('gate', v.div(m, denominator))
  -- A fused step with +0, so that a caller may add to the result.
  local y = v.let('y', v.fma(v.let('scaled', v.mul(a, gate)), down, v.const(0.0)))
  return v.select_lt(x, limit, y, x), a, w, gate, denominator
end

return {
  name = 'mish',
  gated = 'mish_glu',
  about = 'x * tanh(log(1 + exp(x)))',
  source = 'Misra, arXiv:1908.08681',
  meaning = 'x < -1000.0 ? -0.0 : x > 40.0 ? x : '
    .. 'x * (exp(x) * (exp(x) + 2.0)) / (exp(x) * (exp(x) + 2.0) + 2.0)',
  derivative = 'x > 40.0 ? 1.0 : exp(x) * (4.0 * (x + 1.0) + exp(x) * (4.0 * x + 6.0)'
    .. ' + exp(2.0 * x) * 4.0 + exp(3.0 * x))'
    .. ' / ((exp(2.0 * x) + 2.0 * exp(x) + 2.0) * (exp(2.0 * x) + 2.0 * exp(x) + 2.0))',
  slope = '1.0885 * dx',
  curvature = '1.0 * dx',
  contract = { ulp = 4.6, relative = 5.1, absolute = 0.0 },
  slope_error = 4.0,
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', 'inf' }, { '-inf', '-0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return x * word.tanh(word.log1p(word.exp(x))) end,
  },
  vector = function(v, x) return (parts(v, x)) end,
  gradient = function(v, x)
    local y, a, w, gate, denominator = parts(v, x)
    local one, down = v.const(1.0), vmath.down(v)
    local four = v.constant('four', 0x1p-38, '4, as `down` is 1')
    -- m / (m + 2) + x 4 w (w + 1) / (m + 2)^2
    local r = v.let('r', v.div(one, denominator))
    local left = v.let('left', v.mul(v.let('w_4', v.mul(w, four)), r))
    local right = v.let('right', v.mul(v.let('w_and_1', v.fma(w, down, one)), r))
    local rise = v.let('rise', v.mul(left, right))
    local slope = v.let('slope', v.fma(a, rise, v.let('value', v.mul(gate, down))))
    local limit = v.constant('limit', 16.0, 'mish(x) is x from here on')
    return y, { x = v.select_lt(x, limit, slope, v.let('at_most_1', v.at_most(x, one))) }
  end,
}
