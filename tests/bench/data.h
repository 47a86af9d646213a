/* A layer under measurement: its weights in as many copies as cold runs need, its input, and what
 * its answers are checked against. */
#ifndef BENCH_DATA_H
#define BENCH_DATA_H

#include "model.h"
#include "peer.h"

enum { BENCH_TOKEN_COUNTS_MOST = 16 };

typedef struct bench_data {
  bench_layer layer;
  test_model *models; /* [model_count]: weights as given */
  size_t model_count; /* 1, or layer.copies where a peer reads weights as they are given */
  ffn_weights *weights;
  void **packed; /* [layer.copies] for ffngen */
  size_t turn;   /* the copy that is next in cold runs, whoever runs */
  float *x, *y, *ours;
  /* Rows of y whose exact values are known: the last of each number of tokens. */
  size_t row_count, rows[BENCH_TOKEN_COUNTS_MOST];
  double *exact, *bound; /* [row_count][outputs] */
} bench_data;

/* token_counts ascend. */
void bench_data_open(bench_data *data, const ffn_kernel *kernel, const size_t *token_counts,
                     size_t token_count_count, size_t copies, int peers_read_weights);
void bench_data_close(bench_data *data);

/* The largest error of data->y in the checked rows among the first `tokens`, as a fraction of what
 * is allowed; NaN where y is not a number. Kernels are allowed their proven bound; peers a few of
 * them, as sums of theirs have another order, and the error of a usual exp or tanh. */
double bench_data_error(const bench_data *data, size_t tokens, int is_peer);

/* The largest difference of data->y from data->ours, each row as a fraction of what is allowed for
 * its largest value. */
double bench_data_difference(const bench_data *data, size_t tokens);

#endif
