--- Portable C11: one lane. Sixteen neighbouring scalars are what compilers turn into vectors, so
--- a tile is counted in scalars: 64 sums, an activation and a weight.
local tables = require 'isa.tables'

--- Sums of four products. A Cortex-M4 and its like multiply the two halves of a number at once, and
--- take bytes without a sign as they are. Elsewhere one multiplication gives both products: a
--- number with two halves times another, turned round, has their sum in its upper half. There 128
--- is taken off bytes of 8 bits: otherwise the sum has more than 16 bits.
local dots = [[
#if defined(__ARM_FEATURE_SIMD32) && defined(__GNUC__)
#define FFN_DOT_HALVES

/* The sum, and the products of four bytes without a sign and four with. gcc writes two instructions
 * where one turns bytes and takes every second of them. */
FFN_SHARED int32_t ffn_dot_halves(int32_t sum, int32_t a, int32_t x) {
  int32_t odd, odd_x;
  sum = __builtin_arm_smlad(a & 0x00ff00ff, __builtin_arm_sxtb16(x), sum);
  __asm__("uxtb16 %0, %1, ror #8" : "=r"(odd) : "r"(a));
  __asm__("sxtb16 %0, %1, ror #8" : "=r"(odd_x) : "r"(x));
  return __builtin_arm_smlad(odd, odd_x, sum);
}
#else

/* The sum, and a0 x0 + a2 x2 + a1 x1 + a3 x3: `even` is a0 + 65536 a2, `odd` a1 + 65536 a3, and x
 * has four bytes with a sign. Products are at most 2^14 in size. */
FFN_SHARED int32_t ffn_dot_pairs(int32_t sum, int32_t even, int32_t odd, int32_t x) {
  const uint32_t own = (uint32_t)x;
  const int32_t x20 = (int8_t)(uint8_t)own * 65536 + (int8_t)(uint8_t)(own >> 16);
  const int32_t x31 = (int8_t)(uint8_t)(own >> 8) * 65536 + (int8_t)(uint8_t)(own >> 24);
  const uint32_t first = (uint32_t)even * (uint32_t)x20, second = (uint32_t)odd * (uint32_t)x31;
  return sum + ((int32_t)(first + 0x8000u) >> 16) + ((int32_t)(second + 0x8000u) >> 16);
}
#endif

/* The sum, and the products of four numbers from 0 to 15 and four bytes with a sign. */
FFN_SHARED int32_t ffn_dot_nibbles_c(int32_t sum, int32_t a, int32_t x) {
#ifdef FFN_DOT_HALVES
  return ffn_dot_halves(sum, a, x);
#else
  return ffn_dot_pairs(sum, a & 0x00ff00ff, (int32_t)((uint32_t)a >> 8 & 0x00ff00ff), x);
#endif
}

/* The same of four bytes: as they are, or 128 less. */
FFN_SHARED int32_t ffn_dot_large_c(int32_t sum, int32_t a, int32_t x) {
#ifdef FFN_DOT_HALVES
  return ffn_dot_halves(sum, a, x);
#else
  const int32_t even = (a & 0x00ff00ff) - 0x00800080;
  const int32_t odd = (int32_t)((uint32_t)a >> 8 & 0x00ff00ff) - 0x00800080;
  return ffn_dot_pairs(sum, even, odd, x);
#endif
}

/* What such a sum begins with, where bytes are 128 less, and where they are as they are. */
FFN_SHARED int32_t ffn_dot_large_begin_c(int32_t less, int32_t same) {
#ifdef FFN_DOT_HALVES
  (void)less;
  return same;
#else
  (void)same;
  return less;
#endif
}

/* The sum, and the products of four bytes without a sign and four with. */
FFN_SHARED int32_t ffn_dot_small_c(int32_t sum, int32_t a, int32_t x) {
#ifdef FFN_DOT_HALVES
  return ffn_dot_halves(sum, a, x);
#else
  for (int shift = 0; shift < 32; shift += 8)
    sum += (int32_t)((uint32_t)a >> shift & 255) * (int8_t)(uint8_t)((uint32_t)x >> shift);
  return sum;
#endif
}]]

return {
  name = 'c',
  title = 'portable C11',
  arch = '',
  include = '',
  target = '',
  detect = '1',
  rank = 0,
  lanes = 1,
  files = { vector = 66 },
  broadcasts = false,
  operands = false,
  settles = false,
  fused = false,
  wide = 'perhaps', -- kernel.h knows, as it is compiled
  vec = 'float',
  ivec = 'int32_t',
  helpers = '',
  word_instructions = { from_e2m1 = 3, from_iq4 = 3, load_f16 = 12, load_f8 = 9 },
  word_helpers = tables.beside(tables.bytes_beside({
    dot_small = dots, dot_nibbles = dots, dot_large = dots, dot_large_begin = dots,
    load_f16 = [[
/* An f16 as f32, a NaN quiet: in integers, and one exact subtraction for those below the normal
 * ones, which takes off again what was put before their fraction. */
FFN_SHARED float ffn_load_f16_c(const uint16_t *from) {
  const int32_t infinite = 0x7c00, normal = 0x0400, quiet = 0x00400000; /* least; a NaN's bit */
  const int32_t rebias = 0x38000000, least = 0x38800000; /* 112 in the exponent; 2^-14 */
  const int32_t size = *from & 0x7fff, wide = size << 13;
  const int32_t bits = wide + (size < infinite ? rebias : 2 * rebias);
  const float below = ffn_from_bits(wide + least) - ffn_from_bits(least);
  const int32_t value = size < normal ? ffn_bits(below) : size > infinite ? bits | quiet : bits;
  return ffn_from_bits((int32_t)((uint32_t)value | (uint32_t)(*from & 0x8000) << 16));
}]],
    load_f8 = [[
/* An E4M3, 2^-8 of it, as f32: as an f16 whose fraction has 3 bits; 0x7f and 0xff are NaN. */
FFN_SHARED float ffn_load_f8_c(const uint8_t *from) {
  const int32_t nan = 0x7f, normal = 0x08; /* and the least that is normal */
  const int32_t rebias = 0x38000000, least = 0x38800000; /* 112 in the exponent; 2^-14 */
  const int32_t size = *from & 0x7f, wide = size << 20;
  const float below = ffn_from_bits(wide + least) - ffn_from_bits(least);
  const int32_t bits = size < nan ? wide + rebias : 0x7fc00000;
  const int32_t value = size < normal ? ffn_bits(below) : bits;
  return ffn_from_bits((int32_t)((uint32_t)value | (uint32_t)(*from & 0x80) << 24));
}]],
  }, [[
/* What each of four bytes chooses, as bytes. */
FFN_SHARED int32_t NAME_c(int32_t chosen) {
  static const uint8_t levels[16] = {
      BYTES};
  uint32_t bytes = 0;
  for (int shift = 0; shift < 32; shift += 8)
    bytes |= (uint32_t)levels[(uint32_t)chosen >> shift & 15] << shift;
  return (int32_t)bytes;
}]]), [[
/* The level that four bits of a line choose. */
FFN_SHARED float NAME_c(int32_t line, int at) {
  static const int8_t levels[16] = {
      BYTES};
  return (float)levels[(uint32_t)line >> at & 15] * (float)(1 << POWER);
}]]),
  store_tail = '',
  turn = '',
  turn_in = '',
  turn_out = '',
  dots = '',
  arithmetic = {
    fma_f32 = {},
    dot_s8 = {
      nibbles_begin = '$1',
      dot_nibbles = 'ffn_dot_nibbles_c($1, $2, $3)',
      nibbles_end = '$1',
      dot_small = 'ffn_dot_small_c($1, $2, $3)',
      dot_large = 'ffn_dot_large_c($1, $2, $3)',
      dot_large_begin = 'ffn_dot_large_begin_c($1, $2)',
      imul_small = '($1 * $2)',
      imul_large = '($1 * $2)',
      bytes_e2m1 = 'ffn_bytes_e2m1_c($1)',
      bytes_iq4 = 'ffn_bytes_iq4_c($1)',
    },
  },
  words = {
    zero = '0.0f',
    splat = '$1',
    splat_at = '$1',
    load = '*($1)',
    loadu = '*($1)',
    store = '*($1) = $2',
    storeu = '*($1) = $2',
    store_u32 = '*($1) = (uint32_t)$2',
    store_tail = '*($1) = $2',
    add = '($1 + $2)',
    sub = '($1 - $2)',
    mul = '($1 * $2)',
    div = '($1 / $2)',
    fma = 'ffn_fma($1, $2, $3)',
    fnma = 'ffn_fma(-($1), $2, $3)',
    sqrt = 'ffn_sqrt($1)',
    abs = 'ffn_abs($1)',
    neg = '(-($1))',
    flip = 'ffn_flip($1)',
    at_least = '($1 < $2 ? $2 : $1)',
    at_most = '($1 > $2 ? $2 : $1)',
    select_lt = '($1 < $2 ? $3 : $4)',
    isplat = '$1',
    bits = 'ffn_bits($1)',
    iadd = '($1 + $2)',
    isub = '(int32_t)((uint32_t)$1 - (uint32_t)$2)', -- wraps, as vectors do
    sar = '($1 >> $2)',
    shl = '(int32_t)((uint32_t)$1 << $2)',
    from_bits = 'ffn_from_bits($1)',
    iand = '($1 & $2)',
    ior = '($1 | $2)',
    shr = '(int32_t)((uint32_t)$1 >> $2)',
    shr_by = '(int32_t)((uint32_t)$1 >> ($2))',
    from_int = '(float)($1)',
    load_u8 = '(int32_t)*($1)',
    load_u16 = '(int32_t)*($1)',
    load_u32 = '(int32_t)*($1)',
    from_e2m1 = 'ffn_from_e2m1_c($1, $2)',
    from_iq4 = 'ffn_from_iq4_c($1, $2)',
    load_f16 = 'ffn_load_f16_c($1)',
    load_f8 = 'ffn_load_f8_c($1)',
  },
}
