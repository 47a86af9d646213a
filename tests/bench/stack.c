#define _GNU_SOURCE /* madvise, MAP_ANONYMOUS */
#include "stack.h"
#include "kernels.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/* Llama of 15 million parameters: layers of 2.5 MiB and of 324 KiB. */
#define FFN "ffn_swiglu_d288_f768_f32"
#define LINEAR "linear_d288_o288_f32"
const bench_stack_spec bench_stack_specs[] = {
    {"stories15m", 6, {LINEAR, LINEAR, LINEAR, LINEAR, FFN}}, /* q, k, v, o */
    {"stories15m, feed-forward alone", 6, {FFN}},
};
const size_t bench_stack_count = sizeof bench_stack_specs / sizeof *bench_stack_specs;

const char *bench_holding_name(const bench_holding *holding) {
  static const char *const names[2][BENCH_HOLD_COUNT] = {
      {"arena", "ffn_alloc() each", "one mapping"},
      {"arena, small pages", "ffn_alloc() each, small pages", "one mapping, small pages"}};
  return names[holding->small][holding->hold];
}

static void *given(void *memory) {
  if (!memory) {
    perror("bench: memory of a model");
    exit(1);
  }
  return memory;
}

static size_t huge_bytes_in_use(void) {
  char line[256];
  size_t kilobytes = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file))
    if (sscanf(line, "AnonHugePages: %zu", &kilobytes) == 1)
      break;
  if (file)
    fclose(file);
  return kilobytes << 10;
}

/* Small pages stay what they are, whatever the system makes of them meanwhile. */
static void keep_small(const void *memory, size_t bytes) {
  const uintptr_t page = 4096, first = ((uintptr_t)memory + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
  if (end > first)
    madvise((void *)first, end - first, MADV_NOHUGEPAGE); /* a wish */
}

static void *mapping(size_t bytes, int small) {
  const size_t huge = (size_t)2 << 20, whole = (bytes + huge - 1) / huge * huge;
  char *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    given(NULL);
  if (!small)
    madvise(memory, whole, MADV_HUGEPAGE);
  return memory;
}

/* made: packed weights of each layer. */
static void hold(bench_stack *stack, bench_holding *h, void *const *made) {
  const size_t before = huge_bytes_in_use();
  ffn_arena arena = {NULL, stack->bytes, 0};
  if (h->small)
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  if (h->hold != BENCH_HOLD_EACH)
    arena.memory = h->whole = h->hold == BENCH_HOLD_WHOLE ? mapping(stack->bytes, h->small)
                                                          : given(ffn_alloc(stack->bytes));
  for (size_t i = 0; i < stack->count; ++i) {
    const size_t bytes = stack->kernels[i]->packed_bytes;
    h->packed[i] = given(arena.memory ? ffn_arena_alloc(&arena, bytes) : ffn_alloc(bytes));
    memcpy(h->packed[i], made[i], bytes);
    if (h->small)
      keep_small(h->packed[i], bytes);
  }
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  h->huge_bytes = huge_bytes_in_use() - before;
}

static void find_layers(bench_stack *stack, unsigned cpu) {
  for (size_t block = 0; block < stack->spec->blocks; ++block)
    for (const char *const *layer = stack->spec->layers; *layer; ++layer) {
      const ffn_kernel *kernel = ffn_find_layer(*layer, cpu);
      if (!kernel || stack->count == BENCH_STACK_MOST ||
          (stack->count && kernel->inputs != stack->kernels[0]->inputs)) {
        stack->count = 0;
        return;
      }
      stack->kernels[stack->count++] = kernel;
      stack->bytes += kernel->packed_bytes;
    }
}

int bench_stack_open(bench_stack *stack, const bench_stack_spec *spec, unsigned cpu,
                     size_t threads) {
  *stack = (bench_stack){.spec = spec};
  find_layers(stack, cpu);
  test_model models[BENCH_STACK_MOST];
  void *made[BENCH_STACK_MOST];
  for (size_t i = 0; i < stack->count; ++i) {
    const ffn_kernel *kernel = stack->kernels[i];
    const size_t bytes = ffn_work_bytes(kernel, threads, 1);
    test_model_open(&models[i], kernel, TEST_REALS, i + 1);
    test_model_pack(&models[i]);
    made[i] = models[i].packed;
    stack->work_bytes = bytes > stack->work_bytes ? bytes : stack->work_bytes;
    stack->y[i] = test_memory(kernel->outputs * sizeof(float));
  }
  if (!stack->count)
    return 0;
  stack->work = given(ffn_alloc(stack->work_bytes));
  stack->x = test_inputs(stack->kernels[0], 1, TEST_REALS, 1);
  for (int small = 0; small < 2; ++small)
    for (int how = 0; how < BENCH_HOLD_COUNT; ++how) {
      stack->holdings[small][how] = (bench_holding){.hold = (bench_hold)how, .small = small};
      hold(stack, &stack->holdings[small][how], made);
    }
  for (size_t i = 0; i < stack->count; ++i)
    test_model_close(&models[i]);
  return 1;
}

void bench_stack_close(bench_stack *stack) {
  for (int small = 0; small < 2; ++small)
    for (int how = 0; how < BENCH_HOLD_COUNT; ++how) {
      bench_holding *h = &stack->holdings[small][how];
      if (h->hold == BENCH_HOLD_ARENA)
        ffn_free(h->whole);
      else if (h->hold == BENCH_HOLD_WHOLE)
        munmap(h->whole, stack->bytes);
      for (size_t i = 0; i < stack->count && h->hold == BENCH_HOLD_EACH; ++i)
        ffn_free(h->packed[i]);
    }
  for (size_t i = 0; i < stack->count; ++i)
    free(stack->y[i]);
  ffn_free(stack->work), free(stack->x);
}

void bench_stack_run(bench_stack *stack, const bench_holding *holding,
                     const ffn_parallel *parallel) {
  for (size_t i = 0; i < stack->count; ++i) {
    const ffn_kernel *k = stack->kernels[i];
    ffn_run(k, stack->y[i], k->outputs, stack->x, k->inputs, 1, holding->packed[i], stack->work,
            stack->work_bytes, parallel);
  }
}
