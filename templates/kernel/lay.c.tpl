%% takes: s, N, lay, scale, code
% -- An operand that does not lie as it is.
/* `count` k of a row of ${s.stage.operand.tensor}, from `k` on: ${s.stage.operand.format.about}; `from` begins at any float. */
FFN_INLINE void ${lay}(
    void *to, size_t rows, size_t row, size_t k, const float *from, size_t count${scale and ', float ' .. scale or ''}) {
  char *in = (char *)to + (k / ${N}_ROW * rows + row) * ${N}_BLOCK_BYTES;
  k %= ${N}_ROW;
  ${code}
}
