/* The emulated fused multiply-add has the instruction's bits, above all where a second rounding
 * would show: the exact result lies next to the middle between two floats, nearer than a double
 * can tell. In a build with the instruction this compares it with itself. */
#include "kernel.h"
#include "support/kernels.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <math.h>

static void check(float a, float b, float c) {
  const float expected = fmaf(a, b, c), got = ffn_fma(a, b, c);
  cr_assert(test_same(&got, &expected, 1), "fma(%a, %a, %a) is %a, not %a", a, b, c, got, expected);
}

Test(fma, near_the_middle) {
  /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last bit is half of a float's. c decides, from afar. */
  for (int e = -149; e < -60; e++)
    for (int sign = 0; sign < 4; sign++) {
      const float a = sign & 1 ? -1.000244140625f : 1.000244140625f;
      check(a, 1.000244140625f, (sign & 2 ? -1.0f : 1.0f) * ldexpf(1.0f, e));
    }
}

/* The same among subnormals: a product just below 2^e, and a sum that lies nearer to the middle
 * than a double can tell. */
Test(fma, near_the_middle_of_subnormals) {
  for (int e = -160; e < -120; e++)
    for (int bit = -149; bit <= -126; bit++)
      for (int sign = 0; sign < 4; sign++) {
        const float a = ldexpf(sign & 1 ? -0x1.000002p0f : 0x1.000002p0f, e / 2);
        const float c = ldexpf(1.0f, bit) + 0x1p-149f;
        check(a, ldexpf(0x1.fffffcp-1f, e - e / 2), sign & 2 ? -c : c);
      }
}

Test(fma, specials) {
  static const float values[] = {0.0f,        -0.0f,       1.0f,         -1.0f,        INFINITY,
                                 -INFINITY,   NAN,         0x1p-149f,    -0x1p-149f,   0x1p-126f,
                                 0x1.8p-100f, 0x1.fp127f,  -0x1.fp127f,  0x1.8p-75f,   3.0f,
                                 0x1p-24f,    0x1.8p-149f, 0x1.00002p0f, -0x1.ffffp0f, 0x1p64f};
  enum { COUNT = sizeof values / sizeof *values };
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++)
      for (int k = 0; k < COUNT; k++)
        check(values[i], values[j], values[k]);
}

Test(fma, random_bits) {
  for (uint64_t i = 0; i < 300000; i++) {
    const float a = test_float((uint32_t)test_random(1, i)),
                b = test_float((uint32_t)test_random(2, i));
    check(a, b, test_float((uint32_t)test_random(3, i)));
    /* c near -a b: cancellation; and c half a unit of a b away: ties. */
    const float product = a * b;
    check(a, b, -product);
    check(a, b, product * 0x1p-24f);
    check(a, b, product * -0x1p-25f);
  }
}
