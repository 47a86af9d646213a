/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * scaled_bias.h - biases in integers that have scales in an array of their own, as graphs of ONNX
 * have them behind DequantizeLinear: bias o is scale * (q - zero), rounded once to f32. */
#ifndef FFN_PACK_SCALED_BIAS_H
#define FFN_PACK_SCALED_BIAS_H

#include "pack/sources.h"

/* Whether a bias may have such scales and zeros. */
int scaled_bias_fits(const plan_matrix *matrix);

/* Biases of outputs from `output` on. */
int scaled_bias(const plan_matrix *matrix, const pack_source *sources, float *to, size_t output,
    size_t outputs, pack_problem *problem);

#endif
