/* A file of ffn-pack serves a layer in either arithmetic: arithmetics FILE IN_F32 IN_INTEGERS. Both
 * are names of the layer that is entry 0 of the file. */
#include "ffn_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 5 };

/* y by a kernel and the packed weights of the file; 0: they do not fit. */
static int run(const ffn_file *file, const ffn_kernel *kernel, const float *x, float *y) {
  const void *packed = NULL;
  if (!kernel || ffn_file_packed(file, 0, kernel, &packed) != FFN_FILE_OK)
    return 0;
  const size_t bytes = ffn_work_bytes(kernel, 1, ROWS);
  void *work = ffn_alloc(bytes);
  ffn_run(kernel, y, kernel->outputs, x, kernel->inputs, ROWS, packed, work, bytes, NULL);
  ffn_free(work);
  return 1;
}

int main(int count, char **arguments) {
  ffn_file file;
  if (count != 4 || ffn_file_open(&file, arguments[1]) != FFN_FILE_OK)
    return 2;
  const ffn_kernel *plain = ffn_find_layer(arguments[2], 1u << FFN_ISA_C);
  const ffn_kernel *integers = ffn_find_layer(arguments[3], 1u << FFN_ISA_C);
  if (!plain || !integers || plain == integers)
    return 2;
  const size_t inputs = ROWS * plain->inputs, outputs = ROWS * plain->outputs;
  float *x = ffn_alloc(inputs * sizeof *x), *y = ffn_alloc(outputs * sizeof *y);
  float *z = ffn_alloc(outputs * sizeof *z), *again = ffn_alloc(outputs * sizeof *z);
  for (size_t i = 0; i < inputs; i++)
    x[i] = (float)((double)(i * 37 % 101) / 50 - 1);
  if (!run(&file, plain, x, y) || !run(&file, integers, x, z))
    return 1;
  const ffn_kernel *best = ffn_find_layer(arguments[3], ffn_cpu());
  if (!run(&file, best, x, again) || memcmp(z, again, outputs * sizeof *z) != 0)
    return 1;
  double error = 0, size = 0;
  for (size_t i = 0; i < outputs; i++) {
    error += pow((double)y[i] - z[i], 2);
    size += pow(y[i], 2);
  }
  const double part = sqrt(error / size);
  printf("%s beside %s: %.4f of y\n", best->name, plain->name, part);
  ffn_file_close(&file);
  return !(part > 0 && part < 0.03);
}
