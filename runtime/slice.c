/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * slice.c - a layer on several processes: the stages of a kernel over a part of their columns each,
 * and an exchange behind each stage. */
#include "ffn_slice.h"
#include "kernel.h"

FFN_EXACT_BEGIN

/* Columns of a stage, and where their weights lie in a slice. */
typedef struct ffn_slice_place {
  size_t first, last; /* outputs */
  size_t columns; /* of them, whole panels */
  size_t weights_at, bias_at; /* bias_at is 0 where there are none */
  size_t end;
} ffn_slice_place;

/* Whether packed weights bring scales of inputs. */
static int ffn_slice_has_operands(const ffn_kernel *kernel) {
  size_t count = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    count += kernel->stages[s].operand_scale != 0;
  return count > 0;
}

/* Bytes of what begins at the front of packed weights. */
static size_t ffn_slice_head(const ffn_kernel *kernel) {
  const size_t operands = ffn_slice_has_operands(kernel) ? sizeof(ffn_packed_operands) : 0;
  return ffn_round_up(sizeof(ffn_packed_header) + operands, FFN_ALIGNMENT);
}

/* Whether a stage gives columns of y. */
static int ffn_slice_is_final(const ffn_kernel *kernel, size_t s) {
  return kernel->stages_share_x || s + 1 == kernel->stage_count;
}

/* How what a stage gives is laid, which the next one takes: in planes, or NULL, as floats, which
 * each rank lays when it has the whole row. */
static const ffn_operand *ffn_slice_laid(const ffn_kernel *kernel, size_t s) {
  const ffn_staged_laid *laid = (const ffn_staged_laid *)(const void *)kernel->staged;
  size_t others = 0;
  for (size_t i = 0; i < kernel->stage_count; ++i)
    others += kernel->stages[i].arithmetic != FFN_ARITHMETIC_FMA_F32;
  if (others == 0 || ffn_slice_is_final(kernel, s) || ffn_rows_wait(kernel->staged->pass, s + 1) ||
      !laid->operands[s + 1].planes)
    return NULL;
  return &laid->operands[s + 1];
}

/* Columns of a unit of what is laid so. */
static size_t ffn_slice_unit(const ffn_operand *laid) { return laid ? laid->unit : FFN_SLICE_UNIT; }

/* Bytes of the first `columns` of a row that is laid so, as they are exchanged: whole units but for
 * the last columns. A unit of planes has all its bytes also where it has not all columns. */
static size_t ffn_slice_row_bytes(const ffn_operand *laid, size_t columns) {
  return laid ? ffn_round_up(columns, laid->unit) / laid->unit * laid->unit_bytes
              : columns * sizeof(float);
}

void ffn_slice_columns(const ffn_kernel *kernel, size_t stage, size_t rank, size_t ranks,
    size_t *first, size_t *last) {
  const size_t outputs = kernel->stages[stage].outputs;
  FFN_ASSERT(rank < ranks);
  ffn_share(outputs, ffn_slice_unit(ffn_slice_laid(kernel, stage)), ranks, rank, first, last);
}

/* Bytes of a panel, of all branches. */
static size_t ffn_slice_panel(const ffn_kernel *kernel, size_t s) {
  const ffn_stage_layout *lies = &kernel->staged->stages[s];
  return lies->bundle_bytes / (lies->width / FFN_PANEL);
}

/* That of a stage whose slice begins so many bytes behind the front. */
static ffn_slice_place ffn_slice_next(
    const ffn_kernel *kernel, size_t s, size_t rank, size_t ranks, size_t at) {
  const ffn_stage *stage = &kernel->stages[s];
  ffn_slice_place place;
  ffn_slice_columns(kernel, s, rank, ranks, &place.first, &place.last);
  place.columns = ffn_round_up(place.last - place.first, FFN_PANEL);
  place.weights_at = at;
  at += ffn_round_up(place.columns / FFN_PANEL * ffn_slice_panel(kernel, s), FFN_ALIGNMENT);
  place.bias_at = stage->bias ? at : 0;
  place.end = at + (stage->bias ? stage->branches * place.columns * sizeof(float) : 0);
  return place;
}

static ffn_slice_place ffn_slice_of(const ffn_kernel *kernel, size_t s, size_t rank, size_t ranks) {
  ffn_slice_place place = ffn_slice_next(kernel, 0, rank, ranks, ffn_slice_head(kernel));
  for (size_t i = 1; i <= s; ++i)
    place = ffn_slice_next(kernel, i, rank, ranks, place.end);
  return place;
}

/* Bytes of the widest row that a stage gives. */
static size_t ffn_slice_widest(const ffn_kernel *kernel) {
  size_t widest = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    widest =
        ffn_max(widest, ffn_slice_row_bytes(ffn_slice_laid(kernel, s), kernel->stages[s].outputs));
  return widest;
}

/* Rows of an exchange, at most: a rule of the layer alone. Its bytes are below 2^30. */
static size_t ffn_slice_most_rows(const ffn_kernel *kernel) {
  const size_t most = (((size_t)1 << 30) - 1) / ffn_slice_widest(kernel);
  return ffn_min(most, FFN_SLICE_ROWS);
}

const char *ffn_slice_problem(const ffn_kernel *kernel, size_t ranks) {
  if (!kernel)
    return "kernel is NULL: ffn_find() found none";
  if (!kernel->staged)
    return "the kernel has no slices: it runs a small layer in straight lines, is made for few "
           "bytes, or was compiled with FFN_NO_STAGES; of a small layer portable C has slices "
           "(FFN_ISA_C)";
  if (ranks == 0 || ranks > INT32_MAX / 8)
    return "ranks: there is 1 at least, and 2^28 are too many";
  if (ffn_slice_most_rows(kernel) == 0)
    return "a row of a stage has 2^30 bytes and more, which one exchange does not take";
  return NULL;
}

size_t ffn_slice_bytes(const ffn_kernel *kernel, size_t rank, size_t ranks) {
  if (ffn_slice_problem(kernel, ranks) || rank >= ranks)
    return SIZE_MAX;
  return ffn_slice_of(kernel, kernel->stage_count - 1, rank, ranks).end;
}

/* Of what is gathered: while a stage between others reads one, it makes the other. */
static size_t ffn_slice_buffers(const ffn_kernel *kernel) {
  return kernel->stage_count > 2 && !kernel->stages_share_x ? 2 : 1;
}

static size_t ffn_slice_buffer_bytes(const ffn_kernel *kernel, size_t rows) {
  return ffn_round_up(rows * ffn_slice_widest(kernel), FFN_ALIGNMENT);
}

/* Of two numbers for each rank. */
static size_t ffn_slice_list_bytes(size_t ranks) {
  return ffn_round_up(2 * ranks * sizeof(int), FFN_ALIGNMENT);
}

size_t ffn_slice_work_bytes(const ffn_kernel *kernel, size_t threads, size_t tokens, size_t ranks) {
  if (ffn_slice_problem(kernel, ranks))
    return SIZE_MAX;
  const size_t rows = ffn_min(ffn_max(tokens, 1), ffn_slice_most_rows(kernel));
  const size_t own = ffn_work_bytes(kernel, threads, rows);
  const size_t more = ffn_slice_buffers(kernel) * ffn_slice_buffer_bytes(kernel, rows) +
                      ffn_slice_list_bytes(ranks);
  return own > SIZE_MAX - more ? SIZE_MAX : own + more;
}

/* Of the layer, the rank and so many ranks: packed weights of one are no others'. */
static uint64_t ffn_slice_hash(const ffn_kernel *kernel, size_t rank, size_t ranks) {
  uint64_t hash = ffn_name_hash(kernel->packed);
  hash = (hash ^ rank) * UINT64_C(0x100000001b3);
  return (hash ^ ranks) * UINT64_C(0x100000001b3);
}

int ffn_slice_fits(const ffn_kernel *kernel, const void *packed, size_t rank, size_t ranks) {
  return !ffn_slice_problem(kernel, ranks) && rank < ranks && packed &&
         (uintptr_t)packed % FFN_ALIGNMENT == 0 &&
         ffn_packed_is(packed, ffn_slice_hash(kernel, rank, ranks));
}

#ifndef FFN_NO_PACK
/* Inputs of a group of any format, and what its row has besides. */
enum { FFN_SLICE_GROUP = 512 };

/* A matrix from an output on. */
static ffn_linear ffn_slice_rows_of(
    const ffn_stage *stage, const ffn_linear *linear, size_t output) {
  const ffn_block_size block = ffn_source_block(linear->source);
  ffn_linear part;
  FFN_MEMCPY(&part, linear, sizeof part);
  if (linear->weight)
    part.weight = ffn_linear_place(stage, linear, output);
  part.bias = NULL;
  part.scales = ffn_source_beside(
      linear->scales, linear->scale_rows, block.scale, block, stage->inputs, output, 0);
  part.zeros = ffn_source_beside(
      linear->zeros, linear->scale_rows, block.zero, block, stage->inputs, output, 0);
  return part;
}

/* Outputs [output, end) whose scales are told from `output` on as they are from the first: where
 * several outputs share theirs, those of one that began before end with it. */
static size_t ffn_slice_scales_end(
    const ffn_kernel *kernel, size_t s, const ffn_weights *weights, size_t output, size_t last) {
  for (size_t b = 0; b < kernel->stages[s].branches; ++b) {
    const size_t rows = ffn_stage_linear(kernel->stages, weights, s, b)->scale_rows;
    if (rows && output % rows != 0)
      last = ffn_min(last, ffn_round_up(output, rows));
  }
  return last;
}

/* Outputs [first, last) of a stage as those of a layer that has no other, without biases: whatever
 * matrices these are, they are its gate and up. */
static void ffn_slice_pack_outputs(const ffn_kernel *kernel, ffn_packed_header *header, size_t s,
    size_t at, size_t first, size_t last, const ffn_weights *weights) {
  const ffn_stage_layout *lies = &kernel->staged->stages[s];
  float group[FFN_SLICE_GROUP];
  ffn_stage stage;
  ffn_weights part;
  FFN_ASSERT(lies->packing && lies->packing->k < FFN_SLICE_GROUP);
  FFN_MEMCPY(&stage, &kernel->stages[s], sizeof stage);
  FFN_MEMCPY(&part, weights, sizeof part);
  for (size_t b = 0; b < stage.branches; ++b) {
    stage.matrix[b] = b == 0 ? FFN_MATRIX_GATE : FFN_MATRIX_UP;
    *(b == 0 ? &part.gate : &part.up) =
        ffn_slice_rows_of(&stage, ffn_stage_linear(kernel->stages, weights, s, b), first);
  }
  stage.outputs = last - first;
  ffn_pack_stage(header, lies->packing, at, lies->width, 0, &stage, 0, &part, group);
}

/* The biases of a stage, [branch][columns]. */
static void ffn_slice_pack_biases(const ffn_kernel *kernel, ffn_packed_header *header, size_t s,
    const ffn_slice_place *place, const ffn_weights *weights) {
  float *to = (float *)(void *)((char *)header + place->bias_at);
  for (size_t b = 0; b < kernel->stages[s].branches; ++b, to += place->columns) {
    const float *bias = ffn_stage_linear(kernel->stages, weights, s, b)->bias;
    FFN_ASSERT(bias); /* see ffn_weights_problem() */
    for (size_t c = 0; c < place->columns; ++c)
      to[c] = place->first + c < place->last ? bias[place->first + c] : 0.0f;
  }
}

static void ffn_slice_pack_stage(const ffn_kernel *kernel, ffn_packed_header *header, size_t s,
    const ffn_slice_place *place, const ffn_weights *weights) {
  const size_t panel = ffn_slice_panel(kernel, s);
  for (size_t first = place->first, last; first < place->last; first = last) {
    const size_t column = first - place->first;
    last = ffn_slice_scales_end(kernel, s, weights, first, place->last);
    FFN_ASSERT(column % kernel->staged->stages[s].width == 0); /* see ffn_pack_slice() */
    ffn_slice_pack_outputs(
        kernel, header, s, place->weights_at + column / FFN_PANEL * panel, first, last, weights);
  }
  if (place->bias_at > 0)
    ffn_slice_pack_biases(kernel, header, s, place, weights);
}

void ffn_pack_slice(
    const ffn_kernel *kernel, void *packed, const ffn_weights *weights, size_t rank, size_t ranks) {
  ffn_packed_header *header = (ffn_packed_header *)packed;
  FFN_ASSERT(!ffn_slice_problem(kernel, ranks) && rank < ranks);
  FFN_ASSERT(ffn_pack_apart(
      packed, ffn_slice_bytes(kernel, rank, ranks), kernel->stages, kernel->stage_count, weights));
  ffn_pack_header(header, ffn_slice_hash(kernel, rank, ranks), weights, kernel->runtime_parameters);
  if (ffn_slice_has_operands(kernel))
    ffn_pack_operands(header, kernel->stages, kernel->stage_count, weights, kernel->stages_share_x);
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_slice_place place = ffn_slice_of(kernel, s, rank, ranks);
    if (place.columns > 0)
      ffn_slice_pack_stage(kernel, header, s, &place, weights);
  }
}
#endif

/* One call, and what of it is under way. */
typedef struct ffn_slice_call {
  ffn_call call; /* of all rows, and how they are walked */
  ffn_walk walk;
  const ffn_exchange *exchange;
  size_t threads;
  char *buffer[2]; /* what is gathered: [unit][row][bytes of the unit] */
  int *bytes, *at; /* [ranks] */
  size_t number;
  size_t block, block_rows; /* rows between exchanges: the first, and their number */
  size_t token, rows; /* of a walk */
  ffn_slice_place place; /* of the stage under way */
} ffn_slice_call;

/* The columns of a row of y in front of a stage's. */
static size_t ffn_slice_before(const ffn_slice_call *slice, size_t s) {
  size_t columns = 0;
  for (size_t i = 0; slice->walk.kernel->stages_share_x && i < s; ++i)
    columns += slice->walk.kernel->stages[i].outputs;
  return columns;
}

/* The operand of a stage in work memory. */
static char *ffn_slice_operand(const ffn_slice_call *slice, size_t s) {
  return (char *)ffn_further(
      slice->call.work, slice->walk.slot_rows * slice->walk.pass->stages[s].in_at);
}

/* The columns that the rank has of a stage, for the rows of a walk. */
static void ffn_slice_stage(ffn_slice_call *slice, size_t s) {
  const ffn_slice_place place =
      ffn_slice_of(slice->walk.kernel, s, slice->exchange->rank, slice->exchange->ranks);
  const char *packed = (const char *)slice->call.packed;
  ffn_part part;
  slice->place = place;
  ffn_part_begin(&part, &slice->walk, s, slice->call.work, slice->token, slice->rows, 1);
  part.column_step = ffn_max(part.column_step, FFN_SLICE_UNIT);
  if (ffn_slice_is_final(slice->walk.kernel, s))
    part.task.out =
        slice->call.y + slice->token * slice->call.y_stride + ffn_slice_before(slice, s);
  part.task.weights = packed + place.weights_at;
  part.task.bias = (const float *)(const void *)(packed + place.bias_at);
  part.task.begins = part.task.first = place.first;
  part.task.bias_step = place.columns;
  part.task.last = place.first + place.columns;
  ffn_region_run(&slice->walk, &part, 1, slice->threads);
}

/* Where a column of a block's first row lies among what is gathered of a stage (in planes: where
 * its unit begins), and the bytes from a row to the next. */
static char *ffn_slice_piece(const ffn_slice_call *slice, size_t s, const ffn_operand *laid,
    char *memory, size_t column, size_t *step) {
  const size_t unit = ffn_slice_unit(laid), first = column / unit * unit;
  const size_t last = ffn_min(first + unit, slice->walk.kernel->stages[s].outputs);
  const size_t at = ffn_slice_row_bytes(laid, first);
  *step = ffn_slice_row_bytes(laid, last) - at;
  return memory + at * slice->block_rows + (laid ? 0 : (column - first) * sizeof(float));
}

static void ffn_slice_copy(char *to, char *piece, size_t bytes, int back) {
  FFN_MEMCPY(back ? piece : to, back ? to : piece, bytes);
}

/* A unit of a row, in all planes of its block. */
static void ffn_slice_copy_planes(
    const ffn_operand *laid, char *block, size_t unit, char *piece, int back) {
  for (size_t i = 0; i < laid->plane_count; ++i) {
    const ffn_plane *plane = &laid->planes[i];
    ffn_slice_copy(block + plane->at + unit * plane->bytes, piece, plane->bytes, back);
    piece += plane->bytes;
  }
}

/* Columns [first, last) that a stage gave, from what was gathered to the operand of the next one,
 * for the rows of a walk; or back. */
static void ffn_slice_copy_operand(
    const ffn_slice_call *slice, size_t s, char *memory, size_t first, size_t last, int back) {
  const ffn_operand *laid = ffn_slice_laid(slice->walk.kernel, s);
  const size_t width = slice->walk.pass->stages[s + 1].block;
  const size_t unit = ffn_slice_unit(laid);
  char *operand = ffn_slice_operand(slice, s + 1);
  for (size_t column = first, count, step; column < last; column += count) {
    char *piece = ffn_slice_piece(slice, s, laid, memory, column, &step);
    const size_t row_bytes = laid ? laid->block_bytes : width * sizeof(float);
    char *in = operand + column / width * slice->rows * row_bytes;
    piece += (slice->token - slice->block) * step;
    count = ffn_min(last - column, unit - column % unit);
    count = ffn_min(count, width - column % width);
    for (size_t row = 0; row < slice->rows; ++row, piece += step, in += row_bytes)
      if (laid)
        ffn_slice_copy_planes(laid, in, column % width / unit, piece, back);
      else
        ffn_slice_copy(in + column % width * sizeof(float), piece, count * sizeof(float), back);
  }
}

/* Columns [first, last) of an output of all rows of a block, to y or back. */
static void ffn_slice_copy_y(
    const ffn_slice_call *slice, size_t s, char *memory, size_t first, size_t last, int back) {
  float *y = slice->call.y + slice->block * slice->call.y_stride + ffn_slice_before(slice, s);
  for (size_t column = first, count, step; column < last; column += count) {
    char *piece = ffn_slice_piece(slice, s, NULL, memory, column, &step);
    count = ffn_min(last - column, FFN_SLICE_UNIT - column % FFN_SLICE_UNIT);
    for (size_t row = 0; row < slice->block_rows; ++row, piece += step)
      ffn_slice_copy(
          (char *)(y + row * slice->call.y_stride + column), piece, count * sizeof *y, back);
  }
}

/* Gathers what a stage gave of the rows of a block. */
static int ffn_slice_exchange(ffn_slice_call *slice, size_t s, char *memory) {
  const ffn_exchange *exchange = slice->exchange;
  const ffn_kernel *kernel = slice->walk.kernel;
  const ffn_operand *laid = ffn_slice_laid(kernel, s);
  ffn_pieces pieces;
  if (exchange->ranks == 1)
    return 0;
  for (size_t r = 0; r < exchange->ranks; ++r) {
    size_t first, last;
    ffn_slice_columns(kernel, s, r, exchange->ranks, &first, &last);
    const size_t at = ffn_slice_row_bytes(laid, first);
    slice->at[r] = (int)(at * slice->block_rows);
    slice->bytes[r] = (int)((ffn_slice_row_bytes(laid, last) - at) * slice->block_rows);
  }
  pieces.memory = memory;
  pieces.bytes = slice->bytes;
  pieces.at = slice->at;
  pieces.ranks = exchange->ranks;
  pieces.rank = exchange->rank;
  pieces.number = slice->number++;
  return exchange->gather(exchange->context, &pieces);
}

/* Some stages that take the same rows, for all rows of a block, a walk of them at a time. */
static void ffn_slice_walk(ffn_slice_call *slice, size_t from, size_t until) {
  const size_t end = slice->block + slice->block_rows;
  for (slice->token = slice->block; slice->token < end; slice->token += slice->rows) {
    slice->rows = ffn_even_part(end - slice->token, slice->walk.slot_rows);
    if (from == 0)
      ffn_walk_take(&slice->walk, slice->call.work, slice->token, slice->rows);
    else
      ffn_slice_copy_operand(slice, from - 1, slice->buffer[(from - 1) & 1], 0,
          slice->walk.kernel->stages[from - 1].outputs, 0);
    for (size_t s = from; s < until; ++s) {
      if (ffn_rows_wait(slice->walk.pass, s))
        ffn_laying_run(&slice->walk, s, slice->rows, slice->threads);
      ffn_slice_stage(slice, s);
      if (!ffn_slice_is_final(slice->walk.kernel, s))
        ffn_slice_copy_operand(
            slice, s, slice->buffer[s & 1], slice->place.first, slice->place.last, 1);
    }
  }
}

/* Gathers columns of y, which all ranks have then. */
static int ffn_slice_gather_y(ffn_slice_call *slice, size_t s) {
  const size_t outputs = slice->walk.kernel->stages[s].outputs;
  char *memory = slice->buffer[s & 1];
  size_t first, last;
  if (!slice->exchange->gather_outputs || slice->exchange->ranks == 1)
    return 0;
  ffn_slice_columns(
      slice->walk.kernel, s, slice->exchange->rank, slice->exchange->ranks, &first, &last);
  ffn_slice_copy_y(slice, s, memory, first, last, 1);
  const int failed = ffn_slice_exchange(slice, s, memory);
  if (failed)
    return failed;
  ffn_slice_copy_y(slice, s, memory, 0, first, 0);
  ffn_slice_copy_y(slice, s, memory, last, outputs, 0);
  return 0;
}

/* The rows of a block through all stages. */
static int ffn_slice_block(ffn_slice_call *slice) {
  const size_t count = slice->walk.kernel->stage_count;
  const size_t at_once = slice->walk.kernel->stages_share_x ? count : 1;
  for (size_t s = 0; s < count; s += at_once) {
    ffn_slice_walk(slice, s, s + at_once);
    for (size_t i = s; i < s + at_once; ++i) {
      const int failed = ffn_slice_is_final(slice->walk.kernel, i)
                             ? ffn_slice_gather_y(slice, i)
                             : ffn_slice_exchange(slice, i, slice->buffer[i & 1]);
      if (failed)
        return failed;
    }
  }
  return 0;
}

/* Whether y is written where nothing else is that the call reads; ends in an assert elsewhere. */
static int ffn_slice_call_is_right(const ffn_slice_call *slice) {
  const ffn_kernel *kernel = slice->walk.kernel;
  const ffn_call *call = &slice->call;
  const size_t rank = slice->exchange->rank, ranks = slice->exchange->ranks;
  const size_t bytes = ffn_slice_work_bytes(kernel, slice->threads, call->tokens, ranks);
  const ffn_span x = ffn_call_x(&slice->walk), y = ffn_call_y(&slice->walk);
  const ffn_span work = ffn_span_bytes(call->work, bytes);
  const ffn_span packed = ffn_span_bytes(call->packed, ffn_slice_bytes(kernel, rank, ranks));
  FFN_ASSERT(kernel->max_tokens == 0 || call->tokens <= kernel->max_tokens);
  FFN_ASSERT(slice->threads == 1 || call->parallel->run);
  FFN_ASSERT(ffn_slice_fits(kernel, call->packed, rank, ranks));
  FFN_ASSERT(call->work && (uintptr_t)call->work % FFN_ALIGNMENT == 0);
  FFN_ASSERT(call->work_bytes >= bytes);
  FFN_ASSERT(ffn_call_rows_fit(&slice->walk) && ffn_call_rows_apart(&slice->walk));
  FFN_ASSERT(ffn_span_apart(&work, &packed) && ffn_span_apart(&work, &x));
  FFN_ASSERT(ffn_span_apart(&work, &y) && ffn_span_apart(&packed, &y));
  (void)x, (void)y, (void)work, (void)packed; /* where asserts vanish */
  return 1;
}

/* Parts work memory, as if all threads were used, for so many rows between exchanges. */
static void ffn_slice_lay_out(ffn_slice_call *slice, size_t rows) {
  const ffn_kernel *kernel = slice->walk.kernel;
  ffn_walk *walk = &slice->walk;
  walk->slot_rows = ffn_min(rows, walk->pass->rows_per_walk);
  walk->slot_bytes = walk->slot_rows * walk->pass->work_row + walk->pass->beside;
  char *behind = (char *)slice->call.work + slice->threads * walk->slot_bytes;
  slice->buffer[0] = behind;
  slice->buffer[1] = slice->buffer[0];
  behind += ffn_slice_buffer_bytes(kernel, rows);
  if (ffn_slice_buffers(kernel) > 1) {
    slice->buffer[1] = behind;
    behind += ffn_slice_buffer_bytes(kernel, rows);
  }
  slice->bytes = (int *)(void *)behind;
  slice->at = slice->bytes + slice->exchange->ranks;
}

int ffn_run_slice(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel, const ffn_exchange *exchange) {
  const ffn_call call = {
      y, y_stride, x, x_stride, tokens, packed, work, work_bytes, parallel, NULL, NULL};
  ffn_slice_call slice;
  FFN_ASSERT(exchange && !ffn_slice_problem(kernel, exchange->ranks));
  FFN_ASSERT(exchange->rank < exchange->ranks && (exchange->ranks == 1 || exchange->gather));
  if (tokens == 0)
    return 0;
  FFN_MEMCPY(&slice.call, &call, sizeof call);
  ffn_walk_begin(&slice.walk, kernel->staged->pass, kernel, &slice.call);
  slice.walk.mode = ffn_mode_of_thread();
  slice.exchange = exchange;
  slice.threads = ffn_threads_of(parallel);
  slice.number = 0;
  FFN_ASSERT(ffn_slice_call_is_right(&slice));
  const size_t rows = ffn_even_part(tokens, ffn_slice_most_rows(kernel));
  ffn_slice_lay_out(&slice, rows);
  if (rows < FFN_PARALLEL_FLOP / kernel->flop_per_token * exchange->ranks)
    slice.threads = 1; /* few flop keep to one */
  for (slice.block = 0; slice.block < tokens; slice.block += slice.block_rows) {
    slice.block_rows = ffn_even_part(tokens - slice.block, ffn_slice_most_rows(kernel));
    const int failed = ffn_slice_block(&slice);
    if (failed)
      return failed;
  }
  return 0;
}

FFN_EXACT_END
