--- The self-check of mixtures of experts: it holds moes.h to the rule of the spec, and
--- ffn_moe_run() to the layers that it is made of. Each case here breaks one of both.
local json = require 'dkjson'
local support = require 'support'
local unit = require 'luaunit'

TestMoeCheck = {}

local specs = [[
local only = { { isa = { 'c' } } }
moe 'mine' { d_model = 8, experts = 12, top_k = 4, build = only,
  expert = { variant = 'relu', d_ff = 8 },
  router = { score = 'sigmoid', correction = 'score', normalise = true, epsilon = 2^-66, scale = 2,
    groups = { count = 4, take = 2, by = 'two_largest' }, expert_scale = true },
  shared = { d_ff = 6, gate = 'sigmoid' } }
moe 'other' { d_model = 8, experts = 4, top_k = 2, build = only,
  expert = { variant = 'swiglu', d_ff = 4, bias = true, weights = 'bf16' },
  router = { correction = 'score', normalise = true, floor = 1e-12 },
  shared = { variant = 'relu', bias = false, gate = 'mean' } }
moe 'first' { d_model = 8, experts = 3, top_k = 2, build = only,
  expert = { variant = 'relu', d_ff = 8 }, router = { score = 'sqrt_softplus', on = 'input' } }
]]

--- A host's functions in place of those of the runtime, which change what these give.
local host = [[
#include "ffn_moe.h"
#include <stdlib.h>
#include <string.h>
static int is(const char *what) { return strcmp(getenv("BROKEN"), what) == 0; }
void host_route(const ffn_moe_rule *rule, const float *logits, int32_t *numbers, float *weights) {
  ffn_moe_route(rule, logits, numbers, weights);
  if (is("weight"))
    weights[rule->top_k - 1] *= 1.00002f;
  if (is("number"))
    numbers[0] ^= 1;
  if (is("choice") && numbers[0] < 0)
    numbers[0] = 0;
}
ffn_moe_status host_run(const ffn_moe *moe, const ffn_moe_parts *parts, float *y, size_t y_stride,
    const float *x, size_t x_stride, size_t tokens, const ffn_moe_given *given, void *work,
    size_t work_bytes, const ffn_parallel *parallel) {
  const ffn_moe_status status = ffn_moe_run(
      moe, parts, y, y_stride, x, x_stride, tokens, given, work, work_bytes, parallel);
  for (size_t t = 0; t < tokens && is("y"); t++)
    y[t * y_stride + 2] += 0x1p-6f;
  if (is("batch") && tokens > 1)
    y[y_stride] += 0x1p-14f;
  if (is("host") && given)
    y[0] += 0x1p-14f;
  if (is("between"))
    y[moe->outputs] = 0;
  if (is("work"))
    ((char *)work)[work_bytes] = 0;
  return is("absent") && given ? FFN_MOE_ABSENT : status;
}
ffn_moe_told host_tell(const ffn_moe *moe, const void *work, size_t tokens) {
  static int32_t numbers[256];
  static float weights[256];
  ffn_moe_told told = ffn_moe_tell(moe, work, tokens);
  for (size_t i = 0; i < tokens * moe->rule.top_k; i++)
    numbers[i] = told.numbers[i] ^ is("taken"), weights[i] = told.weights[i];
  weights[0] *= is("given") ? 1.00002f : 1;
  told.numbers = numbers, told.weights = weights;
  return told;
}
]]

--- A folder whose objects are compiled, but for the self-check.
local function compiled()
  local folder = support.user_folder(specs)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'k' }, { dir = folder }), 0,
    'generate')
  support.write(folder .. '/host.c', host)
  support.assert_code(support.run({ 'sh', '-c', 'cc -O0 -c -Ik host.c && cd k && '
    .. 'mv selfcheck.c selfcheck.inc && cc -O0 -c *.c' }, { dir = folder }), 0, 'cc')
  return folder
end

--- The command that compiles the self-check of such a folder, with further flags.
local function check(flags)
  return 'cc -x c -std=c11 -O0 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Ik '
    .. (flags or '') .. ' -c k/selfcheck.inc -o check.o && '
    .. 'cc check.o k/*.o host.o -lm -o check && ./check'
end

local function expect_wrong(result, name, what)
  support.assert_code(result, 1, what)
  local line = result.out:match(('\n(%s[^\n]*)'):format(name))
  support.assert_has(line, what, result.out)
end

--- Sound mixtures pass; results that are not, for one reason or another, do not.
function TestMoeCheck.test_results()
  local folder = compiled()
  local result = support.run({ 'sh', '-c', 'export BROKEN=; ' .. check('-Dffn_moe_run=host_run '
    .. '-Dffn_moe_route=host_route -Dffn_moe_tell=host_tell') }, { dir = folder })
  support.assert_code(result, 0, result.out .. result.err)
  support.assert_has(result.out, '13 passed, 0 failed, 0 skipped', 'lines of mixtures')
  for _, case in ipairs {
    { 'weight', 'mine ', 'an expert has another weight than the rule says' },
    { 'number', 'mine ', 'other experts are chosen than the rule says' },
    { 'choice', 'mine ', 'a NaN among the logits, and a choice' },
    { 'y', 'mine, c', 'error beyond the bound' },
    { 'batch', 'mine, c', 'other bits than another batch' },
    { 'host', 'first, c', 'other bits than another batch, instruction set or host' },
    { 'between', 'other, c', 'writes outside the rows of y' },
    { 'work', 'other, c', 'writes behind its work memory' },
    { 'absent', 'other, c', 'finds an expert missing' },
    { 'taken', 'mine, c', 'other experts are chosen than the rule says' },
    { 'given', 'first, c', 'an expert has another weight than the rule says' },
  } do
    result = support.run({ 'sh', '-c', 'BROKEN=' .. case[1] .. ' ./check' }, { dir = folder })
    expect_wrong(result, case[2], case[3])
  end
end

--- A constant of moes.h that is not what the spec says.
function TestMoeCheck.test_rules()
  local folder = compiled()
  local text = support.read(folder .. '/k/moes.h'):gsub(',\n +', ', ')
  for _, case in ipairs {
    { '{12, 4, FFN_MOE_SIGMOID', '{12, 3, FFN_MOE_SIGMOID', 'mine', 'other numbers of experts' },
    { 'FFN_MOE_SIGMOID', 'FFN_MOE_SQRT_SOFTPLUS', 'mine', 'experts are chosen' },
    { 'NULL, 4, 2, 1', 'NULL, 4, 3, 1', 'mine', 'other experts are chosen' },
    { 'NULL, 4, 2, 1', 'NULL, 2, 2, 1', 'mine', 'other experts are chosen' },
    { 'NULL, 4, 2, 1', 'NULL, 4, 2, 0', 'mine', 'other experts are chosen' },
    { '1, 1.3552527e-20f', '1, 0', 'mine', 'another weight' },
    { '2.0f, 0}', '4.0f, 0}', 'mine', 'another weight' },
    { '2.0f, 0}, 1', '2.0f, 0}, 0', 'mine', 'another rule' },
    { '2.0f, 0}', '2.0f, 1}', 'mine', 'another rule' },
    { 'SHARED_SIGMOID', 'SHARED', 'mine, c', 'router_kernel has other sizes' },
    { '"ffn_relu_d8_f6_f32"', '"ffn_relu_d8_f8_f32"', 'mine', 'names other layers' },
    { '0, 0, 0, 1, 0, 1e-12f', '0, 0, 0, 0, 0, 1e-12f', 'other', 'another weight' },
    { ' 1e-12f', ' 0', 'other', 'another weight' },
    { 'SHARED_MEAN', 'SHARED', 'other, c', 'error beyond the bound' },
    { 'NULL, 0, 1}', 'NULL, 0, 0}', 'first', 'another rule' },
  } do
    local first, last = text:find(case[1], 1, true)
    unit.assertNotNil(first, case[1] .. '\n' .. text)
    support.write(folder .. '/k/moes.h', text:sub(1, first - 1) .. case[2] .. text:sub(last + 1))
    expect_wrong(support.run({ 'sh', '-c', check() }, { dir = folder }), case[3], case[4])
  end
end

--- A vendored folder checks the same, in one source, too.
local function check_vendored(...)
  local folder = support.user_folder(specs)
  support.assert_code(support.ffngen({ 'vendor', 'my.lua', '--prefix', 'own', '--layer',
    'first_expert,first_router', '--out', 'v', ... }, { dir = folder }), 0, 'vendor')
  local function checked()
    return support.run({ 'sh', '-c', 'cc -O0 -Wall -Wextra -Werror -Wconversion v/*.c -lm -o check '
      .. '&& ./check' }, { dir = folder })
  end
  local result = checked()
  support.assert_code(result, 0, result.out .. result.err)
  support.assert_has(result.out, '4 passed, 0 failed, 0 skipped', 'lines')
  local header = folder .. (... == '--header-only' and '/v/own.h' or '/v/own_moes.h')
  local text = support.read(header)
  local wrong, count = text:gsub('{3, 2, OWN_MOE_SQRT_SOFTPLUS', '{3, 2, OWN_MOE_SIGMOID')
  unit.assertEquals(count, 1)
  support.write(header, wrong)
  expect_wrong(checked(), 'first', 'another weight')
end
function TestMoeCheck.test_vendored() check_vendored() end
function TestMoeCheck.test_vendored_source() check_vendored '--single-file' end
function TestMoeCheck.test_vendored_header() check_vendored '--header-only' end

--- What explain tells of a mixture, and list.
function TestMoeCheck.test_told()
  local folder = support.user_folder(specs)
  local function told(...)
    local result = support.ffngen({ ... }, { dir = folder })
    support.assert_code(result, 0, table.concat({ ... }, ' '))
    return result.out
  end
  unit.assertEquals(told('explain', 'mine', 'my.lua'), [[
moe mine (my.lua:2)
  12 experts, of which a token takes 4; d_model 8
  y = sigmoid(the router's last output) * shared(x) + sum of weight * expert(x), in ascending order
  score    sigmoid of the logit
  key      score + correction
  groups   4 of 3 experts, of which 2 are taken: those with the largest sum of two keys
  chosen   4 with the largest keys in these groups
  weight   score / (sum of the chosen scores + 1.3552527e-20) * expert_scale * 2
  expert   mine_expert, ffn_relu_d8_f8_f32, packed weights 1088 B
  shared   mine_shared, ffn_relu_d8_f6_f32, packed weights 960 B
  router   mine_router, linear_d8_to_logits12_gate1_f32, packed weights 1088 B
  packed weights 14.8 KiB, of which a token reads 6400 B
]])
  local other = told('explain', 'other', 'my.lua')
  for _, line in ipairs { 'y = 0.5 * shared(x) + sum of 0.5 * weight * expert(x), ',
    'weight   score / max(sum of the chosen scores, 1e-12)\n' } do
    support.assert_has(other, line, other)
  end
  local first = told('explain', 'first', 'my.lua')
  for _, line in ipairs { '  y = sum of expert(weight * x), ', 'chosen   2 with the largest keys\n',
    'key      logit\n', 'weight   score\n' } do
    support.assert_has(first, line, first)
  end
  support.assert_has(told('list', 'my.lua'), ('\n%-60s %s\n'):format('mine',
    'mixture of 12 experts, of which a token takes 4, with a shared expert'), 'list')
  local mixtures = json.decode(told('list', 'my.lua', '--json')).mixtures
  unit.assertEquals(#mixtures, 3)
  unit.assertEquals(mixtures[1], { name = 'mine', d_model = 8, experts = 12, top_k = 4,
    rule = 'experts 12, top_k 4, score sigmoid, correction score, split 4, take 2, '
      .. 'by two_largest, normalise true, epsilon 1.35525272e-20, expert_scale true, scale 2, '
      .. 'expert ffn_relu_d8_f8_f32, router linear_d8_to_logits12_gate1_f32, '
      .. 'shared ffn_relu_d8_f6_f32, gate sigmoid', expert_layer = 'ffn_relu_d8_f8_f32',
    shared_layer = 'ffn_relu_d8_f6_f32',
    router_layer = 'linear_d8_to_logits12_gate1_f32', packed_bytes = 15104, token_bytes = 6400 })
  support.assert_has(support.ffngen({ 'explain', 'min', 'my.lua' }, { dir = folder }).err,
    'did you mean "mine"', 'explain')
end
