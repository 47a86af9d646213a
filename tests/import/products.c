/* Whether products of a packed file give the y that another program computed in double of the
 * model's tensors: products FOLDER MODEL TABLE looks at model.ffn of FOLDER, whose kernels are
 * named in cases.txt, and at the products of MODEL in TABLE. Lines of TABLE are: model, name,
 * layer, part, inputs, outputs; x; y. */
#include "ffn_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 12, TOKENS = 70 };

/* The kernels of all entries, by the names in cases.txt. */
static const ffn_kernel *kernels[64];

static int find_kernels(const char *path) {
  char line[1024], name[512];
  FILE *cases = fopen(path, "r");
  size_t count = 0;
  while (cases && count < 64 && fgets(line, sizeof line, cases))
    if (sscanf(line, "layer %511s", name) == 1)
      kernels[count++] = ffn_find_layer(name, 1u << FFN_ISA_C);
  return cases && fclose(cases) == 0;
}

static int read_numbers(FILE *table, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (fscanf(table, "%f", &to[i]) != 1)
      return 0;
  return 1;
}

/* The largest error of a product, in units of its largest y; below 0: there is no such product, or
 * it gives a token other bits in a batch. */
static double error_of(const ffn_kernel *k, const void *packed, const float *x,
                       const float *should) {
  static float own_x[TOKENS * MOST], y[TOKENS * MOST], single[MOST];
  const size_t bytes = ffn_work_bytes(k, 1, TOKENS), inputs = k->inputs, outputs = k->outputs;
  void *work = ffn_alloc(bytes);
  double most = 0, error = 0;
  for (size_t t = 0; t < TOKENS; ++t)
    memcpy(own_x + t * inputs, x, inputs * sizeof(float));
  ffn_run(k, single, outputs, own_x, inputs, 1, packed, work, bytes, NULL);
  ffn_run(k, y, outputs, own_x, inputs, TOKENS, packed, work, bytes, NULL);
  ffn_free(work);
  for (size_t t = 0; t < TOKENS; ++t)
    if (memcmp(y + t * outputs, single, outputs * sizeof(float)) != 0)
      return -1;
  for (size_t i = 0; i < outputs; ++i) {
    const double own = fabs((double)single[i] - (double)should[i]);
    most = fmax(most, fabs((double)should[i]));
    error = isnan(own) ? INFINITY : fmax(error, own);
  }
  return error / most;
}

int main(int count, char **arguments) {
  static float x[MOST], y[MOST];
  char path[4096], model[64], name[128];
  unsigned layer = 0, part = 0;
  size_t inputs = 0, outputs = 0, found = 0, products = 0;
  double worst = 0;
  if (count != 4)
    return puts("products FOLDER MODEL TABLE"), 2;
  ffn_file file;
  snprintf(path, sizeof path, "%s/model.ffn", arguments[1]);
  const ffn_file_status opened = ffn_file_open(&file, path);
  snprintf(path, sizeof path, "%s/cases.txt", arguments[1]);
  FILE *table = fopen(arguments[3], "r");
  if (opened || !table || !find_kernels(path))
    return printf("%s: cannot be opened\n", arguments[1]), 1;
  while (fscanf(table, "%63s %127s %u %u %zu %zu", model, name, &layer, &part, &inputs, &outputs) ==
         6) {
    if (inputs > MOST || outputs > MOST || !read_numbers(table, x, inputs) ||
        !read_numbers(table, y, outputs))
      return printf("%s: no numbers of %s\n", arguments[3], name), 1;
    if (strcmp(model, arguments[2]) != 0)
      continue;
    const size_t entry = ffn_file_named(&file, name);
    const ffn_kernel *k = entry < 64 ? kernels[entry] : NULL;
    const void *packed = NULL;
    if (entry != ffn_file_find(&file, layer, part) || !k || k->inputs != inputs ||
        k->outputs != outputs || ffn_file_packed(&file, entry, k, &packed))
      return printf("%s: no product %s of layer %u\n", model, name, layer), 1;
    const double error = error_of(k, packed, x, y);
    if (!(error >= 0 && error <= 1e-5))
      return printf("%s: y of %s differs: %g\n", model, name, error), 1;
    worst = fmax(worst, error);
    ++found;
  }
  for (size_t i = 0; i < file.layers; ++i)
    products += ffn_file_entry_of(&file, i)->part >= UINT32_C(0x80000000);
  printf("%s: %zu products, y within %.2g of the largest\n", arguments[2], found, worst);
  ffn_file_close(&file), fclose(table);
  return found == 0 || found != products;
}
