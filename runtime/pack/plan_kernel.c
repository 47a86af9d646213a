/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan_kernel.c - see plan_kernel.h. */
#include "pack/plan_kernel.h"

#include <stdio.h>
#include <string.h>

/* Whether names of a kind leave out d_out where it is d_model; -1: there is no such kind. */
static int is_square(const char *kind) {
#define FFN_KIND(NAME, name, square, varies, queried) \
  if (strcmp(kind, #name) == 0) \
    return square;
#include "kinds.inc"
#undef FFN_KIND
  return -1;
}

int kernel_kind_is_known(const plan_kernel *kernel) { return is_square(kernel->kind) >= 0; }

/* ---- Sizes ---------------------------------------------------------------------------------- */

/* Whether stages follow each other: each takes what the one before it gives. */
static int is_chain(const plan_kernel *kernel) {
  for (size_t s = 1; s < kernel->stage_count; ++s)
    if (kernel->stages[s].inputs != kernel->stages[s - 1].outputs)
      return 0;
  return 1;
}

/* Whether stages stand side by side: all take x. */
static int is_beside(const plan_kernel *kernel) {
  for (size_t s = 1; s < kernel->stage_count; ++s)
    if (kernel->stages[s].inputs != kernel->stages[0].inputs)
      return 0;
  return 1;
}

/* Whether all stages have so many branches, but for the first one. */
static int has_branches(const plan_kernel *kernel, size_t first) {
  for (size_t s = 0; s < kernel->stage_count; ++s)
    if (kernel->stages[s].branches != (s == 0 ? first : 1))
      return 0;
  return 1;
}

int stage_is_wide(const plan_stage *stage) {
  const ffn_packing *packing = stage->format->packing;
  return packing->k == 1 && packing->bytes == PLAN_WIDE_BYTES * FFN_PANEL;
}

int kernel_sizes_fit(const plan_kernel *kernel) {
  const plan_stage *first = &kernel->stages[0], *last = &kernel->stages[kernel->stage_count - 1];
  uint64_t outputs = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    outputs += kernel->stages[s].outputs;
  if (kernel->inputs != first->inputs ||
      kernel->outputs != (kernel->stages_share_x ? outputs : last->outputs))
    return 0;
  if (kernel->stages_share_x)
    return kernel->hidden == 0 && kernel->stage_count > 1 && is_beside(kernel) &&
           has_branches(kernel, 1);
  /* What is between two stages has a size of its own in some kinds. */
  return is_chain(kernel) && has_branches(kernel, first->branches) &&
         (kernel->hidden == 0 || (kernel->stage_count == 2 && kernel->hidden == first->outputs));
}

/* ---- The name ------------------------------------------------------------------------------- */

/* Takes a word at a place in a name. */
static int takes(const char **at, const char *word) {
  const size_t bytes = strlen(word);
  if (strncmp(*at, word, bytes) != 0)
    return 0;
  *at += bytes;
  return 1;
}

/* "_d4096", say; what stands behind it is no digit. */
static int takes_size(const char **at, const char *word, uint64_t size) {
  char text[32];
  snprintf(text, sizeof text, "%llu", (unsigned long long)size);
  return takes(at, word) && takes(at, text) && (**at < '0' || **at > '9');
}

/* The word of a format in names: its own, without what would make it those of two others. */
static size_t format_word(const pack_format *format, char *to, size_t bytes) {
  snprintf(to, bytes, "_%s", format->name);
  for (char *cut = to + 1; (cut = strchr(cut, '_')) != NULL; ++cut) {
    *cut = 0;
    const int both = format_of(to + 1) != NULL && format_of(cut + 1) != NULL;
    *cut = '_';
    if (both) {
      memmove(cut, cut + 1, strlen(cut));
      break;
    }
  }
  return strlen(to);
}

static const char panels_word[] = "_panels";

/* Whether so many outputs of one branch are an odd number of panels, three or more, of numbers
 * narrower than floats. */
static int are_single(const plan_stage *stage, size_t outputs) {
  const size_t panels = ffn_round_up(outputs, FFN_PANEL) / FFN_PANEL;
  return !stage_is_wide(stage) && panels > 1 && panels % PLAN_LINES != 0;
}

/* Whether the name of packed weights ends with that word, as lower/layer.lua has it: where such
 * panels are bundles by themselves, of what is trained in transposed weights, too. */
static int says_panels(const plan_kernel *kernel) {
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const plan_stage *stage = &kernel->stages[s];
    const int trains = strcmp(stage->format->name, "bf16") == 0;
    if ((stage->branches == 1 && are_single(stage, stage->outputs)) ||
        (trains && are_single(stage, stage->inputs)))
      return 1;
  }
  return 0;
}

/* Bytes of what the name of packed weights ends with, behind formats, as lower/layer.lua has it:
 * what says_panels() asks, and whose operands have scales with the weights, a word for each stage,
 * or one where all are alike. */
enum { most_behind = sizeof panels_word + FFN_MAX_STAGES * 8 };
static size_t behind_formats(const plan_kernel *kernel, char *to) {
  const plan_stage *stages = kernel->stages;
  size_t bytes = 0, count = kernel->scale_bytes > 0;
  if (says_panels(kernel)) {
    memcpy(to, panels_word, sizeof panels_word - 1);
    bytes = sizeof panels_word - 1;
  }
  for (size_t s = 1; s < kernel->stage_count; ++s)
    if ((stages[s].operand_at > 0) != (stages[0].operand_at > 0))
      count = kernel->stage_count;
  for (size_t s = 0; s < count; ++s) {
    const char *word = stages[s].operand_at > 0 ? "_static" : "_dynamic";
    memcpy(to + bytes, word, strlen(word));
    bytes += strlen(word);
  }
  to[bytes] = 0;
  return bytes;
}

/* Whether a name ends with the formats of stages, or with one where all are alike; between there
 * may be what is dropped in training. */
static int ends_so(const plan_kernel *kernel, const char *at) {
  char words[FFN_MAX_STAGES * 32 + most_behind];
  size_t bytes = 0, count = 1;
  for (size_t s = 1; s < kernel->stage_count; ++s)
    if (kernel->stages[s].format != kernel->stages[0].format)
      count = kernel->stage_count;
  for (size_t s = 0; s < count; ++s)
    bytes += format_word(kernel->stages[s].format, words + bytes, 32);
  bytes += behind_formats(kernel, words + bytes);
  const size_t left = strlen(at);
  return left >= bytes && strcmp(at + left - bytes, words) == 0 &&
         (left == bytes || strncmp(at, "_dropout", 8) == 0);
}

/* Sizes, and what stands behind them, from a place on. */
static int is_tail(const plan_kernel *kernel, const char *at) {
  const plan_stage *stages = kernel->stages;
  if (!takes_size(&at, "_d", kernel->inputs))
    return 0;
  if (kernel->hidden > 0 && !takes_size(&at, "_f", kernel->hidden))
    return 0;
  if (kernel->stages_share_x) {
    if (!takes(&at, "_to"))
      return 0;
    for (size_t s = 0; s < kernel->stage_count; ++s) {
      const char *output = stages[s].name; /* to_q gives q */
      if (!takes(&output, "to_") || !takes(&at, "_") || !takes_size(&at, output, stages[s].outputs))
        return 0;
    }
    return ends_so(kernel, at);
  }
  const int says_outputs = !is_square(kernel->kind) || kernel->outputs != kernel->inputs;
  return (!says_outputs || takes_size(&at, "_o", kernel->outputs)) && ends_so(kernel, at);
}

/* The same of a chain: an activation and a width for each stage, whatever the activations are. */
static int is_chain_name(const plan_kernel *kernel, const char *at, int bias) {
  if (kernel->hidden > 0 || kernel->stages_share_x || !has_branches(kernel, 1) ||
      !takes_size(&at, "_", kernel->inputs))
    return 0;
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    /* The next word that ends with a number, which is not a part of the word. */
    for (++at;; ++at) {
      const char *behind = at;
      if (!*at)
        return 0;
      if (at[-1] >= '0' && at[-1] <= '9')
        continue;
      if (takes_size(&behind, "", kernel->stages[s].outputs) && *behind == '_') {
        at = behind;
        break;
      }
    }
  }
  return (!bias || takes(&at, "_bias")) && ends_so(kernel, at);
}

int kernel_name_fits(const plan_kernel *kernel) {
  static const char with_bias[] = "_bias";
  const char *at = kernel->packed;
  const int bias = kernel->stages[0].bias;
  for (size_t s = 1; s < kernel->stage_count; ++s)
    if (kernel->stages[s].bias != bias)
      return 0;
  /* An arithmetic may follow in the layer's name, which says nothing of what lies how. */
  char words[most_behind];
  const size_t more = behind_formats(kernel, words);
  const size_t bytes = strlen(at) > more ? strlen(at) - more : 0;
  if (bytes == 0 || strncmp(kernel->layer, at, bytes) != 0 ||
      (kernel->layer[bytes] && kernel->layer[bytes] != '_'))
    return 0;
  if (!takes(&at, kernel->kind) || *at != '_')
    return 0;
  /* The names of chains alone begin with a size. */
  if (at[1] >= '0' && at[1] <= '9')
    return is_chain_name(kernel, at, bias);
  for (const char *from = at; (from = strstr(from, "_d")) != NULL; ++from) {
    const int says = from - at >= 5 && memcmp(from - 5, with_bias, 5) == 0;
    if (says == bias && is_tail(kernel, from))
      return 1;
  }
  return 0;
}
