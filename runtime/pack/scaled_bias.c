/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * scaled_bias.c - see scaled_bias.h. */
#include "pack/scaled_bias.h"
#include "pack/parts.h"

#include <math.h>
#include <string.h>

int scaled_bias_fits(const plan_matrix *matrix) {
  const plan_scaled *beside = &matrix->bias_scaled;
  const encoding_kind kind = matrix->bias.encoding.kind, scale = beside->scales.encoding.kind;
  return (kind == encoding_i8 || kind == encoding_u8 || kind == encoding_i32) &&
         (scale == encoding_f32 || scale == encoding_f16 || scale == encoding_bf16) &&
         beside->every == 0 && !beside->has_groups &&
         (!beside->has_zeros || (beside->zeros.encoding.kind == kind && beside->zero_add == 0));
}

static int32_t integer_at(const char *at, encoding_kind kind) {
  int32_t value = 0;
  if (kind == encoding_i32)
    memcpy(&value, at, sizeof value);
  else
    value = kind == encoding_i8 ? (int32_t)(int8_t)*at : (int32_t)(uint8_t)*at;
  return value;
}

/* The product, rounded once. 32 bits times the 24 of a float are more than the 53 of a double: of
 * what is too long the last bits become one, which is 1 where any is. */
static float product_of(int32_t number, float scale) {
  int exponent = 0;
  const float fraction = frexpf(scale, &exponent);
  if (number == 0 || !(scale - scale == 0.0f))
    return (float)number * scale;
  const int64_t exact = (int64_t)number * (int64_t)(fraction * 0x1p24f);
  uint64_t size = (uint64_t)(exact < 0 ? -exact : exact);
  exponent -= 24;
  if (size >> 53) {
    size = size >> 3 | ((size & 7) != 0);
    exponent += 3;
  }
  const double product = ldexp((double)size, exponent);
  return (float)(exact < 0 ? -product : product);
}

int scaled_bias(const plan_matrix *matrix, const pack_source *sources, float *to, size_t output,
    size_t outputs, pack_problem *problem) {
  const plan_scaled *beside = &matrix->bias_scaled;
  const plan_numbers *bias = &matrix->bias, *zeros = &beside->zeros;
  const encoding_kind kind = bias->encoding.kind;
  const char *numbers = place_of(sources, bias), *scales = place_of(sources, &beside->scales);
  for (size_t i = 0; i < outputs; ++i) {
    const size_t o = output + i;
    size_t bad_output = 0, bad_input = 0;
    float scale = 0.0f;
    int32_t zero = 0;
    const pack_numbers own = {scales + o / beside->scale_rows * beside->scales.row_bytes, 0, 0,
        beside->scales.encoding.kind};
    gather_floats(&scale, 1, own, 1, 1, &bad_output, &bad_input);
    if (beside->has_zeros)
      zero = integer_at(place_of(sources, zeros) + o / beside->zero_rows * zeros->row_bytes, kind);
    if (kind == encoding_i32 && zero != 0)
      return fails(problem, code_bad_input, zeros->tensor,
          "the zero of output %zu is %ld, and ONNX has none but 0 of integers of 32 bits", o,
          (long)zero);
    to[i] = product_of(integer_at(numbers + o * bias->column_bytes, kind) - zero, scale);
  }
  return 1;
}
