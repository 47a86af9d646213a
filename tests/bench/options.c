#define _DEFAULT_SOURCE /* strtok_r, sysconf */
#include "options.h"
#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const bench_spec all_specs[] = {
#define BENCH_SPEC(name, layer) {#name, #layer},
#include "layers.inc"
#undef BENCH_SPEC
};
enum { SPEC_COUNT = sizeof all_specs / sizeof *all_specs };

/* One of each regime, small enough that their cold copies are made soon. The last three tell what
 * activations cost. */
static char quick_layers[] = "mlp_10_64_32_1,small_gelu,notebook_swiglu,gpt2_124m,odd_sizes,"
                             "even_sizes,even_sizes_bilinear,bert_base,bert_base_relu";
static char quick_tokens[] = "1,4,16,64,256,1024";
static char quick_peers[] = "naive_fast,openblas,blis,libxsmm,onednn,onnxruntime,openvino,pytorch,"
                            "f32";

static const char help[] =
    "bench: times every layer beside libraries that compute the same, in turns\n"
    "  --layers A,B     specs or layers (all, and models); none: models alone\n"
    "  --tokens 1,16    numbers of tokens (1,4,16,64,256,1024)\n"
    "  --threads 1,2    numbers of threads (1 and one per CPU)\n"
    "  --isa avx2       allowed instruction sets (all that the CPU has)\n"
    "  --hot, --cold    only weights that were used just before, only such that were not (both)\n"
    "  --peers A,B      what to compare with, or none (all)\n"
    "  --again N        the best kernel so many times more: how far equals are apart (0)\n"
    "  --json FILE      also write everything there\n"
    "  --budget SECONDS for all subjects of one line of the table (1)\n"
    "  --quick          a few layers, all peers but the slowest, and a budget of 0.2\n"
    "The table shows the kernel's median time of a call and its interquartile range; how near it\n"
    "is to the nearer limit, multiply-adds or a plain read of the weights, which are timed in "
    "turns\n"
    "with it, and the speed and spread of that limit; and for each peer its time over the\n"
    "kernel's. ~ marks a cell whose limit moved more than its result, twice. BENCH_PYTHON names\n"
    "the Python that has onnxruntime, openvino or torch, BENCH_PEER_SECONDS how long such a peer\n"
    "may be silent (600).\n";

static _Noreturn void mistake(const char *problem, const char *word, const char *known) {
  fprintf(stderr, "bench: %s \"%s\"\n  known: %s\n", problem, word, known);
  exit(2);
}

static void read_layers(bench_options *o, char *list) {
  char known[4096] = "", *rest = NULL;
  for (size_t i = 0; i < SPEC_COUNT; ++i) {
    strcat(known, i ? ", " : "");
    strcat(known, all_specs[i].name);
  }
  o->spec_count = 0;
  o->models = strcmp(list, "none") == 0;
  if (o->models)
    return;
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    size_t i = 0;
    while (i < SPEC_COUNT && strcmp(all_specs[i].name, word) != 0 &&
           strcmp(all_specs[i].layer, word) != 0)
      ++i;
    if (i == SPEC_COUNT)
      mistake("no layer", word, known);
    o->specs[o->spec_count++] = &all_specs[i];
  }
}

static size_t read_counts(char *list, size_t *counts, size_t most, const char *problem) {
  size_t count = 0;
  char *rest = NULL;
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    char *end;
    const long value = strtol(word, &end, 10);
    if (*end || value < 1 || value > 65536)
      mistake(problem, word, "whole numbers from 1 to 65536");
    if (count == most || (count && counts[count - 1] >= (size_t)value))
      mistake(problem, word, "a few numbers, each larger than the one before");
    counts[count++] = (size_t)value;
  }
  if (!count)
    mistake(problem, list, "whole numbers from 1 to 65536");
  return count;
}

static void read_isas(bench_options *o, char *list) {
  char known[256] = "", *rest = NULL;
  for (int isa = 0; isa < FFN_ISA_COUNT; ++isa)
    if (ffn_cpu() >> isa & 1) {
      strcat(known, *known ? ", " : "");
      strcat(known, ffn_isa_name((ffn_isa)isa));
    }
  o->cpu = ffn_cpu() & FFN_CPU_PROFILES;
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    int isa = 0;
    while (isa < FFN_ISA_COUNT && strcmp(ffn_isa_name((ffn_isa)isa), word) != 0)
      ++isa;
    if (isa == FFN_ISA_COUNT || !(ffn_cpu() >> isa & 1))
      mistake("not an instruction set of this CPU:", word, known);
    o->cpu |= 1u << isa;
  }
}

static void read_peers(char *list) {
  char known[256] = "none", *rest = NULL;
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i) {
    strcat(strcat(known, ", "), bench_peers[i].name);
    bench_peers[i].wanted = 0;
  }
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    size_t i = 0;
    if (strcmp(word, "none") == 0)
      continue;
    while (i < BENCH_PEER_COUNT && strcmp(bench_peers[i].name, word) != 0)
      ++i;
    if (i == BENCH_PEER_COUNT)
      mistake("no peer", word, known);
    bench_peers[i].wanted = 1;
  }
}

static void read_budget(bench_options *o, const char *word) {
  char *end;
  o->budget = strtod(word, &end);
  if (*end || !(o->budget > 0 && o->budget <= 3600))
    mistake("no budget", word, "seconds, more than 0, at most 3600");
}

static void read_again(bench_options *o, const char *word) {
  char *end;
  const long value = strtol(word, &end, 10);
  if (*end || value < 0 || value > BENCH_AGAIN_MOST)
    mistake("no number of times", word, "0 to 8");
  o->again = (size_t)value;
}

static void read_tokens(bench_options *o, char *list) {
  o->token_count_count =
      read_counts(list, o->token_counts, BENCH_TOKEN_COUNTS_MOST, "no number of tokens");
}

static void read_threads(bench_options *o, char *list) {
  o->thread_count_count =
      read_counts(list, o->thread_counts, BENCH_THREAD_COUNTS_MOST, "no number of threads");
}

static void be_quick(bench_options *o) {
  read_layers(o, quick_layers);
  o->models = 1;
  read_tokens(o, quick_tokens);
  read_peers(quick_peers);
  o->budget = 0.2;
}

static bench_options defaults(void) {
  static char tokens[] = "1,4,16,64,256,1024";
  bench_options o = {
      .cpu = ffn_cpu(), .hot = 1, .cold = 1, .models = 1, .budget = 1, .spec_count = SPEC_COUNT};
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  for (size_t i = 0; i < SPEC_COUNT; ++i)
    o.specs[i] = &all_specs[i];
  read_tokens(&o, tokens);
  o.thread_counts[o.thread_count_count++] = 1;
  if (cpus > 1)
    o.thread_counts[o.thread_count_count++] = (size_t)cpus;
  for (size_t i = 0; i < BENCH_PEER_COUNT; ++i)
    bench_peers[i].wanted = 1;
  return o;
}

bench_options bench_options_read(int argc, char **argv) {
  bench_options o = defaults();
  for (int i = 1; i < argc; ++i) /* --quick first: the other options change what it sets */
    if (strcmp(argv[i], "--quick") == 0)
      be_quick(&o);
  for (int i = 1; i < argc; ++i) {
    const char *option = argv[i];
    char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(option, "--help") == 0) {
      fputs(help, stdout);
      exit(0);
    }
    if (strcmp(option, "--quick") == 0)
      continue;
    if (strcmp(option, "--hot") == 0) {
      o.cold = 0;
      continue;
    }
    if (strcmp(option, "--cold") == 0) {
      o.hot = 0;
      continue;
    }
    ++i;
    if (!value)
      mistake("unknown option, or a value is missing after", option, "see bench --help");
    else if (strcmp(option, "--layers") == 0)
      read_layers(&o, value);
    else if (strcmp(option, "--tokens") == 0)
      read_tokens(&o, value);
    else if (strcmp(option, "--threads") == 0)
      read_threads(&o, value);
    else if (strcmp(option, "--isa") == 0)
      read_isas(&o, value);
    else if (strcmp(option, "--peers") == 0)
      read_peers(value);
    else if (strcmp(option, "--again") == 0)
      read_again(&o, value);
    else if (strcmp(option, "--json") == 0)
      o.json = value;
    else if (strcmp(option, "--budget") == 0)
      read_budget(&o, value);
    else
      mistake("unknown option", option, "see bench --help");
  }
  if (!o.hot && !o.cold)
    mistake("nothing is left to measure with both", "--hot --cold", "one of them, or none");
  return o;
}
