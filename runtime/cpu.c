/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * cpu.c - the instruction sets that this CPU *and* its operating system allow.
 */
#include "kernel.h"

#if FFN_ARCH_X86
#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
static void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  int registers[4];
  __cpuidex(registers, (int)leaf, (int)subleaf);
  for (int i = 0; i < 4; ++i)
    out[i] = (uint32_t)registers[i];
}
static uint64_t xgetbv0(void) { return _xgetbv(0); }
#else
#include <cpuid.h>
static void cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  __cpuid_count(leaf, subleaf, out[0], out[1], out[2], out[3]);
}
static uint64_t xgetbv0(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}
#endif

enum { EAX, EBX, ECX, EDX };

/* Whether CPUID has a bit. */
static int cpu_bit(uint32_t leaf, int register_index, int bit) {
  uint32_t out[4];
  cpuid(0, 0, out);
  if (out[EAX] < leaf)
    return 0;
  cpuid(leaf, 0, out);
  return (int)(out[register_index] >> bit & 1);
}

/* Whether the operating system saves the registers of `mask` (Intel SDM volume 1, 13.3: XCR0). */
static int cpu_saves(uint64_t mask) { return cpu_bit(1, ECX, 27) && (xgetbv0() & mask) == mask; }
#endif

unsigned ffn_cpu(void) {
  unsigned isas = 0;
#define FFN_ISA(NAME, name, allowed)                                                               \
  if (allowed)                                                                                     \
    isas |= 1u << FFN_ISA_##NAME;
#include "isas.inc"
#undef FFN_ISA
  return isas;
}
