--- What AVX2 and AVX-512 have in common: C text in which ISA stands for the one that takes it.
local M = {}

local dots = [[
/* At most four `rows` of `a`, all `inputs` of each, times a column of weights, `step` apart. The
 * eight chains of a sum are lanes, and four sums are folded at once. The sum of row r in lane r.
 * `a` and its rows begin at a multiple of 32 bytes, w at any float. */
FFN_INLINE __m128 ffn_four_dots_ISA(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  __m256 s[4];
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    s[r] = _mm256_setzero_ps();
  for (size_t k = 0; k < inputs; k += 8, w += 8 * step) {
    const __m256 column = _mm256_setr_ps(w[0], w[step], w[2 * step], w[3 * step], w[4 * step],
                                         w[5 * step], w[6 * step], w[7 * step]);
    FFN_UNROLL
    for (int r = 0; r < rows; ++r)
      s[r] = _mm256_fmadd_ps(_mm256_load_ps(a + (size_t)r * stride + k), column, s[r]);
  }
  __m128 h[4];
  FFN_UNROLL
  for (int r = 0; r < 4; ++r)
    h[r] = _mm_add_ps(_mm256_castps256_ps128(s[r]), _mm256_extractf128_ps(s[r], 1));
  h[0] = _mm_add_ps(_mm_unpacklo_ps(h[0], h[1]), _mm_unpackhi_ps(h[0], h[1]));
  h[2] = _mm_add_ps(_mm_unpacklo_ps(h[2], h[3]), _mm_unpackhi_ps(h[2], h[3]));
  return _mm_add_ps(_mm_movelh_ps(h[0], h[2]), _mm_movehl_ps(h[2], h[0]));
}

FFN_INLINE VECTOR ffn_dots_ISA(
    const float *a, size_t stride, const float *w, size_t step, size_t inputs, const int rows) {
  return WIDEN(ffn_four_dots_ISA(a, stride, w, step, inputs, rows));
}]]

--- Rows times one column; the other lanes are zeros.
---@param isa string
---@param vector string  its type
---@param widen string   the intrinsic that makes one of an __m128
---@return string
function M.dots(isa, vector, widen)
  return (dots:gsub('ISA', isa):gsub('VECTOR', vector):gsub('WIDEN', widen))
end

return M
