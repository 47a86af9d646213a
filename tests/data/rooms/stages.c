/* A chain whose stages are in several arithmetics against its layers, one after the other: the same
 * bits, on each instruction set. The packed weights of the chain are those of the same chain in f32
 * throughout. */
#include "ffn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTHS = 4, STAGES = WIDTHS - 1, ROWS = 23, MOST = 160 };
static const size_t widths[WIDTHS] = {96, 160, 64, 33};

static uint8_t q8_0[160 * 3 * 34], q4_1[33 * 2 * 20];
static float dense[64 * 160], bias[STAGES][MOST], x[ROWS * 96];

static float number(void) { return (float)(rand() % 2001 - 1000) / 1000; }

/* Blocks that begin with some f16 of about 2^-6. */
static void fill(uint8_t *blocks, size_t bytes, size_t block, size_t halves) {
  for (size_t i = 0; i < bytes; i++) {
    const size_t at = i % block;
    blocks[i] = (uint8_t)(at < 2 * halves && at % 2 ? 0x24 : rand() % 256);
  }
}

static const ffn_kernel *find(const char *name, unsigned isa) {
  const ffn_kernel *k = ffn_find_layer(name, 1u << isa);
  if (!k) {
    printf("no kernel of %s\n", name);
    exit(1);
  }
  return k;
}

static void *packed_of(const ffn_kernel *k, const ffn_linear *chain) {
  void *packed = ffn_alloc(k->packed_bytes);
  k->pack(packed, &(ffn_weights){.chain = chain});
  return packed;
}

static void run(const ffn_kernel *k, float *y, const float *from, const void *packed) {
  const size_t bytes = ffn_work_bytes(k, 1, ROWS);
  void *work = ffn_alloc(bytes);
  ffn_run(k, y, k->outputs, from, k->inputs, ROWS, packed, work, bytes, NULL);
  ffn_free(work);
}

int main(void) {
  const ffn_linear chain[STAGES] = {{.weight = q8_0, .bias = bias[0], .source = FFN_SOURCE_Q8_0},
                                    {.weight = dense, .bias = bias[1]},
                                    {.weight = q4_1, .bias = bias[2], .source = FFN_SOURCE_Q4_1}};
  static const char *const parts[STAGES] = {PART_0, PART_1, PART_2};
  static const unsigned isas[] = {FFN_ISA_C, FFN_ISA_AVX2, FFN_ISA_AVX512_VNNI};
  int wrong = 0, compared = 0;
  fill(q8_0, sizeof q8_0, 34, 1);
  fill(q4_1, sizeof q4_1, 20, 2);
  for (size_t i = 0; i < sizeof dense / sizeof *dense; i++)
    dense[i] = number();
  for (size_t i = 0; i < sizeof x / sizeof *x; i++)
    x[i] = number();
  for (size_t i = 0; i < STAGES * MOST; i++)
    bias[i / MOST][i % MOST] = number();

  const ffn_kernel *plain = find(PLAIN, FFN_ISA_C);
  void *packed = packed_of(plain, chain); /* once, for either arithmetic */
  float *exact = ffn_alloc(ROWS * MOST * sizeof *exact);
  run(plain, exact, x, packed);
  for (size_t n = 0; n < sizeof isas / sizeof *isas; n++) {
    if (!(ffn_cpu() >> isas[n] & 1))
      continue;
    const ffn_kernel *mixed = find(MIXED, isas[n]);
    float *y = ffn_alloc(ROWS * MOST * sizeof *y), *h[2];
    h[0] = ffn_alloc(ROWS * MOST * sizeof *y);
    h[1] = ffn_alloc(ROWS * MOST * sizeof *y);
    const float *from = x;
    for (size_t s = 0; s < STAGES; s++) {
      const ffn_kernel *own = find(parts[s], s == 1 ? FFN_ISA_C : isas[n]);
      void *own_packed = packed_of(own, &chain[s]);
      run(own, h[s % 2], from, own_packed);
      from = h[s % 2];
      ffn_free(own_packed);
    }
    run(mixed, y, x, packed);
    void *again = packed_of(mixed, chain);
    const int same = !strcmp(mixed->packed, plain->packed) &&
                     mixed->packed_bytes == plain->packed_bytes &&
                     !memcmp(again, packed, plain->packed_bytes);
    const size_t bytes = ROWS * widths[STAGES] * sizeof *y;
    const int equal = !memcmp(y, from, bytes), differs = memcmp(y, exact, bytes) != 0;
    if (!same || !equal || !differs)
      printf("%s: packed %d, equal %d, differs %d\n", mixed->name, same, equal, differs);
    wrong += !same || !equal || !differs;
    compared++;
    ffn_free(again);
    ffn_free(y);
    ffn_free(h[0]);
    ffn_free(h[1]);
  }
  ffn_free(packed);
  ffn_free(exact);
  printf("%d compared, %d wrong\n", compared, wrong);
  return wrong || compared < 1;
}
