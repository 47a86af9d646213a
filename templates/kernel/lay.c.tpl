%% takes: s, N, lay, code
% -- An operand that does not lie as it is.
/* A group of a row of ${s.stage.operand.tensor}, its k from `k` on: ${s.stage.operand.format.about}. */
FFN_INLINE void ${lay}(
    void *to, size_t rows, size_t row, size_t k, const float *from, size_t count) {
  char *in = (char *)to + (k / ${N}_ROW * rows + row) * ${N}_BLOCK_BYTES;
  k %= ${N}_ROW;
  ${code}
}
