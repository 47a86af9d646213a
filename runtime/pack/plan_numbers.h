/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan_numbers.h - where a plan says that numbers lie: each is in its tensor and its file, and rows
 * do not lie over each other. */
#ifndef FFN_PACK_PLAN_NUMBERS_H
#define FFN_PACK_PLAN_NUMBERS_H

#include "pack/plan_fields.h"

int read_weight(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_matrix *matrix);
int read_bias(const reader *r, const pack_plan *plan, const json_t *value, const plan_stage *stage,
    plan_matrix *matrix);
/* A norm behind the product, which is folded into floats: it makes others of them. */
int read_affine(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_matrix *matrix);
/* A table that is copied: of the same plan, its files are read. */
int read_rows(const reader *r, const pack_plan *plan, const json_t *value, plan_rows *to);

#endif
