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

/* Intel SDM volume 1, 14.3 and 15.2: a feature counts when CPUID has it and XCR0 says that the
 * operating system saves its registers. */
static unsigned x86_isas(void) {
  enum { EAX, EBX, ECX };
  const uint32_t osxsave = 1u << 27, avx = 1u << 28, fma = 1u << 12; /* leaf 1 ECX */
  const uint32_t avx2 = 1u << 5, avx512f = 1u << 16;                 /* leaf 7 EBX */
  const uint64_t ymm_state = 0x06, zmm_state = 0xe6;                 /* XCR0 */
  uint32_t leaf0[4], leaf1[4], leaf7[4];
  unsigned isas = 0;
  cpuid(0, 0, leaf0);
  if (leaf0[EAX] < 7)
    return 0;
  cpuid(1, 0, leaf1);
  cpuid(7, 0, leaf7);
  if (!(leaf1[ECX] & osxsave) || !(leaf1[ECX] & avx) || !(leaf1[ECX] & fma))
    return 0;
  const uint64_t saved = xgetbv0();
  if ((saved & ymm_state) == ymm_state && (leaf7[EBX] & avx2)) {
    isas |= 1u << FFN_ISA_AVX2;
    if ((saved & zmm_state) == zmm_state && (leaf7[EBX] & avx512f))
      isas |= 1u << FFN_ISA_AVX512;
  }
  return isas;
}
#endif

unsigned ffn_cpu(void) {
  unsigned isas = 1u << FFN_ISA_C;
#if FFN_ARCH_X86
  isas |= x86_isas();
#elif FFN_ARCH_ARM64
  isas |= 1u << FFN_ISA_NEON; /* part of every AArch64 */
#endif
  return isas;
}
