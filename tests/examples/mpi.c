/* A stack of SwiGLU layers, each split over all ranks, compared with one process:
 *     mpicc -O2 mpi.c KERNELS -lm && mpirun -n 4 ./a.out
 * With an argument, the second layer's exchange fails, and the host says so. */
#include "parallel_mpi.h"

#include <stdlib.h>
#include <string.h>

enum { D = 512, F = 1365, TOKENS = 7, LAYERS = 3 };

/* Some floats, the same on every rank; a program would map a file. */
static float *numbers(size_t count, size_t seed) {
  float *list = malloc(count * sizeof *list);
  for (size_t i = 0; list && i < count; i++)
    list[i] = (float)((i + seed) * 7919 % 2003) / 2003 - 0.5f;
  return list;
}

/* x + layer(x) is the next layer's x. */
static void add(float *x, const float *y) {
  for (size_t i = 0; i < (size_t)TOKENS * D; i++)
    x[i] += 0.05f * y[i];
}

/* What every rank asks before it goes on; anything that went wrong ends all of them. */
static void expect(int failed, const char *what, const char *told) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (!failed)
    return;
  MPI_Error_string(failed, text, &length);
  fprintf(stderr, "%s: %s\n", what, told && told[0] ? told : text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Comm comm = MPI_COMM_WORLD, none = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN); /* what MPI returns comes back */
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const size_t r = (size_t)rank, n = (size_t)ranks;
  const ffn_kernel *k =
      ffn_find(&(ffn_query){.variant = FFN_SWIGLU, .d_model = D, .d_ff = F, .cpu = ffn_cpu()});
  expect(!k, "ffn_find", "no linked kernel has these sizes");

  /* Set up once: all ranks agree about the layer, or each says which one does not. */
  char told[FFN_MPI_TOLD];
  ffn_exchange exchange;
  expect(ffn_mpi_open(&exchange, &comm, 1, k, NULL, told), "ffn_mpi_open", told);

  /* Each rank packs, and keeps, its own part of each layer. */
  void *packed[LAYERS], *whole[LAYERS];
  for (size_t l = 0; l < LAYERS; l++) {
    float *w = numbers((size_t)3 * D * F, l);
    packed[l] = ffn_alloc(ffn_slice_bytes(k, r, n));
    whole[l] = rank == 0 ? ffn_alloc(k->packed_bytes) : NULL;
    expect(!w || !packed[l] || (rank == 0 && !whole[l]), "main", "no memory");
    const ffn_weights all = {
        .gate = {.weight = w}, .up = {.weight = w + D * F}, .down = {.weight = w + 2 * D * F}};
    ffn_pack_slice(k, packed[l], &all, r, n);
    if (rank == 0)
      k->pack(whole[l], &all); /* to compare with */
    free(w);
  }

  const size_t bytes = ffn_slice_work_bytes(k, 1, TOKENS, n);
  void *work = ffn_alloc(bytes);
  float *x = numbers((size_t)TOKENS * D, 11), *alone = numbers((size_t)TOKENS * D, 11);
  float *y = numbers((size_t)TOKENS * D, 0);
  expect(!work || !x || !alone || !y, "main", "no memory");
  for (size_t l = 0; l < LAYERS; l++) {
    if (argc > 1 && l == 1)
      exchange.context = &none;
    expect(ffn_run_slice(k, y, D, x, D, TOKENS, packed[l], work, bytes, NULL, &exchange),
           "ffn_run_slice", NULL);
    add(x, y);
  }

  int same = 1;
  for (size_t l = 0; rank == 0 && l < LAYERS; l++) {
    ffn_run(k, y, D, alone, D, TOKENS, whole[l], work, bytes, NULL);
    add(alone, y);
  }
  if (rank == 0) {
    same = memcmp(x, alone, (size_t)TOKENS * D * sizeof *x) == 0;
    printf("%d layers %s on %d ranks, each with about %zu of %zu bytes: %s\n", LAYERS, k->layer,
           ranks, ffn_slice_bytes(k, 0, n), k->packed_bytes, same ? "the same bits" : "OTHER BITS");
  }
  for (size_t l = 0; l < LAYERS; l++)
    ffn_free(packed[l]), ffn_free(whole[l]);
  ffn_free(work), free(x), free(alone), free(y);
  MPI_Finalize();
  return same ? 0 : 1;
}
