/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * input_file.c - see input_file.h. */
#define _POSIX_C_SOURCE 200809L
#include "pack/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

file_id file_id_of(const struct stat *about) {
  const file_id id = {(uint64_t)about->st_dev, (uint64_t)about->st_ino};
  return id;
}

int file_id_same(file_id a, file_id b) { return a.device == b.device && a.number == b.number; }

static const char no_file[] = "it is not a regular file";

int open_to_read(const char *path, struct stat *about, int code, pack_problem *problem) {
  /* What it is, is known only when it is open: until then nothing may wait. */
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    const int reason = errno;
    /* A socket cannot be opened at all. */
    fails(problem, code, path, "%s", reason == ENXIO ? no_file : strerror(reason));
    errno = reason;
    return -1;
  }
  if (fstat(descriptor, about) == 0 && S_ISREG(about->st_mode))
    return descriptor;
  close(descriptor);
  fails(problem, code_bad_input, path, "%s", no_file);
  errno = 0;
  return -1;
}
