/* The FMA of WebAssembly's kernels has the bits of ffn_fma(), above all where a double rounds what
 * a float still needs: next to the middle between two floats, and below the normal floats. */
#include "act_wasm.c"

#include <stdio.h>
#include <stdlib.h>

#include "support/floats.h"
#include "support/rng.h"

static void check(float a, float b, float c) {
  float lanes[4], expected[4];
  const v128_t got = ffn_fma_once(wasm_f32x4_make(a, b, a, -b), wasm_f32x4_make(b, -a, c, a),
                                  wasm_f32x4_make(c, c, b, c));
  wasm_v128_store(lanes, got);
  expected[0] = ffn_fma(a, b, c);
  expected[1] = ffn_fma(b, -a, c);
  expected[2] = ffn_fma(a, c, b);
  expected[3] = ffn_fma(-b, a, c);
  for (int i = 0; i < 4; i++)
    if (ffn_bits(lanes[i]) != ffn_bits(expected[i]) &&
        !(lanes[i] != lanes[i] && expected[i] != expected[i])) {
      printf("a %a, b %a, c %a: lane %d is %a, not %a\n", (double)a, (double)b, (double)c, i,
             (double)lanes[i], (double)expected[i]);
      exit(1);
    }
}

int main(void) {
  static const float values[] = {0.0f,
                                 -0.0f,
                                 INFINITY,
                                 NAN,
                                 1.0f,
                                 -1.0f,
                                 0x1.fffffep0f,
                                 0x1.001p0f,
                                 -0x1.001p0f,
                                 0x1p-24f,
                                 0x1p-60f,
                                 0x1p-149f,
                                 -0x1p-149f,
                                 0x1p-126f,
                                 0x1.000002p0f,
                                 0x1.fffffcp-1f,
                                 0x1.000002p-75f,
                                 0x1.fffffcp-76f,
                                 0x1.000004p-127f,
                                 0x1p-127f,
                                 0x1.8p-100f,
                                 0x1.fp127f,
                                 0x1p64f,
                                 3.0f};
  enum { COUNT = sizeof values / sizeof *values };
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++)
      for (int k = 0; k < COUNT; k++)
        check(values[i], values[j], values[k]);
  for (uint64_t i = 0; i < 300000; i++) {
    const float a = test_float((uint32_t)test_random(1, i));
    const float b = test_float((uint32_t)test_random(2, i));
    check(a, b, test_float((uint32_t)test_random(3, i)));
    check(a, b, -(a * b));
    check(a, b, a * b * 0x1p-24f);
    /* Products below the normal floats, and sums there. */
    const float small = test_float((uint32_t)test_random(4, i) & 0x80ffffffu);
    const float down = test_float(((uint32_t)test_random(5, i) & 0x807fffffu) | (52u << 23));
    check(down, test_float(((uint32_t)test_random(6, i) & 0x807fffffu) | (53u << 23)), small);
  }
  printf("1 passed, 0 failed, 0 skipped\n");
  return 0;
}
