/* Weights of 4 bits in the arrangements of other programs: each is made here of a plain table by
 * what its definition says, and comes back as rows, scales and zeros. */
#include "ffn_arrange.h"
#include "support/rng.h"

#include <criterion/criterion.h>

enum { OUT = 24, IN = 192, GROUP = 64, GROUPS = IN / GROUP };

/* q [OUT][IN], zero and scale [OUT][GROUPS]. */
static unsigned q_of(size_t o, size_t k) { return (unsigned)test_below(1, o * IN + k, 16); }
static unsigned zero_of(size_t o, size_t g) { return (unsigned)test_below(2, o * GROUPS + g, 15); }
static uint16_t scale_of(size_t o, size_t g) {
  return (uint16_t)test_below(3, o * GROUPS + g, 65536);
}

static unsigned char nibbles[OUT * IN / 2], zeros[OUT * GROUPS];
static uint16_t scales[OUT * GROUPS];
static const ffn_nibbles to = {OUT, IN, GROUP, sizeof *scales, nibbles, scales, zeros};

static void clear(void) {
  memset(nibbles, 0xa5, sizeof nibbles);
  memset(zeros, 0xa5, sizeof zeros);
  memset(scales, 0xa5, sizeof scales);
}

/* add: what each zero is more than the table's; constant: or what all are. */
static void expect(unsigned add, int constant) {
  for (size_t o = 0; o < OUT; o++)
    for (size_t k = 0; k < IN; k++) {
      const unsigned byte = nibbles[o * (IN / 2) + k / 2], g = (unsigned)(k / GROUP);
      cr_assert((k % 2 ? byte >> 4 : byte & 15) == q_of(o, k), "output %zu, input %zu", o, k);
      cr_assert(scales[o * GROUPS + g] == scale_of(o, g), "scale of output %zu, group %u", o, g);
      cr_assert(zeros[o * GROUPS + g] == (constant ? (unsigned)constant : zero_of(o, g) + add),
                "zero of output %zu, group %u", o, g);
    }
}

static uint32_t words[IN * OUT / 8], zero_words[GROUPS * OUT / 8];
static uint16_t turned[GROUPS * OUT];

static void turn_scales(void) {
  for (size_t o = 0; o < OUT; o++)
    for (size_t g = 0; g < GROUPS; g++)
      turned[g * OUT + o] = scale_of(o, g);
}

static void make_gptq(void) {
  memset(words, 0, sizeof words), memset(zero_words, 0, sizeof zero_words);
  for (size_t o = 0; o < OUT; o++) {
    for (size_t k = 0; k < IN; k++)
      words[k / 8 * OUT + o] |= (uint32_t)q_of(o, k) << 4 * (k % 8);
    for (size_t g = 0; g < GROUPS; g++)
      zero_words[g * (OUT / 8) + o / 8] |= (uint32_t)zero_of(o, g) << 4 * (o % 8);
  }
  turn_scales();
}

Test(arrange, gptq) {
  int32_t groups[IN];
  make_gptq();
  for (int32_t k = 0; k < IN; k++)
    groups[k] = k / GROUP;
  for (int version = 1; version <= 2; version++) {
    clear();
    cr_assert(
        !ffn_arrange_gptq(&to, words, zero_words, turned, version == 1 ? groups : NULL, version));
    expect(version == 1, 0);
  }
  groups[0] = 1;
  const char *problem = ffn_arrange_gptq(&to, words, zero_words, turned, groups, 2);
  cr_assert(problem && strstr(problem, "desc_act false"));
  zero_words[1] |= 15;
  problem = ffn_arrange_gptq(&to, words, zero_words, turned, NULL, 1);
  cr_assert(problem && strstr(problem, "is 15"));
  cr_assert(!ffn_arrange_gptq(&to, words, zero_words, turned, NULL, 2));
  cr_assert(ffn_arrange_gptq(&to, words, zero_words, turned, NULL, 3));
}

Test(arrange, awq) {
  static const size_t order[8] = {0, 2, 4, 6, 1, 3, 5, 7}; /* of eight outputs, lowest first */
  memset(words, 0, sizeof words), memset(zero_words, 0, sizeof zero_words);
  for (size_t eight = 0; eight < OUT; eight += 8)
    for (size_t i = 0; i < 8; i++) {
      for (size_t k = 0; k < IN; k++)
        words[k * (OUT / 8) + eight / 8] |= (uint32_t)q_of(eight + order[i], k) << 4 * i;
      for (size_t g = 0; g < GROUPS; g++)
        zero_words[g * (OUT / 8) + eight / 8] |= (uint32_t)zero_of(eight + order[i], g) << 4 * i;
    }
  turn_scales();
  clear();
  cr_assert(!ffn_arrange_awq(&to, words, zero_words, turned));
  expect(0, 0);
}

Test(arrange, nbits) {
  unsigned char b[OUT * IN / 2] = {0}, points[OUT * ((GROUPS + 1) / 2)] = {0};
  uint16_t own[OUT * GROUPS];
  for (size_t o = 0; o < OUT; o++) {
    for (size_t k = 0; k < IN; k++)
      b[o * (IN / 2) + k / 2] |= (unsigned char)(q_of(o, k) << 4 * (k % 2));
    for (size_t g = 0; g < GROUPS; g++) {
      own[o * GROUPS + g] = scale_of(o, g);
      points[o * ((GROUPS + 1) / 2) + g / 2] |= (unsigned char)(zero_of(o, g) << 4 * (g % 2));
    }
  }
  clear();
  cr_assert(!ffn_arrange_nbits(&to, b, own, points));
  expect(0, 0);
  clear();
  cr_assert(!ffn_arrange_nbits(&to, b, own, NULL));
  expect(0, 8);
}

Test(arrange, packed) {
  uint16_t own[OUT * GROUPS];
  memset(words, 0, sizeof words);
  for (size_t o = 0; o < OUT; o++) {
    for (size_t k = 0; k < IN; k++)
      words[o * (IN / 8) + k / 8] |= (uint32_t)q_of(o, k) << 4 * (k % 8);
    for (size_t g = 0; g < GROUPS; g++)
      own[o * GROUPS + g] = scale_of(o, g);
  }
  clear();
  cr_assert(!ffn_arrange_packed(&to, words, own));
  expect(0, 8);
}

/* Gate and up take turns; the values are those of a block of GGUF. */
Test(arrange, mxfp4) {
  static unsigned char blocks[2 * OUT * IN / 2], exponents[2 * OUT * IN / 32];
  static unsigned char made[OUT * IN / 32 * 17];
  memset(blocks, 0, sizeof blocks);
  for (size_t row = 0; row < 2 * OUT; row++) {
    for (size_t k = 0; k < IN; k++)
      blocks[row * (IN / 2) + k / 2] |=
          (unsigned char)(test_below(4, row * IN + k, 16) << 4 * (k % 2));
    for (size_t g = 0; g < IN / 32; g++)
      exponents[row * (IN / 32) + g] = (unsigned char)test_below(5, row * (IN / 32) + g, 256);
  }
  for (size_t first = 0; first < 2; first++) {
    cr_assert(!ffn_arrange_mxfp4(made, OUT, IN, blocks, exponents, first, 2));
    for (size_t o = 0; o < OUT; o++)
      for (size_t k = 0; k < IN; k++) {
        const size_t row = 2 * o + first;
        const unsigned char *block = made + (o * (IN / 32) + k / 32) * 17;
        const unsigned byte = block[1 + k % 16];
        cr_assert(block[0] == exponents[row * (IN / 32) + k / 32]);
        cr_assert((k % 32 < 16 ? byte & 15 : byte >> 4) == test_below(4, row * IN + k, 16));
      }
  }
  cr_assert(ffn_arrange_mxfp4(made, OUT, 40, blocks, exponents, 0, 1));
}

Test(arrange, refused) {
  make_gptq();
  ffn_nibbles wrong = to;
  wrong.group = 48;
  cr_assert(ffn_arrange_gptq(&wrong, words, zero_words, turned, NULL, 2));
  wrong = to, wrong.inputs = 100;
  cr_assert(ffn_arrange_awq(&wrong, words, zero_words, turned));
  wrong = to, wrong.outputs = 20;
  cr_assert(ffn_arrange_gptq(&wrong, words, zero_words, turned, NULL, 2));
  wrong = to, wrong.scale_bytes = 3;
  cr_assert(ffn_arrange_packed(&wrong, words, turned));
  wrong = to, wrong.zeros = NULL;
  cr_assert(ffn_arrange_nbits(&wrong, nibbles, turned, NULL));
  cr_assert(ffn_arrange_gptq(&to, NULL, zero_words, turned, NULL, 2));
}
