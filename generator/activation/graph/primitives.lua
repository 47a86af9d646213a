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
  local first = base.poly[1] < 0 and v.neg(r) or r
  return v.let('q', v.fma(v.mul(r, r), vmath.horner(v, r, tail), first))
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
    local a = v.let('a', v.at_most(v.at_least(x, v.const(-20.0)), v.const(88.75)))
    local base = vmath.base(1)
    -- All of it halved: 2^n may be beyond f32 where the result is not.
    local r, n = vmath.reduce(v, a, base, -1)
    local scale = v.let('scale', v.pow2(n))
    local half = v.let('half', v.fma(scale, reduced(v, r, base), v.add(scale, v.const(-0.5))))
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
    local low = v.let('low', v.add(v.sub(x, v.sub(u, back)), v.sub(one, back)))
    local n = v.let('n', v.sar(v.isub(v.bits(u), v.iconst(ROOT_HALF)), 23))
    local shift = v.let('shift', v.shl(n, 23))
    local m = v.from_bits(v.isub(v.bits(u), shift))
    -- 2^-n; for n = 127 and 128, where `low` no longer counts, 0.
    local down = v.at_least(v.from_bits(v.isub(v.iconst(127 << 23), shift)), zero)
    local f = v.let('f', v.fma(low, down, v.sub(m, one)))
    local steps = v.let('steps', v.sub(v.from_bits(v.iadd(n, v.iconst(0x4b400000))),
      v.const(0x1.8p23)))
    local curve = v.let('curve', v.fma(f, vmath.horner(v, f, LOG), v.const(-0.5)))
    local sum = v.fma(v.mul(f, f), curve, v.fma(steps, v.const(LN2_LOW), f))
    local y = v.let('y', v.fma(steps, v.const(LN2_HIGH), sum))
    -- Beyond the floats, below -1, and -1 itself.
    local inf = v.let('inf', v.from_bits(v.iconst(INF)))
    local above = v.let('above', v.select_lt(u, inf, y, u))
    local outside = v.select_lt(u, zero, v.from_bits(v.iconst(NAN)), v.sub(u, inf))
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
    local a = v.let('a', v.at_most(v.abs(x), v.const(4.0)))
    local z = v.let('z', v.mul(a, vmath.horner(v, a, ERF)))
    local base = vmath.base(-1)
    local r, n = vmath.reduce(v, z, base, 0)
    local scale = v.let('scale', v.pow2(n))
    local y = v.let('y', v.fnma(scale, reduced(v, r, base), v.sub(v.const(1.0), scale)))
    return v.select_lt(x, v.const(0.0), v.neg(y), y)
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
    local function pair(a, c, i) return v.fma(a, v.const(c[i + 1]), v.const(c[i])) end
    local a = v.let('a', v.at_most(v.abs(x), v.const(10.125)))
    local square = v.let('square', v.mul(a, a))
    local excess = v.let('excess', v.fnma(a, a, square))
    local q, n = vmath.expm1_parts(v, square, vmath.base(1), vmath.GATE_BIAS, excess)
    local numerator = v.let('numerator', v.fma(square,
      v.fma(square, v.const(N[5]), pair(a, N, 3)), pair(a, N, 1)))
    local d = v.let('d', v.fma(square, v.fma(square, pair(a, D, 5), pair(a, D, 3)), pair(a, D, 1)))
    local denominator = v.let('denominator', v.mul(v.fma(d, q, d), v.pow2(n)))
    local tail = v.let('tail', v.div(numerator, denominator))
    local down = v.const(0x1p-40)
    return v.select_lt(x, v.const(0.0), v.fnma(tail, down, v.const(2.0)),
      v.fma(tail, down, v.const(-0.0)))
  end,
}

M.by_name.sigmoid, M.by_name.tanh = sigmoid, tanh

return M
