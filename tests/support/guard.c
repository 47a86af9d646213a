#define _GNU_SOURCE
#include "guard.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILL = 0xa5 };

test_guard test_guard_open(size_t bytes, size_t alignment, test_side side) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t inner = (bytes + page - 1) / page * page;
  test_guard g = {.bytes = bytes, .mapped = inner + 2 * page};
  void *map = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) != 0 ||
      mprotect((unsigned char *)map + page + inner, page, PROT_NONE) != 0) {
    perror("guarded memory");
    abort();
  }
  g.map = map;
  const size_t slack = inner - bytes;
  const size_t before = side == TEST_AT_START ? 0 : slack / alignment * alignment;
  unsigned char *memory = g.map + page + before;
  memset(g.map + page, FILL, before);
  memset(memory, 0xff, bytes);
  memset(memory + bytes, FILL, slack - before);
  g.memory = memory;
  return g;
}

void test_guard_read_only(const test_guard *g) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (g->mapped > 2 * page && mprotect(g->map + page, g->mapped - 2 * page, PROT_READ) != 0)
    abort();
}

test_guard test_guard_copy(const void *source, size_t bytes, size_t alignment, test_side side) {
  const test_guard copy = test_guard_open(bytes, alignment, side);
  memcpy(copy.memory, source, bytes);
  test_guard_read_only(&copy);
  return copy;
}

int test_guard_intact(const test_guard *g) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const unsigned char *memory = g->memory;
  for (const unsigned char *p = g->map + page; p < memory; p++)
    if (*p != FILL)
      return 0;
  for (const unsigned char *p = memory + g->bytes; p < g->map + g->mapped - page; p++)
    if (*p != FILL)
      return 0;
  return 1;
}

void test_guard_close(const test_guard *g) { munmap(g->map, g->mapped); }
