/* What every kernel includes. The intrinsics take longer to read than a small kernel takes to
 * compile, so each way of compiling reads them once. */
#include "kernel.h"
#if FFN_ARCH_X86
#include <immintrin.h>
#elif FFN_ARCH_ARM64
#include <arm_neon.h>
#endif
