/* A step of training an FFN, for step.py, which times it beside PyTorch's: forward, the gradients
 * of everything for a given dy, descent along those of the weights, packing. step.sh compiles it.
 */
#include "ffn_train.h"
#include "parallel_pthreads.h"

/* Up, its bias, down, its bias, one behind the other: weights, then gradients. */
typedef struct step_arrays {
  float *weights, *gradients, *x, *dx, *y, *dy;
} step_arrays;

static const ffn_kernel *kernel;
static const ffn_training *training;
static void *packed, *saved, *work;
static ffn_pool *pool;
static size_t rows;

static ffn_weights weights_at(const float *w) {
  const size_t d = kernel->inputs, f = kernel->hidden;
  return (ffn_weights){.up = {.weight = w, .bias = w + d * f},
                       .down = {.weight = w + d * f + f, .bias = w + 2 * d * f + f}};
}

/* How many weights there are; 0 where no kernel runs here, or no memory is left. */
size_t step_open(const float *weights, size_t tokens, size_t threads);
size_t step_open(const float *weights, size_t tokens, size_t threads) {
  kernel = ffn_find_layer("ffn_gelu_tanh_bias_d768_f3072_f32", ffn_cpu());
  training = ffn_training_of(kernel);
  if (!training)
    return 0;
  const size_t d = kernel->inputs, f = kernel->hidden;
  rows = tokens;
  pool = threads > 1 ? ffn_pool_create(threads) : NULL;
  packed = ffn_alloc(training->packed_bytes), saved = ffn_alloc(ffn_saved_bytes(training, tokens));
  work = ffn_alloc(ffn_train_work_bytes(training, threads));
  if (!packed || !saved || !work || (threads > 1 && !pool))
    return 0;
  const ffn_weights w = weights_at(weights);
  training->pack_train(packed, &w);
  return 2 * d * f + f + d;
}

void step_take(const step_arrays *a, float rate);
void step_take(const step_arrays *a, float rate) {
  const size_t d = kernel->inputs, f = kernel->hidden, count = 2 * d * f + f + d;
  const ffn_parallel of_pool = pool ? ffn_pool_parallel(pool) : (ffn_parallel){NULL, NULL, 0};
  const ffn_parallel *parallel = pool ? &of_pool : NULL;
  float *g = a->gradients;
  const ffn_gradients to = {.dx = a->dx,
                            .dx_stride = d,
                            .up = {g, g + d * f},
                            .down = {g + d * f + f, g + 2 * d * f + f}};
  ffn_run_train(training, a->y, d, a->x, d, rows, saved, packed, work, NULL, parallel);
  ffn_grad(training, &to, a->dy, d, a->x, d, rows, saved, packed, work, NULL, parallel);
  for (size_t i = 0; i < count; i++)
    a->weights[i] -= rate * g[i];
  const ffn_weights w = weights_at(a->weights);
  training->pack_train(packed, &w);
}
