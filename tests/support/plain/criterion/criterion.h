/* The few words of Criterion that the tests use, for builds in which Criterion cannot run: under
 * ThreadSanitizer, MemorySanitizer and Valgrind, and on emulated machines. Put
 * -Itests/support/plain in front of the include path and link ../plain.c in place of -lcriterion.
 *
 * All tests run in one process, one after the other; a crash ends it. */
#ifndef TEST_PLAIN_CRITERION_H
#define TEST_PLAIN_CRITERION_H

#pragma GCC system_header

#include <stddef.h>
#include <stdlib.h>

struct criterion_test_params {
  size_t size;
  void *params;
  size_t length;
  void (*cleanup)(struct criterion_test_params *);
};

typedef struct test_plain {
  const char *suite, *name;
  void (*run)(void);
  struct criterion_test_params (*parameters)(void); /* with run_one */
  void (*run_one)(void *);
  struct test_plain *next;
} test_plain;

void test_plain_add(test_plain *test);
void test_plain_failed(const char *file, int line, const char *condition, const char *format, ...);
void test_plain_skipped(const char *format, ...);

#define cr_malloc malloc
#define cr_free free
#define cr_make_param_array(type, array, count)                                                    \
  ((struct criterion_test_params){sizeof(type), (void *)(array), (count), NULL})

/* A message, with what it prints, may follow the condition. */
#define cr_assert(...) TEST_PLAIN_ASSERT(__VA_ARGS__, "")
#define TEST_PLAIN_ASSERT(condition, ...)                                                          \
  ((condition) ? (void)0 : test_plain_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))
#define cr_skip_test(...) test_plain_skipped(__VA_ARGS__)

#define Test(suite_, name_)                                                                        \
  static void suite_##_##name_##_test(void);                                                       \
  static test_plain suite_##_##name_##_entry = {                                                   \
      .suite = #suite_, .name = #name_, .run = suite_##_##name_##_test};                           \
  __attribute__((constructor)) static void suite_##_##name_##_add(void) {                          \
    test_plain_add(&suite_##_##name_##_entry);                                                     \
  }                                                                                                \
  static void suite_##_##name_##_test(void)

#define ParameterizedTestParameters(suite_, name_)                                                 \
  static struct criterion_test_params suite_##_##name_##_parameters(void)

#define ParameterizedTest(parameter_, suite_, name_)                                               \
  static void suite_##_##name_##_with(parameter_);                                                 \
  static void suite_##_##name_##_one(void *parameter) { suite_##_##name_##_with(parameter); }      \
  static test_plain suite_##_##name_##_entry = {.suite = #suite_,                                  \
                                                .name = #name_,                                    \
                                                .parameters = suite_##_##name_##_parameters,       \
                                                .run_one = suite_##_##name_##_one};                \
  __attribute__((constructor)) static void suite_##_##name_##_add(void) {                          \
    test_plain_add(&suite_##_##name_##_entry);                                                     \
  }                                                                                                \
  static void suite_##_##name_##_with(parameter_)

#endif
