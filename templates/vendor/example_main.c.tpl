/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * example_main.c - ${TOKENS} tokens through each layer of this folder, on the calling thread.
 *
 *     cc -O2 -D${PREFIX}_EXAMPLE *.c -lm -o example && ./example */
#include "ffn.h"
% if training and layout == 'files' then
#include "ffn_train.h"
% end

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
% if blocks then

/* What a file holds: here, blocks of zeros. */
static unsigned char *blocks(size_t bytes) {
  unsigned char *values = (unsigned char *)calloc(bytes, 1);
  if (!values) {
    fprintf(stderr, "example: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return values;
}
% end
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
  ${m.row_bytes and ('unsigned char *%s = blocks((size_t)%d * %d);'):format(m.weight, m.outputs, m.row_bytes) or ('float *%s = numbers((size_t)%d * %d);'):format(m.weight, m.outputs, m.inputs)}${m.bias and (' float *' .. m.bias .. ' = numbers(' .. m.outputs .. ');') or ''}
% end
% if freestanding then
  _Alignas(FFN_ALIGNMENT) static unsigned char work[FFN_${upper(l.spec)}_WORK_BYTES(TOKENS)];
  const size_t bytes = sizeof work;
% if not weights then
  _Alignas(FFN_ALIGNMENT) static unsigned char packed[FFN_${upper(l.spec)}_PACKED_BYTES];
% end
% else
  const size_t bytes = ffn_work_bytes(k, 1, TOKENS);
  void *work = ffn_alloc(bytes);
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
  ffn_run(k, y, FFN_${upper(l.spec)}_OUTPUTS, x, FFN_${upper(l.spec)}_INPUTS, TOKENS, packed,
      work, bytes, NULL);
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
% if training then
#ifndef FFN_NO_TRAIN
% for _, l in ipairs(trained) do

/* One step of a descent: the gradients for a batch whose dy is given. */
static void train_${l.spec}(void) {
  const ffn_kernel *k = ffn_${l.spec}();
  if (!k || !(ffn_cpu() & 1u << k->isa))
    return;
  const ffn_training *t = ffn_${l.spec}_training();
  float *x = numbers(TOKENS * FFN_${upper(l.spec)}_INPUTS);
  float *dx = numbers(TOKENS * FFN_${upper(l.spec)}_INPUTS);
  float *y = numbers(TOKENS * FFN_${upper(l.spec)}_OUTPUTS);
  float *dy = numbers(TOKENS * FFN_${upper(l.spec)}_OUTPUTS);
% for _, m in ipairs(l.matrices) do
  float *${m.weight} = numbers((size_t)${m.outputs} * ${m.inputs}), *d_${m.weight} = numbers((size_t)${m.outputs} * ${m.inputs});
% if m.bias then
  float *${m.bias} = numbers(${m.outputs}), *d_${m.bias} = numbers(${m.outputs});
% end
% end
% if l.parameters > 0 then
  float d_parameters[${l.parameters}];
% end
% if freestanding then
  _Alignas(FFN_ALIGNMENT) static unsigned char work[FFN_${upper(l.spec)}_TRAIN_WORK_BYTES];
  _Alignas(FFN_ALIGNMENT) static unsigned char packed[FFN_${upper(l.spec)}_TRAIN_PACKED_BYTES];
% if l.training.saved_bytes > 0 then
  _Alignas(FFN_ALIGNMENT) static unsigned char saved[FFN_${upper(l.spec)}_SAVED_BYTES(TOKENS)];
% else
  void *saved = NULL; /* nothing is */
% end
% else
  void *work = ffn_alloc(ffn_train_work_bytes(t, 1));
  void *packed = ffn_alloc(t->packed_bytes);
% if l.training.saved_bytes > 0 then
  void *saved = ffn_alloc(ffn_saved_bytes(t, TOKENS));
  if (!work || !packed || !saved) {
% else
  void *saved = NULL; /* nothing is */
  if (!work || !packed) {
% end
    fprintf(stderr, "example: no memory for ${l.spec}\n");
    exit(1);
  }
% end
  ${train_call(l)}
  printf("%s: dx[0][0] = %.9g\n", t->name, dx[0]);
% if not freestanding then
  ffn_free(work), ffn_free(packed), ffn_free(saved);
% end
  free(x), free(dx), free(y), free(dy);
% for _, m in ipairs(l.matrices) do
  free(${m.weight}), free(d_${m.weight})${m.bias and (', free(%s), free(d_%s)'):format(m.bias, m.bias) or ''};
% end
}
% end
#endif
% end

int main(void) {
% for _, l in ipairs(layers) do
  run_${l.spec}();
% end
% if training then
#ifndef FFN_NO_TRAIN
% for _, l in ipairs(trained) do
  train_${l.spec}();
% end
#endif
% end
  return 0;
}
#endif
