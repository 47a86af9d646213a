--- WebAssembly with relaxed SIMD: dot products of bytes with a sign and numbers of 7 bits. What the
--- instruction gives for bytes of 8 bits is left to engines, so these have the words of plain SIMD.
local derived = require 'isa.derived'
local wasm = require 'isa.wasm'

local own = derived(wasm, 'wasm_relaxed')
own.title, own.rank = 'WebAssembly relaxed SIMD', 12
own.arch = 'defined(__wasm_relaxed_simd__)'
own.only_with = 'dot_s8'

local dot = [[
/* The sum, and the products of four numbers of 7 bits and four bytes with a sign. */
FFN_INLINE v128_t ffn_dot_small_wasm_relaxed(v128_t sum, v128_t w, v128_t x) {
  return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(x, w, sum);
}]]
for _, word in ipairs { 'dot_nibbles', 'dot_small' } do
  own.word_helpers[word] = dot
  own.arithmetic.dot_s8[word] = 'ffn_dot_small_wasm_relaxed($1, $2, $3)'
end

return own
