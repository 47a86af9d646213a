/* Follows the cache lines of a kernel's packed weights: when they are fetched ahead, when they are
 * read. A generated file of AVX2 or AVX-512, KERNEL, whose descriptor is SYMBOL, is a part of this
 * one, so that its prefetches and its loads are calls of note_fetch() and note_load().
 *
 * Arguments: numbers of tokens. Prints for each: lines that are read; those of them that nobody had
 * fetched; fetches of a line that had been fetched before, into the same cache; the most that were
 * under way: fetched and not read yet; and lines that had been fetched into both caches when they
 * were read. Prints "none" where this CPU has no such instructions, and they no stand-ins. */
#include "ffn.h"

#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64 };
enum { FIRST_LEVEL = 1, SECOND_LEVEL = 2 }; /* bits of fetched_into */
typedef struct line {
  unsigned char fetched_into, is_read;
} line;
static struct {
  uintptr_t from;
  size_t count;
  line *lines;
  size_t read, late, again, under_way, most, both;
} weights;

static line *line_at(const void *address) {
  const size_t at = ((uintptr_t)address - weights.from) / LINE; /* what lies below is far above */
  return weights.lines && at < weights.count ? &weights.lines[at] : NULL;
}

static inline void note_fetch(const void *address, int locality) {
  line *const l = line_at(address);
  if (!l)
    return;
  const unsigned char level = locality == 3 ? FIRST_LEVEL : SECOND_LEVEL;
  weights.again += (l->fetched_into & level) != 0;
  weights.under_way += !l->fetched_into && !l->is_read;
  if (weights.under_way > weights.most)
    weights.most = weights.under_way;
  l->fetched_into |= level;
}

static inline const float *note_load(const float *address) {
  line *const l = line_at(address);
  if (l && !l->is_read) {
    ++weights.read;
    weights.late += !l->fetched_into;
    weights.both += l->fetched_into == (FIRST_LEVEL | SECOND_LEVEL);
    weights.under_way -= l->fetched_into != 0;
    l->is_read = 1;
  }
  return address;
}

#define FIRST_AND_THIRD(first, second, third, ...) first, third
/* Without further arguments a line goes into all caches: 3. */
#define __builtin_prefetch(...) note_fetch(FIRST_AND_THIRD(__VA_ARGS__, 0, 3, 3))
#define _mm256_load_ps(address) (_mm256_load_ps)(note_load(address))
#define _mm512_load_ps(address) (_mm512_load_ps)(note_load(address))
#define test_512_load_ps(address) (test_512_load_ps)(note_load(address))
#define NOTED(word, address)                                                                       \
  (note_load((const float *)(const void *)(address)), (word)((const void *)(address)))
#define _mm_loadu_si128(address) NOTED(_mm_loadu_si128, address)
#define _mm256_loadu_si256(address) NOTED(_mm256_loadu_si256, address)
#define _mm512_loadu_si512(address) NOTED(_mm512_loadu_si512, address)
#define test_512_loadu_si512(address) NOTED(test_512_loadu_si512, address)
#include KERNEL

int main(int argc, char **argv) {
  const ffn_kernel *const k = &SYMBOL;
#ifdef TEST_AVX512
  const int is_there = __builtin_cpu_supports("avx2"); /* by which AVX-512 has stand-ins */
#else
  const int is_there =
      k->isa == FFN_ISA_AVX512 ? __builtin_cpu_supports("avx512f") : __builtin_cpu_supports("avx2");
#endif
  if (!is_there)
    return puts("none"), 0;
  /* Panels follow the header, a line, and nothing else does: there is no bias. */
  char *const packed = aligned_alloc(LINE, (k->packed_bytes + LINE - 1) / LINE * LINE);
  float *const w = calloc(3 * k->inputs * k->outputs, sizeof *w);
  if (!packed || !w)
    return 1;
  k->pack(packed, &(ffn_weights){.gate = {.weight = w},
                                 .up = {.weight = w},
                                 .chain = &(ffn_linear){.weight = w}});
  weights.from = (uintptr_t)packed + LINE;
  weights.count = k->packed_bytes / LINE - 1;
  for (int i = 1; i < argc; ++i) {
    const size_t tokens = (size_t)atoi(argv[i]);
    const size_t bytes =
        (tokens * k->work_row_bytes + k->work_beside_bytes + 2 * LINE) / LINE * LINE;
    float *const x = calloc(tokens * (k->inputs + k->outputs), sizeof *x);
    void *const work = aligned_alloc(LINE, bytes);
    weights.lines = calloc(weights.count, sizeof *weights.lines);
    if (!x || !work || !weights.lines)
      return 1;
    weights.read = weights.late = weights.again = weights.under_way = weights.most = 0;
    weights.both = 0;
    ffn_run(k, x + tokens * k->inputs, k->outputs, x, k->inputs, tokens, packed, work, bytes, NULL);
    printf("%zu %zu %zu %zu %zu\n", weights.read, weights.late, weights.again, weights.most,
           weights.both);
    free(weights.lines), free(work), free(x);
  }
  free(packed), free(w);
  return 0;
}
