/* Plays CPUs by vendor, family and model for a vendored layer whose weights come from memory, and
 * says which descriptor is found on each. */
#include "my.h"

#include <stdio.h>
#include <string.h>

static int failed;
static void expect(const char *cpu, const char *wanted) {
  const my_kernel *k = my_far();
  const my_kernel *fresh = my_find_layer("ffn_relu_d520_f520_f32", my_cpu());
  const char *found = fresh ? my_profile_name(fresh->profile) : "no kernel";
  if (!k || strcmp(found, wanted) != 0) {
    printf("%s: %s (%#x), not %s\n", cpu, found, my_cpu(), wanted);
    failed = 1;
  }
}

#if defined(__x86_64__)

static const struct cpu {
  const char *vendor;
  unsigned family, model, avx512;
  const char *wanted;
} cpus[] = {
    {"GenuineIntel", 6, 85, 1, "intel"},                                     /* Skylake-X */
    {"GenuineIntel", 6, 173, 1, "intel"},                                    /* Granite Rapids */
    {"GenuineIntel", 6, 151, 0, "intel"},                                    /* Alder Lake */
    {"GenuineIntel", 6, 60, 0, "any"},                                       /* Haswell */
    {"GenuineIntel", 15, 85, 0, "any"},   {"AuthenticAMD", 23, 1, 0, "any"}, /* Zen */
    {"AuthenticAMD", 23, 49, 0, "zen2"},                                     /* Rome */
    {"AuthenticAMD", 25, 1, 0, "zen2"},                                      /* Milan */
    {"AuthenticAMD", 25, 33, 0, "zen2"},                                     /* Vermeer */
    {"AuthenticAMD", 25, 17, 1, "zen4"},                                     /* Genoa */
    {"AuthenticAMD", 25, 97, 1, "zen4"},                                     /* Raphael */
    {"AuthenticAMD", 25, 160, 1, "zen4"},                                    /* Bergamo */
    {"AuthenticAMD", 25, 17, 0, "zen4"}, /* whose system saves no ZMM */
    {"AuthenticAMD", 26, 2, 1, "zen5"},  /* Turin */
    {"AuthenticAMD", 6, 85, 0, "any"},    {"HygonGenuine", 24, 49, 0, "any"},
    {"GenuineIotel", 6, 85, 1, "any"}, /* every letter counts */
};
static const struct cpu *played;

static uint32_t letters(const char *four) {
  uint32_t word = 0;
  for (int i = 3; i >= 0; i--)
    word = word << 8 | (unsigned char)four[i];
  return word;
}

void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  memset(out, 0, 4 * sizeof *out);
  if (leaf == 0) {
    out[0] = 7;
    out[1] = letters(played->vendor), out[3] = letters(played->vendor + 4);
    out[2] = letters(played->vendor + 8);
  } else if (leaf == 1) {
    const unsigned low = played->family < 15 ? played->family : 15;
    out[0] = (played->family - low) << 20 | (played->model >> 4) << 16 | low << 8 |
             (played->model & 15) << 4;
    out[2] = 1u << 12 | 7u << 27; /* FMA, OSXSAVE, AVX, F16C */
  } else if (leaf == 7 && subleaf == 0) {
    out[1] = 1u << 5 | played->avx512 << 16;
  }
}

uint64_t fake_xgetbv(void) { return 0xe7; }

int main(void) {
  for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++) {
    char text[64];
    played = &cpus[i];
    snprintf(text, sizeof text, "%s %u %u", played->vendor, played->family, played->model);
    expect(text, played->wanted);
    const unsigned isa = played->avx512 ? MY_ISA_AVX512 : MY_ISA_AVX2;
    if (my_find_layer("ffn_relu_d520_f520_f32", my_cpu())->isa != isa) {
      printf("%s: another instruction set\n", text);
      failed = 1;
    }
  }
  /* Who forbids the profile has the kernel for every CPU; portable C has no other. */
  played = &cpus[0];
  const unsigned isas = (1u << MY_ISA_COUNT) - 1;
  if (my_find_layer("ffn_relu_d520_f520_f32", my_cpu() & isas)->profile != MY_PROFILE_ANY ||
      my_find_layer("ffn_relu_d520_f520_f32", my_cpu() & ~isas) ||
      my_find_layer("ffn_relu_d520_f520_f32", (my_cpu() & ~isas) | 1u << MY_ISA_C)->profile !=
          MY_PROFILE_ANY) {
    puts("the caller's choice is not heard");
    failed = 1;
  }
  return failed;
}

#else

static unsigned long capabilities = ~0ul;
static uint64_t midr;
unsigned long fake_hwcap(void) { return capabilities; }
uint64_t fake_midr(void) { return midr; }

int main(void) {
  midr = 0x413fd402, expect("V1", "neoverse");
  midr = 0x410fd4f1, expect("V2", "neoverse");
  midr = 0x413fd0c1, expect("N1", "any");
  midr = 0x420fd402, expect("another implementer", "any");
  midr = 0x413fd402, capabilities &= ~(1ul << 11), expect("a system that does not tell", "any");
  return failed;
}

#endif
