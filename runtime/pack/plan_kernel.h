/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan_kernel.h - a kernel of a plan says its sizes three times: itself, by its stages, and by its
 * name, which packed weights are found by. */
#ifndef FFN_PACK_PLAN_KERNEL_H
#define FFN_PACK_PLAN_KERNEL_H

#include "pack/plan.h"

/* Whether the weights of a stage are as wide as floats: each of their panels is a stream. */
int stage_is_wide(const plan_stage *stage);

/* Whether a kernel is of a kind that there is. */
int kernel_kind_is_known(const plan_kernel *kernel);

/* Whether it has the sizes that its stages tell, side by side or one after the other. */
int kernel_sizes_fit(const plan_kernel *kernel);

/* Whether the name of its packed weights tells the sizes, biases and formats of its stages, as
 * lower/name.lua writes it. Activations are not looked at: weights lie alike for all of them. */
int kernel_name_fits(const plan_kernel *kernel);

#endif
