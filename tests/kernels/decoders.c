/* Plain decoders and encoders of GGUF's blocks, which share nothing with kernels: they are held to
 * what a public package and rational numbers say of random blocks (tests/data/blocks.py), to scales
 * that are not finite, and the encoding of scales to every f16; floats of 8 bits to another package
 * (floats8.py), and to every code. */
#include "../data/formats/nvfp4.h"
#include "decoders/f8_e4m3.h"
#include "decoders/f8_e4m3_row.h"
#include "decoders/iq4_nl.h"
#include "decoders/iq4_xs.h"
#include "decoders/mxfp4.h"
#include "decoders/q4_0.h"
#include "decoders/q4_1.h"
#include "decoders/q4_K.h"
#include "decoders/q5_0.h"
#include "decoders/q5_1.h"
#include "decoders/q5_K.h"
#include "decoders/q6_K.h"
#include "decoders/q8_0.h"
#include "support/floats.h"
#include "support/guard.h"
#include "support/published.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <float.h>
#include <string.h>

enum { BLOCKS = 64, MOST_BYTES = 210, NOT_A_NUMBER = 0x7fc00000 };

static const published of_nvfp4[] = {
#include "../data/blocks/nvfp4.inc"
};
static const published encoded_q8_0[] = {
#include "../data/blocks/q8_0_encoded.inc"
};
static const published encoded_q4_0[] = {
#include "../data/blocks/q4_0_encoded.inc"
};

typedef struct format {
  const char *name;
  double (*decode)(const unsigned char *block, size_t k);
  size_t weights, bytes, halves, half_at[2];
  const published *blocks;
  size_t count;
} format;

#define FORMAT(name, ...)                                                                          \
  { #name, ffn_decode_##name, __VA_ARGS__, of_##name, COUNT(of_##name) }
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const format formats[] = {
    FORMAT(q8_0, 32, 34, 1, {0}),      FORMAT(q4_0, 32, 18, 1, {0}),
    FORMAT(q4_1, 32, 20, 2, {0, 2}),   FORMAT(q5_0, 32, 22, 1, {0}),
    FORMAT(q5_1, 32, 24, 2, {0, 2}),   FORMAT(q4_K, 256, 144, 2, {0, 2}),
    FORMAT(q5_K, 256, 176, 2, {0, 2}), FORMAT(q6_K, 256, 210, 1, {208}),
    FORMAT(mxfp4, 32, 17, 0, {0}),     FORMAT(nvfp4, 64, 36, 0, {0}),
    FORMAT(iq4_nl, 32, 18, 1, {0}),    FORMAT(iq4_xs, 256, 136, 1, {0}),
};

/* Of a decoded weight, which has to be a float; which NaN is nobody's promise. */
static uint32_t bits_of_weight(const format *f, const unsigned char *block, size_t k) {
  const double value = f->decode(block, k);
  cr_assert(isnan(value) || value == (double)(float)value, "%s: %a is no float", f->name, value);
  return isnan(value) ? NOT_A_NUMBER : test_bits((float)value);
}

/* FNV-1a over the bits, the low byte first. */
static uint64_t hash_of(const uint32_t *values, size_t count) {
  uint64_t state = 0xcbf29ce484222325u;
  for (size_t i = 0; i < 4 * count; i++)
    state = (state ^ (values[i / 4] >> i % 4 * 8 & 255)) * 0x100000001b3u;
  return state;
}

static void check_block(const format *f, size_t b, const unsigned char *block) {
  uint32_t values[256];
  for (size_t k = 0; k < f->weights; k++) {
    values[k] = bits_of_weight(f, block, k);
    const uint32_t *should = f->blocks[b].values;
    cr_assert(!should || values[k] == should[k], "%s: weight %zu of block %zu is %#x, not %#x",
              f->name, k, b, (unsigned)values[k], (unsigned)should[k]);
  }
  cr_assert(hash_of(values, f->weights) == f->blocks[b].hash, "%s: the weights of block %zu",
            f->name, b);
}

/* Between guard pages: flush with the one behind, with the one in front, and at an odd address. */
Test(decoders, published) {
  for (const format *f = formats; f < formats + COUNT(formats); f++) {
    size_t whole = 0;
    cr_assert(f->count == BLOCKS, "%s: %zu blocks", f->name, f->count);
    for (size_t b = 0; b < BLOCKS; b++) {
      unsigned char bytes[1 + MOST_BYTES] = {0};
      published_bytes(&f->blocks[b], bytes + 1, f->bytes);
      whole += f->blocks[b].values != NULL;
      for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++) {
        const test_guard guard = test_guard_copy(bytes + 1, f->bytes, 1, side);
        check_block(f, b, guard.memory);
        test_guard_close(&guard);
      }
      const test_guard odd = test_guard_copy(bytes, f->bytes + 1, 1, TEST_AT_START);
      cr_assert((uintptr_t)odd.memory % 2 == 0);
      check_block(f, b, (const unsigned char *)odd.memory + 1);
      test_guard_close(&odd);
    }
    cr_assert(whole == (f->weights < 256 ? BLOCKS : 16), "%s: %zu blocks in full", f->name, whole);
  }
}

/* One scale that is not finite makes all weights NaN, q and sub-scales of 0 among them. */
Test(decoders, scales_that_are_not_finite) {
  static const unsigned scales[] = {0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xffff};
  for (const format *f = formats; f < formats + COUNT(formats); f++)
    for (size_t h = 0; h < f->halves; h++)
      for (size_t i = 0; i < 2 * COUNT(scales); i++) {
        unsigned char block[MOST_BYTES] = {0};
        for (size_t at = 0; i % 2 && at < f->bytes; at++)
          block[at] = (unsigned char)test_random(91, at);
        for (size_t other = 0; other < f->halves; other++)
          block[f->half_at[other] + 1] = 0x3c;
        block[f->half_at[h]] = (unsigned char)(scales[i / 2] & 255);
        block[f->half_at[h] + 1] = (unsigned char)(scales[i / 2] >> 8);
        for (size_t k = 0; k < f->weights; k++)
          cr_assert(isnan(f->decode(block, k)), "%s: scale %#x, weight %zu is %a", f->name,
                    scales[i / 2], k, f->decode(block, k));
      }
}

/* A weight that is 0 has no sign where nothing is added to it. */
Test(decoders, zeros) {
  for (const format *f = formats; f < formats + COUNT(formats); f++)
    for (unsigned sign = 0; f->halves < 2 && sign < 2; sign++) {
      unsigned char block[MOST_BYTES];
      memset(block, 0xff, sizeof block);
      memset(block, 0, strcmp(f->name, "nvfp4") == 0 ? 4 : 0);
      for (size_t h = 0; h < f->halves; h++)
        block[f->half_at[h]] = 0, block[f->half_at[h] + 1] = (unsigned char)(sign << 7);
      for (size_t k = 0; k < f->weights && strcmp(f->name, "mxfp4") != 0; k++)
        cr_assert(bits_of_weight(f, block, k) == 0, "%s: weight %zu is %a", f->name, k,
                  f->decode(block, k));
    }
}

static const float e2m1[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};

/* Every exponent with every value: from 2^-128 to Inf, and NaN. */
Test(decoders, all_of_mxfp4) {
  size_t infinite = 0;
  for (unsigned e = 0; e < 256; e++) {
    unsigned char block[17] = {(unsigned char)e};
    for (unsigned j = 0; j < 16; j++)
      block[1 + j] = (unsigned char)(j | (15 - j) << 4);
    for (unsigned k = 0; k < 32; k++) {
      const double value = ffn_decode_mxfp4(block, k);
      const float v = e2m1[k < 16 ? k : 31 - k], should = ldexpf(v, (int)e - 127);
      cr_assert(e == 255 ? isnan(value) : value == (double)should, "e %u: weight %u is %a", e, k,
                value);
      cr_assert(v != 0 || e == 255 || !signbit(value), "e %u: weight %u is -0", e, k);
      infinite += isinf(value) != 0;
    }
  }
  cr_assert(infinite == 4 * (4 + 2), "%zu weights are Inf", infinite);
}

/* Scales of nvfp4, counted up from 0 a last place at a time. */
Test(decoders, all_scales_of_nvfp4) {
  double value = 0, place = 0x1p-9;
  for (unsigned byte = 0; byte < 128; byte++, value += place) {
    unsigned char block[36];
    memset(block, 0x22, sizeof block); /* all 1 */
    block[1] = (unsigned char)byte, block[3] = (unsigned char)(byte | 0x80);
    if (byte > 8 && byte % 8 == 0)
      place *= 2;
    cr_assert(ffn_decode_nvfp4(block, 16) == (byte == 127 ? 0 : value), "%#x", byte);
    cr_assert(ffn_decode_nvfp4(block, 63) == value, "%#x", byte | 0x80);
  }
}

/* Of floats of 8 bits: a code, a scale, the float of both; a float, its code. */
typedef struct float8 {
  unsigned char code;
  uint32_t scale, value, given;
  unsigned char nearest;
} float8;

static const float8 of_f8_e4m3[] = {
#include "../data/f8_e4m3.inc"
};

static double of_float8(unsigned char code, float scale) {
  unsigned char block[1 + sizeof scale] = {code};
  memcpy(block + 1, &scale, sizeof scale);
  const double value = ffn_decode_f8_e4m3(block, 0);
  cr_assert(isnan(value) || value == (double)(float)value, "%#x by %a is no float", code,
            (double)scale);
  const double same = ffn_decode_f8_e4m3_row(block, 0);
  cr_assert(isnan(value) ? isnan(same) : value == same);
  return value;
}

static unsigned code_of(float w, float scale) {
  unsigned char block[1 + sizeof scale], same[sizeof block];
  ffn_encode_f8_e4m3(&w, scale, block);
  ffn_encode_f8_e4m3_row(&w, scale, same);
  cr_assert(memcmp(block, same, sizeof block) == 0 && memcmp(block + 1, &scale, sizeof scale) == 0);
  return block[0];
}

Test(decoders, published_floats_of_8_bits) {
  cr_assert(COUNT(of_f8_e4m3) == 64 * 8);
  for (const float8 *f = of_f8_e4m3; f < of_f8_e4m3 + COUNT(of_f8_e4m3); f++) {
    const float scale = test_float(f->scale);
    const double value = of_float8(f->code, scale);
    cr_assert((isnan(value) ? NOT_A_NUMBER : test_bits((float)value)) == f->value,
              "%#x by %a is %a, not %#x", f->code, (double)scale, value, (unsigned)f->value);
    cr_assert(code_of(test_float(f->given), 1) == f->nearest, "%a is %#x",
              (double)test_float(f->given), code_of(test_float(f->given), 1));
  }
}

/* All codes, counted up from 0 a last place at a time: 0x7f alone is NaN, and 0xff; each is what
 * its value becomes, and what lies in the middle becomes the even one. */
Test(decoders, all_floats_of_8_bits) {
  double value = 0, place = 0x1p-9;
  for (unsigned code = 0; code < 128; code++, value += place) {
    if (code > 8 && code % 8 == 0)
      place *= 2;
    const double plus = of_float8((unsigned char)code, 1);
    const double minus = of_float8((unsigned char)(code | 0x80), 1);
    if (code == 127) {
      cr_assert(isnan(plus) && isnan(minus));
      continue;
    }
    cr_assert(plus == value && minus == -value && !signbit(plus), "%#x is %a", code, plus);
    cr_assert((code == 0) == !signbit(minus), "%#x is %a", code | 0x80, minus);
    cr_assert(code_of((float)value, 1) == code);
    cr_assert(code_of((float)-value, 1) == (code == 0 ? 0 : code | 0x80));
    const float middle = (float)(value + place / 2);
    const unsigned even = code + code % 2, most = 126;
    cr_assert(code_of(middle, 1) == (even < most ? even : most), "%a", (double)middle);
    cr_assert(code_of(nextafterf(middle, 0), 1) == code, "below %a", (double)middle);
    cr_assert(code_of(nextafterf(middle, INFINITY), 1) == (code < most ? code + 1 : most));
  }
  cr_assert(value - place == 480);
}

/* Scales that are not in range make all NaN, 0 makes all 0; 448 is the largest size. */
Test(decoders, scales_of_floats_of_8_bits) {
  static const float none[] = {INFINITY, -INFINITY, NAN, 0x1p120f, -0x1p120f, FLT_MAX};
  for (size_t i = 0; i < COUNT(none); i++)
    for (unsigned code = 0; code < 256; code++)
      cr_assert(isnan(of_float8((unsigned char)code, none[i])), "%#x by %a", code, (double)none[i]);
  cr_assert(of_float8(0x38, 0x1.fffffep119f) == 0x1.fffffep119);
  cr_assert(isinf(of_float8(0x7e, 0x1.fffffep119f)));
  for (unsigned code = 0; code < 127; code++) {
    const double zeros[] = {of_float8((unsigned char)code, 0), of_float8(0x80, (float)code)};
    cr_assert(zeros[0] == 0 && zeros[1] == 0 && !signbit(zeros[0]) && !signbit(zeros[1]));
  }
  float w[128] = {1, -2, 3.5f, [127] = -7};
  cr_assert(ffn_row_f8_e4m3(w, 128) == 7 / 448.0f && ffn_row_f8_e4m3_row(w, 3) == 3.5f / 448);
  cr_assert(code_of(w[127], 7 / 448.0f) == 0xfe && code_of(w[2], 7 / 448.0f) == 0x76);
  w[5] = NAN;
  cr_assert(isnan(ffn_row_f8_e4m3(w, 128)) && code_of(w[0], NAN) == 0);
  w[5] = INFINITY;
  cr_assert(isnan(ffn_row_f8_e4m3(w, 128)) && ffn_row_f8_e4m3(w, 5) == 3.5f / 448);
  w[0] = 447 * 0x1p-100f, w[1] = 448 * 0x1p-100f;
  cr_assert(ffn_row_f8_e4m3(w, 1) == 0 && ffn_row_f8_e4m3(w, 2) == 0x1p-100f);
}

static unsigned encoded_half(float x) {
  unsigned char bytes[2];
  ffn_encode_half(bytes, x);
  return bytes[0] | (unsigned)bytes[1] << 8;
}

/* Every f16, counted up from 0, what lies in the middle of two, and the floats beside that. */
Test(decoders, all_halves) {
  double value = 0, place = 0x1p-24;
  for (unsigned bits = 0; bits < 0x7c00; bits++, value += place) {
    const unsigned char negative[] = {(unsigned char)(bits & 255),
                                      (unsigned char)(0x80 | bits >> 8)};
    if (bits > 1024 && bits % 1024 == 0)
      place *= 2;
    const float middle = (float)(value + place / 2);
    const unsigned even = bits + bits % 2;
    cr_assert(ffn_decode_half(negative) == -value, "%#x is %a", bits, ffn_decode_half(negative));
    cr_assert(encoded_half((float)-value) == (bits | 0x8000), "%a", -value);
    cr_assert(encoded_half((float)value) == bits, "%a", value);
    cr_assert(encoded_half(middle) == even, "%a", (double)middle);
    cr_assert(encoded_half(nextafterf(middle, 0)) == bits, "below %a", (double)middle);
    cr_assert(encoded_half(nextafterf(middle, INFINITY)) == bits + 1, "above %a", (double)middle);
  }
  cr_assert(encoded_half(65536) == 0x7c00 && encoded_half(-INFINITY) == 0xfc00);
  cr_assert(encoded_half(NAN) == 0x7e00 && encoded_half(-NAN) == 0x7e00);
}

typedef struct encoder {
  const format *format;
  void (*encode)(const float *w, unsigned char *block);
  const published *blocks;
  size_t count;
  float steps;        /* the largest weight over its scale */
  unsigned char zero; /* the byte of weights that are 0 */
} encoder;

static const encoder encoders[] = {
    {&formats[0], ffn_encode_q8_0, encoded_q8_0, COUNT(encoded_q8_0), 127, 0},
    {&formats[1], ffn_encode_q4_0, encoded_q4_0, COUNT(encoded_q4_0), 8, 0x88},
};

/* From and to memory between guard pages. */
static void encode(const encoder *e, const float *w, unsigned char *block) {
  for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++) {
    const test_guard from = test_guard_copy(w, 32 * sizeof *w, sizeof *w, side);
    const test_guard to = test_guard_open(e->format->bytes, 1, side);
    e->encode(from.memory, to.memory);
    memcpy(block, to.memory, e->format->bytes);
    cr_assert(test_guard_intact(&to), "%s: written beside a block", e->format->name);
    test_guard_close(&from), test_guard_close(&to);
  }
}

Test(decoders, published_encoders) {
  for (const encoder *e = encoders; e < encoders + COUNT(encoders); e++) {
    cr_assert(e->count == BLOCKS);
    for (size_t b = 0; b < BLOCKS; b++) {
      float w[32];
      unsigned char should[MOST_BYTES], block[MOST_BYTES];
      published_bytes(&e->blocks[b], should, e->format->bytes);
      for (size_t k = 0; k < 32; k++)
        w[k] = test_float(e->blocks[b].values[k]);
      encode(e, w, block);
      for (size_t i = 0; i < e->format->bytes; i++)
        cr_assert(block[i] == should[i], "%s: byte %zu of block %zu is %#x, not %#x",
                  e->format->name, i, b, (unsigned)block[i], (unsigned)should[i]);
    }
  }
}

/* An Inf or a NaN among weights: a scale that is NaN, all q of 0, and NaN comes back. */
Test(decoders, encoders_of_what_is_not_finite) {
  static const float given[] = {INFINITY, -INFINITY, NAN, -NAN};
  for (const encoder *e = encoders; e < encoders + COUNT(encoders); e++)
    for (size_t i = 0; i < 32 * COUNT(given); i++) {
      float w[32];
      unsigned char block[MOST_BYTES];
      for (size_t k = 0; k < 32; k++)
        w[k] = k == i % 32 ? given[i / 32] : (float)k - 9;
      encode(e, w, block);
      cr_assert(block[0] == 0 && block[1] == 0x7e, "%s: a scale", e->format->name);
      for (size_t at = 2; at < e->format->bytes; at++)
        cr_assert(block[at] == 0, "%s: byte %zu is %#x", e->format->name, at, (unsigned)block[at]);
      for (size_t k = 0; k < 32; k++)
        cr_assert(isnan(e->format->decode(block, k)), "%s: weight %zu", e->format->name, k);
    }
}

/* Scales that f16 has no room for are Inf, and NaN comes back; those too small for an inverse are
 * 0, and so are all weights. */
Test(decoders, encoders_at_the_ends) {
  for (const encoder *e = encoders; e < encoders + COUNT(encoders); e++) {
    const float largest = nextafterf(65520 * e->steps, 0);
    const float sizes[] = {largest, 65520 * e->steps, FLT_MAX, 0x1p-149f, 0x1p-130f * e->steps};
    for (size_t i = 0; i < COUNT(sizes); i++) {
      float w[32] = {0};
      unsigned char block[MOST_BYTES];
      w[30] = sizes[i], w[31] = sizes[i] / 2;
      encode(e, w, block);
      const unsigned scale = block[0] | (unsigned)(block[1] & 0x7f) << 8;
      cr_assert(scale == (i == 0  ? 0x7bff
                          : i < 3 ? 0x7c00
                                  : 0),
                "%s: %a has scale %#x", e->format->name, (double)sizes[i], scale);
      for (size_t k = 0; k < 32; k++) {
        const double back = e->format->decode(block, k);
        cr_assert(i == 0  ? fabs(back - (double)w[k]) <= 40000 /* of a step of 65504 */
                  : i < 3 ? isnan(back)
                          : back == 0,
                  "%s: %a became %a", e->format->name, (double)w[k], back);
      }
      for (size_t at = 2; i > 2 && at < e->format->bytes; at++)
        cr_assert(block[at] == e->zero, "%s: byte %zu is %#x", e->format->name, at,
                  (unsigned)block[at]);
    }
  }
}

/* 256 weights: sums of uniform ones, those themselves, and of many sizes; some blocks are of one
 * sign, have runs of zeros, or a weight that is larger than all others. */
static void weights_of_block(size_t b, float *w) {
  for (size_t k = 0; k < 256; k++) {
    float x = test_uniform(311, 4 * (256 * b + k));
    for (size_t i = 1; b % 3 != 1 && i < 4; i++)
      x += test_uniform(311, 4 * (256 * b + k) + i);
    x *= b % 3 == 2 ? exp2f((float)test_below(312, 256 * b + k, 4)) : 1;
    x = b % 16 == 5 ? fabsf(x) : b % 16 == 6 ? -fabsf(x) : b % 16 == 7 && k / 16 % 2 ? 0 : x;
    w[k] = b % 16 == 8 && k % 64 == 9 ? 8 * x : x * 0.02f;
  }
}

static double squares(const float *w, const unsigned char *block,
                      double (*decode)(const unsigned char *, size_t)) {
  double sum = 0;
  for (size_t k = 0; k < 256; k++) {
    const double error = (double)w[k] - decode(block, k);
    sum += error * error;
  }
  return sum;
}

/* Blocks whose scales and minima reach from the least weight, or 0, to the largest. */
static double plain_squares(const float *w) {
  double scale[8], least[8], d = 0, dmin = 0, sum = 0;
  unsigned char half[2];
  for (size_t j = 0; j < 8; j++) {
    double low = 0, high = (double)w[32 * j];
    for (size_t k = 32 * j; k < 32 * j + 32; k++)
      low = fmin(low, (double)w[k]), high = fmax(high, (double)w[k]);
    scale[j] = (high - low) / 15, least[j] = -low;
    d = fmax(d, scale[j] / 63), dmin = fmax(dmin, least[j] / 63);
  }
  ffn_encode_half(half, (float)d), d = ffn_decode_half(half);
  ffn_encode_half(half, (float)dmin), dmin = ffn_decode_half(half);
  for (size_t k = 0; k < 256; k++) {
    const double s = d * fmin(63, rint(scale[k / 32] / d));
    const double m = dmin > 0 ? dmin * fmin(63, rint(least[k / 32] / dmin)) : 0;
    const double q = s > 0 ? fmin(15, fmax(0, rint(((double)w[k] + m) / s))) : 0;
    sum += ((double)w[k] - (s * q - m)) * ((double)w[k] - (s * q - m));
  }
  return sum;
}

/* Floats as q4_K: nearer by a tenth than without a search; the same bytes by every compiler. */
Test(decoders, q4_K_of_floats) {
  enum { COUNT_OF_BLOCKS = 240 };
  double own[3] = {0}, plain[3] = {0};
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t b = 0; b < COUNT_OF_BLOCKS; b++) {
    float w[256];
    unsigned char block[144];
    weights_of_block(b, w);
    ffn_encode_q4_K(w, block);
    if (b % 16 < 5)
      own[b % 3] += squares(w, block, ffn_decode_q4_K), plain[b % 3] += plain_squares(w);
    cr_assert(squares(w, block, ffn_decode_q4_K) <= 1.0001 * plain_squares(w),
              "block %zu: %g, not %g", b, squares(w, block, ffn_decode_q4_K), plain_squares(w));
    for (size_t i = 0; i < sizeof block; i++)
      hash = (hash ^ block[i]) * 0x100000001b3u;
  }
  for (size_t i = 0; i < 3; i++)
    cr_assert(sqrt(own[i] / plain[i]) < 0.92, "%zu: %g of what is plain", i,
              sqrt(own[i] / plain[i]));
  cr_assert(hash == 0xfbc5a4fe72973a02u, "other bytes: %#llx", (unsigned long long)hash);
}

/* Blocks whose scales make -32 of the largest of 16 weights, and -128 of the largest scale. */
static double plain_squares_of_q6_K(const float *w) {
  double largest[16] = {0}, all = 0, sum = 0;
  unsigned char half[2];
  for (size_t k = 0; k < 256; k++) {
    largest[k / 16] = fabs((double)w[k]) > fabs(largest[k / 16]) ? (double)w[k] : largest[k / 16];
    all = fabs((double)w[k]) > fabs(all) ? (double)w[k] : all;
  }
  ffn_encode_half(half, (float)(all / 4096));
  const double d = ffn_decode_half(half);
  for (size_t k = 0; k < 256; k++) {
    const double s = d * fmax(-128, fmin(127, rint(largest[k / 16] / -32 / d)));
    const double q = s != 0 ? fmax(-32, fmin(31, rint((double)w[k] / s))) : 0;
    sum += ((double)w[k] - s * q) * ((double)w[k] - s * q);
  }
  return sum;
}

/* Floats as q6_K: nearer than without a search; the same bytes by every compiler. */
Test(decoders, q6_K_of_floats) {
  enum { COUNT_OF_BLOCKS = 240 };
  double own[3] = {0}, plain[3] = {0}, size = 0, error = 0;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t b = 0; b < COUNT_OF_BLOCKS; b++) {
    float w[256];
    unsigned char block[210];
    weights_of_block(b, w);
    ffn_encode_q6_K(w, block);
    const double squared = squares(w, block, ffn_decode_q6_K), other = plain_squares_of_q6_K(w);
    if (b % 16 < 5)
      own[b % 3] += squared, plain[b % 3] += other;
    cr_assert(squared <= 1.0001 * other, "block %zu: %g, not %g", b, squared, other);
    error += squared;
    for (size_t k = 0; k < 256; k++)
      size += (double)w[k] * (double)w[k];
    for (size_t i = 0; i < sizeof block; i++)
      hash = (hash ^ block[i]) * 0x100000001b3u;
  }
  for (size_t i = 0; i < 3; i++)
    cr_assert(sqrt(own[i] / plain[i]) < 0.94, "%zu: %g of what is plain", i,
              sqrt(own[i] / plain[i]));
  cr_assert(sqrt(error / size) < 0.02, "%g of the weights", sqrt(error / size));
  cr_assert(hash == 0x998b24fe0b1a3a3fu, "other bytes: %#llx", (unsigned long long)hash);
}

/* An Inf or a NaN among weights: d is NaN, all else 0. What f16 has no room for is Inf; what is too
 * small for it, 0. */
Test(decoders, q6_K_at_the_ends) {
  static const float given[] = {INFINITY, -INFINITY, NAN, 0x1p127f, -0x1p127f, 0x1p-40f, 0, -0.0f};
  static const unsigned ds[] = {0x7e00, 0x7e00, 0x7e00, 0x7c00, 0xfc00, 0, 0, 0};
  for (size_t i = 0; i < COUNT(given); i++)
    for (size_t at = 0; at < 256; at += 51) {
      float w[256] = {0};
      unsigned char block[210];
      memset(block, 0x5a, sizeof block);
      w[at] = given[i];
      ffn_encode_q6_K(w, block);
      const unsigned d = block[208] | (unsigned)block[209] << 8;
      cr_assert(d == ds[i], "%a: d is %#x", (double)given[i], d);
      for (size_t b = 0; b < 208; b++)
        cr_assert(block[b] == 0, "%a: byte %zu is %#x", (double)given[i], b, (unsigned)block[b]);
      for (size_t k = 0; k < 256; k++) {
        const double back = ffn_decode_q6_K(block, k);
        cr_assert(i < 5 ? isnan(back) : back == 0, "%a became %a", (double)given[i], back);
      }
    }
}

/* An Inf or a NaN among weights: d is NaN, all else 0. What f16 has no room for is Inf; what is too
 * small for it, 0. */
Test(decoders, q4_K_at_the_ends) {
  static const float given[] = {INFINITY, -INFINITY, NAN, 0x1p127f, -0x1p127f, 0x1p-40f, 0, -0.0f};
  for (size_t i = 0; i < COUNT(given); i++)
    for (size_t at = 0; at < 256; at += 51) {
      float w[256] = {0};
      unsigned char block[144];
      memset(block, 0x5a, sizeof block);
      w[at] = given[i];
      ffn_encode_q4_K(w, block);
      const unsigned d = block[0] | (unsigned)block[1] << 8;
      cr_assert(d == (i < 3 ? 0x7e00 : i < 5 ? 0x7c00 : 0), "%a: d is %#x", (double)given[i], d);
      const unsigned dmin = block[2] | (unsigned)block[3] << 8;
      cr_assert(dmin == (i == 4 ? 0x7c00 : 0), "%a: dmin is %#x", (double)given[i], dmin);
      for (size_t b = 4; b < 144; b++)
        cr_assert(block[b] == 0, "%a: byte %zu is %#x", (double)given[i], b, (unsigned)block[b]);
      for (size_t k = 0; k < 256; k++) {
        const double back = ffn_decode_q4_K(block, k);
        cr_assert(i < 5 ? isnan(back) : back == 0, "%a became %a", (double)given[i], back);
      }
    }
}
