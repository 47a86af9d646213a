/* The roofs at the start of a run, and the memory they are measured on. */
#define _DEFAULT_SOURCE /* madvise */
#include "clock.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

double bench_peak(ffn_isa isa, const ffn_parallel *parallel) {
  const double flop = bench_peak_flop(isa, parallel ? parallel->threads : 1);
  const double deadline = bench_now() + 0.1;
  double best = 0;
  while (flop > 0 && bench_now() < deadline) {
    const double begin = bench_now();
    bench_peak_run(isa, parallel);
    const double speed = flop / (bench_now() - begin);
    best = speed > best ? speed : best;
  }
  return best;
}

/* bytes/s of reading `bytes` in this way, some times over where they are few. */
static double speed_of(const char *data, size_t bytes, bench_way way,
                       const ffn_parallel *parallel) {
  const size_t passes = bytes < ((size_t)8 << 20) ? ((size_t)8 << 20) / bytes : 1;
  const double begin = bench_now();
  size_t read = 0;
  for (size_t pass = 0; pass < passes; ++pass)
    read += bench_read_run(data, bytes, way, parallel);
  return (double)read / (bench_now() - begin);
}

/* The best way to read so many bytes, and how fast it is. All ways are tried in turns, or one would
 * be the best for having met a quiet moment. */
static double best_way(const char *data, size_t bytes, const ffn_parallel *parallel,
                       bench_way *best) {
  const double deadline = bench_now() + 0.2;
  double most = 0.0;
  for (int round = 0; round < 5 || bench_now() < deadline; ++round)
    for (size_t i = 0; i < BENCH_WAYS; ++i) {
      const bench_way way = bench_way_at(i);
      const double speed = speed_of(data, bytes, way, parallel);
      if (speed > most)
        most = speed, *best = way;
    }
  return most;
}

static char *buffer(size_t bytes, int advice) {
  char *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    perror("bench: memory to read");
    exit(1);
  }
  madvise(data, bytes, advice); /* a wish: what comes of it is what is measured */
  return memset(data, 1, bytes);
}

bench_buffers bench_buffers_open(const bench_machine *machine) {
  const size_t bytes = machine->cold_bytes;
  return (bench_buffers){bytes, buffer(bytes, MADV_HUGEPAGE), buffer(bytes, MADV_NOHUGEPAGE), 0};
}

void bench_buffers_close(bench_buffers *buffers) {
  munmap(buffers->large, buffers->bytes);
  munmap(buffers->small, buffers->bytes);
}

bench_roofs bench_roofs_measure(const bench_machine *machine, const bench_buffers *buffers,
                                const ffn_parallel *parallel) {
  bench_roofs roofs = {.threads = parallel ? parallel->threads : 1};
  const size_t l2 = machine->cache[BENCH_L2] * roofs.threads;
  const size_t l3 = machine->cache[BENCH_L3] / 2;
  roofs.read_bytes[BENCH_L2] = l2 / 2;
  roofs.read_bytes[BENCH_L3] = 8 * l2 < l3 ? 8 * l2 : l3;
  roofs.read_bytes[BENCH_DRAM] = buffers->bytes;
  for (int isa = 0; isa < FFN_ISA_COUNT; ++isa)
    roofs.peak[isa] = bench_peak((ffn_isa)isa, parallel);
  for (int level = 0; level < BENCH_LEVEL_COUNT; ++level)
    roofs.read[level] =
        best_way(buffers->large, roofs.read_bytes[level], parallel, &roofs.way[level]);
  bench_way any;
  roofs.plain_pages = best_way(buffers->small, buffers->bytes, parallel, &any);
  return roofs;
}
