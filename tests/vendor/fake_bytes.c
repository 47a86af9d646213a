/* Plays CPUs for a vendored layer whose products are of bytes, for which alone some instruction
 * sets are there: says which kernel is found with the features of each, and with one missing. */
#include "my.h"

#include <stdio.h>
#include <string.h>

static int failed;
static void expect(const char *what, my_isa isa) {
  const my_kernel *k = my_find_layer("linear_d32_o8_q4_0_dot_s8", my_cpu());
  if (!k || k->isa != isa) {
    printf("%s: %s, not %s\n", what, k ? k->name : "no kernel", my_isa_name(isa));
    failed = 1;
  }
}

#if defined(__x86_64__)

enum { EAX, EBX, ECX, EDX };

/* A feature, and the kernel that is left without it. */
static const struct {
  const char *name;
  uint32_t leaf, subleaf;
  int word, bit;
  my_isa left;
} features[] = {
    {"AVX512F", 7, 0, EBX, 16, MY_ISA_AVX_VNNI},
    {"AVX512BW", 7, 0, EBX, 30, MY_ISA_AVX_VNNI},
    {"AVX512VL", 7, 0, EBX, 31, MY_ISA_AVX_VNNI},
    {"AVX512VNNI", 7, 0, ECX, 11, MY_ISA_AVX_VNNI},
    {"AVXVNNI", 7, 1, EAX, 4, MY_ISA_AVX512_VNNI},
    {"AVX2", 7, 0, EBX, 5, MY_ISA_C},
    {"FMA", 1, 0, ECX, 12, MY_ISA_C},
    {"AVX", 1, 0, ECX, 28, MY_ISA_C},
    {"F16C", 1, 0, ECX, 29, MY_ISA_AVX512_VNNI},
    {"OSXSAVE", 1, 0, ECX, 27, MY_ISA_C},
};
enum { FEATURES = sizeof features / sizeof *features };
static int missing = -1;
static uint32_t last_subleaf = 1; /* of leaf 7 */
static uint64_t xcr0 = 0xe7;

void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  memset(out, 0, 4 * sizeof *out);
  if (leaf == 0)
    out[EAX] = 7;
  if (leaf == 7 && subleaf == 0)
    out[EAX] = last_subleaf;
  for (int i = 0; i < FEATURES; i++)
    if (features[i].leaf == leaf && features[i].subleaf == subleaf && i != missing)
      out[features[i].word] |= 1u << features[i].bit;
}

uint64_t fake_xgetbv(void) { return xcr0; }

int main(void) {
  expect("all features", MY_ISA_AVX512_VNNI);
  for (missing = 0; missing < FEATURES; missing++)
    expect(features[missing].name, features[missing].left);
  missing = -1;
  xcr0 = 0x07;
  expect("no ZMM is saved", MY_ISA_AVX_VNNI);
  last_subleaf = 0;
  expect("no ZMM is saved, and leaf 7 has one subleaf", MY_ISA_AVX2);
  return failed;
}

#else

static unsigned long capabilities, more;
unsigned long fake_hwcap(void) { return capabilities; }
unsigned long fake_hwcap2(void) { return more; }

/* The system tells of these bits. */
static void told(const char *what, unsigned long first, unsigned long second, my_isa isa) {
  capabilities = first, more = second;
  expect(what, isa);
}

int main(void) {
  const unsigned long asimd = 1ul << 1, asimddp = 1ul << 20, i8mm = 1ul << 13;
  told("nothing", 0, 0, MY_ISA_C);
  told("ASIMD", asimd, 0, MY_ISA_NEON);
  told("all but ASIMD", ~asimd, ~0ul, MY_ISA_C);
  told("all but ASIMDDP", ~asimddp, ~0ul, MY_ISA_NEON);
  told("ASIMDDP", asimd | asimddp, 0, MY_ISA_NEON_DOTPROD);
  told("all but I8MM", ~0ul, ~i8mm, MY_ISA_NEON_DOTPROD);
  told("I8MM", asimd | asimddp, i8mm, MY_ISA_NEON_I8MM);
  return failed;
}

#endif
