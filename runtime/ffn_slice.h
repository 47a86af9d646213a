/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_slice.h - one layer on several processes, with the bits of one. The functions are in slice.c.
 *
 * Columns are split, sums never. Each process (rank) has the weights of some outputs of each stage,
 * and computes these outputs for every row of x. All ranks have all of x. After each stage the host
 * gathers what the ranks have made. y has the bits of kernel->run() for any number of ranks, each
 * with an instruction set, threads and work memory of its own.
 *
 *     const ffn_exchange exchange = {gather, context, rank, ranks, 1};
 *     const size_t bytes = ffn_slice_work_bytes(k, 1, tokens, ranks);
 *     void *packed = ffn_alloc(ffn_slice_bytes(k, rank, ranks)), *work = ffn_alloc(bytes);
 *     ffn_pack_slice(k, packed, &weights, rank, ranks);
 *     int failed = ffn_run_slice(k, y, 512, x, 512, tokens, packed, work, bytes, NULL, &exchange);
 *
 * A unit is FFN_SLICE_UNIT outputs of a stage, or more where the next stage takes more as a group
 * of bytes with one scale: a group is never split. The last unit may have fewer outputs. Unit u of
 * U belongs to rank r of n where floor(U r / n) <= u < floor(U (r + 1) / n). A rank may have no
 * unit. parallel_mpi.h is an exchange over MPI. */
#ifndef FFN_SLICE_H
#define FFN_SLICE_H

#include "ffn.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FFN_SLICE_UNIT 32

/* An exchange has at most so many rows. */
#define FFN_SLICE_ROWS 256

/* One exchange: memory has a piece of each rank, one behind the other. The piece of rank r has
 * bytes[r] bytes from memory + at[r] on. A rank's own piece is filled when gather() is called. All
 * numbers are below 2^30; a piece may be empty. */
typedef struct ffn_pieces {
  void *memory;
  const int *bytes, *at; /* [ranks] */
  size_t ranks, rank;
  size_t number; /* of the exchange in this call, from 0 */
} ffn_pieces;

/* How a host gathers. The thread that called ffn_run_slice() calls gather(), the same number of
 * times on every rank, with the same bytes and at. gather() returns 0 when all pieces are in memory
 * on every rank. Any other number ends the call, and ffn_run_slice() returns this number. The
 * record is read until the call returns, and not kept.
 *
 * The number of exchanges depends on the layer, the number of tokens and the number of ranks alone.
 * All ranks of a call therefore have the same tokens, also where these are 0, and the same
 * gather_outputs. With one rank there is no exchange.
 *
 * Later versions may append fields, for exchanges that begin in one call and end in another. 0 in
 * such a field will mean today's behaviour: set unknown fields to 0. */
typedef struct ffn_exchange {
  int (*gather)(void *context, const ffn_pieces *pieces);
  void *context;
  size_t rank, ranks;
  int gather_outputs; /* 0: each rank writes its own columns of y and no others */
} ffn_exchange;

/* NULL: the kernel can run on so many ranks. Else why not, in English. */
const char *ffn_slice_problem(const ffn_kernel *kernel, size_t ranks);

/* The outputs of a stage that a rank computes: [*first, *last). */
void ffn_slice_columns(
    const ffn_kernel *kernel, size_t stage, size_t rank, size_t ranks, size_t *first, size_t *last);

/* The bytes of a rank's packed weights. SIZE_MAX: rank >= ranks, or see ffn_slice_problem(). */
size_t ffn_slice_bytes(const ffn_kernel *kernel, size_t rank, size_t ranks);

/* The bytes of work memory: as ffn_work_bytes(), with room for what is gathered. SIZE_MAX:
 * ffn_slice_problem() says why, or the size overflows. */
size_t ffn_slice_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens, size_t ranks);

/* Packs a rank's part of the weights, as kernel->pack() does, and reads no other part. The packed
 * bytes are the same for every instruction set. scale_rows of a matrix must be 0, all outputs, or a
 * multiple or a divisor of FFN_SLICE_UNIT. Left out with FFN_NO_PACK. */
void ffn_pack_slice(
    const ffn_kernel *kernel, void *packed, const ffn_weights *weights, size_t rank, size_t ranks);

/* 1: ffn_pack_slice() made packed for this layer, rank and number of ranks. Else 0. */
int ffn_slice_fits(const ffn_kernel *kernel, const void *packed, size_t rank, size_t ranks);

/* y = layer(x), as kernel->run(), by all ranks together. Returns 0; or the number, other than 0,
 * that gather() returned: the content of y is undefined then. Rows of y have room for all columns,
 * also with gather_outputs = 0. */
int ffn_run_slice(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel, const ffn_exchange *exchange);

#ifdef __cplusplus
}
#endif
#endif
