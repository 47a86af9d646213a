--- 1 / (1 + e^-x), as 2^-32 / (2^-32 + 2^-32 e^-x): the division is the only rounding of a
--- subnormal result. Exactly 1 from 17.4 upwards, +0 from -104 downwards.
local vmath = require 'activation.vmath'
local word = require 'activation.graph.words'

local function vector(v, x)
  local vanishes = v.constant('vanishes', -104.0, 'the sigmoid is 0 here')
  local is_one = v.constant('is_one', 24.0, 'and 1 here')
  local least = v.let('least', v.at_least(x, vanishes))
  local a = v.let('a', v.at_most(least, is_one))
  local p, n = vmath.exp_parts(v, a, vmath.base(-1), -32)
  local one = v.constant('one', 0x1p-32, '2^-32, the 1 of 1 / (1 + e^-x) as it is scaled')
  local denominator = v.let('denominator', v.fma(p, v.let('scale', v.pow2(n)), one))
  return v.div(one, denominator)
end

return {
  name = 'sigmoid',
  gated = 'glu',
  about = '1 / (1 + exp(-x))',
  source = 'logistic function; glu: Dauphin et al., arXiv:1612.08083',
  meaning = '1.0 / (1.0 + exp(-x))',
  derivative = '1.0 / ((1.0 + exp(x)) * (1.0 + exp(-x)))',
  slope = '0.25 * dx',
  curvature = '0.0963 * dx',
  contract = { ulp = 2.5, relative = 2.7, absolute = 0.0 },
  slope_error = 2.0,
  special = {
    { '0', '0.5' }, { '-0', '0.5' }, { 'inf', '1' }, { '-inf', '0' }, { 'nan', 'nan' },
  },
  textbook = {
    function(x) return word.sigmoid(x) end,
    function(x) return 1 / (1 + word.exp(-x)) end,
  },
  vector = vector,
  gradient = function(v, x)
    local s = v.let('s', vector(v, x))
    return s, { x = v.mul(s, v.let('rest', v.sub(v.const(1.0), s))) }
  end,
}
