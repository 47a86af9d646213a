--- Formats of blocks around the kernels. nvfp4, which the project does not have, is one file, one
--- decoder and one word; folders that products own check themselves in every format.
local unit = require 'luaunit'
local json = require 'dkjson'
local lists = require 'common.list'
local support = require 'support'
local weights = require 'weights'
local with_formats = require 'with_formats'

TestBlocks = {}

local function run(project, folder, code, ...)
  local result = support.run({ project .. '/ffngen', ... }, { dir = folder, seconds = 300 })
  support.assert_code(result, code, table.concat({ ... }, ' '))
  return result
end

local function compiled(folder, line)
  local result = support.run({ 'sh', '-c', line }, { dir = folder, seconds = 300 })
  support.assert_code(result, 0, line .. ': ' .. result.out)
  return result.out
end

--- Any bytes, those of which the self-check draws none among them: packed weights mean what the
--- decoder says, which nothing of the project includes, and give the bytes back.
local any_bytes = [[
#include "nvfp4.h"
#include "ffn.h"
#include <stdio.h>
#include <string.h>

enum { IN = 128, OUT = 37, BLOCK = 36, K = 64, ROW = IN / K * BLOCK };
static unsigned char own[OUT * ROW], again[OUT * ROW];
static float held[OUT * IN];

int main(void) {
  size_t count;
  unsigned long compared = 0, state = 1;
  const ffn_kernel *const *all = ffn_all(&count);
  for (size_t round = 0; round < 40 * count; round++) {
    const ffn_kernel *k = all[round % count];
    if (strcmp(k->layer, "linear_d128_o37_nvfp4") != 0 || !(ffn_cpu() >> k->isa & 1))
      continue;
    for (size_t i = 0; i < sizeof own; i++)
      state = (state * 1664525 + 1013904223) & 0xffffffff, own[i] = (unsigned char)(state >> 16);
    void *packed = ffn_alloc(k->packed_bytes);
    const ffn_linear chain = {.weight = own, .source = FFN_SOURCE_NVFP4};
    const ffn_weights weights = {.chain = &chain};
    if (ffn_weights_problem(k, &weights))
      return 2;
    const ffn_linear floats = {.weight = held};
    const char *refused = ffn_weights_problem(k, &(ffn_weights){.chain = &floats});
    if (!refused || !strstr(refused, "takes FFN_SOURCE_NVFP4 there, and no floats"))
      return 3;
    k->pack(packed, &weights);
    const ffn_unpacked_linear to = {.weight = held}, back = {.weight = again,
                                                             .source = FFN_SOURCE_NVFP4};
    k->unpack(&(ffn_unpacked){.chain = &to}, packed);
    k->unpack(&(ffn_unpacked){.chain = &back}, packed);
    if (memcmp(own, again, sizeof own) != 0)
      return 4;
    for (size_t o = 0; o < OUT; o++)
      for (size_t i = 0; i < IN; i++, compared++) {
        const float value = (float)ffn_decode_nvfp4(own + o * ROW + i / K * BLOCK, i % K);
        if (memcmp(&value, &held[o * IN + i], sizeof value) != 0)
          return printf("%zu of row %zu is %a, not %a\n", i, o, held[o * IN + i], value), 5;
      }
    ffn_free(packed);
  }
  printf("%lu compared\n", compared);
  return compared == 0;
}
]]

local function assert_self_check(out, layers)
  for _, layer in ipairs(layers) do support.assert_has(out, layer, 'the self-check') end
  support.assert_has(out, ' 0 failed,', 'the self-check')
end

--- A file of the generator, a decoder and a word make a format that takes no floats, in all that
--- there is.
function TestBlocks.test_one_file()
  local project, folder = with_formats.project { 'nvfp4' }, support.folder()
  local wide = support.full and 'c,avx2,avx512' or 'c,avx2'
  support.write(folder .. '/my.lua', [[
linear 'it' { d_model = 128, d_out = 37, weights = 'nvfp4' }
linear 'known' { d_model = 32, d_out = 3, weights = 'q4_1' }
ffn 'gated' { variant = 'swiglu', d_model = 128, d_ff = 192, d_out = 37, bias = true,
  weights = { gate = 'nvfp4', up = 'nvfp4', down = 'q8_0' } }
]])
  run(project, folder, 0, 'generate', 'my.lua', '--out', 'out', '--isa', wide)
  local out = compiled(folder, 'cd out && cc -O0 -Wall -Wextra -Werror -I. -c *.c && cc *.o -lm '
    .. '-o selfcheck && ./selfcheck')
  assert_self_check(out, {
    'linear_d128_o37_nvfp4_c ', 'ffn_swiglu_bias_d128_f192_o37_nvfp4_q8_0_c ',
  })
  support.write(folder .. '/any.c', any_bytes)
  support.assert_has(compiled(folder, ('rm out/selfcheck.o && cc -O1 -Wall -Werror -Iout -I%s -I%s '
    .. 'any.c out/*.o -lm -o any && ./any'):format(support.quote(with_formats.folder),
      support.quote(support.root .. '/runtime'))), ' compared', 'any bytes')
  run(project, folder, 0, 'vendor', 'my.lua', '--out', 'owned', '--isa', 'c', '--prefix', 'my')
  out = compiled(folder, 'cd owned && cc -O0 -Wall -Wextra -Werror *.c -lm -o check && ./check')
  assert_self_check(out, { 'my_linear_d128_o37_nvfp4_c ' })
  support.assert_has(run(project, folder, 4, 'vendor', 'my.lua', '--out', 'flat', '--flat').err,
    '"it" has weights of nvfp4, which are packed from blocks, and the plain functions of --flat '
      .. 'take floats: leave out --flat, or choose other layers with --layer NAME', '--flat')
  unit.assertFalse(support.exists(folder .. '/flat'))
end

--- Formats with numbers of their own, and shapes of folders, in pairs: a third of the formats, each
--- in one shape; in full each in all of them.
local shapes = {
  { 'files' }, { 'single', '--single-file' }, { 'header', '--header-only' },
  { 'freestanding', '--freestanding' }, { 'unity', '--single-file', '--no-dispatch' },
}

local strict = 'cc -O0 -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wundef -Werror '

--- The formats whose decoders a folder holds, in its own prefix.
local function decoders_in(folder)
  local found = {}
  for path, text in pairs(support.snapshot(folder)) do
    local code = path:match '%.[ch]$' and text or ''
    support.assert_lacks(code, 'ffn_decode', path)
    for _, name in ipairs(weights.names) do
      if code:find(('double my_decode_%s('):format(name), 1, true) then found[name] = true end
    end
  end
  return support.keys(found)
end

local function check_folder(name, shape)
  local format, folder = weights.by_name[name], support.folder()
  local width = math.max(32, 2 * format.source.k)
  local text = ([[
linear 'block' { d_model = %d, d_out = 21, bias = true, weights = '%s' }
ffn 'other' { variant = 'reglu', d_model = 32, d_ff = %d, weights = { down = '%s' } }
]]):format(width, name, width, name)
  support.write(folder .. '/my.lua', support.full and text or text:match '^[^\n]*\n')
  run(support.project, folder, 0, 'vendor', 'my.lua', '--out', 'out', '--isa', 'c', '--prefix',
    'my', table.unpack(shape, 2))
  local out = compiled(folder, ('cd out && %s *.c -lm -o check && ./check'):format(strict))
  assert_self_check(out, { ('my_linear_bias_d%d_o21_'):format(width) })
  unit.assertEquals(decoders_in(folder .. '/out'), { name })
  out = compiled(folder, ('cd out && %s -DMY_EXAMPLE *.c -lm -o example && '
    .. './example'):format(strict))
  support.assert_has(out, 'y[0][0] = ', 'the example')
end

function TestBlocks.test_folders()
  local names = lists.filter(weights.names, function(name) return weights.by_name[name].source end)
  local count = 0
  for i, name in ipairs(names) do
    for s, shape in ipairs(shapes) do
      -- Each format in one shape, the next one in the next change; of the quick form a third.
      if support.full and support.is_turn((i + s) % #shapes, #shapes)
        or not support.full and i % #shapes + 1 == s and support.is_turn(i % 3, 3) then
        check_folder(name, shape)
        count = count + 1
      end
    end
  end
  unit.assertTrue(count >= (support.full and #names or #names // 3) and #names > 4)
end

--- Two folders of the same formats in a program, each with its decoders, one as C++.
function TestBlocks.test_two_prefixes()
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
linear 'a' { d_model = 256, d_out = 21, weights = 'q5_K' }
mlp 'b' { d_model = 32, layers = { { 32, 'relu' }, { 5 } }, weights = { 'q8_0', 'q4_0' } }
linear 'c' { d_model = 40, d_out = 3, weights = 'f8_e4m3' } -- which packs by functions of q8_0's
]])
  for _, prefix in ipairs { 'one', 'two' } do
    run(support.project, folder, 0, 'vendor', 'my.lua', '--out', prefix, '--single-file', '--isa',
      'c', '--prefix', prefix)
  end
  support.write(folder .. '/main.cc', [[
#include "one/one.h"
#include "two/two.h"
#include <cstdio>
int main() {
  std::printf("%s %s\n", one_b()->name, two_a()->name);
  return ONE_SOURCE_Q5_K != one_a()->stages[0].source || !two_a()->stages[0].source_alone;
}
]])
  local out = compiled(folder, [[
g++ -std=c++17 -O0 -Wall -Wextra -Werror -c main.cc
gcc -O0 -Wall -Wextra -Werror -DONE_NO_MAIN -DONE_REFERENCE -c one/one.c one/one_selfcheck.c
g++ -x c++ -std=c++17 -O0 -Wall -Wextra -Werror -DTWO_NO_MAIN -DTWO_REFERENCE -c two/two.c \
  two/two_selfcheck.c
g++ *.o -lm -o main && ./main]])
  unit.assertEquals(out, 'one_mlp_32_relu32_identity5_q8_0_q4_0_c two_linear_d256_o21_q5_K_c\n')
end

--- What a list says of kernels: of each stage the format.
function TestBlocks.test_list()
  local folder = support.folder()
  support.write(folder .. '/my.lua', [[
ffn 'it' { variant = 'gelu', d_model = 32, d_ff = 256, weights = { up = 'q4_0', down = 'q4_K' } }
]])
  local kernels = json.decode(run(support.project, folder, 0, 'list', 'my.lua', '--json').out)
    .kernels
  for _, kernel in ipairs(kernels) do
    unit.assertEquals(kernel.formats, { 'q4_0', 'q4_K' }, kernel.name)
  end
  local page = run(support.project, folder, 0, 'explain', 'it', 'my.lua').out
  support.assert_has(page, 'q4_K', 'explain')
end
