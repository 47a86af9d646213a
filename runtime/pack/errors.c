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

double error_part(const ffn_pack_error *of) {
  if (!isfinite(of->numbers) || !isfinite(of->errors))
    return -1.0;
  return of->numbers > 0 ? sqrt(of->errors / of->numbers) : 0.0;
}
