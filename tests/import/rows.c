/* Whether a model's packed file gives for rows of x the rows of y that the model gave:
 *   rows MODEL.ffn ROWS.txt TOLERANCE LAYER
 * ROWS.txt has a line `x COUNT WIDTH`, rows of numbers, and the same of y. The layer of this index
 * runs by every linked kernel of it that this CPU can. */
#include "ffn_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static float x[MOST], y[MOST], wanted[MOST];

static int read_rows(FILE *text, char what, float *to, size_t *count, size_t *width) {
  char found = 0;
  if (fscanf(text, " %c %zu %zu", &found, count, width) != 3 || found != what ||
      *count * *width > MOST)
    return 0;
  for (size_t i = 0; i < *count * *width; ++i)
    if (fscanf(text, "%f", &to[i]) != 1)
      return 0;
  return 1;
}

/* The largest difference, over the largest number. */
static double difference(size_t count) {
  double most = 0, size = 1;
  for (size_t i = 0; i < count; ++i) {
    const double d = fabs((double)y[i] - (double)wanted[i]);
    most = d > most || isnan(d) ? d : most;
    size = fmax(size, fabs((double)wanted[i]));
  }
  return most / size;
}

int main(int count, char **arguments) {
  FILE *text = count == 5 ? fopen(arguments[2], "r") : NULL;
  size_t rows = 0, inputs = 0, outputs = 0, kernels = 0, ran = 0;
  const uint32_t layer = count == 5 ? (uint32_t)atoi(arguments[4]) : 0;
  ffn_file file;
  if (!text || !read_rows(text, 'x', x, &rows, &inputs) ||
      !read_rows(text, 'y', wanted, &rows, &outputs))
    return puts("no rows"), 2;
  fclose(text);
  const ffn_file_status opened = ffn_file_open(&file, arguments[1]);
  if (opened)
    return puts(ffn_file_status_text(opened)), 2;
  const size_t entry = ffn_file_find(&file, layer, 0);
  const ffn_kernel *const *all = ffn_all(&kernels);
  for (size_t i = 0; i < kernels; ++i) {
    const ffn_kernel *k = all[i];
    const void *packed = NULL;
    if (!(ffn_cpu() >> k->isa & 1) || ffn_file_packed(&file, entry, k, &packed) != FFN_FILE_OK)
      continue;
    const size_t bytes = ffn_work_bytes(k, 1, rows);
    void *work = ffn_alloc(bytes);
    if (k->inputs != inputs || k->outputs != outputs || !work)
      return puts("another layer"), 1;
    ffn_run(k, y, outputs, x, inputs, rows, packed, work, bytes, NULL);
    ffn_free(work);
    const double d = difference(rows * outputs);
    printf("%s: %.2g\n", k->name, d);
    if (!(d <= atof(arguments[3])))
      return 1;
    ++ran;
  }
  ffn_file_close(&file);
  return ran == 0;
}
