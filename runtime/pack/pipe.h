/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * pipe.h - a thread that hashes and writes what is packed, in the order in which it is handed over,
 * while the next bytes are packed. */
#ifndef FFN_PACK_PIPE_H
#define FFN_PACK_PIPE_H

#include "pack/output.h"
#include "xxh64.h"

#include <pthread.h>

/* Pieces that may wait to be written: more than there are slots. */
enum { PIPE_PIECES = 256 };

typedef struct pipe_piece {
  const void *memory;
  size_t bytes;
  uint64_t at;
} pipe_piece;

typedef struct pack_pipe {
  pack_output *out;
  ffn_xxh64 hash; /* of all that was put since it was begun anew: for who has waited */
  uint64_t put, written; /* pieces that were handed over, and that are written */
  int ends, threaded, failed;
  pack_problem problem; /* of the first that failed */
  pthread_mutex_t lock;
  pthread_cond_t change;
  pthread_t thread;
  pipe_piece pieces[PIPE_PIECES]; /* piece n is at n % PIPE_PIECES */
} pack_pipe;

/* Where no thread is to be had, who adds writes. */
void pipe_begin(pack_pipe *pipe, pack_output *out);

/* Adds a piece: bytes for a place in the file. Memory must stay as it is until the piece is
 * written. One thread at a time adds. */
void pipe_add(pack_pipe *pipe, uint64_t at, const void *memory, size_t bytes);

/* Returns once so many pieces are written, or were to be; 0: writing failed. */
int pipe_wait_for(pack_pipe *pipe, uint64_t pieces);

/* Returns once all is written; 0: something failed. */
int pipe_wait(pack_pipe *pipe, pack_problem *problem);

/* The same of all before, then adds a piece: two memories are enough, one for each other piece. */
int pipe_put(pack_pipe *pipe, uint64_t at, const void *memory, size_t bytes, pack_problem *problem);

void pipe_end(pack_pipe *pipe);

#endif
