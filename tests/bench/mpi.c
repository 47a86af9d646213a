/* Layers in slices, on ranks of one thread each, beside one process of as many threads: in turns,
 * and every answer compared bit by bit. mpi.sh compiles it and runs it.
 *
 *   mpi OUT ROUNDS     OUT: a line of scale.lua's arguments for each prediction, "held" before it
 *                      where it is to be held against a run, "nodes" where nodes have all threads
 *
 * What several subjects read is several times as large as caches, so that each finds it in memory.
 * Exit status 1 where bits differ, or ranks are too slow, of which few rounds say nothing. */
#define _GNU_SOURCE /* cpu_set_t, sched_setaffinity */
#include "clock.h"
#include "parallel_mpi.h"
#include "pool.h"
#include "turns.h"

#include <sched.h>
#include <time.h>

typedef enum mpi_subject {
  ONE_THREAD,  /* all of the layer on the first rank; others sleep */
  ALL_THREADS, /* the same on as many threads as there are ranks */
  ONE_RANK,    /* the same as the only slice */
  BESIDE,      /* all of the layer on each rank at once: a kernel on a node with neighbours */
  ALL_RANKS,   /* a slice on each */
  SUBJECTS
} mpi_subject;

/* What ranks may take, of what threads do; and rounds that tell. */
static const double most_of_threads = 1.05;
enum { TELLING_ROUNDS = 5 };

static const size_t token_counts[] = {1, 256};
enum { TOKEN_COUNTS = sizeof token_counts / sizeof *token_counts, MOST_TOKENS = 256 };

typedef struct mpi_scene {
  const ffn_kernel *kernel;
  void *packed[SUBJECTS]; /* of ONE_THREAD, ONE_RANK and ALL_RANKS */
  float *x, *y, *expected;
  void *work;
  ffn_exchange exchange;
  ffn_parallel threads;
  double seconds[TOKEN_COUNTS][SUBJECTS][BENCH_ROUNDS_MOST]; /* of a call */
  double median[TOKEN_COUNTS][SUBJECTS];
} mpi_scene;

static MPI_Comm comm;
static int rank, ranks, wrong, slow;

static void *memory_of(void *memory) {
  if (!memory)
    fprintf(stderr, "mpi: no memory\n"), MPI_Abort(comm, 1);
  return memory;
}

/* The same floats on every rank. */
static float *floats(size_t count, size_t seed) {
  float *list = memory_of(malloc(count * sizeof *list));
  for (size_t i = 0; i < count; ++i)
    list[i] = ((float)((i + seed) * 7919 % 2003) / 2003 - 0.5f) / 8;
  return list;
}

static size_t work_bytes(const mpi_scene *s) {
  const size_t run = ffn_work_bytes(s->kernel, (size_t)ranks, MOST_TOKENS);
  const size_t slice = ffn_slice_work_bytes(s->kernel, 1, MOST_TOKENS, (size_t)ranks);
  return run > slice ? run : slice;
}

static void scene_open(mpi_scene *s, const ffn_kernel *k, bench_pool *pool) {
  const size_t d = k->inputs, f = k->hidden, r = (size_t)rank, n = (size_t)ranks;
  char told[FFN_MPI_TOLD];
  memset(s, 0, sizeof *s);
  s->kernel = k;
  if (pool)
    s->threads = bench_pool_parallel(pool);
  if (ffn_mpi_open(&s->exchange, &comm, 1, k, NULL, told) != MPI_SUCCESS)
    fprintf(stderr, "mpi: %s\n", told), MPI_Abort(comm, 1);
  float *w = floats(3 * d * f, 1);
  const ffn_weights weights = {
      .gate = {.weight = w}, .up = {.weight = w + d * f}, .down = {.weight = w + 2 * d * f}};
  s->packed[ONE_THREAD] = memory_of(ffn_alloc(k->packed_bytes));
  k->pack(s->packed[ONE_THREAD], &weights);
  s->packed[ONE_RANK] = memory_of(ffn_alloc(ffn_slice_bytes(k, 0, 1)));
  ffn_pack_slice(k, s->packed[ONE_RANK], &weights, 0, 1);
  s->packed[ALL_RANKS] = memory_of(ffn_alloc(ffn_slice_bytes(k, r, n)));
  ffn_pack_slice(k, s->packed[ALL_RANKS], &weights, r, n);
  free(w);
  s->work = memory_of(ffn_alloc(work_bytes(s)));
  s->x = floats(MOST_TOKENS * d, 2);
  s->y = floats(MOST_TOKENS * d, 3);
  s->expected = floats(MOST_TOKENS * d, 4);
  ffn_run(k, s->expected, d, s->x, d, MOST_TOKENS, s->packed[ONE_THREAD], s->work, work_bytes(s),
          NULL);
}

static void scene_close(mpi_scene *s) {
  for (size_t i = 0; i < SUBJECTS; ++i)
    ffn_free(s->packed[i]);
  ffn_free(s->work), free(s->x), free(s->y), free(s->expected);
}

static void run_once(const mpi_scene *s, mpi_subject subject, size_t tokens) {
  const ffn_kernel *k = s->kernel;
  const size_t d = k->inputs, n = (size_t)ranks;
  const ffn_exchange alone = {.ranks = 1};
  if (subject == ONE_RANK)
    ffn_run_slice(k, s->y, d, s->x, d, tokens, s->packed[ONE_RANK], s->work,
                  ffn_slice_work_bytes(k, 1, tokens, 1), NULL, &alone);
  else if (subject == ALL_RANKS) /* MPI ends the program where an exchange fails */
    ffn_run_slice(k, s->y, d, s->x, d, tokens, s->packed[ALL_RANKS], s->work,
                  ffn_slice_work_bytes(k, 1, tokens, n), NULL, &s->exchange);
  else if (subject == ALL_THREADS)
    ffn_run(k, s->y, d, s->x, d, tokens, s->packed[ONE_THREAD], s->work,
            ffn_work_bytes(k, n, tokens), &s->threads);
  else
    ffn_run(k, s->y, d, s->x, d, tokens, s->packed[ONE_THREAD], s->work,
            ffn_work_bytes(k, 1, tokens), NULL);
}

/* Waits for all ranks. Who idles sleeps: its core is another's. */
static void await_all(int idles) {
  const struct timespec nap = {0, 5000000};
  MPI_Request request;
  int here = 0;
  MPI_Ibarrier(comm, &request);
  while (idles && !here) {
    nanosleep(&nap, NULL);
    MPI_Test(&request, &here, MPI_STATUS_IGNORE);
  }
  if (!here)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

/* Seconds of a call, on the rank that takes longest. */
static double turn(const mpi_scene *s, mpi_subject subject, size_t tokens) {
  const int works = rank == 0 || subject >= BESIDE, calls = tokens == 1 ? 10 : 1;
  const size_t bytes = tokens * s->kernel->outputs * sizeof(float);
  memset(s->y, 0xff, bytes);
  bench_settle();
  MPI_Barrier(comm);
  const double began = bench_now();
  for (int i = 0; works && i < calls; ++i)
    run_once(s, subject, tokens);
  const double took = works ? bench_now() - began : 0;
  await_all(!works);
  if (works && memcmp(s->y, s->expected, bytes) != 0)
    wrong++, fprintf(stderr, "mpi: %s: other bits, subject %d\n", s->kernel->name, (int)subject);
  return slowest(took) / calls;
}

static void tell_times(const mpi_scene *s, size_t t, bench_quartiles over, int telling) {
  const double *seconds = s->median[t];
  if (rank > 0)
    return;
  printf("  %3zu at once: 1 thread %.4g, %d threads %.4g; 1 rank %.4g, %d ranks %.4g: %.3f of %d "
         "threads (%.3f to %.3f)\n",
         token_counts[t], 1e3 * seconds[ONE_THREAD], ranks, 1e3 * seconds[ALL_THREADS],
         1e3 * seconds[ONE_RANK], ranks, 1e3 * seconds[ALL_RANKS], over.median, ranks, over.low,
         over.high);
  if (telling && over.median > most_of_threads)
    slow++, printf("  that is too slow: at most %.2f\n", most_of_threads);
}

static void measure(mpi_scene *s, size_t rounds) {
  if (rank == 0)
    printf("%s: ms a call\n", s->kernel->name);
  for (size_t t = 0; t < TOKEN_COUNTS; ++t) {
    double ratios[BENCH_ROUNDS_MOST];
    for (size_t i = 0; i < SUBJECTS; ++i) /* to warm up */
      turn(s, (mpi_subject)i, token_counts[t]);
    for (size_t round = 0; round < rounds; ++round) {
      for (size_t place = 0; place < SUBJECTS; ++place) {
        const size_t i = bench_turn(round, place, SUBJECTS);
        s->seconds[t][i][round] = turn(s, (mpi_subject)i, token_counts[t]);
      }
      ratios[round] = s->seconds[t][ALL_RANKS][round] / s->seconds[t][ALL_THREADS][round];
    }
    for (size_t i = 0; i < SUBJECTS; ++i)
      s->median[t][i] = bench_quartiles_of(s->seconds[t][i], rounds).median;
    tell_times(s, t, bench_quartiles_of(ratios, rounds), rounds >= TELLING_ROUNDS);
  }
}

/* Seconds of an exchange of pieces of so many bytes. */
static double exchange_seconds(const ffn_exchange *exchange, int bytes, size_t rounds) {
  enum { TIMES = 20 };
  double list[BENCH_ROUNDS_MOST];
  int *sizes = memory_of(calloc((size_t)ranks, 2 * sizeof *sizes)), *at = sizes + ranks;
  char *memory = memory_of(calloc((size_t)ranks, (size_t)bytes));
  for (int r = 0; r < ranks; ++r)
    sizes[r] = bytes, at[r] = r * bytes;
  const ffn_pieces pieces = {memory, sizes, at, (size_t)ranks, (size_t)rank, 0};
  for (size_t round = 0; round < rounds; ++round) {
    MPI_Barrier(comm);
    const double began = bench_now();
    for (int i = 0; i < TIMES; ++i)
      exchange->gather(exchange->context, &pieces);
    list[round] = (bench_now() - began) / TIMES;
  }
  free(sizes), free(memory);
  return slowest(bench_quartiles_of(list, rounds).median);
}

/* Bytes a second from units of outputs, as they are exchanged, to rows of eight units. */
static double copy_speed(size_t rounds) {
  enum { ROWS = 256, UNITS = 256, BLOCK = 8, PIECE = FFN_SLICE_UNIT * sizeof(float) };
  double list[BENCH_ROUNDS_MOST];
  char *from = memory_of(malloc(ROWS * UNITS * PIECE));
  char *to = memory_of(calloc(ROWS * UNITS, PIECE));
  memset(from, 1, ROWS * UNITS * PIECE);
  for (size_t round = 0; round <= rounds; ++round) {
    MPI_Barrier(comm);
    const double began = bench_now();
    for (size_t unit = 0; unit < UNITS; ++unit)
      for (size_t row = 0; row < ROWS; ++row)
        memcpy(to + ((unit / BLOCK * ROWS + row) * BLOCK + unit % BLOCK) * PIECE,
               from + (unit * ROWS + row) * PIECE, PIECE);
    from[round] = to[round + PIECE]; /* so that it is copied */
    if (round > 0)
      list[round - 1] = bench_now() - began;
  }
  free(from), free(to);
  return ROWS * UNITS * PIECE / slowest(bench_quartiles_of(list, rounds).median);
}

/* scale.lua's arguments: so many nodes were held against, and what a node takes by itself. */
static void write_held(FILE *out, const mpi_scene *s, int nodes, mpi_subject kernel,
                       mpi_subject held, const char *network) {
  fprintf(out, "held --of %zu,%zu %s", s->kernel->inputs, s->kernel->hidden, network);
  for (size_t t = 0; t < TOKEN_COUNTS; ++t)
    fprintf(out, " --kernel %zu=%.4g --held %d,%zu=%.4g", token_counts[t], s->median[t][kernel],
            nodes, token_counts[t], s->median[t][held]);
  fprintf(out, "\n");
}

static void tell(FILE *out, const mpi_scene *s, size_t rounds) {
  enum { PIECE = 1 << 21 };
  char network[128];
  const double latency = exchange_seconds(&s->exchange, 4, rounds), copy = copy_speed(rounds);
  const double large = exchange_seconds(&s->exchange, PIECE, rounds);
  /* On a busy machine a small one may take longer. */
  const double bandwidth =
      (ranks - 1) * (double)PIECE / (large > latency ? large - latency : large);
  if (!out)
    return;
  snprintf(network, sizeof network, "--bandwidth %.3g --latency %.3g --copy %.3g", 1e-9 * bandwidth,
           1e6 * latency, 1e-9 * copy);
  printf("  of this machine: %s\n", network);
  write_held(out, s, 1, ONE_THREAD, ONE_RANK, network);
  write_held(out, s, ranks, BESIDE, ALL_RANKS, network);
  fprintf(out, "nodes --of %zu,%zu --copy %.3g", s->kernel->inputs, s->kernel->hidden, 1e-9 * copy);
  for (size_t t = 0; t < TOKEN_COUNTS; ++t)
    fprintf(out, " --kernel %zu=%.4g", token_counts[t], s->median[t][ALL_THREADS]);
  fprintf(out, "\n");
}

/* Each rank has a core, as one thread of the pool has. */
static void bind_to(int nth) {
  cpu_set_t allowed, own;
  sched_getaffinity(0, sizeof allowed, &allowed);
  CPU_ZERO(&own);
  for (size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed) && nth-- == 0)
      CPU_SET(cpu, &own);
  if (CPU_COUNT(&own) > 0)
    sched_setaffinity(0, sizeof own, &own);
}

int main(int argc, char **argv) {
  static mpi_scene scene;
  int level = 0;
  comm = MPI_COMM_WORLD;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  size_t rounds = argc > 2 ? (size_t)atoi(argv[2]) : 15;
  if (rounds < 1 || rounds > BENCH_ROUNDS_MOST)
    rounds = BENCH_ROUNDS_MOST;
  FILE *out = rank == 0 && argc > 1 ? fopen(argv[1], "w") : NULL;
  bench_pool *pool = rank == 0 ? bench_pool_open((size_t)ranks) : NULL;
  if (pool)
    bench_pool_bind(1);
  else
    bind_to(rank);
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; ++k) {
    if (ffn_find_layer((*k)->layer, ffn_cpu()) != *k)
      continue;
    scene_open(&scene, *k, pool);
    measure(&scene, rounds);
    tell(out, &scene, rounds);
    scene_close(&scene);
  }
  if (pool)
    bench_pool_close(pool);
  if (out)
    fclose(out);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  MPI_Finalize();
  return wrong != 0 || slow != 0;
}
