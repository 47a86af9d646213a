--- Mixtures of experts: what their code in runtime/ is made of, their specs, and layers of specs,
--- which are compared with a loop over run().
local mixture_text = require 'emit.mixtures'
local mixtures = require 'lower.mixtures'
local moe_scores = require 'moe_scores'
local refusal = require 'refusal'
local spec = require 'read.spec'
local support = require 'support'
local unit = require 'luaunit'

TestMoe = {}

--- Routers compute scores as kernels compute activations: runtime/moe_scores.h is what their graphs
--- give. `lua5.4 tests/support/moe_scores.lua` makes the file.
function TestMoe.test_scores()
  unit.assertEquals(support.read(support.project .. '/runtime/moe_scores.h'), moe_scores.text())
end

--- The classes of transformers once more, where the packages are installed.
function TestMoe.test_routers_made_again()
  local python, made = os.getenv 'PYTHON' or 'python3', 0
  for _, name in ipairs { 'routers', 'mixtures' } do
    local run = support.run { python, ('%s/tests/data/%s.py'):format(support.root, name) }
    local is_other = run.err:find('ModuleNotFoundError', 1, true)
      or run.err:find(('made %s.inc'):format(name), 1, true)
    if not is_other then
      unit.assertEquals(run.code, 0, run.err)
      made = made + 1
    end
  end
  unit.skipIf(made == 0, 'no python3 with its transformers and torch')
end

-- Specs -------------------------------------------------------------------------------------------

--- The text of a spec, of which some fields are replaced.
local function text_of(fields)
  local own = { d_model = '48', experts = '6', top_k = '2',
    expert = "{ variant = 'swiglu', d_ff = d_model * 2 }" }
  local lines = {}
  for key, value in pairs(fields) do own[key] = value end
  for _, key in ipairs { 'd_model', 'experts', 'top_k', 'expert', 'router', 'shared', 'max_tokens',
    'backward', 'build' } do
    if own[key] then lines[#lines + 1] = ('  %s = %s,'):format(key, own[key]) end
  end
  return ("moe 'mine' {\n%s\n}\n"):format(table.concat(lines, '\n'))
end

local function specs_of(fields) return spec.of_text('my.lua', text_of(fields), {}) end

--- The specs of a mixture are those of its layers.
function TestMoe.test_layers()
  local specs = specs_of { shared = "{ d_ff = 7, gate = 'sigmoid', weights = 'bf16' }",
    router = "{ bias = true, weights = 'f16' }", max_tokens = '8' }
  local told = {}
  for i, s in ipairs(specs) do
    told[i] = ('%s: %s %d -> %s -> %d %s %s %d'):format(s.name, s.kind, s.d_model, s.d_ff, s.d_out,
      s.weights[1], s.bias, s.max_tokens)
  end
  unit.assertEquals(told, {
    'mine_expert: ffn 48 -> 96 -> 48 f32 false 8', 'mine_shared: ffn 48 -> 7 -> 48 bf16 false 8',
    'mine_router: linear 48 -> nil -> 7 f16 true 8',
  })
  local m = mixtures.of(specs)
  unit.assertEquals(#m, 1)
  unit.assertEquals({ m[1].expert_layer, m[1].shared_layer, m[1].router_layer, m[1].shared },
    { 'ffn_swiglu_d48_f96_f32', 'ffn_swiglu_d48_f7_bf16', 'linear_bias_d48_to_logits6_gate1_f16',
      'sigmoid' })
  table.remove(specs)
  unit.assertEquals(mixtures.of(specs), {}) -- a layer was left out
  unit.assertEquals(#specs_of {}, 2)
end

--- A router that says nothing: the softmax of all.
function TestMoe.test_rule()
  unit.assertEquals(mixtures.of(specs_of {})[1].rule, {
    experts = 6, top_k = 2, score = 'softmax', correction = 'none', split = 0, take = 0,
    by_two = false, normalise = false, epsilon = 0.0, floor = 0.0, expert_scale = false,
    scale = 0.0, on_input = false,
  })
  local all = specs_of { router = "{ score = 'sigmoid', correction = 'score', groups = { count = 3,"
    .. " take = 2, by = 'two_largest' }, normalise = true, epsilon = 2^-66, expert_scale = true, "
    .. "scale = 2.5, on = 'input' }" }
  unit.assertEquals(mixtures.of(all)[1].rule, {
    experts = 6, top_k = 2, score = 'sigmoid', correction = 'score', split = 3, take = 2,
    by_two = true, normalise = true, epsilon = 2.0^-66, floor = 0.0, expert_scale = true,
    scale = 2.5, on_input = true,
  })
end

--- Each number of a rule is where its field stands in ffn_moe_rule.
function TestMoe.test_constant()
  local router = "{ score = 'sigmoid', correction = 'score', groups = { count = 3, take = 2, "
    .. "by = 'two_largest' }, normalise = true, epsilon = 1, expert_scale = true, scale = 4, "
    .. "on = 'input' }"
  local text = mixture_text.header(mixtures.of(specs_of { router = router }), '/*', 'ffn')
  support.assert_has(text:gsub('%s+', ' '), '{ "mine", 48, 48, {6, 2, FFN_MOE_SIGMOID, '
    .. 'FFN_MOE_SCORE_CORRECTED, NULL, 3, 2, 1, 1, 1.0f, 0, NULL, 4.0f, 1}, 1, '
    .. 'FFN_MOE_NONE_SHARED, "ffn_swiglu_d48_f96_f32", NULL, "linear_d48_o6_f32"};', 'moes.h')
end

--- What is refused, and on which line.
function TestMoe.test_refused()
  for _, case in ipairs {
    { { top_k = '7' }, 4, 'top_k = 7 of experts = 6' },
    { { experts = '1025' }, 3, 'at most 1024' },
    { { expert = '3' }, 5, 'expert must be a table' },
    { { expert = '{ d_ff = 3 }' }, 5, 'ffn "mine_expert": field "variant" is missing' },
    { { expert = "{\nvariant = 'swigl', d_ff = 3 }" }, 6, 'unknown variant "swigl"' },
    { { expert = "{ variant = 'relu', d_ff = 3,\nd_model = 3 }" }, 6, 'd_model is no field of an '
      .. 'expert: write it in moe itself' },
    { { expert = "{ variant = 'relu', d_ff = 3,\nbackward = true }" }, 6,
      'backward is no field of an expert' },
    { { backward = 'true' }, 6, 'unknown field "backward"' },
    { { shared = "{\ngate = 'tanh' }" }, 7, 'unknown gate "tanh"' },
    { { router = "{\nscore = 'softmx' }" }, 7, 'unknown score "softmx" (did you mean "softmax"' },
    { { router = "{\nscores = 1 }" }, 7, 'router: unknown field "scores"' },
    { { router = "{ normalise = true,\nepsilon = -1 }" }, 7, 'at least 0' },
    { { router = "{ normalise = true,\nfloor = 1e-60 }" }, 7, 'a number of f32' },
    { { router = "{ normalise = true, epsilon = 1,\nfloor = 1 }" }, 7, 'give one' },
    { { router = "{\nepsilon = 1 }" }, 7, 'normalise = true' },
    { { router = "{\nweights = 'q4_0' }" }, 7, 'unknown weights "q4_0"' },
    { { router = "{ groups = {\ncount = 4, take = 1 } }" }, 7, 'count = 4 does not divide' },
    { { router = "{ groups = { count = 6,\ntake = 1 } }" }, 7, 'have no top_k = 2 experts' },
    { { router = "{ groups = { count = 6, take = 2,\nby = 'two_largest' } }" }, 7,
      'a group of one expert' },
  } do
    local text = refusal.of(case[3], specs_of, case[1])
    support.assert_has(text, ('my.lua:%d: '):format(case[2]), text)
    support.assert_has(text, case[3], text)
  end
  local taken = text_of {} .. "linear 'mine_router' { d_model = 4, d_out = 4 }\n"
  support.assert_has(refusal.of('taken', spec.of_text, 'my.lua', taken, {}),
    'the name is taken at my.lua:1')
end

-- Layers ------------------------------------------------------------------------------------------

local program = [==[
#include "ffn_file.h"
#include "ffn_moe.h"
#include "moes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { D = 48, TOKENS = 9, MOST = 8, FLOATS = D * 200 };
static uint32_t state = 7;
static float next(void) {
  state = state * 1664525u + 1013904223u;
  return (float)(state >> 8) / 8388608.0f - 1.0f;
}
static void *packed_of(const ffn_kernel *k) {
  static float floats[4][FLOATS];
  for (size_t i = 0; i < 4 * FLOATS; i++)
    floats[i / FLOATS][i % FLOATS] = next() / 4;
  const ffn_linear chain[2] = {{.weight = floats[0]}, {.weight = floats[1]}};
  const ffn_weights w = {.gate.weight = floats[0], .up.weight = floats[1],
                         .down.weight = floats[2], .chain = k->hidden ? NULL : chain};
  void *packed = ffn_alloc(k->packed_bytes);
  k->pack(packed, &w);
  return packed;
}
static void add(const ffn_kernel *k, float *y, const float *x, const void *packed, float by,
                float on_x) {
  float in[D], o[D];
  for (int i = 0; i < D; i++)
    in[i] = x[i] * on_x;
  const size_t bytes = ffn_work_bytes(k, 1, 1);
  void *work = ffn_alloc(bytes);
  ffn_run(k, o, D, in, D, 1, packed, work, bytes, NULL);
  for (int i = 0; i < D; i++)
    y[i] = fmaf(by, o[i], y[i]);
  ffn_free(work);
}
static int wrong(const ffn_moe *moe) {
  const void *experts[MOST] = {NULL};
  float x[TOKENS * D], y[TOKENS * D], scale[MOST], correction[MOST];
  ffn_moe_parts parts = {.experts = experts};
  if (!ffn_moe_find(moe, 0, ffn_cpu(), &parts))
    return 1;
  for (size_t e = 0; e < moe->rule.experts; e++)
    experts[e] = packed_of(parts.expert_kernel), scale[e] = next(), correction[e] = next();
  if (parts.shared_kernel)
    parts.shared = packed_of(parts.shared_kernel);
  parts.router = packed_of(parts.router_kernel);
  parts.expert_scale = moe->scales_experts ? scale : NULL;
  parts.correction = moe->rule.corrected ? correction : NULL;
  for (size_t i = 0; i < TOKENS * D; i++)
    x[i] = next();
  if (ffn_moe_problem(moe, &parts))
    return puts(ffn_moe_problem(moe, &parts)), 1;
  const size_t bytes = ffn_moe_work_bytes(moe, &parts, 1, TOKENS);
  void *work = ffn_alloc(bytes);
  if (ffn_moe_run(moe, &parts, y, D, x, D, TOKENS, NULL, work, bytes, NULL))
    return 1;
  ffn_moe_rule rule = moe->rule;
  rule.correction = parts.correction, rule.expert_scale = parts.expert_scale;
  for (size_t t = 0; t < TOKENS; t++) {
    float logits[MOST + 1], row[D], weights[MOST];
    int32_t numbers[MOST];
    ffn_run(parts.router_kernel, logits, MOST + 1, x + t * D, D, 1, parts.router, work, bytes,
            NULL);
    ffn_moe_route(&rule, logits, numbers, weights);
    for (int i = 0; i < D; i++)
      row[i] = -0.0f;
    const float half = moe->shared == FFN_MOE_SHARED_MEAN ? 0.5f : 1;
    if (parts.shared_kernel)
      add(parts.shared_kernel, row, x + t * D, parts.shared,
          moe->shared == FFN_MOE_SHARED_SIGMOID ? ffn_moe_gate(logits[rule.experts]) : half, 1);
    for (size_t k = 0; k < rule.top_k; k++)
      add(parts.expert_kernel, row, x + t * D, experts[numbers[k]],
          half * (rule.on_input ? 1 : weights[k]), rule.on_input ? weights[k] : 1);
    if (memcmp(row, y + t * D, sizeof row) != 0)
      return printf("%s, token %zu: other bits\n", moe->name, t), 1;
  }
  return 0;
}
int main(void) {
  return wrong(&ffn_moe_gated) + wrong(&ffn_moe_grouped) + wrong(&ffn_moe_input);
}
]==]

local layers = [[
local only = { { isa = { 'c', 'avx2' } } }
moe 'gated' { d_model = 48, experts = 6, top_k = 2, build = only,
  expert = { variant = 'swiglu', d_ff = 64 },
  router = { normalise = true, weights = 'bf16' }, shared = { d_ff = 40, gate = 'sigmoid' } }
moe 'grouped' { d_model = 48, experts = 8, top_k = 3, build = only,
  expert = { variant = 'swiglu', d_ff = 64, weights = 'bf16' },
  router = { score = 'sigmoid', correction = 'score', normalise = true, epsilon = 2^-66,
    groups = { count = 4, take = 2, by = 'two_largest' }, scale = 2.5, expert_scale = true },
  shared = { d_ff = 40, gate = 'mean' } }
moe 'input' { d_model = 48, experts = 4, top_k = 1, build = only,
  expert = { variant = 'swiglu', d_ff = 64 }, router = { score = 'sigmoid', on = 'input' } }
]]

--- Three mixtures, each token against a loop over run(); and the program of the page.
function TestMoe.test_run()
  local folder = support.user_folder(layers)
  support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'k', '--file' },
    { dir = folder }), 0, 'generate')
  support.write(folder .. '/main.c', program)
  local result = support.run({ 'sh', '-c', 'cc -O1 -Wall -Wextra -Wpedantic -Werror '
    .. '-DFFN_NO_MAIN -Ik main.c k/*.c -lm -o main && ./main' }, { dir = folder })
  support.assert_code(result, 0, result.out .. result.err)
end

--- A folder has the code of mixtures where a spec has one, and not longer.
function TestMoe.test_files()
  local folder = support.user_folder(text_of {})
  local function made()
    support.assert_code(support.ffngen({ 'generate', 'my.lua', '--out', 'k', '--isa', 'c' },
      { dir = folder }), 0, 'generate')
    return support.snapshot(folder .. '/k')
  end
  local own = made()
  for _, file in ipairs { 'moes.h', 'ffn_moe.h', 'moe.c', 'moe_run.c' } do
    unit.assertNotNil(own[file], file)
  end
  support.assert_has(own['moe.c'], 'ffn_moe_softplus(const float x)', 'moe.c')
  support.write(folder .. '/my.lua', "linear 'l' { d_model = 4, d_out = 4 }")
  own = made()
  for _, file in ipairs { 'moes.h', 'ffn_moe.h', 'moe.c', 'moe_run.c' } do
    unit.assertNil(own[file], file)
  end
end

--- A vendored folder has the same under its prefix, and without a libc if there is none.
function TestMoe.test_vendored()
  local folder = support.folder()
  local examples = support.root .. '/tests/examples/'
  local function vendored(...)
    return support.ffngen({ 'vendor', examples .. 'experts.lua', '--prefix', 'my', '--isa', 'c',
      '--no-selfcheck', ... }, { dir = folder })
  end
  support.assert_code(vendored('--out', 'out'), 0, 'vendor')
  local main = support.read(examples .. 'experts.c'):gsub('ffn_', 'my_'):gsub('FFN_', 'MY_')
    :gsub('"moes.h"', '"my_moes.h"')
  support.write(folder .. '/main.c', main)
  -- No flag takes what tells of stages from experts.
  support.write(folder .. '/staged.c', [[
#include "my_moes.h"
int main(void) {
  my_moe_parts parts = {0};
  return !my_moe_find(&my_moe_mine, 0, my_cpu(), &parts) || !parts.expert_kernel->staged;
}
]])
  support.assert_code(vendored('--out', 'bare', '--no-dispatch', '--freestanding'), 0, 'bare')
  local result = support.run({ 'sh', '-c', 'cc -O1 -Wall -Wextra -Werror -Iout main.c out/*.c -lm '
    .. '-o main && ./main && cc -O0 -DMY_NO_STAGES -Iout staged.c out/*.c -lm -o staged && '
    .. './staged && cc -O2 -Wall -Wextra -Werror -c bare/my_moe.c bare/my_moe_run.c && '
    .. '! nm -u my_moe.o my_moe_run.o | grep -v -e my_ -e ":$" -e "^$"' }, { dir = folder })
  support.assert_code(result, 0, result.out .. result.err)
  support.assert_has(result.out, 'each token alone: the same bits', 'main')
end

--- The same in one source, and in one header, where the host has the implementation.
function TestMoe.test_vendored_shapes()
  local folder = support.folder()
  local examples = support.root .. '/tests/examples/'
  local main = support.read(examples .. 'experts.c'):gsub('ffn_', 'my_'):gsub('FFN_', 'MY_')
    :gsub('"moes.h"', '"my_moes.h"'):gsub('#include "my_moe.h"\n', '#include "my_file.h"\n%0')
    .. 'my_file_status opened(const my_file *file, my_moe_parts *parts, const void **experts);\n'
    .. 'my_file_status opened(const my_file *file, my_moe_parts *parts, const void **experts) {\n'
    .. '  return my_moe_open(&my_moe_mine, file, 0, parts, experts);\n}\n'
  for _, shape in ipairs { '--single-file', '--header-only' } do
    support.assert_code(support.ffngen({ 'vendor', examples .. 'experts.lua', '--prefix', 'my',
      '--isa', 'c', '--no-selfcheck', '--out', 'one', shape, '--file' }, { dir = folder }), 0,
      shape)
    local is_header = shape == '--header-only'
    local own = is_header and main:gsub('#include "my_[mf][oi][el].?.?h"\n', '')
      :gsub('^(/%*.-%*/\n)', '%1#define MY_IMPLEMENTATION\n#include "my.h"\n') or main
    support.write(folder .. '/main.c', own)
    local result = support.run({ 'sh', '-c', ('cc -O0 -std=c11 -Wall -Wextra -Wpedantic '
      .. '-Wconversion -Werror -Ione main.c %s -lm -o main && ./main'):format(is_header and ''
      or 'one/my.c') },
      { dir = folder })
    support.assert_code(result, 0, shape .. result.out .. result.err)
    support.assert_has(result.out, 'each token alone: the same bits', shape)
    support.assert_has(support.read(folder .. '/one/README.md'),
      '- `my_moe_mine`: 16 experts, of which a token takes 4\n', shape)
    support.run({ 'rm', '-r', 'one' }, { dir = folder })
  end
end
