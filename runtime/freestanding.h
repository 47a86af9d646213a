/*@ head */
/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * freestanding.h - what kernels take from a libc, where there is none. Of vendored code that was
 * asked to be freestanding. */
#ifndef FFN_FREESTANDING_H
#define FFN_FREESTANDING_H

#include <stddef.h>
/*@ end */

/* What a kernel takes from a libc, where there is none: yours where you define it before. */
#ifndef FFN_ASSERT
#define FFN_ASSERT(condition) ((void)0)
#endif

#ifndef FFN_MEMCPY
/* A byte at a time, in a loop that a compiler cannot take for memcpy(). */
static inline void ffn_copy(void *to, const void *from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
#if defined(__GNUC__)
    __asm__ volatile("" ::: "memory");
#endif
  }
}

/* What is small and of known size is a move or two; the rest is no hot loop. */
#if defined(__GNUC__)
#define FFN_MEMCPY(to, from, bytes) \
  (__builtin_constant_p(bytes) && (bytes) <= 16 ? (void)__builtin_memcpy((to), (from), (bytes)) \
                                                : ffn_copy((to), (from), (bytes)))
#else
#define FFN_MEMCPY(to, from, bytes) ffn_copy((to), (from), (bytes))
#endif
#endif

/*@ foot */
#endif
/*@ end */
