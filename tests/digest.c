/* A hash of the bits that each layer gives: `digest [c|neon|avx2|avx512|wasm]`, by default the best
 * that this CPU has. Compilers, levels of optimisation, instruction sets and machines are compared
 * by comparing what this prints:
 *
 *     <layer> <tokens> <hash>
 *
 * sorted by layer; tokens have a w where inputs and weights are of widely different sizes, a t
 * where many a sum is next to the middle between two floats. Every NaN counts as the same. Layers
 * of many flop are left out. Exit 1 where the CPU lacks the instruction set, 2 where it is none. */
#include "support/kernels.h"
#include "support/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLOP = 2000000 };

/* FNV-1a over the values' bytes, low byte first. */
static uint64_t hash(const float *values, size_t count) {
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = values[i] == values[i] ? test_bits(values[i]) : 0x7fc00000;
    for (int shift = 0; shift < 32; shift += 8)
      h = (h ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  return h;
}

static void print_layer(const ffn_kernel *kernel) {
  static const size_t batches[] = {1, 3, 16, 33};
  static const char *const suffix[] = {[TEST_REALS] = "", [TEST_WIDE] = "w", [TEST_TIES] = "t"};
  for (test_fill fill = TEST_REALS; fill <= TEST_TIES; fill++) {
    test_model model;
    test_model_open(&model, kernel, fill, 91);
    test_model_pack(&model);
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
      float *x = test_inputs(kernel, batches[b], fill, 92 + b);
      float *y = test_outputs(kernel, x, batches[b], model.packed);
      const uint64_t bits = hash(y, batches[b] * kernel->outputs);
      /* newlib's printf knows neither %zu nor %llx. */
      printf("%s %lu%s %08lx%08lx\n", kernel->layer, (unsigned long)batches[b], suffix[fill],
             (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffff));
      free(x), free(y);
    }
    test_model_close(&model);
  }
}

static int by_layer(const void *a, const void *b) {
  const ffn_kernel *const *first = a, *const *second = b;
  return strcmp((*first)->layer, (*second)->layer);
}

int main(int argc, char **argv) {
  int isa = FFN_ISA_COUNT - 1;
  if (argc > 1) {
    while (isa >= 0 && strcmp(ffn_isa_name((ffn_isa)isa), argv[1]) != 0)
      isa--;
    if (isa < 0) {
      fprintf(stderr, "digest: %s is no instruction set\n", argv[1]);
      return 2;
    }
    if (!(ffn_cpu() >> isa & 1)) {
      fprintf(stderr, "digest: this CPU has no %s\n", argv[1]);
      return 1;
    }
  } else {
    while (!(ffn_cpu() >> isa & 1))
      isa--;
  }
  size_t count, chosen = 0;
  const ffn_kernel *const *all = ffn_all(&count);
  const ffn_kernel **kernels = test_memory(count * sizeof *kernels);
  for (size_t i = 0; i < count; i++)
    if ((int)all[i]->isa == isa && all[i]->flop_per_token <= MOST_FLOP)
      kernels[chosen++] = all[i];
  qsort(kernels, chosen, sizeof *kernels, by_layer);
  for (size_t i = 0; i < chosen; i++)
    print_layer(kernels[i]);
  free(kernels);
  return 0;
}
