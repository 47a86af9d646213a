/* The benchmark: ffngen's kernels beside libraries, and both beside what the machine can do, in one
 * run. bench --help tells the rest. Exit status 1 where any answer is wrong, or a peer failed. */
#define _POSIX_C_SOURCE 200809L /* readlink */
#include "blocks.h"
#include "cell.h"
#include "options.h"
#include "peers.h"

#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Weights of fewer bytes stay in some cache between two calls, whatever a model does. */
static const size_t cold_least = (size_t)1 << 20;
/* And these of one sample are so many in all, where a layer has less. */
static const size_t cold_sample = (size_t)8 << 20;

typedef struct session {
  bench_options options;
  bench_report report;
  bench_buffers buffers;
  bench_pool *pools[BENCH_THREAD_COUNTS_MOST]; /* NULL for one thread */
  int wrong;
} session;

/* Kernels and peers of one layer. */
typedef struct subjects {
  size_t count;
  bench_subject list[BENCH_SUBJECTS_MOST];
} subjects;

static bench_subject *next(subjects *all) { return &all->list[all->count++]; }

/* AVX2's kernel, where the best one is AVX-512's, or that of AVX-512 VNNI. */
static const ffn_kernel *second_kernel(const session *s, const ffn_kernel *best) {
  const unsigned cpu = s->options.cpu & (1u << FFN_ISA_AVX2 | FFN_CPU_PROFILES);
  const int is_wide = best->isa == FFN_ISA_AVX512 || best->isa == FFN_ISA_AVX512_VNNI;
  return is_wide ? ffn_find_layer(best->layer, cpu) : NULL;
}

/* Kernels, their peaks unless they multiply bytes, and a read of their weights. apart: 1 for a set
 * of copies of its own for each, 0 for one that all share. */
static void add_ours(subjects *all, const session *s, const bench_data *data, size_t apart) {
  const ffn_kernel *best = data->layer.kernel;
  const bench_options *o = &s->options;
  const size_t threads = o->thread_counts[o->thread_count_count - 1];
  const ffn_kernel *second = second_kernel(s, best);
  size_t set = 0;
  for (size_t number = 1; number <= 1 + o->again; ++number, set += apart)
    bench_kernel_subject(next(all), best, threads, number, set);
  if (second) {
    bench_kernel_subject(next(all), second, threads, 1, set);
    set += apart;
  }
  if (second && !data->bits)
    bench_peak_subject(next(all), second->isa);
  if (!data->bits)
    bench_peak_subject(next(all), best->isa);
  bench_read_subject(next(all), set);
}

static void add_peers(subjects *all, const bench_data *data, size_t apart) {
  size_t set = 0;
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i) {
    const bench_peer *library = bench_peers[i].peer;
    if (!library || (test_in_blocks(data->layer.kernel) && !library->takes_blocks))
      continue;
    bench_peer_subject(next(all), library, data, library->reads_weights ? set : 0);
    set += library->reads_weights ? apart : 0;
  }
}

static size_t peers_that_read_weights(void) {
  size_t count = 0;
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i)
    count += bench_peers[i].peer && bench_peers[i].peer->reads_weights;
  return count;
}

/* A set has one to warm up with, and one for each call of a sample. Subjects with sets of their own
 * all rest equally long; a layer that fills the caches alone rests enough in any case, and would
 * fill the memory, too. */
static bench_copies copies_of(const session *s, const ffn_kernel *kernel) {
  const size_t bytes = kernel->packed_bytes, readers = peers_that_read_weights();
  bench_copies copies = {1, 1, readers > 0, s->buffers.bytes};
  if (!s->options.cold || bytes < cold_least)
    return copies;
  copies.each = 1 + (bytes < cold_sample ? cold_sample / bytes : 1);
  if (bytes > s->buffers.bytes / 4)
    return copies;
  copies.packed_sets = 2 + s->options.again + (second_kernel(s, kernel) != NULL);
  copies.given_sets = readers;
  return copies;
}

/* What cells of so many threads, hot or cold, have in common. */
static bench_cell cell_of(session *s, bench_data *data, subjects *all, size_t t, int cold,
                          const ffn_parallel *parallel) {
  const size_t bytes = data->layer.kernel->packed_bytes, threads = s->options.thread_counts[t];
  const bench_level home = cold ? BENCH_DRAM : bench_home(&s->report.machine, bytes, threads);
  bench_cell cell = {.threads = threads,
                     .cold = cold,
                     .parallel = parallel,
                     .budget = s->options.budget,
                     .way = s->report.roofs[t].way[home],
                     .others = &s->buffers};
  cell.way = bench_cell_way(data, all->list, all->count, &cell);
  return cell;
}

static void measure_cell(session *s, const bench_spec *spec, bench_data *data, subjects *all,
                         const bench_cell *cell) {
  const bench_outcome outcome = bench_cell_measure(data, all->list, all->count, cell);
  s->wrong += outcome.wrong;
  bench_report_cell(&s->report, spec->name, &data->layer, cell, &outcome, all->list, all->count);
}

static void measure_cells(session *s, const bench_spec *spec, bench_data *data, subjects *all) {
  const bench_options *o = &s->options;
  const int has_cold = data->layer.copies > 1;
  /* Weights that no cache holds are cold at every call. */
  const int only_cold =
      has_cold && bench_home(&s->report.machine, data->layer.kernel->packed_bytes, 1) == BENCH_DRAM;
  for (size_t t = 0; t < o->thread_count_count; ++t) {
    const ffn_parallel parallel =
        s->pools[t] ? bench_pool_parallel(s->pools[t]) : (ffn_parallel){NULL, NULL, 1};
    const int first = !o->hot || only_cold;
    bench_cell cells[2];
    for (int cold = first; cold <= has_cold; ++cold)
      cells[cold] = cell_of(s, data, all, t, cold, s->pools[t] ? &parallel : NULL);
    for (size_t i = 0; i < o->token_count_count; ++i)
      for (int cold = first; cold <= has_cold; ++cold) {
        cells[cold].tokens = o->token_counts[i];
        measure_cell(s, spec, data, all, &cells[cold]);
      }
  }
}

static void measure_layer(session *s, const bench_spec *spec) {
  const bench_options *o = &s->options;
  const ffn_kernel *kernel = ffn_find_layer(spec->layer, o->cpu);
  static subjects all;
  bench_data data;
  if (!kernel) {
    printf("\n%s: no kernel for the allowed instruction sets\n", spec->name);
    return;
  }
  const bench_copies copies = copies_of(s, kernel);
  bench_data_open(&data, kernel, o->token_counts, o->token_count_count, copies);
  all.count = 0;
  add_ours(&all, s, &data, copies.packed_sets > 1);
  add_peers(&all, &data, copies.given_sets > 1);
  bench_report_layer(&s->report, spec->name, &data.layer, all.list, all.count);
  measure_cells(s, spec, &data, &all);
  bench_report_failed(&s->report, all.list, all.count);
  bench_subjects_close(all.list, all.count);
  bench_data_close(&data);
}

/* All layers of a model in turn, as a host holds them. They are cold. */
static void measure_model(session *s, const bench_stack_spec *spec) {
  const bench_options *o = &s->options;
  static bench_stack stack;
  if (!bench_stack_open(&stack, spec, o->cpu, o->thread_counts[o->thread_count_count - 1])) {
    printf("\n%s: no kernel for the allowed instruction sets\n", spec->name);
    return;
  }
  for (size_t t = 0; t < o->thread_count_count; ++t) {
    const ffn_parallel parallel =
        s->pools[t] ? bench_pool_parallel(s->pools[t]) : (ffn_parallel){NULL, NULL, 1};
    const bench_stack_times times =
        bench_stack_measure(&stack, s->pools[t] ? &parallel : NULL, &s->buffers,
                            s->report.roofs[t].way[BENCH_DRAM], 4 * o->budget);
    s->wrong += times.wrong;
    bench_report_stack(&s->report, &stack, &times);
  }
  bench_stack_close(&stack);
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

static void measure_roofs(session *s) {
  s->buffers = bench_buffers_open(&s->report.machine);
  bench_pool_bind(1);
  for (size_t t = 0; t < s->options.thread_count_count; ++t) {
    const ffn_parallel parallel =
        s->pools[t] ? bench_pool_parallel(s->pools[t]) : (ffn_parallel){NULL, NULL, 1};
    s->report.roofs[s->report.roof_count++] =
        bench_roofs_measure(&s->report.machine, &s->buffers, s->pools[t] ? &parallel : NULL);
  }
  bench_pool_bind(0);
}

/* Gigabytes are taken and given back for each layer. Where new pages are dear, as in virtual
 * machines, most of a run would go into them: freed memory is kept. Not the largest blocks: these
 * would leave holes that the next ones do not fit. */
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int main(int argc, char **argv) {
  static session s;
  s.options = bench_options_read(argc, argv);
  const bench_options *o = &s.options;
  bench_peers_load(own_folder());
  s.report.machine = bench_machine_read();
  for (size_t t = 0; t < o->thread_count_count; ++t)
    s.pools[t] = o->thread_counts[t] > 1 ? bench_pool_open(o->thread_counts[t]) : NULL;
  measure_roofs(&s);
  bench_report_open(&s.report, o->json);
  for (size_t i = 0; i < bench_stack_count && o->models && o->cold; ++i)
    measure_model(&s, &bench_stack_specs[i]);
  bench_report_cells(&s.report);
  keep_memory(); /* behind the models, whose memory comes as hosts get it */
  for (size_t i = 0; i < o->spec_count; ++i)
    measure_layer(&s, o->specs[i]);
  bench_report_close(&s.report, s.wrong);
  bench_buffers_close(&s.buffers);
  for (size_t t = 0; t < o->thread_count_count; ++t)
    if (s.pools[t])
      bench_pool_close(s.pools[t]);
  return s.wrong != 0 || s.report.failed != 0;
}
