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

/* Bytes of what begins at the front of packed weights. */
static size_t ffn_slice_head(void) {
  return ffn_round_up(sizeof(ffn_packed_header), FFN_ALIGNMENT);
}

void ffn_slice_columns(const ffn_kernel *kernel, size_t stage, size_t rank, size_t ranks,
    size_t *first, size_t *last) {
  const size_t outputs = kernel->stages[stage].outputs;
  FFN_ASSERT(rank < ranks);
  ffn_share(outputs, FFN_SLICE_UNIT, ranks, rank, first, last);
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
  ffn_slice_place place = ffn_slice_next(kernel, 0, rank, ranks, ffn_slice_head());
  for (size_t i = 1; i <= s; ++i)
    place = ffn_slice_next(kernel, i, rank, ranks, place.end);
  return place;
}

/* Outputs of the widest stage. */
static size_t ffn_slice_widest(const ffn_kernel *kernel) {
  size_t widest = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s)
    widest = ffn_max(widest, kernel->stages[s].outputs);
  return widest;
}

/* Rows of an exchange, at most: a rule of the layer alone. Its bytes are below 2^30. */
static size_t ffn_slice_most_rows(const ffn_kernel *kernel) {
  const size_t most = (((size_t)1 << 30) - 1) / sizeof(float) / ffn_slice_widest(kernel);
  return ffn_min(most, FFN_SLICE_ROWS);
}

/* Whether stages are outputs of one x, and none takes what another gives. */
static int ffn_slice_beside(const ffn_kernel *kernel) { return kernel->kind == FFN_KIND_LINEAR; }

/* Whether operands are rows of floats, as they are exchanged and copied here: other arithmetics lay
 * theirs in planes of their own. */
static int ffn_slice_of_floats(const ffn_kernel *kernel) {
  for (size_t s = 0; s < kernel->stage_count; ++s)
    if (kernel->stages[s].arithmetic != FFN_ARITHMETIC_FMA_F32)
      return 0;
  return 1;
}

const char *ffn_slice_problem(const ffn_kernel *kernel, size_t ranks) {
  if (!kernel)
    return "kernel is NULL: ffn_find() found none";
  if (!kernel->staged)
    return "the kernel has no slices: it runs a small layer in straight lines, is made for few "
           "bytes, or was compiled with FFN_NO_STAGES; of a small layer portable C has slices "
           "(FFN_ISA_C)";
  if (!ffn_slice_of_floats(kernel))
    return "the kernel has no slices: a stage has another arithmetic than FFN_ARITHMETIC_FMA_F32, "
           "whose operand is no rows of floats; the layer in that arithmetic has slices";
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
  return kernel->stage_count > 2 && !ffn_slice_beside(kernel) ? 2 : 1;
}

static size_t ffn_slice_buffer_bytes(const ffn_kernel *kernel, size_t rows) {
  return ffn_round_up(rows * ffn_slice_widest(kernel) * sizeof(float), FFN_ALIGNMENT);
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
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_slice_place place = ffn_slice_of(kernel, s, rank, ranks);
    if (place.columns > 0)
      ffn_slice_pack_stage(kernel, header, s, &place, weights);
  }
}
#endif

/* One call, and what of it is under way. */
typedef struct ffn_slice_call {
  const ffn_kernel *kernel;
  const ffn_pass *pass;
  const ffn_exchange *exchange;
  const ffn_parallel *parallel;
  float *y;
  size_t y_stride;
  const float *x;
  size_t x_stride;
  const void *packed;
  void *work;
  size_t threads, slot_rows, slot_bytes;
  float *buffer[2]; /* what is gathered: [unit][row][column of the unit] */
  int *bytes, *at; /* [ranks] */
  size_t number;
  ffn_mode mode;
  size_t block, block_rows; /* rows between exchanges: the first, and their number */
  size_t stage, token, rows; /* of a walk */
  ffn_slice_place place;
  size_t tasks;
} ffn_slice_call;

/* Whether a stage gives columns of y. */
static int ffn_slice_is_final(const ffn_slice_call *call, size_t s) {
  return ffn_slice_beside(call->kernel) || s + 1 == call->kernel->stage_count;
}

/* The columns of a row of y in front of a stage's. */
static size_t ffn_slice_before(const ffn_slice_call *call, size_t s) {
  size_t columns = 0;
  for (size_t i = 0; ffn_slice_beside(call->kernel) && i < s; ++i)
    columns += call->kernel->stages[i].outputs;
  return columns;
}

/* The operand of a stage in work memory. */
static float *ffn_slice_operand(const ffn_slice_call *call, size_t s) {
  return (float *)ffn_further(call->work, call->slot_rows * call->pass->stages[s].in_at);
}

/* A thread's part of the columns that the rank has of a stage. */
static void ffn_slice_task(void *context, size_t index) {
  const ffn_slice_call *call = (const ffn_slice_call *)context;
  const size_t s = call->stage;
  const ffn_stage_walk *stage = &call->pass->stages[s];
  const ffn_slice_place *place = &call->place;
  const ffn_mode other = ffn_mode_enter(call->mode);
  void *own = ffn_further(call->work, index * call->slot_bytes);
  size_t first, last;
  ffn_share(place->columns, ffn_max(stage->column_step, FFN_SLICE_UNIT), call->tasks, index, &first,
      &last);
  if (first < last) {
    ffn_task task;
    task.out = ffn_slice_is_final(call, s)
                   ? call->y + call->token * call->y_stride + ffn_slice_before(call, s)
                   : ffn_slice_operand(call, s + 1);
    task.out_stride = call->y_stride;
    task.in = ffn_slice_operand(call, s);
    task.weights = (const char *)call->packed + place->weights_at;
    task.bias = (const float *)(const void *)((const char *)call->packed + place->bias_at);
    task.begins = place->first;
    task.bias_step = place->columns;
    task.header = call->packed;
    task.sum = (float *)ffn_further(own, call->slot_rows * call->pass->sum_at);
    task.list = (uint32_t *)ffn_further(own, call->slot_rows * call->pass->work_row);
    task.choices = call->kernel->choices;
    task.rows = call->rows;
    task.first = place->first + first;
    task.last = place->first + last;
    stage->columns(&task);
  }
  ffn_mode_leave(other);
}

/* The columns that the rank has of a stage, for the rows of a walk. */
static void ffn_slice_stage(ffn_slice_call *call, size_t s) {
  const size_t step = ffn_max(call->pass->stages[s].column_step, FFN_SLICE_UNIT);
  call->stage = s;
  call->place = ffn_slice_of(call->kernel, s, call->exchange->rank, call->exchange->ranks);
  call->tasks = ffn_min(call->threads, (call->place.columns + step - 1) / step);
  if (call->tasks > 1)
    call->parallel->run(call->parallel->pool, call->tasks, ffn_slice_task, call);
  else if (call->tasks == 1)
    ffn_slice_task(call, 0);
}

/* Where a column of a row lies among what is gathered of a stage. */
static float *ffn_slice_piece(
    float *memory, size_t outputs, size_t rows, size_t row, size_t column) {
  const size_t unit = column / FFN_SLICE_UNIT * FFN_SLICE_UNIT;
  return memory + unit * rows + row * ffn_min(outputs - unit, FFN_SLICE_UNIT) + (column - unit);
}

/* Columns [first, last) that a stage gave, from what was gathered to the operand of the next one,
 * for the rows of a walk; or back. */
static void ffn_slice_copy_operand(
    const ffn_slice_call *call, size_t s, float *memory, size_t first, size_t last, int back) {
  const size_t outputs = call->kernel->stages[s].outputs;
  const size_t width = call->pass->stages[s + 1].block;
  float *operand = ffn_slice_operand(call, s + 1);
  for (size_t column = first, count; column < last; column += count) {
    count = ffn_min(last - column, FFN_SLICE_UNIT - column % FFN_SLICE_UNIT);
    count = ffn_min(count, width - column % width);
    for (size_t row = 0; row < call->rows; ++row) {
      float *in = operand + ffn_blocked(call->rows, row, column, width);
      float *piece = ffn_slice_piece(
          memory, outputs, call->block_rows, call->token - call->block + row, column);
      FFN_MEMCPY(back ? piece : in, back ? in : piece, count * sizeof *in);
    }
  }
}

/* Columns [first, last) of an output of all rows of a block, to y or back. */
static void ffn_slice_copy_y(
    const ffn_slice_call *call, size_t s, float *memory, size_t first, size_t last, int back) {
  const size_t outputs = call->kernel->stages[s].outputs;
  float *y = call->y + call->block * call->y_stride + ffn_slice_before(call, s);
  for (size_t column = first, count; column < last; column += count) {
    count = ffn_min(last - column, FFN_SLICE_UNIT - column % FFN_SLICE_UNIT);
    for (size_t row = 0; row < call->block_rows; ++row) {
      float *to = y + row * call->y_stride + column;
      float *piece = ffn_slice_piece(memory, outputs, call->block_rows, row, column);
      FFN_MEMCPY(back ? piece : to, back ? to : piece, count * sizeof *to);
    }
  }
}

/* Gathers what a stage gave of the rows of a block. */
static int ffn_slice_exchange(ffn_slice_call *call, size_t s, float *memory) {
  const ffn_exchange *exchange = call->exchange;
  const size_t row = call->block_rows * sizeof(float);
  ffn_pieces pieces;
  if (exchange->ranks == 1)
    return 0;
  for (size_t r = 0; r < exchange->ranks; ++r) {
    size_t first, last;
    ffn_slice_columns(call->kernel, s, r, exchange->ranks, &first, &last);
    call->at[r] = (int)(first * row);
    call->bytes[r] = (int)((last - first) * row);
  }
  pieces.memory = memory;
  pieces.bytes = call->bytes;
  pieces.at = call->at;
  pieces.ranks = exchange->ranks;
  pieces.rank = exchange->rank;
  pieces.number = call->number++;
  return exchange->gather(exchange->context, &pieces);
}

/* Some stages that take the same rows, for all rows of a block, a walk of them at a time. */
static void ffn_slice_walk(ffn_slice_call *call, size_t from, size_t until) {
  const size_t end = call->block + call->block_rows;
  for (call->token = call->block; call->token < end; call->token += call->rows) {
    call->rows = ffn_even_part(end - call->token, call->slot_rows);
    if (from == 0)
      call->pass->stages->take(call->pass->stages, ffn_slice_operand(call, 0),
          call->x + call->token * call->x_stride, call->x_stride, call->rows);
    else
      ffn_slice_copy_operand(call, from - 1, call->buffer[(from - 1) & 1], 0,
          call->kernel->stages[from - 1].outputs, 0);
    for (size_t s = from; s < until; ++s) {
      ffn_slice_stage(call, s);
      if (!ffn_slice_is_final(call, s))
        ffn_slice_copy_operand(
            call, s, call->buffer[s & 1], call->place.first, call->place.last, 1);
    }
  }
}

/* Gathers columns of y, which all ranks have then. */
static int ffn_slice_gather_y(ffn_slice_call *call, size_t s) {
  const size_t outputs = call->kernel->stages[s].outputs;
  float *memory = call->buffer[s & 1];
  size_t first, last;
  if (!call->exchange->gather_outputs || call->exchange->ranks == 1)
    return 0;
  ffn_slice_columns(call->kernel, s, call->exchange->rank, call->exchange->ranks, &first, &last);
  ffn_slice_copy_y(call, s, memory, first, last, 1);
  const int failed = ffn_slice_exchange(call, s, memory);
  if (failed)
    return failed;
  ffn_slice_copy_y(call, s, memory, 0, first, 0);
  ffn_slice_copy_y(call, s, memory, last, outputs, 0);
  return 0;
}

/* The rows of a block through all stages. */
static int ffn_slice_block(ffn_slice_call *call) {
  const size_t count = call->kernel->stage_count;
  const size_t at_once = ffn_slice_beside(call->kernel) ? count : 1;
  for (size_t s = 0; s < count; s += at_once) {
    ffn_slice_walk(call, s, s + at_once);
    for (size_t i = s; i < s + at_once; ++i) {
      const int failed = ffn_slice_is_final(call, i)
                             ? ffn_slice_gather_y(call, i)
                             : ffn_slice_exchange(call, i, call->buffer[i & 1]);
      if (failed)
        return failed;
    }
  }
  return 0;
}

/* Whether y is written where nothing else is that the call reads; ends in an assert elsewhere. */
static int ffn_slice_call_is_right(const ffn_slice_call *call, size_t tokens, size_t work_bytes) {
  const ffn_given x = {call->x, call->x_stride, call->pass->inputs, tokens};
  const ffn_given y = {call->y, call->y_stride, call->pass->outputs, tokens};
  const size_t rank = call->exchange->rank, ranks = call->exchange->ranks;
  const ffn_given work =
      ffn_given_bytes(call->work, ffn_slice_work_bytes(call->kernel, call->threads, tokens, ranks));
  const ffn_given packed =
      ffn_given_bytes(call->packed, ffn_slice_bytes(call->kernel, rank, ranks));
  const int same_rows =
      tokens <= 1 || (call->y_stride == call->x_stride && call->x_stride >= call->pass->inputs);
  FFN_ASSERT(call->pass->max_tokens == 0 || tokens <= call->pass->max_tokens);
  FFN_ASSERT(call->threads == 1 || call->parallel->run);
  FFN_ASSERT(ffn_slice_fits(call->kernel, call->packed, rank, ranks));
  FFN_ASSERT(call->work && (uintptr_t)call->work % FFN_ALIGNMENT == 0);
  FFN_ASSERT(work_bytes >= ffn_slice_work_bytes(call->kernel, call->threads, tokens, ranks));
  FFN_ASSERT(ffn_given_reads(&x) && ffn_given_writes(&y));
  FFN_ASSERT((call->pass->in_place && call->y == call->x && same_rows) || ffn_given_apart(&y, &x));
  FFN_ASSERT(ffn_given_apart(&work, &packed) && ffn_given_apart(&work, &x));
  FFN_ASSERT(ffn_given_apart(&work, &y) && ffn_given_apart(&packed, &y));
  (void)x, (void)y, (void)work, (void)packed; /* where asserts vanish */
  (void)work_bytes, (void)same_rows;
  return 1;
}

int ffn_run_slice(const ffn_kernel *kernel, float *y, size_t y_stride, const float *x,
    size_t x_stride, size_t tokens, const void *packed, void *work, size_t work_bytes,
    const ffn_parallel *parallel, const ffn_exchange *exchange) {
  ffn_slice_call call;
  FFN_ASSERT(exchange && !ffn_slice_problem(kernel, exchange->ranks));
  FFN_ASSERT(exchange->rank < exchange->ranks && (exchange->ranks == 1 || exchange->gather));
  if (tokens == 0)
    return 0;
  call.kernel = kernel;
  call.pass = kernel->staged->pass;
  call.exchange = exchange;
  call.parallel = parallel;
  call.y = y;
  call.y_stride = y_stride;
  call.x = x;
  call.x_stride = x_stride;
  call.packed = packed;
  call.work = work;
  call.threads = parallel && parallel->threads > 1 ? parallel->threads : 1;
  call.number = 0;
  call.mode = ffn_mode_of_thread();
  FFN_ASSERT(ffn_slice_call_is_right(&call, tokens, work_bytes));
  (void)work_bytes; /* where asserts vanish */
  /* Memory is parted as if all threads were used, and few flop keep to one. */
  const size_t rows = ffn_even_part(tokens, ffn_slice_most_rows(kernel));
  call.slot_rows = ffn_min(rows, call.pass->rows_per_walk);
  call.slot_bytes = call.slot_rows * call.pass->work_row + call.pass->beside;
  char *behind = (char *)work + call.threads * call.slot_bytes;
  call.buffer[0] = (float *)(void *)behind;
  call.buffer[1] = call.buffer[0];
  behind += ffn_slice_buffer_bytes(kernel, rows);
  if (ffn_slice_buffers(kernel) > 1) {
    call.buffer[1] = (float *)(void *)behind;
    behind += ffn_slice_buffer_bytes(kernel, rows);
  }
  call.bytes = (int *)(void *)behind;
  call.at = call.bytes + exchange->ranks;
  if (rows < FFN_PARALLEL_FLOP / call.pass->flop_per_token * exchange->ranks)
    call.threads = 1;
  for (call.block = 0; call.block < tokens; call.block += call.block_rows) {
    call.block_rows = ffn_even_part(tokens - call.block, ffn_slice_most_rows(kernel));
    const int failed = ffn_slice_block(&call);
    if (failed)
      return failed;
  }
  return 0;
}

FFN_EXACT_END
