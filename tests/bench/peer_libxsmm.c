/* LIBXSMM: kernels made at run time for one block of 64 outputs and up to 48 tokens, on weights
 * packed in such blocks; biases, activations and gates follow while a block is in cache. */
#include "peer.h"
#include "stage.h"

#include <libxsmm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, TOKENS = 48, PAD = 16 };

/* A matrix of one stage in one copy of the weights: [outputs / 64][inputs][64], the last block
 * narrower. */
typedef struct packed {
  float *weight[2]; /* the gate or only one, up */
  const float *bias[2];
} packed;

/* The kernels of one stage: for whole and last blocks of outputs and of tokens. */
typedef struct calls {
  libxsmm_smmfunction call[2][2];
} calls;

typedef struct state {
  bench_layer layer;
  bench_shape shape;
  size_t token_step;
  packed *stages; /* [copies][stages] */
  calls calls[FFN_MAX_STAGES];
  float *rows[3]; /* a stage's input and output in turns, and `up`, at strides that suit caches */
} state;

static const char *version(void) {
  static char text[64];
  snprintf(text, sizeof text, "%s; target %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
  return text;
}

/* No power of two, so that rows do not fall on the same sets of a cache. */
static size_t stride_of(size_t columns) { return (columns + 15) / 16 * 16 + PAD; }

static size_t branches(const ffn_stage *stage) { return stage->product == FFN_PRODUCT_UP ? 2 : 1; }

static float *pack(const float *weight, size_t inputs, size_t outputs) {
  float *blocks = libxsmm_aligned_malloc(inputs * outputs * sizeof(float), 64);
  if (!blocks)
    return NULL;
  for (size_t first = 0; first < outputs; first += BLOCK) {
    const size_t width = outputs - first < BLOCK ? outputs - first : BLOCK;
    float *out = blocks + first * inputs;
    for (size_t o = 0; o < width; ++o)
      for (size_t k = 0; k < inputs; ++k)
        out[k * width + o] = weight[(first + o) * inputs + k];
  }
  return blocks;
}

static void close_state(void *argument) {
  state *s = argument;
  const size_t count = s->layer.copies * s->layer.kernel->stage_count;
  for (size_t i = 0; s->stages && i < count; ++i) {
    libxsmm_free(s->stages[i].weight[0]);
    libxsmm_free(s->stages[i].weight[1]);
  }
  free(s->stages);
  for (size_t i = 0; i < 3; ++i)
    free(s->rows[i]);
  free(s);
}

static int pack_copy(state *s, size_t copy) {
  const ffn_kernel *kernel = s->layer.kernel;
  const ffn_weights *weights = &s->layer.weights[copy];
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    packed *p = &s->stages[copy * kernel->stage_count + i];
    const ffn_linear *matrices[2] = {bench_matrix(kernel, weights, i), &weights->up};
    for (size_t b = 0; b < branches(stage); ++b) {
      p->bias[b] = matrices[b]->bias;
      if (!(p->weight[b] = pack(matrices[b]->weight, stage->inputs, stage->outputs)))
        return 0;
    }
  }
  return 1;
}

static void *open_layer(const bench_layer *layer, const char **why) {
  const size_t floats = layer->tokens_most * stride_of(bench_widest(layer->kernel));
  state *s = calloc(1, sizeof *s);
  *why = "out of memory";
  if (!s)
    return NULL;
  s->layer = *layer;
  s->stages = calloc(layer->copies * layer->kernel->stage_count, sizeof *s->stages);
  int ok = s->stages != NULL;
  for (size_t i = 0; i < 3; ++i)
    ok = (s->rows[i] = calloc(floats, sizeof(float))) && ok;
  for (size_t copy = 0; ok && copy < layer->copies; ++copy)
    ok = pack_copy(s, copy);
  if (ok)
    return s;
  close_state(s);
  return NULL;
}

/* The kernel for that many outputs and tokens. To LIBXSMM, whose matrices are column-major, a
 * block of weights is outputs x inputs, and rows of tokens are columns. */
static libxsmm_smmfunction dispatch(size_t outputs, size_t tokens, size_t inputs,
                                    size_t out_stride) {
  const libxsmm_blasint lda = (libxsmm_blasint)outputs, ldb = (libxsmm_blasint)stride_of(inputs),
                        ldc = (libxsmm_blasint)out_stride;
  const float one = 1.0f, zero = 0.0f;
  const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_PREFETCH_NONE;
  return libxsmm_smmdispatch((libxsmm_blasint)outputs, (libxsmm_blasint)tokens,
                             (libxsmm_blasint)inputs, &lda, &ldb, &ldc, &one, &zero, &flags,
                             &prefetch);
}

/* How the last stage's rows lie: dense, as the caller wants y. */
static size_t out_stride(const ffn_kernel *kernel, size_t stage) {
  const size_t outputs = kernel->stages[stage].outputs;
  return stage + 1 == kernel->stage_count ? outputs : stride_of(outputs);
}

static int shape_layer(void *argument, const bench_shape *shape) {
  state *s = argument;
  const ffn_kernel *kernel = s->layer.kernel;
  const size_t parts = (shape->tokens + TOKENS - 1) / TOKENS;
  s->shape = *shape;
  s->token_step = (shape->tokens + parts - 1) / parts;
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    const size_t last_outputs = stage->outputs % BLOCK, last_tokens = shape->tokens % s->token_step;
    for (int o = 0; o < 2; ++o)
      for (int t = 0; t < 2; ++t) {
        const size_t outputs = o ? last_outputs : stage->outputs - last_outputs ? BLOCK : 0;
        const size_t tokens = t ? last_tokens : s->token_step;
        s->calls[i].call[o][t] = NULL;
        if (outputs && tokens &&
            !(s->calls[i].call[o][t] =
                  dispatch(outputs, tokens, stage->inputs, out_stride(kernel, i))))
          return 0;
      }
  }
  return 1;
}

/* A stage under way. */
typedef struct pass {
  const state *s;
  size_t stage, tasks;
  const packed *packed;
  bench_epilogue epilogue; /* without its pointers */
  const float *in;
  float *out;
} pass;

/* One block of outputs for one block of tokens. */
static void block(const pass *p, size_t first, size_t width, size_t token, size_t tokens) {
  const size_t inputs = p->s->layer.kernel->stages[p->stage].inputs;
  const size_t stride = out_stride(p->s->layer.kernel, p->stage);
  const libxsmm_smmfunction call =
      p->s->calls[p->stage].call[width < BLOCK][tokens < p->s->token_step];
  const float *in = p->in + token * stride_of(inputs);
  float *out = p->out + token * stride + first;
  bench_epilogue e = p->epilogue;
  if (p->packed->bias[0])
    e.bias = p->packed->bias[0] + first;
  if (p->packed->weight[1]) {
    float *up = p->s->rows[2] + token * stride + first;
    call(p->packed->weight[1] + first * inputs, in, up);
    e.up = up;
    e.up_stride = stride;
    if (p->packed->bias[1])
      e.up_bias = p->packed->bias[1] + first;
  }
  call(p->packed->weight[0] + first * inputs, in, out);
  bench_finish(&e, out, stride, tokens, width);
}

static void columns(void *context, size_t index) {
  const pass *p = context;
  const size_t outputs = p->s->layer.kernel->stages[p->stage].outputs;
  const size_t blocks = (outputs + BLOCK - 1) / BLOCK;
  for (size_t b = blocks * index / p->tasks; b < blocks * (index + 1) / p->tasks; ++b) {
    const size_t first = b * BLOCK, width = outputs - first < BLOCK ? outputs - first : BLOCK;
    for (size_t token = 0; token < p->s->shape.tokens; token += p->s->token_step) {
      const size_t left = p->s->shape.tokens - token;
      block(p, first, width, token, left < p->s->token_step ? left : p->s->token_step);
    }
  }
}

static void run(void *argument, size_t copy, float *y, const float *x) {
  const state *s = argument;
  const ffn_kernel *kernel = s->layer.kernel;
  const size_t inputs = kernel->inputs;
  for (size_t t = 0; t < s->shape.tokens; ++t)
    memcpy(s->rows[1] + t * stride_of(inputs), x + t * inputs, inputs * sizeof *x);
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_stage *stage = &kernel->stages[i];
    pass p = {.s = s,
              .stage = i,
              .tasks = s->shape.threads,
              .packed = &s->stages[copy * kernel->stage_count + i],
              .epilogue = {.activation = stage->activation,
                           .beta = bench_beta(stage, &s->layer.weights[copy])},
              .in = s->rows[(i + 1) % 2],
              .out = i + 1 == kernel->stage_count ? y : s->rows[i % 2]};
    /* A thread's hand-over costs about what two million flop take. */
    if (p.tasks > 1 && s->shape.flop > 2e6)
      s->shape.parallel->run(s->shape.parallel->pool, p.tasks, columns, &p);
    else
      p.tasks = 1, columns(&p, 0);
  }
}

const bench_peer peer = {.name = "libxsmm",
                         .version = version,
                         .open = open_layer,
                         .shape = shape_layer,
                         .run = run,
                         .close = close_state};
