/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * pipe.c - see pipe.h. */
#include "pack/pipe.h"

/* Nobody else touches the hash or the problem until the piece is written. */
static void write_now(pack_pipe *pipe, const pipe_piece *piece) {
  ffn_xxh64_take(&pipe->hash, piece->memory, piece->bytes);
  if (!pipe->problem.code)
    output_put(pipe->out, piece->at, piece->memory, piece->bytes, &pipe->problem);
}

static void count_written(pack_pipe *pipe) {
  ++pipe->written;
  pipe->failed = pipe->problem.code != 0;
  pthread_cond_broadcast(&pipe->change);
}

static void *write_all(void *argument) {
  pack_pipe *pipe = (pack_pipe *)argument;
  pthread_mutex_lock(&pipe->lock);
  while (pipe->written < pipe->put || !pipe->ends) {
    if (pipe->written < pipe->put) {
      const pipe_piece piece = pipe->pieces[pipe->written % PIPE_PIECES];
      pthread_mutex_unlock(&pipe->lock);
      write_now(pipe, &piece);
      pthread_mutex_lock(&pipe->lock);
      count_written(pipe);
    } else {
      pthread_cond_wait(&pipe->change, &pipe->lock);
    }
  }
  pthread_mutex_unlock(&pipe->lock);
  return NULL;
}

void pipe_begin(pack_pipe *pipe, pack_output *out) {
  memset(pipe, 0, sizeof *pipe);
  pipe->out = out;
  pipe->hash = ffn_xxh64_begin();
  pthread_mutex_init(&pipe->lock, NULL);
  pthread_cond_init(&pipe->change, NULL);
  pipe->threaded = pthread_create(&pipe->thread, NULL, write_all, pipe) == 0;
}

void pipe_add(pack_pipe *pipe, uint64_t at, const void *memory, size_t bytes) {
  const pipe_piece piece = {memory, bytes, at};
  pthread_mutex_lock(&pipe->lock);
  while (pipe->put - pipe->written == PIPE_PIECES)
    pthread_cond_wait(&pipe->change, &pipe->lock);
  pipe->pieces[pipe->put % PIPE_PIECES] = piece;
  ++pipe->put;
  if (!pipe->threaded) {
    write_now(pipe, &piece);
    count_written(pipe);
  }
  pthread_cond_broadcast(&pipe->change);
  pthread_mutex_unlock(&pipe->lock);
}

int pipe_wait_for(pack_pipe *pipe, uint64_t pieces) {
  pthread_mutex_lock(&pipe->lock);
  while (pipe->written < pieces)
    pthread_cond_wait(&pipe->change, &pipe->lock);
  const int works = !pipe->failed;
  pthread_mutex_unlock(&pipe->lock);
  return works;
}

int pipe_wait(pack_pipe *pipe, pack_problem *problem) {
  const int works = pipe_wait_for(pipe, pipe->put);
  if (!works)
    *problem = pipe->problem;
  return works;
}

int pipe_put(
    pack_pipe *pipe, uint64_t at, const void *memory, size_t bytes, pack_problem *problem) {
  if (!pipe_wait(pipe, problem))
    return 0;
  pipe_add(pipe, at, memory, bytes);
  return 1;
}

void pipe_end(pack_pipe *pipe) {
  pthread_mutex_lock(&pipe->lock);
  pipe->ends = 1;
  pthread_cond_broadcast(&pipe->change);
  pthread_mutex_unlock(&pipe->lock);
  if (pipe->threaded)
    pthread_join(pipe->thread, NULL);
  pthread_cond_destroy(&pipe->change);
  pthread_mutex_destroy(&pipe->lock);
}
