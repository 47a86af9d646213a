/* The roofs: multiply-adds from registers, and reads from each level of memory. */
#define _DEFAULT_SOURCE /* madvise */
#include "clock.h"
#include "machine.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static volatile float sink; /* keeps results alive */
static volatile int sink_bits;

/* ---- Multiply-adds ---- */

/* Twelve independent chains: a multiply-add takes 4 cycles, and two start in each. They begin at
 * different values, or a compiler would make one of them. */
enum { CHAINS = 12, STEPS = 20000 };

#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define PEAK(isa, features, vector, set1, first)                                                   \
  __attribute__((target(features))) static void peak_##isa(void *context, size_t index) {          \
    const vector half = set1(0.5f), step = set1(*(float *)context + (float)index);                 \
    EACH_CHAIN(START_##isa)                                                                        \
    for (int i = 0; i < STEPS; ++i) {                                                              \
      EACH_CHAIN(STEP_##isa)                                                                       \
    }                                                                                              \
    vector sum = step;                                                                             \
    EACH_CHAIN(SUM_##isa)                                                                          \
    sink = first(sum);                                                                             \
  }

#if defined(__x86_64__)
#define START_avx2(c) __m256 s##c = _mm256_set1_ps((float)c);
#define STEP_avx2(c) s##c = _mm256_fmadd_ps(s##c, half, step);
#define SUM_avx2(c) sum = _mm256_add_ps(sum, s##c);
#define START_avx512(c) __m512 s##c = _mm512_set1_ps((float)c);
#define STEP_avx512(c) s##c = _mm512_fmadd_ps(s##c, half, step);
#define SUM_avx512(c) sum = _mm512_add_ps(sum, s##c);
PEAK(avx2, "avx2,fma", __m256, _mm256_set1_ps, _mm256_cvtss_f32)
PEAK(avx512, "avx512f", __m512, _mm512_set1_ps, _mm512_cvtss_f32)
#endif

typedef void work(void *context, size_t index);

/* Runs the work on all threads; the shortest of many times. */
static double shortest(work *todo, void *context, const ffn_parallel *parallel, double budget) {
  double best = 1e30;
  const double deadline = bench_now() + budget;
  for (int i = 0; i < 3 || bench_now() < deadline; ++i) {
    const double begin = bench_now();
    if (parallel)
      parallel->run(parallel->pool, parallel->threads, todo, context);
    else
      todo(context, 0);
    const double seconds = bench_now() - begin;
    best = seconds < best ? seconds : best;
  }
  return best;
}

double bench_peak(ffn_isa isa, const ffn_parallel *parallel) {
  work *todo = NULL;
  size_t lanes = 0;
  float one = 1.0f;
  if (!(ffn_cpu() >> isa & 1))
    return 0.0;
#if defined(__x86_64__)
  if (isa == FFN_ISA_AVX2)
    todo = peak_avx2, lanes = 8;
  if (isa == FFN_ISA_AVX512)
    todo = peak_avx512, lanes = 16;
#endif
  if (!todo)
    return 0.0;
  const double flop = 2.0 * CHAINS * STEPS * (double)(lanes * (parallel ? parallel->threads : 1));
  return flop / shortest(todo, &one, parallel, 0.1);
}

/* ---- Reads ---- */

/* One thread's way through its share: `streams` parts side by side, each forward, with prefetches
 * `ahead` bytes in front where that is not 0. */
typedef struct reader {
  const char *data;
  size_t share, passes; /* share: bytes of one thread */
  size_t streams, ahead;
} reader;

enum { STEP = 256 }; /* bytes read of one stream before the next has its turn */

#define READ(name, features, vector, load, mix, zero, bits)                                        \
  features static void name(void *context, size_t index) {                                         \
    const reader *r = context;                                                                     \
    const size_t part = r->share / r->streams / STEP * STEP;                                       \
    vector a = zero(), b = zero(), c = zero(), d = zero();                                         \
    for (size_t pass = 0; pass < r->passes; ++pass)                                                \
      for (size_t at = 0; at < part; at += STEP)                                                   \
        for (size_t s = 0; s < r->streams; ++s) {                                                  \
          const char *p = r->data + index * r->share + s * part + at;                              \
          if (r->ahead)                                                                            \
            for (size_t line = 0; line < STEP; line += 64)                                         \
              __builtin_prefetch(p + r->ahead + line);                                             \
          for (size_t i = 0; i < STEP; i += 4 * sizeof(vector)) {                                  \
            const vector *v = (const vector *)(const void *)(p + i);                               \
            a = mix(a, load(v)), b = mix(b, load(v + 1));                                          \
            c = mix(c, load(v + 2)), d = mix(d, load(v + 3));                                      \
          }                                                                                        \
        }                                                                                          \
    sink_bits = bits(mix(mix(a, b), mix(c, d)));                                                   \
  }

#if defined(__x86_64__)
#define BITS512(v) _mm_cvtsi128_si32(_mm512_castsi512_si128(v))
#define BITS256(v) _mm_cvtsi128_si32(_mm256_castsi256_si128(v))
READ(read_avx512, __attribute__((target("avx512f"))), __m512i, _mm512_load_si512, _mm512_or_si512,
     _mm512_setzero_si512, BITS512)
READ(read_avx2, __attribute__((target("avx2"))), __m256i, _mm256_load_si256, _mm256_or_si256,
     _mm256_setzero_si256, BITS256)
#endif
#define LOAD64(v) (*(v))
#define MIX64(a, b) ((a) | (b))
#define ZERO64() 0
#define BITS64(v) ((int)(v))
READ(read_plain, , uint64_t, LOAD64, MIX64, ZERO64, BITS64)

static work *widest_read(void) {
#if defined(__x86_64__)
  if (ffn_cpu() >> FFN_ISA_AVX512 & 1)
    return read_avx512;
  if (ffn_cpu() >> FFN_ISA_AVX2 & 1)
    return read_avx2;
#endif
  return read_plain;
}

/* bytes/s of the best way to read `bytes` in all. */
static double read_speed(const char *data, size_t bytes, const ffn_parallel *parallel) {
  static const size_t streams[] = {1, 4, 8}, ahead[] = {0, 512, 2048};
  const size_t threads = parallel ? parallel->threads : 1;
  const size_t share = bytes / threads / 4096 * 4096;
  const size_t passes = share < ((size_t)8 << 20) ? ((size_t)8 << 20) / share : 1;
  double best = 0.0;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j) {
      reader r = {data, share, passes, streams[i], ahead[j]};
      const double seconds = shortest(widest_read(), &r, parallel, 0.02);
      const size_t read = share / r.streams / STEP * STEP * r.streams * passes * threads;
      const double speed = (double)read / seconds;
      best = speed > best ? speed : best;
    }
  return best;
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
  return (bench_buffers){bytes, buffer(bytes, MADV_HUGEPAGE), buffer(bytes, MADV_NOHUGEPAGE)};
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
    roofs.read[level] = read_speed(buffers->large, roofs.read_bytes[level], parallel);
  roofs.plain_pages = read_speed(buffers->small, buffers->bytes, parallel);
  return roofs;
}
