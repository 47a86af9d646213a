/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * workers.h - threads that live as long as a run of ffn-pack, and do the same work together. */
#ifndef FFN_PACK_WORKERS_H
#define FFN_PACK_WORKERS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_WORKERS = 64 };

typedef struct pack_workers {
  size_t count, begun; /* of workers, this thread included; threads that were to be had */
  void (*work)(void *job, size_t worker);
  void *job;
  uint64_t round; /* of work that was begun */
  size_t busy; /* threads that are at it */
  int ends;
  pthread_mutex_t lock;
  pthread_cond_t change;
  pthread_t threads[MOST_WORKERS];
} pack_workers;

/* 1 to MOST_WORKERS; fewer where no thread is to be had. It stays where it is until workers_end().
 */
void workers_begin(pack_workers *workers, size_t count);

/* Calls `work` once on each worker, numbered from 0, which is this thread, and returns when all are
 * done. */
void workers_run(pack_workers *workers, void (*work)(void *job, size_t worker), void *job);

void workers_end(pack_workers *workers);

#endif
