/* Training in turns with the kernel that only runs, with gradients composed from OpenBLAS's
 * products, and with PyTorch's autograd: training [THREADS [ROUNDS [LAYER]]]. training.sh compiles
 * and runs it. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "clock.h"
#include "parallel_pthreads.h"
#include "training_table.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEER_COUNT = 2 };

static const double difference_most = 1e-4;

/* OpenBLAS reads the environment when it is loaded: see peers.c. */
static const training_peer *load_openblas(void) {
  if (ffn_cpu() >> FFN_ISA_AVX512 & 1)
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "22", 0);
  void *object = dlopen("build/bench/training_openblas.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  return object ? (const training_peer *)dlsym(object, "training_openblas") : NULL;
}

static int is_gone(const training_peer *peer) { return peer && peer->failed && peer->failed(); }

static void find_peers(const training_peer **peers, size_t threads) {
  static const char *const without[PEER_COUNT] = {
      "OpenBLAS: no cblas.h (package libopenblas-dev): skipped",
      "PyTorch: no torch in python3 (BENCH_PYTHON names one that has): skipped"};
  peers[0] = load_openblas();
  peers[1] = &training_pytorch;
  for (size_t i = 0; i < PEER_COUNT; i++) {
    const char *version = peers[i] ? peers[i]->version(threads) : NULL;
    if (version)
      printf("%s: %s\n", peers[i]->name, version);
    else if (!is_gone(peers[i]))
      peers[i] = NULL, printf("%s\n", without[i]);
  }
}

static double time_ours(const training_scene *s, training_subject subject) {
  const training_answer *ours = &s->ours;
  const ffn_training *t = s->training;
  const size_t in = t->inputs, out = t->outputs;
  const ffn_gradients dx = {.dx = ours->to.dx, .dx_stride = in};
  ffn_gradients dw = ours->to;
  dw.dx = NULL;
  const ffn_gradients *to = subject == TRAINING_DX ? &dx : subject == TRAINING_DW ? &dw : &ours->to;
  const double began = bench_now();
  if (subject == TRAINING_RUN)
    ffn_run(s->kernel, ours->y, out, s->x, in, s->tokens, s->packed, s->work, s->work_bytes,
            s->parallel);
  else if (subject == TRAINING_FORWARD)
    ffn_run_train(t, ours->y, out, s->x, in, s->tokens, s->saved, s->packed, s->work, NULL,
                  s->parallel);
  else if (subject == TRAINING_PACK)
    t->pack_train(s->packed, &s->weights);
  else
    ffn_grad(t, to, s->dy, out, s->x, in, s->tokens, s->saved, s->packed, s->work, NULL,
             s->parallel);
  return bench_now() - began;
}

static double time_subject(const training_scene *scene, const training_peer *const *peers,
                           size_t subject) {
  bench_settle();
  if (subject < TRAINING_PEERS)
    return time_ours(scene, (training_subject)subject);
  const training_peer *peer = peers[(subject - TRAINING_PEERS) / 2];
  if (!peer)
    return NAN;
  return (subject - TRAINING_PEERS) % 2 == 0 ? peer->forward() : peer->gradients();
}

/* All answers of a peer beside ours, which lie there since the first round. */
static void check(const training_scene *scene, const training_peer *peer) {
  peer->forward(), peer->gradients();
  if (peer->answer)
    peer->answer();
  if (is_gone(peer))
    return;
  const double apart = training_difference(scene);
  if (!(apart <= difference_most)) {
    fprintf(stderr, "training: %s: y, dx, dW or db of %s is %.1e apart\n", scene->kernel->name,
            peer->name, apart);
    exit(1);
  }
}

/* Each round begins with another subject. The first is for warming up. */
static void measure(training_scene *scene, const training_peer *const *found, size_t rounds) {
  training_times times = {.scene = scene, .rounds = rounds};
  const training_peer *peers[PEER_COUNT];
  for (size_t i = 0; i < PEER_COUNT; i++)
    peers[i] = found[i] && found[i]->open(scene) ? found[i] : NULL;
  for (size_t subject = 0; subject < TRAINING_SUBJECTS; subject++)
    time_subject(scene, peers, subject);
  for (size_t i = 0; i < PEER_COUNT; i++)
    if (peers[i])
      check(scene, peers[i]);
  for (size_t round = 0; round < rounds; round++)
    for (size_t i = 0; i < TRAINING_SUBJECTS; i++) {
      const size_t subject = (i + round) % TRAINING_SUBJECTS;
      times.seconds[subject][round] = time_subject(scene, peers, subject);
    }
  for (size_t i = 0; i < PEER_COUNT; i++) /* what it gave is a part of a round */
    if (is_gone(peers[i]))
      times.seconds[TRAINING_PEERS + 2 * i][0] = NAN;
  training_table_row(&times);
}

/* A row for each peer that is gone, and how many are. */
static int say_failed(const training_peer *const *peers) {
  int failed = 0;
  for (size_t i = 0; i < PEER_COUNT; i++)
    if (is_gone(peers[i])) {
      printf("%s failed: %s\n", peers[i]->name, peers[i]->failed());
      failed++;
    }
  return failed;
}

int main(int argc, char **argv) {
  const size_t threads = argc > 1 ? (size_t)atoi(argv[1]) : 1;
  size_t rounds = argc > 2 ? (size_t)atoi(argv[2]) : 15;
  if (rounds < 1 || rounds > TRAINING_ROUNDS_MOST)
    rounds = TRAINING_ROUNDS_MOST;
  ffn_pool *pool = threads > 1 ? ffn_pool_create(threads) : NULL;
  const ffn_parallel parallel = pool ? ffn_pool_parallel(pool) : (ffn_parallel){NULL, NULL, 0};
  const training_peer *peers[PEER_COUNT];
  find_peers(peers, threads);
  training_table_head(threads, rounds);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (ffn_find_layer((*k)->layer, ffn_cpu()) != *k || (argc > 3 && !strstr((*k)->name, argv[3])))
      continue;
    for (size_t tokens = 256; tokens <= 512; tokens *= 2) {
      training_scene scene;
      training_scene_open(&scene, *k, tokens, threads, pool ? &parallel : NULL);
      measure(&scene, peers, rounds);
      training_scene_close(&scene);
    }
  }
  ffn_pool_destroy(pool);
  return say_failed(peers) > 0;
}
