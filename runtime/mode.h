/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * mode.h - the floating-point mode of a thread, and a host's tasks in that of the caller. A part of
 * kernel.h, which stands in it where kernels are generated. */
#ifndef FFN_KERNEL_MODE_H
#define FFN_KERNEL_MODE_H

#include "kernel.h"
/*@ end */

/* ---- The floating-point mode of a thread --------------------------------------------------- *
 *
 * What a thread's results depend on beside their operands: how it rounds, whether it takes
 * subnormals for zeros and makes zeros of them, on Arm which NaN it makes. A host's threads may
 * have another mode than the caller: one that began before the caller changed its own, or one that
 * serves a mixer of sounds.
 *
 * The register also holds which exceptions trap and which have been, here left as they are. 0 where
 * there are no modes, or none that this knows. */
#if defined(__GNUC__) && defined(__SSE__)
typedef uint32_t ffn_mode;
#define FFN_MODE_BITS 0xe040u /* MXCSR: FTZ, RC, DAZ */
#define FFN_MODE_READ(mode) __asm__ volatile("stmxcsr %0" : "=m"(mode) : : "memory")
#define FFN_MODE_WRITE(mode) __asm__ volatile("ldmxcsr %0" : : "m"(mode) : "memory")
#elif !defined(__GNUC__) && (defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP > 0))
#include <xmmintrin.h>
typedef uint32_t ffn_mode;
#define FFN_MODE_BITS 0xe040u
#define FFN_MODE_READ(mode) ((mode) = _mm_getcsr())
#define FFN_MODE_WRITE(mode) _mm_setcsr(mode)
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
typedef uint64_t ffn_mode;
#define FFN_MODE_BITS 0x07c80007u /* FPCR: AHP, DN, FZ, RMode, FZ16; NEP, AH, FIZ */
#define FFN_MODE_READ(mode) __asm__ volatile("mrs %0, fpcr" : "=r"(mode) : : "memory")
#define FFN_MODE_WRITE(mode) __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory")
#elif defined(_M_ARM64)
#include <intrin.h>
typedef uint64_t ffn_mode;
#define FFN_MODE_BITS 0x07c80007u
#define FFN_MODE_READ(mode) ((mode) = (uint64_t)_ReadStatusReg(ARM64_FPCR))
#define FFN_MODE_WRITE(mode) _WriteStatusReg(ARM64_FPCR, (__int64)(mode))
#elif defined(__GNUC__) && defined(__ARM_FP) && (!defined(__thumb__) || defined(__thumb2__))
typedef uint32_t ffn_mode;
#define FFN_MODE_BITS 0x07c80000u /* FPSCR: AHP, DN, FZ, RMode, FZ16 */
#define FFN_MODE_READ(mode) __asm__ volatile("vmrs %0, fpscr" : "=r"(mode) : : "memory")
#define FFN_MODE_WRITE(mode) __asm__ volatile("vmsr fpscr, %0" : : "r"(mode) : "memory")
#elif defined(__GNUC__) && (defined(__riscv_flen) || defined(__riscv_zfinx))
typedef size_t ffn_mode;
#define FFN_MODE_BITS 7u /* frm, which stands alone */
#define FFN_MODE_READ(mode) __asm__ volatile("frrm %0" : "=r"(mode) : : "memory")
#define FFN_MODE_WRITE(mode) __asm__ volatile("fsrm %0" : : "r"(mode) : "memory")
#else
typedef uint32_t ffn_mode;
#define FFN_MODE_BITS 0u
#define FFN_MODE_READ(mode) ((mode) = 0)
#define FFN_MODE_WRITE(mode) ((void)(mode))
#endif

/* This thread's mode, and what else its register holds. */
FFN_SHARED ffn_mode ffn_mode_of_thread(void) {
  ffn_mode now;
  FFN_MODE_READ(now);
  return now;
}

/* Takes the mode of a caller's register. Returns what differs, for ffn_mode_leave(). What is
 * computed in between reads and writes memory, which no compiler moves over either. */
FFN_SHARED ffn_mode ffn_mode_enter(ffn_mode callers) {
  ffn_mode now = ffn_mode_of_thread();
  const ffn_mode other = (now ^ callers) & FFN_MODE_BITS;
  if (other) {
    now ^= other;
    FFN_MODE_WRITE(now);
  }
  return other;
}

/* Gives the thread its own mode back. Exceptions that have been meanwhile stay. */
FFN_SHARED void ffn_mode_leave(ffn_mode other) {
  if (other) {
    ffn_mode now = ffn_mode_of_thread();
    now ^= other;
    FFN_MODE_WRITE(now);
  }
}

/*@ foot */
#endif
/*@ end */
