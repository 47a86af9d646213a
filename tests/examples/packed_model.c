/* A batch on its way through the feed-forward layers of a model whose packed weights are mapped:
 *     ffngen import MODEL --out imported && ffn-pack imported/PLAN.json
 *     ffngen vendor imported/model.lua --out kernels --threads pthreads --file --no-selfcheck
 *     cc -O2 -pthread -Ikernels packed_model.c kernels/X.c -o packed_model       X: all of them
 *     ./packed_model imported/model.ffn [TOKENS [copy]]
 * What lies between these layers, norms and attention, is the host's: here it is left out, with the
 * products of attention that the file may hold. */
#include "ffn.h"
#include "ffn_file.h"
#if __has_include("ffn_parallel_pthreads.h")
#include "ffn_parallel_pthreads.h" /* of a vendored folder */
#else
#include "parallel_pthreads.h" /* of a generated one */
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2 };

/* A layer as it runs. */
typedef struct layer {
  size_t entry; /* of the file */
  const ffn_kernel *kernel;
  const void *packed;
} layer;

static int refused(const char *what, ffn_file_status status) {
  fprintf(stderr, "%s: %s\n", what, ffn_file_status_text(status));
  return 1;
}

/* The feed-forward layers of a file: other products have parts from FFN_PART_QKV on. */
static size_t find_layers(const ffn_file *file, layer *layers) {
  size_t count = 0;
  for (size_t i = 0; i < file->layers; i++)
    if (ffn_file_entry_of(file, i)->part < FFN_PART_QKV)
      layers[count++].entry = i;
  return count;
}

/* The kernels of all layers, and bytes of their packed weights. 0: one is not linked. */
static size_t find_kernels(const ffn_file *file, layer *layers, size_t count) {
  const unsigned cpu = ffn_cpu();
  size_t bytes = 0;
  for (size_t i = 0; i < count; i++) {
    const char *name = ffn_file_kernel(file, layers[i].entry);
    layers[i].kernel = ffn_find_packed(name, 0, cpu);
    if (!layers[i].kernel) {
      fprintf(stderr, "no kernel is linked for %s\n", name);
      return 0;
    }
    bytes += layers[i].kernel->packed_bytes;
  }
  return bytes;
}

/* The packed weights of all layers: where they are mapped, or copied into an arena, whose pages are
 * huge ones. */
static int find_weights(const ffn_file *file, layer *layers, size_t count, ffn_arena *arena) {
  for (size_t i = 0; i < count; i++) {
    layer *l = &layers[i];
    const ffn_file_status status = arena->memory
                                       ? ffn_file_copy(file, l->entry, l->kernel, arena, &l->packed)
                                       : ffn_file_packed(file, l->entry, l->kernel, &l->packed);
    if (status)
      return !refused(ffn_file_name(file, l->entry), status);
  }
  return 1;
}

/* h += layer(h), one layer after the other. A layer whose rows are not those of h is passed over.
 */
static size_t run(const layer *layers, size_t count, float *h, size_t width, size_t tokens,
                  const ffn_parallel *threads) {
  size_t work_bytes = 0, ran = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t bytes = ffn_work_bytes(layers[i].kernel, THREADS, tokens);
    work_bytes = bytes > work_bytes ? bytes : work_bytes;
  }
  void *work = ffn_alloc(work_bytes);
  float *x = malloc(tokens * width * sizeof *x);
  for (size_t i = 0; work && x && i < count; i++) {
    const ffn_kernel *k = layers[i].kernel;
    if (k->inputs != width || k->outputs != width)
      continue;
    memcpy(x, h, tokens * width * sizeof *x); /* a host's norm of h goes here */
    ffn_add(k, h, width, 1.0f, x, width, tokens, layers[i].packed, work, work_bytes, threads);
    ran++;
  }
  ffn_free(work), free(x);
  return ran;
}

static int run_file(const ffn_file *file, layer *layers, size_t tokens, int copies) {
  const size_t count = find_layers(file, layers), bytes = find_kernels(file, layers, count);
  if (bytes == 0)
    return 1;
  ffn_arena arena = {copies ? ffn_alloc(bytes) : NULL, bytes, 0};
  const size_t width = layers[0].kernel->inputs;
  float *h = malloc(tokens * width * sizeof *h);
  ffn_pool *pool = ffn_pool_create(THREADS);
  size_t ran = 0;
  if (h && pool && find_weights(file, layers, count, &arena)) {
    const ffn_parallel threads = ffn_pool_parallel(pool);
    for (size_t i = 0; i < tokens * width; i++)
      h[i] = (float)(i * 7919 % 2003) / 2003 - 0.5f;
    ran = run(layers, count, h, width, tokens, &threads);
    printf("%zu of %zu layers for %zu tokens: %a\n", ran, count, tokens,
           (double)h[tokens * width - 1]);
  }
  ffn_pool_destroy(pool);
  ffn_free(arena.memory), free(h);
  return ran > 0 ? 0 : 1;
}

int main(int count, char **arguments) {
  ffn_file file;
  if (count < 2)
    return fprintf(stderr, "packed_model FILE [TOKENS [copy]]\n"), 2;
  const size_t tokens = count > 2 ? (size_t)strtoul(arguments[2], NULL, 10) : 16;
  const ffn_file_status status = ffn_file_open(&file, arguments[1]);
  if (status)
    return refused(arguments[1], status);
  for (size_t i = 0; i < file.layers; i++) { /* reads all of it: once, after a download, say */
    const ffn_file_status checked = ffn_file_check(&file, i);
    if (checked)
      return refused(ffn_file_name(&file, i), checked);
  }
  for (size_t i = 0; i < file.rows; i++) { /* norms and embeddings, where import took them */
    const ffn_file_status checked = ffn_file_check_rows(&file, i);
    if (checked)
      return refused(ffn_file_rows_name(&file, i), checked);
  }
  layer *layers = calloc(file.layers ? file.layers : 1, sizeof *layers);
  const int failed =
      !layers || file.layers == 0 || tokens == 0 || run_file(&file, layers, tokens, count > 3);
  free(layers);
  ffn_file_close(&file);
  return failed;
}
