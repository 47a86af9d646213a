/* OpenBLAS: sgemm (sgemv for one token) and a loop. It has no call for packed weights. */
#include "products.h"

#include <cblas.h>
#include <stdio.h>

static const char *version(void) {
  static char text[256];
  snprintf(text, sizeof text, "%s; core %s", openblas_get_config(), openblas_get_corename());
  return text;
}

void bench_product_threads(size_t threads) { openblas_set_num_threads((int)threads); }

void bench_product(float *y, const float *x, const float *w, size_t tokens, size_t inputs,
                   size_t outputs) {
  const int t = (int)tokens, k = (int)inputs, n = (int)outputs;
  if (tokens == 1)
    cblas_sgemv(CblasRowMajor, CblasNoTrans, n, k, 1.0f, w, k, x, 1, 0.0f, y, 1);
  else
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, t, n, k, 1.0f, x, k, w, k, 0.0f, y, n);
}

const bench_peer peer = {.name = "openblas", .version = version, BENCH_PRODUCTS_PEER};
