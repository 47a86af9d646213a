/* Times of training, and the table that they come to. */
#ifndef BENCH_TRAINING_TABLE_H
#define BENCH_TRAINING_TABLE_H

#include "training.h"

typedef enum training_subject {
  TRAINING_RUN,
  TRAINING_FORWARD,
  TRAINING_ALL,
  TRAINING_DX,
  TRAINING_DW,
  TRAINING_PACK,
  TRAINING_PEERS, /* from here on: forward and gradients of each */
  TRAINING_OPENBLAS = TRAINING_PEERS,
  TRAINING_PYTORCH = TRAINING_OPENBLAS + 2,
  TRAINING_SUBJECTS = TRAINING_PYTORCH + 2
} training_subject;

enum { TRAINING_ROUNDS_MOST = 101 };

typedef struct training_times {
  const training_scene *scene;
  size_t rounds;
  double seconds[TRAINING_SUBJECTS][TRAINING_ROUNDS_MOST]; /* NaN: there is no such peer */
} training_times;

void training_table_head(size_t threads, size_t rounds);
void training_table_row(const training_times *times);

#endif
