/* Flat functions beside the structs that they stand for: sizes, packed weights, bits, gradients;
 * and what is said of each argument that is wrong, with nothing written then. */
#include "net_flat.h"

#include "net.h"
#include "net_train.h"

#include <stdio.h>
#include <string.h>

enum { TOKENS = 7, THREADS = 3, ROOM = 200000, WEIGHTS = 2000 };

static _Alignas(NET_ALIGNMENT) unsigned char packed[ROOM], packed_too[ROOM];
static _Alignas(NET_ALIGNMENT) unsigned char work[4 * ROOM], saved[ROOM], saved_too[ROOM];
static float w[WEIGHTS], x[TOKENS * 32], dy[TOKENS * 32], y[TOKENS * 32], y_too[TOKENS * 32];
static float of_flat[WEIGHTS], of_struct[WEIGHTS];
static int failed, hosted;

static void check(int holds, const char *what, int line) {
  if (!holds) {
    printf("flat.c:%d: %s\n", line, what);
    failed = 1;
  }
}
#define CHECK(condition) check(condition, #condition, __LINE__)
#define SAME(a, b) CHECK(memcmp(a, b, sizeof(a)) == 0)

/* The call fails so, and writes nothing. */
#define FAILS(status, call)                                                                        \
  do {                                                                                             \
    memset(y, 77, sizeof y);                                                                       \
    memset(y_too, 77, sizeof y_too);                                                               \
    CHECK((call) == NET_FLAT_##status);                                                            \
    SAME(y, y_too);                                                                                \
  } while (0)

/* A host that does the tasks from the last to the first. */
static void run_backwards(void *pool, size_t tasks, net_flat_task task, void *context) {
  CHECK(pool == &hosted && tasks <= THREADS);
  hosted++;
  while (tasks > 0)
    task(context, --tasks);
}

#define SIZES(NAME, layer)                                                                         \
  do {                                                                                             \
    const net_kernel *k = net_##layer();                                                           \
    CHECK(strcmp(k->name, net_##layer##_kernel_name()) == 0);                                      \
    CHECK(k->inputs == NET_##NAME##_INPUTS && k->outputs == NET_##NAME##_OUTPUTS);                 \
    CHECK(k->max_tokens == NET_##NAME##_MAX_TOKENS);                                               \
    CHECK(k->packed_bytes == NET_##NAME##_PACKED_BYTES);                                           \
    CHECK(k->packed_bytes == net_##layer##_packed_bytes());                                        \
    CHECK(k->work_rows <= NET_##NAME##_WORK_ROWS);                                                 \
    CHECK(k->work_row_bytes <= NET_##NAME##_WORK_ROW_BYTES);                                       \
    CHECK(k->work_beside_bytes <= NET_##NAME##_WORK_BESIDE_BYTES);                                 \
    CHECK(net_##layer##_work_bytes(THREADS, 2) == net_work_bytes(k, THREADS, 2));                  \
  } while (0)

static void test_sizes(void) {
  SIZES(GATED, gated);
  SIZES(BLOCK, block);
  SIZES(HEAD, head);
  SIZES(FEW, few);
  const net_training *t = net_block_training();
  CHECK(t->packed_bytes == NET_BLOCK_TRAIN_PACKED_BYTES);
  CHECK(t->saved_row_bytes == NET_BLOCK_SAVED_ROW_BYTES);
  CHECK(NET_BLOCK_SAVED_BLOCK_ROWS == NET_TOKEN_BLOCK);
  CHECK(net_block_saved_bytes((size_t)-1) == (size_t)-1);
  for (size_t tokens = 0; tokens < 260; tokens++) {
    const size_t blocks = (tokens + NET_BLOCK_SAVED_BLOCK_ROWS - 1) / NET_BLOCK_SAVED_BLOCK_ROWS;
    const size_t bytes = tokens * NET_BLOCK_SAVED_ROW_BYTES + blocks * NET_BLOCK_SAVED_BLOCK_BYTES;
    CHECK(net_block_saved_bytes(tokens) == bytes && NET_BLOCK_SAVED_BYTES(tokens) == bytes);
  }
  CHECK(net_train_work_bytes(t, 1) <= NET_BLOCK_TRAIN_WORK_BYTES);
  CHECK(net_train_work_bytes(t, THREADS) == net_block_train_work_bytes(THREADS));
  CHECK(net_block()->runtime_parameters == NET_BLOCK_PARAMETERS);
  CHECK(NET_GATED_W_DOWN_FLOATS == 24 * 40 && NET_GATED_B_UP_FLOATS == 40);
  CHECK(NET_GATED_B_DOWN_FLOATS == 24 && NET_HEAD_W_1_FLOATS == 160 && NET_HEAD_W_2_FLOATS == 16);
  CHECK(NET_FEW_MAX_TOKENS == 2);
}

/* What a gated layer packs: matrices of 960 floats that overlap, biases behind them. */
static net_flat_status pack_gated(void *to, size_t bytes) {
  return net_gated_pack(to, bytes, w, w + 1000, w + 100, w + 1100, w + 200, w + 1200);
}

static void test_run(void) {
  const net_kernel *k = net_gated();
  const net_weights weights = {
      .gate = {.weight = w, .bias = w + 1000},
      .up = {.weight = w + 100, .bias = w + 1100},
      .down = {.weight = w + 200, .bias = w + 1200},
  };
  const size_t bytes = net_gated_work_bytes(THREADS, TOKENS);
  k->pack(packed_too, &weights);
  CHECK(pack_gated(packed, sizeof packed) == NET_FLAT_OK);
  SAME(packed, packed_too);
  for (int way = 0; way < 4; way++) {
    const int adds = way / 2, hosts = way % 2;
    memset(y, 0, sizeof y), memset(y_too, 0, sizeof y_too);
    hosted = 0;
    if (adds)
      net_add(k, y_too, 25, 0.5f, x, 26, TOKENS, packed, work, bytes, NULL);
    else
      net_run(k, y_too, 25, x, 26, TOKENS, packed, work, bytes, NULL);
    if (!adds && !hosts)
      CHECK(!net_gated_run(y, 25, x, 26, TOKENS, packed, sizeof packed, work, bytes));
    if (!adds && hosts)
      CHECK(!net_gated_run_threads(y, 25, x, 26, TOKENS, packed, sizeof packed, work, bytes,
                                   THREADS, run_backwards, &hosted));
    if (adds && !hosts)
      CHECK(!net_gated_add(y, 25, 0.5f, x, 26, TOKENS, packed, sizeof packed, work, bytes));
    if (adds && hosts)
      CHECK(!net_gated_add_threads(y, 25, 0.5f, x, 26, TOKENS, packed, sizeof packed, work, bytes,
                                   THREADS, run_backwards, &hosted));
    SAME(y, y_too);
    CHECK(y[0] != 0 && !hosted == !hosts);
  }
  /* In place; no host is the calling thread; no tokens need nothing. */
  memcpy(y, x, sizeof y);
  net_run(k, y_too, 24, x, 24, TOKENS, packed, work, bytes, NULL);
  CHECK(!net_gated_run_threads(y, 24, y, 24, TOKENS, packed, sizeof packed, work, bytes, 1, NULL,
                               NULL));
  CHECK(memcmp(y, y_too, TOKENS * 24 * sizeof *y) == 0);
  CHECK(!net_gated_run(NULL, 0, NULL, 0, 0, NULL, 0, NULL, 0));
  /* Back again, in whole and in part. */
  memset(of_flat, 0, sizeof of_flat);
  CHECK(!net_gated_unpack(of_flat, of_flat + 1000, NULL, NULL, NULL, NULL, packed, sizeof packed));
  CHECK(memcmp(of_flat, w, 960 * sizeof *w) == 0 && of_flat[960] == 0);
  CHECK(memcmp(of_flat + 1000, w + 1000, 40 * sizeof *w) == 0 && of_flat[1040] == 0);
  memset(of_flat, 0, sizeof of_flat);
  CHECK(!net_gated_unpack(NULL, NULL, NULL, NULL, of_flat, of_flat + 1200, packed, sizeof packed));
  CHECK(memcmp(of_flat, w + 200, 960 * sizeof *w) == 0);
  CHECK(memcmp(of_flat + 1200, w + 1200, 24 * sizeof *w) == 0);
}

/* The status of a call of run() in which one thing is another. */
static net_flat_status run(float *to, size_t to_stride, const float *from, size_t from_stride,
                           size_t tokens) {
  return net_gated_run(to, to_stride, from, from_stride, tokens, packed, sizeof packed, work,
                       sizeof work);
}

static void test_errors_of_rows(void) {
  float *shifted = (float *)((char *)x + 2);
  FAILS(NULL, run(NULL, 24, x, 24, TOKENS));
  FAILS(NULL, run(y, 24, NULL, 24, TOKENS));
  FAILS(ALIGNMENT, run(y, 24, shifted, 24, TOKENS));
  FAILS(ALIGNMENT, run(shifted, 24, y, 24, TOKENS));
  FAILS(STRIDE, run(y, 23, x, 24, TOKENS));
  FAILS(STRIDE, run(y, 0, x, 24, TOKENS));
  FAILS(STRIDE, run(y, 24, x, (size_t)-1, 2));
  FAILS(STRIDE, run(y, (size_t)1 << (sizeof(size_t) * 8 - 3), x, 24, 3));
  FAILS(STRIDE, run(y, 24, x, 24, (size_t)-1));
  FAILS(OVERLAP, run(y, 24, y, 25, 2));
  FAILS(OVERLAP, run(y, 24, y + 1, 24, 2));
  FAILS(OVERLAP, run(y + 23, 48, y, 48, 2));
  /* Rows that meet behind the first ones, of one stride and of two; rows beyond all addresses. */
  FAILS(OVERLAP, run(y, 24, y + 24, 24, 2));
  FAILS(OVERLAP, run(y + 24, 24, y, 24, 2));
  FAILS(OVERLAP, run(y, 100, y + 30, 60, 2));
  FAILS(STRIDE, run(y, 24, x, ((size_t)-1 - (size_t)(uintptr_t)x) / sizeof *x, 2));
  CHECK(run(y, 100, y + 40, 30, 2) == NET_FLAT_OK);
  CHECK(run(y + 24, 48, y, 48, 2) == NET_FLAT_OK);
  CHECK(run(y, 0, x, 0, 1) == NET_FLAT_OK);
  /* In place rows lie apart; what is behind y in its row of x is taken, too. */
  FAILS(OVERLAP, run(y, 24, y + 24, 23, 2));
  FAILS(STRIDE, run(y, 23, y, 23, 2));
  float *in_front = (float *)(void *)(work + NET_ALIGNMENT) - 3;
  CHECK(net_few_pack(packed_too, ROOM, w) == NET_FLAT_OK);
  CHECK(net_few_run(in_front, 3, in_front, 10, 1, packed_too, ROOM, work + NET_ALIGNMENT,
                    sizeof work - NET_ALIGNMENT) == NET_FLAT_OVERLAP);
}

/* Windows of a signal, and one row for all tokens, are read as rows apart. */
static void test_windows(void) {
  static float rows[TOKENS * 24];
  for (size_t stride = 0; stride < 24; stride += 23) {
    for (size_t token = 0; token < TOKENS; token++)
      memcpy(rows + token * 24, x + token * stride, 24 * sizeof *x);
    CHECK(run(y, 24, x, stride, TOKENS) == NET_FLAT_OK);
    CHECK(run(y_too, 24, rows, 24, TOKENS) == NET_FLAT_OK);
    CHECK(memcmp(y, y_too, TOKENS * 24 * sizeof *y) == 0);
  }
  FAILS(OVERLAP, run(y, 24, y + TOKENS * 24 - 1, 1, TOKENS));
  CHECK(run(y, 24, y + TOKENS * 24, 1, TOKENS) == NET_FLAT_OK);
}

static void test_errors_of_memory(void) {
  const size_t bytes = net_gated_work_bytes(1, TOKENS), most = sizeof work;
#define RUN(packed, packed_bytes, work, work_bytes)                                                \
  net_gated_run(y, 24, x, 24, TOKENS, packed, packed_bytes, work, work_bytes)
  FAILS(NULL, RUN(NULL, ROOM, work, most));
  FAILS(NULL, RUN(packed, ROOM, NULL, most));
  FAILS(ALIGNMENT, RUN(packed + 32, ROOM, work, most));
  FAILS(ALIGNMENT, RUN(packed, ROOM, work + 4, most));
  FAILS(PACKED, RUN(packed, NET_GATED_PACKED_BYTES - 1, work, most));
  FAILS(WORK, RUN(packed, ROOM, work, bytes - 1));
  CHECK(RUN(packed, NET_GATED_PACKED_BYTES, work, bytes) == NET_FLAT_OK);
  FAILS(WORK, net_gated_run_threads(y, 24, x, 24, TOKENS, packed, ROOM, work,
                                    net_gated_work_bytes(THREADS, TOKENS) - 1, THREADS,
                                    run_backwards, &hosted));
  FAILS(WORK, net_gated_run_threads(y, 24, x, 24, TOKENS, packed, ROOM, work, most, (size_t)-1,
                                    run_backwards, &hosted));
  FAILS(THREADS,
        net_gated_run_threads(y, 24, x, 24, TOKENS, packed, ROOM, work, most, 2, NULL, NULL));
  FAILS(PACKED, RUN(work, ROOM, saved, ROOM));
  FAILS(OVERLAP, RUN(packed, ROOM, packed, most));
  FAILS(OVERLAP, run((float *)work, 24, x, 24, TOKENS));
  FAILS(OVERLAP, run((float *)packed, 24, x, 24, TOKENS));
  CHECK(net_few_pack(packed_too, ROOM, w) == NET_FLAT_OK);
  FAILS(PACKED, RUN(packed_too, ROOM, work, most));
  FAILS(PACKED, net_gated_unpack(y, NULL, NULL, NULL, NULL, NULL, packed_too, ROOM));
  FAILS(PACKED, net_gated_unpack(y, NULL, NULL, NULL, NULL, NULL, packed, 64));
  FAILS(NULL, net_gated_unpack(y, NULL, NULL, NULL, NULL, NULL, NULL, ROOM));
  FAILS(TOKENS, net_few_run(y, 3, x, 10, 3, packed_too, ROOM, work, most));
  CHECK(net_few_run(y, 3, x, 10, 2, packed_too, ROOM, work, most) == NET_FLAT_OK);
#undef RUN
}

static void test_errors_of_pack(void) {
  memcpy(packed_too, packed, sizeof packed);
  CHECK(pack_gated(NULL, ROOM) == NET_FLAT_NULL);
  CHECK(pack_gated(packed + 1, ROOM) == NET_FLAT_ALIGNMENT);
  CHECK(pack_gated(packed, NET_GATED_PACKED_BYTES - 1) == NET_FLAT_PACKED);
  for (int wrong = 0; wrong < 12; wrong++) {
    const float *given[6] = {w, w, w, w, w, w};
    given[wrong % 6] = wrong < 6 ? NULL : (const float *)((const char *)w + 1);
    CHECK(net_gated_pack(packed, ROOM, given[0], given[1], given[2], given[3], given[4],
                         given[5]) == (wrong < 6 ? NET_FLAT_NULL : NET_FLAT_ALIGNMENT));
  }
  CHECK(net_block_pack(packed, ROOM, w, w, w, w, NULL) == NET_FLAT_NULL);
  float *inside = (float *)(packed + NET_GATED_PACKED_BYTES) - 1;
  CHECK(net_gated_pack(packed, ROOM, w, w, w, inside, w, w) == NET_FLAT_OVERLAP);
  CHECK(net_gated_unpack(w, NULL, w + 959, NULL, NULL, NULL, packed, ROOM) == NET_FLAT_OVERLAP);
  CHECK(net_gated_unpack(NULL, NULL, NULL, inside, NULL, NULL, packed, ROOM) == NET_FLAT_OVERLAP);
  SAME(packed, packed_too);
}

static void test_training(void) {
  const net_training *t = net_block_training();
  const net_weights weights = {.up = {.weight = w, .bias = w + 1000},
                               .down = {.weight = w + 100, .bias = w + 1100},
                               .parameters = {1.5f}};
  const net_gradients to = {.dx = y_too,
                            .dx_stride = 20,
                            .up = {of_struct, of_struct + 1000},
                            .down = {of_struct + 480, of_struct + 1024},
                            .parameters = of_struct + 1044};
  const float beta = 1.5f;
  t->pack_train(packed_too, &weights);
  CHECK(!net_block_pack_train(packed, ROOM, w, w + 1000, w + 100, w + 1100, &beta));
  SAME(packed, packed_too);
  for (int hosts = 0; hosts < 2; hosts++) {
    hosted = 0;
    net_run_train(t, y_too, 20, x, 20, TOKENS, saved_too, packed, work, NULL, NULL);
    if (hosts)
      CHECK(!net_block_run_train_threads(y, 20, x, 20, TOKENS, saved, ROOM, packed, ROOM, work,
                                         sizeof work, THREADS, run_backwards, &hosted));
    else
      CHECK(
          !net_block_run_train(y, 20, x, 20, TOKENS, saved, ROOM, packed, ROOM, work, sizeof work));
    CHECK(memcmp(y, y_too, TOKENS * 20 * sizeof *y) == 0);
    SAME(saved, saved_too);
    net_grad(t, &to, dy, 20, x, 20, TOKENS, saved, packed, work, NULL, NULL);
    float *g = of_flat;
    if (hosts)
      CHECK(!net_block_grad_threads(y, 20, g, g + 1000, g + 480, g + 1024, g + 1044, 0, dy, 20, x,
                                    20, TOKENS, saved, ROOM, packed, ROOM, work, sizeof work,
                                    THREADS, run_backwards, &hosted));
    else
      CHECK(!net_block_grad(y, 20, g, g + 1000, g + 480, g + 1024, g + 1044, 0, dy, 20, x, 20,
                            TOKENS, saved, ROOM, packed, ROOM, work, sizeof work));
    CHECK(memcmp(y, y_too, TOKENS * 20 * sizeof *y) == 0);
    CHECK(memcmp(g, of_struct, 960 * sizeof *g) == 0);
    CHECK(memcmp(g + 1000, of_struct + 1000, 45 * sizeof *g) == 0);
    CHECK(g[0] != 0 && g[480] != 0 && g[1000] != 0 && g[1024] != 0 && g[1044] != 0);
    CHECK(!hosted == !hosts);
    /* Once more, added; of one matrix alone. */
    const float before = g[480];
    CHECK(!net_block_grad(NULL, 0, NULL, NULL, g + 480, NULL, NULL, 1, dy, 20, x, 20, TOKENS, saved,
                          ROOM, packed, ROOM, work, sizeof work));
    CHECK(g[480] == 2 * before && g[0] == of_struct[0]);
  }
  /* What run() takes, too. */
  CHECK(!net_block_run(y, 20, x, 20, TOKENS, packed, ROOM, work, sizeof work));
}

static void test_errors_of_training(void) {
  const size_t of_packed = NET_BLOCK_TRAIN_PACKED_BYTES, of_saved = net_block_saved_bytes(TOKENS);
  const size_t of_work = net_block_train_work_bytes(1);
#define TRAIN(y, x, saved, saved_bytes, packed_bytes, work_bytes)                                  \
  net_block_run_train(y, 20, x, 20, TOKENS, saved, saved_bytes, packed, packed_bytes, work,        \
                      work_bytes)
  CHECK(!TRAIN(y, x, saved, of_saved, of_packed, of_work));
  FAILS(NULL, TRAIN(NULL, x, saved, ROOM, ROOM, ROOM));
  FAILS(NULL, TRAIN(y, NULL, saved, ROOM, ROOM, ROOM));
  FAILS(NULL, TRAIN(y, x, NULL, ROOM, ROOM, ROOM));
  FAILS(OVERLAP, TRAIN(y, y, saved, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, TRAIN(y, x, work, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, TRAIN(y, x, packed, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, TRAIN((float *)saved, x, saved, ROOM, ROOM, sizeof work));
  FAILS(ALIGNMENT, TRAIN(y, x, saved + 4, ROOM, ROOM, sizeof work));
  FAILS(SAVED, TRAIN(y, x, saved, of_saved - 1, ROOM, sizeof work));
  FAILS(PACKED, TRAIN(y, x, saved, ROOM, of_packed - 1, sizeof work));
  FAILS(WORK, TRAIN(y, x, saved, ROOM, ROOM, of_work - 1));
#define GRAD(dx, dw, dy, saved_bytes, packed_bytes, work_bytes)                                    \
  net_block_grad(dx, 20, dw, NULL, NULL, NULL, NULL, 0, dy, 20, x, 20, TOKENS, saved, saved_bytes, \
                 packed, packed_bytes, work, work_bytes)
  CHECK(!GRAD(y, of_flat, dy, of_saved, of_packed, of_work));
  FAILS(NULL, GRAD(y, of_flat, NULL, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, GRAD(y, of_flat, y, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, GRAD(x, of_flat, dy, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, GRAD(y, y + 139, dy, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, GRAD(y, (float *)work, dy, ROOM, ROOM, sizeof work));
  FAILS(OVERLAP, GRAD((float *)saved, of_flat, dy, ROOM, ROOM, sizeof work));
  FAILS(ALIGNMENT, GRAD(y, (float *)((char *)of_flat + 1), dy, ROOM, ROOM, sizeof work));
  FAILS(SAVED, GRAD(y, of_flat, dy, of_saved - 1, ROOM, sizeof work));
  FAILS(PACKED, GRAD(y, of_flat, dy, ROOM, of_packed - 1, sizeof work));
  FAILS(WORK, GRAD(y, of_flat, dy, ROOM, ROOM, of_work - 1));
#undef GRAD
  /* What grad() is given is that of another call, or nothing that was saved. */
#define GRAD(tokens) GRAD_OF(tokens, dy, 20, x, 20, saved)
#define GRAD_OF(tokens, dy, dy_stride, x, x_stride, saved)                                         \
  net_block_grad(y, 20, of_flat, NULL, NULL, NULL, NULL, 0, dy, dy_stride, x, x_stride, tokens,    \
                 saved, ROOM, packed, ROOM, work, sizeof work)
  CHECK(!TRAIN(y, x, saved, ROOM, ROOM, sizeof work));
  FAILS(SAVED, GRAD(TOKENS - 1));
  saved[0] ^= 1;
  FAILS(SAVED, GRAD(TOKENS));
  saved[0] ^= 1;
  CHECK(!GRAD(TOKENS));
  /* pack()'s are enough for run_train() alone. */
  const float beta = 1.5f;
  CHECK(!net_block_pack(packed, ROOM, w, w + 1000, w + 100, w + 1100, &beta));
  CHECK(!TRAIN(y, x, saved, ROOM, ROOM, sizeof work));
  FAILS(PACKED, GRAD(TOKENS));
  CHECK(!net_block_pack_train(packed, ROOM, w, w + 1000, w + 100, w + 1100, &beta));
  CHECK(!GRAD(TOKENS));
  /* Rows of dy and x may lie over each other, those of dx and y may not. */
  CHECK(!net_block_run_train(y, 20, x, 3, TOKENS, saved, ROOM, packed, ROOM, work, sizeof work));
  CHECK(!GRAD_OF(TOKENS, dy, 0, x, 3, saved));
  FAILS(STRIDE,
        net_block_run_train(y, 19, x, 3, TOKENS, saved, ROOM, packed, ROOM, work, sizeof work));
  FAILS(STRIDE, net_block_grad(y, 19, NULL, NULL, NULL, NULL, NULL, 0, dy, 20, x, 3, TOKENS, saved,
                               ROOM, packed, ROOM, work, sizeof work));
  /* Of no tokens rows and what is saved are nothing, wherever that is. */
  float *nowhere = (float *)(void *)1;
  CHECK(
      !net_block_run_train(nowhere, 0, nowhere, 0, 0, nowhere, 0, packed, ROOM, work, sizeof work));
  CHECK(!net_block_grad(nowhere, 0, of_flat, NULL, NULL, NULL, NULL, 0, nowhere, 0, nowhere, 0, 0,
                        nowhere, 0, packed, ROOM, work, sizeof work));
#undef TRAIN
#undef GRAD
#undef GRAD_OF
}

static void test_dropout(void) {
  const net_training *t = net_head_training();
  const net_flat_dropout given = {.seed = 5, .first_token = 3, .layer = 2, .step = 1};
  const net_flat_dropout next = {.seed = 5, .first_token = 3, .layer = 2, .step = 2};
  const net_dropout same = {.seed = 5, .first_token = 3, .layer = 2, .step = 1};
  const net_gradients to = {
      .dx = y_too,
      .dx_stride = 10,
      .chain = (const net_linear_gradient[]){{of_struct, NULL}, {of_struct + 160, NULL}}};
  CHECK(!net_head_pack_train(packed, ROOM, w, w + 500));
  for (int drops = 0; drops < 2; drops++) {
    const net_flat_dropout *dropped = drops ? &given : NULL;
    const net_dropout *dropped_too = drops ? &same : NULL;
    net_run_train(t, y_too, 1, x, 10, TOKENS, saved_too, packed, work, dropped_too, NULL);
    CHECK(!net_head_run_train(y, 1, x, 10, TOKENS, saved, ROOM, packed, ROOM, work, sizeof work,
                              dropped));
    CHECK(memcmp(y, y_too, TOKENS * sizeof *y) == 0);
    if (drops) {
      net_run_train(t, y_too, 1, x, 10, TOKENS, saved_too, packed, work, NULL, NULL);
      CHECK(memcmp(y, y_too, TOKENS * sizeof *y) != 0);
    }
    FAILS(SAVED, net_head_grad(y, 10, of_flat, of_flat + 160, 0, dy, 1, x, 10, TOKENS, saved, ROOM,
                               packed, ROOM, work, sizeof work, drops ? &next : &given));
    net_grad(t, &to, dy, 1, x, 10, TOKENS, saved, packed, work, dropped_too, NULL);
    CHECK(!net_head_grad(y, 10, of_flat, of_flat + 160, 0, dy, 1, x, 10, TOKENS, saved, ROOM,
                         packed, ROOM, work, sizeof work, dropped));
    CHECK(memcmp(y, y_too, TOKENS * 10 * sizeof *y) == 0);
    CHECK(memcmp(of_flat, of_struct, 176 * sizeof *of_flat) == 0);
  }
}

static void test_words(void) {
  CHECK(strcmp(net_flat_text(NET_FLAT_OK), "nothing is wrong") == 0);
  for (int a = 0; a <= NET_FLAT_LEFT_OUT; a++)
    for (int b = 0; b < a; b++)
      CHECK(strcmp(net_flat_text((net_flat_status)a), net_flat_text((net_flat_status)b)) != 0);
  CHECK(strcmp(net_flat_text((net_flat_status)99), "?") == 0);
  void *memory = net_flat_alloc(100);
  CHECK(memory && (uintptr_t)memory % NET_ALIGNMENT == 0 && !net_flat_alloc(0));
  net_flat_free(memory), net_flat_free(NULL);
}

int main(void) {
  for (int i = 0; i < WEIGHTS; i++)
    w[i] = (float)(i * 37 % 101 - 50) / 128;
  for (int i = 0; i < TOKENS * 32; i++) {
    x[i] = (float)(i * 29 % 53 - 26) / 16;
    dy[i] = (float)(i * 31 % 47 - 23) / 64;
  }
  test_sizes();
  test_run();
  test_errors_of_rows();
  test_windows();
  test_errors_of_memory();
  test_errors_of_pack();
  test_training();
  test_errors_of_training();
  test_dropout();
  test_words();
  if (!failed)
    printf("by %s\n", net_gated_kernel_name());
  return failed;
}
