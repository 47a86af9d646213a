/* oneDNN: a primitive per matrix with bias, activation and gate as its post-ops, on weights in the
 * layout that the primitive asks for. Of inner_product and matmul the faster one is taken, anew
 * for each number of tokens and threads. */
#include "peer.h"
#include "shortest.h"
#include "stage.h"

#include <dnnl.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if DNNL_VERSION_MAJOR != 2
#error "this peer is written for oneDNN 2"
#endif

/* A primitive with all it runs on. */
typedef struct product {
  dnnl_primitive_t primitive;
  dnnl_memory_t *weights, *biases; /* [copies]; a bias is NULL where there is none */
  dnnl_memory_t in, out, up;       /* up: what the result is multiplied with, or NULL */
  int up_argument;
} product;

enum { MATRICES_MOST = 2 * FFN_MAX_STAGES };
typedef enum form { INNER_PRODUCT, MATMUL } form;

typedef struct state {
  bench_layer layer;
  bench_shape shape;
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  size_t copies; /* that the products hold */
  size_t count;
  product products[MATRICES_MOST];
  float *buffers[3]; /* a stage's input and output in turns, and `up` */
} state;

static const char *version(void) {
  static char text[64];
  const dnnl_version_t *v = dnnl_version();
  snprintf(text, sizeof text, "%d.%d.%d; OpenMP", v->major, v->minor, v->patch);
  return text;
}

static void release(state *s) {
  for (size_t i = 0; i < s->count; ++i) {
    product *p = &s->products[i];
    for (size_t c = 0; c < s->copies; ++c) {
      if (p->weights)
        dnnl_memory_destroy(p->weights[c]);
      if (p->biases)
        dnnl_memory_destroy(p->biases[c]);
    }
    free(p->weights), free(p->biases);
    dnnl_memory_destroy(p->in), dnnl_memory_destroy(p->out), dnnl_memory_destroy(p->up);
    dnnl_primitive_destroy(p->primitive);
    *p = (product){0};
  }
  s->count = 0;
}

static void close_state(void *argument) {
  state *s = argument;
  release(s);
  if (s->stream)
    dnnl_stream_destroy(s->stream);
  if (s->engine)
    dnnl_engine_destroy(s->engine);
  for (size_t i = 0; i < 3; ++i)
    free(s->buffers[i]);
  free(s);
}

static void *open_layer(const bench_layer *layer, const char **why) {
  const size_t floats = layer->tokens_most * bench_widest(layer->kernel);
  state *s = calloc(1, sizeof *s);
  int ok = s != NULL;
  *why = "out of memory";
  if (!ok)
    return NULL;
  s->layer = *layer;
  for (size_t i = 0; i < 3; ++i)
    ok = (s->buffers[i] = malloc(floats * sizeof(float))) && ok;
  if (ok && dnnl_engine_create(&s->engine, dnnl_cpu, 0) == dnnl_success &&
      dnnl_stream_create(&s->stream, s->engine, dnnl_stream_default_flags) == dnnl_success)
    return s;
  close_state(s);
  return NULL;
}

static void append(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float alpha) {
  dnnl_post_ops_append_eltwise(ops, 1.0f, kind, alpha, 0.0f);
}

static void append_activation(dnnl_post_ops_t ops, ffn_activation activation, float beta) {
  switch (activation) {
  case FFN_ACT_IDENTITY:
  default: /* what it does not have is the identity here, and not asked for */
    break;
  case FFN_ACT_RELU:
    append(ops, dnnl_eltwise_relu, 0.0f);
    break;
  case FFN_ACT_RELU2:
    append(ops, dnnl_eltwise_relu, 0.0f);
    append(ops, dnnl_eltwise_square, 0.0f);
    break;
  case FFN_ACT_GELU:
    append(ops, dnnl_eltwise_gelu_erf, 0.0f);
    break;
  case FFN_ACT_GELU_TANH:
    append(ops, dnnl_eltwise_gelu_tanh, 0.0f);
    break;
  case FFN_ACT_SILU:
    append(ops, dnnl_eltwise_swish, 1.0f);
    break;
  case FFN_ACT_SWISH:
    append(ops, dnnl_eltwise_swish, beta);
    break;
  case FFN_ACT_QUICK_GELU:
    append(ops, dnnl_eltwise_swish, 1.702f);
    break;
  case FFN_ACT_SIGMOID:
    append(ops, dnnl_eltwise_logistic, 0.0f);
    break;
  case FFN_ACT_TANH:
    append(ops, dnnl_eltwise_tanh, 0.0f);
    break;
  case FFN_ACT_MISH:
    append(ops, dnnl_eltwise_mish, 0.0f);
    break;
  }
}

static dnnl_memory_desc_t matrix_of(size_t rows, size_t columns, dnnl_format_tag_t tag) {
  const dnnl_dims_t dims = {(dnnl_dim_t)rows, (dnnl_dim_t)columns};
  dnnl_memory_desc_t md;
  dnnl_memory_desc_init_by_tag(&md, 2, dims, dnnl_f32, tag);
  return md;
}

static dnnl_memory_t memory_of(const state *s, const dnnl_memory_desc_t *md, const float *data) {
  dnnl_memory_t memory = NULL;
  void *handle = data ? (void *)(uintptr_t)data : DNNL_MEMORY_ALLOCATE;
  dnnl_memory_create(&memory, md, s->engine, handle);
  return memory;
}

/* New memory with the contents of `from` in another layout. */
static dnnl_memory_t reordered(const state *s, dnnl_memory_t from, const dnnl_memory_desc_t *md) {
  const dnnl_memory_desc_t *from_md;
  dnnl_primitive_desc_t desc = NULL;
  dnnl_primitive_t reorder = NULL;
  dnnl_memory_t to = memory_of(s, md, NULL);
  dnnl_memory_get_memory_desc(from, &from_md);
  if (to &&
      dnnl_reorder_primitive_desc_create(&desc, from_md, s->engine, md, s->engine, NULL) ==
          dnnl_success &&
      dnnl_primitive_create(&reorder, desc) == dnnl_success) {
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    dnnl_primitive_execute(reorder, s->stream, 2, arguments);
    dnnl_stream_wait(s->stream);
  }
  dnnl_primitive_destroy(reorder);
  dnnl_primitive_desc_destroy(desc);
  return to;
}

/* One matrix of a stage: branch 0 is the gate or only one, with the activation; 1 is up. */
static int make_product(state *s, form kind, size_t stage_index, int branch) {
  const ffn_kernel *kernel = s->layer.kernel;
  const ffn_stage *stage = &kernel->stages[stage_index];
  const ffn_weights *weights = s->layer.weights;
  const int matmul = kind == MATMUL, gated = branch == 0 && stage->product == FFN_PRODUCT_UP;
  const size_t tokens = s->shape.tokens, inputs = stage->inputs, outputs = stage->outputs;
  const size_t rows = matmul ? inputs : outputs, columns = matmul ? outputs : inputs;
  const dnnl_memory_desc_t in = matrix_of(tokens, inputs, dnnl_ab);
  const dnnl_memory_desc_t out = matrix_of(tokens, outputs, dnnl_ab);
  const dnnl_memory_desc_t any = matrix_of(rows, columns, dnnl_format_tag_any);
  const dnnl_memory_desc_t given = matrix_of(rows, columns, matmul ? dnnl_ba : dnnl_ab);
  dnnl_memory_desc_t bias = matrix_of(1, outputs, dnnl_ab);
  const dnnl_dims_t bias_dims = {(dnnl_dim_t)outputs};
  if (!matmul)
    dnnl_memory_desc_init_by_tag(&bias, 1, bias_dims, dnnl_f32, dnnl_a);
  product *p = &s->products[s->count++];
  dnnl_primitive_attr_t attributes = NULL;
  dnnl_post_ops_t ops = NULL;
  dnnl_primitive_desc_t desc = NULL;
  union {
    dnnl_matmul_desc_t matmul;
    dnnl_inner_product_desc_t inner;
  } op;

  dnnl_post_ops_create(&ops);
  dnnl_primitive_attr_create(&attributes);
  if (branch == 0)
    append_activation(ops, stage->activation, bench_beta(stage, weights));
  p->up_argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(dnnl_post_ops_len(ops)) | DNNL_ARG_SRC_1;
  if (gated)
    dnnl_post_ops_append_binary(ops, dnnl_binary_mul, &out);
  dnnl_primitive_attr_set_post_ops(attributes, ops);
  if (matmul)
    dnnl_matmul_desc_init(&op.matmul, &in, &any, stage->bias ? &bias : NULL, &out);
  else
    dnnl_inner_product_forward_desc_init(&op.inner, dnnl_forward_inference, &in, &any,
                                         stage->bias ? &bias : NULL, &out);
  int ok = dnnl_primitive_desc_create(&desc, &op, attributes, s->engine, NULL) == dnnl_success &&
           dnnl_primitive_create(&p->primitive, desc) == dnnl_success;
  p->weights = calloc(s->copies, sizeof *p->weights);
  p->biases = calloc(s->copies, sizeof *p->biases);
  p->in = memory_of(s, &in, s->buffers[0]);
  p->out = memory_of(s, &out, s->buffers[1]);
  p->up = gated ? memory_of(s, &out, s->buffers[2]) : NULL;
  for (size_t c = 0; ok && c < s->copies; ++c) {
    const ffn_linear *linear =
        branch == 0 ? bench_matrix(kernel, &weights[c], stage_index) : &weights[c].up;
    dnnl_memory_t plain = memory_of(s, &given, linear->weight);
    p->weights[c] =
        reordered(s, plain, dnnl_primitive_desc_query_md(desc, dnnl_query_weights_md, 0));
    p->biases[c] = stage->bias ? memory_of(s, &bias, linear->bias) : NULL;
    dnnl_memory_destroy(plain);
    ok = p->weights[c] != NULL;
  }
  dnnl_primitive_desc_destroy(desc);
  dnnl_primitive_attr_destroy(attributes);
  dnnl_post_ops_destroy(ops);
  return ok;
}

static int make(state *s, form kind, size_t copies) {
  const ffn_kernel *kernel = s->layer.kernel;
  int ok = 1;
  release(s);
  s->copies = copies;
  for (size_t i = 0; ok && i < kernel->stage_count; ++i) {
    if (kernel->stages[i].product == FFN_PRODUCT_UP)
      ok = make_product(s, kind, i, 1);
    ok = ok && make_product(s, kind, i, 0);
  }
  return ok;
}

static void run(void *argument, size_t copy, float *y, const float *x) {
  state *s = argument;
  const ffn_kernel *kernel = s->layer.kernel;
  const product *p = s->products;
  float *in = (float *)(uintptr_t)x;
  for (size_t i = 0; i < kernel->stage_count; ++i) {
    const int gated = kernel->stages[i].product == FFN_PRODUCT_UP;
    float *out = i + 1 == kernel->stage_count ? y : s->buffers[i % 2];
    for (int branch = gated; branch >= 0; --branch, ++p) {
      dnnl_exec_arg_t arguments[5];
      int count = 0;
      dnnl_memory_set_data_handle(p->in, in);
      dnnl_memory_set_data_handle(p->out, branch == 1 ? s->buffers[2] : out);
      arguments[count++] = (dnnl_exec_arg_t){DNNL_ARG_SRC, p->in};
      arguments[count++] = (dnnl_exec_arg_t){DNNL_ARG_WEIGHTS, p->weights[copy]};
      arguments[count++] = (dnnl_exec_arg_t){DNNL_ARG_DST, p->out};
      if (p->biases[copy])
        arguments[count++] = (dnnl_exec_arg_t){DNNL_ARG_BIAS, p->biases[copy]};
      if (p->up)
        arguments[count++] = (dnnl_exec_arg_t){p->up_argument, p->up};
      dnnl_primitive_execute(p->primitive, s->stream, count, arguments);
    }
    in = out;
  }
  dnnl_stream_wait(s->stream);
}

/* The shortest of a few runs on one copy of the weights. */
static double try_form(state *s, form kind) {
  return make(s, kind, 1) ? bench_shortest(run, s, &s->layer, &s->shape) : 1e30;
}

static int shape_layer(void *argument, const bench_shape *shape) {
  state *s = argument;
  omp_set_num_threads((int)shape->threads);
  if (s->count && shape->tokens == s->shape.tokens && shape->threads == s->shape.threads)
    return 1;
  s->shape = *shape;
  const double inner_product = try_form(s, INNER_PRODUCT), matmul = try_form(s, MATMUL);
  return make(s, inner_product < matmul ? INNER_PRODUCT : MATMUL, s->layer.copies);
}

const bench_peer peer = {.name = "onednn",
                         .version = version,
                         .open = open_layer,
                         .shape = shape_layer,
                         .run = run,
                         .close = close_state};
