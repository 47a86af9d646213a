#include "probe.h"

#include <stdint.h>

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

/* A loop for an instruction set, and how many floats it has in a vector. */
static work *peak_loop(ffn_isa isa, size_t *lanes) {
  *lanes = 0;
#if defined(__x86_64__)
  if (isa == FFN_ISA_AVX2)
    return *lanes = 8, peak_avx2;
  if (isa == FFN_ISA_AVX512)
    return *lanes = 16, peak_avx512;
#endif
  (void)isa;
  return NULL;
}

static void run(work *todo, void *context, const ffn_parallel *parallel) {
  if (parallel)
    parallel->run(parallel->pool, parallel->threads, todo, context);
  else
    todo(context, 0);
}

double bench_peak_flop(ffn_isa isa, size_t threads) {
  size_t lanes;
  if (!(ffn_cpu() >> isa & 1) || !peak_loop(isa, &lanes))
    return 0.0;
  return 2.0 * CHAINS * STEPS * (double)(lanes * threads);
}

void bench_peak_run(ffn_isa isa, const ffn_parallel *parallel) {
  size_t lanes;
  float one = 1.0f;
  run(peak_loop(isa, &lanes), &one, parallel);
}

/* ---- Reads ---- */

/* STEP: bytes read of one stream before the next has its turn. SHARE_LEAST: bytes that are worth a
 * thread of their own. */
enum { STEP = 256, SHARE_LEAST = 1 << 16 };

typedef struct reader {
  const char *data;
  size_t share; /* bytes of one thread */
  bench_way way;
} reader;

#define READ(name, features, vector, load, mix, zero, bits)                                        \
  features static void name(void *context, size_t index) {                                         \
    const reader *r = context;                                                                     \
    const size_t streams = r->way.streams, ahead = r->way.ahead;                                   \
    const size_t part = r->share / streams / STEP * STEP;                                          \
    vector a = zero(), b = zero(), c = zero(), d = zero();                                         \
    for (size_t at = 0; at < part; at += STEP)                                                     \
      for (size_t s = 0; s < streams; ++s) {                                                       \
        const char *p = r->data + index * r->share + s * part + at;                                \
        if (ahead)                                                                                 \
          for (size_t line = 0; line < STEP; line += 64)                                           \
            __builtin_prefetch(p + ahead + line);                                                  \
        for (size_t i = 0; i < STEP; i += 4 * sizeof(vector)) {                                    \
          const vector *v = (const vector *)(const void *)(p + i);                                 \
          a = mix(a, load(v)), b = mix(b, load(v + 1));                                            \
          c = mix(c, load(v + 2)), d = mix(d, load(v + 3));                                        \
        }                                                                                          \
      }                                                                                            \
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

/* The loop for vectors of whole cache lines, or halves. Asking a CPU what it is takes many
 * microseconds on a virtual machine: once will do. */
static work *read_loop(int halves) {
  static work *loops[2] = {NULL, NULL};
  if (loops[0])
    return loops[halves];
  loops[0] = loops[1] = read_plain;
#if defined(__x86_64__)
  const unsigned cpu = ffn_cpu();
  if (cpu >> FFN_ISA_AVX2 & 1)
    loops[0] = loops[1] = read_avx2;
  if (cpu >> FFN_ISA_AVX512 & 1)
    loops[0] = read_avx512;
#endif
  return loops[halves];
}

bench_way bench_way_at(size_t i) {
  static const size_t streams[] = {1, 2, 4}, ahead[] = {0, 512, 2048};
  return (bench_way){streams[i / 3 % 3], ahead[i % 3], i >= BENCH_WAYS / 2};
}

size_t bench_read_run(const void *data, size_t bytes, bench_way way, const ffn_parallel *parallel) {
  const int shared = parallel && bytes / parallel->threads >= SHARE_LEAST;
  const size_t threads = shared ? parallel->threads : 1;
  reader r = {data, bytes / threads / STEP * STEP, way};
  run(read_loop(way.halves), &r, shared ? parallel : NULL);
  return r.share / way.streams / STEP * STEP * way.streams * threads;
}
