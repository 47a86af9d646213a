/* What goes forward comes back: <dy, J u> = <J' dy, u> for a direction u in x, in each matrix, bias
 * and parameter. J u is carried forward in double, with slopes that differences of activations'
 * values give, so it shares nothing with backward's reference but its bound. J' dy is grad()'s. */
#include "support/each.h"
#include "support/rng.h"
#include "support/training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number, its change along the direction, and how far that may be off. */
typedef struct moving {
  double v, t, e;
} moving;

/* The directions: of x, then of what test_model has, NULL where it stays. */
typedef struct direction {
  const float *x, *weight[FFN_MAX_STAGES * FFN_MAX_BRANCHES],
      *bias[FFN_MAX_STAGES * FFN_MAX_BRANCHES];
  const float *parameters;
} direction;

/* An activation's value where one of its arguments is moved, by x, up or a parameter. */
static double value(const ffn_stage *stage, const test_model *model, double s, double up, int by,
                    double step) {
  float parameters[FFN_MAX_PARAMETERS];
  memcpy(parameters, ffn_stage_parameters(stage, &model->weights), sizeof parameters);
  if (by >= FFN_BY_PARAMETER)
    parameters[by - FFN_BY_PARAMETER] += (float)step;
  return ffn_activation_value(stage->activation, s + (by == FFN_BY_X ? step : 0),
                              up + (by == FFN_BY_UP ? step : 0), parameters);
}

/* The slope by a step to either side, three of them extrapolated twice: of several scales that with
 * the least difference between the two, which bounds what is left. A parameter is an f32: its steps
 * are so large that it is moved by no other. */
static moving slope(const ffn_stage *stage, const test_model *model, double s, double up, int by) {
  moving best = {0, 0, INFINITY};
  const double here = fabs(value(stage, model, s, up, by, 0)) + fabs(s) + fabs(up);
  for (int scale = 6; scale <= (by >= FFN_BY_PARAMETER ? 18 : 28); scale += 4) {
    double rough[3];
    for (int i = 0; i < 3; i++) {
      const double h = ldexp(1, -scale - i);
      rough[i] = (value(stage, model, s, up, by, h) - value(stage, model, s, up, by, -h)) / (2 * h);
    }
    const double first = (4 * rough[1] - rough[0]) / 3, second = (4 * rough[2] - rough[1]) / 3;
    const double off = fabs(second - first) + ldexp(here, scale - 48);
    if (off < best.e)
      best = (moving){0, second, off};
  }
  return best;
}

static moving times(moving p, moving q) {
  const double t = p.v * q.t + p.t * q.v;
  return (moving){p.v * q.v, t, fabs(p.v) * q.e + fabs(q.v) * p.e + fabs(t) * 0x1p-48};
}

/* Adds what moving one argument by t, which may be off by e, comes to. */
static void add(moving *a, moving by, double t, double e) {
  a->t += by.t * t;
  a->e += fabs(by.t) * e + fabs(t) * by.e;
}

static moving activated(const ffn_stage *stage, const test_model *model, const direction *u,
                        moving s, moving up) {
  moving a = {value(stage, model, s.v, up.v, FFN_BY_X, 0), 0, 0};
  add(&a, slope(stage, model, s.v, up.v, FFN_BY_X), s.t, s.e);
  if (stage->product == FFN_PRODUCT_BOTH)
    add(&a, slope(stage, model, s.v, up.v, FFN_BY_UP), up.t, up.e);
  for (size_t p = 0; u->parameters && !stage->parameters_fixed && p < stage->parameter_count; p++)
    add(&a, slope(stage, model, s.v, up.v, FFN_BY_PARAMETER + (int)p), u->parameters[p], 0);
  return a;
}

/* Matrix m of the model with an input. */
static moving sum(const test_model *model, const direction *u, size_t m, size_t o,
                  const moving *in) {
  const test_matrix *matrix = &model->matrices[m];
  moving s = {0, 0, 0};
  double size = 0;
  for (size_t k = 0; k < matrix->inputs; k++) {
    const size_t at = o * matrix->inputs + k;
    const double w = matrix->weight[at], turned = u->weight[m] ? u->weight[m][at] : 0;
    s.v += w * in[k].v;
    s.t += w * in[k].t + turned * in[k].v;
    s.e += fabs(w) * in[k].e;
    size += fabs(w * in[k].t) + fabs(turned * in[k].v);
  }
  if (matrix->bias) {
    s.v += matrix->bias[o];
    s.t += u->bias[m] ? u->bias[m][o] : 0;
  }
  s.e += size * 0x1p-42;
  return s;
}

/* What dropout leaves of a stage's results. */
static void drop(const test_model *model, size_t s, size_t token, moving *out) {
  const ffn_training *training = ffn_training_of(model->kernel);
  for (size_t p = 0; p < training->dropout_count; p++)
    for (size_t o = 0; training->dropouts[p].stage == s && o < training->stages[s].outputs; o++) {
      const moving factor = {ffn_dropout_factor(training, p, &test_dropout, token, o), 0, 0};
      out[o] = times(out[o], factor);
    }
}

/* A token through the layer: from in, as wide as the widest stage, to in. */
static void forward(const test_model *model, const direction *u, size_t token, moving *in,
                    moving *results) {
  const int several = ffn_outputs_of(model->kernel) != NULL;
  size_t before = 0; /* outputs of the stages that read the same */
  for (size_t s = 0, m = 0; s < model->kernel->stage_count; s++) {
    const ffn_stage *stage = &model->kernel->stages[s];
    moving *out = results + before;
    for (size_t o = 0; o < stage->outputs; o++) {
      const moving up = stage->branches > 1 ? sum(model, u, m + 1, o, in) : (moving){0, 0, 0};
      out[o] = activated(stage, model, u, sum(model, u, m, o, in), up);
      if (stage->product == FFN_PRODUCT_UP)
        out[o] = times(out[o], up);
      if (stage->product == FFN_PRODUCT_INPUT)
        out[o] = times(out[o], in[o]);
    }
    m += stage->branches;
    drop(model, s, token, out);
    before += several ? stage->outputs : 0;
    if (several && s + 1 < model->kernel->stage_count)
      continue;
    for (size_t o = 0; o < before + (several ? 0 : stage->outputs); o++)
      in[o] = results[o];
  }
}

/* <dy, J u>, how large its terms are, and how far it may be off. */
static moving along(const test_model *model, const direction *u, const float *x, const float *dy,
                    size_t tokens) {
  enum { WIDEST = 1024 };
  static moving in[WIDEST], out[WIDEST];
  const ffn_kernel *kernel = model->kernel;
  moving all = {0, 0, 0};
  for (size_t s = 0; s < kernel->stage_count; s++)
    cr_assert(kernel->stages[s].inputs <= WIDEST && kernel->stages[s].outputs <= WIDEST);
  for (size_t row = 0; row < tokens; row++) {
    for (size_t k = 0, at = row * kernel->inputs; k < kernel->inputs; k++, at++)
      in[k] = (moving){x[at], u->x ? u->x[at] : 0, 0};
    forward(model, u, row, in, out);
    for (size_t o = 0; o < kernel->outputs; o++) {
      const double weight = dy[row * kernel->outputs + o];
      all.v += fabs(weight * in[o].t);
      all.t += weight * in[o].t;
      all.e += fabs(weight) * in[o].e;
    }
  }
  return all;
}

/* The direction along one array of gradients. */
static direction direction_of(const test_gradients *gradients, size_t g, const float *values) {
  direction u = {.x = NULL};
  if (gradients->all[g].where == &gradients->to.dx)
    u.x = values;
  else if (gradients->all[g].where == &gradients->to.parameters)
    u.parameters = values;
  else {
    size_t m;
    char kind[8];
    cr_assert(sscanf(gradients->all[g].name, "%7s %zu", kind, &m) == 2);
    *(*kind == 'm' ? &u.weight[m] : &u.bias[m]) = values;
  }
  return u;
}

static void check(const test_gradients *gradients, const test_references *references, size_t g,
                  const float *x, const float *dy) {
  const test_gradient *one = &gradients->all[g];
  float *values = test_memory(one->count * sizeof *values);
  double back = 0, size = 0, bound = 0;
  for (size_t i = 0; i < one->count; i++) {
    values[i] = test_uniform(31 + g, i);
    back += (double)one->values[i] * values[i];
    size += fabs((double)one->values[i] * values[i]);
    bound += references->all[g].bound[i] * fabs((double)values[i]);
  }
  const direction u = direction_of(gradients, g, values);
  const moving there = along(gradients->model, &u, x, dy, gradients->tokens);
  const double own = there.e + (there.v + size) * 0x1p-42;
  /* Of few tokens next to all may be dropped, and then nothing is left to compare. */
  const int few =
      gradients->tokens < 128 && ffn_training_of(gradients->model->kernel)->dropout_count > 0;
  cr_assert(few || own <= bound / 8, "%s: %s: the way forward is too rough: %g beside %g",
            gradients->model->kernel->layer, one->name, own, bound);
  cr_assert(fabs(there.t - back) <= bound + own,
            "%s: %zu tokens, %s: <dy, J u> is %.12g, <J' dy, u> %.12g, bound %g",
            gradients->model->kernel->layer, gradients->tokens, one->name, there.t, back, bound);
  free(values);
}

EACH_MODEL(gradient_adjoint, identity, TEST_SMALL_LAYER, TEST_REALS, 31) {
  static const size_t batches[] = {3, 131};
  const ffn_training *training = ffn_training_of(kernel);
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    const size_t tokens = batches[b], outputs = tokens * kernel->outputs;
    float *x = test_inputs(kernel, tokens, TEST_REALS, 32);
    float *dy = test_loss(kernel, tokens, TEST_REALS, 33), *y = test_memory(outputs * sizeof *y);
    void *packed = test_pack_train(training, model), *saved = test_saved(training, tokens);
    test_gradients gradients;
    test_references references;
    test_train(training, y, x, tokens, saved, packed, &test_dropout, NULL);
    test_gradients_open(&gradients, model, tokens);
    test_grad(training, &gradients.to, dy, x, tokens, saved, packed, &test_dropout, NULL);
    test_references_open(&references, &gradients, training, dy, x, &test_dropout);
    for (size_t g = 0; g < gradients.count; g++)
      check(&gradients, &references, g, x, dy);
    test_references_close(&references), test_gradients_close(&gradients);
    free(x), free(dy), free(y), ffn_free(packed), ffn_free(saved);
  }
}
