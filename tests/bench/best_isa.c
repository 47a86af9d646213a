/* The name of the instruction set that this CPU's kernels are taken of: the demo compiles these
 * first. */
#include "kernel.h"

#include <stdio.h>

static const struct {
  const char *name;
  int rank;
} isas[] = {
#define FFN_ISA(NAME, name, rank, allowed) {#name, rank},
#include "isas.inc"
#undef FFN_ISA
};

int main(void) {
  const unsigned cpu = ffn_cpu();
  size_t best = FFN_ISA_C;
  for (size_t i = 0; i < sizeof isas / sizeof *isas; ++i)
    if ((cpu >> i & 1) && isas[i].rank > isas[best].rank)
      best = i;
  puts(isas[best].name);
  return 0;
}
