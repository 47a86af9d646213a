#include "data.h"
#include "allowance.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The same weights in other memory. */
static void copy_model(test_model *to, const test_model *from) {
  test_model_shape(to, from->kernel);
  for (size_t m = 0; m < to->matrix_count; m++) {
    test_matrix *matrix = &to->matrices[m];
    const size_t weight_bytes = matrix->outputs * matrix->inputs * sizeof(float);
    matrix->weight = memcpy(test_memory(weight_bytes), from->matrices[m].weight, weight_bytes);
    if (from->matrices[m].bias) {
      const size_t bias_bytes = matrix->outputs * sizeof(float);
      matrix->bias = memcpy(test_memory(bias_bytes), from->matrices[m].bias, bias_bytes);
    }
    *matrix->linear = (ffn_linear){.weight = matrix->weight, .bias = matrix->bias};
  }
}

static void *copy_packed(const ffn_kernel *kernel, const void *packed) {
  void *copy = ffn_alloc(kernel->packed_bytes);
  if (!copy)
    abort();
  return memcpy(copy, packed, kernel->packed_bytes);
}

/* What a layer in dot_s8 gives for the rows that are checked; of other layers NULL. */
static float *bits_of(const bench_data *data) {
  const ffn_kernel *kernel = data->layer.kernel;
  const size_t bytes = ffn_reference_s8_bytes(kernel), in = kernel->inputs;
  if (bytes == 0)
    return NULL;
  float *bits = test_memory(data->row_count * kernel->outputs * sizeof *bits);
  float *x = test_memory(data->row_count * in * sizeof *x);
  void *scratch = test_memory(bytes);
  for (size_t i = 0; i < data->row_count; ++i)
    memcpy(x + i * in, data->x + data->rows[i] * in, in * sizeof *x);
  ffn_reference_s8(kernel, bits, x, in, data->row_count, &data->models[0].weights, scratch);
  free(x), free(scratch);
  return bits;
}

static void know_rows(bench_data *data, const size_t *token_counts, size_t count) {
  const ffn_kernel *kernel = data->layer.kernel;
  const size_t outputs = kernel->outputs;
  data->row_count = count;
  data->exact = test_memory(count * outputs * sizeof(double));
  data->bound = test_memory(count * outputs * sizeof(double));
  data->peer_bound = test_memory(count * outputs * sizeof(double));
  for (size_t i = 0; i < count; ++i) {
    data->rows[i] = token_counts[i] - 1;
    const float *x = data->x + data->rows[i] * kernel->inputs;
    test_reference(&data->models[0], data->exact + i * outputs, data->bound + i * outputs, x, 1);
    bench_allowance(&data->models[0], data->peer_bound + i * outputs, x);
  }
  data->bits = bits_of(data);
}

void bench_data_open(bench_data *data, const ffn_kernel *kernel, const size_t *token_counts,
                     size_t token_count_count, bench_copies copies) {
  const size_t tokens = token_counts[token_count_count - 1];
  const size_t y_bytes = tokens * kernel->outputs * sizeof(float);
  const size_t given = copies.each * copies.given_sets;
  *data = (bench_data){.model_count = given ? given : 1,
                       .packed_count = copies.each * copies.packed_sets,
                       .rest = {.wanted = copies.rest}};
  const size_t weights = data->model_count < copies.each ? copies.each : data->model_count;
  data->models = test_memory(data->model_count * sizeof *data->models);
  data->weights = test_memory(weights * sizeof *data->weights);
  data->packed = test_memory(data->packed_count * sizeof *data->packed);
  test_model_open(&data->models[0], kernel, TEST_REALS, 1);
  test_model_pack(&data->models[0]);
  for (size_t m = 1; m < data->model_count; ++m)
    copy_model(&data->models[m], &data->models[0]);
  for (size_t c = 0; c < weights; ++c)
    data->weights[c] = data->models[c % data->model_count].weights;
  for (size_t c = 0; c < data->packed_count; ++c)
    data->packed[c] = c == 0 ? data->models[0].packed : copy_packed(kernel, data->models[0].packed);
  data->layer = (bench_layer){kernel, data->weights, copies.each, tokens};
  data->x = test_inputs(kernel, tokens, TEST_REALS, 1);
  data->y = test_memory(y_bytes);
  data->ours = test_memory(y_bytes);
  know_rows(data, token_counts, token_count_count);
}

void bench_data_close(bench_data *data) {
  for (size_t c = 1; c < data->packed_count; ++c)
    ffn_free(data->packed[c]);
  for (size_t m = 0; m < data->model_count; ++m)
    test_model_close(&data->models[m]);
  free(data->models), free(data->weights), free(data->packed);
  free(data->x), free(data->y), free(data->ours);
  free(data->exact), free(data->bound), free(data->peer_bound), free(data->bits);
}

double bench_worse(double a, double b) { return a > b || isnan(a) ? a : b; }

double bench_data_error(const bench_data *data, size_t tokens, int is_peer) {
  const size_t outputs = data->layer.kernel->outputs;
  double worst = 0;
  for (size_t i = 0; i < data->row_count && data->rows[i] < tokens; ++i) {
    const float *y = data->y + data->rows[i] * outputs;
    const double *exact = data->exact + i * outputs;
    const double *bound = (is_peer ? data->peer_bound : data->bound) + i * outputs;
    for (size_t o = 0; o < outputs; ++o)
      worst =
          bench_worse(worst, bound[o] < INFINITY ? fabs(y[o] - exact[o]) / bound[o] : (double)NAN);
  }
  return worst;
}

int bench_data_has_bits(const bench_data *data, size_t tokens) {
  const size_t outputs = data->layer.kernel->outputs;
  for (size_t i = 0; i < data->row_count && data->rows[i] < tokens; ++i)
    if (memcmp(data->y + data->rows[i] * outputs, data->bits + i * outputs,
               outputs * sizeof *data->y) != 0)
      return 0;
  return 1;
}

double bench_data_noise(const bench_data *data, size_t tokens) {
  const size_t outputs = data->layer.kernel->outputs;
  double error = 0, size = 0x1p-1000;
  for (size_t i = 0; i < data->row_count && data->rows[i] < tokens; ++i)
    for (size_t o = 0; o < outputs; ++o) {
      const double exact = data->exact[i * outputs + o];
      const double own = (double)data->y[data->rows[i] * outputs + o] - exact;
      error += own * own, size += exact * exact;
    }
  return sqrt(error / size);
}

double bench_data_difference(const bench_data *data, size_t tokens) {
  const size_t count = tokens * data->layer.kernel->outputs;
  double largest = 0x1p-126, difference = 0;
  for (size_t i = 0; i < count; ++i) {
    largest = fmax(largest, fabs((double)data->ours[i]));
    difference = bench_worse(difference, fabs((double)data->y[i] - (double)data->ours[i]));
  }
  return difference / (largest * bench_difference_most(data->layer.kernel));
}
