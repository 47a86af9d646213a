/* The weights of the outputs from `column` on, from input k on. */
FFN_INLINE const ${format.c_type} *${fn}_weights(const ${task} *task, size_t column, size_t k) {
  const ${own}packed_weights *packed = (const ${own}packed_weights *)task->packed;
  return &packed->${s.stage.name}[column / FFN_PANEL][k][0][column % FFN_PANEL];
}
