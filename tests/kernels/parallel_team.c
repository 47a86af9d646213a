/* The team of parallel_team.h: nothing but it keeps its threads in step. */
#include "support/each.h"
#include "support/mode.h"
#include "support/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <threads.h>

#define FFN_TEAM_WAIT() sched_yield() /* more members than cores */
#include "parallel_team.h"

static const size_t sizes[] = {1, 2, 7};
enum { SIZES = sizeof sizes / sizeof *sizes, MOST_MEMBERS = 7, ROUNDS = 6, MOST_TOKENS = 33 };

/* One thread of a team's. */
typedef struct member {
  struct shared *shared;
  size_t index;
  size_t wrong; /* 0, or 1 + a round whose y was not complete for this member */
} member;

typedef struct shared {
  ffn_team team;
  const ffn_kernel *kernel;
  const float *given, *expected;
  const void *packed;
  void *work;
  size_t work_bytes;
  size_t most;
  float *x[ROUNDS], *y[ROUNDS];
  const test_mode *mode; /* of member 0, which runs the kernel; that of the others is the usual */
} shared;

static size_t batch(const shared *s, size_t round) {
  static const size_t batches[] = {1, 5, MOST_TOKENS};
  const size_t tokens = batches[round % 3];
  return tokens < s->most ? tokens : s->most;
}

/* In each round the members write the rows of x between them, the later ones late, and call. */
static void *take_part(void *argument) {
  member *m = argument;
  shared *s = m->shared;
  const ffn_kernel *k = s->kernel;
  if (m->index == 0)
    test_mode_enter(s->mode);
  for (size_t round = 0; round < ROUNDS; round++) {
    const size_t tokens = batch(s, round);
    thrd_sleep(&(struct timespec){.tv_nsec = 50000 * (long)m->index}, NULL);
    for (size_t t = m->index; t < tokens; t += s->team.members)
      memcpy(s->x[round] + t * k->inputs, s->given + t * k->inputs, k->inputs * sizeof(float));
    ffn_team_run(&s->team, m->index, k, s->y[round], k->outputs, s->x[round], k->inputs, tokens,
                 s->packed, s->work, s->work_bytes);
    if (!test_same(s->y[round], s->expected, tokens * k->outputs))
      m->wrong = round + 1;
  }
  return NULL;
}

/* Teams of the sizes from that index on. */
static void expect_bits(const test_model *model, const test_mode *mode, size_t size) {
  const ffn_kernel *kernel = model->kernel;
  shared s = {.kernel = kernel, .packed = model->packed, .mode = mode};
  s.most = test_tokens(kernel, 1e7, 5, MOST_TOKENS);
  float *given = test_inputs(kernel, s.most, TEST_REALS, 72);
  const test_mode_before before = test_mode_enter(mode);
  float *expected = test_outputs(kernel, given, s.most, model->packed);
  test_mode_leave(before);
  s.given = given, s.expected = expected;
  s.work_bytes = ffn_work_bytes(kernel, MOST_MEMBERS, s.most);
  s.work = ffn_alloc(s.work_bytes);
  for (size_t round = 0; round < ROUNDS; round++) {
    s.x[round] = test_memory(s.most * kernel->inputs * sizeof(float));
    s.y[round] = test_memory(s.most * kernel->outputs * sizeof(float));
  }
  for (size_t i = size; i < SIZES; i++) {
    member members[MOST_MEMBERS];
    pthread_t threads[MOST_MEMBERS];
    for (size_t round = 0; round < ROUNDS; round++) {
      memset(s.x[round], 0xff, s.most * kernel->inputs * sizeof(float));
      memset(s.y[round], 0xff, s.most * kernel->outputs * sizeof(float));
    }
    ffn_team_init(&s.team, sizes[i]);
    for (size_t m = 0; m < sizes[i]; m++) {
      members[m] = (member){.shared = &s, .index = m};
      cr_assert(pthread_create(&threads[m], NULL, take_part, &members[m]) == 0);
    }
    for (size_t m = 0; m < sizes[i]; m++)
      pthread_join(threads[m], NULL);
    for (size_t m = 0; m < sizes[i]; m++)
      cr_assert(members[m].wrong == 0, "%s, %s: member %zu of %zu finds other bits in round %zu",
                kernel->name, mode->name, m, sizes[i], members[m].wrong - 1);
  }
  for (size_t round = 0; round < ROUNDS; round++)
    free(s.x[round]), free(s.y[round]);
  ffn_free(s.work);
  free(given), free(expected);
}

EACH_MODEL(parallel_team, bits, TEST_SMALL_LAYER, TEST_REALS, 71) {
  (void)kernel;
  expect_bits(model, &test_modes[0], 0);
}

EACH_MODEL(parallel_team, modes, TEST_SMALL_LAYER, TEST_REALS, 71) {
  (void)kernel;
  for (size_t m = 1; m < test_mode_count; m++)
    expect_bits(model, &test_modes[m], SIZES - 1);
}

/* A kernel that asks of its team what any host's threads must do. */
static void ask(const ffn_kernel *kernel, const ffn_call *call) {
  (void)kernel;
  test_parallel_once(call->parallel);
  if (call->parallel->threads > 1)
    test_parallel_spread(call->parallel);
}

static const ffn_kernel asking = {.run = ask};

static void *serve(void *argument) {
  member *m = argument;
  ffn_team_run(&m->shared->team, m->index, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, 0);
  return NULL;
}

Test(parallel_team, tasks) {
  for (size_t i = 0; i < SIZES; i++) {
    shared s = {.kernel = &asking};
    member members[MOST_MEMBERS];
    pthread_t threads[MOST_MEMBERS];
    ffn_team_init(&s.team, sizes[i]);
    for (size_t m = 1; m < sizes[i]; m++) {
      members[m] = (member){.shared = &s, .index = m};
      cr_assert(pthread_create(&threads[m], NULL, serve, &members[m]) == 0);
    }
    ffn_team_run(&s.team, 0, s.kernel, NULL, 0, NULL, 0, 0, NULL, NULL, 0);
    for (size_t m = 1; m < sizes[i]; m++)
      pthread_join(threads[m], NULL);
  }
}
