#define _GNU_SOURCE /* RTLD_DEEPBIND, setenv */
#include "peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bench_peer_entry bench_peers[BENCH_PEER_COUNT] = {
    {.name = "naive"},   {.name = "naive_fast"}, {.name = "openblas"},    {.name = "blis"},
    {.name = "libxsmm"}, {.name = "onednn"},     {.name = "onnxruntime"}, {.name = "openvino"},
    {.name = "pytorch"}, {.name = "torch_bf16"}, {.name = "ggml"},        {.name = "ggml_native"},
    {.name = "f32"},     {.name = "fma_f32"}};

/* Those that are no shared object. */
static const bench_peer *own_peer(const char *name) {
  static const bench_peer *const all[] = {&bench_onnxruntime, &bench_openvino,   &bench_pytorch,
                                          &bench_ggml,        &bench_torch_bf16, &bench_f32,
                                          &bench_fma_f32};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (strcmp(all[i]->name, name) == 0)
      return all[i];
  return NULL;
}

/* Why a peer was not built: peer.sh left a line. */
static void read_why(bench_peer_entry *entry, const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "%s/peer_%s.why", folder, entry->name);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(entry->why, sizeof entry->why, file))
    snprintf(entry->why, sizeof entry->why, "not built: ninja build/bench/bench");
  entry->why[strcspn(entry->why, "\n")] = 0;
  if (file)
    fclose(file);
}

/* Names that two libraries share stay apart: each sees its own first, and shows none. */
static const bench_peer *load(bench_peer_entry *entry, const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "%s/peer_%s.so", folder, entry->name);
  FILE *file = fopen(path, "r");
  if (!file) {
    read_why(entry, folder);
    return NULL;
  }
  fclose(file);
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  const bench_peer *found = object ? (const bench_peer *)dlsym(object, "peer") : NULL;
  if (!found)
    snprintf(entry->why, sizeof entry->why, "%s", dlerror());
  return found;
}

void bench_peers_load(const char *folder) {
  /* OpenBLAS reads these when it is loaded: the kernels for AVX-512, and 2^22 cycles to spin after
   * a call, in place of 2^28, for which everybody else would have to wait. */
  if (ffn_cpu() >> FFN_ISA_AVX512 & 1)
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
  setenv("OPENBLAS_THREAD_TIMEOUT", "22", 0);
  /* LIBXSMM asks OpenMP to bind threads; an OpenMP loaded after it would leave us a single CPU. */
  setenv("OMP_PROC_BIND", "false", 0);
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i) {
    bench_peer_entry *entry = &bench_peers[i];
    if (!entry->wanted) {
      snprintf(entry->why, sizeof entry->why, "not asked for");
      continue;
    }
    entry->peer = own_peer(entry->name);
    if (!entry->peer)
      entry->peer = load(entry, folder);
    if (!entry->peer)
      continue;
    const char *version = entry->peer->version();
    if (version) {
      snprintf(entry->version, sizeof entry->version, "%s", version);
    } else {
      const char *failed = entry->peer->failed ? entry->peer->failed() : NULL;
      entry->peer = NULL;
      entry->failed = failed != NULL;
      if (failed)
        snprintf(entry->why, sizeof entry->why, "failed: %s", failed);
      else
        snprintf(entry->why, sizeof entry->why,
                 "not importable; BENCH_PYTHON names a Python that has it");
    }
  }
}
