/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * part_queue.h - the parts of a stage, packed side by side and written in their order. Each worker
 * takes the next part that nobody has taken. Memory is that of two parts a worker: part n lies in
 * slot n modulo their number, once part n less that number is written. */
#ifndef FFN_PACK_PART_QUEUE_H
#define FFN_PACK_PART_QUEUE_H

#include "pack/parts.h"
#include "pack/pipe.h"
#include "pack/workers.h"

typedef struct part_queue {
  pack_pipe *pipe;
  pack_workers workers;
  pack_slot *slots; /* two for each worker, each with its memory */
  size_t slot_count;
  char *tiles; /* gathered numbers, of each worker */
  size_t tile; /* bytes of them */
  /* Of a stage: */
  const pack_slot *like; /* what all slots of it have */
  size_t count, taken, put; /* parts: all, those that workers have taken, those handed over */
  size_t failed; /* the first part that cannot be packed; count: none */
  uint64_t first, at; /* the piece of the pipe that part 0 is; place in the file of the next part */
  pack_problem problem; /* of that part */
  ffn_pack_error *error; /* of each branch */
  pthread_mutex_t lock;
} part_queue;

/* Slots and tiles are the caller's; so are their sizes, for `workers` of them. */
void part_queue_begin(part_queue *queue, size_t workers);

/* Packs all parts of the stage of `like`, and writes them from *at on, which moves behind them;
 * adds their errors. 0: a number cannot be read, the same one for any number of workers; or the
 * file cannot be written. */
int part_queue_run(part_queue *queue, const pack_slot *like, uint64_t *at, ffn_pack_error *error,
    pack_problem *problem);

void part_queue_end(part_queue *queue);

#endif
