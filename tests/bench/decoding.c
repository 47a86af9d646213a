#include "decoding.h"

typedef struct takes {
  ffn_format format;
  ffn_isa isa;
  double all, multiplying; /* instructions for a vector of weights and one token */
} takes;

static const takes all_takes[] = {
#define BENCH_TAKES(FORMAT, ISA, all, multiplying)                                                 \
  {FFN_FORMAT_##FORMAT, FFN_ISA_##ISA, all, multiplying},
#include "instructions.inc"
#undef BENCH_TAKES
};

/* Vector instructions that a CPU starts in the time of a multiply-add: AMD has four pipes, two of
 * which multiply; Intel three, two of which multiply, and two of 512 bits, which both do. */
static double started(ffn_isa isa) {
  const int intel = (ffn_cpu() & FFN_CPU_BIT(FFN_PROFILE_INTEL)) != 0;
  return !intel ? 2.0 : isa == FFN_ISA_AVX512 ? 1.0 : 1.5;
}

/* The time of a vector of weights for all tokens, in multiply-adds. */
static double of_stage(const ffn_stage *stage, ffn_isa isa, double tokens) {
  for (size_t i = 0; i < sizeof all_takes / sizeof *all_takes; ++i) {
    const takes *t = &all_takes[i];
    if (t->format != stage->format || t->isa != isa)
      continue;
    const double multiplying = t->multiplying + tokens - 1;
    const double all = (t->all + tokens - 1) / started(isa);
    return all > multiplying ? all : multiplying;
  }
  return tokens;
}

double bench_limit(const ffn_kernel *kernel, ffn_isa isa, size_t tokens) {
  double least = 0, weights = 0;
  for (size_t s = 0; s < kernel->stage_count; ++s) {
    const ffn_stage *stage = &kernel->stages[s];
    const double own = (double)(stage->inputs * stage->outputs * stage->branches);
    least += own * of_stage(stage, isa, (double)tokens);
    weights += own;
  }
  return least / (weights * (double)tokens);
}
