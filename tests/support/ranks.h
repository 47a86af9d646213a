/* Processes that share a layer, as threads of one: what a host's exchange does, and is told. */
#ifndef TEST_RANKS_H
#define TEST_RANKS_H

#include "ffn_slice.h"

enum { TEST_MOST_RANKS = 40, TEST_MOST_EXCHANGES = 4096 };

typedef struct test_ranks test_ranks;

/* So many ranks; exchange `fails_at` of a call, counted from 0, returns 7 on all of them: -1 for
 * none. gather_outputs is what each rank says. */
test_ranks *test_ranks_open(size_t ranks, long fails_at, int gather_outputs);
void test_ranks_close(test_ranks *all);

/* Calls run(context, exchange) for each rank, on a thread of its own, and waits for all. */
void test_ranks_run(test_ranks *all, void (*run)(void *context, const ffn_exchange *exchange),
                    void *context);

/* Of all calls since test_ranks_open(): exchanges, and the bytes of each. */
size_t test_ranks_exchanges(const test_ranks *all);
const size_t *test_ranks_bytes(const test_ranks *all);

/* NULL where every rank was asked for the same pieces, one behind the other and each where it
 * belongs; else what was wrong. */
const char *test_ranks_problem(const test_ranks *all);

#endif
