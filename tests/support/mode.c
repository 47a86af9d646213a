#include "mode.h"

#include <fenv.h>

/* The register: what becomes of subnormals; exceptions that trap, where 0 does; exceptions that
 * have been. */
#if defined(__SSE__)
#include <pmmintrin.h>
#include <xmmintrin.h>
#define FLUSHES _MM_FLUSH_ZERO_ON
#define TAKES _MM_DENORMALS_ZERO_ON
enum { SUBNORMAL = FLUSHES | TAKES };
enum { TRAPS = _MM_MASK_DIV_ZERO, BEEN = _MM_EXCEPT_INEXACT, NEVER = _MM_EXCEPT_DIV_ZERO };
static unsigned get(void) { return _mm_getcsr(); }
static void set(unsigned bits) { _mm_setcsr(bits); }
#elif defined(__aarch64__)
#define FLUSHES (1 << 24) /* and takes */
enum { SUBNORMAL = FLUSHES, TRAPS = 0, BEEN = 0, NEVER = 0 };
static unsigned get(void) {
  uint64_t bits;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
  return (unsigned)bits;
}
static void set(unsigned bits) { __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)bits)); }
#elif defined(__ARM_FP)
#define FLUSHES (1 << 24) /* and takes */
enum { SUBNORMAL = FLUSHES, TRAPS = 0, BEEN = 16, NEVER = 2 };
static unsigned get(void) {
  unsigned bits;
  __asm__ volatile("vmrs %0, fpscr" : "=r"(bits));
  return bits;
}
static void set(unsigned bits) { __asm__ volatile("vmsr fpscr, %0" : : "r"(bits)); }
#else
enum { SUBNORMAL = 0, TRAPS = 0, BEEN = 0, NEVER = 0 };
static unsigned get(void) { return 0; }
static void set(unsigned bits) { (void)bits; }
#endif

/* Short tests take the first ones. */
const test_mode test_modes[] = {
    {"to nearest", FE_TONEAREST, 0},
#ifdef FLUSHES
    {"no subnormals, downwards", FE_DOWNWARD, SUBNORMAL},
#endif
#ifdef FE_DOWNWARD
    {"downwards", FE_DOWNWARD, 0},
    {"upwards", FE_UPWARD, 0},
#endif
#ifdef FLUSHES
    {"subnormals flushed to zero", FE_TONEAREST, FLUSHES},
#endif
#ifdef TAKES
    {"subnormals taken for zeros", FE_TONEAREST, TAKES},
#endif
#ifdef FE_DOWNWARD
    {"towards zero", FE_TOWARDZERO, 0},
#endif
};
const size_t test_mode_count = sizeof test_modes / sizeof *test_modes;

test_mode_before test_mode_enter(const test_mode *mode) {
  const test_mode_before before = {fegetround(), get() & SUBNORMAL};
  fesetround(mode->rounding);
  set((get() & ~(unsigned)SUBNORMAL) | mode->subnormal);
  return before;
}

void test_mode_leave(test_mode_before before) {
  fesetround(before.rounding);
  set((get() & ~(unsigned)SUBNORMAL) | before.subnormal);
}

static void run_one(void *context, size_t index) {
  test_mode_threads *threads = context;
  const unsigned whole = get();
  const int rounding = fegetround();
  test_mode_enter(threads->mode);
  set((get() & ~(unsigned)(TRAPS | NEVER)) | BEEN);
  const unsigned own = get();
  threads->task(threads->context, index);
  /* Exceptions of the task's own may have been. */
  const unsigned kept = get(), all = SUBNORMAL | TRAPS | BEEN | NEVER;
  const int changed = (kept & all) != (own & all) || fegetround() != threads->mode->rounding;
  __atomic_add_fetch(&threads->changed, (size_t)changed, __ATOMIC_RELAXED);
  fesetround(rounding);
  set(whole);
}

static void run(void *pool, size_t tasks, void (*task)(void *, size_t), void *context) {
  test_mode_threads *threads = pool;
  threads->task = task;
  threads->context = context;
  threads->inner->run(threads->inner->pool, tasks, run_one, threads);
}

ffn_parallel test_mode_parallel(test_mode_threads *threads) {
  return (ffn_parallel){.run = run, .pool = threads, .threads = threads->inner->threads};
}
