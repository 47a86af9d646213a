/* Plays CPUs and systems for a vendored layer that has a kernel with tiles of AMX, and says which
 * kernel is found: before my_amx() and after it, with each feature missing, and where the system
 * refuses. */
#include "my.h"

#include <stdio.h>
#include <string.h>

enum { EAX, EBX, ECX, EDX, TILES = 18 };

/* Features of the kernel without tiles, and of tiles behind them. */
static const struct {
  const char *name;
  uint32_t leaf;
  int word, bit;
} features[] = {
    {"OSXSAVE", 1, ECX, 27},  {"AVX", 1, ECX, 28},        {"FMA", 1, ECX, 12},
    {"AVX2", 7, EBX, 5},      {"AVX512F", 7, EBX, 16},    {"AVX512BW", 7, EBX, 30},
    {"AVX512VL", 7, EBX, 31}, {"AVX512VNNI", 7, ECX, 11}, {"AMX-TILE", 7, EDX, 24},
    {"AMX-INT8", 7, EDX, 25}, {"palettes", 0x1d, EAX, 0},
};
enum { FEATURES = sizeof features / sizeof *features, OF_TILES = 3 };

static int missing;
static uint64_t xcr0, permissions;
static int refuses, asked;
static uint64_t granted = 3; /* before the process asks */

void fake_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  memset(out, 0, 4 * sizeof *out);
  if (leaf == 0)
    out[EAX] = 0x1d;
  for (int i = 0; i < FEATURES; i++)
    if (features[i].leaf == leaf && subleaf == 0 && i != missing)
      out[features[i].word] |= 1u << features[i].bit;
}

uint64_t fake_xgetbv(void) { return xcr0; }

/* Linux. */
long fake_arch_prctl(long code, uintptr_t argument) {
  if (code == 0x1022) {
    memcpy((void *)argument, &permissions, sizeof permissions);
    return 0;
  }
  asked++;
  if (refuses || code != 0x1023 || argument != TILES)
    return -1;
  permissions |= (uint64_t)1 << argument;
  return 0;
}

static int failed;

/* A process that asks, or does not. */
static void expect(const char *what, int asks, my_isa isa) {
  permissions = granted, asked = 0;
  const int has = asks && my_amx();
  const my_kernel *k = my_find_layer("linear_d32_o16_q8_0_dot_s8", my_cpu());
  if (!k || k->isa != isa || has != (asks && isa == MY_ISA_AVX512_AMX)) {
    printf("%s: %s, not %s; my_amx() gave %d\n", what, k ? k->name : "no kernel", my_isa_name(isa),
           has);
    failed = 1;
  }
}

int main(void) {
  const uint64_t all = 0x600e7;
  missing = -1, xcr0 = all;
  expect("a process that has not asked", 0, MY_ISA_AVX512_VNNI);
  expect("all features", 1, MY_ISA_AVX512_AMX);
  refuses = 1;
  expect("a system that refuses", 1, MY_ISA_AVX512_VNNI);
  refuses = 0;
  for (missing = 0; missing < FEATURES; missing++)
    expect(features[missing].name, 1,
           missing < FEATURES - OF_TILES ? MY_ISA_C : MY_ISA_AVX512_VNNI);
  missing = -1;
  granted |= (uint64_t)1 << TILES;
  expect("a process that is let from its begin on", 0, MY_ISA_AVX512_AMX);
  for (int bit = TILES - 1; bit <= TILES; bit++) {
    xcr0 = all & ~((uint64_t)1 << bit);
    expect("a state of tiles that is not saved", 1, MY_ISA_AVX512_VNNI);
    if (asked) {
      printf("the system is asked for what it does not save\n");
      failed = 1;
    }
  }
  return failed;
}
