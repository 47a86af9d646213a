/* A hash of the bits that each layer gives: `digest [ISA [FLOP]]`, by default of the best that this
 * CPU has; `digest list` names those that there are. Compilers, levels of optimisation, instruction
 * sets and machines are compared by comparing what this prints:
 *
 *     <layer> <tokens> <hash>
 *
 * sorted by layer; tokens have a w where inputs and weights are of widely different sizes, a t
 * where many a sum is next to the middle between two floats, an s where the hash is of some rows of
 * the batch. Every NaN counts as the same. Layers of many flop have sampled rows alone; a batch of
 * more than FLOP, 1e9 without it, is run by its sampled rows alone, which have the same bits, and a
 * layer of more than FLOP a token is left out. Exit 1 where the CPU lacks the instruction set, 2
 * where it is none. */
#include "support/kernels.h"
#include "support/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FLOP = 2000000, MOST_ROWS = 300 };

/* FNV-1a over the values' bytes, low byte first. */
static const uint64_t begin = 0xcbf29ce484222325u;
static uint64_t hash(uint64_t h, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = values[i] == values[i] ? test_bits(values[i]) : 0x7fc00000;
    for (int shift = 0; shift < 32; shift += 8)
      h = (h ^ (bits >> shift & 0xff)) * 0x100000001b3u;
  }
  return h;
}

static void print_line(const ffn_kernel *kernel, size_t tokens, const char *suffix, uint64_t bits) {
  /* newlib's printf knows neither %zu nor %llx. */
  printf("%s %lu%s %08lx%08lx\n", kernel->layer, (unsigned long)tokens, suffix,
         (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffff));
}

static void print_batches(const ffn_kernel *kernel, const void *packed, test_fill fill) {
  static const size_t batches[] = {1, 3, 16, 33};
  static const char *const suffix[] = {[TEST_REALS] = "", [TEST_WIDE] = "w", [TEST_TIES] = "t"};
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    float *x = test_inputs(kernel, batches[b], fill, 92 + b);
    float *y = test_outputs(kernel, x, batches[b], packed);
    print_line(kernel, batches[b], suffix[fill], hash(begin, y, batches[b] * kernel->outputs));
    free(x), free(y);
  }
}

/* Rows at the ends of batches, of tiles and of walks (of 222 or 224 rows). */
static const size_t sampled[] = {0, 1, 3, 5, 16, 111, 221, 222, 224, 299};
enum { SAMPLES = sizeof sampled / sizeof *sampled };

static void print_samples(const ffn_kernel *kernel, const void *packed, double most_flop) {
  static const size_t batches[] = {1, 4, 17, MOST_ROWS};
  const size_t outputs = kernel->outputs;
  float *x = test_inputs(kernel, MOST_ROWS, TEST_REALS, 96);
  float *rows = test_memory(SAMPLES * kernel->inputs * sizeof(float));
  for (size_t s = 0; s < SAMPLES; s++)
    memcpy(rows + s * kernel->inputs, x + sampled[s] * kernel->inputs,
           kernel->inputs * sizeof(float));
  float *y_of_samples = NULL;
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    const size_t tokens = batches[b];
    float *y = NULL;
    if ((double)kernel->flop_per_token * (double)tokens <= most_flop)
      y = test_outputs(kernel, x, tokens, packed);
    else if (!y_of_samples)
      y_of_samples = test_outputs(kernel, rows, SAMPLES, packed);
    uint64_t bits = begin;
    for (size_t s = 0; s < SAMPLES && sampled[s] < tokens; s++)
      bits = hash(bits, y ? y + sampled[s] * outputs : y_of_samples + s * outputs, outputs);
    print_line(kernel, tokens, "s", bits);
    free(y);
  }
  free(x), free(rows), free(y_of_samples);
}

static void print_layer(const ffn_kernel *kernel, double most_flop) {
  for (test_fill fill = TEST_REALS; fill <= TEST_TIES; fill++) {
    const int small = kernel->flop_per_token <= MOST_FLOP;
    if (!small && fill != TEST_REALS)
      continue;
    test_model model;
    test_model_open(&model, kernel, fill, 91);
    test_model_pack(&model);
    if (small)
      print_batches(kernel, model.packed, fill);
    if (fill == TEST_REALS)
      print_samples(kernel, model.packed, most_flop);
    test_model_close(&model);
  }
}

static int by_layer(const void *a, const void *b) {
  const ffn_kernel *const *first = a, *const *second = b;
  return strcmp((*first)->layer, (*second)->layer);
}

static int list(void) {
  for (int isa = 0; isa < FFN_ISA_COUNT; isa++)
    puts(ffn_isa_name((ffn_isa)isa));
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "list") == 0)
    return list();
  int isa = FFN_ISA_COUNT - 1;
  const double most_flop = argc > 2 ? atof(argv[2]) : 1e9;
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
    if ((int)all[i]->isa == isa && (double)all[i]->flop_per_token <= most_flop)
      kernels[chosen++] = all[i];
  qsort(kernels, chosen, sizeof *kernels, by_layer);
  for (size_t i = 0; i < chosen; i++)
    print_layer(kernels[i], most_flop);
  free(kernels);
  return 0;
}
