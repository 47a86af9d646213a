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
/*@ includes */
#include <assert.h>
#include <math.h>
/*@ end */

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
  case FFN_ACTIVATION_COUNT:
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
  case FFN_ACTIVATION_COUNT:
    break;
  }
  return (double)NAN;
}

/*@ sources */
/* Floats of 16 bits by their definition: sign, exponent, fraction. */
typedef struct small_float {
  int exponent_bits, fraction_bits;
} small_float;

static small_float small_float_of(ffn_source source) {
  const small_float bf16 = {8, 7}, f16 = {5, 10};
  return source == FFN_SOURCE_BF16 ? bf16 : f16;
}

/* The exponent of its last place in numbers that have least or less: of subnormals, and of the
 * first normal ones. */
static int least_place(small_float type) {
  return 2 - (1 << (type.exponent_bits - 1)) - type.fraction_bits;
}

/* The number that has these bits. */
static double number_of(small_float type, unsigned bits) {
  const int fraction = (int)(bits & ((1u << type.fraction_bits) - 1));
  const int all = (1 << type.exponent_bits) - 1, exponent = (int)(bits >> type.fraction_bits) & all;
  const int whole = 1 << type.fraction_bits; /* what a normal number has in front of its fraction */
  double size = fraction ? NAN : INFINITY;
  if (exponent == 0)
    size = ldexp(fraction, least_place(type));
  else if (exponent < all)
    size = ldexp(whole + fraction, least_place(type) + exponent - 1);
  return bits >> 15 & 1 ? -size : size;
}

/* The nearest number to x, that with an even last place of two; all is exact but for that. */
static double nearest(small_float type, double x) {
  const double largest =
      ldexp(2 - ldexp(1, -type.fraction_bits), (1 << (type.exponent_bits - 1)) - 1);
  int exponent = 0;
  if (!(fabs(x) < INFINITY) || x == 0)
    return x;
  frexp(x, &exponent); /* x is at least 2^(exponent - 1) */
  int place = exponent - 1 - type.fraction_bits;
  place = place < least_place(type) ? least_place(type) : place;
  const double size = ldexp(fabs(x), -place);
  double whole = floor(size);
  const double rest = size - whole;
  if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1))
    whole += 1;
  const double value = ldexp(whole, place);
  return copysign(value > largest ? (double)INFINITY : value, x);
}
/*@ end */

double ffn_linear_value(
    const ffn_stage *stage, const ffn_linear *linear, size_t output, size_t input) {
  /*@ sources */
  const char *row = ffn_linear_place(stage, linear, output);
  if (linear->source != FFN_SOURCE_F32)
    return number_of(small_float_of(linear->source), ((const uint16_t *)(const void *)row)[input]);
  if (stage->source != FFN_SOURCE_F32)
    return nearest(small_float_of(stage->source), ((const float *)(const void *)row)[input]);
  /*@ end */
  return ffn_linear_row(stage, linear, output)[input];
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

void ffn_reference(const ffn_kernel *kernel, double *y, double *bound, const float *x,
    size_t x_stride, size_t tokens, const ffn_weights *weights, void *scratch) {
  assert(kernel && weights && (tokens == 0 || x));
  assert(is_scratch(scratch));
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
      if (kernel->kind == FFN_KIND_LINEAR) {
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
        bound[t * kernel->outputs + o] = in[o].d * (1 + (double)0x1p-26);
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
