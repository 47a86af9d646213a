#include "ranks.h"
#include "kernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_rank {
  test_ranks *all;
  ffn_exchange exchange;
  pthread_t thread;
} test_rank;

struct test_ranks {
  pthread_mutex_t lock;
  pthread_cond_t all_here;
  size_t count, waiting, ended, round;
  long fails_at;
  test_rank ranks[TEST_MOST_RANKS];
  const ffn_pieces *asked[TEST_MOST_RANKS];
  size_t exchanges, bytes[TEST_MOST_EXCHANGES];
  const char *problem;
  void (*run)(void *context, const ffn_exchange *exchange);
  void *context;
};

/* All who wait go on, if nobody else will come. */
static void go_on(test_ranks *all, void (*then)(test_ranks *all)) {
  if (all->waiting + all->ended < all->count)
    return;
  if (all->ended > 0 && all->waiting > 0)
    all->problem = "a rank exchanges less often than others";
  else if (then)
    then(all);
  all->waiting = 0;
  all->round++;
  pthread_cond_broadcast(&all->all_here);
}

/* Every rank waits here for all others; the last one to come does `then` before they go on. */
static void meet(test_ranks *all, void (*then)(test_ranks *all)) {
  pthread_mutex_lock(&all->lock);
  const size_t round = all->round;
  all->waiting++;
  go_on(all, then);
  while (all->round == round)
    pthread_cond_wait(&all->all_here, &all->lock);
  pthread_mutex_unlock(&all->lock);
}

/* All ranks have asked: for the same, and for what lies side by side? */
static void judge(test_ranks *all) {
  const ffn_pieces *first = all->asked[0];
  size_t end = 0;
  for (size_t r = 0; r < all->count; r++) {
    const ffn_pieces *pieces = all->asked[r];
    if (pieces->ranks != all->count || pieces->rank != r)
      all->problem = "a rank asks as another one";
    if (pieces->number != first->number ||
        memcmp(pieces->bytes, first->bytes, all->count * sizeof *pieces->bytes) != 0 ||
        memcmp(pieces->at, first->at, all->count * sizeof *pieces->at) != 0)
      all->problem = "ranks ask for different pieces";
    if (first->bytes[r] < 0 || (size_t)first->at[r] != end)
      all->problem = "a piece does not begin where the one before ends";
    end += (size_t)first->bytes[r];
  }
  if (end >= (size_t)1 << 30)
    all->problem = "an exchange has 2^30 bytes and more";
  if (all->exchanges < TEST_MOST_EXCHANGES)
    all->bytes[all->exchanges++] = end;
}

static int gather(void *context, const ffn_pieces *pieces) {
  test_rank *own = context;
  test_ranks *all = own->all;
  all->asked[pieces->rank] = pieces;
  meet(all, judge);
  const int fails = all->fails_at >= 0 && pieces->number == (size_t)all->fails_at;
  for (size_t r = 0; r < all->count && !all->problem && !fails; r++)
    if (r != pieces->rank)
      memcpy((char *)pieces->memory + pieces->at[r],
             (const char *)all->asked[r]->memory + pieces->at[r], (size_t)pieces->bytes[r]);
  meet(all, NULL);
  return fails || all->problem ? 7 : 0;
}

static void *run_rank(void *context) {
  const test_rank *own = context;
  test_ranks *all = own->all;
  all->run(all->context, &own->exchange);
  pthread_mutex_lock(&all->lock);
  all->ended++;
  go_on(all, NULL);
  pthread_mutex_unlock(&all->lock);
  return NULL;
}

test_ranks *test_ranks_open(size_t ranks, long fails_at, int gather_outputs) {
  test_ranks *all = test_memory(sizeof *all);
  *all = (test_ranks){.count = ranks, .fails_at = fails_at};
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->all_here, NULL);
  for (size_t r = 0; r < ranks; r++)
    all->ranks[r] =
        (test_rank){.all = all, .exchange = {gather, &all->ranks[r], r, ranks, gather_outputs}};
  return all;
}

void test_ranks_close(test_ranks *all) {
  pthread_cond_destroy(&all->all_here);
  pthread_mutex_destroy(&all->lock);
  free(all);
}

void test_ranks_run(test_ranks *all, void (*run)(void *context, const ffn_exchange *exchange),
                    void *context) {
  all->run = run, all->context = context, all->ended = 0;
  for (size_t r = 0; r < all->count; r++)
    if (pthread_create(&all->ranks[r].thread, NULL, run_rank, &all->ranks[r]) != 0)
      abort();
  for (size_t r = 0; r < all->count; r++)
    pthread_join(all->ranks[r].thread, NULL);
}

size_t test_ranks_exchanges(const test_ranks *all) { return all->exchanges; }

const size_t *test_ranks_bytes(const test_ranks *all) { return all->bytes; }

const char *test_ranks_problem(const test_ranks *all) { return all->problem; }
