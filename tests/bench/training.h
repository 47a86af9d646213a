/* A layer in training under measurement, and what its gradients are compared with: one struct for
 * each way to make them. */
#ifndef BENCH_TRAINING_H
#define BENCH_TRAINING_H

#include "ffn_train.h"

enum { TRAINING_MEMORY_MOST = 64 };

/* What a step of training computes. Gradients are those of everything. */
typedef struct training_answer {
  float *y;
  ffn_gradients to;
} training_answer;

/* A layer of one or two products into d_ff, and one out of it, with random weights, x and dy. */
typedef struct training_scene {
  const ffn_kernel *kernel;
  const ffn_training *training;
  size_t tokens, threads;
  const ffn_parallel *parallel; /* NULL for one thread */
  int gated;
  ffn_weights weights;
  float *x, *dy;
  training_answer ours, theirs; /* theirs: of one peer after the other */
  void *packed, *saved, *work;
  size_t work_bytes;
  void *memory[TRAINING_MEMORY_MOST]; /* what close() frees */
  size_t memory_count;
} training_scene;

void training_scene_open(training_scene *scene, const ffn_kernel *kernel, size_t tokens,
                         size_t threads, const ffn_parallel *parallel);
void training_scene_close(training_scene *scene);

/* Floats of -scale to scale, until close(). No memory ends the program. */
float *training_floats(training_scene *scene, size_t count, float scale);

/* Does `with` for each array of the layer, in this order: weight and bias (where there is one) of
 * gate (where there is one), up, down. The two pointers are a scene's and an answer's. */
void training_each(const training_scene *scene, const training_answer *answer,
                   void (*with)(void *context, const float *weights, float *gradient, size_t count),
                   void *context);

/* The largest |ours - theirs| / |theirs| of all arrays of the answers, by the norm of each array as
 * a whole: what sums in another order, or another exp, leave is some 1e-6. NaN where one is. */
double training_difference(const training_scene *scene);

typedef struct training_peer {
  const char *name;
  /* With how many threads, too. NULL where it is not installed. */
  const char *(*version)(size_t threads);
  /* 0 where the peer does not do this layer. Answers go to scene->theirs. */
  int (*open)(training_scene *scene);
  /* Each returns the seconds it took. gradients() is of the last forward(). */
  double (*forward)(void);
  double (*gradients)(void);
  void (*answer)(void); /* writes the last answer; NULL: it is there */
  /* Why it is gone, where it is another process; NULL while it is there, and where it is none. */
  const char *(*failed)(void);
} training_peer;

/* The first is a shared object's, build/bench/training_openblas.so. */
extern const training_peer training_openblas, training_pytorch;

#endif
