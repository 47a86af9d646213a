/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * The reference of gradients: every layer backwards by plain loops in double, and the error bound
 * of its kernels. Like reference.c it shares no code with them; pairs (v, d) are its pairs.
 *
 *   slope     t, a derivative by s, up or a parameter: dt = spread(s, ds) + error 2^-24 + 2^-149
 *             + (|t| + 1) 2^-50; spread covers both sides of a kink within ds. Of a traced
 *             activation spread is the running error of the derivative's graph, and error 0
 *   products  as in reference.c; with what dropout multiplies, too, which is exact
 *   dx        a sum over the outputs of all branches, of all stages that read x: n = back_lengths
 *   dW, db    sums over tokens of p q (q = 1 for db), with S = sum |p q| and
 *             T = sum |p| dq + |q| dp + dp dq: d = T + (gamma(n) + (tokens + 2) 2^-53) (S + T)
 *             + tokens 2^-149, n = min(tokens, FFN_TOKEN_BLOCK) + blocks of tokens - 1;
 *             infinite where part of the sum may overflow f32 */
#include "ffn_train.h"

#include "exact.h"
/*@ end */

#if !defined(FFN_NO_MAIN) || defined(FFN_REFERENCE)
#include <assert.h>
#include <math.h>

FFN_EXACT_BEGIN

/*@ arithmetic */
#include "reference.h"
/*@ end */

/*@ traced_derivatives */
#define FFN_TRACED
#include "derivatives.inc"
#undef FFN_TRACED
/*@ end */

/* The rows of derivatives.inc are told apart by activation and variable. */
enum { VARIABLES = FFN_BY_PARAMETER + FFN_MAX_PARAMETERS };

double ffn_derivative_value(
    ffn_activation activation, int by, double x, double up, const float *parameters) {
  (void)x, (void)up, (void)parameters;
  switch ((int)activation * VARIABLES + by) {
#define FFN_DERIVATIVE(NAME, own, derivative, spread, error) \
  case (int)FFN_ACT_##NAME *VARIABLES + (own): \
    return derivative;
/*@ derivatives */
#include "derivatives.inc"
/*@ end */
#undef FFN_DERIVATIVE
  }
  return (double)NAN;
}

double ffn_derivative_bound(ffn_activation activation, int by, double x, double dx, double up,
    double dup, const float *parameters) {
  const double value = ffn_derivative_value(activation, by, x, up, parameters);
  (void)dx, (void)dup;
  switch ((int)activation * VARIABLES + by) {
#define FFN_DERIVATIVE(NAME, own, derivative, spread, error) \
  case (int)FFN_ACT_##NAME *VARIABLES + (own): \
    return (spread) + (error)*0x1p-24 + 0x1p-149 + (fabs(value) + 1) * 0x1p-50;
/*@ derivatives */
#include "derivatives.inc"
/*@ end */
#undef FFN_DERIVATIVE
  }
  return (double)NAN;
}

/* A sum that may have overflowed may be a NaN, whose derivative is none, bounded or not. */
static double unsure(pair s) { return s.d <= (double)FLT_MAX ? 0 : (double)INFINITY; }

static pair slope(const ffn_stage *stage, int by, const float *parameters, pair x, pair up) {
  const ffn_activation a = stage->activation;
  return within_f32(ffn_derivative_value(a, by, x.v, up.v, parameters),
      ffn_derivative_bound(a, by, x.v, x.d, up.v, up.d, parameters), unsure(x) + unsure(up));
}

/* The layer of one row forwards and backwards: pairs for each stage. */
typedef struct row {
  pair *in[FFN_MAX_STAGES + 1]; /* the inputs of a stage; the last one's outputs */
  pair *sums[FFN_MAX_STAGES]; /* [branch][output] */
  pair *gradients[FFN_MAX_STAGES]; /* of the sums */
  pair *arrives; /* the gradient of a stage's results, then of its inputs */
} row;

/* Whether all stages read x, and give an output each, side by side. */
static int gives_several(const ffn_training *training) {
  return training->stages[training->stage_count - 1].outputs != training->outputs;
}

static size_t widest_row(const ffn_training *training) {
  size_t width = training->inputs > training->outputs ? training->inputs : training->outputs;
  for (size_t s = 0; s < training->stage_count; s++)
    if (width < training->stages[s].outputs)
      width = training->stages[s].outputs;
  return width;
}

/* Lays a row out in scratch. */
static void lay_out(row *r, const ffn_training *training, pair *scratch) {
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
  for (size_t s = 1; s < training->stage_count && gives_several(training); s++)
    r->in[s] = r->in[0];
  r->arrives = scratch + at + training->outputs;
}

size_t ffn_reference_grad_bytes(const ffn_training *training) {
  if (!training)
    return 0;
  size_t pairs = training->outputs + 2 * widest_row(training);
  for (size_t s = 0; s < training->stage_count; s++)
    pairs +=
        training->stages[s].inputs + 2 * training->stages[s].branches * training->stages[s].outputs;
  return pairs * sizeof(pair);
}

/* A value times what dropout multiplies element `o` of a token's results of stage s with. */
static pair drop(const ffn_training *training, const ffn_dropout *dropout, size_t s, size_t t,
    size_t o, pair p) {
  for (size_t i = 0; dropout && i < training->dropout_count; i++)
    if (training->dropouts[i].stage == s) {
      const pair factor = {(double)ffn_dropout_factor(training, i, dropout, t, o), 0};
      return multiply(p, factor);
    }
  return p;
}

/* The sum of the other branch at the place of an output; 0 where there is none. */
static pair up_of(const row *r, const ffn_stage *stage, size_t s, size_t o) {
  const pair none = {0, 0};
  return stage->branches > 1 ? r->sums[s][stage->outputs + o] : none;
}

/* Token t, from its inputs to the last one's outputs. */
static void forwards(row *r, const ffn_training *training, const ffn_weights *weights,
    const ffn_dropout *dropout, size_t t) {
  pair *beside = gives_several(training) ? r->in[training->stage_count] : NULL;
  for (size_t s = 0; s < training->stage_count; s++) {
    const ffn_stage *stage = &training->stages[s];
    const float *parameters = ffn_stage_parameters(stage, weights);
    for (size_t b = 0; b < stage->branches; b++)
      for (size_t o = 0; o < stage->outputs; o++)
        r->sums[s][b * stage->outputs + o] =
            sum(stage, ffn_stage_linear(training->stages, weights, s, b), o, r->in[s]);
    for (size_t o = 0; o < stage->outputs; o++) {
      pair *out = beside ? beside++ : &r->in[s + 1][o];
      const pair up = up_of(r, stage, s, o);
      *out = activate(stage, parameters, r->sums[s][o], up);
      if (stage->product == FFN_PRODUCT_UP)
        *out = multiply(*out, up);
      if (stage->product == FFN_PRODUCT_INPUT)
        *out = multiply(*out, r->in[s][o]);
      *out = drop(training, dropout, s, t, o, *out);
    }
  }
}

/* One token's p q. */
static void add(ffn_reference_array to, size_t i, pair p, pair q, double relative) {
  const double size = fabs(p.v * q.v), spread = fabs(p.v) * q.d + fabs(q.v) * p.d + p.d * q.d;
  to.value[i] += p.v * q.v;
  to.bound[i] += (spread + relative * (size + spread) + 0x1p-149) * (1 + (double)0x1p-26);
  /* bound / relative is no less than all terms' sizes, so than any part of their sum */
  if (!(to.bound[i] <= relative * (double)FLT_MAX))
    to.bound[i] = (double)INFINITY;
}

/* From the gradient of a stage's results to those of its sums, and of parameters that it learns. */
static void of_sums(row *r, const ffn_stage *stage, size_t s, const float *parameters,
    ffn_reference_array to, double relative) {
  for (size_t o = 0; o < stage->outputs; o++) {
    const pair arrives = r->arrives[o], t = r->sums[s][o], up = up_of(r, stage, s, o);
    const size_t other = stage->outputs + o;
    pair inner = arrives;
    if (stage->product == FFN_PRODUCT_UP) {
      inner = multiply(arrives, up);
      r->gradients[s][other] = multiply(arrives, activate(stage, parameters, t, up));
    }
    if (stage->product == FFN_PRODUCT_BOTH)
      r->gradients[s][other] = multiply(arrives, slope(stage, FFN_BY_UP, parameters, t, up));
    if (stage->product == FFN_PRODUCT_INPUT)
      inner = multiply(arrives, r->in[s][o]);
    for (size_t p = 0; to.value && !stage->parameters_fixed && p < stage->parameter_count; p++)
      add(to, p, inner, slope(stage, FFN_BY_PARAMETER + (int)p, parameters, t, up), relative);
    if (stage->activation != FFN_ACT_IDENTITY)
      inner = multiply(inner, slope(stage, FFN_BY_X, parameters, t, up));
    r->gradients[s][o] = inner;
  }
}

/* The gradient of input k of stage s, or of all stages from it on to the last, which read it. */
static pair of_input(const row *r, const ffn_training *training, const ffn_weights *weights,
    size_t s, size_t last, size_t k) {
  const ffn_stage *stage = &training->stages[s];
  double v = 0, size = 0, spread = 0;
  size_t terms = 1;
  for (size_t i = s; i <= last; i++) {
    const ffn_stage *reader = &training->stages[i];
    terms += reader->branches * reader->outputs;
    for (size_t b = 0; b < reader->branches; b++) {
      const ffn_linear *linear = ffn_stage_linear(training->stages, weights, i, b);
      for (size_t o = 0; o < reader->outputs; o++) {
        const pair *g = &r->gradients[i][b * reader->outputs + o];
        const double weight = ffn_linear_value(reader, linear, o, k);
        v += g->v * weight;
        size += fabs(g->v * weight);
        spread += g->d * fabs(weight);
      }
    }
  }
  if (stage->product == FFN_PRODUCT_INPUT) {
    const float *parameters = ffn_stage_parameters(stage, weights);
    const pair a = activate(stage, parameters, r->sums[s][k], up_of(r, stage, s, k)),
               g = r->arrives[k];
    v += g.v * a.v;
    size += fabs(g.v * a.v);
    spread += fabs(g.v) * a.d + fabs(a.v) * g.d + g.d * a.d;
  }
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
  default:
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

static void take(pair *to, const float *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i].v = (double)from[i], to[i].d = 0;
}

static void clear(ffn_reference_array to, size_t count) {
  assert(!to.value == !to.bound);
  for (size_t i = 0; to.value && i < count; i++)
    to.value[i] = to.bound[i] = 0;
}

/* One token, from the gradient of the results, which has arrived, to that of x, which then has. */
static void backwards(row *r, const ffn_training *training, const ffn_reference_gradients *to,
    const ffn_weights *weights, const ffn_dropout *dropout, size_t t, double relative,
    double of_parameters) {
  const ffn_stage *stages = training->stages;
  const int several = gives_several(training);
  const size_t last = training->stage_count - 1;
  pair *const arrives = r->arrives, *const next = arrives + widest_row(training);
  r->arrives += several ? training->outputs : 0;
  for (size_t s = training->stage_count; s-- > 0;) {
    r->arrives = several ? r->arrives - stages[s].outputs : arrives;
    for (size_t o = 0; o < stages[s].outputs; o++)
      r->arrives[o] = drop(training, dropout, s, t, o, r->arrives[o]);
    of_sums(
        r, &stages[s], s, ffn_stage_parameters(&stages[s], weights), to->parameters, of_parameters);
    of_weights(r, stages, to, s, relative);
    if (several && s > 0)
      continue;
    for (size_t k = 0; k < stages[s].inputs; k++)
      next[k] = of_input(r, training, weights, s, several ? last : s, k);
    for (size_t k = 0; k < stages[s].inputs; k++)
      arrives[k] = next[k];
  }
  r->arrives = arrives;
}

void ffn_reference_grad(const ffn_training *training, const ffn_reference_gradients *to,
    const float *dy, size_t dy_stride, const float *x, size_t x_stride, size_t tokens,
    const ffn_weights *weights, const ffn_dropout *dropout, void *scratch) {
  assert(training && to && weights && is_scratch(scratch));
  assert(!to->dx.value == !to->dx.bound && (tokens == 0 || (dy && x)));
  const ffn_stage *stages = training->stages;
  const size_t blocks = (tokens + FFN_TOKEN_BLOCK - 1) / FFN_TOKEN_BLOCK;
  const size_t longest = tokens < FFN_TOKEN_BLOCK ? tokens : FFN_TOKEN_BLOCK;
  const double relative = rounding(longest + blocks, tokens);
  /* A token's values go into 16 sums, these into one, and this to those of other stages. */
  const size_t folds = widest_row(training) / 16 + 6 + training->stage_count;
  const double of_parameters = rounding(folds + longest + blocks, tokens * widest_row(training));
  row r;
  lay_out(&r, training, (pair *)scratch);
  for (size_t s = 0; s < training->stage_count; s++)
    for (size_t b = 0; b < stages[s].branches; b++) {
      const ffn_reference_linear *linear = linear_of(stages, to, s, b);
      clear(linear->weight, stages[s].outputs * stages[s].inputs);
      clear(linear->bias, stages[s].outputs);
    }
  clear(to->parameters, training->runtime_parameters);
  for (size_t t = 0; t < tokens; t++) {
    take(r.in[0], x + t * x_stride, training->inputs);
    forwards(&r, training, weights, dropout, t);
    take(r.arrives, dy + t * dy_stride, training->outputs);
    backwards(&r, training, to, weights, dropout, t, relative, of_parameters);
    for (size_t k = 0; to->dx.value && k < training->inputs; k++) {
      to->dx.value[t * training->inputs + k] = r.arrives[k].v;
      to->dx.bound[t * training->inputs + k] = r.arrives[k].d * (1 + (double)0x1p-26);
    }
  }
}

void ffn_reference_train(const ffn_training *training, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, const ffn_dropout *dropout,
    void *scratch) {
  assert(training && weights && is_scratch(scratch) && (tokens == 0 || x));
  row r;
  lay_out(&r, training, (pair *)scratch);
  for (size_t t = 0; t < tokens; t++) {
    take(r.in[0], x + t * x_stride, training->inputs);
    forwards(&r, training, weights, dropout, t);
    const pair *out = r.in[training->stage_count];
    for (size_t o = 0; o < training->outputs; o++) {
      if (y)
        y[t * training->outputs + o] = out[o].v;
      if (bound)
        bound[t * training->outputs + o] = out[o].d * (1 + (double)0x1p-26);
    }
  }
}

FFN_EXACT_END
#endif
