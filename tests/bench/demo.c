/* The demo: real layers, checked and timed, beside OpenBLAS sgemm and a loop; those whose weights
 * lie in blocks beside the same in f32, on the values that these mean.
 *
 *   demo [LAYER...]     layer names; without any, GPT-2 124M's block, the notebook's SwiGLU, and
 *                       TinyLlama's in q4_K, in both arithmetics
 *
 * One thread. Each answer is checked against the reference before it is timed: the column "error"
 * is the largest |y - exact| as a fraction of what is allowed, a kernel's own bound. Kernels of
 * dot_s8 have to have the bits of ffn_reference_s8(); "error" is what bytes cost. Kernels and
 * OpenBLAS are timed in turns; times are medians. Exit status 1 where any answer is wrong.
 */
#include "blocks.h"
#include "cell.h"
#include "peers.h"

#include <stdio.h>

static const size_t token_counts[] = {1, 16, 128};
enum { TOKEN_COUNTS = sizeof token_counts / sizeof *token_counts };
static const double seconds_per_cell = 0.5;

static void show(const bench_subject *subjects, size_t count, const ffn_kernel *kernel,
                 size_t tokens) {
  const double beside = subjects[count - 1].seconds;
  for (size_t i = 0; i < count; ++i) {
    const bench_subject *s = &subjects[i];
    const double flop = (double)kernel->flop_per_token * (double)tokens;
    printf("  %-11s %6zu  %8.1e", s->name, tokens, s->error);
    if (s->timed)
      printf("  %11.2f  %9.1f  %10.2fx  ok\n", 1e6 * s->seconds / (double)tokens,
             1e-9 * flop / s->seconds, beside / s->seconds);
    else
      printf("  WRONG\n");
  }
}

static int demo_layer(const char *name) {
  const unsigned cpu = ffn_cpu();
  const ffn_kernel *any = ffn_find_layer(name, cpu);
  static bench_subject subjects[FFN_ISA_COUNT + 1];
  size_t count = 0;
  int wrong = 0;
  char versus[24];
  bench_data data;
  if (!any || any->kind != FFN_KIND_FFN) {
    fprintf(stderr, "demo: no linked ffn layer \"%s\" (see ffngen list)\n", name);
    return 1;
  }
  bench_data_open(&data, any, token_counts, TOKEN_COUNTS, (bench_copies){1, 1, 1, 0});
  printf("\n%s: %zu -> %zu -> %zu, %s%s, %.1f MB of weights, %.2f MFLOP per token\n", name,
         any->inputs, any->hidden, any->outputs, ffn_variant_name(any->variant),
         any->bias ? " with biases" : "", 1e-6 * (double)any->packed_bytes,
         1e-6 * (double)any->flop_per_token);
  const bench_peer *beside = test_in_blocks(any) ? &bench_f32 : &peer;
  snprintf(versus, sizeof versus, "vs %s", beside == &peer ? "OpenBLAS" : beside->name);
  printf("  %-11s %6s  %8s  %11s  %9s  %11s\n", "kernel", "tokens", "error", "us/token", "GFLOP/s",
         versus);
  for (int isa = FFN_ISA_COUNT; isa-- > 0;) {
    const ffn_kernel *k = ffn_find_layer(name, cpu & (1u << isa | FFN_CPU_PROFILES));
    if (k)
      bench_kernel_subject(&subjects[count++], k, 1, 1, 0);
  }
  bench_peer_subject(&subjects[count++], beside, &data, 0);
  for (size_t i = 0; i < TOKEN_COUNTS; ++i) {
    const bench_cell cell = {.tokens = token_counts[i], .threads = 1, .budget = seconds_per_cell};
    wrong += bench_cell_measure(&data, subjects, count, &cell).wrong;
    show(subjects, count, any, token_counts[i]);
  }
  if (data.bits)
    printf("  Bits: those of ffn_reference_s8(), for %zu of the tokens. Here a kernel's error is\n"
           "  what x in 8 bits changes: the rms of y - exact, as a fraction of that of exact.\n",
           data.row_count);
  bench_subjects_close(subjects, count);
  bench_data_close(&data);
  return wrong;
}

int main(int argc, char **argv) {
  static char gpt2[] = "ffn_gelu_tanh_bias_d768_f3072_f32";
  static char notebook[] = "ffn_swiglu_d512_f1365_f32";
  static char tiny[] = "ffn_swiglu_d2048_f5632_q4_K";
  static char tiny_bytes[] = "ffn_swiglu_d2048_f5632_q4_K_dot_s8";
  char *shown[] = {gpt2, notebook, tiny, tiny_bytes};
  char **layers = argc > 1 ? argv + 1 : shown;
  const int count = argc > 1 ? argc - 1 : (int)(sizeof shown / sizeof *shown);
  int wrong = 0;
  /* A row is there when it is measured, through a pipe, too. */
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  printf(
      "Feed-forward kernels on one thread; error is a fraction of what is allowed, at most 1.\n");
  printf("%s: %s\n", peer.name, peer.version());
  for (int i = 0; i < count; ++i)
    wrong += demo_layer(layers[i]);
  printf("\n%s\n", wrong ? "demo: SOME ANSWERS ARE WRONG" : "demo: all answers are right");
  return wrong != 0;
}
