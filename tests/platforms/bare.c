/* A layer with its weights in flash, on a machine without a libc: is the hash of its results
 * DIGEST? Where there is a libc (HOSTED), says what that should be. It runs TIMES times over all
 * tokens, BATCH of them at a time; PLAIN: the loop of plain_loop.h does, whose results count for
 * nothing. */
#include "my.h"

#ifdef PLAIN
#include "plain_loop.h"
#endif

#ifndef TIMES
#define TIMES 1
#endif
#ifndef TOKENS
#define TOKENS 5
#endif
#ifndef BATCH
#define BATCH TOKENS
#endif

enum { INPUTS = MY_HEAD_INPUTS, OUTPUTS = MY_HEAD_OUTPUTS };

_Alignas(MY_ALIGNMENT) static unsigned char work[MY_HEAD_WORK_BYTES(TOKENS)];
static float x[TOKENS * INPUTS], y[TOKENS * OUTPUTS];

/* 32-bit FNV-1a of the bytes of y, the lowest first. */
static uint32_t digest(void) {
  uint32_t hash = 0x811c9dc5u;
  for (int i = 0; i < TOKENS * INPUTS; i++)
    x[i] = (float)(i * 29 % 53 - 26) / 16;
  for (int i = 0; i < TIMES; i++)
    for (int t = 0; t < TOKENS; t += BATCH)
#ifdef PLAIN
      (void)work, plain_run(y + t, x + t * INPUTS);
#else
      my_run(my_head(), y + t * OUTPUTS, OUTPUTS, x + t * INPUTS, INPUTS, BATCH, my_head_packed(),
             work, sizeof work, NULL);
#endif
  for (int i = 0; i < TOKENS * OUTPUTS; i++) {
    const union {
      float value;
      uint32_t bits;
    } one = {y[i]};
    for (int shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (one.bits >> shift & 0xff)) * 0x01000193u;
  }
  return hash;
}

#ifdef HOSTED
#include <stdio.h>
int main(void) { return printf("0x%08xu\n", (unsigned)digest()) < 0; }
#else
#include "leave.h"

__attribute__((noreturn)) void _start(void);
void _start(void) { leave(digest() == DIGEST); }
#endif
