/* Whether models that were imported and packed give what their origin's own code gives:
 * origin FOLDER, where origin.lua and ffn-pack have been. */
#include "ffn_file.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 4096 };

static double numbers[MOST];
static float x[MOST], y[MOST];

static int read_numbers(FILE *file, size_t count) {
  if (count > MOST)
    return 0;
  for (size_t i = 0; i < count; i++)
    if (fscanf(file, "%la", &numbers[i]) != 1)
      return 0;
  return 1;
}

/* The largest error of a layer, over the largest result; negative where it does not run. */
static double error_of(const ffn_file *file, size_t entry, FILE *expected, size_t rows) {
  const ffn_kernel *k = ffn_find_layer(ffn_file_kernel(file, entry), ffn_cpu());
  const void *packed = NULL;
  if (!k || ffn_file_check(file, entry) || ffn_file_packed(file, entry, k, &packed))
    return -1;
  if (!read_numbers(expected, rows * k->inputs) || rows * k->outputs > MOST)
    return -1;
  for (size_t i = 0; i < rows * k->inputs; i++)
    x[i] = (float)numbers[i];
  const size_t bytes = ffn_work_bytes(k, 1, rows);
  void *work = ffn_alloc(bytes);
  ffn_run(k, y, k->outputs, x, k->inputs, rows, packed, work, bytes, NULL);
  ffn_free(work);
  if (!read_numbers(expected, rows * k->outputs))
    return -1;
  double most = 0, error = 0;
  for (size_t i = 0; i < rows * k->outputs; i++) {
    most = fmax(most, fabs(numbers[i]));
    error = fmax(error, fabs((double)y[i] - numbers[i]));
  }
  return error / most;
}

int main(int count, char **arguments) {
  char path[4096], name[64];
  size_t layer, rows, inputs, outputs, layers = 0, failed = 0;
  if (count < 2)
    return 2;
  snprintf(path, sizeof path, "%s/expected", arguments[1]);
  FILE *expected = fopen(path, "r");
  while (expected &&
         fscanf(expected, "%63s %zu %zu %zu %zu", name, &layer, &rows, &inputs, &outputs) == 5) {
    ffn_file file;
    snprintf(path, sizeof path, "%s/%s/model.ffn", arguments[1], name);
    const ffn_file_status status = ffn_file_open(&file, path);
    if (status)
      return fprintf(stderr, "%s: %s\n", path, ffn_file_status_text(status)), 1;
    const double error = error_of(&file, layer, expected, rows);
    if (error < 0)
      return fprintf(stderr, "%s, layer %zu: it does not run\n", name, layer), 1;
    if (!(error < 1e-5))
      fprintf(stderr, "%s, layer %zu: an error of %g\n", name, layer, error), failed++;
    ffn_file_close(&file);
    layers++;
  }
  if (expected)
    fclose(expected);
  printf("%zu layers give what their origin gives, %zu do not\n", layers - failed, failed);
  return failed > 0 || layers == 0;
}
