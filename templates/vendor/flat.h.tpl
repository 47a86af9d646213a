/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * flat.h - the layers of this folder as plain functions, for languages that translate headers. The
 * instruction set is chosen inside, at the first call.
 *
 * Nothing here asserts or aborts: what is wrong with an argument is the result, and nothing was
 * written then. What a pointer and its bytes or strides say has to be so; NULL is allowed where a
 * comment says it. Any number of threads may call at once, each with its own y and work memory.
 *
 * x is [tokens][inputs], y is [tokens][outputs], in floats; a stride is the floats from a row to
 * the next, and means nothing where there is one row. Rows that are read may lie over each other,
 * as windows of a signal do; a stride of 0 is one row for all. Weights are floats, too, which
 * packing rounds or quantises where a layer stores fewer bits; unpacking gives what is stored.
 * Memory, of any content, for packed weights, for work and for what is saved begins at a multiple
 * of FFN_ALIGNMENT bytes. tokens may be 0. */
#ifndef FFN_FLAT_H
#define FFN_FLAT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. */
typedef enum ffn_flat_status {
  FFN_FLAT_OK = 0,
  FFN_FLAT_NO_KERNEL = 1, /* this CPU has none of the layer's instruction sets */
  FFN_FLAT_NULL = 2, /* a pointer is NULL that may not be */
  FFN_FLAT_ALIGNMENT = 3, /* floats at no multiple of 4, memory at none of FFN_ALIGNMENT */
  FFN_FLAT_STRIDE = 4, /* less than a row of what is written, or rows end beyond all memory */
  FFN_FLAT_OVERLAP = 5, /* what is written overlaps something else of the call */
  FFN_FLAT_TOKENS = 6, /* more tokens than the layer's MAX_TOKENS */
  FFN_FLAT_PACKED = 7, /* too few bytes, or not packed for this layer, or not for grad() */
  FFN_FLAT_WORK = 8, /* too few bytes of work memory for the tokens and threads */
  FFN_FLAT_SAVED = 9, /* too few bytes for the tokens, or of another call */
  FFN_FLAT_THREADS = 10, /* more threads than one, and host is NULL */
  FFN_FLAT_LEFT_OUT = 11 /* compiled without the function: FFN_NO_PACK, FFN_NO_ADD */
} ffn_flat_status;

/* The same in English, never NULL. */
const char *ffn_flat_text(ffn_flat_status status);

/* How a host lends its threads, to the functions that end in _threads: it calls task(context, i)
 * once for each i below tasks, in any order, on any threads, and returns when all have returned.
 * tasks is at most `threads`; pool is handed through. NULL is the calling thread alone. */
typedef void (*ffn_flat_task)(void *context, size_t index);
typedef void (*ffn_flat_host)(void *pool, size_t tasks, ffn_flat_task task, void *context);
% if flat_drops then

/* What a call of training drops, as ffn_dropout says, which has masks as well: the same for
 * run_train() and grad(), another step for each step of training. */
typedef struct ffn_flat_dropout {
  uint64_t seed;
  uint64_t first_token; /* the number of the call's first token */
  uint32_t layer; /* the number of its first place of dropout */
  uint32_t step;
} ffn_flat_dropout;
% end

/* In bytes, of packed weights, work memory and what is saved. */
#define FFN_ALIGNMENT 64
% if not freestanding then

/* Memory that is aligned so; NULL where there is none, or bytes is 0. NULL may be given back. */
void *ffn_flat_alloc(size_t bytes);
void ffn_flat_free(void *memory);
% end
% for _, l in ipairs(layers) do

${flat_of(l).declared}
% end

#ifdef __cplusplus
}
#endif
#endif
