/* The reference of integers against numbers that are worked out here, of stages that no kernel is
 * needed for; weights as integers against the same weights as floats; and the bound of sums of
 * integers: it holds, and is near what can happen. */
#include "ffn.h"
#include "support/blocks.h"
#include "support/guard.h"
#include "support/kernels.h"
#include "support/rng.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ffn_source sources[] = {
#define FFN_SOURCE_INTEGERS(NAME, name) FFN_SOURCE_##NAME,
#include "integers.inc"
#undef FFN_SOURCE_INTEGERS
};

enum { SOURCES = sizeof sources / sizeof *sources, BLOCK = 256 };

static const char *name_of(ffn_source source) { return ffn_format_name((ffn_format)source); }

/* A matrix of random blocks, or floats. */
typedef struct matrix {
  ffn_linear linear;
  unsigned char *blocks, *scales, *zeros;
  float *bias;
} matrix;

static ffn_stage stage_of(ffn_source source, size_t inputs, size_t outputs) {
  ffn_stage stage;
  memset(&stage, 0, sizeof stage);
  stage.inputs = inputs, stage.outputs = outputs, stage.branches = 1;
  stage.matrix[0] = stage.matrix[1] = FFN_MATRIX_CHAIN;
  stage.activation = FFN_ACT_IDENTITY;
  stage.arithmetic = FFN_ARITHMETIC_DOT_S8;
  stage.source = source, stage.format = (ffn_format)source;
  stage.k_block = inputs, stage.chains = 1;
  stage.sum_length = 2 * inputs / ffn_stage_group(&stage) + 4;
  return stage;
}

static ffn_kernel kernel_of(const ffn_stage *stages, size_t count) {
  ffn_kernel kernel;
  memset(&kernel, 0, sizeof kernel);
  kernel.inputs = stages[0].inputs, kernel.outputs = stages[count - 1].outputs;
  kernel.stage_count = count, kernel.stages = stages;
  return kernel;
}

static matrix matrix_of(const ffn_stage *stage, uint64_t stream) {
  matrix m;
  memset(&m, 0, sizeof m);
  const ffn_block_size block = ffn_source_block(stage->source);
  const size_t bytes = stage->outputs * ffn_source_row(stage->source, stage->inputs);
  const size_t groups = ffn_matrix_scales(block, 0, stage->outputs, stage->inputs);
  m.blocks = test_memory(bytes);
  test_blocks_fill(stage->source, m.blocks, bytes, stage->inputs, stream);
  m.linear.weight = m.blocks, m.linear.source = stage->source;
  if (block.scale > 0) {
    m.scales = test_memory(groups * block.scale);
    m.zeros = test_memory(groups);
    test_scales_fill(stage->source, m.scales, groups, stage->inputs, stream + 1);
    for (size_t i = 0; i < groups; i++)
      m.zeros[i] = (unsigned char)test_below(stream + 2, i, 16);
    m.linear.scales = m.scales, m.linear.zeros = m.zeros;
  }
  m.bias = test_memory(stage->outputs * sizeof(float));
  for (size_t o = 0; o < stage->outputs; o++)
    m.bias[o] = test_uniform(stream + 3, o);
  m.linear.bias = stage->bias ? m.bias : NULL;
  return m;
}

static void close_matrix(matrix *m) {
  free(m->blocks), free(m->scales), free(m->zeros), free(m->bias);
}

/* Runs the reference, whose scratch ends at a page that faults. */
static void run(const ffn_kernel *kernel, const ffn_linear *chain, float *y, const float *x,
                size_t tokens) {
  const ffn_weights weights = {.chain = chain};
  const size_t bytes = ffn_reference_s8_bytes(kernel);
  cr_assert(bytes > 0);
  const test_guard scratch = test_guard_open(bytes, sizeof(float), TEST_AT_END);
  const test_guard to =
      test_guard_open(tokens * kernel->outputs * sizeof *y, sizeof *y, TEST_AT_END);
  ffn_reference_s8(kernel, to.memory, x, kernel->inputs, tokens, &weights, scratch.memory);
  memcpy(y, to.memory, to.bytes);
  cr_assert(test_guard_intact(&scratch) && test_guard_intact(&to));
  test_guard_close(&scratch), test_guard_close(&to);
}

static void bound_of(const ffn_kernel *kernel, const ffn_linear *chain, double *y, double *bound,
                     const float *x, size_t tokens) {
  const ffn_weights weights = {.chain = chain};
  void *scratch = test_memory(ffn_reference_bytes(kernel));
  ffn_reference(kernel, y, bound, x, kernel->inputs, tokens, &weights, scratch);
  free(scratch);
}

/* One stage, one row. */
static float one(ffn_source source, const ffn_linear *linear, const float *x, size_t inputs) {
  const ffn_stage stage = stage_of(source, inputs, 1);
  const ffn_kernel kernel = kernel_of(&stage, 1);
  float y;
  run(&kernel, linear, &y, x, 1);
  return y;
}

/* About normal. */
static float normal(uint64_t stream, uint64_t i) {
  float sum = 0;
  for (uint64_t n = 0; n < 12; n++)
    sum += test_uniform(stream, 12 * i + n) / 2;
  return sum;
}

/* The floats of weights are what their integers mean; also where scales are anything. */
Test(integers, decoders) {
  cr_assert(SOURCES == 22);
  for (size_t s = 0; s < SOURCES; s++)
    for (int wild = 0; wild < 2; wild++) {
      const ffn_stage stage = stage_of(sources[s], 2 * BLOCK, 16);
      matrix m = matrix_of(&stage, 10 * s);
      const size_t bytes = stage.outputs * ffn_source_row(stage.source, stage.inputs);
      for (size_t i = 0; wild && i < bytes; i++)
        m.blocks[i] = (unsigned char)test_below(77 + s, i, 256);
      for (size_t o = 0; o < stage.outputs; o++)
        for (size_t k = 0, count = 0; k < stage.inputs; k += 32 * count) {
          ffn_integers w[FFN_MOST_INTEGERS];
          count = ffn_linear_integers(&stage, &m.linear, o, k + k % 7, w);
          cr_assert(count == (ffn_source_block(stage.source).inputs + 31) / 32);
          for (size_t i = 0; i < 32 * count; i++) {
            const ffn_integers *g = &w[i / 32];
            const double value =
                (double)(float)((double)g->scale * g->factor[i % 32 / 16] * g->q[i % 32] +
                                (double)g->least);
            const double should = ffn_linear_value(&stage, &m.linear, o, k + i);
            /* A minimum that is infinite makes a weight NaN, and a sum infinite. */
            const int both = isnan(should) && (isnan(value) || !isfinite(g->least));
            cr_assert(value == should || both, "%s: weight %zu is %a, not %a",
                      name_of(stage.source), k + i, value, should);
            cr_assert(abs(g->q[i % 32]) <= (g->has_least ? 31 : 255));
          }
        }
      close_matrix(&m);
    }
}

/* Floats become blocks first, as in any reference. */
Test(integers, floats) {
  const ffn_stage stage = stage_of(FFN_SOURCE_Q4_K, BLOCK, 3);
  float weights[3 * BLOCK];
  ffn_integers w[FFN_MOST_INTEGERS];
  for (size_t i = 0; i < 3 * BLOCK; i++)
    weights[i] = test_uniform(4, i);
  const ffn_linear linear = {.weight = weights};
  for (size_t o = 0; o < 3; o++) {
    cr_assert(ffn_linear_integers(&stage, &linear, o, 0, w) == 8);
    for (size_t k = 0; k < BLOCK; k++) {
      const double value = (double)w[k / 32].scale * w[k / 32].q[k % 32] + (double)w[k / 32].least;
      cr_assert((double)(float)value == ffn_linear_value(&stage, &linear, o, k));
      cr_assert(fabs(value - (double)weights[o * BLOCK + k]) < 0.2);
    }
  }
}

/* Puts scales of 1, minima of 1/2 and small factors into random blocks. */
static void make_whole(const ffn_stage *stage, matrix *m) {
  static const unsigned char one[] = {0, 0x3c}, half[] = {0, 0x38};
  const ffn_block_size size = ffn_source_block(stage->source);
  const char *name = name_of(stage->source);
  const int has_minima = name[1] > '3' && (strstr(name, "_1") || strcmp(name, "q4_K") == 0 ||
                                           strcmp(name, "q5_K") == 0);
  const size_t count = stage->outputs * stage->inputs / size.inputs;
  const size_t scales = ffn_matrix_scales(size, 0, stage->outputs, stage->inputs);
  for (size_t b = 0; b < count && size.scale == 0; b++) {
    unsigned char *block = m->blocks + b * size.bytes;
    if (stage->source == FFN_SOURCE_MXFP4) {
      block[0] = 128;
    } else if (stage->source == FFN_SOURCE_Q6_K) {
      memcpy(block + 208, one, 2);
      for (size_t i = 0; i < 16; i++)
        block[192 + i] = (unsigned char)(i % 5 - 2);
    } else {
      memcpy(block, one, 2);
    }
    if (has_minima)
      memcpy(block + 2, half, 2);
  }
  for (size_t i = 0; i < scales && size.scale > 0; i++) {
    const float scale = 1;
    const uint16_t bits = test_scale_of(stage->source) == TEST_SCALE_BF16 ? 0x3f80 : 0x3c00;
    if (size.scale == sizeof scale)
      memcpy(m->scales + i * sizeof scale, &scale, sizeof scale);
    else
      memcpy(m->scales + i * sizeof bits, &bits, sizeof bits);
  }
}

/* Whole numbers, the largest of each group 127 in size, times weights of whole halves: exact. */
Test(integers, exact) {
  for (size_t s = 0; s < SOURCES; s++) {
    const ffn_stage stage = stage_of(sources[s], BLOCK, 16);
    const ffn_kernel kernel = kernel_of(&stage, 1);
    matrix m = matrix_of(&stage, 100 + 10 * s);
    make_whole(&stage, &m);
    float x[BLOCK], y[16];
    for (size_t k = 0; k < BLOCK; k++)
      x[k] =
          k % 32 == k / 32 ? (k % 64 < 32 ? 127.0f : -127.0f) : (float)test_below(5 + s, k, 7) - 3;
    run(&kernel, &m.linear, y, x, 1);
    int is_zero = 1;
    for (size_t o = 0; o < stage.outputs; o++) {
      double sum = 0;
      for (size_t k = 0; k < BLOCK; k++)
        sum += ffn_linear_value(&stage, &m.linear, o, k) * (double)x[k];
      cr_assert((double)y[o] == sum, "%s: %.9g, not %.9g", name_of(stage.source), (double)y[o],
                sum);
      is_zero &= sum == 0;
    }
    cr_assert(!is_zero);
    close_matrix(&m);
  }
}

/* Rows of q8_0 with a scale of 1 and a weight of 1 each: they give what x becomes. */
static void taken(float *y, const float *x) {
  const ffn_stage stage = stage_of(FFN_SOURCE_Q8_0, 32, 32);
  const ffn_kernel kernel = kernel_of(&stage, 1);
  unsigned char blocks[32 * 34] = {0};
  for (size_t o = 0; o < 32; o++)
    blocks[34 * o + 1] = 0x3c, blocks[34 * o + 2 + o] = 1;
  const ffn_linear linear = {.weight = blocks, .source = FFN_SOURCE_Q8_0};
  run(&kernel, &linear, y, x, 1);
}

Test(integers, ties_to_even) {
  static const float halves[] = {0.5f, 1.5f, 2.5f, 3.5f, 126.5f, 125.5f, 0.49f, 1.51f};
  static const float whole[] = {0, 2, 2, 4, 126, 126, 0, 2};
  float x[32] = {0}, y[32];
  for (size_t i = 0; i < 16; i++)
    x[i] = i < 8 ? halves[i] : -halves[i - 8];
  x[31] = -127;
  taken(y, x);
  for (size_t i = 0; i < 16; i++)
    cr_assert(y[i] == (i < 8 ? whole[i] : -whole[i - 8]), "%g became %g", (double)x[i],
              (double)y[i]);
}

/* The largest is 127 of a scale, whatever its bits; small ones are nothing. */
Test(integers, sizes) {
  for (size_t i = 0; i < 3000; i++) {
    float x[32] = {0}, y[32];
    const uint32_t exponent = 27 + (uint32_t)test_below(6, i, 227);
    const uint32_t sign = i % 2 ? 0x80000000u : 0;
    x[i % 32] = test_float(exponent << 23 | (uint32_t)test_below(7, i, 1 << 23) | sign);
    taken(y, x);
    const float scale = fabsf(x[i % 32]) / 127;
    cr_assert(y[i % 32] == copysignf(fmaf(127, scale, 0), x[i % 32]), "%a gave %a",
              (double)x[i % 32], (double)y[i % 32]);
  }
  for (int i = 0; i < 2; i++) {
    const float below = i ? 0x1p-101f : nextafterf(0x1p-100f, 0);
    float x[32] = {0.0f, 0x1p-149f, -below}, y[32];
    taken(y, x);
    for (size_t o = 0; o < 32; o++)
      cr_assert(test_bits(y[o]) == 0);
    x[3] = -0x1p-100f;
    taken(y, x);
    cr_assert(y[3] != 0 && y[1] == 0 && fabsf(y[2]) == (i ? 64 : 127) * (0x1p-100f / 127));
  }
}

/* What is not finite makes a row NaN, and no other row. */
Test(integers, not_finite) {
  enum { ROWS = 19, OUTPUTS = 5 };
  static const float bad[] = {INFINITY, -INFINITY, NAN};
  for (size_t s = 0; s < SOURCES; s++) {
    const ffn_stage stage = stage_of(sources[s], BLOCK, OUTPUTS);
    const ffn_kernel kernel = kernel_of(&stage, 1);
    matrix m = matrix_of(&stage, 300 + 10 * s);
    float x[ROWS * BLOCK], y[ROWS * OUTPUTS], z[ROWS * OUTPUTS];
    for (size_t i = 0; i < ROWS * BLOCK; i++)
      x[i] = normal(8, i);
    run(&kernel, &m.linear, y, x, ROWS);
    for (size_t b = 0; b < 3; b++) {
      x[11 * BLOCK + 77] = bad[b];
      run(&kernel, &m.linear, z, x, ROWS);
      for (size_t i = 0; i < ROWS * OUTPUTS; i++)
        cr_assert(i / OUTPUTS == 11 ? isnan(z[i]) : test_bits(y[i]) == test_bits(z[i]),
                  "%s, %g: row %zu", name_of(stage.source), (double)bad[b], i / OUTPUTS);
    }
    for (size_t t = 0; t < ROWS; t++)
      run(&kernel, &m.linear, z + t * OUTPUTS, x + t * BLOCK, 1);
    for (size_t i = 0; i < ROWS * OUTPUTS; i++)
      cr_assert(i / OUTPUTS == 11 || test_bits(y[i]) == test_bits(z[i]), "alone");
    close_matrix(&m);
  }
}

/* Scales that are not finite, each of a block's two. */
Test(integers, scales) {
  static const struct {
    ffn_source source;
    size_t at;
    unsigned char bytes[2];
  } cases[] = {
      {FFN_SOURCE_Q4_0, 0, {0, 0x7c}},  {FFN_SOURCE_Q4_1, 2, {0, 0xfc}},
      {FFN_SOURCE_Q5_1, 0, {1, 0x7c}},  {FFN_SOURCE_Q4_K, 2, {0, 0x7c}},
      {FFN_SOURCE_Q5_K, 0, {0, 0xfc}},  {FFN_SOURCE_Q6_K, 208, {0, 0x7c}},
      {FFN_SOURCE_MXFP4, 0, {255, 17}}, {FFN_SOURCE_IQ4_XS, 0, {0, 0x7e}},
  };
  float x[BLOCK] = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const ffn_stage stage = stage_of(cases[i].source, BLOCK, 1);
    matrix m = matrix_of(&stage, 400 + i);
    cr_assert(!isnan(one(cases[i].source, &m.linear, x, BLOCK)));
    memcpy(m.blocks + cases[i].at, cases[i].bytes, 2);
    cr_assert(isnan(one(cases[i].source, &m.linear, x, BLOCK)), "%s", name_of(cases[i].source));
    close_matrix(&m);
  }
  /* The range of f32 scales: 128 of them are a float. */
  static const float ends[] = {0x1.fffffep120f, 0x1p121f};
  for (size_t i = 0; i < 2; i++) {
    const unsigned char nibbles[16] = {0x88};
    const ffn_linear linear = {
        .weight = nibbles, .source = FFN_SOURCE_U4G32_F32, .scales = &ends[i]};
    cr_assert(isnan(one(FFN_SOURCE_U4G32_F32, &linear, x, 32)) == (i == 1));
  }
}

/* A sum of 0 under a scale below 0 adds +0, which makes -0 a +0. */
Test(integers, zeros_have_signs) {
  static const float scales[] = {-0x1p-100f, -1};
  unsigned char nibbles[32];
  memset(nibbles, 0x88, sizeof nibbles);
  nibbles[0] = 0x89;
  const ffn_linear linear = {.weight = nibbles, .source = FFN_SOURCE_U4G32_F32, .scales = scales};
  float x[64] = {0};
  x[0] = 0x1p-100f, x[40] = 1;
  cr_assert(test_bits(one(FFN_SOURCE_U4G32_F32, &linear, x, 32)) == 0x80000000);
  cr_assert(test_bits(one(FFN_SOURCE_U4G32_F32, &linear, x, 64)) == 0);
  x[40] = 0; /* a group of zeros, whose scale is 0 */
  cr_assert(test_bits(one(FFN_SOURCE_U4G32_F32, &linear, x, 64)) == 0);
}

/* Two groups with minima, operation by operation. */
Test(integers, by_hand) {
  for (size_t i = 0; i < 500; i++) {
    const ffn_stage stage = stage_of(FFN_SOURCE_Q4_1, 64, 1);
    matrix m = matrix_of(&stage, 500 + 4 * i);
    float x[64], acc = 0;
    for (size_t k = 0; k < 64; k++)
      x[k] = normal(9 + i, k);
    for (size_t g = 0; g < 2; g++) {
      const unsigned char *block = m.blocks + 20 * g;
      float most = 0;
      for (size_t k = 0; k < 32; k++)
        most = fmaxf(most, fabsf(x[32 * g + k]));
      const float inverse = 127 / most, scale = most / 127;
      int sum = 0, all = 0;
      for (size_t k = 0; k < 32; k++) {
        const int q = (int)nearbyintf(x[32 * g + k] * inverse);
        sum += (block[4 + k % 16] >> (k < 16 ? 0 : 4) & 15) * q, all += q;
      }
      ffn_integers w;
      ffn_linear_integers(&stage, &m.linear, 0, 32 * g, &w);
      const float t = (float)sum * w.scale, p = scale * (float)all;
      acc = fmaf(t, scale, acc);
      acc = fmaf(w.least, p, acc);
    }
    const float y = one(FFN_SOURCE_Q4_1, &m.linear, x, 64);
    cr_assert(test_bits(y) == test_bits(acc), "%a, not %a", (double)y, (double)acc);
    close_matrix(&m);
  }
}

/* 1 and 2^-24 (1 + 2^-36) are rounded once: a sum in double would lie in the middle. */
Test(integers, rounded_once) {
  const float u = 1 + 0x1p-12f, v = 1 - 0x1p-12f + 0x1p-24f; /* u v is 1 + 2^-36 */
  const float scales[] = {0x1p-7f, v * 0x1p-31f}, below[] = {-0x1p-7f, v * -0x1p-31f};
  unsigned char nibbles[32];
  memset(nibbles, 0x88, sizeof nibbles);
  nibbles[0] = nibbles[16] = 0x99; /* 127 + 1 */
  const float x[64] = {[0] = 127, [1] = 1, [32] = 127 * u, [33] = u};
  ffn_linear linear = {.weight = nibbles, .source = FFN_SOURCE_U4G32_F32, .scales = scales};
  cr_assert(one(FFN_SOURCE_U4G32_F32, &linear, x, 64) == 1 + 0x1p-23f);
  linear.scales = below;
  cr_assert(one(FFN_SOURCE_U4G32_F32, &linear, x, 64) == -1 - 0x1p-23f);
}

/* A group of 64 or 128 has one scale, that of its largest input, and one sum. */
Test(integers, groups) {
  static const ffn_source of_f32[] = {FFN_SOURCE_U4G64_F32, FFN_SOURCE_U4G128_F32};
  unsigned char nibbles[64];
  memset(nibbles, 0x99, sizeof nibbles); /* 1 */
  nibbles[16] = 0x9a;                    /* 2 */
  for (size_t i = 0; i < 2; i++) {
    const float scales[] = {1, 1 + 0x1p-23f};
    ffn_linear linear = {.weight = nibbles, .source = of_f32[i], .scales = &scales[0]};
    float x[128] = {[0] = 127, [33] = 0.4f};
    cr_assert(one(of_f32[i], &linear, x, i ? 128 : 64) == 127);
    x[32] = 127, linear.scales = &scales[1];
    cr_assert(one(of_f32[i], &linear, x, i ? 128 : 64) == 381 + 0x1p-15f);
  }
}

/* A row has one scale where an output has: also of a number of inputs that 32 does not divide. */
Test(integers, rows) {
  static const signed char zero = -3;
  const float scale = 1 + 0x1p-23f, one_scale = 1;
  signed char bytes[70], less[70];
  float x[70] = {[0] = 127, [69] = 0.4f};
  for (size_t i = 0; i < 70; i++)
    bytes[i] = i == 69 ? 2 : 1, less[i] = (signed char)(bytes[i] + zero);
  ffn_linear i8 = {.weight = bytes, .source = FFN_SOURCE_I8, .scales = &one_scale};
  ffn_linear i8z = {.weight = less, .source = FFN_SOURCE_I8Z, .scales = &one_scale, .zeros = &zero};
  cr_assert(one(FFN_SOURCE_I8, &i8, x, 70) == 127 && one(FFN_SOURCE_I8Z, &i8z, x, 70) == 127);
  x[69] = 127, i8.scales = i8z.scales = &scale;
  cr_assert(one(FFN_SOURCE_I8, &i8, x, 70) == 381 + 0x1p-15f);
  cr_assert(one(FFN_SOURCE_I8Z, &i8z, x, 70) == 381 + 0x1p-15f);
}

/* Bytes of a scale that comes with the weights: ties to even, of the quotient and not of a product
 * with 1 / 7; clipped at 127 on both sides; a NaN is one, an Inf is clipped. */
Test(integers, given_scale) {
  enum { IN = 8 };
  static const float scale = 0x1p-3f;
  static const struct {
    float scale, x;
    int q;
  } cases[] = {{1, 0.5f, 0},
               {1, 1.5f, 2},
               {0.5f, -1.25f, -2},
               {7, 45.5f, 6},
               {7, -45.5f, -6},
               {2, 253, 126},
               {2, 255, 127},
               {2, -1e30f, -127},
               {2, INFINITY, 127},
               {1, -INFINITY, -127},
               {0x1p-100f, 0x1p-100f, 1}};
  signed char weights[IN] = {3, -128, 1, 1, 1, 1, 1, 1};
  ffn_stage stage = stage_of(FFN_SOURCE_I8, IN, 1);
  stage.arithmetic = FFN_ARITHMETIC_DOT_S8_STATIC, stage.operand_scale = 1;
  const ffn_kernel kernel = kernel_of(&stage, 1);
  ffn_linear linear = {.weight = weights, .source = FFN_SOURCE_I8, .scales = &scale};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    float x[IN] = {cases[i].x, 0, -2 * cases[i].scale}, y;
    linear.operand_scale = cases[i].scale;
    run(&kernel, &linear, &y, x, 1);
    const float wanted = (float)(3 * cases[i].q - 2) * scale * cases[i].scale;
    cr_assert(y == wanted, "%a / %a: %a is not %a", (double)cases[i].x, (double)cases[i].scale,
              (double)y, (double)wanted);
    x[1] = NAN;
    run(&kernel, &linear, &y, x, 1);
    cr_assert(isnan(y));
  }
}

/* All inputs are off to one side, by half of the scale or by what is clipped: that is the bound. */
Test(integers, given_bound) {
  enum { IN = 8 };
  static const float scale = 0x1p-3f, sizes[] = {0.5f, 1000, -0.5f};
  static const signed char weights[IN] = {3, -128, 1, 127, -1, 5, -9, 1};
  ffn_stage stage = stage_of(FFN_SOURCE_I8, IN, 1);
  stage.arithmetic = FFN_ARITHMETIC_DOT_S8_STATIC, stage.operand_scale = 1;
  const ffn_kernel kernel = kernel_of(&stage, 1);
  const ffn_linear linear = {
      .weight = weights, .source = FFN_SOURCE_I8, .scales = &scale, .operand_scale = 0.0131f};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    float x[IN], y;
    double exact, bound;
    for (size_t k = 0; k < IN; k++)
      x[k] = (weights[k] < 0 ? -sizes[i] : sizes[i]) * linear.operand_scale;
    run(&kernel, &linear, &y, x, 1);
    bound_of(&kernel, &linear, &exact, &bound, x, 1);
    const double error = fabs((double)y - exact);
    cr_assert(error <= bound && bound <= 1.001 * error, "%g: %g is not about %g", (double)sizes[i],
              bound, error);
  }
}

/* A chain, outputs side by side, two branches, biases: of single stages. */
Test(integers, layers) {
  enum { IN = 64, MIDDLE = 96, OUT = 33, ROWS = 11 };
  const ffn_stage first = stage_of(FFN_SOURCE_Q5_0, IN, MIDDLE);
  ffn_stage second = stage_of(FFN_SOURCE_MXFP4, MIDDLE, OUT), other = first;
  second.bias = 1;
  matrix m[] = {matrix_of(&first, 600), matrix_of(&second, 610), matrix_of(&other, 620)};
  const ffn_kernel alone[] = {kernel_of(&first, 1), kernel_of(&second, 1), kernel_of(&other, 1)};
  static float x[ROWS * IN], y[3][ROWS * MIDDLE], z[ROWS * 2 * MIDDLE];
  for (size_t i = 0; i < ROWS * IN; i++)
    x[i] = normal(10, i);
  run(&alone[0], &m[0].linear, y[0], x, ROWS);
  run(&alone[1], &m[1].linear, y[1], y[0], ROWS);
  run(&alone[2], &m[2].linear, y[2], x, ROWS);
  const ffn_linear chain[] = {m[0].linear, m[1].linear}, both[] = {m[0].linear, m[2].linear};

  const ffn_stage stages[] = {first, second}, beside[] = {first, other};
  ffn_kernel kernel = kernel_of(stages, 2);
  run(&kernel, chain, z, x, ROWS);
  cr_assert(test_same(z, y[1], ROWS * OUT), "a chain");
  second.bias = 0;
  run(&alone[1], &m[1].linear, z, y[0], ROWS);
  for (size_t i = 0; i < ROWS * OUT; i++)
    cr_assert(z[i] + m[1].bias[i % OUT] == y[1][i], "a bias");

  kernel = kernel_of(beside, 2);
  kernel.outputs = 2 * MIDDLE, kernel.stages_share_x = 1;
  run(&kernel, both, z, x, ROWS);
  for (size_t t = 0; t < ROWS; t++)
    cr_assert(test_same(z + 2 * t * MIDDLE, y[0] + t * MIDDLE, MIDDLE) &&
                  test_same(z + (2 * t + 1) * MIDDLE, y[2] + t * MIDDLE, MIDDLE),
              "several outputs");

  ffn_stage gated = first;
  gated.branches = 2, gated.product = FFN_PRODUCT_UP;
  gated.matrix[0] = FFN_MATRIX_GATE, gated.matrix[1] = FFN_MATRIX_UP;
  kernel = kernel_of(&gated, 1);
  const ffn_weights weights = {.gate = m[0].linear, .up = m[2].linear};
  void *scratch = test_memory(ffn_reference_s8_bytes(&kernel));
  ffn_reference_s8(&kernel, z, x, IN, ROWS, &weights, scratch);
  free(scratch);
  for (size_t i = 0; i < ROWS * MIDDLE; i++)
    cr_assert(z[i] == y[0][i] * y[2][i], "two branches");
  for (size_t i = 0; i < 3; i++)
    close_matrix(&m[i]);
}

/* Who has no such reference says so. */
Test(integers, others) {
  ffn_stage stages[] = {stage_of(FFN_SOURCE_Q8_0, 64, 64), stage_of(FFN_SOURCE_Q8_0, 64, 5)};
  const ffn_kernel kernel = kernel_of(stages, 2);
  matrix m[] = {matrix_of(&stages[0], 700), matrix_of(&stages[1], 710)};
  const ffn_linear chain[] = {m[0].linear, m[1].linear};
  double y[5], bound[5];
  float x[64];
  for (size_t k = 0; k < 64; k++)
    x[k] = normal(11, k);
  cr_assert(ffn_reference_s8_bytes(&kernel) > 0 && ffn_reference_s8_bytes(NULL) == 0);
  stages[1].arithmetic = FFN_ARITHMETIC_FMA_F32;
  stages[1].sum_length = 64;
  cr_assert(ffn_reference_s8_bytes(&kernel) == 0);
  bound_of(&kernel, chain, y, bound, x, 1);
  cr_assert(bound[0] < INFINITY && bound[0] > 0);
  stages[1].arithmetic = (ffn_arithmetic)99;
  cr_assert(ffn_reference_s8_bytes(&kernel) == 0);
  bound_of(&kernel, chain, y, bound, x, 1);
  cr_assert(bound[0] >= (double)INFINITY);
  close_matrix(&m[0]), close_matrix(&m[1]);
}

/* Errors of one stage are those of rounding to 255 numbers, and the bound is no more above them
 * than all of these at once. */
Test(integers, bound) {
  enum { ROWS = 96, OUTPUTS = 48, ALL = ROWS * OUTPUTS };
  static float x[ROWS * BLOCK], y[ALL];
  static double exact[ALL], bound[ALL];
  for (size_t i = 0; i < ROWS * BLOCK; i++)
    x[i] = normal(12, i) * (i / BLOCK % 3 == 2 ? 1e-6f : 1);
  for (size_t s = 0; s < SOURCES; s++) {
    const ffn_stage stage = stage_of(sources[s], BLOCK, OUTPUTS);
    const ffn_kernel kernel = kernel_of(&stage, 1);
    const size_t group = ffn_stage_group(&stage);
    matrix m = matrix_of(&stage, 800 + 10 * s);
    run(&kernel, &m.linear, y, x, ROWS);
    bound_of(&kernel, &m.linear, exact, bound, x, ROWS);
    double errors = 0, bounds = 0;
    for (size_t o = 0; o < OUTPUTS; o++) {
      float w[BLOCK];
      ffn_linear_values(&stage, &m.linear, o, w);
      for (size_t t = 0; t < ROWS; t++) {
        const size_t i = t * OUTPUTS + o;
        double noise = 0, most = 0;
        for (size_t k = 0; k < BLOCK; k++) {
          if (k % group == 0)
            most = 0;
          for (size_t n = k; k % group == 0 && n < k + group; n++)
            most = fmax(most, fabs((double)x[t * BLOCK + n]));
          noise += (most / 127 * w[k]) * (most / 127 * w[k]) / 12;
        }
        const double error = fabs((double)y[i] - exact[i]);
        cr_assert(error <= bound[i], "%s: %g beyond %g", name_of(stage.source), error, bound[i]);
        errors += error * error / noise, bounds += bound[i] * bound[i] / noise;
      }
    }
    const double typical = sqrt(errors / ALL), above = sqrt(bounds / ALL);
    printf("%-12s error %.3f of its noise, bound %.1f\n", name_of(stage.source), typical, above);
    cr_assert(typical > 0.93 && typical < 1.05, "%s: %g", name_of(stage.source), typical);
    cr_assert(above > 8 && above < 2 * sqrt(BLOCK), "%s: %g", name_of(stage.source), above);
    close_matrix(&m);
  }
}

/* Behind a stage the bound counts its error; a kernel may find zeros where the exact numbers are
 * none. */
Test(integers, bound_of_two) {
  enum { ROWS = 8 };
  static float x[ROWS * BLOCK], y[ROWS * 24];
  static double exact[ROWS * 24], bound[ROWS * 24];
  for (size_t s = 0; s < SOURCES; s++) {
    const ffn_stage stages[] = {stage_of(sources[s], BLOCK, BLOCK),
                                stage_of(sources[(s + 3) % SOURCES], BLOCK, 24)};
    const ffn_kernel kernel = kernel_of(stages, 2);
    matrix m[] = {matrix_of(&stages[0], 900 + 10 * s), matrix_of(&stages[1], 905 + 10 * s)};
    const ffn_linear chain[] = {m[0].linear, m[1].linear};
    for (size_t i = 0; i < ROWS * BLOCK; i++)
      x[i] = normal(13 + s, i) * (s % 2 ? 0x1p-97f : 1);
    run(&kernel, chain, y, x, ROWS);
    bound_of(&kernel, chain, exact, bound, x, ROWS);
    for (size_t i = 0; i < ROWS * 24; i++)
      cr_assert(fabs((double)y[i] - exact[i]) <= bound[i] && bound[i] < INFINITY, "%s",
                name_of(sources[s]));
    close_matrix(&m[0]), close_matrix(&m[1]);
  }
  /* 1.26 of 2^-100 becomes 0.9 of it in the first stage, and 0 in the second. */
  const ffn_stage stages[] = {stage_of(FFN_SOURCE_Q8_0, 32, 32), stage_of(FFN_SOURCE_Q8_0, 32, 1)};
  const ffn_kernel kernel = kernel_of(stages, 2);
  unsigned char blocks[33 * 34] = {0};
  blocks[1] = 0x3c, blocks[2 + 1] = 1;
  blocks[32 * 34 + 1] = 0x3c, blocks[32 * 34 + 2] = 1;
  const ffn_linear chain[] = {{.weight = blocks, .source = FFN_SOURCE_Q8_0},
                              {.weight = blocks + 32 * 34, .source = FFN_SOURCE_Q8_0}};
  memset(x, 0, 32 * sizeof *x);
  x[0] = 127 * 0.9f * 0x1p-100f, x[1] = 1.4f * 0.9f * 0x1p-100f;
  run(&kernel, chain, y, x, 1);
  bound_of(&kernel, chain, exact, bound, x, 1);
  cr_assert(y[0] == 0 && exact[0] > 0x1p-100 && exact[0] <= bound[0]);
}

/* Where f32 may overflow on the way, there is none. */
Test(integers, unbounded) {
  double y, bound;
  float x[32] = {0x1p-90f};
  unsigned char of_mxfp4[17] = {0}, of_q4_1[20] = {0, 0x3c};
  memset(of_mxfp4 + 1, 0x77, 16);
  const ffn_stage stages[] = {stage_of(FFN_SOURCE_MXFP4, 32, 1), stage_of(FFN_SOURCE_Q4_1, 32, 1)};
  const ffn_kernel kernels[] = {kernel_of(&stages[0], 1), kernel_of(&stages[1], 1)};
  const ffn_linear first = {.weight = of_mxfp4, .source = FFN_SOURCE_MXFP4};
  const ffn_linear second = {.weight = of_q4_1, .source = FFN_SOURCE_Q4_1};
  for (int e = 200; e < 255; e++) {
    of_mxfp4[0] = (unsigned char)e;
    bound_of(&kernels[0], &first, &y, &bound, x, 1);
    const float of_s8 = one(FFN_SOURCE_MXFP4, &first, x, 32);
    /* 32 times 127 times 12 times 2^(e - 128) is a float as long. */
    cr_assert((e <= 240) == (bound < INFINITY), "e of %d", e);
    cr_assert(e > 240 || fabs((double)of_s8 - y) <= bound);
    cr_assert(e < 246 || isinf(of_s8));
  }
  for (size_t k = 0; k < 32; k++)
    x[k] = 0x1p124f; /* their sum is Inf, and times a minimum of 0 a NaN */
  bound_of(&kernels[1], &second, &y, &bound, x, 1);
  cr_assert(isnan(one(FFN_SOURCE_Q4_1, &second, x, 32)) && y == 0 && bound >= (double)INFINITY);
}
