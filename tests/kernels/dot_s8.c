/* Products of bytes have one result, that of ffn_reference_s8(): every kernel gives its bits, in
 * any batch, with any threads, of inputs and scales of any size. And where sums are small integers,
 * they are those of a loop. */
#include "support/blocks.h"
#include "support/each.h"
#include "support/pool.h"
#include "support/rng.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 37 };

static int is_of_bytes(const ffn_kernel *kernel) { return ffn_reference_s8_bytes(kernel) > 0; }

/* Inputs that share a scale: of hidden values they may be others. */
static size_t group_of(const ffn_kernel *kernel) { return ffn_stage_group(kernel->stages); }

static size_t most_rows(const ffn_kernel *kernel, size_t most) {
  return kernel->max_tokens > 0 && kernel->max_tokens < most ? kernel->max_tokens : most;
}

/* What the rows of x become: to be freed. */
static float *expected_of(const test_model *model, const float *x, size_t rows) {
  const ffn_kernel *kernel = model->kernel;
  float *y = test_memory(rows * kernel->outputs * sizeof *y);
  void *scratch = test_memory(ffn_reference_s8_bytes(kernel));
  ffn_reference_s8(kernel, y, x, kernel->inputs, rows, &model->weights, scratch);
  free(scratch);
  return y;
}

static void expect_bits(const test_model *model, const float *y, const float *expected, size_t rows,
                        const char *what) {
  const size_t out = model->kernel->outputs;
  for (size_t i = 0; i < rows * out; i++)
    cr_assert(test_same(y + i, expected + i, 1),
              "%s, %s: output %zu of row %zu of %zu is %a, not %a", model->kernel->name, what,
              i % out, i / out, rows, (double)y[i], (double)expected[i]);
}

/* Rows of all batches, from different rows on. */
static void expect_batches(const test_model *model, const float *x, const float *expected,
                           size_t most) {
  const ffn_kernel *kernel = model->kernel;
  for (size_t rows = 1; rows <= most; rows++) {
    const size_t first = rows * 31 % (most - rows + 1);
    float *y = test_outputs(kernel, x + first * kernel->inputs, rows, model->packed);
    expect_bits(model, y, expected + first * kernel->outputs, rows, "a batch");
    free(y);
  }
}

/* Threads that share rows, or columns where rows are few. */
static void expect_threads(const test_model *model, const float *x, const float *expected,
                           size_t most) {
  static const size_t batches[] = {1, 2, 3, 5, 16, MOST};
  const ffn_kernel *kernel = model->kernel;
  test_pool *pool = test_pool_open(0, TEST_ORDER_SHUFFLE);
  for (size_t b = 0; b < sizeof batches / sizeof *batches && batches[b] <= most; b++)
    for (size_t threads = 1; threads <= 3; threads++) {
      const ffn_parallel parallel = test_pool_parallel(pool, threads);
      const size_t bytes = ffn_work_bytes(kernel, threads, batches[b]);
      float *y = test_memory(batches[b] * kernel->outputs * sizeof *y);
      void *work = ffn_alloc(bytes);
      test_poison(work, bytes);
      ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, batches[b], model->packed, work, bytes,
              &parallel);
      expect_bits(model, y, expected, batches[b], "threads");
      ffn_free(work), free(y);
    }
  test_pool_close(pool);
}

EACH_KERNEL(dot_s8, reference, TEST_SMALL) {
  const size_t most = most_rows(kernel, MOST);
  if (!is_of_bytes(kernel))
    return;
  for (test_fill fill = TEST_REALS; fill <= TEST_TIES; fill++) {
    test_model model;
    test_model_open(&model, kernel, fill, 201);
    test_model_pack(&model);
    float *x = test_inputs(kernel, most, fill, 202), *expected = expected_of(&model, x, most);
    expect_batches(&model, x, expected, most);
    expect_threads(&model, x, expected, most);
    free(x), free(expected);
    test_model_close(&model);
  }
}

/* ---- Inputs of any size ------------------------------------------------------------------- */

/* Number k of a group of `size`. */
typedef float fill_group(uint64_t stream, size_t k, size_t size);

static float of_127(uint64_t stream, size_t k, size_t size) {
  return (void)stream, (void)k, (void)size, 127.0f;
}
static float alternating(uint64_t stream, size_t k, size_t size) {
  (void)size;
  return test_float(0x3f800000u | (uint32_t)(stream & 1023)) * (k % 2 ? -1.0f : 1.0f);
}
/* Between two integers, of both signs; the largest is 127. */
static float ties(uint64_t stream, size_t k, size_t size) {
  (void)size;
  return k == 5 ? 127.0f : (float)test_below(stream, k, 253) - 126 + 0.5f;
}
/* The same of other sizes: times the inverse of the scale they round to the middle, or beside it.
 */
static float near_ties(uint64_t stream, size_t k, size_t size) {
  const float most = 1.5f + test_uniform(stream, size) / 4, scale = most / 127;
  const float middle = (float)test_below(stream, k, 253) - 126 + 0.5f;
  return k == 5 ? most : test_float(test_bits(middle * scale) + (uint32_t)(k % 3) - 1);
}
/* Beside 2^-100, below which all are zeros: as large, the float below, the float above. */
static float about_least(uint64_t stream, size_t k, size_t size) {
  const float most = test_float(test_bits(0x1p-100f) - 1 + (uint32_t)(stream % 3));
  return k == stream % size ? most : most * 0.75f * test_uniform(stream, k);
}
static float subnormal(uint64_t stream, size_t k, size_t size) {
  return (void)size, 0x1p-130f * test_uniform(stream, k);
}
static float outlier(uint64_t stream, size_t k, size_t size) {
  return k == stream % size ? -3e30f : test_uniform(stream, k);
}
static float huge(uint64_t stream, size_t k, size_t size) {
  (void)size;
  return k == 3 ? FLT_MAX : FLT_MAX * test_uniform(stream, k);
}
static float zeros(uint64_t stream, size_t k, size_t size) {
  return (void)size, (stream + k) % 2 ? -0.0f : 0.0f;
}
static float with_nan(uint64_t stream, size_t k, size_t size) {
  return k == stream % size ? NAN : test_uniform(stream, k);
}
static float infinite(uint64_t stream, size_t k, size_t size) {
  return k == stream % size ? (stream & 64 ? -INFINITY : INFINITY) : test_uniform(stream, k);
}
static float plain(uint64_t stream, size_t k, size_t size) {
  return (void)size, test_uniform(stream, k);
}

static fill_group *const fills[] = {of_127,  alternating, ties,  near_ties, about_least, subnormal,
                                    outlier, huge,        zeros, plain,     with_nan,    infinite};
enum { FILLS = sizeof fills / sizeof *fills, ROWS = 3 * FILLS };

/* Of each fill a row whose groups are all so, one in which others are of any fill, and one in which
 * the first group is so and the others are zeros. */
static float *rows_of_fills(const ffn_kernel *kernel, uint64_t seed) {
  const size_t in = kernel->inputs, size = group_of(kernel);
  float *x = test_memory(ROWS * in * sizeof *x);
  for (size_t i = 0; i < ROWS * in; i++) {
    const size_t row = i / in, k = i % in, g = k / size;
    const uint64_t stream = seed + row * 1000 + g;
    const size_t any = (size_t)test_below(seed, row * 100 + g, FILLS - 2); /* no NaN beside */
    size_t fill = row / 3;
    if (g > 0 && row % 3 == 1)
      fill = any;
    x[i] = g > 0 && row % 3 == 2 ? 0 : fills[fill](stream, k % size, size);
  }
  return x;
}

/* ---- Weights of any size ------------------------------------------------------------------ */

#define HALF(f32, bf16, f16, e8)                                                                   \
  { f32##u, bf16, f16, e8 }
/* Infinities, NaN, zeros, the least and the largest; near FLT_MAX / 128, from which on a scale in
 * f32 counts as a NaN. Of mxfp4 e = 231 to 255, and the least. */
static const test_scale_bits wild[] = {
    HALF(0x7f800000, 0x7f80, 0x7c00, 255), HALF(0xff800000, 0xff80, 0xfc00, 254),
    HALF(0x7fc00000, 0x7fc0, 0x7e00, 253), HALF(0x00000000, 0x0000, 0x0000, 0),
    HALF(0x80000000, 0x8000, 0x8000, 1),   HALF(0x8d800000, 0x8d80, 0x8001, 2),
    HALF(0x0e000000, 0x0e00, 0x0001, 231), HALF(0x7f7fffff, 0x7f7f, 0x7bff, 232),
    HALF(0xff7fffff, 0xff7f, 0xfbff, 252), HALF(0x7bffffff, 0x7bff, 0x0400, 233),
    HALF(0x7c000000, 0x7c00, 0x83ff, 234), HALF(0xfbffffff, 0xfbff, 0x3c00, 251),
    HALF(0xfc000000, 0xfc00, 0xbc00, 240), HALF(0x3f800000, 0x3f80, 0x3555, 127)};
/* The smallest ones alone, of both signs; and negative ones: products with small inputs vanish, so
 * a sum is -0, to which a group of zeros adds +0. */
static const test_scale_bits small[] = {HALF(0x8d800000, 0x8d80, 0x8001, 0),
                                        HALF(0x0d800000, 0x0d80, 0x0001, 1)};
static const test_scale_bits negative[] = {HALF(0x8d800000, 0x8d80, 0x8001, 0),
                                           HALF(0x8dc00000, 0x8dc0, 0x8003, 0)};
/* Powers of two. */
static const test_scale_bits powers[] = {HALF(0x3f800000, 0x3f80, 0x3c00, 127),
                                         HALF(0x3f000000, 0x3f00, 0x3800, 126)};
enum {
  WILD = sizeof wild / sizeof *wild,
  SMALL = sizeof small / sizeof *small,
  NEGATIVE = sizeof negative / sizeof *negative,
  POWERS = sizeof powers / sizeof *powers
};

/* Scales of a list, each matrix from another one on. */
static void rescale(test_model *model, const test_scale_bits *list, size_t length, size_t first) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    const ffn_source source = matrix->linear->source;
    const size_t each = ffn_source_block(source).scale;
    test_blocks_rescale(source, matrix->own, test_matrix_bytes(matrix), list, length, first + m);
    if (matrix->scales)
      test_scales_rescale(source, matrix->scales, test_scales_bytes(matrix) / each, list, length,
                          first + m);
  }
}

/* Nibbles have zeros of four bits, bytes of eight. */
static int most_zero(const test_matrix *matrix) {
  return ffn_source_block(matrix->linear->source).inputs > 1 ? 15 : 255;
}

/* All bytes of blocks and zeros, scales among them. */
static void fill_bytes(test_model *model, int value) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    memset(matrix->own, value, test_matrix_bytes(matrix));
    if (matrix->zeros)
      memset(matrix->zeros, value & most_zero(matrix), test_zeros_bytes(matrix));
  }
}

/* Half of the biases away, of both signs: the sign of a zero shows. */
static void lose_biases(test_model *model) {
  for (size_t m = 0; m < model->matrix_count; m++)
    for (size_t o = 0; model->matrices[m].bias && o < model->matrices[m].outputs; o += 2)
      model->matrices[m].bias[o] = o % 4 ? 0.0f : -0.0f;
}

/* Random weights, or all bytes of one value, and scales. */
typedef struct pattern {
  const char *name;
  int byte; /* or -1 */
  const test_scale_bits *scales;
  size_t length, first;
} pattern;

static const pattern patterns[] = {{"usual scales", -1, NULL, 0, 0},
                                   {"scales of all sizes", -1, wild, WILD, 0},
                                   {"others of all sizes", -1, wild, WILD, 5},
                                   {"more of all sizes", -1, wild, WILD, 11},
                                   {"small scales", -1, small, SMALL, 0},
                                   {"small scales, no weights", 0x88, small, SMALL, 0},
                                   {"small negative scales", -1, negative, NEGATIVE, 0},
                                   {"bytes of ff", 0xff, powers, POWERS, 0},
                                   {"bytes of 00", 0x00, powers, POWERS, 0},
                                   {"bytes of 80", 0x80, powers, POWERS, 0},
                                   {"bytes of 7f", 0x7f, powers, POWERS, 0},
                                   {"bytes of 88", 0x88, powers, POWERS, 0},
                                   {"bytes of f0", 0xf0, wild, WILD, 3},
                                   {"bytes of ff, any scales", 0xff, wild, WILD, 11}};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static void set_weights(test_model *model, const pattern *p) {
  test_model_fill(model, TEST_REALS, 211);
  if (p->byte >= 0)
    fill_bytes(model, p->byte);
  if (p->scales)
    rescale(model, p->scales, p->length, p->first);
  lose_biases(model);
}

/* A row that is not finite changes no other one. */
EACH_MODEL(dot_s8, extremes, TEST_SMALL, TEST_REALS, 203) {
  if (!is_of_bytes(kernel))
    return;
  const size_t most = most_rows(kernel, ROWS);
  float *x = rows_of_fills(kernel, 204);
  for (size_t p = 0; p < PATTERNS; p++) {
    set_weights(model, &patterns[p]);
    const char *problem = ffn_weights_problem(kernel, &model->weights);
    cr_assert(!problem, "%s, %s: %s", kernel->name, patterns[p].name, problem);
    test_model_pack(model);
    float *expected = expected_of(model, x, ROWS);
    for (size_t row = 0; row < ROWS; row += most) {
      const size_t rows = ROWS - row < most ? ROWS - row : most;
      float *y = test_outputs(kernel, x + row * kernel->inputs, rows, model->packed);
      expect_bits(model, y, expected + row * kernel->outputs, rows, patterns[p].name);
      free(y);
    }
    free(expected);
  }
  free(x);
}

/* ---- Scales that come with the weights ----------------------------------------------------- */

static int takes_scales(const ffn_kernel *kernel) {
  int takes = 1;
  for (size_t s = 0; s < kernel->stage_count; s++)
    takes &= kernel->stages[s].operand_scale;
  return takes;
}

/* Of the input of a stage: x has the first. */
static float scale_of(const ffn_kernel *kernel, size_t stage, float first) {
  return kernel->stages_share_x ? first : first * (1 + (float)stage / 4);
}

static void set_scales(test_model *model, float first) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    test_matrix *matrix = &model->matrices[m];
    matrix->linear->operand_scale = scale_of(model->kernel, matrix->stage, first);
  }
}

/* Number k of a row of so many steps, or beside these. */
typedef float fill_steps(uint64_t stream, size_t k, float scale);

/* In the middle between two, also behind the last one that there is; or a float beside it. */
static float middles(uint64_t stream, size_t k, float scale) {
  const float middle = ((float)test_below(stream, k, 262) - 131 + 0.5f) * scale;
  return test_float(test_bits(middle) + (uint32_t)(k % 3) - 1);
}
static float inside(uint64_t stream, size_t k, float scale) {
  return 127 * scale * test_uniform(stream, k);
}
static float one_beyond(uint64_t stream, size_t k, float scale) {
  return k == stream % 8 ? (stream % 2 ? -9000 : 9000) * scale : 0;
}
static float far_beyond(uint64_t stream, size_t k, float scale) {
  static const float sizes[] = {FLT_MAX, -FLT_MAX, INFINITY, -INFINITY, 3e9f, -3e9f};
  return k % 3 ? sizes[test_below(stream, k, 6)] : scale;
}
static float below_steps(uint64_t stream, size_t k, float scale) {
  return k % 2 ? (k % 4 == 1 ? -0.0f : 0x1p-149f) : scale * test_uniform(stream, k) / 2;
}
static float one_nan(uint64_t stream, size_t k, float scale) {
  return k == stream % 37 ? NAN : k % 5 ? 3 * scale : INFINITY;
}

static fill_steps *const steps[] = {middles, inside, one_beyond, far_beyond, below_steps, one_nan};
enum { STEPS = sizeof steps / sizeof *steps, STEP_ROWS = 3 * STEPS };

static float *rows_of_steps(const ffn_kernel *kernel, float scale, uint64_t seed) {
  const size_t in = kernel->inputs;
  float *x = test_memory(STEP_ROWS * in * sizeof *x);
  for (size_t i = 0; i < STEP_ROWS * in; i++)
    x[i] = steps[i / in % STEPS](seed + i / in, i % in, scale);
  return x;
}

/* The bound holds where it is finite, and is so of what is not far beyond. */
static void expect_bound(const test_model *model, const float *x, const float *y) {
  const size_t count = STEP_ROWS * model->kernel->outputs;
  double *exact = test_memory(count * sizeof *exact), *bound = test_memory(count * sizeof *bound);
  test_reference(model, exact, bound, x, STEP_ROWS);
  for (size_t i = 0; i < count; i++) {
    const size_t row = i / model->kernel->outputs % STEPS;
    cr_assert(row > 2 || bound[i] < (double)INFINITY, "%s: no bound", model->kernel->name);
    cr_assert(!(bound[i] < (double)INFINITY) || fabs((double)y[i] - exact[i]) <= bound[i],
              "%s: row %zu: %a is not %a +- %a", model->kernel->name, row, (double)y[i], exact[i],
              bound[i]);
  }
  free(exact), free(bound);
}

EACH_MODEL(dot_s8, given_scales, TEST_SMALL, TEST_REALS, 209) {
  static const float scales[] = {1, 49, 0.0131f, 0x1p-100f, 1e-20f, 3e30f};
  const size_t most = most_rows(kernel, STEP_ROWS);
  if (!is_of_bytes(kernel) || !takes_scales(kernel))
    return;
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    set_scales(model, scales[i]);
    const char *problem = ffn_weights_problem(kernel, &model->weights);
    cr_assert(!problem, "%s, %a: %s", kernel->name, (double)scales[i], problem);
    test_model_pack(model);
    float *x = rows_of_steps(kernel, scales[i], 210), *expected = expected_of(model, x, STEP_ROWS);
    for (size_t row = 0; row < STEP_ROWS; row += most) {
      const size_t rows = STEP_ROWS - row < most ? STEP_ROWS - row : most;
      float *y = test_outputs(kernel, x + row * kernel->inputs, rows, model->packed);
      expect_bits(model, y, expected + row * kernel->outputs, rows, "a scale that is given");
      free(y);
    }
    if (kernel->kind == FFN_KIND_LINEAR)
      expect_bound(model, x, expected);
    free(x), free(expected);
    set_scales(model, 0);
    test_unpack(kernel, model, model->packed);
    for (size_t m = 0; m < model->matrix_count; m++) {
      const float wanted = scale_of(kernel, model->matrices[m].stage, scales[i]);
      cr_assert(test_same(&model->matrices[m].linear->operand_scale, &wanted, 1),
                "%s: unpack() gives another scale", kernel->name);
    }
  }
}

/* A scale is where a stage takes one, and is one; matrices of one x have the same. */
EACH_MODEL(dot_s8, refused_scales, TEST_SMALL, TEST_REALS, 212) {
  static const float wrong[] = {0, 0x1.fffffep-101f, -1, INFINITY, NAN};
  for (size_t m = 0; m < model->matrix_count; m++) {
    const ffn_stage *stage = &kernel->stages[model->matrices[m].stage];
    float *scale = &model->matrices[m].linear->operand_scale;
    const float kept = *scale;
    cr_assert(!ffn_weights_problem(kernel, &model->weights), "%s", kernel->name);
    for (size_t i = 0; stage->operand_scale && i < sizeof wrong / sizeof *wrong; i++) {
      *scale = wrong[i];
      const char *problem = ffn_weights_problem(kernel, &model->weights);
      cr_assert(problem && strstr(problem, "operand_scale is not finite, or less than 2^-100"),
                "%s: %a: %s", kernel->name, (double)wrong[i], problem);
    }
    *scale = stage->operand_scale ? 2 * kept : 1;
    const char *problem = ffn_weights_problem(kernel, &model->weights);
    if (!stage->operand_scale)
      cr_assert(problem && strstr(problem, "operand_scale is not 0"), "%s", kernel->name);
    else if (stage->branches > 1 || kernel->stages_share_x)
      cr_assert(problem && strstr(problem, "differs between matrices that multiply one x"), "%s",
                kernel->name);
    *scale = kept;
  }
}

/* ---- Any bits ----------------------------------------------------------------------------- */

/* Bytes of blocks, scales and zeros that are drawn. Scales beside blocks are not below 2^-63, as
 * far as their last byte tells: pack() refuses some that are too small. */
static void draw_bytes(test_model *model, uint64_t stream) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    unsigned char *own = matrix->own, *scales = matrix->scales, *zeros = matrix->zeros;
    const uint64_t bytes = stream + 3 * m;
    for (size_t i = 0; i < test_matrix_bytes(matrix); i++)
      own[i] = (unsigned char)test_random(bytes, i);
    for (size_t i = 0; scales && i < test_scales_bytes(matrix); i++) {
      scales[i] = (unsigned char)test_random(bytes + 1, i);
      if (i % 2 == 1 && (scales[i] & 0x7f) < 0x20)
        scales[i] |= 0x20;
    }
    for (size_t i = 0; zeros && i < test_zeros_bytes(matrix); i++)
      zeros[i] = (unsigned char)(test_random(bytes + 2, i) & (unsigned)most_zero(matrix));
  }
}

/* Row 0 has floats of any bits; other rows have groups of one size each, of any power of two. */
static float *drawn_inputs(const ffn_kernel *kernel, size_t rows, uint64_t stream) {
  const size_t in = kernel->inputs, size = group_of(kernel);
  float *x = test_memory(rows * in * sizeof *x);
  for (size_t i = 0; i < rows * in; i++) {
    const int power = (int)test_below(stream + 1, i / size, 250) - 125;
    x[i] = i < in ? test_float((uint32_t)test_random(stream, i))
                  : ldexpf(test_uniform(stream, i), power);
  }
  return x;
}

EACH_MODEL(dot_s8, any_bits, TEST_SMALL, TEST_REALS, 208) {
  if (!is_of_bytes(kernel))
    return;
  const size_t rows = most_rows(kernel, 5);
  for (uint64_t round = 0; round < 8; round++) {
    draw_bytes(model, 1000 * (round + 1));
    const char *problem = ffn_weights_problem(kernel, &model->weights);
    cr_assert(!problem, "%s: %s", kernel->name, problem);
    test_model_pack(model);
    float *x = drawn_inputs(kernel, rows, 1000 * (round + 1) + 500);
    float *expected = expected_of(model, x, rows);
    float *y = test_outputs(kernel, x, rows, model->packed);
    expect_bits(model, y, expected, rows, "any bits");
    free(x), free(y), free(expected);
  }
}

/* ---- Small integers ----------------------------------------------------------------------- */

/* Each group's largest is 127, so its scale is 1 and all integers are kept. */
static float *integers(const ffn_kernel *kernel, size_t rows) {
  const size_t size = group_of(kernel);
  float *x = test_memory(rows * kernel->inputs * sizeof *x);
  for (size_t i = 0; i < rows * kernel->inputs; i++) {
    const uint64_t largest = test_below(206, i / size, size);
    x[i] =
        i % size == largest ? (i / size % 2 ? -127.0f : 127.0f) : (float)test_below(207, i, 7) - 3;
  }
  return x;
}

/* Sums of products in integers, four times as large: those of halves are whole, too. Returns 0
 * where one may be no float on the way. */
static int integer_sum(const float *x, const float *w, size_t count, float bias, int64_t *sum) {
  int64_t size = 0;
  *sum = (int64_t)(4 * bias);
  for (size_t k = 0; k < count; k++) {
    const int64_t term = (int64_t)x[k] * (int64_t)(4 * w[k]);
    *sum += term;
    size += llabs(term);
  }
  return size < 1 << 24;
}

EACH_MODEL(dot_s8, exact, TEST_SMALL, TEST_REALS, 205) {
  if (!is_of_bytes(kernel) || kernel->kind != FFN_KIND_LINEAR)
    return;
  const size_t rows = most_rows(kernel, 11), in = kernel->inputs;
  size_t checked = 0, first = 0;
  rescale(model, powers, POWERS, 0);
  if (takes_scales(kernel))
    set_scales(model, 1);
  for (size_t m = 0; m < model->matrix_count; m++)
    for (size_t o = 0; model->matrices[m].bias && o < model->matrices[m].outputs; o++)
      model->matrices[m].bias[o] = (float)o - 3;
  test_model_pack(model);
  float *x = integers(kernel, rows), *y = test_outputs(kernel, x, rows, model->packed);
  float *w = test_memory(in * sizeof *w);
  for (size_t m = 0; m < model->matrix_count; first += model->matrices[m++].outputs)
    for (size_t o = 0; o < model->matrices[m].outputs; o++) {
      const test_matrix *matrix = &model->matrices[m];
      ffn_linear_values(&kernel->stages[matrix->stage], matrix->linear, o, w);
      for (size_t t = 0; t < rows; t++) {
        int64_t sum;
        const float actual = y[t * kernel->outputs + first + o];
        if (!integer_sum(x + t * in, w, in, matrix->bias ? matrix->bias[o] : 0, &sum))
          continue;
        checked++;
        cr_assert(4 * actual == (float)sum, "%s: row %zu, output %zu: %.9g is not %lld / 4",
                  kernel->name, t, first + o, (double)actual, (long long)sum);
      }
    }
  cr_assert(10 * checked > 9 * rows * kernel->outputs, "%s: only %zu sums are small integers",
            kernel->name, checked);
  free(x), free(y), free(w);
}
