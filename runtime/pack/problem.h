/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * problem.h - what is wrong, in one sentence, and the exit code that it comes to. */
#ifndef FFN_PACK_PROBLEM_H
#define FFN_PACK_PROBLEM_H

/* Exit codes, as ffngen's. */
enum { code_failure = 1, code_usage = 2, code_differs = 3, code_bad_input = 4 };

typedef struct pack_problem {
  int code; /* 0: none */
  char text[1000];
} pack_problem;

#if defined(__GNUC__)
#define PROBLEM_FORMAT(at, first) __attribute__((format(printf, at, first)))
#else
#define PROBLEM_FORMAT(at, first)
#endif

/* Notes what is wrong, `where` of it in front; gives 0, which functions return that fail. What a
 * stranger wrote stands in it without control characters. */
int fails(pack_problem *to, int code, const char *where, const char *format, ...)
    PROBLEM_FORMAT(4, 5);

#endif
