/* Runs the tests without Criterion: see plain/criterion/criterion.h. `suite [PREFIX...]` runs the
 * tests whose suite/name begins so, all without one. Exit 0 when none failed and one passed. */
#include "plain/criterion/criterion.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PASSED, FAILED, SKIPPED, RESULTS };

static test_plain *first;
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
  for (int i = 1; i < count; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return 1;
  return count <= 1;
}

int main(int argc, char **argv) {
  size_t results[RESULTS] = {0};
  main_thread = pthread_self();
  for (test_plain *test = first; test; test = test->next) {
    if (!wanted(test, argc, argv))
      continue;
    if (!test->parameters) {
      results[run(test, NULL)]++;
      continue;
    }
    struct criterion_test_params all = test->parameters();
    for (size_t i = 0; i < all.length; i++)
      results[run(test, (char *)all.params + i * all.size)]++;
    if (all.cleanup)
      all.cleanup(&all);
  }
  printf("%zu passed, %zu failed, %zu skipped\n", results[PASSED], results[FAILED],
         results[SKIPPED]);
  return results[FAILED] != 0 || results[PASSED] == 0;
}
