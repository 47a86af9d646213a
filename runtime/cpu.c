/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * cpu.c - the instruction sets that this CPU *and* its operating system allow. */
#include "kernel.h"
/*@ end */

/*@ x86 */
#if FFN_ARCH_X86
/* A test that plays the CPU defines both as names of functions. */
#ifdef FFN_CPUID
void FFN_CPUID(uint32_t leaf, uint32_t subleaf, uint32_t out[4]);
uint64_t FFN_XGETBV(void);
#else
#define FFN_CPUID ffn_cpuid
#define FFN_XGETBV ffn_xgetbv0
#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
static void ffn_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  int registers[4];
  __cpuidex(registers, (int)leaf, (int)subleaf);
  for (int i = 0; i < 4; ++i)
    out[i] = (uint32_t)registers[i];
}
static uint64_t ffn_xgetbv0(void) { return _xgetbv(0); }
#else
#include <cpuid.h>
static void ffn_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t out[4]) {
  __cpuid_count(leaf, subleaf, out[0], out[1], out[2], out[3]);
}
static uint64_t ffn_xgetbv0(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}
#endif
#endif

enum { FFN_EAX, FFN_EBX, FFN_ECX, FFN_EDX };

/* Whether CPUID has a bit. */
static int ffn_cpu_bit(uint32_t leaf, int register_index, int bit) {
  uint32_t out[4];
  FFN_CPUID(0, 0, out);
  if (out[FFN_EAX] < leaf)
    return 0;
  FFN_CPUID(leaf, 0, out);
  return (int)(out[register_index] >> bit & 1);
}

/* Whether the operating system saves the registers of `mask` (Intel SDM volume 1, 13.3: XCR0). */
static int ffn_cpu_saves(uint64_t mask) {
  return ffn_cpu_bit(1, FFN_ECX, 27) && (FFN_XGETBV() & mask) == mask;
}
#endif
/*@ end */

/*@ arm64 */
#if FFN_ARCH_ARM64
/* The same for Arm: a function that gives the capabilities as Linux counts them. */
#ifdef FFN_HWCAP
unsigned long FFN_HWCAP(void);
#else
#define FFN_HWCAP ffn_hwcap
/*@ system */
#ifdef __linux__
#include <sys/auxv.h>
#endif
/*@ end */
static unsigned long ffn_hwcap(void) {
#ifdef AT_HWCAP
  return getauxval(AT_HWCAP);
#else
  return 1ul << 1; /* Advanced SIMD: whoever is not asked has it, as every AArch64 does */
#endif
}
#endif

static int ffn_cpu_hwcap(int bit) { return (int)(FFN_HWCAP() >> bit & 1); }
#endif
/*@ end */

unsigned ffn_cpu(void) {
  unsigned isas = 0;
/*@ isas */
#define FFN_ISA(NAME, name, rank, allowed) \
  if (allowed) \
    isas |= 1u << FFN_ISA_##NAME;
#include "isas.inc"
#undef FFN_ISA
  /*@ end */
  return isas;
}
