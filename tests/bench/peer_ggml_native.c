/* ggml, compiled for this CPU by tests/bench/ggml.sh: its own block formats, multiplied by its own
 * CPU kernels, which round x to 8 bits. Each buffer type of ggml that takes the weights is tried,
 * those that repack them among them; the fastest is taken, anew for each number of tokens and
 * threads. */
#include "peer.h"
#include "shortest.h"
#include "stage.h"

#include <ggml-backend.h>
#include <ggml-cpu.h>
#include <ggml.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TENSORS = 6 * FFN_MAX_STAGES, BUFFER_TYPES_MOST = 8 };

/* A copy of the weights, and the graph that computes the layer with it. */
typedef struct copy {
  struct ggml_context *weights, *graph;
  ggml_backend_buffer_t buffer, between; /* of the weights; of what lies between stages */
  struct ggml_tensor *matrix[FFN_MAX_STAGES][FFN_MAX_BRANCHES], *in, *out;
  struct ggml_cgraph *calls;
} copy;

typedef struct state {
  bench_layer layer;
  bench_shape shape;
  ggml_backend_t backend;
  ggml_backend_buffer_type_t types[BUFFER_TYPES_MOST];
  size_t type_count;
  struct ggml_threadpool *threads;
  uint8_t *work;
  size_t work_bytes, made; /* made: copies */
  copy copies[];
} state;

static const char *version(void) { return ggml_version(); }

/* ggml tells of each tensor that it repacks. */
static void be_silent(enum ggml_log_level level, const char *text, void *context) {
  (void)level, (void)text, (void)context;
}

/* GGML_TYPE_COUNT: ggml has no such blocks, or none that begin and end as these. */
static enum ggml_type type_of(ffn_source source) {
  switch ((int)source) {
  case FFN_SOURCE_F32:
    return GGML_TYPE_F32;
  case FFN_SOURCE_Q4_0:
    return GGML_TYPE_Q4_0;
  case FFN_SOURCE_Q4_1:
    return GGML_TYPE_Q4_1;
  case FFN_SOURCE_Q5_0:
    return GGML_TYPE_Q5_0;
  case FFN_SOURCE_Q5_1:
    return GGML_TYPE_Q5_1;
  case FFN_SOURCE_Q8_0:
    return GGML_TYPE_Q8_0;
  case FFN_SOURCE_Q4_K:
    return GGML_TYPE_Q4_K;
  case FFN_SOURCE_Q5_K:
    return GGML_TYPE_Q5_K;
  case FFN_SOURCE_Q6_K:
    return GGML_TYPE_Q6_K;
  case FFN_SOURCE_IQ4_NL:
    return GGML_TYPE_IQ4_NL;
  case FFN_SOURCE_IQ4_XS:
    return GGML_TYPE_IQ4_XS;
  case FFN_SOURCE_MXFP4:
    return GGML_TYPE_MXFP4;
  default:
    return GGML_TYPE_COUNT;
  }
}

static struct ggml_context *context_of(size_t tensors) {
  const struct ggml_init_params params = {
      .mem_size = tensors * ggml_tensor_overhead() + ggml_graph_overhead(), .no_alloc = true};
  struct ggml_context *context = ggml_init(params);
  if (!context)
    abort();
  return context;
}

static const ffn_linear *linear_of(const state *s, size_t number, size_t stage, size_t branch) {
  return ffn_stage_linear(s->layer.kernel->stages, &s->layer.weights[number], stage, branch);
}

static void release(copy *c) {
  ggml_backend_buffer_free(c->buffer), ggml_backend_buffer_free(c->between);
  ggml_free(c->weights), ggml_free(c->graph);
  *c = (copy){0};
}

static void release_all(state *s) {
  for (; s->made; --s->made)
    release(&s->copies[s->made - 1]);
}

/* What follows the products of a stage. */
static struct ggml_tensor *finished(struct ggml_context *context, ffn_activation activation,
                                    struct ggml_tensor *gate, struct ggml_tensor *up) {
  switch ((int)activation) {
  case FFN_ACT_SILU:
    return up ? ggml_swiglu_split(context, gate, up) : ggml_silu(context, gate);
  case FFN_ACT_RELU:
    return up ? ggml_reglu_split(context, gate, up) : ggml_relu(context, gate);
  default:
    return up ? ggml_mul(context, gate, up) : gate;
  }
}

static int is_done(const ffn_stage *stage) {
  const int known = stage->activation == FFN_ACT_SILU || stage->activation == FFN_ACT_RELU ||
                    stage->activation == FFN_ACT_IDENTITY;
  return known && !stage->bias &&
         (stage->product == FFN_PRODUCT_NONE || stage->product == FFN_PRODUCT_UP);
}

/* The weights of a copy in memory of that type. 0 where ggml has no product of them there. */
static int make_weights(const state *s, copy *c, size_t number, ggml_backend_buffer_type_t type) {
  const ffn_kernel *kernel = s->layer.kernel;
  c->weights = context_of(TENSORS);
  for (size_t i = 0; i < kernel->stage_count; ++i)
    for (size_t b = 0; b < kernel->stages[i].branches; ++b)
      c->matrix[i][b] =
          ggml_new_tensor_2d(c->weights, type_of(linear_of(s, number, i, b)->source),
                             (int64_t)kernel->stages[i].inputs, (int64_t)kernel->stages[i].outputs);
  c->buffer = ggml_backend_alloc_ctx_tensors_from_buft(c->weights, type);
  if (!c->buffer)
    return 0;
  ggml_backend_buffer_set_usage(c->buffer, GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
  return 1;
}

/* The graph of a copy, whose x and y are where run() says. */
static int make_graph(const state *s, copy *c) {
  const ffn_kernel *kernel = s->layer.kernel;
  struct ggml_tensor *v;
  c->graph = context_of(TENSORS);
  c->in = ggml_new_tensor_2d(c->graph, GGML_TYPE_F32, (int64_t)kernel->inputs,
                             (int64_t)s->shape.tokens);
  v = c->in;
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    struct ggml_tensor *products[FFN_MAX_BRANCHES] = {NULL, NULL};
    for (size_t b = 0; b < kernel->stages[i].branches; ++b) {
      products[b] = ggml_mul_mat(c->graph, c->matrix[i][b], v);
      if (!ggml_backend_supports_op(s->backend, products[b]))
        return 0;
    }
    v = finished(c->graph, kernel->stages[i].activation, products[0], products[1]);
  }
  c->out = v;
  c->calls = ggml_new_graph(c->graph);
  ggml_build_forward_expand(c->calls, v);
  c->between = ggml_backend_alloc_ctx_tensors(c->graph, s->backend);
  return c->between != NULL;
}

static int make_copy(state *s, size_t number, size_t type) {
  const ffn_kernel *kernel = s->layer.kernel;
  copy *c = &s->copies[number];
  if (!make_weights(s, c, number, s->types[type]) || !make_graph(s, c)) {
    release(c);
    return 0;
  }
  for (size_t i = 0; i < kernel->stage_count; ++i)
    for (size_t b = 0; b < kernel->stages[i].branches; ++b)
      ggml_backend_tensor_set(c->matrix[i][b], linear_of(s, number, i, b)->weight, 0,
                              ggml_nbytes(c->matrix[i][b]));
  return 1;
}

static int make_copies(state *s, size_t type, size_t count) {
  release_all(s);
  for (; s->made < count; ++s->made)
    if (!make_copy(s, s->made, type))
      return 0;
  return 1;
}

static void close_state(void *argument) {
  state *s = argument;
  release_all(s);
  if (s->threads)
    ggml_threadpool_free(s->threads);
  ggml_backend_free(s->backend);
  free(s->work);
  free(s);
}

/* The CPU's own memory, and the types of its extensions. */
static void read_types(state *s) {
  ggml_backend_dev_t device = ggml_backend_get_device(s->backend);
  ggml_backend_reg_t registry = ggml_backend_dev_backend_reg(device);
  void *found = ggml_backend_reg_get_proc_address(registry, "ggml_backend_dev_get_extra_bufts");
  ggml_backend_dev_get_extra_bufts_t extra;
  memcpy(&extra, &found, sizeof extra); /* C casts no pointer to one of a function */
  s->types[s->type_count++] = ggml_backend_get_default_buffer_type(s->backend);
  for (ggml_backend_buffer_type_t *type = extra ? extra(device) : NULL;
       type && *type && s->type_count < BUFFER_TYPES_MOST; ++type)
    s->types[s->type_count++] = *type;
}

static void *open_layer(const bench_layer *layer, const char **why) {
  const ffn_kernel *kernel = layer->kernel;
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const ffn_linear *first = bench_matrix(kernel, layer->weights, i);
    *why = type_of(first->source) == GGML_TYPE_COUNT ? "it has no such format"
           : !is_done(&kernel->stages[i])            ? "it has another activation, or a bias"
                                                     : NULL;
    if (*why)
      return NULL;
  }
  state *s = calloc(1, sizeof *s + layer->copies * sizeof *s->copies);
  *why = "out of memory";
  if (!s)
    return NULL;
  s->layer = *layer;
  ggml_log_set(be_silent, NULL);
  s->backend = ggml_backend_cpu_init();
  read_types(s);
  return s;
}

static void run(void *argument, size_t number, float *y, const float *x) {
  state *s = argument;
  copy *c = &s->copies[number];
  struct ggml_cplan plan = ggml_graph_plan(c->calls, (int)s->shape.threads, s->threads);
  if (plan.work_size > s->work_bytes) {
    free(s->work);
    s->work_bytes = plan.work_size;
    if (!(s->work = malloc(s->work_bytes)))
      abort();
  }
  plan.work_data = s->work;
  c->in->data = (void *)(uintptr_t)x;
  c->out->data = y;
  ggml_graph_compute(c->calls, &plan);
}

/* The shortest of a few runs in memory of that type. */
static double try_type(state *s, size_t type) {
  return make_copies(s, type, 1) ? bench_shortest(run, s, &s->layer, &s->shape) : 1e30;
}

static int shape_layer(void *argument, const bench_shape *shape) {
  state *s = argument;
  struct ggml_threadpool_params params = ggml_threadpool_params_default((int)shape->threads);
  size_t best = 0;
  double least = 1e30;
  if (s->threads)
    ggml_threadpool_free(s->threads);
  s->threads = shape->threads > 1 ? ggml_threadpool_new(&params) : NULL;
  s->shape = *shape;
  for (size_t type = 0; type < s->type_count; ++type) {
    const double seconds = try_type(s, type);
    if (seconds < least)
      least = seconds, best = type;
  }
  return least < 1e30 && make_copies(s, best, s->layer.copies);
}

const bench_peer peer = {.name = "ggml_native",
                         .takes_blocks = 1,
                         .noise = 0.05,
                         .version = version,
                         .open = open_layer,
                         .shape = shape_layer,
                         .run = run,
                         .close = close_state};
