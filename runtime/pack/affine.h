/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * affine.h - a BatchNormalization behind a product, folded into its weights: of output o
 *
 *   (sum + bias - mean) * factor + beta,   factor = gamma / sqrt(variance + epsilon)
 *
 * is a product of weights w * factor with a bias (bias - mean) * factor + beta. Each is computed in
 * double, and then rounded to f32. */
#ifndef FFN_PACK_AFFINE_H
#define FFN_PACK_AFFINE_H

#include "pack/plan.h"
#include "pack/sources.h"

/* Rows of floats, `pitch` floats apart. */
int affine_gather(const plan_matrix *from, const pack_source *sources, float *to, size_t pitch,
    size_t output, size_t outputs, size_t input, size_t inputs, pack_problem *problem);

/* Biases of outputs from `output` on; the matrix may have none itself. */
int affine_bias(const plan_matrix *from, const pack_source *sources, float *to, size_t output,
    size_t outputs, pack_problem *problem);

#endif
