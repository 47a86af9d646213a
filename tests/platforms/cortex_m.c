/* Starts a bare-metal program on a Cortex-M4F: the vector table, and the FPU turned on. */
#include <stdint.h>

extern void _start(void);

static void reset(void) {
  volatile uint32_t *const coprocessors = (volatile uint32_t *)0xe000ed88u;
  *coprocessors |= 0xfu << 20;
  __asm__ volatile("dsb\n\tisb");
  _start();
}

typedef void (*vector)(void);
/* The stack begins at the end of the board's memory; what else could be called, the tests do not.
 */
__attribute__((section(".vectors"), used)) static const vector vectors[] = {(vector)0x400000u,
                                                                            reset};
