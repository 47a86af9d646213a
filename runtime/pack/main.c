/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * main.c - ffn-pack: PLAN.json of ffngen import, and the files that it names -> packed weights in a
 * file that is mapped (see ffn_file.h). */
#define _POSIX_C_SOURCE 200809L
#include "pack/layers.h"
#include "pack/workers.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Files of models are little-endian, and ffn-pack reads them as they lie."
#endif
#if SIZE_MAX < UINT64_MAX
#error "Files of models are mapped whole, whatever their size: ffn-pack takes 64 bits."
#endif

static const char usage[] =
    "Usage: ffn-pack PLAN.json [--out FILE] [--layers LIST] [--threads N] [--list | --check]\n"
    "                [--json]\n"
    "\n"
    "Reads the plan of ffngen import, and writes one file with the packed weights of its layers.\n"
    "Kernels map that file into memory. Its bytes are those that pack() of the kernels makes.\n"
    "\n"
    "Examples:\n"
    "  ffn-pack my/PLAN.json                 write my/model.ffn\n"
    "  ffn-pack my/PLAN.json --layers 0-15   write 16 layers only\n"
    "  ffn-pack my/PLAN.json --check         check that my/model.ffn is up to date\n"
    "\n"
    "Options:\n"
    "  --out FILE     the packed file (default: model.ffn beside the plan)\n"
    "  --layers LIST  only these layers of the model, such as 0-15,20, and all rows\n"
    "  --threads N    pack on N threads, 1 to 64 (default: 1); the bytes are the same\n"
    "  --list         print what would be packed; write nothing\n"
    "  --check        check that the packed file is what the plan makes (exit 3 if not)\n"
    "  --json         print JSON, for scripts\n"
    "  --help         print this text\n"
    "\n"
    "Exit codes:\n"
    "  0  ffn-pack did what you asked for.\n"
    "  1  The system refused something. The message says what.\n"
    "  2  The command line is wrong.\n"
    "  3  With --check: the file is not what the plan makes.\n"
    "  4  The plan or a file of the model is wrong.\n";

/* What the command line asks for. */
typedef struct pack_request {
  const char *plan, *out, *layers, *threads;
  size_t thread_count;
  int list, check, json, help;
} pack_request;

/* ---- The command line ----------------------------------------------------------------------- */

/* The value of an option: what stands behind its '=', or the next argument. */
static int value_of(
    const char *name, char **arguments, int *at, const char **to, pack_problem *problem) {
  const size_t length = strlen(name);
  const char *argument = arguments[*at];
  if (strncmp(argument, name, length) != 0 || (argument[length] && argument[length] != '='))
    return 0;
  *to = argument[length] ? argument + length + 1 : arguments[*at + 1];
  *at += argument[length] ? 0 : 1;
  if (!*to || !**to)
    fails(problem, code_usage, name, "it takes a value");
  return 1;
}

static int flag_of(const char *name, const char *argument, int *to) {
  *to |= strcmp(name, argument) == 0;
  return strcmp(name, argument) == 0;
}

/* A number of threads; 1 where none is said. */
static int count_of(const char *text, size_t *to) {
  *to = text ? 0 : 1;
  for (; text && *text >= '0' && *text <= '9' && *to <= MOST_WORKERS; ++text)
    *to = *to * 10 + (size_t)(*text - '0');
  return (!text || !*text) && *to >= 1 && *to <= MOST_WORKERS;
}

static int read_arguments(int count, char **arguments, pack_request *to, pack_problem *problem) {
  for (int i = 1; i < count && !problem->code; ++i) {
    if (value_of("--out", arguments, &i, &to->out, problem) ||
        value_of("--layers", arguments, &i, &to->layers, problem) ||
        value_of("--threads", arguments, &i, &to->threads, problem) ||
        flag_of("--list", arguments[i], &to->list) ||
        flag_of("--check", arguments[i], &to->check) ||
        flag_of("--json", arguments[i], &to->json) || flag_of("--help", arguments[i], &to->help))
      continue;
    if (arguments[i][0] == '-')
      return fails(problem, code_usage, arguments[i],
          "unknown option (choose from: --out, --layers, --threads, --list, --check, --json, "
          "--help)");
    if (to->plan)
      return fails(problem, code_usage, arguments[i], "this is a second plan: name one plan");
    to->plan = arguments[i];
  }
  if (!problem->code && !to->help && !to->plan)
    return fails(problem, code_usage, "name a plan", "ffn-pack DIR/PLAN.json");
  if (!problem->code && !count_of(to->threads, &to->thread_count))
    return fails(problem, code_usage, "--threads", "write a number from 1 to %d", MOST_WORKERS);
  if (!problem->code && to->list && to->check)
    return fails(problem, code_usage, "--list and --check", "choose one");
  return !problem->code;
}

/* The next number of a list of ranges. */
static int number_of(const char **at, uint64_t *to) {
  if (**at < '0' || **at > '9')
    return 0;
  for (*to = 0; **at >= '0' && **at <= '9' && *to <= UINT32_MAX; ++*at)
    *to = *to * 10 + (uint64_t)(**at - '0');
  return *to <= UINT32_MAX;
}

/* Whether a list of ranges, "0-15,20", has a number: 1, 0, or -1 where it is no list. */
static int list_has(const char *list, uint32_t number) {
  int has = 0;
  for (const char *at = list;; ++at) {
    uint64_t first = 0, last = 0;
    if (!number_of(&at, &first))
      return -1;
    last = first;
    if (*at == '-') {
      ++at;
      if (!number_of(&at, &last) || last < first)
        return -1;
    }
    has |= number >= first && number <= last;
    if (!*at)
      return has;
    if (*at != ',')
      return -1;
  }
}

/* ---- Files ---------------------------------------------------------------------------------- */

static char *read_text(const char *path, size_t *bytes, file_id *id, pack_problem *problem) {
  struct stat about;
  const int descriptor = open_to_read(path, &about, code_bad_input, problem);
  FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
  char *text = NULL;
  if (!file) {
    if (descriptor >= 0) {
      fails(problem, code_failure, path, "%s", strerror(errno));
      close(descriptor);
    }
  } else if ((uint64_t)about.st_size > PLAN_MOST_TEXT) {
    fails(problem, code_bad_input, path, "it is not a file, or it has more than %llu bytes",
        (unsigned long long)PLAN_MOST_TEXT);
  } else {
    *id = file_id_of(&about);
    *bytes = (size_t)about.st_size;
    text = (char *)malloc(*bytes + 1);
    if (!text)
      fails(problem, code_failure, path, "no memory for its %zu bytes", *bytes);
    else
      *bytes = fread(text, 1, *bytes, file);
  }
  if (file)
    fclose(file);
  return text;
}

/* A name in the folder of the plan, to be freed. */
static char *beside(const char *plan, const char *name) {
  const char *slash = strrchr(plan, '/');
  const size_t folder = slash ? (size_t)(slash - plan) + 1 : 0;
  char *path = (char *)malloc(folder + strlen(name) + 1);
  if (path) {
    memcpy(path, plan, folder);
    memcpy(path + folder, name, strlen(name) + 1);
  }
  return path;
}

/* ---- What is told --------------------------------------------------------------------------- */

static char *formats_text(const plan_kernel *kernel, char *text, size_t bytes) {
  size_t at = 0;
  for (size_t s = 0; s < kernel->stage_count && at < bytes; ++s)
    at += (size_t)snprintf(
        text + at, bytes - at, s > 0 ? " %s" : "%s", kernel->stages[s].format->name);
  return text;
}

/* The errors of a layer's matrices: those that are rounded, by the names of their tensors. */
static json_t *errors_json(const plan_layer *layer, const double *errors) {
  json_t *list = json_array();
  for (size_t m = 0; errors && m < layer->kernel->matrix_count; ++m)
    if (errors[m] >= 0)
      json_array_append_new(list,
          json_pack("{s:s, s:f}", "tensor", layer->matrices[m].weight.tensor, "error", errors[m]));
  return list;
}

static json_t *rows_json(const file_layout *layout) {
  json_t *list = json_array();
  for (size_t i = 0; i < layout->rows_count; ++i) {
    const plan_rows *rows = &layout->rows[i];
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:I, s:s, s:I, s:I}", "name", rows->name, "count",
                  (json_int_t)rows->count, "width", (json_int_t)rows->width, "encoding",
                  rows_encoding(&rows->numbers), "at", (json_int_t)layout->rows_at[i], "bytes",
                  (json_int_t)file_layout_rows_bytes(layout, i)));
  }
  return list;
}

static void tell_json(const file_layout *layout, const char *path, const char *state) {
  json_t *layers = json_array();
  const double *errors = layout->errors;
  char formats[1024];
  for (size_t i = 0; i < layout->count; ++i) {
    const plan_layer *layer = layout->layers[i];
    json_array_append_new(layers,
        json_pack("{s:I, s:I, s:s, s:s, s:s, s:I, s:I, s:o}", "index", (json_int_t)layer->index,
            "part", (json_int_t)layer->part, "name", layer->name, "packed", layer->kernel->packed,
            "formats", formats_text(layer->kernel, formats, sizeof formats), "at",
            (json_int_t)layout->at[i], "bytes", (json_int_t)layer->kernel->packed_bytes, "errors",
            errors_json(layer, errors)));
    errors += errors ? layer->kernel->matrix_count : 0;
  }
  json_t *all = json_pack("{s:i, s:s, s:s, s:I, s:I, s:o, s:o}", "schema", 1, "file", path, "state",
      state, "bytes", (json_int_t)layout->bytes, "memory",
      (json_int_t)(layout->memory + layout->decoded), "layers", layers, "rows", rows_json(layout));
  json_dumpf(all, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(all);
}

static void tell_list(const file_layout *layout) {
  char formats[1024];
  for (size_t i = 0; i < layout->count; ++i) {
    const plan_layer *layer = layout->layers[i];
    printf("%6u %12llu  %s  %s  %s\n", (unsigned)layer->index,
        (unsigned long long)layer->kernel->packed_bytes, layer->name, layer->kernel->packed,
        formats_text(layer->kernel, formats, sizeof formats));
  }
  for (size_t i = 0; i < layout->rows_count; ++i) {
    const plan_rows *rows = &layout->rows[i];
    printf("  rows %12llu  %s  %zu x %zu  %s\n",
        (unsigned long long)file_layout_rows_bytes(layout, i), rows->name, rows->count, rows->width,
        rows_encoding(&rows->numbers));
  }
  printf("%zu layers, %llu bytes; nothing was written\n", layout->count,
      (unsigned long long)layout->bytes);
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* The layers of a plan that are asked for. */
static int choose(
    const pack_request *asked, const pack_plan *plan, file_layout *to, pack_problem *problem) {
  to->layers = (const plan_layer **)calloc(plan->layer_count, sizeof *to->layers);
  if (!to->layers)
    return fails(problem, code_failure, "memory", "there is none left");
  for (size_t i = 0; i < plan->layer_count; ++i) {
    const int has = asked->layers ? list_has(asked->layers, plan->layers[i].index) : 1;
    if (has < 0)
      return fails(problem, code_usage, "--layers", "write numbers and ranges, such as 0-15,20");
    if (has)
      to->layers[to->count++] = &plan->layers[i];
  }
  if (to->count == 0)
    return fails(problem, code_bad_input, "--layers",
        "the plan has none of these layers: its layers are "
        "%u to %u",
        (unsigned)plan->layers[0].index, (unsigned)plan->layers[plan->layer_count - 1].index);
  to->rows = plan->rows;
  to->rows_count = plan->rows_count;
  to->plan = plan->hash;
  to->threads = asked->thread_count;
  for (size_t i = 0; i < plan->file_count; ++i)
    to->decoded += plan->files[i].varints.type ? plan->files[i].bytes : 0;
  return file_layout_of(to, asked->plan, problem);
}

/* What is read, and so never written over: the plan, and all files that it names. */
static kept_file *kept_files(const pack_plan *plan, file_id own, const pack_source *sources) {
  kept_file *kept = (kept_file *)calloc(plan->file_count + 1, sizeof *kept);
  for (size_t i = 0; kept && i < plan->file_count; ++i) {
    kept[i].id = sources[i].id;
    kept[i].what = "a file that the plan takes weights from";
  }
  if (kept) {
    kept[plan->file_count].id = own;
    kept[plan->file_count].what = "the plan";
  }
  return kept;
}

static int pack(const pack_request *asked, const pack_plan *plan, file_id own,
    const file_layout *layout, const char *out, pack_problem *problem) {
  pack_output to = output_none();
  char *folder = beside(asked->plan, "");
  pack_source *sources = folder ? sources_open(plan, folder, problem) : NULL;
  kept_file *kept = sources ? kept_files(plan, own, sources) : NULL;
  int works = kept != NULL;
  if (works && !asked->check)
    fprintf(stderr,
        "ffn-pack: %zu layers, %llu bytes for %s, %llu bytes of memory beside the maps\n",
        layout->count, (unsigned long long)layout->bytes, out,
        (unsigned long long)(layout->memory + layout->decoded));
  works =
      works &&
      output_begin(&to, out, layout->bytes, asked->check, kept, plan->file_count + 1, problem) &&
      layers_pack(layout, sources, &to, problem) && output_end(&to, problem);
  output_drop(&to);
  free(kept);
  sources_close(sources, plan);
  free(folder);
  return works;
}

static int run(const pack_request *asked, pack_problem *problem) {
  size_t bytes = 0;
  pack_plan plan = {0};
  file_layout layout = {0};
  file_id own = {0, 0};
  char *text = read_text(asked->plan, &bytes, &own, problem);
  char *out = asked->out ? strdup(asked->out) : beside(asked->plan, "model.ffn");
  int works = text && out && plan_read(&plan, text, bytes, asked->plan, problem) &&
              choose(asked, &plan, &layout, problem);
  free(text);
  if (works && !asked->list && !asked->check) {
    layout.errors = (double *)calloc(file_layout_matrices(&layout), sizeof *layout.errors);
    works = layout.errors != NULL;
  }
  if (works && !asked->list)
    works = pack(asked, &plan, own, &layout, out, problem);
  const char *state = asked->list ? "listed" : asked->check ? "same" : "written";
  if (asked->json && (works || problem->code == code_differs))
    tell_json(&layout, out, works ? state : "differs");
  else if (works && asked->list)
    tell_list(&layout);
  else if (works)
    printf("%s: %s\n", out, state);
  file_layout_free(&layout);
  plan_free(&plan);
  free(out);
  return works;
}

int main(int count, char **arguments) {
  pack_request asked = {0};
  pack_problem problem = {0};
  if (!read_arguments(count, arguments, &asked, &problem) ||
      (!asked.help && !run(&asked, &problem))) {
    fprintf(stderr, "ffn-pack: %s\n", problem.code ? problem.text : "memory: there is none left");
    return problem.code ? problem.code : code_failure;
  }
  if (asked.help)
    printf("%s", usage);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "ffn-pack: the output was lost: %s\n", strerror(errno));
    return code_failure;
  }
  return 0;
}
