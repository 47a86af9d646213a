/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ${plan.name}
 * ${title}
% if layer.about ~= '' then
 * ${layer.about}
% end
 *
% for _, line in ipairs(layer.equation) do
 *     ${line}
% end
 *
 * Remake     ${remake}
 * Spec       ${layer.spec_name}; templates kernel.c.tpl, stage.c.tpl
% for _, s in ipairs(plan.stages) do
 * Tiles      ${s.name}: ${tiles_text(s)}
% end
% if tuned_text ~= '' then
 * Tuned      ${tuned_text}
% end
 * Walk       ${plan.row_block} rows at a time; activations as [block of k][row][k]
 * Cost       ${layer.flop_per_token} flop per token; ${plan.packed_bytes} bytes of packed weights;
 *            ${plan.work_bytes} bytes of work memory per thread
% for _, s in ipairs(plan.stages) do
 * Sums       ${s.name}: ${order_text(s)}
% end
% for _, s in ipairs(plan.stages) do
 * Error      ${s.name}: ${error_text(s)}
% end
 */
#include "kernel.h"

#if FFN_ABI != ${abi}
#error "made for ABI ${abi} of kernel.h: generate this file anew, or use its own kernel.h"
#endif

% if isa.arch ~= '' then
#if ${isa.arch}
% end
% if isa.include ~= '' then
#include <${isa.include}>
% end
${target_begin}
% if isa.helpers ~= '' then

${isa.helpers}
% end
% if needs_tail and isa.store_tail ~= '' then

${isa.store_tail}
% end
% for _, a in ipairs(activations) do

${activation_text(a)}
% end
% for _, s in ipairs(plan.stages) do
${stage_text(s)}
% end

static const ffn_stage stages[] = {
% for _, s in ipairs(plan.stages) do
    {${s.stage.inputs}, ${s.stage.outputs}, ${#s.stage.branches}, {${matrix_enums(s)}}, FFN_ACT_${upper(s.stage.activation.name)}, ${product_enum(s)}, ${int(s.stage.bias)}, ${beta_literal(s)},
     ${s.stage.k_block}, ${s.stage.chains}, ${s.stage.sum_length}, ${number(s.stage.activation.contract.relative)}, ${number(s.stage.activation.contract.absolute)}},
% end
};

static const ffn_chain_stage chain_stages[] = {
% for _, s in ipairs(plan.stages) do
    {${s.name}_pass, ${s.stage.inputs}, ${s.stage.outputs}, ${#s.stage.branches}, ${int(s.stage.bias)},
     ${s.panels_at}, ${s.bias_at}, ${plan.buffer_at[s.buffer]}, ${s.row_stride}, ${s.column_step}},
% end
};

${straight_text}
static const ffn_chain chain = {${straight and 'straight_rows' or 'ffn_walk_rows'}, ${layer_hash}, ${#plan.stages}, chain_stages, ${plan.row_tile}, ${plan.row_block},
                                ${plan.sum_at}, ${plan.slot_floats}, ${layer.flop_per_token}};

static void pack(void *packed, const ffn_weights *weights) {
  ffn_pack_stages(packed, &chain, stages, weights, ${layer.runtime_beta and 'weights->beta' or '0.0f'});
}

static void unpack(ffn_weights *weights, const void *packed) {
  ffn_unpack_stages(weights, &chain, stages, packed);
}

static void run(float *y, size_t y_stride, const float *x, size_t x_stride, size_t tokens,
                const void *packed, void *work, const ffn_parallel *parallel) {
  ffn_chain_run(&chain, y, y_stride, x, x_stride, tokens, packed, work, parallel);
}

extern const ffn_kernel ${plan.name};
const ffn_kernel ${plan.name} = {
    "${plan.name}",
    "${layer.name}",
    FFN_KIND_${upper(layer.kind)},
    FFN_${upper(layer.variant)},
    FFN_F32,
    FFN_ISA_${upper(isa.name)},
    ${layer.inputs},
    ${layer.hidden},
    ${layer.outputs},
    ${int(layer.bias)},
    ${int(layer.runtime_beta)},
    ${#plan.stages},
    stages,
    ${plan.packed_bytes},
    ${plan.work_bytes},
    ${layer.flop_per_token},
    pack,
    unpack,
    run,
};

${target_end}
% if isa.arch ~= '' then
#endif
% end
