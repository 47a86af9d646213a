#define _POSIX_C_SOURCE 200809L /* fork, pipe, fdopen */
#include "child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bench_child_start(bench_child *child, const char *script) {
  const char *wanted = getenv("BENCH_PYTHON"), *python = wanted ? wanted : "python3";
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0)
    return;
  fflush(NULL);
  if (fork() == 0) {
    dup2(to[0], 0), dup2(from[1], 1);
    close(to[0]), close(to[1]), close(from[0]), close(from[1]);
    execlp(python, python, script, child->name, (char *)NULL);
    _exit(127);
  }
  signal(SIGPIPE, SIG_IGN); /* a child that is gone shows as an empty answer */
  close(to[0]), close(from[1]);
  child->to = fdopen(to[1], "w");
  child->from = fdopen(from[0], "r");
}

int bench_child_answer(bench_child *child) {
  fflush(child->to);
  if (!fgets(child->line, sizeof child->line, child->from))
    snprintf(child->line, sizeof child->line, "the child process is gone");
  child->line[strcspn(child->line, "\n")] = 0;
  return strncmp(child->line, "ok", 2) == 0;
}

void bench_child_must_answer(bench_child *child) {
  if (!bench_child_answer(child)) {
    fprintf(stderr, "bench: %s: %s\n", child->name, child->line);
    exit(1);
  }
}

FILE *bench_child_file(const bench_child *child, const char *what, const char *mode) {
  char path[256];
  snprintf(path, sizeof path, "build/bench/%s_%s.raw", child->name, what);
  FILE *file = fopen(path, mode);
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

void bench_child_read(FILE *file, float *values, size_t count) {
  if (values && fread(values, sizeof *values, count, file) != count) {
    fprintf(stderr, "bench: a child process wrote too little\n");
    exit(1);
  }
}
