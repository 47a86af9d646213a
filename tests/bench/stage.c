/* Compiled with -O3 -march=native -ffast-math, so that the compiler makes vector code of every
 * loop, exp, tanh and erf included. What it makes is kept apart from all exact code. */
#include "stage.h"

#include <math.h>

const ffn_linear *bench_matrix(const ffn_kernel *kernel, const ffn_weights *weights, size_t stage) {
  return ffn_stage_linear(kernel->stages, weights, stage, 0);
}

float bench_beta(const ffn_stage *stage, const ffn_weights *weights) {
  return ffn_stage_parameters(stage, weights)[0];
}

size_t bench_widest(const ffn_kernel *kernel) {
  size_t widest = kernel->inputs;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    if (widest < kernel->stages[s].outputs)
      widest = kernel->stages[s].outputs;
  return widest;
}

static inline float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }

static inline float act(ffn_activation activation, float v, float beta) {
  switch (activation) {
  case FFN_ACT_IDENTITY:
    return v;
  case FFN_ACT_RELU:
    return v > 0.0f ? v : 0.0f;
  case FFN_ACT_RELU2:
    return v > 0.0f ? v * v : 0.0f;
  case FFN_ACT_GELU:
    return 0.5f * v * (1.0f + erff(v * 0.70710678f));
  case FFN_ACT_GELU_TANH:
    return v * sigmoid(1.59576912f * (v + 0.044715f * v * v * v));
  case FFN_ACT_SILU:
    return v * sigmoid(v);
  case FFN_ACT_SWISH:
    return v * sigmoid(beta * v);
  case FFN_ACT_QUICK_GELU:
    return v * sigmoid(1.702f * v);
  case FFN_ACT_SIGMOID:
    return sigmoid(v);
  case FFN_ACT_TANH:
    return tanhf(v);
  case FFN_ACT_MISH:
    return v * tanhf(log1pf(expf(v < 20.0f ? v : 20.0f)));
  default: /* no library has it */
    break;
  }
  return NAN;
}

/* One row. `activation` is a constant at each call, so each activation gets a loop of its own. */
static inline __attribute__((always_inline)) void
finish_row(const bench_epilogue *e, ffn_activation activation, float *restrict y,
           const float *restrict up, size_t columns) {
  const float beta = e->beta;
  const float *restrict bias = e->bias, *restrict up_bias = e->up_bias;
  if (up && bias)
    for (size_t c = 0; c < columns; ++c)
      y[c] = act(activation, y[c] + bias[c], beta) * (up[c] + up_bias[c]);
  else if (up)
    for (size_t c = 0; c < columns; ++c)
      y[c] = act(activation, y[c], beta) * up[c];
  else if (bias)
    for (size_t c = 0; c < columns; ++c)
      y[c] = act(activation, y[c] + bias[c], beta);
  else if (activation != FFN_ACT_IDENTITY)
    for (size_t c = 0; c < columns; ++c)
      y[c] = act(activation, y[c], beta);
}

void bench_finish(const bench_epilogue *e, float *y, size_t stride, size_t rows, size_t columns) {
  for (size_t r = 0; r < rows; ++r) {
    float *out = y + r * stride;
    const float *up = e->up ? e->up + r * e->up_stride : NULL;
    switch (e->activation) {
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope)                                     \
  case FFN_ACT_##NAME:                                                                             \
    finish_row(e, FFN_ACT_##NAME, out, up, columns);                                               \
    break;
#include "activations.inc"
#undef FFN_ACTIVATION
    default:
      break;
    }
  }
}
