/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * The reference: every layer by plain loops in double, and the error bound of its kernels. It is
 * not generated and shares no code with the kernels; check it by eye.
 *
 * Each value is carried as a pair (v, d): the kernel's f32 value and the exact value both lie
 * within d of v, the value in double.
 *
 *   inputs    (x, 0)
 *   sum       s = sum x w + b, with S = sum |x w| + |b| and T = sum |w| dx:
 *             ds = T + (gamma(sum_length) + (inputs + 2) 2^-53) (S + T) + inputs 2^-149
 *             (the error that comes in; f32 and double roundings; roundings to a subnormal)
 *   act       da = slope(s, ds) + (act_relative (|a| + slope) + act_absolute (|s| + ds)) 2^-24
 *                + 2^-149 + (|a| + |s|) 2^-50, the last for double's own exp, tanh and erf
 *   product   h = p q: e = |p| dq + |q| dp + dp dq, dh = e + (|h| + e) (2^-24 + 2^-50) + 2^-150
 *
 * d is infinite where f32 may overflow on the way. gamma(n) = n u / (1 - n u) with u = 2^-24. The
 * last factor, 1 + 2^-26, is for the rounding of the bound itself, far less up to 2^26 inputs. */
#include "ffn.h"

#include "exact.h"
/*@ end */

#if !defined(FFN_NO_MAIN) || defined(FFN_REFERENCE)
#include <assert.h>
#include <math.h>
#include <string.h>

FFN_EXACT_BEGIN

/*@ arithmetic */
#include "reference.h"
/*@ end */

/*@ traced_functions */
#define FFN_TRACED
#include "activations.inc"
#undef FFN_TRACED
/*@ end */

double ffn_activation_value(
    ffn_activation activation, double x, double up, const float *parameters) {
  (void)up, (void)parameters;
  switch (activation) {
/*@ activation_values */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) \
  case FFN_ACT_##NAME: \
    return value;
#include "activations.inc"
#undef FFN_ACTIVATION
    /*@ end */
  default:
    break;
  }
  return (double)NAN;
}

double ffn_activation_slope(ffn_activation activation, double x, double dx, double up, double dup,
    const float *parameters) {
  (void)x, (void)dx, (void)up, (void)dup, (void)parameters;
  switch (activation) {
/*@ activation_slopes */
#define FFN_ACTIVATION(NAME, GATED, name, gated, value, slope) \
  case FFN_ACT_##NAME: \
    return slope;
#include "activations.inc"
#undef FFN_ACTIVATION
    /*@ end */
  default:
    break;
  }
  return (double)NAN;
}

/*@ decoders */
#include "decoders.inc"
/*@ end */

/* The weight of input k of a block of a source, by the definition of its format: nothing of this is
 * the kernels'. */
static float decoded(ffn_source source, const unsigned char *block, size_t k) {
  switch ((int)source) {
/*@ source_values */
#define FFN_SOURCE(NAME, name, ...) \
  case FFN_SOURCE_##NAME: \
    return (float)ffn_decode_##name(block, k);
#include "formats.inc"
#undef FFN_SOURCE
  /*@ end */
  default:
    return NAN;
  }
}

/* What all weights of a scale share, where floats become a format's. */
static float shared_of(ffn_source source, const float *weights, size_t inputs) {
  switch ((int)source) {
/*@ source_shares */
#define FFN_ROW_ENCODER(NAME, name) \
  case FFN_SOURCE_##NAME: \
    return ffn_row_##name(weights, inputs);
#include "formats.inc"
#undef FFN_ROW_ENCODER
  /*@ end */
  default:
    (void)weights, (void)inputs;
    return 0;
  }
}

/* What a format makes of floats, a block. */
static void encode(ffn_source source, const float *weights, float shared, unsigned char *block) {
  switch ((int)source) {
/*@ source_makers */
#define FFN_ENCODER(NAME, name) \
  case FFN_SOURCE_##NAME: \
    ffn_encode_##name(weights, block); \
    break;
#define FFN_ROW_ENCODER(NAME, name) \
  case FFN_SOURCE_##NAME: \
    ffn_encode_##name(weights, shared, block); \
    break;
#include "formats.inc"
#undef FFN_ENCODER
#undef FFN_ROW_ENCODER
  /*@ end */
  default:
    (void)weights, (void)shared, (void)block;
    break;
  }
}

/* The block of an input as decoders take it: what a file holds, or what floats become; then its
 * scale and its zero, which a file has elsewhere. */
static void get_block(const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t input,
    float shared, unsigned char *to) {
  const char *row = ffn_linear_place(stage, linear, output);
  const ffn_block_size block = ffn_source_block(stage->source);
  const size_t index = input / block.inputs, inputs = stage->inputs;
  if (linear->source == FFN_SOURCE_F32) {
    encode(stage->source, (const float *)(const void *)row + index * block.inputs, shared, to);
    return;
  }
  const char *scale = ffn_source_beside(
      linear->scales, linear->scale_rows, block.scale, block, inputs, output, input);
  const char *zero = ffn_source_beside(
      linear->zeros, linear->scale_rows, block.zero, block, inputs, output, input);
  memcpy(to, row + index * block.bytes, block.bytes);
  if (scale)
    memcpy(to + block.bytes, scale, block.scale);
  memset(to + block.bytes + block.scale, (int)block.none, block.zero);
  if (zero)
    memcpy(to + block.bytes + block.scale, zero, block.zero);
}

/* What floats share that have the scale of an input. */
static float shared_at(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t input) {
  const size_t every = ffn_source_block(stage->source).every;
  const size_t first = every ? input / every * every : 0, left = stage->inputs - first;
  if (linear->source != FFN_SOURCE_F32)
    return 0;
  return shared_of(stage->source, ffn_linear_row(stage, linear, output) + first,
      every && every < left ? every : left);
}

void ffn_linear_part(const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t first,
    size_t count, float *values) {
  /*@ sources */
  const ffn_block_size block = ffn_source_block(stage->source);
  unsigned char bytes[FFN_MOST_BLOCK];
  float shared = 0;
  for (size_t i = 0; stage->source != FFN_SOURCE_F32 && i < count; i++) {
    const size_t k = first + i;
    if (i == 0 || (block.every && k % block.every == 0))
      shared = shared_at(stage, linear, output, k);
    if (i == 0 || k % block.inputs == 0)
      get_block(stage, linear, output, k, shared, bytes);
    values[i] = decoded(stage->source, bytes, k % block.inputs);
  }
  if (stage->source != FFN_SOURCE_F32)
    return;
  /*@ end */
  memcpy(values, ffn_linear_row(stage, linear, output) + first, count * sizeof *values);
}

/*@ integers */
/*@ integer_decoders */
#define FFN_REFERENCE_FUNCTIONS
#include "integers.inc"
#undef FFN_REFERENCE_FUNCTIONS
/*@ end */

size_t ffn_stage_group(const ffn_stage *stage) {
  const ffn_block_size block = ffn_source_block(stage->source);
  return block.every ? block.every : block.scale ? stage->inputs : 32;
}

/* 32 weights of a block, those of a number; or one weight, of a place among 32. 0: there are none.
 */
static int integers_of(
    ffn_source source, const unsigned char *block, size_t number, ffn_integers *to) {
  switch ((int)source) {
/*@ integer_sources */
#define FFN_SOURCE_INTEGERS(NAME, name) \
  case FFN_SOURCE_##NAME: \
    ffn_integers_##name(block, number, to); \
    return 1;
#include "integers.inc"
#undef FFN_SOURCE_INTEGERS
  /*@ end */
  default:
    (void)block, (void)number, (void)to;
    return 0;
  }
}

size_t ffn_linear_integers(const ffn_stage *stage, const ffn_linear *linear, size_t output,
    size_t input, ffn_integers *to) {
  unsigned char block[FFN_MOST_BLOCK];
  const float shared = shared_at(stage, linear, output, input);
  const size_t each = ffn_source_block(stage->source).inputs, first = input / 32 * 32;
  size_t count = 0;
  if (each > 1) {
    get_block(stage, linear, output, input, shared, block);
    while (32 * count < each && integers_of(stage->source, block, count, &to[count]))
      count++;
    return count;
  }
  memset(to->q, 0, sizeof to->q);
  for (size_t k = 0; k < 32 && first + k < stage->inputs; k++) {
    get_block(stage, linear, output, first + k, shared, block);
    count += (size_t)integers_of(stage->source, block, k, to);
  }
  return count > 0;
}
/*@ end */

void ffn_linear_values(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, float *values) {
  ffn_linear_part(stage, linear, output, 0, stage->inputs, values);
}

double ffn_linear_value(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t input) {
  float value;
  ffn_linear_part(stage, linear, output, input, 1, &value);
  return (double)value;
}

static size_t widest(const ffn_kernel *kernel) {
  size_t width = kernel->inputs > kernel->outputs ? kernel->inputs : kernel->outputs;
  for (size_t s = 0; s < kernel->stage_count; s++)
    if (width < kernel->stages[s].outputs)
      width = kernel->stages[s].outputs;
  return width;
}

size_t ffn_reference_bytes(const ffn_kernel *kernel) {
  return kernel ? 2 * widest(kernel) * sizeof(pair) : 0;
}

/* Whether errors are known: those of fused multiply-adds of f32 are. */
static int is_bounded(const ffn_kernel *kernel) {
  /*@ integers */
  size_t known = 0; /* stages of the one or the other */
  for (size_t s = 0; s < kernel->stage_count; s++)
    known += kernel->stages[s].arithmetic == FFN_ARITHMETIC_FMA_F32 ||
             ffn_stage_in_bytes(&kernel->stages[s]);
  if (known == kernel->stage_count)
    return 1;
  /*@ end */
  for (size_t s = 0; s < kernel->stage_count; s++)
    if (kernel->stages[s].arithmetic != FFN_ARITHMETIC_FMA_F32)
      return 0;
  return 1;
}

void ffn_reference(const ffn_kernel *kernel, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, void *scratch) {
  assert(kernel && weights && (tokens == 0 || x));
  assert(is_scratch(scratch));
  const double unknown = is_bounded(kernel) ? 0 : (double)INFINITY;
  for (size_t t = 0; t < tokens; t++) {
    pair *in = (pair *)scratch, *out = in + widest(kernel);
    size_t beside = 0; /* outputs of the stages before, where all of them read x */
    for (size_t k = 0; k < kernel->inputs; k++)
      in[k].v = (double)x[t * x_stride + k], in[k].d = 0;
    for (size_t s = 0; s < kernel->stage_count; s++) {
      const ffn_stage *stage = &kernel->stages[s];
      const ffn_linear *first = ffn_stage_linear(kernel->stages, weights, s, 0);
      const float *parameters = ffn_stage_parameters(stage, weights);
      for (size_t o = 0; o < stage->outputs; o++) {
        const pair none = {0, 0};
        const pair up = stage->branches > 1
                            ? sum(stage, ffn_stage_linear(kernel->stages, weights, s, 1), o, in)
                            : none;
        pair *value = &out[beside + o];
        *value = activate(stage, parameters, sum(stage, first, o, in), up);
        if (stage->product == FFN_PRODUCT_UP)
          *value = multiply(*value, up);
        if (stage->product == FFN_PRODUCT_INPUT)
          *value = multiply(*value, in[o]);
      }
      if (kernel->stages_share_x) {
        beside += stage->outputs;
        if (beside < kernel->outputs)
          continue;
      }
      pair *swap = in;
      in = out, out = swap;
    }
    for (size_t o = 0; o < kernel->outputs; o++) {
      if (y)
        y[t * kernel->outputs + o] = in[o].v;
      if (bound)
        bound[t * kernel->outputs + o] = in[o].d * (1 + (double)0x1p-26) + unknown;
    }
  }
}

void ffn_reference_add(const ffn_kernel *kernel, double *y, double *bound, const float *before,
    size_t before_stride, float scale, size_t tokens) {
  assert(kernel && (tokens == 0 || (y && bound && before)));
  for (size_t t = 0; t < tokens; t++)
    for (size_t o = 0; o < kernel->outputs; o++) {
      const size_t i = t * kernel->outputs + o;
      const double old = (double)before[t * before_stride + o], product = (double)scale * y[i];
      const double moved = fabs((double)scale) * bound[i];
      y[i] = old + product;
      /* One rounding to float, and those of this sum in double. */
      const double d = moved + (fabs(y[i]) + moved) * 0x1p-24 + half_of_least() +
                       (fabs(old) + fabs(product)) * 0x1p-52;
      bound[i] = within_f32(y[i], d, 0).d * (1 + (double)0x1p-26);
    }
}

FFN_EXACT_END
#endif
