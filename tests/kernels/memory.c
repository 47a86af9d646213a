/* Kernels read and write what they declare and nothing else. */
#define _GNU_SOURCE
#include "support/allocations.h"
#include "support/each.h"
#include "support/guard.h"
#include "support/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { MOST = 33, X_GAP = 3, Y_GAP = 5 };

/* As many bytes as a guard has, that may be written to, in its place. */
static void *opened_anew(test_guard *guard, size_t align, test_side side) {
  const test_guard opened = test_guard_open(guard->bytes, align, side);
  test_guard_close(guard);
  *guard = opened;
  return opened.memory;
}

static void expect_back(const ffn_kernel *kernel, const test_guard *came, const void *expected) {
  cr_assert(test_guard_intact(came), "%s: unpack() writes beside a matrix", kernel->name);
  cr_assert(memcmp(came->memory, expected, came->bytes) == 0, "%s: unpack()", kernel->name);
  test_guard_close(came);
}

/* pack() between guard pages: weights cannot be written, nothing beside packed can be. */
EACH_MODEL(memory, pack, TEST_SMALL, TEST_REALS, 31) {
  for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++) {
    test_guard weights[FFN_MAX_STAGES], biases[FFN_MAX_STAGES];
    test_guard scales[FFN_MAX_STAGES] = {{0}}, zeros[FFN_MAX_STAGES] = {{0}};
    test_model guarded;
    test_model_shape(&guarded, kernel);
    for (size_t m = 0; m < model->matrix_count; m++) {
      const test_matrix *matrix = &model->matrices[m];
      const ffn_block_size block = ffn_source_block(matrix->linear->source);
      ffn_linear *linear = guarded.matrices[m].linear;
      linear->source = matrix->linear->source;
      linear->scale_rows = matrix->linear->scale_rows;
      linear->operand_scale = matrix->linear->operand_scale;
      weights[m] =
          test_guard_copy(matrix->linear->weight, test_matrix_bytes(matrix), block.align, side);
      linear->weight = weights[m].memory;
      if (matrix->scales) {
        scales[m] = test_guard_copy(matrix->scales, test_scales_bytes(matrix), block.scale, side);
        linear->scales = scales[m].memory;
      }
      if (matrix->zeros) {
        zeros[m] = test_guard_copy(matrix->zeros, test_zeros_bytes(matrix), 1, side);
        linear->zeros = zeros[m].memory;
      }
      if (!matrix->bias)
        continue;
      biases[m] =
          test_guard_copy(matrix->bias, matrix->outputs * sizeof(float), sizeof(float), side);
      linear->bias = biases[m].memory;
    }
    const test_guard packed = test_guard_open(kernel->packed_bytes, FFN_ALIGNMENT, side);
    memset(packed.memory, side == TEST_AT_START ? 0xff : 0x7f, kernel->packed_bytes);
    kernel->pack(packed.memory, &guarded.weights);
    cr_assert(test_guard_intact(&packed), "%s: pack() writes beside packed", kernel->name);
    cr_assert(memcmp(packed.memory, model->packed, kernel->packed_bytes) == 0,
              "%s: pack() leaves bytes as they were, or reads others", kernel->name);
    /* And back, into memory that ends where the matrix ends. */
    for (size_t m = 0; m < model->matrix_count; m++) {
      const test_matrix *matrix = &model->matrices[m];
      const ffn_block_size block = ffn_source_block(matrix->linear->source);
      ffn_linear *linear = guarded.matrices[m].linear;
      linear->weight = opened_anew(&weights[m], block.align, side);
      linear->bias = NULL;
      if (matrix->scales)
        linear->scales = opened_anew(&scales[m], block.scale, side);
      if (matrix->zeros)
        linear->zeros = opened_anew(&zeros[m], 1, side);
    }
    test_unpack(kernel, &guarded, packed.memory);
    for (size_t m = 0; m < model->matrix_count; m++) {
      const test_matrix *matrix = &model->matrices[m];
      expect_back(kernel, &weights[m], matrix->linear->weight);
      if (matrix->scales)
        expect_back(kernel, &scales[m], matrix->scales);
      if (matrix->zeros)
        expect_back(kernel, &zeros[m], matrix->zeros);
      if (matrix->bias)
        test_guard_close(&biases[m]);
    }
    test_guard_close(&packed);
  }
}

static int is_poison(const float *values, size_t count, int poison) {
  const unsigned char *bytes = (const unsigned char *)values;
  for (size_t i = 0; i < count * sizeof(float); i++)
    if (bytes[i] != poison)
      return 0;
  return 1;
}

/* One run with everything between guard pages; strided rows with poisoned gaps. */
static void run_guarded(const ffn_kernel *kernel, const float *x, const float *expected,
                        size_t tokens, const test_guard *packed, test_side side, int dense,
                        const ffn_parallel *parallel) {
  const int poison = (tokens + (size_t)side) % 2 ? 0xff : 0x7f;
  const size_t in = kernel->inputs, out = kernel->outputs;
  const size_t x_stride = dense ? in : in + X_GAP, y_stride = dense ? out : out + Y_GAP;
  const size_t x_floats = tokens ? (tokens - 1) * x_stride + in : 0;
  const size_t y_floats = tokens ? (tokens - 1) * y_stride + out : 0;
  const size_t work_bytes = ffn_work_bytes(kernel, parallel ? parallel->threads : 1, tokens);
  const test_guard gx = test_guard_open(x_floats * sizeof(float), sizeof(float), side);
  const test_guard gy = test_guard_open(y_floats * sizeof(float), sizeof(float), side);
  const test_guard gw = test_guard_open(work_bytes, FFN_ALIGNMENT, side);
  for (size_t t = 0; t < tokens; t++) /* the gaps are NaN */
    memcpy((float *)gx.memory + t * x_stride, x + t * in, in * sizeof(float));
  test_guard_read_only(&gx);
  memset(gy.memory, poison, gy.bytes);
  memset(gw.memory, poison, gw.bytes);
  ffn_run(kernel, tokens ? gy.memory : NULL, y_stride, tokens ? gx.memory : NULL, x_stride, tokens,
          packed->memory, gw.memory, work_bytes, parallel);
  for (size_t t = 0; t < tokens; t++) {
    const float *y = (const float *)gy.memory + t * y_stride;
    cr_assert(test_same(y, expected + t * out, out),
              "%s: row %zu of %zu has other bits (poison %#x)", kernel->name, t, tokens, poison);
    cr_assert(dense || t + 1 == tokens || is_poison(y + out, Y_GAP, poison),
              "%s: writes into the gap behind row %zu of %zu", kernel->name, t, tokens);
  }
  cr_assert(tokens || is_poison(gw.memory, work_bytes / sizeof(float), poison),
            "%s: touches work with no token to do", kernel->name);
  cr_assert(test_guard_intact(&gy), "%s: writes beside y", kernel->name);
  cr_assert(test_guard_intact(&gw), "%s: writes beside its work memory", kernel->name);
  test_guard_close(&gx), test_guard_close(&gy), test_guard_close(&gw);
}

EACH_MODEL(memory, run, TEST_SMALL, TEST_REALS, 32) {
  const size_t most = test_tokens(kernel, 3e7, 7, MOST);
  float *x = test_inputs(kernel, most, TEST_REALS, 33);
  float *expected = test_outputs(kernel, x, most, model->packed);
  test_pool *pool = test_pool_open(0, TEST_ORDER_DOWN);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  for (test_side side = TEST_AT_START; side <= TEST_AT_END; side++) {
    const test_guard packed =
        test_guard_copy(model->packed, kernel->packed_bytes, FFN_ALIGNMENT, side);
    for (size_t tokens = 0; tokens <= most; tokens += test_step(tokens, 4))
      for (int dense = 0; dense < 2; dense++) {
        run_guarded(kernel, x, expected, tokens, &packed, side, dense, NULL);
        run_guarded(kernel, x, expected, tokens, &packed, side, dense, &parallel);
      }
    cr_assert(test_guard_intact(&packed));
    test_guard_close(&packed);
  }
  test_pool_close(pool);
  free(x), free(expected);
}

typedef struct job {
  const ffn_kernel *kernel;
  float *y;
  const float *x;
  void *packed, *work;
  size_t work_bytes;
  const ffn_weights *weights;
  size_t tokens;
  const test_guard *stack; /* of on_small_stack() */
} job;

static void *pack_and_run(void *argument) {
  const job *j = argument;
  const ffn_kernel *k = j->kernel;
  k->pack(j->packed, j->weights);
  ffn_run(k, j->y, k->outputs, j->x, k->inputs, j->tokens, j->packed, j->work, j->work_bytes, NULL);
  return NULL;
}

/* The thread cuts its own stack: 64 KiB below this frame nothing can be touched. What libraries
 * keep for each thread lies above, and may be large. */
static void *on_small_stack(void *argument) {
  const job *j = argument;
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const uintptr_t here = (uintptr_t)&j / page * page, floor = here - 65536;
  unsigned char *lowest = j->stack->memory;
  cr_assert(floor > (uintptr_t)lowest);
  cr_assert(mprotect(lowest, floor - (uintptr_t)lowest, PROT_NONE) == 0);
  return pack_and_run(argument);
}

EACH_MODEL(memory, small_stack, TEST_SMALL, TEST_REALS, 34) {
  const size_t bytes = (size_t)1 << 20, tokens = test_tokens(kernel, 3e7, 3, 49);
  float *x = test_inputs(kernel, tokens, TEST_REALS, 35);
  float *expected = test_outputs(kernel, x, tokens, model->packed);
  job j = {.kernel = kernel,
           .x = x,
           .y = test_memory(tokens * kernel->outputs * sizeof(float)),
           .packed = model->packed,
           .work = ffn_alloc(ffn_work_bytes(kernel, 1, tokens)),
           .work_bytes = ffn_work_bytes(kernel, 1, tokens),
           .weights = &model->weights,
           .tokens = tokens};
  const test_guard stack = test_guard_open(bytes, FFN_ALIGNMENT, TEST_AT_START);
  j.stack = &stack;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  cr_assert(pthread_attr_setstack(&attributes, stack.memory, bytes) == 0);
  cr_assert(pthread_create(&thread, &attributes, on_small_stack, &j) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  cr_assert(test_same(j.y, expected, tokens * kernel->outputs), "%s", kernel->name);
  test_guard_close(&stack);
  ffn_free(j.work);
  free(x), free(expected), free(j.y);
}

EACH_MODEL(memory, allocations, TEST_SMALL, TEST_REALS, 36) {
  if (!test_allocations_counted())
    cr_skip_test("allocations cannot be counted in this build");
  const size_t before_any = test_allocations();
  float *x = test_inputs(kernel, 5, TEST_REALS, 37);
  cr_assert(test_allocations() > before_any, "the counter does not count");
  test_pool *pool = test_pool_open(0, TEST_ORDER_UP);
  const ffn_parallel parallel = test_pool_parallel(pool, 3);
  job j = {.kernel = kernel,
           .x = x,
           .y = test_memory(5 * kernel->outputs * sizeof(float)),
           .packed = model->packed,
           .work = ffn_alloc(ffn_work_bytes(kernel, 3, 5)),
           .work_bytes = ffn_work_bytes(kernel, 3, 5),
           .weights = &model->weights,
           .tokens = 5};
  const size_t before = test_allocations();
  pack_and_run(&j);
  test_unpack(kernel, model, model->packed);
  cr_assert(test_allocations() == before, "%s allocates", kernel->name);
  /* The pool itself allocates once for each run, and no more. */
  const size_t pool_before = test_allocations();
  ffn_run(kernel, j.y, kernel->outputs, x, kernel->inputs, 5, j.packed, j.work, j.work_bytes,
          &parallel);
  cr_assert(test_allocations() - pool_before <= test_pool_runs(pool), "%s allocates", kernel->name);
  test_pool_close(pool);
  ffn_free(j.work);
  free(x), free(j.y);
}

/* The caller's rounding and flush modes are left as they are. */
EACH_KERNEL(memory, modes, TEST_SMALL) {
#if defined(__x86_64__)
  const unsigned controls = 0xffc0, usual = _mm_getcsr() & controls;
  test_model model;
  test_model_open(&model, kernel, TEST_WIDE, 38);
  test_model_pack(&model);
  float *x = test_inputs(kernel, 5, TEST_WIDE, 39);
  float *y = test_outputs(kernel, x, 5, model.packed);
  cr_assert((_mm_getcsr() & controls) == usual, "%s changes MXCSR", kernel->name);
  static const unsigned modes[] = {0x8000 /* flush */, 0x0040 /* denormals are zeros */,
                                   0x6000 /* toward zero */, 0x2000 /* down */};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    const unsigned mode = usual | modes[i];
    _mm_setcsr(mode);
    test_run(kernel, y, x, 5, model.packed);
    const unsigned after = _mm_getcsr() & controls;
    _mm_setcsr(usual);
    cr_assert(after == mode, "%s changes MXCSR from %#x to %#x", kernel->name, mode, after);
  }
  free(x), free(y);
  test_model_close(&model);
#else
  cr_skip_test("%s: MXCSR is x86's", kernel->name);
#endif
}
