/* Starts a bare-metal program on a Cortex-M: the vector table, and the FPU turned on. */
#include <stdint.h>

#ifndef STACK /* where it begins: the end of the board's memory */
#define STACK 0x400000u
#endif

extern void _start(void);

static void reset(void) {
#ifdef __ARM_FP
  volatile uint32_t *const coprocessors = (volatile uint32_t *)0xe000ed88u;
  *coprocessors |= 0xfu << 20;
  __asm__ volatile("dsb\n\tisb");
#endif
  _start();
}

typedef void (*vector)(void);
/* What else could be called, the tests do not. */
__attribute__((section(".vectors"), used)) static const vector vectors[] = {(vector)STACK, reset};
