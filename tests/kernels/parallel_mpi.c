/* Slices over parallel_mpi.h, run by mpirun: tests/scripts/mpi.sh. One argument:
 *   bits     every linked layer that has slices gives the bits of one process, the second rank late
 *   differs  what one rank has otherwise is told on every rank
 *   error    what MPI returns comes back
 *   dies     the last rank ends in the midst of a layer: mpirun has to end the others
 *   leaks    a rank loses memory, which a sanitizer has to notice beside what MPI loses */
#include "parallel_mpi.h"
#include "support/kernels.h"
#include "support/model.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, ranks, wrong;

#define CHECK(condition, ...)                                                                      \
  ((condition)                                                                                     \
       ? (void)0                                                                                   \
       : (wrong++, fprintf(stderr, "rank %d: ", rank), (void)fprintf(stderr, __VA_ARGS__)))

/* This rank's kernel of a layer: the next one on the next rank. NULL: none has slices here. */
static const ffn_kernel *own_of(const ffn_kernel *kernel) {
  const ffn_kernel *list[64];
  int count = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k && count < 64; k++)
    if (strcmp((*k)->layer, kernel->layer) == 0 && (*k)->staged && test_runs_here(*k) &&
        (*k)->max_tokens == kernel->max_tokens)
      list[count++] = *k;
  return count > 0 ? list[rank % count] : NULL;
}

static void check_bits(const ffn_kernel *k, size_t tokens, MPI_Comm *comm) {
  const size_t n = (size_t)ranks, r = (size_t)rank, bytes = ffn_slice_work_bytes(k, 1, tokens, n);
  char told[FFN_MPI_TOLD];
  ffn_exchange exchange;
  test_model model;
  test_model_open(&model, k, TEST_REALS, 81);
  test_model_pack(&model);
  float *x = test_inputs(k, tokens, TEST_REALS, 82);
  float *expected = test_outputs(k, x, tokens, model.packed);
  float *y = test_memory(tokens * k->outputs * sizeof *y);
  void *packed = ffn_alloc(ffn_slice_bytes(k, r, n)), *work = ffn_alloc(bytes);
  ffn_pack_slice(k, packed, &model.weights, r, n);
  int failed = ffn_mpi_open(&exchange, comm, 1, k, NULL, told);
  CHECK(failed == 0, "%s: %s\n", k->name, told);
  if (failed == 0)
    failed =
        ffn_run_slice(k, y, k->outputs, x, k->inputs, tokens, packed, work, bytes, NULL, &exchange);
  CHECK(failed == 0 && memcmp(y, expected, tokens * k->outputs * sizeof *y) == 0,
        "%s: other bits of %zu tokens\n", k->name, tokens);
  ffn_free(packed), ffn_free(work), free(x), free(expected), free(y);
  test_model_close(&model);
}

static int bits(MPI_Comm *comm) {
  int layers = 0;
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    const ffn_kernel *own = own_of(*k);
    if (test_is_large(*k) || !test_is_base(*k) || !own || own->max_tokens)
      continue;
    if (rank == 1 && layers == 0)
      nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    check_bits(own, 1, comm);
    check_bits(own, 41, comm);
    layers++;
  }
  CHECK(layers > 0, "no layer has slices\n");
  return layers;
}

/* Some layer, and another one. */
static const ffn_kernel *some_kernel(const ffn_kernel *but) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++)
    if ((*k)->staged && test_runs_here(*k) && (!but || strcmp((*k)->layer, but->layer) != 0))
      return *k;
  return NULL;
}

static void one_thread(void *pool, size_t tasks, void (*task)(void *context, size_t index),
                       void *context) {
  (void)pool;
  for (size_t i = 0; i < tasks; i++)
    task(context, i);
}

/* The last rank has something else, in turn. */
static void differs(MPI_Comm *comm) {
  static const char *const parts[] = {"another layer", "gather_outputs", "kernel is NULL",
                                      "no slices", "it has threads"};
  const ffn_kernel *k = some_kernel(NULL), *other = some_kernel(k);
  const ffn_parallel threads = {one_thread, NULL, 2};
  ffn_kernel whole = *k;
  whole.staged = NULL;
  const int odd = rank == ranks - 1;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char told[FFN_MPI_TOLD], name[32];
    ffn_exchange exchange;
    const ffn_kernel *own = !odd ? k : i == 0 ? other : i == 2 ? NULL : i == 3 ? &whole : k;
    const int failed =
        ffn_mpi_open(&exchange, comm, !(odd && i == 1), own, odd && i == 4 ? &threads : NULL, told);
    snprintf(name, sizeof name, "rank %d", ranks - 1);
    CHECK(failed != 0 && strstr(told, parts[i]) && strstr(told, name),
          "%s was expected of %s, and told: %s\n", parts[i], name, told);
    if (rank == 0)
      printf("%s\n", told);
  }
}

/* What ranks of one machine and one build have alike: each in turn otherwise, of the last of three;
 * then none. */
static void judged(void) {
  static const char *const parts[] = {"another byte order",
                                      "another version",
                                      "another FFN_ABI",
                                      "slices of another size",
                                      "slices of another size",
                                      "other sizes",
                                      "other formats",
                                      "it is odd",
                                      ""};
  const ffn_kernel *k = some_kernel(NULL);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char told[FFN_MPI_TOLD] = "";
    ffn_mpi_side sides[3], *odd = &sides[2];
    uint32_t *const numbers[] = {&odd->is.order, &odd->is.version, &odd->is.abi, &odd->is.unit,
                                 &odd->is.rows};
    for (size_t r = 0; r < 3; r++)
      ffn_mpi_own(&sides[r], k, 3, NULL, 1);
    if (i < 5)
      *numbers[i] += 1;
    else if (i < 7)
      *(i == 5 ? &odd->is.sizes[3] : &odd->is.stages[0]) += 1;
    else
      snprintf(odd->is.problem, sizeof odd->is.problem, "%s", parts[i]);
    const int odd_one = ffn_mpi_judge(sides, 3, told);
    CHECK(odd_one == (i < 8) && strstr(told, parts[i]) && (strstr(told, "rank 2") || i == 8),
          "\"%s\" was expected, and told: %s\n", parts[i], told);
  }
}

/* A communicator that is none. */
static void error(void) {
  const ffn_kernel *k = some_kernel(NULL);
  char told[FFN_MPI_TOLD];
  MPI_Comm none = MPI_COMM_NULL;
  ffn_exchange exchange;
  const int failed = ffn_mpi_open(&exchange, &none, 1, k, NULL, told);
  int class = 0;
  MPI_Error_class(failed, &class);
  CHECK(class == MPI_ERR_COMM && told[0], "%d and \"%s\" of no communicator\n", failed, told);
  int number = 0;
  const ffn_pieces pieces = {&number, &number, &number, 1, 0, 0};
  MPI_Error_class(ffn_mpi_gather(&none, &pieces), &class);
  CHECK(class == MPI_ERR_COMM, "an exchange without a communicator gave %d\n", class);
}

static int gather_or_die(void *context, const ffn_pieces *pieces) {
  if (rank == ranks - 1 && pieces->number == 1)
    _Exit(3);
  return ffn_mpi_gather(context, pieces);
}

static void dies(MPI_Comm *comm) {
  for (const ffn_kernel *const *k = ffn_all(NULL); *k; k++) {
    if (!(*k)->staged || (*k)->stage_count < 2 || !test_runs_here(*k) || test_is_large(*k))
      continue;
    const size_t n = (size_t)ranks, r = (size_t)rank, bytes = ffn_slice_work_bytes(*k, 1, 3, n);
    const ffn_exchange exchange = {gather_or_die, comm, r, n, 1};
    test_model model;
    test_model_open(&model, *k, TEST_REALS, 83);
    float *x = test_inputs(*k, 3, TEST_REALS, 84);
    float *y = test_memory(3 * (*k)->outputs * sizeof *y);
    void *packed = ffn_alloc(ffn_slice_bytes(*k, r, n)), *work = ffn_alloc(bytes);
    ffn_pack_slice(*k, packed, &model.weights, r, n);
    const int failed = ffn_run_slice(*k, y, (*k)->outputs, x, (*k)->inputs, 3, packed, work, bytes,
                                     NULL, &exchange);
    fprintf(stderr, "rank %d goes on with %d\n", rank, failed);
    ffn_free(packed), ffn_free(work), free(x), free(y);
    test_model_close(&model);
    MPI_Barrier(*comm);
    return;
  }
}

static void leaks(void) {
  static void *volatile lost;
  lost = test_memory(1000);
  CHECK(lost, "no memory to lose\n");
  lost = NULL;
}

int main(int argc, char **argv) {
  MPI_Comm comm = MPI_COMM_WORLD;
  const char *what = argc > 1 ? argv[1] : "bits";
  int all = 0, layers = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (strcmp(what, "bits") == 0)
    layers = bits(&comm);
  else if (strcmp(what, "differs") == 0)
    differs(&comm), judged();
  else if (strcmp(what, "error") == 0)
    error();
  else if (strcmp(what, "leaks") == 0)
    leaks();
  else
    dies(&comm);
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 0)
    printf("%s, %d ranks: %d layers, %d wrong\n", what, ranks, layers, all);
  MPI_Finalize();
  return all != 0;
}
