#include "kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int test_is_large(const ffn_kernel *kernel) { return kernel->packed_bytes > (size_t)16 << 20; }

int test_runs_here(const ffn_kernel *kernel) {
  static _Atomic unsigned isas; /* asked once: a virtual machine stops for each CPUID */
  if (!isas) {
    (void)ffn_amx(); /* or kernels with tiles do not run */
    isas = ffn_cpu();
  }
  return (isas >> kernel->isa & 1) != 0;
}

const ffn_kernel *test_base(const ffn_kernel *kernel) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (strcmp((*k)->layer, kernel->layer) == 0 && test_runs_here(*k))
      return *k;
  return kernel;
}

int test_is_base(const ffn_kernel *kernel) { return test_base(kernel) == kernel; }

int test_is_exact(const ffn_kernel *kernel) {
  for (size_t s = 0; s < kernel->stage_count; s++)
    switch (kernel->stages[s].activation) {
    case FFN_ACT_IDENTITY:
    case FFN_ACT_RELU:
    case FFN_ACT_RELU2:
      break;
    default:
      return 0;
    }
  return 1;
}

int test_sums_f32(const ffn_kernel *kernel) {
  for (size_t s = 0; s < kernel->stage_count; s++)
    if (kernel->stages[s].arithmetic != FFN_ARITHMETIC_FMA_F32)
      return 0;
  return 1;
}

int test_takes_whole_rows(const ffn_stage *stage) {
  return ffn_stage_in_bytes(stage) &&
         (stage->format == FFN_FORMAT_I8 || stage->format == FFN_FORMAT_I8Z);
}

int test_thorough(void) {
  const char *full = getenv("FULL");
  return full && strcmp(full, "1") == 0;
}

size_t test_step(size_t i, size_t all) { return i < all || test_thorough() ? 1 : 3; }

size_t test_tokens(const ffn_kernel *kernel, double flop, size_t least, size_t most) {
  /* In short form less work, and least of it for portable C, whose FMA may be emulated. */
  const double share = test_thorough() ? 1 : kernel->isa == FFN_ISA_C ? 16 : 4;
  const double tokens = flop / share / (double)(kernel->flop_per_token + 1);
  return tokens < (double)least ? least : tokens > (double)most ? most : (size_t)tokens;
}

ffn_activation test_activation_named(const char *name) {
  ffn_activation activation = 0;
  while (activation < FFN_ACTIVATION_COUNT && strcmp(ffn_activation_name(activation), name) != 0)
    activation++;
  return activation;
}

void *test_memory(size_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "tests: out of memory: %zu bytes\n", bytes);
    abort();
  }
  return memory;
}

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define WATCHED 1
#endif
#endif

void test_poison(void *memory, size_t bytes) {
#ifdef WATCHED
  (void)memory, (void)bytes;
#else
  memset(memory, 0xff, bytes);
#endif
}
