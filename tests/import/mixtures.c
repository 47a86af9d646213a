/* Whether whole mixtures of experts of packed files give the y that the models gave:
 *   mixtures CASES.txt
 * A line of it has the name of a moe, a packed file, the layer of the model, the rows that correct
 * its choice or -, and a file with a line `x COUNT WIDTH`, rows of numbers, and the same of y.
 * cases.inc has the address of each moe. */
#include "ffn_file.h"
#include "ffn_moe.h"
#include "moes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096, MOST_EXPERTS = 64, MOST_NAME = 256 };

static const ffn_moe *const moes[] = {
#include "cases.inc"
};

typedef struct rows {
  size_t count, width;
  float numbers[MOST];
} rows;

static int read_rows(FILE *text, char what, rows *to) {
  char found = 0;
  if (fscanf(text, " %c %zu %zu", &found, &to->count, &to->width) != 3 || found != what ||
      to->count * to->width > MOST)
    return 0;
  for (size_t i = 0; i < to->count * to->width; ++i)
    if (fscanf(text, "%f", &to->numbers[i]) != 1)
      return 0;
  return 1;
}

static const ffn_moe *find(const char *name) {
  for (size_t i = 0; i < sizeof moes / sizeof *moes; ++i)
    if (!strcmp(moes[i]->name, name))
      return moes[i];
  return NULL;
}

/* Of mixtures.cpp. */
const char *run_by_cpp(const ffn_moe *moe, const ffn_moe_parts *parts, const ffn_file *file,
                       uint32_t layer, float *y, const float *x, size_t tokens);

/* y of all rows in one call, of each alone, and by the C++ wrapper: the same bits, close to what
 * the model gave. */
static const char *wrong(const ffn_moe *moe, const ffn_moe_parts *parts, const ffn_file *file,
                         uint32_t layer, const rows *x, const rows *right) {
  static float y[MOST], alone[MOST], by_cpp[MOST];
  const size_t d = x->width, bytes = ffn_moe_work_bytes(moe, parts, 1, x->count);
  void *work = ffn_alloc(bytes);
  double most = 0;
  for (size_t i = 0; i < right->count * right->width; ++i)
    most = fmax(most, fabs((double)right->numbers[i]));
  if (x->width != moe->inputs || right->width != moe->outputs || right->count != x->count)
    return "other sizes";
  if (ffn_moe_problem(moe, parts))
    return ffn_moe_problem(moe, parts);
  if (ffn_moe_run(moe, parts, y, d, x->numbers, d, x->count, NULL, work, bytes, NULL))
    return "it does not run";
  for (size_t t = 0; t < x->count; ++t)
    ffn_moe_run(moe, parts, alone + t * d, d, x->numbers + t * d, d, 1, NULL, work, bytes, NULL);
  ffn_free(work);
  if (memcmp(y, alone, x->count * d * sizeof *y))
    return "a token alone has other bits";
  const char *problem = run_by_cpp(moe, parts, file, layer, by_cpp, x->numbers, x->count);
  if (problem || memcmp(y, by_cpp, x->count * d * sizeof *y))
    return problem ? problem : "C++ gives other bits";
  for (size_t i = 0; i < x->count * d; ++i)
    if (!(fabs((double)y[i] - (double)right->numbers[i]) <= 1e-5 * most))
      return "another y";
  return NULL;
}

static const char *check(const ffn_moe *moe, const char *path, uint32_t layer,
                         const char *correction, const char *of_rows) {
  static rows x, y;
  static float added[MOST_EXPERTS];
  const void *experts[MOST_EXPERTS];
  ffn_moe_parts parts = {0};
  ffn_file file;
  FILE *text = fopen(of_rows, "r");
  if (!moe || moe->rule.experts > MOST_EXPERTS || !ffn_moe_find(moe, 0, ffn_cpu(), &parts))
    return "there is no such layer";
  if (!text || !read_rows(text, 'x', &x) || !read_rows(text, 'y', &y))
    return "no rows";
  fclose(text);
  ffn_file_status status = ffn_file_open(&file, path);
  if (!status)
    status = ffn_moe_open(moe, &file, layer, &parts, experts);
  if (!status && strcmp(correction, "-")) {
    const size_t table = ffn_file_rows_named(&file, correction);
    if (table == file.rows || ffn_file_rows_of(&file, table)->width != moe->rule.experts)
      return "its correction is not in the file";
    status = ffn_file_row(&file, table, 0, added);
    parts.correction = added;
  }
  const char *problem =
      status ? ffn_file_status_text(status) : wrong(moe, &parts, &file, layer, &x, &y);
  ffn_file_close(&file);
  return problem;
}

int main(int count, char **arguments) {
  FILE *cases = count == 2 ? fopen(arguments[1], "r") : NULL;
  char name[MOST_NAME], path[MOST_NAME], correction[MOST_NAME], of_rows[MOST_NAME];
  unsigned layer = 0, all = 0, failed = 0;
  while (cases && fscanf(cases, "%255s %255s %u %255s %255s", name, path, &layer, correction,
                         of_rows) == 5) {
    const char *problem = check(find(name), path, layer, correction, of_rows);
    if (problem)
      printf("%s, layer %u: %s\n", name, layer, problem), failed++;
    all++;
  }
  printf("%u mixtures of experts, %u of them wrong\n", all, failed);
  return failed || all < 2;
}
