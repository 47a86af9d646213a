/* Weights in the code against those that are mapped: embedded MODEL.ffn ENTRY. */
#include "my.h"
#include "my_file.h"

#include <stdio.h>
#include <string.h>

enum { INPUTS = MY_LAYER_INPUTS, OUTPUTS = MY_LAYER_OUTPUTS, ROWS = 5 };

int main(int count, char **arguments) {
  static float x[ROWS * INPUTS], y[ROWS * OUTPUTS], wanted[ROWS * OUTPUTS];
  const my_kernel *kernel = my_layer();
  const void *mapped;
  my_file file;
  if (count != 3 || my_file_open(&file, arguments[1]))
    return puts("no file"), 1;
  if (my_file_packed(&file, my_file_named(&file, arguments[2]), kernel, &mapped))
    return puts("no entry"), 1;
  if (memcmp(mapped, my_layer_packed(), kernel->packed_bytes) != 0)
    return puts("other bytes"), 1;
  const size_t bytes = my_work_bytes(kernel, 1, ROWS);
  void *work = my_alloc(bytes);
  for (int i = 0; i < ROWS * INPUTS; ++i)
    x[i] = (float)(i * 37 % 101 - 50) / 64;
  my_run(kernel, wanted, OUTPUTS, x, INPUTS, ROWS, mapped, work, bytes, NULL);
  my_run(kernel, y, OUTPUTS, x, INPUTS, ROWS, my_layer_packed(), work, bytes, NULL);
  my_free(work);
  my_file_close(&file);
  return memcmp(y, wanted, sizeof y) == 0 && y[0] != 0 ? 0 : (puts("other results"), 1);
}
