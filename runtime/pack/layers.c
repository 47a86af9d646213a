/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * layers.c - see layers.h. */
#include "pack/layers.h"
#include "pack/affine.h"
#include "pack/file_head.h"
#include "pack/part_queue.h"
#include "pack/rows.h"
#include "pack/scaled.h"
#include "pack/scaled_bias.h"

#include <stdio.h>
#include <stdlib.h>

/* What packs a layer. */
typedef struct pack_job {
  const pack_source *sources;
  const plan_layer *layer;
  pack_pipe pipe;
  pack_problem *problem;
  uint64_t at; /* in the file, of the next bytes */
  part_queue parts; /* of stages, which are packed side by side */
  char *memory[2]; /* one is filled, while the other is written */
  int filled;
  size_t told; /* matrices that are not finite, which stderr has heard of */
  double *errors; /* of the next matrix, or NULL */
} pack_job;

/* The next bytes of the layer, which stay as they are until the next ones are put. */
static int put(pack_job *job, const void *memory, size_t bytes) {
  job->at += bytes;
  return bytes == 0 || pipe_put(&job->pipe, job->at - bytes, memory, bytes, job->problem);
}

/* Behind the header of the memory that is filled. */
static char *filled(pack_job *job) { return job->memory[job->filled] + sizeof(ffn_packed_header); }

/* Bytes that were put there; the other memory is filled next. */
static int put_filled(pack_job *job, size_t bytes) {
  const char *memory = filled(job);
  job->filled = !job->filled;
  return put(job, memory, bytes);
}

/* Biases of outputs from `output` on. Where others have one and a matrix has none it is -0: a sum
 * plus -0 is that sum, whatever it is, while +0 would make a +0 of a sum that is -0. */
static int bias_of(
    pack_job *job, const plan_matrix *matrix, float *to, size_t output, size_t outputs) {
  const plan_numbers *from = &matrix->bias;
  size_t bad_output = 0, bad_input = 0;
  if (matrix->affine.gamma.tensor)
    return affine_bias(matrix, job->sources, to, output, outputs, job->problem);
  if (matrix->bias_scaled.scale_rows > 0)
    return scaled_bias(matrix, job->sources, to, output, outputs, job->problem);
  if (!from->tensor) {
    for (size_t i = 0; i < outputs; ++i)
      to[i] = -0.0f;
    return 1;
  }
  const pack_numbers part = {place_of(job->sources, from) + output * from->column_bytes,
      (size_t)from->column_bytes, 0, from->encoding.kind};
  return gather_floats(to, 1, part, outputs, 1, &bad_output, &bad_input) ||
         fails(job->problem, code_bad_input, from->tensor,
             "its number %zu is an f64 and not an f32%s", output + bad_output,
             what_helps(from->encoding.kind));
}

/* The biases of a stage, [branch][columns]. */
static int pack_bias(pack_job *job, const plan_stage *stage, const plan_matrix *matrices) {
  const size_t columns = ffn_round_up(stage->outputs, FFN_PANEL);
  for (size_t b = 0; b < stage->branches; ++b) {
    for (size_t first = 0; first < columns; first += part_columns) {
      const size_t count = ffn_min(part_columns, columns - first);
      const size_t there = ffn_min(count, stage->outputs - first); /* the last panel is ragged */
      float *to = (float *)(void *)filled(job);
      if (!bias_of(job, &matrices[b], to, first, there))
        return 0;
      memset(to + there, 0, (count - there) * sizeof *to);
      if (!put_filled(job, count * sizeof(float)))
        return 0;
    }
  }
  return 1;
}

/* Notes how far a matrix is from its numbers, and says so. */
static void tell_error(pack_job *job, const plan_stage *stage, const plan_matrix *matrix,
    const ffn_pack_error *error) {
  const int told = error_is_told(stage, &matrix->weight);
  *job->errors = told ? error_part(error) : -1.0;
  if (*job->errors >= 0)
    fprintf(stderr, "ffn-pack: %s: %s of %s is packed as %s, error %.3g (rms over rms)\n",
        job->layer->name, matrix->weight.tensor, matrix->weight.encoding.name, stage->format->name,
        *job->errors);
  ++job->errors;
}

static int pack_stage(pack_job *job, const plan_stage *stage, const plan_matrix *matrices) {
  static const char zeros[FFN_ALIGNMENT] = {0};
  ffn_pack_error error[FFN_MAX_BRANCHES] = {{0, 0}};
  const pack_cut cut = cut_of(stage, is_by_column(&matrices[0].weight));
  for (size_t b = 0; b < stage->branches; ++b)
    if (encoding_is_scaled(matrices[b].weight.encoding.kind) &&
        !scaled_check(&matrices[b], job->sources, stage->outputs, stage->inputs, job->problem))
      return 0;
  pack_slot like = {0};
  like.sources = job->sources;
  like.stage = stage;
  like.matrices = matrices;
  like.cut = &cut;
  like.tells = job->errors != NULL;
  if (!part_queue_run(&job->parts, &like, &job->at, error, job->problem))
    return 0;
  for (size_t b = 0; job->errors && b < stage->branches; ++b)
    tell_error(job, stage, &matrices[b], &error[b]);
  const size_t past = (size_t)(stage->bias_at - stage->at - stage->bytes);
  return put(job, zeros, past) && (!stage->bias || pack_bias(job, stage, matrices));
}

/* ---- What is not finite --------------------------------------------------------------------- */

/* Whether outputs of a matrix, of a panel at most, are finite where they are packed. */
static int is_finite(pack_job *job, const plan_stage *stage, const plan_matrix *matrix,
    size_t output, size_t outputs, size_t input, size_t inputs) {
  const ffn_packing *packing = stage->format->packing;
  ffn_packed_header *header = (ffn_packed_header *)(void *)job->memory[0];
  ffn_weights weights = {0};
  ffn_stage part = {0};
  if (!matrix_of(&job->parts.slots[0], stage, matrix, job->parts.tiles, output, outputs, input,
          inputs, &weights.gate))
    return 1; /* what cannot be read was refused before */
  part.inputs = inputs;
  part.outputs = outputs;
  part.branches = 1;
  part.source = packing->own ? stage->format->source : FFN_SOURCE_F32;
  part.source_alone = !packing->pack;
  header->finite = 1;
  stage->format->pack(header, sizeof *header, FFN_PANEL, &part, &weights, NULL);
  return header->finite != 0;
}

/* Names a tensor in which a scale or a number is Inf or NaN: its weights are as their format says,
 * and what else reads the file may take them for something else. */
static void tell_matrix(pack_job *job, const plan_matrix *matrix, size_t output) {
  enum { most_told = 20 };
  const encoding_kind kind = matrix->weight.encoding.kind;
  const int is_scaled = encoding_is_scaled(kind) && kind != encoding_e4m3;
  pack_problem text = {0};
  if (job->told++ == most_told)
    fprintf(stderr, "ffn-pack: more tensors have such weights; only these are named\n");
  if (job->told > most_told)
    return;
  fails(&text, code_failure, is_scaled ? matrix->scaled.scales.tensor : matrix->weight.tensor,
      "%s of output %zu is Inf or NaN, and so are weights of %s: they are packed as %s means them",
      encoding_is_float(kind) ? "a number"
      : kind == encoding_e4m3 ? "a number or scale"
                              : "a scale",
      output, job->layer->name, matrix->weight.encoding.name);
  fprintf(stderr, "ffn-pack: %s\n", text.text);
}

/* Looks for the matrices of a stage that are not finite, and for the first output of each. */
static void tell_stage(pack_job *job, const plan_stage *stage, const plan_matrix *matrices) {
  const pack_cut cut = cut_of(stage, 0);
  for (size_t b = 0; b < stage->branches; ++b) {
    int finite = 1;
    for (size_t o = 0; finite && o < stage->outputs; o += FFN_PANEL)
      for (size_t k = 0; finite && k < stage->inputs; k += cut.inputs) {
        const size_t outputs = ffn_min(FFN_PANEL, stage->outputs - o);
        const size_t inputs = ffn_min(cut.inputs, stage->inputs - k);
        size_t first = 0;
        finite = is_finite(job, stage, &matrices[b], o, outputs, k, inputs);
        while (!finite && first + 1 < outputs &&
               is_finite(job, stage, &matrices[b], o + first, 1, k, inputs))
          ++first;
        if (!finite)
          tell_matrix(job, &matrices[b], o + first);
      }
  }
}

/* The header of a slot. */
static ffn_packed_header *header_of(const pack_job *job, size_t slot) {
  return (ffn_packed_header *)(void *)job->parts.slots[slot].memory;
}

/* The scales of operands, if the kernel takes some. */
static int pack_scales(pack_job *job) {
  const plan_kernel *kernel = job->layer->kernel;
  float *to = (float *)(void *)filled(job);
  if (kernel->scale_bytes == 0)
    return 1;
  memset(to, 0, kernel->scale_bytes);
  memcpy(to, job->layer->operand_scales, kernel->stage_count * sizeof *to);
  return put_filled(job, kernel->scale_bytes);
}

/* Packs a layer; its checksum. */
static int pack_layer(pack_job *job, uint64_t at, uint64_t *checksum) {
  const plan_kernel *kernel = job->layer->kernel;
  const plan_matrix *matrices = job->layer->matrices;
  ffn_packed_header *const header = header_of(job, 0);
  ffn_weights weights = {0};
  memcpy(weights.parameters, job->layer->parameters, sizeof weights.parameters);
  if (!pipe_wait(&job->pipe, job->problem))
    return 0;
  for (size_t i = 0; i < job->parts.slot_count; ++i)
    ffn_pack_header(header_of(job, i), ffn_name_hash(kernel->packed), &weights, kernel->parameters);
  job->pipe.hash = ffn_xxh64_begin();
  job->at = at + sizeof *header;
  if (!pack_scales(job))
    return 0;
  for (size_t s = 0; s < kernel->stage_count; matrices += kernel->stages[s].branches, ++s)
    if (!pack_stage(job, &kernel->stages[s], matrices))
      return 0;
  /* Last, as it tells whether all weights are finite. */
  for (size_t i = 0; i < job->parts.slot_count; ++i)
    header->finite &= header_of(job, i)->finite;
  job->at = at;
  const int finite = header->finite != 0;
  if (!put(job, header, sizeof *header) || !pipe_wait(&job->pipe, job->problem))
    return 0;
  *checksum = ffn_xxh64_end(&job->pipe.hash);
  matrices = job->layer->matrices;
  for (size_t s = 0; !finite && s < kernel->stage_count; ++s) {
    tell_stage(job, &kernel->stages[s], matrices);
    matrices += kernel->stages[s].branches;
  }
  return 1;
}

/* ---- The file ------------------------------------------------------------------------------- */

/* What lies in front of a layer, behind what comes before it. */
static int put_gap(const file_layout *layout, size_t i, pack_output *to, pack_problem *problem) {
  static const char zeros[FFN_FILE_STEP] = {0};
  const uint64_t from =
      i == 0 ? layout->head_bytes : layout->at[i - 1] + layout->layers[i - 1]->kernel->packed_bytes;
  return output_put(to, from, zeros, (size_t)(layout->at[i] - from), problem);
}

/* What packs all layers, in memory for so many slots and tiles as the layout says. */
static void begin_job(pack_job *job, const file_layout *layout, const pack_source *sources,
    char *memory, pack_slot *slots) {
  const size_t half = layout->threads * layout->part;
  job->sources = sources;
  job->errors = layout->errors;
  job->memory[0] = memory;
  job->memory[1] = memory + half;
  job->parts.pipe = &job->pipe;
  job->parts.slots = slots;
  job->parts.slot_count = 2 * layout->threads;
  job->parts.tiles = memory + 2 * half;
  job->parts.tile = layout->tile;
  for (size_t i = 0; i < job->parts.slot_count; ++i) {
    slots[i].sources = sources;
    slots[i].memory = memory + i * layout->part;
  }
}

int layers_pack(
    const file_layout *layout, const pack_source *sources, pack_output *to, pack_problem *problem) {
  uint64_t *checksums =
      (uint64_t *)calloc(layout->count + layout->rows_count + 1, sizeof *checksums);
  char *memory = (char *)aligned_alloc(FFN_ALIGNMENT, ffn_round_up(layout->memory, FFN_ALIGNMENT));
  pack_slot *slots = (pack_slot *)calloc(2 * layout->threads, sizeof *slots);
  if (!checksums || !memory || !slots) {
    free(slots);
    free(memory);
    free(checksums);
    return fails(problem, code_failure, "memory", "there is none left");
  }
  int works = 1;
  pack_job job = {0};
  job.problem = problem;
  begin_job(&job, layout, sources, memory, slots);
  pipe_begin(&job.pipe, to);
  part_queue_begin(&job.parts, layout->threads);
  for (size_t i = 0; works && i < layout->count; ++i) {
    job.layer = layout->layers[i];
    works = put_gap(layout, i, to, problem) && pack_layer(&job, layout->at[i], &checksums[i]);
  }
  part_queue_end(&job.parts);
  works = works && rows_pack(layout, sources, &job.pipe, job.memory, layout->threads * layout->part,
                       checksums + layout->count, problem);
  pipe_end(&job.pipe);
  works = works && file_head_put(layout, checksums, to, problem);
  free(slots);
  free(memory);
  free(checksums);
  return works;
}
