#include "allocations.h"

#include <stdatomic.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

static atomic_size_t calls;

size_t test_allocations(void) { return atomic_load(&calls); }

#if defined(__GLIBC__) && !defined(SANITIZED) && !defined(TEST_STATIC)

int test_allocations_counted(void) { return 1; }

/* glibc's own, under the names that it keeps for those who replace the others. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes) {
  atomic_fetch_add(&calls, 1);
  return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  atomic_fetch_add(&calls, 1);
  return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
  atomic_fetch_add(&calls, 1);
  return __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  atomic_fetch_add(&calls, 1);
  return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  atomic_fetch_add(&calls, 1);
  *memory = __libc_memalign(alignment, bytes);
  return *memory ? 0 : 12; /* ENOMEM */
}

void free(void *memory) {
  if (memory)
    atomic_fetch_add(&calls, 1);
  __libc_free(memory);
}

#else

int test_allocations_counted(void) { return 0; }

#endif
