/* Counts the calls of malloc and its kin in this process. */
#ifndef TEST_ALLOCATIONS_H
#define TEST_ALLOCATIONS_H

#include <stddef.h>

/* 0 where calls cannot be counted: no glibc, a sanitizer that has its own malloc, or a
 * static program, which says so by -DTEST_STATIC. */
int test_allocations_counted(void);

/* Of all threads, since the program began. */
size_t test_allocations(void);

#endif
