/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * freestanding.h - what kernels take from a libc, where there is none. Of vendored code that was
 * asked to be freestanding; FFN_MEMCPY and FFN_ASSERT may be defined before.
 */
#ifndef FFN_FREESTANDING_H
#define FFN_FREESTANDING_H

#include <stddef.h>

#define FFN_FLT_MAX 0x1.fffffep127f

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
#define FFN_MEMCPY(to, from, bytes)                                                                \
  (__builtin_constant_p(bytes) && (bytes) <= 16 ? (void)__builtin_memcpy((to), (from), (bytes))    \
                                                : ffn_copy((to), (from), (bytes)))
#else
#define FFN_MEMCPY(to, from, bytes) ffn_copy((to), (from), (bytes))
#endif
#endif

/* 0 where the bytes are equal. */
static inline int ffn_differ(const void *a, const void *b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
      return 1;
  return 0;
}

/* 0 where the strings are equal. */
static inline int ffn_differ_string(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a != *b;
}

#endif
