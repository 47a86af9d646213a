/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * walk.h - the walk of a layer's stages over rows, columns and the host's threads. A part of
 * kernel.h, which stands in it where kernels are generated. */
#ifndef FFN_KERNEL_WALK_H
#define FFN_KERNEL_WALK_H

#include "kernel.h"
/*@ end */

/* ---- What a layer's code tells the walk ---------------------------------------------------- */

/* What suits a CPU where weights come from memory: its profile, handed over by a descriptor. Read
 * once for each walk over a stage; no bit depends on it. */
typedef struct ffn_choices {
  size_t streams; /* panels that few rows read side by side, at most */
  size_t few_rows; /* so many are few, at most */
  size_t few_ahead, fetch_ahead; /* bytes of a tile that few rows, and more, fetch ahead; or 0 */
  size_t fetch_level; /* into which cache: 1, the first-level one; more, the second */
  size_t reread; /* 1: one row that fetches nothing reads every second line twice */
} ffn_choices;

/*@ abreast */
/* Whether so many rows are few that fetch nothing, and so many panels are read side by side. */
FFN_SHARED int ffn_reads_abreast(const ffn_choices *choices, size_t rows, size_t panels) {
  return rows <= choices->few_rows && choices->few_ahead == 0 && panels <= choices->streams;
}
/*@ end */

/* What the functions of a stage's tiles are handed: `sum`, at a multiple of 64 bytes, the tile's
 * columns of each branch of each row; `a`, the operand of a block of k, rows ..._ROW floats apart;
 * `w`, the packed weights of the tile's first column at the block's first k, ..._STEP bytes for
 * each step of k, and ..._BUNDLE bytes on for the next bundle of columns; `lane`, bytes to add to
 * these. No more of a and w is read than that k, and no more sums are written. */

/* One task of a stage: rows [0, rows) of columns [first, last), multiples of 32 but for the end of
 * all columns, which is one of 16. */
typedef struct ffn_task {
  float *out; /* y at row 0, rows at out_stride; or the next stage's input, blocked */
  size_t out_stride;
  const float *in; /* the stage's input, blocked as ffn_blocked() says */
  const char *weights; /* of the stage, from output `begins` on, as packed weights have them */
  const float *bias; /* from there on, too; that of a second branch is `bias_step` further */
  size_t begins, bias_step;
  const void *header; /* of packed weights: parameters, and whether all weights are finite */
  float *sum; /* this thread's sums */
  uint32_t *list; /* of inputs that are not zero; in its place scratch: weights as f32 */
  const ffn_choices *choices;
  size_t rows, first, last;
} ffn_task;

/* How the walk runs a stage. An operand says how its rows lie in memory: so the stage before writes
 * them, or `take`, which takes those of the first stage from x. */
typedef struct ffn_stage_walk {
  void (*columns)(const ffn_task *task);
  void (*take)(
      const struct ffn_stage_walk *stage, void *to, const float *x, size_t x_stride, size_t rows);
  size_t inputs, outputs;
  size_t in_at; /* bytes of each row in work memory in front of its input */
  size_t block; /* inputs of a row that lie together: see ffn_blocked() */
  size_t column_step; /* threads take columns in multiples of this */
  size_t weights_at, bias_at; /* bytes of packed weights in front of these */
} ffn_stage_walk;

struct ffn_call;

/* A pass over a layer: all that run() needs to know. */
typedef struct ffn_pass {
  uint64_t packed_hash;
  size_t packed_bytes;
  /* Rows [first, last) by one thread: ffn_walk_rows(), or code of the layer's own. */
  void (*rows)(const struct ffn_call *call, void *work, size_t first, size_t last);
  /* Few rows, the columns of each stage split over threads: ffn_walk_columns(), or NULL for code
   * that gives whole rows, which is split over rows alone. */
  void (*columns)(struct ffn_call *call, const ffn_parallel *parallel);
  size_t stage_count; /* 0: none that are walked */
  const ffn_stage_walk *stages;
  /* Threads take rows in multiples of the first; where each has fewer than the second, all take
   * columns of the same rows. Rows of one walk at most, or that whole rows are added to y at a
   * time. */
  size_t row_step, own_rows, rows_per_walk;
  size_t sum_at; /* bytes of each row in work memory in front of its sums */
  size_t work_row; /* bytes of each row in work memory */
  size_t beside; /* and behind all rows: the list, scratch, or a block of tokens */
  int in_place; /* no row of x is read when its row of y is written */
  size_t max_tokens; /* 0: any number */
  size_t inputs, outputs;
  uint64_t flop_per_token;
#ifndef FFN_NO_ADD
  /* As `rows`, added to y: ffn_walk_rows(), or ffn_add_whole(). */
  void (*add)(const struct ffn_call *call, void *work, size_t first, size_t last);
  /* Results that are added to y lie in work memory before, so many columns at a time: bytes of
   * each row in front of them. */
  size_t add_at, add_columns;
  void (*add_row)(float *y, const float *row, size_t count, float scale);
#endif
} ffn_pass;

/* How the weights of a stage lie that is run in slices. */
typedef struct ffn_stage_slices {
  const struct ffn_packing *packing; /* NULL with FFN_NO_PACK */
  size_t width, bundle_bytes; /* columns and bytes of a bundle */
} ffn_stage_slices;

/* What slice.c knows of a kernel. */
typedef struct ffn_slicing {
  const ffn_pass *pass;
  const struct ffn_choices *choices;
  const ffn_stage_slices *stages; /* [stage_count] */
} ffn_slicing;

/* One run of a pass. */
typedef struct ffn_call {
  const ffn_pass *pass;
  const ffn_choices *choices; /* NULL where its code reads none */
  void (*by_rows)(const struct ffn_call *call, void *work, size_t first, size_t last);
  float *y;
  size_t y_stride;
  const float *x;
  size_t x_stride, tokens;
  const void *packed;
  void *work;
  const float *scale; /* y += *scale * layer(x); NULL: y = layer(x) */
  size_t slot_rows, slot_bytes; /* of a thread's work memory: rows that it has room for */
  size_t tasks; /* of the parallel run under way */
  size_t stage, token, rows; /* of the stage under way, where its columns are split */
  ffn_mode mode; /* of who called, in which all tasks compute */
  /*@ outputs */
  const ffn_destination *to; /* of several outputs, one for each stage, in place of y */
  /*@ end */
} ffn_call;

/* ---- The walk of a pass over rows, columns and threads ------------------------------------- */

/* Below this much work a second thread costs more than it brings (about 10 us of one core). */
#ifndef FFN_PARALLEL_FLOP
#define FFN_PARALLEL_FLOP 1000000u
#endif

/* Some bytes further in work memory. */
FFN_SHARED void *ffn_further(void *work, size_t bytes) { return (char *)work + bytes; }

#ifndef FFN_NO_ADD
/* y += scale * the `count` columns from `column` on that some rows have in work memory. */
static inline void ffn_add_rows(const ffn_call *call, const float *from, size_t token, size_t rows,
    size_t column, size_t count) {
  for (size_t row = 0; row < rows; ++row)
    call->pass->add_row(call->y + (token + row) * call->y_stride + column,
        from + row * call->pass->add_columns, count, *call->scale);
}
#endif

/*@ walk */
/* Rows of x as an operand of f32: in its blocks, whatever the caller's stride. */
static inline void ffn_take_f32(
    const ffn_stage_walk *stage, void *to, const float *x, size_t x_stride, size_t rows) {
  float *in = (float *)to;
  for (size_t k = 0; k < stage->inputs; k += stage->block)
    for (size_t row = 0; row < rows; ++row)
      FFN_MEMCPY(in + ffn_blocked(rows, row, k, stage->block), x + row * x_stride + k,
          ffn_min(stage->inputs - k, stage->block) * sizeof *in);
}

/* Rows [token, token + rows) of x into the first stage's input, as its operand has them. */
static inline void ffn_walk_take(const ffn_call *call, void *work, size_t token, size_t rows) {
  const ffn_stage_walk *stage = call->pass->stages;
  stage->take(stage, ffn_further(work, call->slot_rows * stage->in_at),
      call->x + token * call->x_stride, call->x_stride, rows);
}

#ifndef FFN_NO_ADD
/* Columns [first, last) of the last stage into work memory, as many as it has room for at a time,
 * and from there to y. */
static inline void ffn_walk_add(const ffn_call *call, ffn_task *task, void *own, size_t token) {
  const ffn_pass *pass = call->pass;
  const ffn_stage_walk *stage = &pass->stages[pass->stage_count - 1];
  float *columns = (float *)ffn_further(own, call->slot_rows * pass->add_at);
  const size_t last = task->last;
  task->out_stride = pass->add_columns;
  while (task->first < last) {
    task->last = ffn_min(last, task->first + pass->add_columns);
    /* Stages count columns from a row's first, which is not there. */
    task->out = (float *)((uintptr_t)columns - task->first * sizeof(float));
    stage->columns(task);
    ffn_add_rows(call, columns, token, task->rows, task->first,
        ffn_min(task->last, pass->outputs) - task->first);
    task->first = task->last;
  }
}
#endif

/* Columns [first, last) of a stage for some rows whose input lies in `work`; `own` is this thread's
 * work memory. */
static inline void ffn_walk_stage(const ffn_call *call, size_t s, void *work, void *own,
    size_t token, size_t rows, size_t first, size_t last) {
  const ffn_pass *pass = call->pass;
  const ffn_stage_walk *stage = &pass->stages[s], *next = stage + 1;
  const int final = s + 1 == pass->stage_count;
  ffn_task task;
  task.out = final ? call->y + token * call->y_stride
                   : (float *)ffn_further(work, call->slot_rows * next->in_at);
  task.out_stride = call->y_stride;
  task.in = (const float *)ffn_further(work, call->slot_rows * stage->in_at);
  task.weights = (const char *)call->packed + stage->weights_at;
  task.bias = (const float *)((const char *)call->packed + stage->bias_at);
  task.begins = 0;
  task.bias_step = ffn_round_up(stage->outputs, FFN_PANEL);
  task.header = call->packed;
  task.sum = (float *)ffn_further(own, call->slot_rows * pass->sum_at);
  task.list = (uint32_t *)ffn_further(own, call->slot_rows * pass->work_row);
  task.choices = call->choices;
  task.rows = rows;
  task.first = first;
  task.last = last;
#ifndef FFN_NO_ADD
  if (final && call->scale) {
    ffn_walk_add(call, &task, own, token);
    return;
  }
#endif
  stage->columns(&task);
}

/*@ chained */
/* Rows [first, last) through all stages, a walk of them at a time. */
static inline void ffn_walk_rows(const ffn_call *call, void *work, size_t first, size_t last) {
  const ffn_pass *pass = call->pass;
  while (first < last) {
    const size_t rows = ffn_even_part(last - first, call->slot_rows);
    ffn_walk_take(call, work, first, rows);
    for (size_t s = 0; s < pass->stage_count; ++s)
      ffn_walk_stage(
          call, s, work, work, first, rows, 0, ffn_round_up(pass->stages[s].outputs, FFN_PANEL));
    first += rows;
  }
}
/*@ end */
/*@ end */

/* Part `index` of `parts` of n, in multiples of step: [*first, *last). */
FFN_SHARED void ffn_share(
    size_t n, size_t step, size_t parts, size_t index, size_t *first, size_t *last) {
  const size_t steps = (n + step - 1) / step;
  *first = ffn_min(steps * index / parts * step, n);
  *last = ffn_min(steps * (index + 1) / parts * step, n);
}

/*@ whole_rows */
#ifndef FFN_NO_ADD
/* Rows [first, last) of what gives whole rows, into work memory, and from there to y: as many as
 * one function of it takes, each of which has a layout of its own. None takes five to seven. */
static inline void ffn_add_whole(const ffn_call *call, void *work, size_t first, size_t last) {
  const ffn_pass *pass = call->pass;
  ffn_call part; /* `part = *call` is a call of memcpy() in clang's eyes */
  FFN_MEMCPY(&part, call, sizeof part);
  part.y_stride = pass->add_columns;
  for (size_t rows; first < last; first += rows) {
    rows = pass->rows_per_walk;
    while (rows > last - first)
      rows = rows > 4 ? 4 : rows - 1;
    part.y = (float *)ffn_further(work, rows * pass->add_at);
    part.x = call->x + first * call->x_stride;
    pass->rows(&part, work, 0, rows);
    ffn_add_rows(call, part.y, first, rows, 0, pass->outputs);
  }
}
#endif
/*@ end */

static inline void ffn_rows_task(void *context, size_t index) {
  const ffn_call *call = (const ffn_call *)context;
  const ffn_mode other = ffn_mode_enter(call->mode);
  size_t first, last;
  ffn_share(call->tokens, call->pass->row_step, call->tasks, index, &first, &last);
  call->by_rows(call, ffn_further(call->work, index * call->slot_bytes), first, last);
  ffn_mode_leave(other);
}

/*@ walk */
/*@ chained */
static inline void ffn_columns_task(void *context, size_t index) {
  const ffn_call *call = (const ffn_call *)context;
  const ffn_stage_walk *stage = &call->pass->stages[call->stage];
  const ffn_mode other = ffn_mode_enter(call->mode);
  size_t first, last;
  ffn_share(ffn_round_up(stage->outputs, FFN_PANEL), stage->column_step, call->tasks, index, &first,
      &last);
  if (first < last)
    ffn_walk_stage(call, call->stage, call->work, ffn_further(call->work, index * call->slot_bytes),
        call->token, call->rows, first, last);
  ffn_mode_leave(other);
}

/* All rows, a walk of them at a time, the columns of each stage split over threads. */
static inline void ffn_walk_columns(ffn_call *call, const ffn_parallel *parallel) {
  const ffn_pass *pass = call->pass;
  while (call->token < call->tokens) {
    call->rows = ffn_even_part(call->tokens - call->token, call->slot_rows);
    ffn_walk_take(call, call->work, call->token, call->rows);
    for (call->stage = 0; call->stage < pass->stage_count; ++call->stage) {
      const ffn_stage_walk *stage = &pass->stages[call->stage];
      const size_t steps = (stage->outputs + stage->column_step - 1) / stage->column_step;
      call->tasks = ffn_min(parallel->threads, steps);
      parallel->run(parallel->pool, call->tasks, ffn_columns_task, call);
    }
    call->token += call->rows;
  }
}
/*@ end */
/*@ end */

/* ---- What a call asks for, told by asserts -------------------------------------------------- */

FFN_SHARED ffn_given ffn_call_x(const ffn_call *call) {
  const ffn_given x = {call->x, call->x_stride, call->pass->inputs, call->tokens};
  return x;
}

/* Whether packed weights and work memory, of which the call may take so many bytes, are apart from
 * the rows that it writes, from x and from each other. */
FFN_SHARED int ffn_call_memory_apart(const ffn_call *call, const ffn_given *y, size_t bytes) {
  const ffn_given x = ffn_call_x(call);
  const ffn_given work = ffn_given_bytes(call->work, bytes);
  const ffn_given packed = ffn_given_bytes(call->packed, call->pass->packed_bytes);
  return ffn_given_apart(&work, &packed) && ffn_given_apart(&work, &x) &&
         ffn_given_apart(&work, y) && ffn_given_apart(&packed, y);
}

/* Ends in an assert where anything is wrong with what a call reads or works in. */
FFN_SHARED int ffn_call_reads_right(
    const ffn_call *call, size_t work_bytes, const ffn_parallel *parallel, size_t threads) {
  FFN_ASSERT(call->pass->max_tokens == 0 || call->tokens <= call->pass->max_tokens);
  FFN_ASSERT((uintptr_t)call->packed % FFN_ALIGNMENT == 0);
  FFN_ASSERT((uintptr_t)call->work % FFN_ALIGNMENT == 0);
  if (call->tokens == 0)
    return 1;
  FFN_ASSERT(call->packed && call->work);
  FFN_ASSERT(work_bytes / threads >= call->slot_bytes);
  FFN_ASSERT(threads == 1 || parallel->run);
  (void)work_bytes, (void)parallel, (void)threads; /* where asserts vanish */
  return 1;
}

/*@ chained */
FFN_SHARED ffn_given ffn_call_y(const ffn_call *call) {
  const ffn_given y = {call->y, call->y_stride, call->pass->outputs, call->tokens};
  return y;
}

/* Whether x can be read and y written. */
FFN_SHARED int ffn_call_rows_fit(const ffn_call *call) {
  const ffn_given x = ffn_call_x(call), y = ffn_call_y(call);
  return ffn_given_reads(&x) && ffn_given_writes(&y);
}

/* Whether y is apart from x, or x itself where that is allowed, row for row. */
FFN_SHARED int ffn_call_rows_apart(const ffn_call *call) {
  const ffn_given x = ffn_call_x(call), y = ffn_call_y(call);
  const int same_rows = call->tokens <= 1 ||
                        (call->y_stride == call->x_stride && call->x_stride >= call->pass->inputs);
  return call->pass->in_place && call->y == call->x ? same_rows : ffn_given_apart(&y, &x);
}

/* Ends in an assert where anything is wrong with a call. */
FFN_APART int ffn_call_is_right(
    const ffn_call *call, size_t work_bytes, const ffn_parallel *parallel, size_t threads) {
  const ffn_given y = ffn_call_y(call);
  if (!ffn_call_reads_right(call, work_bytes, parallel, threads) || call->tokens == 0)
    return 1;
  FFN_ASSERT(ffn_call_rows_fit(call));
  FFN_ASSERT(ffn_call_rows_apart(call));
  FFN_ASSERT(ffn_call_memory_apart(call, &y, threads * call->slot_bytes));
  (void)y; /* where asserts vanish */
  return 1;
}

/* Whether nothing can be wrong with a call, but that threads have no run(): all lies one beside the
 * other, as in nearly every call. Told in few instructions, for a token of a small layer has not
 * many. */
FFN_SHARED int ffn_call_is_plain(const ffn_call *call, size_t work_bytes, size_t threads) {
  const ffn_pass *pass = call->pass;
  const size_t few = (size_t)1 << (4 * sizeof(size_t) - 2); /* few times few is no overflow */
  const size_t more = call->tokens - 1; /* no token is not few */
  const uintptr_t x = (uintptr_t)call->x, y = (uintptr_t)call->y;
  const uintptr_t packed = (uintptr_t)call->packed, work = (uintptr_t)call->work;
  const uintptr_t of_x = (uintptr_t)(more * call->x_stride + pass->inputs) * sizeof(float);
  const uintptr_t of_y = (uintptr_t)(more * call->y_stride + pass->outputs) * sizeof(float);
  const uintptr_t of_work = threads * call->slot_bytes, of_packed = pass->packed_bytes;
  if ((more | call->x_stride | call->y_stride | threads | call->slot_bytes) >= few ||
      work_bytes < of_work || (pass->max_tokens > 0 && more >= pass->max_tokens) ||
      (more > 0 && call->y_stride < pass->outputs))
    return 0;
  if (!ffn_given_aligned(call->x) || !ffn_given_aligned(call->y) ||
      ((packed | work) & (FFN_ALIGNMENT - 1)) != 0)
    return 0;
  /* There, and in the first half of all addresses, so that none of it wraps around them. */
  if ((((x - 1) | (y - 1) | (packed - 1) | (work - 1)) & ~(UINTPTR_MAX >> 1)) != 0)
    return 0;
  return ffn_given_beside(x, of_x, y, of_y) && ffn_given_beside(work, of_work, packed, of_packed) &&
         ffn_given_beside(work, of_work, x, of_x) && ffn_given_beside(work, of_work, y, of_y) &&
         ffn_given_beside(packed, of_packed, y, of_y);
}
/*@ end */

/*@ outputs */
/* ---- Several outputs: stages that all read x, each with rows of its own to write ----------- */

/* Columns [first, last) of an output for some rows of x that lie in `work`, as ffn_walk_stage(): a
 * layer of that stage alone. */
static inline void ffn_walk_output(const ffn_call *call, size_t s, void *work, void *own,
    size_t token, size_t rows, size_t first, size_t last) {
  ffn_pass pass;
  ffn_call one;
  FFN_MEMCPY(&pass, call->pass, sizeof pass);
  FFN_MEMCPY(&one, call, sizeof one);
  pass.stages += s;
  pass.stage_count = 1;
  pass.outputs = pass.stages->outputs;
  one.pass = &pass;
  one.y = call->to[s].y;
  one.y_stride = call->to[s].stride;
  ffn_walk_stage(&one, 0, work, own, token, rows, first, last);
}

/* Rows [first, last) of all outputs that are wanted, a walk of them at a time. */
static inline void ffn_outputs_rows(const ffn_call *call, void *work, size_t first, size_t last) {
  const ffn_pass *pass = call->pass;
  while (first < last) {
    const size_t rows = ffn_even_part(last - first, call->slot_rows);
    ffn_walk_take(call, work, first, rows);
    for (size_t s = 0; s < pass->stage_count; ++s)
      if (call->to[s].y)
        ffn_walk_output(
            call, s, work, work, first, rows, 0, ffn_round_up(pass->stages[s].outputs, FFN_PANEL));
    first += rows;
  }
}

/* Steps of columns that threads share: of an output, none of one that is not wanted. */
FFN_SHARED size_t ffn_output_steps(const ffn_call *call, size_t s) {
  const ffn_stage_walk *stage = &call->pass->stages[s];
  const size_t columns = call->to[s].y ? ffn_round_up(stage->outputs, FFN_PANEL) : 0;
  return (columns + stage->column_step - 1) / stage->column_step;
}

FFN_SHARED size_t ffn_outputs_steps(const ffn_call *call) {
  size_t steps = 0;
  for (size_t s = 0; s < call->pass->stage_count; ++s)
    steps += ffn_output_steps(call, s);
  return steps;
}

/* A part of the columns of all outputs, one behind the other. */
static inline void ffn_outputs_task(void *context, size_t index) {
  const ffn_call *call = (const ffn_call *)context;
  const ffn_mode other = ffn_mode_enter(call->mode);
  size_t from, until;
  ffn_share(ffn_outputs_steps(call), 1, call->tasks, index, &from, &until);
  for (size_t s = 0; s < call->pass->stage_count; ++s) {
    const ffn_stage_walk *stage = &call->pass->stages[s];
    const size_t steps = ffn_output_steps(call, s), step = stage->column_step;
    const size_t first = ffn_min(from, steps), last = ffn_min(until, steps);
    if (first < last)
      ffn_walk_output(call, s, call->work, ffn_further(call->work, index * call->slot_bytes),
          call->token, call->rows, first * step,
          ffn_min(last * step, ffn_round_up(stage->outputs, FFN_PANEL)));
    from -= first;
    until -= last;
  }
  ffn_mode_leave(other);
}

/* All rows, a walk of them at a time, the columns of all outputs split over threads at once. */
static inline void ffn_outputs_columns(ffn_call *call, const ffn_parallel *parallel) {
  call->tasks = ffn_min(parallel->threads, ffn_outputs_steps(call));
  while (call->token < call->tokens) {
    call->rows = ffn_even_part(call->tokens - call->token, call->slot_rows);
    ffn_walk_take(call, call->work, call->token, call->rows);
    parallel->run(parallel->pool, call->tasks, ffn_outputs_task, call);
    call->token += call->rows;
  }
}

FFN_SHARED ffn_given ffn_call_output(const ffn_call *call, size_t s) {
  const ffn_given y = {
      call->to[s].y, call->to[s].stride, call->pass->stages[s].outputs, call->tokens};
  return y;
}

/* Whether each row of an output lies in the row of x that it comes from, where that is allowed, and
 * no other row of x has part of that. */
FFN_SHARED int ffn_output_in_x(const ffn_call *call, const ffn_given *y) {
  const uintptr_t x = (uintptr_t)call->x, first = (uintptr_t)y->first;
  if (!call->pass->in_place)
    return 0;
  return call->tokens == 1 ||
         (y->stride == call->x_stride && call->x_stride >= call->pass->inputs && x <= first &&
             first + y->columns * sizeof(float) <= x + call->x_stride * sizeof(float));
}

/* Whether an output is apart from those before it, and from x, or lies in it row for row. */
FFN_SHARED int ffn_output_apart(const ffn_call *call, size_t s) {
  const ffn_given x = ffn_call_x(call), y = ffn_call_output(call, s);
  for (size_t i = 0; i < s; ++i) {
    const ffn_given before = ffn_call_output(call, i);
    if (call->to[i].y && !ffn_given_apart(&y, &before))
      return 0;
  }
  return ffn_output_in_x(call, &y) || ffn_given_apart(&y, &x);
}

/* As ffn_call_is_right(), of a call with several outputs, of which some may not be wanted. */
FFN_APART int ffn_outputs_are_right(
    const ffn_call *call, size_t work_bytes, const ffn_parallel *parallel, size_t threads) {
  const ffn_given x = ffn_call_x(call);
  if (!ffn_call_reads_right(call, work_bytes, parallel, threads) || call->tokens == 0)
    return 1;
  FFN_ASSERT(ffn_given_reads(&x));
  for (size_t s = 0; s < call->pass->stage_count; ++s) {
    const ffn_given y = ffn_call_output(call, s);
    if (!call->to[s].y)
      continue;
    FFN_ASSERT(ffn_given_writes(&y));
    FFN_ASSERT(ffn_output_apart(call, s));
    FFN_ASSERT(ffn_call_memory_apart(call, &y, threads * call->slot_bytes));
    (void)y; /* where asserts vanish */
  }
  (void)x;
  return 1;
}

/* Rows of all outputs side by side. */
FFN_SHARED void ffn_outputs_beside(
    const ffn_pass *pass, ffn_destination *to, float *y, size_t y_stride) {
  for (size_t s = 0; s < pass->stage_count; ++s) {
    to[s].y = y;
    to[s].stride = y_stride;
    if (y)
      y += pass->stages[s].outputs;
  }
}
/*@ end */

/* Runs a call that is right over so many of the host's threads. Many rows are split over rows: each
 * thread walks the whole layer for its own. Few rows are split over columns, one stage after the
 * other. Never over k: no split changes a bit. */
FFN_SHARED void ffn_call_run(ffn_call *call, const ffn_parallel *parallel, size_t threads) {
  const ffn_pass *pass = call->pass;
  const size_t tokens = call->tokens;
  FFN_ASSERT(tokens == 0 || ffn_packed_is(call->packed, pass->packed_hash));
  if (tokens == 0)
    return;
#ifndef FFN_NO_ADD
  if (call->scale)
    call->by_rows = pass->add;
#endif
  if (tokens < FFN_PARALLEL_FLOP / pass->flop_per_token)
    threads = 1;
  if (threads <= 1) {
    call->by_rows(call, call->work, 0, tokens);
    return;
  }
  call->mode = ffn_mode_of_thread();
  /*@ walk */
  if (pass->columns && tokens / threads < pass->own_rows) {
    pass->columns(call, parallel);
    return;
  }
  /*@ end */
  call->tasks = threads;
  parallel->run(parallel->pool, threads, ffn_rows_task, call);
}

/*@ chained */
/* y = layer(x), or y += *scale * layer(x). */
static inline void ffn_pass_run(const ffn_pass *pass, const ffn_choices *choices, float *y,
    size_t y_stride, const float *scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  const size_t threads = parallel && parallel->threads > 1 ? parallel->threads : 1;
  const size_t slot_rows = ffn_min(tokens, pass->rows_per_walk);
  const size_t slot_bytes = slot_rows * pass->work_row + pass->beside;
  ffn_call call = {
      pass, choices, pass->rows, y, y_stride, x, x_stride, tokens, packed, work, scale, slot_rows,
      slot_bytes, 1, 0, 0, 0, 0,
      /*@ outputs */
      NULL,
      /*@ end */
  };
  FFN_ASSERT(((threads == 1 || parallel->run) && ffn_call_is_plain(&call, work_bytes, threads)) ||
             ffn_call_is_right(&call, work_bytes, parallel, threads));
  (void)work_bytes; /* where asserts vanish */
  ffn_call_run(&call, parallel, threads);
}
/*@ end */

/*@ outputs */
/* The same for several outputs, to[s] that of stage s. */
static inline void ffn_outputs_run(const ffn_pass *pass, const ffn_choices *choices,
    const ffn_destination *to, const float *scale, const float *x, size_t x_stride, size_t tokens,
    const void *packed, void *work, size_t work_bytes, const ffn_parallel *parallel) {
  const size_t threads = parallel && parallel->threads > 1 ? parallel->threads : 1;
  const size_t slot_rows = ffn_min(tokens, pass->rows_per_walk);
  const size_t slot_bytes = slot_rows * pass->work_row + pass->beside;
  ffn_call call = {pass, choices, pass->rows, NULL, 0, x, x_stride, tokens, packed, work, scale,
      slot_rows, slot_bytes, 1, 0, 0, 0, 0, to};
  size_t wanted = 0;
  FFN_ASSERT(to);
  for (size_t s = 0; s < pass->stage_count; ++s)
    wanted += to[s].y != NULL;
  if (wanted == 0)
    return;
  FFN_ASSERT(ffn_outputs_are_right(&call, work_bytes, parallel, threads));
  (void)work_bytes; /* where asserts vanish */
  ffn_call_run(&call, parallel, threads);
}
/*@ end */

/*@ foot */
#endif
/*@ end */
