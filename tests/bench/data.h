/* A layer under measurement: its weights in as many copies as cold runs need, its input, and what
 * its answers are checked against. */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "cold_weights.h"
#include "model.h"
#include "peer.h"

enum { BENCH_TOKEN_COUNTS_MOST = 16, BENCH_SUBJECTS_MOST = 28 };

/* Copies of a layer's weights. A set is what one subject uses: one after the other, all of it at
 * each turn. */
typedef struct bench_copies {
  size_t each;        /* copies in a set */
  size_t packed_sets; /* for kernels and plain reads */
  size_t given_sets;  /* for peers that read weights as they are given */
  size_t rest;        /* bytes of other memory that cold weights rest for */
} bench_copies;

typedef struct bench_data {
  bench_layer layer;  /* its weights are the first set */
  test_model *models; /* [model_count]: weights as given */
  size_t model_count, packed_count;
  ffn_weights *weights; /* [model_count], or as many as a set has */
  void **packed;        /* [packed_count] */
  bench_rest rest;
  bench_rested packed_rested[BENCH_SUBJECTS_MOST], given_rested[BENCH_SUBJECTS_MOST]; /* sets */
  float *x, *y, *ours;
  /* Rows of y whose exact values are known: the last of each number of tokens. */
  size_t row_count, rows[BENCH_TOKEN_COUNTS_MOST];
  double *exact, *bound, *peer_bound; /* [row_count][outputs] */
  float *bits; /* the same of a layer in dot_s8, which has no useful bound; of others NULL */
} bench_data;

/* token_counts ascend. */
void bench_data_open(bench_data *data, const ffn_kernel *kernel, const size_t *token_counts,
                     size_t token_count_count, bench_copies copies);
void bench_data_close(bench_data *data);

/* The larger of two errors, NaN where one is. */
double bench_worse(double a, double b);

/* The largest error of data->y in the checked rows among the first `tokens`, as a fraction of what
 * is allowed; NaN where y is not a number, or where nothing is promised. Kernels are allowed their
 * proven bound, peers that of their own sums: see allowance.h. */
double bench_data_error(const bench_data *data, size_t tokens, int is_peer);

/* Whether data->y has the bits of ffn_reference_s8() in the checked rows, of a layer in dot_s8. */
int bench_data_has_bits(const bench_data *data, size_t tokens);

/* The rms of the error of data->y in the checked rows over the rms of what they are. */
double bench_data_noise(const bench_data *data, size_t tokens);

/* The largest difference of data->y from data->ours, as a fraction of what is allowed. */
double bench_data_difference(const bench_data *data, size_t tokens);

#endif
