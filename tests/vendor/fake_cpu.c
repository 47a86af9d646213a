/* Plays CPUs for a vendored layer: with every feature, then with each one missing, and says which
 * kernel is found for each. */
#include "my.h"

#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)

enum { EAX, EBX, ECX, EDX };

/* A feature that a kernel needs, and the kernel that is left without it. */
static const struct {
  const char *name;
  uint32_t leaf;
  int word, bit;
  my_isa left;
} features[] = {
    {"AVX512F", 7, EBX, 16, MY_ISA_AVX2}, {"AVX2", 7, EBX, 5, MY_ISA_C},
    {"FMA", 1, ECX, 12, MY_ISA_C},        {"AVX", 1, ECX, 28, MY_ISA_C},
    {"F16C", 1, ECX, 29, MY_ISA_AVX512},  {"OSXSAVE", 1, ECX, 27, MY_ISA_C},
};

static uint32_t most_leaf = 7;
static uint64_t xcr0 = 0xe7;
static int missing = -1;

void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  memset(out, 0, 4 * sizeof *out);
  if (leaf == 0)
    out[EAX] = most_leaf;
  for (int i = 0; i < (int)(sizeof features / sizeof *features); i++)
    if (features[i].leaf == leaf && subleaf == 0 && i != missing)
      out[features[i].word] |= 1u << features[i].bit;
}

/* #UD where the system has not enabled it. */
static int faults;
uint64_t fake_xgetbv(void) {
  uint32_t out[4];
  fake_cpuid(1, 0, out);
  faults += !(out[ECX] >> 27 & 1);
  return xcr0;
}

static int failed;
static void expect(const char *what, my_isa isa) {
  const my_kernel *k = my_find_layer("ffn_swiglu_d24_f40_f32", my_cpu());
  if (!k || k->isa != isa || faults) {
    printf("%s: %s, not %s\n", what, k ? k->name : "no kernel", my_isa_name(isa));
    failed = 1;
  }
}

int main(void) {
  expect("all features", MY_ISA_AVX512);
  for (missing = 0; missing < (int)(sizeof features / sizeof *features); missing++)
    expect(features[missing].name, features[missing].left);
  missing = -1;
  for (int bit = 0; bit < 8; bit++) { /* x87, XMM, YMM, two of MPX, opmask, two of ZMM */
    const int mpx = bit == 0 || bit == 3 || bit == 4;
    xcr0 = 0xffu & ~(1u << bit);
    expect("a state that is not saved", mpx ? MY_ISA_AVX512 : bit < 3 ? MY_ISA_C : MY_ISA_AVX2);
  }
  xcr0 = 0xe7;
  most_leaf = 6;
  expect("no leaf 7", MY_ISA_C);
  /* What a caller forbids is not found, and NULL where nothing is left. */
  most_leaf = 7;
  const unsigned cpu = my_cpu();
  if (my_find_layer("ffn_swiglu_d24_f40_f32", cpu & ~(1u << MY_ISA_AVX512))->isa != MY_ISA_AVX2 ||
      my_find_layer("ffn_swiglu_d24_f40_f32", 0) || my_block()->isa != MY_ISA_AVX512) {
    puts("the caller's choice is not heard");
    failed = 1;
  }
  return failed;
}

#else

static unsigned long capabilities;
unsigned long fake_hwcap(void) { return capabilities; }

int main(void) {
  const unsigned none = my_cpu();
  capabilities = ~0ul;
  const unsigned all = my_cpu();
  if (none != 1u << MY_ISA_C || all != (1u << MY_ISA_C | 1u << MY_ISA_NEON) ||
      my_block()->isa != MY_ISA_NEON) {
    printf("allowed: %x without capabilities, %x with all\n", none, all);
    return 1;
  }
  return 0;
}

#endif
