/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * The reference of gradients: every layer backwards by plain loops in double, and the error bound
 * of its kernels. Like reference.c it shares no code with them; pairs (v, d) are its pairs.
 *
 *   slope     t = act'(s): dt = spread(s, ds) + slope_error 2^-24 + 2^-149 + (|t| + 1) 2^-50
 *             (spread covers both sides of a kink within ds)
 *   products  as in reference.c
 *   dx        a sum over the outputs of all branches: n = back_lengths
 *   dW, db    sums over tokens of p q (q = 1 for db), with S = sum |p q| and
 *             T = sum |p| dq + |q| dp + dp dq: d = T + (gamma(n) + (tokens + 2) 2^-53) (S + T)
 *             + tokens 2^-149, n = min(tokens, FFN_TOKEN_BLOCK) + blocks of tokens - 1 */
#include "ffn_train.h"
#include "reference.h"

double ffn_derivative_value(ffn_activation activation, double x, double beta) {
  (void)beta;
  switch (activation) {
#define FFN_DERIVATIVE(NAME, slope, spread, error, turn, turn_spread, turn_error) \
  case FFN_ACT_##NAME: \
    return slope;
#include "derivatives.inc"
#undef FFN_DERIVATIVE
  case FFN_ACTIVATION_COUNT:
    break;
  }
  return NAN;
}

double ffn_derivative_spread(ffn_activation activation, double x, double dx, double beta) {
  (void)x, (void)beta;
  switch (activation) {
#define FFN_DERIVATIVE(NAME, slope, spread, error, turn, turn_spread, turn_error) \
  case FFN_ACT_##NAME: \
    return spread;
#include "derivatives.inc"
#undef FFN_DERIVATIVE
  case FFN_ACTIVATION_COUNT:
    break;
  }
  return NAN;
}

/* Of the kernels' derivative, in 2^-24. */
static double slope_error(ffn_activation activation) {
  static const double errors[] = {
#define FFN_DERIVATIVE(NAME, slope, spread, error, turn, turn_spread, turn_error) error,
#include "derivatives.inc"
#undef FFN_DERIVATIVE
  };
  return errors[activation];
}

static pair slope(const ffn_stage *stage, double beta, pair s) {
  const double t = ffn_derivative_value(stage->activation, s.v, beta);
  const double spread = ffn_derivative_spread(stage->activation, s.v, s.d, beta);
  const double own = slope_error(stage->activation) * 0x1p-24 + 0x1p-149;
  return within_f32(t, spread + own + (fabs(t) + 1) * 0x1p-50, 0);
}

/* The derivative by beta, of an activation that takes one. */
static pair turn_of(const ffn_stage *stage, double beta, pair s) {
  const double x = s.v, dx = s.d;
  double turn = 0, moves = 0, off = 0;
  (void)x, (void)dx, (void)beta;
  switch (stage->activation) {
#define FFN_DERIVATIVE(NAME, slope, spread, error, by_beta, turn_spread, turn_error) \
  case FFN_ACT_##NAME: \
    turn = by_beta; \
    moves = turn_spread; \
    off = turn_error; \
    break;
#include "derivatives.inc"
#undef FFN_DERIVATIVE
  case FFN_ACTIVATION_COUNT:
    break;
  }
  const double own = off * 0x1p-24 + 0x1p-149 + fabs(turn) * 0x1p-50;
  return within_f32(turn, moves + own, 0);
}

/* Relative error of n roundings in f32 and `terms` sums in double. */
static double rounding(size_t n, size_t terms) {
  const double g = (double)n * 0x1p-24;
  return g < 1 ? g / (1 - g) + ((double)terms + 2) * 0x1p-53 : (double)INFINITY;
}

/* The layer of one row forwards and backwards: pairs for each stage. */
typedef struct row {
  pair *in[FFN_MAX_STAGES + 1]; /* the inputs of a stage; the last one's outputs */
  pair *sums[FFN_MAX_STAGES]; /* [branch][output] */
  pair *gradients[FFN_MAX_STAGES]; /* of the sums */
  pair *arrives; /* the gradient of a stage's results, then of its inputs */
} row;

static size_t widest(const ffn_training *training) {
  size_t width = training->inputs;
  for (size_t s = 0; s < training->stage_count; s++)
    if (width < training->stages[s].outputs)
      width = training->stages[s].outputs;
  return width;
}

/* Lays a row out in scratch; returns how many pairs that takes. */
static size_t lay_out(row *r, const ffn_training *training, pair *scratch) {
  size_t at = 0;
  for (size_t s = 0; s < training->stage_count; s++) {
    const ffn_stage *stage = &training->stages[s];
    const size_t sums = stage->branches * stage->outputs;
    r->in[s] = scratch + at;
    r->sums[s] = scratch + at + stage->inputs;
    r->gradients[s] = r->sums[s] + sums;
    at += stage->inputs + 2 * sums;
  }
  r->in[training->stage_count] = scratch + at;
  r->arrives = scratch + at + training->outputs;
  return at + training->outputs + 2 * widest(training);
}

size_t ffn_reference_grad_bytes(const ffn_training *training) {
  pair nowhere;
  row r;
  return lay_out(&r, training, &nowhere) * sizeof(pair);
}

static double beta_of(const ffn_stage *stage, const ffn_weights *weights) {
  return fabsf(stage->beta) > 0 ? stage->beta : weights->beta;
}

static void forwards(row *r, const ffn_training *training, const ffn_weights *weights) {
  for (size_t s = 0; s < training->stage_count; s++) {
    const ffn_stage *stage = &training->stages[s];
    const double beta = beta_of(stage, weights);
    for (size_t b = 0; b < stage->branches; b++)
      for (size_t o = 0; o < stage->outputs; o++)
        r->sums[s][b * stage->outputs + o] =
            sum(stage, ffn_stage_linear(training->stages, weights, s, b), o, r->in[s]);
    for (size_t o = 0; o < stage->outputs; o++) {
      pair *out = &r->in[s + 1][o];
      *out = activate(stage, beta, r->sums[s][o]);
      if (stage->product == FFN_PRODUCT_UP)
        *out = multiply(*out, r->sums[s][stage->outputs + o]);
      if (stage->product == FFN_PRODUCT_INPUT)
        *out = multiply(*out, r->in[s][o]);
    }
  }
}

/* One token's p q. */
static void add(ffn_reference_array to, size_t i, pair p, pair q, double relative) {
  const double size = fabs(p.v * q.v), spread = fabs(p.v) * q.d + fabs(q.v) * p.d + p.d * q.d;
  to.value[i] += p.v * q.v;
  to.bound[i] += (spread + relative * (size + spread) + 0x1p-149) * (1 + 0x1p-26);
}

/* From the gradient of a stage's results to those of its sums, and of beta. */
static void of_sums(row *r, const ffn_stage *stage, size_t s, double beta,
    ffn_reference_array parameter, double relative) {
  for (size_t o = 0; o < stage->outputs; o++) {
    const pair arrives = r->arrives[o], t = r->sums[s][o];
    pair inner = arrives;
    if (stage->product == FFN_PRODUCT_UP) {
      inner = multiply(arrives, r->sums[s][stage->outputs + o]);
      r->gradients[s][stage->outputs + o] = multiply(arrives, activate(stage, beta, t));
    }
    if (stage->product == FFN_PRODUCT_INPUT)
      inner = multiply(arrives, r->in[s][o]);
    if (parameter.value && !(fabsf(stage->beta) > 0))
      add(parameter, 0, inner, turn_of(stage, beta, t), relative);
    if (stage->activation != FFN_ACT_IDENTITY)
      inner = multiply(inner, slope(stage, beta, t));
    r->gradients[s][o] = inner;
  }
}

/* The gradient of input k of a stage. */
static pair of_input(
    const row *r, const ffn_training *training, const ffn_weights *weights, size_t s, size_t k) {
  const ffn_stage *stage = &training->stages[s];
  double v = 0, size = 0, spread = 0;
  for (size_t b = 0; b < stage->branches; b++) {
    const float *w = ffn_stage_linear(training->stages, weights, s, b)->weight;
    for (size_t o = 0; o < stage->outputs; o++) {
      const pair *g = &r->gradients[s][b * stage->outputs + o];
      const double weight = w[o * stage->inputs + k];
      v += g->v * weight;
      size += fabs(g->v * weight);
      spread += g->d * fabs(weight);
    }
  }
  if (stage->product == FFN_PRODUCT_INPUT) {
    const pair a = activate(stage, beta_of(stage, weights), r->sums[s][k]), g = r->arrives[k];
    v += g.v * a.v;
    size += fabs(g.v * a.v);
    spread += fabs(g.v) * a.d + fabs(a.v) * g.d + g.d * a.d;
  }
  const size_t terms = stage->branches * stage->outputs + 1;
  const double d = spread + rounding(training->back_lengths[s], terms) * (size + spread);
  return within_f32(v, d + (double)terms * 0x1p-149, size + spread);
}

static const ffn_reference_linear *linear_of(
    const ffn_stage *stages, const ffn_reference_gradients *to, size_t s, size_t b) {
  static const ffn_reference_linear none = {{NULL, NULL}, {NULL, NULL}};
  switch (stages[s].matrix[b]) {
  case FFN_MATRIX_GATE:
    return &to->gate;
  case FFN_MATRIX_UP:
    return &to->up;
  case FFN_MATRIX_DOWN:
    return &to->down;
  case FFN_MATRIX_CHAIN:
    break;
  }
  return to->chain ? &to->chain[s] : &none;
}

/* One token's part of the gradients of a stage's matrices and biases. */
static void of_weights(const row *r, const ffn_stage *stages, const ffn_reference_gradients *to,
    size_t s, double relative) {
  const pair one = {1, 0};
  for (size_t b = 0; b < stages[s].branches; b++) {
    const ffn_reference_linear *linear = linear_of(stages, to, s, b);
    for (size_t o = 0; o < stages[s].outputs; o++) {
      const pair g = r->gradients[s][b * stages[s].outputs + o];
      for (size_t k = 0; linear->weight.value && k < stages[s].inputs; k++)
        add(linear->weight, o * stages[s].inputs + k, g, r->in[s][k], relative);
      if (linear->bias.value && stages[s].bias)
        add(linear->bias, o, g, one, relative);
    }
  }
}

static void clear(ffn_reference_array to, size_t count) {
  for (size_t i = 0; to.value && i < count; i++)
    to.value[i] = to.bound[i] = 0;
}

void ffn_reference_grad(const ffn_training *training, const ffn_reference_gradients *to,
    const float *dy, size_t dy_stride, const float *x, size_t x_stride, size_t tokens,
    const ffn_weights *weights, void *scratch) {
  const ffn_stage *stages = training->stages;
  const size_t blocks = (tokens + FFN_TOKEN_BLOCK - 1) / FFN_TOKEN_BLOCK;
  const size_t longest = tokens < FFN_TOKEN_BLOCK ? tokens : FFN_TOKEN_BLOCK;
  const double relative = rounding(longest + blocks, tokens);
  /* A token's values go into 16 sums, these into one, and this to those of other stages. */
  const size_t folds = widest(training) / 16 + 6 + training->stage_count;
  const double of_beta = rounding(folds + longest + blocks, tokens * widest(training));
  row r;
  lay_out(&r, training, (pair *)scratch);
  for (size_t s = 0; s < training->stage_count; s++)
    for (size_t b = 0; b < stages[s].branches; b++) {
      const ffn_reference_linear *linear = linear_of(stages, to, s, b);
      clear(linear->weight, stages[s].outputs * stages[s].inputs);
      clear(linear->bias, stages[s].outputs);
    }
  clear(to->beta, 1);
  for (size_t t = 0; t < tokens; t++) {
    for (size_t k = 0; k < training->inputs; k++)
      r.in[0][k].v = x[t * x_stride + k], r.in[0][k].d = 0;
    forwards(&r, training, weights);
    for (size_t o = 0; o < training->outputs; o++)
      r.arrives[o].v = dy[t * dy_stride + o], r.arrives[o].d = 0;
    for (size_t s = training->stage_count; s-- > 0;) {
      of_sums(&r, &stages[s], s, beta_of(&stages[s], weights), to->beta, of_beta);
      of_weights(&r, stages, to, s, relative);
      pair *next = r.arrives + widest(training);
      for (size_t k = 0; k < stages[s].inputs; k++)
        next[k] = of_input(&r, training, weights, s, k);
      for (size_t k = 0; k < stages[s].inputs; k++)
        r.arrives[k] = next[k];
    }
    for (size_t k = 0; to->dx.value && k < training->inputs; k++) {
      to->dx.value[t * training->inputs + k] = r.arrives[k].v;
      to->dx.bound[t * training->inputs + k] = r.arrives[k].d * (1 + 0x1p-26);
    }
  }
}
