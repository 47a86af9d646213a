/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * exact.h - what compilers and their flags do to floats is refused, or turned off, where it would
 * change bits. A part of kernel.h and of the references, which stands in them where kernels are
 * generated. */
#ifndef FFN_EXACT_H
#define FFN_EXACT_H

#include "ffn.h"
/*@ end */

#include <float.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "ffn kernels promise exact bits, NaN and Inf: compile them without -ffast-math"
#elif defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "ffn kernels promise exact bits: -fno-associative-math -fno-reciprocal-math -fsigned-zeros"
#elif FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error "ffn kernels promise exact bits, unlike the x87: compile them with -mfpmath=sse -msse2"
#elif FLT_RADIX != 2 || FLT_MANT_DIG != 24
#error "ffn kernels promise exact bits of IEEE 754: this float has others"
#elif DBL_MANT_DIG != 53
#error "ffn kernels promise exact bits by a double of 8 bytes: -mdouble=64 on AVR and its like"
#elif !defined(UINT8_MAX)
#error "ffn kernels promise exact bits, in bytes of 8 of them: this char has more"
#endif

/* clang obeys parts of fast-math of which no macro tells. From FFN_EXACT_BEGIN to FFN_EXACT_END
 * they are off, and then again what they were, on x86, PowerPC, s390, AArch64 from clang 16 on and
 * RISC-V from 19 at the latest. Intrinsics are functions with operators in them, so their header
 * stands in between, unless a host has included it before. For other machines clang keeps the order
 * of sums, and from 18 on divisions; ffn_arithmetic_problem() tells what is left. */
#if defined(__clang__) && __clang_major__ >= 13
#define FFN_EXACT_BEGIN \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-pragmas\"") \
      _Pragma("float_control(precise, on, push)") _Pragma("clang diagnostic pop") \
          FFN_EXACT_OPERATORS
#define FFN_EXACT_END \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-pragmas\"") \
      _Pragma("float_control(pop)") _Pragma("clang diagnostic pop")
#if __clang_major__ >= 18
#define FFN_EXACT_OPERATORS _Pragma("clang fp reassociate(off) reciprocal(off)")
#else
#define FFN_EXACT_OPERATORS _Pragma("clang fp reassociate(off)")
#endif
#else
#define FFN_EXACT_BEGIN
#define FFN_EXACT_END
#endif

/*@ foot */
#endif
/*@ end */
