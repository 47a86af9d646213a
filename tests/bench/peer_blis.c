/* BLIS: its typed gemm (gemv for one token) and a loop. It has no call for packed weights. */
#define _POSIX_C_SOURCE 200809L /* setenv; pthread types that blis.h names */
#include "products.h"

#include <blis.h>
#include <stdio.h>
#include <stdlib.h>

static const char *version(void) {
  static char text[128];
#ifdef BLIS_CONFIG_SKX
  /* BLIS takes virtual machines with AVX-512 for Haswell. It reads this once, in bli_init(). */
  if (ffn_cpu() >> FFN_ISA_AVX512 & 1) {
    snprintf(text, sizeof text, "%d", BLIS_ARCH_SKX);
    setenv("BLIS_ARCH_TYPE", text, 0);
  }
#endif
  bli_init();
  snprintf(text, sizeof text, "%s; configuration %s", bli_info_get_version_str(),
           bli_arch_string(bli_arch_query_id()));
  return text;
}

void bench_product_threads(size_t threads) { bli_thread_set_num_threads((dim_t)threads); }

void bench_product(float *y, const float *x, const float *w, size_t tokens, size_t inputs,
                   size_t outputs) {
  const dim_t t = (dim_t)tokens, k = (dim_t)inputs, n = (dim_t)outputs;
  float one = 1.0f, zero = 0.0f;
  /* BLIS promises not to write what it takes without const. */
  float *a = (float *)(uintptr_t)x, *b = (float *)(uintptr_t)w;
  if (tokens == 1)
    bli_sgemv(BLIS_NO_TRANSPOSE, BLIS_NO_CONJUGATE, n, k, &one, b, k, 1, a, 1, &zero, y, 1);
  else
    bli_sgemm(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, t, n, k, &one, a, k, 1, b, 1, k, &zero, y, n,
              1);
}

const bench_peer peer = {.name = "blis", .version = version, BENCH_PRODUCTS_PEER};
