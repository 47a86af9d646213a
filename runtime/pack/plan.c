/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan.c - see plan.h. JSON is read by Jansson, which refuses what is no JSON, keys that stand
 * twice, numbers beyond 64 bits, and what is nested deeper than 2048. */
#include "pack/plan.h"
#include "pack/scaled.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* What is being read, and where errors go. */
typedef struct reader {
  const char *where;
  pack_problem *problem;
} reader;

#define wrong(r, ...) fails((r)->problem, code_bad_input, (r)->where, __VA_ARGS__)

/* ---- Fields --------------------------------------------------------------------------------- */

/* Whether an object has these fields and no others; those behind a '?' may be missing. */
static int has_fields(const reader *r, const char *what, const json_t *object, const char *names) {
  size_t known = 0;
  if (!json_is_object(object))
    return wrong(r, "%s is no object", what);
  for (const char *at = names; *at;) {
    const size_t length = strcspn(at, " ");
    const int optional = *at == '?';
    char name[32] = {0};
    memcpy(name, at + optional, length - (size_t)optional);
    if (json_object_get(object, name))
      ++known;
    else if (!optional)
      return wrong(r, "%s has no \"%s\"", what, name);
    at += length + (at[length] == ' ');
  }
  if (known != json_object_size(object))
    return wrong(r, "%s has a field that this version does not know (it knows %s)", what, names);
  return 1;
}

static int whole(
    const reader *r, const char *what, const json_t *value, uint64_t most, uint64_t *to) {
  const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
  if (number < 0 || (uint64_t)number > most)
    return wrong(r, "%s must be a whole number from 0 to %llu", what, (unsigned long long)most);
  *to = (uint64_t)number;
  return 1;
}

static int whole_field(
    const reader *r, const json_t *object, const char *name, uint64_t most, uint64_t *to) {
  return whole(r, name, json_object_get(object, name), most, to);
}

/* A size of a matrix. */
static int size_field(const reader *r, const json_t *object, const char *name, size_t *to) {
  uint64_t size = 0;
  if (!whole_field(r, object, name, PLAN_MOST_SIZE, &size))
    return 0;
  if (size == 0)
    return wrong(r, "%s must not be 0", name);
  *to = (size_t)size;
  return 1;
}

static int text_field(const reader *r, const json_t *object, const char *name, const char **to) {
  const json_t *value = json_object_get(object, name);
  if (!json_is_string(value) || json_string_length(value) == 0 || json_string_length(value) > 4096)
    return wrong(r, "%s must be a text of 1 to 4096 bytes", name);
  *to = json_string_value(value);
  return 1;
}

/* So many zeroed records; at least one, so that none is no failure. */
static void *records(const reader *r, size_t count, size_t bytes) {
  void *memory = calloc(count ? count : 1, bytes);
  if (!memory)
    fails(r->problem, code_failure, r->where, "no memory for %zu records", count);
  return memory;
}

/* ---- Files ---------------------------------------------------------------------------------- */

static int read_hash(const reader *r, const json_t *value, uint64_t *to) {
  const char *text = json_is_string(value) ? json_string_value(value) : "";
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return wrong(r, "xxh64 must be sixteen digits of 0123456789abcdef");
  *to = strtoull(text, NULL, 16);
  return 1;
}

static int read_file(const reader *r, const json_t *value, plan_file *to) {
  uint64_t from = 0;
  if (!has_fields(r, "a file", value, "path bytes spans xxh64") ||
      !text_field(r, value, "path", &to->path) ||
      !whole_field(r, value, "bytes", PLAN_MOST_BYTES, &to->bytes) ||
      !read_hash(r, json_object_get(value, "xxh64"), &to->hash))
    return 0;
  const json_t *spans = json_object_get(value, "spans");
  if (!json_is_array(spans))
    return wrong(r, "spans must be a list");
  to->span_count = json_array_size(spans);
  to->spans = (plan_span *)records(r, to->span_count, sizeof *to->spans);
  if (!to->spans)
    return 0;
  for (size_t i = 0; i < to->span_count; ++i) {
    plan_span *span = &to->spans[i];
    const json_t *pair = json_array_get(spans, i);
    if (json_array_size(pair) != 2)
      return wrong(r, "a span must be a list of two numbers");
    if (!whole(r, "a span", json_array_get(pair, 0), to->bytes, &span->first) ||
        !whole(r, "a span", json_array_get(pair, 1), to->bytes, &span->bytes))
      return 0;
    if (span->first < from || span->bytes > to->bytes - span->first)
      return wrong(r, "spans of %s must ascend and lie in its %llu bytes", to->path,
          (unsigned long long)to->bytes);
    from = span->first + span->bytes;
  }
  return 1;
}

/* ---- Kernels -------------------------------------------------------------------------------- */

static int read_stage(const reader *r, const json_t *value, plan_stage *to) {
  const char *name = NULL, *format_name = NULL;
  uint64_t width = 0;
  if (!has_fields(
          r, "a stage", value, "name format inputs outputs matrices bias width at bias_at") ||
      !text_field(r, value, "name", &name) || !text_field(r, value, "format", &format_name) ||
      !size_field(r, value, "inputs", &to->inputs) ||
      !size_field(r, value, "outputs", &to->outputs) ||
      !whole_field(r, value, "width", PLAN_MOST_SIZE, &width) ||
      !whole_field(r, value, "at", PLAN_MOST_BYTES, &to->at) ||
      !whole_field(r, value, "bias_at", PLAN_MOST_BYTES, &to->bias_at))
    return 0;
  to->format = format_of(format_name);
  if (!to->format)
    return wrong(r, "no format \"%s\" in this version", format_name);
  const json_t *matrices = json_object_get(value, "matrices");
  const json_t *bias = json_object_get(value, "bias");
  to->branches = json_array_size(matrices);
  if (to->branches == 0 || to->branches > FFN_MAX_BRANCHES)
    return wrong(r, "a stage has one or two matrices");
  if (!json_is_boolean(bias))
    return wrong(r, "bias must be true or false");
  to->bias = json_is_true(bias);
  to->width = (size_t)width;
  if (to->width == 0 || to->width % FFN_PANEL != 0 ||
      to->width > ffn_round_up(to->outputs, FFN_PANEL) ||
      (to->branches > 1 && to->width != FFN_PANEL))
    return wrong(r, "no stage of %zu outputs has bundles of %zu columns", to->outputs, to->width);
  return 1;
}

/* Where the panels and biases of a stage end that begin at `at`; they must begin where the plan
 * says. Sizes are at most 2^20 each, so a stage has less than 2^50 bytes. */
static int lay_stage(const reader *r, plan_stage *stage, uint64_t *at) {
  const ffn_packing *packing = stage->format->packing;
  const uint64_t columns = ffn_round_up(stage->outputs, FFN_PANEL);
  const uint64_t groups = (stage->inputs + packing->k - 1) / packing->k;
  stage->bytes = columns / FFN_PANEL * stage->branches * (packing->head + groups * packing->bytes);
  const uint64_t bias_at = (*at + stage->bytes + FFN_ALIGNMENT - 1) / FFN_ALIGNMENT * FFN_ALIGNMENT;
  if (stage->at != *at || stage->bias_at != bias_at)
    return wrong(r,
        "a stage of %s lies at %llu and %llu, not at %llu and %llu as the plan says: "
        "it was made by another version",
        stage->format->name, (unsigned long long)*at, (unsigned long long)bias_at,
        (unsigned long long)stage->at, (unsigned long long)stage->bias_at);
  *at = bias_at + (stage->bias ? stage->branches * columns * sizeof(float) : 0);
  return 1;
}

static int read_kernel(const reader *r, const json_t *value, plan_kernel *to) {
  const char *kind = NULL;
  uint64_t parameters = 0, outputs = 0, at = sizeof(ffn_packed_header);
  if (!has_fields(r, "a kernel", value,
          "layer packed kind inputs hidden outputs parameters packed_bytes stages") ||
      !text_field(r, value, "layer", &to->layer) || !text_field(r, value, "packed", &to->packed) ||
      !text_field(r, value, "kind", &kind) ||
      !whole_field(r, value, "inputs", PLAN_MOST_BYTES, &to->inputs) ||
      !whole_field(r, value, "hidden", PLAN_MOST_BYTES, &to->hidden) ||
      !whole_field(r, value, "outputs", PLAN_MOST_BYTES, &to->outputs) ||
      !whole_field(r, value, "parameters", FFN_MAX_PARAMETERS, &parameters) ||
      !whole_field(r, value, "packed_bytes", PLAN_MOST_BYTES, &to->packed_bytes))
    return 0;
  const json_t *stages = json_object_get(value, "stages");
  to->parameters = (size_t)parameters;
  to->stage_count = json_array_size(stages);
  if (to->stage_count == 0 || to->stage_count > FFN_MAX_STAGES)
    return wrong(r, "a kernel has from 1 to %d stages", FFN_MAX_STAGES);
  for (size_t s = 0; s < to->stage_count; ++s) {
    if (!read_stage(r, json_array_get(stages, s), &to->stages[s]) ||
        !lay_stage(r, &to->stages[s], &at))
      return 0;
    to->matrix_count += to->stages[s].branches;
    /* Outputs of one x stand side by side. */
    outputs = (strcmp(kind, "linear") == 0 ? outputs : 0) + to->stages[s].outputs;
  }
  if (to->inputs != to->stages[0].inputs || to->outputs != outputs ||
      (to->hidden != 0 && to->hidden != to->stages[0].outputs))
    return wrong(r, "%s: its inputs, hidden and outputs are not those of its stages", to->layer);
  if (at != to->packed_bytes)
    return wrong(r, "%s has %llu bytes where it is packed, not %llu as the plan says", to->packed,
        (unsigned long long)at, (unsigned long long)to->packed_bytes);
  return 1;
}

/* ---- Layers --------------------------------------------------------------------------------- */

uint64_t plan_row(const plan_numbers *numbers, size_t inputs) {
  return (inputs + numbers->encoding.inputs - 1) / numbers->encoding.inputs *
         numbers->encoding.bytes;
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
    return wrong(r, "%s: what the plan takes of it lies beyond its %llu bytes, or the %llu of %s",
        n->tensor, (unsigned long long)n->bytes, (unsigned long long)file->bytes, file->path);
  return 1;
}

#define NUMBER_FIELDS "tensor file first bytes encoding row_bytes column_bytes"

/* `fields` are these, and others that the caller reads. */
static int read_numbers(const reader *r, const pack_plan *plan, const json_t *value,
    const char *fields, plan_numbers *to) {
  const char *name = NULL;
  uint64_t file = 0;
  if (!has_fields(r, "where numbers lie", value, fields) ||
      !text_field(r, value, "tensor", &to->tensor) || !text_field(r, value, "encoding", &name) ||
      !whole_field(r, value, "file", UINT32_MAX, &file) ||
      !whole_field(r, value, "first", PLAN_MOST_BYTES, &to->first) ||
      !whole_field(r, value, "bytes", PLAN_MOST_BYTES, &to->bytes) ||
      !whole_field(r, value, "row_bytes", PLAN_MOST_BYTES, &to->row_bytes) ||
      !whole_field(r, value, "column_bytes", PLAN_MOST_BYTES, &to->column_bytes))
    return 0;
  if (file >= plan->file_count)
    return wrong(r, "%s: the plan has no file %llu", to->tensor, (unsigned long long)file);
  to->file = (size_t)file;
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
         wrong(r, "%s: its rows do not lie apart from each other", n->tensor);
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
  uint64_t every = 0, add = 0;
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
    if (!read_beside(
            r, plan, zeros, NUMBER_FIELDS " rows add", stage, count, &to->zeros, &to->zero_rows) ||
        !whole_field(r, zeros, "add", 1, &add))
      return 0;
    to->zero_add = (unsigned)add;
  }
  if (!to->has_groups)
    return 1;
  if (!read_numbers(r, plan, groups, NUMBER_FIELDS, &to->groups))
    return 0;
  if (to->groups.encoding.kind != encoding_i32)
    return wrong(r, "%s: groups are told in i32", to->groups.tensor);
  return units_lie_in(r, plan, &to->groups, 1, stage->inputs);
}

static int read_weight(const reader *r, const pack_plan *plan, const json_t *value,
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
    return scaled_fits(stage->format, matrix)
               ? units_lie_in(r, plan, to, stage->outputs, stage->inputs)
               : wrong(r, "%s: weights of %s are not packed from %s with such scales and zeros",
                     to->tensor, stage->format->name, from->name);
  }
  if (!format_takes(stage->format, from))
    return wrong(
        r, "%s: weights of %s are not packed from %s", to->tensor, stage->format->name, from->name);
  if (encoding_is_float(from->kind))
    return lies_in(
        r, plan, to, stage->outputs, to->row_bytes, stage->inputs, to->column_bytes, from->bytes);
  if (stage->inputs % from->inputs != 0 || to->column_bytes != 0)
    return wrong(r, "%s: rows of %s are whole blocks of %zu inputs, one after the other",
        to->tensor, from->name, from->inputs);
  if (stage->outputs > 1 && to->row_bytes < plan_row(to, stage->inputs))
    return wrong(r, "%s: rows of %s lie one over the other", to->tensor, from->name);
  return lies_in(r, plan, to, stage->outputs, to->row_bytes, 1, 0, plan_row(to, stage->inputs));
}

/* A number for each output. */
static int read_vector(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, const char *what, plan_numbers *to) {
  if (!read_numbers(r, plan, value, NUMBER_FIELDS, to))
    return 0;
  if (!encoding_is_float(to->encoding.kind) || to->row_bytes != 0)
    return wrong(r, "%s: %s is a vector of f32, f16, bf16 or f64", to->tensor, what);
  return lies_in(r, plan, to, stage->outputs, to->column_bytes, 1, 0, to->encoding.bytes);
}

static int read_bias(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_numbers *to) {
  if (json_is_null(value)) /* its tensor is NULL, as records are zeroed */
    return 1;
  if (!stage->bias)
    return wrong(r, "a bias of a stage that has none");
  return read_vector(r, plan, value, stage, "a bias", to);
}

/* A norm behind the product, which is folded into floats: it makes others of them. */
static int read_affine(const reader *r, const pack_plan *plan, const json_t *value,
    const plan_stage *stage, plan_matrix *matrix) {
  plan_affine *to = &matrix->affine;
  const char *tensor = matrix->weight.tensor;
  if (!value)
    return 1;
  if (!has_fields(r, "what is folded in", value, "epsilon gamma beta mean variance"))
    return 0;
  const json_t *epsilon = json_object_get(value, "epsilon");
  to->epsilon = json_number_value(epsilon);
  if (!json_is_number(epsilon) || !(to->epsilon >= 0.0 && to->epsilon <= 0x1.fffffep127))
    return wrong(r, "%s: epsilon must be a number that is not negative", tensor);
  if (strcmp(stage->format->name, "f32") != 0 || !stage->bias ||
      !encoding_is_float(matrix->weight.encoding.kind))
    return wrong(r, "%s: a norm is folded into floats alone, of an f32 stage with biases", tensor);
  return read_vector(r, plan, json_object_get(value, "gamma"), stage, "gamma", &to->gamma) &&
         read_vector(r, plan, json_object_get(value, "beta"), stage, "beta", &to->beta) &&
         read_vector(r, plan, json_object_get(value, "mean"), stage, "mean", &to->mean) &&
         read_vector(r, plan, json_object_get(value, "variance"), stage, "variance", &to->variance);
}

static int read_matrix(const reader *r, const pack_plan *plan, const json_t *value,
    plan_layer *layer, size_t stage, size_t branch, plan_matrix *to) {
  const plan_stage *own = &layer->kernel->stages[stage];
  uint64_t s = 0, b = 0;
  size_t outputs = 0, inputs = 0;
  if (!has_fields(r, "a matrix", value, "stage branch outputs inputs weight bias ?affine") ||
      !whole_field(r, value, "stage", FFN_MAX_STAGES, &s) ||
      !whole_field(r, value, "branch", FFN_MAX_BRANCHES, &b) ||
      !size_field(r, value, "outputs", &outputs) || !size_field(r, value, "inputs", &inputs))
    return 0;
  if (s != stage || b != branch)
    return wrong(r, "%s: matrices must be those of the kernel, stage by stage", layer->name);
  if (outputs != own->outputs || inputs != own->inputs)
    return wrong(r, "%s: a matrix of %zu x %zu, where the kernel has %zu x %zu", layer->name,
        outputs, inputs, own->outputs, own->inputs);
  return read_weight(r, plan, json_object_get(value, "weight"), own, to) &&
         read_bias(r, plan, json_object_get(value, "bias"), own, &to->bias) &&
         read_affine(r, plan, json_object_get(value, "affine"), own, to);
}

static int read_parameters(const reader *r, const json_t *list, plan_layer *to) {
  if (!json_is_array(list) || json_array_size(list) != to->kernel->parameters)
    return wrong(r, "%s: %s has %zu parameters with its weights", to->name, to->kernel->layer,
        to->kernel->parameters);
  for (size_t i = 0; i < to->kernel->parameters; ++i) {
    const json_t *value = json_array_get(list, i);
    const double number = json_number_value(value);
    if (!json_is_number(value) || number > 0x1.fffffep127 || number < -0x1.fffffep127)
      return wrong(r, "%s: a parameter must be a number", to->name);
    to->parameters[i] = (float)number;
  }
  return 1;
}

static int read_layer(const reader *r, const pack_plan *plan, const json_t *value, plan_layer *to) {
  uint64_t index = 0, part = 0, kernel = 0;
  if (!has_fields(r, "a layer", value, "index name kernel parameters matrices ?part") ||
      !text_field(r, value, "name", &to->name) ||
      !whole_field(r, value, "index", UINT32_MAX, &index) ||
      !whole_field(r, value, "kernel", UINT32_MAX, &kernel) ||
      (json_object_get(value, "part") && !whole_field(r, value, "part", UINT32_MAX, &part)))
    return 0;
  if (kernel >= plan->kernel_count)
    return wrong(r, "%s: the plan has no kernel %llu", to->name, (unsigned long long)kernel);
  to->index = (uint32_t)index;
  to->part = (uint32_t)part;
  to->kernel = &plan->kernels[kernel];
  if (!read_parameters(r, json_object_get(value, "parameters"), to))
    return 0;
  const json_t *matrices = json_object_get(value, "matrices");
  if (!json_is_array(matrices) || json_array_size(matrices) != to->kernel->matrix_count)
    return wrong(
        r, "%s: %s has %zu matrices", to->name, to->kernel->layer, to->kernel->matrix_count);
  to->matrices = (plan_matrix *)records(r, to->kernel->matrix_count, sizeof *to->matrices);
  if (!to->matrices)
    return 0;
  for (size_t s = 0, i = 0; s < to->kernel->stage_count; ++s)
    for (size_t b = 0; b < to->kernel->stages[s].branches; ++b, ++i)
      if (!read_matrix(r, plan, json_array_get(matrices, i), to, s, b, &to->matrices[i]))
        return 0;
  return 1;
}

/* ---- The plan ------------------------------------------------------------------------------- */

/* The list of a name, at most so long, and room for its records. */
static int list_of(const reader *r, const json_t *root, const char *name, size_t bytes,
    const json_t **list, size_t *count, void **memory) {
  *list = json_object_get(root, name);
  if (!json_is_array(*list) || json_array_size(*list) == 0)
    return wrong(r, "%s must be a list, and not empty", name);
  *memory = records(r, json_array_size(*list), bytes);
  if (!*memory)
    return 0;
  *count = json_array_size(*list);
  return 1;
}

static int read_lists(const reader *r, const json_t *root, pack_plan *to) {
  const json_t *list;
  void *memory = NULL;
  if (!list_of(r, root, "files", sizeof *to->files, &list, &to->file_count, &memory))
    return 0;
  to->files = (plan_file *)memory;
  for (size_t i = 0; i < to->file_count; ++i)
    if (!read_file(r, json_array_get(list, i), &to->files[i]))
      return 0;
  if (!list_of(r, root, "kernels", sizeof *to->kernels, &list, &to->kernel_count, &memory))
    return 0;
  to->kernels = (plan_kernel *)memory;
  for (size_t i = 0; i < to->kernel_count; ++i)
    if (!read_kernel(r, json_array_get(list, i), &to->kernels[i]))
      return 0;
  if (!list_of(r, root, "layers", sizeof *to->layers, &list, &to->layer_count, &memory))
    return 0;
  to->layers = (plan_layer *)memory;
  for (size_t i = 0; i < to->layer_count; ++i) {
    plan_layer *layer = &to->layers[i];
    const json_t *value = json_array_get(list, i);
    if (!read_layer(r, to, value, layer))
      return 0;
    /* Parts of a layer that the plan does not number are in its order. */
    if (i > 0 && layer[-1].index == layer->index && !json_object_get(value, "part"))
      layer->part = layer[-1].part < UINT32_MAX ? layer[-1].part + 1 : 0;
    if (i > 0 && (layer[-1].index > layer->index ||
                     (layer[-1].index == layer->index && layer[-1].part >= layer->part)))
      return wrong(r, "%s: layers must ascend, each once", layer->name);
  }
  return 1;
}

int plan_read(
    pack_plan *to, const char *text, size_t bytes, const char *where, pack_problem *problem) {
  const reader r = {where, problem};
  json_error_t error;
  uint64_t version = 0, abi = 0, layout = 0;
  memset(to, 0, sizeof *to);
  if (bytes > PLAN_MOST_TEXT)
    return wrong(&r, "a plan has at most %zu bytes", PLAN_MOST_TEXT);
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    return wrong(&r, "line %d: %s", error.line, error.text);
  to->text = root;
  if (!json_is_object(root) || !json_object_get(root, "ffngen_plan"))
    return wrong(&r, "it is no plan of ffngen import");
  if (!whole_field(&r, root, "ffngen_plan", UINT32_MAX, &version))
    return 0;
  if (version != PLAN_VERSION)
    return wrong(&r,
        "it is of version %llu, and this ffn-pack reads %d: make it anew by ffngen "
        "import, or take the ffn-pack beside it",
        (unsigned long long)version, PLAN_VERSION);
  if (!has_fields(&r, "the plan", root, "ffngen_plan abi layout files kernels layers") ||
      !whole_field(&r, root, "abi", UINT32_MAX, &abi) ||
      !whole_field(&r, root, "layout", UINT32_MAX, &layout))
    return 0;
  /* Nothing asks the ABI, as nothing asks that of packed weights: it is for people. */
  if (layout != FFN_LAYOUT)
    return wrong(&r,
        "its weights lie as layout %llu says, and this ffn-pack packs %d: make it "
        "anew by ffngen import",
        (unsigned long long)layout, FFN_LAYOUT);
  return read_lists(&r, root, to);
}

void plan_free(pack_plan *plan) {
  for (size_t i = 0; plan->files && i < plan->file_count; ++i)
    free(plan->files[i].spans);
  for (size_t i = 0; plan->layers && i < plan->layer_count; ++i)
    free(plan->layers[i].matrices);
  free(plan->files);
  free(plan->kernels);
  free(plan->layers);
  json_decref((json_t *)plan->text);
  memset(plan, 0, sizeof *plan);
}
