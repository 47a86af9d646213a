/* All peers, by name: those that were built or found, and for the others why not. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "peer.h"

typedef struct bench_peer_entry {
  const char *name;
  int wanted;
  const bench_peer *peer; /* NULL: see why */
  char why[600];
  char version[256];
  int failed; /* 1: it is there, and died before it said its version */
} bench_peer_entry;

enum { BENCH_PEER_COUNT = 14 };
extern bench_peer_entry bench_peers[BENCH_PEER_COUNT];

/* Loads the wanted ones. folder holds peer_NAME.so, or peer_NAME.why in its place. */
void bench_peers_load(const char *folder);

/* The kernel of f32, for layers whose weights are compressed; and that of the same bytes with sums
 * in f32, for layers of another arithmetic. */
extern const bench_peer bench_f32, bench_fma_f32;

/* The peers that run in Python, one child process each. */
extern const bench_peer bench_onnxruntime, bench_openvino, bench_pytorch, bench_torch_bf16,
    bench_ggml;

#endif
