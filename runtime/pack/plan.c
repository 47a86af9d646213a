/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * plan.c - see plan.h. JSON is read by Jansson, which refuses what is no JSON, keys that stand
 * twice, numbers beyond 64 bits, and what is nested deeper than 2048. */
#include "pack/plan.h"
#include "pack/plan_fields.h"
#include "pack/plan_kernel.h"
#include "pack/plan_numbers.h"
#include "xxh64.h"

#include <stdlib.h>
#include <string.h>

/* ---- Files ---------------------------------------------------------------------------------- */

static int read_hash(const reader *r, const json_t *value, uint64_t *to) {
  const char *text = json_is_string(value) ? json_string_value(value) : "";
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
    return wrong(r, "xxh64 must be sixteen digits of 0123456789abcdef");
  *to = strtoull(text, NULL, 16);
  return 1;
}

/* What the i-th file is decoded of. Each number has a byte there, at least. */
static int read_varints(const reader *r, const pack_plan *plan, const json_t *value, size_t i) {
  plan_varints *to = &plan->files[i].varints;
  const char *type = NULL;
  uint64_t file = 0;
  if (!has_fields(r, "varints", value, "file first bytes type") ||
      !text_field(r, value, "type", &type) ||
      !whole_field(r, value, "file", PLAN_MOST_INDEX, &file) ||
      !whole_field(r, value, "first", PLAN_MOST_BYTES, &to->first) ||
      !whole_field(r, value, "bytes", PLAN_MOST_BYTES, &to->bytes))
    return 0;
  to->type = varint_type_of(type);
  if (!to->type)
    return wrong(r, "varints of %s, which this version does not know", type);
  if (file >= i || plan->files[file].varints.type)
    return wrong(r, "varints of a file that is not before them, or is made of some");
  if (plan->files[i].span_count > 0)
    return wrong(r, "spans of a file that is made of varints");
  to->file = (size_t)file;
  const plan_file *of = &plan->files[file];
  const uint64_t bytes = plan->files[i].bytes, unit = to->type->bytes;
  if (to->first > of->bytes || to->bytes > of->bytes - to->first || bytes % unit != 0 ||
      bytes / unit > to->bytes)
    return wrong(r, "%llu bytes of varints of %s do not make %llu bytes of %s: " PLAN_ANEW,
        (unsigned long long)to->bytes, of->path, (unsigned long long)bytes, type);
  return 1;
}

static int read_file(const reader *r, const json_t *value, plan_file *to) {
  uint64_t from = 0;
  if (!has_fields(r, "a file", value, "path bytes spans xxh64 ?varints") ||
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

/* Columns of a bundle, as weights/layout.lua has them: so many panels that these lines lie
 * together, but no more than there are, and one where the panels are no multiple of these. */
static size_t width_of(const plan_stage *stage) {
  const size_t all = ffn_round_up(stage->outputs, FFN_PANEL) / FFN_PANEL;
  const size_t most = (stage_is_wide(stage) ? PLAN_WIDE_LINES : PLAN_LINES) / stage->branches;
  const size_t panels = ffn_min(ffn_max(most, 1), all);
  return (all > 0 && all % panels == 0 ? panels : 1) * FFN_PANEL;
}

static int read_stage(const reader *r, const json_t *value, plan_stage *to) {
  const char *format_name = NULL;
  uint64_t width = 0;
  if (!has_fields(r, "a stage", value,
          "name format inputs outputs matrices bias width at bias_at ?operand_at") ||
      !text_field(r, value, "name", &to->name) || !text_field(r, value, "format", &format_name) ||
      !size_field(r, value, "inputs", &to->inputs) ||
      !size_field(r, value, "outputs", &to->outputs) ||
      !whole_field(r, value, "width", PLAN_MOST_SIZE, &width) ||
      !whole_field(r, value, "at", PLAN_MOST_BYTES, &to->at) ||
      !whole_field(r, value, "bias_at", PLAN_MOST_BYTES, &to->bias_at))
    return 0;
  to->format = format_of(format_name);
  if (!to->format)
    return wrong(r, "this ffn-pack has no format \"%s\"", format_name);
  const json_t *matrices = json_object_get(value, "matrices");
  to->branches = json_array_size(matrices);
  if (to->branches == 0 || to->branches > FFN_MAX_BRANCHES)
    return wrong(r, "a stage has one or two matrices");
  if (!truth_field(r, value, "bias", &to->bias) ||
      (json_object_get(value, "operand_at") &&
          !whole_field(r, value, "operand_at", PLAN_MOST_BYTES, &to->operand_at)))
    return 0;
  to->width = width_of(to);
  if (to->width != width)
    return wrong(r,
        "width: a stage of %zu outputs in %s has bundles of %zu columns, not %llu as the plan "
        "says: " PLAN_ANEW,
        to->outputs, format_name, to->width, (unsigned long long)width);
  return 1;
}

/* Where the panels and biases of a stage end that begin at `at`; they must begin where the plan
 * says. Sizes are at most 2^20 each, so a stage has less than 2^50 bytes. */
static int lay_stage(const reader *r, plan_stage *stage, uint64_t *at) {
  const ffn_packing *packing = stage->format->packing;
  const uint64_t columns = ffn_round_up(stage->outputs, FFN_PANEL);
  stage->bytes = columns / FFN_PANEL * stage->branches * ffn_panel_bytes(packing, stage->inputs);
  const uint64_t bias_at = (*at + stage->bytes + FFN_ALIGNMENT - 1) / FFN_ALIGNMENT * FFN_ALIGNMENT;
  if (stage->at != *at || stage->bias_at != bias_at)
    return wrong(r,
        "a stage of %s lies at %llu and %llu, not at %llu and %llu as the plan says: "
        "it was made by another version, or changed: " PLAN_ANEW,
        stage->format->name, (unsigned long long)*at, (unsigned long long)bias_at,
        (unsigned long long)stage->at, (unsigned long long)stage->bias_at);
  *at = bias_at + (stage->bias ? stage->branches * columns * sizeof(float) : 0);
  return 1;
}

/* Where the scales of operands lie, a number for each stage, if a stage has one; and where they
 * end. */
static int lay_scales(const reader *r, plan_kernel *kernel, uint64_t *at) {
  int has_some = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const uint64_t own = kernel->stages[s].operand_at;
    if (own > 0 && own != *at + s * sizeof(float))
      return wrong(r,
          "operand_at: the scale of the operand of stage %s lies at %llu, not at %llu as the plan "
          "says: " PLAN_ANEW,
          kernel->stages[s].name, (unsigned long long)(*at + s * sizeof(float)),
          (unsigned long long)own);
    has_some |= own > 0;
  }
  if (has_some)
    kernel->scale_bytes = sizeof(ffn_packed_operands);
  *at += kernel->scale_bytes;
  return 1;
}

static int read_kernel(const reader *r, const json_t *value, plan_kernel *to) {
  uint64_t parameters = 0, at = sizeof(ffn_packed_header);
  if (!has_fields(r, "a kernel", value,
          "layer packed kind stages_share_x inputs hidden outputs parameters packed_bytes "
          "stages") ||
      !text_field(r, value, "layer", &to->layer) || !text_field(r, value, "packed", &to->packed) ||
      !text_field(r, value, "kind", &to->kind) ||
      !truth_field(r, value, "stages_share_x", &to->stages_share_x) ||
      !whole_field(r, value, "inputs", PLAN_MOST_BYTES, &to->inputs) ||
      !whole_field(r, value, "hidden", PLAN_MOST_BYTES, &to->hidden) ||
      !whole_field(r, value, "outputs", PLAN_MOST_BYTES, &to->outputs) ||
      !whole_field(r, value, "parameters", FFN_MAX_PARAMETERS, &parameters) ||
      !whole_field(r, value, "packed_bytes", PLAN_MOST_BYTES, &to->packed_bytes))
    return 0;
  if (!kernel_kind_is_known(to))
    return wrong(r, "this ffn-pack has no kind \"%s\"", to->kind);
  const json_t *stages = json_object_get(value, "stages");
  to->parameters = (size_t)parameters;
  to->stage_count = json_array_size(stages);
  if (to->stage_count == 0 || to->stage_count > FFN_MAX_STAGES)
    return wrong(r, "a kernel has from 1 to %d stages", FFN_MAX_STAGES);
  for (size_t s = 0; s < to->stage_count; ++s)
    if (!read_stage(r, json_array_get(stages, s), &to->stages[s]))
      return 0;
  if (!lay_scales(r, to, &at))
    return 0;
  for (size_t s = 0; s < to->stage_count; ++s) {
    if (!lay_stage(r, &to->stages[s], &at))
      return 0;
    to->matrix_count += to->stages[s].branches;
  }
  if (!kernel_sizes_fit(to))
    return wrong(
        r, "%s: its inputs, hidden and outputs are not those of its stages: " PLAN_ANEW, to->layer);
  if (at != to->packed_bytes)
    return wrong(r,
        "packed_bytes: %s has %llu bytes where it is packed, not %llu as the plan says: " PLAN_ANEW,
        to->packed, (unsigned long long)at, (unsigned long long)to->packed_bytes);
  if (!kernel_name_fits(to))
    return wrong(r, "%s: the name says other sizes, biases or formats than its stages: " PLAN_ANEW,
        to->packed);
  return 1;
}

/* ---- Layers --------------------------------------------------------------------------------- */

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
         read_bias(r, plan, json_object_get(value, "bias"), own, to) &&
         read_affine(r, plan, json_object_get(value, "affine"), own, to);
}

static int read_parameters(const reader *r, const json_t *list, plan_layer *to) {
  if (!json_is_array(list) || json_array_size(list) != to->kernel->parameters)
    return wrong(r, "%s: %s has %zu parameters with its weights", to->name, to->kernel->layer,
        to->kernel->parameters);
  for (size_t i = 0; i < to->kernel->parameters; ++i) {
    const json_t *value = json_array_get(list, i);
    const double number = json_number_value(value);
    if (!json_is_number(value) || number > PLAN_MOST_NUMBER || number < -PLAN_MOST_NUMBER)
      return wrong(r, "%s: a parameter must be a number", to->name);
    to->parameters[i] = (float)number;
  }
  return 1;
}

/* The scales of operands: of each stage whose kernel takes one a number, of others null. A plan of
 * a kernel that takes none says nothing of them. */
static int read_operand_scales(const reader *r, const json_t *list, plan_layer *to) {
  const plan_kernel *kernel = to->kernel;
  if (!list && kernel->scale_bytes == 0)
    return 1;
  if (!json_is_array(list) || json_array_size(list) != kernel->stage_count ||
      kernel->scale_bytes == 0)
    return wrong(r, "%s: operand_scales: %s %s", to->name, kernel->layer,
        kernel->scale_bytes ? "takes a scale for what each of its stages multiplies"
                            : "finds the scales of what it multiplies itself");
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const json_t *value = json_array_get(list, s);
    const plan_stage *stage = &kernel->stages[s];
    const double scale = json_number_value(value);
    ffn_stage own = {0};
    own.operand_scale = stage->operand_at > 0;
    if (json_is_null(value) && stage->operand_at == 0)
      continue;
    if (stage->operand_at == 0 || !json_is_number(value) || scale > PLAN_MOST_NUMBER ||
        !ffn_operand_scale_fits(&own, (float)scale))
      return wrong(r, "%s: operand_scales: stage %s takes %s", to->name, stage->name,
          stage->operand_at ? "a number that is finite and at least 2^-100" : "none: null");
    to->operand_scales[s] = (float)scale;
  }
  return 1;
}

static int read_layer(const reader *r, const pack_plan *plan, const json_t *value, plan_layer *to) {
  uint64_t index = 0, part = 0, kernel = 0;
  if (!has_fields(
          r, "a layer", value, "index name kernel parameters matrices ?part ?operand_scales") ||
      !text_field(r, value, "name", &to->name) ||
      !whole_field(r, value, "index", PLAN_MOST_INDEX, &index) ||
      !whole_field(r, value, "kernel", PLAN_MOST_INDEX, &kernel) ||
      (json_object_get(value, "part") && !whole_field(r, value, "part", PLAN_MOST_INDEX, &part)))
    return 0;
  if (kernel >= plan->kernel_count)
    return wrong(r, "%s: the plan has no kernel %llu", to->name, (unsigned long long)kernel);
  to->index = (uint32_t)index;
  to->part = (uint32_t)part;
  to->kernel = &plan->kernels[kernel];
  if (!read_parameters(r, json_object_get(value, "parameters"), to) ||
      !read_operand_scales(r, json_object_get(value, "operand_scales"), to))
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
  for (size_t i = 0; i < to->file_count; ++i) {
    const json_t *file = json_array_get(list, i), *varints = json_object_get(file, "varints");
    if (!read_file(r, file, &to->files[i]) || (varints && !read_varints(r, to, varints, i)))
      return 0;
  }
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

/* Tables, of which there may be none. */
static int read_tables(const reader *r, const json_t *root, pack_plan *to) {
  const json_t *list = json_object_get(root, "rows");
  if (!json_is_array(list))
    return wrong(r, "rows must be a list");
  to->rows = (plan_rows *)records(r, json_array_size(list), sizeof *to->rows);
  if (!to->rows)
    return 0;
  to->rows_count = json_array_size(list);
  for (size_t i = 0; i < to->rows_count; ++i) {
    plan_rows *rows = &to->rows[i];
    if (!read_rows(r, to, json_array_get(list, i), rows))
      return 0;
    if (i > 0 && strcmp(rows[-1].name, rows->name) >= 0)
      return wrong(r, "%s: rows must ascend by name, each once", rows->name);
  }
  return 1;
}

/* Whether the text is the one that import wrote: its hash is that of all that stands behind it. A
 * plan that is made by hand may have none. */
static int is_whole(
    const reader *r, const json_t *root, const char *text, size_t bytes, const char **own) {
  static const char name[] = "\"xxh64\":\"";
  const json_t *value = json_object_get(root, "xxh64");
  uint64_t hash = 0;
  if (!value)
    return 1;
  if (!read_hash(r, value, &hash))
    return 0;
  /* The first of this name: those of files come later. */
  for (size_t at = 0; at + sizeof name + 16 < bytes; ++at)
    if (memcmp(text + at, name, sizeof name - 1) == 0) {
      ffn_xxh64 state = ffn_xxh64_begin();
      at += sizeof name + 16;
      ffn_xxh64_take(&state, text + at, bytes - at);
      if (ffn_xxh64_end(&state) == hash)
        return (*own = json_string_value(value)) != NULL;
      break;
    }
  return wrong(r, "it was changed after import wrote it: " PLAN_ANEW);
}

int plan_read(
    pack_plan *to, const char *text, size_t bytes, const char *where, pack_problem *problem) {
  const reader r = {where, problem};
  json_error_t error;
  uint64_t version = 0, abi = 0, layout = 0;
  memset(to, 0, sizeof *to);
  if (bytes > PLAN_MOST_TEXT)
    return wrong(&r, "a plan has at most %llu bytes", (unsigned long long)PLAN_MOST_TEXT);
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
  if (!root)
    return wrong(&r, "line %d: %s", error.line, error.text);
  to->text = root;
  if (!json_is_object(root) || !json_object_get(root, "ffngen_plan"))
    return wrong(&r, "it is not a plan of ffngen import");
  if (!whole_field(&r, root, "ffngen_plan", PLAN_MOST_INDEX, &version))
    return 0;
  if (version != PLAN_VERSION)
    return wrong(&r,
        "it is of version %llu, and this ffn-pack reads %d: " PLAN_ANEW
        ", or take the ffn-pack beside the ffngen that made it",
        (unsigned long long)version, PLAN_VERSION);
  if (!has_fields(
          &r, "the plan", root, "ffngen_plan abi layout files kernels layers rows ?xxh64") ||
      !is_whole(&r, root, text, bytes, &to->hash) ||
      !whole_field(&r, root, "abi", PLAN_MOST_INDEX, &abi) ||
      !whole_field(&r, root, "layout", PLAN_MOST_INDEX, &layout))
    return 0;
  /* Nothing asks the ABI, as nothing asks that of packed weights: it is for people. */
  if (layout != FFN_LAYOUT)
    return wrong(&r,
        "its weights lie as layout %llu says, and this ffn-pack packs %d: make it "
        "anew by ffngen import",
        (unsigned long long)layout, FFN_LAYOUT);
  return read_lists(&r, root, to) && read_tables(&r, root, to);
}

void plan_free(pack_plan *plan) {
  for (size_t i = 0; plan->files && i < plan->file_count; ++i)
    free(plan->files[i].spans);
  for (size_t i = 0; plan->layers && i < plan->layer_count; ++i)
    free(plan->layers[i].matrices);
  free(plan->files);
  free(plan->kernels);
  free(plan->layers);
  free(plan->rows);
  json_decref((json_t *)plan->text);
  memset(plan, 0, sizeof *plan);
}
