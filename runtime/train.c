/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * train.c - the linked training kernels: finding one, and sizes. */
#include "train_walk.h"
/*@ end */

#ifndef FFN_NO_TRAIN
/*@ trainings */
#define FFN_TRAINING(training) extern const ffn_training training;
#include "trainings.inc"
#undef FFN_TRAINING
/*@ end */

static const ffn_training *const ffn_trainings[] = {
/*@ training_list */
#define FFN_TRAINING(training) &training,
#include "trainings.inc"
#undef FFN_TRAINING
    /*@ end */
    NULL};

const ffn_training *const *ffn_all_trainings(size_t *count) {
  if (count)
    *count = sizeof ffn_trainings / sizeof *ffn_trainings - 1;
  return ffn_trainings;
}

const ffn_training *ffn_training_of(const ffn_kernel *kernel) {
  for (const ffn_training *const *t = ffn_trainings; kernel && *t; ++t)
    if ((*t)->isa == kernel->isa && ffn_name_hash((*t)->layer) == ffn_name_hash(kernel->layer))
      return *t;
  return NULL;
}

size_t ffn_saved_bytes(const ffn_training *training, size_t tokens) {
  if (!training)
    return 0;
  if (tokens > SIZE_MAX / (training->saved_row_bytes + FFN_SAVED_HEADER) - FFN_TOKEN_BLOCK)
    return training->saved_row_bytes > 0 ? SIZE_MAX : 0;
  return ffn_saved_extent(training, tokens);
}

size_t ffn_train_work_bytes(const ffn_training *training, size_t threads) {
  if (!training)
    return 0;
  if (threads == 0)
    threads = 1;
  if (threads > (SIZE_MAX - training->shared_bytes) / training->thread_bytes)
    return SIZE_MAX;
  return training->shared_bytes + threads * training->thread_bytes;
}
/*@ layers */
/*@ end */
#endif
