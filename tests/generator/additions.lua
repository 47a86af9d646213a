--- One addition, one file and one word: taken away and put back, in a copy of the project.
local unit = require 'luaunit'
local support = require 'support'

TestAdditions = {}

--- Changes a file of a project by a plain replacement, which must happen.
local function replace(project, path, from, to)
  local text = support.read(project .. '/' .. path)
  local first, last = text:find(from, 1, true)
  assert(first, path .. ' has no ' .. from)
  support.write(project .. '/' .. path, text:sub(1, first - 1) .. to .. text:sub(last + 1))
end

local function run(project, ...)
  local result = support.run({ project .. '/ffngen', ... })
  support.assert_code(result, 0, table.concat({ ... }, ' '))
  return result
end

--- Compiles as the printed line says, but for the level, which changes no bit: it need not be fast.
local function compiled(line, folder)
  local result = support.run({ 'sh', '-c', (line:gsub('%-O2', '-O0')) },
    { dir = folder, seconds = 120 })
  support.assert_code(result, 0, line)
  return result
end

--- Everything that the generator writes: generated/, the activations alone, the list; in full
--- the kernels of the test specs, too.
local function everything(project)
  run(project, 'generate')
  local made = {}
  local function add(prefix, snapshot)
    for path, text in pairs(snapshot) do made[prefix .. path] = text end
  end
  add('generated/', support.snapshot(project .. '/generated'))
  local out = support.folder()
  run(project, 'activations', '--out', out .. '/activations')
  if support.full then
    local specs = project .. '/tests/specs'
    run(project, 'generate', specs .. '/awkward.lua', specs .. '/golden.lua',
      specs .. '/unbiased.lua', '--out', out .. '/tests')
  end
  add('', support.snapshot(out))
  made.list = run(project, 'list', '--json').out
  return made
end

local function count_of(text, word)
  return select(2, text:lower():gsub(word, ''))
end

--- Mish away: no trace of it. Mish back: not one byte is different.
function TestAdditions.test_activation_away_and_back()
  local project = support.copy_project('mish')
  local before = everything(project)
  local mentions = 0
  for _, text in pairs(before) do mentions = mentions + count_of(text, 'mish') end
  unit.assertTrue(mentions > 50)

  -- Specs that use it are its users, not a part of it.
  local users = {}
  for _, folder in ipairs { 'generator/specs', 'tests/specs' } do
    for path, text in pairs(support.snapshot(project .. '/' .. folder)) do
      if text:find('mish') and text ~= '(directory)' and not path:find('/') then
        local file = project .. '/' .. folder .. '/' .. path
        users[file] = text
        support.write(file, (text:gsub("'mish'", "'silu'"):gsub("'mish_glu'", "'swiglu'")
          :gsub('mish', 'm_i_s_h')))
      end
    end
  end
  local definition = support.read(project .. '/generator/activation/mish.lua')
  assert(os.remove(project .. '/generator/activation/mish.lua'))
  replace(project, 'generator/activation/init.lua', ", 'mish',", ',')
  local without = everything(project)
  for path, text in pairs(without) do
    unit.assertEquals(count_of(path, 'mish'), 0, path)
    unit.assertEquals(count_of(text, 'mish'), 0, path)
  end
  for _, folder in ipairs { 'generator', 'templates', 'runtime' } do
    for path, text in pairs(support.snapshot(project .. '/' .. folder)) do
      -- What models' files call it is theirs to say.
      if not path:match '^import/' then
        unit.assertEquals(count_of(text, 'mish'), 0, folder .. '/' .. path)
      end
    end
  end
  unit.assertTrue(#support.keys(without) > 30)

  support.write(project .. '/generator/activation/mish.lua', definition)
  replace(project, 'generator/activation/init.lua', "'tanh',", "'tanh', 'mish',")
  for file, text in pairs(users) do support.write(file, text) end
  support.assert_same(everything(project), before, 'with mish again')
end

--- An activation that nobody has thought of: its file and its word, and it runs.
function TestAdditions.test_new_activation()
  local project = support.copy_project('clip')
  support.write(project .. '/generator/activation/clip.lua', [[
--- min(max(x, -1), 1), exact.
return {
  name = 'clip',
  about = 'min(max(x, -1), 1)',
  source = 'a test',
  meaning = 'x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x',
  derivative = 'x > -1.0 && x < 1.0 ? 1.0 : 0.0',
  slope = 'dx',
  contract = { ulp = 0.0, relative = 0.0, absolute = 0.0 },
  special = {
    { '0', '0' }, { '-0', '-0' }, { 'inf', '1' }, { '-inf', '-1' }, { 'nan', 'nan' },
  },
  vector = function(v, x)
    return v.at_most(v.at_least(x, v.const(-1)), v.const(1))
  end,
}
]])
  replace(project, 'generator/activation/init.lua', "'mish',", "'mish', 'clip',")
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
glu 'a' { variant = 'clip_glu', d_model = 9, d_out = 21 }
mlp 'b' { d_model = 9, layers = { { 5, 'clip' } }, bias = true }
]])
  local result = support.run({ project .. '/ffngen', 'generate', 'my.lua', '--out', 'out', '--isa',
    support.full and 'c,avx512' or 'c' }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  local check = compiled(result.out, folder)
  support.assert_has(check.out, 'glu_clip_glu_d9_o21_f32_c', 'selfcheck')
  unit.assertEquals(check.err, '')
end

--- A new verb: its file and its word, and it is in the help, judges its words, reads specs.
function TestAdditions.test_new_verb()
  local project = support.copy_project('verb')
  support.write(project .. '/generator/commands/count.lua', [[
--- `ffngen count`: how many kernels spec files make.
local pipeline = require 'pipeline'

local M = {
  about = 'Count the kernels of spec files.', purpose = { 'count prints a number.' },
  examples = { { 'ffngen count my.lua', 'Print how many kernels my.lua makes.' } },
  files = { { 'SPEC', 'Is read.' } }, exits = { { 0, 'The number was printed.' } },
}

function M.options(command) command:argument('spec', 'Spec files.'):args('+') end

function M.run(_, args)
  print(#pipeline.lower(pipeline.read(args.spec)))
  return 0
end

return M
]])
  replace(project, 'generator/commands/init.lua', "'packaging',", "'packaging', 'count',")
  local folder = support.folder()
  support.write(folder .. '/my.lua', "linear 'a' { d_model = 3, d_out = 4 }")
  support.write(folder .. '/wrong.lua', "linear 'a' { d_model = 3 }")
  local function ffngen(code, ...)
    local result = support.run({ project .. '/ffngen', ... }, { dir = folder })
    support.assert_code(result, code, table.concat({ ... }, ' '))
    return result
  end
  unit.assertEquals(ffngen(0, 'count', 'my.lua').out, '5\n')
  unit.assertEquals(ffngen(0, 'count', 'my.lua', 'my.lua').out, '5\n')
  support.assert_has(ffngen(0, '--help').out, '\n  count            Count the kernels', '--help')
  support.assert_has(ffngen(0, 'count', '--help').out, 'Usage: ffngen count', 'count --help')
  support.assert_has(ffngen(2, 'count').err, 'see ffngen count --help', 'without a file')
  support.assert_has(ffngen(4, 'count', 'wrong.lua').err,
    'wrong.lua:1: linear "a": field "d_out" is missing', 'a wrong spec')
  ffngen(0, 'packaging', '--out', 'out')
  support.assert_has(support.read(folder .. '/out/ffngen.bash'), 'count', 'completions')
  support.assert_has(support.read(folder .. '/out/ffngen-count.1.scd'), 'count prints a number.',
    'its man page')
end

--- A layer and then itself, gated by itself: two stages, whose matrices are up and gate.
local regate = [[
local naming = require 'kind.naming'

return {
  name = 'regate',
  computes = 'h = act(x W_up^T), y = h * act(h W_gate^T).',
  fields = { 'activation', 'd_model', 'd_out' }, also = { 'beta', 'parameters', 'sparse' },
  meanings = { d_out = 'Of regate it is that of h, too.' },
  named_by = 'activation', choices = 'plain_names', dropout = { 'hidden', 'output' },

  shape = function(check, s)
    s.activation = check:get_choice('activation', s.activations.plain_names)
    s.parameters = check:parameters(check.given, s.activations.by_name[s.activation], {})
    s.d_out = check:get_size('d_out', s.d_model)
  end,

  stages = function(l)
    local function stage(role, times_input)
      return {
        name = role, outputs = l.d_out, called = 'd_out', matrices = { role },
        applied = l.activation, parameters = l.parameters, times_input = times_input,
      }
    end
    return { stage('up', false), stage('gate', true) }
  end,

  front = naming.applied('activation', 'plain_names'),
  back = naming.sizes { 'd_model', 'd_out' },
  english = function(l, applied)
    return ('regate %s, %d -> %d'):format(applied(l.activation, l.parameters), l.d_model, l.d_out)
  end,
}
]]

--- Finds the kernel by its sizes, and the same by plain loops in double.
local finds_regate = [[
#include "ffn.h"
#include <math.h>
#include <stdio.h>

enum { D = 37, O = 50, ROWS = 5 };
static float up[O * D], gate[O * O], up_bias[O], gate_bias[O], x[ROWS * D], y[ROWS * O];

static void fill(float *values, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; i++)
    values[i] = (float)((i * 2654435761u + seed) >> 8 & 0xffff) / 65536 - 0.5f;
}

static double silu(double v) { return v / (1 + exp(-v)); }

int main(void) {
  const ffn_query query = {.kind = FFN_KIND_REGATE, .variant = FFN_SWIGLU, .d_model = D,
                           .d_out = O, .bias = 1, .cpu = ffn_cpu()};
  const ffn_kernel *k = ffn_find(&query);
  if (!k || k->stages_share_x || k->stage_count != 2)
    return 1;
  fill(up, O * D, 1), fill(gate, O * O, 2), fill(up_bias, O, 3), fill(gate_bias, O, 4);
  fill(x, ROWS * D, 5);
  const ffn_weights all = {.up = {up, up_bias}, .gate = {gate, gate_bias}};
  const size_t bytes = ffn_work_bytes(k, 1, ROWS);
  void *packed = ffn_alloc(k->packed_bytes), *work = ffn_alloc(bytes);
  k->pack(packed, &all);
  ffn_run(k, y, O, x, D, ROWS, packed, work, bytes, NULL);
  for (size_t t = 0; t < ROWS; t++) {
    double h[O];
    for (size_t o = 0; o < O; o++) {
      h[o] = (double)up_bias[o];
      for (size_t i = 0; i < D; i++)
        h[o] += (double)x[t * D + i] * (double)up[o * D + i];
      h[o] = silu(h[o]);
    }
    for (size_t o = 0; o < O; o++) {
      double sum = (double)gate_bias[o];
      for (size_t i = 0; i < O; i++)
        sum += h[i] * (double)gate[o * O + i];
      if (fabs((double)y[t * O + o] - h[o] * silu(sum)) > 1e-5)
        return 2;
    }
  }
  ffn_free(packed), ffn_free(work);
  printf("%s: %s\n", ffn_kind_name(k->kind), k->name);
  return 0;
}
]]

--- A kind of layer: its file and its word, and no C.
function TestAdditions.test_new_kind()
  local project = support.copy_project('regate')
  support.write(project .. '/generator/kind/regate.lua', regate)
  replace(project, 'generator/kind/init.lua', "'selfgate'", "'selfgate', 'regate'")
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
regate 'a' { activation = 'silu', d_model = 37, d_out = 50, bias = true }
regate 'b' { activation = 'relu', d_model = 300, d_out = 140 }
regate 'c' { activation = 'swish', d_model = 64, d_out = 64, weights = { gate = 'bf16' } }
regate 'd' { activation = 'tanh', d_model = 3, d_out = 2, optimise = 'size' }
]])
  support.write(folder .. '/wrong.lua', "regate 'a' { activation = 'silu', d_model = 9, d_ff = 3 }")
  support.write(folder .. '/trained.lua',
    "regate 'a' { activation = 'silu', d_model = 9, d_out = 9, backward = true }")
  local function ffngen(code, ...)
    local result = support.run({ project .. '/ffngen', ... }, { dir = folder })
    support.assert_code(result, code, table.concat({ ... }, ' '))
    return result
  end
  local line = ffngen(0, 'generate', 'my.lua', '--out', 'out', '--isa',
    support.full and 'c,avx2,avx512' or 'c').out
  local function expect_checked(check)
    for _, name in ipairs {
      'regate_silu_bias_d37_o50_f32_c', 'regate_relu_d300_o140_f32_c',
      'regate_swish_d64_o64_f32_bf16_c', 'regate_tanh_d3_o2_f32_c_size',
    } do
      support.assert_has(check.out, name .. ' ', 'selfcheck')
    end
    unit.assertEquals(check.err, '')
  end
  if support.full then expect_checked(compiled(line, folder)) end
  support.write(folder .. '/main.c', finds_regate)
  local found = support.run({ 'sh', '-c', 'cc -O0 -Wall -Werror -DFFN_NO_MAIN -Iout main.c out/*.c '
    .. '-lm -o main && ./main' }, { dir = folder, seconds = 120 })
  support.assert_code(found, 0, 'main')
  support.assert_has(found.out, 'regate: regate_silu_bias_d37_o50_f32_', 'main')
  local shapes = { {}, { '--single-file' }, { '--flat' } }
  for i, shape in ipairs(support.full and shapes or { shapes[1] }) do
    local out = 'own' .. i
    ffngen(0, 'vendor', 'my.lua', '--out', out, '--prefix', 'my', '--isa', 'c',
      table.unpack(shape))
    local own = support.run({ 'sh', '-c', 'cc -O0 -Wall -Werror -I. *.c -lm -o check && ./check' },
      { dir = folder .. '/' .. out, seconds = 120 })
    support.assert_code(own, 0, out)
    expect_checked(own)
  end
  local page = ffngen(0, 'spec').out:gsub('%s+', ' ')
  for _, text in ipairs {
    'mlp A chain', 'regate h = act(x W_up^T), y = h * act(h W_gate^T). Fields: activation, '
      .. 'd_model, d_out, bias, beta, parameters, sparse, backward,',
    'Of regate it is that of h, too.',
    'of ffn and mlp and regate hidden and output',
    'Activations of mlp and regate and selfgate, which',
  } do
    support.assert_has(page, text, 'spec')
  end
  unit.assertTrue(page:find ' mlp A' < page:find ' regate h' and page:find ' regate h'
    < page:find ' selfgate y', 'in the order of the alphabet')
  support.assert_has(ffngen(0, 'explain', 'a', 'my.lua').out, 'regate silu, d_model 37', 'explain')
  support.assert_has(support.read(folder .. '/own1/README.md'), 'regate silu, 37 -> 50', 'README')
  support.assert_has(ffngen(4, 'generate', 'wrong.lua', '--out', 'no').err,
    'wrong.lua:1: regate "a": unknown field "d_ff"', 'a field of others')
  support.assert_has(ffngen(4, 'generate', 'trained.lua', '--out', 'no').err,
    'regate "a": a stage of several that multiplies what it takes is not trained', 'backward')
end

--- What a kind's file says is held against its record.
function TestAdditions.test_wrong_kind()
  for from, wrong in pairs {
    ["name = 'regate'"] = { "name = 'gate'", 'kind/regate.lua: its name is "gate"' },
    ["named_by = 'activation',"] = { '', 'kind/regate.lua: the field "named_by" is missing' },
    ['named_by ='] = { "named_bi = '', named_by =", 'kind/regate.lua: unknown field "named_bi"' },
    ['english = function(l, applied)'] = { 'english = true, say = function(l, applied)',
      'kind/regate.lua: unknown field "say"' },
  } do
    local project = support.copy_project('wrong kind' .. #from)
    local first, last = regate:find(from, 1, true)
    support.write(project .. '/generator/kind/regate.lua',
      regate:sub(1, first - 1) .. wrong[1] .. regate:sub(last + 1))
    replace(project, 'generator/kind/init.lua', "'selfgate'", "'selfgate', 'regate'")
    local result = support.run { project .. '/ffngen', 'list' }
    support.assert_code(result, 1, from)
    support.assert_has(result.err, wrong[2], from)
  end
end

--- A CPU that nobody has thought of: its file and its word, and kernels for it run and say so.
function TestAdditions.test_new_cpu()
  local project = support.copy_project('cpu')
  support.write(project .. '/generator/cpu/toy.lua', [[
--- A core with hardly a cache.
return {
  about = 'hardly a cache',
  choices = {
    rows_per_walk = 16, sum_bytes = 4096, stream_rows = 2, fetch_ahead = 256, streams = 2,
    few_ahead = 64, few_rows = 3,
  },
}
]])
  replace(project, 'generator/cpu/init.lua', "'generic'", "'generic', 'toy'")
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
ffn 'a' { variant = 'swiglu', d_model = 200, d_ff = 300 }
linear 'b' { d_model = 640, d_out = 420, bias = true }
]])
  local function ffngen(...)
    local result = support.run({ project .. '/ffngen', ... }, { dir = folder })
    support.assert_code(result, 0, table.concat({ ... }, ' '))
    return result.out
  end
  support.assert_has(ffngen('explain', 'a', 'my.lua', '--cpu', 'toy'),
    'profile toy, choices: fetch_ahead 256, fetch_level 1, few_ahead 64, few_l2_ahead 0, few_rows '
      .. '3, main_columns 8, near_bytes 1048576, reread 0, rows_per_walk 16, stream_rows 2, '
      .. 'streams 2, sum_bytes 4096\n',
    'explain')
  local isas = support.full and 'c,avx2' or 'c'
  local line = ffngen('generate', 'my.lua', '--out', 'out', '--isa', isas, '--cpu', 'toy')
  for path, text in pairs(support.snapshot(folder .. '/out')) do
    if path:match('_f32_%w+%.c$') then
      support.assert_has(text, 'profile toy: hardly a cache', path)
      support.assert_has(text, ('ffngen generate my.lua --isa %s --cpu toy --out .'):format(isas),
        path)
    end
  end
  ffngen('vendor', 'my.lua', '--out', 'owned', '--isa', 'c', '--cpu', 'toy')
  support.assert_has(support.read(folder .. '/owned/README.md'),
    'ffngen vendor ../my.lua --isa c --cpu toy --out .', 'a vendored README')
  support.assert_has(support.read(folder .. '/owned/linear_bias_d640_o420_f32_c.c'),
    'profile toy: hardly a cache', 'a vendored kernel')
  local check = compiled(line, folder)
  support.assert_has(check.out, 'linear_bias_d640_o420_f32_c ', 'selfcheck')
  unit.assertEquals(check.err, '')
end

--- What a CPU profile does not say is as in the first; it says nothing else.
function TestAdditions.test_wrong_cpu()
  for line, problem in pairs {
    ['few_ahead = 1, fetch_ahead = -1'] =
      'cpu/toy.lua: choices: fetch_ahead must be an integer of at least 0',
    ['rows_per_walk = 0, sum_bytes = 4096, stream_rows = 2, fetch_ahead = 1'] =
      'cpu/toy.lua: choices: rows_per_walk must be an integer of at least 1',
    ['rows_per_walks = 16, sum_bytes = 4096, stream_rows = 2, fetch_ahead = 1'] =
      'cpu/toy.lua: choices: unknown field "rows_per_walks" (did you mean "rows_per_walk"?)',
  } do
    local project = support.copy_project('wrong cpu' .. #line)
    support.write(project .. '/generator/cpu/toy.lua',
      ("return { about = '', choices = { %s } }\n"):format(line))
    replace(project, 'generator/cpu/init.lua', "'generic'", "'generic', 'toy'")
    local result = support.run { project .. '/ffngen', 'list' }
    support.assert_code(result, 1, line)
    support.assert_has(result.err, problem, line)
  end
end

--- The upper half of an f32, rounded to nearest even: bf16, one k in a lane.
local toy16 = [=[
return {
  name = 'toy16',
  about = 'half of an f32',
  step = { k = 1, lines = { { plane = 'half', lane = 'u16' } } },
  trains = true,
  helpers = [[
FFN_SHARED uint16_t ffn_toy16_of(float x) {
  const uint32_t bits = (uint32_t)ffn_bits(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return (uint16_t)(bits >> 16 | 64u);
  return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
]],
  value = function(v, lines) return v.from_bits(v.shl(lines.half, 16)) end,
  pack = function(c) return ('%s = ffn_toy16_of(%s);'):format(c.lane('half', 0), c.weight(0)) end,
}
]=]

--- The bits of the f32 kernel on the decoded weights, in half the bytes.
local same_bits = [[
#include "ffn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D = 37, F = 101, O = 29, TOKENS = 19 };
static float w[3][D * F], b[3][F], held[3][D * F], held_bias[3][F], x[TOKENS * D], y[2][TOKENS * O];

static void fill(float *values, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; i++)
    values[i] = (float)((i * 2654435761u + seed) >> 8 & 0xffff) / 65536 - 0.5f;
}

int main(void) {
  unsigned long compared = 0;
  for (int m = 0; m < 3; m++)
    fill(w[m], D * F, 7u * (unsigned)m), fill(b[m], F, 5u * (unsigned)m);
  fill(x, TOKENS * D, 3);
  for (unsigned isa = 0; isa < FFN_ISA_COUNT; isa++) {
    if (!(ffn_cpu() >> isa & 1))
      continue;
    ffn_query query = {.variant = FFN_SWIGLU, .d_model = D, .d_ff = F, .d_out = O, .bias = 1,
                       .cpu = 1u << isa, .hidden_format = FFN_FORMAT_TOY16,
                       .down_format = FFN_FORMAT_TOY16};
    const ffn_kernel *half = ffn_find(&query);
    query.hidden_format = query.down_format = FFN_FORMAT_F32;
    const ffn_kernel *whole = ffn_find(&query);
    if (!half && !whole)
      continue; /* of products of bytes alone, or of other layers in the short form */
    if (!half || !whole)
      return 1;
    void *packed = ffn_alloc(whole->packed_bytes), *work;
    const size_t one = ffn_work_bytes(half, 1, TOKENS), other = ffn_work_bytes(whole, 1, TOKENS);
    const size_t bytes = one > other ? one : other;
    work = ffn_alloc(bytes);
    half->pack(packed, &(ffn_weights){
        .gate = {.weight = w[0], .bias = b[0]}, .up = {.weight = w[1], .bias = b[1]},
        .down = {.weight = w[2], .bias = b[2]}});
    ffn_unpacked to = {.gate = {.weight = held[0], .bias = held_bias[0]},
                       .up = {.weight = held[1], .bias = held_bias[1]},
                       .down = {.weight = held[2], .bias = held_bias[2]}};
    half->unpack(&to, packed);
    const ffn_weights kept = {.gate = {.weight = held[0], .bias = held_bias[0]},
                              .up = {.weight = held[1], .bias = held_bias[1]},
                              .down = {.weight = held[2], .bias = held_bias[2]}};
    if (memcmp(w, held, sizeof w) == 0)
      return 2; /* nothing was rounded */
    ffn_run(half, y[0], O, x, D, TOKENS, packed, work, bytes, NULL);
    whole->pack(packed, &kept);
    ffn_run(whole, y[1], O, x, D, TOKENS, packed, work, bytes, NULL);
    if (memcmp(y[0], y[1], sizeof y[0]) != 0 || half->packed_bytes * 3 > whole->packed_bytes * 2)
      return 3;
    compared++;
    ffn_free(packed), ffn_free(work);
  }
  printf("%lu compared\n", compared);
  return compared == 0;
}
]]

--- A weight format: its file and its word, on every instruction set; in short form each in one
--- layer at least.
function TestAdditions.test_new_weight_format()
  local project = support.copy_project('toy16')
  support.write(project .. '/generator/weights/toy16.lua', toy16)
  replace(project, 'generator/weights/init.lua', "'f16'", "'f16', 'toy16'")
  local folder = support.folder()
  local function only(isas)
    return support.full and '' or ('build = { { isa = { %s } } }'):format(isas)
  end
  support.write(folder .. '/my.lua', ([[
ffn 'a' { variant = 'swiglu', d_model = 37, d_ff = 101, d_out = 29, bias = true, A }
ffn 'halves' { variant = 'swiglu', d_model = 37, d_ff = 101, d_out = 29, bias = true,
  weights = 'toy16', A }
ffn 'blocks' { variant = 'relu', d_model = 300, d_ff = 280, weights = 'toy16', B }
ffn 'mixed' { variant = 'swiglu', d_model = 40, d_ff = 50, weights = { down = 'toy16' }, B }
mlp 'straight' { d_model = 10, layers = { { 20, 'relu' }, { 3 } }, bias = true,
  weights = { 'toy16', 'toy16' }, C }
mlp 'lanes' { d_model = 10, layers = { { 20, 'relu' }, { 3 } }, weights = { 'toy16', 'f32' }, C }
]]):gsub('A', only "'c', 'neon'"):gsub('B', only "'avx2'"):gsub('C', only "'c', 'avx512', 'wasm'"))
  local result = support.run({ project .. '/ffngen', 'generate', 'my.lua', '--out', 'out' },
    { dir = folder })
  support.assert_code(result, 0, 'generate')
  support.assert_has(support.read(folder .. '/out/ffn_relu_d300_f280_toy16_avx2.c'),
    '  UP_STEP = 64, ', 'packed weights')
  -- The kernels' objects serve both programs.
  local check = compiled('cd out && cc -O0 -Wall -Werror -I. -c *.c && cc *.o -lm -o selfcheck '
    .. '&& ./selfcheck', folder)
  support.assert_has(check.out, 'mlp_10_relu20_identity3_bias_toy16_c ', 'selfcheck')
  support.assert_has(check.out, ' 0 failed,', 'selfcheck')
  support.write(folder .. '/main.c', same_bits)
  check = compiled('rm out/selfcheck.o && cc -O0 -Wall -Werror -Iout main.c out/*.o -lm -o same '
    .. '&& ./same', folder)
  support.assert_has(check.out, ' compared', 'toy16 beside f32')
  support.assert_has(support.read(folder .. '/out/ffn_swiglu_d40_f50_f32_toy16_avx2.c'),
    'FFN_FORMAT_TOY16, FFN_ARITHMETIC_FMA_F32, /* format', 'a layer of two formats')
  result = support.run({ project .. '/ffngen', 'vendor', 'my.lua', '--out', 'owned', '--layer',
    'straight', '--weights', 'w.bin' }, { dir = folder })
  support.assert_code(result, 4, 'vendor')
  support.assert_has(result.err,
    'weights of toy16 are not made here of numbers: give the model.ffn', 'vendor')
  local page = run(project, 'explain', 'mixed', folder .. '/my.lua').out
  support.assert_has(page, 'gate and up f32', 'explain')
  support.assert_has(page, 'down toy16', 'explain')
end

--- Layers in a format that trains: dW and dx of weights in toy16, of activations in f32.
function TestAdditions.test_trained_format()
  local project = support.copy_project('trained toy16')
  support.write(project .. '/generator/weights/toy16.lua', toy16)
  replace(project, 'generator/weights/init.lua', "'f16'", "'f16', 'toy16'")
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
ffn 'a' { variant = 'swiglu', d_model = 64, d_ff = 96, weights = 'toy16', backward = true }
mlp 'b' { d_model = 20, layers = { { 40, 'relu' }, { 17, 'silu' }, { 3 } }, bias = true,
  weights = { 'f32', 'toy16', 'toy16' }, backward = true }
]])
  local result = support.run({ project .. '/ffngen', 'generate', 'my.lua', '--out', 'out', '--isa',
    'c,avx2,avx512' }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  local check = compiled('cd out && cc -O0 -Wall -Werror -I. *.c -lm -o selfcheck && ./selfcheck',
    folder)
  support.assert_has(check.out, 'ffn_swiglu_d64_f96_toy16_c_train', 'selfcheck')
  support.assert_has(check.out, 'mlp_20_relu40_silu17_identity3_bias_f32_toy16_toy16_c_train',
    'selfcheck')
  support.assert_has(check.out, ' 0 failed,', 'selfcheck')
end

--- A format that takes some widths alone, and is not trained, is refused with what would fit.
function TestAdditions.test_narrow_format()
  local project = support.copy_project('narrow')
  support.write(project .. '/generator/weights/toy16.lua',
    (toy16:gsub('trains = true', 'trains = false, divides = 32')))
  replace(project, 'generator/weights/init.lua', "'f16'", "'f16', 'toy16'")
  local folder = support.folder()
  for text, problem in pairs {
    ["linear 'a' { d_model = 100, d_out = 8, weights = 'toy16' }"] =
      'weights: toy16 takes widths that 32 divides, and d_model = 100 is none; 96 or 128 would be',
    ["linear 'a' { d_model = 10, d_out = 8, weights = 'toy16' }"] = 'is none; 32 would be',
    ["ffn 'a' { variant = 'relu', d_model = 96, d_ff = 100, weights = { down = 'toy16' } }"] =
      'and d_ff = 100 is none; 96 or 128 would be',
    ["mlp 'a' { d_model = 10, layers = { { 50 }, { 4 } }, weights = { 'f32', 'toy16' } }"] =
      'and the width of layer 1 = 50 is none; 32 or 64 would be',
    ["linear 'a' { d_model = 32, d_out = 8, weights = 'toy16', backward = true }"] =
      'weights: toy16 is not trained, as backward = true asks for; f32 or bf16 would be',
    ["ffn 'a' { variant = 'swiglu', d_model = 32, d_ff = 32, weights = { gate = 'toy16' } }"] =
      'weights: gate and up lie side by side, in one format; not toy16 and f32',
    ["linear 'a' { d_model = 32, d_out = 8, weights = 'toy17' }"] =
      'weights: unknown format "toy17" (did you mean "toy16"?)',
    ["linear 'a' { d_model = 32, d_out = 8, weights = 'zz' }"] =
      '(choose from: f32, bf16, f16, ',
  } do
    support.write(folder .. '/my.lua', text)
    local result = support.run({ project .. '/ffngen', 'list', 'my.lua' }, { dir = folder })
    support.assert_code(result, 4, text)
    support.assert_has(result.err, problem, text)
  end
end

--- Half an addition is told: a word without its file, a file without its word.
function TestAdditions.test_half_an_addition()
  local project = support.copy_project('half')
  replace(project, 'generator/activation/init.lua', "'mish',", "'mish', 'wish',")
  local list = { project .. '/ffngen', 'list', project .. '/tests/specs/awkward.lua' }
  local result = support.run(list)
  support.assert_code(result, 1, 'a word without its file')
  support.assert_has(result.err, 'wish', 'a word without its file')
  replace(project, 'generator/activation/init.lua', "'mish', 'wish',", '')
  result = support.run(list)
  support.assert_code(result, 4, 'a file without its word')
  support.assert_has(result.err, 'mish', 'a file without its word')
end

--- An instruction set away and back, and one more.
function TestAdditions.test_isa()
  local project = support.copy_project('isa')
  local before = everything(project)
  local definitions, list = {}, support.read(project .. '/generator/isa/init.lua')
  for _, name in ipairs { 'neon', 'neon_dotprod', 'neon_i8mm' } do -- the first, and what has it
    local path = ('%s/generator/isa/%s.lua'):format(project, name)
    definitions[path] = support.read(path)
    assert(os.remove(path))
    replace(project, 'generator/isa/init.lua', ("'%s', "):format(name), '')
  end
  local without = everything(project)
  for path, text in pairs(without) do
    unit.assertNil(path:find('neon'), path)
    -- The include of arm_neon.h in the runtime is nobody's addition.
    if path:match('^generated') then unit.assertEquals(count_of(text, 'neon'), 0, path) end
  end
  for path, text in pairs(definitions) do support.write(path, text) end
  support.write(project .. '/generator/isa/init.lua', list)
  support.assert_same(everything(project), before, 'with neon again')

  -- AVX2 once more under another name, with half the registers.
  local avx2 = support.read(project .. '/generator/isa/avx2.lua')
  support.write(project .. '/generator/isa/avx2s.lua', (avx2:gsub("name = 'avx2'",
    "name = 'avx2s'"):gsub('vector = 16', 'vector = 12')))
  replace(project, 'generator/isa/init.lua', "'avx512'", "'avx512', 'avx2s'")
  local folder = support.folder()
  support.write(folder .. '/my.lua', "linear 'a' { d_model = 9, d_out = 35, bias = true }")
  local result = support.run({ project .. '/ffngen', 'generate', 'my.lua', '--out', 'out', '--isa',
    'c,avx2s' }, { dir = folder })
  support.assert_code(result, 0, 'generate')
  local check = compiled(result.out, folder)
  support.assert_has(check.out, 'linear_bias_d9_o35_f32_c ', 'selfcheck')
  local passed, _, skipped = check.out:match('(%d+) passed, (%d+) failed, (%d+) skipped\n$')
  if support.capture('uname -m') == 'x86_64' then
    unit.assertEquals(tonumber(passed) + tonumber(skipped), 2)
  end
  unit.assertStrContains(support.ffngen({ 'list' }).out, '_avx2')
end
