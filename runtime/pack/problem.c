/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * problem.c - see problem.h. */
#include "pack/problem.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

int fails(pack_problem *to, int code, const char *where, const char *format, ...) {
  va_list arguments;
  const int head = snprintf(to->text, sizeof to->text, "%.400s: ", where);
  const size_t at = head > 0 ? (size_t)head : 0;
  va_start(arguments, format);
  vsnprintf(to->text + at, sizeof to->text - at, format, arguments);
  va_end(arguments);
  for (char *c = to->text; *c; ++c)
    if ((unsigned char)*c < 32 || *c == 127)
      *c = '?';
  to->code = code;
  return 0;
}
