/* SPDX-License-Identifier: 0BSD OR MIT-0
 *
 * Every activation, and exp, as a function over an array: ${isa.title}. For tests and measurements.
 */
#include "activation_table.h"
#include "kernel.h"

#include <math.h>

FFN_EXACT_BEGIN
% if isa.arch ~= '' then
#if ${isa.arch}
% end
% if isa.include ~= '' then
#include <${isa.include}>
% end
% for _, a in ipairs(activations) do

${doubles(a)}

static const ffn_test_special special_${a.name}[] = {
    {0, 0},
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

static void run_${a.name}(
    float *y, const float *x, const float *up, size_t n, const float *parameters) {
  (void)up, (void)parameters;
  for (size_t i = 0; i < n; i += ${isa.lanes}) {
    float lanes[${isa.lanes}] = {0};
    const size_t count = ffn_min(${isa.lanes}, n - i);
    memcpy(lanes, x + i, count * sizeof *x);
    const ${isa.vec} first = ${word('loadu', 'lanes')};
%   if a.both then
    memcpy(lanes, up + i, count * sizeof *up);
    const ${isa.vec} second = ${word('loadu', 'lanes')};
%   end
    const ${isa.vec} value = act_${a.name}(${arguments(a)});
    ${word('storeu', 'lanes', 'value')};
    memcpy(y + i, lanes, count * sizeof *y);
  }
}
% if a.gradient then

${gradient_text(a)}

static void gradient_${a.name}(
    float *y, float *const *by, const float *x, const float *up, size_t n,
    const float *parameters) {
  (void)up, (void)parameters;
  for (size_t i = 0; i < n; i += ${isa.lanes}) {
    float lanes[${isa.lanes}] = {0};
    const size_t count = ffn_min(${isa.lanes}, n - i);
    memcpy(lanes, x + i, count * sizeof *x);
    const ${isa.vec} first = ${word('loadu', 'lanes')};
%   if a.both then
    memcpy(lanes, up + i, count * sizeof *up);
    const ${isa.vec} second = ${word('loadu', 'lanes')};
%   end
%   for _, d in ipairs(derivatives_of(a)) do
    ${isa.vec} by_${d.name};
%   end
    const ${isa.vec} value = act_${a.name}_gradient(${arguments(a)}, ${pointers(a)});
    ${word('storeu', 'lanes', 'value')};
    memcpy(y + i, lanes, count * sizeof *y);
%   for _, d in ipairs(derivatives_of(a)) do
    ${word('storeu', 'lanes', 'by_' .. d.name)};
    memcpy(by[${d.index}] + i, lanes, count * sizeof *y);
%   end
  }
}
% end
% end

const ffn_test_activation ffn_test_activations_${isa.name}[] = {
% for _, a in ipairs(activations) do
    {"${a.name}", FFN_ISA_${upper(isa.name)}, run_${a.name}, ${number(a.contract.ulp)}, ${a.contract.ulp_from and number(a.contract.ulp_from) or '-INFINITY'},
     ${a.least and number(a.least) or '-INFINITY'}, ${number(a.contract.relative)}, ${number(a.contract.absolute)},
     ${#a.parameters}, ${int(a.both)}, ${int(a.running)}, derivative_${a.name}, spread_${a.name}, error_${a.name},
     ${a.gradient and 'gradient_' .. a.name or 'NULL'}, textbook_${a.name}, special_${a.name} + 1, ${#a.special}},
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
FFN_EXACT_END
