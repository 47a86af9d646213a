#include "data.h"
#include "kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a row's largest value may be off by, in peers: 16 times f32's own precision. */
static const double peer_relative = 16 * 0x1p-24, peer_bounds = 4;
/* Two peers' worth, over rows without a reference. */
static const double difference_relative = 64 * 0x1p-24;

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
    *matrix->linear = (ffn_linear){matrix->weight, matrix->bias};
  }
}

static void *copy_packed(const ffn_kernel *kernel, const void *packed) {
  void *copy = ffn_alloc(kernel->packed_bytes);
  if (!copy)
    abort();
  return memcpy(copy, packed, kernel->packed_bytes);
}

static void know_rows(bench_data *data, const size_t *token_counts, size_t count) {
  const ffn_kernel *kernel = data->layer.kernel;
  const size_t outputs = kernel->outputs;
  data->row_count = count;
  data->exact = test_memory(count * outputs * sizeof(double));
  data->bound = test_memory(count * outputs * sizeof(double));
  for (size_t i = 0; i < count; ++i) {
    data->rows[i] = token_counts[i] - 1;
    test_reference(&data->models[0], data->exact + i * outputs, data->bound + i * outputs,
                   data->x + data->rows[i] * kernel->inputs, 1);
  }
}

void bench_data_open(bench_data *data, const ffn_kernel *kernel, const size_t *token_counts,
                     size_t token_count_count, size_t copies, int peers_read_weights) {
  const size_t tokens = token_counts[token_count_count - 1];
  const size_t y_bytes = tokens * kernel->outputs * sizeof(float);
  *data = (bench_data){.model_count = peers_read_weights ? copies : 1};
  data->models = test_memory(data->model_count * sizeof *data->models);
  data->weights = test_memory(copies * sizeof *data->weights);
  data->packed = test_memory(copies * sizeof *data->packed);
  test_model_open(&data->models[0], kernel, TEST_REALS, 1);
  test_model_pack(&data->models[0]);
  for (size_t m = 1; m < data->model_count; ++m)
    copy_model(&data->models[m], &data->models[0]);
  for (size_t c = 0; c < copies; ++c) {
    data->weights[c] = data->models[c % data->model_count].weights;
    data->packed[c] = c == 0 ? data->models[0].packed : copy_packed(kernel, data->models[0].packed);
  }
  data->layer = (bench_layer){kernel, data->weights, copies, tokens};
  data->x = test_inputs(kernel, tokens, TEST_REALS, 1);
  data->y = test_memory(y_bytes);
  data->ours = test_memory(y_bytes);
  know_rows(data, token_counts, token_count_count);
}

void bench_data_close(bench_data *data) {
  for (size_t c = 1; c < data->layer.copies; ++c)
    ffn_free(data->packed[c]);
  for (size_t m = 0; m < data->model_count; ++m)
    test_model_close(&data->models[m]);
  free(data->models), free(data->weights), free(data->packed);
  free(data->x), free(data->y), free(data->ours);
  free(data->exact), free(data->bound);
}

/* The larger one, or NaN. */
static double worse(double a, double b) { return b <= a ? a : b; }

double bench_data_error(const bench_data *data, size_t tokens, int is_peer) {
  const size_t outputs = data->layer.kernel->outputs;
  double worst = 0;
  for (size_t i = 0; i < data->row_count && data->rows[i] < tokens; ++i) {
    const float *y = data->y + data->rows[i] * outputs;
    const double *exact = data->exact + i * outputs, *bound = data->bound + i * outputs;
    double largest = 0;
    for (size_t o = 0; o < outputs; ++o)
      largest = fmax(largest, fabs(exact[o]));
    for (size_t o = 0; o < outputs; ++o) {
      const double allowed = is_peer ? peer_bounds * bound[o] + peer_relative * largest : bound[o];
      worst = worse(worst, fabs(y[o] - exact[o]) / allowed);
    }
  }
  return worst;
}

double bench_data_difference(const bench_data *data, size_t tokens) {
  const size_t outputs = data->layer.kernel->outputs;
  double worst = 0;
  for (size_t t = 0; t < tokens; ++t) {
    const float *y = data->y + t * outputs, *ours = data->ours + t * outputs;
    double largest = 0x1p-126, difference = 0;
    for (size_t o = 0; o < outputs; ++o) {
      largest = fmax(largest, fabs((double)ours[o]));
      difference = worse(difference, fabs((double)y[o] - (double)ours[o]));
    }
    worst = worse(worst, difference / (difference_relative * largest));
  }
  return worst;
}
