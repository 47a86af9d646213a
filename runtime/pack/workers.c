/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * workers.c - see workers.h. */
#include "pack/workers.h"

#include <pthread.h>

typedef struct one_worker {
  void (*work)(void *item);
  void *item;
  pthread_t thread;
  int threaded;
} one_worker;

static void *run(void *own) {
  const one_worker *worker = (const one_worker *)own;
  worker->work(worker->item);
  return NULL;
}

void workers_run(void (*work)(void *item), void *items, size_t count, size_t item_bytes) {
  one_worker all[MOST_WORKERS];
  for (size_t i = 0; i < count; ++i) {
    all[i].work = work;
    all[i].item = (char *)items + i * item_bytes;
    all[i].threaded = i > 0 && pthread_create(&all[i].thread, NULL, run, &all[i]) == 0;
  }
  for (size_t i = 0; i < count; ++i)
    if (!all[i].threaded)
      run(&all[i]);
  for (size_t i = 0; i < count; ++i)
    if (all[i].threaded)
      pthread_join(all[i].thread, NULL);
}
