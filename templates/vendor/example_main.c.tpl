/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * example_main.c - ${TOKENS} tokens through each layer of this folder, on the calling thread.
 *
 *     cc -O2 -D${PREFIX}_EXAMPLE *.c -lm -o example && ./example */
#include "ffn.h"

#ifdef FFN_EXAMPLE
% if not weights then
#ifdef FFN_NO_PACK
#error "the example packs weights: compile it without FFN_NO_PACK"
#endif
% end

#include <stdio.h>
#include <stdlib.h>

enum { TOKENS = ${TOKENS} };

/* What a product loads: here, small numbers. */
static float *numbers(size_t count) {
  float *values = (float *)malloc(count * sizeof *values);
  if (!values) {
    fprintf(stderr, "example: no memory for %zu numbers\n", count);
    exit(1);
  }
  for (size_t i = 0; i < count; i++)
    values[i] = (float)((int)(i * 37 % 101) - 50) / 1024;
  return values;
}
% for _, l in ipairs(layers) do

static void run_${l.spec}(void) {
  const ffn_kernel *k = ffn_${l.spec}();
  if (!k || !(ffn_cpu() & 1u << k->isa)) {
    printf("${l.spec}: this CPU has none of its instruction sets\n");
    return;
  }
  float *x = numbers(TOKENS * FFN_${upper(l.spec)}_INPUTS);
  float *y = numbers(TOKENS * FFN_${upper(l.spec)}_OUTPUTS);
% for _, m in ipairs(l.matrices) do
  float *${m.weight} = numbers((size_t)${m.outputs} * ${m.inputs});${m.bias and (' float *' .. m.bias .. ' = numbers(' .. m.outputs .. ');') or ''}
% end
% if freestanding then
  _Alignas(FFN_ALIGNMENT) static unsigned char work[FFN_${upper(l.spec)}_WORK_BYTES];
% if not weights then
  _Alignas(FFN_ALIGNMENT) static unsigned char packed[FFN_${upper(l.spec)}_PACKED_BYTES];
% end
% else
  void *work = ffn_alloc(ffn_work_bytes(k, 1));
% if not weights then
  void *packed = ffn_alloc(k->packed_bytes);
% end
% end
% if weights then
  const void *packed = ffn_${l.spec}_packed();
% end
% if not freestanding then
  if (!work || !packed) {
    fprintf(stderr, "example: no memory for ${l.spec}\n");
    exit(1);
  }
% end
% if not weights then
  ${pack_call(l)}
% end
  k->run(y, FFN_${upper(l.spec)}_OUTPUTS, x, FFN_${upper(l.spec)}_INPUTS, TOKENS, packed, work, NULL);
  printf("%s: y[0][0] = %.9g\n", k->name, y[0]);
% if not freestanding then
% if not weights then
  ffn_free(packed);
% end
  ffn_free(work);
% end
  free(x), free(y);
% for _, m in ipairs(l.matrices) do
  free(${m.weight})${m.bias and (', free(' .. m.bias .. ')') or ''};
% end
}
% end

int main(void) {
% for _, l in ipairs(layers) do
  run_${l.spec}();
% end
  return 0;
}
#endif
