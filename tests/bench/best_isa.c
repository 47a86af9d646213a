/* The name of the instruction set that this CPU's kernels in f32 are taken of: the demo compiles
 * these first. */
#include "kernel.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int rank;
} isas[] = {
#define FFN_ISA(NAME, name, rank, allowed) {#name, rank},
#include "isas.inc"
#undef FFN_ISA
};

/* Others have kernels of another arithmetic alone. */
static const char *const of_f32[] = {
#define TEST_ACTIVATIONS(name) #name,
#include "tests/registry/activations.inc"
#undef TEST_ACTIVATIONS
};

static int is_of_f32(const char *name) {
  for (size_t i = 0; i < sizeof of_f32 / sizeof *of_f32; ++i)
    if (strcmp(of_f32[i], name) == 0)
      return 1;
  return 0;
}

int main(void) {
  const unsigned cpu = ffn_cpu();
  size_t best = FFN_ISA_C;
  for (size_t i = 0; i < sizeof isas / sizeof *isas; ++i)
    if ((cpu >> i & 1) && is_of_f32(isas[i].name) && isas[i].rank > isas[best].rank)
      best = i;
  puts(isas[best].name);
  return 0;
}
