/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * layers.c - see layers.h.
 *
 * A stage is packed some bundles of columns at a time, and these some inputs at a time, so that
 * what is written stays in a cache: ffn_pack_stage() of runtime/packed.h lays each such part as a
 * stage for itself, which has the bytes that it has in the whole one, for bundles follow each other
 * and groups of inputs do in them. Numbers that cannot be read where they lie are gathered before
 * into rows. */
#include "pack/layers.h"
#include "ffn_file.h"
#include "pack/affine.h"
#include "pack/errors.h"
#include "pack/pipe.h"
#include "pack/scaled.h"
#include "pack/workers.h"

#include <stdio.h>
#include <stdlib.h>

/* Inputs that are packed at a time, at least; columns, where numbers are gathered column by column;
 * and bytes of memory for both, at most. */
enum { part_inputs = 256, part_columns = 256, bundles_aligned = 4 };
static const uint64_t most_memory = (uint64_t)192 << 20;

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
  pack_error error[FFN_MAX_BRANCHES];
  pack_problem problem;
} pack_slot;

/* What packs a layer. */
typedef struct pack_job {
  const pack_source *sources;
  const plan_layer *layer;
  pack_pipe pipe;
  pack_problem *problem;
  uint64_t at; /* in the file, of the next bytes */
  pack_slot *slots; /* of parts that are packed side by side */
  size_t slot_count, part; /* part: bytes of memory of a slot */
  /* Two for all slots: one is filled, while the other is written. */
  char *memory[2];
  int filled;
  size_t told; /* matrices that are not finite, which stderr has heard of */
  double *errors; /* of the next matrix, or NULL */
} pack_job;

/* The memory of a cut: a header, a part, what may be written behind it, and gathered numbers. */
static uint64_t part_memory(const pack_cut *cut) {
  return sizeof(ffn_packed_header) + (uint64_t)ffn_round_up(cut->bytes, FFN_ALIGNMENT) +
         FFN_ALIGNMENT;
}

/* Numbers from a row of gathered ones to the next: rows that lie a power of two apart would share
 * few lines of a cache, where they are filled column by column. */
static size_t tile_pitch(size_t inputs) {
  return ffn_round_up(inputs, FFN_PANEL) / FFN_PANEL % 2
             ? ffn_round_up(inputs, FFN_PANEL)
             : ffn_round_up(inputs, FFN_PANEL) + FFN_PANEL;
}

static pack_cut cut_of(const plan_stage *stage, int by_column) {
  const ffn_packing *packing = stage->format->packing;
  const size_t all = ffn_round_up(stage->outputs, FFN_PANEL);
  pack_cut to = {0, stage->inputs, ffn_panel_bytes(packing, stage->inputs), 0, 0};
  const size_t least = stage->width * bundles_aligned; /* 64 bytes are a part of as many */
  to.columns = by_column ? ffn_round_up(part_columns, least) : least;
  if (to.columns / FFN_PANEL * stage->branches * to.panel > most_memory / 4)
    to.columns = stage->width / FFN_PANEL * stage->branches * to.panel % FFN_ALIGNMENT == 0
                     ? stage->width
                     : least;
  to.columns = ffn_min(to.columns, all);
  /* What a panel has once is of all its inputs. */
  if (packing->head == 0 && !packing->row)
    to.inputs = ffn_min(stage->inputs, ffn_round_up(part_inputs, packing->k));
  to.bytes = to.columns / FFN_PANEL * stage->branches * to.panel;
  to.tile = to.columns * tile_pitch(to.inputs) * sizeof(float);
  return to;
}

/* Whether numbers are read where they lie. */
static int is_direct(const plan_stage *stage, const plan_numbers *from, const char *first) {
  const pack_encoding *e = &from->encoding;
  if (e->kind == encoding_blocks)
    return 1;
  return format_is_own(stage->format, e) &&
         (from->column_bytes == e->bytes || stage->inputs == 1) &&
         (from->row_bytes >= plan_row(from, stage->inputs) || stage->outputs == 1) &&
         (uintptr_t)first % e->bytes == 0 && from->row_bytes % e->bytes == 0;
}

static int is_by_column(const plan_numbers *from) { return from->row_bytes < from->column_bytes; }

static const char *place_of(const pack_source *sources, const plan_numbers *from) {
  return sources[from->file].memory + from->first;
}

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

/* What helps against an f64 that is no f32. */
static const char *what_helps(encoding_kind kind) {
  return kind == encoding_f64_rounded
             ? ": it is larger than all"
             : ": import the model with --decode, which rounds each number once";
}

/* The matrix of a branch, of `outputs` from `output` on and `inputs` from `input` on: where it
 * lies, or gathered. */
static int matrix_of(pack_slot *slot, const plan_stage *stage, const plan_matrix *matrix,
    char *tile, size_t output, size_t outputs, size_t input, size_t inputs, ffn_linear *to) {
  const plan_numbers *from = &matrix->weight;
  const size_t pitch = tile_pitch(inputs);
  if (encoding_is_scaled(from->encoding.kind))
    return scaled_gather(stage->format, matrix, slot->sources, stage->inputs, tile, output, outputs,
        input, inputs, to, &slot->problem);
  if (matrix->affine.gamma.tensor) {
    to->source = FFN_SOURCE_F32;
    to->weight = tile;
    to->row_bytes = pitch * sizeof(float);
    return affine_gather(matrix, slot->sources, (float *)(void *)tile, pitch, output, outputs,
        input, inputs, &slot->problem);
  }
  const pack_encoding *e = &from->encoding;
  const char *first = place_of(slot->sources, from);
  const int own = format_is_own(stage->format, e) && e->kind != encoding_f32;
  to->source = own ? stage->format->source : FFN_SOURCE_F32;
  if (is_direct(stage, from, first)) {
    to->weight = first + output * from->row_bytes + input / e->inputs * e->bytes;
    to->row_bytes = stage->outputs > 1 ? (size_t)from->row_bytes : 0;
    return 1;
  }
  const pack_numbers part = {first + output * from->row_bytes + input * from->column_bytes,
      (size_t)from->row_bytes, (size_t)from->column_bytes, e->kind};
  size_t bad_output = 0, bad_input = 0;
  to->weight = tile;
  to->row_bytes = pitch * (own ? sizeof(uint16_t) : sizeof(float));
  if (own)
    gather_halves((uint16_t *)(void *)tile, pitch, part, outputs, inputs);
  else if (!gather_floats(
               (float *)(void *)tile, pitch, part, outputs, inputs, &bad_output, &bad_input))
    return fails(&slot->problem, code_bad_input, from->tensor,
        "its number of output %zu, input %zu is an f64 and not an f32%s", output + bad_output,
        input + bad_input, what_helps(e->kind));
  return 1;
}

/* Columns [column, column + count) of a stage, in memory behind the header. */
static int pack_part(pack_slot *slot) {
  const plan_stage *stage = slot->stage;
  const plan_matrix *matrices = slot->matrices;
  const pack_cut *cut = slot->cut;
  const size_t column = slot->column, count = slot->count;
  const ffn_packing *packing = stage->format->packing;
  const size_t outputs = ffn_min(count, stage->outputs - column);
  const size_t row_of = stage->branches * cut->panel;
  for (size_t input = 0; input < stage->inputs; input += cut->inputs) {
    const size_t inputs = ffn_min(cut->inputs, stage->inputs - input);
    ffn_weights weights = {0};
    ffn_linear *const linears[FFN_MAX_BRANCHES] = {&weights.gate, &weights.up};
    ffn_linear whole[FFN_MAX_BRANCHES] = {{0}, {0}};
    for (size_t b = 0; b < stage->branches; ++b)
      if (!matrix_of(slot, stage, &matrices[b], slot->tile + b * cut->tile, column, outputs, input,
              inputs, &whole[b]))
        return 0;
    for (size_t first = 0; first < outputs; first += stage->width) {
      ffn_stage part = {0};
      part.inputs = inputs;
      part.outputs = ffn_min(stage->width, outputs - first);
      part.branches = stage->branches;
      part.matrix[1] = FFN_MATRIX_UP;
      part.source = packing->own ? stage->format->source : FFN_SOURCE_F32;
      part.source_alone = !packing->pack;
      const size_t panels = ffn_round_up(part.outputs, FFN_PANEL) / FFN_PANEL;
      for (size_t b = 0; b < stage->branches; ++b) {
        const size_t step = ffn_row_step(&part, whole[b].source, whole[b].row_bytes);
        const ffn_block_size block = ffn_packing_block(packing, whole[b].source);
        const size_t groups = first * ffn_block_scales(block, inputs);
        *linears[b] = whole[b];
        linears[b]->weight = (const char *)whole[b].weight + first * step;
        if (whole[b].scales)
          linears[b]->scales = (const char *)whole[b].scales + groups * block.scale;
        if (whole[b].zeros)
          linears[b]->zeros = (const char *)whole[b].zeros + groups * block.zero;
      }
      const size_t at = sizeof(ffn_packed_header) + first / FFN_PANEL * row_of +
                        input / packing->k * packing->bytes * panels * stage->branches;
      /* It fills up with zeros to the next alignment, over what stands there already. */
      char kept[FFN_ALIGNMENT],
          *end = slot->memory + at + ffn_panel_bytes(packing, inputs) * panels * stage->branches;
      memcpy(kept, end, sizeof kept);
      stage->format->pack(
          (ffn_packed_header *)(void *)slot->memory, at, stage->width, &part, &weights);
      memcpy(end, kept, sizeof kept);
      for (size_t b = 0; slot->tells && b < stage->branches; ++b)
        if (error_is_told(stage, &matrices[b].weight))
          error_add(&slot->error[b], stage->format, slot->memory + at, stage->width, &part, b,
              linears[b]);
    }
  }
  return 1;
}

/* Biases of outputs from `output` on. Where others have one and a matrix has none it is -0: a sum
 * plus -0 is that sum, whatever it is, while +0 would make a +0 of a sum that is -0. */
static int bias_of(
    pack_job *job, const plan_matrix *matrix, float *to, size_t output, size_t outputs) {
  const plan_numbers *from = &matrix->bias;
  size_t bad_output = 0, bad_input = 0;
  if (matrix->affine.gamma.tensor)
    return affine_bias(matrix, job->sources, to, output, outputs, job->problem);
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
static void tell_error(
    pack_job *job, const plan_stage *stage, const plan_matrix *matrix, const pack_error *error) {
  const int told = error_is_told(stage, &matrix->weight);
  *job->errors = told ? error_part(error) : -1.0;
  if (told && *job->errors >= 0) /* of what is not finite there is none */
    fprintf(stderr, "ffn-pack: %s: %s of %s is packed as %s, error %.3g (rms over rms)\n",
        job->layer->name, matrix->weight.tensor, matrix->weight.encoding.name, stage->format->name,
        *job->errors);
  ++job->errors;
}

static void pack_slot_of(void *item) {
  pack_slot *slot = (pack_slot *)item;
  slot->works = pack_part(slot);
}

/* Packs columns of a stage from `column` on, a part in each slot, and puts the parts in their
 * order, with their errors; gives the first column that is not packed, or 0 where something fails.
 */
static size_t pack_parts(pack_job *job, const pack_slot *like, size_t column, pack_error *error) {
  const plan_stage *stage = like->stage;
  const size_t all = ffn_round_up(stage->outputs, FFN_PANEL);
  size_t count = 0;
  for (; count < job->slot_count && column < all; ++count) {
    pack_slot *slot = &job->slots[count];
    char *tile = slot->tile;
    *slot = *like;
    slot->tile = tile;
    slot->memory = job->memory[job->filled] + count * job->part;
    slot->column = column;
    slot->count = ffn_min(like->cut->columns, all - column);
    column += slot->count;
  }
  job->filled = !job->filled;
  workers_run(pack_slot_of, job->slots, count, sizeof *job->slots);
  for (size_t i = 0; i < count; ++i) {
    const pack_slot *slot = &job->slots[i];
    if (!slot->works) {
      *job->problem = slot->problem;
      return 0;
    }
    for (size_t b = 0; b < stage->branches; ++b) {
      error[b].errors += slot->error[b].errors;
      error[b].numbers += slot->error[b].numbers;
    }
    if (!put(job, slot->memory + sizeof(ffn_packed_header),
            slot->count / FFN_PANEL * stage->branches * slot->cut->panel))
      return 0;
  }
  return column;
}

static int pack_stage(pack_job *job, const plan_stage *stage, const plan_matrix *matrices) {
  static const char zeros[FFN_ALIGNMENT] = {0};
  pack_error error[FFN_MAX_BRANCHES] = {{0, 0}};
  const size_t all = ffn_round_up(stage->outputs, FFN_PANEL);
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
  for (size_t column = 0; column < all;)
    if ((column = pack_parts(job, &like, column, error)) == 0)
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
  if (!matrix_of(&job->slots[0], stage, matrix, job->slots[0].tile, output, outputs, input, inputs,
          &weights.gate))
    return 1; /* what cannot be read was refused before */
  part.inputs = inputs;
  part.outputs = outputs;
  part.branches = 1;
  part.source = packing->own ? stage->format->source : FFN_SOURCE_F32;
  part.source_alone = !packing->pack;
  header->finite = 1;
  stage->format->pack(header, sizeof *header, FFN_PANEL, &part, &weights);
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

/* The header of a slot in one of the two memories. */
static ffn_packed_header *header_of(const pack_job *job, size_t memory, size_t slot) {
  return (ffn_packed_header *)(void *)(job->memory[memory] + slot * job->part);
}

/* Packs a layer; its checksum. */
static int pack_layer(pack_job *job, uint64_t at, uint64_t *checksum) {
  const plan_kernel *kernel = job->layer->kernel;
  const plan_matrix *matrices = job->layer->matrices;
  ffn_packed_header *const header = header_of(job, 0, 0);
  ffn_weights weights = {0};
  memcpy(weights.parameters, job->layer->parameters, sizeof weights.parameters);
  if (!pipe_wait(&job->pipe, job->problem))
    return 0;
  for (size_t h = 0; h < 2 * job->slot_count; ++h)
    ffn_pack_header(
        header_of(job, h % 2, h / 2), ffn_name_hash(kernel->packed), &weights, kernel->parameters);
  job->pipe.hash = ffn_xxh64_begin();
  job->at = at + sizeof *header;
  for (size_t s = 0; s < kernel->stage_count; matrices += kernel->stages[s].branches, ++s)
    if (!pack_stage(job, &kernel->stages[s], matrices))
      return 0;
  /* Last, as it tells whether all weights are finite. */
  for (size_t h = 0; h < 2 * job->slot_count; ++h)
    header->finite &= header_of(job, h % 2, h / 2)->finite;
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

/* Bytes of the words of a layer, each with its 0. */
static size_t word_bytes(const plan_layer *layer) {
  size_t bytes = strlen(layer->name) + 1 + strlen(layer->kernel->packed) + 1;
  for (size_t s = 0; s < layer->kernel->stage_count; ++s)
    bytes += strlen(layer->kernel->stages[s].format->name) + 1;
  return bytes;
}

/* Memory that a layer takes: of a part, and of gathered numbers, both raised to it. */
static void memory_of(const plan_layer *layer, uint64_t *part, uint64_t *tile) {
  const plan_matrix *matrix = layer->matrices;
  for (size_t s = 0; s < layer->kernel->stage_count; ++s) {
    const plan_stage *stage = &layer->kernel->stages[s];
    const pack_cut cut = cut_of(stage, is_by_column(&matrix->weight));
    const uint64_t parts = part_memory(&cut), tiles = (uint64_t)cut.tile * stage->branches;
    *part = parts > *part ? parts : *part;
    *tile = tiles > *tile ? tiles : *tile;
    matrix += stage->branches;
  }
}

int file_layout_of(file_layout *to, const char *where, pack_problem *problem) {
  uint64_t words = 0, tile = 0;
  uint64_t part = sizeof(ffn_packed_header) + part_columns * sizeof(float); /* of biases */
  to->at = (uint64_t *)calloc(to->count ? to->count : 1, sizeof *to->at);
  if (!to->at)
    return fails(problem, code_failure, where, "no memory for %zu layers", to->count);
  for (size_t i = 0; i < to->count; ++i) {
    memory_of(to->layers[i], &part, &tile);
    if (2 * part + tile > most_memory)
      return fails(problem, code_bad_input, to->layers[i]->name,
          "packing needs %llu MiB of memory, and ffn-pack takes at most %llu",
          (unsigned long long)((2 * part + tile) >> 20), (unsigned long long)(most_memory >> 20));
    words += word_bytes(to->layers[i]);
  }
  /* Fewer threads than were asked for, where the memory of all would be too much. */
  to->threads = ffn_min(ffn_max(to->threads, 1), (size_t)(most_memory / (2 * part + tile)));
  to->part = (size_t)part;
  to->tile = (size_t)tile;
  to->memory = to->threads * (size_t)(2 * part + tile);
  to->head_bytes = sizeof(ffn_file_header) + to->count * sizeof(ffn_file_entry) + words;
  if (to->head_bytes > UINT32_MAX)
    return fails(problem, code_bad_input, where, "its names are too long for one file");
  to->bytes = to->head_bytes;
  for (size_t i = 0; i < to->count; ++i) {
    to->at[i] = (to->bytes + FFN_FILE_STEP - 1) / FFN_FILE_STEP * FFN_FILE_STEP;
    to->bytes = to->at[i] + to->layers[i]->kernel->packed_bytes;
    if (to->bytes > PLAN_MOST_BYTES)
      return fails(problem, code_bad_input, where, "its layers are too large for one file");
  }
  return 1;
}

size_t file_layout_matrices(const file_layout *layout) {
  size_t count = 0;
  for (size_t i = 0; i < layout->count; ++i)
    count += layout->layers[i]->kernel->matrix_count;
  return count;
}

void file_layout_free(file_layout *layout) {
  free(layout->errors);
  free(layout->at);
  free((void *)layout->layers);
}

static uint32_t word(char *head, size_t *at, const char *text, char end) {
  const size_t first = *at, bytes = strlen(text);
  memcpy(head + first, text, bytes);
  head[first + bytes] = end;
  *at = first + bytes + 1;
  return (uint32_t)first;
}

/* The entry of a layer, and its words in the head. */
static ffn_file_entry entry_of(
    char *head, size_t *at, const plan_layer *layer, uint64_t place, uint64_t checksum) {
  const plan_kernel *kernel = layer->kernel;
  ffn_file_entry entry = {0};
  entry.at = place;
  entry.bytes = kernel->packed_bytes;
  entry.checksum = checksum;
  entry.packed = ffn_name_hash(kernel->packed);
  entry.inputs = kernel->inputs;
  entry.hidden = kernel->hidden;
  entry.outputs = kernel->outputs;
  entry.layer = layer->index;
  entry.part = layer->part;
  entry.stages = (uint32_t)kernel->stage_count;
  entry.name_at = word(head, at, layer->name, 0);
  entry.packed_at = word(head, at, kernel->packed, 0);
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const char end = s + 1 < kernel->stage_count ? ' ' : 0;
    const uint32_t first = word(head, at, kernel->stages[s].format->name, end);
    entry.formats_at = s == 0 ? first : entry.formats_at;
  }
  return entry;
}

static int put_head(const file_layout *layout, const uint64_t *checksums, pack_output *to,
    const char *memory_name, pack_problem *problem) {
  char *head = (char *)calloc(1, (size_t)layout->head_bytes);
  size_t at = sizeof(ffn_file_header) + layout->count * sizeof(ffn_file_entry);
  ffn_file_header header = {{'F', 'F', 'N', 'M', 'O', 'D', 'E', 'L'}, FFN_FILE_ORDER,
      FFN_FILE_VERSION, FFN_LAYOUT, (uint32_t)layout->count, layout->bytes, layout->head_bytes,
      {0, 0}, 0};
  if (!head)
    return fails(problem, code_failure, memory_name, "there is none left");
  for (size_t i = 0; i < layout->count; ++i) {
    const ffn_file_entry entry =
        entry_of(head, &at, layout->layers[i], layout->at[i], checksums[i]);
    memcpy(head + sizeof header + i * sizeof entry, &entry, sizeof entry);
  }
  memcpy(head, &header, sizeof header);
  header.checksum = ffn_file_head_checksum(head, (size_t)layout->head_bytes);
  memcpy(head, &header, sizeof header);
  const int done = output_put(to, 0, head, (size_t)layout->head_bytes, problem);
  free(head);
  return done;
}

/* What lies in front of a layer, behind what comes before it. */
static int put_gap(const file_layout *layout, size_t i, pack_output *to, pack_problem *problem) {
  static const char zeros[FFN_FILE_STEP] = {0};
  const uint64_t from =
      i == 0 ? layout->head_bytes : layout->at[i - 1] + layout->layers[i - 1]->kernel->packed_bytes;
  return output_put(to, from, zeros, (size_t)(layout->at[i] - from), problem);
}

int layers_pack(
    const file_layout *layout, const pack_source *sources, pack_output *to, pack_problem *problem) {
  static const char none[] = "memory";
  uint64_t *checksums = (uint64_t *)calloc(layout->count ? layout->count : 1, sizeof *checksums);
  char *memory = (char *)aligned_alloc(FFN_ALIGNMENT, ffn_round_up(layout->memory, FFN_ALIGNMENT));
  pack_slot *slots = (pack_slot *)calloc(layout->threads, sizeof *slots);
  if (!checksums || !memory || !slots) {
    free(slots);
    free(memory);
    free(checksums);
    return fails(problem, code_failure, none, "there is none left");
  }
  int works = 1;
  pack_job job = {0};
  job.sources = sources;
  job.problem = problem;
  job.errors = layout->errors;
  job.slots = slots;
  job.slot_count = layout->threads;
  job.part = layout->part;
  job.memory[0] = memory;
  job.memory[1] = memory + layout->threads * layout->part;
  for (size_t i = 0; i < layout->threads; ++i) {
    slots[i].sources = sources;
    slots[i].tile = memory + 2 * layout->threads * layout->part + i * layout->tile;
  }
  pipe_begin(&job.pipe, to);
  for (size_t i = 0; works && i < layout->count; ++i) {
    job.layer = layout->layers[i];
    works = put_gap(layout, i, to, problem) && pack_layer(&job, layout->at[i], &checksums[i]);
  }
  pipe_end(&job.pipe);
  works = works && put_head(layout, checksums, to, none, problem);
  free(slots);
  free(memory);
  free(checksums);
  return works;
}
