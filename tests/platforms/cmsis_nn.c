/* A chain of layers by CMSIS-NN's arm_fully_connected_s8, on a Cortex-M without a libc: is each
 * byte what plain loops give? SIZES are the inputs and the outputs of each layer. Layers but the
 * last end in ReLU. The chain runs TIMES times. OFF is added to what plain loops give. */
#include "arm_nnfunctions.h"
#include "leave.h"

#ifndef TIMES
#define TIMES 1
#endif
#ifndef OFF
#define OFF 0
#endif

static const int32_t sizes[] = {SIZES};
enum { LAYERS = sizeof sizes / sizeof *sizes - 1, MOST = 256, ZERO = 3 };

/* All layers have the first of these weights. rows[n] is what layer n reads. */
static int8_t weights[MOST * MOST], rows[LAYERS + 1][MOST], plain[MOST];
static int32_t bias[MOST];

/* What a layer is told: scales are static, and ReLU is the least byte of a row. */
typedef struct {
  cmsis_nn_fc_params layer;
  cmsis_nn_per_tensor_quant_params scale;
} told;

static told told_of(int n) {
  int32_t shift = -6;
  for (int32_t k = sizes[n]; k > 1; k /= 4)
    shift--;
  return (told){{.input_offset = n == 0 ? -ZERO : 128,
                 .filter_offset = 0,
                 .output_offset = n + 1 < LAYERS ? -128 : 0,
                 .activation = {-128, 127}},
                {0x5a3c1b7d, shift}};
}

static void run(const told *all) {
  const cmsis_nn_context no_buffer = {NULL, 0};
  for (int n = 0; n < LAYERS; n++) {
    const cmsis_nn_dims in = {1, 1, 1, sizes[n]}, matrix = {sizes[n], 1, 1, sizes[n + 1]};
    const cmsis_nn_dims out = {1, 1, 1, sizes[n + 1]};
    arm_fully_connected_s8(&no_buffer, &all[n].layer, &all[n].scale, &in, rows[n], &matrix, weights,
                           &out, bias, &out, rows[n + 1]);
  }
}

/* sum * multiplier / 2^31, rounded; and that / 2^-shift, rounded, halves away from zero. */
static int32_t scaled(int32_t sum, cmsis_nn_per_tensor_quant_params scale) {
  const int64_t product = (int64_t)sum * scale.multiplier + (1 << 30);
  const int32_t high = (int32_t)(product >> 31), size = high < 0 ? -high : high;
  const int32_t rounded = (size + (1 << (-scale.shift - 1))) >> -scale.shift;
  return high < 0 ? -rounded : rounded;
}

static void plain_row(int n, told one) {
  for (int32_t o = 0; o < sizes[n + 1]; o++) {
    int32_t sum = bias[o];
    for (int32_t k = 0; k < sizes[n]; k++)
      sum += (rows[n][k] + one.layer.input_offset) * weights[o * sizes[n] + k];
    sum = scaled(sum, one.scale) + one.layer.output_offset;
    plain[o] = (int8_t)(sum < -128 ? -128 : sum > 127 ? 127 : sum);
  }
}

__attribute__((noreturn)) void _start(void);
void _start(void) {
  static told all[LAYERS];
  for (int i = 0; i < MOST * MOST; i++)
    weights[i] = (int8_t)(i * 29 % 251 - 125);
  for (int i = 0; i < MOST; i++) {
    bias[i] = i * 37 % 1009 - 504;
    rows[0][i] = (int8_t)(i * 41 % 253 - 126);
  }
  for (int n = 0; n < LAYERS; n++)
    all[n] = told_of(n);
  for (int i = 0; i < TIMES; i++)
    run(all);
  int fine = 1, least = 127, most = -128;
  for (int n = 0; n < LAYERS; n++) {
    plain_row(n, all[n]);
    for (int32_t o = 0; o < sizes[n + 1]; o++) {
      fine &= plain[o] + OFF == rows[n + 1][o];
      least = plain[o] < least ? plain[o] : least;
      most = plain[o] > most ? plain[o] : most;
    }
  }
  leave(fine && least < most);
}
