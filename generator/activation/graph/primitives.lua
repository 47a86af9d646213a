--- The functions among the operations of a graph, as vector code with a contract: what exp() and
--- its like mean in a kernel. exp, sigmoid and tanh are those of the activations.
---
--- Zeros that are exact results have the sign +, but sqrt(-0) is -0.
local exp = require 'activation.exp'
local sigmoid = require 'activation.sigmoid'
local tanh = require 'activation.tanh'
local vmath = require 'activation.vmath'

local M = { names = {}, by_name = {} }

---@class Primitive
---@field name string
---@field about string
---@field source string
---@field contract table   as of an activation
---@field special table    as of an activation
---@field derivative string
---@field least number|nil of x: below it the result is NaN
---@field vector fun(v: table, x: any): any

---@param p Primitive
local function add(p)
  p.parameters, p.both, p.result, p.running = {}, false, false, false
  p.least, p.textbook = p.least or false, false
  M.names[#M.names + 1] = p.name
  M.by_name[p.name] = p
end

local INF, NAN = 0x7f800000, 0x7fc00000

--- e^r - 1 of a reduced argument, or e^-r - 1 for the base of e^-x: exact in its first term.
local function reduced(v, r, base)
  local tail = {}
  for i = 2, #base.poly do tail[i - 1] = base.poly[i] end
  local first = base.poly[1] < 0 and v.let('first', v.neg(r)) or r
  local square = v.let('square', v.mul(r, r))
  return v.let('q', v.fma(square, vmath.horner(v, r, vmath.coefficients(v, base, tail, 2)), first))
end

add(exp)

add {
  name = 'expm1',
  about = 'e^x - 1',
  source = 'as exp, with the one taken from the power of two',
  contract = { ulp = 1.5, relative = 2.2, absolute = 0.0 },
  derivative = 'exp(x)',
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', 'inf' }, { '-inf', '-1' }, { 'nan', 'nan' },
  },
  vector = function(v, x)
    local is_minus_1 = v.constant('is_minus_1', -20.0, 'e^x - 1 is -1 here')
    local overflows = v.constant('overflows', 88.75, 'and infinite here')
    local a = v.let('a', v.at_most(v.let('least', v.at_least(x, is_minus_1)), overflows))
    local base = vmath.base(1)
    -- All of it halved: 2^n may be beyond f32 where the result is not.
    local r, n = vmath.reduce(v, a, base, -1)
    local scale = v.let('scale', v.pow2(n))
    local q = reduced(v, r, base)
    local offset = v.let('offset', v.add(scale, v.const(-0.5)))
    local half = v.let('half', v.fma(scale, q, offset))
    return v.add(half, half)
  end,
}

-- ln(1 + f) = f - f^2 / 2 + f^3 LOG(f), f + 1 from sqrt(1/2) to sqrt(2); relative error 2^-27.3.
local LOG = { 0x1.555554p-2, -0x1.000226p-2, 0x1.99a01cp-3, -0x1.54728ap-3, 0x1.22d932p-3,
              -0x1.0d824cp-3, 0x1.055e94p-3, -0x1.38c8e6p-4 }
local LN2_HIGH, LN2_LOW = 0x1.62e430p-1, -0x1.05c610p-29
local ROOT_HALF = 0x3f3504f3 -- the bits of sqrt(1/2)

add {
  name = 'log1p',
  about = 'ln(1 + x)',
  source = '1 + x as the sum of two floats, the first one reduced to [sqrt(1/2), sqrt(2)]',
  contract = { ulp = 1.5, relative = 2.2, absolute = 0.0 },
  derivative = '1.0 / (1.0 + x)',
  least = -1.0,
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', 'inf' }, { '-inf', 'nan' }, { 'nan', 'nan' },
  },
  vector = function(v, x)
    local one, zero = v.const(1.0), v.const(0.0)
    local u = v.let('u', v.add(x, one))
    local back = v.let('back', v.sub(u, x))
    local of_x = v.let('of_x', v.sub(x, v.let('x_in_u', v.sub(u, back))))
    local low = v.let('low', v.add(of_x, v.let('of_1', v.sub(one, back))))
    local root_half = v.iconstant('root_half', ROOT_HALF, 'the bits of sqrt(1/2)')
    local from_root = v.let('from_root', v.isub(v.let('bits', v.bits(u)), root_half))
    local n = v.let('n', v.sar(from_root, 23))
    local shift = v.let('shift', v.shl(n, 23))
    local bits_of_m = v.let('bits_of_m', v.isub(v.let('same_bits', v.bits(u)), shift))
    local m = v.let('m', v.from_bits(bits_of_m))
    -- 2^-n; for n = 127 and 128, where `low` no longer counts, 0.
    local bits_of_1 = v.iconstant('bits_of_1', 127 << 23, 'as a float')
    local power = v.let('power', v.from_bits(v.let('bits_down', v.isub(bits_of_1, shift))))
    local down = v.let('down', v.at_least(power, zero))
    local f = v.let('f', v.fma(low, down, v.let('m_less_1', v.sub(m, one))))
    local magic_bits = v.iconstant('magic_bits', 0x4b400000, 'the bits of magic')
    local shifted = v.let('shifted', v.from_bits(v.let('n_and_magic', v.iadd(n, magic_bits))))
    local steps = v.let('steps', v.sub(shifted, vmath.magic(v)))
    local curve = v.let('curve', v.fma(f, vmath.horner(v, f, v.coefficients('l', LOG, 3,
      'ln(1 + f) = f - f^2 / 2 + l3 f^3 + l4 f^4 + ..., nearly')), v.const(-0.5)))
    local ln2_high = v.constant('ln2_high', LN2_HIGH, 'ln(2), to 24 bits')
    local ln2_low = v.constant('ln2_low', LN2_LOW, 'what that misses of it')
    local square, lowest = v.let('square', v.mul(f, f)), v.fma(steps, ln2_low, f)
    local sum = v.let('sum', v.fma(square, curve, v.let('lowest', lowest)))
    local y = v.let('y', v.fma(steps, ln2_high, sum))
    -- Beyond the floats, below -1, and -1 itself.
    local inf_bits = v.iconstant('inf_bits', INF, 'of infinity')
    local inf = v.let('inf', v.from_bits(inf_bits))
    local above = v.let('above', v.select_lt(u, inf, y, u))
    local nan = v.let('nan', v.from_bits(v.iconstant('nan_bits', NAN, 'of a NaN')))
    local outside = v.let('outside', v.select_lt(u, zero, nan, v.let('beyond', v.sub(u, inf))))
    return v.select_lt(zero, u, above, outside)
  end,
}

add {
  name = 'sqrt',
  about = 'the square root',
  source = 'IEEE 754: rounded once',
  contract = { ulp = 0.5, relative = 1.0, absolute = 0.0 },
  derivative = '0.5 / sqrt(x)',
  least = 0.0,
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', 'inf' }, { '-inf', 'nan' }, { 'nan', 'nan' },
  },
  vector = function(v, x) return v.sqrt(x) end,
}

-- erf(a) = 1 - e^-(a ERF(a)), 0 <= a <= 4; relative error 2^-24.2.
local ERF = { 0x1.20dd76p+0, 0x1.45f274p-1, 0x1.a52acep-4, -0x1.3d13a0p-6, 0x1.08db72p-12,
              0x1.3ee2b8p-10, -0x1.821374p-12, 0x1.4697e8p-15 }

add {
  name = 'erf',
  about = 'the error function',
  source = '1 - e^-z with a polynomial for z, in the form of expm1',
  contract = { ulp = 3.2, relative = 3.8, absolute = 0.0 },
  derivative = '1.1283791670955125739 * exp(-x * x)',
  special = {
    { '0', '0' }, { '-0', '0' }, { 'inf', '1' }, { '-inf', '-1' }, { 'nan', 'nan' },
  },
  vector = function(v, x)
    local is_one = v.constant('is_one', 4.0, 'erf(x) is 1 here')
    local a = v.let('a', v.at_most(v.let('size', v.abs(x)), is_one))
    local z = v.let('z', v.mul(a, vmath.horner(v, a, v.coefficients('z', ERF, 1,
      'erf(a) = 1 - e^-(z1 a + z2 a^2 + ...), nearly.'))))
    local base = vmath.base(-1)
    local r, n = vmath.reduce(v, z, base, 0)
    local scale = v.let('scale', v.pow2(n))
    local q = reduced(v, r, base)
    local rest = v.let('rest', v.sub(v.const(1.0), scale))
    local y = v.let('y', v.fnma(scale, q, rest))
    return v.select_lt(x, v.const(0.0), v.let('minus_y', v.neg(y)), y)
  end,
}

-- e^(a^2) erfc(a) = N(a) / D(a), those of gelu at a sqrt(2).
local N = { 1.0, 0x1.3d8172p+0, 0x1.77925ap-1, 0x1.d7532ap-3, 0x1.0e39c4p-5 }
local D = { 1.0, 0x1.2f2f78p+1, 0x1.33fffap+1, 0x1.5437bep+0, 0x1.a1ba1cp-2, 0x1.def4fep-5 }

add {
  name = 'erfc',
  about = '1 - erf(x)',
  source = 'as gelu: e^-x^2 with the rounding error of x^2, times a rational function',
  contract = { ulp = 5.1, relative = 6.1, absolute = 0.0 },
  derivative = '-1.1283791670955125739 * exp(-x * x)',
  special = {
    { '0', '1' }, { '-0', '1' }, { 'inf', '0' }, { '-inf', '2' }, { 'nan', 'nan' },
  },
  vector = function(v, x)
    local vanishes = v.constant('vanishes', 10.125, 'the tail is 0 here')
    local of_n = v.coefficients('n', N, 0, 'e^(a^2) erfc(a) = (n0 + n1 a + ...)')
    local of_d = v.coefficients('d', D, 0, '/ (d0 + d1 a + ...), nearly')
    local function pair(a, c, i) return v.let('pair', v.fma(a, c[i + 1], c[i])) end
    local a = v.let('a', v.at_most(v.let('size', v.abs(x)), vanishes))
    local square = v.let('square', v.mul(a, a))
    local excess = v.let('excess', v.fnma(a, a, square))
    local q, n = vmath.expm1_parts(v, square, vmath.base(1), vmath.GATE_BIAS, excess)
    local numerator = v.let('numerator', v.fma(square,
      v.let('higher', v.fma(square, of_n[5], pair(a, of_n, 3))), pair(a, of_n, 1)))
    local higher = v.let('higher', v.fma(square, pair(a, of_d, 5), pair(a, of_d, 3)))
    local d = v.let('d', v.fma(square, higher, pair(a, of_d, 1)))
    local grown = v.let('grown', v.fma(d, q, d))
    local denominator = v.let('denominator', v.mul(grown, v.let('scale', v.pow2(n))))
    local tail = v.let('tail', v.div(numerator, denominator))
    local down = vmath.down(v)
    local below = v.let('below', v.fnma(tail, down, v.const(2.0)))
    return v.select_lt(x, v.const(0.0), below,
      v.let('above', v.fma(tail, down, v.const(-0.0))))
  end,
}

M.by_name.sigmoid, M.by_name.tanh = sigmoid, tanh

return M
