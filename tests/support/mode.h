/* Floating-point modes of a thread, and a host whose threads have another one than its caller. */
#ifndef TEST_MODE_H
#define TEST_MODE_H

#include "ffn.h"

typedef struct test_mode {
  const char *name;
  int rounding;       /* for fesetround() */
  unsigned subnormal; /* what becomes of subnormals: bits of this machine's register; 0: nothing */
} test_mode;

/* Those of this machine; the first is the usual one. */
extern const test_mode test_modes[];
extern const size_t test_mode_count;

/* Sets the mode of this thread. What it was returns with test_mode_leave(), so that a test that
 * fails behind it leaves no other mode to the next. */
typedef struct test_mode_before {
  int rounding;
  unsigned subnormal;
} test_mode_before;

test_mode_before test_mode_enter(const test_mode *mode);
void test_mode_leave(test_mode_before before);

/* The threads of another ffn_parallel, each in this mode when its task begins, with exceptions that
 * trap and others that have been. */
typedef struct test_mode_threads {
  const ffn_parallel *inner;
  const test_mode *mode;
  size_t changed;                            /* tasks that left anything of it changed */
  void (*task)(void *context, size_t index); /* of the run under way */
  void *context;
} test_mode_threads;

ffn_parallel test_mode_parallel(test_mode_threads *threads);

#endif
