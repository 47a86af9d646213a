/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * ffn_slice.h - one layer on several processes, with the bits of one. Its functions are in slice.c.
 *
 * Columns are split, sums never: each process, a rank, has the weights of some outputs of each
 * stage and computes these of every row of x, which all ranks have. What a stage gives is gathered,
 * by the host, before the next one. So y has the bits of kernel->run() for any number of ranks,
 * each with an instruction set, threads and work memory of its own.
 *
 *     const ffn_exchange exchange = {gather, context, rank, ranks, 1};
 *     const size_t bytes = ffn_slice_work_bytes(k, 1, tokens, ranks);
 *     void *packed = ffn_alloc(ffn_slice_bytes(k, rank, ranks)), *work = ffn_alloc(bytes);
 *     ffn_pack_slice(k, packed, &weights, rank, ranks);
 *     int failed = ffn_run_slice(k, y, 512, x, 512, tokens, packed, work, bytes, NULL, &exchange);
 *
 * The unit is FFN_SLICE_UNIT outputs of a stage, of which the last may have fewer: unit u of U is
 * rank r's where floor(U r / n) <= u < floor(U (r + 1) / n). A rank may have none. parallel_mpi.h
 * is an exchange over MPI. */
#ifndef FFN_SLICE_H
#define FFN_SLICE_H

#include "ffn.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FFN_SLICE_UNIT 32

/* Rows of an exchange, at most. */
#define FFN_SLICE_ROWS 256

/* One exchange: a piece of memory of each rank, one behind the other, bytes[r] of them from at[r]
 * on. Rank r has made its own where it lies. All numbers are below 2^30; a piece may be empty. */
typedef struct ffn_pieces {
  void *memory;
  const int *bytes, *at; /* [ranks] */
  size_t ranks, rank;
  size_t number; /* of the exchange in this call, from 0 */
} ffn_pieces;

/* How a host gathers. gather() is called by the thread that called ffn_run_slice(), the same number
 * of times on every rank, with the same bytes and at, and returns when all pieces are in memory, on
 * every rank; or else anything but 0, which ends the call and is returned. It is called, never
 * kept.
 *
 * How often depends on the layer, the number of tokens and that of ranks alone: never on a rank,
 * its columns, instruction set, threads or memory. So all ranks of a call have the same tokens,
 * also where these are 0, and the same gather_outputs. One rank exchanges nothing.
 *
 * What begins an exchange here and ends it elsewhere will be fields behind these, and what is left
 * 0 means what it means now: a host sets what it does not know to 0. */
typedef struct ffn_exchange {
  int (*gather)(void *context, const ffn_pieces *pieces);
  void *context;
  size_t rank, ranks;
  int gather_outputs; /* 0: each rank has its own columns of y, the others are left as they are */
} ffn_exchange;

/* NULL where the kernel can run on so many ranks, else why not, in English. Kernels of another
 * arithmetic than FFN_ARITHMETIC_FMA_F32 cannot. */
const char *ffn_slice_problem(const ffn_kernel *kernel, size_t ranks);

/* Of the outputs of a stage those of a rank: [*first, *last). */
void ffn_slice_columns(
    const ffn_kernel *kernel, size_t stage, size_t rank, size_t ranks, size_t *first, size_t *last);

/* Bytes of a rank's packed weights; SIZE_MAX where ffn_slice_problem() has something to say. */
size_t ffn_slice_bytes(const ffn_kernel *kernel, size_t rank, size_t ranks);

/* As ffn_work_bytes(), with room for what is gathered. */
size_t ffn_slice_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens, size_t ranks);

/* Packs a rank's part of the weights, as kernel->pack(): of these it reads no other part. What it
 * makes is the same for every instruction set. Where outputs share their scales, so many do as
 * FFN_SLICE_UNIT divides or is divided by, or all. Not there with FFN_NO_PACK. */
void ffn_pack_slice(
    const ffn_kernel *kernel, void *packed, const ffn_weights *weights, size_t rank, size_t ranks);

/* 1 where packed was made by ffn_pack_slice() for the layer, the rank and so many ranks, else 0. */
int ffn_slice_fits(const ffn_kernel *kernel, const void *packed, size_t rank, size_t ranks);

/* y = layer(x), as kernel->run(), by all ranks together: 0, or what the exchange returned, and y
 * holds anything then. Rows of y have all columns, also where only a rank's own are written. */
int ffn_run_slice(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel, const ffn_exchange *exchange);

#ifdef __cplusplus
}
#endif
#endif
