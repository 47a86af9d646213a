/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * output.c - see output.h. */
#define _POSIX_C_SOURCE 200809L
#include "pack/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* What is being written, for signals: "" where nothing is. */
static char unfinished[4096];

/* Ends the program without a half-written file: it is interrupted, or a source was cut short. */
static void interrupted(int signal_number) {
  static const char text[] = "ffn-pack: a file was cut short while it was read\n";
  if (unfinished[0])
    unlink(unfinished);
  if (signal_number == SIGBUS) {
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(code_bad_input);
  }
  _exit(128 + signal_number);
}

static void listen_to_signals(void) {
  static const int all[] = {SIGBUS, SIGINT, SIGTERM, SIGHUP};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupted;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    struct sigaction before;
    /* What a caller has it ignore (nohup) stays ignored. */
    if (sigaction(all[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(all[i], &action, NULL);
  }
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long)time.tv_sec;
}

/* Whether what is there may be compared: its size is that of what would be written. */
static int begin_comparing(pack_output *to, pack_problem *problem) {
  struct stat about;
  const int descriptor = open(to->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return fails(problem, errno == ENOENT ? code_differs : code_failure, to->path, "%s",
        errno == ENOENT ? "there is none" : strerror(errno));
  const int known = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  if (!known || (uint64_t)about.st_size != to->bytes) {
    close(descriptor);
    return fails(problem, code_differs, to->path, "it has not the %llu bytes that the plan makes",
        (unsigned long long)to->bytes);
  }
  void *memory = mmap(NULL, (size_t)to->bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED)
    return fails(problem, code_failure, to->path, "it cannot be mapped: %s", strerror(errno));
  to->there = (const char *)memory;
  return 1;
}

int output_begin(
    pack_output *to, const char *path, uint64_t bytes, int compares, pack_problem *problem) {
  struct statvfs disk;
  const pack_output begun = {path, -1, NULL, bytes, 0, isatty(STDERR_FILENO) ? now() : -1};
  *to = begun;
  listen_to_signals();
  if (compares)
    return begin_comparing(to, problem);
  const int length = snprintf(unfinished, sizeof unfinished, "%s.new-%ld", path, (long)getpid());
  if (length < 0 || (size_t)length >= sizeof unfinished) {
    unfinished[0] = 0;
    return fails(problem, code_failure, path, "its name is too long");
  }
  unlink(unfinished); /* of a process of this number that was killed */
  to->descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (to->descriptor < 0) {
    unfinished[0] = 0;
    return fails(problem, code_failure, path, "it cannot be written: %s", strerror(errno));
  }
  if (fstatvfs(to->descriptor, &disk) == 0 && disk.f_frsize > 0 &&
      bytes / disk.f_frsize > disk.f_bavail)
    return fails(problem, code_failure, path, "%llu bytes are needed, and %llu are free there",
        (unsigned long long)bytes, (unsigned long long)disk.f_bavail * disk.f_frsize);
  /* Its whole length: what is never written between layers is 0. */
  if (ftruncate(to->descriptor, (off_t)bytes) != 0)
    return fails(problem, code_failure, path, "it cannot be written: %s", strerror(errno));
  return 1;
}

/* A line each second, of how far it is. */
static void tell(pack_output *to) {
  if (to->shown < 0)
    return;
  const long second = now();
  if (second != to->shown)
    fprintf(stderr, "ffn-pack: %llu of %llu MB\n", (unsigned long long)(to->done / 1000000),
        (unsigned long long)(to->bytes / 1000000));
  to->shown = second;
}

int output_put(
    pack_output *to, uint64_t at, const void *memory, size_t bytes, pack_problem *problem) {
  to->done += bytes;
  tell(to);
  if (to->there)
    return memcmp(to->there + at, memory, bytes) == 0 ||
           fails(problem, code_differs, to->path,
               "it is not what the plan makes, from byte %llu on", (unsigned long long)at);
  for (const char *from = (const char *)memory; bytes > 0;) {
    const ssize_t written = pwrite(to->descriptor, from, bytes, (off_t)at);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return fails(problem, code_failure, to->path, "it cannot be written: %s",
          written < 0 ? strerror(errno) : "nothing is taken");
    from += written, bytes -= (size_t)written, at += (uint64_t)written;
  }
  return 1;
}

int output_end(pack_output *to, pack_problem *problem) {
  if (to->there)
    return 1;
  const int written = fsync(to->descriptor) == 0;
  const int closed = close(to->descriptor) == 0;
  to->descriptor = -1;
  if (!written || !closed || rename(unfinished, to->path) != 0)
    return fails(problem, code_failure, to->path, "it cannot be written: %s", strerror(errno));
  unfinished[0] = 0;
  return 1;
}

void output_drop(pack_output *to) {
  if (to->descriptor >= 0)
    close(to->descriptor);
  if (unfinished[0])
    unlink(unfinished);
  unfinished[0] = 0;
  if (to->there)
    munmap((void *)(uintptr_t)to->there, (size_t)to->bytes);
  to->descriptor = -1;
  to->there = NULL;
}
