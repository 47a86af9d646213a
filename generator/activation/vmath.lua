--- Shared arithmetic of the activations, written in the builder's words only: every instruction
--- set runs the same IEEE operations in the same order, hence returns the same bits.
---
--- No product is ever an operand of an addition or subtraction: where a sum of a product is wanted
--- it is a fused multiply-add, so that no compiler can fuse (or not fuse) anything on its own.
---
--- Coefficients: weighted least squares iterated to the minimax (Lawson) in double against 40-digit
--- values, rounded to float one at a time, the others refitted after each. Errors are stated for
--- the rounded coefficients, in exact arithmetic.

local M = {}

local MAGIC = 0x1.8p23            -- adding it rounds to an integer, kept in the low mantissa bits
local MAGIC_BITS = 0x4B400000     -- its bit pattern

--- The same in C.
function M.magic(v)
  return v.constant('magic', MAGIC,
    '1.5 * 2^23: sums with it are rounded to integers, in the lowest bits')
end

--- The bits of an integer above it, and `bias` more.
local function magic_bits(v, bias)
  return v.iconstant('magic_bits', MAGIC_BITS - bias, 'the bits of magic' .. (bias == 0 and ''
    or (': n is %d %s than the exponent'):format(math.abs(bias), bias < 0 and 'less' or 'more')))
end

--- e^r = 1 + r + r^2 (E[2] + E[3] r + ... + E[6] r^4), |r| <= ln(2)/2; relative error 2^-28.2.
local E = { 1.0, 0x1.fffffcp-2, 0x1.555494p-3, 0x1.5558bep-5, 0x1.123856p-7, 0x1.6a3d06p-10 }

--- How e^(k a) = p 2^n is split: n = round(a * per_step), r = a - n (high + low), p = e^(k r).
--- The first product of the reduction is exact: a and `high` leave at most 24 bits in r.
---@class Base
---@field sign number      -1 when k < 0 (the steps then are those of -k)
---@field per_step number  |k| log2(e)
---@field high number      ln(2) / |k|, to 24 bits
---@field low number       what `high` misses, to 24 bits
---@field poly number[]    coefficients of e^(k r), degree 1 upwards (degree 0 is 1)
---@field k string         as comments say it

--- The base e^k for k = +-2^j: all constants are those of e^x, scaled exactly.
---@param k number
---@return Base
function M.base(k)
  local size, poly, power = math.abs(k), {}, 1.0
  for i = 1, #E do
    power = power * k
    poly[i] = E[i] * power
  end
  return {
    sign = k < 0 and -1 or 1,
    per_step = 0x1.715476p+0 * size,
    high = 0x1.62e430p-1 / size,
    low = -0x1.05c610p-29 / size,
    poly = poly,
    k = ('%g'):format(k),
  }
end

--- The coefficients of a base from degree `first` on.
function M.coefficients(v, base, c, first)
  return v.coefficients('e', c, first,
    ('e^(k r) = 1 + e1 r + e2 r^2 + ..., k = %s, nearly'):format(base.k))
end

--- c[1] + c[2] x + c[3] x^2 + ..., of coefficients that are nodes.
function M.horner(v, x, c)
  local sum = c[#c]
  for i = #c - 1, 1, -1 do sum = v.let('poly', v.fma(sum, x, c[i])) end
  return sum
end

--- Range reduction of e^(k (a - excess)): returns r, and n + bias as an integer vector.
--- `excess` (or nil) is what rounding added to the argument `a`; |a| * per_step must be < 2^21.
function M.reduce(v, a, base, bias, excess)
  local sign, magic = base.sign, M.magic(v)
  local per_one = v.constant('per_one', sign * base.per_step,
    ('log2(e^k), k = %s'):format(base.k))
  local high = v.constant('high', base.high, 'the size of its inverse, to 24 bits')
  local low = v.constant('low', base.low, 'what that misses of it')
  local shifted = v.let('shifted', v.fma(a, per_one, magic))
  local steps = v.let('steps', v.sub(shifted, magic))
  local bits = v.let('bits', v.bits(shifted))
  local n = v.let('n', v.isub(bits, magic_bits(v, bias)))
  local nearly = v.let('nearly_r', sign > 0 and v.fnma(steps, high, a) or v.fma(steps, high, a))
  local r
  if not excess then
    r = sign > 0 and v.fnma(steps, low, nearly) or v.fma(steps, low, nearly)
  else
    local rest = sign > 0 and v.fma(steps, low, excess) or v.fnma(steps, low, excess)
    r = v.sub(nearly, v.let('rest', rest))
  end
  return v.let('r', r), n
end

--- e^(k (a - excess)) = p 2^n with p in [0.70, 1.42]: returns p and n + bias.
function M.exp_parts(v, a, base, bias, excess)
  local r, n = M.reduce(v, a, base, bias, excess)
  local poly = M.horner(v, r, M.coefficients(v, base, base.poly, 1))
  local p = v.fma(poly, r, v.const(1.0))
  return v.let('p', p), n
end

--- The same with q = p - 1 in place of p, for products by e^(k a): c + c q is rounded once.
function M.expm1_parts(v, a, base, bias, excess)
  local r, n = M.reduce(v, a, base, bias, excess)
  return v.let('q', v.mul(M.horner(v, r, M.coefficients(v, base, base.poly, 1)), r)), n
end

--- e^x for every x: +inf above 88.72, gradual underflow, 0 below -103.97, NaN stays NaN.
--- The scale 2^n goes in two factors, so only the last product can round.
function M.exp(v, x)
  local vanishes = v.constant('vanishes', -104.5, 'e^x is 0 here')
  local overflows = v.constant('overflows', 89.5, 'and infinite here')
  local least = v.let('least', v.at_least(x, vanishes))
  local a = v.let('a', v.at_most(least, overflows))
  local p, n = M.exp_parts(v, a, M.base(1), 0)
  local half = v.let('half', v.sar(n, 1))
  local part = v.let('part', v.mul(p, v.let('scale', v.pow2(half))))
  local other_half = v.let('other_half', v.isub(n, half))
  -- The fused form of a plain product: a caller may add to the result.
  return v.fma(part, v.let('other_scale', v.pow2(other_half)), v.const(-0.0))
end

--- Gates with a tail: y = relu(x) - a / (1 + e^z), where a = |x|, clamped where the tail has
--- vanished, and e^z = p 2^(n + 40), that is (p, n) = exp_parts with the bias GATE_BIAS.
--- The quotient is carried 2^40 too large: nothing overflows or turns subnormal before the final
--- fused step, which therefore is the only rounding of a subnormal result.
M.GATE_BIAS = -40

--- What undoes it.
function M.down(v)
  return v.constant('down', 0x1p-40,
    '2^-40: quotients are so much too large up to the last step')
end

---@param a any clamped |x|, such that e^z < 2^167
function M.gate(v, x, a, p, n)
  local down = M.down(v)
  local denominator = v.let('denominator', v.fma(p, v.let('scale', v.pow2(n)), down))
  local tail = v.let('tail', v.div(a, denominator))
  return v.fnma(tail, down, v.let('relu', v.at_least(x, v.const(0.0)))), denominator
end

--- The slope of a gate: with q = 1 / (1 + e^z) and `steep` = |x| dz/d|x|, that at -|x| is
--- g = q - steep q (1 - q), and that at |x| is 1 - g. Nothing cancels but 1 - q, beside q.
---@param denominator any of gate()
function M.gate_slope(v, x, steep, denominator)
  local one = v.const(1.0)
  local q = v.let('q', v.div(M.down(v), denominator))
  local rise, rest = v.let('rise', v.mul(steep, q)), v.let('rest', v.sub(one, q))
  local g = v.let('g', v.fnma(rise, rest, q))
  return v.select_lt(x, v.const(0.0), g, v.let('mirrored', v.sub(one, g)))
end

return M
