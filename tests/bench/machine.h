/* What the machine is and what it can do: the roofs that kernels are measured against. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "probe.h"

typedef enum bench_level { BENCH_L2, BENCH_L3, BENCH_DRAM, BENCH_LEVEL_COUNT } bench_level;

typedef struct bench_machine {
  char cpu[128];
  size_t cores;
  size_t cache[BENCH_LEVEL_COUNT]; /* bytes of L2 (one core's) and L3; of memory */
  size_t last_level;               /* bytes of all L3 together */
  size_t cold_bytes; /* weights come from memory when so much else was read since their last use */
} bench_machine;

/* What one number of threads reaches on a quiet machine: for the reader, and to tell at which level
 * weights lie. What kernels are measured against is measured in turns with them: see subject.h. */
typedef struct bench_roofs {
  size_t threads;
  double peak[FFN_ISA_COUNT];           /* flop/s of f32 multiply-adds from registers */
  double read[BENCH_LEVEL_COUNT];       /* bytes/s, the best of several ways to read */
  bench_way way[BENCH_LEVEL_COUNT];     /* that one */
  size_t read_bytes[BENCH_LEVEL_COUNT]; /* of all buffers together */
  double plain_pages;                   /* the same from memory in small pages */
} bench_roofs;

bench_machine bench_machine_read(void);
const char *bench_level_name(bench_level level);

/* Other memory than weights, in large pages and in small ones: machine.cold_bytes of each. */
typedef struct bench_buffers {
  size_t bytes;
  char *large, *small;
  size_t at; /* where to go on reading the large one */
} bench_buffers;
bench_buffers bench_buffers_open(const bench_machine *machine);
void bench_buffers_close(bench_buffers *buffers);

/* flop/s, 0 where it is not known. parallel is NULL for the calling thread alone. */
double bench_peak(ffn_isa isa, const ffn_parallel *parallel);
bench_roofs bench_roofs_measure(const bench_machine *machine, const bench_buffers *buffers,
                                const ffn_parallel *parallel);

/* Where weights of that many bytes are read from when they were read just before. */
bench_level bench_home(const bench_machine *machine, size_t bytes, size_t threads);

#endif
