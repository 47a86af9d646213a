/* Runs the tests without Criterion: see plain/criterion/criterion.h. `suite [PREFIX...]` runs the
 * tests whose suite/name begins so, all without one; `suite I/N [PREFIX...]` every N-th of them
 * from the I-th on, so that N processes share them; --fail-fast in front of it all, which ends at
 * the first failure. Exit 0 when none failed and one passed. */
#include "plain/criterion/criterion.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PASSED, FAILED, SKIPPED, RESULTS };

static test_plain *first;
static int fail_fast;
static jmp_buf end_of_test; /* longjmp's value is the result */
static pthread_t main_thread;

void test_plain_add(test_plain *test) {
  test->next = first;
  first = test;
}

static _Noreturn void end(int result) {
  fflush(stdout);
  if (!pthread_equal(pthread_self(), main_thread))
    abort();
  longjmp(end_of_test, result);
}

void test_plain_failed(const char *file, int line, const char *condition, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("FAILED %s:%d: ", file, line);
  if (*format)
    vprintf(format, arguments);
  else
    printf("%s", condition);
  printf("\n");
  va_end(arguments);
  if (fail_fast)
    exit(1);
  end(FAILED);
}

void test_plain_skipped(const char *format, ...) {
  (void)format;
  end(SKIPPED);
}

static int run(const test_plain *test, void *parameter) {
  const int result = setjmp(end_of_test);
  if (result != 0)
    return result;
  if (test->run_one)
    test->run_one(parameter);
  else
    test->run();
  return PASSED;
}

static int wanted(const test_plain *test, int count, char **prefixes) {
  char name[128];
  snprintf(name, sizeof name, "%s/%s", test->suite, test->name);
  for (int i = 0; i < count; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return 1;
  return count == 0;
}

/* Which of the tests are this process's: those whose number is `part`, modulo `parts`. */
typedef struct share {
  size_t part, parts, number;
} share;

static int mine(share *s) { return s->number++ % s->parts == s->part; }

static void run_each(const test_plain *test, share *s, size_t *results) {
  if (!test->parameters) {
    if (mine(s))
      results[run(test, NULL)]++;
    return;
  }
  struct criterion_test_params all = test->parameters();
  for (size_t i = 0; i < all.length; i++)
    if (mine(s))
      results[run(test, (char *)all.params + i * all.size)]++;
  if (all.cleanup)
    all.cleanup(&all);
}

int main(int argc, char **argv) {
  size_t results[RESULTS] = {0};
  share s = {.part = 0, .parts = 1};
  int first_prefix = 1;
  main_thread = pthread_self();
  if (argc > 1 && strcmp(argv[1], "--fail-fast") == 0)
    fail_fast = first_prefix++ > 0;
  if (argc > first_prefix && sscanf(argv[first_prefix], "%zu/%zu", &s.part, &s.parts) == 2) {
    first_prefix++;
    if (s.part < 1 || s.part > s.parts) {
      fprintf(stderr, "%s: the parts are 1/N to N/N\n", argv[0]);
      return 2;
    }
    s.part--;
  }
  for (test_plain *test = first; test; test = test->next)
    if (wanted(test, argc - first_prefix, argv + first_prefix))
      run_each(test, &s, results);
  printf("%zu passed, %zu failed, %zu skipped\n", results[PASSED], results[FAILED],
         results[SKIPPED]);
  return results[FAILED] != 0 || results[PASSED] == 0;
}
