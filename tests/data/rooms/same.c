/* A kernel of packed weights has the bits of the f32 kernel on what unpack() says that they are.
 * PAIRS are the symbols of both, TOKENS the most rows of a call. */
#include "ffn.h"
#include "parallel_pthreads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIR(own, plain) extern const ffn_kernel own, plain;
#include "pairs.inc"
#undef PAIR

static const struct {
  const ffn_kernel *own, *plain;
} pairs[] = {
#define PAIR(own, plain) {&own, &plain},
#include "pairs.inc"
#undef PAIR
};

enum { TOKENS = 140, BEYOND = 1 << 16 };

/* Whether nothing was written behind so many bytes of work memory. */
static int keeps_within(const char *work, size_t bytes) {
  for (size_t i = 0; i < BEYOND; i++)
    if (work[bytes + i] != 0x7f)
      return 0;
  return 1;
}

static uint32_t state = 1;
static float any(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / (1 << 23) - 1;
}

static float *floats(size_t count) {
  float *made = malloc((count ? count : 1) * sizeof *made);
  for (size_t i = 0; i < count; i++)
    made[i] = any();
  return made;
}

/* Groups of sixteen weights from large to subnormal, and zeros. */
static float *weights_of(size_t count) {
  static const float sizes[] = {1, 0, 1e-3f, 0x1p-20f, 1, 1e-39f, 300, 0.1f};
  float *made = floats(count);
  for (size_t i = 0; i < count; i++)
    made[i] *= sizes[i / 16 % 8];
  return made;
}

static unsigned char byte(void) {
  state = state * 1664525u + 1013904223u;
  return (unsigned char)(state >> 16);
}

/* Whether all weights of a block are numbers of a size that sums have room for. */
static int is_ordinary(const ffn_stage *one, const unsigned char *block, float *values) {
  const ffn_linear linear = {.weight = block, .source = one->source};
  ffn_linear_values(one, &linear, 0, values);
  for (size_t k = 0; k < one->inputs; k++)
    if (!(values[k] > -16 && values[k] < 16))
      return 0;
  return 1;
}

/* Any such blocks, with scales of both signs, subnormal ones and 0. */
static unsigned char *blocks_of(const ffn_stage *stage) {
  const ffn_block_size block = ffn_source_block(stage->source);
  const size_t bytes = stage->outputs * ffn_source_row(stage->source, stage->inputs);
  unsigned char *made = malloc(bytes);
  float *values = floats(block.inputs);
  ffn_stage one = *stage;
  one.outputs = 1, one.inputs = block.inputs;
  for (size_t i = 0; i < bytes; i += block.bytes) {
    int drawn = byte() % 16 > 0;
    memset(made + i, 0, block.bytes);
    while (drawn) {
      for (size_t b = 0; b < block.bytes; b++)
        made[i + b] = byte();
      drawn = !is_ordinary(&one, made + i, values);
    }
  }
  free(values);
  return made;
}

typedef struct layer {
  ffn_linear from[FFN_MAX_STAGES][2];
  ffn_unpacked_linear to[FFN_MAX_STAGES][2];
} layer;

/* Blocks come back byte for byte, and mean what the reference says. */
static int check_blocks(const ffn_stage *stage, const ffn_linear *from, const unsigned char *back,
                        const float *values) {
  const size_t bytes = stage->outputs * ffn_source_row(stage->source, stage->inputs);
  int wrong = memcmp(back, from->weight, bytes) != 0;
  float *row = floats(stage->inputs);
  for (size_t o = 0; o < stage->outputs; o++) {
    ffn_linear_values(stage, from, o, row);
    wrong |= memcmp(row, values + o * stage->inputs, stage->inputs * sizeof *row) != 0;
  }
  free(row);
  return wrong;
}

/* What pack() reads and unpack() writes, of all matrices of a kernel. */
static void collect(const ffn_kernel *k, layer *l, ffn_weights *w, ffn_unpacked *u,
                    ffn_linear *chain, ffn_unpacked_linear *chain_to, int held) {
  memset(w, 0, sizeof *w), memset(u, 0, sizeof *u);
  w->chain = chain, u->chain = chain_to;
  for (size_t s = 0; s < k->stage_count; s++)
    for (size_t b = 0; b < k->stages[s].branches; b++) {
      const ffn_unpacked_linear to = l->to[s][b];
      const ffn_linear kept = {.weight = to.weight, .bias = to.bias};
      const ffn_linear from = held ? kept : l->from[s][b];
      switch (k->stages[s].matrix[b]) {
      case FFN_MATRIX_GATE:
        w->gate = from, u->gate = to;
        break;
      case FFN_MATRIX_UP:
        w->up = from, u->up = to;
        break;
      case FFN_MATRIX_DOWN:
        w->down = from, u->down = to;
        break;
      default:
        chain[s] = from, chain_to[s] = to;
      }
    }
}

static int compare(const ffn_kernel *own, const ffn_kernel *plain, int blocks, ffn_pool *pool) {
  layer l;
  ffn_weights w, kept;
  ffn_unpacked u;
  ffn_linear chain[FFN_MAX_STAGES];
  ffn_unpacked_linear chain_to[FFN_MAX_STAGES];
  memset(&l, 0, sizeof l);
  for (size_t s = 0; s < own->stage_count; s++)
    for (size_t b = 0; b < own->stages[s].branches; b++) {
      const size_t out = own->stages[s].outputs, count = out * own->stages[s].inputs;
      const ffn_stage *stage = &own->stages[s];
      if (stage->source_alone || (blocks && ffn_source_block(stage->source).inputs > 1)) {
        l.from[s][b].weight = blocks_of(stage);
        l.from[s][b].source = stage->source;
      } else {
        l.from[s][b].weight = weights_of(count);
      }
      l.to[s][b].weight = floats(count);
      if (own->bias)
        l.from[s][b].bias = floats(out), l.to[s][b].bias = floats(out);
    }
  void *packed = ffn_alloc(own->packed_bytes), *held = ffn_alloc(plain->packed_bytes);
  collect(own, &l, &w, &u, chain, chain_to, 0);
  own->pack(packed, &w);
  own->unpack(&u, packed);
  int wrong = 0;
  for (size_t s = 0; s < own->stage_count; s++)
    for (size_t b = 0; b < own->stages[s].branches; b++) {
      const ffn_linear *from = &l.from[s][b];
      if (from->source == FFN_SOURCE_F32)
        continue;
      const ffn_unpacked_linear kept_to = l.to[s][b];
      unsigned char *back = blocks_of(&own->stages[s]);
      l.to[s][b].weight = (void *)back, l.to[s][b].source = from->source;
      collect(own, &l, &w, &u, chain, chain_to, 0);
      own->unpack(&u, packed);
      if (check_blocks(&own->stages[s], from, back, kept_to.weight)) {
        printf("%s: blocks come back otherwise, or mean something else\n", own->name);
        wrong++;
      }
      l.to[s][b] = kept_to;
      free(back);
    }
  collect(own, &l, &kept, &u, chain, chain_to, 1);
  plain->pack(held, &kept);

  static const size_t tokens[] = {1, 2, 3, 4, 5, 19, 40, TOKENS};
  const ffn_parallel threads = ffn_pool_parallel(pool);
  const size_t in = own->inputs, out = own->outputs;
  float *x = floats(TOKENS * in), *y = floats(TOKENS * out), *z = floats(TOKENS * out);
  for (size_t i = 0; i < TOKENS * in; i++) /* some rows have many zeros */
    x[i] = i / in % 3 == 2 && i % 5 ? 0 : x[i];
  for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
    for (size_t n = 1; n <= 3; n += 2) {
      if (own->max_tokens && tokens[i] > own->max_tokens)
        continue;
      const size_t one = ffn_work_bytes(own, n, tokens[i]);
      const size_t other = ffn_work_bytes(plain, n, tokens[i]);
      void *work = ffn_alloc(one + BEYOND), *work_too = ffn_alloc(other);
      memset(work, 0x7f, one + BEYOND), memset(work_too, 0x7f, other);
      memset(y, 1, TOKENS * out * sizeof *y), memset(z, 2, TOKENS * out * sizeof *z);
      ffn_run(own, y, out, x, in, tokens[i], packed, work, one, n > 1 ? &threads : NULL);
      ffn_run(plain, z, out, x, in, tokens[i], held, work_too, other, n > 1 ? &threads : NULL);
      if (memcmp(y, z, tokens[i] * out * sizeof *y) != 0) {
        printf("%s: %zu rows, %zu threads: other bits than %s\n", own->name, tokens[i], n,
               plain->name);
        wrong++;
      }
      if (!keeps_within((const char *)work, one)) {
        printf("%s: %zu rows, %zu threads: more work memory than it said\n", own->name, tokens[i],
               n);
        wrong++;
      }
      ffn_free(work), ffn_free(work_too);
    }
  size_t changed = 0;
  for (size_t s = 0; s < own->stage_count; s++)
    for (size_t b = 0; b < own->stages[s].branches; b++) {
      const size_t count = own->stages[s].outputs * own->stages[s].inputs;
      changed += l.from[s][b].source != FFN_SOURCE_F32 ||
                 memcmp(l.from[s][b].weight, l.to[s][b].weight, count * sizeof(float)) != 0;
      free((void *)(uintptr_t)l.from[s][b].weight), free(l.to[s][b].weight);
      free((void *)(uintptr_t)l.from[s][b].bias), free(l.to[s][b].bias);
    }
  if (!changed || own->packed_bytes >= plain->packed_bytes) {
    printf("%s: nothing was rounded, or nothing saved\n", own->name);
    wrong++;
  }
  free(x), free(y), free(z);
  ffn_free(packed), ffn_free(held);
  return wrong;
}

int main(void) {
  unsigned long compared = 0, skipped = 0;
  int wrong = 0;
  ffn_pool *pool = ffn_pool_create(3);
  if (!pool)
    return 2;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (!(ffn_cpu() >> pairs[i].own->isa & 1)) {
      skipped++;
      continue;
    }
    wrong += compare(pairs[i].own, pairs[i].plain, i % 2 == 1, pool);
    compared++;
  }
  ffn_pool_destroy(pool);
  printf("%lu compared, %lu skipped, %d wrong\n", compared, skipped, wrong);
  return wrong != 0;
}
