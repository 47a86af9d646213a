/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * pipe.h - a thread that hashes and writes what is packed, while the next bytes are packed. */
#ifndef FFN_PACK_PIPE_H
#define FFN_PACK_PIPE_H

#include "pack/output.h"
#include "xxh64.h"

#include <pthread.h>

typedef struct pack_pipe {
  pack_output *out;
  ffn_xxh64 hash; /* of all that was put since it was begun anew: for who has waited */
  const void *memory; /* what is to be written; NULL: nothing */
  size_t bytes;
  uint64_t at;
  int ends, threaded;
  pack_problem problem; /* of the first that failed */
  pthread_mutex_t lock;
  pthread_cond_t change;
  pthread_t thread;
} pack_pipe;

/* Where no thread is to be had, puts write by themselves. */
void pipe_begin(pack_pipe *pipe, pack_output *out);

/* Bytes for a place in the file. Memory must stay as it is until the next put, or wait, returns. */
int pipe_put(pack_pipe *pipe, uint64_t at, const void *memory, size_t bytes, pack_problem *problem);

/* Returns once all is written. */
int pipe_wait(pack_pipe *pipe, pack_problem *problem);

void pipe_end(pack_pipe *pipe);

#endif
