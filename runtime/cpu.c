/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * cpu.c - the instruction sets that this CPU *and* its system allow, and its profile. */
#include "kernel.h"
/*@ end */

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

/* The same of leaf 7, of a later subleaf: the first one tells in EAX which is the last. */
FFN_INLINE int ffn_cpu_bit_7(uint32_t subleaf, int register_index, int bit) {
  uint32_t out[4];
  FFN_CPUID(0, 0, out);
  if (out[FFN_EAX] < 7)
    return 0;
  FFN_CPUID(7, 0, out);
  if (out[FFN_EAX] < subleaf)
    return 0;
  FFN_CPUID(7, subleaf, out);
  return (int)(out[register_index] >> bit & 1);
}

/* Whether the operating system saves the registers of `mask` (Intel SDM volume 1, 13.3: XCR0). */
static int ffn_cpu_saves(uint64_t mask) {
  return ffn_cpu_bit(1, FFN_ECX, 27) && (FFN_XGETBV() & mask) == mask;
}

/*@ tiles */
/* A test that plays the system defines this as the name of a function: ffn_arch_prctl(). */
#ifdef FFN_ARCH_PRCTL
long FFN_ARCH_PRCTL(long code, uintptr_t argument);
#elif defined(__linux__) && defined(__GNUC__)
#define FFN_ARCH_PRCTL ffn_arch_prctl
/* Linux's system call of this name, which not every libc has. 0: it was done. */
static long ffn_arch_prctl(long code, uintptr_t argument) {
  long result = 158; /* the number of the call */
  __asm__ volatile("syscall" : "+a"(result) : "D"(code), "S"(argument) : "rcx", "r11", "memory");
  return result;
}
#endif

/* Whether there are AMX's tiles, and this process may use them. Some virtual machines have no
 * configuration of tiles (CPUID 1DH: the number of the last one, 1 so far), whatever else they say.
 * Linux lets a process use them from its first request on (Documentation/arch/x86/xstate.rst): the
 * number of what is asked for is 18. Windows asks for nothing. */
enum { FFN_GET_PERMISSIONS = 0x1022, FFN_REQUEST_PERMISSION = 0x1023, FFN_TILES = 18 };

static int ffn_cpu_lets_tiles(void) {
  if (!ffn_cpu_bit(0x1d, FFN_EAX, 0) && !ffn_cpu_bit(0x1d, FFN_EAX, 1))
    return 0;
#ifdef FFN_ARCH_PRCTL
  uint64_t permissions = 0;
  return FFN_ARCH_PRCTL(FFN_GET_PERMISSIONS, (uintptr_t)&permissions) == 0 &&
         permissions >> FFN_TILES & 1;
#else
  return 1;
#endif
}
/*@ end */

/* Whether it is a CPU of a vendor and a family, its model among [first, last] (Intel SDM volume 2A,
 * CPUID; AMD's manual volume 3, E.3: families and models in two fields each). */
FFN_INLINE int ffn_cpu_model(const char *vendor, uint32_t family, uint32_t first, uint32_t last) {
  static const int order[] = {FFN_EBX, FFN_EDX, FFN_ECX};
  uint32_t out[4];
  FFN_CPUID(0, 0, out);
  for (int i = 0; i < 12; ++i)
    if ((out[order[i / 4]] >> i % 4 * 8 & 0xff) != (unsigned char)vendor[i])
      return 0;
  FFN_CPUID(1, 0, out);
  const uint32_t low = out[FFN_EAX] >> 8 & 0xf;
  const uint32_t model = (out[FFN_EAX] >> 4 & 0xf) | (out[FFN_EAX] >> 12 & 0xf0);
  return low + (low == 0xf ? out[FFN_EAX] >> 20 & 0xff : 0) == family && model >= first &&
         model <= last;
}
#endif

#if FFN_ARCH_ARM64
/* The same for Arm: functions that give the capabilities as Linux counts them, in two words. */
#ifdef FFN_HWCAP
unsigned long FFN_HWCAP(void);
unsigned long FFN_HWCAP2(void);
#else
#define FFN_HWCAP ffn_hwcap
#define FFN_HWCAP2 ffn_hwcap2
/*@ system */
#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
int sysctlbyname(const char *name, void *value, size_t *bytes, void *to_set, size_t to_set_bytes);
static unsigned long ffn_has(const char *feature) {
  int has = 0;
  size_t bytes = sizeof has;
  return sysctlbyname(feature, &has, &bytes, NULL, 0) == 0 && has != 0;
}
#define FFN_HAS(name, number) ffn_has("hw.optional.arm.FEAT_" name)
#elif defined(_WIN32)
__declspec(dllimport) int __stdcall IsProcessorFeaturePresent(unsigned long feature);
#define FFN_HAS(name, number) (unsigned long)(IsProcessorFeaturePresent(number) != 0)
#endif
/*@ end */
#ifndef FFN_HAS
#define FFN_HAS(name, number) 0ul
#endif
static unsigned long ffn_hwcap(void) {
#ifdef AT_HWCAP
  return getauxval(AT_HWCAP);
#else
  /* Advanced SIMD: whoever is not asked has it, as every AArch64 does. */
  return 1ul << 1 | FFN_HAS("DotProd", 43) << 20;
#endif
}
FFN_INLINE unsigned long ffn_hwcap2(void) {
#ifdef AT_HWCAP2
  return getauxval(AT_HWCAP2);
#else
  return FFN_HAS("I8MM", 66) << 13;
#endif
}
#endif

static int ffn_cpu_hwcap(int bit) { return (int)(FFN_HWCAP() >> bit & 1); }
FFN_INLINE int ffn_cpu_hwcap2(int bit) { return (int)(FFN_HWCAP2() >> bit & 1); }

/* The register that names the CPU, MIDR_EL1, which Linux reads for a program. */
#ifdef FFN_MIDR
uint64_t FFN_MIDR(void);
#else
#define FFN_MIDR ffn_midr
FFN_INLINE uint64_t ffn_midr(void) {
  uint64_t midr = 0;
#ifdef __GNUC__
  __asm__ volatile("mrs %0, midr_el1" : "=r"(midr)); /* not before the system was asked */
#endif
  return midr;
}
#endif

/* Whether it is a part of an implementer, where the system tells (HWCAP_CPUID). */
FFN_INLINE int ffn_cpu_part(uint64_t implementer, uint64_t part) {
  return ffn_cpu_hwcap(11) && FFN_MIDR() >> 24 == implementer && (FFN_MIDR() >> 4 & 0xfff) == part;
}
#endif

unsigned ffn_cpu(void) {
  unsigned isas = 0;
/*@ isas */
#define FFN_ISA(NAME, name, rank, allowed) \
  if (allowed) \
    isas |= 1u << FFN_ISA_##NAME;
#include "isas.inc"
#undef FFN_ISA
  /*@ end */
/*@ profiles */
#define FFN_PROFILE(NAME, name, recognised) \
  if (recognised) \
    isas |= FFN_CPU_BIT(FFN_PROFILE_##NAME);
#include "profiles.inc"
#undef FFN_PROFILE
  /*@ end */
  return isas;
}

/*@ tiles */
int ffn_amx(void) {
#if FFN_ARCH_X86 && defined(FFN_ARCH_PRCTL)
  if (ffn_cpu_saves((uint64_t)3 << (FFN_TILES - 1))) /* what configures tiles, and their data */
    (void)FFN_ARCH_PRCTL(FFN_REQUEST_PERMISSION, FFN_TILES);
#endif
  return (int)(ffn_cpu() >> FFN_ISA_AVX512_AMX & 1);
}
/*@ end */
