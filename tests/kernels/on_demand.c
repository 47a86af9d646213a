/* The example on_demand.h decodes a model of which it holds the experts of one layer at most, a
 * twelfth of the file, and y is right. */
#define _POSIX_C_SOURCE 200809L
#include "examples/on_demand.h"
#include "support/each.h"
#include "support/forged_head.h"
#include "support/resident.h"
#include "support/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXPERTS = 12, TOP_K = 3, LAYERS = 3, ENTRIES = LAYERS * EXPERTS, TOKENS = 5 };

/* All experts of a model in memory, and in a file. */
typedef struct model {
  const ffn_kernel *kernel;
  void *packed[ENTRIES];
  char path[512];
  ffn_file file;
  const void *mapped[ENTRIES]; /* all experts in the file */
} model;

/* A layer whose weights are many pages, and not many megabytes. */
static const ffn_kernel *kernel_of_pages(void) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if (test_runs_here(*k) && (*k)->packed_bytes > 900000 && (*k)->packed_bytes < 2000000)
      return *k;
  return NULL;
}

static void write_file(model *m) {
  const ffn_kernel *kernel = m->kernel;
  const size_t words = sizeof(ffn_file_header) + ENTRIES * sizeof(ffn_file_entry);
  const size_t step = (kernel->packed_bytes / FFN_FILE_STEP + 1) * FFN_FILE_STEP;
  size_t at = words, first = (words + ENTRIES * 16 + 1024) / FFN_FILE_STEP * FFN_FILE_STEP;
  first += FFN_FILE_STEP;
  char *memory = test_memory(first + ENTRIES * step);
  memset(memory, 0, first + ENTRIES * step);
  const uint32_t packed_at = test_word_of(memory, &at, kernel->packed);
  char formats[256] = "f32";
  for (size_t s = 1; s < kernel->stage_count; s++)
    strcat(formats, " f32");
  const uint32_t formats_at = test_word_of(memory, &at, formats);
  for (size_t i = 0; i < ENTRIES; i++) {
    ffn_file_entry *entry = (ffn_file_entry *)(void *)(memory + sizeof(ffn_file_header)) + i;
    char name[16], *to = memory + first + i * step;
    memcpy(to, m->packed[i], kernel->packed_bytes);
    ffn_xxh64 state = ffn_xxh64_begin();
    ffn_xxh64_take(&state, to + 64, kernel->packed_bytes - 64);
    ffn_xxh64_take(&state, to, 64);
    snprintf(name, sizeof name, "e%zu", i);
    *entry = (ffn_file_entry){.at = first + i * step, .bytes = kernel->packed_bytes};
    entry->checksum = ffn_xxh64_end(&state);
    memcpy(&entry->packed, to + 8, sizeof entry->packed);
    entry->inputs = kernel->inputs, entry->hidden = kernel->hidden;
    entry->outputs = kernel->outputs, entry->stages = (uint32_t)kernel->stage_count;
    entry->layer = (uint32_t)(i / EXPERTS), entry->part = (uint32_t)(i % EXPERTS);
    entry->packed_at = packed_at, entry->formats_at = formats_at;
    entry->name_at = test_word_of(memory, &at, name);
  }
  const size_t bytes = first + (ENTRIES - 1) * step + kernel->packed_bytes;
  const ffn_file_header header = {.magic = {'F', 'F', 'N', 'M', 'O', 'D', 'E', 'L'},
                                  .order = FFN_FILE_ORDER,
                                  .version = FFN_FILE_VERSION,
                                  .layout = FFN_LAYOUT,
                                  .layers = ENTRIES,
                                  .bytes = bytes,
                                  .head_bytes = at};
  memcpy(memory, &header, sizeof header);
  test_seal(memory);
  const char *folder = getenv("TMPDIR");
  snprintf(m->path, sizeof m->path, "%s/ffn_demand_%ld", folder ? folder : "/tmp", (long)getpid());
  FILE *to = fopen(m->path, "wb");
  cr_assert(to && fwrite(memory, 1, bytes, to) == bytes && fclose(to) == 0, "%s", m->path);
  free(memory);
}

static void open_model(model *m) {
  for (size_t i = 0; i < ENTRIES; i++) {
    test_model own;
    test_model_open(&own, m->kernel, TEST_REALS, 400 + i);
    test_model_pack(&own);
    m->packed[i] = ffn_alloc(m->kernel->packed_bytes);
    memcpy(m->packed[i], own.packed, m->kernel->packed_bytes);
    test_model_close(&own);
  }
  write_file(m);
  const ffn_file_status status = ffn_file_open(&m->file, m->path);
  cr_assert(status == FFN_FILE_OK && m->file.mapped, "%s", ffn_file_status_text(status));
  for (uint32_t i = 0; i < ENTRIES; i++)
    cr_assert(ffn_file_packed(&m->file, ffn_file_find(&m->file, i / EXPERTS, i % EXPERTS),
                              m->kernel, &m->mapped[i]) == FFN_FILE_OK);
  for (size_t i = 0; i < ENTRIES; i++) /* whose headers were read */
    ffn_file_forget(&m->file, i);
}

/* One token through a layer, and through the same experts in memory. */
static void step(const model *m, const ffn_moe *moe, uint32_t layer, size_t token, void *work,
                 size_t bytes) {
  const size_t in = moe->inputs, out = moe->outputs;
  const void *const *experts = (const void *const *)m->packed + (size_t)layer * EXPERTS;
  const ffn_moe_parts others = {.expert_kernel = m->kernel, .experts = experts};
  const ffn_moe_parts parts = {.expert_kernel = m->kernel,
                               .experts = m->mapped + (size_t)layer * EXPERTS};
  float logits[EXPERTS], *y = test_memory(out * sizeof *y), *right = test_memory(out * sizeof *y);
  float *x = test_inputs(m->kernel, 1, TEST_REALS, 500 + token);
  for (size_t i = 0; i < EXPERTS; i++)
    logits[i] = token == 2 ? NAN : test_uniform(510 + token * LAYERS + layer, i);
  const ffn_moe_given given = {.logits = logits, .logits_stride = EXPERTS};
  cr_assert(ffn_moe_run(moe, &others, right, out, x, in, 1, &given, work, bytes, NULL) ==
            FFN_MOE_OK);
  cr_assert(on_demand(moe, &parts, &m->file, layer, y, x, logits, work, bytes) == FFN_MOE_OK);
  for (size_t i = 0; i < out; i++)
    cr_assert(memcmp(&y[i], &right[i], sizeof *y) == 0 || (isnan(y[i]) && isnan(right[i])));
  free(x), free(y), free(right);
}

Test(on_demand, larger_than_memory) {
  model m = {.kernel = kernel_of_pages()};
  if (!m.kernel)
    cr_skip_test("no layer with weights of many pages");
  open_model(&m);
  const ffn_moe moe = {
      .inputs = m.kernel->inputs,
      .outputs = m.kernel->outputs,
      .rule = {.experts = EXPERTS, .top_k = TOP_K, .score = FFN_MOE_SOFTMAX, .normalise = 1}};
  const ffn_moe_parts parts = {.expert_kernel = m.kernel, .experts = m.mapped};
  const size_t bytes = ffn_moe_work_bytes(&moe, &parts, 1, 1);
  void *work = ffn_alloc(bytes);
  const long before = test_resident(m.file.memory);
  const long layers = (long)(TOP_K * (m.kernel->packed_bytes >> 10)); /* one layer's experts */
  for (size_t token = 0; token < TOKENS; token++)
    for (uint32_t layer = 0; layer < LAYERS; layer++) {
      step(&m, &moe, layer, token, work, bytes);
      const long now = test_resident(m.file.memory);
      cr_assert(before < 0 || now <= before + layers, "%ld kB, %ld before", now, before);
    }
  for (size_t i = 0; i < ENTRIES; i++)
    ffn_free(m.packed[i]);
  ffn_free(work), ffn_file_close(&m.file), remove(m.path);
}
