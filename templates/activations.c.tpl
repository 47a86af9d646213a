/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * Every activation, and exp, as a function over an array: ${isa.title}. For tests and measurements.
 */
#include "activation_table.h"
#include "kernel.h"

#include <math.h>

% if isa.arch ~= '' then
#if ${isa.arch}
% end
% if isa.include ~= '' then
#include <${isa.include}>
% end
% for _, a in ipairs(activations) do

static double derivative_${a.name}(double x, double beta) {
  (void)x, (void)beta;
  return ${a.derivative};
}
% if a.curvature then

static double curvature_${a.name}(double x, double dx, double beta) {
  (void)x, (void)dx, (void)beta;
  return ${a.curvature};
}
% end
% if a.parameter then

static double turn_${a.name}(double x, double beta) {
  return ${a.turn};
}

static double turn_spread_${a.name}(double x, double dx, double beta) {
  return ${a.turn_spread};
}

static double turn_error_${a.name}(double turn, double beta) {
  return ${a.turn_error};
}
% end

static const ffn_test_special special_${a.name}[] = {
%   for _, pair in ipairs(a.special) do
    {${special(pair[1])}, ${special(pair[2])}},
%   end
};
% end

${target_begin}
% if isa.helpers ~= '' then

${isa.helpers}
% end
% for _, a in ipairs(activations) do

${activation_text(a)}

static void run_${a.name}(float *y, const float *x, size_t n, float beta) {
% if a.parameter then
  const ${isa.vec} b = ${word('splat', 'beta')};
% else
  (void)beta;
% end
  for (size_t i = 0; i < n; i += ${isa.lanes}) {
    float lanes[${isa.lanes}] = {0};
    const size_t count = ffn_min(${isa.lanes}, n - i);
    memcpy(lanes, x + i, count * sizeof *x);
% if a.parameter then
    const ${isa.vec} value = act_${a.name}(${word('loadu', 'lanes')}, b);
% else
    const ${isa.vec} value = act_${a.name}(${word('loadu', 'lanes')});
% end
    ${word('storeu', 'lanes', 'value')};
    memcpy(y + i, lanes, count * sizeof *y);
  }
}
% if a.gradient then

${gradient_text(a)}

static void gradient_${a.name}(
    float *y, float *slope, float *turn, const float *x, size_t n, float beta) {
% if a.parameter then
  const ${isa.vec} b = ${word('splat', 'beta')};
% else
  (void)beta, (void)turn;
% end
  for (size_t i = 0; i < n; i += ${isa.lanes}) {
    float lanes[${isa.lanes}] = {0};
    const size_t count = ffn_min(${isa.lanes}, n - i);
    memcpy(lanes, x + i, count * sizeof *x);
    ${isa.vec} steep;
% if a.parameter then
    ${isa.vec} by_beta;
    const ${isa.vec} value = act_${a.name}_gradient(${word('loadu', 'lanes')}, b, &steep, &by_beta);
% else
    const ${isa.vec} value = act_${a.name}_gradient(${word('loadu', 'lanes')}, &steep);
% end
    ${word('storeu', 'lanes', 'value')};
    memcpy(y + i, lanes, count * sizeof *y);
    ${word('storeu', 'lanes', 'steep')};
    memcpy(slope + i, lanes, count * sizeof *slope);
% if a.parameter then
    ${word('storeu', 'lanes', 'by_beta')};
    memcpy(turn + i, lanes, count * sizeof *turn);
% end
  }
}
% end
% end

const ffn_test_activation ffn_test_activations_${isa.name}[] = {
% for _, a in ipairs(activations) do
    {"${a.name}", FFN_ISA_${upper(isa.name)}, run_${a.name}, ${number(a.contract.ulp)}, ${a.contract.ulp_from and number(a.contract.ulp_from) or '-INFINITY'},
     ${number(a.contract.relative)}, ${number(a.contract.absolute)}, ${a.parameter and 1 or 0},
     derivative_${a.name}, ${a.curvature and 'curvature_' .. a.name or 'NULL'},
     ${a.gradient and 'gradient_' .. a.name or 'NULL'}, ${a.gradient and number(a.slope_error) or '0.0f'},
     ${a.parameter and ('turn_%s, turn_spread_%s, turn_error_%s'):format(a.name, a.name, a.name) or 'NULL, NULL, NULL'}, special_${a.name}, ${#a.special}},
% end
};
const size_t ffn_test_activation_count_${isa.name} = ${#activations};

${target_end}
% if isa.arch ~= '' then
#else
const ffn_test_activation ffn_test_activations_${isa.name}[1] = {{0}}; /* not on this machine */
const size_t ffn_test_activation_count_${isa.name} = 0;
#endif
% end
