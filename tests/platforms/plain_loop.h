/* The loop that anyone would write for the chain 10-64-32-1, its weights in flash: what small.sh
 * compares instructions with. Other bits: it sums straight through. */
static const float plain_weights[10 * 64 + 64 * 32 + 32 + 64 + 32 + 1] = {0.25f, -0.5f, 1.0f};

static void plain_dense(float *out, const float *in, const float *w, const float *bias, int inputs,
                        int outputs, int relu) {
  for (int o = 0; o < outputs; o++) {
    float sum = bias[o];
    for (int k = 0; k < inputs; k++)
      sum += w[o * inputs + k] * in[k];
    out[o] = relu && sum < 0 ? 0 : sum;
  }
}

static void plain_run(float *y, const float *x) {
  const float *w = plain_weights;
  float first[64], second[32];
  plain_dense(first, x, w, w + 2720, 10, 64, 1);
  plain_dense(second, first, w + 640, w + 2784, 64, 32, 1);
  plain_dense(y, second, w + 2688, w + 2816, 32, 1, 0);
}
