/* dot_toy against plain lines that know nothing of kernels: equal by memcmp. KERNELS are symbols.
 */
#include "ffn.h"
#include "ffn_slice.h"
#include "parallel_pthreads.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(name) extern const ffn_kernel name;
#include "kernels.inc.h"
#undef KERNEL

enum { MOST = 160, ROWS = 19 };

/* ---- The reference ------------------------------------------------------------------------ */
typedef struct group {
  int q[32];
  float scale;
} group;

static group quantised(const float *x) {
  group g;
  float most = 0;
  for (int k = 0; k < 32; k++)
    most = fmaxf(most, fabsf(x[k]));
  const float inverse = most > 0 ? 127 / most : 0;
  for (int k = 0; k < 32; k++) {
    const float q = x[k] * inverse;
    g.q[k] = (int)(q + (q < 0 ? -0.5f : 0.5f));
  }
  g.scale = most / 127;
  return g;
}

static float dot(const float *w, const float *x, size_t inputs, size_t k_block) {
  float total = 0;
  for (size_t first = 0; first < inputs; first += k_block) {
    float acc = 0;
    for (size_t k = first; k < inputs && k < first + k_block; k += 32) {
      const group a = quantised(w + k), b = quantised(x + k);
      int64_t sum = 0;
      for (int i = 0; i < 32; i++)
        sum += a.q[i] * b.q[i];
      const float t = (float)sum * a.scale;
      acc = fmaf(t, b.scale, acc);
    }
    total = first ? total + acc : acc;
  }
  return total;
}

static void layer(float *y, const ffn_kernel *k, float *const *w, float *const *bias,
                  const float *x) {
  float in[MOST], out[MOST];
  memcpy(in, x, k->inputs * sizeof *x);
  for (size_t s = 0; s < k->stage_count; s++) {
    const ffn_stage *stage = &k->stages[s];
    for (size_t o = 0; o < stage->outputs; o++) {
      const float sum = dot(w[s] + o * stage->inputs, in, stage->inputs, stage->k_block);
      out[o] = k->bias ? sum + bias[s][o] : sum;
      if (stage->activation == FFN_ACT_RELU) /* and NaN and zeros as they are there */
        out[o] = out[o] < 0 ? 0 : out[o];
      if (stage->product == FFN_PRODUCT_INPUT)
        out[o] = in[o] * out[o];
    }
    memcpy(in, out, sizeof in);
  }
  memcpy(y, out, k->outputs * sizeof *y);
}
/* ------------------------------------------------------------------------------------------- */

/* Whether a query finds a kernel by its arithmetic, and none by another. */
static int found(const ffn_kernel *k) {
  const ffn_stage *first = &k->stages[0], *last = &k->stages[k->stage_count - 1];
  ffn_query query;
  memset(&query, 0, sizeof query);
  query.kind = k->kind, query.variant = k->variant, query.bias = k->bias, query.cpu = ffn_cpu();
  query.d_model = k->inputs, query.d_ff = k->hidden, query.d_out = k->outputs;
  query.hidden_format = first->format, query.hidden_arithmetic = first->arithmetic;
  if (k->stage_count > 1)
    query.down_format = last->format, query.down_arithmetic = last->arithmetic;
  const int by_its_own = ffn_find(&query) == k;
  query.hidden_arithmetic = FFN_ARITHMETIC_FMA_F32;
  return by_its_own && first->arithmetic == FFN_ARITHMETIC_DOT_TOY && !ffn_find(&query);
}

/* Whether nothing is promised that holds for f32 alone: no bound. */
static int promises_less(const ffn_kernel *k, const ffn_weights *weights, const float *x) {
  double exact[MOST], bound[MOST];
  void *scratch = ffn_alloc(ffn_reference_bytes(k));
  int known = 0;
  ffn_reference(k, exact, bound, x, k->inputs, 1, weights, scratch);
  ffn_free(scratch);
  for (size_t o = 0; o < k->outputs; o++)
    known += isfinite(bound[o]) || !isfinite(exact[o]);
  return known == 0;
}

/* Rows by a slice of all columns, by way of what would be gathered. */
static void run_slice(const ffn_kernel *k, float *y, const float *x, size_t rows,
                      const ffn_weights *weights) {
  const ffn_exchange alone = {.ranks = 1};
  const size_t bytes = ffn_slice_work_bytes(k, 1, rows, 1);
  void *packed = ffn_alloc(ffn_slice_bytes(k, 0, 1)), *work = ffn_alloc(bytes);
  ffn_pack_slice(k, packed, weights, 0, 1);
  ffn_run_slice(k, y, k->outputs, x, k->inputs, rows, packed, work, bytes, NULL, &alone);
  ffn_free(packed), ffn_free(work);
}

static uint32_t state = 1;
static float any(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / (1 << 23) - 1;
}

int main(void) {
  static const ffn_kernel *const kernels[] = {
#define KERNEL(name) &name,
#include "kernels.inc.h"
  };
  static float w_0[MOST * MOST], w_1[MOST * MOST], b_0[MOST], b_1[MOST];
  static float x[ROWS * MOST], y[ROWS * MOST], z[ROWS * MOST];
  float *const w[] = {w_0, w_1}, *const b[] = {b_0, b_1};
  int wrong = 0;
  unsigned long compared = 0;
  for (size_t i = 0; i < MOST * MOST; i++)
    w_0[i] = any(), w_1[i] = any() * (i / 32 % 7 ? 1 : 0);
  for (size_t i = 0; i < MOST; i++)
    b_0[i] = any(), b_1[i] = any();
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    const ffn_kernel *k = kernels[i];
    if (!found(k))
      printf("%s: not found\n", k->name), wrong++;
    ffn_linear chain[2];
    ffn_weights weights;
    memset(chain, 0, sizeof chain), memset(&weights, 0, sizeof weights);
    for (size_t s = 0; s < k->stage_count; s++)
      chain[s].weight = w[s], chain[s].bias = k->bias ? b[s] : NULL;
    weights.chain = chain;
    weights.gate = weights.up = chain[0], weights.down = chain[1];
    void *packed = ffn_alloc(k->packed_bytes);
    k->pack(packed, &weights);
    for (size_t o = 0; o < k->inputs; o++)
      x[o] = any();
    if (!promises_less(k, &weights, x))
      printf("%s: a bound\n", k->name), wrong++;
    static const size_t rows[] = {1, 5, ROWS};
    for (size_t r = 0; r < 3; r++)
      for (size_t threads = 1; threads <= 3; threads++) {
        ffn_pool *pool = ffn_pool_create(threads);
        const ffn_parallel parallel = ffn_pool_parallel(pool);
        const size_t bytes = ffn_work_bytes(k, threads, rows[r]);
        void *work = ffn_alloc(bytes);
        for (size_t t = 0; t < ROWS * k->inputs; t++)
          x[t] = any() * (t / 32 % 5 ? 1 : 0);
        for (size_t t = 0; t < rows[r]; t++)
          layer(z + t * k->outputs, k, w, b, x + t * k->inputs);
        ffn_run(k, y, k->outputs, x, k->inputs, rows[r], packed, work, bytes, &parallel);
        if (memcmp(y, z, rows[r] * k->outputs * sizeof *y) != 0)
          printf("%s: %zu rows, %zu threads\n", k->name, rows[r], threads), wrong++;
        run_slice(k, y, x, rows[r], &weights);
        if (memcmp(y, z, rows[r] * k->outputs * sizeof *y) != 0)
          printf("%s: %zu rows, in a slice\n", k->name, rows[r]), wrong++;
        compared++;
        ffn_free(work), ffn_pool_destroy(pool);
      }
    ffn_free(packed);
  }
  printf("%lu compared, %d wrong\n", compared, wrong);
  return wrong != 0;
}
