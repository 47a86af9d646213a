/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * workers.c - see workers.h. */
#include "pack/workers.h"

#include <string.h>

static void *wait_and_work(void *own) {
  pack_workers *workers = (pack_workers *)own;
  pthread_mutex_lock(&workers->lock);
  const size_t worker = ++workers->begun;
  pthread_cond_broadcast(&workers->change);
  for (uint64_t done = 0;; done = workers->round) {
    while (workers->round == done && !workers->ends)
      pthread_cond_wait(&workers->change, &workers->lock);
    if (workers->round == done)
      break;
    pthread_mutex_unlock(&workers->lock);
    workers->work(workers->job, worker);
    pthread_mutex_lock(&workers->lock);
    --workers->busy;
    pthread_cond_broadcast(&workers->change);
  }
  pthread_mutex_unlock(&workers->lock);
  return NULL;
}

void workers_begin(pack_workers *workers, size_t count) {
  memset(workers, 0, sizeof *workers);
  pthread_mutex_init(&workers->lock, NULL);
  pthread_cond_init(&workers->change, NULL);
  for (workers->count = 1; workers->count < count; ++workers->count)
    if (pthread_create(&workers->threads[workers->count], NULL, wait_and_work, workers) != 0)
      break;
  /* No round begins before all know their numbers. */
  pthread_mutex_lock(&workers->lock);
  while (workers->begun + 1 < workers->count)
    pthread_cond_wait(&workers->change, &workers->lock);
  pthread_mutex_unlock(&workers->lock);
}

void workers_run(pack_workers *workers, void (*work)(void *job, size_t worker), void *job) {
  pthread_mutex_lock(&workers->lock);
  workers->work = work;
  workers->job = job;
  workers->busy = workers->count - 1;
  ++workers->round;
  pthread_cond_broadcast(&workers->change);
  pthread_mutex_unlock(&workers->lock);
  work(job, 0);
  pthread_mutex_lock(&workers->lock);
  while (workers->busy > 0)
    pthread_cond_wait(&workers->change, &workers->lock);
  pthread_mutex_unlock(&workers->lock);
}

void workers_end(pack_workers *workers) {
  pthread_mutex_lock(&workers->lock);
  workers->ends = 1;
  pthread_cond_broadcast(&workers->change);
  pthread_mutex_unlock(&workers->lock);
  for (size_t i = 1; i < workers->count; ++i)
    pthread_join(workers->threads[i], NULL);
  pthread_cond_destroy(&workers->change);
  pthread_mutex_destroy(&workers->lock);
}
