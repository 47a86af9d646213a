/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan.h - PLAN.json: which bytes of which files become the packed weights of which kernels. */
#ifndef FFN_PACK_PLAN_H
#define FFN_PACK_PLAN_H

#include "pack/formats.h"
#include "pack/varints.h"

#include "plan_limits.h"

#define PLAN_VERSION 3

/* What to do where a plan is not what import wrote. */
#define PLAN_ANEW "run ffngen import again"

typedef struct plan_span {
  uint64_t first, bytes;
} plan_span;

/* Where varints lie: in one of the files before theirs. */
typedef struct plan_varints {
  const varint_type *type; /* NULL: none are */
  size_t file;
  uint64_t first, bytes;
} plan_varints;

/* A file that weights are in: it must have so many bytes, and a hash of these spans. Or numbers of
 * such a file that are decoded, and are so many bytes then. */
typedef struct plan_file {
  const char *path; /* as the plan says it */
  uint64_t bytes, hash;
  size_t span_count;
  plan_span *spans;
  plan_varints varints;
} plan_file;

/* A stage of a kernel, as runtime/packed.h lays it. */
typedef struct plan_stage {
  const char *name;
  const pack_format *format;
  size_t inputs, outputs, branches, width;
  int bias;
  uint64_t at, bias_at, bytes; /* of the panels; pads are none of them */
  uint64_t operand_at; /* of the scale of its operand; 0: it finds its own */
} plan_stage;

typedef struct plan_kernel {
  const char *layer, *packed, *kind;
  uint64_t inputs, hidden, outputs, packed_bytes;
  size_t parameters, stage_count, matrix_count;
  size_t scale_bytes; /* of the scales of operands, behind the header; 0: there are none */
  int stages_share_x; /* they stand side by side: each takes x, and gives an output */
  plan_stage stages[FFN_MAX_STAGES];
} plan_kernel;

/* Where numbers lie: number (o, k) of a matrix at first + o * row_bytes + k * column_bytes, number
 * o of a vector at first + o * column_bytes; rows of blocks lie whole. Where a unit of an encoding
 * holds several numbers, o and k are divided by how many outputs and inputs it has. */
typedef struct plan_numbers {
  const char *tensor;
  size_t file;
  uint64_t first, bytes, row_bytes, column_bytes;
  pack_encoding encoding;
} plan_numbers;

/* What lies beside numbers that have their scales in arrays: the scale of (o, k) is number
 * (o / scale_rows, k / every) of scales, and alike the zero; `every` is 0 where all inputs share
 * one. Zeros mean so much more than is stored, and are all zero_only where the model says so (0: it
 * does not). groups are [inputs], the group of each. */
typedef struct plan_scaled {
  size_t every, scale_rows, zero_rows;
  unsigned zero_add, zero_only;
  int has_zeros, has_groups;
  plan_numbers scales, zeros, groups;
} plan_scaled;

/* What a norm behind a product does to output o of it, all of them vectors: see affine.h. */
typedef struct plan_affine {
  double epsilon;
  plan_numbers gamma, beta, mean, variance; /* gamma.tensor is NULL where there is no norm */
} plan_affine;

typedef struct plan_matrix {
  plan_numbers weight, bias; /* bias.tensor is NULL of a matrix without one */
  plan_affine affine;
  plan_scaled scaled; /* where the encoding of its weights asks for it; else 0 */
  plan_scaled bias_scaled; /* the same of its bias, a matrix of one input: see scaled_bias.h */
} plan_matrix;

typedef struct plan_layer {
  uint32_t index, part;
  const char *name;
  const plan_kernel *kernel;
  float parameters[FFN_MAX_PARAMETERS];
  float operand_scales[FFN_MAX_STAGES]; /* of a stage that finds its own 0 */
  plan_matrix *matrices; /* stage by stage, branch by branch */
} plan_layer;

/* A table that goes into the file as it is: numbers (row, column) are (output, input). */
typedef struct plan_rows {
  const char *name;
  size_t count, width;
  plan_numbers numbers;
} plan_rows;

typedef struct pack_plan {
  size_t file_count, kernel_count, layer_count, rows_count;
  plan_file *files;
  plan_kernel *kernels;
  plan_layer *layers; /* ascending by index and part */
  plan_rows *rows; /* ascending by name */
  void *text; /* what all words are in */
  const char *hash; /* sixteen digits, or NULL of a plan that is made by hand */
} pack_plan;

/* Reads a plan; `where` is its name. What it gives is consistent: all sizes are checked against
 * each other and against those of the files. plan_free() frees it, also where it fails. */
int plan_read(
    pack_plan *to, const char *text, size_t bytes, const char *where, pack_problem *problem);
void plan_free(pack_plan *plan);

/* What a packed file calls the encoding of rows: it has their f64 as they are. */
const char *rows_encoding(const plan_numbers *numbers);

/* Bytes of a row of a matrix, where its numbers lie side by side. */
uint64_t plan_row(const plan_numbers *numbers, size_t inputs);

#endif
