/* A descriptor says what its kernel's name says. The reference reads stages from the descriptor, so
 * here they are held against the kind and variant, as ffn.h defines them. */
#include "support/each.h"

#include <stdio.h>
#include <string.h>

/* The shipped activations that are functions of both branches. */
static int both(ffn_variant variant) { return variant == FFN_CLAMPED_SWIGLU; }
static int gated(ffn_variant variant) { return variant % 2 || both(variant); }
static ffn_product product_of(ffn_variant variant) {
  return both(variant) ? FFN_PRODUCT_BOTH : gated(variant) ? FFN_PRODUCT_UP : FFN_PRODUCT_NONE;
}
static ffn_activation activation_of(ffn_variant variant) { return (ffn_activation)(variant / 2); }

static void check_stage(const ffn_kernel *kernel, size_t s, size_t inputs, size_t outputs,
                        ffn_activation activation, ffn_product product, ffn_matrix matrix) {
  const ffn_stage *stage = &kernel->stages[s];
  cr_assert(stage->inputs == inputs && stage->outputs == outputs, "%s: sizes of stage %zu",
            kernel->name, s);
  cr_assert(stage->activation == activation, "%s: activation of stage %zu is %s", kernel->name, s,
            ffn_activation_name(stage->activation));
  cr_assert(stage->product == product, "%s: product of stage %zu", kernel->name, s);
  const size_t branches = product == FFN_PRODUCT_UP || product == FFN_PRODUCT_BOTH ? 2 : 1;
  cr_assert(stage->branches == branches && stage->matrix[0] == matrix &&
                (stage->branches == 1 || stage->matrix[1] == FFN_MATRIX_UP),
            "%s: matrices of stage %zu", kernel->name, s);
}

/* A linear has a stage, or one for each of several outputs, which its name spells. */
static void check_outputs(const ffn_kernel *kernel) {
  const ffn_outputs *several = ffn_outputs_of(kernel);
  char text[256] = "_to", *end = text + strlen(text);
  size_t outputs = 0;
  cr_assert(kernel->stage_count == (several ? several->count : 1), "%s", kernel->name);
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const size_t width = kernel->stages[s].outputs;
    check_stage(kernel, s, kernel->inputs, width, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE,
                FFN_MATRIX_CHAIN);
    outputs += width;
    if (!several)
      continue;
    cr_assert(several->outputs[s].width == width, "%s: output %zu", kernel->name, s);
    end += snprintf(end, (size_t)(text + sizeof text - end), "_%s%zu", several->outputs[s].name,
                    width);
  }
  cr_assert(outputs == kernel->outputs, "%s", kernel->name);
  cr_assert(!several || (several->kernel == kernel && strstr(kernel->layer, text)), "%s spells %s",
            kernel->name, text);
}

EACH_KERNEL(descriptor, stages, TEST_SMALL) {
  cr_assert(kernel->stages_share_x == (ffn_outputs_of(kernel) != NULL), "%s", kernel->name);
  const ffn_activation act = activation_of(kernel->variant);
  switch (kernel->kind) {
  case FFN_KIND_FFN:
    cr_assert(kernel->stage_count == 2);
    check_stage(kernel, 0, kernel->inputs, kernel->hidden, act, product_of(kernel->variant),
                gated(kernel->variant) ? FFN_MATRIX_GATE : FFN_MATRIX_UP);
    check_stage(kernel, 1, kernel->hidden, kernel->outputs, FFN_ACT_IDENTITY, FFN_PRODUCT_NONE,
                FFN_MATRIX_DOWN);
    break;
  case FFN_KIND_GLU:
    cr_assert(kernel->stage_count == 1 && gated(kernel->variant));
    check_stage(kernel, 0, kernel->inputs, kernel->outputs, act, product_of(kernel->variant),
                FFN_MATRIX_GATE);
    break;
  case FFN_KIND_SELFGATE:
    cr_assert(kernel->stage_count == 1 && kernel->inputs == kernel->outputs);
    check_stage(kernel, 0, kernel->inputs, kernel->outputs, act, FFN_PRODUCT_INPUT,
                FFN_MATRIX_GATE);
    break;
  case FFN_KIND_LINEAR:
    check_outputs(kernel);
    break;
  case FFN_KIND_MLP:
    for (size_t s = 0; s < kernel->stage_count; s++)
      cr_assert(kernel->stages[s].product == FFN_PRODUCT_NONE && kernel->stages[s].branches == 1 &&
                kernel->stages[s].matrix[0] == FFN_MATRIX_CHAIN &&
                kernel->stages[s].inputs ==
                    (s == 0 ? kernel->inputs : kernel->stages[s - 1].outputs));
    cr_assert(kernel->stages[kernel->stage_count - 1].outputs == kernel->outputs);
    break;
  default:
    cr_assert(0, "%s: of no kind", kernel->name);
  }
}

/* In f32 blocks of chains; of bytes one chain of groups, each of which is rounded twice. */
static void check_order(const ffn_kernel *kernel, size_t s) {
  const ffn_stage *stage = &kernel->stages[s];
  const int in_f32 = stage->arithmetic == FFN_ARITHMETIC_FMA_F32;
  const size_t chains = stage->chains, group = in_f32 ? 1 : ffn_stage_group(stage);
  const size_t groups = (stage->inputs + group - 1) / group;
  cr_assert(chains >= 1 && stage->k_block >= 1 &&
                (in_f32 ? stage->k_block <= 512 : stage->k_block == stage->inputs && chains == 1) &&
                stage->sum_length >= (in_f32 ? (stage->k_block + chains - 1) / chains : 2 * groups),
            "%s: order of stage %zu", kernel->name, s);
}

/* The name spells kind, variant, bias and sizes; so do the figures. */
EACH_KERNEL(descriptor, names, TEST_SMALL) {
  char text[256], word[64];
  uint64_t flop = 0, bytes = 0;
  snprintf(text, sizeof text, "%s_%s%s%s", kernel->layer, ffn_isa_name(kernel->isa),
           kernel->profile ? "_" : "", kernel->profile ? ffn_profile_name(kernel->profile) : "");
  const size_t length = strlen(text);
  cr_assert(strncmp(text, kernel->name, length) == 0 &&
                (!kernel->name[length] || strcmp(kernel->name + length, "_size") == 0),
            "%s is %s for an instruction set", kernel->name, text);
  snprintf(word, sizeof word, "%s_", ffn_kind_name(kernel->kind));
  cr_assert(strncmp(kernel->name, word, strlen(word)) == 0, "%s", kernel->name);
  cr_assert(!kernel->bias == !strstr(kernel->layer, "_bias"), "%s", kernel->name);
  if (kernel->kind == FFN_KIND_FFN) {
    snprintf(text, sizeof text, "ffn_%s%s", ffn_variant_name(kernel->variant),
             kernel->bias ? "_bias" : "");
    if (!strstr(kernel->layer, "_beta"))
      cr_assert(strncmp(kernel->layer, text, strlen(text)) == 0, "%s is no %s", kernel->name, text);
    snprintf(text, sizeof text, "_d%zu_f%zu", kernel->inputs, kernel->hidden);
    cr_assert(strstr(kernel->layer, text), "%s has no %s", kernel->name, text);
  }
  for (size_t s = 0; s < kernel->stage_count; s++) {
    const ffn_stage *stage = &kernel->stages[s];
    flop += 2 * (uint64_t)stage->branches * stage->inputs * stage->outputs;
    bytes +=
        (uint64_t)stage->branches * stage->outputs * ffn_source_row(stage->source, stage->inputs);
    cr_assert(stage->bias == kernel->bias, "%s", kernel->name);
    check_order(kernel, s);
  }
  cr_assert(flop == kernel->flop_per_token, "%s: flop", kernel->name);
  cr_assert(kernel->packed_bytes % FFN_ALIGNMENT == 0 &&
            kernel->work_row_bytes % FFN_ALIGNMENT == 0 &&
            kernel->work_beside_bytes % FFN_ALIGNMENT == 0);
  cr_assert(ffn_work_bytes(kernel, 1, 1) == kernel->work_row_bytes + kernel->work_beside_bytes,
            "%s: work memory of one token", kernel->name);
  cr_assert(kernel->packed_bytes >= bytes, "%s: packed bytes", kernel->name);
}

/* Packed weights tell their layer: any changed byte of what they say is noticed. */
EACH_MODEL(descriptor, packed_header, TEST_SMALL, TEST_REALS, 81) {
  unsigned char *header = model->packed;
  cr_assert(ffn_packed_fits(kernel, model->packed) == 1);
  for (size_t byte = 0; byte < 20; byte++) { /* magic, ABI, what is packed, layout */
    header[byte] ^= 1;
    const int is_abi = byte >= 4 && byte < 8; /* of whoever packed, which nobody asks */
    cr_assert(ffn_packed_fits(kernel, model->packed) == is_abi, "%s: byte %zu", kernel->name, byte);
    header[byte] ^= 1;
  }
}
