/* ffn_alloc() and ffn_arena_alloc(): alignment, sizes, huge pages, and what is refused. */
#define _GNU_SOURCE
#include "support/allocations.h"
#include "support/each.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t huge = (size_t)2 << 20;
static const size_t least = (size_t)1 << 20; /* from which huge pages are asked for */

/* How many bytes of a block are to lie in huge pages: no more than a sixteenth may be left over. */
static size_t wanted(size_t bytes) {
  const size_t whole = bytes / huge * huge;
  if (bytes < least)
    return 0;
  return (bytes - whole) * 16 > bytes ? whole + huge : whole;
}

static const size_t sizes[] = {
    (size_t)1 << 20, 1500000, 2 << 20, (2 << 20) + 100000, (2 << 20) + 140000, 2654272, 4 << 20,
    (4 << 20) + 1,   5 << 20, 34 << 20};

static size_t alignment_of(size_t bytes) {
#if defined(__linux__)
  return bytes < least ? FFN_ALIGNMENT : huge;
#else
  return FFN_ALIGNMENT;
#endif
}

Test(alloc, alloc) {
  cr_assert(ffn_alloc(0) == NULL);
  cr_assert(ffn_alloc(SIZE_MAX) == NULL);
  for (size_t less = 1; less < 200; less++) {
    cr_assert(ffn_alloc(SIZE_MAX - less) == NULL);
    cr_assert(ffn_alloc(SIZE_MAX / 2 - less % FFN_ALIGNMENT) == NULL);
  }
  cr_assert(ffn_alloc(SIZE_MAX / 2) == NULL && ffn_alloc(SIZE_MAX / 2 + 1) == NULL);
  ffn_free(NULL);
  void *memory[300];
  for (size_t bytes = 1; bytes < 300; bytes++) {
    memory[bytes] = ffn_alloc(bytes);
    cr_assert(memory[bytes] && (uintptr_t)memory[bytes] % FFN_ALIGNMENT == 0);
    memset(memory[bytes], (int)bytes & 0xff, bytes);
  }
  for (size_t bytes = 1; bytes < 300; bytes++) {
    for (size_t i = 0; i < bytes; i++)
      cr_assert(((unsigned char *)memory[bytes])[i] == (bytes & 0xff));
    ffn_free(memory[bytes]);
  }
}

/* Sizes around those at which something changes, every byte written. */
Test(alloc, alignment) {
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t bytes = sizes[i] - 1; bytes <= sizes[i] + 1; bytes++) {
      char *memory = ffn_alloc(bytes);
      cr_assert(memory && (uintptr_t)memory % alignment_of(bytes) == 0, "%zu bytes", bytes);
      memset(memory, 1, bytes);
      ffn_free(memory);
    }
}

/* None is in another one's memory, and what is asked of the system for one is for it alone. */
Test(alloc, apart) {
  enum { COUNT = sizeof sizes / sizeof *sizes - 1 }; /* without the longest */
  unsigned char *memory[2 * COUNT];
  for (size_t i = 0; i < 2 * COUNT; i++) {
    memory[i] = ffn_alloc(sizes[i % COUNT]);
    cr_assert(memory[i] != NULL);
    memset(memory[i], (int)i + 1, sizes[i % COUNT]);
  }
  for (size_t i = 0; i < 2 * COUNT; i++) {
    const size_t bytes = sizes[i % COUNT];
    cr_assert(memory[i][0] == i + 1 && memcmp(memory[i], memory[i] + 1, bytes - 1) == 0,
              "block %zu of %zu bytes", i, bytes);
  }
  for (size_t i = 0; i < 2 * COUNT; i++)
    ffn_free(memory[i]);
}

#if defined(__linux__)
/* What this thread has asked of the system, in order, whether it was granted or not. */
typedef struct asked {
  void *memory;
  size_t bytes;
  int advice;
} asked;
static _Thread_local asked asked_last[4];
static _Thread_local size_t asked_count;

/* In place of the library's. */
int madvise(void *memory, size_t bytes, int advice) {
  asked_last[asked_count++ % 4] = (asked){memory, bytes, advice};
  return (int)syscall(SYS_madvise, memory, bytes, advice);
}

/* Huge pages are asked for where they pay, and what is old is given back first: on every system,
 * those with none to give among them. */
Test(alloc, advice) {
  static const int advices[] = {MADV_HUGEPAGE, MADV_DONTNEED};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t bytes = sizes[i] - 1; bytes <= sizes[i] + 1; bytes++) {
      asked_count = 0;
      void *memory = ffn_alloc(bytes);
      cr_assert(asked_count == (wanted(bytes) ? 2 : 0), "%zu bytes: %zu", bytes, asked_count);
      for (size_t a = 0; a < asked_count; a++)
        cr_assert(asked_last[a].memory == memory && asked_last[a].bytes == wanted(bytes) &&
                      asked_last[a].advice == advices[a],
                  "%zu bytes: %zu of advice %d", bytes, asked_last[a].bytes, asked_last[a].advice);
      ffn_free(memory);
    }
}
#endif

/* What /proc/self/smaps says of the mapping that an address lies in. */
typedef struct mapping {
  int advised;
  size_t huge_bytes; /* in huge pages */
} mapping;

static mapping mapping_of(const void *address) {
  mapping found = {0, 0};
  int inside = 0;
  char line[1024];
  FILE *file = fopen("/proc/self/smaps", "r");
  while (file && fgets(line, sizeof line, file)) {
    unsigned long first, last;
    size_t kilobytes;
    if (sscanf(line, "%lx-%lx ", &first, &last) == 2)
      inside = (uintptr_t)address >= first && (uintptr_t)address < last;
    else if (inside && sscanf(line, "AnonHugePages: %zu", &kilobytes) == 1)
      found.huge_bytes = kilobytes << 10;
    else if (inside && strncmp(line, "VmFlags:", 8) == 0)
      found.advised = strstr(line, " hg") != NULL;
  }
  if (file)
    fclose(file);
  return found;
}

/* Whether this system takes the advice, and has huge pages to give. */
static mapping what_is_possible(void) {
  mapping possible = {0, 0};
  char *memory = mmap(NULL, 3 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return possible;
  if (madvise(memory, 3 * huge, MADV_HUGEPAGE) == 0) {
    memset(memory, 1, 3 * huge);
    possible = mapping_of(memory + huge);
  }
  munmap(memory, 3 * huge);
  return possible;
}

static void expect_huge(size_t bytes, const mapping *possible) {
  char *memory = ffn_alloc(bytes);
  cr_assert(memory != NULL);
  memset(memory, 1, bytes);
  const size_t pages = wanted(bytes);
  if (!pages)
    cr_assert(!mapping_of(memory).advised, "%zu bytes are too few", bytes);
  for (size_t at = 0; at < pages; at += huge) {
    const mapping found = mapping_of(memory + at + huge - 1);
    cr_assert(found.advised, "%zu bytes: not those at %zu", bytes, at);
    cr_assert(!possible->huge_bytes || found.huge_bytes >= pages,
              "%zu bytes: %zu of %zu in huge pages", bytes, found.huge_bytes, pages);
  }
  ffn_free(memory);
}

Test(alloc, huge_pages) {
  const mapping possible = what_is_possible();
  if (!possible.advised)
    cr_skip_test("this system has no transparent huge pages, or does not tell");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    expect_huge(sizes[i], &possible);
}

/* Memory that was in use before, in small pages, gets huge ones all the same: who reads weights
 * into one block, packs them into another and frees the first does so for every layer. */
Test(alloc, huge_pages_of_used_memory) {
  const mapping possible = what_is_possible();
  if (!possible.huge_bytes || !test_allocations_counted())
    cr_skip_test("no huge pages, or a malloc() of a sanitizer");
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  char *used = malloc(30 << 20);
  memset(used, 1, 30 << 20);
  free(used);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i] >= least)
      expect_huge(sizes[i], &possible);
}

/* Bytes that malloc() has given away. */
static size_t in_use(void) {
#if defined(__GLIBC_PREREQ) && !defined(TEST_STATIC)
#if __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
#endif
#endif
  return 0;
}

/* Of small blocks no more than the alignment, its record and malloc()'s page; of large ones a huge
 * page for the alignment, which nobody touches, and the rest of the last one. */
Test(alloc, sizes) {
  if (!test_allocations_counted() || !in_use())
    cr_skip_test("what malloc() gives cannot be counted in this build");
  static const size_t small[] = {1, 64, 1000, 331840, 700000, ((size_t)1 << 20) - 1};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    const size_t before = in_use();
    void *memory = ffn_alloc(small[i]);
    const size_t more = in_use() - before;
    cr_assert(memory && more <= small[i] + FFN_ALIGNMENT + 2 * sizeof(void *) + 4096 + 64,
              "%zu bytes take %zu", small[i], more);
    ffn_free(memory);
    if (small[i] > 4096) /* glibc keeps the smallest for the next one, and counts them */
      cr_assert(in_use() == before, "%zu bytes are not given back", small[i]);
  }
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const size_t before = in_use(), pages = wanted(sizes[i]);
    void *memory = ffn_alloc(sizes[i]);
    const size_t more = in_use() - before, own = pages > sizes[i] ? pages : sizes[i];
    cr_assert(memory && own < sizes[i] + huge && more <= own + huge + 2 * 4096,
              "%zu bytes take %zu", sizes[i], more);
    ffn_free(memory);
    cr_assert(in_use() == before, "%zu bytes are not given back", sizes[i]);
  }
}

/* Whether act() ends well in a process of its own. */
static int ends_well(int (*act)(size_t bytes), size_t bytes, int quiet) {
  int status;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    if (quiet)
      close(STDERR_FILENO);
    _exit(act(bytes) ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

/* So many bytes are all that this process can still get. */
static int leave(size_t bytes) {
  size_t pages;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%zu", &pages) != 1)
    return 0;
  fclose(file);
  const rlim_t limit = pages * (size_t)sysconf(_SC_PAGESIZE) + bytes;
  return setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) == 0;
}

static int is_refused_without_memory(size_t bytes) {
  return leave(bytes / 2) && ffn_alloc(bytes) == NULL;
}

/* Enough for the block, but not for its way to huge pages. */
static int is_given_without_more(size_t bytes) {
  if (!leave(bytes + bytes / 8))
    return 0;
  char *memory = ffn_alloc(bytes);
  if (!memory || (uintptr_t)memory % FFN_ALIGNMENT != 0)
    return 0;
  memset(memory, 1, bytes);
  return ffn_free(memory), 1;
}

Test(alloc, no_memory) {
  if (!test_allocations_counted())
    cr_skip_test("memory cannot be limited in this build");
  cr_assert(ends_well(is_refused_without_memory, (size_t)1 << 30, 0));
  cr_assert(ends_well(is_given_without_more, (size_t)11 << 20, 0));
}

static int writes_past(size_t bytes) {
  volatile char *memory = ffn_alloc(bytes);
  memory[bytes] = 1;
  return 1;
}

static int writes_all(size_t bytes) {
  volatile char *memory = ffn_alloc(bytes);
  for (size_t i = 0; i < bytes; i++)
    memory[i] = 1;
  ffn_free((void *)memory);
  return 1;
}

/* AddressSanitizer knows where a block ends, to the byte. */
Test(alloc, overrun) {
#if defined(__SANITIZE_ADDRESS__)
  const int is_watched = 1;
#elif defined(__has_feature)
  const int is_watched = __has_feature(address_sanitizer);
#else
  const int is_watched = 0;
#endif
  static const size_t ends[] = {
      1, 7, 8, 63, 64, 65, 100, 4096, 331840, 2654272, (2 << 20) + 100000};
  if (!is_watched)
    cr_skip_test("AddressSanitizer does not watch this build");
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    cr_assert(ends_well(writes_all, ends[i], 0), "%zu bytes", ends[i]);
    cr_assert(!ends_well(writes_past, ends[i], 1), "a byte behind %zu", ends[i]);
  }
}

/* Layers of a model, one behind the other, and not one byte more than there is. */
Test(alloc, arena) {
  size_t count, bytes = 0;
  const ffn_kernel *const *kernels = ffn_all(&count);
  count = count < 50 ? count : 50;
  for (size_t i = 0; i < count; i++) {
    cr_assert(kernels[i]->packed_bytes % FFN_ALIGNMENT == 0, "%s", kernels[i]->name);
    bytes += kernels[i]->packed_bytes;
  }
  ffn_arena arena = {ffn_alloc(bytes), bytes, 0};
  char *expected = arena.memory;
  for (size_t i = 0; i < count; i++) {
    char *packed = ffn_arena_alloc(&arena, kernels[i]->packed_bytes);
    cr_assert(packed && packed == expected, "%s", kernels[i]->name);
    expected += kernels[i]->packed_bytes;
  }
  cr_assert(arena.used == bytes && ffn_arena_alloc(&arena, 1) == NULL && arena.used == bytes);
  arena.used = 0;
  cr_assert(ffn_arena_alloc(&arena, bytes + 1) == NULL && arena.used == 0);
  cr_assert(ffn_arena_alloc(&arena, bytes) == arena.memory && arena.used == bytes);
  ffn_free(arena.memory);
}

/* Sizes that are no multiple of the alignment: the next block is aligned all the same. */
Test(alloc, arena_alignment) {
  static _Alignas(FFN_ALIGNMENT) char memory[1000];
  ffn_arena arena = {memory, sizeof memory, 0};
  cr_assert(ffn_arena_alloc(&arena, 1) == memory);
  cr_assert(ffn_arena_alloc(&arena, 1000 - 64 + 1) == NULL && arena.used == 1);
  cr_assert(ffn_arena_alloc(&arena, 65) == memory + 64);
  cr_assert(ffn_arena_alloc(&arena, 64) == memory + 192);
  cr_assert(ffn_arena_alloc(&arena, 1000 - 256 + 1) == NULL);
  cr_assert(ffn_arena_alloc(&arena, 1000 - 256 - 1) == memory + 256 && arena.used == 999);
  cr_assert(ffn_arena_alloc(&arena, 1) == NULL, "a byte is left, but not where one may begin");
}

Test(alloc, arena_misuse) {
  static _Alignas(FFN_ALIGNMENT) char memory[256];
  const ffn_arena wrong[] = {
      {NULL, 256, 0},       /* ffn_alloc() had none */
      {memory + 4, 128, 0}, /* not aligned */
      {memory, 0, 0},          {memory, 256, 257},
      {memory, 256, SIZE_MAX}, {memory, 256, SIZE_MAX - 62},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ffn_arena arena = wrong[i];
    cr_assert(ffn_arena_alloc(&arena, 1) == NULL, "case %zu", i);
    cr_assert(memcmp(&arena, &wrong[i], sizeof arena) == 0, "case %zu is changed", i);
  }
  ffn_arena arena = {memory, 256, 0};
  cr_assert(ffn_arena_alloc(NULL, 1) == NULL && ffn_arena_alloc(&arena, 0) == NULL);
  for (size_t less = 0; less < 300; less++)
    cr_assert(ffn_arena_alloc(&arena, SIZE_MAX - less) == NULL && arena.used == 0);
}
