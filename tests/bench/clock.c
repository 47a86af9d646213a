#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep, opendir */
#include "clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Threads of this process that run or wait for a core, the calling one among them: Linux tells
 * their state as the letter after the name. (Clocks of CPU time see others' only at each tick.) */
static int running_threads(void) {
  int running = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (const struct dirent *task; tasks && (task = readdir(tasks));) {
    char path[300], line[128];
    if (task->d_name[0] == '.') /* "..", the process as a whole, has such a file too */
      continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", task->d_name);
    FILE *file = fopen(path, "r");
    const char *name_end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (file)
      fclose(file);
    running += name_end && name_end[2] == 'R';
  }
  if (tasks)
    closedir(tasks);
  return running;
}

void bench_settle(void) {
  const struct timespec nap = {0, 50000};
  const double deadline = bench_now() + 0.5;
  while (running_threads() > 1 && bench_now() < deadline)
    nanosleep(&nap, NULL);
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_quartiles bench_quartiles_of(double *times, size_t count) {
  qsort(times, count, sizeof *times, by_value);
  return (bench_quartiles){times[count / 4], times[count / 2], times[count - 1 - count / 4]};
}
