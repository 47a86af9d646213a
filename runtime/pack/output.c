/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * output.c - see output.h. */
#define _POSIX_C_SOURCE 200809L
#include "pack/output.h"
#include "pack/unfinished.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* What a packed file begins with: ffn_file_header.magic. */
static const char magic[] = "FFNMODEL";

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long)time.tv_sec;
}

/* Whether what is there may be compared: its size is that of what would be written. */
static int begin_comparing(pack_output *to, pack_problem *problem) {
  struct stat about;
  const int descriptor = open_to_read(to->path, &about, code_failure, problem);
  if (descriptor < 0)
    return errno == ENOENT ? fails(problem, code_differs, to->path, "this file is missing") : 0;
  if ((uint64_t)about.st_size != to->bytes) {
    close(descriptor);
    return fails(problem, code_differs, to->path,
        "it does not have the %llu bytes that the plan makes", (unsigned long long)to->bytes);
  }
  void *memory = mmap(NULL, (size_t)to->bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED)
    return fails(problem, code_failure, to->path, "it cannot be mapped: %s", strerror(errno));
  to->there = (const char *)memory;
  return 1;
}

pack_output output_none(void) {
  static const writer_rules none = {"", 0, NULL, 0};
  const pack_output to = {"", {"", "", none, -1, -1}, NULL, 0, 0, -1};
  return to;
}

int output_begin(pack_output *to, const char *path, uint64_t bytes, int compares,
    const kept_file *kept, size_t kept_count, pack_problem *problem) {
  const writer_rules rules = {magic, sizeof magic - 1, kept, kept_count};
  struct statvfs disk;
  *to = output_none();
  to->path = path;
  to->bytes = bytes;
  to->shown = isatty(STDERR_FILENO) ? now() : -1;
  unfinished_listen();
  if (compares)
    return begin_comparing(to, problem);
  if (!writer_begin(&to->writer, path, &rules, problem))
    return 0;
  if (fstatvfs(to->writer.descriptor, &disk) == 0 && disk.f_frsize > 0 &&
      bytes / disk.f_frsize > disk.f_bavail)
    return fails(problem, code_failure, path, "it needs %llu bytes, and the disk has %llu free",
        (unsigned long long)bytes, (unsigned long long)disk.f_bavail * disk.f_frsize);
  /* Its whole length: what is never written between layers is 0. */
  if (ftruncate(to->writer.descriptor, (off_t)bytes) != 0)
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
    const ssize_t written = pwrite(to->writer.descriptor, from, bytes, (off_t)at);
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
  return to->there != NULL || writer_end(&to->writer, problem);
}

void output_drop(pack_output *to) {
  writer_drop(&to->writer);
  if (to->there)
    munmap((void *)(uintptr_t)to->there, (size_t)to->bytes);
  to->there = NULL;
}
