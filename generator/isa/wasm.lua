--- SIMD of WebAssembly: 4 lanes. A module knows of SIMD when it is compiled (-msimd128) or not at
--- all: it cannot ask, and an engine without SIMD refuses the whole module.
local tables = require 'isa.tables'

local dot = [[
/* The sum, and the products of four bytes without a sign and four with one: in lanes of 16 bits, of
 * the even ones and of the odd. */
FFN_INLINE v128_t ffn_dot_wasm(v128_t sum, v128_t w, v128_t x) {
  const v128_t even = wasm_i32x4_dot_i16x8(
      wasm_v128_and(w, wasm_i16x8_splat(255)), wasm_i16x8_shr(wasm_i16x8_shl(x, 8), 8));
  const v128_t odd = wasm_i32x4_dot_i16x8(wasm_u16x8_shr(w, 8), wasm_i16x8_shr(x, 8));
  return wasm_i32x4_add(wasm_i32x4_add(sum, even), odd);
}]]

return {
  name = 'wasm',
  title = 'WebAssembly SIMD',
  arch = 'defined(__wasm_simd128__)',
  include = 'wasm_simd128.h',
  target = '',
  detect = '1',
  rank = 10,
  lanes = 4,
  -- It has none to count; AArch64 beneath it has so many.
  files = { vector = 32 },
  broadcasts = false,
  operands = false,
  settles = false,
  fused = false,
  wide = 'always',
  -- Of sums, with their share of the emulated FMA; and of all else.
  code_bytes = { kernel = 0, stage = 0, fma = 165, word = 20 },
  vec = 'v128_t',
  ivec = 'v128_t',
  -- It has no FMA, and that of relaxed SIMD may round twice, as its engine likes. In double a
  -- product of floats is exact, and a sum rounded to double and then to float is right but for a
  -- few, which are found and done again, rounded to odd as ffn_fma() of kernel.h does.
  helpers = [[
FFN_INLINE v128_t ffn_upper(v128_t a) { return wasm_i64x2_shuffle(a, a, 1, 1); }

/* Of the lower two lanes, a * b and c in double. */
FFN_INLINE v128_t ffn_wide_product(v128_t a, v128_t b) {
  return wasm_f64x2_mul(wasm_f64x2_promote_low_f32x4(a), wasm_f64x2_promote_low_f32x4(b));
}
FFN_INLINE v128_t ffn_wide(v128_t c) { return wasm_f64x2_promote_low_f32x4(c); }

FFN_INLINE v128_t ffn_narrow(v128_t low, v128_t high) {
  return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                            0, 2);
}

/* The sum rounded to odd: where it is inexact, one less if the error points to zero, and then the
 * last bit set, which leaves a sum that is odd already as it is. */
FFN_INLINE v128_t ffn_odd_sum(v128_t product, v128_t addend) {
  const v128_t sum = wasm_f64x2_add(product, addend);
  const v128_t back = wasm_f64x2_sub(sum, product);
  const v128_t error = wasm_f64x2_add(wasm_f64x2_sub(product, wasm_f64x2_sub(sum, back)),
                                      wasm_f64x2_sub(addend, back));
  const v128_t inexact = wasm_f64x2_gt(wasm_f64x2_abs(error), wasm_f64x2_splat(0.0));
  const v128_t inward = wasm_v128_and(wasm_v128_xor(sum, error), inexact);
  return wasm_v128_or(wasm_i64x2_sub(sum, wasm_u64x2_shr(inward, 63)),
                      wasm_u64x2_shr(inexact, 63));
}

/* a * b + c rounded to odd in double, then to float, in each of 4 lanes. */
FFN_NOINLINE v128_t ffn_fma_odd(v128_t a, v128_t b, v128_t c) {
  const v128_t low = ffn_odd_sum(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high = ffn_odd_sum(
      ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  return ffn_narrow(low, high);
}

/* Sums that a second rounding may take the wrong way: those halfway between two floats, and those
 * below the normal floats but for zero, which an addition that wraps around tells from them. */
FFN_INLINE v128_t ffn_unsure(v128_t sum) {
  const v128_t halfway = wasm_i64x2_eq(wasm_i64x2_shl(sum, 35), wasm_i64x2_splat(INT64_MIN));
  const v128_t below = wasm_i64x2_lt(
      wasm_i64x2_add(wasm_f64x2_abs(sum), wasm_i64x2_splat(INT64_MAX)),
      wasm_i64x2_splat(INT64_MIN + (INT64_C(897) << 52) - 1));
  return wasm_v128_or(halfway, below);
}

/* a * b + c with one rounding. */
FFN_SHARED v128_t ffn_fma_once(v128_t a, v128_t b, v128_t c) {
  const v128_t low = wasm_f64x2_add(ffn_wide_product(a, b), ffn_wide(c));
  const v128_t high = wasm_f64x2_add(
      ffn_wide_product(ffn_upper(a), ffn_upper(b)), ffn_wide(ffn_upper(c)));
  if (wasm_v128_any_true(wasm_v128_or(ffn_unsure(low), ffn_unsure(high))))
    return ffn_fma_odd(a, b, c);
  return ffn_narrow(low, high);
}]],
  word_instructions = { from_e2m1 = 3, from_iq4 = 3, load_f16 = 17, load_f8 = 16 },
  word_helpers = tables.beside(tables.bytes_beside({
    dot_nibbles = dot, dot_small = dot, dot_large = dot,
    load_f16 = [[
/* 4 lanes of f16 as f32, a NaN quiet: in integers, and one exact subtraction for those below the
 * normal ones, which takes off again what was put before their fraction. `from` begins anywhere. */
FFN_INLINE v128_t ffn_load_f16_wasm(const uint16_t *from) {
  const v128_t half = wasm_u32x4_load16x4(from);
  const v128_t size = wasm_v128_and(half, wasm_i32x4_splat(0x7fff));
  const v128_t sign = wasm_i32x4_shl(wasm_v128_xor(half, size), 16);
  const v128_t wide = wasm_i32x4_shl(size, 13);
  const v128_t rebias = wasm_i32x4_splat(0x38000000); /* 112 in the exponent */
  const v128_t least = wasm_i32x4_splat(0x38800000); /* 2^-14 */
  const v128_t below = wasm_f32x4_sub(wasm_i32x4_add(wide, least), least);
  const v128_t no_number = wasm_i32x4_gt(size, wasm_i32x4_splat(0x7bff));
  const v128_t nan = wasm_i32x4_gt(size, wasm_i32x4_splat(0x7c00));
  const v128_t normal = wasm_i32x4_gt(size, wasm_i32x4_splat(0x3ff));
  v128_t bits = wasm_i32x4_add(wide, rebias);
  bits = wasm_i32x4_add(bits, wasm_v128_and(no_number, rebias));
  bits = wasm_v128_or(bits, wasm_v128_and(nan, wasm_i32x4_splat(0x00400000)));
  return wasm_v128_or(wasm_v128_bitselect(bits, below, normal), sign);
}]],
    load_f8 = [[
/* 4 lanes of E4M3, 2^-8 of it, as f32: as f16 whose fraction has 3 bits; 0x7f and 0xff are NaN.
 * `from` begins anywhere. */
FFN_INLINE v128_t ffn_load_f8_wasm(const uint8_t *from) {
  const v128_t byte = wasm_i32x4_extend_low_i16x8(
      wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(from)));
  const v128_t size = wasm_v128_and(byte, wasm_i32x4_splat(0x7f));
  const v128_t sign = wasm_v128_and(byte, wasm_i32x4_splat(INT32_MIN));
  const v128_t wide = wasm_i32x4_shl(size, 20);
  const v128_t rebias = wasm_i32x4_splat(0x38000000); /* 112 in the exponent */
  const v128_t least = wasm_i32x4_splat(0x38800000); /* 2^-14 */
  const v128_t below = wasm_f32x4_sub(wasm_i32x4_add(wide, least), least);
  const v128_t bits = wasm_i32x4_add(wide, rebias);
  const v128_t normal = wasm_i32x4_gt(size, wasm_i32x4_splat(7));
  const v128_t nan = wasm_i32x4_gt(size, wasm_i32x4_splat(0x7e));
  const v128_t value = wasm_v128_bitselect(bits, below, normal);
  return wasm_v128_or(wasm_v128_or(value, sign),
                      wasm_v128_and(nan, wasm_i32x4_splat(0x7fc00000)));
}]],
  }, [[
/* What each byte chooses, as bytes. */
FFN_INLINE v128_t NAME_wasm(v128_t chosen) {
  const v128_t levels = wasm_u8x16_const(
      BYTES);
  return wasm_i8x16_swizzle(levels, chosen);
}]]), [[
/* The level that four bits of a line choose. A table of bytes is looked up by all bytes of the
 * line, once for the four that begin at bits 0, 8, 16 and 24. */
FFN_INLINE v128_t NAME_wasm(v128_t line, unsigned at) {
  const v128_t levels = wasm_i8x16_const(
      BYTES);
  const v128_t low = wasm_u8x16_shr(line, at % 8);
  const v128_t bytes = wasm_i8x16_swizzle(levels, wasm_v128_and(low, wasm_i8x16_splat(15)));
  const v128_t top = wasm_i32x4_shl(bytes, 24 - at / 8 * 8);
  return wasm_f32x4_convert_i32x4(VALUE);
}]], {
    [0] = 'wasm_i32x4_shr(top, 24)',
    [24] = 'at < 8 ? top : wasm_v128_and(top, wasm_i32x4_splat(-0x1000000))',
  }),
  store_tail = [[
FFN_INLINE void ffn_store_tail_wasm(float *out, v128_t value, size_t count) {
  float lanes[4];
  wasm_v128_store(lanes, value);
  FFN_MEMCPY(out, lanes, count * sizeof *out);
}]],
  turn = [[
/* 4 floats of each of 4 tokens: [token][4] to [4][token], or back. Pointers begin at any float. */
FFN_INLINE void ffn_turn_wasm(float *to, size_t step, const float *from, size_t stride) {
  const v128_t a = wasm_v128_load(from), b = wasm_v128_load(from + stride);
  const v128_t c = wasm_v128_load(from + 2 * stride), d = wasm_v128_load(from + 3 * stride);
  const v128_t low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
  const v128_t high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t low_2 = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5);
  const v128_t high_2 = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  wasm_v128_store(to, wasm_i64x2_shuffle(low, low_2, 0, 2));
  wasm_v128_store(to + step, wasm_i64x2_shuffle(low, low_2, 1, 3));
  wasm_v128_store(to + 2 * step, wasm_i64x2_shuffle(high, high_2, 0, 2));
  wasm_v128_store(to + 3 * step, wasm_i64x2_shuffle(high, high_2, 1, 3));
}]],
  turn_in = [[
FFN_INLINE void ffn_turn_in_wasm(float *to, size_t step, const float *from, size_t stride) {
  ffn_turn_wasm(to, step, from, stride);
}]],
  turn_out = [[
FFN_INLINE void ffn_turn_out_wasm(float *to, size_t stride, const float *from, size_t step) {
  ffn_turn_wasm(to, stride, from, step);
}]],
  dots = '',
  operand_helpers = {
    s8_part = [[
/* Of 4 numbers from k on those that are there; zeros behind them. */
FFN_INLINE v128_t ffn_s8_part_ISA(const float *x, size_t k, size_t count) {
  float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  if (k + 4 <= count)
    return wasm_v128_load(x + k);
  for (size_t i = k; i < count; ++i)
    lanes[i - k] = x[i];
  return wasm_v128_load(lanes);
}]],
    s8_quantise = [[
/* A group of floats, of which `count` are there, as bytes from -127 to 127 and their scale. */
FFN_INLINE void ffn_s8_quantise_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count) {
  v128_t sizes = wasm_i32x4_splat(0);
  for (size_t k = 0; k < group; k += 4)
    sizes = wasm_i32x4_max(sizes, wasm_f32x4_abs(ffn_s8_part_ISA(x, k, count)));
  sizes = wasm_i32x4_max(sizes, wasm_i32x4_shuffle(sizes, sizes, 2, 3, 0, 1));
  sizes = wasm_i32x4_max(sizes, wasm_i32x4_shuffle(sizes, sizes, 1, 0, 3, 2));
  const float inverse = ffn_s8_scale_ISA(scale, wasm_i32x4_extract_lane(sizes, 0));
  for (size_t k = 0; k < group; k += 16) {
    v128_t rounded[4];
    FFN_UNROLL
    for (size_t i = 0; i < 4; ++i) {
      const v128_t part = ffn_s8_part_ISA(x, k + 4 * i, count);
      const v128_t product = wasm_f32x4_mul(part, wasm_f32x4_splat(inverse));
      rounded[i] = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(product));
    }
    const v128_t low = wasm_i16x8_narrow_i32x4(rounded[0], rounded[1]);
    const v128_t high = wasm_i16x8_narrow_i32x4(rounded[2], rounded[3]);
    wasm_v128_store(quants + k, wasm_i8x16_narrow_i16x8(low, high));
  }
}]],
    s8_clip = [[
/* Floats, of which `count` are there, as bytes: x / of, rounded to an integer and no further from 0
 * than 127. The scale is `of`, or a NaN beside a NaN, whose byte may be any. */
FFN_INLINE void ffn_s8_clip_ISA(
    int8_t *quants, float *scale, size_t group, const float *x, size_t count, float of) {
  const v128_t most = wasm_f32x4_splat(127.0f), least = wasm_f32x4_splat(-127.0f);
  v128_t numbers = wasm_i32x4_splat(-1); /* all of whose quotients are some */
  for (size_t k = 0; k < group; k += 16) {
    v128_t rounded[4];
    FFN_UNROLL
    for (size_t i = 0; i < 4; ++i) {
      const v128_t part = ffn_s8_part_ISA(x, k + 4 * i, count);
      const v128_t quotient = wasm_f32x4_div(part, wasm_f32x4_splat(of));
      const v128_t clipped = wasm_f32x4_pmax(least, wasm_f32x4_pmin(most, quotient));
      numbers = wasm_v128_and(numbers, wasm_f32x4_eq(quotient, quotient));
      rounded[i] = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(clipped));
    }
    const v128_t low = wasm_i16x8_narrow_i32x4(rounded[0], rounded[1]);
    const v128_t high = wasm_i16x8_narrow_i32x4(rounded[2], rounded[3]);
    wasm_v128_store(quants + k, wasm_i8x16_narrow_i16x8(low, high));
  }
  *scale = wasm_i32x4_all_true(numbers) ? of : ffn_from_bits(0x7fc00000);
}]],
    s8_sum = [[
/* The sum of so many bytes, a multiple of 16. */
FFN_INLINE int32_t ffn_s8_sum_ISA(const int8_t *quants, size_t count) {
  v128_t sums = wasm_i32x4_splat(0);
  for (size_t k = 0; k < count; k += 16) {
    const v128_t twos = wasm_i16x8_extadd_pairwise_i8x16(wasm_v128_load(quants + k));
    sums = wasm_i32x4_add(sums, wasm_i32x4_extadd_pairwise_i16x8(twos));
  }
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 0, 1));
  sums = wasm_i32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 1, 0, 3, 2));
  return wasm_i32x4_extract_lane(sums, 0);
}]],
  },
  arithmetic = {
    fma_f32 = {},
    dot_s8 = {
      nibbles_begin = '$1',
      dot_nibbles = 'ffn_dot_wasm($1, $2, $3)',
      nibbles_end = '$1',
      dot_small = 'ffn_dot_wasm($1, $2, $3)',
      dot_large = 'ffn_dot_wasm($1, $2, $3)',
      dot_large_begin = '$2',
      imul_small = 'wasm_i32x4_mul($1, $2)',
      imul_large = 'wasm_i32x4_mul($1, $2)',
      bytes_e2m1 = 'ffn_bytes_e2m1_wasm($1)',
      bytes_iq4 = 'ffn_bytes_iq4_wasm($1)',
    },
  },
  words = {
    zero = 'wasm_f32x4_splat(0.0f)',
    splat = 'wasm_f32x4_splat($1)',
    splat_at = 'wasm_v128_load32_splat(&$1)',
    load = 'wasm_v128_load($1)',
    loadu = 'wasm_v128_load($1)',
    store = 'wasm_v128_store($1, $2)',
    storeu = 'wasm_v128_store($1, $2)',
    store_u32 = 'wasm_v128_store($1, $2)',
    store_tail = 'ffn_store_tail_wasm($1, $2, $3)',
    add = 'wasm_f32x4_add($1, $2)',
    sub = 'wasm_f32x4_sub($1, $2)',
    mul = 'wasm_f32x4_mul($1, $2)',
    div = 'wasm_f32x4_div($1, $2)',
    fma = 'ffn_fma_once($1, $2, $3)',
    fnma = 'ffn_fma_once(wasm_f32x4_neg($1), $2, $3)',
    sqrt = 'wasm_f32x4_sqrt($1)',
    abs = 'wasm_f32x4_abs($1)',
    neg = 'wasm_f32x4_neg($1)',
    flip = 'wasm_v128_xor($1, wasm_i32x4_splat(INT32_MIN))',
    -- pmax(a, b) is a < b ? b : a; pmin(a, b) is b < a ? b : a.
    at_least = 'wasm_f32x4_pmax($1, $2)',
    at_most = 'wasm_f32x4_pmin($1, $2)',
    select_lt = 'wasm_v128_bitselect($3, $4, wasm_f32x4_lt($1, $2))',
    isplat = 'wasm_i32x4_splat($1)',
    bits = '($1)',
    iadd = 'wasm_i32x4_add($1, $2)',
    isub = 'wasm_i32x4_sub($1, $2)',
    sar = 'wasm_i32x4_shr($1, $2)',
    shl = 'wasm_i32x4_shl($1, $2)',
    from_bits = '($1)',
    iand = 'wasm_v128_and($1, $2)',
    ior = 'wasm_v128_or($1, $2)',
    shr = 'wasm_u32x4_shr($1, $2)',
    shr_by = 'wasm_u32x4_shr($1, (uint32_t)($2))',
    from_int = 'wasm_f32x4_convert_i32x4($1)',
    load_u8 = 'wasm_u32x4_extend_low_u16x8('
      .. 'wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero($1)))',
    load_u16 = 'wasm_u32x4_load16x4($1)',
    load_u32 = 'wasm_v128_load($1)',
    from_e2m1 = 'ffn_from_e2m1_wasm($1, $2)',
    from_iq4 = 'ffn_from_iq4_wasm($1, $2)',
    load_f16 = 'ffn_load_f16_wasm($1)',
    load_f8 = 'ffn_load_f8_wasm($1)',
  },
}
