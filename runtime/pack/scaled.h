/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * scaled.h - numbers whose scales are in arrays of their own, as GPTQ, AWQ, compressed-tensors,
 * FP8 and graphs of ONNX have them: number (o, k) is scale * (q - zero), of the scale and zero of
 * its group. Where a format holds them exactly they go into it as they are, else they become f32.
 */
#ifndef FFN_PACK_SCALED_H
#define FFN_PACK_SCALED_H

#include "pack/plan.h"
#include "pack/sources.h"

/* The format that holds such numbers exactly, as they are; NULL where none does. */
const pack_format *scaled_own(const plan_matrix *from);

/* Whether they are packed in a stage's format at all: as they are, or as floats. */
int scaled_fits(const pack_format *format, const plan_matrix *from);

/* Whether its groups are neighbours, where a file says which input is in which, and its zeros mean
 * one thing. */
int scaled_check(const plan_matrix *from, const pack_source *sources, size_t outputs, size_t inputs,
    pack_problem *problem);

/* Outputs from `output` on and inputs from `input` on, where a format's kernels take them: rows in
 * `tile`, and behind them their scales and zeros, which all have no more bytes than floats. */
int scaled_gather(const pack_format *format, const plan_matrix *from, const pack_source *sources,
    size_t all_inputs, char *tile, size_t output, size_t outputs, size_t input, size_t inputs,
    ffn_linear *to, pack_problem *problem);

#endif
