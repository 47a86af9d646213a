/* A hash of the bits that each layer gives, for digest.h: tokens have a w where inputs and weights
 * are of widely different sizes, a t where many a sum is next to the middle between two floats, an
 * s where the hash is of some rows of the batch. Layers of many flop have sampled rows alone; a
 * batch of more than FLOP is run by its sampled rows alone, which have the same bits. */
#include "support/digest.h"
#include "support/model.h"

enum { MOST_FLOP = 2000000, MOST_ROWS = 300 };

static void print_batches(const ffn_kernel *kernel, const void *packed, test_fill fill) {
  static const size_t batches[] = {1, 3, 16, 33};
  static const char *const suffix[] = {[TEST_REALS] = "", [TEST_WIDE] = "w", [TEST_TIES] = "t"};
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    float *x = test_inputs(kernel, batches[b], fill, 92 + b);
    float *y = test_outputs(kernel, x, batches[b], packed);
    test_digest_line(kernel->layer, batches[b], suffix[fill],
                     test_hash(test_hash_begin, y, batches[b] * kernel->outputs));
    free(x), free(y);
  }
}

/* Rows at the ends of batches, of tiles and of walks (of 222 or 224 rows). */
static const size_t sampled[] = {0, 1, 3, 5, 16, 111, 221, 222, 224, 299};
enum { SAMPLES = sizeof sampled / sizeof *sampled };

static void print_samples(const ffn_kernel *kernel, const void *packed, double most_flop) {
  static const size_t batches[] = {1, 4, 17, MOST_ROWS};
  const size_t outputs = kernel->outputs;
  float *x = test_inputs(kernel, MOST_ROWS, TEST_REALS, 96);
  float *rows = test_memory(SAMPLES * kernel->inputs * sizeof(float));
  for (size_t s = 0; s < SAMPLES; s++)
    memcpy(rows + s * kernel->inputs, x + sampled[s] * kernel->inputs,
           kernel->inputs * sizeof(float));
  float *y_of_samples = NULL;
  for (size_t b = 0; b < sizeof batches / sizeof *batches; b++) {
    const size_t tokens = batches[b];
    float *y = NULL;
    if ((double)kernel->flop_per_token * (double)tokens <= most_flop)
      y = test_outputs(kernel, x, tokens, packed);
    else if (!y_of_samples)
      y_of_samples = test_outputs(kernel, rows, SAMPLES, packed);
    uint64_t bits = test_hash_begin;
    for (size_t s = 0; s < SAMPLES && sampled[s] < tokens; s++)
      bits = test_hash(bits, y ? y + sampled[s] * outputs : y_of_samples + s * outputs, outputs);
    test_digest_line(kernel->layer, tokens, "s", bits);
    free(y);
  }
  free(x), free(rows), free(y_of_samples);
}

static void print_layer(const ffn_kernel *kernel, double most_flop) {
  for (test_fill fill = TEST_REALS; fill <= TEST_TIES; fill++) {
    const int small = kernel->flop_per_token <= MOST_FLOP;
    if (!small && fill != TEST_REALS)
      continue;
    test_model model;
    test_model_open(&model, kernel, fill, 91);
    test_model_pack(&model);
    if (small)
      print_batches(kernel, model.packed, fill);
    if (fill == TEST_REALS)
      print_samples(kernel, model.packed, most_flop);
    test_model_close(&model);
  }
}

int main(int argc, char **argv) { return test_digest(argc, argv, print_layer); }
