/* A small pool of threads that lends itself to kernels, in orders that a host might use. */
#ifndef TEST_POOL_H
#define TEST_POOL_H

#include "ffn.h"

typedef enum test_order {
  TEST_ORDER_UP,      /* 0, 1, 2, ... */
  TEST_ORDER_DOWN,    /* the last task first */
  TEST_ORDER_SHUFFLE, /* another order at every run */
  TEST_ORDER_COUNT
} test_order;

typedef struct test_pool test_pool;

/* workers is the number of threads beside the caller's: 0 runs every task on the caller's. */
test_pool *test_pool_open(size_t workers, test_order order);
void test_pool_close(test_pool *pool);

/* What a kernel is given; threads is what it is told, whatever the workers. */
ffn_parallel test_pool_parallel(test_pool *pool, size_t threads);

/* The most tasks that one run asked for, and how often run was called, since the last call. */
size_t test_pool_most_tasks(test_pool *pool);
size_t test_pool_runs(test_pool *pool);

#endif
