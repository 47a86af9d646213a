/* Weights that are no f32: what pack() makes of floats and of the bits of a format, what comes
 * back, and that a kernel of them gives the bits of the f32 kernel on what they are. The numbers
 * are held to public implementations (tests/data/halves.py) and to arithmetic that shares nothing
 * with generator and runtime. */
#include "support/blocks.h"
#include "support/each.h"
#include "support/floats.h"
#include "support/guard.h"
#include "support/pool.h"
#include "support/rng.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 1 << 16 };

typedef struct published {
  uint16_t bits;
  uint32_t value, given;
  uint16_t nearest;
} published;

static const published of_bf16[] = {
#include "../data/bf16.inc"
};
static const published of_f16[] = {
#include "../data/f16.inc"
};

/* Which NaN is nobody's promise. */
static int same(float a, float b) { return test_same(&a, &b, 1); }

/* What bits are: counted up from 0, a last place at a time, as the formats are ordered. */
static float values_of[2][ALL];

static const float *values(ffn_source source) {
  float *all = values_of[source == FFN_SOURCE_F16];
  const int half = source == FFN_SOURCE_F16, fraction = half ? 10 : 7;
  const unsigned infinite = half ? 0x7c00 : 0x7f80;
  double value = 0, place = half ? 0x1p-24 : 0x1p-133;
  if (all[1] != 0)
    return all;
  for (unsigned bits = 0; bits < ALL / 2; bits++, value += place) {
    if (bits >> fraction > 1 && (bits & ((1u << fraction) - 1)) == 0)
      place *= 2;
    all[bits] = bits < infinite ? (float)value : bits == infinite ? INFINITY : NAN;
    all[bits | 0x8000] = -all[bits];
  }
  return all;
}

/* A layer whose matrices are filled with numbers one after the other, wherever the kernel takes
 * those of `source`: as bits, or as floats. */
typedef struct stream {
  test_model model;
  uint16_t *bits[FFN_MAX_STAGES * FFN_MAX_BRANCHES];
  size_t numbers; /* of all such matrices */
} stream;

static size_t count_of(const test_matrix *matrix) { return matrix->outputs * matrix->inputs; }

static int takes(const ffn_kernel *kernel, const test_matrix *matrix, ffn_source source) {
  return kernel->stages[matrix->stage].source == source;
}

static void open_stream(stream *s, const ffn_kernel *kernel, ffn_source source) {
  memset(s, 0, sizeof *s);
  test_model_open(&s->model, kernel, TEST_REALS, 81);
  for (size_t m = 0; m < s->model.matrix_count; m++)
    if (takes(kernel, &s->model.matrices[m], source)) {
      s->numbers += count_of(&s->model.matrices[m]);
      s->bits[m] = test_memory(count_of(&s->model.matrices[m]) * sizeof(uint16_t));
    }
  test_model_pack(&s->model);
}

static void close_stream(stream *s) {
  for (size_t m = 0; m < s->model.matrix_count; m++)
    free(s->bits[m]);
  test_model_close(&s->model);
}

static void hang_up(stream *s, ffn_source source) {
  for (size_t m = 0; m < s->model.matrix_count; m++)
    if (s->bits[m]) {
      test_matrix *matrix = &s->model.matrices[m];
      const int floats = source == FFN_SOURCE_F32;
      *matrix->linear = (ffn_linear){.weight = floats ? (void *)matrix->weight : s->bits[m],
                                     .bias = matrix->bias,
                                     .source = source,
                                     .operand_scale = matrix->linear->operand_scale};
    }
}

static void poison(stream *s) {
  for (size_t m = 0; m < s->model.matrix_count; m++)
    if (s->bits[m]) {
      memset(s->bits[m], 0xa5, count_of(&s->model.matrices[m]) * sizeof(uint16_t));
      test_poison(s->model.matrices[m].weight, count_of(&s->model.matrices[m]) * sizeof(float));
    }
}

/* The place of number i of the stream: its matrix, and which of that. */
static size_t place_of(const stream *s, size_t i, size_t *matrix) {
  for (size_t m = 0; m < s->model.matrix_count; m++) {
    const size_t count = s->bits[m] ? count_of(&s->model.matrices[m]) : 0;
    *matrix = m;
    if (i < count)
      return i;
    i -= count;
  }
  abort();
}

static uint16_t *bits_at(const stream *s, size_t i) {
  size_t m, at = place_of(s, i, &m);
  return &s->bits[m][at];
}

static float *float_at(const stream *s, size_t i) {
  size_t m, at = place_of(s, i, &m);
  return &s->model.matrices[m].weight[at];
}

static double reference_at(const stream *s, size_t i) {
  size_t m;
  const size_t at = place_of(s, i, &m);
  const test_matrix *matrix = &s->model.matrices[m];
  return ffn_linear_value(&s->model.kernel->stages[matrix->stage], matrix->linear,
                          at / matrix->inputs, at % matrix->inputs);
}

/* Packs `count` numbers, repeated as often as the layer has room, and unpacks both ways. */
static void pack_bits(stream *s, ffn_source source, const uint16_t *numbers, size_t count) {
  const ffn_kernel *k = s->model.kernel;
  for (size_t i = 0; i < s->numbers; i++)
    *bits_at(s, i) = numbers[i % count];
  hang_up(s, source);
  cr_assert(ffn_weights_problem(k, &s->model.weights) == NULL, "%s: %s", k->name,
            ffn_weights_problem(k, &s->model.weights));
  for (size_t i = 0; i < s->numbers; i++)
    cr_assert(same((float)reference_at(s, i), values(source)[numbers[i % count]]),
              "%s: the reference takes %#x for %a", k->name, (unsigned)numbers[i % count],
              reference_at(s, i));
  test_model_pack(&s->model);
  poison(s);
  test_unpack(k, &s->model, s->model.packed);
  hang_up(s, FFN_SOURCE_F32);
  test_unpack(k, &s->model, s->model.packed);
}

static void pack_floats(stream *s, ffn_source source, const float *numbers, size_t count) {
  for (size_t i = 0; i < s->numbers; i++)
    *float_at(s, i) = numbers[i % count];
  hang_up(s, FFN_SOURCE_F32);
  test_model_pack(&s->model);
  for (size_t i = 0; i < s->numbers; i++) {
    /* What comes back, beside what the reference says. */
    *float_at(s, i) = (float)reference_at(s, i);
    *bits_at(s, i) = 0;
  }
  hang_up(s, source);
  test_unpack(s->model.kernel, &s->model, s->model.packed);
  hang_up(s, FFN_SOURCE_F32);
}

static const ffn_source sources[] = {FFN_SOURCE_BF16, FFN_SOURCE_F16};

/* All that bits can be: they come back as they were, and are what they should be. */
EACH_KERNEL(formats, all_bits, TEST_SMALL_LAYER) {
  for (size_t f = 0; f < 2; f++) {
    stream s;
    open_stream(&s, kernel, sources[f]);
    for (size_t first = 0; s.numbers > 0 && first < ALL; first += s.numbers) {
      uint16_t *given = test_memory(s.numbers * sizeof *given);
      for (size_t i = 0; i < s.numbers; i++)
        given[i] = (uint16_t)(first + i);
      pack_bits(&s, sources[f], given, s.numbers);
      for (size_t i = 0; i < s.numbers; i++) {
        cr_assert(*bits_at(&s, i) == given[i], "%s: %#x comes back as %#x", kernel->name,
                  (unsigned)given[i], (unsigned)*bits_at(&s, i));
        cr_assert(same(*float_at(&s, i), values(sources[f])[given[i]]), "%s: %#x is %a, not %a",
                  kernel->name, (unsigned)given[i], (double)*float_at(&s, i),
                  (double)values(sources[f])[given[i]]);
      }
      free(given);
    }
    close_stream(&s);
  }
}

/* Whether no number of the format is nearer to x than the one of these bits, nor as near and
 * even; beyond the largest the next one would be a power of two, which stands for infinity. */
static int is_nearest(ffn_source source, float x, unsigned bits) {
  const float *all = values(source);
  const unsigned size = bits & 0x7fff, infinite = source == FFN_SOURCE_F16 ? 0x7c00 : 0x7f80;
  const double power = source == FFN_SOURCE_F16 ? 0x1p16 : 0x1p128;
  if (isnan(x)) /* and quiet */
    return size > infinite && (size & (source == FFN_SOURCE_F16 ? 0x200 : 0x40)) != 0;
  if (size > infinite || bits >> 15 != test_bits(x) >> 31)
    return 0;
  if (isinf(x))
    return size == infinite;
  const double own = fabs(fabs((double)x) - (size == infinite ? power : (double)all[size]));
  const double below = size > 0 ? fabs(fabs((double)x) - (double)all[size - 1]) : INFINITY;
  const double next = size + 1 == infinite ? power : size < infinite ? (double)all[size + 1] : 0;
  const double above = next > 0 ? fabs(fabs((double)x) - next) : INFINITY;
  /* Of two that are as near an odd one loses. */
  return size % 2 ? own < below && own < above : own <= below && own <= above;
}

/* Floats beside every number of the format, and in the middle of two: each becomes the nearest. */
static size_t around(ffn_source source, unsigned bits, float *to) {
  const float here = values(source)[bits], next = values(source)[(bits + 1) & 0xffff];
  const unsigned infinite = source == FFN_SOURCE_F16 ? 0x7c00 : 0x7f80;
  const double power = source == FFN_SOURCE_F16 ? 0x1p16 : 0x1p128;
  size_t count = 0;
  if ((bits & 0x7fff) > infinite) {
    to[count++] = here;
    to[count++] = test_float(0x7f800001u | (bits & 0x8000u) << 16); /* a signalling NaN */
    return count;
  }
  to[count++] = here, to[count++] = nextafterf(here, 0), to[count++] = nextafterf(here, INFINITY);
  if ((bits & 0x7fff) < infinite) {
    const double end = (bits & 0x7fff) + 1 == infinite ? copysign(power, here) : (double)next;
    const float middle = (float)(((double)here + end) / 2);
    to[count++] = middle;
    to[count++] = nextafterf(middle, INFINITY), to[count++] = nextafterf(middle, -INFINITY);
  }
  return count;
}

/* What pack() made of floats is nearest, and the reference's. */
static void expect_nearest(stream *s, ffn_source source, const float *given, size_t count) {
  pack_floats(s, source, given, count);
  for (size_t i = 0; i < s->numbers; i++) {
    const unsigned bits = *bits_at(s, i);
    cr_assert(is_nearest(source, given[i % count], bits), "%s: %a is packed as %#x, which is %a",
              s->model.kernel->name, (double)given[i % count], bits, (double)values(source)[bits]);
    cr_assert(same(*float_at(s, i), values(source)[bits]), "%s: the reference rounds %a to %a",
              s->model.kernel->name, (double)given[i % count], (double)*float_at(s, i));
  }
}

EACH_KERNEL(formats, rounding, TEST_SMALL_LAYER) {
  for (size_t f = 0; f < 2; f++) {
    stream s;
    open_stream(&s, kernel, sources[f]);
    float *given = test_memory((s.numbers + 8) * sizeof *given);
    size_t count = 0;
    for (unsigned bits = 0; s.numbers > 0 && bits < ALL; bits++) {
      count += around(sources[f], bits, given + count);
      if (count >= s.numbers) {
        expect_nearest(&s, sources[f], given, s.numbers);
        memmove(given, given + s.numbers, (count - s.numbers) * sizeof *given);
        count -= s.numbers;
      }
    }
    if (count > 0)
      expect_nearest(&s, sources[f], given, count);
    free(given);
    close_stream(&s);
  }
}

/* What public implementations say of random blocks. */
EACH_KERNEL(formats, published, TEST_SMALL_LAYER) {
  const struct {
    const published *rows;
    size_t count;
  } tables[] = {{of_bf16, sizeof of_bf16 / sizeof *of_bf16},
                {of_f16, sizeof of_f16 / sizeof *of_f16}};
  for (size_t f = 0; f < 2; f++) {
    const published *rows = tables[f].rows;
    const size_t count = tables[f].count;
    stream s;
    open_stream(&s, kernel, sources[f]);
    cr_assert(count == 64 * 8);
    for (size_t first = 0; s.numbers > 0 && first < count; first += s.numbers) {
      uint16_t bits[64 * 8];
      float given[64 * 8];
      const size_t part = count - first < s.numbers ? count - first : s.numbers;
      for (size_t i = 0; i < part; i++)
        bits[i] = rows[first + i].bits, given[i] = test_float(rows[first + i].given);
      pack_bits(&s, sources[f], bits, part);
      for (size_t i = 0; i < part; i++)
        cr_assert(same(*float_at(&s, i), test_float(rows[first + i].value)), "%s: %#x is %a",
                  kernel->name, (unsigned)bits[i], (double)*float_at(&s, i));
      pack_floats(&s, sources[f], given, part);
      for (size_t i = 0; i < part; i++)
        cr_assert(*bits_at(&s, i) == rows[first + i].nearest, "%s: %a is packed as %#x",
                  kernel->name, (double)given[i], (unsigned)*bits_at(&s, i));
    }
    close_stream(&s);
  }
}

/* Bits between guard pages, in rows that lie apart, give the packed bytes of dense floats. */
EACH_MODEL(formats, bits_apart, TEST_PLAIN_LAYER, TEST_REALS, 82) {
  const size_t gap = 3;
  for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++) {
    test_guard rows[FFN_MAX_STAGES * FFN_MAX_BRANCHES] = {{0}};
    test_model apart;
    test_model_shape(&apart, kernel);
    memcpy(apart.weights.parameters, model->weights.parameters, sizeof apart.weights.parameters);
    for (size_t m = 0; m < model->matrix_count; m++) {
      const test_matrix *matrix = &model->matrices[m];
      const ffn_source source = kernel->stages[matrix->stage].source;
      const size_t width = matrix->inputs + gap;
      *apart.matrices[m].linear = *matrix->linear;
      if (source == FFN_SOURCE_F32)
        continue;
      /* The last row ends where its numbers end. */
      rows[m] = test_guard_open((matrix->outputs * width - gap) * sizeof(uint16_t),
                                sizeof(uint16_t), side);
      *apart.matrices[m].linear = (ffn_linear){.weight = rows[m].memory,
                                               .bias = matrix->bias,
                                               .source = source,
                                               .row_bytes = width * sizeof(uint16_t)};
    }
    test_unpack(kernel, &apart, model->packed);
    void *packed = ffn_alloc(kernel->packed_bytes);
    memset(packed, 0x7f, kernel->packed_bytes);
    cr_assert(ffn_weights_problem(kernel, &apart.weights) == NULL);
    kernel->pack(packed, &apart.weights);
    cr_assert(memcmp(packed, model->packed, kernel->packed_bytes) == 0, "%s: bits in rows apart",
              kernel->name);
    ffn_free(packed);
    for (size_t m = 0; m < model->matrix_count; m++)
      if (rows[m].memory) {
        const uint16_t *bits = rows[m].memory;
        const size_t width = model->matrices[m].inputs + gap;
        for (size_t i = 0; i + gap < rows[m].bytes / sizeof *bits; i++)
          cr_assert(i % width < width - gap || bits[i] == 0xffff, "%s: writes between rows",
                    kernel->name);
        cr_assert(test_guard_intact(&rows[m]), "%s: unpack() writes beside bits", kernel->name);
        test_guard_close(&rows[m]);
      }
  }
}

/* Dense bits may end where what is packed of them begins. */
EACH_MODEL(formats, bits_in_front, TEST_PLAIN_LAYER, TEST_REALS, 83) {
  const ffn_source source = kernel->stages[0].source;
  if (source == FFN_SOURCE_F32)
    return;
  const size_t bytes = count_of(&model->matrices[0]) * sizeof(uint16_t);
  const size_t before = (bytes + FFN_ALIGNMENT - 1) / FFN_ALIGNMENT * FFN_ALIGNMENT;
  char *memory = ffn_alloc(before + kernel->packed_bytes);
  test_model front;
  test_model_shape(&front, kernel);
  front.matrices[0].linear->weight = memory + before - bytes;
  front.matrices[0].linear->source = source;
  test_unpack(kernel, &front, model->packed); /* of the others nothing */
  for (size_t m = 0; m < model->matrix_count; m++)
    if (m > 0)
      *front.matrices[m].linear = *model->matrices[m].linear;
    else
      front.matrices[m].linear->bias = model->matrices[m].linear->bias;
  kernel->pack(memory + before, &front.weights);
  cr_assert(memcmp(memory + before, model->packed, kernel->packed_bytes) == 0, "%s: bits in front",
            kernel->name);
  ffn_free(memory);
}

static int is_f32(const ffn_kernel *kernel) {
  int all = 1;
  for (size_t s = 0; s < kernel->stage_count; s++)
    all = all && kernel->stages[s].format == FFN_FORMAT_F32;
  return all;
}

/* Whether two stages differ in how weights are stored alone. */
static int alike(const ffn_stage *a, const ffn_stage *b) {
  return a->inputs == b->inputs && a->outputs == b->outputs && a->branches == b->branches &&
         a->matrix[0] == b->matrix[0] && a->activation == b->activation &&
         a->product == b->product && a->bias == b->bias &&
         a->parameters_fixed == b->parameters_fixed &&
         memcmp(a->parameters, b->parameters, sizeof a->parameters) == 0;
}

/* The kernel of the same layer in f32 for the same instruction set, or NULL. */
static const ffn_kernel *in_f32(const ffn_kernel *kernel) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    int found = (*k)->isa == kernel->isa && (*k)->profile == FFN_PROFILE_ANY && is_f32(*k) &&
                (*k)->stage_count == kernel->stage_count && (*k)->dropout == kernel->dropout &&
                (*k)->kind == kernel->kind && (*k)->max_tokens == 0;
    for (size_t s = 0; found && s < kernel->stage_count; s++)
      found = alike(&(*k)->stages[s], &kernel->stages[s]);
    if (found)
      return *k;
  }
  return NULL;
}

/* The bits of the f32 kernel on the weights that unpack() gives; from fewer bytes. */
EACH_KERNEL(formats, same_bits_as_f32, TEST_SUMS_F32) {
  static const size_t rows[] = {1, 4, 5, 16, 19};
  enum { MOST = 19 };
  if (is_f32(kernel) || kernel->max_tokens > 0)
    return;
  const ffn_kernel *plain = in_f32(kernel);
  cr_assert(plain, "%s: no kernel in f32 to compare with", kernel->name);
  test_model own, held;
  test_model_open(&own, kernel, TEST_WIDE, 83);
  for (size_t m = 0; m < own.matrix_count; m++) /* which pack() rounds */
    for (size_t i = 0; i < count_of(&own.matrices[m]); i++)
      own.matrices[m].weight[i] *= 1.001f;
  test_model_pack(&own);
  test_model_open(&held, plain, TEST_REALS, 84);
  memcpy(held.weights.parameters, own.weights.parameters, sizeof held.weights.parameters);
  test_unpack(kernel, &held, own.packed);
  test_model_pack(&held);
  cr_assert(kernel->packed_bytes < plain->packed_bytes, "%s: nothing is saved", kernel->name);
  float *x = test_inputs(kernel, MOST, TEST_REALS, 85);
  test_pool *pool = test_pool_open(0, TEST_ORDER_SHUFFLE);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const size_t values_of_y = rows[i] * kernel->outputs;
    const size_t bytes = ffn_work_bytes(kernel, 3, rows[i]);
    float *expected = test_outputs(plain, x, rows[i], held.packed);
    float *y = test_memory(values_of_y * sizeof *y);
    void *work = ffn_alloc(bytes);
    for (int threads = 1; threads <= 3; threads += 2) {
      test_poison(work, bytes);
      test_poison(y, values_of_y * sizeof *y);
      ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, rows[i], own.packed, work,
              ffn_work_bytes(kernel, (size_t)threads, rows[i]), threads > 1 ? &parallel : NULL);
      cr_assert(test_same(y, expected, values_of_y), "%s: other bits than %s: %zu rows, %d threads",
                kernel->name, plain->name, rows[i], threads);
    }
    ffn_free(work), free(y), free(expected);
  }
  test_pool_close(pool);
  free(x);
  test_model_close(&own), test_model_close(&held);
}

/* Whether pack() and unpack() agree with the reference on what hangs in a model, and give blocks
 * back as they were. */
static void expect_blocks_kept(test_model *model) {
  const ffn_kernel *kernel = model->kernel;
  test_model back;
  test_model_pack(model);
  test_model_open(&back, kernel, TEST_REALS, 88);
  test_unpack(kernel, &back, model->packed);
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m], *came = &back.matrices[m];
    const ffn_stage *stage = &kernel->stages[matrix->stage];
    if (!came->own)
      continue;
    const int own = matrix->linear->source != FFN_SOURCE_F32;
    cr_assert(!own || memcmp(matrix->own, came->own, test_matrix_bytes(came)) == 0,
              "%s: blocks of matrix %zu come back changed", kernel->name, m);
    cr_assert(!own || !came->scales ||
                  memcmp(matrix->scales, came->scales, test_scales_bytes(came)) == 0,
              "%s: scales of matrix %zu come back changed", kernel->name, m);
    cr_assert(!own || !came->zeros ||
                  memcmp(matrix->zeros, came->zeros, test_zeros_bytes(came)) == 0,
              "%s: zeros of matrix %zu come back changed", kernel->name, m);
    *came->linear = (ffn_linear){.weight = came->weight};
    test_unpack(kernel, &back, model->packed);
    for (size_t o = 0; o < matrix->outputs; o++) {
      float values[4096];
      ffn_linear_values(stage, matrix->linear, o, values);
      for (size_t k = 0; k < matrix->inputs; k++) {
        const float weight = came->weight[o * matrix->inputs + k];
        cr_assert(same(weight, values[k]), "%s: weight %zu of output %zu is %a, not %a",
                  kernel->name, k, o, (double)weight, (double)values[k]);
        /* Each place of a block in some rows: to read one, the whole block is made. */
        if (test_thorough() || (o + k) % 5 == 0)
          cr_assert(same((float)ffn_linear_value(stage, matrix->linear, o, k), values[k]), "%s: %a",
                    kernel->name, (double)values[k]);
      }
    }
  }
  test_model_close(&back);
}

static void any_bytes(const test_matrix *matrix, uint64_t seed) {
  static const uint32_t strange[] = {0x7f800000, 0xff800000, 0x7fc00001, 0,
                                     0x80000000, 0x7f7fffff, 0x0d800000, 0x8d800001}; /* 2^-100 */
  const ffn_source source = matrix->linear->source;
  for (size_t i = 0; matrix->own && i < test_matrix_bytes(matrix); i++)
    matrix->own[i] = (unsigned char)test_below(seed, i, 256);
  for (size_t i = 0; matrix->zeros && i < test_zeros_bytes(matrix); i++)
    matrix->zeros[i] = (unsigned char)test_below(seed ^ 0x81, i, 256);
  for (size_t i = 0; matrix->scales && i < test_scales_bytes(matrix); i++)
    if (test_scale_of(source) != TEST_SCALE_F32)
      matrix->scales[i] = (unsigned char)test_below(seed ^ 0x82, i, 256);
    else if (i % sizeof *strange == 0 && i / sizeof *strange % 3 == 1) /* too small is refused */
      memcpy(matrix->scales + i, &strange[i / 12 % (sizeof strange / sizeof *strange)],
             sizeof *strange);
}

/* Any bytes are blocks: scales that are not finite, and subnormal ones. */
EACH_KERNEL(formats, any_blocks, TEST_SMALL_LAYER) {
  if (!test_in_blocks(kernel))
    cr_skip_test("no weights in blocks");
  test_model model;
  test_model_open(&model, kernel, TEST_REALS, 87);
  for (size_t m = 0; m < model.matrix_count; m++)
    any_bytes(&model.matrices[m], 870 + m);
  expect_blocks_kept(&model);
  test_model_close(&model);
}

/* Gives each output a scale of its own, as pack() makes them of floats. */
static void share_nothing(test_matrix *matrix) {
  if (matrix->linear->scale_rows == 0)
    return;
  matrix->linear->scale_rows = 0;
  free(matrix->scales);
  matrix->linear->scales = matrix->scales = test_memory(test_scales_bytes(matrix));
}

/* Floats become blocks, where a format takes them: as the reference makes them, byte for byte. */
EACH_KERNEL(formats, floats_in_blocks, TEST_SMALL_LAYER) {
  static const float strange[] = {INFINITY,       -INFINITY,     NAN,      0x1p-149f,
                                  0x1p-126f,      0x1p-120f,     0x1p120f, 65504 * 127.0f,
                                  65520 * 127.0f, -65520 * 8.0f, 0};
  test_model model, back;
  int taken = 0;
  test_model_open(&model, kernel, TEST_WIDE, 89);
  for (size_t m = 0; m < model.matrix_count; m++) {
    test_matrix *matrix = &model.matrices[m];
    if (!matrix->own || kernel->stages[matrix->stage].source_alone)
      continue;
    *matrix->linear = (ffn_linear){.weight = matrix->weight,
                                   .bias = matrix->bias,
                                   .operand_scale = matrix->linear->operand_scale};
    for (size_t i = 0; i < count_of(matrix); i++) {
      const float x = test_uniform(890 + m, i);
      const size_t row = i / 32;
      matrix->weight[i] = row % 7 == 1   ? 0 * x
                          : row % 7 == 2 ? rintf(8 * x)
                          : row % 7 == 3 ? x * 0x1p-126f
                                         : x;
    }
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
      matrix->weight[224 * i % count_of(matrix) + i] = strange[i];
    taken = 1;
  }
  if (!taken) {
    test_model_close(&model);
    cr_skip_test("no floats become blocks");
  }
  expect_blocks_kept(&model);
  /* What comes back in blocks means the same. */
  test_model_open(&back, kernel, TEST_REALS, 88);
  for (size_t m = 0; m < back.matrix_count; m++)
    share_nothing(&back.matrices[m]);
  test_unpack(kernel, &back, model.packed);
  for (size_t m = 0; m < model.matrix_count; m++)
    for (size_t o = 0; back.matrices[m].own && o < back.matrices[m].outputs; o++) {
      const test_matrix *matrix = &model.matrices[m];
      const ffn_stage *stage = &kernel->stages[matrix->stage];
      float made[4096], given[4096];
      ffn_linear_values(stage, matrix->linear, o, made);
      ffn_linear_values(stage, back.matrices[m].linear, o, given);
      for (size_t k = 0; k < matrix->inputs; k++)
        cr_assert(same(made[k], given[k]), "%s: output %zu, input %zu", kernel->name, o, k);
    }
  test_model_close(&back), test_model_close(&model);
}

/* Whose scale a weight has where blocks of outputs and inputs share one, counted here: weights of
 * 1, each scale another power of two. */
EACH_KERNEL(formats, shared_scales, TEST_SMALL) {
  enum { EVERY = 128, ONE = 0x38, POWERS = 20 };
  test_model model;
  int any = 0;
  test_model_open(&model, kernel, TEST_REALS, 92);
  for (size_t m = 0; m < model.matrix_count; m++) {
    test_matrix *matrix = &model.matrices[m];
    if (matrix->linear->source != FFN_SOURCE_F8_E4M3)
      continue;
    any = 1;
    memset(matrix->own, ONE, test_matrix_bytes(matrix));
    for (size_t i = 0; i < test_scales_bytes(matrix) / sizeof(float); i++)
      ((float *)(void *)matrix->scales)[i] = ldexpf(1, (int)(i % POWERS));
  }
  if (!any) {
    test_model_close(&model);
    cr_skip_test("no outputs share scales");
  }
  test_model_pack(&model);
  test_model back;
  test_model_open(&back, kernel, TEST_REALS, 93);
  for (size_t m = 0; m < back.matrix_count; m++)
    *back.matrices[m].linear = (ffn_linear){.weight = back.matrices[m].weight};
  test_unpack(kernel, &back, model.packed);
  for (size_t m = 0; m < model.matrix_count; m++) {
    const test_matrix *matrix = &model.matrices[m];
    const size_t groups = (matrix->inputs + EVERY - 1) / EVERY, shared = matrix->linear->scale_rows;
    if (matrix->linear->source != FFN_SOURCE_F8_E4M3)
      continue;
    cr_assert(shared > 1);
    for (size_t i = 0; i < count_of(matrix); i++) {
      const size_t o = i / matrix->inputs, k = i % matrix->inputs;
      const float should = ldexpf(1, (int)((o / shared * groups + k / EVERY) % POWERS));
      cr_assert(test_same(back.matrices[m].weight + i, &should, 1),
                "%s: weight %zu of output %zu is %g, not %g", kernel->name, k, o,
                (double)back.matrices[m].weight[i], (double)should);
    }
  }
  test_model_close(&back), test_model_close(&model);
}

/* A scale that is not finite makes its output NaN, whatever x is: zeros are not skipped then. */
EACH_MODEL(formats, scale_not_finite, TEST_SMALL, TEST_REALS, 90) {
  enum { ROWS = 3 };
  const test_matrix *last = &model->matrices[model->matrix_count - 1];
  if (!last->own)
    cr_skip_test("the last weights are in no blocks");
  const ffn_source source = last->linear->source;
  const ffn_block_size block = ffn_source_block(source);
  const size_t each = ffn_block_scales(block, last->inputs), shared = last->linear->scale_rows;
  const size_t rows = kernel->max_tokens ? 1 : ROWS, o = last->outputs - 1;
  const size_t before = kernel->outputs - last->outputs;            /* of several */
  const size_t first = before + (shared ? o / shared * shared : o); /* whose scale it is */
  unsigned char *at = last->own + o * ffn_source_row(source, last->inputs);
  float *x = test_memory(rows * kernel->inputs * sizeof *x);
  memset(x, 0, rows * kernel->inputs * sizeof *x);
  float *clean = test_outputs(kernel, x, rows, model->packed);
  /* Of every format a NaN for a scale. */
  if (last->scales)
    memset(last->scales + (shared ? o / shared : o) * each * block.scale, 0xff, block.scale);
  else
    memset(at, 0xff, block.bytes);
  test_model_pack(model);
  float *y = test_outputs(kernel, x, rows, model->packed);
  for (size_t i = 0; i < rows * kernel->outputs; i++)
    cr_assert(i % kernel->outputs >= first ? isnan(y[i]) : test_same(y + i, clean + i, 1),
              "%s: output %zu is %g", kernel->name, i % kernel->outputs, (double)y[i]);
  free(x), free(clean), free(y);
}

/* A matrix without zeros means those that its format says. */
EACH_MODEL(formats, no_zeros, TEST_SMALL, TEST_REALS, 91) {
  int any = 0;
  for (size_t m = 0; m < model->matrix_count; m++) {
    const test_matrix *matrix = &model->matrices[m];
    if (matrix->zeros && ++any)
      memset(matrix->zeros, (int)ffn_source_block(matrix->linear->source).none,
             test_zeros_bytes(matrix));
  }
  if (!any)
    cr_skip_test("no zeros are given");
  test_model_pack(model);
  char *given = test_memory(kernel->packed_bytes);
  memcpy(given, model->packed, kernel->packed_bytes);
  for (size_t m = 0; m < model->matrix_count; m++)
    model->matrices[m].linear->zeros = NULL;
  test_model_pack(model);
  cr_assert(memcmp(given, model->packed, kernel->packed_bytes) == 0, "%s", kernel->name);
  free(given);
}

/* What is of one format is not taken for what is of another, nor by a kernel of floats. */
EACH_MODEL(formats, wrong_pairs, TEST_SMALL_LAYER, TEST_REALS, 86) {
  for (size_t m = 0; m < model->matrix_count; m++) {
    ffn_linear *linear = model->matrices[m].linear;
    const ffn_linear kept = *linear;
    const ffn_stage *stage = &kernel->stages[model->matrices[m].stage];
    for (int given = FFN_SOURCE_F32; given <= FFN_SOURCE_COUNT; given++) {
      char said[96], *end = said;
      linear->source = (ffn_source)given;
      linear->scales = given == (int)kept.source ? kept.scales : NULL;
      linear->zeros = given == (int)kept.source ? kept.zeros : NULL;
      const char *problem = ffn_weights_problem(kernel, &model->weights);
      snprintf(said, sizeof said, "source: the kernel takes FFN_SOURCE_%s %s",
               ffn_format_name((ffn_format)stage->source),
               stage->source_alone               ? "there, and no floats"
               : stage->source == FFN_SOURCE_F32 ? "there"
                                                 : "and FFN_SOURCE_F32 there");
      for (end = strstr(said, "SOURCE_"); *end != ' '; end++)
        *end = (char)toupper((unsigned char)*end);
      const int floats = given == FFN_SOURCE_F32 && !stage->source_alone;
      cr_assert(floats || given == (int)stage->source ? problem == NULL
                                                      : problem && strstr(problem, said),
                "%s: %s, not %s", kernel->name, problem ? problem : "taken", said);
    }
    *linear = kept;
  }
}
