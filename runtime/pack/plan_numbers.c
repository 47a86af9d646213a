/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan_numbers.c - see plan_numbers.h. */
#include "pack/plan_numbers.h"
#include "file_rows.h"
#include "pack/scaled.h"
#include "pack/scaled_bias.h"

#include <math.h>
#include <string.h>

uint64_t plan_row(const plan_numbers *numbers, size_t inputs) {
  return (inputs + numbers->encoding.inputs - 1) / numbers->encoding.inputs *
         numbers->encoding.bytes;
}

/* Whether bytes may be packed that import has read, too: it reads headers, where no weights are,
 * and small numbers. Behind the first span, and of few bytes, it may have read what is packed. */
static int lies_apart_from_header(
    const reader *r, const plan_file *file, const plan_numbers *n, uint64_t taken) {
  const uint64_t end = n->first + taken;
  for (size_t i = 0; i < file->span_count; ++i) {
    const plan_span *span = &file->spans[i];
    const uint64_t stop = span->first + span->bytes;
    if (n->first >= stop || end <= span->first)
      continue;
    if (n->first < span->first || end > stop || (span->first == 0 && taken > PLAN_MOST_READ))
      return wrong(r,
          "first: %s begins at byte %llu of %s, in what import read as its header: " PLAN_ANEW,
          n->tensor, (unsigned long long)n->first, file->path);
  }
  return 1;
}

/* Whether what is read from `first` on, (count - 1) * step + ... + last bytes, ends in the file and
 * is no more than the tensor has. All of it is below 2^20 * 2^52 + ...: compared by division. */
static int lies_in(const reader *r, const pack_plan *plan, const plan_numbers *n, size_t outputs,
    uint64_t row, size_t inputs, uint64_t column, uint64_t last) {
  const plan_file *file = &plan->files[n->file];
  const uint64_t most = n->bytes < file->bytes ? n->bytes : file->bytes;
  uint64_t left = most < last ? 0 : most - last;
  int fits = most >= last && n->first <= file->bytes;
  if (fits && outputs > 1)
    fits = row <= left / (outputs - 1);
  if (fits)
    left -= row * (outputs - 1);
  if (fits && inputs > 1)
    fits = column <= left / (inputs - 1);
  if (fits)
    left -= column * (inputs - 1);
  const uint64_t taken = most - left;
  if (!fits || taken > file->bytes - n->first)
    return wrong(r,
        "%s: what the plan takes of it lies beyond its %llu bytes, or the %llu of %s: " PLAN_ANEW,
        n->tensor, (unsigned long long)n->bytes, (unsigned long long)file->bytes, file->path);
  return lies_apart_from_header(r, file, n, taken);
}

#define NUMBER_FIELDS "tensor file first bytes encoding row_bytes column_bytes"

/* `fields` are these, and others that the caller reads. */
static int read_numbers(const reader *r, const pack_plan *plan, const json_t *value,
    const char *fields, plan_numbers *to) {
  const char *name = NULL;
  uint64_t file = 0;
  if (!has_fields(r, "where numbers lie", value, fields) ||
      !text_field(r, value, "tensor", &to->tensor) || !text_field(r, value, "encoding", &name) ||
      !whole_field(r, value, "file", PLAN_MOST_INDEX, &file) ||
      !whole_field(r, value, "first", PLAN_MOST_BYTES, &to->first) ||
      !whole_field(r, value, "bytes", PLAN_MOST_BYTES, &to->bytes) ||
      !whole_field(r, value, "row_bytes", PLAN_MOST_BYTES, &to->row_bytes) ||
      !whole_field(r, value, "column_bytes", PLAN_MOST_BYTES, &to->column_bytes))
    return 0;
  if (file >= plan->file_count)
    return wrong(r, "%s: the plan has no file %llu", to->tensor, (unsigned long long)file);
  to->file = (size_t)file;
  if (to->bytes > plan->files[file].bytes)
    return wrong(r, "bytes: %s has %llu of them, and %s has %llu: " PLAN_ANEW, to->tensor,
        (unsigned long long)to->bytes, plan->files[file].path,
        (unsigned long long)plan->files[file].bytes);
  if (!encoding_of(name, &to->encoding))
    return wrong(r, "%s: its numbers are %s, which this version does not know", to->tensor, name);
  return 1;
}

/* Whether units of several numbers lie in the file, and apart from each other: rows in each
 * other's columns, or the other way round. */
static int units_lie_in(
    const reader *r, const pack_plan *plan, const plan_numbers *n, size_t outputs, size_t inputs) {
  const pack_encoding *e = &n->encoding;
  const uint64_t rows = (outputs + e->outputs - 1) / e->outputs;
  const uint64_t columns = (inputs + e->inputs - 1) / e->inputs;
  if (!lies_in(r, plan, n, (size_t)rows, n->row_bytes, (size_t)columns, n->column_bytes, e->bytes))
    return 0;
  /* Products are in the file now. */
  const uint64_t across = (columns - 1) * n->column_bytes + e->bytes;
  const uint64_t along = (rows - 1) * n->row_bytes + e->bytes;
  const int by_row =
      (columns == 1 || n->column_bytes >= e->bytes) && (rows == 1 || n->row_bytes >= across);
  const int by_column =
      (rows == 1 || n->row_bytes >= e->bytes) && (columns == 1 || n->column_bytes >= along);
  return by_row || by_column ||
         wrong(r,
             "row_bytes, column_bytes: numbers of %s lie over each other, %llu and %llu bytes "
             "apart: " PLAN_ANEW,
             n->tensor, (unsigned long long)n->row_bytes, (unsigned long long)n->column_bytes);
}

/* Scales or zeros: a row of numbers for so many outputs. */
static int read_beside(const reader *r, const pack_plan *plan, const json_t *value,
    const char *fields, const plan_stage *stage, size_t groups, plan_numbers *to, size_t *rows) {
  if (!read_numbers(r, plan, value, fields, to) || !size_field(r, value, "rows", rows))
    return 0;
  if (*rows > 1 && to->encoding.outputs > 1)
    return wrong(r, "%s: units of several outputs share no row", to->tensor);
  return units_lie_in(r, plan, to, (stage->outputs + *rows - 1) / *rows, groups);
}

static int read_scaled(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_scaled *to) {
  const json_t *zeros = json_object_get(value, "zeros"), *groups = json_object_get(value, "groups");
  uint64_t every = 0, add = 0, only = 0;
  if (!whole_field(r, value, "every", PLAN_MOST_SIZE, &every))
    return 0;
  to->every = (size_t)every;
  const size_t count = every ? (stage->inputs + to->every - 1) / to->every : 1;
  to->has_zeros = !json_is_null(zeros);
  to->has_groups = !json_is_null(groups);
  if (!read_beside(r, plan, json_object_get(value, "scales"), NUMBER_FIELDS " rows", stage, count,
          &to->scales, &to->scale_rows))
    return 0;
  if (to->has_zeros) {
    if (!read_beside(r, plan, zeros, NUMBER_FIELDS " rows add ?only", stage, count, &to->zeros,
            &to->zero_rows) ||
        !whole_field(r, zeros, "add", 1, &add) ||
        (json_object_get(zeros, "only") && !whole_field(r, zeros, "only", 15, &only)))
      return 0;
    to->zero_add = (unsigned)add;
    to->zero_only = (unsigned)only;
  }
  if (!to->has_groups)
    return 1;
  if (!read_numbers(r, plan, groups, NUMBER_FIELDS, &to->groups))
    return 0;
  if (to->groups.encoding.kind != encoding_i32)
    return wrong(r, "%s: groups are told in i32", to->groups.tensor);
  return units_lie_in(r, plan, &to->groups, 1, stage->inputs);
}

/* The same of floats, or of blocks, whose rows lie whole. */
static int rows_lie_in(
    const reader *r, const pack_plan *plan, const plan_numbers *n, size_t outputs, size_t inputs) {
  const pack_encoding *e = &n->encoding;
  if (encoding_is_float(e->kind))
    return units_lie_in(r, plan, n, outputs, inputs);
  if (inputs % e->inputs != 0 || n->column_bytes != 0)
    return wrong(r, "%s: rows of %s are whole blocks of %zu inputs, one after the other", n->tensor,
        e->name, e->inputs);
  if (outputs > 1 && n->row_bytes < plan_row(n, inputs))
    return wrong(r, "%s: rows of %s lie one over the other", n->tensor, e->name);
  return lies_in(r, plan, n, outputs, n->row_bytes, 1, 0, plan_row(n, inputs));
}

const char *rows_encoding(const plan_numbers *numbers) {
  const pack_encoding *e = &numbers->encoding;
  return e->kind == encoding_f64_rounded ? "f64" : e->name;
}

int read_weight(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_matrix *matrix) {
  plan_numbers *to = &matrix->weight;
  const int has_scales = json_object_get(value, "scales") != NULL;
  const char *fields = has_scales ? NUMBER_FIELDS " every scales zeros groups" : NUMBER_FIELDS;
  if (!read_numbers(r, plan, value, fields, to))
    return 0;
  const pack_encoding *from = &to->encoding;
  if (has_scales != encoding_is_scaled(from->kind))
    return wrong(r, "%s: numbers in %s have %s beside them", to->tensor, from->name,
        has_scales ? "no scales" : "scales");
  if (has_scales) {
    if (!read_scaled(r, plan, value, stage, &matrix->scaled))
      return 0;
    to->encoding.own = scaled_own(matrix);
    return scaled_fits(stage->format, matrix)
               ? units_lie_in(r, plan, to, stage->outputs, stage->inputs)
               : wrong(r, "%s: weights of %s are not packed from %s with such scales and zeros",
                     to->tensor, stage->format->name, from->name);
  }
  if (!format_takes(stage->format, from))
    return wrong(
        r, "%s: weights of %s are not packed from %s", to->tensor, stage->format->name, from->name);
  return rows_lie_in(r, plan, to, stage->outputs, stage->inputs);
}

int read_rows(const reader *r, const pack_plan *plan, const json_t *value, plan_rows *to) {
  plan_numbers *numbers = &to->numbers;
  if (!read_numbers(r, plan, value, NUMBER_FIELDS " name count width", numbers) ||
      !text_field(r, value, "name", &to->name) || !size_field(r, value, "count", &to->count) ||
      !size_field(r, value, "width", &to->width))
    return 0;
  if (!ffn_file_encoding_of(rows_encoding(numbers)))
    return wrong(r, "%s: a packed file has no rows of %s", to->name, numbers->encoding.name);
  return rows_lie_in(r, plan, numbers, to->count, to->width);
}

/* Whether numbers of a vector, one for each output, lie in the file and apart from each other. */
static int vector_lies_in(
    const reader *r, const pack_plan *plan, const plan_stage *stage, const plan_numbers *to) {
  if (to->column_bytes > 0 && to->column_bytes < to->encoding.bytes)
    return wrong(r, "column_bytes: numbers of %s lie over each other, %llu bytes apart: " PLAN_ANEW,
        to->tensor, (unsigned long long)to->column_bytes);
  return lies_in(r, plan, to, stage->outputs, to->column_bytes, 1, 0, to->encoding.bytes);
}

/* A number for each output. */
static int read_vector(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, const char *what, plan_numbers *to) {
  if (!read_numbers(r, plan, value, NUMBER_FIELDS, to))
    return 0;
  if (!encoding_is_float(to->encoding.kind) || to->row_bytes != 0)
    return wrong(r, "%s: %s is a vector of f32, f16, bf16 or f64", to->tensor, what);
  return vector_lies_in(r, plan, stage, to);
}

/* An integer for each output, with scales beside them. */
static int read_scaled_bias(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_matrix *matrix) {
  plan_numbers *to = &matrix->bias;
  if (!read_numbers(r, plan, value, NUMBER_FIELDS " every scales zeros groups", to) ||
      !read_scaled(r, plan, value, stage, &matrix->bias_scaled))
    return 0;
  if (to->row_bytes != 0 || !scaled_bias_fits(matrix))
    return wrong(r, "%s: a bias of %s has no such scales and zeros", to->tensor, to->encoding.name);
  return vector_lies_in(r, plan, stage, to);
}

int read_bias(const reader *r, const pack_plan *plan, const json_t *value, const plan_stage *stage,
    plan_matrix *matrix) {
  if (json_is_null(value)) /* its tensor is NULL, as records are zeroed */
    return 1;
  if (!stage->bias)
    return wrong(r, "a bias of a stage that has none");
  if (json_object_get(value, "scales"))
    return read_scaled_bias(r, plan, value, stage, matrix);
  return read_vector(r, plan, value, stage, "a bias", &matrix->bias);
}

int read_affine(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_matrix *matrix) {
  plan_affine *to = &matrix->affine;
  const char *tensor = matrix->weight.tensor;
  if (!value)
    return 1;
  if (!has_fields(r, "what is folded in", value, "epsilon gamma beta mean variance"))
    return 0;
  const json_t *epsilon = json_object_get(value, "epsilon");
  to->epsilon = json_number_value(epsilon);
  if (!json_is_number(epsilon) || !(to->epsilon >= 0.0 && to->epsilon <= PLAN_MOST_NUMBER))
    return wrong(r, "%s: epsilon must be a number that is not negative", tensor);
  if (strcmp(stage->format->name, "f32") != 0 || !stage->bias || matrix->bias_scaled.scale_rows ||
      !encoding_is_float(matrix->weight.encoding.kind))
    return wrong(r, "%s: a norm is folded into floats alone, of an f32 stage with biases", tensor);
  return read_vector(r, plan, json_object_get(value, "gamma"), stage, "gamma", &to->gamma) &&
         read_vector(r, plan, json_object_get(value, "beta"), stage, "beta", &to->beta) &&
         read_vector(r, plan, json_object_get(value, "mean"), stage, "mean", &to->mean) &&
         read_vector(r, plan, json_object_get(value, "variance"), stage, "variance", &to->variance);
}
