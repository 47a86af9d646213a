/* libFuzzer: any bytes as PLAN.json. What is taken contradicts itself nowhere, and is packed from
 * files of exactly the bytes that the plan says, so that a sanitizer sees whatever is read beside
 * them. */
#define _POSIX_C_SOURCE 200809L
#include "pack/layers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { MOST = 1 << 20 };

/* Whether numbers that were taken lie in their file. */
static int is_held(const pack_plan *plan, const plan_numbers *n) {
  const plan_file *file = &plan->files[n->file];
  return !n->tensor || (n->first <= file->bytes && n->bytes <= file->bytes);
}

/* Whether a stage that was taken is laid as weights of its size and format are, by the rule and not
 * by the code that reads plans. */
static int is_laid(const plan_stage *stage) {
  const size_t columns = (stage->outputs + 15) / 16 * 16;
  const int together = stage->branches == 1 && strcmp(stage->format->name, "f32") != 0;
  return stage->width == (together && columns % 32 == 0 ? 32u : 16u) && stage->at % 64 == 0 &&
         stage->bias_at % 64 == 0 && stage->bias_at >= stage->at + stage->bytes;
}

/* Ends where a plan was taken whose numbers contradict each other. */
static void check(const pack_plan *plan) {
  for (size_t i = 0; i < plan->rows_count; i++)
    if (!is_held(plan, &plan->rows[i].numbers) || plan->rows[i].count == 0 ||
        (i > 0 && strcmp(plan->rows[i - 1].name, plan->rows[i].name) >= 0))
      abort();
  for (size_t k = 0; k < plan->kernel_count; k++) {
    const plan_kernel *kernel = &plan->kernels[k];
    char size[32];
    snprintf(size, sizeof size, "%llu_", (unsigned long long)kernel->inputs);
    if (!strstr(kernel->packed, size) || kernel->inputs != kernel->stages[0].inputs)
      abort();
    for (size_t s = 0; s < kernel->stage_count; s++)
      if (!is_laid(&kernel->stages[s]))
        abort();
  }
  for (size_t i = 0; i < plan->layer_count; i++)
    for (size_t m = 0; m < plan->layers[i].kernel->matrix_count; m++)
      if (!is_held(plan, &plan->layers[i].matrices[m].weight) ||
          !is_held(plan, &plan->layers[i].matrices[m].bias))
        abort();
}

/* Memory for the files of a plan; NULL where they are large. */
static pack_source *sources_of(const pack_plan *plan) {
  uint64_t all = 0;
  for (size_t i = 0; i < plan->file_count; i++)
    all += plan->files[i].bytes < MOST ? plan->files[i].bytes : MOST;
  if (all >= MOST)
    return NULL;
  pack_source *sources = calloc(plan->file_count, sizeof *sources);
  for (size_t i = 0; i < plan->file_count; i++) {
    const size_t size = (size_t)plan->files[i].bytes;
    char *memory = malloc(size ? size : 1);
    for (size_t b = 0; b < size; b++)
      memory[b] = (char)(b * 31);
    sources[i].memory = memory;
    sources[i].bytes = size;
  }
  return sources;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  pack_plan plan;
  pack_problem problem = {0};
  if (!plan_read(&plan, (const char *)data, bytes, "plan", &problem)) {
    if (problem.code != code_bad_input || !problem.text[0])
      abort();
    plan_free(&plan);
    return 0;
  }
  check(&plan);
  file_layout layout = {0};
  layout.count = plan.layer_count;
  layout.layers = calloc(layout.count, sizeof *layout.layers);
  for (size_t i = 0; i < layout.count; i++)
    layout.layers[i] = &plan.layers[i];
  layout.rows = plan.rows;
  layout.rows_count = plan.rows_count;
  pack_source *sources = sources_of(&plan);
  if (sources && file_layout_of(&layout, "plan", &problem) && layout.bytes < 8 * MOST) {
    pack_output out = output_none();
    out.writer.descriptor = open("/dev/null", O_WRONLY);
    if (!layers_pack(&layout, sources, &out, &problem) && problem.code != code_bad_input)
      abort();
    output_drop(&out);
  }
  for (size_t i = 0; sources && i < plan.file_count; i++)
    free((void *)(uintptr_t)sources[i].memory);
  free(sources);
  file_layout_free(&layout);
  plan_free(&plan);
  return 0;
}
