/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * affine.c - see affine.h. */
#include "pack/affine.h"

#include <math.h>
#include <string.h>

/* Number (o, k): every float is a double. */
static double number_at(const pack_source *sources, const plan_numbers *from, size_t o, size_t k) {
  const char *at =
      sources[from->file].memory + from->first + o * from->row_bytes + k * from->column_bytes;
  double wide;
  float value = 0.0f;
  size_t output, input;
  if (from->encoding.bytes == sizeof wide) {
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
  const pack_numbers one = {at, 0, 0, from->encoding.kind};
  gather_floats(&value, 1, one, 1, 1, &output, &input);
  return (double)value;
}

static int factor_of(const plan_affine *from, const pack_source *sources, size_t o, double *to,
    pack_problem *problem) {
  const double square = number_at(sources, &from->variance, 0, o) + from->epsilon;
  *to = number_at(sources, &from->gamma, 0, o) / sqrt(square);
  return square > 0.0 ||
         fails(problem, code_bad_input, from->variance.tensor,
             "of output %zu the variance and epsilon are %g together, which has no root to divide "
             "by",
             o, square);
}

/* A double as a float, rounded; beyond all floats a conversion is not defined. */
static int rounded(double wide, float *to, const char *tensor, size_t o, pack_problem *problem) {
  if (isfinite(wide) && fabs(wide) > 0x1.fffffep127)
    return fails(problem, code_bad_input, tensor,
        "of output %zu it is %g where the norm behind it is folded in, which is no f32", o, wide);
  *to = (float)wide;
  return 1;
}

int affine_gather(const plan_matrix *from, const pack_source *sources, float *to, size_t pitch,
    size_t output, size_t outputs, size_t input, size_t inputs, pack_problem *problem) {
  for (size_t o = 0; o < outputs; ++o) {
    double factor;
    if (!factor_of(&from->affine, sources, output + o, &factor, problem))
      return 0;
    for (size_t k = 0; k < inputs; ++k)
      if (!rounded(number_at(sources, &from->weight, output + o, input + k) * factor,
              &to[o * pitch + k], from->weight.tensor, output + o, problem))
        return 0;
  }
  return 1;
}

int affine_bias(const plan_matrix *from, const pack_source *sources, float *to, size_t output,
    size_t outputs, pack_problem *problem) {
  const plan_affine *affine = &from->affine;
  for (size_t o = 0; o < outputs; ++o) {
    const size_t at = output + o;
    const double bias = from->bias.tensor ? number_at(sources, &from->bias, 0, at) : 0.0;
    double factor;
    if (!factor_of(affine, sources, at, &factor, problem) ||
        !rounded((bias - number_at(sources, &affine->mean, 0, at)) * factor +
                     number_at(sources, &affine->beta, 0, at),
            &to[o], affine->beta.tensor, at, problem))
      return 0;
  }
  return 1;
}
