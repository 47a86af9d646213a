/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * workers.h - the same function of several items, on a thread each. */
#ifndef FFN_PACK_WORKERS_H
#define FFN_PACK_WORKERS_H

#include <stddef.h>

enum { MOST_WORKERS = 64 };

/* Calls `work` for each of 1 to MOST_WORKERS items, the first on this thread, and returns when all
 * are done. Where no thread is to be had, this one does more of them. */
void workers_run(void (*work)(void *item), void *items, size_t count, size_t item_bytes);

#endif
