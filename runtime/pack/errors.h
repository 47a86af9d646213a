/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * errors.h - how far numbers that are packed are from those that were read. */
#ifndef FFN_PACK_ERRORS_H
#define FFN_PACK_ERRORS_H

#include "pack/plan.h"

/* Sums of squares over a matrix. */
typedef struct pack_error {
  double errors, numbers;
} pack_error;

/* Whether packing rounds numbers of a file: they are floats, and become something else than f32. */
int error_is_told(const plan_stage *stage, const plan_numbers *from);

/* Adds what was packed of floats: a part of a stage, its panels, and the floats of a branch. */
void error_add(pack_error *to, const pack_format *format, const char *panels, size_t width,
    const ffn_stage *part, size_t branch, const ffn_linear *floats);

/* The root of the mean square of errors, as a part of that of the numbers; 0 where all are 0, and
 * -1 where some are not finite. */
double error_part(const pack_error *of);

#endif
