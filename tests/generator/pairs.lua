--- Panels in pairs, or not: in a copy of the project the constants of the layout of weights are the
--- others, and everything works, with the same bits of results.
local unit = require 'luaunit'
local support = require 'support'

TestPairs = {}

local constants = 'M.pair, M.wide_pair = %d, %d\n'

--- A layer that walks, with zeros that it skips; odd numbers of panels, and weights that many rows
--- read from scratch.
local specs = [[
local some = { { isa = { 'c', 'avx2' } } }
ffn 'a' { variant = 'relu', d_model = 144, d_ff = 304, d_out = 48, build = some }
linear 'j' { d_model = 160, d_out = 304, weights = 'bf16', build = some }
linear 'a_q' { d_model = 160, d_out = 80, weights = 'q8_0', build = some }
]]

--- Even numbers of panels, tiles narrower than a bundle, chains, tokens in lanes, whole layers as
--- straight lines, few bytes, panels abreast, and what is trained.
local more_specs = [[
some[1].isa[3] = 'avx512'
linear 'b' { d_model = 12, d_out = 44, bias = true, build = some }
mlp 'c' { d_model = 10, layers = { { 64, 'relu' }, { 40, 'relu' }, { 1 } }, bias = true,
  build = some }
ffn 'd' { variant = 'gelu', d_model = 24, d_ff = 37, d_out = 80, optimise = 'size', bias = true,
  build = some }
ffn 'e' { variant = 'relu', d_model = 40, d_ff = 80, backward = true, bias = true, build = some }
ffn 'f' { variant = 'swiglu', d_model = 48, d_ff = 112, d_out = 80, backward = true, build = some }
linear 'g' { d_model = 160, d_out = 208, build = some }
linear 'h' { d_model = 700, d_out = 1232, build = some }
linear 'i' { d_model = 700, d_out = 1200, max_tokens = 4, build = some }
ffn 'n' { variant = 'swiglu', d_model = 96, d_ff = 352, weights = 'q4_0', build = some }
linear 'k' { d_model = 705, d_out = 1232, weights = 'bf16', build = some }
linear 'l' { d_model = 700, d_out = 1200, weights = 'f16', bias = true, build = some }
ffn 'm' { variant = 'gelu', d_model = 40, d_ff = 80, weights = 'bf16', backward = true,
  build = some }
]]

--- The results for some tokens of every kernel that the CPU runs, and whether unpack() gives what
--- pack() took, of f32; of all, whether that packs to the same bytes.
local results = [[
#include "ffn.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static float next(void) {
  state = state * UINT64_C(6364136223846793005) + 1;
  return (float)(int32_t)(state >> 32) * 0x1p-31f;
}
static float *numbers(size_t count) {
  float *list = malloc(count * sizeof *list);
  for (size_t i = 0; i < count; ++i)
    list[i] = next();
  return list;
}

int main(void) {
  size_t count;
  const ffn_kernel *const *all = ffn_all(&count);
  for (size_t i = 0; i < count; ++i) {
    const ffn_kernel *k = all[i];
    if (!(ffn_cpu() & 1u << k->isa))
      continue;
    ffn_linear chain[FFN_MAX_STAGES] = {{0}};
    ffn_unpacked_linear back_chain[FFN_MAX_STAGES] = {{0}};
    ffn_weights weights = {.chain = chain};
    ffn_unpacked back = {.chain = back_chain};
    state = 1;
    int same = 1;
    for (size_t s = 0; s < k->stage_count; ++s)
      for (size_t b = 0; b < k->stages[s].branches; ++b) {
        ffn_linear *to = (ffn_linear *)ffn_stage_linear(k->stages, &weights, s, b);
        to->weight = numbers(k->stages[s].inputs * k->stages[s].outputs);
        to->bias = k->stages[s].bias ? numbers(k->stages[s].outputs) : NULL;
      }
    void *packed = ffn_alloc(k->packed_bytes), *again = ffn_alloc(k->packed_bytes);
    k->pack(packed, &weights);
    for (size_t s = 0; s < k->stage_count; ++s)
      for (size_t b = 0; b < k->stages[s].branches; ++b) {
        const ffn_matrix matrix = k->stages[s].matrix[b];
        ffn_unpacked_linear *to = matrix == FFN_MATRIX_GATE ? &back.gate
            : matrix == FFN_MATRIX_UP                       ? &back.up
            : matrix == FFN_MATRIX_DOWN                     ? &back.down
                                                            : &back_chain[s];
        to->weight = numbers(k->stages[s].inputs * k->stages[s].outputs);
      }
    k->unpack(&back, packed);
    for (size_t s = 0; s < k->stage_count; ++s)
      for (size_t b = 0; b < k->stages[s].branches; ++b) {
        const ffn_matrix matrix = k->stages[s].matrix[b];
        const void *to = matrix == FFN_MATRIX_GATE ? back.gate.weight
            : matrix == FFN_MATRIX_UP              ? back.up.weight
            : matrix == FFN_MATRIX_DOWN            ? back.down.weight
                                                   : back_chain[s].weight;
        ffn_linear *from = (ffn_linear *)ffn_stage_linear(k->stages, &weights, s, b);
        same &= k->stages[s].format != FFN_FORMAT_F32 ||
            memcmp(to, from->weight,
                k->stages[s].inputs * k->stages[s].outputs * sizeof(float)) == 0;
        from->weight = to;
      }
    memset(again, 1, k->packed_bytes);
    k->pack(again, &weights);
    same &= memcmp(packed, again, k->packed_bytes) == 0;
    uint64_t hash = 0;
    for (size_t tokens = 1; tokens < 36 && tokens <= (k->max_tokens ? k->max_tokens : 35);
         tokens += tokens < 9 ? 1 : 13) {
      float *x = numbers(tokens * k->inputs), *y = malloc(tokens * k->outputs * sizeof *y);
      const size_t bytes = ffn_work_bytes(k, 1, tokens);
      void *work = ffn_alloc(bytes);
      for (size_t j = 0; j < tokens * k->inputs; ++j)
        x[j] = tokens % 2 && j % k->inputs % 9 ? 0.0f : x[j];
      ffn_run(k, y, k->outputs, x, k->inputs, tokens, packed, work, bytes, NULL);
      for (size_t j = 0; j < tokens * k->outputs; ++j) {
        uint32_t bits;
        memcpy(&bits, &y[j], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001b3);
      }
      free(x), free(y), ffn_free(work);
    }
    printf("%s %016llx %d\n", k->name, (unsigned long long)hash, same);
    ffn_free(packed), ffn_free(again);
  }
  return 0;
}
]]

--- What the kernels of a project give; its self-check, gradients among it, must pass.
local function given(project, folder, name)
  local result = support.run({ project .. '/ffngen', 'generate', 'my.lua', '--out', name },
    { dir = folder })
  support.assert_code(result, 0, name)
  result = support.run({ 'sh', '-c', ('cd %s && cc -O1 -Wall -Werror -I. -c *.c && cc *.o -lm '
    .. '-o check && ./check && rm selfcheck.o && cc -O1 -I. ../results.c *.o -lm -o results')
    :format(name) }, { dir = folder, seconds = 500 })
  support.assert_code(result, 0, name)
  support.assert_has(result.out, ' 0 failed,', name)
  result = support.run({ './' .. name .. '/results' }, { dir = folder })
  support.assert_code(result, 0, name)
  return result.out
end

function TestPairs.test_other_constants()
  local project = support.copy_project('pairs')
  local path = project .. '/generator/weights/layout.lua'
  local text, changed = support.read(path):gsub(constants:format(2, 1), constants:format(1, 2))
  unit.assertEquals(changed, 1)
  support.write(path, text)
  local folder = support.folder()
  support.write(folder .. '/my.lua', specs .. (support.full and more_specs or ''))
  support.write(folder .. '/results.c', results)
  local own, others = given(support.root, folder, 'own'), given(project, folder, 'others')
  unit.assertStrContains(own, ' 1\n')
  unit.assertNotStrContains(own, ' 0\n')
  unit.assertEquals(others, own)
end
