/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * The reference of integers: the bits of every layer whose stages all multiply bytes, by plain
 * loops. It shares no code with the kernels but the graphs of activations; check it by eye. What a
 * kernel of FFN_ARITHMETIC_DOT_S8 computes:
 *
 *   1. Inputs are taken in groups: of 32, or of as many as weights of u4g64 and u4g128 are in; of
 * i8 and i8z all inputs are a group. Each group has a scale.
 *   2. amax is the largest |x| of a group. Where it is Inf or NaN, the scale is NaN and all q are
 *      0: the row's outputs are NaN. Below 2^-100 scale and q are 0.
 *   3. q = x * (127 / amax), each operation rounded to f32, then to an integer, ties to even: from
 *      -127 to 127. scale = amax / 127.
 *   4. p = scale * (sum of q), rounded once, of formats with minima.
 *   5. S = the sum of w q, exact; where each 16 weights have a factor, that of factor w q.
 *   6. t = S * scale of the weights, rounded once, and +0 where S is 0.
 *   7. acc = fma(t, scale of the inputs, acc); groups ascend, from acc = +0.
 *   8. Behind each group: acc = fma(least, p, acc), where weights are scale w + least.
 *   9. y = acc + bias; then activation and product in f32, as in any arithmetic. A self-gated
 *      layer multiplies with x itself.
 *
 * In FFN_ARITHMETIC_DOT_S8_STATIC the scale comes with the weights. In place of steps 2 and 3,
 * q = x / scale, rounded to f32, then to an integer, ties to even, then clipped to -127 and 127. An
 * Inf is clipped, too; beside a NaN the scale is NaN and all q are 0. */
#include "ffn.h"

#include "exact.h"
/*@ end */

#if !defined(FFN_NO_MAIN) || defined(FFN_REFERENCE)
#include <assert.h>
#include <math.h>
#include <string.h>

FFN_EXACT_BEGIN

/* ---- Words that activations are made of ---------------------------------------------------- */

#define FFN_REFERENCE_INLINE static inline
#define ffn_reference_abs(x) fabsf(x)
#define ffn_reference_sqrt(x) sqrtf(x)
#define ffn_reference_flip(x) ffn_reference_from_bits(ffn_reference_bits(x) ^ INT32_MIN)

static inline int32_t ffn_reference_bits(float x) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float ffn_reference_from_bits(int32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* a * b + c, rounded once, for some fmaf() round twice. The product is exact. What the sum in
 * double leaves off is known; where there is something, a sum with an even last bit moves to its
 * neighbour on that side. No such sum lies in the middle between two floats. */
static inline float ffn_reference_fma(float a, float b, float c) {
  const double product = (double)a * (double)b, addend = (double)c;
  double sum = product + addend;
  if (sum - sum != 0) /* an infinity or a NaN; mingw's isfinite() makes a float of a double */
    return (float)sum;
  const double back = sum - product;
  const double rest = (product - (sum - back)) + (addend - back);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (rest != 0 && bits % 2 == 0)
    sum = nextafter(sum, rest > 0 ? (double)INFINITY : -(double)INFINITY);
  return (float)sum;
}

/*@ activations */
#define FFN_REFERENCE_FUNCTIONS
#include "activations_f32.inc"
#undef FFN_REFERENCE_FUNCTIONS
/*@ end */

/* What a stage makes of its sums, of which up counts where there are two, and of an input. */
static float applied(
    const ffn_stage *stage, const float *parameters, float x, float up, float input) {
  (void)parameters;
  switch ((int)stage->activation) {
  case FFN_ACT_IDENTITY:
    break;
/*@ activation_calls */
#define FFN_REFERENCE_ACTIVATION(NAME, value) \
  case FFN_ACT_##NAME: \
    x = value; \
    break;
#include "activations_f32.inc"
#undef FFN_REFERENCE_ACTIVATION
  /*@ end */
  default:
    x = NAN;
    break;
  }
  if (stage->product == FFN_PRODUCT_INPUT)
    return input * x;
  return stage->product == FFN_PRODUCT_UP ? x * up : x;
}

/* ---- Sums ---------------------------------------------------------------------------------- */

/* 32 inputs as bytes: a group, or a part of one. */
typedef struct byte_part {
  float scale; /* of the group */
  int all; /* the sum of q */
  signed char q[32];
} byte_part;

/* The tokens that weights are decoded for together, and the matrices of a stage. */
enum { TOGETHER = 8, BRANCHES = FFN_MAX_BRANCHES };

/* A group of so many inputs. */
static void lay(byte_part *to, const float *x, size_t group) {
  int32_t most = 0; /* the bits of floats that have no sign ascend with them */
  for (size_t k = 0; k < group; k++) {
    const int32_t size = ffn_reference_bits(x[k]) & INT32_MAX;
    most = size > most ? size : most;
  }
  const float amax = ffn_reference_from_bits(most), inverse = 127 / amax;
  const float scale = most >= 0x7f800000 ? NAN : amax < 0x1p-100f ? 0 : amax / 127;
  memset(to, 0, (group + 31) / 32 * sizeof *to);
  for (size_t k = 0; k < group; k++) {
    const float product = x[k] * inverse;
    const int q = scale > 0 ? (int)rint((double)product) : 0;
    to[k / 32].scale = scale;
    to[k / 32].q[k % 32] = (signed char)q;
    to[k / 32].all += q;
  }
}

/* All inputs, of a scale that comes with the weights. */
static void clip(byte_part *to, const float *x, size_t inputs, float given) {
  float scale = given;
  for (size_t k = 0; k < inputs; k++)
    scale = isnan(x[k]) ? x[k] : scale;
  memset(to, 0, (inputs + 31) / 32 * sizeof *to);
  for (size_t k = 0; k < inputs; k++) {
    const float quotient = x[k] / scale;
    const double whole = rint((double)quotient);
    const int q = isnan(quotient) ? 0 : whole > 127 ? 127 : whole < -127 ? -127 : (int)whole;
    to[k / 32].scale = scale;
    to[k / 32].q[k % 32] = (signed char)q;
    to[k / 32].all += q;
  }
}

/* The products of 32 weights. */
static int64_t product(const ffn_integers *w, const byte_part *x) {
  int64_t sum = 0;
  for (size_t k = 0; k < 32; k++)
    sum += (int64_t)w->factor[k / 16] * w->q[k] * x->q[k];
  return sum;
}

/* A group more of a sum, whose products are summed. */
static float summed(float acc, int64_t sum, const ffn_integers *w, const byte_part *x) {
  const float t = ffn_reference_fma((float)sum, w->scale, 0);
  acc = ffn_reference_fma(t, x->scale, acc);
  if (w->has_least) {
    const float p = x->scale * (float)x->all;
    acc = ffn_reference_fma(w->least, p, acc);
  }
  return acc;
}

/* sums[token] of an output. */
static void sum_of(const ffn_stage *stage, const ffn_linear *linear, size_t output,
    const byte_part *x, size_t tokens, float *sums) {
  const size_t parts = (stage->inputs + 31) / 32, group = (ffn_stage_group(stage) + 31) / 32;
  int64_t products[TOGETHER] = {0};
  ffn_integers w[FFN_MOST_INTEGERS];
  size_t count;
  for (size_t t = 0; t < tokens; t++)
    sums[t] = 0;
  for (size_t p = 0; p < parts; p += count) {
    count = ffn_linear_integers(stage, linear, output, 32 * p, w);
    assert(count > 0);
    for (size_t i = 0; i < count; i++)
      for (size_t t = 0; t < tokens; t++) {
        const byte_part *own = &x[t * parts + p + i];
        products[t] += product(&w[i], own);
        if ((p + i + 1) % group > 0)
          continue;
        sums[t] = summed(sums[t], products[t], &w[i], own);
        products[t] = 0;
      }
  }
  for (size_t t = 0; stage->bias && t < tokens; t++)
    sums[t] += linear->bias[output];
}

/* ---- Layers -------------------------------------------------------------------------------- */

/* The most numbers of a row anywhere. */
static size_t row_of(const ffn_kernel *kernel) {
  size_t most = kernel->inputs > kernel->outputs ? kernel->inputs : kernel->outputs;
  for (size_t s = 0; s < kernel->stage_count; s++)
    most = kernel->stages[s].outputs > most ? kernel->stages[s].outputs : most;
  return most;
}

size_t ffn_reference_s8_bytes(const ffn_kernel *kernel) {
  for (size_t s = 0; kernel && s < kernel->stage_count; s++)
    if (!ffn_stage_in_bytes(&kernel->stages[s]))
      return 0;
  return kernel ? TOGETHER * (2 * row_of(kernel) * sizeof(float) +
                                 (row_of(kernel) + 31) / 32 * sizeof(byte_part))
                : 0;
}

/* A stage of some rows, row_of() apart: to[token][output], from[token][input] as bytes in x. */
static void run_stage(const ffn_kernel *kernel, size_t s, const ffn_weights *weights, float *to,
    const float *from, const byte_part *x, size_t tokens) {
  const ffn_stage *stage = &kernel->stages[s];
  const float *parameters = ffn_stage_parameters(stage, weights);
  float sums[BRANCHES][TOGETHER] = {{0}};
  for (size_t o = 0; o < stage->outputs; o++) {
    for (size_t b = 0; b < stage->branches; b++)
      sum_of(stage, ffn_stage_linear(kernel->stages, weights, s, b), o, x, tokens, sums[b]);
    for (size_t t = 0; t < tokens; t++) {
      const size_t at = t * row_of(kernel) + o;
      const float input = stage->product == FFN_PRODUCT_INPUT ? from[at] : 0;
      to[at] = applied(stage, parameters, sums[0][t], sums[1][t], input);
    }
  }
}

void ffn_reference_s8(const ffn_kernel *kernel, float *y, const float *x, size_t x_stride,
    size_t tokens, const ffn_weights *weights, void *scratch) {
  assert(kernel && weights && scratch && ffn_reference_s8_bytes(kernel) > 0);
  assert(tokens == 0 || (x && y));
  const size_t row = row_of(kernel);
  for (size_t first = 0; first < tokens; first += TOGETHER) {
    const size_t count = tokens - first < TOGETHER ? tokens - first : (size_t)TOGETHER;
    float *in = (float *)scratch, *out = in + TOGETHER * row;
    byte_part *laid = (byte_part *)(void *)(out + TOGETHER * row);
    size_t beside = 0; /* outputs of the stages before, where all of them read x */
    for (size_t t = 0; t < count; t++)
      memcpy(in + t * row, x + (first + t) * x_stride, kernel->inputs * sizeof *x);
    for (size_t s = 0; s < kernel->stage_count; s++) {
      const size_t inputs = kernel->stages[s].inputs, group = ffn_stage_group(&kernel->stages[s]);
      const size_t parts = (inputs + 31) / 32;
      const float given = ffn_stage_linear(kernel->stages, weights, s, 0)->operand_scale;
      for (size_t t = 0; t < count; t++)
        for (size_t k = 0; k < inputs; k += group) {
          byte_part *to = &laid[t * parts + k / 32];
          if (kernel->stages[s].operand_scale)
            clip(to, in + t * row, inputs, given);
          else
            lay(to, in + t * row + k, group);
        }
      run_stage(kernel, s, weights, out + beside, in, laid, count);
      if (kernel->stages_share_x) {
        beside += kernel->stages[s].outputs;
        continue;
      }
      float *swap = in;
      in = out, out = swap;
    }
    const float *last = kernel->stages_share_x ? out : in;
    for (size_t t = 0; t < count; t++)
      memcpy(y + (first + t) * kernel->outputs, last + t * row, kernel->outputs * sizeof *y);
  }
}

FFN_EXACT_END
#endif
