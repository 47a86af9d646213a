/* What decoding weights adds to the limit of multiply-adds. */
#ifndef BENCH_DECODING_H
#define BENCH_DECODING_H

#include "ffn.h"

/* How many times as long as its multiply-adds alone a call takes at least: a weight is decoded once
 * for all tokens, in instructions that take the place of multiply-adds, and all instructions are
 * more than a CPU starts. 1 where weights are f32. */
double bench_limit(const ffn_kernel *kernel, ffn_isa isa, size_t tokens);

#endif
