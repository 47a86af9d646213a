/* libFuzzer: any bytes as PLAN.json. What is taken is packed from files of exactly the bytes that
 * the plan says, so that a sanitizer sees whatever is read beside them. */
#define _POSIX_C_SOURCE 200809L
#include "pack/layers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { MOST = 1 << 20 };

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
  file_layout layout = {0};
  layout.count = plan.layer_count;
  layout.layers = calloc(layout.count, sizeof *layout.layers);
  for (size_t i = 0; i < layout.count; i++)
    layout.layers[i] = &plan.layers[i];
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
