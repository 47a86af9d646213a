/* A hash of the bits of each trained layer, for digest.h: what run_train() and grad() give, and
 * what a second grad() adds to that. Tokens have a g, and a w where inputs and weights are of
 * widely different sizes: within a block, beyond one, and beyond the rows that go through at once.
 */
#include "support/digest.h"
#include "support/model.h"
#include "support/rng.h"
#include "support/training.h"

static uint64_t hash_of(uint64_t bits, const test_gradients *gradients) {
  for (size_t i = 0; i < gradients->count; i++)
    bits = test_hash(bits, gradients->all[i].values, gradients->all[i].count);
  return bits;
}

static void print_batch(const ffn_training *training, const test_model *model, size_t tokens,
                        test_fill fill, const char *suffix) {
  const size_t outputs = tokens * training->outputs;
  float *x = test_inputs(model->kernel, tokens, fill, 92 + tokens);
  float *dy = test_memory(outputs * sizeof *dy), *y = test_memory(outputs * sizeof *y);
  for (size_t i = 0; i < outputs; i++)
    dy[i] = test_uniform(97, i);
  void *packed = test_pack_train(training, model), *saved = test_saved(training, tokens);
  test_train(training, y, x, tokens, saved, packed, &test_dropout, NULL);
  test_gradients gradients;
  test_gradients_open(&gradients, model, tokens);
  test_grad(training, &gradients.to, dy, x, tokens, saved, packed, &test_dropout, NULL);
  uint64_t bits = hash_of(test_hash(test_hash_begin, y, outputs), &gradients);
  gradients.to.accumulate = 1;
  test_grad(training, &gradients.to, dy, x, tokens, saved, packed, &test_dropout, NULL);
  test_digest_line(training->layer, tokens, suffix, hash_of(bits, &gradients));
  test_gradients_close(&gradients);
  free(x), free(dy), free(y), ffn_free(packed), ffn_free(saved);
}

static void print_layer(const ffn_kernel *kernel, double most_flop) {
  static const size_t batches[] = {3, 130, 258};
  static const char *const suffix[] = {[TEST_REALS] = "g", [TEST_WIDE] = "gw"};
  const ffn_training *training = ffn_training_of(kernel);
  for (test_fill fill = TEST_REALS; training && fill <= TEST_WIDE; fill++) {
    test_model model;
    test_model_open(&model, kernel, fill, 91);
    test_model_pack(&model);
    /* Forward once, backward twice as much, and that twice. */
    const double flop = 5 * (double)kernel->flop_per_token;
    for (size_t b = 0; b < sizeof batches / sizeof *batches; b++)
      if (flop * (double)batches[b] <= most_flop)
        print_batch(training, &model, batches[b], fill, suffix[fill]);
    test_model_close(&model);
  }
}

int main(int argc, char **argv) { return test_digest(argc, argv, print_layer); }
