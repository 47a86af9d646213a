/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * registry.c - the linked kernels, and finding one. A file of its own, so that a program which
 * names its kernels takes only those from a library. */
#include "kernel.h"
/*@ end */

/*@ kernels */
#define FFN_KERNEL(kernel) extern const ffn_kernel kernel;
#include "kernels.inc"
#undef FFN_KERNEL
/*@ end */

static const ffn_kernel *const ffn_kernels[] = {
/*@ kernel_list */
#define FFN_KERNEL(kernel) &kernel,
#include "kernels.inc"
#undef FFN_KERNEL
    /*@ end */
    NULL};

const ffn_kernel *const *ffn_all(size_t *count) {
  if (count)
    *count = sizeof ffn_kernels / sizeof *ffn_kernels - 1;
  return ffn_kernels;
}

/*@ kernels_with_outputs */
#define FFN_KERNEL(kernel)
#define FFN_OUTPUTS(outputs) extern const ffn_outputs outputs;
#include "kernels.inc"
#undef FFN_OUTPUTS
#undef FFN_KERNEL
/*@ end */

static const ffn_outputs *const ffn_all_outputs[] = {
/*@ outputs_list */
#define FFN_KERNEL(kernel)
#define FFN_OUTPUTS(outputs) &outputs,
#include "kernels.inc"
#undef FFN_OUTPUTS
#undef FFN_KERNEL
    /*@ end */
    NULL};

const ffn_outputs *ffn_outputs_of(const ffn_kernel *kernel) {
  for (const ffn_outputs *const *o = ffn_all_outputs; *o; ++o)
    if ((*o)->kernel == kernel)
      return *o;
  return NULL;
}

static int ffn_same(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

size_t ffn_output_index(const ffn_outputs *outputs, const char *name) {
  size_t i = 0;
  while (i < outputs->count && !ffn_same(outputs->outputs[i].name, name))
    ++i;
  return i;
}

static int ffn_allowed(const ffn_kernel *kernel, size_t max_tokens, unsigned cpu) {
  const unsigned profile = FFN_CPU_BIT(kernel->profile);
  return (cpu >> kernel->isa & 1) && (cpu & profile) == profile &&
         (kernel->max_tokens == 0 || (max_tokens > 0 && max_tokens <= kernel->max_tokens));
}

/* Whether all parameters are those that a query names: fixed ones, else zeros. */
static int ffn_fits_parameters(const ffn_kernel *kernel, const float *wanted) {
  static const float none[FFN_MAX_PARAMETERS] = {0};
  const float *fixed = none;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    if (kernel->stages[s].parameters_fixed)
      fixed = kernel->stages[s].parameters;
  for (size_t i = 0; i < FFN_MAX_PARAMETERS; ++i)
    if (!(fixed[i] <= wanted[i] && fixed[i] >= wanted[i]))
      return 0;
  return 1;
}

/* Whether its stages are in the formats and the arithmetics that a query names. */
static int ffn_fits_formats(const ffn_kernel *kernel, const ffn_query *query) {
  const ffn_stage *hidden = &kernel->stages[0], *down = &kernel->stages[1];
  return hidden->format == query->hidden_format && hidden->arithmetic == query->hidden_arithmetic &&
         (kernel->stage_count < 2 ||
             (down->format == query->down_format && down->arithmetic == query->down_arithmetic));
}

/* What a query says of a kind: whether d_out of 0 is d_model, whether layers differ in their
 * variant, and whether sizes tell them apart. */
typedef struct ffn_asked {
  int square, varies, queried;
} ffn_asked;

static ffn_asked ffn_asked_of(ffn_kind kind) {
  static const ffn_asked kinds[] = {
/*@ kinds */
#define FFN_KIND(NAME, name, square, varies, queried) {square, varies, queried},
#include "kinds.inc"
#undef FFN_KIND
      /*@ end */
  };
  const ffn_asked nothing = {0, 0, 0};
  return (unsigned)kind < FFN_KIND_COUNT ? kinds[kind] : nothing;
}

/* All but whether its outputs are one or several. */
static int ffn_fits_layer(const ffn_kernel *kernel, const ffn_query *query) {
  const ffn_asked asked = ffn_asked_of(query->kind);
  const size_t d_out = query->d_out == 0 && asked.square ? query->d_model : query->d_out;
  return asked.queried && kernel->kind == query->kind && kernel->dtype == query->dtype &&
         (!asked.varies || kernel->variant == query->variant) && kernel->inputs == query->d_model &&
         kernel->hidden == query->d_ff && kernel->outputs == d_out &&
         !kernel->bias == !query->bias && !kernel->dropout &&
         ffn_fits_parameters(kernel, query->parameters) && ffn_fits_formats(kernel, query) &&
         ffn_allowed(kernel, query->max_tokens, query->cpu);
}

static int ffn_fits(const ffn_kernel *kernel, const ffn_query *query) {
  return !kernel->stages_share_x && ffn_fits_layer(kernel, query);
}

/* How much an instruction set is preferred where a CPU allows several. */
static int ffn_rank(ffn_isa isa) {
  static const int ranks[] = {
/*@ isa_ranks */
#define FFN_ISA(NAME, name, rank, allowed) rank,
#include "isas.inc"
#undef FFN_ISA
      /*@ end */
  };
  return ranks[isa];
}

/* A kernel for fewer tokens is better, then one that is made for this CPU. 0 tokens, which are any
 * number, wrap around to the most. */
static const ffn_kernel *ffn_better(const ffn_kernel *a, const ffn_kernel *b) {
  if (!a || a->isa != b->isa)
    return a && ffn_rank(a->isa) >= ffn_rank(b->isa) ? a : b;
  if (a->max_tokens != b->max_tokens)
    return a->max_tokens - 1 < b->max_tokens - 1 ? a : b;
  return b->profile == FFN_PROFILE_ANY ? a : b;
}

const ffn_kernel *ffn_find(const ffn_query *query) {
  const ffn_kernel *best = NULL;
  if (!query)
    return NULL;
  for (const ffn_kernel *const *k = ffn_kernels; *k; ++k)
    if (ffn_fits(*k, query))
      best = ffn_better(best, *k);
  return best;
}

/* Whether a kernel's outputs are these, in the formats and arithmetics of its first. */
static int ffn_are_outputs(const ffn_kernel *kernel, const ffn_output *outputs, size_t count) {
  const ffn_outputs *own = ffn_outputs_of(kernel);
  if (!own || own->count != count)
    return 0;
  for (size_t i = 0; i < count; ++i) {
    const ffn_stage *stage = &kernel->stages[i], *first = kernel->stages;
    if (own->outputs[i].width != outputs[i].width || !outputs[i].name ||
        !ffn_same(own->outputs[i].name, outputs[i].name) || stage->format != first->format ||
        stage->arithmetic != first->arithmetic)
      return 0;
  }
  return 1;
}

const ffn_outputs *ffn_find_outputs(
    const ffn_query *query, const ffn_output *outputs, size_t count) {
  const ffn_kernel *best = NULL;
  size_t width = 0;
  if (!query || !outputs)
    return NULL;
  for (size_t i = 0; i < count; ++i)
    width += outputs[i].width;
  ffn_query all = *query;
  all.d_out = query->d_out == 0 ? width : query->d_out;
  all.down_format = query->hidden_format;
  all.down_arithmetic = query->hidden_arithmetic;
  for (const ffn_kernel *const *k = ffn_kernels; *k; ++k)
    if (ffn_fits_layer(*k, &all) && ffn_are_outputs(*k, outputs, count))
      best = ffn_better(best, *k);
  return ffn_outputs_of(best);
}

const ffn_kernel *ffn_find_limited(const char *layer, size_t max_tokens, unsigned cpu) {
  const ffn_kernel *best = NULL;
  if (!layer)
    return NULL;
  for (const ffn_kernel *const *k = ffn_kernels; *k; ++k)
    if (ffn_same((*k)->layer, layer) && ffn_allowed(*k, max_tokens, cpu))
      best = ffn_better(best, *k);
  return best;
}

const ffn_kernel *ffn_find_layer(const char *layer, unsigned cpu) {
  return ffn_find_limited(layer, 0, cpu);
}

/* How many products of a kernel are in f32 arithmetic. */
static size_t ffn_f32_products(const ffn_kernel *kernel) {
  size_t count = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    count += kernel->stages[s].arithmetic == FFN_ARITHMETIC_FMA_F32;
  return count;
}

const ffn_kernel *ffn_find_packed(const char *packed, size_t max_tokens, unsigned cpu) {
  const ffn_kernel *best = NULL;
  size_t most = 0;
  if (!packed)
    return NULL;
  for (const ffn_kernel *const *k = ffn_kernels; *k; ++k)
    if (ffn_same((*k)->packed, packed) && ffn_allowed(*k, max_tokens, cpu)) {
      const size_t count = ffn_f32_products(*k);
      best = !best || count > most ? *k : count < most ? best : ffn_better(best, *k);
      most = count > most ? count : most;
    }
  return best;
}
