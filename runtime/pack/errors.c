/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * errors.c - see errors.h. */
#include "pack/errors.h"
#include "pack/plan_kernel.h"

#include <math.h>

int error_is_told(const plan_stage *stage, const plan_numbers *from) {
  return encoding_is_float(from->encoding.kind) && !stage_is_wide(stage) &&
         !format_is_own(stage->format, &from->encoding);
}

void error_add(pack_error *to, const pack_format *format, const char *panels, size_t width,
    const ffn_stage *part, size_t branch, const ffn_linear *floats) {
  const ffn_packing *packing = format->packing;
  const size_t row_bytes = floats->row_bytes ? floats->row_bytes : part->inputs * sizeof(float);
  float group[FORMAT_MOST_GROUP];
  for (size_t output = 0; output < part->outputs; ++output) {
    const char *row = (const char *)floats->weight + output * row_bytes;
    const ffn_panel_place place =
        ffn_panel_at(packing, part->inputs, part->branches, width, branch, output);
    for (size_t input = 0; input < part->inputs; input += packing->k) {
      const char *from = panels + place.at + input / packing->k * place.step;
      packing->unpack(from, place.members, place.lane, group, panels + place.head);
      for (size_t k = 0; k < ffn_min(packing->k, part->inputs - input); ++k) {
        const double number = (double)((const float *)(const void *)row)[input + k];
        const double error = (double)group[k] - number;
        to->errors += error * error;
        to->numbers += number * number;
      }
    }
  }
}

double error_part(const pack_error *of) {
  if (!isfinite(of->numbers) || !isfinite(of->errors))
    return -1.0;
  return of->numbers > 0 ? sqrt(of->errors / of->numbers) : 0.0;
}
