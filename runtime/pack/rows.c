/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * rows.c - see rows.h. */
#include "pack/rows.h"
#include "pack/parts.h"

/* Bytes that are handed on at a time, where they lie as they are written. */
enum { direct_bytes = 1 << 20 };

/* What puts a table. */
typedef struct rows_job {
  const plan_rows *rows;
  const char *first; /* its first number */
  pack_pipe *pipe;
  char *const *memory;
  size_t bytes; /* of each memory */
  pack_problem *problem;
} rows_job;

/* Whether all numbers of f64 may be rows: floats, or such as are rounded. */
static int are_floats(const rows_job *job) {
  const plan_numbers *from = &job->rows->numbers;
  const size_t most = job->bytes / sizeof(float), width = job->rows->width;
  size_t bad_row = 0, bad_column = 0;
  for (size_t row = 0; row < job->rows->count; ++row)
    for (size_t column = 0; column < width; column += most) {
      const pack_numbers part = {job->first + row * from->row_bytes + column * from->column_bytes,
          (size_t)from->row_bytes, (size_t)from->column_bytes, from->encoding.kind};
      if (!gather_floats((float *)(void *)job->memory[0], most, part, 1,
              ffn_min(most, width - column), &bad_row, &bad_column))
        return fails(job->problem, code_bad_input, from->tensor,
            "its number of row %zu, column %zu is an f64 and not an f32%s", row,
            column + bad_column, what_helps(from->encoding.kind));
    }
  return 1;
}

/* Bytes that lie in the model's file as they are written. */
static int put_direct(const rows_job *job, uint64_t at, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes; done += direct_bytes)
    if (!pipe_put(job->pipe, at + done, job->first + done,
            (size_t)(bytes - done < direct_bytes ? bytes - done : direct_bytes), job->problem))
      return 0;
  return 1;
}

/* Rows that are gathered: with bytes between them, or whose numbers lie apart. */
static int put_gathered(const rows_job *job, uint64_t at, int is_together) {
  const plan_numbers *from = &job->rows->numbers;
  const size_t unit = from->encoding.bytes;
  const uint64_t row_bytes = plan_row(from, job->rows->width);
  size_t filled = 0, which = 0;
  for (size_t row = 0; row < job->rows->count; ++row)
    for (uint64_t done = 0; done < row_bytes;) {
      const uint64_t place = is_together ? done : done / unit * from->column_bytes;
      const size_t left = (size_t)(row_bytes - done);
      const size_t step = is_together ? ffn_min(left, job->bytes - filled) : unit;
      memcpy(job->memory[which] + filled, job->first + row * from->row_bytes + place, step);
      filled += step;
      done += step;
      if (job->bytes - filled >= unit && (row + 1 < job->rows->count || done < row_bytes))
        continue;
      if (!pipe_put(job->pipe, at, job->memory[which], filled, job->problem))
        return 0;
      at += filled;
      filled = 0;
      which = !which;
    }
  return 1;
}

static int put_table(const rows_job *job, uint64_t at, uint64_t bytes) {
  const plan_numbers *from = &job->rows->numbers;
  const encoding_kind kind = from->encoding.kind;
  const int is_together = kind == encoding_blocks || from->column_bytes == from->encoding.bytes ||
                          job->rows->width == 1;
  const int is_whole = job->rows->count == 1 || from->row_bytes == plan_row(from, job->rows->width);
  if ((kind == encoding_f64 || kind == encoding_f64_rounded) && !are_floats(job))
    return 0;
  return is_together && is_whole ? put_direct(job, at, bytes) : put_gathered(job, at, is_together);
}

int rows_pack(const file_layout *layout, const pack_source *sources, pack_pipe *pipe,
    char *const memory[2], size_t bytes, uint64_t *checksums, pack_problem *problem) {
  static const char zeros[FFN_FILE_STEP] = {0};
  uint64_t end = layout->head_bytes;
  if (layout->count > 0)
    end = layout->at[layout->count - 1] + layout->layers[layout->count - 1]->kernel->packed_bytes;
  if (!pipe_wait(pipe, problem))
    return 0;
  for (size_t i = 0; i < layout->rows_count; ++i) {
    const uint64_t at = layout->rows_at[i], size = file_layout_rows_bytes(layout, i);
    rows_job job = {&layout->rows[i], NULL, pipe, memory, bytes, problem};
    job.first = place_of(sources, &job.rows->numbers);
    if (!output_put(pipe->out, end, zeros, (size_t)(at - end), problem))
      return 0;
    pipe->hash = ffn_xxh64_begin();
    if (!put_table(&job, at, size) || !pipe_wait(pipe, problem))
      return 0;
    checksums[i] = ffn_xxh64_end(&pipe->hash);
    end = at + size;
  }
  return 1;
}
