/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parts.h - a stage is packed some bundles of columns at a time, and these some inputs at a time,
 * so that what is written stays in a cache: ffn_pack_stage() of runtime/packed.h lays each such
 * part as a stage for itself, which has the bytes that it has in the whole one, for bundles follow
 * each other and groups of inputs do in them. Numbers that cannot be read where they lie are
 * gathered before into rows. */
#ifndef FFN_PACK_PARTS_H
#define FFN_PACK_PARTS_H

#include "pack/errors.h"
#include "pack/problem.h"
#include "pack/sources.h"

/* Columns of a part where numbers are gathered column by column, at least. */
enum { part_columns = 256 };

/* Bytes of memory that parts may take, at most. */
#define PARTS_MOST_MEMORY ((uint64_t)192 << 20)

/* How a stage is cut. */
typedef struct pack_cut {
  size_t columns, inputs; /* of a part */
  size_t panel; /* bytes of 16 columns of a branch */
  size_t bytes, tile; /* of a part where it is packed, and of gathered numbers of a branch */
} pack_cut;

/* What packs a part of a stage, which shares nothing with those that pack other parts. */
typedef struct pack_slot {
  const pack_source *sources;
  const plan_stage *stage;
  const plan_matrix *matrices;
  const pack_cut *cut;
  size_t column, count; /* the part's */
  char *memory; /* of a header, and behind it the packed weights of the part */
  char *tile; /* gathered numbers of all branches */
  int tells, works; /* whether errors are asked for; whether all could be read */
  int packed; /* its part waits for its turn to be written */
  ffn_pack_error error[FFN_MAX_BRANCHES];
  pack_problem problem;
} pack_slot;

/* Whether numbers of a column lie side by side. */
int is_by_column(const plan_numbers *from);

pack_cut cut_of(const plan_stage *stage, int by_column);

/* The memory of a cut: a header, a part, and what may be written behind it. */
uint64_t part_memory(const pack_cut *cut);

const char *place_of(const pack_source *sources, const plan_numbers *from);

/* What helps against an f64 that is no f32. */
const char *what_helps(encoding_kind kind);

/* The matrix of a branch, of `outputs` from `output` on and `inputs` from `input` on: where it
 * lies, or gathered in `tile`. */
int matrix_of(pack_slot *slot, const plan_stage *stage, const plan_matrix *matrix, char *tile,
    size_t output, size_t outputs, size_t input, size_t inputs, ffn_linear *to);

/* Packs the part of a slot into its memory, behind the header, and adds its errors. 0: a number
 * cannot be read. */
int pack_part(pack_slot *slot);

#endif
