/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * parallel_mpi.h - ffn_slice.h over MPI (MPI 3.0), whatever its implementation.
 *
 *     MPI_Comm comm = MPI_COMM_WORLD;
 *     char told[FFN_MPI_TOLD];
 *     ffn_exchange exchange;
 *     int failed = ffn_mpi_open(&exchange, &comm, 1, k, NULL, told);
 *     ...
 *     failed = ffn_run_slice(k, y, 512, x, 512, tokens, packed, work, bytes, NULL, &exchange);
 *
 * No error handler is set: with MPI_ERRORS_RETURN on the communicator what MPI returns comes back,
 * else MPI ends the program. One thread of a rank speaks, the one that calls; others compute alone,
 * for which MPI_THREAD_FUNNELED is enough. */
#ifndef FFN_PARALLEL_MPI_H
#define FFN_PARALLEL_MPI_H

#include "ffn_slice.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `context` is a pointer to the communicator, which the host keeps. */
static inline int ffn_mpi_gather(void *context, const ffn_pieces *pieces) {
  return MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, pieces->memory, pieces->bytes,
      pieces->at, MPI_BYTE, *(const MPI_Comm *)context);
}

/* Bytes of what ffn_mpi_open() tells, its end included. */
#define FFN_MPI_TOLD 512

/* What all ranks have to agree about, of one rank. Its size and its first field stay as they are.
 */
typedef union ffn_mpi_side {
  struct {
    uint32_t order, version; /* of bytes in a number; of the fields behind, and of all exchanges */
    uint32_t abi, unit, rows, gather_outputs;
    uint64_t layer; /* hash of its name */
    uint64_t sizes[4]; /* inputs, hidden, outputs, stages */
    uint64_t stages[FFN_MAX_STAGES]; /* hash of sizes, format and arithmetic of each */
    char name[128], problem[224];
  } is;
  char bytes[640];
} ffn_mpi_side;

static inline uint64_t ffn_mpi_hash(uint64_t hash, uint64_t value) {
  return (hash ^ value) * UINT64_C(0x100000001b3);
}

static inline uint64_t ffn_mpi_hash_text(uint64_t hash, const char *text) {
  for (; *text; ++text)
    hash = ffn_mpi_hash(hash, (unsigned char)*text);
  return hash;
}

/* The side of this rank; where it cannot take part, why. */
static inline void ffn_mpi_own(ffn_mpi_side *side, const ffn_kernel *kernel, int ranks,
    const ffn_parallel *parallel, int gather_outputs) {
  const char *problem = ffn_slice_problem(kernel, (size_t)ranks);
  int level = MPI_THREAD_SINGLE, is_main = 1;
  memset(side, 0, sizeof *side);
  side->is.order = 0x01020304u;
  side->is.version = 1;
  side->is.abi = FFN_ABI;
  side->is.unit = FFN_SLICE_UNIT;
  side->is.rows = FFN_SLICE_ROWS;
  side->is.gather_outputs = gather_outputs != 0;
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&is_main);
  if (!problem && parallel && parallel->threads > 1 && level < MPI_THREAD_FUNNELED)
    problem = "it has threads, and MPI was begun without: MPI_Init_thread(MPI_THREAD_FUNNELED)";
  if (!problem && level < MPI_THREAD_SERIALIZED && !is_main)
    problem = "another thread than the one that began MPI speaks, below MPI_THREAD_SERIALIZED";
  if (problem)
    snprintf(side->is.problem, sizeof side->is.problem, "%s", problem);
  if (!kernel)
    return;
  side->is.layer = ffn_mpi_hash_text(UINT64_C(0xcbf29ce484222325), kernel->layer);
  snprintf(side->is.name, sizeof side->is.name, "%s", kernel->layer);
  side->is.sizes[0] = kernel->inputs;
  side->is.sizes[1] = kernel->hidden;
  side->is.sizes[2] = kernel->outputs;
  side->is.sizes[3] = kernel->stage_count;
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_stage *stage = &kernel->stages[s];
    uint64_t hash = ffn_mpi_hash(UINT64_C(0xcbf29ce484222325), stage->inputs);
    hash = ffn_mpi_hash(ffn_mpi_hash(hash, stage->outputs), stage->branches);
    /* By name: enumerators of a folder of one's own are those that it has. */
    hash = ffn_mpi_hash_text(hash, ffn_format_name(stage->format));
    side->is.stages[s] = ffn_mpi_hash_text(hash, ffn_arithmetic_name(stage->arithmetic));
  }
}

/* What a rank's side has other than rank 0's, or NULL. */
static inline const char *ffn_mpi_difference(const ffn_mpi_side *a, const ffn_mpi_side *b) {
  if (a->is.layer != b->is.layer)
    return "another layer";
  if (memcmp(a->is.sizes, b->is.sizes, sizeof a->is.sizes) != 0)
    return "other sizes";
  if (memcmp(a->is.stages, b->is.stages, sizeof a->is.stages) != 0)
    return "other formats, arithmetics or sizes of stages";
  if (a->is.abi != b->is.abi || a->is.unit != b->is.unit || a->is.rows != b->is.rows)
    return "another FFN_ABI, or slices of another size";
  return a->is.gather_outputs != b->is.gather_outputs ? "another gather_outputs" : NULL;
}

/* Tells the first rank with which there is something wrong: 1, or 0 where there is none. The order
 * of a number's bytes comes first, for it is what all else is read by. */
static inline int ffn_mpi_judge(const ffn_mpi_side *sides, int ranks, char *told) {
  for (int r = 0; r < ranks; ++r) {
    const char *other = NULL;
    if (sides[r].is.order != sides[0].is.order)
      other = "another byte order";
    else if (sides[r].is.version != sides[0].is.version)
      other = "another version of parallel_mpi.h";
    if (other)
      return snprintf(told, FFN_MPI_TOLD, "rank %d has %s than rank 0", r, other), 1;
  }
  for (int r = 0; r < ranks; ++r) {
    const char *other = ffn_mpi_difference(&sides[r], &sides[0]);
    if (sides[r].is.problem[0])
      return snprintf(told, FFN_MPI_TOLD, "rank %d: %.223s", r, sides[r].is.problem), 1;
    if (other)
      return snprintf(told, FFN_MPI_TOLD, "rank %d, %.127s, has %s than rank 0, %.127s", r,
                 sides[r].is.name, other, sides[0].is.name),
             1;
  }
  return 0;
}

/* Makes an exchange of a communicator, for calls of a kernel: all ranks call it, once for each
 * kernel. Returns 0 where all agree, on every rank; else what MPI returned, or MPI_ERR_OTHER, and
 * told[FFN_MPI_TOLD] says in English what is wrong, with the same rank on every rank. Memory is
 * taken for the while, after all ranks know that each of them has it: none waits for one that
 * gave up. */
static inline int ffn_mpi_open(ffn_exchange *exchange, MPI_Comm *comm, int gather_outputs,
    const ffn_kernel *kernel, const ffn_parallel *parallel, char *told) {
  int rank = 0, ranks = 0, length = 0;
  int failed = MPI_Comm_rank(*comm, &rank);
  told[0] = '\0';
  if (failed == MPI_SUCCESS)
    failed = MPI_Comm_size(*comm, &ranks);
  if (failed == MPI_SUCCESS) {
    ffn_mpi_side own;
    ffn_mpi_side *sides = (ffn_mpi_side *)malloc((size_t)ranks * sizeof *sides);
    const int bare = sides ? ranks : rank;
    int first = ranks; /* rank without memory */
    ffn_mpi_own(&own, kernel, ranks, parallel, gather_outputs);
    failed = MPI_Allreduce(&bare, &first, 1, MPI_INT, MPI_MIN, *comm);
    if (failed == MPI_SUCCESS && first < ranks) {
      snprintf(told, FFN_MPI_TOLD, "rank %d has no memory", first);
      failed = MPI_ERR_NO_MEM;
    }
    if (failed == MPI_SUCCESS)
      failed =
          MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, sides, (int)sizeof own, MPI_BYTE, *comm);
    if (failed == MPI_SUCCESS && ffn_mpi_judge(sides, ranks, told))
      failed = MPI_ERR_OTHER;
    free(sides);
  }
  if (failed != MPI_SUCCESS && !told[0]) {
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    MPI_Error_string(failed, text, &length);
    snprintf(told, FFN_MPI_TOLD, "%.500s", text);
  }
  exchange->gather = ffn_mpi_gather;
  exchange->context = comm;
  exchange->rank = (size_t)rank;
  exchange->ranks = (size_t)ranks;
  exchange->gather_outputs = gather_outputs;
  return failed;
}

#ifdef __cplusplus
}
#endif
#endif
