%% takes: d, own, choices, layer
% -- How several outputs of x are run: each where it belongs, and side by side.
static void ${own}run_forward_to${d.behind}(
    const ffn_destination *to, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_outputs_run(&${own}forward, ${choices}, to, NULL, x, x_stride, tokens, packed, work, work_bytes,
      parallel);
}

static void ${own}run_forward${d.behind}(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_destination to[${#layer.beside}];
  FFN_ASSERT(tokens == 0 || y);
  ffn_outputs_beside(&${own}forward, to, y, y_stride);
  ${own}run_forward_to${d.behind}(to, x, x_stride, tokens, packed, work, work_bytes, parallel);
}

#ifndef FFN_NO_ADD
static void ${own}add_forward_to${d.behind}(
    const ffn_destination *to, float scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_outputs_run(&${own}forward, ${choices}, to, &scale, x, x_stride, tokens, packed, work,
      work_bytes, parallel);
}

static void ${own}add_forward${d.behind}(
    float *y, size_t y_stride, float scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  ffn_destination to[${#layer.beside}];
  FFN_ASSERT(tokens == 0 || y);
  ffn_outputs_beside(&${own}forward, to, y, y_stride);
  ${own}add_forward_to${d.behind}(to, scale, x, x_stride, tokens, packed, work, work_bytes, parallel);
}
#endif
