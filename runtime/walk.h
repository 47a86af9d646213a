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
  size_t few_l2_ahead; /* few rows fetch so far ahead into the second-level cache, too; or 0 */
} ffn_choices;

/* Whether so many rows are few that fetch nothing, and so many panels are read side by side. */
FFN_SHARED int ffn_reads_abreast(const ffn_choices *choices, size_t rows, size_t panels) {
  return rows <= choices->few_rows && choices->few_ahead == 0 && panels <= choices->streams;
}

/* What the functions of a stage's tiles are handed: `sum`, at a multiple of 64 bytes, the tile's
 * columns of each branch of each row; `a`, the operand of a k block, rows ..._ROW floats apart;
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
 * them, or `take`, which takes those of the first stage from x. A later stage has a `take` where
 * rows are laid when all of each is there: they wait for it as floats, `block` apart, and are laid
 * where the operand of the stage before was: ffn_operand_at(). `packed` may have their scale. */
typedef struct ffn_stage_walk {
  void (*columns)(const ffn_task *task);
  void (*take)(const struct ffn_stage_walk *stage, const void *packed, void *to, const float *x,
      size_t x_stride, size_t rows);
  size_t inputs, outputs;
  size_t in_at; /* bytes of each row in work memory in front of its input, or of what waits */
  size_t block; /* inputs of a row that lie together: see ffn_blocked() */
  size_t column_step; /* threads take columns in multiples of this */
  size_t weights_at, bias_at; /* bytes of packed weights in front of these */
} ffn_stage_walk;

struct ffn_walk;

/* A pass over a layer: all that run() needs to know. */
typedef struct ffn_pass {
  uint64_t packed_hash;
  size_t packed_bytes;
  /* Rows [first, last) by one thread: ffn_walk_rows(), or code of the layer's own. */
  void (*rows)(const struct ffn_walk *walk, void *work, size_t first, size_t last);
  /* Few rows, the columns of each stage split over threads: ffn_walk_columns(), or NULL for code
   * that gives whole rows, which is split over rows alone. */
  void (*columns)(const struct ffn_walk *walk);
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
  void (*add)(const struct ffn_walk *walk, void *work, size_t first, size_t last);
  /* Results that are added to y lie in work memory before, so many columns at a time: bytes of
   * each row in front of them. */
  size_t add_at, add_columns;
  void (*add_row)(float *y, const float *row, size_t count, float scale);
#endif
} ffn_pass;

/* How the weights of a stage lie. */
typedef struct ffn_stage_layout {
  const struct ffn_packing *packing; /* NULL with FFN_NO_PACK */
  size_t width, bundle_bytes; /* columns and bytes of a bundle */
} ffn_stage_layout;

/* What runs the stages of a kernel by itself knows of them. */
typedef struct ffn_staged {
  const ffn_pass *pass;
  const ffn_stage_layout *stages; /* [stage_count] */
} ffn_staged;

/* A plane of an operand: bytes of a row's block in front of it, and those of a unit of inputs. */
typedef struct ffn_plane {
  size_t at, bytes;
} ffn_plane;

/* How the operand of a stage is laid: inputs of a unit, none of which has a part of a scale; bytes
 * of a unit and of a row's block in all planes. */
typedef struct ffn_operand {
  const ffn_plane *planes; /* NULL: rows of floats, and nothing of the rest */
  size_t plane_count, unit, unit_bytes, block_bytes;
} ffn_operand;

/* The same of a kernel of which some stage is in another arithmetic than FFN_ARITHMETIC_FMA_F32. */
typedef struct ffn_staged_laid {
  ffn_staged staged;
  const ffn_operand *operands; /* [stage_count] */
} ffn_staged_laid;

/* A call that is under way. */
typedef struct ffn_walk {
  const ffn_pass *pass;
  const ffn_kernel *kernel;
  const ffn_call *call; /* the caller's */
  size_t slot_rows, slot_bytes; /* of a thread's work memory: rows that it has room for */
  size_t tasks; /* that share the rows */
  ffn_mode mode; /* of who called, in which all tasks compute */
  /*@ ffn_outputs_run */
  const ffn_destination *to; /* of several outputs, one for each stage, in place of y */
  struct ffn_part *parts; /* and room for a part of each */
  /*@ end */
} ffn_walk;

/* Columns of a stage that tasks share: all of them, or those of a slice. */
typedef struct ffn_part {
  const ffn_stage_walk *stage;
  size_t column_step; /* tasks take columns in multiples of this */
  int gives_rows; /* 1: the caller's, which may be added to */
  ffn_task task; /* but for what a thread has of its own */
} ffn_part;

/* Parts that need nothing of each other, whose columns are shared at once. */
typedef struct ffn_region {
  const ffn_walk *walk;
  const ffn_part *parts;
  size_t count, steps, tasks;
} ffn_region;

/* ---- The walk of a pass over rows, columns and threads ------------------------------------- */

/* Below this much work a second thread costs more than it brings (about 10 us of one core). */
#ifndef FFN_PARALLEL_FLOP
#define FFN_PARALLEL_FLOP 1000000u
#endif

/* Some bytes further in work memory. */
FFN_SHARED void *ffn_further(void *work, size_t bytes) { return (char *)work + bytes; }

#ifndef FFN_NO_ADD
/* y += scale * the first `count` columns that some rows have in work memory. */
static inline void ffn_add_rows(
    const ffn_walk *walk, float *y, size_t y_stride, const float *from, size_t rows, size_t count) {
  for (size_t row = 0; row < rows; ++row)
    walk->pass->add_row(
        y + row * y_stride, from + row * walk->pass->add_columns, count, *walk->call->scale);
}
#endif

/* Rows of x as an operand of f32: in its blocks, whatever the caller's stride. */
static inline void ffn_take_f32(const ffn_stage_walk *stage, const void *packed, void *to,
    const float *x, size_t x_stride, size_t rows) {
  float *in = (float *)to;
  (void)packed;
  for (size_t k = 0; k < stage->inputs; k += stage->block)
    for (size_t row = 0; row < rows; ++row)
      FFN_MEMCPY(in + ffn_blocked(rows, row, k, stage->block), x + row * x_stride + k,
          ffn_min(stage->inputs - k, stage->block) * sizeof *in);
}

/* Bytes of each row in work memory in front of the operand of a stage. */
FFN_SHARED size_t ffn_operand_at(const ffn_pass *pass, size_t s) {
  while (s > 0 && pass->stages[s].take)
    --s;
  return pass->stages[s].in_at;
}

/* Whether rows of floats wait for a stage. */
FFN_SHARED int ffn_rows_wait(const ffn_pass *pass, size_t s) {
  return s > 0 && pass->stages[s].take;
}

/* Bytes of a row that waited as floats, where it is laid: a byte for each number, and beside these
 * what is kept of a row. */
#define FFN_LAID_BESIDE 16
FFN_SHARED size_t ffn_laid_bytes(const ffn_stage_walk *stage) {
  return ffn_round_up(stage->block + FFN_LAID_BESIDE, FFN_ALIGNMENT);
}

/* Lays rows [first, last) of `rows` that wait for a stage. */
FFN_APART void ffn_lay_waiting(const ffn_pass *pass, size_t s, const void *packed, void *work,
    size_t rows, size_t first, size_t last) {
  const ffn_stage_walk *stage = &pass->stages[s];
  const float *floats = (const float *)ffn_further(work, rows * stage->in_at);
  void *to = ffn_further(work, rows * ffn_operand_at(pass, s) + first * ffn_laid_bytes(stage));
  stage->take(stage, packed, to, floats + first * stage->block, stage->block, last - first);
}

/* Rows [token, token + rows) of x into the first stage's input, as its operand has them. */
static inline void ffn_walk_take(const ffn_walk *walk, void *work, size_t token, size_t rows) {
  const ffn_stage_walk *stage = walk->pass->stages;
  stage->take(stage, walk->call->packed, ffn_further(work, walk->slot_rows * stage->in_at),
      walk->call->x + token * walk->call->x_stride, walk->call->x_stride, rows);
}

#ifndef FFN_NO_ADD
/* Columns of a part into work memory, as many as it has room for at a time, and from there to where
 * they are added. */
static inline void ffn_part_add(const ffn_walk *walk, ffn_part *part, void *own) {
  const size_t most = walk->pass->add_columns;
  ffn_task *task = &part->task;
  float *columns = (float *)ffn_further(own, walk->slot_rows * walk->pass->add_at), *y = task->out;
  const size_t y_stride = task->out_stride, last = task->last;
  task->out_stride = most;
  while (task->first < last) {
    task->last = ffn_min(last, task->first + most);
    /* Stages count columns from a row's first, which is not there. */
    task->out = (float *)((uintptr_t)columns - task->first * sizeof(float));
    part->stage->columns(task);
    ffn_add_rows(walk, y + task->first, y_stride, columns, task->rows,
        ffn_min(task->last, part->stage->outputs) - task->first);
    task->first = task->last;
  }
}
#endif

/* A part by a thread whose work memory is `own`. */
static inline void ffn_part_run(const ffn_walk *walk, ffn_part *part, void *own) {
  part->task.sum = (float *)ffn_further(own, walk->slot_rows * walk->pass->sum_at);
  part->task.list = (uint32_t *)ffn_further(own, walk->slot_rows * walk->pass->work_row);
#ifndef FFN_NO_ADD
  if (part->gives_rows && walk->call->scale) {
    ffn_part_add(walk, part, own);
    return;
  }
#endif
  part->stage->columns(&part->task);
}

/* All columns of a stage for some rows whose input lies in `work`; 0: nobody wants them. `lays`:
 * whether rows may wait for a stage. */
static inline int ffn_part_begin(ffn_part *part, const ffn_walk *walk, size_t s, void *work,
    size_t token, size_t rows, const int lays) {
  const ffn_stage_walk *stage = &walk->pass->stages[s];
  const char *packed = (const char *)walk->call->packed;
  ffn_task *task = &part->task;
  part->stage = stage;
  part->column_step = stage->column_step;
  part->gives_rows = s + 1 == walk->pass->stage_count;
  task->out = part->gives_rows ? walk->call->y + token * walk->call->y_stride
                               : (float *)ffn_further(work, walk->slot_rows * stage[1].in_at);
  task->out_stride = walk->call->y_stride;
  /*@ ffn_outputs_run */
  if (walk->to) {
    if (!walk->to[s].y)
      return 0;
    part->gives_rows = 1;
    task->out_stride = walk->to[s].stride;
    task->out = walk->to[s].y + token * task->out_stride;
  }
  /*@ end */
  task->in = (const float *)ffn_further(
      work, walk->slot_rows * (lays ? ffn_operand_at(walk->pass, s) : stage->in_at));
  task->weights = packed + stage->weights_at;
  task->bias = (const float *)(const void *)(packed + stage->bias_at);
  task->begins = 0;
  task->bias_step = ffn_round_up(stage->outputs, FFN_PANEL);
  task->header = packed;
  task->choices = walk->kernel->choices;
  task->rows = rows;
  task->first = 0;
  task->last = task->bias_step;
  return 1;
}

/* Rows [first, last) through all stages, a walk of them at a time. */
FFN_SHARED void ffn_walk_rows_as(
    const ffn_walk *walk, void *work, size_t first, size_t last, const int lays) {
  for (size_t rows; first < last; first += rows) {
    rows = ffn_even_part(last - first, walk->slot_rows);
    ffn_walk_take(walk, work, first, rows);
    for (size_t s = 0; s < walk->pass->stage_count; ++s) {
      ffn_part part;
      /*@ ffn_walk_laid_rows */
      if (lays && ffn_rows_wait(walk->pass, s))
        ffn_lay_waiting(walk->pass, s, walk->call->packed, work, walk->slot_rows, 0, rows);
      /*@ end */
      if (ffn_part_begin(&part, walk, s, work, first, rows, lays))
        ffn_part_run(walk, &part, work);
    }
  }
}

/* The same of a pass in which no row waits for a stage, and of one in which some do. */
static inline void ffn_walk_rows(const ffn_walk *walk, void *work, size_t first, size_t last) {
  ffn_walk_rows_as(walk, work, first, last, 0);
}

static inline void ffn_walk_laid_rows(const ffn_walk *walk, void *work, size_t first, size_t last) {
  ffn_walk_rows_as(walk, work, first, last, 1);
}

/* Part `index` of `parts` of n, in multiples of step: [*first, *last). */
FFN_SHARED void ffn_share(
    size_t n, size_t step, size_t parts, size_t index, size_t *first, size_t *last) {
  const size_t steps = (n + step - 1) / step;
  *first = ffn_min(steps * index / parts * step, n);
  *last = ffn_min(steps * (index + 1) / parts * step, n);
}

#ifndef FFN_NO_ADD
/* Rows [first, last) of what gives whole rows, into work memory, and from there to y: as many as
 * one function of it takes, each of which has a layout of its own. None takes five to seven. Apart,
 * for gcc copies the records as vectors, and would align the stack of every call for these. */
FFN_APART void ffn_add_whole(const ffn_walk *walk, void *work, size_t first, size_t last) {
  const ffn_pass *pass = walk->pass;
  ffn_call part; /* `part = *call` is a call of memcpy() in clang's eyes */
  ffn_walk whole;
  FFN_MEMCPY(&part, walk->call, sizeof part);
  FFN_MEMCPY(&whole, walk, sizeof whole);
  whole.call = &part;
  part.y_stride = pass->add_columns;
  for (size_t rows; first < last; first += rows) {
    rows = pass->rows_per_walk;
    while (rows > last - first)
      rows = rows > 4 ? 4 : rows - 1;
    part.y = (float *)ffn_further(work, rows * pass->add_at);
    part.x = walk->call->x + first * walk->call->x_stride;
    pass->rows(&whole, work, 0, rows);
    ffn_add_rows(walk, walk->call->y + first * walk->call->y_stride, walk->call->y_stride, part.y,
        rows, pass->outputs);
  }
}
#endif

/* Rows [first, last) by one thread, as the call asks for them. */
FFN_SHARED void ffn_walk_some(const ffn_walk *walk, void *work, size_t first, size_t last) {
#ifndef FFN_NO_ADD
  if (walk->call->scale) {
    walk->pass->add(walk, work, first, last);
    return;
  }
#endif
  walk->pass->rows(walk, work, first, last);
}

static inline void ffn_rows_task(void *context, size_t index) {
  const ffn_walk *walk = (const ffn_walk *)context;
  const ffn_mode other = ffn_mode_enter(walk->mode);
  size_t first, last;
  ffn_share(walk->call->tokens, walk->pass->row_step, walk->tasks, index, &first, &last);
  ffn_walk_some(walk, ffn_further(walk->call->work, index * walk->slot_bytes), first, last);
  ffn_mode_leave(other);
}

FFN_SHARED size_t ffn_part_steps(const ffn_part *part) {
  return (part->task.last - part->task.first + part->column_step - 1) / part->column_step;
}

/* A task's share of the columns of all parts, one part behind the other. */
static inline void ffn_region_task(void *context, size_t index) {
  const ffn_region *region = (const ffn_region *)context;
  const ffn_walk *walk = region->walk;
  const ffn_mode other = ffn_mode_enter(walk->mode);
  void *own = ffn_further(walk->call->work, index * walk->slot_bytes);
  size_t from, until;
  ffn_share(region->steps, 1, region->tasks, index, &from, &until);
  for (size_t i = 0; i < region->count; ++i) {
    const ffn_part *all = &region->parts[i];
    const size_t steps = ffn_part_steps(all), step = all->column_step;
    const size_t first = ffn_min(from, steps), last = ffn_min(until, steps);
    if (first < last) {
      ffn_part part;
      FFN_MEMCPY(&part, all, sizeof part);
      part.task.first += first * step;
      part.task.last = ffn_min(all->task.first + last * step, all->task.last);
      ffn_part_run(walk, &part, own);
    }
    from -= first;
    until -= last;
  }
  ffn_mode_leave(other);
}

/* The columns of some parts by at most so many of the host's threads, each of which has the same
 * ones in every call: no claim, and no atomic. */
static inline void ffn_region_run(
    const ffn_walk *walk, const ffn_part *parts, size_t count, size_t threads) {
  const ffn_parallel *parallel = walk->call->parallel;
  ffn_region region = {walk, parts, count, 0, 0};
  for (size_t i = 0; i < count; ++i)
    region.steps += ffn_part_steps(&parts[i]);
  region.tasks = ffn_min(threads, region.steps);
  if (region.tasks > 1)
    parallel->run(parallel->pool, region.tasks, ffn_region_task, &region);
  else if (region.tasks == 1)
    ffn_region_task(&region, 0);
}

/* Rows that wait for a stage, in shares. */
typedef struct ffn_laying {
  const ffn_walk *walk;
  size_t stage, rows, tasks;
} ffn_laying;

FFN_APART void ffn_laying_task(void *context, size_t index) {
  const ffn_laying *laying = (const ffn_laying *)context;
  const ffn_walk *walk = laying->walk;
  const ffn_mode other = ffn_mode_enter(walk->mode);
  size_t first, last;
  ffn_share(laying->rows, 1, laying->tasks, index, &first, &last);
  ffn_lay_waiting(walk->pass, laying->stage, walk->call->packed, walk->call->work, walk->slot_rows,
      first, last);
  ffn_mode_leave(other);
}

FFN_APART void ffn_laying_run(const ffn_walk *walk, size_t s, size_t rows, size_t threads) {
  const ffn_parallel *parallel = walk->call->parallel;
  ffn_laying laying = {walk, s, rows, ffn_min(rows, threads)};
  if (laying.tasks > 1)
    parallel->run(parallel->pool, laying.tasks, ffn_laying_task, &laying);
  else
    ffn_laying_task(&laying, 0);
}

/* All rows, a walk of them at a time, the columns of each stage split over threads, or those of all
 * outputs at once. */
FFN_SHARED void ffn_walk_columns_as(const ffn_walk *walk, const int lays) {
  const ffn_pass *pass = walk->pass;
  const size_t tokens = walk->call->tokens, threads = walk->call->parallel->threads;
  ffn_part own, *parts = &own;
  size_t at_once = 1;
  /*@ ffn_outputs_run */
  if (walk->to)
    parts = walk->parts, at_once = pass->stage_count;
  /*@ end */
  for (size_t token = 0, rows; token < tokens; token += rows) {
    rows = ffn_even_part(tokens - token, walk->slot_rows);
    ffn_walk_take(walk, walk->call->work, token, rows);
    for (size_t s = 0; s < pass->stage_count;) {
      size_t count = 0;
      /*@ ffn_walk_laid_columns */
      if (lays && ffn_rows_wait(pass, s))
        ffn_laying_run(walk, s, rows, threads);
      /*@ end */
      for (const size_t end = s + at_once; s < end; ++s)
        count +=
            (size_t)ffn_part_begin(&parts[count], walk, s, walk->call->work, token, rows, lays);
      ffn_region_run(walk, parts, count, threads);
    }
  }
}

static inline void ffn_walk_columns(const ffn_walk *walk) { ffn_walk_columns_as(walk, 0); }

static inline void ffn_walk_laid_columns(const ffn_walk *walk) { ffn_walk_columns_as(walk, 1); }

/* ---- What a call asks for, told by asserts -------------------------------------------------- */

FFN_SHARED ffn_span ffn_call_x(const ffn_walk *walk) {
  const ffn_span x = {walk->call->x, walk->call->x_stride, walk->pass->inputs, walk->call->tokens};
  return x;
}

/* Whether packed weights and work memory, of which the call may take so many bytes, are apart from
 * the rows that it writes, from x and from each other. */
FFN_SHARED int ffn_call_memory_apart(const ffn_walk *walk, const ffn_span *y, size_t bytes) {
  const ffn_span x = ffn_call_x(walk);
  const ffn_span work = ffn_span_bytes(walk->call->work, bytes);
  const ffn_span packed = ffn_span_bytes(walk->call->packed, walk->pass->packed_bytes);
  return ffn_span_apart(&work, &packed) && ffn_span_apart(&work, &x) && ffn_span_apart(&work, y) &&
         ffn_span_apart(&packed, y);
}

/* Ends in an assert where anything is wrong with what a call reads or works in. */
FFN_SHARED int ffn_call_reads_right(const ffn_walk *walk, size_t threads) {
  FFN_ASSERT(walk->pass->max_tokens == 0 || walk->call->tokens <= walk->pass->max_tokens);
  FFN_ASSERT((uintptr_t)walk->call->packed % FFN_ALIGNMENT == 0);
  FFN_ASSERT((uintptr_t)walk->call->work % FFN_ALIGNMENT == 0);
  if (walk->call->tokens == 0)
    return 1;
  FFN_ASSERT(walk->call->packed && walk->call->work);
  FFN_ASSERT(walk->call->work_bytes / threads >= walk->slot_bytes);
  FFN_ASSERT(threads == 1 || walk->call->parallel->run);
  (void)threads; /* where asserts vanish */
  return 1;
}

FFN_SHARED ffn_span ffn_call_y(const ffn_walk *walk) {
  const ffn_span y = {walk->call->y, walk->call->y_stride, walk->pass->outputs, walk->call->tokens};
  return y;
}

/* Whether x can be read and y written. */
FFN_SHARED int ffn_call_rows_fit(const ffn_walk *walk) {
  const ffn_span x = ffn_call_x(walk), y = ffn_call_y(walk);
  return ffn_span_reads(&x) && ffn_span_writes(&y);
}

/* Whether y is apart from x, or x itself where that is allowed, row for row. */
FFN_SHARED int ffn_call_rows_apart(const ffn_walk *walk) {
  const ffn_span x = ffn_call_x(walk), y = ffn_call_y(walk);
  const ffn_call *call = walk->call;
  const int same_rows = call->tokens <= 1 ||
                        (call->y_stride == call->x_stride && call->x_stride >= walk->pass->inputs);
  return walk->pass->in_place && call->y == call->x ? same_rows : ffn_span_apart(&y, &x);
}

/* Ends in an assert where anything is wrong with a call. */
FFN_APART int ffn_call_is_right(const ffn_walk *walk, size_t threads) {
  const ffn_span y = ffn_call_y(walk);
  if (!ffn_call_reads_right(walk, threads) || walk->call->tokens == 0)
    return 1;
  FFN_ASSERT(ffn_call_rows_fit(walk));
  FFN_ASSERT(ffn_call_rows_apart(walk));
  FFN_ASSERT(ffn_call_memory_apart(walk, &y, threads * walk->slot_bytes));
  (void)y; /* where asserts vanish */
  return 1;
}

/* Whether nothing can be wrong with a call, but that threads have no run(): all lies one beside the
 * other, as in nearly every call. Told in few instructions, for a token of a small layer has not
 * many. */
FFN_SHARED int ffn_call_is_plain(const ffn_walk *walk, size_t threads) {
  const ffn_pass *pass = walk->pass;
  const ffn_call *call = walk->call;
  const size_t few = (size_t)1 << (4 * sizeof(size_t) - 2); /* few times few is no overflow */
  const size_t more = call->tokens - 1; /* no token is not few */
  const uintptr_t x = (uintptr_t)call->x, y = (uintptr_t)call->y;
  const uintptr_t packed = (uintptr_t)call->packed, work = (uintptr_t)call->work;
  const uintptr_t of_x = (uintptr_t)(more * call->x_stride + pass->inputs) * sizeof(float);
  const uintptr_t of_y = (uintptr_t)(more * call->y_stride + pass->outputs) * sizeof(float);
  const uintptr_t of_work = threads * walk->slot_bytes, of_packed = pass->packed_bytes;
  if ((more | call->x_stride | call->y_stride | threads | walk->slot_bytes) >= few ||
      call->work_bytes < of_work || (pass->max_tokens > 0 && more >= pass->max_tokens) ||
      (more > 0 && call->y_stride < pass->outputs))
    return 0;
  if (!ffn_span_aligned(call->x) || !ffn_span_aligned(call->y) ||
      ((packed | work) & (FFN_ALIGNMENT - 1)) != 0)
    return 0;
  /* There, and in the first half of all addresses, so that none of it wraps around them. */
  if ((((x - 1) | (y - 1) | (packed - 1) | (work - 1)) & ~(UINTPTR_MAX >> 1)) != 0)
    return 0;
  return ffn_span_beside(x, of_x, y, of_y) && ffn_span_beside(work, of_work, packed, of_packed) &&
         ffn_span_beside(work, of_work, x, of_x) && ffn_span_beside(work, of_work, y, of_y) &&
         ffn_span_beside(packed, of_packed, y, of_y);
}

/* ---- Several outputs: each has rows of its own to write ------------------------------------ */

FFN_SHARED ffn_span ffn_call_output(const ffn_walk *walk, size_t s) {
  const ffn_span y = {
      walk->to[s].y, walk->to[s].stride, walk->pass->stages[s].outputs, walk->call->tokens};
  return y;
}

/* Whether each row of an output lies in the row of x that it comes from, where that is allowed, and
 * no other row of x has part of that. */
FFN_SHARED int ffn_output_in_x(const ffn_walk *walk, const ffn_span *y) {
  const uintptr_t x = (uintptr_t)walk->call->x, first = (uintptr_t)y->first;
  if (!walk->pass->in_place)
    return 0;
  return walk->call->tokens == 1 ||
         (y->stride == walk->call->x_stride && walk->call->x_stride >= walk->pass->inputs &&
             x <= first &&
             first + y->columns * sizeof(float) <= x + walk->call->x_stride * sizeof(float));
}

/* Whether an output is apart from those before it, and from x, or lies in it row for row. */
FFN_SHARED int ffn_output_apart(const ffn_walk *walk, size_t s) {
  const ffn_span x = ffn_call_x(walk), y = ffn_call_output(walk, s);
  for (size_t i = 0; i < s; ++i) {
    const ffn_span before = ffn_call_output(walk, i);
    if (walk->to[i].y && !ffn_span_apart(&y, &before))
      return 0;
  }
  return ffn_output_in_x(walk, &y) || ffn_span_apart(&y, &x);
}

/* As ffn_call_is_right(), of a call with several outputs, of which some may not be wanted. */
FFN_APART int ffn_outputs_are_right(const ffn_walk *walk, size_t threads) {
  const ffn_span x = ffn_call_x(walk);
  if (!ffn_call_reads_right(walk, threads) || walk->call->tokens == 0)
    return 1;
  FFN_ASSERT(ffn_span_reads(&x));
  for (size_t s = 0; s < walk->pass->stage_count; ++s) {
    const ffn_span y = ffn_call_output(walk, s);
    if (!walk->to[s].y)
      continue;
    FFN_ASSERT(ffn_span_writes(&y));
    FFN_ASSERT(ffn_output_apart(walk, s));
    FFN_ASSERT(ffn_call_memory_apart(walk, &y, threads * walk->slot_bytes));
    (void)y; /* where asserts vanish */
  }
  (void)x;
  return 1;
}

/* Rows of all outputs side by side, as a call has them that says y; whether any is wanted. */
FFN_SHARED int ffn_outputs_begin(ffn_walk *walk, ffn_destination *beside, ffn_part *parts) {
  const ffn_pass *pass = walk->pass;
  float *y = walk->call->y;
  walk->to = walk->call->to ? walk->call->to : beside;
  walk->parts = parts;
  FFN_ASSERT(walk->call->to || walk->call->tokens == 0 || y);
  for (size_t s = 0; !walk->call->to && s < pass->stage_count; ++s) {
    beside[s].y = y;
    beside[s].stride = walk->call->y_stride;
    if (y)
      y += pass->stages[s].outputs;
  }
  for (size_t s = 0; s < pass->stage_count; ++s)
    if (walk->to[s].y)
      return 1;
  return 0;
}

/* ---- A call ---------------------------------------------------------------------------------- */

/* Runs a call that is right over so many of the host's threads. Many rows are split over rows: each
 * thread walks the whole layer for its own. Few rows are split over columns, one stage after the
 * other. Never over k: no split changes a bit. */
FFN_SHARED void ffn_walk_run(ffn_walk *walk, size_t threads) {
  const ffn_pass *pass = walk->pass;
  const ffn_parallel *parallel = walk->call->parallel;
  const size_t tokens = walk->call->tokens;
  FFN_ASSERT(tokens == 0 || ffn_packed_is(walk->call->packed, pass->packed_hash));
  if (tokens == 0)
    return;
  FFN_ASSERT(FFN_ADDS || !walk->call->scale);
  if (threads <= 1 || tokens < FFN_PARALLEL_FLOP / pass->flop_per_token) {
    ffn_walk_some(walk, walk->call->work, 0, tokens);
    return;
  }
  walk->mode = ffn_mode_of_thread();
  /*@ ffn_walk_columns */
  if (pass->columns && tokens / threads < pass->own_rows) {
    pass->columns(walk);
    return;
  }
  /*@ end */
  walk->tasks = threads;
  parallel->run(parallel->pool, threads, ffn_rows_task, walk);
}

/* How many of the host's threads a call may take. */
FFN_SHARED size_t ffn_threads_of(const ffn_parallel *parallel) {
  return parallel && parallel->threads > 1 ? parallel->threads : 1;
}

/* A call of a pass as it begins: what is told of a stage or a parallel run is not known yet. */
FFN_SHARED void ffn_walk_begin(
    ffn_walk *walk, const ffn_pass *pass, const ffn_kernel *kernel, const ffn_call *call) {
  walk->pass = pass;
  walk->kernel = kernel;
  walk->call = call;
  walk->slot_rows = ffn_min(ffn_max(call->tokens, 1), pass->rows_per_walk);
  walk->slot_bytes = walk->slot_rows * pass->work_row + pass->beside;
  /*@ ffn_outputs_run */
  walk->to = NULL;
  /*@ end */
}

/* What a call asks of a layer whose stages are a chain. */
static inline void ffn_pass_run(
    const ffn_pass *pass, const ffn_kernel *kernel, const ffn_call *call) {
  const size_t threads = ffn_threads_of(call->parallel);
  ffn_walk walk;
  ffn_walk_begin(&walk, pass, kernel, call);
  FFN_ASSERT(!call->to);
  FFN_ASSERT(((threads == 1 || call->parallel->run) && ffn_call_is_plain(&walk, threads)) ||
             ffn_call_is_right(&walk, threads));
  ffn_walk_run(&walk, threads);
}

/* The same of one with several outputs, for which there is room where a call says y alone. */
static inline void ffn_outputs_run(const ffn_pass *pass, const ffn_kernel *kernel,
    const ffn_call *call, ffn_destination *beside, ffn_part *parts) {
  const size_t threads = ffn_threads_of(call->parallel);
  ffn_walk walk;
  ffn_walk_begin(&walk, pass, kernel, call);
  if (!ffn_outputs_begin(&walk, beside, parts))
    return;
  FFN_ASSERT(ffn_outputs_are_right(&walk, threads));
  ffn_walk_run(&walk, threads);
}

/*@ foot */
#endif
/*@ end */
