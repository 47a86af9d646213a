/* Whether a call ends in an assert. The including file defines _GNU_SOURCE. */
#ifndef TEST_REFUSED_H
#define TEST_REFUSED_H

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a process of its own, which does not survive an assert. */
static inline int test_is_refused(void (*act)(const void *call), const void *call) {
  int status;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGABRT, SIG_DFL);
    close(STDERR_FILENO);
    act(call);
    _exit(0);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
         WTERMSIG(status) == SIGABRT;
}

/* A call with something changed, and whether that is refused: a `call` of the including file, which
 * make() makes, and name_of() names. */
#define EXPECT(refused, base, ...)                                                                 \
  do {                                                                                             \
    call c = base;                                                                                 \
    __VA_ARGS__;                                                                                   \
    cr_assert(test_is_refused(make, &c) == (refused), "%s: " #__VA_ARGS__, name_of(&c));           \
  } while (0)

#endif
