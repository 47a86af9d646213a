${pack_text}

static void ${own}run(
    float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens, const void *packed,
    void *work, const ffn_parallel *parallel) {
  ffn_pass_run(&${own}forward, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel ${symbol};
const ffn_kernel ${symbol} = {
    "${symbol}", /* name */
    "${layer.name}", /* layer */
    FFN_KIND_${upper(layer.kind)}, /* kind */
    FFN_${upper(layer.variant)}, /* variant */
    FFN_${upper(layer.dtype)}, /* dtype */
    FFN_ISA_${upper(isa.name)}, /* isa */
    ${N(pass.stages[1])}_INPUTS, /* inputs */
    ${layer.hidden > 0 and N(pass.stages[1]) .. '_OUTPUTS' or '0'}, /* hidden */
    ${N(pass.stages[#pass.stages])}_OUTPUTS, /* outputs */
    ${int(layer.bias)}, /* bias */
    ${int(layer.runtime_beta)}, /* runtime_beta */
    ${#pass.stages}, /* stage_count */
    ${own}stages, /* stages */
    sizeof(${own}packed_weights), /* packed_bytes */
    sizeof(${own}work_memory), /* work_bytes */
    ${flop_text}, /* flop_per_token */
    ${own}pack, /* pack */
    ${own}unpack, /* unpack */
    ${own}run, /* run */
};
