/* Plans whose numbers contradict each other: each number that says what others say, too, changed
 * alone and with another one. Such a plan is refused, or gives the same bytes.
 * contradictions FOLDER, where plans.lua and ffn-pack have been. */
#define _POSIX_C_SOURCE 200809L
#include "pack/layers.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_FIELDS = 512, MOST_BYTES = 20000, KERNELS = 20, PAIRS = 400, WAYS = 12 };

/* A number of a plan, in what it stands in. */
typedef struct field {
  json_t *object, *list;
  const char *key;
  size_t at;
  json_int_t value;
} field;

static field fields[MOST_FIELDS];
static size_t field_count, tried, refused, same, wrong_count;
static const char *folder;

/* What other numbers, the name of the kernel or the file tell, too. All others may be any. */
static int is_held(const char *key) {
  static const char *const held[] = {
      "ffngen_plan", "layout",       "kernel", "file", "bytes",   "inputs", "hidden", "outputs",
      "parameters",  "packed_bytes", "width",  "at",   "bias_at", "stage",  "branch"};
  for (size_t i = 0; i < sizeof held / sizeof *held; i++)
    if (strcmp(held[i], key) == 0)
      return 1;
  return 0;
}

static void note(field f) {
  if (field_count < MOST_FIELDS)
    fields[field_count++] = f;
}

static void collect(json_t *value) {
  const char *key;
  json_t *item;
  size_t at;
  if (json_is_object(value))
    json_object_foreach(value, key, item) {
      /* What a table says of its own sizes nothing else says. */
      const int is_own = strcmp(key, "width") == 0 && json_object_get(value, "count");
      if (json_is_integer(item) && is_held(key) && !is_own)
        note((field){value, NULL, key, 0, json_integer_value(item)});
      else
        collect(item);
    }
  json_array_foreach(value, at, item) {
    if (json_is_integer(item))
      note((field){NULL, value, NULL, at, json_integer_value(item)});
    else
      collect(item);
  }
}

static void put(const field *f, json_int_t value) {
  if (f->object)
    json_object_set_new(f->object, f->key, json_integer(value));
  else
    json_array_set_new(f->list, f->at, json_integer(value));
}

/* What a number becomes in so many ways. */
static json_int_t other(json_int_t value, size_t way) {
  const json_int_t all[WAYS] = {value + 1,  value - 1, 0, 2 * value, value / 2,          16, 32,
                                value + 64, 48,        1, 1 << 20,   (json_int_t)1 << 52};
  return all[way];
}

/* The bytes of a plan's file, to be freed; NULL where it is refused. */
static char *pack(const json_t *root, size_t *bytes) {
  char *text = json_dumps(root, JSON_COMPACT), *made = NULL;
  pack_plan plan;
  pack_problem problem = {0};
  file_layout layout = {0};
  pack_source *sources = NULL;
  if (plan_read(&plan, text, strlen(text), "plan", &problem)) {
    layout.count = plan.layer_count;
    layout.layers = calloc(layout.count, sizeof *layout.layers);
    for (size_t i = 0; i < layout.count; i++)
      layout.layers[i] = &plan.layers[i];
    layout.rows = plan.rows;
    layout.rows_count = plan.rows_count;
    sources = sources_open(&plan, folder, &problem);
    FILE *file = tmpfile();
    pack_output out = output_none();
    out.writer.descriptor = dup(fileno(file));
    if (sources && file_layout_of(&layout, "plan", &problem) &&
        layers_pack(&layout, sources, &out, &problem)) {
      *bytes = (size_t)layout.bytes;
      made = malloc(*bytes);
      if (pread(fileno(file), made, *bytes, 0) != (ssize_t)*bytes)
        exit(1);
    }
    output_drop(&out);
    fclose(file);
    sources_close(sources, &plan);
    file_layout_free(&layout);
  }
  if (!made && (problem.code != code_bad_input || !problem.text[0]))
    exit((printf("refused with code %d: %s\n", problem.code, problem.text), 1));
  plan_free(&plan);
  free(text);
  return made;
}

static void try(const json_t *root, const char *right, size_t right_bytes, const field *f,
                const field *g) {
  size_t bytes = 0;
  char *made = pack(root, &bytes);
  tried++;
  if (!made) {
    refused++;
  } else if (bytes == right_bytes && memcmp(made, right, bytes) == 0) {
    same++;
  } else {
    wrong_count++;
    printf("%s%s%s: taken, and other bytes\n", f->key ? f->key : "span", g ? ", " : "",
           g ? (g->key ? g->key : "span") : "");
  }
  free(made);
}

/* A plan of one layer, whose kernel is the only one, and of one small table. */
static json_t *alone(const json_t *plan, const json_t *layer, json_t *kernel) {
  json_t *root = json_deep_copy(plan), *own = json_deep_copy(layer);
  json_object_set_new(own, "kernel", json_integer(0));
  json_object_set_new(root, "kernels", json_pack("[o]", json_deep_copy(kernel)));
  json_object_set_new(root, "layers", json_pack("[o]", own));
  json_object_set_new(
      root, "rows",
      json_pack("[o]", json_deep_copy(json_array_get(json_object_get(plan, "rows"), 1))));
  return root;
}

static void contradict(const json_t *root, uint64_t *random) {
  size_t bytes = 0;
  char *right = pack(root, &bytes);
  if (!right)
    exit((printf("a right plan is refused\n"), 1));
  field_count = 0;
  collect((json_t *)(uintptr_t)root);
  for (size_t i = 0; i < field_count; i++) {
    for (size_t way = 0; way < WAYS; way++) {
      put(&fields[i], other(fields[i].value, way));
      try(root, right, bytes, &fields[i], NULL);
    }
    put(&fields[i], fields[i].value);
  }
  for (size_t pair = 0; pair < PAIRS; pair++) {
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    const size_t i = (size_t)(*random >> 33) % field_count;
    const size_t j = (size_t)(*random >> 43) % field_count;
    const size_t way = (size_t)(*random >> 53) % (WAYS * WAYS);
    /* Both become the same, or each what it does. */
    put(&fields[i], other(fields[i].value, way % WAYS));
    put(&fields[j],
        pair % 3 ? other(fields[j].value, way / WAYS) : other(fields[i].value, way % WAYS));
    try(root, right, bytes, &fields[i], &fields[j]);
    put(&fields[i], fields[i].value);
    put(&fields[j], fields[j].value);
  }
  free(right);
}

int main(int count, char **arguments) {
  char path[4096], where[4096];
  uint64_t random = 1;
  size_t kernels = 0;
  if (count != 2)
    return puts("contradictions FOLDER"), 2;
  snprintf(path, sizeof path, "%s/PLAN.json", arguments[1]);
  snprintf(where, sizeof where, "%s/", arguments[1]);
  folder = where;
  json_t *plan = json_load_file(path, 0, NULL);
  const json_t *all = json_object_get(plan, "kernels"), *layers = json_object_get(plan, "layers");
  const size_t step = json_array_size(all) / KERNELS + 1;
  for (size_t k = 0; k < json_array_size(all); k += step) {
    json_t *kernel = json_array_get(all, k);
    const json_t *layer = NULL, *one;
    size_t i;
    json_array_foreach(layers, i, one) if (!layer && (size_t)json_integer_value(json_object_get(
                                                         one, "kernel")) == k) layer = one;
    if (!layer || json_integer_value(json_object_get(kernel, "packed_bytes")) > MOST_BYTES)
      continue;
    json_t *root = alone(plan, layer, kernel);
    contradict(root, &random);
    json_decref(root);
    kernels++;
  }
  json_decref(plan);
  printf("%zu plans of %zu kernels that contradict themselves: %zu refused, %zu give the same "
         "bytes, %zu others\n",
         tried, kernels, refused, same, wrong_count);
  return wrong_count > 0 || kernels < 4 || refused < tried / 4;
}
