/* A whole Llama (or Mistral, Qwen 2, Qwen 3) on the kernels of its products:
 *     ffngen import MODEL --out my --also all --threads pthreads --file && ffn-pack my/PLAN.json
 *     cc -O2 -pthread -DFFN_NO_MAIN -Imy -Imy/kernels llama.c my/kernels/X.c -lm     X: all files
 *     ./a.out my/model.ffn decode 16 1 15043 29892     prints 16 tokens behind this prompt
 *     ./a.out my/model.ffn draft 16 1 15043 29892      the same tokens, several at a time
 *     ./a.out my/model.ffn logits 1 15043 29892        prints the logits of each row
 * host.h has the numbers of what is no product: embedding, norms, rotary positions, attention over
 * a cache. Each row is treated by itself, so a row has the same bits alone and in any batch. */
#include "ffn.h"
#include "ffn_file.h"
#include "host.h"
#include "parallel_pthreads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  THREADS = 2,
  BATCH = 64, /* rows at a time */
  DRAFT = 7,  /* tokens that are guessed at a time */
  Q = HOST_HEADS * HOST_HEAD_DIM,
  KV = HOST_KV_HEADS * HOST_HEAD_DIM
};

typedef struct product {
  const ffn_kernel *kernel;
  const void *packed;
} product;

typedef struct block {
  product qkv, o, ffn;
  const float *attention_norm, *ffn_norm, *q_norm, *k_norm;
  float *keys, *values; /* [positions][KV] */
} block;

typedef struct model {
  ffn_file file;
  block blocks[HOST_LAYERS];
  product head;
  size_t embedding; /* the entry of its rows */
  const float *final_norm;
  double frequencies[HOST_HEAD_DIM / 2];
  size_t positions; /* that the cache has room for */
  ffn_pool *pool;
  void *work;
  size_t work_bytes;
} model;

static void *need(void *memory, const char *what) {
  if (!memory) {
    fprintf(stderr, "llama: %s\n", what);
    exit(1);
  }
  return memory;
}

static void expect(ffn_file_status status, const char *what) {
  if (status) {
    fprintf(stderr, "llama: %s: %s\n", what, ffn_file_status_text(status));
    exit(1);
  }
}

/* A product of the file and the kernel that is linked for it. */
static product product_of(model *m, uint32_t layer, uint32_t part, const char *what) {
  const size_t entry = ffn_file_find(&m->file, layer, part);
  product p = {ffn_find_packed(ffn_file_kernel(&m->file, entry), 0, ffn_cpu()), NULL};
  need(ffn_file_entry_of(&m->file, entry) ? &p : NULL, what);
  if (!p.kernel)
    need(NULL, ffn_file_kernel(&m->file, entry));
  expect(ffn_file_packed(&m->file, entry, p.kernel, &p.packed), what);
  const size_t bytes = ffn_work_bytes(p.kernel, THREADS, BATCH);
  m->work_bytes = bytes > m->work_bytes ? bytes : m->work_bytes;
  return p;
}

/* A vector of the file, such as a norm's weights: name has the layer's number for its %d. */
static const float *vector_of(const model *m, const char *name, int layer, size_t width) {
  char text[256];
  snprintf(text, sizeof text, name, layer);
  const size_t entry = ffn_file_rows_named(&m->file, text);
  const ffn_file_rows *rows = ffn_file_rows_of(&m->file, entry);
  if (!rows || rows->width != width)
    need(NULL, text);
  float *vector = need(malloc(width * sizeof *vector), "no memory");
  expect(ffn_file_row(&m->file, entry, 0, vector), text);
  return vector;
}

/* How fast each pair of a head turns, in radians for a position. */
static void find_frequencies(model *m) {
  const float *factors = NULL;
#ifdef HOST_ROPE_FACTORS
  factors = vector_of(m, HOST_ROPE_FACTORS, 0, HOST_HEAD_DIM / 2);
#endif
  for (int i = 0; i < HOST_HEAD_DIM / 2; i++) {
    double f = pow(HOST_ROPE_THETA, -2.0 * i / HOST_HEAD_DIM);
#if HOST_ROPE_SCALING == 1
    f /= HOST_ROPE_FACTOR;
#elif HOST_ROPE_SCALING == 2
    /* Long waves are slowed down, short ones are not, and those between are mixed. */
    const double turns = HOST_ROPE_ORIGINAL_POSITIONS * f / 6.283185307179586;
    const double mixed = (turns - HOST_ROPE_LOW) / (HOST_ROPE_HIGH - HOST_ROPE_LOW);
    const double kept = mixed < 0 ? 0 : mixed > 1 ? 1 : mixed;
    f = (1 - kept) * f / HOST_ROPE_FACTOR + kept * f;
#endif
    m->frequencies[i] = factors ? f / (double)factors[i] : f;
  }
  free((void *)factors);
}

static void open_model(model *m, const char *path, size_t positions) {
  memset(m, 0, sizeof *m);
  expect(ffn_file_open(&m->file, path), path);
  m->positions = positions;
  for (int i = 0; i < HOST_LAYERS; i++) {
    block *b = &m->blocks[i];
    b->qkv = product_of(m, (uint32_t)i, FFN_PART_QKV, "q, k and v are not in the file");
    b->o = product_of(m, (uint32_t)i, FFN_PART_O, "o is not in the file");
    b->ffn = product_of(m, (uint32_t)i, 0, "the feed-forward layer is not in the file");
    b->attention_norm = vector_of(m, HOST_ATTENTION_NORM, i, HOST_WIDTH);
    b->ffn_norm = vector_of(m, HOST_FFN_NORM, i, HOST_WIDTH);
#if HOST_QK_NORM
    b->q_norm = vector_of(m, HOST_Q_NORM, i, HOST_HEAD_DIM);
    b->k_norm = vector_of(m, HOST_K_NORM, i, HOST_HEAD_DIM);
#endif
    b->keys = need(malloc(positions * KV * sizeof(float)), "no memory");
    b->values = need(malloc(positions * KV * sizeof(float)), "no memory");
  }
  m->head = product_of(m, HOST_LAYERS, FFN_PART_HEAD, "the head is not in the file");
  m->final_norm = vector_of(m, HOST_FINAL_NORM, 0, HOST_WIDTH);
  m->embedding = ffn_file_rows_named(&m->file, HOST_EMBEDDING);
  find_frequencies(m);
  m->work = need(ffn_alloc(m->work_bytes), "no memory");
  m->pool = need(ffn_pool_create(THREADS), "no threads");
}

static void close_model(model *m) {
  for (int i = 0; i < HOST_LAYERS; i++) {
    const block *b = &m->blocks[i];
    free((void *)b->attention_norm), free((void *)b->ffn_norm);
    free((void *)b->q_norm), free((void *)b->k_norm);
    free(b->keys), free(b->values);
  }
  free((void *)m->final_norm);
  ffn_pool_destroy(m->pool);
  ffn_free(m->work);
  ffn_file_close(&m->file);
}

/* y = x / rms(x) * w, of one row. y may be x. */
static void norm(float *y, const float *x, const float *w, size_t width) {
  double sum = 0;
  for (size_t i = 0; i < width; i++)
    sum += (double)x[i] * (double)x[i];
  const float scale = (float)(1 / sqrt(sum / (double)width + HOST_EPS));
  for (size_t i = 0; i < width; i++)
    y[i] = x[i] * scale * w[i];
}

/* Turns the pairs of each head by the position of the row. */
static void rotate(const model *m, float *x, int heads, size_t position) {
  for (int i = 0; i < HOST_HEAD_DIM / 2; i++) {
    const float c = (float)cos((double)position * m->frequencies[i]);
    const float s = (float)sin((double)position * m->frequencies[i]);
    const int first = HOST_ROPE_ADJACENT ? 2 * i : i;
    const int second = HOST_ROPE_ADJACENT ? 2 * i + 1 : i + HOST_HEAD_DIM / 2;
    for (float *head = x; head < x + heads * HOST_HEAD_DIM; head += HOST_HEAD_DIM) {
      const float a = head[first], b = head[second];
      head[first] = a * c - b * s;
      head[second] = b * c + a * s;
    }
  }
}

/* What one row's heads gather from the values of all positions up to its own. */
static void attend(const block *b, float *y, const float *q, size_t position, float *scores) {
  for (int h = 0; h < HOST_HEADS; h++, y += HOST_HEAD_DIM, q += HOST_HEAD_DIM) {
    const size_t at = (size_t)(h / (HOST_HEADS / HOST_KV_HEADS)) * HOST_HEAD_DIM;
    float most = -INFINITY;
    double sum = 0;
    for (size_t p = 0; p <= position; p++) {
      float dot = 0;
      for (size_t i = 0; i < HOST_HEAD_DIM; i++)
        dot += q[i] * b->keys[p * KV + at + i];
      scores[p] = dot * HOST_SCORE_SCALE;
      most = scores[p] > most ? scores[p] : most;
    }
    for (size_t p = 0; p <= position; p++)
      sum += (double)(scores[p] = expf(scores[p] - most));
    memset(y, 0, HOST_HEAD_DIM * sizeof *y);
    for (size_t p = 0; p <= position; p++)
      for (size_t i = 0; i < HOST_HEAD_DIM; i++)
        y[i] += (float)(scores[p] / sum) * b->values[p * KV + at + i];
  }
}

/* The logits of up to BATCH tokens, the first of which stands at `position`. */
static void run(model *m, float *logits, const size_t *tokens, size_t count, size_t position,
                float *scores) {
  static float h[BATCH * HOST_WIDTH], x[BATCH * HOST_WIDTH], q[BATCH * Q], a[BATCH * Q];
  const ffn_parallel threads = ffn_pool_parallel(m->pool);
  for (size_t t = 0; t < count; t++)
    expect(ffn_file_row(&m->file, m->embedding, tokens[t], h + t * HOST_WIDTH), "a token");
  for (int layer = 0; layer < HOST_LAYERS; layer++) {
    const block *b = &m->blocks[layer];
    float *k = b->keys + position * KV, *v = b->values + position * KV;
    const ffn_destination to[] = {{q, Q}, {k, KV}, {v, KV}};
    for (size_t t = 0; t < count; t++)
      norm(x + t * HOST_WIDTH, h + t * HOST_WIDTH, b->attention_norm, HOST_WIDTH);
    ffn_run_to(ffn_outputs_of(b->qkv.kernel), to, x, HOST_WIDTH, count, b->qkv.packed, m->work,
               m->work_bytes, &threads);
    for (size_t t = 0; t < count; t++) {
#if HOST_QK_NORM
      for (int i = 0; i < HOST_HEADS; i++)
        norm(q + t * Q + i * HOST_HEAD_DIM, q + t * Q + i * HOST_HEAD_DIM, b->q_norm,
             HOST_HEAD_DIM);
      for (int i = 0; i < HOST_KV_HEADS; i++)
        norm(k + t * KV + i * HOST_HEAD_DIM, k + t * KV + i * HOST_HEAD_DIM, b->k_norm,
             HOST_HEAD_DIM);
#endif
      rotate(m, q + t * Q, HOST_HEADS, position + t);
      rotate(m, k + t * KV, HOST_KV_HEADS, position + t);
    }
    for (size_t t = 0; t < count; t++)
      attend(b, a + t * Q, q + t * Q, position + t, scores);
    ffn_add(b->o.kernel, h, HOST_WIDTH, 1.0f, a, Q, count, b->o.packed, m->work, m->work_bytes,
            &threads);
    for (size_t t = 0; t < count; t++)
      norm(x + t * HOST_WIDTH, h + t * HOST_WIDTH, b->ffn_norm, HOST_WIDTH);
    ffn_add(b->ffn.kernel, h, HOST_WIDTH, 1.0f, x, HOST_WIDTH, count, b->ffn.packed, m->work,
            m->work_bytes, &threads);
  }
  for (size_t t = 0; t < count; t++)
    norm(x + t * HOST_WIDTH, h + t * HOST_WIDTH, m->final_norm, HOST_WIDTH);
  ffn_run(m->head.kernel, logits, HOST_VOCABULARY, x, HOST_WIDTH, count, m->head.packed, m->work,
          m->work_bytes, &threads);
}

static size_t best_of(const float *logits) {
  size_t best = 0;
  for (size_t i = 1; i < HOST_VOCABULARY; i++)
    best = logits[i] > logits[best] ? i : best;
  return best;
}

/* What stood behind the last token where it stood before. Returns how many tokens are guessed. */
static size_t guess(size_t *draft, const size_t *tokens, size_t count) {
  for (size_t at = count - 1; at-- > 0;)
    if (tokens[at] == tokens[count - 1]) {
      const size_t there = count - 1 - at, guessed = there < DRAFT ? there : DRAFT;
      memcpy(draft, tokens + at + 1, guessed * sizeof *draft);
      return guessed;
    }
  return 0;
}

int main(int count, char **arguments) {
  const char *verb = count > 2 ? arguments[2] : "";
  const int decodes = !strcmp(verb, "decode"), drafts = !strcmp(verb, "draft");
  const int first = decodes || drafts ? 4 : 3;
  if (count <= first || (first == 3 && strcmp(verb, "logits")))
    return fprintf(stderr, "llama FILE decode|draft COUNT TOKEN...\nllama FILE logits TOKEN...\n"),
           2;
  const size_t wanted = first == 4 ? (size_t)strtoul(arguments[3], NULL, 10) : 0;
  const size_t given = (size_t)(count - first), all = given + wanted + DRAFT + 1;
  static model m;
  open_model(&m, arguments[1], all);
  size_t *tokens = need(calloc(all, sizeof *tokens), "no memory"), known = given, done = 0;
  float *scores = need(malloc(all * sizeof *scores), "no memory");
  float *logits = need(malloc(sizeof *logits * BATCH * HOST_VOCABULARY), "no memory");
  for (size_t i = 0; i < given; i++)
    tokens[i] = (size_t)strtoul(arguments[(size_t)first + i], NULL, 10);
  /* `done` tokens are in the cache; tokens[known - 1] is the last one that is sure. */
  while (known < given + wanted || done < given) {
    size_t guessed = drafts && done + 1 == known ? guess(tokens + known, tokens, known) : 0;
    const size_t left = known + guessed - done, rows = left < BATCH ? left : BATCH;
    run(&m, logits, tokens + done, rows, done, scores);
    for (size_t t = 0; t < rows && !wanted; t++)
      for (size_t i = 0; i < HOST_VOCABULARY; i++)
        printf("%.9g%c", (double)logits[t * HOST_VOCABULARY + i],
               i + 1 < HOST_VOCABULARY ? ' ' : '\n');
    done += rows - guessed;
    for (size_t t = rows - guessed - 1; wanted && done >= given && t < rows; t++) {
      const size_t next = best_of(logits + t * HOST_VOCABULARY);
      const int is_right = guessed > 0 && tokens[known] == next;
      tokens[known++] = next;
      if (!is_right || t + 1 == rows)
        break;
      guessed--, done++;
    }
  }
  for (size_t i = 0; i < wanted; i++)
    printf("%zu%c", tokens[given + i], i + 1 < wanted ? ' ' : '\n');
  free(tokens), free(scores), free(logits);
  close_model(&m);
  return 0;
}
