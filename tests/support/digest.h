/* What programs share that print a hash of each layer's bits: `digest [ISA [FLOP]]`, by default of
 * each layer's best kernel for this CPU; `digest list` names the instruction sets. Compilers,
 * levels of optimisation, instruction sets and machines are compared by comparing what they print:
 *
 *     <layer> <batch> <hash>
 *
 * sorted by layer. Every NaN counts as the same. A layer of more than FLOP a token, 1e9 without it,
 * is left out. Exit 1 where the CPU lacks the instruction set, 2 where it is none. */
#ifndef TEST_DIGEST_H
#define TEST_DIGEST_H

#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a over the values' bytes, low byte first. */
static const uint64_t test_hash_begin = 0xcbf29ce484222325u;
static inline uint64_t test_hash(uint64_t h, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = values[i] == values[i] ? test_bits(values[i]) : 0x7fc00000;
    for (int shift = 0; shift < 32; shift += 8)
      h = (h ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  return h;
}

static inline void test_digest_line(const char *layer, size_t tokens, const char *suffix,
                                    uint64_t bits) {
  /* newlib's printf knows neither %zu nor %llx. */
  printf("%s %lu%s %08lx%08lx\n", layer, (unsigned long)tokens, suffix, (unsigned long)(bits >> 32),
         (unsigned long)(bits & 0xffffffff));
}

static inline int test_digest_by_layer(const void *a, const void *b) {
  const ffn_kernel *const *first = a, *const *second = b;
  return strcmp((*first)->layer, (*second)->layer);
}

/* The instruction set of argv, FFN_ISA_COUNT where it names none, or -1 after a message. */
static inline int test_digest_isa(int argc, char **argv) {
  if (argc <= 1)
    return FFN_ISA_COUNT;
  int isa = FFN_ISA_COUNT - 1;
  while (isa >= 0 && strcmp(ffn_isa_name((ffn_isa)isa), argv[1]) != 0)
    isa--;
  if (isa < 0)
    fprintf(stderr, "digest: %s is no instruction set\n", argv[1]);
  return isa;
}

static inline int test_digest(int argc, char **argv,
                              void (*print_layer)(const ffn_kernel *kernel, double most_flop)) {
  if (argc > 1 && strcmp(argv[1], "list") == 0) {
    for (int isa = 0; isa < FFN_ISA_COUNT; isa++)
      puts(ffn_isa_name((ffn_isa)isa));
    return 0;
  }
  (void)ffn_amx(); /* or the kernels with AMX are skipped */
  const int isa = test_digest_isa(argc, argv);
  const double most_flop = argc > 2 ? atof(argv[2]) : 1e9;
  if (isa < 0)
    return 2;
  const int best = isa == FFN_ISA_COUNT;
  if (!best && !(ffn_cpu() >> isa & 1)) {
    fprintf(stderr, "digest: this CPU has no %s\n", argv[1]);
    return 1;
  }
  size_t count, chosen = 0;
  const ffn_kernel *const *all = ffn_all(&count);
  const ffn_kernel **kernels = test_memory(count * sizeof *kernels);
  for (size_t i = 0; i < count; i++)
    if ((best ? ffn_find_layer(all[i]->layer, ffn_cpu()) == all[i] : (int)all[i]->isa == isa) &&
        (double)all[i]->flop_per_token <= most_flop)
      kernels[chosen++] = all[i];
  qsort(kernels, chosen, sizeof *kernels, test_digest_by_layer);
  for (size_t i = 0; i < chosen; i++)
    print_layer(kernels[i], most_flop);
  free(kernels);
  return 0;
}

#endif
