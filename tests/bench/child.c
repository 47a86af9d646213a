#define _POSIX_C_SOURCE 200809L /* fork, pipe, fdopen, poll, strsignal */
#include "child.h"
#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void log_path(const bench_child *child, char *path, size_t size) {
  snprintf(path, size, "build/bench/%s.log", child->name);
}

/* In the new process. */
static void become(const bench_child *child, const char *script, int to, int from) {
  const char *wanted = getenv("BENCH_PYTHON"), *python = wanted ? wanted : "python3";
  char path[256];
  log_path(child, path, sizeof path);
  const int log = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(to, 0), dup2(from, 1);
  if (log >= 0)
    dup2(log, 2), close(log);
  close(to), close(from);
  execlp(python, python, script, child->name, (char *)NULL);
  _exit(127);
}

int bench_child_start(bench_child *child, const char *script) {
  int to[2], from[2];
  if (child->to)
    fclose(child->to);
  child->to = NULL, child->pid = 0;
  child->line[0] = child->failed[0] = 0;
  if (pipe(to) != 0)
    return 0;
  if (pipe(from) != 0) {
    close(to[0]), close(to[1]);
    return 0;
  }
  fcntl(to[1], F_SETFD, FD_CLOEXEC); /* another child must not keep this one's end open */
  fcntl(from[0], F_SETFD, FD_CLOEXEC);
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0)
    become(child, script, to[0], from[1]);
  signal(SIGPIPE, SIG_IGN); /* a child that is gone shows as an end of its answers */
  close(to[0]), close(from[1]);
  child->to = fdopen(to[1], "w");
  child->from = from[0];
  child->pid = pid > 0 ? (long)pid : 0;
  if (child->pid && child->to)
    return 1;
  if (!child->pid)
    close(from[0]);
  bench_child_fail(child, "no process is to be had");
  return 0;
}

/* What it said last on stderr, without what no terminal prints; "" where that is nothing. */
static void last_words(const bench_child *child, char *words, size_t size) {
  char path[256], end[4096];
  log_path(child, path, sizeof path);
  FILE *log = fopen(path, "r");
  words[0] = 0;
  if (!log)
    return;
  if (fseek(log, -(long)sizeof end + 1, SEEK_END) != 0)
    rewind(log);
  const size_t length = fread(end, 1, sizeof end - 1, log);
  fclose(log);
  for (size_t i = 0; i < length; ++i)
    if (end[i] != '\n' && (end[i] < ' ' || end[i] > '~'))
      end[i] = ' ';
  end[length] = 0;
  for (char *rest = end, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
    if (strspn(line, " ") < strlen(line))
      snprintf(words, size, "%s", line);
}

/* Its status, where it ends by itself soon; else it is ended. */
static int status_of(const bench_child *child) {
  const struct timespec while_it_ends = {0, 10000000};
  const double begin = bench_now();
  int status = 0;
  pid_t ended = 0;
  while (ended == 0 && bench_now() - begin < 5) {
    ended = waitpid((pid_t)child->pid, &status, WNOHANG);
    if (ended == 0)
      nanosleep(&while_it_ends, NULL);
  }
  if (ended == 0) {
    kill((pid_t)child->pid, SIGKILL);
    waitpid((pid_t)child->pid, &status, 0);
  }
  return status;
}

static void forget(bench_child *child) {
  if (child->pid)
    close(child->from);
  child->pid = 0;
}

/* Sets `failed` of why and the last words. */
static void tell(bench_child *child, const char *why) {
  char words[200];
  last_words(child, words, sizeof words);
  snprintf(child->failed, sizeof child->failed, "%s%s%s", why, *words ? ": " : "", words);
  snprintf(child->line, sizeof child->line, "%.255s", child->failed);
}

void bench_child_fail(bench_child *child, const char *why) {
  if (child->failed[0])
    return;
  if (child->pid) {
    kill((pid_t)child->pid, SIGKILL);
    waitpid((pid_t)child->pid, NULL, 0);
  }
  forget(child);
  tell(child, why);
}

/* No answer will come. Who ends well without one, or does not exist, has nothing to say. */
static void is_gone(bench_child *child, int answered_once) {
  char why[128];
  const int status = status_of(child);
  forget(child);
  if (WIFSIGNALED(status))
    snprintf(why, sizeof why, "killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(why, sizeof why, "it ended with exit status %d", WEXITSTATUS(status));
  if (WIFSIGNALED(status) || answered_once ||
      (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 127))
    tell(child, why);
}

static double most_seconds(void) {
  const char *wanted = getenv("BENCH_PEER_SECONDS");
  const double seconds = wanted ? strtod(wanted, NULL) : 0;
  return seconds > 0 && seconds < 1e6 ? seconds : 600;
}

typedef enum line_status { LINE, LINE_LATE, LINE_NONE } line_status;

static line_status read_line(bench_child *child) {
  const double end = bench_now() + most_seconds();
  size_t length = 0;
  for (;;) {
    struct pollfd ready = {child->from, POLLIN, 0};
    const double left = end - bench_now();
    const int some = left > 0 ? poll(&ready, 1, (int)(1e3 * left) + 1) : 0;
    char c = '\n';
    if (some < 0 && errno == EINTR)
      continue;
    if (some == 0)
      return LINE_LATE;
    if (some < 0 || read(child->from, &c, 1) != 1)
      return LINE_NONE;
    if (c == '\n')
      return LINE;
    if (length + 1 < sizeof child->line)
      child->line[length++] = c < ' ' || c > '~' ? '?' : c;
    child->line[length] = 0;
  }
}

int bench_child_answer(bench_child *child) {
  char why[320];
  const int answered_once = child->line[0] != 0;
  if (!child->pid)
    return 0;
  fflush(child->to);
  child->line[0] = 0;
  switch (read_line(child)) {
  case LINE:
    if (strncmp(child->line, "ok", 2) == 0)
      return 1;
    if (strncmp(child->line, "no", 2) == 0)
      return 0;
    snprintf(why, sizeof why, "what it answers is none: \"%s\"", child->line);
    bench_child_fail(child, why);
    return 0;
  case LINE_LATE:
    snprintf(why, sizeof why, "no answer for %g s, so that it was ended", most_seconds());
    bench_child_fail(child, why);
    return 0;
  case LINE_NONE:
    break;
  }
  is_gone(child, answered_once);
  return 0;
}

int bench_child_must_answer(bench_child *child) {
  char why[320];
  if (bench_child_answer(child))
    return 1;
  if (child->pid) {
    snprintf(why, sizeof why, "%s", child->line);
    bench_child_fail(child, why);
  }
  return 0;
}

FILE *bench_child_file(const bench_child *child, const char *what) {
  char path[256];
  snprintf(path, sizeof path, "build/bench/%s_%s.raw", child->name, what);
  FILE *file = fopen(path, "w+b");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

void bench_child_write(FILE *file, const float *values, size_t count) {
  if (values && fwrite(values, sizeof *values, count, file) != count) {
    perror("bench: a file for a child process");
    exit(1);
  }
}

int bench_child_read(bench_child *child, FILE *file, float *values, size_t count) {
  if (!values || child->failed[0])
    return !values;
  if (fread(values, sizeof *values, count, file) == count)
    return 1;
  bench_child_fail(child, "it wrote less than its answer");
  return 0;
}
