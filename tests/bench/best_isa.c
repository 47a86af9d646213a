/* The names of this CPU's instruction sets, the best one first: of each layer the demo compiles the
 * kernel of the first one that has one. */
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
  unsigned left = ffn_cpu() & ((1u << FFN_ISA_COUNT) - 1);
  while (left) {
    size_t best = FFN_ISA_C;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; ++i)
      if ((left >> i & 1) && isas[i].rank > isas[best].rank)
        best = i;
    printf("%s%s", isas[best].name, left == 1u << best ? "\n" : " ");
    left &= ~(1u << best);
  }
  return 0;
}
