/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * pipe.c - see pipe.h. */
#include "pack/pipe.h"

static void write_now(pack_pipe *pipe) {
  ffn_xxh64_take(&pipe->hash, pipe->memory, pipe->bytes);
  if (!pipe->problem.code)
    output_put(pipe->out, pipe->at, pipe->memory, pipe->bytes, &pipe->problem);
}

static void *write_all(void *argument) {
  pack_pipe *pipe = (pack_pipe *)argument;
  pthread_mutex_lock(&pipe->lock);
  while (pipe->memory || !pipe->ends) {
    if (pipe->memory) {
      /* Who put it waits for NULL before anything here changes. */
      pthread_mutex_unlock(&pipe->lock);
      write_now(pipe);
      pthread_mutex_lock(&pipe->lock);
      pipe->memory = NULL;
      pthread_cond_broadcast(&pipe->change);
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

int pipe_wait(pack_pipe *pipe, pack_problem *problem) {
  pthread_mutex_lock(&pipe->lock);
  while (pipe->memory)
    pthread_cond_wait(&pipe->change, &pipe->lock);
  pthread_mutex_unlock(&pipe->lock);
  if (pipe->problem.code)
    *problem = pipe->problem;
  return !pipe->problem.code;
}

int pipe_put(
    pack_pipe *pipe, uint64_t at, const void *memory, size_t bytes, pack_problem *problem) {
  if (!pipe_wait(pipe, problem))
    return 0;
  pthread_mutex_lock(&pipe->lock);
  pipe->at = at;
  pipe->memory = memory;
  pipe->bytes = bytes;
  pthread_cond_broadcast(&pipe->change);
  pthread_mutex_unlock(&pipe->lock);
  if (pipe->threaded)
    return 1;
  write_now(pipe);
  pipe->memory = NULL;
  return pipe_wait(pipe, problem);
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
