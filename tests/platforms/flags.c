/* The bits of the layers of flags_layers.lua, for flags.lua: a line with what is wrong with floats,
 * then a hash for each layer and instruction set, of all that NaN, Inf, zeros, subnormals and
 * numbers on both sides of a choice become. */
#include "my.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 16, ROWS = 96, AT_ONCE = 2 };

static const float hard[] = {0.0f,  -0.0f,  1.0f,   -1.0f,   0.5f,  -0.5f,  2.0f,   -2.0f,
                             3.0f,  -3.0f,  6.0f,   -6.0f,   0.3f,  -0.3f,  0.7f,   -1.7f,
                             1e-3f, -1e-3f, 11.0f,  -11.0f,  90.0f, -90.0f, 1e-30f, -1e-30f,
                             3e38f, -3e38f, 1e-40f, -1e-40f, 1e10f, -1e10f};
enum { HARD = sizeof hard / sizeof *hard };

/* What inputs are multiplied with, one by one: some overflow, some become a zero with a sign. */
static const float scales[] = {1.0f, 1.0f, -1.0f, 0.75f, 4.0f, 1e-30f, 1.0f};
enum { SCALES = sizeof scales / sizeof *scales };

static float x[ROWS * N], y[ROWS * N], first[N * N], second[N * N];

/* FNV-1a of the bits, where all NaN are one. */
static uint64_t hash(uint64_t sum, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, values + i, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
      bits = 0x7fc00000u;
    sum = (sum ^ bits) * UINT64_C(0x100000001b3);
  }
  return sum;
}

static void make_inputs(void) {
  uint32_t state = 1;
  for (size_t i = 0; i < ROWS * N; i++) {
    state = state * 1664525u + 1013904223u;
    x[i] = i / N % 3 ? hard[(state >> 16) % HARD] : (float)(int32_t)state * 0x1p-29f;
  }
  x[5 * N + 3] = NAN;
}

/* Matrices that hand each output an input of its own, the second one half of another, too. */
static void make_weights(my_weights *weights, my_linear *chain, size_t shift) {
  memset(first, 0, sizeof first);
  memset(second, 0, sizeof second);
  for (size_t o = 0; o < N; o++) {
    const size_t k = (o + shift) % N;
    first[o * N + k] = scales[k % SCALES];
    second[o * N + k] = scales[(o * 3 + 1) % SCALES];
    second[o * N + (o + 3) % N] = o % 2 ? 0.0f : 0.5f;
  }
  memset(weights, 0, sizeof *weights);
  chain[0].weight = first;
  chain[1].weight = second;
  weights->chain = chain;
  weights->gate.weight = first;
  weights->up.weight = second;
  for (size_t i = 0; i < MY_MAX_PARAMETERS; i++)
    weights->parameters[i] = 1.25f - 0.25f * (float)i;
}

static uint64_t run(const my_kernel *kernel, uint64_t sum, const my_weights *weights) {
  const size_t bytes = my_work_bytes(kernel, 1, AT_ONCE);
  void *packed = my_alloc(kernel->packed_bytes), *work = my_alloc(bytes);
  kernel->pack(packed, weights);
  for (size_t t = 0; t < ROWS; t += AT_ONCE)
    my_run(kernel, y + t * N, N, x + t * N, N, AT_ONCE, packed, work, bytes, NULL);
  my_free(packed);
  my_free(work);
  return hash(sum, y, ROWS * N);
}

static uint64_t train(const my_training *t, uint64_t sum, const my_weights *weights) {
  static float dx[ROWS * N], dw[2][N * N], dy[ROWS * N];
  my_linear_gradient chain[2] = {{dw[0], NULL}, {dw[1], NULL}};
  my_gradients to;
  void *packed = my_alloc(t->packed_bytes), *saved = my_alloc(my_saved_bytes(t, ROWS));
  void *work = my_alloc(my_train_work_bytes(t, 1));
  memset(&to, 0, sizeof to);
  to.dx = dx;
  to.dx_stride = N;
  to.chain = chain;
  to.gate = chain[0];
  to.up = chain[1];
  for (size_t i = 0; i < ROWS * N; i++)
    dy[i] = (float)(i % 7) - 3.0f;
  t->pack_train(packed, weights);
  my_run_train(t, y, N, x, N, ROWS, saved, packed, work, NULL, NULL);
  my_grad(t, &to, dy, N, x, N, ROWS, saved, packed, work, NULL, NULL);
  my_free(packed);
  my_free(saved);
  my_free(work);
  return hash(hash(hash(sum, y, ROWS * N), dx, ROWS * N), dw[0], 2 * N * N);
}

int main(void) {
  size_t count;
  const my_kernel *const *all = my_all(&count);
  const char *problem = my_arithmetic_problem();
  puts(problem ? problem : "ok");
  make_inputs();
  for (size_t i = 0; i < count; i++) {
    const my_training *training = my_training_of(all[i]);
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    if (!(my_cpu() & 1u << all[i]->isa))
      continue;
    for (size_t shift = 0; shift < N; shift += 5) {
      my_weights weights;
      my_linear chain[MY_MAX_STAGES] = {{NULL, NULL}};
      make_weights(&weights, chain, shift);
      sum = run(all[i], sum, &weights);
      if (training)
        sum = train(training, sum, &weights);
    }
    printf("%s %016" PRIx64 "\n", all[i]->layer, sum);
  }
  return 0;
}
