/* ffngen's own kernels beside one whose weights are compressed: "f32" multiplies the values that
 * these mean, stored as f32; "fma_f32" the same packed bytes in f32, where the layer multiplies
 * bytes. Kernels that sum in f32 give the same bits. */
#include "kernels.h"
#include "model.h"
#include "peers.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
  const ffn_kernel *kernel;
  const ffn_parallel *parallel;
  size_t tokens, work_bytes, copies;
  void *work;
  void *packed[]; /* [copies] */
} state;

static const char *version(void) { return "of the same run"; }

typedef int twin(const ffn_kernel *floats, const ffn_kernel *kernel);

/* Whether a kernel is of f32 and else as this one: it computes the same with other weights. */
static int is_of_f32(const ffn_kernel *f32, const ffn_kernel *kernel) {
  int same = f32->kind == kernel->kind && f32->variant == kernel->variant &&
             f32->max_tokens == kernel->max_tokens && f32->dropout == kernel->dropout &&
             f32->runtime_parameters == kernel->runtime_parameters &&
             f32->stage_count == kernel->stage_count;
  for (size_t s = 0; same && s < kernel->stage_count; ++s) {
    const ffn_stage *a = &f32->stages[s], *b = &kernel->stages[s];
    same = a->format == FFN_FORMAT_F32 && a->arithmetic == FFN_ARITHMETIC_FMA_F32 &&
           a->inputs == b->inputs && a->outputs == b->outputs && a->branches == b->branches &&
           a->bias == b->bias && a->activation == b->activation && a->product == b->product &&
           a->parameters_fixed == b->parameters_fixed &&
           memcmp(a->parameters, b->parameters, sizeof a->parameters) == 0;
  }
  return same;
}

/* Whether a kernel takes the same packed weights and sums in f32. */
static int is_of_same_bytes(const ffn_kernel *floats, const ffn_kernel *kernel) {
  return test_sums_f32(floats) && strcmp(floats->packed, kernel->packed) == 0;
}

/* Such a kernel of the same instruction set; or the CPU's best one, where that set has none. */
static const ffn_kernel *twin_of(const ffn_kernel *kernel, twin *is_twin) {
  for (const ffn_kernel *const *all = ffn_all(NULL); *all; ++all)
    if (is_twin(*all, kernel)) {
      const unsigned own = 1u << kernel->isa | FFN_CPU_PROFILES;
      const ffn_kernel *found = ffn_find_layer((*all)->layer, ffn_cpu() & own);
      return found ? found : ffn_find_layer((*all)->layer, ffn_cpu());
    }
  return NULL;
}

/* Packed weights of f32: the values of those that the layer has. */
static void *packed_of(const ffn_kernel *f32, const bench_layer *layer) {
  test_model model;
  test_model_shape(&model, f32);
  for (size_t m = 0, s = 0; s < f32->stage_count; ++s)
    for (size_t b = 0; b < f32->stages[s].branches; ++b, ++m) {
      const ffn_stage *stage = &layer->kernel->stages[s];
      const ffn_linear *from = ffn_stage_linear(layer->kernel->stages, layer->weights, s, b);
      float *values = test_memory(stage->outputs * stage->inputs * sizeof(float));
      for (size_t o = 0; o < stage->outputs; ++o)
        ffn_linear_values(stage, from, o, values + o * stage->inputs);
      *model.matrices[m].linear = (ffn_linear){.weight = values, .bias = from->bias};
    }
  memcpy(model.weights.parameters, layer->weights->parameters, sizeof model.weights.parameters);
  void *packed = ffn_alloc(f32->packed_bytes);
  if (!packed)
    abort();
  f32->pack(packed, &model.weights);
  for (size_t m = 0; m < model.matrix_count; ++m)
    free((void *)(uintptr_t)model.matrices[m].linear->weight);
  return packed;
}

static void *packed_as_is(const ffn_kernel *floats, const bench_layer *layer) {
  void *packed = ffn_alloc(floats->packed_bytes);
  if (!packed)
    abort();
  floats->pack(packed, layer->weights);
  return packed;
}

static void *open_twin(const bench_layer *layer, twin *is_twin, const char **why) {
  const ffn_kernel *found = twin_of(layer->kernel, is_twin);
  if (is_twin(layer->kernel, layer->kernel)) {
    *why = is_twin == is_of_f32 ? "it is of f32" : "it sums in f32";
    return NULL;
  }
  if (!found) {
    *why = "none of its sizes is linked";
    return NULL;
  }
  state *s = test_memory(sizeof *s + layer->copies * sizeof *s->packed);
  *s = (state){.kernel = found, .copies = layer->copies};
  s->packed[0] = is_twin == is_of_f32 ? packed_of(found, layer) : packed_as_is(found, layer);
  for (size_t c = 1; c < layer->copies; ++c) {
    if (!(s->packed[c] = ffn_alloc(found->packed_bytes)))
      abort();
    memcpy(s->packed[c], s->packed[0], found->packed_bytes);
  }
  return s;
}

static void *open_f32(const bench_layer *layer, const char **why) {
  return open_twin(layer, is_of_f32, why);
}

static void *open_same_bytes(const bench_layer *layer, const char **why) {
  return open_twin(layer, is_of_same_bytes, why);
}

static int shape(void *given, const bench_shape *shape) {
  state *s = given;
  ffn_free(s->work);
  s->tokens = shape->tokens;
  s->parallel = shape->parallel;
  s->work_bytes = ffn_work_bytes(s->kernel, shape->threads, shape->tokens);
  s->work = ffn_alloc(s->work_bytes);
  return s->work != NULL;
}

static void run(void *given, size_t copy, float *y, const float *x) {
  const state *s = given;
  const ffn_kernel *k = s->kernel;
  ffn_run(k, y, k->outputs, x, k->inputs, s->tokens, s->packed[copy], s->work, s->work_bytes,
          s->parallel);
}

static void close_f32(void *given) {
  state *s = given;
  for (size_t c = 0; c < s->copies; ++c)
    ffn_free(s->packed[c]);
  ffn_free(s->work);
  free(s);
}

const bench_peer bench_f32 = {.name = "f32",
                              .takes_blocks = 1,
                              .version = version,
                              .open = open_f32,
                              .shape = shape,
                              .run = run,
                              .close = close_f32};

const bench_peer bench_fma_f32 = {.name = "fma_f32",
                                  .takes_blocks = 1,
                                  .version = version,
                                  .open = open_same_bytes,
                                  .shape = shape,
                                  .run = run,
                                  .close = close_f32};
