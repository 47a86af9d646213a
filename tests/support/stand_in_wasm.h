/* The dot product of relaxed SIMD where the compiler has none, by WebAssembly's SIMD: what is
 * compiled with -msimd128 includes this header first, and takes itself for relaxed SIMD. Engines
 * differ where a byte of the second operand has its highest bit
 * (i32x4.relaxed_dot_i8x16_i7x16_add_s of WebAssembly's relaxed SIMD): here that ends the program.
 */
#ifndef TEST_STAND_IN_WASM_H
#define TEST_STAND_IN_WASM_H

#include <wasm_simd128.h>

static inline v128_t wasm_i32x4_relaxed_dot_i8x16_i7x16_add(v128_t a, v128_t b, v128_t sum) {
  if (wasm_i8x16_bitmask(b) != 0)
    __builtin_trap();
  const v128_t low = wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extmul_low_i8x16(a, b));
  const v128_t high = wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extmul_high_i8x16(a, b));
  const v128_t even = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
  const v128_t odd = wasm_i32x4_shuffle(low, high, 1, 3, 5, 7);
  return wasm_i32x4_add(sum, wasm_i32x4_add(even, odd));
}

#define __wasm_relaxed_simd__ 1

#endif
