/* The floats that the layers of a packed file multiply with, by unpack(): values FOLDER reads
 * model.ffn and writes values.bin, of each matrix the rows, and behind them its bias. The names of
 * kernels are those of cases.txt. */
#include "ffn_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
  char path[4096], line[1024], name[512];
  if (count != 2)
    return puts("values FOLDER"), 2;
  ffn_file file;
  snprintf(path, sizeof path, "%s/model.ffn", arguments[1]);
  const ffn_file_status opened = ffn_file_open(&file, path);
  snprintf(path, sizeof path, "%s/cases.txt", arguments[1]);
  FILE *cases = fopen(path, "r");
  snprintf(path, sizeof path, "%s/values.bin", arguments[1]);
  FILE *out = fopen(path, "wb");
  if (opened || !cases || !out)
    return printf("%s: cannot be opened\n", arguments[1]), 1;
  size_t entry = 0;
  while (fgets(line, sizeof line, cases)) {
    if (sscanf(line, "layer %511s", name) != 1)
      continue;
    const ffn_kernel *k = ffn_find_layer(name, 1u << FFN_ISA_C);
    const void *packed = NULL;
    if (!k || ffn_file_packed(&file, entry++, k, &packed))
      return printf("%s: no such layer\n", name), 1;
    for (size_t s = 0; s < k->stage_count; ++s)
      for (size_t b = 0; b < k->stages[s].branches; ++b) {
        const size_t outputs = k->stages[s].outputs, inputs = k->stages[s].inputs;
        float *weight = ffn_alloc(outputs * inputs * sizeof(float));
        float *bias = k->stages[s].bias ? ffn_alloc(outputs * sizeof(float)) : NULL;
        const ffn_unpacked_linear to = {.weight = weight, .bias = bias};
        const ffn_matrix role = k->stages[s].matrix[b];
        ffn_unpacked all;
        ffn_unpacked_linear chain[FFN_MAX_STAGES];
        memset(&all, 0, sizeof all);
        memset(chain, 0, sizeof chain);
        all.chain = chain;
        *(role == FFN_MATRIX_CHAIN  ? &chain[s]
          : role == FFN_MATRIX_GATE ? &all.gate
          : role == FFN_MATRIX_UP   ? &all.up
                                    : &all.down) = to;
        k->unpack(&all, packed);
        fwrite(weight, sizeof(float), outputs * inputs, out);
        if (bias)
          fwrite(bias, sizeof(float), outputs, out);
        ffn_free(weight), ffn_free(bias);
      }
  }
  const int whole = entry > 0 && entry == file.layers;
  ffn_file_close(&file), fclose(cases);
  return fclose(out) != 0 || !whole;
}
