/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * errors.h - how far numbers that are packed are from those that were read. */
#ifndef FFN_PACK_ERRORS_H
#define FFN_PACK_ERRORS_H

#include "pack/plan.h"

/* Whether packing rounds numbers of a file: they are floats, and become something else than f32. */
int error_is_told(const plan_stage *stage, const plan_numbers *from);

/* The root of the mean square of errors, as a part of that of the numbers; 0 where all are 0, and
 * -1 where some are not finite. */
double error_part(const ffn_pack_error *of);

#endif
