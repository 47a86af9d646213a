/* Memory between two pages that fault. Data lies flush with the page at its end, or with the one
 * before its start; what alignment leaves between data and page is filled and checked. */
#ifndef TEST_GUARD_H
#define TEST_GUARD_H

#include <stddef.h>

typedef enum test_side { TEST_AT_START, TEST_AT_END } test_side;

typedef struct test_guard {
  void *memory; /* the bytes asked for */
  size_t bytes;
  unsigned char *map; /* the whole mapping, guard pages included */
  size_t mapped;
} test_guard;

/* Never fails: no memory ends the program. The content is 0xff bytes, which are NaN floats. */
test_guard test_guard_open(size_t bytes, size_t alignment, test_side side);

/* The same with a copy of `source` that can only be read. */
test_guard test_guard_copy(const void *source, size_t bytes, size_t alignment, test_side side);

/* No more writes from now on: they fault. */
void test_guard_read_only(const test_guard *guard);

/* 1 where nothing was written between the data and the pages. */
int test_guard_intact(const test_guard *guard);

void test_guard_close(const test_guard *guard);

#endif
