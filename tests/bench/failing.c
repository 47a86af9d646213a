/* Peers in other processes that die, hang or answer what is none, at each thing that they are
 * asked: the row says why, the others are timed, and the next layer begins with a new process. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "cell.h"
#include "peers.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char layer[] = "mlp_10_relu64_relu32_sigmoid1_bias_f32";
static const char y_path[] = "build/bench/failing_y.raw";
static const size_t tokens = 3;

/* A layer beside one peer. */
typedef struct scene {
  bench_data data;
  bench_subject subjects[2];
  bench_outcome outcome;
} scene;

static void set(const char *fails_at, const char *seconds) {
  setenv("BENCH_PYTHON", "tests/bench/failing_peer.sh", 1);
  setenv("FAILS_Y", y_path, 1);
  setenv("FAILS_AT", fails_at, 1);
  setenv("BENCH_PEER_SECONDS", seconds, 1);
}

static void keep_y(const bench_data *data, bench_subject *kernel, const bench_cell *cell) {
  FILE *file = fopen(y_path, "wb");
  const size_t count = tokens * data->layer.kernel->outputs;
  bench_subject_answer((bench_data *)data, kernel, cell);
  cr_assert(file && fwrite(data->y, sizeof *data->y, count, file) == count, "%s", y_path);
  fclose(file);
}

static void measure(scene *s, const bench_peer *its) {
  const ffn_kernel *kernel = ffn_find_layer(layer, ffn_cpu());
  const bench_cell cell = {.tokens = tokens, .threads = 1, .budget = 1e-4};
  memset(s, 0, sizeof *s);
  bench_data_open(&s->data, kernel, &tokens, 1, (bench_copies){1, 1, 1, 0});
  bench_kernel_subject(&s->subjects[0], kernel, 1, 1, 0);
  keep_y(&s->data, &s->subjects[0], &cell);
  bench_peer_subject(&s->subjects[1], its, &s->data, 0);
  s->outcome = bench_cell_measure(&s->data, s->subjects, 2, &cell);
}

static void close_scene(scene *s) {
  bench_subjects_close(s->subjects, 2);
  bench_data_close(&s->data);
}

static const char *const moments[] = {"version", "open", "shape", "run", "time"};
enum { MOMENTS = sizeof moments / sizeof *moments };

/* That the peer fails at this moment, so told, and does the next layer. */
static void check(const bench_peer *its, const char *moment, const char *told) {
  static scene s;
  set(moment, strcmp(its->name, "openvino") == 0 ? "1" : "600");
  if (strcmp(moment, "version") == 0) {
    cr_assert(!its->version(), "%s has a version", its->name);
    cr_assert(its->failed() && strstr(its->failed(), told), "%s: \"%s\", not \"%s\"", its->name,
              its->failed(), told);
  } else {
    cr_assert(its->version() != NULL, "%s: %s", its->name, its->failed());
    measure(&s, its);
    cr_assert(s.subjects[0].timed && s.subjects[0].seconds > 0, "%s at %s: the kernel is not timed",
              its->name, moment);
    cr_assert(s.outcome.wrong == 0, "%s at %s: no answer is a wrong one", its->name, moment);
    cr_assert(!s.subjects[1].timed && strstr(s.subjects[1].failed, told),
              "%s at %s: \"%s\", not \"%s\"", its->name, moment, s.subjects[1].failed, told);
    close_scene(&s);
  }
  set("never", "600");
  measure(&s, its);
  cr_assert(s.subjects[1].timed && !s.subjects[1].failed[0], "%s behind %s: %s", its->name, moment,
            s.subjects[1].failed);
  close_scene(&s);
}

static void check_each(const bench_peer *its, const char *told) {
  for (size_t i = 0; i < MOMENTS; ++i)
    check(its, moments[i], told);
}

Test(peers, that_die_say_of_what) {
  check_each(&bench_onnxruntime, "killed by signal 6 (");
  check_each(&bench_onnxruntime, "): deep in a library: assertion failed");
}

Test(peers, that_end_say_with_which_status) {
  check_each(&bench_torch_bf16, "it ended with exit status 3");
}

Test(peers, that_hang_are_ended) { check_each(&bench_openvino, "no answer for 1 s, so that"); }

Test(peers, that_answer_what_is_none_are_ended) {
  check_each(&bench_pytorch, "what it answers is none: \"#0  0x00007f in ?? ()\"");
}

Test(peers, that_answer_less_than_was_asked_are_ended) {
  check(&bench_ggml, "run", "it wrote less than its answer");
  check(&bench_ggml, "time", "the time that it took is no number");
}

Test(peers, that_are_not_there_have_not_failed) {
  set("version", "600");
  setenv("FAILS_WITH", "0", 1);
  cr_assert(!bench_torch_bf16.version() && !bench_torch_bf16.failed());
  unsetenv("FAILS_WITH");
  setenv("BENCH_PYTHON", "build/bench/there is none", 1);
  cr_assert(!bench_torch_bf16.version() && !bench_torch_bf16.failed());
}
