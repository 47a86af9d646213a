/* Kernels of dot_toy over weights of many formats, against plain lines that know nothing of
 * kernels: equal by memcmp. KERNELS are symbols of chains with relu between two stages. */
#include "ffn.h"
#include "parallel_pthreads.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(name) extern const ffn_kernel name;
#include "kernels.inc.h"
#undef KERNEL

enum { MOST = 768, ROWS = 19 };

static uint32_t state = 1;
static uint32_t any(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

/* ---- The reference ------------------------------------------------------------------------ */
/* An output's weights: scale factor q + least, each `part` with a scale; 0: all. */
typedef struct output {
  int q[MOST], factor[MOST], part, has_factor, has_least;
  float scale[MOST], least[MOST];
} output;

static float half_at(const unsigned char *p) {
  const unsigned half = p[0] | (unsigned)p[1] << 8;
  return ldexpf((half & 0x8000 ? -1.0f : 1.0f) * (float)(1024 + (half & 1023)),
                (int)(half >> 10 & 31) - 25);
}

static void put(output *w, size_t k, int q, float scale, int factor, float least) {
  w->q[k] = q, w->scale[k] = scale, w->factor[k] = factor, w->least[k] = least;
}

static void bytes_of(output *w, const ffn_linear *from, size_t o, size_t inputs) {
  for (size_t k = 0; k < inputs; k++) {
    const int zero = from->zeros ? ((const signed char *)from->zeros)[o] : 0;
    put(w, k, ((const signed char *)from->weight)[o * inputs + k] - zero,
        ((const float *)from->scales)[o], 1, 0);
  }
}

static void nibbles_of(output *w, const ffn_linear *from, size_t o, size_t inputs) {
  for (size_t k = 0; k < inputs; k++) {
    const size_t group = (o * inputs + k) / (size_t)w->part;
    const int both = ((const unsigned char *)from->weight)[(o * inputs + k) / 2];
    put(w, k, (k % 2 ? both >> 4 : both & 15) - ((const unsigned char *)from->zeros)[group],
        half_at((const unsigned char *)from->scales + 2 * group), 1, 0);
  }
}

static void q8_0_of(output *w, size_t k, const unsigned char *b) {
  for (size_t i = 0; i < 32; i++)
    put(w, k + i, (signed char)b[2 + i], half_at(b), 1, 0);
}

static void q5_1_of(output *w, size_t k, const unsigned char *b) {
  for (size_t i = 0; i < 32; i++) {
    const int low = i < 16 ? b[8 + i] & 15 : b[8 + i - 16] >> 4;
    put(w, k + i, low | (b[4 + i / 8] >> i % 8 & 1) << 4, half_at(b), 1, half_at(b + 2));
  }
}

static void q4_K_of(output *w, size_t k, const unsigned char *b) {
  for (size_t i = 0; i < 256; i++) {
    const size_t j = i / 32, byte = i / 64 * 32 + i % 32;
    const int s = j < 4 ? b[4 + j] & 63 : (b[8 + j] & 15) | b[j] >> 6 << 4;
    const int m = j < 4 ? b[8 + j] & 63 : b[8 + j] >> 4 | b[4 + j] >> 6 << 4;
    put(w, k + i, j % 2 ? b[16 + byte] >> 4 : b[16 + byte] & 15, half_at(b) * (float)s, 1,
        (float)m * -half_at(b + 2));
  }
}

static void q6_K_of(output *w, size_t k, const unsigned char *b) {
  for (size_t i = 0; i < 256; i++) {
    const size_t n = i / 128, l = i % 128;
    const int low = b[64 * n + l % 64] >> (l < 64 ? 0 : 4) & 15;
    const int high = b[128 + 32 * n + l % 32] >> 2 * (l / 32) & 3;
    put(w, k + i, (low | high << 4) - 32, half_at(b + 208), (signed char)b[192 + i / 16], 0);
  }
}

/* Of the kernel that is checked, as it was packed: where the groups of its only panel begin. */
static const unsigned char *panel;

/* k64, which takes floats alone: a scale for each 16, in f32. */
static void k64_of(output *w, size_t o, size_t inputs) {
  for (size_t k = 0; k < inputs; k++) {
    const unsigned char *group = panel + k / 64 * 1120, *s = group + 32 + 4 * o;
    const unsigned subs = s[0] | (unsigned)s[1] << 8 | (unsigned)s[2] << 16;
    put(w, k, group[96 + k % 64 / 4 * 64 + 4 * o + k % 4] - 128,
        half_at(group + 2 * o) * (float)(subs >> k / 16 % 4 * 6 & 63), 1, 0);
  }
}

static const struct {
  ffn_source source;
  int part, has_factor, has_least;
  void (*block)(output *, size_t, const unsigned char *);
} formats[] = {
    {FFN_SOURCE_F32, 16, 0, 0, NULL},     {FFN_SOURCE_I8, 0, 0, 0, NULL},
    {FFN_SOURCE_I8Z, 0, 0, 0, NULL},      {FFN_SOURCE_U4G64, 64, 0, 0, NULL},
    {FFN_SOURCE_U4G128, 128, 0, 0, NULL}, {FFN_SOURCE_Q8_0, 32, 0, 0, q8_0_of},
    {FFN_SOURCE_Q5_1, 32, 0, 1, q5_1_of}, {FFN_SOURCE_Q4_K, 32, 0, 1, q4_K_of},
    {FFN_SOURCE_Q6_K, 16, 1, 0, q6_K_of},
};

static void output_of(output *w, const ffn_linear *from, size_t o, size_t inputs) {
  size_t f = 0;
  while (formats[f].source != from->source)
    f++;
  w->part = formats[f].part;
  w->has_factor = formats[f].has_factor, w->has_least = formats[f].has_least;
  const ffn_block_size size = ffn_source_block(from->source);
  if (from->source == FFN_SOURCE_F32)
    k64_of(w, o, inputs);
  else if (!formats[f].block)
    (w->part ? nibbles_of : bytes_of)(w, from, o, inputs);
  for (size_t k = 0; formats[f].block && k < inputs; k += size.inputs)
    formats[f].block(
        w, k, (const unsigned char *)from->weight + (o * inputs + k) / size.inputs * size.bytes);
}

/* A group of x as bytes; their scale. */
static float quantised(int *q, const float *x, size_t count) {
  float most = 0;
  for (size_t k = 0; k < count; k++)
    most = fmaxf(most, fabsf(x[k]));
  const float inverse = most > 0 ? 127 / most : 0;
  for (size_t k = 0; k < count; k++)
    q[k] = (int)(x[k] * inverse + (x[k] * inverse < 0 ? -0.5f : 0.5f));
  return most / 127;
}

static size_t least_of(size_t a, size_t b) { return a < b ? a : b; }

static float block_of(const output *w, const float *x, size_t inputs, size_t first, size_t end) {
  const size_t part = w->part ? (size_t)w->part : inputs, group = part < 32 ? 32 : part;
  float acc = 0;
  for (size_t k = first; k < end; k += group) {
    int q[MOST];
    int64_t all = 0;
    const float scale = quantised(q, x + k, least_of(group, inputs - k));
    for (size_t p = k; p < least_of(k + group, end); p += part) {
      int64_t sum = 0, of_x = 0;
      for (size_t i = p; i < least_of(p + part, end); i++)
        sum += w->q[i] * q[i - k], of_x += q[i - k];
      all += w->factor[p] * sum;
      if (!w->has_factor)
        acc = fmaf((float)sum * w->scale[p], scale, acc);
      if (w->has_least)
        acc = fmaf(w->least[p], (float)of_x * scale, acc);
    }
    if (w->has_factor)
      acc = fmaf((float)all * w->scale[k], scale, acc);
  }
  return acc;
}

static void layer(float *y, const ffn_kernel *k, const ffn_linear *chain, const float *x) {
  static output w;
  float in[MOST], out[MOST];
  memcpy(in, x, k->inputs * sizeof *x);
  for (size_t s = 0; s < k->stage_count; s++) {
    const size_t inputs = k->stages[s].inputs, block = k->stages[s].k_block;
    for (size_t o = 0; o < k->stages[s].outputs; o++) {
      output_of(&w, &chain[s], o, inputs);
      for (size_t first = 0; first < inputs; first += block) {
        const float sum = block_of(&w, in, inputs, first, least_of(first + block, inputs));
        out[o] = first ? out[o] + sum : sum;
      }
      if (s + 1 < k->stage_count) /* relu */
        out[o] = out[o] < 0 ? 0 : out[o];
    }
    memcpy(in, out, sizeof in);
  }
  memcpy(y, out, k->outputs * sizeof *y);
}
/* ------------------------------------------------------------------------------------------- */

/* An f16 of an ordinary size. */
static void put_half(unsigned char *p) {
  p[0] = (unsigned char)any(), p[1] = (unsigned char)((any() & 0x8f) | 0x20);
}

/* Any bytes, with such scales. */
static ffn_linear blocks_of(const ffn_stage *stage) {
  const ffn_block_size size = ffn_source_block(stage->source);
  const size_t bytes = stage->outputs * ffn_source_row(stage->source, stage->inputs);
  unsigned char *weight = malloc(bytes), *zeros = malloc(MOST * MOST);
  unsigned char *halves = malloc(2 * MOST * MOST);
  float *scales = malloc(MOST * MOST * sizeof *scales);
  for (size_t i = 0; i < bytes; i++)
    weight[i] = (unsigned char)any();
  for (size_t i = 0; stage->source == FFN_SOURCE_F32 && i < bytes; i += sizeof(float)) {
    const float x = (float)any() / (1 << 23) - 1;
    memcpy(weight + i, &x, sizeof x);
  }
  for (size_t i = 0; i < MOST * MOST; i++) {
    zeros[i] = (unsigned char)(size.inputs > 1 ? any() % 16 : any());
    scales[i] = ldexpf((float)(any() & 0xffff) - 32768, -20);
    put_half(halves + 2 * i);
  }
  for (size_t i = 0; i < bytes && size.bytes > 16; i += size.bytes) {
    put_half(weight + i + (stage->source == FFN_SOURCE_Q6_K ? 208 : 0));
    if (stage->source == FFN_SOURCE_Q5_1 || stage->source == FFN_SOURCE_Q4_K)
      put_half(weight + i + 2);
  }
  ffn_linear made;
  memset(&made, 0, sizeof made);
  made.weight = weight, made.source = stage->source;
  made.scales = size.scale == 4 ? (void *)scales : size.scale ? (void *)halves : NULL;
  made.zeros = size.zero ? zeros : NULL;
  return made;
}

static unsigned long compared, wrong;

static void check(const ffn_kernel *k) {
  static float x[ROWS * MOST], y[ROWS * MOST], z[ROWS * MOST];
  ffn_linear chain[2];
  const ffn_weights weights = {.chain = chain};
  for (size_t s = 0; s < k->stage_count; s++)
    chain[s] = blocks_of(&k->stages[s]);
  void *packed = ffn_alloc(k->packed_bytes);
  k->pack(packed, &weights);
  panel = (const unsigned char *)packed + 64;
  static const size_t rows[] = {1, 2, 5, ROWS};
  for (size_t r = 0; r < 4; r++)
    for (size_t threads = 1; threads <= 3; threads++) {
      ffn_pool *pool = ffn_pool_create(threads);
      const ffn_parallel parallel = ffn_pool_parallel(pool);
      const size_t bytes = ffn_work_bytes(k, threads, rows[r]);
      void *work = ffn_alloc(bytes);
      memset(work, 0x7f, bytes);
      for (size_t t = 0; t < ROWS * k->inputs; t++)
        x[t] = t / 32 % 5 ? (float)any() / (1 << 23) - 1 : 0;
      for (size_t t = 0; t < rows[r]; t++)
        layer(z + t * k->outputs, k, chain, x + t * k->inputs);
      ffn_run(k, y, k->outputs, x, k->inputs, rows[r], packed, work, bytes, &parallel);
      if (memcmp(y, z, rows[r] * k->outputs * sizeof *y) != 0)
        printf("%s: %zu rows, %zu threads\n", k->name, rows[r], threads), wrong++;
      compared++;
      ffn_free(work), ffn_pool_destroy(pool);
    }
  ffn_free(packed);
}

int main(void) {
  static const ffn_kernel *const kernels[] = {
#define KERNEL(name) &name,
#include "kernels.inc.h"
  };
  unsigned long skipped = 0;
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    if (ffn_cpu() >> kernels[i]->isa & 1)
      check(kernels[i]);
    else
      skipped += 12;
  printf("%lu compared, %lu skipped, %lu wrong\n", compared, skipped, wrong);
  return wrong != 0;
}
