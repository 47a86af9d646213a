#include "training.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void *memory(training_scene *scene, size_t bytes) {
  void *block = ffn_alloc(bytes);
  if (!block || scene->memory_count == TRAINING_MEMORY_MOST) {
    fprintf(stderr, "training: no memory\n");
    exit(1);
  }
  return scene->memory[scene->memory_count++] = block;
}

float *training_floats(training_scene *scene, size_t count, float scale) {
  float *values = memory(scene, count * sizeof *values);
  for (size_t i = 0; i < count; i++)
    values[i] = scale * ((float)(i * 7919 % 2003) / 1001.5f - 1);
  return values;
}

static ffn_linear weights_of(training_scene *s, size_t inputs, size_t outputs) {
  const float scale = 1 / sqrtf((float)inputs);
  return (ffn_linear){.weight = training_floats(s, inputs * outputs, scale),
                      .bias = s->kernel->bias ? training_floats(s, outputs, 1) : NULL};
}

static ffn_linear_gradient gradient_of(training_scene *s, size_t inputs, size_t outputs) {
  return (ffn_linear_gradient){training_floats(s, inputs * outputs, 0),
                               s->kernel->bias ? training_floats(s, outputs, 0) : NULL};
}

static training_answer answer_of(training_scene *s) {
  const ffn_kernel *k = s->kernel;
  return (training_answer){
      .y = training_floats(s, s->tokens * k->outputs, 0),
      .to = {.dx = training_floats(s, s->tokens * k->inputs, 0),
             .dx_stride = k->inputs,
             .gate = s->gated ? gradient_of(s, k->inputs, k->hidden) : (ffn_linear_gradient){0},
             .up = gradient_of(s, k->inputs, k->hidden),
             .down = gradient_of(s, k->hidden, k->outputs)}};
}

void training_scene_open(training_scene *s, const ffn_kernel *k, size_t tokens, size_t threads,
                         const ffn_parallel *parallel) {
  *s = (training_scene){.kernel = k,
                        .training = ffn_training_of(k),
                        .tokens = tokens,
                        .threads = threads,
                        .parallel = parallel,
                        .gated = k->stages[0].product == FFN_PRODUCT_UP};
  if (s->gated)
    s->weights.gate = weights_of(s, k->inputs, k->hidden);
  s->weights.up = weights_of(s, k->inputs, k->hidden);
  s->weights.down = weights_of(s, k->hidden, k->outputs);
  s->x = training_floats(s, tokens * k->inputs, 1);
  s->dy = training_floats(s, tokens * k->outputs, 1);
  s->ours = answer_of(s), s->theirs = answer_of(s);
  s->packed = memory(s, s->training->packed_bytes);
  s->saved = memory(s, ffn_saved_bytes(s->training, tokens));
  const size_t mine = ffn_train_work_bytes(s->training, threads),
               its = ffn_work_bytes(k, threads, tokens);
  s->work_bytes = mine > its ? mine : its;
  s->work = memory(s, s->work_bytes);
  s->training->pack_train(s->packed, &s->weights);
}

void training_scene_close(training_scene *scene) {
  while (scene->memory_count > 0)
    ffn_free(scene->memory[--scene->memory_count]);
}

void training_each(const training_scene *s, const training_answer *answer,
                   void (*with)(void *context, const float *weights, float *gradient, size_t count),
                   void *context) {
  const size_t d = s->kernel->inputs, f = s->kernel->hidden, o = s->kernel->outputs;
  const struct {
    const ffn_linear *linear;
    const ffn_linear_gradient *gradient;
    size_t inputs, outputs;
  } all[] = {{&s->weights.gate, &answer->to.gate, d, f},
             {&s->weights.up, &answer->to.up, d, f},
             {&s->weights.down, &answer->to.down, f, o}};
  for (size_t i = s->gated ? 0 : 1; i < 3; i++) {
    with(context, all[i].linear->weight, all[i].gradient->weight, all[i].inputs * all[i].outputs);
    if (all[i].linear->bias)
      with(context, all[i].linear->bias, all[i].gradient->bias, all[i].outputs);
  }
}

/* The larger of two, NaN where one is. */
static double worse(double a, double b) { return a > b || isnan(a) ? a : b; }

static double distance(const float *ours, const float *theirs, size_t count) {
  double apart = 0, whole = 0;
  for (size_t i = 0; i < count; i++) {
    const double a = (double)ours[i], b = (double)theirs[i];
    apart += (a - b) * (a - b);
    whole += b * b;
  }
  return sqrt(apart / whole);
}

/* Arrays of gradients in the order of training_each(). */
typedef struct arrays {
  const float *at[6];
  size_t size[6], count;
} arrays;

static void note(void *context, const float *weights, float *gradient, size_t count) {
  arrays *a = context;
  (void)weights;
  a->at[a->count] = gradient;
  a->size[a->count++] = count;
}

double training_difference(const training_scene *s) {
  arrays ours = {.count = 0}, theirs = {.count = 0};
  training_each(s, &s->ours, note, &ours);
  training_each(s, &s->theirs, note, &theirs);
  double most = distance(s->ours.y, s->theirs.y, s->tokens * s->kernel->outputs);
  most = worse(most, distance(s->ours.to.dx, s->theirs.to.dx, s->tokens * s->kernel->inputs));
  for (size_t i = 0; i < ours.count; i++)
    most = worse(most, distance(ours.at[i], theirs.at[i], ours.size[i]));
  return most;
}
