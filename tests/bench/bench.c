/* The benchmark: ffngen's kernels beside libraries, and both beside what the machine can do, in one
 * run. bench --help tells the rest. Exit status 1 where any answer is wrong. */
#define _POSIX_C_SOURCE 200809L /* readlink */
#include "cell.h"
#include "options.h"
#include "peers.h"

#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUBJECTS_MOST = BENCH_PEER_COUNT + 2 };

/* Weights of fewer bytes stay in some cache between two calls, whatever a model does. */
static const size_t cold_least = (size_t)1 << 20;

typedef struct session {
  bench_options options;
  bench_report report;
  bench_pool *pools[BENCH_THREAD_COUNTS_MOST]; /* NULL for one thread */
  int wrong;
} session;

/* Kernels and peers of one layer. */
typedef struct subjects {
  size_t count;
  bench_subject list[SUBJECTS_MOST];
} subjects;

/* The best kernel, and AVX2's where that is AVX-512's. */
static void add_kernels(subjects *all, const session *s, const char *layer) {
  const bench_options *o = &s->options;
  const size_t threads = o->thread_counts[o->thread_count_count - 1];
  const ffn_kernel *best = ffn_find_layer(layer, o->cpu);
  all->list[all->count++] = bench_kernel_subject(best, threads);
  if (best->isa == FFN_ISA_AVX512 && (o->cpu >> FFN_ISA_AVX2 & 1))
    all->list[all->count++] =
        bench_kernel_subject(ffn_find_layer(layer, 1u << FFN_ISA_AVX2), threads);
}

static void add_peers(subjects *all, const bench_layer *layer) {
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i)
    if (bench_peers[i].peer)
      all->list[all->count++] = bench_peer_subject(bench_peers[i].peer, layer);
}

static int any_peer_reads_weights(void) {
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i)
    if (bench_peers[i].peer && bench_peers[i].peer->reads_weights)
      return 1;
  return 0;
}

static size_t copies_of(const session *s, const ffn_kernel *kernel) {
  const size_t needed = s->report.machine.cold_bytes / kernel->packed_bytes + 1;
  if (!s->options.cold || kernel->packed_bytes < cold_least)
    return 1;
  return needed < 2 ? 2 : needed;
}

static void measure_layer(session *s, const bench_spec *spec) {
  const bench_options *o = &s->options;
  const ffn_kernel *kernel = ffn_find_layer(spec->layer, o->cpu);
  const bench_machine *machine = &s->report.machine;
  static subjects all;
  bench_data data;
  if (!kernel) {
    printf("\n%s: no kernel for the allowed instruction sets\n", spec->name);
    return;
  }
  const size_t copies = copies_of(s, kernel);
  /* Weights that no cache holds are cold at every call. */
  const int hot =
      o->hot && !(copies > 1 && bench_home(machine, kernel->packed_bytes, 1) == BENCH_DRAM);
  bench_data_open(&data, kernel, o->token_counts, o->token_count_count, copies,
                  any_peer_reads_weights());
  all.count = 0;
  add_kernels(&all, s, spec->layer);
  add_peers(&all, &data.layer);
  bench_report_layer(&s->report, spec->name, &data.layer, all.list, all.count);
  for (size_t t = 0; t < o->thread_count_count; ++t) {
    const ffn_parallel parallel =
        s->pools[t] ? bench_pool_parallel(s->pools[t]) : (ffn_parallel){NULL, NULL, 1};
    for (size_t i = 0; i < o->token_count_count; ++i)
      for (int cold = !hot; cold <= (copies > 1); ++cold) {
        const bench_cell cell = {o->token_counts[i], o->thread_counts[t], cold,
                                 s->pools[t] ? &parallel : NULL, o->budget};
        s->wrong += bench_cell_measure(&data, all.list, all.count, &cell);
        bench_report_cell(&s->report, spec->name, &data.layer, &cell, all.list, all.count);
      }
  }
  bench_subjects_close(all.list, all.count);
  bench_data_close(&data);
}

/* The folder of this program, where its peers are. */
static const char *own_folder(void) {
  static char path[512];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  char *slash = length > 0 ? strrchr(path, '/') : NULL;
  if (!slash)
    return ".";
  *slash = 0;
  return path;
}

static ffn_isa fastest_isa(const double *peak) {
  int fastest = 0;
  for (int isa = 1; isa < FFN_ISA_COUNT; ++isa)
    if (peak[isa] > peak[fastest])
      fastest = isa;
  return (ffn_isa)fastest;
}

static void measure_roofs(session *s) {
  bench_buffers buffers = bench_buffers_open(&s->report.machine);
  bench_pool_bind(1);
  for (size_t t = 0; t < s->options.thread_count_count; ++t) {
    const ffn_parallel parallel =
        s->pools[t] ? bench_pool_parallel(s->pools[t]) : (ffn_parallel){NULL, NULL, 1};
    s->report.roofs[s->report.roof_count++] =
        bench_roofs_measure(&s->report.machine, &buffers, s->pools[t] ? &parallel : NULL);
  }
  bench_pool_bind(0);
  bench_buffers_close(&buffers);
}

/* Gigabytes are taken and given back for each layer. Where new pages are dear, as in virtual
 * machines, most of a run would go into them: freed memory is kept. */
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int main(int argc, char **argv) {
  static session s;
  keep_memory();
  s.options = bench_options_read(argc, argv);
  const bench_options *o = &s.options;
  bench_peers_load(own_folder());
  s.report.machine = bench_machine_read();
  for (size_t t = 0; t < o->thread_count_count; ++t)
    s.pools[t] = o->thread_counts[t] > 1 ? bench_pool_open(o->thread_counts[t]) : NULL;
  measure_roofs(&s);
  bench_report_open(&s.report, o->json);
  for (size_t i = 0; i < o->spec_count; ++i)
    measure_layer(&s, o->specs[i]);
  const ffn_isa isa = fastest_isa(s.report.roofs[0].peak);
  const double before = s.report.roofs[0].peak[isa];
  const ffn_parallel first =
      s.pools[0] ? bench_pool_parallel(s.pools[0]) : (ffn_parallel){NULL, NULL, 1};
  const double after = bench_peak(isa, s.pools[0] ? &first : NULL);
  bench_report_close(&s.report, before > 0 ? after / before - 1 : 0, s.wrong);
  for (size_t t = 0; t < o->thread_count_count; ++t)
    if (s.pools[t])
      bench_pool_close(s.pools[t]);
  return s.wrong != 0;
}
